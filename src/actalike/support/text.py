"""Text for people: numbers with nouns, sentences, short labels, cards for notebooks, cells that no spreadsheet runs.

A sentence that contains labels is a list of :data:`Parts`: its words, labels, and other texts of the log. From the same parts
:func:`plain_text` makes a text, and :func:`json_parts` what a page is given, whose script (page/shared/dom.js) shows labels
in its own way, with their second names.

Labels come from logs and are not trusted: in cards they are escaped and shown as text. A spreadsheet takes a cell of a CSV file
for a formula if it begins with ``=``, ``+``, ``-`` or ``@``, and some skip white space before it. An apostrophe in front makes
it a text. A text that begins with apostrophes before such a beginning gets one more, so that the escape can be undone exactly.
"""

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from actalike.errors import shortened

_PASSES = 8
_CONTEXTS = (12, 8, 5, 3, 2, 1, 0)  # characters at either end, beside the part that differs
_SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"  # the last four are the full-width forms, which some spreadsheets treat alike
_SKIPPED = ("Cc", "Cf", "Zs", "Zl", "Zp")  # Unicode's categories of controls, formats and white space
# neither XML nor HTML may contain it; compiled at its first use, which takes longer than to load most modules
_NOT_SHOWN = r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_LEFT = "text-align:left"
_SPACES = re.compile(r"[\s\u200b-\u200d\u2060\ufeff]+")
_ROUNDING = 1e-9  # of shares


def counted(number: int, singular: str, plural: str | None = None) -> str:
    """Return a number with its noun, in the plural unless it is 1.

    >>> counted(1, "case"), counted(2000, "case"), counted(0, "activity", "activities")
    ('1 case', '2,000 cases', '0 activities')
    """
    return f"{number:,} {singular if number == 1 else plural or f'{singular}s'}"


def percent(share: float) -> str:
    """Return a share as a percentage; only exact 0 and 1 are shown as 0 % and 100 %.

    >>> percent(0), percent(0.004), percent(0.254), percent(0.996), percent(1)
    ('0 %', 'under 1 %', '25 %', 'over 99 %', '100 %')
    """
    if share <= _ROUNDING:
        return "0 %"
    if share >= 1 - _ROUNDING:
        return "100 %"
    return "under 1 %" if share < 0.01 else "over 99 %" if share > 0.99 else f"{int(100 * share + 0.5)} %"


def and_more(count: int, singular: str, plural: str) -> str:
    """Return how many items are not shown, for a last line; an empty string if there are none.

    >>> and_more(1, "pair", "pairs"), and_more(2000, "pair", "pairs"), and_more(0, "pair", "pairs")
    ('and 1 more pair', 'and 2,000 more pairs', '')
    """
    return f"and {count:,} more {singular if count == 1 else plural}" if count else ""


@dataclass(frozen=True)
class Label:
    """A label of the log in a sentence."""

    name: str


@dataclass(frozen=True)
class Foreign:
    """Another text that comes from the log in a sentence, such as the value of an attribute."""

    text: str
    quoted: bool = False


Part = str | Label | Foreign
Parts = list[Part]


def plain_text(parts: Iterable[Part], names: Mapping[str, str] | None = None) -> str:
    """Return a sentence as a text; labels are quoted, with their second names where these differ.

    >>> plain_text([Label("Pay"), " is missing after ", Label("A_7"), " by ", Foreign("Sue", quoted=True)], {"A_7": "Approve"})
    "'Pay' is missing after 'A_7' [Approve] by 'Sue'"
    """
    names = names or {}
    return "".join(_plain_part(part, names) for part in parts)


def json_parts(parts: Iterable[Part], number: Callable[[str], int], longest: int) -> list[str | dict[str, Any]]:
    """Return a sentence for a page: texts, ``{"label": number}`` for a label, ``{"text": ...}`` for another text of the log.

    ``number`` returns the number that a label has on the page; other texts have at most about ``longest`` characters.

    >>> json_parts([Label("Pay"), " by ", Foreign("Sue", quoted=True), ": ", "1 of 9"], ["Check", "Pay"].index, 60)
    [{'label': 1}, " by '", {'text': 'Sue'}, "': 1 of 9"]
    """
    found: list[str | dict[str, Any]] = []
    for part in parts:
        quote = "'" if isinstance(part, Foreign) and part.quoted else ""
        if isinstance(part, str):
            shown: list[str | dict[str, Any]] = [part]
        elif isinstance(part, Label):
            shown = [{"label": number(part.name)}]
        else:
            shown = [quote, {"text": shortened(part.text, longest)}, quote]
        for one in shown:
            if isinstance(one, str) and found and isinstance(found[-1], str):
                found[-1] += one
            elif one:
                found.append(one)
    return found


def list_parts(items: Sequence[Parts], last: str, shown: int = 3) -> Parts:
    """Return items as a list in a sentence, ``last`` before the last one; of many only the first are named.

    >>> plain_text(list_parts([[Label(name)] for name in "abc"], "or"))
    "'a', 'b' or 'c'"
    >>> plain_text(list_parts([[Label(name)] for name in "abcde"], "or"))
    "'a', 'b', 'c' and 2 more"
    """
    if len(items) > shown:
        items, last = [*items[:shown], [f"{len(items) - shown:,} more"]], "and"
    parts: Parts = []
    for i, item in enumerate(items):
        joint = "" if i == 0 else f" {last} " if i == len(items) - 1 else ", "
        parts += [joint, *item] if joint else item
    return parts


def short_labels(labels: Sequence[str], max_length: int) -> list[str]:
    """Return each label in at most ``max_length`` characters, its beginning and its end.

    If two different labels would read the same, the part in which they differ is kept. ``page/shared/widths.js`` does the
    same on the pages, where the width is in pixels.

    >>> short_labels(["Declaration FINAL_APPROVED by SUPERVISOR", "Declaration FINAL_APPROVED by DIRECTOR", "Pay"], 18)
    ['Declarati…PERVISOR', 'Declarati…DIRECTOR', 'Pay']
    >>> short_labels(["Check the form of kind A for the customer", "Check the form of kind B for the customer"], 20)
    ['Check th…A…customer', 'Check th…B…customer']
    """
    short = {label: without_middle(label, max_length) for label in labels}
    for _ in range(_PASSES):  # labels that are still alike differ farther on
        if not _tell_apart(short, max_length):
            break
    return [short[label] for label in labels]


def without_middle(label: str, max_length: int) -> str:
    """Return the beginning and the end of a label that is longer than ``max_length`` characters.

    >>> without_middle("Ask for the missing papers of the customer", 20)
    'Ask for th…customer'
    """
    if len(label) <= max_length:
        return label
    tail = (max_length - 1) // 2
    return f"{label[: max_length - 1 - tail].rstrip()}…{label[len(label) - tail :].lstrip()}"


def one_line(label: str, max_length: int) -> str:
    """Return a label on one line, without control characters, the middle left out beyond ``max_length`` characters.

    >>> one_line("Check\\ninvoice", 40), one_line("Ask for the missing papers of the customer", 20)
    ('Check invoice', 'Ask for the…customer')
    """
    line = re.sub(_NOT_SHOWN, "�", " ".join(label.split()))
    if len(line) <= max_length:
        return line
    tail = (max_length - 1) * 9 // 20
    return f"{line[: max_length - 1 - tail]}…{line[len(line) - tail :]}"


def visible_spaces(labels: Iterable[str]) -> dict[str, str]:
    """Return the labels that differ from others only in spaces, each with these spaces as signs.

    A dot is a blank at an end or beside another blank, a shouldered box any other space; one blank between words stays.

    >>> visible_spaces(["Check form", "Check  form", "Check\\u00a0form ", "Pay bill "])
    {'Check form': 'Check form', 'Check  form': 'Check··form', 'Check\\xa0form ': 'Check⍽form·'}
    """
    alike: dict[str, list[str]] = {}
    for label in labels:
        alike.setdefault(_SPACES.sub(" ", label).strip(), []).append(label)
    return {label: with_signs(label) for some in alike.values() if len(some) > 1 for label in some}


def label_html(label: str) -> str:
    """Return a label as escaped HTML; ``<bdi>`` keeps right-to-left writing from reordering the text beside it.

    >>> label_html("<script>")
    '<bdi>&lt;script&gt;</bdi>'
    """
    return f"<bdi>{escape(one_line(label, 80))}</bdi>"


def card(
    title: str, facts: Iterable[tuple[str, str]], header: Sequence[str], rows: Iterable[tuple[str, str, float]], more: str
) -> str:
    """Return the HTML of a card: a title, one line for each fact, a table, and a last line ``more``.

    A row of the table has a subject, a number, and a share from 0 to 1, which is drawn as a bar. The subject is HTML; everything
    else is plain text.
    """
    fact_lines = "".join(
        f"<tr><th style='{_LEFT}'>{escape(name)}</th><td style='{_LEFT}'>{escape(value)}</td></tr>" for name, value in facts
    )
    head = "".join(f"<th style='{_LEFT}'>{escape(name)}</th>" for name in header)
    lines = "".join(
        f"<tr><td style='{_LEFT}'>{html}</td><td>{escape(number)}</td><td style='{_LEFT};min-width:8em'>{_bar(share)}</td></tr>"
        for html, number, share in rows
    )
    rest = f"<div>{escape(more)}</div>" if more else ""
    table = f"<table><thead><tr>{head}<th></th></tr></thead><tbody>{lines}</tbody></table>" if lines else ""
    return f"<div><strong>{escape(title)}</strong><table><tbody>{fact_lines}</tbody></table>{table}{rest}</div>"


def escape_formula(text: str) -> str:
    """Return a string as a cell that no spreadsheet runs.

    >>> [escape_formula(text) for text in ("=1+1", " -x", "'=1", "Check", "'quoted'")]
    ["'=1+1", "' -x", "''=1", 'Check', "'quoted'"]
    """
    return f"'{text}" if _begins_formula(text) else text


def restore_formula(cell: str) -> str:
    """Undo :func:`escape_formula`. A cell without the escape stays as it is.

    >>> [restore_formula(cell) for cell in ("'=1+1", "=1+1", "''=1", "Check", "'quoted'")]
    ['=1+1', '=1+1', "'=1", 'Check', "'quoted'"]
    """
    return cell[1:] if cell.startswith("'") and _begins_formula(cell) else cell


def with_signs(label: str) -> str:
    """Return a label with the spaces that nobody sees as signs, as in :func:`visible_spaces`.

    >>> with_signs("Pay  bill ")
    'Pay··bill·'
    """
    dotted = re.sub(r"^ +| +$|  +", lambda blanks: "·" * len(blanks[0]), label)
    return re.sub(r"[^\S ]|[\u200b-\u200d\u2060\ufeff]", "⍽", dotted)


def _plain_part(part: Part, names: Mapping[str, str]) -> str:
    if isinstance(part, str):
        return part
    if isinstance(part, Foreign):
        return repr(part.text) if part.quoted else part.text
    name = names.get(part.name, part.name)
    shown = repr(with_signs(part.name))
    return shown if name == part.name else f"{shown} [{name}]"


def _tell_apart(short: dict[str, str], max_length: int) -> bool:
    """Replace short forms that several labels share by forms with the part that differs; return whether there were any."""
    same = defaultdict(list)
    for label, text in short.items():
        same[text].append(label)
    groups = [labels for labels in same.values() if len(labels) > 1]
    for labels in groups:
        start = _common(labels)
        end = min(_common([label[::-1] for label in labels]), min(map(len, labels)) - start)
        for label in labels:
            short[label] = _with_part(label, start, len(label) - end, max_length)
    return bool(groups)


def _common(labels: Sequence[str]) -> int:
    """Return how many characters all labels begin with."""
    return next((k for k, letters in enumerate(zip(*labels, strict=False)) if len(set(letters)) > 1), min(map(len, labels)))


def _with_part(label: str, start: int, end: int, max_length: int) -> str:
    """Return the part of a label from ``start`` to ``end``, with as much of the label's ends as there is room for."""
    texts = [_ends(label, start, end, context) for context in _CONTEXTS]
    return next((text for text in texts if len(text) <= max_length), texts[-1][:max_length])


def _ends(label: str, start: int, end: int, context: int) -> str:
    head = label[:start] if start <= context + 1 else f"{label[:context]}…"
    tail = label[end:] if len(label) - end <= context + 1 else f"…{label[len(label) - context :]}"
    return f"{head}{label[start:end]}{tail}"


def _begins_formula(text: str) -> bool:
    """Return whether a spreadsheet could run a string, apostrophes before it aside. The page's mapping.js has the same rule."""
    text = text.lstrip("'")
    if text[:1] in ("\t", "\r", "\n"):  # some drop these
        return True
    first = next((character for character in text if unicodedata.category(character) not in _SKIPPED), "")
    return first != "" and first in _SIGNS


def _bar(share: float) -> str:
    width = 100 * min(max(share, 0.0), 1.0)
    return (
        f"<span style='display:inline-block;width:{width:.1f}%;height:.6em;background:currentColor;opacity:.4'></span>"
        if width >= 0.05
        else ""
    )
