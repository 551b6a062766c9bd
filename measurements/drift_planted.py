"""How well ``actalike.drift`` finds planted changes: halves of public logs by cases, one of them changed. evaluate.py runs it.

In a share q of the second half's cases with an activity a (in 50 or more cases of both), a is moved by 1 to 5 places, swapped with the
label most often after it, dropped, followed by a label from elsewhere, or replaced by another label. Positive labels are a (move, add),
both (swap), the other label (replace), and the labels that stood beside a in 20 % of their own events (drop). Other labels with a
window that was changed are not scored, all others are negative. AP: average precision of the positives by p (equal ones by change);
first: the first is positive; power: positives found; false: of the scored labels that were found, the share that is negative, mean
over draws. Draws are spread over the logs.
"""

import warnings
from collections import Counter
from itertools import pairwise

import numpy as np
from results import kept

from actalike import EventLog, drift, read_log
from actalike.benchmark.seeded_generator import seed_of
from actalike.log import cases_of

CHOSE = [
    "Helpdesk",
    "BPIC12_A",
    "BPIC12_Complete",
    "BPIC20_DomesticDeclarations",
    "BPIC20_PermitLog",
]  # on these settings were chosen
CONFIRM = ["BPIC15_1", "BPIC20_RequestForPayment", "Env_Permit", "Hospital_Billing", "NASA"]
RECIPES = ("move", "swap", "drop", "add", "replace")
SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)
DRAWS = 25
FEWEST_CASES = 50
FIGURES = ("AP", "first is right", "power", "false")


def drift_recipes(folder, keep, trial=()):
    """Yield the rows of the table; the figures of each recipe and share are kept in a folder."""
    sets = [("given", trial)] if trial else [("chose", CHOSE), ("confirm", CONFIRM)]
    opened = {}
    yield ["recipe, q", *FIGURES, *([] if trial else [f"other logs: {FIGURES[0]}", *FIGURES[1:]])]
    for recipe in RECIPES:
        for share in SHARES:
            cells = []
            for title, names in sets:

                def figures(title=title, names=names, recipe=recipe, share=share):
                    if title not in opened:
                        opened[title] = [read(folder, name) for name in names]
                    return planted(opened[title], recipe, share, 2 if trial else DRAWS)

                cells += kept(keep / f"{title}-{recipe}-{share}.json", figures)
            yield [f"{recipe}, {share:.0%}".replace("%", " %"), *(f"{cell:.2f}" for cell in cells)]


def read(folder, name):
    (path,) = folder.glob(f"{name}.[xc]*")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_log(path)


def planted(logs, recipe, share, draws):
    """The means of the figures over some draws."""
    scores = [score(Draw(logs[seed % len(logs)], recipe, share, seed), seed) for seed in range(draws)]
    columns = [[one[i] for one in scores if one[i] is not None] for i in range(len(FIGURES))]
    return [float(np.mean(column)) if column else float("nan") for column in columns]


def score(draw, seed):
    """The figures of one draw; None where no label is positive."""
    result = drift(draw.before, draw.after, seed=seed)
    ranked = [one for one in result.all if not one.is_rare and one.activity not in draw.unscored]
    positive = draw.positive & {one.activity for one in ranked}
    found = {one.activity for one in result.changed} - draw.unscored
    false = len(found - draw.positive) / max(len(found), 1)
    if not positive:
        return None, None, None, false
    by_p = [one.activity for one in sorted(ranked, key=lambda one: (one.p, -one.change))]
    hits = [i for i, label in enumerate(by_p) if label in positive]
    precision = float(np.mean([(n + 1) / (i + 1) for n, i in enumerate(hits)]))
    return precision, float(by_p[0] in positive), len(found & positive) / len(positive), false


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
        a = frequent[rng.integers(len(frequent))]
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
    if recipe == "add":
        return [one for label in trace for one in ([label, other] if label == a else [label])]
    if recipe == "swap":
        swapped, i = [], 0
        while i < len(trace):
            pair = trace[i : i + 2]
            swapped += pair[::-1] if pair == [a, other] else pair[:1]
            i += 2 if pair == [a, other] else 1
        return swapped
    moved = [label for label in trace if label != a]
    for place in [i for i, label in enumerate(trace) if label == a]:
        moved.insert(min(max(place + step, 0), len(moved)), a)
    return moved


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
