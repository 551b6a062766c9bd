"""Read the variants of events wherever they are: frames, files, databases, clusters."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl

from actalike.counting.engines.columns import (
    PERIODS,
    AnyFrame,
    EventColumns,
    Ties,
    Wanted,
    find_event_columns,
    open_frame,
)
from actalike.counting.engines.csv import CsvEvents, CsvOptions
from actalike.counting.engines.errors import engine_errors, engine_of, supervise
from actalike.counting.engines.frames import (
    CaseTraces,
    Coding,
    cases_of_events,
    chosen_columns,
    duckdb_batches,
    numbered_cases,
    polars_batches,
    variants_of_batches,
    variants_of_events,
    variants_of_frame,
)
from actalike.counting.engines.open import (
    EngineLimits,
    OpenedEvents,
    check_counted,
    check_source,
    check_stored,
    csv_files,
    duckdb_events,
    local_name,
    parquet_files,
)
from actalike.counting.engines.sql import cases_of_sql, spark_session, sql_queries, variants_of_sql
from actalike.errors import ActalikeError, LogError, MissingExtraError
from actalike.io import Progress, WantedAttributes, as_log, is_pm4py_log, take_columns
from actalike.log import EventLog, Reading, Uses, Variants

if TYPE_CHECKING:
    from actalike.io import LogLike

_SPARK = (nw.Implementation.PYSPARK, nw.Implementation.PYSPARK_CONNECT)


def read_variants(
    source: "LogLike | Variants | str | Path",
    *,
    case: str | None = None,
    activity: str | None = None,
    order: str | Sequence[str] | None = None,
    timestamp: str | None = None,
    by: str | None = None,
    attributes: WantedAttributes = "people",
    where: str | None = None,
    ties: Ties = "error",
    parts: int = 1,
) -> Variants:
    """Read the variants of a log, and how its labels are used, without its events in memory.

    ``source`` is a DuckDB relation, a Spark frame, a table of Ibis, a frame of Polars (eager or lazy), pandas or pyarrow, the
    path of Parquet or CSV files (one file, a folder of Parquet files, a pattern), or an EventLog. Spark and PostgreSQL find the
    variants where the events are, and only these are fetched. From other engines rows come batch by batch; what does not fit into
    memory is put on disk.

    ``case``, ``activity``, ``timestamp`` name columns, and ``order`` the columns that order the events of a case, the most
    important first. A column that is not given is recognised if it has a usual name. ``attributes`` are the columns whose values
    are counted for each label: by name, or all that name people. ``where`` is a condition in the engine's SQL. ``by`` reads
    strata: a period (``"day"``, ``"week"``, ``"month"``, ``"quarter"``, ``"year"``), that in which the case begins, or a column,
    its value in the case's first event.

    Two events of a case with equal values in ``order`` are an error. ``ties="activity"`` sorts such events by their labels;
    ``ties="row"`` keeps the order of the rows, where these have one. ``parts`` asks Spark or PostgreSQL in so many parts of the
    cases, for less memory each.

    >>> import polars as pl
    >>> events = pl.DataFrame({"case": [1, 1, 2], "activity": ["a", "b", "a"], "at": [1, 2, 1], "user": ["Ann", "Bob", "Ann"]})
    >>> variants = read_variants(events, order="at")
    >>> variants
    Variants(2 cases, 3 events, 2 activities, 2 variants)
    >>> variants.uses.values["user"][0]
    ['Ann', 'Bob']
    """
    if isinstance(source, Variants):
        raise ActalikeError("These are Variants already: use them as they are.")
    if not isinstance(parts, int) or parts < 1:
        raise ActalikeError(f"parts={parts!r} must be an integer >= 1.")
    wanted = Wanted(case, activity, order, ties, timestamp, attributes, by)
    if isinstance(source, str | Path):
        return _variants_of_path(local_name(str(source)), wanted, where, parts)
    if isinstance(source, EventLog) or is_pm4py_log(source):
        given = {"case": case, "activity": activity, "order": order, "timestamp": timestamp, "where": where}
        if said := [name for name, value in given.items() if value is not None]:
            raise ActalikeError(f"{', '.join(said)}: leave this out for an EventLog, which has been read already.")
        return _variants_of_log(as_log(source, "read_variants"), attributes, by)
    return _read(source, f"the {type(source).__name__}", wanted, uses=True, where=where, parts=parts)


def variants_of(
    frame: Any,
    *,
    case: str | None = None,
    activity: str | None = None,
    order: str | Sequence[str] | None = None,
    ties: Ties | None = None,
) -> Variants:
    """Return the variants of a frame, without how labels are used. Rows settle ties where they have an order."""
    wanted = Wanted(case, activity, order, ties)
    return _read(frame, f"the {type(frame).__name__}", wanted)


def read_opened(events: OpenedEvents, source: str, wanted: Wanted, uses: bool = False, **options: Any) -> Variants:
    """Return the variants of events that were opened with an engine; files must have as many rows as they declare."""
    frame = open_frame(events.frame, source)
    columns = find_event_columns(frame, source, wanted, uses)
    stored = check_stored(source, events.files, columns.names)
    found = _read(events.frame, source, wanted, uses=uses, spill=events.spill, **options)
    if events.files and options.get("where") is None:
        check_counted(source, stored, found.n_events)
    return found


def queries_of(frame: Any, source: str, wanted: Wanted, uses: bool = True, where: str | None = None) -> list[str]:
    """Return the queries that an engine is asked for variants."""
    opened, columns, ties = _opened(frame, source, wanted, uses, where)
    engine = nw.Implementation(opened.implementation)
    if engine in _SPARK:
        return sql_queries(spark_session(opened.to_native()), columns, opened.collect_schema(), ties, uses)
    if engine == nw.Implementation.DUCKDB:
        return [str(chosen_columns(opened.to_native(), columns).sql_query())]
    if isinstance(opened, nw.DataFrame) or engine != nw.Implementation.IBIS:
        raise ActalikeError(f"{source} is not in an engine that takes queries.")
    from actalike.counting.engines.ibis import ibis_queries

    return ibis_queries(opened, columns, ties, uses, where)


def read_csv_events(
    source: str,
    paths: Sequence[Path],
    options: CsvOptions,
    uses: bool = False,
    by: str | None = None,
    spill: Path | None = None,
    progress: Progress | None = None,
) -> Variants:
    """Return the variants of CSV files that may be larger than memory."""
    coding = CsvEvents(source, paths, options, uses, by)
    found = variants_of_events(coding.events(progress), coding, "row", spill=spill)
    found.by = by
    found.reading = replace(coding.reading, cases=found.n_cases)
    return found


def read_cases(
    source: "LogLike | str | Path",
    variants: Variants,
    *,
    case: str | None = None,
    activity: str | None = None,
    order: str | Sequence[str] | None = None,
    timestamp: str | None = None,
    where: str | None = None,
    ties: Ties = "error",
    parts: int = 1,
) -> Iterator[pl.DataFrame]:
    """Yield which case follows which of the variants that were read of a log, part by part: ``case`` and ``variant``.

    ``variant`` is a position in ``variants``, from 0. So what was found about a variant gets the ids of its cases, by one more
    query. The other arguments are those of :func:`read_variants`, and must be those by which the variants were read.

    >>> events = pl.DataFrame({"case": [1, 1, 2], "activity": ["a", "b", "a"], "at": [1, 2, 1]})
    >>> variants = read_variants(events, order="at")
    >>> [sorted(part.rows()) for part in read_cases(events, variants, order="at")]
    [[('1', 0), ('2', 1)]]
    """
    wanted = Wanted(case, activity, order, ties, timestamp)
    if isinstance(source, str | Path):
        name = local_name(str(source))
        check_source(name)
        if (files := csv_files(name)) is not None:
            options = CsvOptions(case=case, activity=activity, timestamp=timestamp)
            given = [order] if isinstance(order, str) else order
            yield from csv_cases(name, files, replace(options, order=given), variants)
            return
        with duckdb_events(name, None, EngineLimits()) as events:
            yield from opened_cases(events, name, wanted, variants, where, parts)
    elif isinstance(source, EventLog) or is_pm4py_log(source):
        log = as_log(source, "read_cases")
        ids = pl.Series(log.case_ids, dtype=pl.String)
        yield numbered_cases(CaseTraces(ids, log.codes, log.offsets, log.activities), variants, "the EventLog")
    else:
        yield from opened_cases(OpenedEvents(source), f"the {type(source).__name__}", wanted, variants, where, parts)


def opened_cases(
    events: OpenedEvents, source: str, wanted: Wanted, variants: Variants, where: str | None = None, parts: int = 1
) -> Iterator[pl.DataFrame]:
    """Yield which case follows which variant, of events that were opened with an engine."""
    with engine_errors(source, engine_of(events.frame)):
        opened, columns, ties = _opened(events.frame, source, wanted, False, where)
        yield from _cases(opened, columns, ties, where, parts, events.spill, variants)


def csv_cases(
    source: str, paths: Sequence[Path], options: CsvOptions, variants: Variants, spill: Path | None = None
) -> Iterator[pl.DataFrame]:
    """Yield which case follows which variant, of CSV files that may be larger than memory."""
    coding = CsvEvents(source, paths, options)
    for some in cases_of_events(coding.events(), coding, "row", spill=spill):
        yield numbered_cases(some, variants, source)


def _cases(
    opened: AnyFrame,
    columns: EventColumns,
    ties: Ties,
    where: str | None,
    parts: int,
    spill: Path | None,
    variants: Variants,
) -> Iterator[pl.DataFrame]:
    engine = nw.Implementation(opened.implementation)
    if engine in _SPARK:
        return cases_of_sql(spark_session(opened.to_native()), columns, opened.collect_schema(), ties, variants, parts)
    if engine == nw.Implementation.IBIS and isinstance(opened, nw.LazyFrame):
        from actalike.counting.engines.ibis import cases_of_ibis

        return cases_of_ibis(opened, columns, ties, variants, parts, where)
    if engine == nw.Implementation.DUCKDB:
        batches = duckdb_batches(chosen_columns(opened.to_native(), columns))
    elif isinstance(opened, nw.LazyFrame):
        batches = polars_batches(opened.select(columns.names).to_native(), columns.source)
    else:
        batches = iter([take_columns(opened, columns.names)])
    coding = Coding(columns, False)
    found = cases_of_events(coding.events(batches), coding, ties, spill=spill, has_rows=engine != nw.Implementation.DUCKDB)
    return (numbered_cases(some, variants, columns.source) for some in found)


def _opened(frame: Any, source: str, wanted: Wanted, uses: bool, where: str | None) -> tuple[AnyFrame, EventColumns, Ties]:
    """Open a frame; return it, the columns that are read, and what becomes of ties."""
    is_ibis = engine_of(frame) == "Ibis"
    opened = open_frame(frame if is_ibis else _filtered(frame, where), source)
    is_here = isinstance(opened, nw.DataFrame) or opened.implementation == nw.Implementation.POLARS
    columns = find_event_columns(opened, source, wanted, uses)
    ties = wanted.ties or ("row" if is_here else "error")
    if ties == "row" and not is_here:
        raise ActalikeError(
            f"The rows of {source} have no order, so ties='row' cannot be used: name an event index in order=[...], or sort "
            "events of the same time by their labels with ties='activity'."
        )
    return opened, columns, ties


def _read(
    frame: Any,
    source: str,
    wanted: Wanted,
    *,
    uses: bool = False,
    where: str | None = None,
    parts: int = 1,
    spill: Path | None = None,
) -> Variants:
    with engine_errors(source, engine_of(frame)):
        opened, columns, ties = _opened(frame, source, wanted, uses, where)
        found = supervise(frame, lambda: _variants(opened, columns, ties, uses, where, parts, spill))
    found.by = wanted.by
    times = [*columns.order, *([] if columns.time is None else [columns.time])]
    schema = opened.collect_schema()
    time = next((name for name in times if schema[name].is_temporal()), None)
    order = (*columns.order, columns.activity) if ties == "activity" else columns.order
    found.reading = Reading(
        source, columns.case, columns.activity, timestamp=time, order=order, cases=found.n_cases, events=found.n_events,
        attributes=columns.attributes,
    )  # fmt: skip
    return found


def _variants(
    opened: AnyFrame, columns: EventColumns, ties: Ties, uses: bool, where: str | None, parts: int, spill: Path | None
) -> Variants:
    engine = nw.Implementation(opened.implementation)
    if isinstance(opened, nw.DataFrame) or engine == nw.Implementation.POLARS:
        return variants_of_frame(opened, columns, ties, uses)
    if engine in _SPARK:
        return variants_of_sql(spark_session(opened.to_native()), columns, opened.collect_schema(), ties, uses, parts)
    if engine == nw.Implementation.DUCKDB:
        batches = duckdb_batches(chosen_columns(opened.to_native(), columns))
        return variants_of_batches(batches, columns, ties, uses, spill=spill, has_rows=False)
    if engine == nw.Implementation.IBIS:
        from actalike.counting.engines.ibis import variants_of_ibis

        return variants_of_ibis(opened, columns, ties, uses, parts, where)
    raise ActalikeError(f"{engine.value} is not supported: give a frame of Polars, pandas, pyarrow, DuckDB, Spark or Ibis.")


def _filtered(frame: Any, where: str | None) -> Any:
    """Return the rows of a frame for which a condition in SQL is true."""
    if where is None:
        return frame
    engine = engine_of(frame)
    if engine in ("DuckDB", "Spark"):
        return frame.filter(where)
    if engine == "Polars":
        return frame.filter(pl.sql_expr(where))
    eager = nw.from_native(frame, eager_only=True)
    return take_columns(eager, eager.columns).filter(pl.sql_expr(where))


def _variants_of_path(source: str, wanted: Wanted, where: str | None, parts: int) -> Variants:
    check_source(source)
    files = csv_files(source)
    if files is not None:
        if where is not None:
            raise LogError(f"{source}: where is for Parquet and databases: columns of CSV files have no types.")
        options = CsvOptions(case=wanted.case, activity=wanted.activity, timestamp=wanted.timestamp)
        order = [wanted.order] if isinstance(wanted.order, str) else wanted.order
        return read_csv_events(source, files, replace(options, order=order, attributes=wanted.attributes), True, wanted.by)
    try:
        with duckdb_events(source, None, EngineLimits()) as events:
            return read_opened(events, source, wanted, True, where=where, parts=parts)
    except MissingExtraError:
        paths = parquet_files(source)
        events = OpenedEvents(pl.scan_parquet(paths), tuple(paths))
        return read_opened(events, source, wanted, True, where=where)


def _variants_of_log(log: EventLog, attributes: WantedAttributes, by: str | None) -> Variants:
    """Return the variants of a log, with the uses of these attributes, in the strata of a period or an attribute."""
    names = list(log.people()) if attributes == "people" else list(attributes or ())
    for name in [*names, *([] if by is None or by in PERIODS else [by])]:
        if name not in log.attributes:
            raise LogError(f"The log has no attribute {name!r}: read it with attributes=[{name!r}].")
    if by is None:
        found, tables = log.variants, log.variants.uses
        assert tables is not None  # those of a log are known
        uses = Uses(tables.days, tables.instants, {name: tables.values[name] for name in names})
        return Variants(found.activities, found.codes, found.offsets, found.weights, uses, reading=log.reading)
    period = next((period for period in PERIODS if period == by), None)
    if period is not None and log.timestamps is None:
        raise LogError(f"The log has no timestamps, so its cases have no {period}.")
    case, activity, order, time = (f"\0{role}" for role in ("case", "activity", "order", "time"))  # no attribute is called so
    columns: dict[str, Any] = {
        case: np.repeat(np.arange(log.n_cases), log.lengths),
        activity: pl.Series(log.activities).gather(log.codes),
        order: np.arange(log.n_events),
        **{name: pl.Series(log.attributes[name].texts(), dtype=pl.String) for name in {*names, *([] if period else [by])}},
    }
    if log.timestamps is not None:
        columns[time] = pl.Series(log.timestamps)
    chosen = EventColumns(
        "the EventLog", case, activity, (order,), time if time in columns else None, tuple(names), None if period else by, period
    )
    divided = variants_of_batches([pl.DataFrame(columns)], chosen, "row", True, at_once=None)
    divided.by = by
    return divided
