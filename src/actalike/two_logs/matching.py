"""Match the activities of two logs: which activity of one is which of the other, without trusting labels."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from actalike.errors import UnknownActivityError, did_you_mean
from actalike.io import LogLike, as_log
from actalike.labels import translation
from actalike.log import EventLog
from actalike.support.frames import as_kind
from actalike.two_logs.cross_kin import CrossKin, Floats, are_seldom, cross_kin, score_terms
from actalike.two_logs.known_pairs import check_apart, check_known
from actalike.two_logs.label_likeness import label_likeness
from actalike.two_logs.matching_card import matching_card, matching_summary
from actalike.two_logs.matching_data import MatchedPair, MatchReason, SideName, Split, Unmatched
from actalike.two_logs.matching_table import matching_frame, write_matching
from actalike.two_logs.partner_probabilities import PROPOSED, PartnerProbabilities, partner_probabilities
from actalike.two_logs.split_steps import SplitStep, all_splits

# the share of right ones among planted splits that are found with a right partner (docs/matching.md)
RIGHT_SPLITS = 0.98

_Pairs = tuple[NDArray[np.int64], NDArray[np.int64]]  # codes of a, and of their partners in b


class Matching:
    """Hold which activities of two logs are the same step. :func:`match` makes it.

    - ``pairs``: one to one, known pairs first, then the most likely first. Each is more likely the same step than not, or a part
      of a split step that is.
    - ``unmatched_a``, ``unmatched_b``: the other activities, with the probability that they have no partner. If that is low, an
      activity has a partner, but which one is not clear: see :meth:`candidates`.
    - ``splits``: steps that one log has under one label, and the other under several.
    """

    def __init__(
        self,
        log_a: EventLog,
        log_b: EventLog,
        known: Mapping[str, str],
        apart: frozenset[tuple[str, str]],
        kin: CrossKin,
        likely: PartnerProbabilities,
        use_labels: bool,
    ) -> None:
        """Choose the pairs that are likely, and those of split steps; :func:`match` computes what is given here."""
        self.activities_a, self.activities_b = list(log_a.activities), list(log_b.activities)
        self.log_a, self.log_b = log_a, log_b
        self.known, self.apart = dict(known), apart
        self.use_labels = use_labels
        self._kin = kin
        self._probabilities = likely.pairs
        assigned = _assigned(likely.pairs, kin.rounds.assigned)
        in_b, in_a = all_splits(log_a, log_b, likely, assigned)
        split = {*((split.one, split.partner) for split in in_b), *((split.partner, split.one) for split in in_a)}
        partners = {
            i: j for i, j in zip(*map(_as_list, assigned), strict=True) if likely.pairs[i, j] > PROPOSED or (i, j) in split
        }
        self.pairs = [
            MatchedPair(self.activities_a[i], self.activities_b[j], float(likely.pairs[i, j])) for i, j in partners.items()
        ]
        self.pairs.sort(key=lambda pair: (pair.a not in self.known, -pair.probability, pair.a))
        self.unmatched_a = _unmatched(self.activities_a, set(partners), likely.none_a)
        self.unmatched_b = _unmatched(self.activities_b, set(partners.values()), likely.none_b)
        self.splits = [
            *(self._split("a", split, self.activities_a, self.activities_b, likely.pairs) for split in in_b),
            *(self._split("b", split, self.activities_b, self.activities_a, likely.pairs.T) for split in in_a),
        ]

    @staticmethod
    def _split(side: SideName, split: SplitStep, own: list[str], other: list[str], likely: Floats) -> Split:
        parts = tuple(other[part] for part in (split.partner, *split.further))
        one_of_them = likely[split.one, [split.partner, *split.further]].sum()
        return Split(own[split.one], side, parts, float(one_of_them) * RIGHT_SPLITS)

    def scores(self) -> Floats:
        """Return the score of each pair: a row for each activity of a, a column for each of b."""
        return self._kin.rounds.scores

    def probabilities(self) -> Floats:
        """Return how likely each pair is the same step."""
        return self._probabilities

    def candidates(self, a: str, topn: int = 5) -> list[MatchedPair]:
        """Return the most likely partners of an activity of a."""
        row = self._probabilities[_code(self.activities_a, a, "first", self.activities_b)]
        best = np.argsort(-row, kind="stable")[:topn]
        return [MatchedPair(a, self.activities_b[j], float(row[j])) for j in best]

    def explain(self, a: str, b: str, topn: int = 10) -> list[MatchReason]:
        """Return the largest terms of the score of a pair, by offset and pair of neighbours; none if they have nothing in common.

        The shares of all terms sum to 1. Those at offset 0 may be negative.
        """
        i, j = _code(self.activities_a, a, "first", self.activities_b), _code(self.activities_b, b, "second", self.activities_a)
        labels_a, labels_b = [*self.activities_a, None], [*self.activities_b, None]
        terms = score_terms(self._kin, i, j)
        total = sum(of_offset.sum() for _, of_offset in terms)
        if total <= 0:
            return []
        reasons = [
            MatchReason(
                float(of_offset[x, y] / total),
                offset,
                labels_a[x],
                labels_b[y],
                seldom=not offset and are_seldom(self._kin, i, j, x, y),
            )
            for offset, of_offset in terms
            for x, y in zip(*_largest(of_offset, topn), strict=True)
        ]
        return sorted(reasons, key=lambda reason: -abs(reason.share))[:topn]

    def mapping(self) -> dict[str, str]:
        """Return the label of a for each matched label of b, to relabel b into a's language.

        A label without a partner keeps its name; it is marked with "(b)" if another label gets that name, or if it is certainly
        apart from the label of a that is called the same.
        """
        pairs = [(pair.a, pair.b) for pair in self.pairs]
        of_b = {pair.b for pair in self.pairs}
        parts = [(split.activity, part) for split in self.splits if split.side == "a" for part in split.parts if part not in of_b]
        return translation([*parts, *pairs], self.activities_b, {b for a, b in self.apart if a == b})

    def to_frame(self, kind: Literal["polars", "pandas", "pyarrow"] = "polars") -> Any:
        """Return a frame with a row for each pair, and for each label without a partner: what :meth:`to_csv` writes."""
        return as_kind(matching_frame(self), kind)

    def to_csv(self, path: str | Path) -> None:
        """Write a table to review, which relabels log b (:func:`actalike.read_mapping`) and has a column for known pairs."""
        write_matching(self, path)

    def __repr__(self) -> str:
        """Return how many labels are matched."""
        return matching_summary(self)

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return matching_card(self)


def match(
    log_a: LogLike,
    log_b: LogLike,
    known: Mapping[str, str] | Iterable[tuple[str, str]] | None = None,
    use_labels: bool = False,
    *,
    apart: Iterable[tuple[str, str]] = (),
) -> Matching:
    """Match the activities of two logs by the company they keep; labels are not looked at unless ``use_labels``.

    ``known`` are pairs that are certain: the label of b by the label of a, or a list of pairs. ``apart`` are pairs that are
    certainly not one step, the label of a first: they are not proposed, nor as parts of a split step.

    >>> a = EventLog.from_traces([["order", "pack", "send"], ["order", "cancel"]] * 9)
    >>> b = EventLog.from_traces([["1", "2", "3"], ["1", "4"]] * 9)
    >>> sorted(pair[:2] for pair in match(a, b).pairs)
    [('cancel', '4'), ('order', '1'), ('pack', '2'), ('send', '3')]
    """
    log_a, log_b = as_log(log_a, "match"), as_log(log_b, "match")
    known = check_known(known, log_a.activities, log_b.activities)
    not_one = check_apart(apart, known, log_a.activities, log_b.activities)
    codes = _codes(known.items(), log_a, log_b)
    is_apart = np.zeros((len(log_a.activities), len(log_b.activities)), dtype=bool)
    is_apart[tuple(_codes(not_one, log_a, log_b).T)] = True
    likeness = label_likeness(log_a.activities, log_b.activities, log_a.names, log_b.names) if use_labels else None
    kin = cross_kin(log_a, log_b, codes, likeness, is_apart)
    return Matching(log_a, log_b, known, not_one, kin, partner_probabilities(kin, codes, likeness), use_labels)


def _codes(pairs: Iterable[tuple[str, str]], log_a: EventLog, log_b: EventLog) -> NDArray[np.int64]:
    place_a, place_b = ({label: i for i, label in enumerate(log.activities)} for log in (log_a, log_b))
    return np.array([(place_a[a], place_b[b]) for a, b in pairs], dtype=np.int64).reshape(-1, 2)


def _assigned(likely: Floats, by_score: _Pairs) -> _Pairs:
    """Return the pairs that are more likely than not, then those of the best assignment by scores whose labels are free.

    No label is in two of the former, because the probabilities of its partners sum to 1 at most.
    """
    rows, columns = np.nonzero(likely > PROPOSED)
    is_free = ~(np.isin(by_score[0], rows) | np.isin(by_score[1], columns))
    return np.append(rows, by_score[0][is_free]), np.append(columns, by_score[1][is_free])


def _unmatched(activities: list[str], matched: set[int], none: Floats) -> list[Unmatched]:
    """Return the activities without a partner, those that most likely have none first."""
    rest = [Unmatched(label, float(none[i])) for i, label in enumerate(activities) if i not in matched]
    return sorted(rest, key=lambda unmatched: (-unmatched.probability, unmatched.activity))


def _as_list(codes: NDArray[np.int64]) -> list[int]:
    return list(codes.tolist())


def _largest(terms: Floats, topn: int) -> tuple[NDArray[np.intp], ...]:
    """Return the rows and columns of the largest terms, up or down."""
    if 0 < topn < len(terms):
        # the largest terms are in the rows with the largest maxima, so that of large logs only these rows are sorted
        largest = np.maximum(terms.max(axis=1), -terms.min(axis=1))
        rows = np.flatnonzero(largest >= np.partition(largest, -topn)[-topn])
    else:
        rows = np.arange(len(terms))
    sizes = np.abs(terms[rows]).ravel()
    # most terms are small: only the others are sorted
    least = np.partition(sizes, -topn)[-topn] if 0 < topn < len(sizes) else -1.0
    large = np.flatnonzero(sizes >= least)
    x, y = np.unravel_index(large[np.argsort(-sizes[large], kind="stable")][:topn], (len(rows), terms.shape[1]))
    return rows[x], y


def _code(activities: list[str], label: str, which: str, others: list[str]) -> int:
    try:
        return activities.index(label)
    except ValueError:
        turned = " The other log has it: the label of the first log comes first." if label in others else ""
        raise UnknownActivityError(
            f"The {which} log has no activity {label!r}.{turned or did_you_mean(label, activities)}"
        ) from None
