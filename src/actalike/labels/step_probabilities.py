"""Estimate for every two labels of a log how likely they are interchangeable, and how likely they are one step.

*Interchangeable* is what behaviour alone says: they take the same place in the control flow, as two names of one step do, and as
two outcomes of one decision do. Its log-odds are

    B = (1 - r) prior + r (base + Σ points of behaviour)

r is the reliability of behaviour. If the rarer label is in m cases, it is 1 from 10 cases on, m / 10 from 5 cases on, and m / 20
below: such labels are too rare to judge, so their B stays near the prior. :mod:`actalike.labels.evidence` has the figures.

*Same step* is what all evidence says, and what is called the probability everywhere. Most interchangeable pairs are outcomes of
one decision, or companions in one routine; so its log-odds rise with B to the base rate of synonyms among interchangeable pairs,
and further evidence is needed for more:

    log-odds = base rate(B) + points of texts, second names, naming schemes, periods, people

Labels that two parts of a log use for one step (:class:`PartnerLabels`) have at least the probability of the comparison of the
parts. When and by whom labels are used, and whether a token tells them apart, is asked of pairs that are interchangeable with a
probability of 0.1 or more; when and by whom, only if kin speaks for the two and 3 % of their neighbours are the
same, because any two labels of two processes are used apart. All points are in one file, ``evidence_weights.json``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import ENOUGH_CASES, check_topn
from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.labels.evidence import (
    BEHAVIOUR,
    WINDOW,
    PairEvidence,
    StepWeights,
    overlaps,
    pair_evidence,
    require_pairs,
    shipped_weights,
)
from actalike.labels.patterns import LabelFamily, alike_families, are_steps
from actalike.labels.slips import own_words, spellings, with_spellings_merged
from actalike.labels.text import (
    MOST_OF_NUMBERS,
    MOST_OF_OTHERS,
    POLLUTED,
    actors,
    distinguishing_tokens,
    polluted_families,
    text_similarity,
)
from actalike.labels.witnesses import FEWEST_OF_SCHEME, THIN_CASES, NamingSchemes, Usage, Witness, have_unlike_words
from actalike.labels.words import opposite_pairs, opposite_words, read_label
from actalike.log import AnyLog, CoOccurrence
from actalike.support.frames import FrameKind, as_kind
from actalike.support.progress import tracked
from actalike.support.text import and_more, card, label_html
from actalike.support.weights import log_odds_of, probability_of

Floats = NDArray[np.float64]
BehaviourKind = Literal["any pair", "neighbours", "company", "position", "cases", "rarity"]
FurtherKind = Literal[
    "base rate", "text", "name", "names", "opposites", "pattern", "words", "scheme", "tokens", "periods", "people", "vocabularies"
]
ReasonKind = BehaviourKind | FurtherKind

RELIABLE_CASES = 10  # of the rarer label: from here on, behaviour counts in full
SIMILAR_TEXT = 0.9  # spelled alike
_SHOWN = 10  # pairs in a notebook
_SUREST = 0.999  # probability of labels of two vocabularies
_SPELLING = log_odds_of(0.95)  # of two spellings of one label, at least
_ASKED = log_odds_of(0.1)  # from so interchangeable on, pairs are asked when and by whom they are used
_UNRELATED = 0.1  # the overlap of labels below which they are taken for different steps
_MOST_UNRELATED = 2000  # pairs, evenly spread, of which it is counted how often they are used apart
_SOME_OVERLAP = 0.03  # of two labels, for separate periods or people to be a witness: two processes share no neighbours
PIECES: dict[BehaviourKind, tuple[str, ...]] = {  # which figures are told as one reason
    "neighbours": ("rare_overlap", "overlap_rank", "context_rank"),
    "company": ("nearness",),
    "position": ("position",),
    "cases": ("shared_cases", "attraction", "excess"),
    "rarity": ("cases",),
}
_BEHAVIOUR = ("any pair", *PIECES)
PERIOD = "period"  # what divides a log into two vocabularies, if it is no column: before and after one moment


class Reason(NamedTuple):
    """Hold a reason and its part of the log-odds. All reasons of a pair sum to the log-odds of its probability.

    ``kind`` and the ``figure`` that a person can check in the log. Those of behaviour sum to the log-odds of *interchangeable*:

    - ``any pair``: what holds of any two labels before anything is known of them; no figure.
    - ``neighbours``: the share of direct neighbours in common; long contexts count as well.
    - ``company``: how near the two are by kin, in comparison with others; no figure.
    - ``position``: the share of positions in the case that they have in common.
    - ``cases``: the share of the cases of the rarer label that have both.
    - ``rarity``: in how many cases the rarer label occurs.

    The others:

    - ``base rate``: most interchangeable labels are different steps; how likely they are interchangeable.
    - ``text``: how alike they are written, 0 to 1.
    - ``name``: they have the same second name; no figure. What the labels themselves say is part of it. ``names``: other ones.
    - ``opposites``: their words say the opposite; no figure.
    - ``pattern``: they differ only in a number, an id, a date or a name, and behave alike; no figure.
    - ``words``: each has a word that the other has not; no figure.
    - ``scheme``: how many labels have the same words but in one place, each naming a step of its own.
    - ``tokens``: they differ in one token that may tell two steps apart; no figure.
    - ``periods``, ``people``: one is used before the other, or by other people (:mod:`actalike.labels.witnesses`): of how many
      unrelated pairs of this log that holds.
    - ``vocabularies``: they are words of two parts of the log (:class:`PartnerLabels`): how many steps of the parts are matched.
    """

    kind: ReasonKind
    log_odds: float
    figure: float | None = None

    @property
    def is_behaviour(self) -> bool:
        """Return whether this is a reason for being interchangeable."""
        return self.kind in _BEHAVIOUR


class LikelyPair(NamedTuple):
    """Hold two labels, how likely they are one step and interchangeable, and the share of direct neighbours in common."""

    a: str
    b: str
    probability: float
    interchangeable: float
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
    """Hold how likely every two labels are one step, and interchangeable, with reasons; :func:`actalike.same_step` makes it.

    ``chance`` is how often, in this log, two labels that have hardly a neighbour in common are used one before the other
    (``"periods"``), or by other people (``"people"``): the less often, the more it says of two that are interchangeable.

    ``of`` are the positions of the labels that were compared with all others, if only some were: then all arrays of pairs are
    :class:`SomeRows`. ``partners`` are labels that two parts of the log use for one step; :func:`actalike.same_step` finds them.

    ``spelled`` are the labels that are another spelling of one (:func:`actalike.labels.slips.spellings`), with that one, and
    ``merged`` is the comparison of the log in which they have its name, None if there are none. Two labels are compared as the
    labels that they spell; only two spellings of one label are compared as they are.
    """

    log: AnyLog
    figures: PairEvidence
    texts: Floats
    opposites: frozenset[tuple[int, int]]
    families: tuple[LabelFamily, ...]
    weights: StepWeights
    of: tuple[int, ...] | None = None
    partners: tuple[PartnerLabels, ...] = ()
    chance: Mapping[str, float] = field(default_factory=dict)
    spelled: Mapping[str, str] = field(default_factory=dict)
    merged: "SameStep | None" = None

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

    def interchangeabilities(self) -> Floats:
        """Return how likely every two labels are interchangeable in the control flow, whatever they are called.

        A symmetric array, 1 on the diagonal. It cannot be written to.
        """
        return self._interchangeabilities

    def interchangeable(self, a: str, b: str) -> float:
        """Return how likely two labels are interchangeable in the control flow: one step, or outcomes of one decision, say."""
        i, j = self._positions(a, b)
        return 1.0 if i == j else float(probability_of(self.log_odds_interchangeable[i, j]))

    def overlap(self, a: str, b: str) -> float:
        """Return the share of direct neighbours that two labels have in common, before and after, the smaller of the two."""
        i, j = self._positions(a, b)
        return 1.0 if i == j else float(self.figures.overlap[i, j])

    def most_likely(
        self, topn: int | None = 10, activity: str | None = None, *, min_cases: int = 1, rare_last: int = 1
    ) -> list[LikelyPair]:
        """Return the most likely pairs, of all labels or with one of them, most likely first; equal ones by their labels.

        Labels in fewer cases than ``min_cases`` are left out. Pairs with another label in fewer than ``rare_last`` come after all
        others, unless they are spellings of one label.

        >>> from actalike import EventLog
        >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
        >>> [(pair.a, pair.b, pair.overlap) for pair in compare_labels(log).most_likely(topn=1)]
        [('a', 'b', 1.0)]
        """
        check_topn(topn)
        labels = np.flatnonzero(self.log.activity_cases >= min_cases)
        if activity is None:
            rows, columns = (labels[places] for places in np.triu_indices(len(labels), 1))
        else:
            (place,) = self._positions(activity)
            columns = labels[labels != place]
            rows = np.full(len(columns), place)
        log_odds = self.log_odds[rows, columns]
        is_rare = self.log.activity_cases < rare_last
        come_last = is_rare[columns] if activity is not None else is_rare[rows] | is_rare[columns]
        if self.merged is not None:
            come_last &= self._spelled[rows] != self._spelled[columns]
        order = np.lexsort((-log_odds.round(9), come_last))[:topn].tolist()
        return [
            LikelyPair(
                self.activities[rows[i]],
                self.activities[columns[i]],
                float(probability_of(log_odds[i])),
                float(probability_of(self.log_odds_interchangeable[rows[i], columns[i]])),
                float(self.figures.overlap[rows[i], columns[i]]),
            )
            for i in order
        ]

    def to_frame(self, kind: FrameKind | None = None, topn: int | None = None) -> Any:
        """Return a frame of the most likely pairs: the two labels, both numbers, and the overlap; all pairs without ``topn``.

        ``kind`` is "polars", "pandas" or "pyarrow"; without it, that of the frame that was read, Polars for other logs.
        ``actalike.grouping.likely_pairs(log).to_frame()`` has the verdicts, too.
        """
        types = {"a": pl.String, "b": pl.String, "probability": pl.Float64, "interchangeable": pl.Float64, "overlap": pl.Float64}
        return as_kind(pl.DataFrame(self.most_likely(topn), schema=types, orient="row"), kind or self.log.frame_kind)

    def evidence(self, a: str, b: str) -> list[Reason]:
        """Return why two labels have their probability: reasons whose log-odds sum to it, those that weigh most first.

        >>> from actalike import EventLog
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
        """Return the mean reasons of some pairs, given by positions in ``activities``; figures are means too.

        Of pairs that are other spellings of two labels, the reasons are those of the two; then others have no part in the mean.
        """
        if self.merged is not None:
            spelled = self._spelled[np.array(pairs, dtype=np.int64)].tolist()
            if of_merged := [(i, j) for i, j in spelled if i != j]:
                return self.merged.reasons(of_merged)
        rows, columns = np.array(pairs, dtype=np.int64).T
        behaviour, prior = self.weights.interchangeable, self.weights.too_rare.base
        reliability = self._reliability[rows, columns]
        figures = PairEvidence(*(figure[rows, columns] for figure in self.figures))
        reasons = [Reason("any pair", float(((1 - reliability) * prior + reliability * behaviour.base).mean()))]
        rarer = np.rint(np.exp(figures.cases))  # whole numbers of cases again
        shared = np.rint(np.exp(figures.shared_cases) * (rarer + 1) - 0.5) + 0.0
        checked = {"neighbours": figures.overlap, "position": figures.position, "cases": shared / rarer, "rarity": rarer}
        for kind, names in PIECES.items():
            points = sum(behaviour.pieces[name].of(getattr(figures, name)) for name in names)
            figure = float(checked[kind].mean()) if kind in checked else None
            reasons.append(Reason(kind, float((reliability * points).mean()), figure))
        reasons += [reason for reason in self._further_reasons(rows, columns) if reason.log_odds]
        return [reasons[0], *sorted(reasons[1:], key=lambda reason: -abs(reason.log_odds))]

    def _further_reasons(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Iterator[Reason]:
        """Yield the mean reasons of some pairs beside behaviour, also those that weigh nothing."""
        odds, text = self.log_odds_interchangeable[rows, columns], self.texts[rows, columns]
        pieces = self.weights.same_step.pieces
        base_rate = self.weights.same_step.base + pieces["interchangeable"].of(odds) - odds
        yield Reason("base rate", float(base_rate.mean()), float(probability_of(odds).mean()))
        of_text = pieces["text"].of(text) + (0 if self.merged is None else self._points_of_spelling[rows, columns])
        yield Reason("text", float(of_text.mean()), float(text.mean()))
        yield Reason("name", float(self._points_of_names(rows, columns).mean()))
        masks: dict[FurtherKind, Any] = {
            "names": self._are_named_apart,
            "opposites": self._are_opposites,
            "pattern": self._of_one_family,
        }
        for kind, mask in masks.items():
            yield Reason(kind, float(pieces[kind].of(mask[rows, columns]).mean()))
        pairs = list(zip(rows.tolist(), columns.tolist(), strict=True))
        asked = [self._asked.get((min(pair), max(pair)), {}) for pair in pairs]
        kinds: dict[FurtherKind, None] = {kind: None for found in asked for kind in found}
        for kind in kinds:
            found = [figures[kind] for figures in asked if kind in figures]
            points = float(pieces[kind].of(np.array(found)).sum()) / len(pairs)
            figure = sum(found) / len(found)
            yield Reason(kind, points, {"scheme": figure, "periods": np.exp(-figure), "people": np.exp(-figure)}.get(kind))
        yield from self._reasons_of_vocabularies(pairs)

    @cached_property
    def log_odds_interchangeable(self) -> Floats:
        """Return ln(p / (1 - p)) of every two labels being interchangeable."""
        reliability, weights = _values(self._reliability), self.weights
        behaviour = weights.interchangeable.base + self._behaviour(*BEHAVIOUR)
        return self._both_ways((1 - reliability) * weights.too_rare.base + reliability * behaviour)

    def with_merged(self, merged: "SameStep", spelled: Mapping[str, str]) -> "SameStep":
        """Return the comparison with that of the log in which the spellings of each label are merged."""
        same = replace(self, spelled=spelled, merged=merged)
        figures = (same._of_merged(own, of_merged) for own, of_merged in zip(self.figures, merged.figures, strict=True))
        return replace(same, figures=PairEvidence(*figures), texts=same._of_merged(self.texts, merged.texts))

    def with_weights(self, weights: StepWeights) -> "SameStep":
        """Return the comparison by other weights of evidence."""
        return replace(self, weights=weights, merged=None if self.merged is None else self.merged.with_weights(weights))

    def _of_merged(self, own: Any, merged: Any) -> Any:
        """Return the values of all pairs, of labels that spell two others those of these."""
        rows = self._spelled[self._rows][:, np.newaxis]
        return self._as_pairs(np.where(rows == self._spelled, _values(own), merged[rows, self._spelled]))

    @cached_property
    def _spelled(self) -> NDArray[np.int64]:
        """Return for each label the position, among those of the merged log, of the label that it spells."""
        place = {} if self.merged is None else self.merged._place
        return np.array([place[self.spelled.get(label, label)] for label in self.activities], dtype=np.int64)

    @cached_property
    def log_odds(self) -> Floats:
        """Return ln(p / (1 - p)) of every two labels being one step."""
        if self.merged is not None:
            odds = _values(self._log_odds_of_the_whole) + _values(self._points_of_spelling)
            return self._of_merged(odds, self.merged.log_odds)
        odds = self._log_odds_of_the_whole
        if self._log_odds_of_partners:
            odds = self._as_pairs(_values(odds).copy())
            for pair, log_odds in self._log_odds_of_partners.items():
                _raise(odds, pair, log_odds)
        return odds

    @cached_property
    def _log_odds_of_the_whole(self) -> Floats:
        """Return the log-odds without what the comparison of parts of the log says."""
        pieces = self.weights.same_step.pieces
        odds = self.weights.same_step.base + pieces["interchangeable"].of(_values(self.log_odds_interchangeable))
        odds += pieces["text"].of(_values(self.texts)) + self._name_points
        for kind, mask in (
            ("names", self._are_named_apart), ("opposites", self._are_opposites), ("pattern", self._of_one_family)
        ):  # fmt: skip
            odds += pieces[kind].of(_values(mask))
        place = {activity: row for row, activity in enumerate(self._rows.tolist())}
        for (i, j), figures in self._asked.items():
            points = sum(float(pieces[kind].of(np.array(figure))) for kind, figure in figures.items())
            for row, column in ((i, j), (j, i)):
                if row in place:
                    odds[place[row], column] += points
        return self._both_ways(odds)

    @cached_property
    def _points_of_spelling(self) -> Any:
        """Return what two spellings of one label have in addition to the points of their texts: it is certain that they are."""
        is_spelling = self._spelled[self._rows][:, np.newaxis] == self._spelled
        return self._as_pairs(is_spelling * np.maximum(_SPELLING - _values(self._log_odds_of_the_whole), 0))

    @cached_property
    def log_odds_of_place(self) -> Floats:
        """Return the log-odds of being interchangeable as if no two labels shared cases or were rare.

        Labels with high ones that are not interchangeable are steps that belong together, or too rare.
        """
        weights = self.weights.interchangeable
        names = [name for name in BEHAVIOUR if name not in PIECES["cases"]]
        apart = sum(max(weights.pieces[name].points) for name in PIECES["cases"])
        return self._both_ways(weights.base + self._behaviour(*names) + apart)

    @cached_property
    def _asked(self) -> dict[tuple[int, int], dict[FurtherKind, float]]:
        """Return what is asked only of pairs that are interchangeable: the figures of each kind of evidence that there is."""
        odds = _values(self.log_odds_interchangeable)
        is_asked = (odds >= _ASKED) & ~_values(self._are_opposites) & ~_values(self._of_one_family)
        is_asked[np.arange(len(odds)), self._rows] = False
        rows, columns = np.nonzero(is_asked)
        pairs = sorted({(min(pair), max(pair)) for pair in zip(self._rows[rows].tolist(), columns.tolist(), strict=True)})
        found: dict[tuple[int, int], dict[FurtherKind, float]] = {}
        for i, j in pairs:
            a, b = self.activities[i], self.activities[j]
            kinds: list[FurtherKind] = sorted({one.kind for one in self.uses_apart(i, j)})
            figures: dict[FurtherKind, float] = {kind: -float(np.log(self.chance.get(kind, 1.0))) for kind in kinds}
            if opposite_words(a, b) is not None:
                figures["opposites"] = 1.0
            elif self.texts[i, j] < SIMILAR_TEXT:
                if have_unlike_words(a, b):
                    figures["words"] = 1.0
                if distinguishing_tokens(a, b) is not None:
                    figures["tokens"] = 1.0
                if (size := self._schemes.size(i, j)) >= FEWEST_OF_SCHEME:
                    figures["scheme"] = float(size)
            if figures:
                found[i, j] = figures
        return found

    def uses_apart(self, i: int, j: int) -> list[Witness]:
        """Return whether time or people speak for two labels, given by their positions, if behaviour does."""
        if self.figures.overlap[i, j] < _SOME_OVERLAP:
            return []
        pieces = self.weights.interchangeable.pieces
        points = float(pieces["nearness"].of(np.array(self.figures.nearness[i, j])))
        return self.usage.witnesses(i, j) if points > 0 else []

    @cached_property
    def usage(self) -> Usage:
        """Return when and by whom the labels are used."""
        return Usage(self.log)

    @cached_property
    def _schemes(self) -> NamingSchemes:
        return NamingSchemes(self.activities)

    @cached_property
    def _log_odds_of_partners(self) -> dict[tuple[int, int], float]:
        """Return the log-odds that partners have at least, by their positions, in both orders; not of opposites."""
        log_odds: dict[tuple[int, int], float] = {}
        for pair in self.partners:
            i, j = self._place[pair.a], self._place[pair.b]
            is_compared = self.of is None or i in self.of or j in self.of
            if self.are_partners(pair) and is_compared and not {(i, j), (j, i)} & self.opposites:
                log_odds[i, j] = log_odds[j, i] = log_odds_of(min(max(pair.probability, 1 - _SUREST), _SUREST))
        return log_odds

    def _reasons_of_vocabularies(self, pairs: Sequence[tuple[int, int]]) -> Iterator[Reason]:
        """Yield what the comparison of two parts of the log adds to the sum of all else, in the mean of some pairs."""
        if not any(pair in self._log_odds_of_partners for pair in pairs):
            return
        added = [float(self.log_odds[pair] - self._log_odds_of_the_whole[pair]) for pair in pairs]
        steps = max(pair.steps for pair in self.partners if pair.is_likely)
        yield Reason("vocabularies", sum(added) / len(added), float(steps))

    def are_partners(self, pair: PartnerLabels) -> bool:
        """Return whether two labels of two vocabularies are one step.

        One pair alone says nothing unless the whole log calls the two interchangeable; one token that tells labels apart is one
        of the parts' words only if it does so regularly.
        """
        if not pair.is_likely or (pair.by == PERIOD and actors(pair.a, pair.b) is not None):
            return False
        if pair.steps == 1 and self.log_odds_interchangeable[self._place[pair.a], self._place[pair.b]] < 0:
            return False
        tokens = _tokens_by_part(pair)
        return tokens is None or self._tokens[tokens] > 1

    @cached_property
    def _tokens(self) -> Counter[tuple[str, tuple[str, str], str, str]]:
        return Counter(tokens for pair in self.partners if (tokens := _tokens_by_part(pair)) is not None)

    @cached_property
    def _probabilities(self) -> Floats:
        return self._as_probabilities(self.log_odds)

    @cached_property
    def _interchangeabilities(self) -> Floats:
        return self._as_probabilities(self.log_odds_interchangeable)

    @cached_property
    def proposable(self) -> Floats:
        """Return how likely every two labels are worth a decision: one step, or interchangeable unless they say the opposite."""
        is_place = ~_values(self._are_opposites)
        return self._as_pairs(np.maximum(_values(self._probabilities), is_place * _values(self._interchangeabilities)))

    def _as_probabilities(self, log_odds: Floats) -> Floats:
        probabilities = probability_of(_values(log_odds))
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
            points += self.weights.interchangeable.pieces[name].of(_values(getattr(self.figures, name)))
        return points

    @cached_property
    def _reliability(self) -> Floats:
        share = np.rint(np.exp(_values(self.figures.cases))) / RELIABLE_CASES
        share[np.arange(len(share)), self._rows] = 1.0
        return self._as_pairs(np.where(share < ENOUGH_CASES / RELIABLE_CASES, share / 2, np.minimum(share, 1.0)))

    @property
    def _name_points(self) -> Any:
        """Return what the same second name adds to the points of texts: together they count as the same text."""
        text = self.weights.same_step.pieces["text"]
        return _values(self._are_named_alike) * (text.of(np.ones(1)) - text.of(_values(self.texts)))

    def _points_of_names(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> Floats:
        text = self.weights.same_step.pieces["text"]
        points = text.of(np.ones(1)) - text.of(self.texts[rows, columns])
        return np.asarray(self._are_named_alike[rows, columns] * points)

    @cached_property
    def _are_named_apart(self) -> NDArray[np.bool_]:
        """Return which labels both have a second name, and not the same: then the log itself calls them two steps."""
        has_name = np.array([label in self.log.names for label in self.activities], dtype=bool)
        return self._as_pairs(np.logical_and.outer(has_name[self._rows], has_name) & ~_values(self._are_named_alike))

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

    def named_apart(self, i: int, j: int) -> bool:
        """Return whether two labels, given by their positions, have different second names."""
        return i != j and bool(self._are_named_apart[i, j])

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

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> same = compare_labels(log)
    >>> same.interchangeable("a", "b") > 0.5 > same.interchangeable("a", "c")
    True
    """
    return _compared(log, counts, None)


def same_step_of(log: AnyLog, labels: Sequence[str], *, counts: WindowCounts | None = None) -> SameStep:
    """Compare only these labels with all others, in less time and a fraction of the memory; the probabilities are the same.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> same_step_of(log, ["b"]).most_likely(1, "b") == compare_labels(log).most_likely(1, "b")
    True
    """
    places = _positions({label: i for i, label in enumerate(log.activities)}, labels)
    return _compared(log, counts, tuple(dict.fromkeys(places)))


def _compared(log: AnyLog, counts: WindowCounts | None, of: tuple[int, ...] | None) -> SameStep:
    """Compare labels, and those that are left if all spellings of a label are merged."""
    require_pairs(len(log.activities), of is not None)  # before any work: the texts of many labels take minutes
    if counts is None:
        counts = count_windows(log, WINDOW)
    check_counts(log, counts)
    if counts.window < WINDOW:
        raise ActalikeError(f"The counts have windows of {counts.window}: count windows of {WINDOW} symbols or more.")
    same, spelled = _as_spelled(log, counts, of), spellings(log)
    if not spelled:
        return same
    merged, labels = with_spellings_merged(log, spelled), [spelled.get(label, label) for label in log.activities]
    of_merged = None if of is None else tuple(dict.fromkeys(merged.activities.index(labels[i]) for i in of))
    as_merged = _as_spelled(merged, counts.relabel(lambda label: spelled.get(label, label)), of_merged)
    return same.with_merged(as_merged, spelled)


def _as_spelled(log: AnyLog, counts: WindowCounts, of: tuple[int, ...] | None) -> SameStep:
    with tracked("comparing labels", 4) as advance:
        opposites = frozenset((i, j) for i, j in opposite_pairs(log.activities).tolist())
        advance("opposites")
        texts = _texts(log)
        texts = texts if of is None else texts[list(of)]
        advance("texts")
        figures = pair_evidence(log, counts, of)
        advance("behaviour")
        families = tuple(alike_families(log, counts))
        chance = chance_of_separate_use(log, counts)
        advance("families")
    if of is not None:
        figures = PairEvidence(*(SomeRows(figure, of) for figure in figures))  # type: ignore[arg-type]
        texts = SomeRows(texts, of)  # type: ignore[assignment]
    return SameStep(log, figures, texts, opposites, families, shipped_weights(), of, chance=chance)


def same_behaviour(log: AnyLog, counts: WindowCounts) -> SameStep:
    """Compare labels by what they do alone; opposites still count. For labels that stand for several, whose texts say nothing."""
    opposites = frozenset((i, j) for i, j in opposite_pairs(log.activities).tolist())
    n = len(log.activities)
    return SameStep(log, pair_evidence(log, counts), np.zeros((n, n)), opposites, (), shipped_weights())


def chance_of_separate_use(log: AnyLog, counts: WindowCounts) -> dict[str, float]:
    """Return in which share of unrelated pairs one label is used before the other, and by other people.

    Almost all pairs of a log are different steps, so its own pairs say how often that happens by chance: in a log whose process
    changes, often. Unrelated are labels in 20 cases or more with fewer than a tenth of their neighbours in common.
    """
    frequent, overlap, usage = log.activity_cases >= THIN_CASES, overlaps(counts), Usage(log)
    rows, columns = np.nonzero(np.triu((overlap < _UNRELATED) & np.logical_and.outer(frequent, frequent), 1))
    some = np.unique(np.linspace(0, max(len(rows) - 1, 0), min(len(rows), _MOST_UNRELATED)).astype(np.int64))
    found = Counter(
        kind
        for i, j in zip(rows[some].tolist(), columns[some].tolist(), strict=True)
        for kind in {one.kind for one in usage.witnesses(i, j)}
    )
    return {kind: (found[kind] + 0.5) / (len(some) + 1) for kind in ("periods", "people")}


def check_counts(log: AnyLog, counts: WindowCounts) -> None:
    """Raise an error if counts are not those of a log."""
    if counts.activities != log.activities or counts.n_events != log.n_events:
        raise ActalikeError("The counts have other activities or events than the log: give the counts of this log.")


def _texts(log: AnyLog) -> Floats:
    """Return how alike labels are written. Pairs that differ by slips but are words of their own are not alike.

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
    for pair in own_words(log):
        texts[pair] = min(texts[pair], MOST_OF_OTHERS)
    return texts


def _tokens_by_part(pair: PartnerLabels) -> tuple[str, tuple[str, str], str, str] | None:
    """Return the column, the parts, and the token of each part in which partners differ if it may tell two steps apart."""
    tokens = distinguishing_tokens(pair.a, pair.b)
    return None if tokens is None else (pair.by, pair.parts, *tokens)


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
