"""Estimate for every two labels of a log the probability that they are one step, as a sum of weights of evidence.

    log-odds = (1 - r) prior + r (base + Σ points of behaviour) + points of text

r is the reliability of behaviour. If the rarer label is in m cases, it is 1 from 10 cases on, m / 10 from 5 cases on, and m / 20
below: such labels are too rare to judge, so their probability stays near the prior, unless the text speaks.
:mod:`actalike.labels.evidence` has the figures and their points. :class:`SimilarSteps` turns cases into vectors by them.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import ENOUGH_CASES
from actalike.errors import ActalikeError, LogError, UnknownActivityError, did_you_mean
from actalike.labels.evidence import WINDOW, EvidenceWeights, PairEvidence, pair_evidence, require_pairs, shipped_weights
from actalike.labels.patterns import LabelFamily, alike_families, are_steps
from actalike.labels.slips import own_words
from actalike.labels.text import MOST_OF_NUMBERS, POLLUTED, polluted_families, text_similarity
from actalike.labels.words import opposite_pairs, read_label
from actalike.log import AnyLog, CoOccurrence, EventLog
from actalike.methods import Parameters, embed
from actalike.support.frames import as_kind
from actalike.support.progress import tracked
from actalike.support.text import and_more, card, label_html

Floats = NDArray[np.float64]
ReasonKind = Literal[
    "any pair", "neighbours", "company", "position", "cases", "rarity", "text", "opposites", "pattern", "vocabularies", "name"
]

RELIABLE_CASES = 10  # of the rarer label: from here on, behaviour counts in full
_SHOWN = 10  # pairs in a notebook
_SUREST = 0.999  # probability of labels of two vocabularies
_PIECES: dict[ReasonKind, tuple[str, ...]] = {  # which figures are told as one reason
    "neighbours": ("overlap", "overlap_rank", "context_rank", "long_context_rank"),
    "company": ("nearness", "nearer"),
    "position": ("position",),
    "cases": ("shared_cases", "attraction", "excess"),
    "rarity": ("cases",),
}
PERIOD = "period"  # what divides a log into two vocabularies, if it is no column: before and after one moment
Norm = Literal["l1", "l2"]
Container = Literal["default", "pandas", "polars"]


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
    - ``name``: they have the same second name; no figure. What the labels themselves say is part of it.
    - ``vocabularies``: they are words of two parts of the log (:class:`PartnerLabels`): how many steps of the parts are matched.
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


class PartnerLabels(NamedTuple):
    """Hold two labels that two parts of a log use for what is likely one step; the parts are those of two offices, say.

    - ``probability`` that they are one step, as the comparison of the two parts says.
    - ``by``: the column that divides the cases, or ``"period"``; ``parts``: the names of both parts.
    - ``steps``: how many steps have a name in either vocabulary.
    - ``is_likely``: False for a pair that may be one step, or one step and another in its place: it has no part in the sum.
    """

    a: str
    b: str
    probability: float
    by: str
    parts: tuple[str, str]
    steps: int
    is_likely: bool = True


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

    def raise_to(self, cell: tuple[int, int], least: float) -> None:
        """Raise the value of a pair to at least so much, if the first label is one of the rows."""
        row, column = self._place[cell[0]], cell[1]
        if row >= 0:
            self.values[row, column] = max(self.values[row, column], least)


@dataclass(frozen=True, repr=False)
class SameStep:
    """Hold for every two labels the probability that they are one step, and the reasons; :func:`actalike.same_step` makes it.

    ``of`` are the positions of the labels that were compared with all others, if only some were: then all arrays of pairs are
    :class:`SomeRows`. ``partners`` are labels that two parts of the log use for one step; :func:`actalike.same_step` finds them.
    ``frequent_slips`` are the pairs that differ by slips and are words of their own (:mod:`actalike.labels.slips`).
    """

    log: AnyLog
    figures: PairEvidence
    texts: Floats
    opposites: frozenset[tuple[int, int]]
    families: tuple[LabelFamily, ...]
    weights: EvidenceWeights
    of: tuple[int, ...] | None = None
    partners: tuple[PartnerLabels, ...] = ()
    frequent_slips: frozenset[tuple[int, int]] = frozenset()

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

        >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
        >>> [(pair.a, pair.b, pair.overlap) for pair in compare_labels(log).most_likely(topn=1)]
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

        >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
        >>> same = compare_labels(log)
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
            Reason("name", float(self._points_of_names(rows, columns).mean())),
            Reason("opposites", weights.opposites * float(self._are_opposites[rows, columns].mean())),
            Reason("pattern", weights.pattern * float(self._of_one_family[rows, columns].mean())),
            *self._reasons_of_vocabularies(list(zip(rows.tolist(), columns.tolist(), strict=True))),
        ]
        reasons += [reason for reason in texts if reason.log_odds]
        return [reasons[0], *sorted(reasons[1:], key=lambda reason: -abs(reason.log_odds))]

    @cached_property
    def log_odds(self) -> Floats:
        """Return ln(p / (1 - p)) of every two labels."""
        weights, reliability = self.weights, _values(self._reliability)
        behaviour = self._behaviour(*PairEvidence._fields)
        odds = (1 - reliability) * weights.prior + reliability * (weights.base + behaviour) + self._text_points
        odds = self._both_ways(odds + weights.opposites * _values(self._are_opposites))
        for pair, log_odds in self._log_odds_of_partners.items():
            _raise(odds, pair, log_odds)
        return odds

    @cached_property
    def log_odds_of_place(self) -> Floats:
        """Return the log-odds as if no two labels shared cases, were opposites or rare: whether they take the same place.

        Labels with high ones that are not one step are outcomes of one decision, steps that belong together, or too rare.
        """
        names = [name for name in PairEvidence._fields if name not in _PIECES["cases"]]
        apart = sum(max(self.weights.behaviour[name].points) for name in _PIECES["cases"])
        odds = self._both_ways(self.weights.base + self._behaviour(*names) + apart + self._text_points - self._name_points)
        for pair, log_odds in self._log_odds_of_partners.items():
            _raise(odds, pair, log_odds)
        return odds

    @cached_property
    def _log_odds_of_partners(self) -> dict[tuple[int, int], float]:
        """Return the log-odds that partners have at least, by their positions, in both orders; not of opposites."""
        log_odds: dict[tuple[int, int], float] = {}
        for pair in self.partners:
            i, j = self._place[pair.a], self._place[pair.b]
            is_compared = self.of is None or i in self.of or j in self.of
            if pair.is_likely and is_compared and not {(i, j), (j, i)} & self.opposites:
                p = min(max(pair.probability, 1 - _SUREST), _SUREST)
                log_odds[i, j] = log_odds[j, i] = float(np.log(p / (1 - p)))
        return log_odds

    def _reasons_of_vocabularies(self, pairs: Sequence[tuple[int, int]]) -> Iterator[Reason]:
        """Yield what the comparison of two parts of the log adds to the sum of all else, in the mean of some pairs."""
        if not any(pair in self._log_odds_of_partners for pair in pairs):
            return
        plain = replace(self, partners=()).log_odds
        added = [float(self.log_odds[pair] - plain[pair]) for pair in pairs]
        steps = max(pair.steps for pair in self.partners if pair.is_likely)
        yield Reason("vocabularies", sum(added) / len(added), float(steps))

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
        return self.weights.text.of(_values(self.texts)) + self._name_points + self.weights.pattern * _values(self._of_one_family)

    @property
    def _name_points(self) -> Any:
        """Return what the same second name adds to the points of texts: together they count as the same text."""
        return _values(self._are_named_alike) * (self.weights.text.of(np.ones(1)) - self.weights.text.of(_values(self.texts)))

    def _points_of_names(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Floats:
        points = self.weights.text.of(np.ones(1)) - self.weights.text.of(self.texts[rows, columns])
        return np.asarray(self._are_named_alike[rows, columns] * points)

    @cached_property
    def _are_named_alike(self) -> NDArray[np.bool_]:
        """Return which labels have the same second name, whatever its case, accents and punctuation."""
        names = [read_label(self.log.names.get(label, "")).key for label in self.activities]
        numbers = {name: number for number, name in enumerate(filter(None, names))}
        codes = np.array([numbers.get(name, -1) for name in names])
        mask = (codes[:, np.newaxis] == codes) & (codes >= 0)
        np.fill_diagonal(mask, False)
        return self._as_pairs(mask if self.of is None else mask[self._rows])

    def named_alike(self, i: int, j: int) -> bool:
        """Return whether two labels, given by their positions, have the same second name."""
        return bool(self._are_named_alike[i, j])

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


def compare_labels(log: AnyLog, counts: WindowCounts | None = None) -> SameStep:
    """Estimate for every two labels the probability that they are one step, as :func:`actalike.same_step` without other parts.

    ``counts`` are the log's windows, of 5 symbols or more, if they are already counted.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> same = compare_labels(log)
    >>> same.probability("a", "b") > 0.5 > same.probability("a", "c")
    True
    """
    return _compared(log, counts, None)


def same_step_of(log: AnyLog, labels: Sequence[str], *, counts: WindowCounts | None = None) -> SameStep:
    """Compare only these labels with all others, in less time and a fraction of the memory; the probabilities are the same.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> same_step_of(log, ["b"]).most_likely(1, "b") == compare_labels(log).most_likely(1, "b")
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
        texts, frequent_slips = _texts(log)
        texts = texts if of is None else texts[list(of)]
        advance("texts")
        figures = pair_evidence(log, counts, of)
        advance("behaviour")
        families = tuple(alike_families(log, counts))
        advance("families")
    if of is not None:
        figures = PairEvidence(*(SomeRows(figure, of) for figure in figures))  # type: ignore[arg-type]
        texts = SomeRows(texts, of)  # type: ignore[assignment]
    return SameStep(log, figures, texts, opposites, families, shipped_weights(), of, frequent_slips=frequent_slips)


def same_behaviour(log: AnyLog, counts: WindowCounts) -> SameStep:
    """Compare labels by what they do alone; opposites still count. For labels that stand for several, whose texts say nothing."""
    opposites = frozenset((i, j) for i, j in opposite_pairs(log.activities).tolist())
    n = len(log.activities)
    return SameStep(log, pair_evidence(log, counts), np.zeros((n, n)), opposites, (), shipped_weights())


def check_counts(log: AnyLog, counts: WindowCounts) -> None:
    """Raise an error if counts are not those of a log."""
    if counts.activities != log.activities or counts.n_events != log.n_events:
        raise ActalikeError("The counts have other activities or events than the log: give the counts of this log.")


def _texts(log: AnyLog) -> tuple[Floats, frozenset[tuple[int, int]]]:
    """Return how alike labels are written, and the pairs that differ by slips but are words of their own.

    What labels that come together in cases differ in is not an id that was appended (*10_UOV_030a*, *10_UOV_050a*), nor is it if
    all labels of the log differ so.
    """
    texts = text_similarity(log.activities)
    if polluted := polluted_families(log.activities):
        co_occurrence = CoOccurrence(log)
        for family in polluted:
            if len(family.members) == len(texts) or are_steps(log, co_occurrence, family):
                block = np.ix_(family.members, family.members)
                texts[block] = np.where(texts[block] <= POLLUTED, MOST_OF_NUMBERS, texts[block])
    return texts, frozenset(own_words(log))


def probability_of(log_odds: Floats) -> Floats:
    """Return 1 / (1 + exp(-log-odds)), without overflow."""
    probability: Floats = 0.5 * (1 + np.tanh(np.asarray(log_odds) / 2))
    return probability


def _values(pairs: Any) -> Any:
    return pairs.values if isinstance(pairs, SomeRows) else pairs


def _raise(pairs: Any, cell: tuple[int, int], least: float) -> None:
    """Raise the value of a pair to at least so much; one in rows that were not compared is left out."""
    if isinstance(pairs, SomeRows):
        pairs.raise_to(cell, least)
    else:
        pairs[cell] = max(pairs[cell], least)


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


class SimilarSteps(Parameters):
    """Transform traces (lists of labels) into vectors with a number for each activity of the traces it was fitted to.

    With s(a, j) the probability that two labels are one step (:func:`actalike.same_step`), 1 for a label and itself, the vector
    of a trace has

        x_j = Σ s(a, j)   over the events of the trace, a being the activity of the event.

    ``method``, the name of a method of :func:`actalike.embed`, has s(a, j) be its similarity, 0 if that is negative. Most
    similarities by kin are near 1, and then all vectors are much the same.

    So two traces that take the same step under two names have similar vectors; a bag of words would have nothing in common. A
    label that was not there in ``fit`` counts 0. Then ``norm`` divides: ``"l2"`` by the length √(Σ x_j²), ``"l1"`` by the sum
    Σ x_j, None by nothing. The vector of a trace without known labels is 0.

    It follows scikit-learn's conventions and works in its pipelines and searches, and does not need it. After ``fit``,
    ``activities_`` are the labels in the order of the numbers, and ``similarities_`` is the array of s.

    >>> traces = [["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 10
    >>> steps = SimilarSteps(norm=None).fit(traces)
    >>> steps.get_feature_names_out().tolist()
    ['a', 'b', 'c', 'x', 'y']
    >>> steps.transform([["a", "x"], ["b", "x"], ["new"]]).round(1).tolist()
    [[1.0, 1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]]
    """

    activities_: list[str]
    similarities_: NDArray[np.float64]

    def __init__(self, method: str | None = None, norm: Norm | None = "l2") -> None:
        self.method = method
        self.norm = norm

    def fit(self, X: EventLog | Sequence[Iterable[str]], y: object = None) -> Self:
        """Compare the activities of traces, or of a log, and keep their similarities; ``y`` is not used."""
        self._check_norm()
        log = X if isinstance(X, EventLog) else EventLog.from_traces(_checked(X))
        self.activities_ = log.activities
        if self.method is None:
            self.similarities_ = compare_labels(log).probabilities()
            return self
        embedding = embed(log, self.method)
        if embedding.compare != "cosine":
            raise ActalikeError(
                f"{self.method} compares by scores, which have no scale: take a method of cosines, such as one-hot."
            )
        self.similarities_ = np.maximum(1.0 - embedding.distances(), 0.0)
        return self

    def transform(self, X: EventLog | Sequence[Iterable[str]]) -> Any:
        """Return the vectors of traces, or of a log's cases, one row each: an array, or as ``set_output`` says."""
        return self._contained(self._vectors(X), X)

    def set_output(self, *, transform: Container | None = None) -> Self:
        """Choose what ``transform`` returns: ``"default"`` an array, ``"pandas"`` or ``"polars"`` a frame; None changes nothing.

        The columns of a frame are the activities. One of pandas has the index of what is transformed, if that has one.
        """
        if transform is not None:
            if transform not in ("default", "pandas", "polars"):
                raise ActalikeError(f"transform={transform!r} is none of 'default', 'pandas', 'polars'.")
            self._sklearn_output_config = {"transform": transform}  # by this name sklearn.base.clone keeps it
        return self

    def _contained(self, vectors: NDArray[np.float64], X: object) -> Any:
        chosen = getattr(self, "_sklearn_output_config", {}).get("transform")
        if chosen is None and "sklearn" in sys.modules:
            from sklearn import get_config

            chosen = get_config()["transform_output"]
        if chosen not in ("pandas", "polars"):
            return vectors
        frame = pl.DataFrame(vectors, schema=self.activities_)
        if chosen == "polars":
            return frame
        result = as_kind(frame, "pandas")
        index = getattr(X, "index", None)
        return result if index is None or callable(index) else result.set_axis(index, axis=0)

    def _vectors(self, X: EventLog | Sequence[Iterable[str]]) -> NDArray[np.float64]:
        if not hasattr(self, "similarities_"):
            raise _not_fitted()
        self._check_norm()
        position = {label: i for i, label in enumerate(self.activities_)}
        columns, ends = [], [0]
        for trace in X.traces() if isinstance(X, EventLog) else _checked(X):
            columns += [position[label] for label in trace if label in position]
            ends.append(len(columns))
        counts = csr_array((np.ones(len(columns)), columns, ends), shape=(len(ends) - 1, len(position)))
        vectors: NDArray[np.float64] = counts @ self.similarities_
        if self.norm is None:
            return vectors
        lengths = vectors.sum(axis=1) if self.norm == "l1" else np.sqrt((vectors**2).sum(axis=1))
        return np.divide(vectors, lengths[:, np.newaxis], out=np.zeros_like(vectors), where=lengths[:, np.newaxis] > 0)

    def fit_transform(self, X: EventLog | Sequence[Iterable[str]], y: object = None) -> Any:
        """Fit to traces, and return their vectors."""
        traces = list(X) if isinstance(X, Iterator) else X  # a generator can be read only once
        return self.fit(traces).transform(traces)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Return the activities in the order of the vectors' numbers."""
        if not hasattr(self, "activities_"):
            raise _not_fitted()
        return np.array(self.activities_, dtype=object)

    def _check_norm(self) -> None:
        if self.norm not in (None, "l1", "l2"):
            raise ActalikeError(f"norm={self.norm!r} is none of 'l1', 'l2', None.")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn, which alone asks, that traces are no arrays of numbers."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        tags = InputTags(two_d_array=False, string=True)
        return Tags(None, TargetTags(required=False), TransformerTags(), input_tags=tags, no_validation=True)


def _checked(X: Any) -> list[list[str]]:
    """Return traces as lists of labels, or raise an error if something else was given."""
    if isinstance(X, str) or not isinstance(X, Iterable):
        raise LogError(f"SimilarSteps takes a list of traces, which are lists of labels, not {type(X).__name__}.")
    traces = []
    for number, given in enumerate(X, 1):
        trace = None if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
        if trace is None or not all(isinstance(label, str) for label in trace):
            raise LogError(f"Trace {number:,} is not a list of labels, which are texts: write [['a', 'b'], ['a'], ...].")
        traces.append(trace)
    return traces


class NotFittedError(ActalikeError, ValueError, AttributeError):
    """Report that something is used before it was fitted."""


def _not_fitted() -> ActalikeError:
    """Return the error that there was no fit; where scikit-learn is in use, it is one of its own errors as well."""
    kind: Any = NotFittedError
    if "sklearn" in sys.modules:
        from sklearn.exceptions import NotFittedError as SklearnError

        kind = type("NotFittedError", (ActalikeError, SklearnError), {})
    error: ActalikeError = kind("SimilarSteps has no similarities yet: call fit with traces first.")
    return error
