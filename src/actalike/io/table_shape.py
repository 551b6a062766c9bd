"""Tell the rows of a table from titles above it and totals below it. Nothing is skipped unless the user says so."""

from collections import Counter
from collections.abc import Sequence

import polars as pl

from actalike.errors import LogError, shortened
from actalike.io.columns import Columns

_MOST_TITLE_ROWS = 30
SHAPED_ROWS = 200  # rows that tell the shape of a table
SHAPED_LAST = 6  # rows at the end that may be totals and notes


def likely_title(rows: Sequence[Sequence[str]]) -> int:
    """Return how many rows seem to precede the column names; 0 if none, or if no row looks like column names.

    Column names are distinct, none is empty, and there are as many as most rows below them have cells.

    >>> likely_title([["Report of 2024"], [""], ["case", "step", "time"], ["1", "a", "2024-01-31"], ["1", "b", ""]])
    2
    """
    for i, row in enumerate(rows[:_MOST_TITLE_ROWS]):
        below = Counter(len(each) for each in rows[i + 1 :])
        is_filled = len(row) > 1 and all(cell.strip() for cell in row) and len(set(row)) == len(row)
        if is_filled and below and below.most_common(1)[0][0] == len(row):
            return i
    return 0


def likely_footer(rows: Sequence[Sequence[str]], width: int) -> int:
    """Return how many of the last rows seem to be totals or notes, because they have another number of cells.

    >>> likely_footer([["1", "a", "5"], ["2", "b", "7"], ["Total: 12"]], 3)
    1
    """
    return next((number for number, row in enumerate(reversed(rows)) if len(row) == width), 0)


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


def duplicate_columns(source: str, names: Sequence[str], hint: str) -> LogError:
    """Return the error about a header with a repeated name."""
    name, number = Counter(names).most_common(1)[0]
    if name:
        return LogError(f"{source} has two columns called {shortened(name)!r}: rename one.{hint} Nothing was read.")
    return LogError(
        f"{source} has {number:,} columns without a name. Name them; or, if the table begins further down, give the number of "
        f"rows above it as skip=... (--skip N).{hint} Nothing was read."
    )
