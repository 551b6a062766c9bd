"""EventLog: the control flow of an event log, stored as integer codes; parts of logs.

An event log is an ordered list of cases. A case is an ordered list of events. Of each event, the activity is kept, the timestamp
if there is one, and the attributes that were asked for.
"""

import hashlib
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from actalike.errors import LogError, shortened
from actalike.log.attributes import Attribute, checked_attribute, name_attribute, names_people, reject_clashes, renamed_names
from actalike.log.reading import Reading
from actalike.log.variants import Uses, Variants, use_tables
from actalike.support.frames import FrameKind, as_kind
from actalike.support.progress import tracked
from actalike.support.text import and_more, card, counted, label_html

_SHOWN = 10  # how many activities a notebook lists
_FIRST, _LAST = np.datetime64("0001-01-01T00:00:00.000000"), np.datetime64("9999-12-31T23:59:59.999999")


class EventLog:
    """Hold the cases of a log, in the order of the source, as arrays of activity codes.

    ``codes[offsets[i]:offsets[i + 1]]`` are the activities of case ``i``, as positions in ``activities``. That list is sorted
    and holds only the activities that occur. Build a log with :func:`actalike.read_log` or :meth:`from_traces`.

    >>> log = EventLog.from_traces([["a", "b", "c"], ["a", "c"], ["a", "c"]])
    >>> log
    EventLog(3 cases, 7 events, 3 activities, 2 variants)
    >>> log.activities, log.codes.tolist(), log.offsets.tolist()
    (['a', 'b', 'c'], [0, 1, 2, 0, 2, 0, 2], [0, 3, 5, 7])
    """

    def __init__(
        self,
        labels: Sequence[str],
        codes: ArrayLike,
        offsets: ArrayLike,
        case_ids: Sequence[str],
        timestamps: NDArray[np.datetime64] | None = None,
        reading: Reading | None = None,
        attributes: Mapping[str, Attribute] | None = None,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Build a log from events given as positions in ``labels``, case by case. Labels may be unused or repeated.

        ``attributes`` are further attributes of the events by name, such as the resource. ``names`` are second names of labels,
        which are shown beside codes such as "01_HOOFD_010" and are never evidence; some labels may have none.
        """
        self.reading = reading  # how the log was understood, if it was read from a file or a frame
        codes = _checked_codes(codes, labels)
        occurring = np.flatnonzero(np.bincount(codes, minlength=len(labels))).tolist()
        self.activities: list[str] = sorted({labels[code] for code in occurring})
        position = {label: i for i, label in enumerate(self.activities)}
        recoded = np.array([position.get(label, 0) for label in labels], dtype=np.int32)
        self.codes: NDArray[np.int32] = _frozen(recoded[codes])
        self.offsets: NDArray[np.int64] = _frozen(_integers(offsets, "offsets of the cases").astype(np.int64))
        self.case_ids: list[str] = _checked_ids(case_ids)
        steps = np.diff(self.offsets)
        if len(self.offsets) < 2 or self.offsets[0] != 0 or self.offsets[-1] != len(codes) or (steps < 0).any():
            raise LogError(f"The offsets of the cases must rise from 0 to the number of events, {len(codes)}.")
        if len(self.case_ids) != len(steps) or (timestamps is not None and np.size(timestamps) != len(codes)):
            raise LogError("There must be an id for each case and, if any, a timestamp for each event.")
        self.timestamps: NDArray[np.datetime64] | None = None if timestamps is None else _frozen(_checked_times(timestamps))
        self.attributes: dict[str, Attribute] = {}
        for name, given in (attributes or {}).items():
            attribute = checked_attribute(name, given, len(codes))
            check_characters([name, *attribute.values])
            self.attributes[name] = Attribute(attribute.values, _frozen(attribute.codes))
        self.names: dict[str, str] = {label: names[label] for label in self.activities if label in names} if names else {}
        check_characters(self.names.values())

    @classmethod
    def from_traces(cls, traces: Iterable[Iterable[str]]) -> "EventLog":
        """Build a log from lists of labels; the cases are called "1", "2", ...

        >>> EventLog.from_traces([["a", "b"], ["b"]]).traces()
        [['a', 'b'], ['b']]
        """
        known: dict[str, int] = {}
        codes: list[int] = []
        offsets = [0]
        if not isinstance(traces, Iterable):
            raise LogError(f"Traces must be a list of lists of labels, such as [['a', 'b'], ...], not {shortened(repr(traces))}.")
        for trace in traces:
            if isinstance(trace, str):
                raise LogError(f"A trace is a list of labels, but {trace!r} is a string: write [[{trace!r}, ...], ...].")
            if not isinstance(trace, Iterable):
                raise LogError(f"A trace is a list of labels, but case {len(offsets)} is {shortened(repr(trace))}.")
            for label in trace:
                if not isinstance(label, str):
                    raise LogError(f"Case {len(offsets)} has a label that is not a string: {label!r}.")
                codes.append(known.setdefault(label, len(known)))
            offsets.append(len(codes))
        check_characters(known)
        return cls(list(known), codes, offsets, [str(i) for i in range(1, len(offsets))])

    @property
    def n_cases(self) -> int:
        """Return the number of cases, including those without events."""
        return len(self.offsets) - 1

    @property
    def n_events(self) -> int:
        """Return the number of events."""
        return len(self.codes)

    @property
    def n_variants(self) -> int:
        """Return the number of variants (distinct activity sequences)."""
        return self.variants.n_variants

    @cached_property
    def activity_counts(self) -> NDArray[np.int64]:
        """Return how many events each activity has, in the order of ``activities``."""
        return _frozen(np.bincount(self.codes, minlength=len(self.activities)))

    @cached_property
    def activity_cases(self) -> NDArray[np.int64]:
        """Return in how many cases each activity occurs, in the order of ``activities``.

        >>> EventLog.from_traces([["a", "b", "a"], ["a"]]).activity_cases.tolist()
        [2, 1]
        """
        return _frozen(self.variants.activity_cases)

    @cached_property
    def digest(self) -> str:
        """Return a fingerprint of the control flow: labels, cases and their order, but neither case ids nor times.

        >>> EventLog.from_traces([["a", "b"]]).digest[:12]
        '76a17cbf78e4'
        """
        digest = hashlib.sha256()  # published results name the digests of their logs, so it must never change
        for label in self.activities:
            encoded = label.encode("utf-8", "surrogatepass")
            digest.update(len(encoded).to_bytes(8, "little") + encoded)
        digest.update(self.codes.astype("<i4").tobytes())
        digest.update(self.offsets.astype("<i8").tobytes())
        return digest.hexdigest()

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return the number of events of each case."""
        return np.diff(self.offsets)

    def people(self) -> dict[str, Attribute]:
        """Return the attributes that name a resource or an organisation, by their usual names.

        >>> attributes = {"User": Attribute.from_texts(["Sue", "Bob"]), "amount": Attribute.from_texts(["1", None])}
        >>> log = EventLog(["a", "b"], [0, 1], [0, 2], ["1"], attributes=attributes)
        >>> list(log.people()), log.attributes["User"].values
        (['User'], ['Bob', 'Sue'])
        """
        return {name: attribute for name, attribute in self.attributes.items() if names_people(name)}

    def traces(self) -> list[list[str]]:
        """Return each case as a list of labels."""
        labels = [self.activities[code] for code in self.codes.tolist()]
        bounds = self.offsets.tolist()
        return [labels[start:end] for start, end in itertools.pairwise(bounds)]

    @tracked("making a frame")
    def to_frame(
        self,
        kind: FrameKind | None = None,
        *,
        case: str = "case",
        activity: str = "activity",
        timestamp: str = "timestamp",
    ) -> Any:
        """Return the events as a frame: the columns of the case, the activity, the timestamp if there are any, the attributes.

        ``kind`` is that of the frame that was read, Polars for other logs. If labels have second names, these are the last
        column, ``second name``.

        :func:`actalike.read_log` reads it again, with ``order="file"`` and the same ``attributes`` as the same log.

        >>> EventLog.from_traces([["a", "b"], ["a"]]).to_frame().rows()
        [('1', 'a'), ('1', 'b'), ('2', 'a')]
        """
        import polars as pl  # here: few logs become frames, and Polars takes time to load

        repeated = len(set(self.case_ids)) < len(self.case_ids)
        if repeated or (self.lengths == 0).any():
            fault = "two cases with the same id" if repeated else "a case without events"
            raise LogError(f"The log has {fault}, which rows (of CSV, Parquet, frames) cannot represent: write it as .xes.")
        attributes = self.attributes_with_names()
        names = [case, activity] if self.timestamps is None else [case, activity, timestamp]
        if len(set(names)) < len(names):
            raise LogError(f"{shortened(max(names, key=names.count))!r} is the name of two columns: choose different names.")
        reject_clashes(attributes, (case, activity, timestamp))
        check_characters([*self.case_ids, *self.activities])
        case_of_event = np.repeat(np.arange(self.n_cases), self.lengths)
        columns = {
            case: pl.Series(self.case_ids, dtype=pl.String).gather(case_of_event),
            activity: pl.Series(self.activities, dtype=pl.String).gather(self.codes),
        }
        if self.timestamps is not None:
            columns[timestamp] = pl.Series(self.timestamps).dt.replace_time_zone("UTC")
        for name, attribute in attributes.items():
            values = pl.Series([*attribute.values, None], dtype=pl.String)
            columns[name] = values.gather(np.where(attribute.codes < 0, len(attribute.values), attribute.codes))
        return as_kind(pl.DataFrame(columns), kind or self.frame_kind)

    @property
    def frame_kind(self) -> FrameKind:
        """Return the kind of frames in which results of this log come back: that of the frame that was read."""
        return "polars" if self.reading is None else self.reading.frame_kind

    def attributes_with_names(self) -> dict[str, Attribute]:
        """Return the attributes of the events, and the second names of their labels as an attribute, to write all of them.

        An attribute that is called as these are, and has other values, is an error: one of the two would be lost.
        """
        second_names = name_attribute(self.names, self.activities, self.codes)
        for name, attribute in second_names.items():
            if self.attributes.get(name, attribute) != attribute:
                raise LogError(
                    f"The log has an attribute {name!r}, and the second names of its labels would have the same name: rename the "
                    "attribute (log.attributes is a dictionary); nothing was written."
                )
        return {**self.attributes, **second_names}

    def relabel(self, rename: Callable[[str], str]) -> "EventLog":
        """Return the same log with every activity renamed; activities that get the same name become one.

        Its second name is that of the activity that was called so before, otherwise that of the most frequent one that has any.

        >>> EventLog.from_traces([["a+start", "a+complete"]]).relabel(lambda label: label.split("+")[0]).activities
        ['a']
        """
        labels = [rename(label) for label in self.activities]
        names = renamed_names(self.names, self.activities, labels, self.activity_counts)
        return EventLog(labels, self.codes, self.offsets, self.case_ids, self.timestamps, attributes=self.attributes, names=names)

    def statistics(self) -> dict[str, float]:
        """Return the usual figures of a log: counts, variants per case, lengths of cases.

        >>> EventLog.from_traces([["a", "b", "c"], ["a", "c"]]).statistics()["mean_length"]
        2.5
        """
        return self.variants.statistics()

    @cached_property
    def variants(self) -> Variants:
        """Return the variants (distinct activity sequences) with their numbers of cases, and how the labels are used."""
        found = Variants.of_cases(self.activities, self.codes, self.offsets)
        return Variants(self.activities, found.codes, found.offsets, found.weights, partial(_uses_of, self), reading=self.reading)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, EventLog):
            return NotImplemented
        if (self.timestamps is None) != (other.timestamps is None):
            return False
        return (
            self.activities == other.activities
            and self.case_ids == other.case_ids
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.codes, other.codes)
            and self.attributes == other.attributes
            and self.names == other.names
            and (
                self.timestamps is None
                or other.timestamps is None
                or np.array_equal(self.timestamps, other.timestamps, equal_nan=True)
            )
        )

    __hash__ = None  # type: ignore[assignment]  # compared by content

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows: the figures of the log and its most frequent activities."""
        statistics = self.statistics()
        facts = [(name, f"{statistics[name]:,}") for name in ("cases", "events", "activities", "variants")]
        mean_length = f"{statistics['mean_length']:.1f} on average"
        facts.append(("events in a case", f"{statistics['min_length']:,} to {statistics['max_length']:,}, {mean_length}"))
        if self.timestamps is not None and not np.isnat(self.timestamps).all():
            first, last = (function(self.timestamps).astype("datetime64[D]") for function in (np.nanmin, np.nanmax))
            facts.append(("period", f"{first} to {last}"))
        if self.attributes:
            names = [
                f"{shortened(name)} ({counted(len(attribute.values), 'value')})" for name, attribute in self.attributes.items()
            ]
            facts.append(("attributes", ", ".join(names[:_SHOWN]) + (", ..." if len(names) > _SHOWN else "")))
        counts = self.activity_counts
        top = np.argsort(-counts, kind="stable")[:_SHOWN].tolist()
        rows = [(self._label_html(self.activities[i]), f"{counts[i]:,}", counts[i] / counts.max()) for i in top]
        rest = len(self.activities) - len(top)
        return card("EventLog", facts, ("activity", "events"), rows, and_more(rest, "activity", "activities"))

    def _label_html(self, label: str) -> str:
        name = self.names.get(label, label)
        return label_html(label) if name == label else f"{label_html(label)} [{label_html(name)}]"

    def __repr__(self) -> str:
        return (
            f"EventLog({self.n_cases:,} cases, {self.n_events:,} events, {len(self.activities):,} activities, "
            f"{self.n_variants:,} variants)"
        )


def cases_of(log: EventLog, chosen: NDArray[np.bool_]) -> EventLog:
    """Return the log of some cases, in the same order.

    >>> cases_of(EventLog.from_traces([["a"], ["b"], ["a", "b"]]), np.array([True, False, True])).traces()
    [['a'], ['a', 'b']]
    """
    return events_of(log, np.repeat(chosen, log.lengths), chosen)


def events_of(log: EventLog, events: NDArray[np.bool_], cases: NDArray[np.bool_]) -> EventLog:
    """Return the log of some events, in some of the cases, which are empty if they have none of these events.

    >>> log = EventLog.from_traces([["a"], ["b"], ["a", "b"]])
    >>> events_of(log, log.codes == 1, np.array([True, True, True])).traces()
    [[], ['b'], ['b']]
    """
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    lengths = np.bincount(case[events], minlength=log.n_cases)[cases]
    return EventLog(
        log.activities,
        log.codes[events],
        np.append(0, np.cumsum(lengths)),
        [log.case_ids[i] for i in np.flatnonzero(cases).tolist()],
        None if log.timestamps is None else log.timestamps[events],
        attributes={name: attribute.at(events) for name, attribute in log.attributes.items()},
        names=log.names,
    )


def case_beginnings(log: EventLog) -> NDArray[np.datetime64]:
    """Return the earliest timestamp of each case, NaT if it has none.

    >>> days = np.array(["2024-01-09", "2024-01-02", "NaT"], dtype="datetime64[us]")
    >>> case_beginnings(EventLog(["a"], [0, 0, 0], [0, 2, 3], ["1", "2"], days)).astype("datetime64[D]").astype(str).tolist()
    ['2024-01-02', 'NaT']
    """
    beginnings = np.full(log.n_cases, np.datetime64("NaT", "us"), dtype="datetime64[us]")
    some = np.flatnonzero(log.lengths)
    if log.timestamps is not None and len(some):
        beginnings[some] = np.fmin.reduceat(log.timestamps, log.offsets[:-1][some])
    return beginnings


def check_characters(texts: Iterable[str]) -> None:
    """Raise an error if a label or a case id contains characters that no file can hold."""
    for text in texts:
        if not text.isascii() and re.search("[\ud800-\udfff]", text):
            raise LogError(f"{text!r} contains an unpaired surrogate, which no file can hold: rename it.")


AnyLog = EventLog | Variants
"""What most results are computed from: the variants of a log, and how its labels are used."""


def _uses_of(log: EventLog) -> Uses:
    """Return how the labels of a log are used.

    >>> days = np.array(["2024-01-01", "2024-01-01", "2024-01-02"], dtype="datetime64[us]")
    >>> uses = _uses_of(EventLog(["a", "b"], [0, 1, 1], [0, 3], ["1"], timestamps=days))
    >>> uses.days.keys[:, 1:].tolist(), uses.days.counts.tolist()
    ([[0, 19723], [1, 19723]], [[1], [1]])
    >>> uses.instants.keys[:, 1:].tolist(), uses.instants.counts.tolist()  # pairs of events, instants
    ([[0, 0], [0, 1], [1, 1]], [[0, 1], [1, 1], [0, 2]])
    """
    times = None if log.timestamps is None else log.timestamps.astype("datetime64[us]")
    values = {name: (attribute.values, attribute.codes) for name, attribute in log.attributes.items()}
    return use_tables(log.codes, log.offsets, times, values)


def _integers(given: ArrayLike, what: str) -> NDArray[np.integer]:
    """Return a list of integers as an array; ``what`` names it in errors."""
    wrong = LogError(f"The {what} must be a one-dimensional list of integers.")
    try:
        numbers = _without_gaps(given, what)
    except ValueError as error:  # lists of different lengths
        raise wrong from error
    if numbers.ndim != 1 or (len(numbers) and numbers.dtype.kind not in "iu"):
        raise wrong
    return numbers


def _without_gaps(given: ArrayLike, what: str) -> NDArray[Any]:
    """Return an array; masked values are an error."""
    if np.ma.isMaskedArray(given) and np.ma.getmaskarray(given).any():
        raise LogError(f"The {what} have missing values (a masked array): leave these events out, or fill them in.")
    return np.asarray(given)


def _checked_codes(given: ArrayLike, labels: Sequence[str]) -> NDArray[np.int32]:
    codes = _integers(given, "codes of the events")
    if not len(codes):
        raise LogError("The log is empty: it has no events.")
    for label in labels:
        if not isinstance(label, str):
            raise LogError(f"The log has a label that is not a string: {label!r}.")
    lowest, highest = int(codes.min()), int(codes.max())
    if lowest < 0 or highest >= len(labels):
        wrong = lowest if lowest < 0 else highest
        raise LogError(f"The codes of the events must be positions in the {len(labels):,} labels, not {wrong}.")
    return codes.astype(np.int32, copy=False)


def _checked_ids(given: Sequence[str]) -> list[str]:
    try:
        ids = list(given)
    except TypeError as error:
        raise LogError(f"The ids of the cases must be a list of strings, not {given!r}.") from error
    if not all(issubclass(kind, str) for kind in set(map(type, ids))):
        wrong = next(one for one in ids if not isinstance(one, str))
        raise LogError(f"The log has a case id that is not a string: {wrong!r}. Write {str(wrong)!r}.")
    return ids


def _checked_times(given: NDArray[np.datetime64]) -> NDArray[np.datetime64]:
    """Return timestamps to the microsecond, or raise an error unless they are within the years 1 to 9999, or no times (NaT)."""
    times = _without_gaps(given, "timestamps of the events")
    if times.ndim != 1 or times.dtype.kind != "M":
        raise LogError("The timestamps of the events must be one array of numpy's datetime64.")
    if times.dtype != _FIRST.dtype:  # a year may be too far away for microseconds: they would wrap around
        years = times.astype("datetime64[Y]")
        within = np.isnat(years) | ((years >= _FIRST.astype("datetime64[Y]")) & (years <= _LAST.astype("datetime64[Y]")))
    else:
        within = np.isnat(times) | ((times >= _FIRST) & (times <= _LAST))
    if not within.all():
        raise LogError(
            f"Event {within.argmin() + 1:,} has a timestamp outside the years 1 to 9999, which no file can hold: correct it."
        )
    return times.astype("datetime64[us]")


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array
