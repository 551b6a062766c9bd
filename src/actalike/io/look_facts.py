"""Describe the columns of a sample, and propose options where something is doubtful. None is applied automatically."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from actalike.errors import shortened
from actalike.io.columns import Columns, holds_times_of_day, is_usual, looks_like_time
from actalike.io.frame import NO_ACTIVITY, ReadOptions
from actalike.io.table_shape import SHAPED_LAST
from actalike.io.timestamps import ISO, check_layouts, layout_groups, parse_series, rows_by_layout
from actalike.log import Reading, names_people

_EXAMPLES = 3
_LOOKED_AT = 200  # values, to see of which type they are
_WHOLE = re.compile(r"[+-]?\d{1,18}")
_NUMBER = re.compile(r"[+-]?\d+(?:[.,]\d+)?(?:[eE][+-]?\d+)?")
_TRUTH = {"true", "false", "yes", "no", "ja", "nein", "nee"}
_LEFT_OUT = "Only if the rows are in the right order already, --timestamp '' leaves the times out."
_MOST_LABELS = 2000  # values of a column that may be the activity
_FILLED = 0.9  # share of rows with a value, at least, in the column of the case or the activity
_ONE_NAME = 1.1  # second names for each label, at most


@dataclass(frozen=True)
class ColumnFacts:
    """Describe a column, or an attribute of XES, in the sample, and its role.

    ``filled`` is the share of rows with a value, ``values`` the number of different ones. ``role`` is None if it has none.
    """

    name: str
    scope: str  # "column", or of XES "case" or "event"
    type: str
    filled: float
    values: int
    examples: tuple[str, ...]
    role: str | None = None
    why: str | None = None


class Proposal(NamedTuple):
    """Propose an option of the command line, such as ``--case``, with the reason.

    ``needed``: without it, the file cannot be read or its order is lost. The others are optional, or rivals of which the user
    must choose one: layouts of dates, and what becomes of events without an activity (``--missing``).
    """

    option: str
    value: str | int | tuple[str, ...]  # several: the option is repeated
    why: str
    needed: bool


@dataclass(frozen=True)
class ObjectTypeFacts:
    """Hold the figures of a type of objects.

    ``with_events`` of its ``objects`` are involved in an event: these would be the cases. ``events`` involve at least one of
    them, ``relations`` counts each event once for each of its objects: these would be the events of the log.

    >>> ObjectTypeFacts("order", objects=3, with_events=2, events=5, relations=6).events_per_object
    3.0
    """

    name: str
    objects: int
    with_events: int
    events: int
    relations: int

    @property
    def events_per_object(self) -> float:
        """Return the mean number of events of an object that has any."""
        return self.relations / self.with_events if self.with_events else 0.0


@dataclass(frozen=True)
class Look:
    """Hold what the beginning of a file shows. Nothing is said of what comes after the rows that were looked at.

    ``reading`` is what would be read as it is, None if that fails; ``error`` says why. ``proposed_reading`` is what would be read
    with the options that are proposed.
    """

    path: str
    kind: str
    size: int
    looked_at: int
    is_whole: bool
    rows: int | None
    columns: tuple[ColumnFacts, ...]
    first_rows: tuple[tuple[str | None, ...], ...]
    reading: Reading | None
    error: str | None
    remarks: tuple[str, ...]
    proposals: tuple[Proposal, ...]
    proposed_reading: Reading | None
    encoding: str | None = None
    separator: str | None = None
    separator_line: bool = False  # Excel's first line, sep=;
    columns_left_out: int = 0
    sampled_cases: frozenset[str] = frozenset()  # the ids of the cases that were looked at
    object_types: tuple[ObjectTypeFacts, ...] = ()  # of an object-centric log
    sheet: str | None = None  # of an Excel file

    def options(self) -> dict[str, str | int | tuple[str, ...]]:
        """Return the proposed options that are needed to read the file, without those of which the user must choose one."""
        return {proposal.option: proposal.value for proposal in self.proposals if proposal.needed}

    def as_dict(self) -> dict[str, Any]:
        """Return the same facts for JSON."""
        facts = asdict(self)
        del facts["sampled_cases"]  # for comparing files, and too many to print
        for name in ("reading", "proposed_reading"):
            reading: Reading | None = getattr(self, name)
            facts[name] = None if reading is None else reading.as_dict()
        facts["proposals"] = [proposal._asdict() for proposal in self.proposals]
        return facts


def propose_roles(events: pl.DataFrame, facts: list[ColumnFacts], chosen: dict[str, str | None]) -> list[Proposal]:
    """Propose the case and the activity by what their columns hold, and put them into ``chosen``."""
    proposals = []
    events = _without_sparse_end(events)
    facts = [replace(each, filled=_filled(events[each.name])) for each in facts]
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
    events: pl.DataFrame, columns: Columns, options: ReadOptions, remarks: list[str], rows_before: int = 0
) -> list[Proposal]:
    """Propose the column and the layouts of the timestamps; what can be read in several ways is a remark, and not needed."""
    proposals = []
    column = columns.timestamp
    is_time_of_day = column is not None and holds_times_of_day(events[column])
    if (column is None or is_time_of_day) and options.timestamp is None:
        others = [name for name in events.columns if name and name not in columns and looks_like_time(events[name])]
        if others:
            why = "it has the day" if is_time_of_day else "its values look like time"
            column = others[0]
            proposals.append(Proposal("--timestamp", column, f"{why}, which orders the events", True))
    if column is None or options.timestamp_format is not None:
        return proposals
    times = events[column].cast(pl.String) if events[column].dtype.is_integer() else events[column]
    if is_time_of_day and not proposals:
        remarks.append(
            f"The column {column!r} holds times of day without a day, so they do not order the events: name a column with the "
            f"day (--timestamp), or put both into one. {_LEFT_OUT}"
        )
        return []
    layouts: list[str] = []
    if times.dtype == pl.String and (events[column].dtype.is_integer() or parse_series(times)[1] is not None):
        layouts = _propose_layouts(times, proposals, remarks, rows_before)
    elif not (isinstance(times.dtype, pl.Datetime) or times.dtype in (pl.Date, pl.Null, pl.String)):
        remarks.append(f"The column {column!r} is of type {times.dtype}, which is not a timestamp. {_LEFT_OUT}")
    remarks += _times_of_day(events, column, layouts)
    return proposals


def _propose_layouts(times: pl.Series, proposals: list[Proposal], remarks: list[str], rows_before: int) -> list[str]:
    """Propose the layouts in which the times of a column are written, and return all of them."""
    groups = layout_groups(times)
    dated = [group for group in groups if group.layouts]
    if not dated:
        example = shortened(groups[0].example)
        remarks.append(f"No layout reads the times in {times.name!r}, such as {example!r}: name another column. {_LEFT_OUT}")
        return []
    if len(groups) > len(dated):
        rest = groups[-1]
        values = "1 value is not a timestamp" if rest.rows == 1 else f"{rest.rows:,} values are not timestamps"
        first = f"({shortened(rest.example)!r}, row {rows_before + int((times == rest.example).arg_true()[0]) + 1:,})"
        remarks.append(f"In {times.name!r}, {values} {first}: correct {'it' if rest.rows == 1 else 'them'}.")
    choices = [each[0] if len(each) == 1 else each for each in product(*(group.layouts for group in dated))]
    why = f"so the times in {times.name} are written" if len(dated) == 1 else rows_by_layout(dated)
    if choices == [ISO]:
        return [ISO]
    if len(choices) == 1:
        proposals.append(Proposal("--timestamp-format", choices[0], why, True))
        unclear = parse_series(times, check_layouts(choices[0]))[1]
        if unclear is not None and len(groups) == len(dated):
            text = shortened(str(times[unclear]))
            which = " and ".join(choices[0])
            remarks.append(f"In {times.name!r}, {text!r} is a different time in each of {which}: write it unambiguously.")
    else:
        remarks.append(
            f"The times in {times.name!r} can be read in {len(choices)} ways, and nothing in these rows settles which."
        )
        proposals += [Proposal("--timestamp-format", each, "either this one or the other", False) for each in choices]
    return [layout for group in dated for layout in group.layouts]


def _times_of_day(events: pl.DataFrame, column: str, layouts: Sequence[str]) -> list[str]:
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


def propose_lifecycle(reading: Reading, activities: pl.Series, transitions: pl.Series | None) -> list[Proposal]:
    """Propose to keep one event of a start and a complete, if most events come in such pairs; or to append the transition.

    It is worth appending if there are more transitions than activities: then it says what was done.
    """
    if reading.lifecycle != "ignore":
        return []
    if reading.paired < 0.5:
        kinds, labels = (0 if transitions is None else transitions.n_unique()), activities.n_unique()
        if transitions is None or transitions.null_count() or kinds <= max(labels, 2):
            return []
        more = f"there are more transitions ({kinds:,}) than activities ({labels:,})"
        why = f"{more}, so the transitions say more about what was done"
        return [Proposal("--lifecycle", "append", why, False)]
    proposals = []
    if reading.paired_by != reading.transition:
        proposals.append(Proposal("--transition", str(reading.paired_by), "it holds start and complete", False))
    why = f"it keeps one event of each start/complete pair ({100 * reading.paired:.0f} % of these events belong to one)"
    return [*proposals, Proposal("--lifecycle", "complete", why, False)]


def propose_missing(lacking: Mapping[str, int]) -> list[Proposal]:
    """Propose to leave out events that lack something, or to name those that only lack an activity; ``lacking`` counts them."""
    rows = ", ".join(f"{number:,} without {'an' if role == 'activity' else 'a'} {role}" for role, number in lacking.items())
    skip = Proposal("--missing", "skip", f"it leaves out the events that lack something ({rows}), and says so", True)
    if set(lacking) != {"activity"}:
        return [skip]
    return [skip._replace(needed=False), Proposal("--missing", "label", f"or it calls their activity {NO_ACTIVITY!r}", False)]


def doubtful_rows(events: pl.DataFrame, columns: Columns, rows_before: int = 0) -> list[str]:
    """Return remarks on rows that repeat the header, or another row exactly; without times, a row may well be there twice.

    ``rows_before`` come before the first event in what the user sees: those of a sheet above its table.
    """
    remarks = []
    header = (as_texts(events[columns.case]) == columns.case) & (as_texts(events[columns.activity]) == columns.activity)
    if (again := header.arg_true()).len():
        remarks.append(f"Row {rows_before + again[0] + 1:,} repeats the names of the columns: remove it.")
    if columns.timestamp is None or any(kind.is_nested() or kind == pl.Object for kind in events.dtypes):
        return remarks
    twice = events.select(repeated=pl.struct(pl.all()).is_duplicated() & ~pl.struct(pl.all()).is_first_distinct())["repeated"]
    if number := int(twice.sum()):
        rows = "row repeats another one" if number == 1 else "rows repeat others"
        first = rows_before + int(twice.arg_true()[0]) + 1
        remarks.append(f"{number:,} {rows} exactly, in all columns (the first is row {first:,}): are these events, or copies?")
    return remarks


def describe_column(column: pl.Series, scope: str, role: str | None, why: str | None) -> ColumnFacts:
    """Return what the values of a column are like."""
    texts = as_texts(column).drop_nulls()
    first = texts.head(_LOOKED_AT).unique(maintain_order=True)
    examples = tuple(shortened(text, 40) for text in first.head(_EXAMPLES).to_list())
    return ColumnFacts(column.name, scope, _type(column, first), _filled(column), texts.n_unique(), examples, role, why)


def _filled(column: pl.Series) -> float:
    return 1 - column.null_count() / max(len(column), 1)


def as_texts(column: pl.Series) -> pl.Series:
    """Return a column as strings; other values are shown as Polars shows them."""
    if column.dtype == pl.String:
        return column
    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Object):
        return pl.Series(column.name, [None if value is None else str(value) for value in column.to_list()], dtype=pl.String)
    return column.cast(pl.String, strict=False)


def _type(column: pl.Series, texts: pl.Series) -> str:
    """Return the type of a column in a word, by its own type or by the strings in it."""
    kind = column.dtype
    if not len(texts):
        return "empty"
    if looks_like_time(column):
        return "time"
    if kind != pl.String:
        return "whole number" if kind.is_integer() else "number" if kind.is_numeric() else str(kind).lower()
    values = texts.to_list()
    for name, pattern in (("whole number", _WHOLE), ("number", _NUMBER)):
        if all(pattern.fullmatch(value) for value in values):
            return name
    return "truth value" if {value.lower() for value in values} <= _TRUTH else "text"


def _without_sparse_end(events: pl.DataFrame) -> pl.DataFrame:
    """Return rows without the last ones that have few cells, which are totals and notes."""
    cells = events.select(pl.sum_horizontal(pl.all().is_not_null())).to_series()
    dense = (cells.tail(SHAPED_LAST) > events.width / 2).arg_true()
    return events.head(max(len(events) - SHAPED_LAST, 0) + int(dense[-1]) + 1) if len(dense) else events


def propose_case(events: pl.DataFrame, facts: list[ColumnFacts]) -> str | None:
    """Return the column that is most likely the case: its values repeat; of several, a full one, then the most values."""
    rows = len(events)
    fit = [
        c
        for c in facts
        if c.filled >= _FILLED and c.type in ("text", "whole number") and 1 < c.values <= 0.7 * rows and not c.role
    ]
    return max(fit, key=lambda c: (c.filled == 1, c.values)).name if fit else None


def propose_activity(events: pl.DataFrame, facts: list[ColumnFacts], case: str) -> str | None:
    """Return the column that is most likely the activity: few values, which change within a case. Texts come before numbers."""
    rows = len(events)
    fit = [
        c
        for c in facts
        if c.filled >= _FILLED and c.type in ("text", "whole number") and c.name != case and not c.role
        and 1 < c.values <= min(_MOST_LABELS, max(rows // 2, 2))
    ]  # fmt: skip
    changes = {c.name: _changes_in_cases(events, c.name, case) for c in fit}
    fit = [c for c in fit if changes[c.name] > 0]
    return max(fit, key=lambda c: (c.type == "text", not names_people(c.name), changes[c.name])).name if fit else None


def _changes_in_cases(events: pl.DataFrame, name: str, case: str) -> float:
    """Return how many different values a column has in a case, on average."""
    distinct = events.select(case, name).drop_nulls().group_by(case).agg(pl.col(name).n_unique())[name].to_numpy()
    return float(np.mean(distinct)) - 1


def propose_second_name(events: pl.DataFrame, facts: list[ColumnFacts], activity: str) -> str | None:
    """Return a column that names the activities in words: nearly one value per label, and nearly as many as labels.

    Of several, the one whose values have the most words.
    """
    labels = events[activity].n_unique()
    best: tuple[float, str] | None = None
    for column in facts:
        is_text = column.type == "text" and column.scope != "case" and not column.role and column.name != activity
        if not is_text or labels < 3 or not 0.6 * labels <= column.values <= labels:
            continue
        pairs = events.select(activity, column.name).drop_nulls()
        if pairs.n_unique() > _ONE_NAME * labels or (pairs[activity] == pairs[column.name]).all():
            continue
        words = pairs[column.name].unique().str.count_matches(r"\S+").mean() or 0
        if isinstance(words, int | float) and words > 1.5 and (best is None or words > best[0]):
            best = (words, column.name)
    return None if best is None else best[1]
