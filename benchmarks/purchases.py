"""A made-up log of purchase orders, of the size and shape of BPIC19: for benchmarks that must not depend on a download.

    python benchmarks/purchases.py purchases.parquet    # writes it, 1.6 million events

BPIC19 has 251,734 cases, 1.6 million events, 42 activities, 12 thousand variants, and cases of 1 to 990 events (6.3 on
average). This log has 13,556 variants and cases of 1 to 64 events, otherwise the same figures. The process is a random walk
over the activities with few likely successors each, in which some steps repeat.
"""

import sys

import numpy as np

from actalike import EventLog, write_log

CASES = 251_734
ACTIVITIES = 42


def purchases(cases=CASES, seed=19):
    """The log; the same arguments give the same log."""
    rng = np.random.default_rng(seed)
    likely = 0.05 ** np.arange(ACTIVITIES)  # the first successor nearly always, the second nearly always else
    steps = np.stack([_successors(rng, place) for place in range(ACTIVITIES)])
    repeats = np.where(rng.random(ACTIVITIES) < 0.15, 0.2, 0.0)
    now = np.searchsorted(np.cumsum(likely / likely.sum()), rng.random(cases))
    alive = np.arange(cases)
    happened, of_case = [], []
    while len(alive):
        happened.append(now)
        of_case.append(alive)
        rank = np.searchsorted(np.cumsum(likely / likely.sum()), rng.random(len(alive)))
        following = np.where(rng.random(len(alive)) < repeats[now], now, steps[now, rank])
        stays = rng.random(len(alive)) > np.where(following < now, 0.5, 0.157)  # going back is rare: most cases are short
        alive, now = alive[stays], following[stays]
    codes, case = np.concatenate(happened), np.concatenate(of_case)
    order = np.argsort(case, kind="stable")  # events were made step by step, so a stable sort keeps their order in the case
    offsets = np.concatenate([[0], np.cumsum(np.bincount(case, minlength=cases))])
    labels = [f"Step {place + 1:02}" for place in range(ACTIVITIES)]
    return EventLog(labels, codes[order], offsets, [f"PO-{number:06}" for number in range(cases)])


def _successors(rng, place):
    """All activities, likeliest first: mostly those that come soon after."""
    ahead = (np.arange(ACTIVITIES) - place - 1) % ACTIVITIES
    return np.argsort(ahead + rng.gamma(1.5, 4.0, ACTIVITIES), kind="stable")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    log = purchases()
    write_log(log, sys.argv[1])
    print(log)
