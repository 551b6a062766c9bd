"""Adapt a predictor to labels that appeared after it was trained, without training again.

A network reads an activity as numbers that depend linearly on its vector, so a new label can be read as a weighted sum of old
ones: with weights w that sum to 1, what it contributes to the gates is Σ w_o inputs(o).

**Which old label?** Labels that both logs have are the same step. The others are compared by kin across the logs
(:func:`actalike.two_logs.compare_new_labels`), which starts from these known pairs. A new label is read as the old label with the
highest score

    ln S(o, n) + c F(o, n)      if o is not used any more,
    ln S(o, n) - d              if o is still used: then n would be another name of only a part of its events,

where S says how alike the contexts of o in the past and of n now are, and F how far their frequencies agree. Several new labels
may be read as one old label. The probability that a reading is right is a sum of points of a few figures
(:mod:`actalike.support.weights`), with the weights in ``reading_weights.json``. The most important one is the contrast,
ln S(o, n) - ln mean S(x, n) over all old labels x: in noise, where all labels have the same contexts, it is small however well
the best one fits.

**Between which?** If no single old label is likely enough, the weights are those with which the vectors of the old labels come
nearest to the vector of the new one (Nyström's method with an intercept, or ordinary kriging): with C the cosines of the vectors
of a joint count, centred on the mean of the old labels,

    minimise  w (C_oo + r I) wᵀ - 2 w c_n    subject to    Σ w = 1.

A label in a single case is refused: its contexts are one case's. If there are very many of them (ids in labels, say), they are
one label while the others are compared.

**Predictions are in the new words.** All labels that are read as o, now or before, are its names. The probability of o is divided
among its names by how many events each has in the new log; those that were known before have half an event more, because they may
come back. A label that is placed between several is read, but never predicted: when it comes was not learned.
"""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import Embedding
from actalike.log import EventLog
from actalike.methods import DEFAULT_METHOD, make_method
from actalike.support.memory import require_memory
from actalike.support.saved import StoredFile, are_within
from actalike.support.weights import Weights, probability_of, read_weights, shipped_content
from actalike.two_logs import compare_new_labels

Floats = NDArray[np.float64]

LEAST_CASES = 2
SURE_ENOUGH = 0.5
RIDGE = 0.01  # r
STILL_USED = 0.05  # d: how much better a label that is still used must fit
NEVER = -1e6  # the logit of what is never predicted: its probability is 0
FIGURES = ("lead", "cases", "lead_x_cases", "agreement", "frequency", "still_used", "contrast")
PAST_ARRAYS = ("past_codes", "past_offsets", "past_cases")  # of the arrays in a file
_MAY_COME_BACK = 0.5
_NEAREST = 3
_MANY_RARE = 1000  # labels that are refused
_MANY_CASES = 150  # more cases make no reading more certain
_LARGEST_RATIO = 4.0  # of frequencies, as a logarithm: a larger one says no more
_LARGEST_CONTRAST = 0.4  # tells noise from logs, and no more: chosen on the logs that the weights were fitted on
_MOST_EVENTS = 2**53
_BYTES_OF_AN_EVENT = 200  # while labels are placed


class PlacedLabel(NamedTuple):
    """Hold a label that appeared after training, and where it was placed.

    - ``cases``: how many cases of the new log have it.
    - ``read_as``: the label of the training that it is read as; None if no single one is likely enough.
    - ``probability``: how sure it is that this label (without ``read_as``, the likeliest one) is the same step.
    - ``nearest``: the labels that it is placed between and how much each counts, the largest first, at most three. If it is read
      as one label, that one counts 1.
    """

    label: str
    cases: int
    read_as: str | None
    probability: float
    nearest: tuple[tuple[str, float], ...]


class RefusedLabel(NamedTuple):
    """Hold a label that could not be placed: in how many cases of the new log it is, and why it was refused."""

    label: str
    cases: int
    why: str


class LabelReading(NamedTuple):
    """Hold the old label that a new one is read as, the probability that this is right, and the figures behind it.

    ``cases`` is the number of cases of the new log that have the label.
    """

    label: str
    read_as: str
    probability: float
    cases: int
    figures: tuple[float, ...]


class LabelPlacements(NamedTuple):
    """Hold the weights of the old labels (columns, in the order of the old log's activities) for each placed label (rows)."""

    placed: tuple[PlacedLabel, ...]
    refused: tuple[RefusedLabel, ...]
    weights: Floats


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
        return dict(zip(PAST_ARRAYS, self, strict=True))

    @classmethod
    def from_file(cls, file: StoredFile, n: int) -> "PastCases | None":
        """Return the variants of a file whose predictor knows n activities; None if it has none; unsound ones are an error."""
        present = [name for name in PAST_ARRAYS if name in file.arrays]
        if not present:
            return None
        if len(present) < len(PAST_ARRAYS):
            raise file.unsound("it has only a part of its past cases")
        codes, offsets, cases = (file.arrays[name] for name in PAST_ARRAYS)
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


class Network(NamedTuple):
    """Hold the parts of a predictor that depend on its labels; see :class:`actalike.Predictor`."""

    activities: Sequence[str]
    inputs: Floats
    out: Floats
    out_bias: Floats
    past: PastCases
    placed: tuple[PlacedLabel, ...]


def adapt_network(network: Network, log: EventLog) -> tuple[Network, tuple[RefusedLabel, ...]]:
    """Return the network with the labels of a log that can be placed, and those that cannot; the given one does not change."""
    past = network.past.log(network.activities)
    placements = place_labels(past, log, network.activities)
    activities = [*network.activities, *(label.label for label in placements.placed)]
    column = {label: i for i, label in enumerate(past.activities)}
    weights = np.zeros((len(placements.placed), len(network.activities)))
    known = [i for i, label in enumerate(network.activities) if label in column]
    weights[:, known] = placements.weights[:, [column[network.activities[i]] for i in known]]
    inputs = np.vstack([network.inputs, weights @ network.inputs])
    out, out_bias = _with_new_columns(network, activities, placements)
    placed = (*network.placed, *placements.placed)
    _divide(out_bias, activities, len(network.activities), placed, log)
    both = network.past.and_of(PastCases.of_log(log, activities))
    return Network(activities, inputs, out, out_bias, both, placed), placements.refused


def _with_new_columns(network: Network, activities: Sequence[str], placements: LabelPlacements) -> tuple[Floats, Floats]:
    """Return the weights and biases of the logits, with a column for each new label, not predicted yet; the end is last."""
    position = {label: i for i, label in enumerate(activities)}
    columns, biases = np.zeros((len(network.out), len(placements.placed))), np.full(len(placements.placed), NEVER)
    for i, label in enumerate(placements.placed):
        if label.read_as is not None:
            columns[:, i] = network.out[:, position[label.read_as]]
    bias = network.out_bias
    return np.insert(network.out, [-1], columns, axis=1), np.concatenate([bias[:-1], biases, bias[-1:]])


def _divide(bias: Floats, activities: Sequence[str], n_before: int, placed: Sequence[PlacedLabel], log: EventLog) -> None:
    """Divide the probability of each label among its names by their events in the log: change ``bias`` in place.

    Names of one label have the same weights, so the sum of exp(bias) over them is the label's own, whatever the shares are.
    """
    events = dict(zip(log.activities, log.activity_counts.tolist(), strict=True))
    for names in _names(activities, placed):
        total = sum(events.get(activities[i], 0) for i in names)
        whole = float(np.logaddexp.reduce(bias[names]))
        if len(names) == 1 or not total or whole < NEVER / 2:
            continue
        counts = np.array([events.get(activities[i], 0) + (_MAY_COME_BACK if i < n_before else 0.0) for i in names])
        bias[names] = whole + np.log(counts / counts.sum())


def _names(activities: Sequence[str], placed: Sequence[PlacedLabel]) -> list[list[int]]:
    """Return the positions of the names of each label: itself, and the labels that are read as one of its names."""
    read_as = {label.label: label.read_as for label in placed if label.read_as is not None}
    names: dict[str, list[int]] = {}
    for i, label in enumerate(activities):
        first = label
        while first in read_as:  # a label is read as one that was known before it, so this ends
            first = read_as[first]
        names.setdefault(first, []).append(i)
    return list(names.values())


def place_labels(past: EventLog, now: EventLog, known: Collection[str] = ()) -> LabelPlacements:
    """Place each label of ``now`` that neither ``past`` nor ``known`` has.

    >>> past = EventLog.from_traces([["ask", "check", "pay"], ["ask", "refuse"]] * 30)
    >>> now = EventLog.from_traces([["ask", "check", "transfer"], ["ask", "refuse"]] * 30 + [["ask", "oops"]])
    >>> placements = place_labels(past, now)
    >>> [(label.label, label.read_as) for label in placements.placed], placements.weights.round(2).tolist()
    ([('transfer', 'pay')], [[0.0, 0.0, 1.0, 0.0]])
    >>> [label.why for label in placements.refused]
    ['it is in 1 case only, too few to place it']
    """
    not_new = {*past.activities, *known}
    cases = dict(zip(now.activities, now.activity_cases.tolist(), strict=True))
    rare = [label for label in now.activities if label not in not_new and cases[label] < LEAST_CASES]
    refused = tuple(
        RefusedLabel(label, cases[label], f"it is in {cases[label]:,} case only, too few to place it") for label in rare
    )
    if len(rare) > _MANY_RARE:
        now = _with_one_rare_label(now, set(rare), not_new)
    placeable = [reading for reading in read_labels(past, now) if reading.label in cases and reading.label not in not_new]
    placeable = [reading for reading in placeable if reading.cases >= LEAST_CASES]
    position = {label: i for i, label in enumerate(past.activities)}
    weights = np.zeros((len(placeable), len(position)))
    unsure = [i for i, reading in enumerate(placeable) if reading.probability < SURE_ENOUGH]
    for i, reading in enumerate(placeable):
        weights[i, position[reading.read_as]] = 1.0
    if unsure:
        weights[unsure] = blend_weights(_joint_embedding(past, now), past.activities, [placeable[i].label for i in unsure])
    placed = tuple(_placed(reading, row, past.activities) for reading, row in zip(placeable, weights, strict=True))
    return LabelPlacements(placed, refused, weights)


def _with_one_rare_label(now: EventLog, rare: Collection[str], not_new: Collection[str]) -> EventLog:
    """Return the log with all rare labels as one, whose name no label has."""
    name = "rare"
    while name in not_new or name in now.activities:
        name += "'"
    return now.relabel(lambda label: name if label in rare else label)


def _placed(reading: LabelReading, weights: Floats, activities: list[str]) -> PlacedLabel:
    largest = np.argsort(-weights, kind="stable")[:_NEAREST]
    nearest = tuple((activities[i], float(weights[i])) for i in largest.tolist() if weights[i] > 0)
    read_as = reading.read_as if reading.probability >= SURE_ENOUGH else None
    return PlacedLabel(reading.label, reading.cases, read_as, reading.probability, nearest)


def _joint_embedding(past: EventLog, now: EventLog) -> Embedding:
    """Return the default method's vectors of a joint count of both logs."""
    method = make_method(DEFAULT_METHOD)
    counts: list[WindowCounts] = [count_windows(log, method.window or 1) for log in (past, now)]
    return method.fit(counts[0] + counts[1]).embedding_


def blend_weights(embedding: Embedding, old: list[str], new: list[str]) -> Floats:
    """Return the weights (new, old) with which old labels come nearest to new ones; 0 for old labels without a vector.

    >>> vectors = np.array([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 1.0, 0.0]])
    >>> blend_weights(Embedding(["a", "b", "c", "new"], vectors), ["a", "b", "c"], ["new"]).round(1).tolist()
    [[-0.2, 0.6, 0.6]]
    """
    row = {label: i for i, label in enumerate(embedding.activities)}
    known = [i for i, label in enumerate(old) if label in row]
    rows = [row[old[i]] for i in known] + [row[label] for label in new]
    cosines = centred_cosines(embedding.stored_vectors[rows], len(known))
    weights = np.zeros((len(new), len(old)))
    weights[:, known] = _nearest_sums(cosines[: len(known), : len(known)], cosines[len(known) :, : len(known)])
    return weights


def centred_cosines(vectors: Any, known: int) -> Floats:
    """Return the cosines of vectors less the mean of the first ``known`` ones; 0 for a vector that equals this mean."""
    product = vectors @ vectors.T
    products = np.asarray(product.toarray() if issparse(product) else product, dtype=np.float64)
    means = products[:, :known].mean(axis=1)
    centred = products - means[:, np.newaxis] - means + means[:known].mean()
    squares = np.diag(centred)
    is_apart = squares > 1e-9 * max(float(np.diag(products).max(initial=0.0)), 1e-300)
    scale = np.where(is_apart, 1 / np.sqrt(np.where(is_apart, squares, 1.0)), 0.0)
    cosines: Floats = centred * scale[:, np.newaxis] * scale
    return cosines


def _nearest_sums(among: Floats, to_new: Floats) -> Floats:
    """Return the weights that sum to 1 and minimise w (C + r I) wᵀ - 2 w c, for each row c of ``to_new``."""
    n = len(among)
    inverse = np.linalg.inv(among + RIDGE * np.eye(n))
    free = to_new @ inverse
    ones = inverse.sum(axis=0)
    weights: Floats = free + np.outer(1 - free.sum(axis=1), ones / ones.sum())
    return weights


def read_labels(past: EventLog, now: EventLog) -> list[LabelReading]:
    """Read each label of ``now`` that ``past`` does not have as a label of ``past``.

    >>> past = EventLog.from_traces([["ask", "check", "pay"], ["ask", "refuse"]] * 30)
    >>> now = EventLog.from_traces([["ask", "check", "transfer"], ["ask", "refuse"]] * 30)
    >>> [(reading.label, reading.read_as) for reading in read_labels(past, now)]
    [('transfer', 'pay')]
    """
    labels = compare_new_labels(past, now)
    if labels is None:
        return []
    new, is_used, likeness, frequency, agreements = labels
    scores = likeness + np.where(is_used[:, np.newaxis], -STILL_USED, frequency)
    best = scores.argmax(axis=0)
    columns = np.arange(len(new))
    runners_up = scores.copy()
    runners_up[best, columns] = -np.inf
    lead = np.tanh(6 * (scores[best, columns] - runners_up.max(axis=0, initial=-np.inf)))
    cases = np.log(np.minimum(now.activity_cases[new], _MANY_CASES))
    agreement = -np.log(1.01 - np.clip(agreements[best, columns], 0.0, 1.0)) - 2
    shares = [log.activity_cases / np.count_nonzero(log.lengths) for log in (past, now)]
    ratio = np.abs(np.log(shares[1][new] / shares[0][best]))
    difference = np.where(is_used[best], 0.0, np.minimum(ratio, _LARGEST_RATIO))
    contrast = np.minimum(likeness[best, columns] - np.log(np.exp(likeness).mean(axis=0)), _LARGEST_CONTRAST)
    values = (lead, cases, lead * cases, agreement, difference, is_used[best].astype(np.float64), contrast)
    figures = dict(zip(FIGURES, values, strict=True))
    probabilities = probability_of(reading_weights().log_odds(figures))
    return [
        LabelReading(
            now.activities[code],
            past.activities[best[i]],
            float(probabilities[i]),
            int(now.activity_cases[code]),
            tuple(float(figures[name][i]) for name in FIGURES),
        )
        for i, code in enumerate(new.tolist())
    ]


@cache
def reading_weights() -> Weights:
    """Read the weights that come with the package."""
    return read_weights(shipped_content(__package__, "reading_weights.json"), {"reading": FIGURES})["reading"]
