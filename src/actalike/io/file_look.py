"""Look at the beginning of a file of unknown layout: what it holds, what would be read, what is doubtful, and what settles it."""

from dataclasses import replace
from pathlib import Path

import polars as pl

from actalike.errors import LogError, shortened
from actalike.io.assemble import assemble
from actalike.io.column_facts import (
    ColumnFacts,
    as_texts,
    describe_column,
    propose_second_name,
)
from actalike.io.columns import Columns, find_columns, is_usual
from actalike.io.file_kinds import OBJECT_CENTRIC
from actalike.io.file_signs import refuse_foreign
from actalike.io.frames import ColumnReader
from actalike.io.look_data import Look
from actalike.io.look_proposals import Proposal, propose_lifecycle, propose_roles, propose_time
from actalike.io.object_centric.type_look import look_at_types
from actalike.io.read import check_object_type, kind_of, order_of_columns
from actalike.io.samples import CASE_NUMBER, Sample, sample_csv, sample_parquet, sample_xes
from actalike.io.source import DEFAULT_MAX_BYTES
from actalike.io.unused_columns import Unread, describe
from actalike.log import Reading, names_people

_SHOWN_ROWS = 5
_NAMED = 5  # columns that cannot be read
_ROLES = ("case", "activity", "timestamp", "transition")


def look(
    path: str | Path,
    *,
    case: str | None = None,
    activity: str | None = None,
    timestamp: str | None = None,
    transition: str | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    timestamp_format: str | None = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
    object_type: str | None = None,
) -> Look:
    """Look at the first 10,000 rows of a file, with the options of :func:`actalike.read_log`; one that is no log is an error.

    Of an object-centric log all is looked at, because an object may have events anywhere in the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "log.csv")
    ...     _ = path.write_text("Nr;Schritt;Zeit" + chr(10) + "7;Start;1.2.2024 8:00" + chr(10) + "7;Ende;13.2.2024 9:30")
    ...     look(path, case="Nr", activity="Schritt").options()
    {'--timestamp': 'Zeit', '--timestamp-format': '%d.%m.%Y %H:%M'}
    """
    path = Path(path)
    refuse_foreign(path)
    kind = kind_of(path, separator, encoding, timestamp_format)
    names = {"case": case, "activity": activity, "timestamp": timestamp, "transition": transition}
    check_object_type(object_type, [path])
    if kind in OBJECT_CENTRIC:
        return look_at_types(path, kind, names, object_type, max_bytes)
    if kind == "xes":
        sample = sample_xes(path, names, max_bytes)
        return _look_at_xes(path, sample, names)
    sample = sample_csv(path, names, separator, encoding, max_bytes) if kind == "csv" else sample_parquet(path, names, max_bytes)
    return _look_at_table(path, sample, names, timestamp_format)


def _look_at_table(path: Path, sample: Sample, names: dict[str, str | None], timestamp_format: str | None) -> Look:
    """Look at the columns of CSV or Parquet."""
    events = sample.events
    proposals, remarks = list[Proposal](), _unreadable(sample)
    fault = _fault_of_roles(path, sample, names)
    if fault is not None:
        return _made(path, sample, _facts(events, None, names), _first_rows(events), None, fault, remarks, [], None)
    if sample.encoding_error is not None:
        why = "the file is not UTF-8; this is the usual encoding of Excel and Windows: see whether the letters are right"
        proposals.append(Proposal("--encoding", str(sample.encoding), why, True))
    chosen = dict(names)
    error = sample.encoding_error
    try:
        columns: Columns | None = find_columns(str(path), events.columns, **chosen)
    except LogError as caught:
        columns, error = None, error or str(caught)
        plain_facts = [describe_column(events[name], "column", _given(names, name), None) for name in events.columns]
        proposals += propose_roles(events, plain_facts, chosen)
        try:
            columns = find_columns(str(path), events.columns, **chosen)
        except LogError as still:
            error = error if sample.encoding_error else str(still)
    layout = timestamp_format
    if columns is not None:
        for proposal in propose_time(events, columns, names, timestamp_format, remarks):
            proposals.append(proposal)
            if proposal.option == "--timestamp":
                chosen["timestamp"] = proposal.value
            else:
                layout = layout or proposal.value  # of two ways to read it, either: the figures are the same
    reading, fault = _try(path, events, names, timestamp_format)
    error = error or fault
    if sample.encoding_error is not None:
        reading = None
    proposed, _ = _try(path, events, chosen, layout)
    if proposed is not None:
        proposals += propose_lifecycle(proposed)
        second = propose_second_name(events, _facts(events, columns, names), proposed.activity)
        if second is not None:
            proposals.append(Proposal("--name", second, f"it seems to name each {proposed.activity} in words", False))
        remarks += _remarks(reading or proposed, sample)
    facts = _facts(events, columns, names)
    made = _made(path, sample, facts, _first_rows(events), reading, error, remarks, proposals, proposed)
    return made if proposed is None else replace(made, sampled_cases=frozenset(as_texts(events[proposed.case]).drop_nulls()))


def _fault_of_roles(path: Path, sample: Sample, names: dict[str, str | None]) -> str | None:
    """Return why a column that the reader needs cannot be read, None if all of them can."""
    try:
        needed = find_columns(str(path), [*sample.events.columns, *sample.faults], **names)
    except LogError:
        return None
    return next((str(sample.faults[name]) for name in needed[:3] if name is not None and name in sample.faults), None)


def _unreadable(sample: Sample) -> list[str]:
    """Return a remark about the columns that cannot be read, with the reason of the first; nothing if there are none."""
    if not sample.faults:
        return []
    names = ", ".join(repr(shortened(name)) for name in list(sample.faults)[:_NAMED])
    more = f" and {len(sample.faults) - _NAMED:,} more" if len(sample.faults) > _NAMED else ""
    noun = "column" if len(sample.faults) == 1 else "columns"
    return [f"the {noun} {names}{more} cannot be read: {next(iter(sample.faults.values()))}"]


def _first_rows(events: pl.DataFrame) -> tuple[tuple[str | None, ...], ...]:
    first = [as_texts(events[name].head(_SHOWN_ROWS)) for name in events.columns]
    return tuple(zip(*first, strict=True))


def _look_at_xes(path: Path, sample: Sample, names: dict[str, str | None]) -> Look:
    """Look at the attributes of XES, whose names tell what they are."""
    events = sample.events.drop(CASE_NUMBER)
    roles = {
        "case": (names["case"] or "concept:name").removeprefix("case:"),
        "activity": names["activity"] or "concept:name",
        "timestamp": names["timestamp"] or "time:timestamp",
        "transition": names["transition"] or "lifecycle:transition",
    }
    facts = []
    for name in sample.cases.columns:
        role, why = ("case", _why(names, "case")) if name == roles["case"] else (None, None)
        facts.append(describe_column(sample.cases[name], "case", role, why))
    for name in events.columns:
        role = next((role for role in _ROLES[1:] if roles[role] == name), None)
        why = None if role is None else _why(names, role)
        if role is None and names_people(name):
            role, why = "resource or organisation", "its name is usual for one"
        facts.append(describe_column(events[name], "event", role, why))
    proposals, reading, error = list[Proposal](), None, None
    if roles["activity"] not in events.columns:
        error = f"{path}: no event has the attribute {roles['activity']!r}, which names the activity: give another as --activity."
    elif events[roles["activity"]].null_count():
        row = int(events[roles["activity"]].is_null().arg_true()[0]) + 1
        error = f"{path}: event {row:,} has no attribute {roles['activity']!r}, which names the activity. Correct the log."
    else:
        unread = None
        if roles["transition"] in events.columns:
            unread = Unread(events.select(roles["transition"]), may_have_time=False)
        reading = Reading(
            str(path),
            roles["case"],
            roles["activity"],
            timestamp=roles["timestamp"] if roles["timestamp"] in events.columns else None,
            transition=roles["transition"] if roles["transition"] in events.columns else None,
            cases=len(sample.cases) if len(sample.cases.columns) else sample.events[CASE_NUMBER].n_unique(),
            events=len(events),
            **describe(unread, sample.events[CASE_NUMBER], events[roles["activity"]]),
        )
        proposals += propose_lifecycle(reading)
        second = propose_second_name(events, facts, roles["activity"])
        if second is not None:
            proposals.append(Proposal("--name", second, f"it seems to name each {roles['activity']} in words", False))
    shown = tuple(tuple(events[name][i] for name in events.columns) for i in range(min(_SHOWN_ROWS, len(events))))
    remarks = [] if reading is None else _remarks(reading, sample)
    made = _made(path, sample, facts, shown, reading, error, remarks, proposals, reading)
    if roles["case"] not in sample.cases.columns:
        return made
    return replace(made, sampled_cases=frozenset(sample.cases[roles["case"]].drop_nulls()))


def _made(
    path: Path,
    sample: Sample,
    facts: list[ColumnFacts],
    first_rows: tuple[tuple[str | None, ...], ...],
    reading: Reading | None,
    error: str | None,
    remarks: list[str],
    proposals: list[Proposal],
    proposed: Reading | None,
) -> Look:
    rows = tuple(tuple(None if cell is None else shortened(cell, 40) for cell in row) for row in first_rows)
    return Look(
        str(path), sample.kind, path.stat().st_size, sample.encoding, sample.separator, sample.separator_line,
        len(sample.events), sample.is_whole, sample.rows, tuple(facts), sample.columns_left_out, rows,
        reading, None if reading is not None else error, tuple(remarks), tuple(proposals), proposed,
    )  # fmt: skip


def _remarks(reading: Reading, sample: Sample) -> list[str]:
    """Return what may be wrong; figures of a sample are said to be those of the first events."""
    return (reading if sample.is_whole else replace(reading, events=reading.events + 1)).remarks()


def _given(names: dict[str, str | None], name: str) -> str | None:
    return next((role for role, given in names.items() if given == name), None)


def _why(names: dict[str, str | None], role: str) -> str:
    return f"given as --{role}" if names[role] else f"its name is usual for the {role}"


def _facts(events: pl.DataFrame, columns: Columns | None, names: dict[str, str | None]) -> list[ColumnFacts]:
    """Return what each column is like; the roles are those that would be read as it is, not those that are proposed."""
    facts = []
    for name in events.columns:
        role, why = None, None
        if columns is not None and name in columns:
            role = _ROLES[columns.index(name)]
            role, why = (role, _why(names, role)) if names[role] or is_usual(role, name) else (None, None)
        if role is None and names_people(name):
            role, why = "resource or organisation", "its name is usual for one"
        facts.append(describe_column(events[name], "column", role, why))
    return facts


def _try(
    path: Path, events: pl.DataFrame, names: dict[str, str | None], timestamp_format: str | None
) -> tuple[Reading | None, str | None]:
    """Read the sample as the reader would, and return how it was understood, or why it is refused."""
    try:
        columns = find_columns(str(path), events.columns, **names)
        reader = ColumnReader(str(path), columns, timestamp_format, needs_transition=False)
        others = [name for name in events.columns if name not in reader.names]
        may_have_time = columns.timestamp is None and names["timestamp"] is None
        reader.unread = Unread(events.select(others), may_have_time)
        reader.take(events.select(reader.names))
        read = reader.events()
        return assemble(read, "ignore", order_of_columns(read)).reading, None
    except LogError as error:
        return None, str(error)
