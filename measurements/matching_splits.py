"""Measure how many planted splits of steps are found by matching, and how many of those that are found are right.

    python measurements/matching_splits.py [--draws 3] [--task split]

Needs a folder of the paper's logs (ACTALIKE_LOGS). The problems are those of `actalike benchmark matching --tasks split`: halves
of each log by cases, in the second of which a tenth of the labels have two names, drawn case by case. A split is right if all of
its parts are names of the step. The share of right ones among those whose partner is right is RIGHT_SPLITS of
comparison/matching.py. Steps that the first half is said to split are wrong: nothing is split there.
"""

import argparse
import os
from pathlib import Path
from typing import NamedTuple

from actalike import match
from actalike.benchmark.logs import find_logs
from actalike.benchmark.matching.log_pairs import CASES, NamedLog, find_pairs
from actalike.benchmark.matching.problems import make_problem

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))


class Tally(NamedTuple):
    """Hold numbers of splits: planted; found, and of these with the right partner; right; the sum of stated probabilities."""

    planted: int = 0
    found: int = 0
    right_partner: int = 0
    right: int = 0
    stated: float = 0.0

    def __add__(self, other):
        """Return the sums."""
        return Tally(*(x + y for x, y in zip(self, other, strict=True)))

    def row(self, name):
        """Return a row of the table."""
        shares = (f"{x / y:.2f}" if y else "" for x, y in self.shares())
        return f"| {name} | {self.planted} | {self.found} | {self.right} | {' | '.join(shares)} |"

    def shares(self):
        """Return numerators and denominators: precision, recall, right ones of those with the right partner, stated."""
        return (
            (self.right, self.found),
            (self.right, self.planted),
            (self.right, self.right_partner),
            (self.stated, self.found),
        )


def tally(problem):
    """Match the logs of a problem, and count."""
    names = {}
    for a, b in problem.true:
        names.setdefault(a, set()).add(b)
    matching = match(problem.log_a, problem.log_b, problem.known)
    total = Tally(planted=sum(len(of_step) > 1 for of_step in names.values()))
    for split in matching.splits:
        of_step = names.get(split.activity, set()) if split.side == "a" else set()
        partner, is_right = split.parts[0], len(of_step) > 1 and set(split.parts) <= of_step
        has_partner = split.activity in names.get(partner, set()) if split.side == "b" else partner in of_step
        total += Tally(0, 1, int(has_partner), int(is_right), split.probability)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=3)
    parser.add_argument(
        "--task", default="split", choices=["split", "split-known-70", "known-0"], help="known-0: nothing is split"
    )
    arguments = parser.parse_args()
    files = find_logs([LOGS], lambda entry: True)
    logs = {name: NamedLog.of_file(files, name) for name in files.names}
    header = ["log", "planted", "found", "right", "precision", "recall", "right, if the partner is", "stated probability"]
    print(f"| {' | '.join(header)} |\n{'|---' * len(header)}|")
    total = Tally()
    for pair in find_pairs(logs, [CASES]):
        of_pair = Tally()
        for draw in range(arguments.draws):
            of_pair += tally(make_problem(pair, arguments.task, draw=draw))
        print(of_pair.row(pair.name), flush=True)
        total += of_pair
    print(total.row("all"))


if __name__ == "__main__":
    main()
