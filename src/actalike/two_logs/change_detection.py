"""Find where a sequence of cases changes, by counts alone: which properties of cases are in more of them from some place on.

**Properties.** A case contains an activity (1, 2, 4, 8, 16 times or more); an activity directly follows another, begins or ends
the case (so many times); an activity follows another within two to four steps. The first two see new, lost and renamed labels,
other orders and other numbers of repetitions; the last sees changes of concurrency that leave all direct successions as they are.
Each is true or false of a case, so shares of cases are compared, and one case of a thousand events counts as one.

**Scan.** For a split into n1 and n2 cases, p1 and p2 the shares of cases with a property,
z² = 4 n1 n2 / (n1 + n2) (asin sqrt p1 - asin sqrt p2)² is about chi-squared with one degree of freedom if nothing changes. Three
statistics are computed for each split: the largest z², the sum of the ten largest, the sum of all. The first is best for a new
label, the last for a change of everything.

**Chance.** The largest of each statistic over all splits is compared with those of 99 shuffles, each minus the median and
divided by the standard deviation of the shuffles, and the largest of the three counts. A change is accepted if it is larger than
all shuffles: a sequence without a change has one found with a probability of 1 %. Long sequences are divided into 500 blocks of
consecutive cases, and the blocks are shuffled: dependence within a block is not a change either.

**Place.** With the properties whose z² is large, each case gets the log-likelihood ratio of being after the change; the split
where its sum is best is the place. The sequence is then divided there, and both parts are searched. At last each change is
placed and tested once more between its two neighbours.

**Gradual.** Two neighbouring changes are one gradual change if the cases between them are a mixture of those before and after.
A single change is gradual if a straight transition fits the ratios clearly better than a step.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import chdtri

from actalike.log import Variants

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FALSE_ALARMS = 0.01  # the share of sequences without a change in which one is found
SHUFFLES = 99  # a change must be larger than all of them
_KINDS = ("contains", "followed", "later")
REACH = 4  # steps from an activity to one that follows it
TIMES = (1, 2, 4, 8, 16)  # how often a case has something
_FEWEST_WITH = 5  # cases with a property, and without it
_MOST_PROPERTIES = 3000  # those that divide the cases best are kept
_FEWEST_CASES = 30  # on each side of a change
_FEWEST_SHARE = 0.02  # of the cases that are divided, on each side
_BLOCKS = 500  # that are shuffled
_SPLITS = 120  # that are looked at with each shuffle
_SUMMED = 10  # of the second statistic
_CLEAR = 8.0  # z² of a property that says where the change is
_SHARE_OF_LARGEST = 0.25  # or this share of the largest z², if that is more
_SURE_OF_PLACE = 0.95
_WIDTHS = (0.04, 0.07, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)  # of transitions, as shares of the cases
_CLEARLY_BETTER = 12.0  # by how much a transition must fit better than a step, twice the log-likelihood
_BY_CHANCE = 0.01  # that a mixture of two parts is not seen as one
_MIXTURE = (0.05, 0.95)  # shares of the later part in a mixture


class Property(NamedTuple):
    """Hold what is true or false of a case.

    - ``kind``: it "contains" the activity ``a``; ``a`` is directly "followed" by ``b``; ``b`` comes "later", after 2 to 4 steps.
    - ``a``, ``b``: labels; None is the outside of the case: nothing before its first event, nothing after its last.
    - ``times``: how often, at least.
    """

    kind: str
    a: str | None
    b: str | None
    times: int


class CaseProperties(NamedTuple):
    """Hold which properties (columns) the variants (rows) have, 1 or nothing, and how to name a property."""

    table: csr_array
    name: Callable[[int], Property]


class FoundChange(NamedTuple):
    """Hold a change of a sequence: between two places of it.

    - ``place``: so many places are before it. ``first``, ``last``: the interval in which it is, with a probability of 95 %.
    - ``start``, ``end``: where the transition begins and ends; both are ``place`` if it is sudden.
    - ``running``: the first of the cases before it that ran when it came, and are on neither side; ``place`` if there are none.
    - ``strength``: how far the statistic is beyond those of the shuffles, in their standard deviations.
    - ``columns``, ``before``, ``after``: the properties that changed most, and their shares of the cases on both sides.
    """

    place: int
    first: int
    last: int
    start: int
    end: int
    running: int
    strength: float
    columns: Integers
    before: Floats
    after: Floats


def case_properties(variants: Variants) -> CaseProperties:
    """Return the properties of the cases of each variant.

    >>> variants = Variants(["a", "b"], np.array([0, 0, 1]), np.array([0, 3]), np.array([5]))
    >>> found = case_properties(variants)
    >>> [tuple(found.name(column)) for column in range(found.table.shape[1])][:4]
    [('contains', 'a', None, 1), ('contains', 'a', None, 2), ('contains', 'b', None, 1), ('followed', 'a', 'a', 1)]
    """
    lengths, codes = variants.lengths, variants.codes.astype(np.int64)
    case, outside = variants.variant_of_event, len(variants.activities)
    symbols, first_events = outside + 1, np.repeat(variants.offsets[:-1], lengths)
    place = np.arange(len(codes)) - first_events
    left = np.repeat(lengths, lengths) - place - 1  # events after each one, in its case
    inner, first, last = np.flatnonzero(left >= 1), np.flatnonzero(place == 0), np.flatnonzero(left == 0)
    later = [(np.flatnonzero(left >= step), step) for step in range(2, REACH + 1)]
    occurrences = [  # of each kind: the case, and the two symbols as one number
        (case, codes * symbols),
        (
            np.concatenate([case[inner], case[first], case[last]]),
            np.concatenate(
                [
                    codes[inner] * symbols + codes[inner + 1],
                    outside * symbols + codes[first],
                    codes[last] * symbols + outside,
                ]
            ),
        ),
        (
            np.concatenate([case[events] for events, _ in later]),
            np.concatenate([codes[events] * symbols + codes[events + step] for events, step in later]),
        ),
    ]
    rows, keys = [], []
    space = symbols * symbols
    for kind, (of_case, pair) in enumerate(occurrences):
        found, times = np.unique(of_case * space + pair, return_counts=True)
        of_found, pair = np.divmod(found, space)
        for level, least in enumerate(TIMES if _KINDS[kind] != "later" else TIMES[:1]):
            enough = times >= least
            rows.append(of_found[enough])
            keys.append((kind * space + pair[enough]) * len(TIMES) + level)
    names, columns = np.unique(np.concatenate(keys), return_inverse=True)
    row = np.concatenate(rows)
    table = csr_array((np.ones(len(row)), (row, columns)), shape=(variants.n_variants, len(names)))
    labels: list[str | None] = [*variants.activities, None]

    def name(column: int) -> Property:
        rest, level = divmod(int(names[column]), len(TIMES))
        kind, rest = divmod(rest, space)
        a, b = divmod(rest, symbols)
        return Property(_KINDS[kind], labels[a], labels[b] if kind else None, TIMES[level])

    return CaseProperties(table, name)


class Ran(NamedTuple):
    """Hold the first of the cases that ran when a process changed, the place of the change, and the interval of this place."""

    left: int
    place: int
    first: int
    last: int


Running = Callable[[int, int, int], Ran | None]  # see find_changes


def squared_z(left: Floats, total: Floats, n_left: Floats, n: float) -> Floats:
    """Return z² of properties (columns) for splits (rows), from the numbers of cases with a property left of it and in all.

    >>> squared_z(np.array([[10.0, 0.0]]), np.array([20.0, 20.0]), np.array([100.0]), 200.0).round(2).tolist()
    [[0.0, 42.99]]
    """
    n_right = n - n_left
    before = np.arcsin(np.sqrt(left / n_left[:, np.newaxis]))
    after = np.arcsin(np.sqrt((total - left) / n_right[:, np.newaxis]))
    return (4 * n_left * n_right / n)[:, np.newaxis] * np.square(before - after)


def is_clear(z: Floats) -> NDArray[np.bool_]:
    """Return which properties tell the cases before a change from those after it, by their z²."""
    return z >= max(min(_CLEAR, z.max(initial=0.0)), _SHARE_OF_LARGEST * z.max(initial=0.0))


def _statistics(blocks: NDArray[np.float32], sizes: NDArray[np.float32], order: Integers, splits: Integers) -> Floats:
    """Return the three statistics (rows) of each split (columns) of blocks in an order."""
    bounds = np.concatenate([[0], splits, [len(order)]])
    members = csr_array((np.ones(len(order), dtype=blocks.dtype), order, bounds), shape=(len(bounds) - 1, len(order)))
    left, n_left = np.cumsum(members @ blocks, axis=0), np.cumsum(members @ sizes)
    z = squared_z(left[:-1], left[-1], n_left[:-1], float(n_left[-1]))
    some = min(_SUMMED, z.shape[1])
    largest = np.partition(z, z.shape[1] - some, axis=1)[:, z.shape[1] - some :]
    statistics: Floats = np.stack([z.max(axis=1), largest.sum(axis=1), z.sum(axis=1)])
    return statistics


def find_changes(
    counts: csr_array,
    sizes: Integers,
    seed: int = 0,
    running: Running | None = None,
    advance: Callable[[str], object] = lambda what: None,
) -> list[FoundChange]:
    """Find the changes of a sequence, in its order.

    ``counts`` are the numbers of cases with each property (columns) at each place (rows), ``sizes`` the numbers of all cases
    there. ``running(low, place, high)``, if it is given, says whether a change between ``low`` and ``high`` is also one of the
    cases that ran then: these are on neither side.
    ``advance`` is called for each part that was tested.

    >>> counts = csr_array(np.repeat([[1, 0], [0, 1]], [60, 40], axis=0))
    >>> [(one.place, one.first, one.last) for one in find_changes(counts, np.ones(100, dtype=int))]
    [(60, 60, 60)]
    """
    search = _Search(csr_array(counts, dtype=np.float64), np.asarray(sizes, dtype=np.float64), seed, running, advance)
    return search.described(search.confirmed(search.joined(search.divided(0, len(sizes)))))


@dataclass(frozen=True)
class _Place:
    """Hold a change while it is sought: the cases from ``left`` to ``place`` ran when it came, or are in transition."""

    left: int
    place: int
    strength: float
    ran: Ran | None = None
    is_gradual: bool = False


class _Part(NamedTuple):
    """Hold the places of a sequence from ``low`` to ``high``; ``columns`` are the properties that divide them."""

    low: int
    high: int
    counts: csr_array
    sizes: Floats
    columns: Integers

    def having(self, low: int, high: int) -> Floats:
        """Return how many cases between two places have each property of ``columns``."""
        having: Floats = _rows(self.counts, low, high).sum(axis=0)[self.columns]
        return having

    @property
    def fewest(self) -> float:
        """Return how many cases there must be on each side of a change."""
        return max(_FEWEST_CASES, _FEWEST_SHARE * float(self.sizes.sum()))

    @property
    def splits(self) -> Integers:
        """Return the splits that leave enough cases on both sides: so many places are before each."""
        before = np.cumsum(self.sizes)
        enough = (before >= self.fewest) & (self.sizes.sum() - before >= self.fewest)
        return np.flatnonzero(enough) + 1


def _rows(counts: csr_array, low: int, high: int) -> csr_array:
    """Return rows of a matrix as a view, which takes no time."""
    cells = slice(counts.indptr[low], counts.indptr[high])
    indptr = counts.indptr[low : high + 1] - counts.indptr[low]
    return csr_array((counts.data[cells], counts.indices[cells], indptr), shape=(high - low, counts.shape[1]))


class _Search:
    def __init__(
        self, counts: csr_array, sizes: Floats, seed: int, running: Running | None, advance: Callable[[str], object]
    ) -> None:
        self.counts, self.sizes, self.seed = counts, sizes, seed
        self._running, self._advance = running, advance
        self._results: dict[tuple[int, int], tuple[int, float] | None] = {}  # of parts that were tested

    def part(self, low: int, high: int) -> _Part:
        """Return a part of the sequence."""
        counts, sizes = _rows(self.counts, low, high), self.sizes[low:high]
        having = counts.sum(axis=0)
        divides = np.minimum(having, sizes.sum() - having)
        columns = np.flatnonzero(divides >= _FEWEST_WITH)
        if len(columns) > _MOST_PROPERTIES:
            columns = np.sort(columns[np.argsort(-divides[columns], kind="stable")[:_MOST_PROPERTIES]])
        return _Part(low, high, counts, sizes, columns)

    def divided(self, low: int, high: int) -> list[_Place]:
        """Return the changes from ``low`` to ``high``: the clearest one, and those before and after it."""
        found = self._tested(low, high)
        if found is None:
            return []
        split, strength = found
        part = self.part(low, high)
        place = low + _placed(part, split)
        ran = None if self._running is None else self._running(low, place, high)
        left, place = (place, place) if ran is None else (ran.left, ran.place)
        return [*self.divided(low, left), _Place(left, place, strength, ran), *self.divided(place, high)]

    def _tested(self, low: int, high: int) -> tuple[int, float] | None:
        """Return the clearest split of a part and its strength; None if shuffles reach it."""
        if (low, high) not in self._results:
            self._results[low, high] = self._shuffled(self.part(low, high))
            self._advance("tested")
        return self._results[low, high]

    def _shuffled(self, part: _Part) -> tuple[int, float] | None:
        splits = part.splits
        if not len(splits) or not len(part.columns):
            return None
        bounds = _bounds(len(part.sizes))
        members = csr_array(
            (np.ones(len(part.sizes)), np.arange(len(part.sizes)), bounds), shape=(len(bounds) - 1, len(part.sizes))
        )
        blocks = (members @ part.counts)[:, part.columns].toarray().astype(np.float32)
        sizes = (members @ part.sizes).astype(np.float32)
        allowed = np.flatnonzero(np.isin(bounds, splits))
        if not len(allowed):
            return None
        allowed = allowed[np.unique(np.linspace(0, len(allowed) - 1, _SPLITS).round().astype(int))]
        rng = np.random.default_rng([self.seed, part.low, part.high])
        observed = _statistics(blocks, sizes, np.arange(len(blocks)), allowed)
        by_chance = np.empty((SHUFFLES, len(observed)))
        for i in range(SHUFFLES):
            by_chance[i] = _statistics(blocks, sizes, rng.permutation(len(blocks)), allowed).max(axis=1)
            if (by_chance[: i + 1].max(axis=0) >= observed.max(axis=1)).all():
                return None  # whatever the other shuffles are, the change is not beyond all of them
        middle, spread = np.median(by_chance, axis=0), by_chance.std(axis=0) + 1e-9
        curve = ((observed.T - middle) / spread).max(axis=1)
        highest = ((by_chance - middle) / spread).max(axis=1).max()
        strength = float(curve.max())
        return (int(bounds[allowed[int(np.argmax(curve))]]), strength) if strength > highest else None

    def joined(self, places: list[_Place]) -> list[_Place]:
        """Join neighbouring changes that are one gradual change."""
        joined = True
        while joined:
            joined = False
            gaps = sorted(range(len(places) - 1), key=lambda i: places[i + 1].left - places[i].place)
            for i in gaps:
                one, other = places[i], places[i + 1]
                low = places[i - 1].place if i else 0
                high = places[i + 2].left if i + 2 < len(places) else len(self.sizes)
                if self._is_mixture(low, one.left, one.place, other.left, other.place, high):
                    strength = max(one.strength, other.strength)
                    places = [*places[:i], _Place(one.left, other.place, strength, is_gradual=True), *places[i + 2 :]]
                    joined = True
                    break
        return places

    def _is_mixture(self, low: int, left: int, first: int, last: int, right: int, high: int) -> bool:
        """Return whether the cases from ``first`` to ``last`` are a mixture of those before ``left`` and after ``right``."""
        part = self.part(low, high)
        ranges = [(low, left), (first, last), (right, high)]
        sizes = np.array([self.sizes[start:end].sum() for start, end in ranges])
        if not sizes.all():
            return False
        having = [part.having(start - low, end - low) for start, end in ranges]
        before, between, after = (one / size for one, size in zip(having, sizes, strict=True))
        z = squared_z(having[0][np.newaxis], having[0] + having[2], sizes[:1], float(sizes[0] + sizes[2]))[0]
        clear = z >= max(_CLEAR, _SHARE_OF_LARGEST * z.max())
        if not clear.any():
            return False
        step = (after - before)[clear]
        share = float(step @ (between - before)[clear] / (step @ step))
        if not _MIXTURE[0] < share < _MIXTURE[1]:
            return False
        expected = (1 - share) * before + share * after
        smallest = 0.5 / sizes[1]
        expected = np.clip(expected, smallest, 1 - smallest)
        spread = expected * (1 - expected) * (1 / sizes[1] + (1 - share) ** 2 / sizes[0] + share**2 / sizes[2])
        largest = float((np.square(between - expected) / spread).max())
        return largest <= float(chdtri(1, _BY_CHANCE / len(z)))

    def confirmed(self, places: list[_Place]) -> list[_Place]:
        """Place and test each change once more between its neighbours; leave out those that chance explains now."""
        kept = list(places)
        for one in sorted(places, key=lambda one: one.strength):
            i = kept.index(one)
            low = kept[i - 1].place if i else 0
            high = kept[i + 1].left if i + 1 < len(kept) else len(self.sizes)
            if self._tested(low, high) is None:
                kept.pop(i)
        return kept

    def described(self, places: list[_Place]) -> list[FoundChange]:
        """Say where each change is, between its neighbours, how it came, and what changed."""
        found = []
        for i, one in enumerate(places):
            low = places[i - 1].place if i else 0
            high = places[i + 1].left if i + 1 < len(places) else len(self.sizes)
            found.append(self._described(one, low, high))
        return found

    def _described(self, one: _Place, low: int, high: int) -> FoundChange:
        part = self.part(low, high)
        if one.ran is not None and not one.is_gradual:
            return self._found(part, one.ran.left - low, one.place - low, one.ran.first - low, one.ran.last - low, one.strength)
        split = _placed(part, (one.left + one.place) // 2 - low)
        ratios = _ratios(part, split)
        first, last = _interval(part, ratios, split)
        transition = _transition(part, ratios, split)
        if transition is None and one.is_gradual:
            transition = one.left - low, one.place - low
        if transition is None:
            return self._found(part, split, split, first, last, one.strength)
        start, end = transition
        split = (start + end) // 2
        found = self._found(part, split, split, min(first, start), max(last, end), one.strength)
        return found._replace(start=low + start, end=low + end)

    def _found(self, part: _Part, left: int, split: int, first: int, last: int, strength: float) -> FoundChange:
        """Return a change with what changed most between the cases until ``left`` and those from ``split`` on."""
        before, after = part.having(0, left), part.having(split, len(part.sizes))
        n_before, n_after = float(part.sizes[:left].sum()), float(part.sizes[split:].sum())
        z = squared_z(before[np.newaxis], before + after, np.array([n_before]), n_before + n_after)[0]
        order = np.argsort(-z, kind="stable")
        place, first, last, left = (part.low + one for one in (split, first, last, left))
        shares = before[order] / n_before, after[order] / n_after
        return FoundChange(place, first, last, place, place, left, strength, part.columns[order], *shares)


def _bounds(n: int) -> Integers:
    """Return where blocks of n places begin, and the end of the last."""
    return np.linspace(0, n, min(n, _BLOCKS) + 1).round().astype(np.int64)


def _ratios(part: _Part, split: int) -> Floats:
    """Return for each place the sum over its cases of the log-likelihood ratio of being after a split, by what is clear there."""
    left, total = part.having(0, split), part.having(0, len(part.sizes))
    n_left, n = float(part.sizes[:split].sum()), float(part.sizes.sum())
    z = squared_z(left[np.newaxis], total, np.array([n_left]), n)[0]
    clear = np.flatnonzero(is_clear(z))
    before = (left[clear] + 0.5) / (n_left + 1)
    after = (total[clear] - left[clear] + 0.5) / (n - n_left + 1)
    with_it, without_it = np.log(after / before), np.log((1 - after) / (1 - before))
    weights = np.zeros(part.counts.shape[1])
    weights[part.columns[clear]] = with_it - without_it
    ratios: Floats = part.counts @ weights + part.sizes * without_it.sum()
    return ratios


def _placed(part: _Part, split: int) -> int:
    """Return the split where the likelihood is largest, beginning with the properties that are clear at the given one."""
    splits = part.splits
    for _ in range(3):
        before = np.cumsum(_ratios(part, split))
        best = int(splits[int(np.argmin(before[splits - 1]))])
        if best == split:
            break
        split = best
    return split


def _interval(part: _Part, ratios: Floats, split: int) -> tuple[int, int]:
    """Return the interval of splits in which the change is, with a probability of 95 %.

    Properties depend on each other, so the ratios are taken as what they are: a number of each case, with a mean before and after
    the change and a variance.
    """
    first, last = likely_places(_log_likelihoods(part, ratios, split))
    return min(int(part.splits[first]), split), max(int(part.splits[last]), split)


def likely_places(log_likelihoods: Floats) -> tuple[int, int]:
    """Return the first and the last of the likeliest places, which have 95 % of the likelihood together.

    >>> likely_places(np.log([0.01, 0.06, 0.9, 0.03]))
    (1, 2)
    """
    likely = np.exp(log_likelihoods - log_likelihoods.max())
    order = np.argsort(-likely, kind="stable")
    chosen = order[: int(np.searchsorted(np.cumsum(likely[order]), _SURE_OF_PLACE * likely.sum())) + 1]
    return int(chosen.min()), int(chosen.max())


def _log_likelihoods(part: _Part, ratios: Floats, split: int) -> Floats:
    """Return the log-likelihood of each allowed split, but for a constant."""
    sizes = part.sizes
    means = [ratios[side].sum() / sizes[side].sum() for side in (slice(split), slice(split, None))]
    expected = np.where(np.arange(len(sizes)) < split, *means) * sizes
    variance = float((np.square(ratios - expected) / sizes).mean()) + 1e-9
    slope = (means[1] - means[0]) / variance
    gains = np.cumsum(slope * (ratios - sizes * (means[0] + means[1]) / 2))
    result: Floats = -gains[part.splits - 1]
    return result


def _transition(part: _Part, ratios: Floats, split: int) -> tuple[int, int] | None:
    """Return where a gradual transition begins and ends; None if a step at the split fits about as well."""
    bounds = np.unique(np.append(_bounds(len(part.sizes)), split))
    values, sizes = np.add.reduceat(ratios, bounds[:-1]), np.add.reduceat(part.sizes, bounds[:-1])
    n = float(sizes.sum())
    middles = np.cumsum(sizes) - sizes / 2
    allowed = np.cumsum(part.sizes)[part.splits - 1]
    centres = allowed[np.unique(np.linspace(0, len(allowed) - 1, _SPLITS).round().astype(int))]
    mean = values.sum() / n

    def explained(ramp: Floats) -> Floats:
        ramp = ramp - (ramp @ sizes)[:, np.newaxis] / n
        gains: Floats = np.square(ramp @ (values - mean * sizes)) / np.maximum(np.square(ramp) @ sizes, 1e-9)
        return gains

    step = float(explained((bounds[np.newaxis, :-1] >= split).astype(np.float64))[0])
    best, centre, width = step, 0.0, 0.0
    for share in _WIDTHS:
        gains = explained(np.clip((middles - centres[:, np.newaxis]) / (share * n) + 0.5, 0, 1))
        chosen = int(np.argmax(gains))
        if gains[chosen] > best:
            best, centre, width = float(gains[chosen]), float(centres[chosen]), share
    around = float((np.square(values - mean * sizes) / sizes).sum())
    variance = max((around - best) / max(len(values) - 1, 1), 1e-9)
    if best - step < _CLEARLY_BETTER * variance or not width:
        return None
    before = np.cumsum(part.sizes)
    start, end = np.searchsorted(before, [centre - width * n / 2, centre + width * n / 2]).tolist()
    return max(start, 0), min(end + 1, len(part.sizes))
