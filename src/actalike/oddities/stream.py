"""Score events while they arrive: by what came before them at once, and by both sides when their right neighbours have come.

The surprise of an event, in nats, is the negative logarithm of its probability after its context, the symbols right before it
(or after it, in the other direction). A context reaches to the outside of the case and no farther; ``None`` stands for the
outside. The probability of a symbol after a context is interpolated with that after the shorter context (Witten and Bell). With
n(h) events after the context h, n(h y) of them y, T(h) distinct symbols, and h' for h without its farthest symbol::

    p(y | h) = (n(h y) + T(h) p(y | h')) / (n(h) + T(h))

Below the empty context stands ``1 / (T() + 1)``: all symbols so far and one that is new are equally likely. Contexts grow until
no other event has one.
"""

import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import inf, isnan, log
from numbers import Real
from threading import RLock
from typing import Any, NamedTuple

from actalike.counting import StreamCounter, StreamState, cases_to_close, event_texts, for_one_thread
from actalike.errors import ActalikeError, shortened
from actalike.io import LogLike
from actalike.log import Variants
from actalike.oddities.control_flow import Expected
from actalike.oddities.detection import OddModel, odd_model

_NARROWEST = 3  # it has a neighbour on either side
_WIDEST = 21  # contexts of all lengths are counted: memory and time grow with the square of the window
_EXPECTED = 3  # how many alternatives are listed

Symbol = str | None
Line = tuple[Symbol, ...]  # consecutive symbols of a case
Context = tuple[Symbol, ...]


class Surprise(NamedTuple):
    """Hold how surprising an event is given its neighbours on one side, and what was expected instead.

    ``surprise`` is the negative logarithm of the probability. ``neighbours`` are those that weigh most in it, in the order of the
    case; None is the outside of the case. Beside them, ``times`` of ``total`` events of other cases are as here; ``expected`` are
    the most frequent others.
    """

    surprise: float
    neighbours: tuple[str | None, ...]
    times: int
    total: int
    expected: tuple[Expected, ...]

    @property
    def score(self) -> float:
        """Return ``surprise``, by its name in version 0.2."""
        return _renamed(self.surprise)


class StreamScore(NamedTuple):
    """Hold how odd an event of a stream is: on arrival, or, if ``settled``, after its right neighbours have come as well.

    ``position`` is that of the event in its case, from 0. The end of a case is scored too when it is closed: its position is the
    number of events, and its ``activity`` is None. ``surprise`` is in nats: one more is a factor e in probability. It is not the
    score of :func:`actalike.odd`, which is the evidence for a slip. If it was asked to be explained, it has its parts: that of
    the neighbours ``before`` and, if settled, ``after``.
    """

    case: str
    position: int
    activity: str | None
    surprise: float
    settled: bool
    before: Surprise | None = None
    after: Surprise | None = None

    @property
    def score(self) -> float:
        """Return ``surprise``, by its name in version 0.2."""
        return _renamed(self.surprise)


class OddStream:
    """Score the events that are added to a StreamCounter, by the windows counted so far.

    An event that arrives is scored by the ``left`` activities before it in its case. When the ``right`` activities after it have
    come as well, or the case is closed, it is scored once more, by both sides. What its own case has added is left out as far as
    the window shows it. All that is remembered is the counter: save that, and score on with the counter that is loaded. Like the
    counter, it is for one thread at a time.

    With a ``reference``, a log or what :func:`actalike.odd_model` learned of one, events are scored by its cases alone, as far
    as the window reaches: what the stream brings does not change what is usual. Only the order of activities is judged.

    >>> stream = OddStream(StreamCounter(window=3))
    >>> for case in range(50):
    ...     scores = stream.add([case] * 3, ["order", "check", "pay"]) + stream.close(case)
    >>> late = stream.add(["new", "new"], ["order", "pay"], explain=3.0)
    >>> [(score.position, score.activity, score.settled, round(score.surprise, 1)) for score in late]
    [(0, 'order', False, 0.0), (1, 'pay', False, 5.3), (0, 'order', True, 5.1)]
    >>> late[1].before.neighbours, late[1].before.times, late[1].before.total, late[1].before.expected
    (('order',), 0, 50, (Expected(value='check', times=50, share=1.0),))
    """

    def __init__(self, counter: StreamCounter, reference: "LogLike | Variants | OddModel | None" = None) -> None:
        if not isinstance(counter, StreamCounter):
            raise ActalikeError(
                f"OddStream takes a StreamCounter, not {type(counter).__name__}: use OddStream(StreamCounter(window=5))."
            )
        if not _NARROWEST <= counter.window <= _WIDEST:
            raise ActalikeError(
                f"Events are scored by windows of {_NARROWEST} to {_WIDEST} symbols, and this counter has windows of "
                f"{counter.window:,}: use StreamCounter(window=5)."
            )
        if counter.puts_in_order:
            raise ActalikeError(
                "Events are scored as they arrive, and a counter with lateness= or idle= holds events back and closes cases by "
                "itself: use StreamCounter(window=5) without them."
            )
        self.counter = counter
        self._reference = None
        if reference is not None:
            self._reference = reference if isinstance(reference, OddModel) else odd_model(reference, [])
        self._left = (counter.window - 1) // 2
        self._right = counter.window - 1 - self._left
        self._lock = RLock()
        if self._reference is not None:
            self._count(_windows_of(self._reference.variants, self._left, self._right))
        self._derive()

    @for_one_thread
    def add(self, cases: Any, activities: Any, explain: float = inf) -> list[StreamScore]:
        """Add events, as ``StreamCounter.add`` does, and return their scores and those of the events that they settle.

        The scores come in the order of the events, each with what it settles right after it, and do not depend on the batches.
        Surprises of at least ``explain`` come with their parts. If there is an error, no event is added.
        """
        _check_explain(explain)
        self._follow_counter()
        ids, labels = event_texts(cases, activities)
        self.counter.add(ids, labels)
        scores: list[StreamScore] = []
        for case, label in zip(ids, labels, strict=True):
            scores += self._arrive(case, label, explain)
        self._revision += 1  # if another thread has changed the counter meanwhile, the next call sees it
        return scores

    @for_one_thread
    def close(self, cases: Any, explain: float = inf) -> list[StreamScore]:
        """Close a case, or several, and return the scores of their last events and of their ends.

        The cases are closed in the order of their ids. If there is an error, none is closed.

        >>> stream = OddStream(StreamCounter(window=3))
        >>> for case in range(50):
        ...     scores = stream.add([case] * 2, ["order", "pay"]) + stream.close(case)
        >>> scores = stream.add(["new"], ["order"])
        >>> [(score.position, score.activity, score.settled, round(score.surprise, 1)) for score in stream.close("new")]
        [(0, 'order', True, 4.6), (1, None, False, 5.0)]
        """
        _check_explain(explain)
        self._follow_counter()
        ids = sorted(cases_to_close(cases))
        self.counter.close(ids)
        scores: list[StreamScore] = []
        for case in ids:
            scores += self._end(case, explain)
        self._revision += 1
        return scores

    def __reduce__(self) -> tuple[Any, ...]:
        return OddStream, (self.counter, self._reference)  # for copies, too

    def __repr__(self) -> str:
        return f"OddStream({self.counter!r})"

    def _arrive(self, case: str, label: str, explain: float) -> Iterator[StreamScore]:
        """Score and count one event, then the one whose window it settles."""
        opened = self._open.get(case) or _OpenCase((None,) * (self.counter.window - 1), 0)
        line = (*opened.tail, label)
        yield self._arrival(case, line, opened.length, explain)
        self._learn(self._before, line, len(line) - 1)
        self._open[case] = _OpenCase(line[1:], opened.length + 1)
        if line[self._left] is not None:
            yield self._settle(case, line, opened.length - self._right, explain)

    def _end(self, case: str, explain: float) -> Iterator[StreamScore]:
        """Score and count the last events of a case, whose windows the end settles, then the end itself."""
        tail, length = self._open.pop(case)
        for beyond in range(1, self._right + 1):
            line = tail[beyond - 1 :] + (None,) * beyond
            if line[self._left] is not None:
                yield self._settle(case, line, length - 1 - self._right + beyond, explain)
        line = (*tail, None)
        yield self._arrival(case, line, length, explain)
        self._learn(self._before, line, len(line) - 1)

    def _arrival(self, case: str, line: Line, position: int, explain: float) -> StreamScore:
        """Score the last symbol of a line by those before it, which are counted."""
        at = len(line) - 1
        own = self._own(line, 0, at)
        surprise = self._before.surprise(line, at, own)
        before = self._before.reason(line, at, own) if surprise >= explain else None
        return StreamScore(case, position, line[at], surprise, False, before)

    def _settle(self, case: str, line: Line, position: int, explain: float) -> StreamScore:
        """Score the event in the middle of a window by both sides, and count what follows it."""
        own, at = self._own(line, 0, len(line)), self._left
        mirrored, place = line[::-1], self._right
        own_after = self._own(mirrored, place + 1, len(line))  # what follows the event is not counted before the end of this
        surprise = self._before.surprise(line, at, own) + self._after.surprise(mirrored, place, own_after)
        before = after = None
        if surprise >= explain:
            before, after = self._before.reason(line, at, own), self._after.reason(mirrored, place, own_after)
            after = after._replace(neighbours=after.neighbours[::-1])
        self._learn(self._after, mirrored, place)
        return StreamScore(case, position, line[at], surprise, True, before, after)

    def _learn(self, counts: "Continuations", line: Line, at: int) -> None:
        """Count a symbol of the stream, unless it is judged by a reference."""
        if self._reference is None:
            counts.count(line, at)

    def _own(self, line: Line, start: int, end: int) -> list[int]:
        """Return the places of a line that are counted: none of them if the stream is judged by a reference."""
        return [] if self._reference is not None else _events(line, start, end)

    def _follow_counter(self) -> None:
        """Derive the counts again if the counter was changed by itself: if events were added without scores, or forgotten."""
        if self._revision != self.counter.revision:
            self._derive()

    def _derive(self) -> None:
        """Count how contexts go on, from the windows and open cases of the counter."""
        revision = self.counter.revision  # before the state: if the counter changes in between, the next call sees it
        state = self.counter.state()
        if self._reference is None:
            self._count(zip(_lines(state), state.counts.tolist(), strict=True))
        self._open = {}
        labels = [*state.activities, None]  # PAD = -1 takes the last
        for case, codes, length in zip(state.cases, state.tails.tolist(), state.lengths.tolist(), strict=True):
            tail: Line = tuple(labels[code] for code in codes)
            self._open[case] = _OpenCase(tail, length)
            for place in _events(tail, self._left, len(tail)):  # those of which the window is not settled
                self._learn(self._before, tail, place)
        self._revision = revision

    def _count(self, windows: Iterable[tuple[Line, int]]) -> None:
        """Count how contexts go on, from windows with an event in the middle and how often each occurs."""
        self._before, self._after = Continuations(self._left), Continuations(self._right)
        for line, times in windows:
            self._before.count(line, self._left, times)
            self._after.count(line[::-1], self._right, times)
            if line[self._left + 1] is None:  # the last event of its case: the end follows it
                self._before.count(line, self._left + 1, times)


class _OpenCase(NamedTuple):
    """Hold the last activities of a case, None outside of it, and its number of events."""

    tail: Line
    length: int


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

        ``own`` are the places of the line whose symbols are counted: they are left out: a case is no evidence for itself.
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


def _renamed(surprise: float) -> float:
    warnings.warn("score is now surprise.", DeprecationWarning, stacklevel=3)
    return surprise


def _check_explain(explain: Any) -> None:
    """Raise an error unless surprises can be compared with this number, before an event is added or a case closed."""
    if not isinstance(explain, Real) or isnan(explain):
        raise ActalikeError(
            f"explain={shortened(repr(explain))} is not a number: give the surprise from which on events are explained, such as "
            "explain=5.0. No event was added and no case was closed."
        )


def _lines(state: StreamState) -> Iterator[Line]:
    """Yield the settled windows as labels, None outside the case."""
    labels = [*state.activities, None]  # PAD = -1 takes the last
    for codes in state.windows.tolist():
        yield tuple(labels[code] for code in codes)


def _windows_of(variants: Variants, left: int, right: int) -> Iterator[tuple[Line, int]]:
    """Yield the window around each event of some variants, and how many cases have it there."""
    for trace, weight in zip(variants.traces(), variants.weights.tolist(), strict=True):
        line = (None,) * left + tuple(trace) + (None,) * right
        for begin in range(len(trace)):
            yield line[begin : begin + left + 1 + right], weight


def _events(line: Line, start: int, end: int) -> list[int]:
    """Return the places of a line in a range that hold events, not the outside of the case."""
    return [place for place in range(start, end) if line[place] is not None]
