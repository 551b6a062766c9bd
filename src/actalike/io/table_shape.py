"""Tell the rows of a table from titles above it and totals below it. Nothing is left out unless the user says so."""

from collections import Counter
from collections.abc import Collection, Sequence

import polars as pl

from actalike.errors import LogError, shortened
from actalike.io.columns import Columns

_MOST_TITLE_ROWS = 30
SHAPED_ROWS = 200  # rows that tell the shape of a table
SHAPED_LAST = 6  # rows at the end that may be totals and notes


def likely_title(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows seem to be above the names of the columns; 0 if none, or if no row looks like such names.

    The names fill as many cells as most rows below them have, all of them, with different texts.

    >>> likely_title([["Report of 2024"], [""], ["case", "step", "time"], ["1", "a", "2024-01-31"], ["1", "b", ""]])
    2
    """
    for i, row in enumerate(rows[:_MOST_TITLE_ROWS]):
        below = Counter(len(each) for each in rows[i + 1 :])
        is_filled = len(row) > 1 and all(cell.strip() for cell in row) and len(set(row)) == len(row)
        if is_filled and below and below.most_common(1)[0][0] == len(row):
            return i
    return 0


def likely_footer(rows: Sequence[Sequence[str]], width: int, needed: Collection[int]) -> int:
    """Return how many of the last rows seem to be totals or notes: of another width, or without a value in a column ``needed``.

    >>> likely_footer([["1", "a", "5"], ["2", "b", "7"], ["", "", ""], ["Total", "", "12"]], 3, [0, 1])
    2
    """
    for number, row in enumerate(reversed(rows)):
        if len(row) == width and all(row[column].strip() for column in needed):
            return number
    return 0  # all of them: then something else is wrong


def likely_totals(events: pl.DataFrame, columns: Columns) -> int:
    """Return how many of the last rows seem to be totals or notes: without a case, an activity or, if all others have it, a time.

    >>> rows = pl.DataFrame({"case": ["1", "2", "Total"], "step": ["a", "b", None]})
    >>> likely_totals(rows, Columns("case", "step", None, None))
    1
    """
    lacks = events[columns.case].is_null() | events[columns.activity].is_null()
    if columns.timestamp is not None:
        lacks |= events[columns.timestamp].is_null() & (events[columns.timestamp].head(-SHAPED_LAST).null_count() == 0)
    complete = (~lacks).arg_true()
    number = len(events) - 1 - int(complete[-1]) if len(complete) else 0
    return number if number <= SHAPED_LAST else 0


def skip_hint(number: int) -> str:
    """Return what to do if so many rows are above the table, as a sentence for an error; nothing if none are."""
    if not number:
        return ""
    rows = "first row is a title" if number == 1 else f"first {number:,} rows are a title"
    return f" If the {rows}, leave {'it' if number == 1 else 'them'} out with skip={number} (--skip {number})."


def skip_last_hint(number: int) -> str:
    """Return what to do if so many rows are below the table, as a sentence for an error; nothing if none are."""
    if not number:
        return ""
    rows = "last row is a total or a note" if number == 1 else f"last {number:,} rows are totals or notes"
    return f" If the {rows}, leave {'it' if number == 1 else 'them'} out with skip_last={number} (--skip-last {number})."


def totals_hint(events: pl.DataFrame, skip_last: int) -> str:
    """Return the option that leaves out the last events if they seem to be totals, for an error; nothing if they do not."""
    number = likely_totals(events, Columns("case", "activity", "time" if "time" in events.columns else None, None))
    return skip_last_hint(skip_last + number) if number else ""


def two_columns(source: str, names: Sequence[str], hint: str) -> LogError:
    """Return the error about a header that has a name twice."""
    name, number = Counter(names).most_common(1)[0]
    if name:
        return LogError(f"{source} has two columns called {shortened(name)!r}: rename one.{hint} Nothing was read.")
    how = hint or " Name them; or, if the table begins further down, say after how many rows with skip=... (--skip N)."
    return LogError(f"{source} has {number:,} columns without a name.{how} Nothing was read.")
