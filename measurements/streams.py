"""Running streams: events a second and bytes per open case, beside plain-Python counters in the same run.

    python measurements/streams.py            # some 6 minutes
    python measurements/streams.py main       # the first stream only, its columns, and ways to number texts

Two alternatives in plain Python take an event at a time: ``Tails``, a dictionary with the last labels of each open case, for any
window, and ``LastTwo``, the same with just the two labels that windows of 3 need. All are given the same lists, must count the
same, and take turns; of several turns, the fastest counts. Times are CPU seconds of the process, so that others on the machine
disturb less.

The first stream is a made-up log of the size of BPIC19 (measurements/purchases.py, 42 activities, 6 events a case) in the order
of time: some thousand cases are open at any moment, and each is closed after the batch with its last event. The others are made
by ``stream``, which says how many activities, events a case and open cases there are.
"""

import sys
import tempfile
import time
import tracemalloc
from collections import Counter, defaultdict
from operator import itemgetter
from pathlib import Path

import numpy as np
import polars as pl
from purchases import purchases

from actalike import PAD, StreamCounter, load

TURNS = 5


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


def seconds(kinds, window, turns):
    """The CPU seconds of the fastest of several turns, by kind. Each turn is on a counter that has had the first batches."""
    best = dict.fromkeys(kinds, float("inf"))
    for _ in range(turns):
        for kind, (before, prepared) in kinds.items():
            counter = run(kind(window), before)
            start = time.process_time()
            run(counter, prepared)
            if kind is StreamCounter:
                counter._tidy()  # the time includes what waits to be processed
            best[kind] = min(best[kind], time.process_time() - start)
    return best


def compare(title, events, window, size, before=0, turns=TURNS):
    """Print a row: events a second of all, in batches of this size, after so many events that are not timed."""
    first = list(batches([column[:before] for column in events], 100_000))
    prepared = list(batches([column[before:] for column in events], size))
    kinds = dict.fromkeys([StreamCounter, Tails] + [LastTwo] * (window == 3), (first, prepared))
    counters = [run(run(kind(window), first), prepared) for kind in kinds]
    if any(as_counter(counters[0].counts()) != other.counts() for other in counters[1:]):
        sys.exit("they do not count the same")
    del counters
    n, best = len(events[0]) - before, seconds(kinds, window, turns)
    ours = best.pop(StreamCounter)
    others = "".join(f"{n / other:>12,.0f}{other / ours:>6.1f}" for other in best.values())
    print(f"  {title:<47}{window:>3}{size:>9,}{n / ours:>12,.0f}{others}", flush=True)


def speed_of_main(purchase_events):
    print("\nEvents a second (CPU time), and how many times as fast as the alternative to the left")
    print(f"  {'stream':<47}{'w':>3}{'batch':>9}{'actalike':>12}{'Tails':>12}{'':6}{'LastTwo':>12}")
    for window in (3, 9):
        for size in (1, 10, 1_000, 10_000, 100_000):
            some = [column[: min(len(column), 50_000 * size)] for column in purchase_events]
            compare("purchases", some, window, size)


def speed_of_others():
    n = 200_000
    shapes = {
        "10 activities, 6 events a case, 1,000 open": (stream(n, 10, 6, 1_000), 0),
        "the same, cases as whole numbers": (stream(n, 10, 6, 1_000, name=int), 0),
        "1,000 activities, 20 events a case, 1,000 open": (stream(n, 1_000, 20, 1_000), 0),
        "42 activities, 1,000 events a case, 1,000 open": (stream(n, 42, 1_000, 1_000), 0),
        "42 activities, 6 events a case, 1,000,000 open": (stream(1_200_000, 42, 6, 1_000_000), 1_000_000),
        "one case of all events": (stream(n, 42, n, 1), 0),
        "every event another case": ([[f"PO-{i:07}" for i in range(n)], ["Step 1"] * n, [False] * n], 0),
    }
    for title, (events, before) in shapes.items():
        for window in (3, 9):
            for size in (1_000, 100_000):
                compare(title, events, window, size, before, turns=2 if before else TURNS)


def columns(purchase_events):
    """The same events as columns of other libraries, beside the lists of texts."""
    cases, activities, last = (np.array(column) for column in purchase_events)
    numbers = np.array([int(case[3:]) for case in cases.tolist()])
    forms = {
        "lists of texts": (cases.tolist(), activities.tolist(), cases),
        "cases in a numpy array of whole numbers": (numbers, activities.tolist(), numbers),
        "columns of texts of Polars": (pl.Series(cases.tolist()), pl.Series(activities.tolist()), cases),
        "numpy numbers and a Polars Enum": (
            numbers,
            pl.Series(activities.tolist(), dtype=pl.Enum(sorted(set(activities.tolist())))),
            numbers,
        ),
    }
    print("\nEvents a second by the form of the columns, window 3, batches of 1,000 and of 100,000")
    prepared = {}
    for title, (ids, labels, names) in forms.items():
        for size in (1_000, 100_000):
            parts = [slice(start, start + size) for start in range(0, len(cases), size)]
            prepared[title, size] = [(ids[part], labels[part], names[part][last[part]].tolist()) for part in parts]
    best = dict.fromkeys(prepared, float("inf"))
    for _ in range(TURNS):
        for form, given in prepared.items():
            best[form] = min(best[form], seconds({StreamCounter: ([], given)}, 3, 1)[StreamCounter])
    for title in forms:
        print(f"  {title:<47}" + "".join(f"{len(cases) / best[title, size]:>12,.0f}" for size in (1_000, 100_000)), flush=True)


def lookups(purchase_events):
    """What numbering a column of texts takes in a dictionary, and in Polars without making Python texts."""
    kind = pl.Categorical(pl.Categories.random())
    ways = {
        "dictionary, from a list": lambda texts, column, numbers: itemgetter(*texts)(numbers),
        "Polars: cast to a categorical": lambda texts, column, numbers: column.cast(kind),
        "Polars: its numbers, to_physical": lambda texts, column, numbers: column.to_physical(),
    }
    print("\nNumbering cases, nanoseconds an event, in batches of 1,000 and of 10,000")
    for title, way in ways.items():
        row = []
        for size in (1_000, 10_000):
            parts = [purchase_events[0][start : start + size] for start in range(0, 200_000, size)]
            numbers = {case: number for number, case in enumerate(dict.fromkeys(purchase_events[0][:200_000]))}
            given = [(part, pl.Series(part, dtype=kind if "physical" in title else pl.String), numbers) for part in parts]
            times = []
            for _ in range(TURNS):
                start = time.process_time()
                for part in given:
                    way(*part)
                times.append(time.process_time() - start)
            row.append(1e9 * min(times) / 200_000)
        print(f"  {title:<47}{row[0]:>8.0f}{row[1]:>8.0f}", flush=True)


def asking(purchase_events):
    print("\nAsking and saving after 1 million events")
    print(f"  {'w':>3}{'distinct windows':>18}{'counts()':>12}{'save()':>12}{'file':>10}")
    for window in (3, 5, 9):
        counter = run(StreamCounter(window), batches(purchase_events, 1_000))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "stream.actalike"
            times = []
            for ask in (counter.counts, lambda: counter.save(path)):  # noqa: B023
                ask()
                start = time.process_time()
                for _ in range(5):
                    ask()
                times.append(1000 * (time.process_time() - start) / 5)
            if load(path).counts() != counter.counts():
                sys.exit("what was saved is not what comes back")
            size = path.stat().st_size
        print(f"  {window:>3}{len(counter.counts().counts):>18,}{times[0]:>9.1f} ms{times[1]:>9.1f} ms{size / 1024:>7,.0f} KB")


def kept(make):
    """The bytes that a counter keeps, names of its cases included; what else making it took is given back."""
    tracemalloc.start()
    counter = make()
    counter.state()  # processes all that waits
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return counter, size


def memory_of_open_cases():
    print("\nBytes per open case (tracemalloc), names of the cases included: texts of 10 characters, and whole numbers")
    print(f"  {'w':>3}{'open cases':>12}{'texts':>8}{'numbers':>9}{'Tails, texts':>14}")
    for window in (3, 9):
        for n in (100_000, 1_000_000):
            row = []
            for kind, name in ((StreamCounter, "PO-{:07}".format), (StreamCounter, int), (Tails, "PO-{:07}".format)):

                def make(kind=kind, name=name):
                    counter = kind(window)  # noqa: B023
                    counter.state = getattr(counter, "state", lambda: None)
                    for start in range(0, n, 50_000):  # noqa: B023
                        cases = [name(case) for case in range(start, start + 50_000)]
                        for label in "ab":
                            counter.add(cases, [label] * len(cases))
                    return counter

                row.append(kept(make)[1] / n)
            print(f"  {window:>3}{n:>12,}{row[0]:>8,.0f}{row[1]:>9,.0f}{row[2]:>14,.0f}", flush=True)


def memory_of_closed_cases(purchase_events):
    print("\nWhat is kept after so many events, most of their cases closed (tracemalloc)")
    print(f"  {'w':>3}{'events':>12}{'closed':>10}{'open':>8}{'distinct windows':>18}{'kept':>10}")
    for window in (3, 5, 9):
        for n in (200_000, 800_000):
            some = [column[:n] for column in purchase_events]
            counter, size = kept(lambda: run(StreamCounter(window), batches(some, 1_000)))  # noqa: B023
            distinct = len(counter.counts().counts)
            print(f"  {window:>3}{n:>12,}{sum(some[2]):>10,}{counter.open_cases:>8,}{distinct:>18,}{size / 1024:>7,.0f} KB", flush=True)  # fmt: skip


if __name__ == "__main__":
    started = time.perf_counter()
    events = replay(1_000_000)
    print(f"purchases: {len(set(events[0])):,} cases, {sum(events[2]):,} of them end; {len(set(events[1]))} activities")
    speed_of_main(events)
    if sys.argv[1:] != ["main"]:
        speed_of_others()
    columns(events)
    lookups(events)
    if sys.argv[1:] != ["main"]:
        asking(events)
        memory_of_open_cases()
        memory_of_closed_cases(events)
    print(f"\n{time.perf_counter() - started:.0f} s in all")
