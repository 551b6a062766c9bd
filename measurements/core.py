"""Speed of the core, as ratios against named alternatives in the same run. Needs a folder of the paper's logs.

    python measurements/core.py                # all of it, about 5 minutes
    python measurements/core.py plain sweep    # parts: plain, sweep, gensim, kin, growth

The alternatives: the plain-Python version of the definitions, tests/oracle.py (dictionaries of tuples, sparse rows, one
cosine a pair), the same with shortcuts, measurements/oracle_with_shortcuts.py, and gensim's Word2Vec with the schedule of act2vec
(105 passes). Every time is from an EventLog (or lists of labels, for the alternatives) to all distances between activities; of
several repetitions, the fastest counts. Beside plain Python, times are CPU seconds: a busy machine interrupts what takes long more
often than what takes milliseconds. The bound is the time to read the codes and the offsets of the log once.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import oracle_with_shortcuts  # noqa: E402
from timing import fastest, fresh  # noqa: E402

from actalike import EventLog, count_windows, datasets, embed  # noqa: E402
from tests import oracle  # noqa: E402

LOGS = Path(os.environ.get("ACTALIKE_LOGS", ROOT.parent / "shared" / "event_logs"))
SETTINGS = [
    (matrix, context, weighting, n)
    for n in (3, 5, 9)
    for matrix in ("activity-context", "activity-activity")
    for context in ("sequence", "multiset")
    for weighting in ("raw", "pmi", "ppmi")
]


def name(matrix, context, weighting, n):
    return f"{'ac' if matrix == 'activity-context' else 'aa'}-{context}-{weighting}-w{n}"


def row(what, ours, theirs, target=None):
    wanted = f"(at least {target} wanted)" if target else ""
    print(f"  {what:<46}{ours:9.4f} s {theirs:9.3f} s {theirs / ours:9.0f} x  {wanted}", flush=True)


def plain():
    print("\nEmbedding and all distances: CPU seconds of actalike and of plain Python, ratio")
    for log_name, setting, target in (
        ("BPIC15_1", ("activity-context", "sequence", "pmi", 9), 50),
        ("BPIC15_1", ("activity-activity", "sequence", "pmi", 3), 40),
        ("RTFM", ("activity-context", "sequence", "pmi", 3), 40),
    ):
        log = datasets.load(log_name, LOGS)
        traces = log.traces()
        logs = iter([fresh(log) for _ in range(50)])
        ours = fastest(lambda: embed(next(logs), name(*setting)).distances(), 50, time.process_time)  # noqa: B023
        for kind, module in (("", oracle), (", with shortcuts", oracle_with_shortcuts)):
            theirs = fastest(lambda: module.distances(module.vectors(traces, *setting)), 5, time.process_time)  # noqa: B023
            row(f"{log_name} {name(*setting)}{kind}", ours, theirs, target)
        logs = iter([fresh(log) for _ in range(50)])
        bound = fastest(lambda: read_once(next(logs)), 50)  # noqa: B023
        print(f"  {'':<46}to read codes and offsets once: {bound * 1000:.2f} ms, 1/{ours / bound:.0f} of it", flush=True)


def read_once(log):
    return log.codes.max(), log.offsets.max()


def sweep():
    print("\nAll 36 settings: actalike in one sweep from one count of window 9, plain Python, ratio (under 1 s wanted)")
    log = datasets.load("BPIC15_1", LOGS)
    traces = log.traces()
    logs = iter([fresh(log) for _ in range(5)])

    def ours():
        counts = count_windows(next(logs), 9)
        for setting in SETTINGS:
            embed(counts, name(*setting)).distances()

    def theirs():
        for setting in SETTINGS:
            oracle.distances(oracle.vectors(traces, *setting))

    row("BPIC15_1, 36 settings", fastest(ours, 5), fastest(theirs, 1))


def gensim():
    from gensim.models import Word2Vec

    def act2vec(traces):
        model = Word2Vec(traces, vector_size=16, window=3, min_count=0, workers=1, sg=0)
        for call in range(10):
            end = 0.0001 if call == 0 else 0.023
            model.train(traces, total_examples=len(traces), epochs=10, start_alpha=0.025, end_alpha=end)
        vectors = model.wv.vectors / np.linalg.norm(model.wv.vectors, axis=1, keepdims=True)
        return 1 - vectors @ vectors.T

    print("\naa-sequence-pmi-w3 and act2vec (gensim Word2Vec, CBOW, window 3, 105 passes), ratio")
    for log_name in ("BPIC15_1", "RTFM"):
        log = datasets.load(log_name, LOGS)
        traces = log.traces()
        logs = iter([fresh(log) for _ in range(10)])
        ours = fastest(lambda: embed(next(logs), "aa-sequence-pmi-w3").distances(), 10)  # noqa: B023
        row(f"{log_name} aa-sequence-pmi-w3", ours, fastest(lambda: act2vec(traces), 1), 300)  # noqa: B023


def kin():
    print("\nKin and aa-sequence-pmi-w3, and how many times as long kin takes (at most 5 on BPIC15_1 and 2 on RTFM wanted)")
    for log_name in ("BPIC15_1", "RTFM"):
        log = datasets.load(log_name, LOGS)
        seconds = {}
        for method in ("kin-w5", "aa-sequence-pmi-w3"):
            logs = iter([fresh(log) for _ in range(15)])
            seconds[method] = fastest(lambda: embed(next(logs), method).distances(), 15)  # noqa: B023
        print(f"  {log_name}: {seconds['kin-w5']:.4f} s, {seconds['aa-sequence-pmi-w3']:.4f} s, "
              f"{seconds['kin-w5'] / seconds['aa-sequence-pmi-w3']:.1f} x", flush=True)  # fmt: skip


def growth():
    """Counting windows of 5 over 30 activities: every case a variant of its own, or 1,000 variants in all."""
    print("\nGrowth of counting (window 5, 30 activities, 10 events a case): seconds, and nanoseconds an event")
    print(f"  {'events':>12}{'all cases differ':>20}{'ns':>7}{'1,000 variants':>20}{'ns':>7}")
    rng = np.random.default_rng(1)
    for events in (10**4, 10**5, 10**6, 3 * 10**6, 10**7):
        cases = events // 10
        offsets = np.arange(cases + 1) * 10
        ids = [str(i) for i in range(cases)]
        labels = [f"a{i:02}" for i in range(30)]
        apart = rng.zipf(1.5, events).clip(max=30) - 1
        repeated = apart[: 10 * min(1000, cases)].reshape(-1, 10)[rng.integers(0, min(1000, cases), cases)].ravel()
        line = f"  {events:>12,}"
        for codes in (apart, repeated):
            logs = iter([EventLog(labels, codes, offsets, ids) for _ in range(3)])
            seconds = fastest(lambda: count_windows(next(logs), 5), 3)  # noqa: B023
            line += f"{seconds:>20.4f}{seconds / events * 1e9:>7.0f}"
        print(line, flush=True)


if __name__ == "__main__":
    parts = {"plain": plain, "sweep": sweep, "gensim": gensim, "kin": kin, "growth": growth}
    unknown = set(sys.argv[1:]) - set(parts)
    if unknown or not LOGS.is_dir():
        sys.exit(f"usage: core.py [{'] ['.join(parts)}], with ACTALIKE_LOGS naming a folder of logs (now {LOGS})")
    for part in sys.argv[1:] or parts:
        parts[part]()
