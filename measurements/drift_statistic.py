"""Compare two statistics of a change: neighbours by name (K = identity, as drift has it), or by how alike they are (K = kin).

    python measurements/drift_statistic.py [LOG ...] [--draws 25]

Changes are planted as in ``drift.py planted``; each has 999 shuffles. K is kin of the whole log.
"""

import argparse
from collections import defaultdict

import numpy as np
from drift_draws import RECIPES, SHARES, Draw, average_precision, chosen_logs

from actalike import EventLog, embed
from actalike.comparison.drift_company import OFFSETS, SHRINKAGE, companies
from actalike.comparison.drift_null import Null
from actalike.counting import window_columns


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
    for title, logs, opened in chosen_logs(names):
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
    n = len(log.activities)
    columns = window_columns(log.codes, log.lengths, 5)
    chosen = [np.where(columns[2 + offset] < 0, n, columns[2 + offset]) for offset in OFFSETS]
    return np.stack([np.bincount(column, minlength=n + 1) for column in chosen]) / log.n_events


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="*")
    parser.add_argument("--draws", type=int, default=25)
    given = parser.parse_args()
    statistic(given.logs, given.draws)
