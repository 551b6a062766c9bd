"""Pairs of labels that behaviour alone calls interchangeable, and what a person judged them to be.

    python measurements/judged_pairs.py            # count the verdicts of each log
    python measurements/judged_pairs.py --write    # add what is a candidate and not yet in judged_pairs.csv, without a verdict

Needs a folder of the paper's logs (ACTALIKE_LOGS). docs/evaluation/labels.md says how the pairs were judged, by whom, and its limits.
judged_pairs.csv is the truth: it stays when the product changes, though other pairs are candidates then. Beside it,
src/actalike/benchmark/tasks/must_not_merge.csv lists outcomes of one decision, whatever behaviour says of them.
"""

import argparse
import csv
import os
import zlib
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import numpy as np

from actalike import datasets, embed, read_log, same_step

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
TABLE = Path(__file__).with_name("judged_pairs.csv")
AT_LEAST = 0.1  # the probability, by behaviour alone, from which on a pair is a candidate
ENOUGH_CASES = 20  # a label in so many cases is a candidate with its nearest partner
MOST, FEWEST_BY_KIN = 40, 10  # pairs of a log; more if more are likely, and then so many others


class JudgedPair(NamedTuple):
    """Hold two labels of a log, the first in the alphabet first, and the verdict; it is empty before the pair is judged."""

    log: str
    a: str
    b: str
    verdict: str = ""
    reason: str = ""


def candidates():
    """Return the pairs of labels of each log that behaviour alone calls interchangeable, in an order that tells nothing."""
    return {name: _candidates(name, read_log(path, attributes=None)) for name, path in sorted(datasets.find(LOGS).items())}


def read():
    """Return the judged pairs, in the order of their logs and labels."""
    if not TABLE.exists():
        return []
    with TABLE.open(encoding="utf-8", newline="") as file:
        return [JudgedPair(**row) for row in csv.DictReader(file)]


def logs_without_synonyms():
    """Return the logs in which no two labels in 20 cases or more are known to be one step: all their labels were read for it."""
    return sorted({pair.log for pair in read()}.difference(pair.log for pair in read() if pair.verdict == "synonyms"))


def _candidates(name, log):
    """Take all pairs that may be one step, and draw labels with their nearest partners by kin; all labels are codes meanwhile."""
    chance = np.random.default_rng(zlib.crc32(name.encode()))
    numbers = chance.permutation(len(log.activities))
    label_of = {f"step {number:03}": label for number, label in zip(numbers, log.activities, strict=True)}
    code_of = {label: code for code, label in label_of.items()}
    coded = log.relabel(lambda label: code_of[label])

    probabilities = np.triu(same_step(coded).interchangeabilities(), 1)
    likely = [tuple(pair) for pair in np.argwhere(probabilities >= AT_LEAST).tolist()]
    frequent = np.flatnonzero(coded.activity_cases >= ENOUGH_CASES)
    embedding = embed(coded, "kin-w5")
    place = {code: i for i, code in enumerate(embedding.activities)}
    rows = [place[coded.activities[i]] for i in frequent.tolist()]
    distances = embedding.distances()[np.ix_(rows, rows)]
    np.fill_diagonal(distances, np.inf)
    near = [(i, int(frequent[distances[row].argmin()])) for row, i in enumerate(frequent.tolist())] if len(frequent) > 1 else []

    others = sorted({tuple(sorted(pair)) for pair in near}.difference(likely))
    n_others = max(MOST - len(likely), FEWEST_BY_KIN)
    if len(others) > n_others:
        others = [others[i] for i in chance.choice(len(others), n_others, replace=False).tolist()]
    pairs = likely + others
    shown = [tuple(sorted(label_of[coded.activities[i]] for i in pair)) for pair in pairs]
    return [JudgedPair(name, *shown[i]) for i in chance.permutation(len(shown))]


def _write(pairs):
    with TABLE.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(JudgedPair._fields)
        writer.writerows(sorted(pairs))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="add candidates that are not yet in the table")
    if parser.parse_args().write:
        pairs = {pair[:3]: pair for found in candidates().values() for pair in found}
        _write((pairs | {pair[:3]: pair for pair in read()}).values())
    counts = {}
    for pair in read():
        counts.setdefault(pair.log, Counter())[pair.verdict or "not judged"] += 1
    for name, verdicts in counts.items():
        print(f"{name:28}", ", ".join(f"{n} {verdict}" for verdict, n in verdicts.most_common()))
    print("without synonyms:", ", ".join(logs_without_synonyms()))


if __name__ == "__main__":
    main()
