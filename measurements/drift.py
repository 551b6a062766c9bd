"""Measure drift: whether a stable log shows nothing, whether planted changes are found, and a real change with a known date.

    python measurements/drift.py stable [LOG ...] [--seeds 20]
    python measurements/drift.py planted [LOG ...] [--draws 25]
    python measurements/drift.py rename [LOG ...] [--draws 25]
    python measurements/drift.py statistic [LOG ...] [--draws 25]
    python measurements/drift.py volume [LOG ...] [--draws 25]
    python measurements/drift.py dates
    python measurements/drift.py speed

- stable: halves by cases (a coin for each case). The share of runs with any finding, and of the activities with p below 0.05.
- planted: halves by cases; in a share q of the second half's cases with an activity a (in 50 or more cases of both), a is moved by
  1 to 5 places, swapped with the label most often after it, dropped, followed by a label from elsewhere, or replaced by another
  label. Positive labels are a (move, add), both (swap), the other label (replace), and the labels that stood beside a in 20 % of
  their own events (drop). Other labels with a window that was changed are not scored, all others are negative. Draws are
  spread over the logs. AP: average precision of the positives by p (equal ones by change), by change, and by change minus what 95 % of the changes by chance stay below; hit@1: the first is
  positive; precision: as many of the first labels as there are positives; power: positives found; without a cause: those that no
  label's number of cases explains; false: of the scored labels that were found,
  the share that is negative, mean over draws.
- rename: halves by cases; an activity a gets a new label in all cases of the second half. How often drift says so.
- statistic: the same with K = identity (as drift has it) and K = kin of the whole log, by 999 shuffles each.
- volume: a quarter of the log is added to the other quarter, but only its cases with a ("fresh"); or the second half's cases with a are
  drawn again with replacement ("copies"). How often a itself is found, and how often any other label.
- dates: BPIC20 divided at each month; the mean change of the activities in 5 or more cases of both sides.
- speed: seconds for halves of BPIC15_1, and for 400 activities with 50,000 events in each log.
"""

import argparse
import os
import time
import warnings
from collections import Counter, defaultdict
from itertools import pairwise
from pathlib import Path

import numpy as np

from actalike import EventLog, drift, embed, read_log
from actalike.benchmark.seeded_generator import seed_of
from actalike.comparison.drift_company import OFFSETS, SHRINKAGE, companies
from actalike.comparison.drift_null import Null
from actalike.log import cases_of

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
PLANTED = ["Helpdesk", "BPIC12_A", "BPIC12_Complete", "BPIC20_DomesticDeclarations", "BPIC20_PermitLog"]  # these chose
OTHERS = ["BPIC15_1", "BPIC20_RequestForPayment", "Env_Permit", "Hospital_Billing", "NASA"]  # these confirm
SHARES = (0.05, 0.1, 0.25, 0.5, 1.0)
FEWEST_CASES = 50
RECIPES = ("move", "swap", "drop", "add", "replace")


def read(name):
    (path,) = LOGS.glob(f"{name}.[xc]*")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read_log(path)


def halves(log, seed):
    coin = np.random.default_rng(seed_of("halves", seed, log.digest)).random(log.n_cases) < 0.5
    return cases_of(log, coin), cases_of(log, ~coin)


def stable(names, seeds):
    print(
        "| log | activities judged | runs with a finding | of them changed, presence | share of p < 0.05 |\n|---|---|---|---|---|"
    )
    runs = alarms = 0
    shares = []
    for name in names or sorted(path.name.split(".")[0] for path in LOGS.glob("*.gz")):
        log = read(name)
        results = [drift(*halves(log, seed), seed=seed) for seed in range(seeds)]
        p = np.array([one.p for result in results for one in result.all if not one.is_rare])
        found = [not result.is_stable for result in results]
        changed = sum(bool(result.changed) for result in results)
        presence = sum(bool(r.appeared or r.vanished or r.more_often or r.less_often) for r in results)
        judged = np.mean([result.judged for result in results])
        share = float(np.mean(p < 0.05)) if len(p) else float("nan")
        shares.append(share)
        print(f"| {name} | {judged:.0f} | {sum(found)} of {seeds} | {changed}, {presence} | {share:.3f} |", flush=True)
        runs, alarms = runs + seeds, alarms + sum(found)
    print(
        f"\nAll: {alarms} of {runs} runs with a finding ({alarms / runs:.1%}); mean share of p < 0.05: {np.nanmean(shares):.3f}"
    )


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


def planted(names, draws):
    for title, logs in (("given logs", names),) if names else (("logs that chose", PLANTED), ("other logs", OTHERS)):
        opened = [read(name) for name in logs]
        print(f"\n{title}: {', '.join(logs)}; {draws} draws for each share\n")
        print(
            "| recipe | q | draws with a positive | AP by p | by change | by change beyond chance | hit@1 | precision | power | without a cause | false |"
        )
        print("|---|---|---|---|---|---|---|---|---|---|---|")
        for recipe in RECIPES:
            for share in SHARES:
                scores = defaultdict(list)
                for seed in range(draws):
                    score(Draw(opened[seed % len(opened)], recipe, share, seed), scores, seed)
                n = len(scores["power"])
                figures = [
                    f"{np.mean(scores[name]):.2f}" for name in ("p", "change", "beyond", "first", "precision", "power", "own")
                ]
                false = f"{np.mean(scores['false']):.3f}"
                print(f"| {recipe} | {share:.2f} | {n} | {' | '.join(figures)} | {false} |", flush=True)


def score(draw, scores, seed):
    result = drift(draw.before, draw.after, seed=seed)
    ranked = [one for one in result.all if not one.is_rare and one.activity not in draw.unscored]
    positive = draw.positive & {one.activity for one in ranked}
    found = {one.activity for one in result.changed} - draw.unscored
    scores["false"].append(len(found - draw.positive) / max(len(found), 1))
    if positive:
        by_p = [one.activity for one in sorted(ranked, key=lambda one: (one.p, -one.change))]
        scores["p"].append(average_precision(by_p, positive))
        for name, key in (("change", lambda one: -one.change), ("beyond", lambda one: one.by_chance - one.change)):
            scores[name].append(average_precision([one.activity for one in sorted(ranked, key=key)], positive))
        scores["first"].append(by_p[0] in positive)
        scores["precision"].append(len(set(by_p[: len(positive)]) & positive) / len(positive))
        scores["power"].append(len(found & positive) / len(positive))
        explained = {one.activity for one in result.changed if one.because_of is not None}
        scores["own"].append(len((found - explained) & positive) / len(positive))


def rename(names, draws):
    for title, logs in (("given logs", names),) if names else (("logs that chose", PLANTED), ("other logs", OTHERS)):
        opened = [read(name) for name in logs]
        seen = Counter()
        for seed in range(draws):
            draw = Draw(opened[seed % len(opened)], "rename", 1.0, seed)
            result = drift(draw.before, draw.after, seed=seed)
            seen["vanished"] += draw.a in {one.activity for one in result.vanished}
            seen["appeared"] += "a new label" in {one.activity for one in result.appeared}
            seen["right"] += (draw.a, "a new label") in {one[:2] for one in result.replaced}
            seen["wrong"] += bool({one[:2] for one in result.replaced} - {(draw.a, "a new label")})
        print(
            f"{title}, rename, all cases, {draws} draws: old label vanished {seen['vanished']}, new one appeared {seen['appeared']}, "
            f"replaced: right {seen['right']}, wrong {seen['wrong']}",
            flush=True,
        )


class KinCompany:
    """Compute the change with K = kin of the whole log; shuffling is that of the company."""

    def __init__(self, company, alike, usual):
        self.company, self.counts, self.has_given = company, company.counts, company.has_given
        self.before, self.after = company.before, company.after
        self.blocks = []
        for o in range(len(OFFSETS)):
            seen = company.neighbour[company.offset == o]
            unseen = np.setdiff1d(np.arange(len(alike)), seen)
            root = np.sqrt(usual[o, unseen])
            self.blocks.append(
                (alike[np.ix_(seen, seen)], alike[np.ix_(seen, unseen)] @ root, root @ alike[np.ix_(unseen, unseen)] @ root)
            )

    def changes(self, before):
        one, both = self.company, self.before + self.after
        cells = (one.counts.T @ before.T.astype(float)).T
        totals, events = one.counts.T @ both.astype(float), before @ one.events
        sides = ((cells, events + SHRINKAGE), (totals - cells, float(one.events @ both) - events + SHRINKAGE))
        roots = [np.sqrt((c + SHRINKAGE * one.usual) / n[:, np.newaxis]) for c, n in sides]
        given = [np.sqrt(SHRINKAGE / n) for _, n in sides]
        weights = np.array([1 / abs(offset) for offset in OFFSETS])
        change = np.ones(len(before))
        for o, weight in enumerate(weights / weights.sum()):
            chosen = one.offset == o
            matrix, mixed, rest = self.blocks[o]

            def product(i, j, chosen=chosen, matrix=matrix, mixed=mixed, rest=rest):
                x, y = roots[i][:, chosen], roots[j][:, chosen]
                return (
                    np.einsum("bs,bs->b", x @ matrix, y)
                    + given[j] * (x @ mixed)
                    + given[i] * (y @ mixed)
                    + given[i] * given[j] * rest
                )

            change -= weight * product(0, 1) / np.sqrt(product(0, 0) * product(1, 1))
        return change


def statistic(names, draws):
    for title, logs in (("given logs", names),) if names else (("logs that chose", PLANTED), ("other logs", OTHERS)):
        opened = [read(name) for name in logs]
        print(f"\n{title}: {', '.join(logs)}; {draws} draws for each share; identity, kin\n")
        print("| recipe | q | AP by p | AP by change | hit@1 | p < 0.01 |\n|---|---|---|---|---|---|")
        for recipe in RECIPES:
            for share in SHARES[:4]:
                scores = defaultdict(list)
                for seed in range(draws):
                    compare_statistics(Draw(opened[seed % len(opened)], recipe, share, seed), scores, seed)
                cells = [
                    ", ".join(f"{np.mean(scores[kind, name]):.3f}" for kind in ("identity", "kin"))
                    for name in ("p", "change", "first", "power")
                ]
                print(f"| {recipe} | {share:.2f} | {' | '.join(cells)} |", flush=True)


def compare_statistics(draw, scores, seed):
    both = EventLog.from_traces([*draw.before.traces(), *draw.after.traces()])
    alike = np.eye(len(both.activities) + 1)
    alike[:-1, :-1] = 1 - embed(both).distances()
    usual = shares_of_neighbours(both)
    judged = [
        (label, one)
        for label, one in companies(draw.before, draw.after)
        if min(one.before.sum(), one.after.sum()) >= 5 and label not in draw.unscored
    ]
    positive = draw.positive & {label for label, _ in judged}
    if not positive:
        return
    for kind in ("identity", "kin"):
        ranked = []
        for number, (label, one) in enumerate(judged):
            null = Null(one if kind == "identity" else KinCompany(one, alike, usual), np.random.default_rng([seed, number]))
            null.shuffle(999)
            ranked.append((null.p, -null.change, label))
        by_p = [label for _, _, label in sorted(ranked)]
        scores[kind, "p"].append(average_precision(by_p, positive))
        scores[kind, "change"].append(average_precision([o[2] for o in sorted(ranked, key=lambda o: o[1])], positive))
        scores[kind, "first"].append(by_p[0] in positive)
        scores[kind, "power"].append(np.mean([p < 0.01 for p, _, label in ranked if label in positive]))


def shares_of_neighbours(log):
    from actalike.counting import window_columns

    n = len(log.activities)
    columns = window_columns(log.codes, log.lengths, 5)
    chosen = [np.where(columns[2 + offset] < 0, n, columns[2 + offset]) for offset in OFFSETS]
    return np.stack([np.bincount(column, minlength=n + 1) for column in chosen]) / log.n_events


def volume(names, draws):
    for title, logs in (("given logs", names),) if names else (("logs that chose", PLANTED), ("other logs", OTHERS)):
        opened = [read(name) for name in logs]
        for kind in ("fresh", "copies"):
            itself = others = larger = own = 0
            p = []
            for seed in range(draws):
                label, before, after = doubled(opened[seed % len(opened)], kind, seed)
                result = drift(before, after, seed=seed)
                found = {one.activity for one in result.changed}
                itself, others = itself + (label in found), others + bool(found - {label})
                own += any(one.because_of is None for one in result.changed if one.activity != label)
                larger += label in {one.activity for one in result.more_often}
                p += [one.p for one in result.all if one.activity == label]
            print(
                f"{title}, {kind}: of {draws} draws a itself changed in {itself} (p < 0.05: {np.mean(np.array(p) < 0.05):.2f}), is in more "
                f"cases in {larger}; another label changed in {others}, in {own} without a cause",
                flush=True,
            )


def doubled(log, kind, seed):
    """Return a label, and the two logs, the second with twice as many cases of the label."""
    before, half = halves(log, seed)
    rng = np.random.default_rng(seed_of("volume", kind, seed, log.digest))
    frequent = [a for a, n in zip(half.activities, half.activity_cases.tolist(), strict=True) if n >= FEWEST_CASES]
    label = frequent[rng.integers(len(frequent))]
    traces = half.traces()
    if kind == "copies":
        holders = [trace for trace in traces if label in trace]
        return label, before, EventLog.from_traces(traces + [holders[i] for i in rng.integers(len(holders), size=len(holders))])
    quarter = rng.random(len(traces)) < 0.5
    return label, before, EventLog.from_traces([t for t, kept in zip(traces, quarter, strict=True) if kept or label in t])


def dates():
    for name in ("BPIC20_DomesticDeclarations", "BPIC20_PermitLog", "BPIC20_PrepaidTravelCost", "BPIC20_RequestForPayment"):
        log = read(name)
        starts = np.array([log.timestamps[i:j].min() for i, j in pairwise(log.offsets)])
        months = np.arange(starts.min().astype("datetime64[M]") + 1, starts.max().astype("datetime64[M]") + 1)
        means = {}
        for month in months:
            is_before = starts < month
            if min(is_before.sum(), (~is_before).sum()) < 100:
                continue
            judged = [
                one
                for _, one in companies(cases_of(log, is_before), cases_of(log, ~is_before))
                if min(one.before.sum(), one.after.sum()) >= 5
            ]
            means[str(month)] = float(np.mean([one.changes(one.before[np.newaxis])[0] for one in judged]))
        best = sorted(means, key=lambda month: -means[month])[:3]
        rank = sorted(means, key=lambda month: -means[month]).index("2018-01") + 1
        print(
            f"{name}: largest mean change {', '.join(f'{m} {means[m]:.4f}' for m in best)}; 2018-01 {means['2018-01']:.4f} is {rank} of {len(means)}"
        )


def speed():
    log = read("BPIC15_1")
    rng = np.random.default_rng(1)
    made = [
        EventLog.from_traces(
            [[f"a{i}" for i in (rng.integers(400) + np.cumsum(rng.geometric(0.5, 50))) % 400] for _ in range(1000)]
        )
        for _ in range(2)
    ]
    for name, (before, after) in {"halves of BPIC15_1": halves(log, 0), "400 activities, 50,000 events each": made}.items():
        started = time.process_time()
        drift(before, after)
        print(f"{name}: {time.process_time() - started:.2f} s of CPU")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["stable", "planted", "rename", "statistic", "volume", "dates", "speed"])
    parser.add_argument("logs", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--draws", type=int, default=25)
    given = parser.parse_args()
    if given.part == "stable":
        stable(given.logs, given.seeds)
    elif given.part in ("dates", "speed"):
        {"dates": dates, "speed": speed}[given.part]()
    else:
        {"planted": planted, "rename": rename, "statistic": statistic, "volume": volume}[given.part](given.logs, given.draws)
