"""Groups that are accepted where there is nothing to find: random logs, and real logs with their events shuffled, with natural names.

    python measurements/noise_groups.py [--random 100] [--shuffled 100]      # needs a folder of logs (ACTALIKE_LOGS); five minutes

Random: labels are drawn independently, from shares that are even or not. Shuffled: up to 1,000 cases of a real log, whose labels
are shuffled within each case, or over all cases; times, people and a column of sites that is drawn by chance stay in their place.
All labels are names of two words that differ in many letters. A group of synonyms is a false alarm, except that shuffling within
cases keeps which labels share cases, and when: of the public logs, those that replace a role are listed.
"""

import argparse
import os
from pathlib import Path

import numpy as np

from actalike import EventLog, group, read_log
from actalike.benchmark.tasks.planted_labels import natural_names
from actalike.log import Attribute

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--random", type=int, default=100)
    arguments.add_argument("--shuffled", type=int, default=100)
    given = arguments.parse_args()
    alarms = [accepted(f"random {seed}", random_log(seed)) for seed in range(given.random)]
    print(f"random: {sum(alarms)} of {len(alarms)} logs have an accepted group", flush=True)
    logs = {path.name.split(".")[0]: read_log(path, attributes="people") for path in sorted(LOGS.glob("*.gz"))}
    alarms = []
    for number in range(given.shuffled):
        name = list(logs)[number % len(logs)]
        alarms.append(accepted(f"{name}, draw {number}", shuffled(logs[name], number, within=number // len(logs) % 2 == 0)))
    print(f"shuffled: {sum(alarms)} of {len(alarms)} logs have an accepted group")


def accepted(name, log):
    """Return whether a log has an accepted group, and print those that it has."""
    found = [one for one in group(log) if one.relation == "synonyms"]
    for one in found:
        print(f"  {name}: {' = '.join(one.activities)} ({', '.join(witness.kind for witness in one.witnesses)})", flush=True)
    return bool(found)


def random_log(seed):
    rng = np.random.default_rng([seed, 7])
    n, n_cases = int(rng.integers(6, 30)), int(rng.integers(150, 1500))
    lengths = rng.integers(3, 15, n_cases)
    codes = rng.choice(n, lengths.sum(), p=rng.dirichlet([5.0 if rng.random() < 0.7 else 1.0] * n))
    return rebuilt(codes, np.append(0, lengths.cumsum()), natural_names(n, ("random", seed)), rng)


def shuffled(log, seed, within):
    rng = np.random.default_rng([seed, 8])
    cases = np.sort(rng.permutation(log.n_cases)[:1000])
    lengths = log.lengths[cases]
    codes = np.concatenate([log.codes[log.offsets[case] : log.offsets[case + 1]] for case in cases.tolist()])
    case = np.repeat(np.arange(len(cases)), lengths)
    codes = codes[np.lexsort((rng.random(len(codes)), case))] if within else rng.permutation(codes)
    return rebuilt(codes, np.append(0, lengths.cumsum()), natural_names(len(log.activities), ("shuffled", seed)), rng)


def rebuilt(codes, offsets, names, rng):
    """Return a log with these names, times in the order of the events, and a site for each case and a person for each event."""
    used, codes = np.unique(codes, return_inverse=True)
    order = sorted(range(len(used)), key=lambda i: names[used[i]])
    place = np.argsort(order).astype(np.int32)
    lengths = np.diff(offsets)
    sites = np.repeat(rng.integers(0, 4, len(lengths)), lengths).astype(np.int32)
    people = rng.integers(0, 12, len(codes)).astype(np.int32)
    attributes = {
        "site": Attribute([f"site {i}" for i in range(4)], sites),
        "user": Attribute([f"user {i:02}" for i in range(12)], people),
    }
    times = np.datetime64("2024-01-01", "us") + np.arange(len(codes)).astype("timedelta64[m]")
    ids = [str(case) for case in range(len(lengths))]
    return EventLog([names[used[i]] for i in order], place[codes], offsets, ids, times, attributes=attributes)


if __name__ == "__main__":
    main()
