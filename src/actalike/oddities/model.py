"""How probable a case is: its variants laid out, and each event after the events before it, by how all other cases go on.

A symbol is an activity, or the start or the end of a case. With ``h`` the last ``m`` symbols (``m`` up to 3, fewer at the start
of a case), ``n(hy)`` how often ``y`` comes after ``h``, ``T(h)`` how many different symbols do, ``h-`` the context without its
farthest symbol, ``N`` all events and ends of cases, and ``A`` the number of labels::

    p(y | h) = (n(hy) + 16 T(h) p(y | h-)) / (n(h) + 16 T(h)),    p(y) = (n(y) + 1/2) / (N + (A + 1) / 2)

This is Witten-Bell smoothing with a heavier back-off: a long context has to be seen often before it decides. A context that was
not seen changes nothing. The longest context has three symbols, or begins with the start of the case. All counts are those of the
log **without the case itself**: a rare case is no evidence for itself. If cases are judged by those of another log, a reference,
they are not among them, and nothing is left out.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from actalike.log import Variants

LONGEST_CONTEXT = 3  # events before an event that its probability depends on
MARGIN = LONGEST_CONTEXT + 1  # starts and ends around each variant, so that no window leaves it
STRETCH = 100  # events of the shortest case that counts as long: by a reference, it is judged as a whole (stretches.py)
BACK_OFF = 16.0  # how heavily the shorter context counts, in events for each different symbol
_PSEUDO_COUNT = 0.5  # of each label and of the end, where nothing is known
_AT_ONCE = 1 << 20  # symbols whose probabilities are computed at a time: limits the memory
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # of the hash: an odd number whose bits have no pattern

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


class DistinctCases:
    """Hold each variant once, as symbols: the activity codes, then ``start`` and ``end``.

    Event ``i`` of variant ``v`` is ``symbols[first[v] + i]``. ``MARGIN`` starts come before the events of a variant, and as many
    ends after them.

    >>> cases = DistinctCases(Variants(["a", "b"], np.array([0, 1, 1]), np.array([0, 2, 3]), np.array([2, 1])))
    >>> cases.weights.tolist(), cases.lengths.tolist(), cases.start, cases.end
    ([2, 1], [2, 1], 2, 3)
    """

    def __init__(self, variants: Variants) -> None:
        self.weights: Ints = variants.weights
        self.lengths: Ints = variants.lengths
        self.n_labels = len(variants.activities)
        self.start, self.end, self.n_symbols = self.n_labels, self.n_labels + 1, self.n_labels + 2
        bounds = np.append(0, np.cumsum(self.lengths + 2 * MARGIN))
        self.first: Ints = bounds[:-1] + MARGIN
        self.variant_of_event: Ints = variants.variant_of_event
        self.offsets: Ints = variants.offsets  # of the variants among their events
        self.position: Ints = np.arange(self.offsets[-1]) - self.offsets[self.variant_of_event]
        self.places: Ints = self.first[self.variant_of_event] + self.position  # of the events among the symbols
        self.symbols: Ints = np.full(bounds[-1], self.start)
        self.symbols[self.places] = variants.codes
        self.symbols[(self.first + self.lengths)[:, None] + np.arange(MARGIN)] = self.end

    @cached_property
    def ends(self) -> Ints:
        """Return the place of the first end after each variant."""
        return self.first + self.lengths


class CountTable:
    """Hold distinct keys in rising order with a count for each; a key that is not there has the count 0.

    A key is looked up by its hash: each has a slot, and if that is taken the next one that is free. In tables of many keys this
    takes a fifth of the time of a binary search, whose steps are far apart in memory.

    >>> table, numbers = CountTable.of(np.array([5, 3, 5]), np.array([1, 10, 1]))
    >>> table.keys.tolist(), table.counts.tolist(), numbers.tolist()
    ([3, 5], [10, 2], [1, 0, 1])
    >>> table.of_keys(np.array([5, 4])).tolist(), table.numbers(np.array([5, 4])).tolist()
    ([2, 0], [1, -1])
    """

    def __init__(self, keys: Ints, counts: Ints) -> None:
        self.keys, self.counts = keys, counts
        self._bits = max((2 * len(keys)).bit_length(), 1)  # of a slot's number: more than half of the slots are free

    @classmethod
    def of(cls, keys: Ints, weights: Ints) -> tuple["CountTable", Ints]:
        """Count keys by their weights; return the table, and the number of each key in it."""
        distinct, numbers = np.unique(keys, return_inverse=True)
        return cls(distinct, np.bincount(numbers, weights=weights, minlength=len(distinct)).astype(np.int64)), numbers

    def numbers(self, keys: Ints) -> Ints:
        """Return the number of each key in the table, -1 where it has none."""
        slot = self._slot(keys)
        numbers = self._numbers[slot]
        others = np.flatnonzero(self._is_other(numbers, keys))  # where the slot belongs to another key
        slot = slot[others]
        while len(others):
            slot = self._next(slot)
            numbers[others] = self._numbers[slot]
            still = self._is_other(numbers[others], keys[others])
            others, slot = others[still], slot[still]
        return numbers

    def of_keys(self, keys: Ints) -> Ints:
        """Return the count of each key, 0 where it has none."""
        return self._counts[self.numbers(keys)]

    @cached_property
    def _numbers(self) -> Ints:
        """Return the number of the key in each slot, -1 where there is none."""
        slots = np.full(1 << self._bits, -1)
        waiting = np.arange(len(self.keys))
        slot = self._slot(self.keys)
        while len(waiting):
            free = slots[slot] < 0
            slots[slot[free]] = waiting[free]  # of several keys, the last one gets the slot
            displaced = slots[slot] != waiting
            waiting, slot = waiting[displaced], self._next(slot[displaced])
        return slots

    @cached_property
    def _keys(self) -> Ints:
        """Return the keys with one more at the end, for the number -1 of a free slot."""
        return np.append(self.keys, -1)

    @cached_property
    def _counts(self) -> Ints:
        """Return the counts with a 0 at the end, which the number -1 takes."""
        return np.append(self.counts, 0)

    def _slot(self, keys: Ints) -> Ints:
        return ((keys.astype(np.uint64) * _MULTIPLIER) >> np.uint64(64 - self._bits)).astype(np.int64)

    def _next(self, slot: Ints) -> Ints:
        return (slot + 1) & ((1 << self._bits) - 1)

    def _is_other(self, numbers: Ints, keys: Ints) -> NDArray[np.bool_]:
        """Return where a slot is taken by another key than the one that is looked for."""
        return (numbers >= 0) & (self._keys[numbers] != keys)


@dataclass(frozen=True)
class _Level:
    """Hold the counts of contexts of one length, and those of each variant alone, to leave one case of it out.

    A context is numbered; its key is that of its shorter context and its farthest symbol. ``followed`` has the context and the
    symbol after it. ``own_contexts`` and ``own_followed`` have the variant beside the number; ``own_only`` is how many of the
    symbols after a context come from a single case.
    """

    contexts: CountTable
    distinct: Ints
    followed: CountTable
    own_contexts: CountTable
    own_only: Ints
    own_followed: CountTable


class CaseProbabilities:
    """Hold how often each symbol comes after each context of up to ``longest`` symbols.

    The counts are those of ``counted``, which have the same labels as the ``cases``; without them, those of the cases themselves,
    and each case is left out where it is judged.
    """

    def __init__(
        self,
        cases: DistinctCases,
        counted: DistinctCases | None = None,
        longest: int = LONGEST_CONTEXT,
        back_off: float = BACK_OFF,
    ) -> None:
        self.cases, self.counted = cases, counted or cases
        self._longest, self._back_off = longest, back_off
        self.leaves_out = counted is None
        self._base = cases.n_symbols
        self.places, self.variants = predicted_places(cases)
        self._counted_places, self._counted_variants = predicted_places(self.counted)
        followers = self.counted.symbols[self._counted_places]
        weights = self.counted.weights[self._counted_variants]
        self._shares = np.bincount(followers, weights=weights, minlength=self._base).astype(np.int64)
        self._total = int(weights.sum())
        self._own_total = cases.lengths + 1
        self._own_shares = _NOTHING
        if self.leaves_out:
            once = np.ones(len(followers), dtype=np.int64)
            self._own_shares, _ = CountTable.of(followers * len(cases.weights) + self.variants, once)
        self._levels = self._count_levels(followers, weights)
        self.log_probabilities: Floats = np.zeros(len(cases.symbols))  # of each symbol where it stands
        for begin in range(0, len(self.places), _AT_ONCE):
            places, variants = self.places[begin : begin + _AT_ONCE], self.variants[begin : begin + _AT_ONCE]
            self.log_probabilities[places] = np.log(self.probabilities(cases.symbols, places, variants))

    def probabilities(self, symbols: Ints, places: Ints, variants: Ints) -> Floats:
        """Return the probability of the symbol at each place, given those before it, for cases of given variants.

        ``symbols`` holds sequences one after the other, with a start before each.
        """
        followers = symbols[places]
        result = self.plainest(symbols, places, variants)
        left = np.arange(len(places))  # whose context was seen so far
        context = np.zeros(len(places), dtype=np.int64)
        for length, level in enumerate(self._levels, 1):
            farthest = symbols[places[left] - length]
            number = level.contexts.numbers(context * self._base + farthest)
            seen = number >= 0
            left, number = left[seen], number[seen]
            times, distinct = level.contexts.counts[number], level.distinct[number]
            if self.leaves_out:
                own = level.own_contexts.numbers(number * len(self.cases.weights) + variants[left])
                has_own = own >= 0
                times = times - np.where(has_own, level.own_contexts.counts[own], 0)
                distinct = distinct - np.where(has_own, level.own_only[own], 0)
                elsewhere = times > 0  # a context that only this case has says nothing, and neither does a longer one
                left, number, times, distinct = left[elsewhere], number[elsewhere], times[elsewhere], distinct[elsewhere]
            if not len(left):
                break
            pair = level.followed.numbers(number * self._base + followers[left])
            together = np.where(pair >= 0, level.followed.counts[pair], 0)
            if self.leaves_out:
                met = np.flatnonzero(pair >= 0)
                together[met] -= level.own_followed.of_keys(pair[met] * len(self.cases.weights) + variants[left[met]])
            weight = self._back_off * distinct
            result[left] = (together + weight * result[left]) / (times + weight)
            longer = symbols[places[left] - length] != self.cases.start  # a context ends with the start of its case
            left, context = left[longer], number[longer]
        return result

    def plainest(self, symbols: Ints, places: Ints, variants: Ints) -> Floats:
        """Return the probability of the symbol at each place if nothing is known of what came before it."""
        elsewhere, total = self._times(symbols[places], variants)
        return np.asarray((elsewhere + _PSEUDO_COUNT) / (total + _PSEUDO_COUNT * (self.cases.n_labels + 1)))

    def neighbours(self) -> tuple[Floats, Floats]:
        """Return the probability of the symbol at each of ``places`` after the one before it, and of that one before it.

        They are (n(xy) + 1/2) / (n(x) + (A + 1) / 2) and (n(xy) + 1/2) / (n(y) + (A + 1) / 2) for the symbol y after x, with n(x)
        how often anything comes after x, and n(y) how often y comes after anything.
        """
        level, n_variants = self._levels[0], len(self.cases.weights)
        after = self.cases.symbols[self.places]
        number = level.contexts.numbers(self.cases.symbols[self.places - 1])
        pair = level.followed.numbers(number * self._base + after)
        times_before = np.where(number >= 0, level.contexts.counts[number], 0)
        together = np.where(pair >= 0, level.followed.counts[pair], 0)
        if self.leaves_out:
            times_before -= level.own_contexts.of_keys(number * n_variants + self.variants)
            together -= level.own_followed.of_keys(pair * n_variants + self.variants)
        times_after, _ = self._times(after, self.variants)
        nothing = _PSEUDO_COUNT * (self.cases.n_labels + 1)
        return (together + _PSEUDO_COUNT) / (times_before + nothing), (together + _PSEUDO_COUNT) / (times_after + nothing)

    def _times(self, symbols: Ints, variants: Ints) -> tuple[Ints, Ints]:
        """Return how often each symbol comes in the cases that count for each variant, and how often any does."""
        times, total = self._shares[symbols], np.full(len(symbols), self._total)
        if self.leaves_out:
            times = times - self._own_shares.of_keys(symbols * len(self.cases.weights) + variants)
            total = total - self._own_total[variants]
        return times, total

    def following(self, context: Ints) -> tuple[Ints, Ints]:
        """Return the symbols that come after a context (the nearest symbol last) in the whole log, and how often each does."""
        number = 0
        for level, symbol in zip(self._levels, context[::-1].tolist(), strict=False):
            number = int(level.contexts.numbers(np.array([number * self._base + symbol]))[0])
            if number < 0:
                return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
        followed = self._levels[len(context) - 1].followed
        begin, end = np.searchsorted(followed.keys, [number * self._base, (number + 1) * self._base])
        return followed.keys[begin:end] - number * self._base, followed.counts[begin:end]

    def _count_levels(self, followers: Ints, weights: Ints) -> list["_Level"]:
        """Count the contexts of each length that no start cuts short."""
        levels = []
        symbols, places, variants = self.counted.symbols, self._counted_places, self._counted_variants
        n_variants = len(self.counted.weights)
        left = np.arange(len(followers))
        context = np.zeros(len(followers), dtype=np.int64)
        for length in range(1, self._longest + 1):
            farthest = symbols[places[left] - length]
            contexts, number = CountTable.of(context * self._base + farthest, weights[left])
            followed, pair = CountTable.of(number * self._base + followers[left], weights[left])
            own_contexts = own_followed = _NOTHING
            own_only = np.empty(0, dtype=np.int64)
            if self.leaves_out:
                once = np.ones(len(left), dtype=np.int64)
                own_contexts, _ = CountTable.of(number * n_variants + variants[left], once)
                own_followed, _ = CountTable.of(pair * n_variants + variants[left], once)
                single = own_followed.counts == followed.counts[own_followed.keys // n_variants]
                of_single = followed.keys[own_followed.keys[single] // n_variants] // self._base
                own = own_contexts.numbers(of_single * n_variants + own_followed.keys[single] % n_variants)
                own_only = np.bincount(own, minlength=len(own_contexts.keys))
            distinct = np.bincount(followed.keys // self._base, minlength=len(contexts.keys))
            levels.append(_Level(contexts, distinct, followed, own_contexts, own_only, own_followed))
            longer = farthest != self.cases.start
            left, context = left[longer], number[longer]
        return levels


def predicted_places(cases: DistinctCases) -> tuple[Ints, Ints]:
    """Return the places of all that is predicted, the events and then the end of each case, and the variant of each."""
    return np.append(cases.places, cases.ends), np.append(cases.variant_of_event, np.arange(len(cases.lengths)))


_NOTHING = CountTable(np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64))
