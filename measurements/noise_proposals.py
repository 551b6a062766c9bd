"""Count how often noise is proposed as synonyms, which would be accepted. Logs without order have none.

    python measurements/noise_proposals.py                   # 200 random logs, all logs of a folder (ACTALIKE_LOGS); 2 minutes
    python measurements/noise_proposals.py --random 1000

Random logs have independent events, one case a day, and people who do whatever comes. The other logs are real ones whose activities
are shuffled, within each case or across all cases. Within cases, it stays true which labels share cases and when they are used, so
true synonyms of two periods may survive: the list says whether the log itself has the same proposal. Each log is looked at as it
is, without timestamps, and without people. Printed: the share of logs with a proposal of each relation, and every proposal of
synonyms.
"""

import argparse
import os
from collections import Counter
from pathlib import Path

import numpy as np

from actalike import Attribute, EventLog, datasets, group, read_log
from actalike.labels import RELATIONS

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
HOUR = np.timedelta64(1, "h")


def random_log(seed):
    """A log of independent events, of labels with nothing in common."""
    chance = np.random.default_rng(50_000 + seed)
    n, n_cases, n_people = int(chance.integers(5, 40)), int(chance.integers(50, 2_000)), int(chance.integers(2, 30))
    lengths = chance.integers(2, 20, n_cases)
    codes = chance.choice(n, lengths.sum(), p=chance.dirichlet([2.0] * n))
    moments = np.repeat(np.arange(n_cases) * 24, lengths) + np.concatenate([np.arange(length) for length in lengths])
    people = Attribute.from_texts([f"user {i}" for i in chance.integers(0, n_people, lengths.sum())])
    labels = ["".join(chance.choice(list("bcdfghklmnprstvw"), 6)) for _ in range(n)]
    timestamps = np.datetime64("2024-01-01", "us") + moments * HOUR
    ids = [str(case) for case in range(n_cases)]
    return EventLog(labels, codes, np.append(0, lengths.cumsum()), ids, timestamps, attributes={"org:resource": people})


def shuffled(log, seed, *, within):
    """A log whose activities are shuffled, within cases or across them; moments and people stay in their places."""
    case = np.repeat(np.arange(log.n_cases) * within, log.lengths)
    order = np.lexsort((np.random.default_rng(seed).random(log.n_events), case))
    return EventLog(log.activities, log.codes[order], log.offsets, log.case_ids, log.timestamps, attributes=log.attributes)


def views(log):
    """The log as it is, without timestamps, and without people."""
    arrays = log.activities, log.codes, log.offsets, log.case_ids
    yield "as it is", log
    yield "without timestamps", EventLog(*arrays, attributes=log.attributes)
    yield "without people", EventLog(*arrays, log.timestamps)


def count(title, logs, real=None):
    """Print the share of logs with a proposal of each relation; return those of synonyms, compared with those of the real logs."""
    totals, proposals = {}, []
    for name, log in logs:
        for view, seen in views(log):
            groups = group(seen)
            totals.setdefault(view, Counter()).update({"logs": 1, **dict.fromkeys({one.relation for one in groups}, 1)})
            for one in groups:
                if one.relation == "synonyms":
                    is_known = real is not None and one.activities in {known.activities for known in group(real[name])}
                    proposals.append(
                        f"{title}, {name}, {view}: {' = '.join(one.activities[:4])}" + " (in the log too)" * is_known
                    )
    for view, total in totals.items():
        shares = (f"{total[relation]} ({total[relation] / total['logs']:.0%})" for relation in RELATIONS)
        print(f"| {title} | {view} | {total['logs']} | {' | '.join(shares)} |", flush=True)
    return proposals


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=200, help="how many random logs")
    arguments = parser.parse_args()
    print(f"| logs | view | number | {' | '.join(RELATIONS)} |\n" + "|---" * (3 + len(RELATIONS)) + "|")
    proposals = count("random", ((f"random {seed}", random_log(seed)) for seed in range(arguments.random)))
    real = {name: read_log(path, attributes="people") for name, path in sorted(datasets.find(LOGS).items())}
    for title, within in (("shuffled within cases", True), ("shuffled across cases", False)):
        proposals += count(title, ((name, shuffled(log, 16, within=within)) for name, log in real.items()), real)
    print("\n".join(["", "Synonyms:", *(proposals or ["none"])]))


if __name__ == "__main__":
    main()
