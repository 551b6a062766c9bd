"""Hold the names of the columns that an engine counts, and refuse events that lack a value or an order."""

from collections.abc import Sequence
from typing import NamedTuple, NoReturn

from actalike.errors import LogError


class EventColumns(NamedTuple):
    """Hold the names of the columns to count, and the name of the source for error messages."""

    source: str
    case: str
    activity: str
    order: tuple[str, ...]

    @property
    def names(self) -> list[str]:
        """Return the names of all columns, each once."""
        return list(dict.fromkeys([self.case, self.activity, *self.order]))


def check_nothing_missing(columns: EventColumns, missing: Sequence[int]) -> None:
    """Raise an error if events lack a case, an activity or a value that orders them.

    ``missing`` holds the number of rows without a value for the case, the activity and each column of the order.
    """
    roles = ["case", "activity", *("order" for _ in columns.order)]
    names = [columns.case, columns.activity, *columns.order]
    faults = [
        f"the {role} (column {name!r}) is missing in {rows:,} rows"
        for role, name, rows in zip(roles, names, missing, strict=True)
        if rows
    ]
    if faults:
        raise LogError(f"{columns.source}: {', '.join(faults)}. Correct or remove them; nothing was counted.")


def check_years(columns: EventColumns, outside: Sequence[int]) -> None:
    """Raise an error if a column of the order has times outside the years 1 to 9999, in so many rows each."""
    for name, rows in zip(columns.order, outside, strict=True):
        if rows:
            raise LogError(
                f"{columns.source}: the order (column {name!r}) is outside the years 1 to 9999 in UTC in {rows:,} rows. Correct "
                "or remove them; nothing was counted."
            )


def refuse_ties(columns: EventColumns, case: object, tied: int, has_rows: bool) -> NoReturn:
    """Raise an error about events of one case that the order does not tell apart: it is unknown which came first."""
    order = " and ".join(map(repr, columns.order))
    remedy = ", or take the order of the rows with ties='row'" if has_rows else ""
    raise LogError(
        f"{columns.source}: in the case {str(case)!r}, and {tied:,} times in all, two events have the same {order}, so their "
        f"order is unknown. Add a column that tells them apart to order=[...] (--order), such as an event index{remedy}; "
        "nothing was counted."
    )


def refuse_ties_of_files(columns: EventColumns, case: object, tied: int) -> NoReturn:
    """Raise an error about events of one case that are in different files and that the order does not tell apart."""
    same = f" with the same {' and '.join(map(repr, columns.order))}" if columns.order else ""
    raise LogError(
        f"{columns.source}: the case {str(case)!r} has events{same} in several files, {tied:,} times in all, so their order is "
        "unknown. Name a column that tells them apart with order=[...] (--order), or count one file; nothing was counted."
    )
