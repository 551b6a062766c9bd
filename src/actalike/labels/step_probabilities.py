"""Estimate for every two labels of a log the probability that they are one step, as a sum of weights of evidence.

    log-odds = (1 - r) prior + r (base + Σ points of behaviour) + points of text

r is the reliability of behaviour. If the rarer label is in m cases, it is 1 from 10 cases on, m / 10 from 5 cases on, and m / 20
below: such labels are too rare to judge, so their probability stays near the prior, unless the text speaks.
:mod:`actalike.labels.pair_evidence` has the figures, :mod:`actalike.labels.evidence_weights` the points.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows, log_or_variants
from actalike.embedding import ENOUGH_CASES
from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.io import LogLike
from actalike.labels.alike_families import alike_families, are_steps
from actalike.labels.evidence_weights import EvidenceWeights, shipped_weights
from actalike.labels.label_patterns import LabelFamily
from actalike.labels.label_text import MOST_OF_NUMBERS, MOST_OF_OTHERS, POLLUTED, polluted_families, text_similarity
from actalike.labels.opposites import opposite_pairs
from actalike.labels.pair_evidence import WINDOW, PairEvidence, pair_evidence, require_pairs
from actalike.labels.slips import slip_pairs
from actalike.log import AnyLog, CoOccurrence, Variants
from actalike.support.progress import tracked
from actalike.support.text import and_more, card, label_html

Floats = NDArray[np.float64]
ReasonKind = Literal["any pair", "neighbours", "company", "position", "cases", "rarity", "text", "opposites", "pattern"]

RELIABLE_CASES = 10  # of the rarer label: from here on, behaviour counts in full
_SHOWN = 10  # pairs in a notebook
MOST_MISSPELT = 0.02  # the events of a misspelt label, at most, for one of the label itself
_PIECES: dict[ReasonKind, tuple[str, ...]] = {  # which figures are told as one reason
    "neighbours": ("overlap", "overlap_rank", "context_rank", "long_context_rank"),
    "company": ("nearness", "nearer"),
    "position": ("position",),
    "cases": ("shared_cases", "attraction", "excess"),
    "rarity": ("cases",),
}


class Reason(NamedTuple):
    """Hold a reason and its part of the log-odds. All reasons of a pair sum to the log-odds of its probability.

    ``kind`` and the ``figure`` that a person can check in the log:

    - ``any pair``: what holds of any two labels before anything is known of them; no figure.
    - ``neighbours``: the share of direct neighbours in common; long contexts count as well.
    - ``company``: how near the two are by kin, in comparison with others; no figure.
    - ``position``: the share of positions in the case that they have in common.
    - ``cases``: the share of the cases of the rarer label that have both.
    - ``rarity``: in how many cases the rarer label occurs.
    - ``text``: how alike they are written, 0 to 1.
    - ``opposites``: their words say the opposite; no figure.
    - ``pattern``: they differ only in a number, an id, a date or a name, and behave alike; no figure.
    """

    kind: ReasonKind
    log_odds: float
    figure: float | None = None


class LikelyPair(NamedTuple):
    """Hold two labels, the probability that they are one step, and the share of direct neighbours that they have in common."""

    a: str
    b: str
    probability: float
    overlap: float


class SomeRows:
    """Hold some rows of a symmetric array of all pairs of labels; their cells are looked up as in the whole array.

    >>> rows = SomeRows(np.array([[0.1, 0.0, 0.3]]), [1])
    >>> float(rows[1, 0]), rows[[0, 1], [1, 2]].tolist()
    (0.1, [0.1, 0.3])
    """

    def __init__(self, values: NDArray[Any], rows: Sequence[int]) -> None:
        self.values = values
        self._place = np.full(values.shape[1], -1)
        self._place[list(rows)] = np.arange(len(rows))

    def __getitem__(self, cells: tuple[Any, Any]) -> Any:
        first, second = np.broadcast_arrays(*cells)
        is_row = self._place[first] >= 0
        row = np.where(is_row, self._place[first], self._place[second])
        assert (row >= 0).all(), "neither of two labels was compared with all"
        return self.values[row, np.where(is_row, second, first)]


@dataclass(frozen=True, repr=False)
class SameStep:
    """Hold for every two labels the probability that they are one step, and the reasons. Build it with :func:`same_step`.

    ``of`` are the positions of the labels that were compared with all others, if only some were: then all arrays of pairs are
    :class:`SomeRows`.
    """

    log: AnyLog
    figures: PairEvidence
    texts: Floats
    opposites: frozenset[tuple[int, int]]
    families: tuple[LabelFamily, ...]
    weights: EvidenceWeights
    of: tuple[int, ...] | None = None

    @property
    def activities(self) -> list[str]:
        """Return the labels in the order of the arrays."""
        return self.log.activities

    def probabilities(self) -> Floats:
        """Return the probability of every two labels: a symmetric array, 1 on the diagonal. It cannot be written to."""
        return self._probabilities

    def probability(self, a: str, b: str) -> float:
        """Return the probability that two labels are one step."""
        i, j = self._positions(a, b)
        return 1.0 if i == j else float(probability_of(self.log_odds[i, j]))

    def overlap(self, a: str, b: str) -> float:
        """Return the share of direct neighbours that two labels have in common, before and after, the smaller of the two."""
        i, j = self._positions(a, b)
        return 1.0 if i == j else float(self.figures.overlap[i, j])

    def most_likely(self, topn: int | None = 10, activity: str | None = None, *, min_cases: int = 1) -> list[LikelyPair]:
        """Return the most likely pairs, of all labels or with one of them, most likely first; equal ones by their labels.

        Labels in fewer cases than ``min_cases`` are left out.

        >>> from actalike import EventLog
        >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
        >>> [(pair.a, pair.b, pair.overlap) for pair in same_step(log).most_likely(topn=1)]
        [('a', 'b', 1.0)]
        """
        if topn is not None and topn < 0:
            raise ActalikeError(f"topn={topn} is less than 0.")
        labels = np.flatnonzero(self.log.activity_cases >= min_cases)
        if activity is None:
            rows, columns = (labels[places] for places in np.triu_indices(len(labels), 1))
        else:
            (place,) = self._positions(activity)
            columns = labels[labels != place]
            rows = np.full(len(columns), place)
        log_odds = self.log_odds[rows, columns]
        order = np.argsort(-log_odds.round(9), kind="stable")[:topn].tolist()
        return [
            LikelyPair(
                self.activities[rows[i]],
                self.activities[columns[i]],
                float(probability_of(log_odds[i])),
                float(self.figures.overlap[rows[i], columns[i]]),
            )
            for i in order
        ]

    def evidence(self, a: str, b: str) -> list[Reason]:
        """Return why two labels have their probability: reasons whose log-odds sum to it, those that weigh most first.

        >>> from actalike import EventLog
        >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
        >>> same = same_step(log)
        >>> total = sum(reason.log_odds for reason in same.evidence("a", "b"))
        >>> round(float(same.probability("a", "b") * (1 + np.exp(-total))), 9)
        1.0
        """
        i, j = self._positions(a, b)
        if i == j:
            raise ActalikeError(f"{a!r} is compared with itself: give two different activities.")
        return self.reasons([(i, j)])

    def reasons(self, pairs: Sequence[tuple[int, int]]) -> list[Reason]:
        """Return the mean reasons of some pairs, given by positions in ``activities``; figures are means too."""
        rows, columns = np.array(pairs, dtype=np.int64).T
        weights, reliability = self.weights, self._reliability[rows, columns]
        figures = PairEvidence(*(figure[rows, columns] for figure in self.figures))
        text = self.texts[rows, columns]
        reasons = [Reason("any pair", float(((1 - reliability) * weights.prior + reliability * weights.base).mean()))]
        rarer = np.rint(np.exp(figures.cases))  # whole numbers of cases again
        shared = np.rint(np.exp(figures.shared_cases) * (rarer + 1) - 0.5) + 0.0
        checked = {"neighbours": figures.overlap, "position": figures.position, "cases": shared / rarer, "rarity": rarer}
        for kind, names in _PIECES.items():
            points = sum(weights.behaviour[name].of(getattr(figures, name)) for name in names)
            figure = float(checked[kind].mean()) if kind in checked else None
            reasons.append(Reason(kind, float((reliability * points).mean()), figure))
        texts = [
            Reason("text", float(weights.text.of(text).mean()), float(text.mean())),
            Reason("opposites", weights.opposites * float(self._are_opposites[rows, columns].mean())),
            Reason("pattern", weights.pattern * float(self._of_one_family[rows, columns].mean())),
        ]
        reasons += [reason for reason in texts if reason.log_odds]
        return [reasons[0], *sorted(reasons[1:], key=lambda reason: -abs(reason.log_odds))]

    @cached_property
    def log_odds(self) -> Floats:
        """Return ln(p / (1 - p)) of every two labels."""
        weights, reliability = self.weights, _values(self._reliability)
        behaviour = self._behaviour(*PairEvidence._fields)
        odds = (1 - reliability) * weights.prior + reliability * (weights.base + behaviour) + self._text_points
        return self._both_ways(odds + weights.opposites * _values(self._are_opposites))

    @cached_property
    def log_odds_of_place(self) -> Floats:
        """Return the log-odds as if no two labels shared cases, were opposites or rare: whether they take the same place.

        Labels with high ones that are not one step are outcomes of one decision, steps that belong together, or too rare.
        """
        names = [name for name in PairEvidence._fields if name not in _PIECES["cases"]]
        apart = sum(max(self.weights.behaviour[name].points) for name in _PIECES["cases"])
        return self._both_ways(self.weights.base + self._behaviour(*names) + apart + self._text_points)

    @cached_property
    def _probabilities(self) -> Floats:
        probabilities = probability_of(_values(self.log_odds))
        probabilities[np.arange(len(probabilities)), self._rows] = 1.0
        probabilities.flags.writeable = False  # it is kept, and everybody gets the same one
        return self._as_pairs(probabilities)

    @property
    def _rows(self) -> NDArray[np.int64]:
        return np.arange(len(self.activities)) if self.of is None else np.array(self.of)

    def _as_pairs(self, rows: Any) -> Any:
        """Return the rows of an array of pairs as what cells are looked up in."""
        return rows if self.of is None else SomeRows(rows, self.of)

    def _both_ways(self, rows: Floats) -> Floats:
        return _both_ways(rows) if self.of is None else self._as_pairs(rows)

    def _behaviour(self, *names: str) -> Floats:
        points = np.zeros((len(self._rows), len(self.activities)))
        for name in names:
            points += self.weights.behaviour[name].of(_values(getattr(self.figures, name)))
        return points

    @cached_property
    def _reliability(self) -> Floats:
        cases = self.log.activity_cases
        share = np.minimum.outer(cases[self._rows], cases) / RELIABLE_CASES
        return self._as_pairs(np.where(share < ENOUGH_CASES / RELIABLE_CASES, share / 2, np.minimum(share, 1.0)))

    @property
    def _text_points(self) -> Floats:
        return self.weights.text.of(_values(self.texts)) + self.weights.pattern * _values(self._of_one_family)

    @cached_property
    def _are_opposites(self) -> NDArray[np.bool_]:
        mask = np.zeros((len(self.activities),) * 2, dtype=bool)
        for i, j in self.opposites:
            mask[i, j] = mask[j, i] = True
        return self._as_pairs(mask if self.of is None else mask[self._rows])

    @cached_property
    def _of_one_family(self) -> NDArray[np.bool_]:
        mask = np.zeros((len(self.activities),) * 2, dtype=bool)
        for family in self.families:
            mask[np.ix_(family.members, family.members)] = True
        return self._as_pairs(mask if self.of is None else mask[self._rows])

    def _positions(self, *labels: str) -> list[int]:
        return _positions(self._place, labels)

    def __repr__(self) -> str:
        n = len(self.activities)
        return f"SameStep({n:,} activities, {n * (n - 1) // 2:,} pairs, {self._n_likely:,} of them likely one step)"

    def _repr_html_(self) -> str:
        """Return what a notebook shows: how many pairs are likely one step, and the most likely ones."""
        n = len(self.activities)
        n_pairs = n * (n - 1) // 2
        pairs = self.most_likely(_SHOWN)
        rows = [
            (f"{label_html(pair.a)} and {label_html(pair.b)}", f"{100 * pair.probability:.0f} %", pair.probability)
            for pair in pairs
        ]
        facts = [("activities", f"{n:,}"), ("pairs", f"{n_pairs:,}"), ("likely one step", f"{self._n_likely:,}")]
        return card("Same step", facts, ("most likely", "probability"), rows, and_more(n_pairs - len(pairs), "pair", "pairs"))

    @property
    def _n_likely(self) -> int:
        return int(np.count_nonzero(np.triu(self.log_odds, 1) > 0))

    @cached_property
    def _place(self) -> dict[str, int]:
        return {label: i for i, label in enumerate(self.activities)}


def same_step(log: LogLike | Variants, *, counts: WindowCounts | None = None) -> SameStep:
    """Estimate for every two labels the probability that they are one step.

    ``log`` is an EventLog, Variants, a frame of events (pandas, Polars, pyarrow, ...), a table of an engine (DuckDB, Spark,
    Ibis), whose variants are read, or an event log of pm4py. If you have already counted its windows (of size 5 or more), pass
    the ``counts`` to save the work.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> same = same_step(log)
    >>> same.probability("a", "b") > 0.5 > same.probability("a", "c")
    True
    """
    log = log_or_variants(log, "same_step", attributes="people")
    return _compared(log, counts, None)


def same_step_of(log: AnyLog, labels: Sequence[str], *, counts: WindowCounts | None = None) -> SameStep:
    """Compare only these labels with all others, in less time and a fraction of the memory; the probabilities are the same.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> same_step_of(log, ["b"]).most_likely(1, "b") == same_step(log).most_likely(1, "b")
    True
    """
    places = _positions({label: i for i, label in enumerate(log.activities)}, labels)
    return _compared(log, counts, tuple(dict.fromkeys(places)))


def _compared(log: AnyLog, counts: WindowCounts | None, of: tuple[int, ...] | None) -> SameStep:
    require_pairs(len(log.activities), of is not None)  # before any work: the texts of many labels take minutes
    if counts is None:
        counts = count_windows(log, WINDOW)
    check_counts(log, counts)
    if counts.window < WINDOW:
        raise ActalikeError(f"The counts have windows of {counts.window}: count windows of {WINDOW} symbols or more.")
    with tracked("comparing labels", 4) as advance:
        opposites = frozenset((i, j) for i, j in opposite_pairs(log.activities).tolist())
        advance("opposites")
        texts = _texts(log)
        texts = texts if of is None else texts[list(of)]
        advance("texts")
        figures = pair_evidence(log, counts, of)
        advance("behaviour")
        families = tuple(alike_families(log, counts))
        advance("families")
    if of is not None:
        figures = PairEvidence(*(SomeRows(figure, of) for figure in figures))  # type: ignore[arg-type]
        texts = SomeRows(texts, of)  # type: ignore[assignment]
    return SameStep(log, figures, texts, opposites, families, shipped_weights(), of)


def same_behaviour(log: AnyLog, counts: WindowCounts) -> SameStep:
    """Compare labels by what they do alone; opposites still count. For labels that stand for several, whose texts say nothing."""
    opposites = frozenset((i, j) for i, j in opposite_pairs(log.activities).tolist())
    n = len(log.activities)
    return SameStep(log, pair_evidence(log, counts), np.zeros((n, n)), opposites, (), shipped_weights())


def check_counts(log: AnyLog, counts: WindowCounts) -> None:
    """Raise an error if counts are not those of a log."""
    if counts.activities != log.activities or counts.n_events != log.n_events:
        raise ActalikeError("The counts have other activities or events than the log: give the counts of this log.")


def _texts(log: AnyLog) -> Floats:
    """Return how alike labels are written, where the log does not speak against it.

    Slips of the keyboard are rare, so two frequent labels are none: *sin*, *sine*. What labels that come together in cases differ
    in is not an id that was appended (*10_UOV_030a*, *10_UOV_050a*), nor is it if all labels of the log differ so.
    """
    texts, slips, events = text_similarity(log.activities), slip_pairs(log.activities), log.activity_counts
    fewer, more = (choose(events[slips.first], events[slips.second]) for choose in (np.minimum, np.maximum))
    is_frequent = fewer > MOST_MISSPELT * more
    first, second = slips.first[is_frequent], slips.second[is_frequent]
    texts[first, second] = texts[second, first] = np.minimum(texts[first, second], MOST_OF_OTHERS)
    if polluted := polluted_families(log.activities):
        co_occurrence = CoOccurrence(log)
        for family in polluted:
            if len(family.members) == len(texts) or are_steps(log, co_occurrence, family):
                block = np.ix_(family.members, family.members)
                texts[block] = np.where(texts[block] <= POLLUTED, MOST_OF_NUMBERS, texts[block])
    return texts


def probability_of(log_odds: Floats) -> Floats:
    """Return 1 / (1 + exp(-log-odds)), without overflow."""
    probability: Floats = 0.5 * (1 + np.tanh(np.asarray(log_odds) / 2))
    return probability


def _values(pairs: Any) -> Any:
    return pairs.values if isinstance(pairs, SomeRows) else pairs


def _positions(place: Mapping[str, int], labels: Sequence[str]) -> list[int]:
    for label in labels:
        if not isinstance(label, str):
            raise UnknownActivityError(f"An activity is given by its label, a text, not by {type(label).__name__}.")
        if label not in place:
            raise UnknownActivityError(f"No activity is called {label!r}.{did_you_mean(label, list(place))}")
    return [place[label] for label in labels]


def _both_ways(values: Floats) -> Floats:
    """Return an array that is exactly symmetric, whatever the rounding."""
    return (values + values.T) / 2
