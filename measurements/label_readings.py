"""How often a new label is read as the right old one, and whether its probability can be trusted.

    python measurements/label_readings.py LOGS          prints tables; with --fit it first prints newly fitted weights

The last 20 % of the cases get new labels (``actalike.benchmark.prediction.changed_labels``), and ``read_labels`` reads them. Beside
the benchmark's ``rename`` and ``split`` there are two harder changes: ``part`` (a new name, which 40 % of the cases use; the others
keep the old one) and ``novel`` (half of the changed steps are really new: the past log does not have them, so no reading is right).
Weights are fitted on the families Helpdesk, BPIC12 and BPIC20, and judged on the others.
"""

import argparse
import itertools
from collections import Counter
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

import actalike
from actalike.benchmark.prediction.changed_labels import FIRST_CASES, SHARES, Condition, change_labels, first_cases
from actalike.benchmark.prediction.data import Cases, log_of, prediction_data
from actalike.benchmark.seeded_generator import random_words, seed_of
from actalike.prediction.label_readings import FIGURES, WEIGHTS, read_labels

CHOSEN_ON = ("Helpdesk", "BPIC12_A", "BPIC12_O", "BPIC12_W", "BPIC20_PrepaidTravelCost", "BPIC20_RequestForPayment",
             "BPIC20_DomesticDeclarations", "BPIC20_PermitLog")  # fmt: skip
JUDGED_ON = (
    "BPIC13_closed_problems",
    "BPIC13_open_problems",
    "Env_Permit",
    "NASA",
    "BPIC15_1",
    "BPIC15_2",
    "BPIC15_4",
    "BPIC15_5",
)
KINDS = ("rename", "split", "part", "novel")
KNOWN_CASES = (*FIRST_CASES, None)
_WEIGHT = {"rename": 1.0, "split": 0.6, "part": 0.6, "novel": 0.6}  # of a kind in the fit


def without(cases, ids):
    """The cases without the events of some ids."""
    keep = ~np.isin(cases.ids, ids)
    case = np.repeat(np.arange(len(cases)), np.diff(cases.offsets))
    lengths = np.bincount(case[keep], minlength=len(cases))
    return Cases(cases.ids[keep], np.concatenate([[0], np.cumsum(lengths)]), None)


def problems(data, draws):
    """Past and present logs with the old name of each new one (None if there is none), the kind, and the known cases."""
    for kind in KINDS:
        for percent in SHARES:
            for draw in range(draws):
                condition = Condition("split" if kind == "split" else "rename", percent, None, draw)
                changed = change_labels(data, condition)
                ids, n, past = changed.test.ids, len(data.vocabulary), [data.training, data.validation]
                meaning = {changed.vocabulary[i]: data.vocabulary[changed.meaning[i]] for i in range(n, len(changed.vocabulary))}
                if kind == "part":
                    stays = random_words(seed_of("part", draw), len(data.test)) / 2.0**64 < 0.6
                    event_stays = np.repeat(stays, np.diff(data.test.offsets))
                    ids = np.where(event_stays, data.test.ids, ids)
                if kind == "novel":
                    lost = changed.meaning[n:][:: 2 if len(changed.meaning) > n + 1 else 1]
                    past = [without(part, lost) for part in past]
                    if not all(len(part.ids) for part in past):
                        continue
                test = Cases(ids, data.test.offsets, None)
                before = log_of(data.vocabulary, past)
                truth = {new: old if old in before.activities else None for new, old in meaning.items()}
                for first in KNOWN_CASES:
                    if first is None or 2 * first <= len(data.test):
                        yield kind, first, before, log_of(changed.vocabulary, [first_cases(test, first)]), truth


def readings(folder, name):
    data = prediction_data(actalike.read_log(folder / f"{name}.xes.gz"))
    rows = []
    for kind, first, before, now, truth in problems(data, 1 if len(data.vocabulary) > 200 else 3):
        for reading in read_labels(before, now):
            if reading.label in truth:
                right = truth[reading.label] == reading.read_as
                rows.append((name, kind, first, reading.cases, right, reading.probability, *reading.figures))
    return rows


def weights_of(rows):
    per_log = Counter(row[0] for row in rows)
    weights = np.array([_WEIGHT[row[1]] / per_log[row[0]] for row in rows])
    return weights / weights.sum()


def fit(rows):
    figures = np.column_stack([np.ones(len(rows)), np.array([row[6:] for row in rows])])
    right, weights = np.array([row[4] for row in rows], dtype=float), weights_of(rows)

    def loss(b):
        log_odds = figures @ b
        return (weights * (np.logaddexp(0, log_odds) - right * log_odds)).sum() + 1e-4 * (b[1:] ** 2).sum()

    return dict(zip(("base", *FIGURES), minimize(loss, np.zeros(figures.shape[1])).x.round(2).tolist(), strict=True))


def probabilities(rows, weights):
    log_odds = np.array([row[6:] for row in rows]) @ [weights[name] for name in FIGURES] + weights["base"]
    return 1 / (1 + np.exp(-log_odds))


def show(title, rows, probability):
    if rows:
        weights, right = weights_of(rows), np.array([row[4] for row in rows], dtype=float)
        print(f"| {title} | {len(rows):,} | {weights @ right:.3f} | {weights @ probability:.3f} |")


def table(heading, rows, probability, parts):
    print(f"\n| {heading} | labels | read right | mean probability |\n|---|---|---|---|")
    for title, belongs in parts:
        chosen = [i for i, row in enumerate(rows) if belongs(i, row)]
        show(title, [rows[i] for i in chosen], probability[chosen])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("logs", type=Path)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    weights = WEIGHTS
    if options.fit:
        weights = fit([row for name in CHOSEN_ON for row in readings(options.logs, name)])
        print("fitted weights:", weights)
    rows = [row for name in JUDGED_ON for row in readings(options.logs, name)]
    probability = probabilities(rows, weights)
    print(f"Judged on {', '.join(JUDGED_ON)} (means over logs):")
    known = [(f"{kind}, {f'first {first}' if first else 'all'} cases", lambda i, row, kind=kind, first=first: row[1:3] == (kind, first))
             for kind in KINDS for first in KNOWN_CASES]  # fmt: skip
    table("change", rows, probability, known)
    bounds = (0, 0.2, 0.4, 0.5, 0.6, 0.8, 0.9, 0.97, 1.01)
    bins = [(f"{low:.2f} to {min(high, 1):.2f}", lambda i, row, low=low, high=high: low <= probability[i] < high)
            for low, high in itertools.pairwise(bounds)]  # fmt: skip
    table("probability", rows, probability, bins)
    sizes = ((1, 1), (2, 2), (3, 4), (5, 9), (10, 49), (50, 10**9))
    table("cases with the label", rows, probability, [
        (f"{low} to {high}" if high < 10**9 else f"{low} and more", lambda i, row, low=low, high=high: low <= row[3] <= high)
        for low, high in sizes])  # fmt: skip


if __name__ == "__main__":
    main()
