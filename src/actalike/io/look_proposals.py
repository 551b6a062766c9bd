"""Propose the options that would settle what is doubtful about a file. None of them is used by itself."""

from typing import NamedTuple

import polars as pl

from actalike.io.column_facts import ColumnFacts, propose_activity, propose_case
from actalike.io.columns import Columns, is_usual
from actalike.io.unused_columns import looks_like_time, time_layouts
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
    """Propose the column and the layout of the timestamps; what can be read in two ways is a remark."""
    proposals = []
    column = columns.timestamp
    if column is None and names["timestamp"] is None:
        others = [name for name in events.columns if name not in columns and looks_like_time(events[name])]
        if others:
            column = others[0]
            proposals.append(Proposal("--timestamp", column, "its values look like time, which orders the events", True))
    if column is None or timestamp_format is not None:
        return proposals
    layouts = time_layouts(events[column])
    if len(layouts) == 1:
        proposals.append(Proposal("--timestamp-format", layouts[0], f"so the times in {column} are written", True))
    elif layouts:
        remarks.append(
            f"The times in {column!r} can be read in several ways: choose one of "
            f"{' or '.join(f'--timestamp-format {layout!r}' for layout in layouts[:3])}."
        )
    return proposals


def propose_lifecycle(reading: Reading) -> list[Proposal]:
    """Propose to keep one event of a start and a complete, if most events come in such pairs."""
    if reading.paired < 0.5 or reading.lifecycle != "ignore":
        return []
    proposals = []
    if reading.paired_by != reading.transition:
        proposals.append(Proposal("--transition", str(reading.paired_by), "it holds start and complete", False))
    share = (
        f"{100 * reading.paired:.0f} % of the events that were looked at are the start or the completion of a step that has both"
    )
    return [*proposals, Proposal("--lifecycle", "complete", share, False)]
