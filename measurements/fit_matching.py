"""Fit the probabilities of matching, and show what they are worth on families of logs that they were not fitted to.

    python measurements/fit_matching.py            # leave one family of logs out at a time, print tables; about 3 minutes
    python measurements/fit_matching.py --write    # also fit on all logs, write the weights, and store the table

Needs a folder of the paper's logs (ACTALIKE_LOGS). The problems are those of `actalike benchmark matching`: logs of BPIC15 and of
BPIC20, halves by time, halves by cases with and without deleted labels. Beside these there are two parts of each log with few
cases, random processes, and pairs of logs of two families: in the latter nothing has a partner. The log-odds are linear in the figures of two_logs/partners.py, and fitted by maximum
likelihood with a ridge.
"""

import argparse
import json
import os
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import numpy as np
import results
from scipy.optimize import minimize

from actalike import EventLog, __version__
from actalike.benchmark.logs import find_logs
from actalike.benchmark.results import log_family
from actalike.benchmark.tasks.matching_problems import NamedLog, Problem, find_pairs, make_problem, same_labels
from actalike.log import cases_of
from actalike.two_logs.cross_kin import agreements, cross_kin
from actalike.two_logs.partners import (
    PAIR_FIGURES,
    PARTNER_FIGURES,
    find_candidates,
    logistic,
    normalised,
    pair_probabilities,
    partner_figures,
)

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
WEIGHTS = Path(__file__).parents[1] / "src" / "actalike" / "two_logs" / "partner_weights.json"
TASKS = {"cases": [("known-0", 2), ("deleted-10", 2), ("deleted-30", 1)]}
TASKS_OF_OTHERS = [("known-0", 1), ("known-10", 1)]
TINY = (1, 3, 10, 30)  # cases of each of two small parts of a log
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
    is_right: np.ndarray
    has_partner: tuple

    def probabilities(self, weights):
        """The probability of each pair by some weights, as the product states it."""
        return normalised(pair_probabilities(self.candidates, weights), self.candidates, self.kin, self.known)

    def partner_figures(self, weights, side):
        """The figures of each label of a side, with probabilities by some weights."""
        return partner_figures(self.kin, self.probabilities(weights), side)


def measure(kind, families, problem):
    """Match a problem, and keep what the fit needs."""
    place_a, place_b = ({label: i for i, label in enumerate(log.activities)} for log in (problem.log_a, problem.log_b))
    known = np.array([(place_a[a], place_b[b]) for a, b in problem.known.items()], dtype=np.int64).reshape(-1, 2)
    kin = cross_kin(problem.log_a.variants, problem.log_b.variants, known)
    true = np.zeros(kin.rounds.scores.shape, dtype=bool)
    for a, b in problem.true:
        true[place_a[a], place_b[b]] = True
    candidates = find_candidates(kin, agreements(kin.uses_a, kin.uses_b, kin.rounds.assigned))
    is_asked = ~(np.isin(candidates.rows, known[:, 0]) | np.isin(candidates.columns, known[:, 1]))
    is_right = np.where(is_asked, true[candidates.rows, candidates.columns], -1)
    return Case(kind, frozenset(families), kin, candidates, known, is_right, (true.any(axis=1), true.any(axis=0)))


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
        for size in TINY:
            if problem := tiny_problem(one.log, size):
                cases.append(measure("few cases", [log_family(name)], problem))
    for size in MADE_UP:
        for seed in range(8):
            logs_of_size = [random_process(size, 100 * seed + side) for side in (1, 2)]
            cases.append(measure("made up", [f"made up {seed}"], Problem(*logs_of_size, {}, ())))
    for (name_a, a), (name_b, b) in combinations(logs.items(), 2):
        if (families := {log_family(name_a), log_family(name_b)}) and len(families) == 2:
            cases.append(measure("unrelated", families, Problem(a.log, b.log, {}, ())))
    return cases


def fit(figures, is_right, weights):
    """The weights of a logistic function with the greatest likelihood: the base, then those of the figures."""
    scale = figures.std(axis=0) + 1e-9
    x = np.column_stack([np.ones(len(figures)), figures / scale])
    weights = weights / weights.sum()

    def loss(w):
        log_odds = x @ w
        value = weights @ (np.logaddexp(0, log_odds) - is_right * log_odds) + RIDGE * (w[1:] @ w[1:])
        gradient = x.T @ (weights * (logistic(log_odds) - is_right))
        gradient[1:] += 2 * RIDGE * w[1:]
        return value, gradient

    found = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B").x
    return np.concatenate([found[:1], found[1:] / scale])


def weights_of(size):
    """The weights of the pairs or labels of a problem: all together count by the root of their number."""
    return np.full(size, max(size, 1) ** -0.5)


def train(cases):
    """Fit both functions."""
    asked = [case.is_right >= 0 for case in cases]
    figures = np.concatenate([case.candidates.figures[of] for case, of in zip(cases, asked, strict=True)])
    right = np.concatenate([case.is_right[of] for case, of in zip(cases, asked, strict=True)])
    pair = fit(figures, right, np.concatenate([weights_of(of.sum()) for of in asked]))
    parts, has, counts = [], [], []
    for case in cases:
        for side in (0, 1):
            is_asked = np.ones(len(case.has_partner[side]), dtype=bool)
            is_asked[case.known[:, side]] = False
            parts.append(case.partner_figures(pair, side)[is_asked])
            has.append(case.has_partner[side][is_asked])
            counts.append(weights_of(is_asked.sum()))
    return pair, fit(np.concatenate(parts), np.concatenate(has), np.concatenate(counts))


def judge(case, pair, partner):
    """Return the probabilities of the proposed pairs, whether they are right, and a tally of answers "no partner".

    Proposed is what the product proposes: assigned pairs that are more likely than not. A label without a pair is said to have no
    partner if that is more likely than not.
    """
    candidates = case.candidates
    pairs = case.probabilities(pair)
    probability = pairs[candidates.rows, candidates.columns]
    is_proposed = candidates.is_assigned & (case.is_right >= 0) & (probability > STATED)
    tally = np.zeros(3)
    for side, own in ((0, candidates.rows), (1, candidates.columns)):
        none = 1 - logistic(case.partner_figures(pair, side) @ partner[1:] + partner[0])
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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    cases = all_cases()
    unseen = []
    for family in sorted({family for case in cases for family in case.families}):
        judged = [case for case in cases if family == min(case.families)]
        seen = frozenset().union(*(case.families for case in judged if len(case.families) == 1), {family})
        weights = train([case for case in cases if not case.families & seen])
        unseen += [(case.kind, *judge(case, *weights)) for case in judged]
    rows = list(table(unseen))
    print(f"Weights fitted without the family of the logs\n\n{results.markdown(rows)}\n")
    weights = train(cases)
    all_seen = list(table([(case.kind, *judge(case, *weights)) for case in cases]))
    print(f"Weights fitted on all logs\n\n{results.markdown(all_seen)}")
    if options.write:
        named = {
            kind: dict(zip(("base", *names), np.round(w, 4).tolist(), strict=True))
            for kind, names, w in zip(("pair", "partner"), (PAIR_FIGURES, PARTNER_FIGURES), weights, strict=True)
        }
        about = {"fitted_by": "measurements/fit_matching.py --write", "actalike": __version__, "problems": len(cases)}
        WEIGHTS.write_text(json.dumps({**about, **named}, indent=2) + "\n", encoding="utf-8")
        results.store("matching-calibration", rows, "python measurements/fit_matching.py --write")
        results.main([])


if __name__ == "__main__":
    main()
