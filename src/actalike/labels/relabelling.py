"""Relabel a log in memory, an EventLog, a frame, or an event log of pm4py: rename its activities and keep everything else.

What happens to each event of a frame or a file is planned first: it is renamed, kept, or dropped because it repeats the event
before it. Files: :mod:`actalike.labels.relabelled_files`.
"""

import copy
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import ActalikeError
from actalike.io import (
    NO_ACTIVITY,
    Events,
    Missing,
    Order,
    ReadOptions,
    TimestampFormat,
    encode,
    find_columns,
    is_frame,
    is_pm4py_log,
    numbered,
    read_frame,
    read_pm4py,
    reading_of,
    sorted_rows,
    take_columns,
    to_eager,
    without_missing,
)
from actalike.labels.mapping import Decided, changes, mapping_of, unnamed
from actalike.labels.relations import Group
from actalike.log import EventLog, Reading
from actalike.support.progress import tracked

Log = TypeVar("Log")
Names = Mapping[str, str] | Decided | Iterable[Group]  # what relabels a log
ORIGINAL = "actalike:original"  # the attribute, or column, that keeps the label of an event that was renamed

Bools = NDArray[np.bool_]


@tracked("relabelling")
def relabel(
    log: Log,
    mapping: Names,
    collapse: bool = False,
    *,
    case: str | None = None,
    activity: str | None = None,
    timestamp: str | None = None,
    order: Order | None = None,
    timestamp_format: TimestampFormat = None,
    missing: Missing = "error",
) -> Log:
    """Return the log with its activities renamed as the mapping says.

    Activities that are not in the mapping, or whose name there is blank, keep their names.

    ``log`` is an EventLog, a frame of events (pandas, Polars or pyarrow), or an event log of pm4py. The result is of the same
    kind, and the log itself is not changed. A frame keeps its rows, their order, all other columns, types and notes. Labels keep
    their type if it can hold every name; those of a Polars Enum become String, and numbers become texts. As
    :func:`actalike.relabel_file` does, a renamed event keeps its old label in the column ``actalike:original``. The options after
    the ``*`` say how a frame, or an event log of pm4py, is read; see :func:`actalike.read_log`.

    ``mapping`` is a dictionary, decisions (:func:`actalike.read_decisions`; of two logs, which give the second the names of the
    first, :func:`actalike.read_matching_decisions`), a matching (:func:`actalike.match`), or groups as :func:`actalike.group`
    returns them: the members of each group of synonyms get the name of the group (``Group.name``). The labels of other groups
    keep their names; to rename these too, give ``groups.mapping(RELATIONS)`` with the relations of :mod:`actalike.labels`.
    ``collapse`` leaves out an event that repeats the one before it in its case only because of the renaming: their new names are
    the same, their old names were not.

    >>> log = EventLog.from_traces([["Check", "Verify", "Pay"], ["Pay", "Pay"]])
    >>> relabel(log, {"Verify": "Check"}).traces()
    [['Check', 'Check', 'Pay'], ['Pay', 'Pay']]
    >>> relabel(log, {"Verify": "Check"}, collapse=True).traces()
    [['Check', 'Pay'], ['Pay', 'Pay']]
    >>> import polars as pl
    >>> frame = pl.DataFrame({"case": [1, 1], "activity": ["Verify", "Pay"], "cost": [5, 7]})
    >>> relabel(frame, {"Verify": "Check"}).rows()
    [(1, 'Check', 5, 'Verify'), (1, 'Pay', 7, None)]
    """
    options = ReadOptions(
        case=case, activity=activity, timestamp=timestamp, order=order, timestamp_format=timestamp_format, missing=missing
    )
    if isinstance(log, EventLog):
        if options != ReadOptions():
            raise ActalikeError(
                "case, activity, timestamp, order, timestamp_format and missing are for frames, and this is an EventLog: "
                "leave them out."
            )
        return _relabel_log(log, as_mapping(mapping), collapse)  # type: ignore[return-value]
    if is_pm4py_log(log):
        return relabel_pm4py(log, as_mapping(mapping), collapse, options)
    return relabel_frame(log, as_mapping(mapping), collapse, options)


def as_mapping(mapping: Names) -> Mapping[str, str]:
    """Return a mapping unchanged, or the mapping of decisions or groups; anything else is an error."""
    if isinstance(mapping, Decided):
        return mapping.mapping()
    if isinstance(mapping, Mapping):
        return mapping
    is_many = isinstance(mapping, Iterable) and not isinstance(mapping, str | bytes | EventLog) and not is_frame(mapping)
    groups = list(mapping) if is_many else []
    if not is_many or not all(isinstance(each, Group) for each in groups):
        raise ActalikeError(
            f"A mapping is a dictionary from label to new label, decisions, or groups, not {type(mapping).__name__}: for a file, "
            "give read_mapping(path) or read_decisions(path). Nothing was relabelled."
        )
    return mapping_of(groups)


class Relabelled(NamedTuple):
    """Hold how many events and activities a relabelled log has, how many events were renamed or dropped, and how it was read."""

    events: int
    renamed: int
    dropped: int
    activities: int
    activities_before: int
    reading: Reading | None = None
    digest: str = ""  # of the log before
    unnamed: int = 0  # labels that kept their names because the new ones were blank

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that ``actalike relabel --json`` prints (docs/reference/json.md)."""
        numbers = {name: value for name, value in self._asdict().items() if name not in ("reading", "digest")}
        return {"schema": "actalike/relabel/1", **numbers}

    def as_dict(self) -> dict[str, Any]:
        """Return :meth:`to_dict`, by its former name."""
        warnings.warn("Relabelled.as_dict() is called to_dict() now.", DeprecationWarning, stacklevel=2)
        return self.to_dict()


@dataclass(frozen=True)
class Plan:
    """Hold the labels, the new name of each (None if it keeps its own) and, in file order, what happens to each event."""

    labels: list[str]
    names: list[str | None]
    codes: NDArray[np.int32]  # -1 for an event without an activity
    renamed: Bools
    dropped: Bools
    result: Relabelled


def make_plan(events: Events, mapping: Mapping[str, str], collapse: bool, options: ReadOptions, order: Order) -> Plan:
    """Check a mapping against the events of a log, and return what it does to each event.

    Those without an activity, if that is no error, stay as they are.
    """
    _refuse_original(events)
    frame, complete, missing = without_missing(events, replace(options, lifecycle="ignore"), order)
    log = encode(events, frame, complete)
    labels, codes = (log.labels, log.codes) if complete.all() and not missing else numbered(events.frame["activity"])
    new_names = changes_of(mapping, log.labels, options.missing)
    names = [new_names.get(label) for label in labels]
    dropped = np.zeros(len(codes), dtype=bool)
    by_case = sorted_rows(frame, log.cases, order)
    sorted_codes = log.codes[by_case]
    if collapse:
        rows = np.flatnonzero(complete)[by_case]
        dropped[rows] = repeats(log.cases[by_case], sorted_codes, new_codes(log.labels, new_names)[sorted_codes])
        dropped &= events.frame["activity"].is_not_null().to_numpy()
    renamed = np.array([*(name is not None for name in names), False])[codes] & complete & ~dropped
    kept = complete & ~dropped
    activities = {new_names.get(log.labels[code], log.labels[code]) for code in np.unique(log.codes[kept[complete]]).tolist()}
    numbers = int(kept.sum()), int(renamed.sum()), int(dropped.sum()), len(activities), len(log.labels)
    reading = replace(reading_of(events, "ignore", order), cases=len(log.case_ids), events=len(frame), **missing)
    reading = replace(reading, skipped_cases=log.skipped_cases)
    digest = EventLog(log.labels, sorted_codes, log.offsets, log.case_ids).digest
    return Plan(labels, names, codes, renamed, dropped, Relabelled(*numbers, reading, digest, unnamed(mapping)))


def changes_of(mapping: Mapping[str, str], labels: Collection[str], missing: Missing) -> dict[str, str]:
    """Return the labels of a log that a mapping changes, with their new names.

    What events without an activity are called is no label that could be changed.
    """
    if missing != "label":
        return changes(mapping, labels)
    return {label: name for label, name in changes(mapping, [*labels, NO_ACTIVITY]).items() if label != NO_ACTIVITY}


def check_earlier(source: str, kind: pl.DataType) -> None:
    """Raise an error if the column of an earlier relabelling has a type that cannot hold labels."""
    if kind.is_nested() or kind in (pl.Binary, pl.Object):
        raise ActalikeError(
            f"{source}: the column {ORIGINAL!r} is of type {kind}, and relabelling keeps the old labels there: rename or convert "
            "it. Nothing was relabelled."
        )


def new_codes(labels: Sequence[str], new_names: Mapping[str, str]) -> NDArray[np.int64]:
    """Return a number for the new name of each label; equal names get equal numbers."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(new_names.get(label, label), len(numbers)) for label in labels], dtype=np.int64)


def repeats(cases: NDArray[Any], old: NDArray[Any], new: NDArray[Any]) -> Bools:
    """Return which events repeat the event before them in their case only because of the renaming.

    Their new names are the same, their old names were not. Events that had the same name before, as in a loop of the process,
    are no such repeats. The events of a case must stand together.

    >>> repeats(np.array([0, 0, 0, 0, 1]), old=np.array([1, 2, 2, 3, 4]), new=np.array([7, 7, 7, 8, 8])).tolist()
    [False, True, False, False, False]
    """
    repeated = np.zeros(len(cases), dtype=bool)
    repeated[1:] = (cases[1:] == cases[:-1]) & (new[1:] == new[:-1]) & (old[1:] != old[:-1])
    return repeated


class NewColumns(NamedTuple):
    """Hold what relabelling makes of a frame's rows: their new labels, as codes, their original labels, and which rows stay."""

    activity: str
    labels: Sequence[str | None]  # the last is that of an event without one
    codes: NDArray[np.int64]
    originals: list[str | None]
    kept: NDArray[np.bool_]

    def texts(self) -> list[str | None]:
        """Return the new label of each row."""
        return [self.labels[code] for code in self.codes.tolist()]

    def rows(self, start: int, end: int) -> "NewColumns":
        """Return those of some rows."""
        part = slice(start, end)
        return self._replace(codes=self.codes[part], originals=self.originals[part], kept=self.kept[part])

    def with_earlier(self, earlier: pl.Series, source: str) -> "NewColumns":
        """Return them with the original labels of an earlier relabelling: the first label stays."""
        check_earlier(source, earlier.dtype)
        both = zip(earlier.cast(pl.String), self.originals, strict=True)
        return self._replace(originals=[now if before is None else before for before, now in both])


def relabel_frame(
    frame: Any,
    mapping: Mapping[str, str],
    collapse: bool,
    options: ReadOptions,
) -> Any:
    """Return a frame of the same library with the new labels; the given one is not changed.

    A class derived from a frame of pandas stays what it is, if it makes new frames of its own kind as pandas asks it to.
    """
    if isinstance(frame, pl.LazyFrame):
        computed = to_eager(frame, "the LazyFrame").to_native()
        return relabel_frame(computed, mapping, collapse, options).lazy()
    known = {"pandas": _rewrite_pandas, "polars": _rewrite_polars, "pyarrow": rewrite_pyarrow}
    libraries = [base.__module__.partition(".")[0] for base in type(frame).__mro__] if is_frame(frame) else []
    rewrite = next((known[library] for library in libraries if library in known), None)
    if rewrite is None:
        raise ActalikeError(
            f"relabel takes an EventLog or a frame of pandas, Polars or pyarrow, not {type(frame).__name__}: convert it, or use "
            "actalike.read_log(...) first."
        )
    return rewrite(frame, _new_columns(frame, mapping, collapse, options))


def new_columns(activity: str, plan: Plan) -> NewColumns:
    """Return what a plan makes of the rows of a log whose activity is in this column."""
    renamed = [old if name is None else name for old, name in zip(plan.labels, plan.names, strict=True)]
    stays = ~(plan.renamed | plan.dropped) & (plan.codes >= 0)  # some events keep a label that others lose
    kept = [plan.labels[code] for code in np.unique(plan.codes[stays]).tolist()]
    position = {name: i for i, name in enumerate(dict.fromkeys([*renamed, *kept]))}
    new, old = (np.array([*(position.get(name, 0) for name in names), len(position)]) for names in (renamed, plan.labels))
    codes = np.where(stays, old[plan.codes], new[plan.codes])
    labels = [*plan.labels, None]
    originals = [labels[code] if is_renamed else None for code, is_renamed in zip(plan.codes.tolist(), plan.renamed, strict=True)]
    return NewColumns(activity, [*position, None], codes, originals, ~plan.dropped)


def rewrite_pyarrow(table: Any, new: NewColumns) -> Any:
    """Return a table of pyarrow with the new labels, and the original ones in a column at its end."""
    import pyarrow as pa

    number = table.column_names.index(new.activity)
    field = table.schema.field(number)
    old = field.type
    values = old.value_type if pa.types.is_dictionary(old) else old
    if any(key.startswith(b"_PL_ENUM") for key in field.metadata or ()):  # of Polars, and cannot hold every name
        old, field = values, field.remove_metadata()
    text = values if values in (pa.string(), pa.large_string(), pa.string_view()) else pa.string()
    short = pa.large_string() if text == pa.string_view() else text  # pyarrow takes no rows of a string_view
    labels = pa.array(new.labels, short).take(pa.array(new.codes)).cast(text)
    if pa.types.is_dictionary(old):
        codes = pa.array(new.codes, mask=new.codes == len(new.labels) - 1)
        try:
            codes = codes.cast(old.index_type)
        except pa.ArrowInvalid:
            raise ActalikeError(
                f"The column {new.activity!r} is a dictionary with indices of type {old.index_type}, and its "
                f"{len(new.labels) - 1:,} labels are too many for them: cast it to strings, or to indices of type int32. "
                "Nothing was relabelled."
            ) from None
        labels = pa.DictionaryArray.from_arrays(codes, pa.array(new.labels[:-1], text), ordered=old.ordered)
    result = table.set_column(number, field.with_type(labels.type), labels)
    originals = pa.array(new.originals, text)
    if ORIGINAL in table.column_names:
        place = table.column_names.index(ORIGINAL)
        result = result.set_column(place, table.schema.field(place).with_type(text), originals)
    else:
        result = result.append_column(pa.field(ORIGINAL, text), originals)
    return result if new.kept.all() else _filter_pyarrow(result, new.kept)


def relabel_pm4py(log: Any, mapping: Mapping[str, str], collapse: bool, options: ReadOptions) -> Any:
    """Return a copy of an event log with the new labels; a renamed event keeps its old label as ``actalike:original``."""
    key = options.activity or "concept:name"
    plan = make_plan(read_pm4py(log, options), mapping, collapse, options, options.order or "file")
    result = copy.deepcopy(log)
    number = 0
    for i, trace in enumerate(result):
        kept = copy.copy(trace)
        kept._list = []
        for event in trace:
            name = plan.names[plan.codes[number]] if plan.renamed[number] else None
            if not plan.dropped[number]:
                if name is not None:
                    _keep(event, event[key])
                    event[key] = name
                kept.append(event)
            number += 1
        result[i] = kept
    return result


def _relabel_log(log: EventLog, mapping: Mapping[str, str], collapse: bool) -> EventLog:
    new_names = changes(mapping, log.activities)
    renamed = log.relabel(lambda label: new_names.get(label, label))
    if not collapse:
        return renamed
    cases = np.repeat(np.arange(log.n_cases), log.lengths)
    keep = ~repeats(cases, log.codes, renamed.codes)
    offsets = np.concatenate([[0], np.cumsum(np.bincount(cases[keep], minlength=log.n_cases))])
    timestamps = None if log.timestamps is None else log.timestamps[keep]
    attributes = {name: attribute.at(keep) for name, attribute in log.attributes.items()}
    return EventLog(
        renamed.activities, renamed.codes[keep], offsets, log.case_ids, timestamps, attributes=attributes, names=renamed.names
    )


def _refuse_original(events: Events) -> None:
    """Raise an error if the log is read from the very column that keeps the old labels: one of the two would be lost."""
    columns = events.columns
    for role, name in (("case", columns.case), ("activity", columns.activity), ("timestamp", columns.timestamp)):
        if name == ORIGINAL:
            raise ActalikeError(
                f"{events.source}: the {role} is in {ORIGINAL!r}, where relabelling keeps the old labels: rename that column (or "
                "attribute) first. Nothing was relabelled."
            )


def _new_columns(frame: Any, mapping: Mapping[str, str], collapse: bool, options: ReadOptions) -> NewColumns:
    events = read_frame(frame, options)
    plan = make_plan(events, mapping, collapse, options, options.order or events.default_order)
    columns = _column_names(frame)
    new = new_columns(find_columns(events.source, columns, **options.columns).activity, plan)
    if ORIGINAL not in columns:
        return new
    earlier = take_columns(to_eager(frame, events.source), [ORIGINAL], events.source)[ORIGINAL]
    return new.with_earlier(earlier, events.source)


def _column_names(frame: Any) -> list[str]:
    return list(frame.column_names if hasattr(frame, "column_names") else frame.columns)


def _rewrite_polars(frame: pl.DataFrame, new: NewColumns) -> pl.DataFrame:
    old = frame.schema[new.activity]
    labels = pl.Series(new.labels, dtype=pl.String).gather(new.codes)
    originals = pl.Series(ORIGINAL, new.originals, dtype=pl.String)
    dtype = old if old == pl.Categorical else pl.String  # other types cannot hold every name
    return frame.with_columns(originals, labels.cast(dtype).alias(new.activity)).filter(pl.Series(new.kept))


def _rewrite_pandas(frame: Any, new: NewColumns) -> Any:
    import pandas as pd

    texts = pd.Series(["a text"]).dtype  # how this version of pandas keeps texts
    old = frame[new.activity].dtype
    if isinstance(old, pd.CategoricalDtype):
        labels = _pandas_categories(frame[new.activity], new, texts)
    else:
        texts = old if old == np.dtype(object) or pd.api.types.is_string_dtype(old) else texts
        labels = pd.Series(new.texts(), frame.index, texts)
    result = frame.copy()
    result[new.activity] = labels
    result[ORIGINAL] = pd.Series(new.originals, frame.index, texts)
    return result if new.kept.all() else result[new.kept]


def _pandas_categories(column: Any, new: NewColumns, texts: Any) -> Any:
    """Return the new labels as categories, in the order of the old ones; categories without rows keep their names."""
    import pandas as pd

    kinds = column.cat.categories
    first_rows = dict(zip(*(values[::-1].tolist() for values in (column.cat.codes.to_numpy(), new.codes)), strict=True))
    names = [str(new.labels[first_rows[i]] if i in first_rows else kind) for i, kind in enumerate(kinds.tolist())]
    place = {name: i for i, name in enumerate(dict.fromkeys([*names, *(name for name in new.labels if name is not None)]))}
    codes = np.array([-1 if name is None else place[name] for name in new.labels], dtype=np.int64)[new.codes]
    dtype = kinds.dtype if kinds.dtype == np.dtype(object) or pd.api.types.is_string_dtype(kinds.dtype) else texts
    return pd.Categorical.from_codes(codes, categories=pd.Index(list(place), dtype=dtype), ordered=column.cat.ordered)


def _filter_pyarrow(table: Any, kept: NDArray[np.bool_]) -> Any:
    """Return the rows to keep; views of texts and bytes, of which pyarrow takes no rows, are converted there and back."""
    import pyarrow as pa

    kinds = {pa.string_view(): pa.large_string(), pa.binary_view(): pa.large_binary()}
    other = pa.schema([field.with_type(kinds.get(field.type, field.type)) for field in table.schema], table.schema.metadata)
    return table.cast(other).filter(pa.array(kept)).cast(table.schema) if other != table.schema else table.filter(pa.array(kept))


def _keep(event: Any, label: Any) -> None:
    """Note the old label of an event, unless one from an earlier relabelling is there."""
    if ORIGINAL not in event:
        event[ORIGINAL] = label
