"""Vocabularies that are planted in real logs, and whether they are found; and logs in which nothing was planted.

    python measurements/vocabularies_planted.py [--logs NAME ...] [--draws 2]      # needs a folder of logs (ACTALIKE_LOGS); five minutes for all

Half of the cases, by chance (a column `site` of eight values names the half) or the later ones (by period), get other names for three adjacent
steps, for eight steps, or for all. Only steps in 20 cases or more are renamed. Candidates do not count. `noise` is
the same log with the events of each case shuffled and a column of chance, without any other names: nothing must be found.
The rule was chosen on Helpdesk, Env_Permit, BPIC13 and BPIC20 (marked *); the others report.
"""

import argparse
import os
from collections import defaultdict
from pathlib import Path

import numpy as np

from actalike import EventLog, read_log
from actalike.labels import PERIOD
from actalike.log import Attribute
from actalike.two_logs import vocabularies

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
CHOSEN_ON = ("Helpdesk", "Env_Permit", "BPIC13", "BPIC20")
HOW_MANY = ("3 adjacent", "8", "all")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--logs", nargs="*")
    arguments.add_argument("--draws", type=int, default=2)
    given = arguments.parse_args()
    totals = defaultdict(lambda: np.zeros(3, dtype=int))
    print(f"{'log':<30}{'by':<8}{'renamed':<12}{'steps':>6}{'found':>6}{'wrong':>6}")
    for path in sorted(LOGS.glob("*.gz")):
        name = path.name.split(".")[0]
        if given.logs and name not in given.logs:
            continue
        log = read_log(path)
        for by in ("site", PERIOD):
            for how_many in HOW_MANY:
                figures = sum(planted(log, by, how_many, draw) for draw in range(given.draws))
                kind = "chosen on" if name.startswith(CHOSEN_ON) else "left out"
                totals[kind, by] += figures
                print(f"{name:<30}{by:<8}{how_many:<12}" + "".join(f"{figure:>6}" for figure in figures), flush=True)
        totals["noise", "any"] += sum(noise(log, draw) for draw in range(given.draws))
    for (kind, by), (steps, found, wrong) in totals.items():
        print(f"{kind}, by {by}: {steps:,} steps, {found / max(steps, 1):.3f} found; {wrong} of {found + wrong} pairs are wrong")


def planted(log, by, how_many, draw):
    """Return how many steps got another name, how many are found, and how many pairs are wrong."""
    rng = np.random.default_rng([draw, HOW_MANY.index(how_many)])
    half = np.arange(log.n_cases) >= log.n_cases // 2 if by == PERIOD else rng.random(log.n_cases) < 0.5
    frequent = np.flatnonzero(log.activity_cases >= 20)
    if len(frequent) < 3:
        return np.zeros(3, dtype=int)
    chosen = {
        "3 adjacent": lambda: adjacent(log, frequent, rng),
        "8": lambda: rng.permutation(frequent)[:8],
        "all": lambda: frequent,
    }[how_many]()
    other = np.arange(len(log.activities))
    other[chosen] = len(log.activities) + np.arange(len(chosen))
    labels = [*log.activities, *(f"~{number}" for number in range(len(chosen)))]  # names that say nothing
    codes = np.where(np.repeat(half, log.lengths), other[log.codes], log.codes)
    truth = {frozenset((log.activities[code], labels[other[code]])) for code in chosen.tolist()}
    found = pairs_of(labels, codes, log, half if by != PERIOD else rng.random(log.n_cases) < 0.5, rng)
    return np.array([len(truth), len(truth & found), len(found - truth)])


def noise(log, draw):
    """Return the number of pairs that are found where every case is shuffled, as wrong ones."""
    rng = np.random.default_rng(draw)
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    codes = log.codes[np.lexsort((rng.random(log.n_events), case))]
    return np.array([0, 0, len(pairs_of(log.activities, codes, log, rng.random(log.n_cases) < 0.5, rng))])


def pairs_of(labels, codes, log, half, rng):
    """Return the pairs that are accepted in a log with these events, whose cases have a site: one of four for each half."""
    site = np.where(half, 4, 0) + rng.integers(0, 4, log.n_cases)
    attributes = {"site": Attribute([f"site {number}" for number in range(8)], np.repeat(site, log.lengths).astype(np.int32))}
    used, codes = np.unique(codes, return_inverse=True)
    order = sorted(range(len(used)), key=lambda i: labels[used[i]])
    place = np.argsort(order).astype(np.int32)
    times = np.datetime64("2024-01-01", "us") + np.arange(log.n_events).astype("timedelta64[s]")
    other = EventLog([labels[used[i]] for i in order], place[codes], log.offsets, log.case_ids, times, attributes=attributes)
    return {frozenset(pair[:2]) for one in vocabularies(other) for pair in one.pairs}


def adjacent(log, frequent, rng):
    """Return three different frequent steps that follow each other in a case."""
    for case in rng.integers(0, log.n_cases, 1000).tolist():
        codes = log.codes[log.offsets[case] : log.offsets[case + 1]]
        for start in range(len(codes) - 2):
            three = np.unique(codes[start : start + 3])
            if len(three) == 3 and np.isin(three, frequent).all():
                return three
    return frequent[:3]


if __name__ == "__main__":
    main()
