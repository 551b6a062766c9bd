"""Variants: a log as a multiset of traces, with small tables of how its labels are used.

Nearly every result is computed from these alone: the distinct traces with their frequencies, and how often labels are first used
on which day, by whom, and at one instant. An :class:`~actalike.EventLog` has them as a view, an engine returns them instead of
the events, and they can be added.

Equal cases are found by hashes and then by comparison, so the result is exact. Where most cases are short they are packed into
words of 64 bits, which are sorted: on such logs this takes a third of the time.
"""

import hashlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError
from actalike.log.reading import Reading
from actalike.support.arrays import sort_with_places, sum_groups
from actalike.support.frames import FrameKind
from actalike.support.saved import Label, LabelledHeader, StoredFile, write_file
from actalike.support.text import counted

if TYPE_CHECKING:
    import polars as pl


Words = NDArray[np.uint64]

_MULTIPLIERS = (0x9E6C63D0676A9A99, 0xC2B2AE3D27D4EB4F)  # of the hashes: odd numbers whose bits have no pattern
_WORD_MULTIPLIER = np.uint64(_MULTIPLIERS[0])
_EVENTS_AT_A_TIME = 1 << 15  # so many fit into a processor cache
_CASES_AT_A_TIME = 1 << 14  # whose words fit into a processor cache
_IN_WORD = 8  # activities of a case, a byte each
_MOST_PACKED = (1 << 8) - 2  # activities: 0 ends a case, and a word of all ones stands for a long case
_MOST_DAYS = 1 << 22  # from 1970, in a file: the years 1 to 9999 are within


class UseTable(NamedTuple):
    """Count how labels are used: a row of ``keys`` defines what is counted, the same row of ``counts`` how often.

    The rows are distinct and sorted. Tables of the same columns add up.
    """

    keys: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def summed(cls, keys: Sequence[NDArray[Any]], counts: Sequence[NDArray[Any]]) -> "UseTable":
        """Add the rows with equal keys; both are given column by column.

        >>> table = UseTable.summed([np.array([1, 0, 1]), np.array([5, 5, 5])], [np.array([1, 1, 2])])
        >>> table.keys.tolist(), table.counts.tolist()
        ([[0, 5], [1, 5]], [[1], [3]])
        """
        order = np.lexsort(keys[::-1])
        table = np.stack([np.asarray(key, dtype=np.int64)[order] for key in keys], axis=1)
        starts = np.flatnonzero(np.append(np.ones(min(len(order), 1), bool), (table[1:] != table[:-1]).any(axis=1)))
        sums = [np.add.reduceat(np.asarray(count, dtype=np.int64)[order], starts) if len(starts) else starts for count in counts]
        return cls(table[starts], np.stack(sums, axis=1).astype(np.int64))

    def same_as(self, other: "UseTable") -> bool:
        """Return whether two tables hold the same."""
        return np.array_equal(self.keys, other.keys) and np.array_equal(self.counts, other.counts)


class Uses(NamedTuple):
    """Hold the tables of how labels are used; the first two columns of their keys are a stratum and an activity.

    - ``days``: the third key is a day, from 1970 in UTC; counted are the cases in which the activity is used first on that day.
      None if the events have no timestamps.
    - ``instants``: the third key is another activity, or the same, not before it in order; counted are the pairs of events of one
      case with the same timestamp that have these two activities, and the instants at which both occur. None as above.
    - ``values``: for each attribute its values, and a table whose third key is a value's position among them; counted are
      events.
    """

    days: UseTable | None
    instants: UseTable | None
    values: dict[str, tuple[list[str], UseTable]]


class _StoredValues(msgspec.Struct, forbid_unknown_fields=True):
    name: Label
    values: Annotated[list[Label], msgspec.Meta(max_length=10_000_000)]


class _VariantsHeader(LabelledHeader, forbid_unknown_fields=True):
    strata: Annotated[list[Label], msgspec.Meta(max_length=10_000_000)]
    values: Annotated[list[_StoredValues], msgspec.Meta(max_length=10_000)]
    uses: bool
    by: Label | None = None


class Variants:
    """Hold the variants of a log: its distinct activity sequences, with the number of cases that follow each.

    ``codes[offsets[i]:offsets[i + 1]]`` are the activities of variant ``i``, as positions in ``activities``, and ``weights[i]``
    cases follow it. Variants of an EventLog are in the order of their first case; the order means nothing, and equal ones in
    another order are equal. If the log was read in strata (periods, sites), ``strata`` names them, and variant ``i`` is that of
    stratum ``stratum[i]``: a sequence that two strata have is in both. ``by`` is the column or period by which they were read.

    ``uses`` holds how labels are used (:class:`Uses`), None if that is not known.

    >>> from actalike import EventLog
    >>> variants = EventLog.from_traces([["a", "b"], ["a"], ["a", "b"]]).variants
    >>> variants.codes.tolist(), variants.offsets.tolist(), variants.weights.tolist()
    ([0, 1, 0], [0, 2, 3], [2, 1])
    >>> variants + variants
    Variants(6 cases, 10 events, 2 activities, 2 variants)
    """

    def __init__(
        self,
        activities: Sequence[str],
        codes: NDArray[np.int32],
        offsets: NDArray[np.int64],
        weights: NDArray[np.int64],
        uses: Uses | Callable[[], Uses] | None = None,
        strata: Sequence[str] = (),
        stratum: NDArray[np.int32] | None = None,
        reading: Reading | None = None,
        by: str | None = None,
    ) -> None:
        """Build variants from codes, variant by variant. ``uses`` may be a function that computes the tables when asked."""
        self.activities = list(activities)
        self.codes, self.offsets, self.weights = codes, offsets, weights
        self.strata = list(strata)
        self.stratum = np.zeros(len(weights), dtype=np.int32) if stratum is None else stratum
        self.reading = reading  # how the events were understood, if they were read
        self.by = by
        self._uses = uses

    @classmethod
    def of_cases(cls, activities: list[str], codes: NDArray[np.int32], offsets: NDArray[np.int64]) -> "Variants":
        """Find the variants of cases, given as positions in ``activities``, case by case."""
        first_cases, weights = count_equal_cases(codes, offsets, len(activities))
        return cls(activities, *some_cases(codes, offsets, first_cases), weights)

    @property
    def uses(self) -> Uses | None:
        """Return how the labels are used, None if that is not known."""
        if callable(self._uses):
            self._uses = self._uses()
        return self._uses

    @property
    def variants(self) -> "Variants":
        """Return these variants: what is computed from those of an EventLog takes either."""
        return self

    @property
    def names(self) -> dict[str, str]:
        """Return the second names of labels, which only an EventLog has."""
        return {}

    @property
    def frame_kind(self) -> FrameKind:
        """Return the kind of frames in which results come back."""
        return "polars" if self.reading is None else self.reading.frame_kind

    @property
    def n_variants(self) -> int:
        """Return the number of variants."""
        return len(self.weights)

    @cached_property
    def n_cases(self) -> int:
        """Return the number of cases."""
        return int(self.weights.sum())

    @cached_property
    def n_events(self) -> int:
        """Return the number of events of all cases."""
        return int(self.weights @ self.lengths)

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return the number of events in a case of each variant."""
        return np.diff(self.offsets)

    @property
    def variant_of_event(self) -> NDArray[np.int64]:
        """Return for each of ``codes`` the variant that it belongs to."""
        return np.repeat(np.arange(self.n_variants), self.lengths)

    @cached_property
    def activity_counts(self) -> NDArray[np.int64]:
        """Return how many events each activity has in all cases.

        >>> Variants(["a", "b"], np.array([0, 1, 0]), np.array([0, 3]), np.array([5])).activity_counts.tolist()
        [10, 5]
        """
        return sum_groups(self.weights[self.variant_of_event], self.codes, len(self.activities))

    @cached_property
    def activity_cases(self) -> NDArray[np.int64]:
        """Return in how many cases each activity occurs.

        >>> Variants(["a", "b"], np.array([0, 1, 0]), np.array([0, 3]), np.array([5])).activity_cases.tolist()
        [5, 5]
        """
        # numpy's unique takes ten times as long
        pairs = np.sort(self.codes.astype(np.int64) * self.n_variants + self.variant_of_event)
        distinct = pairs[np.append(True, pairs[1:] != pairs[:-1])]
        activity, variant = np.divmod(distinct, self.n_variants)
        return sum_groups(self.weights[variant], activity, len(self.activities))

    @cached_property
    def digest(self) -> str:
        """Return a fingerprint of the variants and their numbers of cases, in any order."""
        digest = hashlib.sha256()
        for label in self.activities:
            encoded = label.encode("utf-8", "surrogatepass")
            digest.update(len(encoded).to_bytes(8, "little") + encoded)
        found = self.in_order
        for array in (found.codes, found.offsets, found.weights, found.stratum):
            digest.update(array.astype("<i8").tobytes())
        return digest.hexdigest()

    def statistics(self) -> dict[str, float]:
        """Return the usual figures of a log: counts, variants per case, lengths of cases.

        >>> Variants(["a"], np.array([0, 0, 0]), np.array([0, 1, 3]), np.array([3, 1])).statistics()["mean_length"]
        1.25
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

    def traces(self) -> list[list[str]]:
        """Return each variant as a list of labels."""
        labels = [self.activities[code] for code in self.codes.tolist()]
        return [labels[start:end] for start, end in itertools.pairwise(self.offsets.tolist())]

    def part(self, stratum: str) -> "Variants":
        """Return the variants of one stratum, without strata.

        >>> both = Variants(["a"], np.array([0, 0]), np.array([0, 1, 2]), np.array([3, 4]), None, ["x", "y"], np.array([0, 1]))
        >>> both.part("y")
        Variants(4 cases, 4 events, 1 activity, 1 variant)
        """
        return self.parts([stratum])

    def parts(self, strata: Sequence[str]) -> "Variants":
        """Return the variants of some strata together, without strata."""
        for stratum in strata:
            if stratum not in self.strata:
                raise ActalikeError(f"The variants have no stratum {stratum!r}; theirs are: {', '.join(map(repr, self.strata))}.")
        numbers = [self.strata.index(stratum) for stratum in strata]
        chosen = np.flatnonzero(np.isin(self.stratum, numbers))
        codes, offsets = some_cases(self.codes, self.offsets, chosen)

        def of_strata(table: UseTable | None) -> UseTable | None:
            if table is None:
                return None
            rows = np.isin(table.keys[:, 0], numbers)
            return UseTable(table.keys[rows], table.counts[rows])

        uses = _map_tables(self.uses, of_strata)
        some = Variants(
            self.activities, codes, offsets, self.weights[chosen], uses, self.strata, self.stratum[chosen], self.reading
        )
        return occurring(some.whole())

    def whole(self) -> "Variants":
        """Return the variants of all strata together, without strata."""
        if not self.strata:
            return self

        def together(table: UseTable | None) -> UseTable | None:
            return None if table is None else UseTable.summed(list((table.keys * np.array([0, 1, 1])).T), list(table.counts.T))

        table = Variants(self.activities, self.codes, self.offsets, self.weights, _map_tables(self.uses, together))
        table.reading = self.reading
        return merged(table)

    def relabel(self, rename: Callable[[str], str], keep_uses: bool = False) -> "Variants":
        """Return the same variants with every activity renamed; activities that get the same name become one.

        How merged labels are used does not follow from how each of them is, so it is not known (``uses`` is None). For labels
        that are hardly ever in one case, ``keep_uses`` adds it up: a case that has two of them counts twice by day.

        >>> variants = Variants(["a", "b"], np.array([0, 1], dtype=np.int32), np.arange(3), np.array([2, 3]))
        >>> variants.relabel(lambda label: "x")
        Variants(5 cases, 5 events, 1 activity, 1 variant)
        """
        labels = [rename(label) for label in self.activities]
        activities = sorted(set(labels))
        place = {label: i for i, label in enumerate(activities)}
        codes = np.array([place[label] for label in labels], dtype=np.int32)[self.codes]
        uses = _relabelled(self.uses, labels, activities) if keep_uses and self.uses is not None else None
        return merged(
            Variants(activities, codes, self.offsets, self.weights, uses, self.strata, self.stratum, self.reading, self.by)
        )

    def __add__(self, other: "Variants") -> "Variants":
        if not isinstance(other, Variants):
            return NotImplemented
        if bool(self.strata) != bool(other.strata):
            raise ActalikeError("Variants in strata and variants without do not add: take .whole() of those that have strata.")
        if None not in (self.by, other.by) and self.by != other.by:
            raise ActalikeError(
                f"Variants by {self.by!r} and by {other.by!r} do not add: read both by the same column or period."
            )
        activities = sorted({*self.activities, *other.activities})
        strata = sorted({*self.strata, *other.strata})
        ours, theirs = (recoded(one, activities, strata) for one in (self, other))
        return joined([ours, theirs])

    def __radd__(self, other: object) -> "Variants":
        if other == 0:  # the start value of sum()
            return self
        return NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Variants):
            return NotImplemented
        if self.activities != other.activities or self.strata != other.strata:
            return False
        ours, theirs = self.in_order, other.in_order
        arrays = ("codes", "offsets", "weights", "stratum")
        same = all(np.array_equal(getattr(ours, name), getattr(theirs, name)) for name in arrays)
        return same and _same_uses(ours.uses, theirs.uses)

    __hash__ = None  # type: ignore[assignment]  # compared by content

    @cached_property
    def in_order(self) -> "Variants":
        """Return the same variants in the order of their strata and codes: what draws at random needs one order."""
        import polars as pl  # here: few variants are compared or saved, and Polars takes time to load

        ended = np.insert(self.codes, self.offsets[1:], -1)  # so that every variant has a row, and shorter ones come first
        rows = pl.DataFrame({"variant": np.repeat(np.arange(self.n_variants), self.lengths + 1), "codes": ended})
        frame = rows.group_by("variant", maintain_order=True).agg("codes").with_columns(stratum=pl.Series(self.stratum))
        order = frame.sort("stratum", "codes")["variant"].to_numpy()
        codes, offsets = some_cases(self.codes, self.offsets, order)
        return Variants(
            self.activities,
            codes,
            offsets,
            self.weights[order],
            self._uses,
            self.strata,
            self.stratum[order],
            self.reading,
            self.by,
        )

    def to_frame(self) -> "pl.DataFrame":
        """Return a row for each variant, the most frequent first: its labels and the number of its cases.

        >>> from actalike import EventLog
        >>> EventLog.from_traces([["a", "b"], ["a"], ["a", "b"]]).variants.to_frame().rows()
        [(['a', 'b'], 2), (['a'], 1)]
        """
        import polars as pl

        found = self.in_order
        strata = {"stratum": pl.Series([found.strata[i] for i in found.stratum.tolist()], dtype=pl.String)} if self.strata else {}
        columns = {**strata, "variant": pl.Series(found.traces(), dtype=pl.List(pl.String)), "cases": found.weights}
        return pl.DataFrame(columns).sort("cases", descending=True, maintain_order=True)

    def save(self, path: str | Path) -> None:
        """Save the variants and how their labels are used as a ``.actalike`` file; :func:`actalike.load` opens it.

        The file names no cases, but rare variants and the values of attributes can be personal data.
        """
        found, uses = self.in_order, self.uses
        tables = {} if uses is None else {"days": uses.days, "instants": uses.instants}
        values = {} if uses is None else uses.values
        tables |= {f"value{place}": table for place, (_, table) in enumerate(values.values())}
        arrays: dict[str, NDArray[Any]] = {"codes": found.codes, "lengths": found.lengths, "weights": found.weights}
        if self.strata:
            arrays["stratum"] = found.stratum
        for name, table in tables.items():
            if table is not None:
                arrays |= {f"{name}_keys": table.keys, f"{name}_counts": table.counts}
        listed = [{"name": name, "values": texts} for name, (texts, _) in values.items()]
        header = {"activities": self.activities, "strata": self.strata, "values": listed, "uses": uses is not None}
        header |= {} if self.by is None else {"by": self.by}
        write_file(path, "variants", header, arrays, lambda file: file.header(_VariantsHeader))

    @classmethod
    def from_file(cls, file: StoredFile) -> "Variants":
        """Take variants from a saved file, or raise an error if its parts contradict each other."""
        header = file.header(_VariantsHeader)
        names = ["days", "instants", *(f"value{place}" for place in range(len(header.values)))]
        file.check_names(["codes", "lengths", "weights", "stratum", *(f"{name}_{part}" for name in names for part in _TABLE)])
        codes, lengths = file.array("codes", np.int32, 1), file.array("lengths", np.int64, 1)
        weights = file.array("weights", np.int64, 1)
        stratum = file.array("stratum", np.int32, 1) if header.strata else np.zeros(len(weights), dtype=np.int32)
        problem = _contradiction(header, codes, lengths, weights, stratum)
        if problem is None:
            found = cls(
                header.activities, codes, np.append(0, np.cumsum(lengths)), weights, None, header.strata, stratum, by=header.by
            )
            n_merged = merged(found).n_variants
            if n_merged < found.n_variants:
                problem = "a variant is there twice"
            elif not found.activity_counts.all():
                problem = "an activity does not occur"
        if problem:
            raise file.unsound(problem)
        if header.uses:
            limits = {"days": _MOST_DAYS, "instants": len(header.activities)}
            days, instants = (_stored_table(file, name, header, limits[name]) for name in ("days", "instants"))
            values = {}
            for place, stored in enumerate(header.values):
                table = _stored_table(file, f"value{place}", header, len(stored.values))
                if table is None or len(set(stored.values)) < len(stored.values):
                    raise file.unsound(f"the values of {stored.name[:40]!r} are missing, or one is there twice")
                values[stored.name] = stored.values, table
            found._uses = Uses(days, instants, values)
        return found

    def __repr__(self) -> str:
        parts = [(self.n_cases, "case"), (self.n_events, "event"), (self.n_variants, "variant")]
        cases, events, variants = (counted(number, noun) for number, noun in parts)
        activities = counted(len(self.activities), "activity", "activities")
        strata = f", {counted(len(self.strata), 'stratum', 'strata')}" if self.strata else ""
        return f"Variants({cases}, {events}, {activities}, {variants}{strata})"


_TABLE = ("keys", "counts")  # the parts of a use table in a file


def use_tables(
    codes: NDArray[np.int32],
    offsets: NDArray[np.int64],
    times: NDArray[np.datetime64] | None,
    values: Mapping[str, tuple[list[str], NDArray[np.int32]]],
    stratum: NDArray[np.int32] | None = None,
) -> Uses:
    """Return how labels are used in cases, in the strata of the cases. The code of a value that is missing is -1."""
    case = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    of_event = np.zeros(len(codes), dtype=np.int32) if stratum is None else stratum[case]
    tables = {}
    for name, (texts, numbers) in values.items():
        known = numbers >= 0
        ones = np.ones(int(known.sum()), dtype=np.int64)
        tables[name] = texts, UseTable.summed([of_event[known], codes[known], numbers[known]], [ones])
    if times is None:
        return Uses(None, None, tables)
    dated = np.flatnonzero(~np.isnat(times))
    case, code, moment, of_event = case[dated], codes[dated].astype(np.int64), times[dated].astype(np.int64), of_event[dated]
    order = np.lexsort((moment, code, case))
    is_first = np.append(True, (np.diff(case[order]) != 0) | (np.diff(code[order]) != 0))[: len(order)]
    first = order[is_first]
    days = UseTable.summed([of_event[first], code[first], moment[first] // _DAY], [np.ones(len(first), dtype=np.int64)])
    order = np.lexsort((code, moment, case))
    case, moment, code, of_event = case[order], moment[order], code[order], of_event[order]
    is_new = np.append(True, (np.diff(case) != 0) | (np.diff(moment) != 0))[: len(code)]
    bounds = np.append(np.flatnonzero(is_new), len(code))
    first_equal = Variants(
        [], code.astype(np.int32), bounds, np.ones(len(bounds) - 1, dtype=np.int64), None, [""], of_event[is_new]
    )
    instants = merged(first_equal)
    return Uses(days, pairs_at_instants(instants.codes, instants.offsets, instants.weights, instants.stratum), tables)


_DAY = 86_400_000_000  # in microseconds


def pairs_at_instants(
    codes: NDArray[np.int32], offsets: NDArray[np.int64], weights: NDArray[np.int64], stratum: NDArray[np.int32]
) -> UseTable:
    """Return the table of instants (:class:`Uses`), given the sorted activities of distinct instants and how often these are."""
    instant = np.repeat(np.arange(len(weights)), np.diff(offsets))
    is_new = np.append(True, (np.diff(instant) != 0) | (np.diff(codes) != 0))[: len(codes)]
    starts = np.flatnonzero(is_new)
    activity, instant = codes[starts].astype(np.int64), instant[starts]
    events = np.diff(np.append(starts, len(codes)))  # of each activity at each instant
    bounds = np.searchsorted(instant, np.arange(len(weights) + 1))
    tables = []
    for first, end in case_blocks(bounds, _PAIRS_AT_A_TIME):
        start, stop = bounds[first], bounds[end]
        later = bounds[instant[start:stop] + 1] - np.arange(start, stop)  # activities of the instant, from this one on
        one = np.repeat(np.arange(start, stop), later)
        other = one + np.arange(len(one)) - np.repeat(np.cumsum(later) - later, later)
        of_same = one == other
        times = weights[instant[one]]
        pairs = np.where(of_same, events[one] * (events[one] - 1) // 2, events[one] * events[other])
        keys = [stratum[instant[one]], activity[one], activity[other]]
        tables.append(UseTable.summed(keys, [pairs * times, times]))
    if not tables:
        return UseTable(np.zeros((0, 3), dtype=np.int64), np.zeros((0, 2), dtype=np.int64))
    return _sum_tables(tables)


_PAIRS_AT_A_TIME = 1 << 16  # activities of instants: their pairs are more


def _sum_tables(tables: Sequence[UseTable]) -> UseTable:
    keys, counts = (np.concatenate([table[place] for table in tables]) for place in (0, 1))
    return UseTable.summed(list(keys.T), list(counts.T))


def _map_tables(uses: Uses | None, change: Callable[[UseTable | None], UseTable | None]) -> Uses | None:
    if uses is None:
        return None
    values = {name: (texts, table) for name, (texts, given) in uses.values.items() if (table := change(given)) is not None}
    return Uses(change(uses.days), change(uses.instants), values)


def _same_uses(ours: Uses | None, theirs: Uses | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    tables = [(ours.days, theirs.days), (ours.instants, theirs.instants)]
    if {name: texts for name, (texts, _) in ours.values.items()} != {name: texts for name, (texts, _) in theirs.values.items()}:
        return False
    tables += [(table, theirs.values[name][1]) for name, (_, table) in ours.values.items()]
    return all(a is b if a is None or b is None else a.same_as(b) for a, b in tables)


def _added(ours: Uses | None, theirs: Uses | None) -> Uses | None:
    """Add use tables of the same activities and strata; what one of the two lacks is not known of both."""
    if ours is None or theirs is None:
        return None
    days, instants = (
        None if a is None or b is None else _sum_tables([a, b])
        for a, b in ((ours.days, theirs.days), (ours.instants, theirs.instants))
    )
    values = {}
    for name in ours.values:
        if name not in theirs.values:
            continue
        texts = sorted({*ours.values[name][0], *theirs.values[name][0]})
        tables = [_renumbered(table, 2, known, texts) for known, table in (ours.values[name], theirs.values[name])]
        values[name] = texts, _sum_tables(tables)
    return Uses(days, instants, values)


def _renumbered(table: UseTable, column: int, before: Sequence[str], after: Sequence[str]) -> UseTable:
    """Return a table in which a column of the keys holds positions in other texts."""
    if list(before) == list(after):
        return table
    place = {text: i for i, text in enumerate(after)}
    keys = table.keys.copy()
    keys[:, column] = np.array([place[text] for text in before], dtype=np.int64)[keys[:, column]]
    return UseTable.summed(list(keys.T), list(table.counts.T))


def _relabelled(uses: Uses, before: Sequence[str], after: Sequence[str]) -> Uses:
    """Return tables in which labels are positions in other texts; labels with the same text are added up."""
    if list(before) == list(after):
        return uses
    place = {text: i for i, text in enumerate(after)}
    places = np.array([place[text] for text in before], dtype=np.int64)

    def relabelled(table: UseTable, n_labels: int = 1) -> UseTable:
        keys = table.keys.copy()
        keys[:, 1 : 1 + n_labels] = np.sort(places[keys[:, 1 : 1 + n_labels]], axis=1)  # the other one may now come first
        return UseTable.summed(list(keys.T), list(table.counts.T))

    return Uses(
        None if uses.days is None else relabelled(uses.days),
        None if uses.instants is None else relabelled(uses.instants, 2),
        {name: (texts, relabelled(table)) for name, (texts, table) in uses.values.items()},
    )


def recoded(variants: Variants, activities: Sequence[str], strata: Sequence[str]) -> Variants:
    """Return variants whose codes are positions in other activities and strata, which include their own."""
    known = variants.strata or list(strata)[:1]
    place = {label: i for i, label in enumerate(activities)}
    places = np.array([place[label] for label in variants.activities], dtype=np.int64)

    def of_strata(table: UseTable | None) -> UseTable | None:
        return None if table is None else _renumbered(table, 0, known, strata)

    uses = None if variants.uses is None else _relabelled(variants.uses, variants.activities, activities)
    if uses is not None:
        in_order = {
            name: (sorted(texts), _renumbered(table, 2, texts, sorted(texts))) for name, (texts, table) in uses.values.items()
        }
        uses = uses._replace(values=in_order)
    codes = places.astype(np.int32)[variants.codes]
    stratum = variants.stratum
    if variants.strata:
        stratum = np.array([strata.index(name) for name in variants.strata], dtype=np.int32)[stratum]
    return Variants(
        activities,
        codes,
        variants.offsets,
        variants.weights,
        _map_tables(uses, of_strata),
        strata,
        stratum,
        variants.reading,
        variants.by,
    )


def joined(parts: Sequence[Variants]) -> Variants:
    """Add variants whose codes are positions in the same activities and strata."""
    first = parts[0]
    if len(parts) == 1:
        return first
    lengths = np.concatenate([part.lengths for part in parts])
    uses = first.uses
    for part in parts[1:]:
        uses = _added(uses, part.uses)
    total = Variants(
        first.activities,
        np.concatenate([part.codes for part in parts]),
        np.append(0, np.cumsum(lengths)),
        np.concatenate([part.weights for part in parts]),
        uses,
        first.strata,
        np.concatenate([part.stratum for part in parts]),
        by=next((part.by for part in parts if part.by is not None), None),
    )
    return merged(total)


def merged(variants: Variants) -> Variants:
    """Return the same variants with each sequence of a stratum once, in the order of the first ones."""
    codes, offsets = variants.codes, variants.offsets
    if variants.strata:  # the stratum is one more symbol before each sequence
        codes = np.insert(codes, offsets[:-1], -1 - variants.stratum)
        offsets = offsets + np.arange(len(offsets))
    equal = first_equal_cases(codes, offsets)
    weights = sum_groups(variants.weights, equal, len(equal))
    first = np.flatnonzero(weights)
    codes, offsets = some_cases(variants.codes, variants.offsets, first)
    stratum = variants.stratum[first]
    return Variants(
        variants.activities,
        codes,
        offsets,
        weights[first],
        variants._uses,
        variants.strata,
        stratum,
        variants.reading,
        variants.by,
    )


def occurring(variants: Variants) -> Variants:
    """Return variants without the activities that do not occur."""
    occurs = variants.activity_counts > 0
    if occurs.all():
        return variants
    activities = [label for label, is_used in zip(variants.activities, occurs.tolist(), strict=True) if is_used]
    place = np.cumsum(occurs) - 1

    def recoded(table: UseTable | None, columns: Sequence[int]) -> UseTable | None:
        if table is None:
            return None
        keys = table.keys.copy()
        keys[:, columns] = place[keys[:, columns]]
        return UseTable(keys, table.counts)

    uses = variants.uses
    if uses is not None:
        values = {}
        for name, (texts, table) in uses.values.items():
            values[name] = texts, UseTable(recoded(table, [1]).keys, table.counts)  # type: ignore[union-attr]
        uses = Uses(recoded(uses.days, [1]), recoded(uses.instants, [1, 2]), values)
    codes = place.astype(np.int32)[variants.codes]
    return Variants(
        activities, codes, variants.offsets, variants.weights, uses, variants.strata, variants.stratum, variants.reading
    )


def _contradiction(
    header: _VariantsHeader,
    codes: NDArray[np.int32],
    lengths: NDArray[np.int64],
    weights: NDArray[np.int64],
    stratum: NDArray[np.int32],
) -> str | None:
    """Return what the parts of a file contradict; None if nothing."""
    for name, texts in (("activities", header.activities), ("strata", header.strata)):
        if not all(a < b for a, b in itertools.pairwise(texts)):
            return f"its {name} are not sorted, or one is there twice"
    if not len(lengths) == len(weights) == len(stratum) or not len(lengths) or not len(codes):
        return f"it has {len(lengths):,} lengths, {len(weights):,} weights and {len(codes):,} events"
    if lengths.min() < 0 or lengths.astype(np.float64).sum() != len(codes):
        return "the lengths of its variants do not fit their events"
    if weights.min() < 1 or (weights * np.maximum(lengths, 1).astype(np.float64)).sum() >= 2**53:
        return "a weight is less than 1, or there are more than 2^53 cases or events"
    if codes.min() < 0 or codes.max() >= len(header.activities):
        return "a variant holds what is not one of the activities"
    n_strata = len(header.strata)
    if stratum.min() < 0 or stratum.max() >= max(n_strata, 1) or len(np.unique(stratum)) < n_strata:
        return "a variant is in no stratum, or a stratum has none"
    return None


def _stored_table(file: StoredFile, name: str, header: _VariantsHeader, limit: int) -> UseTable | None:
    """Return a use table of a file, whose third key is below ``limit``; None if the file has none of this name."""
    if f"{name}_keys" not in file.arrays:
        return None
    keys, counts = file.array(f"{name}_keys", np.int64, 2), file.array(f"{name}_counts", np.int64, 2)
    if keys.shape[1] != 3 or counts.shape != (len(keys), 2 if name == "instants" else 1):
        raise file.unsound(f"the table {name!r} has another shape")
    highest = np.array([max(len(header.strata), 1), len(header.activities), limit])
    lowest = np.array([0, 0, -limit if name == "days" else 0])
    if len(keys) and ((keys < lowest).any() or (keys >= highest).any() or counts.min() < 0 or counts.max() >= 2**53):
        raise file.unsound(f"the table {name!r} has keys or counts out of bounds")
    if not UseTable.summed(list(keys.T), list(counts.T)).same_as(UseTable(keys, counts)):
        raise file.unsound(f"the table {name!r} is not sorted, or has a row twice")
    return UseTable(keys, counts)


def count_equal_cases(
    codes: NDArray[np.int32], offsets: NDArray[np.int64], n_activities: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for each variant its first case and its number of cases.

    >>> first, counts = count_equal_cases(np.array([0, 1, 0, 0, 1], dtype=np.int32), np.array([0, 2, 3, 5]), 2)
    >>> first.tolist(), counts.tolist()
    ([0, 1], [2, 1])
    """
    if n_activities > _MOST_PACKED or len(codes) > _IN_WORD * (len(offsets) - 1):
        counts = np.bincount(first_equal_cases(codes, offsets), minlength=len(offsets) - 1)
        first = np.flatnonzero(counts)
        return first, counts[first]
    words, is_long = _pack_cases(codes, offsets)
    first, counts = _count_words(words)
    if is_long[first[-1]]:  # its word is all ones, the last in order
        long = np.flatnonzero(is_long)
        first_long, counts_long = count_equal_cases(*some_cases(codes, offsets, long), n_activities)
        first, counts = np.append(first[:-1], long[first_long]), np.append(counts[:-1], counts_long)
    order = np.argsort(first)
    return first[order], counts[order]


def first_equal_cases(codes: NDArray[np.int32], offsets: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return for each case the first case with the same activities.

    Equal cases are found by hashes and then compared event by event, so the result is exact. If hashes collide, the search
    only takes longer.

    >>> first_equal_cases(np.array([0, 1, 0, 0, 1], dtype=np.int32), np.array([0, 2, 3, 5])).tolist()
    [0, 1, 0]
    """
    n_cases = len(offsets) - 1
    if not n_cases:
        return np.zeros(0, dtype=np.int64)
    for multiplier in _MULTIPLIERS:
        # only the first bits of the hash are used: sorting packs the case's index beside them
        order, first = sort_with_places(_hashes(codes, offsets, multiplier) >> n_cases.bit_length())
        first_equal = np.empty(n_cases, dtype=np.int64)
        first_equal[order] = order[first][np.cumsum(first) - 1]
        if _have_same_activities(codes, offsets, first_equal):
            return first_equal
    known: dict[bytes, int] = {}
    cases = enumerate(itertools.pairwise(offsets.tolist()))
    return np.array([known.setdefault(codes[start:end].tobytes(), case) for case, (start, end) in cases])


def some_cases(
    codes: NDArray[np.int32], offsets: NDArray[np.int64], cases: NDArray[np.int64]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the codes of some cases, one case after the other, and their offsets.

    >>> codes, bounds = some_cases(np.array([0, 1, 2, 3]), np.array([0, 2, 3, 4]), np.array([0, 2]))
    >>> codes.tolist(), bounds.tolist()
    ([0, 1, 3], [0, 2, 3])
    """
    starts = offsets[cases]
    lengths = offsets[cases + 1] - starts
    bounds = np.concatenate([[0], np.cumsum(lengths)])
    return codes[np.repeat(starts - bounds[:-1], lengths) + np.arange(bounds[-1])], bounds


def case_blocks(offsets: NDArray[np.int64], events: int) -> Iterator[tuple[int, int]]:
    """Split cases into blocks of about ``events`` events; return the first case of each block and the one after its last.

    >>> list(case_blocks(np.array([0, 3, 5, 9, 9]), 4))
    [(0, 2), (2, 3), (3, 4)]
    """
    starts = np.searchsorted(offsets, np.arange(0, offsets[-1], events))
    bounds = np.unique(np.append(starts, len(offsets) - 1)).tolist()
    return itertools.pairwise(bounds)


def _hashes(codes: NDArray[np.int32], offsets: NDArray[np.int64], multiplier: int) -> NDArray[np.int64]:
    """Return a hash below 2**62 for each case: the sum of ``code * multiplier**position`` modulo 2**64, its first 62 bits."""
    blocks = list(case_blocks(offsets, _EVENTS_AT_A_TIME))
    longest = max(int(offsets[end] - offsets[first]) for first, end in blocks)
    powers = _powers(multiplier, 1 << longest.bit_length())
    hashes = np.empty(len(offsets) - 1, dtype=np.uint64)
    for first, end in blocks:
        bounds = offsets[first : end + 1] - offsets[first]
        symbols = codes[offsets[first] : offsets[end]]
        running = np.zeros(len(symbols) + 1, dtype=np.uint64)
        np.cumsum(powers[: len(symbols)] * (symbols.astype(np.uint64) + np.uint64(1)), out=running[1:])
        at_bounds = running[bounds]
        # multiplied so that the hash does not depend on where in the block the case starts
        hashes[first:end] = (at_bounds[1:] - at_bounds[:-1]) * powers[longest - bounds[:-1]]
    return (hashes >> np.uint64(2)).astype(np.int64)


def _have_same_activities(codes: NDArray[np.int32], offsets: NDArray[np.int64], others: NDArray[np.int64]) -> bool:
    """Return whether every case ``i`` has the same activities as case ``others[i]``."""
    lengths = np.diff(offsets)
    if not np.array_equal(lengths, lengths[others]):
        return False
    distance = offsets[others] - offsets[:-1]
    for first, end in case_blocks(offsets, _EVENTS_AT_A_TIME):
        start, stop = offsets[first], offsets[end]
        other_event = np.repeat(distance[first:end], lengths[first:end])
        other_event += np.arange(start, stop)
        if not np.array_equal(codes[other_event], codes[start:stop]):
            return False
    return True


@lru_cache(maxsize=4)
def _powers(base: int, n: int) -> NDArray[np.uint64]:
    """Return the first ``n`` powers of a number, modulo 2**64."""
    powers = np.full(n, base, dtype=np.uint64)
    powers[0] = 1
    powers = np.multiply.accumulate(powers)
    powers.flags.writeable = False
    return powers


def _pack_cases(codes: NDArray[np.int32], offsets: NDArray[np.int64]) -> tuple[Words, NDArray[np.bool_]]:
    """Return a word for each case, and which cases are too long for one: their word is all ones, which no other case has.

    The lowest byte is the first activity, numbered from 1. The bytes after the end of the case are 0.

    >>> words, is_long = _pack_cases(np.array([0, 1, 0], dtype=np.int32), np.array([0, 2, 3]))
    >>> [hex(word) for word in words.tolist()], is_long.tolist()
    (['0x201', '0x1'], [False, False])
    """
    symbols = np.zeros(len(codes) + _IN_WORD, dtype=np.uint8)  # a word starts also after the last event, for an empty case
    symbols[: len(codes)] = codes
    symbols[: len(codes)] += 1
    words_at_events: Words = np.ndarray((len(codes) + 1,), "<u8", symbols, strides=(1,))
    lengths = np.diff(offsets)
    words: Words = np.empty(len(lengths), dtype=np.uint64)
    for first in range(0, len(lengths), _CASES_AT_A_TIME):
        starts = offsets[first : min(first + _CASES_AT_A_TIME, len(lengths))]
        in_block = words_at_events[starts[0] : starts[-1] + 1]  # take copies these, as they overlap
        in_block.take(starts - starts[0], out=words[first : first + _CASES_AT_A_TIME], mode="clip")
    used_bits = [(1 << 8 * n) - 1 for n in range(_IN_WORD + 1)]
    words &= np.array(used_bits, dtype=np.uint64).take(lengths, mode="clip")
    is_long = lengths > _IN_WORD
    words[is_long] = ~np.uint64(0)
    return words, is_long


def _count_words(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the first position of each distinct word, and how often it occurs.

    >>> first, counts = _count_words(np.array([7, 5, 7, 6], dtype=np.uint64))
    >>> first.tolist(), counts.tolist()
    ([1, 3, 0], [1, 1, 2])
    """
    ordered = np.sort(words)
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return _first_places(words, ordered[starts]), np.diff(np.append(starts, len(words)))


def _first_places(words: Words, distinct: Words) -> NDArray[np.int64]:
    """Return the position where each distinct word occurs first.

    A table holds for each hash the first word with it. Words that share their hash with a different word are sorted, which takes
    longer.
    """
    bits = len(words).bit_length()
    slots = _slots(words[::-1], bits)  # from the last to the first: of several with one hash, the first is assigned last
    first_in_slot = np.empty(1 << bits, dtype=np.int64)
    first_in_slot[slots] = np.arange(len(words) - 1, -1, -1)
    slots_of_distinct = _slots(distinct, bits)
    first = first_in_slot[slots_of_distinct]
    if len(set(slots_of_distinct.tolist())) < len(distinct):
        in_slot = np.bincount(slots_of_distinct, minlength=1 << bits)
        places = np.flatnonzero(in_slot[slots[::-1]] > 1)
        places = places[np.argsort(words[places], kind="stable")]
        is_first = np.append(True, words[places[1:]] != words[places[:-1]])
        first[in_slot[slots_of_distinct] > 1] = places[is_first]  # both are sorted by their words
    return first


def _slots(words: Words, bits: int) -> NDArray[np.int64]:
    """Return the first bits of the hash of each word."""
    return ((words * _WORD_MULTIPLIER) >> np.uint64(64 - bits)).view(np.int64)
