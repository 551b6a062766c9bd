"""Changes of processes: whether they are found where they are, and none where there is none.

    python measurements/change_points.py planted [--families left-out] [--draws 2] [--methods NAME ...]
    python measurements/change_points.py public [--folder ../shared/benchmarks/drift]
    python measurements/change_points.py shuffled [--draws 10]
    python measurements/change_points.py speed

- `planted`: real logs (the folder ACTALIKE_LOGS) of at most 2,000 cases, in an order by chance, so that nothing changes by itself;
  from a case between 20 and 80 % on one change, at once or over 10 % of the cases, or three. A detection is right within 5 % of
  the cases. Settings were chosen on the logs of CHOSEN_ON; the other families report.
- `public`: logs of Adams, Pitsch, Brockhoff and van der Aalst (PVLDB 2023), lags 200, 100 and 50; a blind guess beside them.
- `shuffled`: logs in an order by chance, without any change: how many show one.

Methods: `actalike`; `sketch`: the largest Hellinger distance of directly-follows shares over splits, beyond 99 permutations by a
factor of 1.2, and recursion; `windows`: the same features in windows of 100 cases, a change where the distance of adjacent windows
peaks above mean and three deviations; `rinv`: relation invariance by Zheng et al. (2017), with its best settings over the data.
"""

import argparse
import itertools
import os
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from actalike import EventLog, change_points, read_log
from actalike.log import case_beginnings

SHARED = Path(__file__).parents[2] / "shared"
LOGS = Path(os.environ.get("ACTALIKE_LOGS", SHARED / "event_logs"))
CHOSEN_ON = ("BPIC12", "BPIC15", "Helpdesk")
MOST_CASES = 2000
FEWEST = 0.1  # of the cases, that have what changes
KINDS = ("left out", "swapped", "renamed", "twice as frequent", "inserted")
LAGS = (200, 100, 50)
PUBLISHED = {
    "RINV": 0.864,
    "EMD": 0.833,
    "J-Measure": 0.790,
    "PGM": 0.765,
    "ADWIN J": 0.750,
    "Window Count": 0.743,
    "LCDD": 0.674,
}
RINV_SETTINGS = tuple(itertools.product((50, 100, 200), (10, 50, 100)))  # invariance distance, radius


def planted_change(traces, kind, rng):
    """Return a function that changes a trace; None if the log has nothing for this kind of change."""
    n = len(traces)
    use = Counter(label for trace in traces for label in set(trace))
    frequent = sorted(label for label, cases in use.items() if cases >= FEWEST * n)
    if kind == "twice as frequent":
        frequent = [label for label in frequent if use[label] <= 0.45 * n]
    if kind == "swapped":
        pairs = Counter(pair for trace in traces for pair in set(itertools.pairwise(trace)) if pair[0] != pair[1])
        frequent = sorted(pair for pair, cases in pairs.items() if cases >= FEWEST * n)
    if not frequent:
        return None
    chosen, other = frequent[rng.integers(len(frequent))], sorted(use)[rng.integers(len(use))]
    having = [trace for trace in traces if chosen in trace]

    def left_out(trace):
        return [label for label in trace if label != chosen] or trace if rng.random() < 0.5 else trace

    def swapped(trace):
        trace, place = list(trace), 0
        while place + 1 < len(trace):
            if (trace[place], trace[place + 1]) == chosen:
                trace[place : place + 2] = chosen[::-1]
                place += 1
            place += 1
        return trace

    def renamed(trace):
        return [f"{label} (new)" if label == chosen else label for label in trace]

    def twice_as_frequent(trace):
        share = len(having) / n
        return trace if chosen in trace or rng.random() >= share / (1 - share) else having[rng.integers(len(having))]

    def inserted(trace):
        return [label for step in trace for label in ([step, other] if step == chosen else [step])]

    return dict(zip(KINDS, (left_out, swapped, renamed, twice_as_frequent, inserted), strict=True))[kind]


def plant(traces, kinds, gradual, rng):
    """Return traces in an order by chance with changes, and the last case before each; the middle of gradual ones."""
    n = len(traces)
    traces = [traces[i] for i in rng.permutation(n)]
    places = np.sort(rng.integers(int(0.2 * n), int(0.8 * n), len(kinds)))
    while len(kinds) > 1 and np.diff(places).min() < 0.15 * n:
        places = np.sort(rng.integers(int(0.2 * n), int(0.8 * n), len(kinds)))
    found, true = list(traces), []
    for kind, place in zip(kinds, places.tolist(), strict=True):
        change = planted_change(traces, kind, rng)
        if change is None:
            continue
        chances = np.clip((np.arange(n) - place) / (0.1 * n) + 0.5, 0, 1) if gradual else np.arange(n) >= place
        is_new = rng.random(n) < chances
        found = [change(trace) if new else trace for trace, new in zip(found, is_new, strict=True)]
        true.append(place - 1)
    return found, true


def hits(found, true, lag):
    """Return the distances of detections to the changes that they find: nearest first, each change and detection once."""
    pairs = sorted((abs(a - b), i, j) for i, a in enumerate(found) for j, b in enumerate(true) if abs(a - b) <= lag)
    used_found, used_true, distances = set(), set(), []
    for distance, i, j in pairs:
        if i not in used_found and j not in used_true:
            used_found.add(i)
            used_true.add(j)
            distances.append(distance)
    return distances


class Score:
    """Count detections, changes and hits, and sum their distances."""

    def __init__(self):
        self.found = self.true = self.hits = self.distance = 0

    def add(self, found, true, lag):
        distances = hits(found, true, lag)
        self.found += len(found)
        self.true += len(true)
        self.hits += len(distances)
        self.distance += sum(distances)

    def __str__(self):
        precision, recall = self.hits / max(self.found, 1), self.hits / max(self.true, 1)
        f1 = 2 * self.hits / max(self.found + self.true, 1)
        return f"precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}  ({self.true} changes, mean distance {self.distance / max(self.hits, 1):.1f})"


def by_actalike(traces):
    return [point.case for point in change_points(EventLog.from_traces(traces)).points]


def pair_counts(traces):
    """Return the numbers of directly-follows pairs, with start and end, of each case (row)."""
    pairs = [list(itertools.pairwise([None, *trace, None])) for trace in traces]
    place = {pair: i for i, pair in enumerate(dict.fromkeys(itertools.chain.from_iterable(pairs)))}
    counts = np.zeros((len(traces), len(place)), dtype=np.float32)
    for row, some in zip(counts, pairs, strict=True):
        np.add.at(row, [place[pair] for pair in some], 1)
    return counts


def by_sketch(traces, seed=0):
    counts, rng, found = pair_counts(traces), np.random.default_rng(seed), []

    def best(rows):
        splits = np.arange(100, len(rows) - 100 + 1, 10)
        left = np.cumsum(rows, axis=0)[splits - 1]
        right = rows.sum(axis=0) - left
        shares = [side / side.sum(axis=1, keepdims=True) for side in (left, right)]
        distance = splits * (len(rows) - splits) / len(rows) * np.square(np.sqrt(shares[0]) - np.sqrt(shares[1])).sum(axis=1)
        return float(distance.max()), int(splits[int(np.argmax(distance))])

    def search(low, high):
        if high - low < 200:
            return
        rows = counts[low:high]
        rows = rows[:, rows.any(axis=0)]
        largest, split = best(rows)
        for _ in range(99):
            if 1.2 * best(rows[rng.permutation(len(rows))])[0] >= largest:
                return
        found.append(low + split - 1)
        search(low, low + split)
        search(low + split, high)

    search(0, len(traces))
    return found


def by_windows(traces, width=100):
    counts = pair_counts(traces)
    sums = np.concatenate([np.zeros((1, counts.shape[1])), np.cumsum(counts, axis=0)])
    splits = np.arange(width, len(traces) - width + 1)
    if not len(splits):
        return []
    sides = [sums[splits] - sums[splits - width], sums[splits + width] - sums[splits]]
    shares = [side / side.sum(axis=1, keepdims=True) for side in sides]
    distance = np.square(np.sqrt(shares[0]) - np.sqrt(shares[1])).sum(axis=1)
    bound, found = distance.mean() + 3 * distance.std(), []
    for place in np.argsort(-distance).tolist():
        if distance[place] > bound and all(abs(place - other) >= width for other in found):
            found.append(place)
    return [int(splits[place]) - 1 for place in found]


def by_rinv(traces, distance=100, radius=10):
    """Relation invariance: ends of runs of cases with, or without, a relation are candidates; near ones are one change."""
    n, having = len(traces), defaultdict(set)
    for case, trace in enumerate(traces):
        for i, a in enumerate(trace):
            for b in set(trace[i + 1 :]):
                having["weak", a, b].add(case)
        for pair in itertools.pairwise(trace):
            having["direct", *pair].add(case)
    candidates = set()
    for cases in having.values():
        row = np.zeros(n, dtype=bool)
        row[list(cases)] = True
        bounds = np.concatenate([[0], np.flatnonzero(row[1:] != row[:-1]) + 1, [n]])
        for start, end in itertools.pairwise(bounds.tolist()):
            if end - start >= distance:
                candidates |= {start, end}
    ordered = sorted(candidates - {0, n})
    groups = []
    for one in ordered:
        if groups and one - groups[-1][-1] <= radius:
            groups[-1].append(one)
        else:
            groups.append([one])
    found = [0, n]
    for group in sorted(groups, key=len, reverse=True):
        centre = float(np.mean(group))
        if min(abs(centre - other) for other in found) >= distance:
            found.append(centre)
    return [round(one) - 1 for one in sorted(found) if 0 < one < n]


METHODS = {"actalike": by_actalike, "sketch": by_sketch, "windows": by_windows}


def logs(families):
    for path in sorted(LOGS.glob("*.gz")):
        name = path.name.split(".")[0]
        if name != "CCC19" and (families == "all" or name.startswith(CHOSEN_ON) == (families == "chosen")):
            yield name, read_log(path)


def draws(families, n_draws):
    """Yield logs with planted changes: log, kind, whether gradual, traces, true places."""
    for name, log in logs(families):
        every = log.traces()
        for draw in range(n_draws):
            kinds = [([kind], gradual) for kind in KINDS for gradual in (False, True)]
            for number, (kind, gradual) in enumerate([*kinds, (None, False)]):
                rng = np.random.default_rng([draw, number, len(name)])
                some = rng.choice(len(every), min(MOST_CASES, len(every)), replace=False)
                chosen = kind or rng.choice(KINDS, 3, replace=False).tolist()
                traces, true = plant([every[i] for i in some], chosen, gradual, rng)
                if true:
                    yield name, kind[0] if kind else "three changes", gradual, traces, true


def planted(families, n_draws, methods):
    scores = defaultdict(Score)
    for name, kind, gradual, traces, true in draws(families, n_draws):
        results = {method: METHODS[method](traces) for method in methods if method != "rinv"}
        if "rinv" in methods:
            results |= {f"rinv {setting}": by_rinv(traces, *setting) for setting in RINV_SETTINGS}
        for method, found in results.items():
            for part in ("all", kind, "gradual" if gradual else "at once", name):
                scores[method, part].add(found, true, 0.05 * len(traces))
    for (method, part), score in scores.items():
        print(f"{method:<16}{part:<30}{score}", flush=True)


def public_logs(folder):
    """Yield the group, the traces in the order of their first timestamps, and the true changes of each public log."""
    for path in sorted(folder.glob("*.xes.gz")):
        name = path.name.split(".")[0]
        log = read_log(path)
        is_two = name.startswith("ostovar")
        group = "ostovar" if is_two else "composed" if name.rsplit("_", 1)[1].isupper() else "atomic"
        true = [999, 1999] if is_two else [log.n_cases // 2 - 1]
        traces = log.traces()
        yield group, log, [traces[i] for i in np.argsort(case_beginnings(log), kind="stable")], true


def public(folder, methods):
    scores = defaultdict(Score)
    for group, log, traces, true in public_logs(folder):
        results = {method: METHODS[method](traces) for method in methods if method not in ("rinv", "actalike")}
        results["actalike"] = [point.case for point in change_points(log).points]
        results["blind guess"] = [n for n in (499, 249, 999, 1999) if n in true]
        if "rinv" in methods:
            results |= {f"rinv {setting}": by_rinv(traces, *setting) for setting in RINV_SETTINGS}
        for method, found in results.items():
            for part, lag in itertools.product(("all", group), LAGS):
                scores[method, part, lag].add(found, true, lag)
    for (method, part, lag), score in sorted(scores.items(), key=str):
        print(f"{method:<16}{part:<10} lag {lag:<5}{score}")
    print("published, lag 200: " + ", ".join(f"{name} {f1}" for name, f1 in PUBLISHED.items()))


def shuffled(n_draws):
    alarms = total = 0
    for name, log in logs("all"):
        traces, rng = log.traces(), np.random.default_rng(len(name))
        found = [len(by_actalike([traces[i] for i in rng.permutation(len(traces))])) for _ in range(n_draws)]
        alarms, total = alarms + sum(number > 0 for number in found), total + n_draws
        print(f"{name:<30}{sum(number > 0 for number in found)} of {n_draws}", flush=True)
    print(f"a change in {alarms} of {total} logs without any ({alarms / total:.3f})")


def speed():
    for name, log in logs("all"):
        start = time.process_time()
        found = change_points(log)
        seconds = time.process_time() - start
        print(f"{name:<30}{log.n_events:>10,} events {seconds:>7.2f} s of a processor, {len(found.points)} changes", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["planted", "public", "shuffled", "speed"])
    arguments.add_argument("--families", choices=["all", "chosen", "left-out"], default="left-out")
    arguments.add_argument("--draws", type=int, default=2)
    arguments.add_argument("--methods", nargs="*", default=["actalike"], choices=[*METHODS, "rinv"])
    arguments.add_argument("--folder", type=Path, default=SHARED / "benchmarks" / "drift")
    given = arguments.parse_args()
    if given.what == "planted":
        planted(given.families, given.draws, given.methods)
    elif given.what == "public":
        public(given.folder, given.methods)
    elif given.what == "shuffled":
        shuffled(given.draws)
    else:
        speed()


if __name__ == "__main__":
    main()
