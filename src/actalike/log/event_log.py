"""Define EventLog: the control flow of an event log, stored as integer codes.

An event log is an ordered list of cases. A case is an ordered list of events. Of each event, the activity is kept, the timestamp
if there is one, and the attributes that were asked for.
"""

import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from actalike.errors import LogError, shortened
from actalike.log.attributes import Attribute, checked_attribute, names_people, refuse_clashes
from actalike.log.checked_arrays import checked_codes, checked_ids, checked_times, whole_numbers
from actalike.log.digest import control_flow_digest
from actalike.log.equal_cases import count_equal_cases, some_cases
from actalike.log.label_names import name_attribute, renamed_names
from actalike.log.reading import Reading
from actalike.support.notebook_cards import and_more, card, label_html
from actalike.support.progress import tracked

_SHOWN = 10  # how many activities a notebook lists


class Variants(NamedTuple):
    """Hold the variants of a log (its distinct activity sequences) in the order of their first case.

    ``codes[offsets[i]:offsets[i + 1]]`` are the activities of variant ``i``, and ``weights[i]`` cases follow it.
    """

    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    weights: NDArray[np.int64]


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
        codes = checked_codes(codes, labels)
        occurring = np.flatnonzero(np.bincount(codes, minlength=len(labels))).tolist()
        self.activities: list[str] = sorted({labels[code] for code in occurring})
        position = {label: i for i, label in enumerate(self.activities)}
        recoded = np.array([position.get(label, 0) for label in labels], dtype=np.int32)
        self.codes: NDArray[np.int32] = _frozen(recoded[codes])
        self.offsets: NDArray[np.int64] = _frozen(whole_numbers(offsets, "offsets of the cases").astype(np.int64))
        self.case_ids: list[str] = checked_ids(case_ids)
        steps = np.diff(self.offsets)
        if len(self.offsets) < 2 or self.offsets[0] != 0 or self.offsets[-1] != len(codes) or (steps < 0).any():
            raise LogError(f"The offsets of the cases must rise from 0 to the number of events, {len(codes)}.")
        if len(self.case_ids) != len(steps) or (timestamps is not None and np.size(timestamps) != len(codes)):
            raise LogError("There must be an id for each case and, if any, a timestamp for each event.")
        self.timestamps: NDArray[np.datetime64] | None = None if timestamps is None else _frozen(checked_times(timestamps))
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
            raise LogError(f"Traces are a list of lists of labels, and not {shortened(repr(traces))}: write [['a', 'b'], ...].")
        for trace in traces:
            if isinstance(trace, str):
                raise LogError(f"A trace is a list of labels, but {trace!r} is a text: write [[{trace!r}, ...], ...].")
            if not isinstance(trace, Iterable):
                raise LogError(f"A trace is a list of labels, but case {len(offsets)} is {shortened(repr(trace))}.")
            for label in trace:
                if not isinstance(label, str):
                    raise LogError(f"Case {len(offsets)} has a label that is not a text: {label!r}.")
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
        return len(self.variants.weights)

    @property
    def activity_counts(self) -> NDArray[np.int64]:
        """Return how many events each activity has, in the order of ``activities``."""
        return np.bincount(self.codes, minlength=len(self.activities))

    @cached_property
    def activity_cases(self) -> NDArray[np.int64]:
        """Return in how many cases each activity occurs, in the order of ``activities``.

        >>> EventLog.from_traces([["a", "b", "a"], ["a"]]).activity_cases.tolist()
        [2, 1]
        """
        codes, offsets, weights = self.variants
        variant = np.repeat(np.arange(len(weights)), np.diff(offsets))
        pairs = np.sort(codes.astype(np.int64) * len(weights) + variant)  # numpy's unique takes ten times as long
        distinct = pairs[np.append(True, pairs[1:] != pairs[:-1])]
        return np.bincount(distinct // len(weights), weights=weights[distinct % len(weights)]).astype(np.int64)

    @cached_property
    def digest(self) -> str:
        """Return a fingerprint of the control flow: labels, cases and their order, but neither case ids nor times.

        >>> EventLog.from_traces([["a", "b"]]).digest[:12]
        '76a17cbf78e4'
        """
        return control_flow_digest(self.activities, self.codes, self.offsets)

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
        kind: Literal["polars", "pandas", "pyarrow"] = "polars",
        *,
        case: str = "case",
        activity: str = "activity",
        timestamp: str = "timestamp",
    ) -> Any:
        """Return the events as a frame: the columns of the case, the activity, the timestamp if there are any, the attributes.

        If labels have second names, these are the last column, ``second name``.

        :func:`actalike.read_log` reads it again, with ``order="file"`` and the same ``attributes`` as the same log.

        >>> EventLog.from_traces([["a", "b"], ["a"]]).to_frame().rows()
        [('1', 'a'), ('1', 'b'), ('2', 'a')]
        """
        from actalike.log.frames import event_frame  # imported here: few logs become frames, and Polars takes time to load
        from actalike.support.frame_kinds import as_kind

        repeated = len(set(self.case_ids)) < len(self.case_ids)
        if repeated or (self.lengths == 0).any():
            fault = "two cases with the same id" if repeated else "a case without events"
            raise LogError(f"The log has {fault}, which rows (of CSV, Parquet, frames) cannot represent: write it as .xes.")
        attributes = self.attributes_with_names()
        names = [case, activity] if self.timestamps is None else [case, activity, timestamp]
        if len(set(names)) < len(names):
            raise LogError(f"{shortened(max(names, key=names.count))!r} is the name of two columns: give each its own.")
        refuse_clashes(attributes, (case, activity, timestamp))
        check_characters([*self.case_ids, *self.activities])
        cases, activities = (case, self.case_ids, self.lengths), (activity, self.activities, self.codes)
        return as_kind(event_frame(cases, activities, (timestamp, self.timestamps), attributes), kind)

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
        return {
            "cases": self.n_cases,
            "events": self.n_events,
            "activities": len(self.activities),
            "variants": self.n_variants,
            "variants_per_case": self.n_variants / self.n_cases,
            "min_length": int(self.lengths.min()),
            "mean_length": self.n_events / self.n_cases,
            "max_length": int(self.lengths.max()),
        }

    @cached_property
    def variants(self) -> Variants:
        """Return the variants (distinct activity sequences) with their numbers of cases."""
        first_cases, weights = count_equal_cases(self.codes, self.offsets, len(self.activities))
        codes, offsets = some_cases(self.codes, self.offsets, first_cases)
        return Variants(codes, offsets, weights)

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
            names = [f"{shortened(name)} ({_values(attribute)})" for name, attribute in self.attributes.items()]
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


def _values(attribute: Attribute) -> str:
    """Return in words how many values an attribute has."""
    return f"{len(attribute.values):,} value{'' if len(attribute.values) == 1 else 's'}"


def check_characters(texts: Iterable[str]) -> None:
    """Raise an error if a label or a case id contains characters that no file can hold."""
    for text in texts:
        if not text.isascii() and re.search("[\ud800-\udfff]", text):
            raise LogError(f"{text!r} contains half a character (a lone surrogate), which no file can hold: rename it.")


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array
