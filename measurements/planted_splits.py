"""How many split activities the proposed groups put together again, and what else they propose. Needs a folder of the paper's logs.

    python measurements/planted_splits.py                    # all logs at the default boldness, about 4 minutes
    python measurements/planted_splits.py --choose           # rules and boldnesses, on the first half of the logs only
    python measurements/planted_splits.py Helpdesk --ways 3
    python measurements/planted_splits.py --demo             # the loan desk, where the truth is known

Two activities of a log are split: all of their events get one of two names at random, by case (a case keeps to one name) or by
event. That is done 25 times in each way, so 50 splits each, among activities in 10 cases or more: with fewer, one of the names
would be too rare to judge. A split is *found* if all of its names are in one group, and found *exactly* if nothing else is.

What is proposed beside is no false alarm for sure: real logs have look-alikes of their own, and most of these groups are proposed
in the log before anything is split, too. They are counted per draw and as the share of the activities that they contain.
"""

import argparse
import os
from pathlib import Path

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from actalike import EventLog, datasets, embed
from actalike.benchmark.intervals import bootstrap_interval
from actalike.benchmark.intrinsic.ground_truth import Recipe, log_digest, make_log
from actalike.benchmark.seeded_generator import random_subset, random_words, seed_of
from actalike.demo.loan_desk import SAME_STEP, loan_desk
from actalike.embedding.resampling import ENOUGH_CASES
from actalike.labels import groups
from actalike.labels.groups import DEFAULT_BOLDNESS, merges

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
FIRST_HALF = ("BPIC13", "BPIC15", "CCC19", "Env_Permit", "Helpdesk", "RTFM")  # logs of one family are in one half
DRAWS, AT_ONCE = 25, 2
BOLDNESSES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)


def split(log, way, draw, ways, seed):
    """A log with two activities split, and the names of each."""
    digest = log_digest(log)
    often = [label for label, cases in zip(log.activities, log.activity_cases, strict=True) if cases >= ways * ENOUGH_CASES]
    chosen = tuple(often[i] for i in random_subset(seed_of("planted", seed, digest, draw), len(often), min(AT_ONCE, len(often))))
    if way == "case":
        made = make_log(log, Recipe(digest, len(chosen), ways, draw, seed, "paper", chosen))
        return made.log, [{made.log.activities[i] for i in np.flatnonzero(made.classes == k)} for k in range(len(chosen))]
    labels, codes = list(log.activities), log.codes.astype(np.int32)
    for label in chosen:
        events = np.flatnonzero(log.codes == log.activities.index(label))
        codes[events] = len(labels) + random_words(seed_of("planted", seed, digest, draw, label), len(events)) % np.uint64(ways)
        labels += [f"{label} ({k + 1})" for k in range(ways)]
    made = EventLog(labels, codes, log.offsets, log.case_ids)
    return made, [{f"{label} ({k + 1})" for k in range(ways)} & set(made.activities) for label in chosen]


def score(found, planted, n):
    """Splits; of them found, and found exactly; groups beside; the share of the activities in those."""
    found = [set(members) for members in found]
    hits = [next((one for one in found if names <= one), None) for names in planted]
    beside = [one for one in found if one not in hits]  # a group with a split and more is none, and not exact either
    return (
        len(planted),
        sum(hit is not None for hit in hits),
        sum(hit == names for hit, names in zip(hits, planted, strict=True)),
        len(beside),
        sum(map(len, beside)) / n,
    )


def by_contrast(log):
    """The rule of actalike.groups: what is proposed at each boldness."""
    proposals = merges(log)
    return {b: [one.activities for one in proposals if one.boldness <= b] for b in BOLDNESSES}


def by_contrast_alone(log):
    """The same without doubting activities that are in the same cases more often than names of one step would be."""
    usual, groups.MAX_ATTRACTION = groups.MAX_ATTRACTION, np.inf
    try:
        return by_contrast(log)
    finally:
        groups.MAX_ATTRACTION = usual


def by_similarity(log):
    """Complete linkage, cut at a similarity that is the same for all logs."""
    tree = linkage(squareform(embed(log).distances(), checks=False), "complete")
    found = {}
    for similarity in (0.9, 0.95, 0.97, 0.98, 0.985, 0.99, 0.993, 0.995, 0.998):
        number = fcluster(tree, 1 - similarity, "distance")
        sets = [np.flatnonzero(number == k) for k in range(1, number.max() + 1)]
        found[similarity] = [[log.activities[i] for i in members] for members in sets if len(members) > 1]
    return found


def choose(names, seed):
    """For each rule and setting: found exactly, and how much is proposed beside, over the logs."""
    for rule in (by_similarity, by_contrast_alone, by_contrast):
        rows = {}
        for name in names:
            log = datasets.load(name, LOGS)
            for way in ("case", "event"):
                for draw in range(DRAWS):
                    made, planted = split(log, way, draw, 2, seed)
                    for setting, found in rule(made).items():
                        rows.setdefault(setting, {}).setdefault(name, []).append(score(found, planted, len(made.activities)))
        print(f"\n{rule.__doc__.splitlines()[0]}\n\n| setting | found | exactly | groups beside | share beside | F1 |")
        print("|---" * 6 + "|")
        for setting, logs in rows.items():
            means = np.array([np.sum(scores, axis=0) for scores in logs.values()], dtype=float)
            found, exactly = (means[:, k] / means[:, 0] for k in (1, 2))
            beside, share = means[:, 3] / (2 * DRAWS), means[:, 4] / (2 * DRAWS)
            f1 = 2 * means[:, 2] / (means[:, 1] + means[:, 3] + means[:, 0])  # all groups, and all splits
            figures = [found.mean(), exactly.mean(), beside.mean(), share.mean(), f1.mean()]
            print(f"| {setting} | " + " | ".join(f"{figure:.3f}" for figure in figures) + " |", flush=True)


def table(names, ways, boldness, seed):
    """A row for each log, and the means of both halves with their intervals over logs."""
    print(
        "| log | activities | by case: found | exactly | by event: found | exactly | groups beside | share beside | groups before |"
    )
    print("|---" * 9 + "|")
    figures = {}
    for name in names:
        log = datasets.load(name, LOGS)
        cells, share, beside = [], [], []
        for way in ("case", "event"):
            scores = []
            for draw in range(DRAWS):
                made, planted = split(log, way, draw, ways, seed)
                found = [one.activities for one in merges(made) if one.boldness <= boldness]
                scores.append(score(found, planted, len(made.activities)))
            total, found, exactly, more, part = np.sum(scores, axis=0)
            cells += [(found, total), (exactly, total)]
            beside.append(more / DRAWS)
            share.append(part / DRAWS)
        before = sum(one.boldness <= boldness for one in merges(log))
        figures[name] = [found / total for found, total in cells] + [np.mean(beside), np.mean(share)]
        shown = " | ".join(f"{found:.0f} of {total:.0f}" for found, total in cells)
        print(
            f"| {name} | {len(log.activities)} | {shown} | {np.mean(beside):.1f} | {np.mean(share):.0%} | {before} |", flush=True
        )
    for half, part in (("first half", first_half(names)), ("second half", [n for n in names if n not in first_half(names)])):
        if part:
            values = np.array([figures[name] for name in part])
            shown = [f"{mean(values[:, k], '.0%')}" for k in range(4)]
            print(f"| {half}, mean | | {' | '.join(shown)} | {mean(values[:, 4], '.1f')} | {mean(values[:, 5], '.0%')} | |")


def mean(values, form):
    low, high = bootstrap_interval(values, 10_000)
    return f"{values.mean():{form}}" + ("" if low is None else f" ({low:{form}} to {high:{form}})")


def first_half(names):
    return [name for name in names if name.startswith(FIRST_HALF)]


def demo(boldness, seeds=50):
    """Precision and recall of pairs on logs of the loan desk, where it is known which labels are one step."""
    truth = {frozenset((a, b)) for same in SAME_STEP for a in same for b in same if a != b}
    print(
        "| cases | sets found exactly (of 7) | pairs found, of 9 (recall) | pairs proposed that are one step (precision) |\n|---|---|---|---|"
    )
    for cases in (60, 200, 600):
        exact, recall, precision = [], [], []
        for seed in range(seeds):
            found = [set(one.activities) for one in merges(loan_desk(cases, seed)) if one.boldness <= boldness]
            pairs = {frozenset((a, b)) for one in found for a in one for b in one if a != b}
            exact.append(sum(same in found for same in SAME_STEP))
            recall.append(len(pairs & truth) / len(truth))
            precision.append(len(pairs & truth) / len(pairs))
        print(f"| {cases} | {np.mean(exact):.2f} | {np.mean(recall):.1%} | {np.mean(precision):.1%} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="*")
    parser.add_argument("--boldness", type=float, default=DEFAULT_BOLDNESS)
    parser.add_argument("--ways", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--choose", action="store_true")
    parser.add_argument("--demo", action="store_true")
    arguments = parser.parse_args()
    if arguments.demo:
        return demo(arguments.boldness)
    names = arguments.logs or sorted(datasets.find(LOGS))
    if arguments.choose:
        return choose(arguments.logs or first_half(names), arguments.seed)
    return table(names, arguments.ways, arguments.boldness, arguments.seed)


if __name__ == "__main__":
    main()
