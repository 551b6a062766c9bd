"""The definition of the scores of a stream, as loops over all events so far."""

from collections import Counter
from dataclasses import dataclass, field
from math import log


@dataclass
class Case:
    id: str
    events: list[str] = field(default_factory=list)
    settled: int = 0  # how many events have been scored by both sides, and are counted with what follows them
    ended: bool = False  # whether the end of the case is counted


@dataclass
class Side:
    """What is known of an event's neighbours on one side: the symbols beside each context, from the empty one to the longest."""

    symbol: str | None
    known: list[tuple[tuple, list]]

    @property
    def probability(self):
        p = 1 / (len(set(self.known[0][1])) + 1)
        for _, symbols in self.known:
            if symbols:
                distinct = len(set(symbols))
                p = (symbols.count(self.symbol) + distinct * p) / (len(symbols) + distinct)
        return p

    @property
    def reason(self):
        """The context that weighs most, how often the symbol is beside it, how often any is, and the most frequent others."""
        weights, rest = [], 1.0
        for context, symbols in reversed(self.known):
            if symbols:
                weights.append((rest * len(symbols) / (len(symbols) + len(set(symbols))), len(context), context, symbols))
                rest -= weights[-1][0]
        if not weights:
            return (), 0, 0, []
        _, _, context, symbols = max(weights, key=lambda weight: weight[:2])
        others = Counter(symbol for symbol in symbols if symbol != self.symbol)
        ranked = sorted(others.items(), key=lambda item: (-item[1], item[0] is not None, item[0] or ""))
        return context, symbols.count(self.symbol), len(symbols), ranked[:3]


class NaiveOddStream:
    """Scores as tuples (case, position, activity, score, settled, before, after)."""

    def __init__(self, window):
        self.window = window
        self.left = (window - 1) // 2
        self.right = window - 1 - self.left
        self.cases = []

    def add(self, id, label):
        case = next((case for case in self.cases if case.id == id and not case.ended), None)
        if case is None:
            case = Case(id)
            self.cases.append(case)
        scores = [self.arrival(case, label)]
        case.events.append(label)
        if len(case.events) > self.right:
            scores.append(self.settle(case))
        return scores

    def close(self, id):
        case = next(case for case in self.cases if case.id == id and not case.ended)
        scores = [self.settle(case) for _ in range(len(case.events) - case.settled)]
        scores.append(self.arrival(case, None))
        case.ended = True
        return scores

    def arrival(self, case, symbol):
        n = len(case.events)
        before = self.before(case, n, symbol, first_shown=n - self.window + 1)
        return case.id, n, symbol, -log(before.probability), False, before, None

    def settle(self, case):
        at = case.settled
        before = self.before(case, at, case.events[at], first_shown=at - self.left)
        after = self.after(case, at, first_shown=at - self.left)
        case.settled += 1
        return case.id, at, case.events[at], -log(before.probability) - log(after.probability), True, before, after

    def before(self, case, at, symbol, first_shown):
        """What goes on as the case does before ``at``, without events whose context is in the window, which begins there."""
        known = []
        for size in range(min(self.left, at + 1) + 1):
            context = tuple([None, *case.events][at + 1 - size : at + 1])
            symbols = []
            for other in self.cases:
                line = [None, *other.events] + ([None] if other.ended else [])
                for i in range(max(1, size), len(line)):
                    if other is case and i - 1 - size >= first_shown:
                        continue
                    if tuple(line[i - size : i]) == context:
                        symbols.append(line[i])
            known.append((context, symbols))
            if not symbols:  # longer contexts are not looked at
                break
        return Side(symbol, known)

    def after(self, case, at, first_shown):
        """What goes before that which follows ``at``, without events in the window."""
        known = []
        for size in range(min(self.right, len(case.events) - at) + 1):
            context = tuple([*case.events, None][at + 1 : at + 1 + size])
            symbols = []
            for other in self.cases:
                for i in range(other.settled):
                    if other is case and i >= first_shown:
                        continue
                    if tuple([*other.events, None][i + 1 : i + 1 + size]) == context and i + size <= len(other.events):
                        symbols.append(other.events[i])
            known.append((context, symbols))
            if not symbols:
                break
        return Side(case.events[at], known)
