"""Escape texts that a spreadsheet would run as formulas, and restore them.

A spreadsheet takes a cell of a CSV file for a formula if it begins with ``=``, ``+``, ``-`` or ``@``, and some skip white space
before it. An apostrophe in front makes it a text. A text that begins with apostrophes before such a beginning gets one more, so
that the escape can be undone exactly for every text.
"""

import unicodedata

_SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"  # the last four are the full-width forms, which some spreadsheets treat alike
_SKIPPED = ("Cc", "Cf", "Zs", "Zl", "Zp")  # Unicode's categories of controls, formats and white space


def escape_formula(text: str) -> str:
    """Return a text as a cell that no spreadsheet runs.

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


def _begins_formula(text: str) -> bool:
    """Tell whether a spreadsheet could run a text, apostrophes before it aside. The page's mapping.js has the same rule."""
    text = text.lstrip("'")
    if text[:1] in ("\t", "\r", "\n"):  # some drop these
        return True
    first = next((character for character in text if unicodedata.category(character) not in _SKIPPED), "")
    return first != "" and first in _SIGNS
