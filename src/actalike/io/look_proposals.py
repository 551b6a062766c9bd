"""Propose the options that would settle what is doubtful about a file. None of them is used by itself."""

from typing import NamedTuple

import polars as pl

from actalike.errors import shortened
from actalike.io.column_facts import ColumnFacts, propose_activity, propose_case
from actalike.io.columns import Columns, is_usual
from actalike.io.timestamps import parse_series
from actalike.io.unused_columns import holds_times_of_day, looks_like_time, time_layouts
from actalike.log import Reading


class Proposal(NamedTuple):
    """Propose an option of the command line, such as ``--case``, with the reason.

    ``needed``: without it, the file cannot be read or its order is lost; any other is worth a thought.
    """

    option: str
    value: str
    why: str
    needed: bool


def propose_roles(events: pl.DataFrame, facts: list[ColumnFacts], chosen: dict[str, str | None]) -> list[Proposal]:
    """Propose the case and the activity by what their columns hold, and put them into ``chosen``."""
    proposals = []
    for role in ("case", "activity"):
        usual = [name for name in events.columns if is_usual(role, name)]
        if chosen[role] or len(usual) == 1:
            continue
        if role == "case":
            column, why = propose_case(events, facts), "its values repeat, and no other column that does has so many"
        else:
            case = chosen["case"] or next((name for name in events.columns if is_usual("case", name)), None)
            column = None if case is None else propose_activity(events, facts, case)
            why = "it has few different values, and they change within a case"
        if column is not None:
            chosen[role] = column
            proposals.append(Proposal(f"--{role}", column, why, True))
    return proposals


def propose_time(
    events: pl.DataFrame, columns: Columns, names: dict[str, str | None], timestamp_format: str | None, remarks: list[str]
) -> list[Proposal]:
    """Propose the column and the layout of the timestamps; what can be read in two ways is a remark, and not needed."""
    proposals = []
    column = columns.timestamp
    is_time_of_day = column is not None and holds_times_of_day(events[column])
    if (column is None or is_time_of_day) and names["timestamp"] is None:
        others = [name for name in events.columns if name not in columns and looks_like_time(events[name])]
        if others:
            why = "it has the day" if is_time_of_day else "its values look like time"
            column = others[0]
            proposals.append(Proposal("--timestamp", column, f"{why}, which orders the events", True))
    if column is None or timestamp_format is not None:
        return proposals
    layouts = time_layouts(events[column])
    if len(layouts) == 1:
        proposals.append(Proposal("--timestamp-format", layouts[0], f"so the times in {column} are written", True))
    elif layouts:
        remarks.append(f"The times in {column!r} can be read in {len(layouts)} ways, and nothing in these rows settles which.")
        proposals += [Proposal("--timestamp-format", layout, "either this one or the other", False) for layout in layouts]
    elif not _is_time(events[column]):
        return [] if columns.timestamp is None else [_propose_no_time(events[column])]
    remarks += _times_of_day(events, column, layouts)
    return proposals


def _propose_no_time(column: pl.Series) -> Proposal:
    examples = [f" (such as {shortened(str(value))!r})" for value in column.drop_nulls().head(1)]
    why = f"no layout reads all values of {column.name!r}{''.join(examples)}, so the events stay in the order of the file"
    return Proposal("--timestamp", "", why, True)


def _is_time(column: pl.Series) -> bool:
    """Return whether a column can be read as time without a layout."""
    if isinstance(column.dtype, pl.Datetime) or column.dtype in (pl.Date, pl.Null):
        return True
    return column.dtype == pl.String and parse_series(column)[1] is None


def _times_of_day(events: pl.DataFrame, column: str, layouts: list[str]) -> list[str]:
    """Return a remark on a column with times of day, if the timestamps have none."""
    has_time = any(mark in layout for layout in layouts for mark in ("%H", "%I", "%s", "%Q"))
    if has_time or not (layouts or events[column].dtype == pl.Date or _has_days_only(events[column])):
        return []
    others = [name for name in events.columns if name != column and holds_times_of_day(events[name])]
    if not others:
        return []
    return [
        f"The column {others[0]!r} holds times of day, which cannot be joined with {column!r}: the events of one day stay in the "
        "order of the file. Put both into one column to sort by them."
    ]


def _has_days_only(column: pl.Series) -> bool:
    return column.dtype == pl.String and bool((column.drop_nulls().str.len_chars() <= len("2024-12-31")).all())


def propose_lifecycle(reading: Reading) -> list[Proposal]:
    """Propose to keep one event of a start and a complete, if most events come in such pairs."""
    if reading.paired < 0.5 or reading.lifecycle != "ignore":
        return []
    proposals = []
    if reading.paired_by != reading.transition:
        proposals.append(Proposal("--transition", str(reading.paired_by), "it holds start and complete", False))
    why = f"it keeps one event of each start/complete pair ({100 * reading.paired:.0f} % of these events belong to one)"
    return [*proposals, Proposal("--lifecycle", "complete", why, False)]
