"""Running streams: events a second, and what is kept in memory, beside a plain-Python counter in the same run.

    python measurements/streams.py            # 1 million events, about 2 minutes

The events are those of a made-up log of the size of BPIC19 (measurements/purchases.py, 42 activities), in the order of time: some
thousand cases are open at any moment, and each is closed after the batch with its last event. The alternative takes an event at
a time: a dictionary with the last labels of each open case, and a Counter of tuples. Both are given the same lists of labels,
and must count the same. Of three runs, the fastest counts.
"""

import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from pathlib import Path

import numpy as np
from purchases import purchases
from timing import fastest

from actalike import PAD, StreamCounter, load

EVENTS = 1_000_000
BATCH = 1_000
WINDOWS = (3, 5, 9)


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


def batches(events, size):
    """Batches of cases and activities, and the cases that end in each."""
    cases, activities, last = events
    for start in range(0, len(cases), size):
        batch = slice(start, start + size)
        ended = [case for case, ends in zip(cases[batch], last[batch], strict=True) if ends]
        yield cases[batch], activities[batch], ended


class PlainCounter:
    """The alternative: the same job, an event at a time."""

    def __init__(self, window):
        self.window, self.left = window, (window - 1) // 2
        self.right = window - 1 - self.left
        self.tails, self.settled = {}, Counter()

    def add(self, cases, activities):
        for case, activity in zip(cases, activities, strict=True):
            tail = self.tails.get(case) or (PAD,) * (self.window - 1)
            window = (*tail, activity)
            if window[self.left] != PAD:
                self.settled[window] += 1
            self.tails[case] = window[1:]

    def close(self, cases):
        for case in cases:
            self.settled.update(self.unsettled(self.tails.pop(case)))

    def unsettled(self, tail):
        padded = tail + (PAD,) * self.right
        found = (padded[start : start + self.window] for start in range(self.right))
        return [window for window in found if window[self.left] != PAD]

    def counts(self):
        counts = self.settled.copy()
        for tail in self.tails.values():
            counts.update(self.unsettled(tail))
        return counts


def run(counter, prepared):
    for cases, activities, ended in prepared:
        counter.add(cases, activities)
        counter.close(ended)
    return counter


def as_counter(counts):
    symbols = [*counts.activities, PAD]  # PAD = -1 takes the last
    rows = zip(counts.windows.tolist(), counts.counts.tolist(), strict=True)
    return Counter({tuple(symbols[code] for code in window): n for window, n in rows})


def speed(events):
    prepared = list(batches(events, BATCH))
    n = len(events[0])
    print(f"\n{n:,} events in batches of {BATCH:,}: events a second (at least 200,000 wanted)")
    print(
        f"  {'window':>6}{'actalike':>12}{'plain Python':>14}{'ratio':>7}{'distinct windows':>18}{'counts()':>10}{'save':>9}{'file':>10}"
    )
    for window in WINDOWS:
        counter, plain = run(StreamCounter(window), prepared), run(PlainCounter(window), prepared)
        if as_counter(counter.counts()) != plain.counts():
            sys.exit("the two do not count the same")
        ours, theirs = (fastest(lambda: run(kind(window), prepared), 3) for kind in (StreamCounter, PlainCounter))  # noqa: B023
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "stream.actalike"
            saving, asking = fastest(lambda: counter.save(path), 5), fastest(counter.counts, 5)  # noqa: B023
            if load(path).counts() != counter.counts():
                sys.exit("what was saved is not what comes back")
            size = path.stat().st_size
        print(f"  {window:>6}{n / ours:>12,.0f}{n / theirs:>14,.0f}{theirs / ours:>7.1f}{len(counter.counts().counts):>18,}"
              f"{1000 * asking:>7.1f} ms{1000 * saving:>6.1f} ms{size / 1024:>7,.0f} KB", flush=True)  # fmt: skip


def sizes_of_batches(events):
    print("\nEvents a second by the size of the batches, window 5")
    for size in (1, 10, 100, 1_000, 10_000, 100_000):
        some = [column[: min(len(column), 20_000 * size)] for column in events]
        prepared = list(batches(some, size))
        seconds = fastest(lambda: run(StreamCounter(5), prepared), 3)  # noqa: B023
        print(f"  {size:>7,}{len(some[0]) / seconds:>12,.0f}", flush=True)


def memory(events):
    print("\nWhat is kept, after as many events (everything but what the caller holds; by tracemalloc)")
    print(f"  {'window':>6}{'events':>12}{'closed cases':>14}{'open cases':>12}{'distinct windows':>18}{'kept':>10}")
    for window in WINDOWS:
        tracemalloc.start()
        counter, closed, peak = StreamCounter(window), 0, 0
        for cases, activities, ended in batches(events, BATCH):
            counter.add(cases, activities)
            peak = max(peak, counter.open_cases)
            counter.close(ended)
            closed += len(ended)
            if counter.n_events % (len(events[0]) // 5) == 0:
                distinct = len(counter.counts().counts)  # also counts what waits
                kept = sum(block.size for block in tracemalloc.take_snapshot().filter_traces(KEPT).traces)
                print(f"  {window:>6}{counter.n_events:>12,}{closed:>14,}{counter.open_cases:>12,}{distinct:>18,}{kept / 1024:>7,.0f} KB", flush=True)  # fmt: skip
        print(f"  at most {peak:,} cases were open at a time")
        tracemalloc.stop()


KEPT = [tracemalloc.Filter(True, "*/actalike/*")]

if __name__ == "__main__":
    started = time.perf_counter()
    stream = replay(EVENTS)
    print(f"{len(set(stream[0])):,} cases, {sum(stream[2]):,} of them end; {len(set(stream[1]))} activities")
    speed(stream)
    sizes_of_batches(stream)
    memory(stream)
    print(f"\n{time.perf_counter() - started:.0f} s in all")
