"""Speed of the core beside named alternatives: plain Python, act2vec, a simpler method, the imports that it cannot do without.

Every time is from an EventLog (or lists of labels, for the alternatives) to all distances between activities; of several
repetitions, the fastest counts. Beside plain Python, times are CPU seconds: a busy machine interrupts what takes long more often than
what takes milliseconds.
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import plain_python
from timing import LOGS, fastest, fresh

from actalike import EventLog, count_windows, datasets, embed, group

SETTINGS = [
    (matrix, context, weighting, n)
    for n in (3, 5, 9)
    for matrix in ("activity-context", "activity-activity")
    for context in ("sequence", "multiset")
    for weighting in ("raw", "pmi", "ppmi")
]
PLAIN = (
    ("BPIC15_1", ("activity-context", "sequence", "pmi", 9)),
    ("BPIC15_1", ("activity-activity", "sequence", "pmi", 3)),
    ("RTFM", ("activity-context", "sequence", "pmi", 3)),
)
IMPORTS = "import numpy, polars, scipy.sparse"
FIRST_USE = "import actalike; actalike.EventLog; actalike.embed; actalike.read_log"


def missing():
    """Return why this cannot be measured here, None if it can."""
    return None if LOGS.is_dir() else f"there is no folder of logs at {LOGS}: name one by ACTALIKE_LOGS"


def tables(short):
    """Yield the names of tables, and their rows."""
    yield "bench-core", [["log, method", "actalike, s", "alternative", "its seconds", "ratio"], *faster(short)]
    yield "bench-times", [["what", "seconds", "beside", "its seconds", "times as long"], *slower(short)]
    yield "bench-growth", list(growth(short))


def name_of(matrix, context, weighting, n):
    return f"{'ac' if matrix == 'activity-context' else 'aa'}-{context}-{weighting}-w{n}"


def times_of(log, method, repeats, clock=time.perf_counter):
    """The seconds from a log to all distances."""
    logs = iter([fresh(log) for _ in range(repeats)])
    return fastest(lambda: embed(next(logs), method).distances(), repeats, clock)


def faster(short):
    """Yield the rows of what is faster than its alternative."""

    def row(what, ours, alternative, theirs):
        return [what, f"{ours:.4f}", alternative, f"{theirs:.3f}", f"{theirs / ours:,.0f}"]

    for log_name, setting in PLAIN[: 1 if short else None]:
        log = datasets.load(log_name, LOGS)
        traces = log.traces()
        ours = times_of(log, name_of(*setting), 2 if short else 50, time.process_time)
        check_equal(log, traces, setting)
        theirs = fastest(lambda: all_distances(traces, setting), 1 if short else 5, time.process_time)  # noqa: B023
        yield row(f"{log_name}, {name_of(*setting)}", ours, "plain Python", theirs)
    log = datasets.load("BPIC15_1", LOGS)
    settings, traces, logs = SETTINGS[: 2 if short else None], log.traces(), iter([fresh(log) for _ in range(5)])

    def sweep():
        counts = count_windows(next(logs), 9)
        for setting in settings:
            embed(counts, name_of(*setting)).distances()

    def plain_sweep():
        for setting in settings:
            all_distances(traces, setting)

    ours = fastest(sweep, 5, time.process_time)
    yield row(
        f"BPIC15_1, {len(settings)} settings of one count", ours, "plain Python", fastest(plain_sweep, 1, time.process_time)
    )
    for log_name in ("BPIC15_1", "RTFM")[: 1 if short else None]:
        log = datasets.load(log_name, LOGS)
        traces = log.traces()
        ours = times_of(log, "aa-sequence-pmi-w3", 10)
        theirs = fastest(lambda: act2vec(traces, 1 if short else 10), 1)  # noqa: B023
        yield row(f"{log_name}, aa-sequence-pmi-w3", ours, "act2vec (gensim, CBOW, window 3, 105 passes)", theirs)


def all_distances(traces, setting):
    return plain_python.distances(plain_python.vectors(traces, *setting))


def check_equal(log, traces, setting):
    """Raise an error unless the alternative computes the same."""
    assert np.allclose(embed(log, name_of(*setting)).distances(), all_distances(traces, setting), atol=1e-9)


def act2vec(traces, calls):
    from gensim.models import Word2Vec

    model = Word2Vec(traces, vector_size=16, window=3, min_count=0, workers=1, sg=0)
    for call in range(calls):
        end = 0.0001 if call == 0 else 0.023
        model.train(traces, total_examples=len(traces), epochs=10, start_alpha=0.025, end_alpha=end)
    vectors = model.wv.vectors / np.linalg.norm(model.wv.vectors, axis=1, keepdims=True)
    return 1 - vectors @ vectors.T


def slower(short):
    """Yield the rows of what takes longer than something simpler."""

    def row(what, ours, simpler, theirs):
        return [what, f"{ours:.4f}", simpler, f"{theirs:.4f}", f"{ours / theirs:.1f}"]

    for log_name in ("BPIC15_1", "RTFM"):
        log = datasets.load(log_name, LOGS)
        ours, theirs = (times_of(log, method, 2 if short else 15) for method in ("kin-w5", "aa-sequence-pmi-w3"))
        yield row(f"{log_name}, kin-w5", ours, "aa-sequence-pmi-w3", theirs)
    group(planted(40, 4_000))  # whatever is loaded on first use
    for labels, events in ((40, 4_000),) if short else ((400, 1_500_000), (2_000, 200_000)):
        log = planted(labels, events)
        ours = fastest(lambda: group(fresh(log)), 1)  # noqa: B023
        what = f"{labels:,} labels, {events:,} events: group"
        yield row(what, ours, "distances of kin-w5", times_of(log, "kin-w5", 1))
    ours, theirs = (process_seconds(code, 3 if short else 11) for code in (FIRST_USE, IMPORTS))
    yield row("import actalike, first use of EventLog, embed, read_log", ours, IMPORTS, theirs)


def planted(labels, events, names=4, followers=4, length=15):
    """A log of cases of 15 events, whose steps have four interchangeable names each, and a few steps that can follow."""
    chance = np.random.default_rng(16)
    n_steps, n_cases = labels // names, events // length
    follows = chance.integers(0, n_steps, (n_steps, followers))
    steps = [chance.integers(0, n_steps, n_cases)]
    while len(steps) < length:
        steps.append(follows[steps[-1], chance.integers(0, followers, n_cases)])
    codes = np.stack(steps, axis=1) * names + chance.integers(0, names, (n_cases, length))
    activities = [f"step {i:05}" for i in range(labels)]
    return EventLog(activities, codes.ravel(), np.arange(n_cases + 1) * length, [str(i) for i in range(n_cases)])


def process_seconds(code, repeats):
    """The median CPU seconds of fresh processes that run some code; the first one may write bytecode."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    times = []
    for _ in range(repeats + 1):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return statistics.median(times[1:])


def growth(short):
    """Yield the rows of counting windows of 5 over 30 activities: every case a variant of its own, or 1,000 variants in all."""
    yield ["events", "all cases differ, s", "ns an event", "1,000 variants, s", "ns an event"]
    rng = np.random.default_rng(1)
    for events in (10**4, 10**5, 10**6, 3 * 10**6, 10**7)[: 2 if short else None]:
        cases = events // 10
        offsets = np.arange(cases + 1) * 10
        ids = [str(i) for i in range(cases)]
        labels = [f"a{i:02}" for i in range(30)]
        apart = rng.zipf(1.5, events).clip(max=30) - 1
        repeated = apart[: 10 * min(1000, cases)].reshape(-1, 10)[rng.integers(0, min(1000, cases), cases)].ravel()
        row = [f"{events:,}"]
        for codes in (apart, repeated):
            logs = iter([EventLog(labels, codes, offsets, ids) for _ in range(3)])
            seconds = fastest(lambda: count_windows(next(logs), 5), 3)  # noqa: B023
            row += [f"{seconds:.4f}", f"{seconds / events * 1e9:.0f}"]
        yield row


def draw_growth(rows, path):
    """Draw the table of growth."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    _, *body = rows
    events = [int(row[0].replace(",", "")) for row in body]
    apart = [float(row[1]) for row in body]
    figure = Figure(figsize=(7, 4.5), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.loglog(events, apart, marker="o", label="all cases differ")
    axes.loglog(events, [float(row[3]) for row in body], marker="o", label="1,000 variants")
    axes.loglog(events, [size * apart[-1] / events[-1] for size in events], "k:", lw=1, label="proportional to events")
    axes.set(xlabel="events", ylabel="seconds to count all windows")
    axes.grid(alpha=0.3)
    axes.legend()
    figure.savefig(Path(path), metadata={"Software": None})
