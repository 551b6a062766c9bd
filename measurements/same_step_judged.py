"""What the probability of one step is worth on pairs that a person judged (judged_pairs.csv), and how its base rate is fitted.

    python measurements/same_step_judged.py --keep FOLDER            # the folder of fit_same_step.py --keep; a minute if it is there
    python measurements/same_step_judged.py --keep FOLDER --write    # fit on all judged pairs, and write the weights that ship

Behaviour is fitted on planted logs of other families (fit_same_step.py). The base rate of synonyms among interchangeable pairs, and
the points of periods, unlike words, naming schemes and tokens, are fitted on the judged pairs of other families by maximum likelihood with a normal prior
around what was chosen beforehand (CHOSEN). All synonyms are BPIC15's, so a log of BPIC15 is judged by the pairs of all other logs,
its three sisters among them: these figures are of unseen logs, not of an unseen family. Texts, second names, opposites and patterns are
not fitted. The second names of BPIC15 are hidden.
"""

import argparse
import dataclasses
import json
from pathlib import Path

import numpy as np
from fit_same_step import KNOTS, LOGS, WEIGHTS, Basis, collect, family, leave_families_out
from judged_pairs import logs_without_synonyms
from judged_pairs import read as read_judged
from scipy.optimize import minimize

from actalike import datasets, group, read_log, same_step
from actalike.benchmark.tasks.known_labels import natural_synonyms, synonym_scores
from actalike.labels.evidence import StepWeights, shipped_weights
from actalike.methods import make_method
from actalike.support.weights import Points, Weights, probability_of, read_weights, written_weights

ODDS = (-4.0, -2.0, 0.0, 2.0, 10.0)  # of being interchangeable, between which the base rate is linear; below, it falls with them
CHOSEN = {"base rate": (-6.5, -3.5, -2.2, -1.6, -0.7), "periods": -0.7, "words": -1.0, "scheme": -3.0, "tokens": -3.0}
FLAGS = tuple(CHOSEN)[1:]
MOST = 4.0  # that separate periods or people may weigh: -ln of how often unrelated labels have them, plus what is fitted
AT_MOST = {"words": 0.0, "scheme": 0.0, "tokens": -2.5}  # so that separate periods are no proof if a token tells labels apart
PRIOR_VARIANCE = 1.0
ENOUGH_CASES = 20
ASKED = 0.1  # probabilities from here on are what is calibrated
RIVALS = ("positional-hellinger-w5", "kin-w5", "ac-sequence-raw-w3", "aa-sequence-pmi-w3")


def design(odds, flags):
    """The parts of the log-odds that are fitted: a hat for each knot of the base rate, and the flags; and what is fixed."""
    below = np.minimum(np.asarray(odds) - ODDS[0], 0.0)
    inside = np.clip(odds, ODDS[0], ODDS[-1])
    hats = np.stack([np.interp(inside, ODDS, np.eye(len(ODDS))[k]) for k in range(len(ODDS))], axis=-1)
    return np.hstack([hats, np.asarray(flags, dtype=np.float64)]), below


def fit_base_rate(pairs):
    """The base rate at its knots, then the points of periods and of a naming scheme."""
    x, fixed = design([one["odds"] for one in pairs], [one["flags"] for one in pairs])
    fixed = fixed + np.array([one["fixed"] for one in pairs])
    y = np.array([one["verdict"] == "synonyms" for one in pairs], dtype=np.float64)
    chosen = np.array([*CHOSEN["base rate"], *(CHOSEN[kind] for kind in FLAGS)])

    def loss(theta):
        log_odds = x @ theta + fixed
        error = probability_of(log_odds) - y
        away = (theta - chosen) / PRIOR_VARIANCE
        value = np.logaddexp(0, log_odds).sum() - y @ log_odds + 0.5 * away @ (theta - chosen)
        return value, x.T @ error + away

    bounds = [(None, -0.3)] * len(ODDS) + [(None, AT_MOST.get(kind)) for kind in FLAGS]
    theta = minimize(loss, chosen, jac=True, method="L-BFGS-B", bounds=bounds).x
    rising = np.maximum.accumulate(theta[: len(ODDS)]) + 0.02 * np.arange(1 - len(ODDS), 1)  # strictly, so that ranks stay
    return np.concatenate([rising, theta[len(ODDS) :]]).round(3)


def same_step_weights(theta):
    """The weights of *same step* with what was fitted in its place; people count as periods do."""
    pieces = dict(shipped_weights().same_step.pieces)
    base_rate, fitted = theta[: len(ODDS)].tolist(), dict(zip(FLAGS, theta[len(ODDS) :].tolist(), strict=True))
    first, last = base_rate[0], base_rate[-1]
    pieces["interchangeable"] = Points((-40.0, *ODDS, 40.0), (round(first - 36, 3), *base_rate, round(last + 0.05, 3)))
    pieces["periods"] = pieces["people"] = Points((0.0, MOST), (fitted["periods"], round(MOST + fitted["periods"], 3)))
    pieces["scheme"] = Points((2.0, 3.0), (0.0, fitted["scheme"]))
    pieces |= {kind: Points((0.0, 1.0), (0.0, fitted[kind])) for kind in ("words", "tokens")}
    return Weights(0.0, pieces)


def compared(name, path, behaviour):
    """A log compared with the behaviour weights of other families, and its judged pairs with what is fitted of them."""
    log = read_log(path, attributes="people" if family(name) != "BPIC15" else ["activityNameEN", "org:resource"])
    weights = StepWeights(behaviour["interchangeable"], behaviour["too rare"], shipped_weights().same_step)
    same = dataclasses.replace(same_step(log), weights=weights)
    place = {label: i for i, label in enumerate(log.activities)}
    pairs = []
    for pair in read_judged():
        if pair.log != name or pair.verdict == "unclear":
            continue
        i, j = sorted((place[pair.a], place[pair.b]))
        asked = same._asked.get((i, j), {})
        surprises = [min(asked[kind], MOST) for kind in ("periods", "people") if kind in asked]
        flags = [len(surprises), *(kind in asked for kind in FLAGS[1:])]
        kinds = {reason.kind: reason.log_odds for reason in same.reasons([(i, j)])}
        fixed = sum(surprises) + sum(kinds.get(kind, 0.0) for kind in ("text", "name", "names", "opposites", "pattern"))
        odds = float(same.log_odds_interchangeable[i, j])
        pairs.append({"log": name, "at": (i, j), "verdict": pair.verdict, "odds": odds, "flags": flags, "fixed": fixed})
    return same, pairs


def calibration_error(p, y, width=0.1):
    """The mean distance between probabilities and shares of right pairs, in bins of equal width."""
    number = np.minimum((p / width).astype(int), round(1 / width) - 1)
    return sum(abs((p - y)[number == b].sum()) for b in np.unique(number)) / max(len(p), 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--keep", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    cells, _ = collect(arguments.keep)
    fits = leave_families_out(Basis(list(KNOTS)), cells)
    logs = {}
    for name, path in sorted(datasets.find(LOGS).items()):
        others = [cell for cell in cells if family(cell["name"]) != family(name)]
        logs[name] = compared(name, path, fits[family(name)].weights(others))
    judged = [pair for _, pairs in logs.values() for pair in pairs]

    probabilities, right, claims, accepted = [], [], [], []
    for name, (same, pairs) in logs.items():
        left_out = {name} if family(name) == "BPIC15" else {other for other in logs if family(other) == family(name)}
        theta = fit_base_rate([pair for pair in judged if pair["log"] not in left_out])
        weights = same.weights._replace(same_step=same_step_weights(theta))
        logs[name] = same, pairs = dataclasses.replace(same, weights=weights), pairs
        stated = same.probabilities()
        probabilities += [stated[pair["at"]] for pair in pairs]
        right += [pair["verdict"] == "synonyms" for pair in pairs]
        verdict_of = {frozenset(same.activities[i] for i in pair["at"]): pair["verdict"] for pair in pairs}
        for one in group(same.log, same=same):
            if one.relation == "synonyms":
                accepted += [(name, sorted((w.a, w.b)), verdict_of.get(frozenset((w.a, w.b)))) for w in one.witnesses]
        if name in logs_without_synonyms():
            frequent = same.log.activity_cases >= ENOUGH_CASES
            both = np.triu(stated, 1)
            claims.append((name, both[np.ix_(frequent, frequent)].sum(), both.sum()))

    print("Claimed synonyms in logs without any (labels in 20 cases or more; all labels)")
    for name, of_frequent, of_all in claims:
        print(f"  {name:28} {of_frequent:6.2f} {of_all:6.2f}")
    print(f"  mean of {len(claims)} logs: {np.mean([c[1] for c in claims]):.3f} {np.mean([c[2] for c in claims]):.3f}\n")

    p, y = np.array(probabilities), np.array(right, dtype=np.float64)
    asked = p >= ASKED
    loss = -np.mean(y * np.log(p) + (1 - y) * np.log1p(-p))
    print(f"Judged pairs: {len(p)}, synonyms {y.sum():.0f}; with p >= {ASKED}: {asked.sum()}, synonyms {y[asked].sum():.0f}")
    print(
        f"  ECE {calibration_error(p[asked], y[asked]):.3f} (p >= {ASKED}), {calibration_error(p, y):.3f} (all); log loss {loss:.3f}"
    )
    rate = y.mean()
    print(f"  log loss of the share of synonyms alone {-(rate * np.log(rate) + (1 - rate) * np.log1p(-rate)):.3f}")
    for low in np.arange(0, 1, 0.1):
        inside = (p >= low) & (p < low + 0.1 + 1e-9 * (low > 0.85))
        if inside.any():
            print(f"  said {p[inside].mean():.2f}, true {y[inside].mean():.2f} ({inside.sum()} pairs)")
    known = [verdict for *_, verdict in accepted if verdict is not None]
    n_right = sum(verdict == "synonyms" for verdict in known)
    print(f"\nAccepted by group (p >= 0.5): {len(accepted)} linked pairs, {len(known)} of them judged, right {n_right}")
    print(f"  wrong: {[one for one in accepted if one[2] not in (None, 'synonyms')]}\n")

    print("Natural synonyms of BPIC15, second names hidden: nearest neighbour, and among labels that share few cases")
    found = [(logs[name][0], natural_synonyms(logs[name][0].log)) for name in logs if family(name) == "BPIC15"]
    rows = {"same_step": [synonym_scores(same.log_odds, synonyms) for same, synonyms in found]}
    for method in RIVALS:
        rows[method] = [
            synonym_scores(1 - make_method(method).fit(same.log).embedding_.distances(), synonyms) for same, synonyms in found
        ]
    for method, scores in rows.items():
        print(f"  {method:26} {np.mean([s.nn for s in scores]):.3f} {np.mean([s.nn_apart for s in scores]):.3f}")

    if arguments.write:
        theta = fit_base_rate(judged)
        stored = read_weights(WEIGHTS.read_bytes(), {})
        about = {key: value for key, value in json.loads(WEIGHTS.read_text("utf-8")).items() if key != "functions"}
        WEIGHTS.write_text(written_weights(about, {**stored, "same step": same_step_weights(theta)}), encoding="utf-8")
        print(f"written: base rate {theta[: len(ODDS)]}, {dict(zip(FLAGS, theta[len(ODDS) :].tolist(), strict=True))}")


if __name__ == "__main__":
    main()
