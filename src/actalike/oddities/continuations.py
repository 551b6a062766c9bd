"""Count how contexts go on, and how surprising a symbol is after its context: the symbols right before it, in any direction.

A context reaches to the outside of the case and no farther; ``None`` stands for the outside. The probability of a symbol after a
context is interpolated with that after the shorter context (Witten and Bell): with n(h) events after the context h, n(h y) of
them y, and T(h) distinct symbols, ``p(y | h) = (n(h y) + T(h) p(y | h')) / (n(h) + T(h))``, where h' is h without its farthest
symbol. Below the empty context stands ``1 / (T() + 1)``: all symbols so far and one that is new are equally likely.
"""

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import NamedTuple

from actalike.oddities.odd_data import Expected

Symbol = str | None
Line = tuple[Symbol, ...]  # consecutive symbols of a case
Context = tuple[Symbol, ...]

_EXPECTED = 3  # how many alternatives are listed


class Surprise(NamedTuple):
    """Hold how surprising an event is given its neighbours on one side, and what was expected instead.

    ``score`` is the negative logarithm of the probability. ``neighbours`` are those that weigh most in it, in the order of the
    case; None is the outside of the case. Beside them, ``times`` of ``total`` events of other cases are as here; ``expected`` are
    the most frequent others.
    """

    score: float
    neighbours: tuple[str | None, ...]
    times: int
    total: int
    expected: tuple[Expected, ...]


# what events elsewhere tell of a context: the context, how often the symbol follows it, all that follows it, the distinct symbols
_Level = tuple[Context, int, int, int]


class Continuations:
    """Hold how often each symbol follows each context of up to ``depth`` symbols.

    >>> counts = Continuations(depth=2)
    >>> for line in [(None, "a", "b"), (None, "a", "b"), (None, "a", "c")]:
    ...     counts.count(line, 2)
    >>> round(counts.surprise((None, "a", "c"), 2), 3)  # with any context (1 + 2 * 1/3) / (3 + 2), which is 1/3
    1.099
    """

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self._times: dict[Context, dict[Symbol, int]] = {}
        self._totals: dict[Context, int] = {}

    def count(self, line: Line, at: int, times: int = 1) -> None:
        """Count the symbol of a line at a place after each of its contexts."""
        symbol = line[at]
        for context in self._contexts(line, at):
            row = self._times.get(context)
            if row is None:
                row = self._times[context] = {}
                self._totals[context] = 0
            row[symbol] = row.get(symbol, 0) + times
            self._totals[context] += times

    def surprise(self, line: Line, at: int, own: Sequence[int] = ()) -> float:
        """Return the negative logarithm of the probability of a line's symbol at a place, given the symbols before it.

        ``own`` are the places of the line whose symbols are counted: they are left out, so that a case does not vouch for itself.
        """
        return _surprise(self._levels(line, at, own))

    def reason(self, line: Line, at: int, own: Sequence[int] = ()) -> Surprise:
        """Return the same surprise with the context that weighs most in it, and what usually follows that context."""
        levels = self._levels(line, at, own)
        surprise = _surprise(levels)
        if not levels:
            return Surprise(surprise, (), 0, 0, ())
        rest, weights = 1.0, []
        for _, _, total, distinct in reversed(levels):  # each leaves to the shorter contexts what it does not take
            weights.append(rest * total / (total + distinct))
            rest -= weights[-1]
        context, times, total, _ = levels[-1 - weights.index(max(weights))]
        others = Counter(self._times[context])
        others.subtract(_following(context, line, own))
        del others[line[at]]
        ranked = sorted(others.items(), key=lambda item: (-item[1], item[0] is not None, item[0] or ""))[:_EXPECTED]
        expected = tuple(Expected(symbol, n, n / total) for symbol, n in ranked if n > 0)
        return Surprise(surprise, context, times, total, expected)

    def _contexts(self, line: Line, at: int) -> list[Context]:
        """Return the contexts of a place from the empty one to the longest, which may begin with the outside of the case."""
        contexts: list[Context] = [()]
        for start in range(at - 1, at - 1 - self.depth, -1):
            contexts.append(line[start:at])
            if line[start] is None:
                break
        return contexts

    def _levels(self, line: Line, at: int, own: Sequence[int]) -> list[_Level]:
        """Return what the events elsewhere tell of each context, from the empty one on, as long as there are such events."""
        symbol = line[at]
        levels: list[_Level] = []
        for context in self._contexts(line, at):
            row = self._times.get(context)
            if row is None:
                break
            times, total, distinct = row.get(symbol, 0), self._totals[context], len(row)
            left_out = _following(context, line, own)
            for other in set(left_out):
                known, n = row.get(other, 0), left_out.count(other)
                if n >= known:  # more only if windows were forgotten that an open case has
                    n = known
                    distinct -= known > 0
                total -= n
                if other == symbol:
                    times -= n
            if not total:
                break
            levels.append((context, times, total, distinct))
        return levels


def _following(context: Context, line: Line, places: Sequence[int]) -> list[Symbol]:
    """Return the symbols at some places of a line that follow the context, as far as the line shows it."""
    size = len(context)
    if not size:
        return [line[place] for place in places]
    last = context[-1]  # compared first: most places differ there
    return [
        line[place] for place in places if place >= size and line[place - 1] == last and line[place - size : place] == context
    ]


def _surprise(levels: Sequence[_Level]) -> float:
    return 0.0 - log(_probability(levels))  # what is certain has the surprise 0.0, not -0.0


def _probability(levels: Sequence[_Level]) -> float:
    """Return the probability of a symbol from what is known after each of its contexts, the empty one first."""
    probability = 1 / (levels[0][3] + 1) if levels else 1.0
    for _, times, total, distinct in levels:
        probability = (times + distinct * probability) / (total + distinct)
    return probability
