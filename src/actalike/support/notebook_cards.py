"""How logs, counts and embeddings look in a notebook: small tables with bars, in the notebook's own colours, without scripts.

Labels come from logs and are not trusted: whatever they hold, they are shown as text.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape

# neither XML nor HTML may contain it; compiled at its first use, which takes longer than to load most modules
_NOT_SHOWN = r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_LEFT = "text-align:left"


def one_line(label: str, most: int) -> str:
    """A label on one line, without control characters, and no longer than so many characters: the middle is left out.

    >>> one_line("Check\\ninvoice", 40), one_line("Ask for the missing papers of the customer", 20)
    ('Check invoice', 'Ask for the…customer')
    """
    line = re.sub(_NOT_SHOWN, "�", " ".join(label.split()))
    if len(line) <= most:
        return line
    tail = (most - 1) * 9 // 20
    return f"{line[: most - 1 - tail]}…{line[len(line) - tail :]}"


def label_html(label: str) -> str:
    """A label as text of a page, whatever it holds; writing from right to left does not spread to what stands beside it.

    >>> label_html("<script>")
    '<bdi>&lt;script&gt;</bdi>'
    """
    return f"<bdi>{escape(one_line(label, 80))}</bdi>"


def and_more(count: int, one: str, several: str) -> str:
    """What is not shown, in words.

    >>> and_more(1, "pair", "pairs"), and_more(2000, "pair", "pairs"), and_more(0, "pair", "pairs")
    ('and 1 more pair', 'and 2,000 more pairs', '')
    """
    return f"and {count:,} more {one if count == 1 else several}" if count else ""


def card(
    title: str, facts: Iterable[tuple[str, str]], header: Sequence[str], rows: Iterable[tuple[str, str, float]], more: str
) -> str:
    """A title, facts in a line each, and a table: what it is of, a number, and a bar for a share from 0 to 1.

    ``rows`` begin with HTML, everything else is plain text.
    """
    listed = "".join(
        f"<tr><th style='{_LEFT}'>{escape(name)}</th><td style='{_LEFT}'>{escape(value)}</td></tr>" for name, value in facts
    )
    head = "".join(f"<th style='{_LEFT}'>{escape(name)}</th>" for name in header)
    lines = "".join(
        f"<tr><td style='{_LEFT}'>{what}</td><td>{escape(number)}</td><td style='{_LEFT};min-width:8em'>{_bar(share)}</td></tr>"
        for what, number, share in rows
    )
    rest = f"<div>{escape(more)}</div>" if more else ""
    table = f"<table><thead><tr>{head}<th></th></tr></thead><tbody>{lines}</tbody></table>" if lines else ""
    return f"<div><strong>{escape(title)}</strong><table><tbody>{listed}</tbody></table>{table}{rest}</div>"


def _bar(share: float) -> str:
    width = 100 * min(max(share, 0.0), 1.0)
    return (
        f"<span style='display:inline-block;width:{width:.1f}%;height:.6em;background:currentColor;opacity:.4'></span>"
        if width >= 0.05
        else ""
    )
