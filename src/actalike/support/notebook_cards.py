"""Build the HTML cards that notebooks show for logs, counts and embeddings: small tables with bars, without scripts.

Labels come from logs and are not trusted: they are always escaped and shown as text.
"""

import re
from collections.abc import Iterable, Sequence
from html import escape

# neither XML nor HTML may contain it; compiled at its first use, which takes longer than to load most modules
_NOT_SHOWN = r"[^\x20-\x7e\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_LEFT = "text-align:left"


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


def label_html(label: str) -> str:
    """Return a label as escaped HTML; ``<bdi>`` keeps right-to-left writing from reordering the text beside it.

    >>> label_html("<script>")
    '<bdi>&lt;script&gt;</bdi>'
    """
    return f"<bdi>{escape(one_line(label, 80))}</bdi>"


def and_more(count: int, singular: str, plural: str) -> str:
    """Say in words how many items are not shown; return an empty text if there are none.

    >>> and_more(1, "pair", "pairs"), and_more(2000, "pair", "pairs"), and_more(0, "pair", "pairs")
    ('and 1 more pair', 'and 2,000 more pairs', '')
    """
    return f"and {count:,} more {singular if count == 1 else plural}" if count else ""


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


def _bar(share: float) -> str:
    width = 100 * min(max(share, 0.0), 1.0)
    return (
        f"<span style='display:inline-block;width:{width:.1f}%;height:.6em;background:currentColor;opacity:.4'></span>"
        if width >= 0.05
        else ""
    )
