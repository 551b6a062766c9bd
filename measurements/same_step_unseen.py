"""What same_step and group are worth on families of logs that their weights were not fitted to, beside methods and baselines.

The recipes are those of `actalike benchmark labels` (docs/evaluation/labels.md): an activity is split into 2, 3 or 4 names,
evenly or unevenly, by case, event, period or resource; all labels are codes. For each family (all logs of one challenge) the
weights are fitted on all other families (fit_same_step.py). Means are over logs; intervals are 95 % bootstrap intervals over
logs. evaluate.py runs it.
"""

import dataclasses
import json
import zlib

import numpy as np
from fit_same_step import KNOTS, LOGS, Basis, collect, family, leave_families_out, read
from joblib import Parallel, delayed
from results import kept

from actalike import group, same_step
from actalike.benchmark.scoring import bootstrap_interval
from actalike.benchmark.tasks.groupers import GROUPERS, MethodGrouper
from actalike.benchmark.tasks.known_labels import natural_synonyms, synonym_scores
from actalike.benchmark.tasks.label_scores import group_scores, partner_mask, ranking_scores, tally_pairs
from actalike.benchmark.tasks.planted_labels import plant
from actalike.counting import count_windows
from actalike.errors import ActalikeError
from actalike.labels.evidence import StepWeights, shipped_weights
from actalike.methods import make_method
from actalike.support.weights import Points, Weights

METHODS = ["kin-w5", "kin2-w5", "ac-sequence-raw-w3", "ac-sequence-pmi-w3", "ac-sequence-raw-w5", "ac-sequence-pmi-w5"]
METHODS += ["aa-sequence-pmi-w3", "positional-hellinger-w3", "positional-hellinger-w5", "substitution-w3"]
METHODS += ["praeclarus", "swiftmend"]
WAYS = ("case", "period", "event", "resource")
RECIPES = [f"syn-{way}-{names}{end}" for way in WAYS[:3] for names in (2, 3, 4) for end in ("", "-uneven")]
RECIPES += ["syn-resource-2", "syn-resource-3"]
GROUPS = {  # as version 0.1 was measured: splits by case and by event
    "2-way": ("syn-case-2", "syn-event-2"),
    "4-way, even": ("syn-case-4", "syn-event-4"),
    "4-way, uneven": ("syn-case-4-uneven", "syn-event-4-uneven"),
}
OURS, BEFORE = "same-step", "contrast"  # contrast is the rule of 0.1, with kin-w5
DRAWS = 2


def weights_of(stored):
    """The weights of behaviour that were fitted on other families; those of all other evidence, which codes do not have, as shipped."""
    behaviour, too_rare = (
        Weights(
            stored[name]["base"],
            {figure: Points(tuple(one["at"]), tuple(one["points"])) for figure, one in stored[name]["pieces"].items()},
        )
        for name in ("interchangeable", "too rare")
    )
    return StepWeights(behaviour, too_rare, shipped_weights().same_step)


def _stored(weights):
    return {name: one.to_dict() for name, one in weights.items()}


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
            scores = same.log_odds_interchangeable  # what was planted among codes: one step, but nothing says so
            tally = tally_pairs(same.interchangeabilities(), partners)
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


def judge_log(name, weights, methods, draws):
    """All recipes and draws of one log, and its natural synonyms."""
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
                scores = same.log_odds_interchangeable  # what was planted among codes: one step, but nothing says so
            else:
                grouper = GROUPERS.make(method) if method in GROUPERS.names() else MethodGrouper(make_method(method))
                scores = grouper.fit(log).scores_
            if scores is not None:
                found = synonym_scores(np.asarray(scores), synonyms)._asdict()
                rows.append({"log": name, "recipe": "natural", "draw": 0, "method": method, **found})
    return rows


def keep_judged(keep, name, weights, methods, draws):
    """Judge a log, unless that is kept in the folder already."""
    key = f"{zlib.crc32(json.dumps([weights, methods, RECIPES, draws]).encode()):08x}"
    return kept(keep / f"unseen-{name}-{key}.json", lambda: judge_log(name, weights, methods, draws))


def tables(keep, trial=()):
    """Yield the names of tables, and their rows; what is measured is kept in a folder."""
    keep.mkdir(parents=True, exist_ok=True)
    cells, _ = collect(keep)
    fits = leave_families_out(Basis(list(KNOTS)), cells)
    methods = METHODS[:1] if trial else METHODS
    tasks = []
    for name in trial or sorted({one["name"] for one in cells if not one["name"].startswith("noise")}):
        others = [one for one in cells if family(one["name"]) != family(name)]
        tasks.append(
            delayed(keep_judged)(keep, name, _stored(fits[family(name)].weights(others)), methods, 1 if trial else DRAWS)
        )
    rows = [row for part in Parallel(n_jobs=-1)(tasks) for row in part]
    yield "same-step-nearest", list(nearest_rows(rows, methods))
    yield "same-step-groups", list(group_rows(rows, methods))
    yield "same-step-calibration", list(calibration([row for row in rows if row["method"] == OURS and "p" in row]))


def cell(rows, figure):
    """The mean of a figure over logs (of the means of each log), and its interval over logs."""
    by_log = {}
    for row in rows:
        if row.get(figure) is not None and not np.isnan(row[figure]):
            by_log.setdefault(row["log"], []).append(row[figure])
    if not by_log:
        return "-"
    values = np.array([np.mean(values) for values in by_log.values()])
    low, high = bootstrap_interval(values, 10_000)
    return f"{values.mean():.3f}" + ("" if low is None else f" ({low:.3f} to {high:.3f})")


def nearest_rows(rows, methods):
    """Apart: natural synonyms share few cases by definition, and only same_step counts these; so everybody is given that filter."""
    yield ["nearest neighbour right", *WAYS, "natural NN", "MRR", "natural NN, apart", "MRR, apart"]
    for method in (OURS, *methods):
        mine = [row for row in rows if row["method"] == method]
        columns = [cell([row for row in mine if row["recipe"].startswith(f"syn-{way}")], "nn") for way in WAYS]
        natural = [row for row in mine if row["recipe"] == "natural"]
        columns += [cell(natural, figure) for figure in ("nn", "mrr", "nn_apart", "mrr_apart")]
        yield ["**same_step**" if method == OURS else method, *columns]


def group_rows(rows, methods):
    names = {OURS: "**group**", BEFORE: "the rule of 0.1 (kin-w5)"}
    names |= {method: method for method in methods if method not in ("kin-w5", "substitution-w3")}
    yield ["whole groups", *GROUPS, "by period", "exact, all", "labels in other proposals", "of these accepted"]
    for method, shown in names.items():
        mine = [row for row in rows if row["method"] == method and row["recipe"] != "natural"]
        columns = [cell([row for row in mine if row["recipe"] in recipes], "whole") for recipes in GROUPS.values()]
        columns.append(cell([row for row in mine if row["recipe"].startswith("syn-period")], "whole"))
        yield [shown, *columns, *(cell(mine, figure) for figure in ("exact", "other_labels", "accepted_labels"))]


def calibration(rows):
    """What was said, and what is true, of all pairs with a planted name."""
    p, n, y = (np.concatenate([np.array(row[key]) for row in rows]) for key in "pny")
    yield ["said", "true", "pairs"]
    for low, high in ((0, 0.1), (0.1, 0.3), (0.3, 0.5), (0.5, 0.7), (0.7, 0.85), (0.85, 0.95), (0.95, 1.01)):
        inside = (p >= low) & (p < high)
        if n[inside].sum():
            said, true = (p[inside] @ n[inside]) / n[inside].sum(), y[inside].sum() / n[inside].sum()
            yield [f"{said:.3f}", f"{true:.3f}", f"{int(n[inside].sum()):,}"]
