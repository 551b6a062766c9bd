"""Inspect the beginning of a file of unknown layout: content, reading, doubts, and options that help."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from actalike.errors import LogError, shortened
from actalike.io.columns import Columns, UnusedColumns, describe, find_columns, is_usual
from actalike.io.excel import SeveralSheets, open_sheet
from actalike.io.files import KINDS, WrongEncoding
from actalike.io.frame import ReadOptions, assemble, events_from_columns, unused_columns
from actalike.io.look_facts import (
    ColumnFacts,
    Look,
    Proposal,
    as_texts,
    describe_column,
    doubtful_rows,
    propose_lifecycle,
    propose_missing,
    propose_roles,
    propose_second_name,
    propose_time,
)
from actalike.io.ocel import look_at_types
from actalike.io.read import check_object_type, kind_of
from actalike.io.samples import CASE_NUMBER, Sample, sample_csv, sample_excel, sample_parquet, sample_xes, shape_of_csv
from actalike.io.table_shape import likely_totals
from actalike.log import Reading, names_people

_LIKELY_ENCODING = "cp1252"  # of Windows in western Europe and America, so of most files of Excel that are not UTF-8
_SHOWN_ROWS = 5
_NAMED = 5  # columns that cannot be read
_ROLES = ("case", "activity", "timestamp", "transition")


def look(path: str | Path, **options: Any) -> Look:
    """Inspect the first 10,000 rows of a file, with the options of :func:`actalike.read_log`; other files than logs are an error.

    Object-centric logs are inspected as a whole, because an object may have events anywhere in the file.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "log.csv")
    ...     _ = path.write_text("Nr;Schritt;Zeit" + chr(10) + "7;Start;1.2.2024 8:00" + chr(10) + "7;Ende;13.2.2024 9:30")
    ...     look(path, case="Nr", activity="Schritt").options()
    {'--timestamp': 'Zeit', '--timestamp-format': '%d.%m.%Y %H:%M'}
    """
    path = Path(path)
    given = ReadOptions(**options)
    kind = kind_of(path, given)
    check_object_type(given.object_type, [path])
    if "object_type" in KINDS[kind].options:
        return look_at_types(path, kind, given.columns, given.object_type, given.max_bytes)
    if kind == "xes":
        return _look_at_xes(path, sample_xes(path, given.columns, given.max_bytes), given)
    tables = {"csv": _find_csv, "excel": _find_sheet, "parquet": _find_parquet}
    return _look_at_table(path, tables[kind](path, given), given)


class _Found(NamedTuple):
    """Hold the sample of a table, the options with which it is found in its file, and why it is not without them."""

    sample: Sample
    options: ReadOptions
    proposals: tuple[Proposal, ...] = ()
    error: str | None = None


def _find_csv(path: Path, options: ReadOptions) -> _Found:
    """Find the table in a CSV file: in another encoding if it is not UTF-8, between titles and totals."""
    try:
        return _found(path, options, *shape_of_csv(path, options), lambda chosen: sample_csv(path, chosen))
    except WrongEncoding as wrong:
        if options.encoding is not None:
            raise
        why = "the file is not UTF-8; this is the usual encoding of Excel and Windows: see whether the letters are right"
        found = _find_csv(path, replace(options, encoding=_LIKELY_ENCODING))
        proposals = (Proposal("--encoding", _LIKELY_ENCODING, why, True), *found.proposals)
        return found._replace(proposals=proposals, error=str(wrong))


def _find_sheet(path: Path, options: ReadOptions) -> _Found:
    try:
        sheet = open_sheet(path, options)
    except SeveralSheets as several:
        if several.likely is None:
            raise
        why = f"of {several.number:,} sheets, it is the only one that looks like a table of events"
        found = _find_sheet(path, replace(options, sheet=several.likely))
        return found._replace(proposals=(Proposal("--sheet", several.likely, why, True), *found.proposals), error=str(several))

    def sample(chosen: ReadOptions) -> Sample:
        return sample_excel(path, sheet.table(chosen.skip, chosen.skip_last), chosen)

    return _found(path, options, sheet.likely_skip(options.skip), 0, sample)


def _find_parquet(path: Path, options: ReadOptions) -> _Found:
    return _Found(sample_parquet(path, options.columns, options.max_bytes), options)


def _found(path: Path, options: ReadOptions, skip: int, skip_last: int, sample: Callable[[ReadOptions], Sample]) -> _Found:
    """Return a table without the rows that seem to be above and below it, whose numbers are proposed."""
    if (skip, skip_last) == (options.skip, 0):
        return _Found(sample(options), options)
    chosen = replace(options, skip=skip, skip_last=options.skip_last + skip_last)
    error: str | None = None
    try:
        given = sample(options)
        _, error = _try(path, given.events, options, given.rows_before)
    except LogError as fault:
        error = str(fault)
    proposals = []
    if skip > options.skip:
        rows = "first row seems" if skip == 1 else f"first {skip:,} rows seem"
        proposals.append(Proposal("--skip", skip, f"the {rows} to be a title above the table", True))
    if skip_last:
        proposals.append(_propose_totals(chosen.skip_last))
    return _Found(sample(chosen), chosen, tuple(proposals), error or "its rows are not all of one table")


def _propose_totals(number: int) -> Proposal:
    rows = "last row seems to be a total or a note" if number == 1 else f"last {number:,} rows seem to be totals or notes"
    return Proposal("--skip-last", number, f"the {rows} below the table", True)


def _look_at_table(path: Path, found: _Found, given: ReadOptions) -> Look:
    """Look at the columns of CSV, Excel or Parquet."""
    sample, chosen, error, names = found.sample, found.options, found.error, given.columns
    events = sample.events
    proposals, remarks = [*found.proposals], _unreadable(sample)
    fault = _fault_of_roles(path, sample, names)
    if fault is not None:
        return _made(path, sample, _facts(events, None, names), _first_rows(events), None, fault, remarks, [], None)
    try:
        columns: Columns | None = find_columns(str(path), events.columns, **names)
    except LogError as caught:
        columns, error = None, error or str(caught)
        plain_facts = [describe_column(events[name], "column", _given(names, name), None) for name in events.columns]
        roles = dict(names)
        proposals += propose_roles(events, plain_facts, roles)
        try:
            columns = find_columns(str(path), events.columns, **roles)
        except LogError as still:
            error = found.error or str(still)
        chosen = replace(chosen, case=roles["case"], activity=roles["activity"])
    reading, fault = (None, error) if error else _try(path, events, given, sample.rows_before)
    if columns is not None:
        events, chosen = _without_totals(sample, events, columns, chosen, proposals)
        roles = {"case": columns.case, "activity": columns.activity, "timestamp": columns.timestamp}
        lacking = {role: events[name].null_count() for role, name in roles.items() if name is not None}
        if given.missing == "error" and any(lacking.values()):
            proposals += propose_missing({role: number for role, number in lacking.items() if number})
            chosen = replace(chosen, missing="skip")
        for proposal in propose_time(events, columns, given, remarks, sample.rows_before):
            proposals.append(proposal)
            if proposal.option == "--timestamp":
                chosen = replace(chosen, timestamp=str(proposal.value))
                columns = columns._replace(timestamp=str(proposal.value))
            elif chosen.timestamp_format is None:  # of two ways to read it, either: the figures are the same
                chosen = replace(chosen, timestamp_format=proposal.value)  # type: ignore[arg-type]
        if chosen.skip_last == given.skip_last and chosen.timestamp != given.timestamp:  # a total may lack only the time
            events, chosen = _without_totals(sample, events, columns, chosen, proposals)
    proposed, _ = _try(path, events, chosen)
    if columns is not None:
        remarks += doubtful_rows(events, columns, sample.rows_before)
    if proposed is not None and columns is not None:
        transition = columns.transition or proposed.paired_by
        proposals += propose_lifecycle(proposed, events[columns.activity], None if transition is None else events[transition])
        second = propose_second_name(events, _facts(events, columns, names), proposed.activity)
        if second is not None:
            proposals.append(Proposal("--name", second, f"it seems to name each {proposed.activity} in words", False))
        remarks += _remarks(reading or proposed, sample)
    facts = _facts(events, columns, names)
    made = _made(path, sample, facts, _first_rows(events), reading, fault, remarks, proposals, proposed)
    return made if proposed is None else replace(made, sampled_cases=frozenset(as_texts(events[proposed.case]).drop_nulls()))


def _without_totals(
    sample: Sample, events: pl.DataFrame, columns: Columns, chosen: ReadOptions, proposals: list[Proposal]
) -> tuple[pl.DataFrame, ReadOptions]:
    """Return the events without the rows at the end that seem to be totals, whose number is proposed."""
    if "skip_last" not in KINDS[sample.kind].options or not sample.is_whole or not (totals := likely_totals(events, columns)):
        return events, chosen
    chosen = replace(chosen, skip_last=chosen.skip_last + sample.rows_after + totals)
    proposals[:] = [*(each for each in proposals if each.option != "--skip-last"), _propose_totals(chosen.skip_last)]
    return events.head(-totals), chosen


def _fault_of_roles(path: Path, sample: Sample, names: dict[str, str | None]) -> str | None:
    """Return why a column that the reader needs cannot be read, None if all of them can."""
    try:
        needed = find_columns(str(path), [*sample.events.columns, *sample.faults], **names)
    except LogError:
        return None
    return next((str(sample.faults[name]) for name in needed[:3] if name is not None and name in sample.faults), None)


def _unreadable(sample: Sample) -> list[str]:
    """Return a remark about columns that cannot be read, with the reason for the first."""
    if not sample.faults:
        return []
    names = ", ".join(repr(shortened(name)) for name in list(sample.faults)[:_NAMED])
    more = f" and {len(sample.faults) - _NAMED:,} more" if len(sample.faults) > _NAMED else ""
    noun = "column" if len(sample.faults) == 1 else "columns"
    return [f"the {noun} {names}{more} cannot be read: {next(iter(sample.faults.values()))}"]


def _first_rows(events: pl.DataFrame) -> tuple[tuple[str | None, ...], ...]:
    first = [as_texts(events[name].head(_SHOWN_ROWS)) for name in events.columns]
    return tuple(zip(*first, strict=True))


def _look_at_xes(path: Path, sample: Sample, options: ReadOptions) -> Look:
    """Look at the attributes of XES, whose names tell what they are."""
    names = options.columns
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
    elif options.missing == "error" and (lacking := events[roles["activity"]].null_count()):
        row = int(events[roles["activity"]].is_null().arg_true()[0]) + 1
        error = f"{path}: event {row:,} has no attribute {roles['activity']!r}, which names the activity."
        proposals += propose_missing({"activity": lacking})
    else:
        unused = None
        if roles["transition"] in events.columns:
            unused = UnusedColumns(events.select(roles["transition"]), may_have_time=False)
        reading = Reading(
            str(path),
            roles["case"],
            roles["activity"],
            timestamp=roles["timestamp"] if roles["timestamp"] in events.columns else None,
            transition=roles["transition"] if roles["transition"] in events.columns else None,
            cases=len(sample.cases) if len(sample.cases.columns) else sample.events[CASE_NUMBER].n_unique(),
            events=len(events),
            **describe(unused, sample.events[CASE_NUMBER], events[roles["activity"]]),
        )
        transitions = events[roles["transition"]] if roles["transition"] in events.columns else None
        proposals += propose_lifecycle(reading, events[roles["activity"]], transitions)
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
        path=str(path),
        kind=sample.kind,
        size=path.stat().st_size,
        looked_at=len(sample.events),
        is_whole=sample.is_whole,
        rows=sample.rows,
        columns=tuple(facts),
        first_rows=rows,
        reading=reading,
        error=None if reading is not None else error,
        remarks=tuple(remarks),
        proposals=tuple(proposals),
        proposed_reading=proposed,
        encoding=sample.encoding,
        separator=sample.separator,
        separator_line=sample.separator_line,
        columns_left_out=sample.columns_left_out,
        sheet=sample.sheet,
    )


def _remarks(reading: Reading, sample: Sample) -> list[str]:
    """Return remarks; figures of a sample are reported as those of the first events."""
    return (reading if sample.is_whole else replace(reading, events=reading.events + 1)).remarks()


def _given(names: dict[str, str | None], name: str) -> str | None:
    return next((role for role, given in names.items() if given == name), None)


def _why(names: dict[str, str | None], role: str) -> str:
    return f"given as --{role}" if names[role] else f"its name is usual for the {role}"


def _facts(events: pl.DataFrame, columns: Columns | None, names: dict[str, str | None]) -> list[ColumnFacts]:
    """Describe each column; the roles are those that would be read, not those that are proposed."""
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


def _try(path: Path, events: pl.DataFrame, options: ReadOptions, rows_before: int = 0) -> tuple[Reading | None, str | None]:
    """Read the sample as the reader would; return how it was understood, or the error."""
    try:
        columns = find_columns(str(path), events.columns, **options.columns)
        unused = unused_columns(events.columns, columns, options, events.select)
        rows = events_from_columns(str(path), events, columns, options, unused=unused, rows_before=rows_before)
        return assemble(rows, options, rows.default_order).reading, None
    except LogError as error:
        return None, str(error)
