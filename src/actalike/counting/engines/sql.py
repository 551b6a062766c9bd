"""Find variants on a Spark cluster and in PostgreSQL: a few queries run where the events are, and return a row per variant.

The events of a case are listed in order and the lists are grouped; which labels are used when, by whom and at one instant are
three more groupings. Both engines are queried in SQL, in their dialects (:class:`Dialect`). Activities become integers
before the events are sorted by case: sorting moves every event, and a number is smaller than a label.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting.engines.columns import EventColumns, Ties, check_nothing_missing, reject_ties
from actalike.counting.engines.frames import CaseTraces, named_variants, numbered_cases, period_texts
from actalike.errors import LogError
from actalike.io import attribute_column
from actalike.log import Uses, UseTable, Variants, joined, merged, pairs_at_instants

_DAY = 86_400_000_000  # in microseconds


class Dialect(NamedTuple):
    """Hold the expressions of an engine's SQL. ``{0}`` stands for an expression."""

    quote: Callable[[str], str]  # a name
    text: Callable[[str, Any], str]  # an expression, of a type of narwhals, as text that is compared byte by byte
    number: Callable[[str, Any], str]  # a value that orders events, NULL for NaN
    listed: str  # the codes of a group, in the order of ``{order}``
    sorted_codes: str  # the codes of a group, the lowest first
    distinct: str  # the number of different values of ``{order}`` in a group
    part: str  # the part, of ``{parts}``, that a case is in
    microseconds: Callable[[str, Any], str]  # a time, of a type of narwhals, as microseconds since 1970 in UTC


class Session(NamedTuple):
    """Hold a connection: ``events`` is the table in queries, ``labels`` makes a table of labels and codes."""

    dialect: Dialect
    events: str
    ask: Callable[[str], pl.DataFrame]
    labels: Callable[[list[str]], str]


class _Sql:
    """Write the queries for some columns."""

    def __init__(self, session: Session, columns: EventColumns, schema: Any, ties: Ties) -> None:
        self.session, self.columns, self.schema = session, columns, schema
        self.dialect = session.dialect
        self.keys = [f"order{place}" for place in range(len(columns.order))]
        self.order = [*self.keys, *(["code"] if ties == "activity" else [])]

    def name(self, column: str) -> str:
        return f"events.{self.dialect.quote(column)}"

    def case(self) -> str:
        """Return the case: integers as they are, anything else as text."""
        name, kind = self.name(self.columns.case), self.schema[self.columns.case]
        return name if kind.is_integer() else self.dialect.text(name, kind)

    def value(self, column: str) -> str:
        """Return a column that orders events; some engines sort NaN after all numbers, here it is missing."""
        return self.dialect.number(self.name(column), self.schema[column])

    def activities(self) -> str:
        """Return the first query: how often each activity occurs, and how many values are missing."""
        columns = self.columns
        checks = [f"SUM(CASE WHEN {self.name(columns.case)} IS NULL THEN 1 ELSE 0 END) AS n_case"]
        for key, column in zip(self.keys, columns.order, strict=True):
            value = self.value(column)
            checks.append(f"SUM(CASE WHEN {value} IS NULL THEN 1 ELSE 0 END) AS n_{key}")
        label = self.dialect.text(self.name(columns.activity), self.schema[columns.activity])
        return f"SELECT {label} AS label, COUNT(*) AS events, {', '.join(checks)} FROM {self.session.events} AS events GROUP BY 1"

    def coded(self, labels: str, uses: bool, part: int, parts: int) -> str:
        """Return the events with codes for activities, and all other columns that are needed."""
        columns, dialect = self.columns, self.dialect
        chosen = [f"{self.case()} AS case_id", "labels.code AS code"]
        chosen += [f"{self.value(column)} AS {key}" for key, column in zip(self.keys, columns.order, strict=True)]
        if columns.time is not None:
            chosen.append(f"{dialect.microseconds(self.name(columns.time), self.schema[columns.time])} AS moment")
        if uses:
            chosen += [f"{self.name(name)} AS value{place}" for place, name in enumerate(columns.attributes)]
        if columns.by is not None:
            chosen.append(f"{self.name(columns.by)} AS by_value")
        where = ""
        if parts > 1:
            where = f" WHERE {dialect.part.format(self.case(), parts=parts)} = {part}"
        label = dialect.text(self.name(columns.activity), self.schema[columns.activity])
        coded = f"SELECT {', '.join(chosen)} FROM {self.session.events} AS events JOIN {labels} ON {label} = labels.label{where}"
        if columns.period is not None:
            days = f"FLOOR(MIN(moment) OVER (PARTITION BY case_id) / {_DAY}.0)"
            coded = f"SELECT *, {days} AS stratum FROM ({coded}) AS plain"
        elif columns.by is not None:
            first = f"FIRST_VALUE(by_value) OVER (PARTITION BY case_id ORDER BY {', '.join(self.order)})"
            coded = f"SELECT *, {first} AS stratum FROM ({coded}) AS plain"
        return coded

    @property
    def stratum(self) -> str:
        return ", stratum" if self.columns.by is not None or self.columns.period is not None else ""

    def cases(self, coded: str) -> str:
        keys = ", ".join(self.keys)
        codes = self.dialect.listed.format(order=", ".join(self.order), columns=", ".join([*self.keys, "code"]))
        tied = f"COUNT(*) - {self.dialect.distinct.format(order=keys)}"
        return (
            f"SELECT case_id, {codes} AS codes, {tied} AS tied{self.stratum} FROM ({coded}) AS coded "
            f"GROUP BY case_id{self.stratum}"
        )

    def variants(self, coded: str) -> str:
        return (
            f"SELECT codes, COUNT(*) AS weight, SUM(tied) AS tied, MIN(CASE WHEN tied > 0 THEN case_id END) AS tied_case"
            f"{self.stratum} FROM ({self.cases(coded)}) AS cases GROUP BY codes{self.stratum}"
        )

    def days(self, coded: str) -> str:
        first = (
            f"SELECT code, FLOOR(MIN(moment) / {_DAY}.0) AS day{self.stratum} FROM ({coded}) AS coded WHERE moment IS NOT NULL "
            f"GROUP BY case_id, code{self.stratum}"
        )
        return f"SELECT code, day, COUNT(*) AS cases{self.stratum} FROM ({first}) AS first GROUP BY code, day{self.stratum}"

    def instants(self, coded: str) -> str:
        lists = (
            f"SELECT {self.dialect.sorted_codes} AS codes{self.stratum} FROM ({coded}) AS coded WHERE moment IS NOT NULL "
            f"GROUP BY case_id, moment{self.stratum}"
        )
        return f"SELECT codes, COUNT(*) AS weight{self.stratum} FROM ({lists}) AS lists GROUP BY codes{self.stratum}"

    def values(self, coded: str, place: int) -> str:
        value = f"value{place}"
        return (
            f"SELECT code, {value} AS value, COUNT(*) AS events{self.stratum} FROM ({coded}) AS coded WHERE {value} IS NOT NULL "
            f"GROUP BY code, {value}{self.stratum}"
        )


def sql_queries(session: Session, columns: EventColumns, schema: Any, ties: Ties, uses: bool) -> list[str]:
    """Return the queries that :func:`variants_of_sql` asks; ``labels`` stands for the table of labels and codes."""
    sql = _Sql(session, columns, schema, ties)
    coded = sql.coded("labels", uses, 0, 1)
    queries = [sql.activities(), sql.variants(coded)]
    if uses and columns.time is not None:
        queries += [sql.days(coded), sql.instants(coded)]
    return queries + [sql.values(coded, place) for place in range(len(columns.attributes)) if uses]


def variants_of_sql(
    session: Session, columns: EventColumns, schema: Any, ties: Ties, uses: bool = False, parts: int = 1
) -> Variants:
    """Return the variants of a table of an engine. In several parts, a query is asked for each part of the cases."""
    sql = _Sql(session, columns, schema, ties)
    activities = session.ask(sql.activities())
    events = _checked(activities, columns, sql.keys)
    labels = sorted(events)
    table = session.labels(labels)
    strata = _Strata(columns)
    found: list[Variants] = []
    tied, tied_case = 0, None
    for part in range(parts):
        coded = sql.coded(table, uses, part, parts)
        answer = session.ask(sql.variants(coded))
        if ties == "error" and (here := int(answer["tied"].sum())):
            tied, tied_case = tied + here, tied_case if tied else answer["tied_case"].min()
            continue
        if not tied and len(answer):
            tables = _tables(session, sql, coded, columns, strata) if uses else None
            codes, offsets = _arrays(answer["codes"])
            weights = answer["weight"].cast(pl.Int64).to_numpy()
            found.append(merged(Variants([], codes, offsets, weights, tables, strata.names, strata.of(answer))))
    if tied:
        reject_ties(columns, tied_case, tied, has_rows=False)
    total = joined(found) if found else Variants([], np.zeros(0, np.int32), np.zeros(1, np.int64), np.zeros(0, np.int64))
    named = named_variants(total, labels, list(strata.known))
    if named.activity_counts.tolist() != [events[label] for label in labels]:
        raise LogError(f"{columns.source} changed while it was counted: the numbers of events differ. Count a copy.")
    return named


def cases_of_sql(
    session: Session, columns: EventColumns, schema: Any, ties: Ties, variants: Variants, parts: int = 1
) -> Iterator[pl.DataFrame]:
    """Yield which case of a table of an engine follows which variant, part by part."""
    sql = _Sql(session, columns, schema, ties)
    labels = sorted(_checked(session.ask(sql.activities()), columns, sql.keys))
    table = session.labels(labels)
    for part in range(parts):
        answer = session.ask(sql.cases(sql.coded(table, False, part, parts)))
        if ties == "error" and (tied := int(answer["tied"].sum())):
            reject_ties(columns, answer.filter(pl.col("tied") > 0)["case_id"].min(), tied, has_rows=False)
        codes, offsets = _arrays(answer["codes"])
        yield numbered_cases(CaseTraces(answer["case_id"].cast(pl.String), codes, offsets, labels), variants, columns.source)


def _code_type(labels: list[str]) -> type[pl.Int16 | pl.Int32]:
    return pl.Int16 if len(labels) < 2**15 else pl.Int32


def _checked(activities: pl.DataFrame, columns: EventColumns, keys: list[str]) -> dict[str, int]:
    """Return how often each label occurs; missing values are an error."""
    if not len(activities):
        raise LogError(f"{columns.source} is empty: it has no rows.")
    unnamed = int(activities.filter(pl.col("label").is_null())["events"].sum())
    check_nothing_missing(
        columns, [int(activities["n_case"].sum()), unnamed, *(int(activities[f"n_{key}"].sum()) for key in keys)]
    )
    return dict(zip(activities["label"].to_list(), activities["events"].cast(pl.Int64).to_list(), strict=True))


class _Strata:
    """Number the strata of the answers of an engine."""

    def __init__(self, columns: EventColumns) -> None:
        self.columns = columns
        self.known: dict[str, int] = {}
        self.has_any = columns.by is not None or columns.period is not None

    @property
    def names(self) -> list[str]:
        return [""] if self.has_any else []

    def of(self, answer: pl.DataFrame) -> NDArray[np.int32] | None:
        """Return the stratum of each row."""
        if not self.has_any:
            return None
        given = answer["stratum"]
        if self.columns.period is not None:
            days = given.cast(pl.Float64).fill_null(np.nan).to_numpy()
            moments = np.where(np.isnan(days), np.iinfo(np.int64).min, np.nan_to_num(days) * _DAY).astype(np.int64)
            texts = period_texts(moments.view("datetime64[us]"), self.columns.period)
        else:
            texts = attribute_column(given, self.columns.source).cast(pl.String).fill_null("").to_list()
        return np.array([self.known.setdefault(text, len(self.known)) for text in texts], dtype=np.int32)


def _tables(session: Session, sql: _Sql, coded: str, columns: EventColumns, strata: _Strata) -> Uses:
    days = instants = None
    if columns.time is not None:
        answer = session.ask(sql.days(coded))
        days = UseTable.summed([_numbers(strata, answer), _ints(answer["code"]), _ints(answer["day"])], [_ints(answer["cases"])])
        answer = session.ask(sql.instants(coded))
        codes, offsets = _arrays(answer["codes"])
        instants = pairs_at_instants(codes, offsets, _ints(answer["weight"]), _numbers(strata, answer).astype(np.int32))
    values = {}
    for place, name in enumerate(columns.attributes):
        answer = session.ask(sql.values(coded, place))
        texts = attribute_column(answer["value"].alias(name), columns.source).cast(pl.String)
        answer = answer.with_columns(value=texts).drop_nulls("value")
        known = sorted(set(answer["value"].to_list()))
        places = {text: i for i, text in enumerate(known)}
        numbers = np.array([places[text] for text in answer["value"].to_list()], dtype=np.int64)
        values[name] = (
            known,
            UseTable.summed([_numbers(strata, answer), _ints(answer["code"]), numbers], [_ints(answer["events"])]),
        )
    return Uses(days, instants, values)


def _numbers(strata: _Strata, answer: pl.DataFrame) -> NDArray[np.int64]:
    stratum = strata.of(answer)
    return np.zeros(len(answer), dtype=np.int64) if stratum is None else stratum.astype(np.int64)


def _ints(column: pl.Series) -> NDArray[np.int64]:
    return column.cast(pl.Int64).to_numpy()


def _arrays(lists: pl.Series) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return lists of codes as one array, and the offsets of the lists."""
    lengths = lists.list.len().cast(pl.Int64).to_numpy()
    codes = lists.explode().cast(pl.Int32).to_numpy() if len(lists) else np.zeros(0, dtype=np.int32)
    return codes, np.append(0, np.cumsum(lengths))


def _spark_microseconds(name: str, kind: Any) -> str:
    if kind == nw.Date:
        return f"CAST(DATEDIFF({name}, DATE'1970-01-01') AS BIGINT) * {_DAY}"
    if kind.time_zone is None:
        return f"TIMESTAMPDIFF(MICROSECOND, TIMESTAMP_NTZ'1970-01-01 00:00:00', {name})"
    return f"UNIX_MICROS({name})"


SPARK = Dialect(
    quote=lambda name: "`" + name.replace("`", "``").replace("{", "{{").replace("}", "}}") + "`",
    text=lambda name, _: f"CAST({name} AS STRING)",
    number=lambda name, kind: f"NULLIF({name}, DOUBLE('NaN'))" if kind.is_float() else name,
    listed="TRANSFORM(ARRAY_SORT(COLLECT_LIST(STRUCT({columns}))), event -> event.code)",  # COLLECT_LIST alone has no order
    sorted_codes="ARRAY_SORT(COLLECT_LIST(code))",
    distinct="SIZE(COLLECT_SET(STRUCT({order})))",
    part="PMOD(XXHASH64({0}), {parts})",
    microseconds=_spark_microseconds,
)


def spark_session(frame: Any) -> Session:
    """Return how Spark, classic or Connect, is asked about a frame."""
    session = frame.sparkSession
    tables: dict[str, Any] = {"events": frame}

    def ask(query: str) -> pl.DataFrame:
        return nw.from_native(session.sql(query, **tables)).collect("polars").to_native()

    def labels(texts: list[str]) -> str:
        """Make a table of Arrow, because rows of Python would need a Python of the same version on every executor."""
        schema = {"label": pl.String, "code": _code_type(texts)}
        table = pl.DataFrame({"label": texts, "code": np.arange(len(texts))}, schema=schema)
        tables["labels"] = session.createDataFrame(table.to_arrow()).hint("broadcast")
        return "{labels} AS labels"

    return Session(SPARK, "{events}", ask, labels)
