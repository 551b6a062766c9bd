"""Running streams: events a second and bytes per open case, beside two counters in plain Python that are given the same events.

*Tails* is a dictionary with the last labels of each open case, for any window; *LastTwo* the simplest one, for windows of 3. All must count
the same, and take turns; of several turns, the fastest counts. Times are CPU seconds of the process, so that others on the machine
disturb less.

The first stream is a made-up log of the size of BPIC19 (made_up_logs.py, 42 activities, 6 events a case) in the order
of time: some thousand cases are open at any moment, and each is closed after the batch with its last event. The others are made
by ``stream``, which says how many activities, events a case and open cases there are.
"""

import sys
import time
import tracemalloc
from collections import Counter, defaultdict

import numpy as np
from made_up_logs import purchases

from actalike import PAD, StreamCounter

TURNS = 2


def missing():
    """Return why this cannot be measured here: it always can."""


def tables(short):
    """Yield the names of tables, and their rows."""
    yield "streams-batches", list(by_batches(replay(20_000 if short else 1_000_000), 1 if short else TURNS))
    yield "streams-others", list(of_other_streams(short))
    yield "streams-memory", list(memory(10_000 if short else 100_000))


class Tails:
    """The alternative for any window: the last labels of each open case."""

    def __init__(self, window):
        self.window, self.left = window, (window - 1) // 2
        self.right = window - 1 - self.left
        self.tails, self.settled = {}, defaultdict(int)

    def add(self, cases, activities):
        tails, settled, left, new = self.tails, self.settled, self.left, (PAD,) * (self.window - 1)
        for case, activity in zip(cases, activities, strict=True):
            window = (*tails.get(case, new), activity)
            if window[left] != PAD:
                settled[window] += 1
            tails[case] = window[1:]

    def close(self, cases):
        for case in cases:
            for window in self.unsettled(self.tails.pop(case)):
                self.settled[window] += 1

    def unsettled(self, tail):
        padded = tail + (PAD,) * self.right
        found = (padded[start : start + self.window] for start in range(self.right))
        return [window for window in found if window[self.left] != PAD]

    def counts(self):
        counts = Counter(self.settled)
        for tail in self.tails.values():
            counts.update(self.unsettled(tail))
        return counts


class LastTwo:
    """The alternative for windows of 3: the last two labels of each open case."""

    def __init__(self, window):
        assert window == 3
        self.last, self.settled = {}, defaultdict(int)

    def add(self, cases, activities):
        last, settled = self.last, self.settled
        for case, activity in zip(cases, activities, strict=True):
            before = last.get(case)
            if before:
                settled[*before, activity] += 1
                last[case] = (before[1], activity)
            else:
                last[case] = (PAD, activity)

    def close(self, cases):
        for case in cases:
            self.settled[*self.last.pop(case), PAD] += 1

    def counts(self):
        return Counter(self.settled) + Counter((*before, PAD) for before in self.last.values())


def replay(events, seed=1):
    """The first events of the log in the order of time: their cases, their activities, and whether they are the last of the case."""
    log, rng = purchases(), np.random.default_rng(seed)
    waits = np.cumsum(rng.exponential(1_000, log.n_events))  # a case begins at every tick, and waits 1,000 between two events
    begin = np.repeat(np.arange(log.n_cases) - waits[log.offsets[:-1]], log.lengths)
    in_time = np.argsort(begin + waits, kind="stable")[:events]
    last = np.zeros(log.n_events, dtype=bool)
    last[log.offsets[1:] - 1] = True
    cases = np.repeat(np.array(log.case_ids, dtype=object), log.lengths)[in_time].tolist()
    return cases, [log.activities[code] for code in log.codes[in_time].tolist()], last[in_time].tolist()


def stream(events, activities, length, open_cases, name="PO-{:07}".format, seed=1):
    """A stream in which ``open_cases`` cases of ``length`` events are open at a time, and take turns at random."""
    rng = np.random.default_rng(seed)
    place = np.append(rng.permutation(open_cases), rng.integers(open_cases, size=events))[:events]  # first all are opened
    order = np.argsort(place, kind="stable")
    at = np.empty(events, dtype=np.int64)  # the how many-th event in its place
    at[order] = np.arange(events) - np.repeat(*np.unique(place[order], return_index=True, return_counts=True)[1:])
    at += rng.integers(length, size=open_cases)[place]  # so that they do not end at the same time
    names = [name(number) for number in (place + at // length * open_cases).tolist()]
    texts = {text: text for text in names}  # one object for each case
    codes = np.where(rng.random(events) < 0.1, rng.integers(activities, size=events), at % length % activities)
    labels = [f"Step {code:04}" for code in range(activities)]
    last = at % length == length - 1
    return [texts[text] for text in names], [labels[code] for code in codes.tolist()], last.tolist()


def batches(events, size):
    """Batches of cases and activities, and the cases that end in each."""
    cases, activities, last = events
    for start in range(0, len(cases), size):
        batch = slice(start, start + size)
        ended = [case for case, ends in zip(cases[batch], last[batch], strict=True) if ends]
        yield cases[batch], activities[batch], ended


def run(counter, prepared):
    for cases, activities, ended in prepared:
        counter.add(cases, activities)
        if len(ended):
            counter.close(ended)
    return counter


def as_counter(counts):
    symbols = [*counts.activities, PAD]  # PAD = -1 takes the last
    rows = zip(counts.windows.tolist(), counts.counts.tolist(), strict=True)
    return Counter({tuple(symbols[code] for code in window): n for window, n in rows})


def compare(events, window, size, before=0, turns=TURNS):
    """Return the events a second of all, and ratios to actalike, in batches of this size, after so many events that are not timed."""
    first = list(batches([column[:before] for column in events], 100_000))
    prepared = list(batches([column[before:] for column in events], size))
    kinds = [StreamCounter, Tails] + [LastTwo] * (window == 3)
    counters = [run(run(kind(window), first), prepared) for kind in kinds]
    if any(as_counter(counters[0].counts()) != other.counts() for other in counters[1:]):
        sys.exit("they do not count the same")
    del counters
    best = dict.fromkeys(kinds, float("inf"))
    for _ in range(turns):
        for kind in kinds:
            counter = run(kind(window), first)
            start = time.process_time()
            run(counter, prepared)
            if kind is StreamCounter:
                counter._process()  # the time includes what waits to be processed
            best[kind] = min(best[kind], time.process_time() - start)
    n, ours = len(events[0]) - before, best[StreamCounter]
    return [(f"{n / seconds:,.0f}", f"{seconds / ours:.1f}") for seconds in best.values()]


def by_batches(events, turns):
    yield ["window", "events in a batch", "actalike", "Tails", "ratio", "LastTwo", "ratio"]
    for window in (3, 9):
        for size in (1, 10, 1_000, 10_000, 100_000):
            some = [column[: min(len(column), 50_000 * size)] for column in events]
            (ours, _), *others = compare(some, window, size, turns=turns)
            cells = [cell for other in others for cell in other]
            yield [str(window), f"{size:,}", ours, *cells, *[""] * (4 - len(cells))]


def of_other_streams(short):
    n = 5_000 if short else 200_000
    shapes = {
        "10 activities, 6 events a case, 1,000 open": (stream(n, 10, 6, 1_000), 0),
        "the same, cases as whole numbers in a list": (stream(n, 10, 6, 1_000, name=int), 0),
        "1,000 activities, 20 events a case, 1,000 open": (stream(n, 1_000, 20, 1_000), 0),
        "42 activities, 1,000 events a case, 1,000 open": (stream(n, 42, 1_000, 1_000), 0),
        "42 activities, 6 events a case, 1,000,000 open": (stream(6 * n, 42, 6, 5 * n), 5 * n),
        "one case of all events": (stream(n, 42, n, 1), 0),
        "every event another case, none closed": ([[f"PO-{i:07}" for i in range(n)], ["Step 1"] * n, [False] * n], 0),
    }
    yield ["stream", "window 3", "beside Tails", "beside LastTwo", "window 9", "beside Tails"]
    for title, (events, before) in shapes.items():
        three, nine = (compare(events, window, 1_000, before, turns=2) for window in (3, 9))
        yield [title, three[0][0], three[1][1], three[2][1], nine[0][0], nine[1][1]]


def memory(n):
    """The bytes per open case, its name included: texts of 10 characters, or whole numbers."""
    yield ["window", "open cases", "texts", "whole numbers", "Tails, texts"]
    text = "PO-{:07}".format
    for window in (3, 9):
        for cases in (n, 10 * n):
            kept = [
                bytes_kept(kind, window, cases, name)
                for kind, name in ((StreamCounter, text), (StreamCounter, int), (Tails, text))
            ]
            yield [str(window), f"{cases:,}", *(f"{size / cases:.0f}" for size in kept)]


def bytes_kept(kind, window, n, name):
    tracemalloc.start()
    counter = kind(window)
    for start in range(0, n, 50_000):
        cases = [name(case) for case in range(start, min(start + 50_000, n))]
        for label in "ab":
            counter.add(cases, [label] * len(cases))
    if kind is StreamCounter:
        counter.state()  # processes all that waits
    del cases
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return size
