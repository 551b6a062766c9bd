"""The cases that a predictor knows, as variants: which sequences of activities there were, and how many cases had each.

With them labels that appear later can be compared with those that the predictor knows. They hold no case ids, times or people.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.log import EventLog
from actalike.support.memory import require_memory
from actalike.support.saved import StoredFile, are_within

NAMES = ("past_codes", "past_offsets", "past_cases")  # of the arrays in a file
_MOST_EVENTS = 2**53
_BYTES_OF_AN_EVENT = 200  # while labels are placed


class PastCases(NamedTuple):
    """Hold variants: ``codes[offsets[i]:offsets[i + 1]]`` are positions of activities, and ``cases[i]`` cases follow them."""

    codes: NDArray[np.int32]
    offsets: NDArray[np.int64]
    cases: NDArray[np.int64]

    @classmethod
    def of_log(cls, log: EventLog, activities: Sequence[str]) -> "PastCases":
        """Return the variants of a log. Cases that are empty, or have another label than ``activities``, are left out.

        >>> PastCases.of_log(EventLog.from_traces([["a", "b"], ["a", "b"], ["a", "x"]]), ["b", "a"])
        PastCases(codes=array([1, 0], dtype=int32), offsets=array([0, 2]), cases=array([2]))
        """
        position = {label: i for i, label in enumerate(activities)}
        codes = np.array([position.get(label, -1) for label in log.activities], dtype=np.int32)[log.variants.codes]
        lengths = np.diff(log.variants.offsets)
        variant = np.repeat(np.arange(len(lengths)), lengths)
        is_kept = (lengths > 0) & (np.bincount(variant[codes < 0], minlength=len(lengths)) == 0)
        offsets = np.concatenate([[0], np.cumsum(lengths[is_kept])])
        return cls(codes[is_kept[variant]], offsets, log.variants.weights[is_kept])

    def and_of(self, other: "PastCases") -> "PastCases":
        """Return the variants of both; those that both have are one."""
        variants: dict[bytes, int] = {}
        for part in (self, other):
            codes, bounds = part.codes.astype(np.int32), part.offsets.tolist()
            for i, cases in enumerate(part.cases.tolist()):
                variant = codes[bounds[i] : bounds[i + 1]].tobytes()
                variants[variant] = variants.get(variant, 0) + cases
        lengths = [len(variant) // 4 for variant in variants]
        codes = np.frombuffer(b"".join(variants), dtype=np.int32)
        return PastCases(codes, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), np.array([*variants.values()]))

    def log(self, activities: Sequence[str]) -> EventLog:
        """Return the cases as a log, those of one variant one after the other.

        >>> PastCases(np.array([1, 0]), np.array([0, 2]), np.array([2])).log(["b", "a"]).traces()
        [['a', 'b'], ['a', 'b']]
        """
        lengths = np.diff(self.offsets)
        n_events = float(lengths @ self.cases.astype(np.float64))
        require_memory(int(n_events) * _BYTES_OF_AN_EVENT, f"Comparing labels in {n_events:,.0f} events", "take a smaller log")
        of_cases = np.repeat(lengths, self.cases)
        offsets = np.concatenate([[0], np.cumsum(of_cases)])
        source = np.repeat(np.repeat(self.offsets[:-1], self.cases) - offsets[:-1], of_cases) + np.arange(offsets[-1])
        return EventLog(activities, self.codes[source], offsets, [str(i) for i in range(1, len(offsets))])

    def arrays(self) -> Mapping[str, NDArray[Any]]:
        """Return the arrays as a file has them."""
        return dict(zip(NAMES, self, strict=True))

    @classmethod
    def from_file(cls, file: StoredFile, n: int) -> "PastCases | None":
        """Return the variants of a file whose predictor knows n activities; None if it has none; unsound ones are an error."""
        present = [name for name in NAMES if name in file.arrays]
        if not present:
            return None
        if len(present) < len(NAMES):
            raise file.unsound("it has only a part of its past cases")
        codes, offsets, cases = (file.arrays[name] for name in NAMES)
        if any(array.ndim != 1 for array in (codes, offsets, cases)) or (codes.dtype, offsets.dtype, cases.dtype) != (
            np.dtype(np.int32),
            np.dtype(np.int64),
            np.dtype(np.int64),
        ):
            raise file.unsound("its past cases are no lists of whole numbers of the right size")
        if len(offsets) != len(cases) + 1 or not len(cases) or offsets[0] != 0 or offsets[-1] != len(codes):
            raise file.unsound("the past cases do not fit their events")
        if (np.diff(offsets) < 1).any() or not are_within(codes, 0, n - 1) or not are_within(cases, 1, _MOST_EVENTS):
            raise file.unsound("its past cases are out of bounds")
        if float(np.diff(offsets) @ cases.astype(np.float64)) > _MOST_EVENTS:
            raise file.unsound("its past cases have too many events")
        return cls(codes, offsets, cases)
