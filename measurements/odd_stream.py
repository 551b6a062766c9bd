"""Odd events of a stream: what is gained by waiting for the right neighbours, and what scoring costs.

    python measurements/odd_stream.py LOG ...            # about 20 s for each 100,000 events

Into one case of twenty an event is planted, in a random place, with the label of a random event of the log; it must differ from both
neighbours. The log is replayed in the order of time, and cases are closed after their last events. Events of the first fifth are
not looked at: little is known by then. Of the others, those with the highest scores are taken, as many as 1 % of them: which share
of the planted events is among these, by the score on arrival and by the settled one? With windows of 5. The last columns are events
a second with scores and, in the same run, without.
"""

import sys
import time
from pathlib import Path

import numpy as np

from actalike import OddStream, StreamCounter, read_log

SHARE, BUDGET, BATCH, WINDOW = 0.05, 0.01, 1_000, 5


def planted_stream(log, seed=0):
    """Return the events in the order of time as (case, label, is planted)."""
    random = np.random.default_rng(seed)
    times = log.timestamps if log.timestamps is not None else np.arange(log.n_events)
    events = []
    for case, (start, end) in enumerate(zip(log.offsets[:-1].tolist(), log.offsets[1:].tolist(), strict=True)):
        rows = [(times[i], case, int(log.codes[i]), False) for i in range(start, end)]
        if len(rows) > 1 and random.random() < SHARE:
            at = int(random.integers(1, len(rows)))
            label = int(log.codes[random.integers(log.n_events)])
            if label not in (rows[at - 1][2], rows[at][2]):
                rows.insert(at, (rows[at - 1][0], case, label, True))
        events += rows
    order = np.argsort(np.array([event[0] for event in events]), kind="stable")
    ordered = [events[i] for i in order.tolist()]
    return [(str(case), log.activities[code], planted) for _, case, code, planted in ordered]


def batches(events):
    last = {case: i for i, (case, _, _) in enumerate(events)}
    for start in range(0, len(events), BATCH):
        batch = events[start : start + BATCH]
        ended = [case for i, (case, _, _) in enumerate(batch, start) if last[case] == i]
        yield [case for case, _, _ in batch], [label for _, label, _ in batch], ended


def timed(stream, prepared):
    """Return what the stream returns, and the processor time that it takes."""
    results, started = [], time.process_time()
    for cases, labels, ended in prepared:
        results += [stream.add(cases, labels), stream.close(ended)]
    if isinstance(stream, StreamCounter):
        stream.counts()  # what waits is processed when somebody asks
    return results, time.process_time() - started


def measure(path):
    log = read_log(path)
    events = planted_stream(log)
    prepared = list(batches(events))
    results, seconds = timed(OddStream(StreamCounter(WINDOW)), prepared)
    _, seconds_without = timed(StreamCounter(WINDOW), prepared)
    place, lengths = {}, {}
    for number, (case, _, _) in enumerate(events):
        position = lengths.get(case, 0)
        place[case, position], lengths[case] = number, position + 1
    scores = np.zeros((2, len(events)))
    for score in (score for some in results for score in some if score.activity is not None):
        scores[int(score.settled), place[score.case, score.position]] = score.score
    late = slice(len(events) // 5, None)
    planted = np.array([planted for _, _, planted in events])[late]
    n = int(BUDGET * len(planted))
    found = [planted[np.argsort(-row[late], kind="stable")[:n]].sum() / planted.sum() for row in scores]
    print(
        f"  {Path(path).name.split('.')[0]:<28}{len(events):>9,}{planted.sum():>9,}{found[0]:>11.2f}{found[1]:>11.2f}"
        f"{len(events) / seconds:>12,.0f}{len(events) / seconds_without:>12,.0f}",
        flush=True,
    )


if __name__ == "__main__":
    columns = ("events", "planted", "on arrival", "settled", "scored/s", "counted/s")
    print(f"  {'log':<28}{columns[0]:>9}{columns[1]:>9}{columns[2]:>11}{columns[3]:>11}{columns[4]:>12}{columns[5]:>12}")
    for path in sys.argv[1:]:
        measure(path)
