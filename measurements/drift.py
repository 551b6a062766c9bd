"""Measure drift: whether a stable log shows nothing, whether planted changes are found, and a real change with a known date.

    python measurements/drift.py stable [LOG ...] [--seeds 20]
    python measurements/drift.py planted [LOG ...] [--draws 25]
    python measurements/drift.py rename [LOG ...] [--draws 25]
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
- volume: a quarter of the log is added to the other quarter, but only its cases with a ("fresh"); or the second half's cases with a are
  drawn again with replacement ("copies"). How often a itself is found, and how often any other label.
- dates: BPIC20 divided at each month; the mean change of the activities in 5 or more cases of both sides.
- speed: seconds for halves of BPIC15_1, and for 400 activities with 50,000 events in each log.
"""

import argparse
import time
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
from drift_draws import FEWEST_CASES, LOGS, RECIPES, SHARES, Draw, average_precision, chosen_logs, halves, read

from actalike import EventLog, drift
from actalike.benchmark.seeded_generator import seed_of
from actalike.comparison.drift_company import companies
from actalike.log import cases_of


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


def planted(names, draws):
    for title, logs, opened in chosen_logs(names):
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
    for title, _, opened in chosen_logs(names):
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


def volume(names, draws):
    for title, _, opened in chosen_logs(names):
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
    parser.add_argument("part", choices=["stable", "planted", "rename", "volume", "dates", "speed"])
    parser.add_argument("logs", nargs="*")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--draws", type=int, default=25)
    given = parser.parse_args()
    if given.part == "stable":
        stable(given.logs, given.seeds)
    elif given.part in ("dates", "speed"):
        {"dates": dates, "speed": speed}[given.part]()
    else:
        {"planted": planted, "rename": rename, "volume": volume}[given.part](given.logs, given.draws)
