"""Fit the probabilities of matching, and show what they are worth on families of logs that they were not fitted to.

    python measurements/fit_matching.py            # leave one family of logs out at a time, print tables; about 6 minutes
    python measurements/fit_matching.py --store    # the same, and store the tables
    python measurements/fit_matching.py --write    # fit on all logs, and write the weights; about 2 minutes

Needs a folder of the paper's logs (ACTALIKE_LOGS). The problems are those of `actalike benchmark matching`: logs of BPIC15 and of
BPIC20, halves by time, halves by cases with and without deleted labels. Beside these there are two parts of each log with few
cases, random processes, and pairs of logs of two families: in the latter nothing has a partner. The log-odds are linear in the figures of two_logs/partners.py, and fitted by maximum
likelihood with a ridge.
"""

import argparse
import os
from itertools import combinations, pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import results
from scipy.optimize import minimize

from actalike import EventLog, __version__
from actalike.benchmark.logs import find_logs
from actalike.benchmark.results import log_family
from actalike.benchmark.tasks.matching_problems import (
    ENOUGH_CASES,
    FEWEST,
    NamedLog,
    Problem,
    find_pairs,
    halves_by_cases,
    make_problem,
    same_labels,
)
from actalike.log import cases_of
from actalike.support.weights import Points, Weights, probability_of, written_weights
from actalike.two_logs.cross_kin import agreements, cross_kin
from actalike.two_logs.partners import find_candidates, normalised, pair_probabilities, partner_figures

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
WEIGHTS = Path(__file__).parents[1] / "src" / "actalike" / "two_logs" / "partner_weights.json"
TASKS = {"cases": [("known-0", 2), ("deleted-10", 2), ("deleted-30", 1)]}
TASKS_OF_OTHERS = [("known-0", 1), ("known-10", 1)]
UNIT = (0.0, 1.0)
CLOSENESS = (-2.0, -1.0, 0.0, 2.6)
SHARES = (-4.6, 0.0, 4.6)
CASES = (-2.5, 0.0, 2.51)
PAIR_KNOTS = {  # the figures between which points are linear, and whether points rise (1), fall (-1) or are free (0)
    "agreement": (1, CLOSENESS),
    "log_agreement": (1, CLOSENESS),
    "cases": (1, CASES),
    "lead": (1, (-2.0, 0.0, 0.5, 1.0, 2.0)),
    "profile": (1, (-4.0, -1.0, 0.0)),
    "frequency": (1, (-6.0, -2.0, 0.0)),
    "share": (1, SHARES),
    "assigned": (1, UNIT),
    "seconded": (1, UNIT),
    "all_seconded": (1, (0.0, 0.5, 1.0)),
    "log_cases": (0, (-2.5, -1.0, 0.0, 1.0, 2.51)),
    "labels": (0, (0.0, 3.0, 6.2)),
}
PARTNER_KNOTS = {
    "best": (1, SHARES),
    "sum": (1, SHARES),
    "cases": (0, CASES),
    "agreement": (1, CLOSENESS),
    "surplus": (-1, (-0.5, 0.0, 0.5)),
}
CLEAR = 0.7  # the share from which on an assigned pair is fitted; with less, it is limited by that share
NAMES_OF_ONE = 3  # of a label with alternatives
TINY = (1, 3, 10, 30)  # cases of each of two small parts of a log
SHIFT, KEPT_WHOLE = 1.0, 0.7  # of log-odds of a case for each of its labels; the share of cases that are surely kept
MADE_UP = (4, 6, 9, 14, 25)  # labels of two random processes that have nothing in common
RIDGE = 1e-3
STATED = 0.5


class Case(NamedTuple):
    """Hold a problem, its kind and families, and what is computed once: kin, candidates, and which of them are right."""

    kind: str
    families: frozenset
    kin: object
    candidates: object
    known: np.ndarray
    agreement: np.ndarray
    is_right: np.ndarray
    has_partner: tuple

    def probabilities(self, weights):
        """The probability of each pair by some weights, as the product states it."""
        return normalised(pair_probabilities(self.candidates, weights), self.candidates, self.kin, self.known)

    def partner_figures(self, weights, side):
        """The figures of each label of a side, with probabilities by some weights."""
        return partner_figures(self.kin, self.probabilities(weights), self.agreement, side)


def measure(kind, families, problem):
    """Match a problem, and keep what the fit needs."""
    place_a, place_b = ({label: i for i, label in enumerate(log.activities)} for log in (problem.log_a, problem.log_b))
    known = np.array([(place_a[a], place_b[b]) for a, b in problem.known.items()], dtype=np.int64).reshape(-1, 2)
    kin = cross_kin(problem.log_a.variants, problem.log_b.variants, known)
    true = np.zeros(kin.rounds.scores.shape, dtype=bool)
    for a, b in problem.true:
        true[place_a[a], place_b[b]] = True
    agreement = agreements(kin.uses_a, kin.uses_b, kin.rounds.assigned)
    candidates = find_candidates(kin, agreement, known)
    is_asked = ~(np.isin(candidates.rows, known[:, 0]) | np.isin(candidates.columns, known[:, 1]))
    is_right = np.where(is_asked, true[candidates.rows, candidates.columns], -1)
    return Case(kind, frozenset(families), kin, candidates, known, agreement, is_right, (true.any(axis=1), true.any(axis=0)))


def tiny_problem(log, size):
    """Two parts of a log with so many cases each; None if it has too few."""
    if log.n_cases < 2 * size:
        return None
    chosen = np.random.default_rng(size).permutation(log.n_cases)[: 2 * size]
    parts = []
    for half in (chosen[:size], chosen[size:]):
        is_chosen = np.zeros(log.n_cases, dtype=bool)
        is_chosen[half] = True
        parts.append(cases_of(log, is_chosen))
    if not all(part.n_events for part in parts):
        return None
    return Problem(*parts, {}, same_labels(parts[0].activities, parts[1].activities))


def reweighted_problem(log, seed):
    """Two halves by cases; in the second, choices are taken in other shares."""
    first, second = halves_by_cases(log, seed)
    chance = np.random.default_rng(seed)
    of_label = chance.normal(0, SHIFT, len(second.activities))
    case = np.repeat(np.arange(second.n_cases), second.lengths)
    has = np.zeros((second.n_cases, len(second.activities)), dtype=bool)
    has[case, second.codes] = True
    shift = has @ of_label
    kept = chance.random(second.n_cases) < np.exp(np.minimum(shift - np.quantile(shift, KEPT_WHOLE), 0))
    if not second.lengths[kept].any():
        return None
    second = cases_of(second, kept)
    return Problem(first, second, {}, same_labels(first.activities, second.activities))


def alternatives_problem(log, seed):
    """Two halves by cases; some labels of both have three names each, which say nothing, in shares that differ between the halves."""
    chance = np.random.default_rng(seed)
    frequent = np.argsort(-log.activity_cases, kind="stable")[: max(len(log.activities) // 3, 1)]
    chosen = chance.choice(frequent, max(len(log.activities) // 8, 1), replace=False)
    halves = []
    for half in halves_by_cases(log, seed):
        codes, labels = half.codes.copy(), list(half.activities)
        for code in chosen.tolist():
            shares = chance.dirichlet(np.full(NAMES_OF_ONE, 3.0))
            of_case = np.repeat(chance.choice(NAMES_OF_ONE, half.n_cases, p=shares), half.lengths)
            is_it = (
                half.codes == half.activities.index(log.activities[code])
                if log.activities[code] in half.activities
                else codes < 0
            )
            for number in range(1, NAMES_OF_ONE):
                codes[is_it & (of_case == number)] = len(labels)
                labels.append(f"{log.activities[code]} ({number + 1})")
        halves.append(EventLog(labels, codes, half.offsets, half.case_ids))
    return Problem(*halves, {}, same_labels(halves[0].activities, halves[1].activities))


def random_process(labels, seed):
    """A log of 300 cases of a random Markov chain: each label has a few followers, and may end the case."""
    chance = np.random.default_rng([labels, seed])
    follows = chance.dirichlet(np.full(labels + 1, 0.3), labels + 1)  # the last one is the start, and the end
    traces = []
    for _ in range(300):
        trace, now = [], labels
        while len(trace) < 40:
            now = int(chance.choice(labels + 1, p=follows[now]))
            if now == labels and trace:
                break
            if now < labels:
                trace.append(f"{now}")
        traces.append(trace)
    return EventLog.from_traces(traces)


def all_cases():
    """Measure all problems."""
    files = find_logs([LOGS], lambda entry: True)
    logs = {name: NamedLog.of_file(files, name) for name in files.names}
    cases = []
    for pair in find_pairs(logs):
        for task, draws in TASKS.get(pair.kind, TASKS_OF_OTHERS):
            for draw in range(draws):
                kind = task if task.startswith("deleted") else pair.kind
                cases.append(measure(kind, [pair.family], make_problem(pair, task, draw=draw)))
    for name, one in logs.items():
        for seed in range(2) if len(one.log.activities) >= FEWEST else ():
            if problem := reweighted_problem(one.log, seed):
                cases.append(measure("reweighted", [log_family(name)], problem))
            cases.append(measure("alternatives", [log_family(name)], alternatives_problem(one.log, seed)))
        for size in TINY:
            if problem := tiny_problem(one.log, size):
                cases.append(measure("few cases", [log_family(name)], problem))
    for size in MADE_UP:
        for seed in range(8):
            logs_of_size = [random_process(size, 100 * seed + side) for side in (1, 2)]
            cases.append(measure("made up", ["made up"], Problem(*logs_of_size, {}, ())))
    for (name_a, a), (name_b, b) in list(combinations(logs.items(), 2))[::3]:
        if (families := {log_family(name_a), log_family(name_b)}) and len(families) == 2:
            cases.append(measure("unrelated", families, Problem(a.log, b.log, {}, ())))
    return cases


class Basis:
    """Turn figures into the lengths of the pieces between knots that they cover: their sum with weights is piecewise linear."""

    def __init__(self, knots):
        self.knots = knots
        limits = {1: (0, None), -1: (None, 0), 0: (None, None)}
        self.bounds = [limits[way] for way, at in knots.values() for _ in at[1:]]

    def of(self, figures):
        columns = [np.clip(figures[name], low, high) - low for name, (_, at) in self.knots.items() for low, high in pairwise(at)]
        return np.column_stack(columns)

    def weights(self, slopes, base):
        """The points of each figure, 0 at its first knot."""
        pieces, place = {}, 0
        for name, (_, at) in self.knots.items():
            steps = slopes[place : place + len(at) - 1] * np.diff(at)
            place += len(at) - 1
            pieces[name] = Points(at, tuple(np.round(np.cumsum([0.0, *steps]), 4).tolist()))
        return Weights(round(float(base), 4), pieces)


def fit(basis, figures, is_right, weights):
    """The weights with the greatest likelihood."""
    x = basis.of(figures)
    scale = x.std(axis=0) + 1e-3
    x = np.asfortranarray(np.column_stack([np.ones(len(x)), x / scale]))
    weights = weights / weights.sum()

    def loss(w):
        log_odds = x @ w
        value = weights @ (np.logaddexp(0, log_odds) - is_right * log_odds) + RIDGE * (w[1:] @ w[1:])
        gradient = x.T @ (weights * (probability_of(log_odds) - is_right))
        gradient[1:] += 2 * RIDGE * w[1:]
        return value, gradient

    bounds = [(None, None), *basis.bounds]
    found = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": 150}).x
    return basis.weights(found[1:] / scale, found[0])


def joined(figures):
    """Figures of several problems, by name."""
    return {name: np.concatenate([one[name] for one in figures]) for name in figures[0]}


def weights_of(size):
    """The weights of the pairs or labels of a problem: all together count by the root of their number."""
    return np.full(size, max(size, 1) ** -0.5)


def train(cases):
    """Fit both functions."""
    asked = [
        (case.is_right >= 0) & ~((case.candidates.figures["assigned"] > 0) & (case.candidates.shares < CLEAR)) for case in cases
    ]
    figures = joined([{k: v[of] for k, v in case.candidates.figures.items()} for case, of in zip(cases, asked, strict=True)])
    right = np.concatenate([case.is_right[of] for case, of in zip(cases, asked, strict=True)])
    pair = fit(Basis(PAIR_KNOTS), figures, right, np.concatenate([weights_of(of.sum()) for of in asked]))
    parts, has, counts = [], [], []
    for case in cases:
        for side in (0, 1):
            is_asked = np.ones(len(case.has_partner[side]), dtype=bool)
            is_asked[case.known[:, side]] = False
            parts.append({k: v[is_asked] for k, v in case.partner_figures(pair, side).items()})
            has.append(case.has_partner[side][is_asked])
            counts.append(weights_of(is_asked.sum()))
    return pair, fit(Basis(PARTNER_KNOTS), joined(parts), np.concatenate(has), np.concatenate(counts))


def judge(case, pair, partner):
    """Return the probabilities of the proposed pairs, whether they are right, and a tally of answers "no partner".

    Proposed is what the product proposes: assigned pairs that are more likely than not. A label without a pair is said to have no
    partner if that is more likely than not.
    """
    candidates = case.candidates
    pairs = case.probabilities(pair)
    probability = pairs[candidates.rows, candidates.columns]
    is_proposed = (case.is_right >= 0) & (probability > STATED)
    tally = np.zeros(3)
    for side, own in ((0, candidates.rows), (1, candidates.columns)):
        none = 1 - probability_of(partner.log_odds(case.partner_figures(pair, side)))
        none = np.minimum(none, 1 - pairs.sum(axis=1 - side))
        said = none > STATED
        said[own[is_proposed]] = False
        said[case.known[:, side]] = False
        alone = ~case.has_partner[side]
        tally += [(said & alone).sum(), said.sum(), alone.sum()]
    return probability[is_proposed], case.is_right[is_proposed], tally


def calibration_error(probability, is_right, bins=10):
    """The mean distance between stated probabilities and shares of right answers, in bins of equal width."""
    number = np.minimum((probability * bins).astype(int), bins - 1)
    return sum(abs((probability - is_right)[number == b].sum()) for b in range(bins)) / max(len(number), 1)


def table(answers):
    """Yield the rows of a table by kind."""
    yield ["kind", "pairs", "right", "mean probability", "ECE", "no partner: precision", "recall"]
    for kind in sorted({kind for kind, *_ in answers}):
        of_kind = [answer for answer in answers if answer[0] == kind]
        p, y = (np.concatenate([answer[i] for answer in of_kind]) for i in (1, 2))
        right, said, alone = sum(answer[3] for answer in of_kind)
        figures = [len(p), y.mean() if len(p) else 0, p.mean() if len(p) else 0, calibration_error(p, y)]
        figures += [right / max(said, 1), right / max(alone, 1)]
        yield [kind, f"{figures[0]:,}", *(f"{figure:.3f}" for figure in figures[1:])]


def none_of(case, pair, partner):
    """The probability of each label in five cases or more that it has no partner, 0 if a pair of it is proposed; and whether it has none."""
    pairs = case.probabilities(pair)
    for side, uses in ((0, case.kin.uses_a), (1, case.kin.uses_b)):
        none = 1 - probability_of(partner.log_odds(case.partner_figures(pair, side)))
        none = np.minimum(none, 1 - pairs.sum(axis=1 - side))
        none[pairs.max(axis=1 - side) > STATED] = 0.0
        is_asked = uses.cases >= ENOUGH_CASES
        is_asked[case.known[:, side]] = False
        yield none[is_asked], ~case.has_partner[side][is_asked]


def reliability(probability, is_right, bounds=(0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1.01)):
    """Yield the rows of a table: what is said, and how much of it is right."""
    yield ["probability", "pairs", "mean", "right"]
    for low, high in pairwise(bounds):
        inside = (probability >= low) & (probability < high)
        shown = (f"{probability[inside].mean():.3f}", f"{is_right[inside].mean():.3f}") if inside.any() else ("", "")
        yield [f"{low:.2f} to {min(high, 1):.2f}", f"{inside.sum():,}", *shown]


def none_table(probability, is_alone):
    """Yield the rows of a table: how precise "no partner" is, if it is said from a probability on."""
    yield ["no partner, from", "said", "precision", "recall"]
    for least in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        said = probability > least
        right = (said & is_alone).sum()
        yield [f"{least:.1f}", f"{said.sum():,}", f"{right / max(said.sum(), 1):.3f}", f"{right / max(is_alone.sum(), 1):.3f}"]


def unseen_tables(cases):
    """Fit without one family of logs at a time, and judge it: the tables by their names."""
    unseen, none = [], []
    for family in sorted({family for case in cases for family in case.families}):
        judged = [case for case in cases if family == min(case.families)]
        seen = frozenset().union(*(case.families for case in judged if len(case.families) == 1), {family})
        weights = train([case for case in cases if not case.families & seen])
        unseen += [(case.kind, *judge(case, *weights)) for case in judged]
        none += [part for case in judged if case.kind.startswith("deleted") for part in none_of(case, *weights)]
    said = [answer for answer in unseen if answer[0] not in ("made up", "unrelated")]
    probability, is_right = (np.concatenate([answer[i] for answer in said]) for i in (1, 2))
    print(f"ECE of all pairs of logs of one process: {calibration_error(probability, is_right):.3f}\n")
    alone = (np.concatenate([part[i] for part in none]) for i in (0, 1))
    return {
        "matching-calibration": list(table(unseen)),
        "matching-reliability": list(reliability(probability, is_right)),
        "matching-no-partner": list(none_table(*alone)),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--store", action="store_true")
    options = parser.parse_args()
    cases = all_cases()
    if options.write:
        about = {
            "about": "Weights of evidence that activities of two logs are one step, and that an activity has a partner at all.",
            "fitted_by": f"python measurements/fit_matching.py --write (actalike {__version__})",
            "problems": len(cases),
        }
        WEIGHTS.write_text(written_weights(about, dict(zip(("pair", "partner"), train(cases), strict=True))), encoding="utf-8")
        return
    for name, rows in unseen_tables(cases).items():
        print(f"{results.markdown(rows)}\n", flush=True)
        if options.store:
            results.store(name, rows, "python measurements/fit_matching.py --store")


if __name__ == "__main__":
    main()
