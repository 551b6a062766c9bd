"""What same_step and group are worth on families of logs that their weights were not fitted to, beside single methods and baselines.

    python measurements/same_step_unseen.py                                # 5 draws a recipe, all logs; about 20 minutes on 2 cores
    python measurements/same_step_unseen.py --draws 2 --keep FOLDER        # fewer draws; keep the evidence and results in a folder
    python measurements/same_step_unseen.py Helpdesk --methods kin-w5      # one log, one method

Needs a folder of the paper's logs (ACTALIKE_LOGS). The recipes are those of `actalike benchmark labels` (docs/label_benchmark.md):
an activity is split into 2, 3 or 4 names, evenly or unevenly, by case, event, period or resource; all labels are codes. For each
family (all logs of one challenge) the weights are fitted on all other families (measurements/fit_same_step.py). Means are over
logs, and over families; intervals are 95 % bootstrap intervals over logs.
"""

import argparse
import dataclasses
import json
import zlib
from pathlib import Path

import numpy as np
from fit_same_step import KNOTS, LOGS, Basis, collect, family, leave_families_out, read
from joblib import Parallel, delayed

from actalike.benchmark.intervals import bootstrap_interval
from actalike.benchmark.labels.calibration import tally_pairs
from actalike.benchmark.labels.contract import GROUPERS, MethodGrouper
from actalike.benchmark.labels.metrics import group_scores, partner_mask, ranking_scores
from actalike.benchmark.labels.natural import natural_synonyms, synonym_scores
from actalike.benchmark.labels.planting import plant
from actalike.counting import count_windows
from actalike.errors import ActalikeError
from actalike.labels import group, same_step
from actalike.labels.evidence_weights import EvidenceWeights, Points
from actalike.methods import make_method

METHODS = ["kin-w5", "kin2-w5", "ac-sequence-raw-w3", "ac-sequence-pmi-w3", "ac-sequence-raw-w5", "ac-sequence-pmi-w5"]
METHODS += ["aa-sequence-pmi-w3", "positional-hellinger-w3", "positional-hellinger-w5", "substitution-w3"]
METHODS += ["praeclarus", "swiftmend"]  # zhu takes 5 s on a log of BPIC15: name it
WAYS = ("case", "period", "event", "resource")
RECIPES = [f"syn-{way}-{names}{end}" for way in WAYS[:3] for names in (2, 3, 4) for end in ("", "-uneven")]
RECIPES += ["syn-resource-2", "syn-resource-3"]
GROUPS = {  # as version 0.1 was measured: splits by case and by event
    "2-way": ("syn-case-2", "syn-event-2"),
    "4-way even": ("syn-case-4", "syn-event-4"),
    "4-way uneven": ("syn-case-4-uneven", "syn-event-4-uneven"),
}
OURS, BEFORE = "same-step", "contrast"  # contrast is the rule of 0.1, with kin-w5


def weights_of(stored):
    behaviour = {name: Points(tuple(piece["at"]), tuple(piece["points"])) for name, piece in stored["behaviour"].items()}
    text = Points(tuple(stored["text"]["at"]), tuple(stored["text"]["points"]))
    return EvidenceWeights(stored["base"], stored["prior"], behaviour, text, stored["opposites"], stored["pattern"])


def judge(name, recipe, draw, weights, methods):
    """The figures of every participant on one planted log; nothing if the recipe cannot be planted."""
    log = read_once(name)
    try:
        planted = plant(log, recipe, seed=2026, draw=draw)
    except ActalikeError:
        return []
    made, truth = planted.log, planted.truth
    partners = partner_mask(made.activities, truth)
    rows = []
    counts = count_windows(made, 5)
    for method in (OURS, BEFORE, *methods):
        row = {"log": name, "recipe": recipe, "draw": draw, "method": method}
        if method == OURS:
            same = dataclasses.replace(same_step(made, counts=counts), weights=weights)
            groups = group(made, same=same, counts=counts)
            proposals = [one.activities for one in groups if one.relation in ("synonyms", "alternatives")]
            accepted = [one.activities for one in groups if one.relation == "synonyms"]
            row["accepted_labels"] = group_scores(accepted, truth, made.activities, made.activity_counts).other_labels
            scores = same.log_odds
            tally = tally_pairs(same.probabilities(), partners)
            row |= {"p": tally.probability.tolist(), "n": tally.n.tolist(), "y": tally.positives.tolist()}
        else:
            grouper = GROUPERS.make(method) if method in GROUPERS.names() else MethodGrouper(make_method(method))
            grouper.fit(made)
            scores, proposals = grouper.scores_, grouper.groups_
        if scores is not None:
            row |= ranking_scores(np.asarray(scores), partners)._asdict()
        if proposals is not None:
            found = group_scores(proposals, truth, made.activities, made.activity_counts)
            row |= {key: getattr(found, key) for key in ("whole", "exact", "other_groups", "other_labels", "sure_precision")}
        rows.append(row)
    return rows


_LOGS = {}


def read_once(name):
    if name not in _LOGS:
        _LOGS.clear()
        _LOGS[name] = read(name, next(path for path in LOGS.iterdir() if path.name.split(".")[0] == name))
    return _LOGS[name]


def judge_log(name, weights, methods, draws, keep):
    """All recipes and draws of one log, and its natural synonyms."""
    key = f"{zlib.crc32(json.dumps([weights, methods, RECIPES, draws]).encode()):08x}"
    path = None if keep is None else keep / f"unseen-{name}-{key}.json"
    if path is not None and path.exists():
        return json.loads(path.read_text())
    weights = weights_of(weights)
    rows = [row for recipe in RECIPES for draw in range(draws) for row in judge(name, recipe, draw, weights, methods)]
    log = read_once(name)
    synonyms = natural_synonyms(log)
    if synonyms is not None:
        for method in (OURS, BEFORE, *methods):
            if method == OURS:
                same = same_step(log)
                no_text = np.zeros_like(same.texts)
                same = dataclasses.replace(same, weights=weights, texts=no_text, families=(), opposites=frozenset())
                scores = same.log_odds
            else:
                grouper = GROUPERS.make(method) if method in GROUPERS.names() else MethodGrouper(make_method(method))
                scores = grouper.fit(log).scores_
            if scores is not None:
                found = synonym_scores(np.asarray(scores), synonyms)
                rows.append({"log": name, "recipe": "natural", "draw": 0, "method": method, "nn": found.nn, "mrr": found.mrr})
    if path is not None:
        path.write_text(json.dumps(rows))
    return rows


def mean(rows, figure):
    """The mean of a figure over logs (of the means of each log), its interval over logs, and the mean over families."""
    by_log = {}
    for row in rows:
        if row.get(figure) is not None and not np.isnan(row[figure]):
            by_log.setdefault(row["log"], []).append(row[figure])
    logs = {log: float(np.mean(values)) for log, values in by_log.items()}
    families = [np.mean([value for log, value in logs.items() if family(log) == one]) for one in {family(log) for log in logs}]
    low, high = bootstrap_interval(np.array(list(logs.values())), 10_000)
    return float(np.mean(list(logs.values()))), low, high, float(np.mean(families))


def cell(rows, figure):
    if not any(row.get(figure) is not None for row in rows):
        return "-"
    value, low, high, families = mean(rows, figure)
    interval = "" if low is None else f" ({low:.3f} to {high:.3f})"
    return f"{value:.3f}{interval}, families {families:.3f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="*")
    parser.add_argument("--methods", nargs="*", default=METHODS)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    if arguments.keep is not None:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    cells, _ = collect(arguments.keep)
    fits = leave_families_out(Basis(list(KNOTS)), cells)
    names = arguments.logs or sorted({one["name"] for one in cells if not one["name"].startswith("noise")})
    tasks = (
        delayed(judge_log)(
            name,
            fits[family(name)].weights([one for one in cells if family(one["name"]) != family(name)]),
            arguments.methods,
            arguments.draws,
            arguments.keep,
        )
        for name in names
    )
    rows = [row for part in Parallel(n_jobs=arguments.jobs)(tasks) for row in part]
    methods = [OURS, BEFORE, *arguments.methods]
    print("\nNearest neighbour right\n\n| method | " + " | ".join(WAYS) + " | natural NN | natural MRR |\n" + "|---" * 7 + "|")
    for method in methods:
        mine = [row for row in rows if row["method"] == method]
        columns = [cell([row for row in mine if row["recipe"].startswith(f"syn-{way}")], "nn") for way in WAYS]
        natural = [row for row in mine if row["recipe"] == "natural"]
        print(f"| {method} | " + " | ".join([*columns, cell(natural, "nn"), cell(natural, "mrr")]) + " |")
    figures = ("whole", "exact", "other_labels", "accepted_labels")
    print("\nWhole groups, and the share of labels in other proposals\n\n| method | " + " | ".join(GROUPS), end="")
    print(" | by period | exact, all | labels in other proposals | of these accepted |\n" + "|---" * 8 + "|")
    for method in methods:
        mine = [row for row in rows if row["method"] == method and row["recipe"] != "natural"]
        columns = [cell([row for row in mine if row["recipe"] in recipes], figures[0]) for recipes in GROUPS.values()]
        columns.append(cell([row for row in mine if row["recipe"].startswith("syn-period")], figures[0]))
        print(f"| {method} | " + " | ".join([*columns, *(cell(mine, figure) for figure in figures[1:])]) + " |")
    calibration([row for row in rows if row["method"] == OURS and "p" in row])


def calibration(rows):
    """Ten bins of equal count over all pairs with a planted name, and what is said above one half."""
    p = np.concatenate([np.array(row["p"]) for row in rows])
    n = np.concatenate([np.array(row["n"]) for row in rows])
    y = np.concatenate([np.array(row["y"]) for row in rows])
    order = np.argsort(p, kind="stable")
    bins = np.minimum(10 * np.cumsum(n[order]) / n.sum(), 9.999).astype(int)
    error = 0.0
    for number in range(10):
        inside = order[bins == number]
        error += abs((p[inside] @ n[inside]) - y[inside].sum()) / n.sum()
    print(f"\nCalibration: {int(n.sum()):,} pairs with a planted name, ECE {error:.4f}\n\n| said | true | pairs |\n|---|---|---|")
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01)):
        inside = (p >= low) & (p < high)
        if n[inside].sum():
            said, true = (p[inside] @ n[inside]) / n[inside].sum(), y[inside].sum() / n[inside].sum()
            print(f"| {said:.3f} | {true:.3f} | {int(n[inside].sum()):,} |")


if __name__ == "__main__":
    main()
