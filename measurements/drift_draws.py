"""Plant changes in halves of public logs, for the measurements of drift: ``drift.py`` and ``drift_statistic.py``."""

import os
import warnings
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np

from actalike import EventLog, read_log
from actalike.benchmark.seeded_generator import seed_of
from actalike.log import cases_of

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
PLANTED = ["Helpdesk", "BPIC12_A", "BPIC12_Complete", "BPIC20_DomesticDeclarations", "BPIC20_PermitLog"]  # these chose
OTHERS = ["BPIC15_1", "BPIC20_RequestForPayment", "Env_Permit", "Hospital_Billing", "NASA"]  # these confirm
SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)
FEWEST_CASES = 50
RECIPES = ("move", "swap", "drop", "add", "replace")


def chosen_logs(names):
    """Return titles and logs: those that are given, or those that chose the settings and those that confirm them."""
    given = [("given logs", names)] if names else [("logs that chose", PLANTED), ("other logs", OTHERS)]
    return [(title, logs, [read(name) for name in logs]) for title, logs in given]


def read(name):
    (path,) = LOGS.glob(f"{name}.[xc]*")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_log(path)


def halves(log, seed):
    coin = np.random.default_rng(seed_of("halves", seed, log.digest)).random(log.n_cases) < 0.5
    return cases_of(log, coin), cases_of(log, ~coin)


class Draw:
    """Hold a planted change: the two logs, the positive labels, and those that are not scored."""

    def __init__(self, log, recipe, share, seed):
        self.before, half = halves(log, f"{recipe} {seed}")  # others for each recipe, so that chance is not the same in all
        rng = np.random.default_rng(seed_of("planted", recipe, seed, log.digest))
        cases = [dict(zip(part.activities, part.activity_cases.tolist(), strict=True)) for part in (self.before, half)]
        frequent = [label for label in half.activities if min(one.get(label, 0) for one in cases) >= FEWEST_CASES]
        self.a = a = frequent[rng.integers(len(frequent))]
        traces = half.traces()
        holders = [i for i, trace in enumerate(traces) if a in trace]
        chosen = rng.permutation(holders)[: max(1, round(share * len(holders)))].tolist()
        others = [label for label in frequent if label != a]
        follower = Counter(y for t in traces for x, y in pairwise(t) if x == a and y != a).most_common(1)
        other = follower[0][0] if recipe == "swap" and follower else others[rng.integers(len(others))]
        step = int(rng.integers(1, 6)) * int(rng.choice([-1, 1]))
        changed = {i: changed_trace(traces[i], recipe, a, other, step) for i in chosen}
        touched = set()
        for i, trace in changed.items():
            touched |= different_windows(traces[i], trace)
        self.after = EventLog.from_traces([changed.get(i, trace) for i, trace in enumerate(traces)])
        self.positive = {"swap": {a, other}, "replace": {other}, "drop": beside(traces, a)}.get(recipe, {a}) & touched
        self.unscored = touched - self.positive


def changed_trace(trace, recipe, a, other, step):
    if recipe == "drop":
        return [label for label in trace if label != a]
    if recipe == "replace":
        return [other if label == a else label for label in trace]
    if recipe == "rename":
        return ["a new label" if label == a else label for label in trace]
    if recipe == "add":
        return [one for label in trace for one in ([label, other] if label == a else [label])]
    if recipe == "swap":
        swapped, i = [], 0
        while i < len(trace):
            pair = trace[i : i + 2]
            swapped += pair[::-1] if pair == [a, other] else pair[:1]
            i += 2 if pair == [a, other] else 1
        return swapped
    kept = [label for label in trace if label != a]
    for place in [i for i, label in enumerate(trace) if label == a]:
        kept.insert(min(max(place + step, 0), len(kept)), a)
    return kept


def different_windows(old, new):
    """Return the labels whose windows differ."""
    counts = []
    for trace in (old, new):
        padded = [None, None, *trace, None, None]
        counts.append(Counter(tuple(padded[i : i + 5]) for i in range(len(trace))))
    return {window[2] for window in (counts[0] - counts[1]) + (counts[1] - counts[0])}


def beside(traces, a):
    """Return the labels that stood beside a in 20 % of their own events."""
    events, near = Counter(), Counter()
    for trace in traces:
        for i, label in enumerate(trace):
            events[label] += 1
            near[label] += a in trace[max(i - 1, 0) : i] + trace[i + 1 : i + 2]
    return {label for label in events if label != a and near[label] >= 0.2 * events[label]}


def average_precision(order, positive):
    hits = [i for i, label in enumerate(order) if label in positive]
    return float(np.mean([(n + 1) / (i + 1) for n, i in enumerate(hits)]))
