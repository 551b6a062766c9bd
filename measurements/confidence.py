"""How often the intervals of a similarity are right. Needs a folder of the paper's logs.

    python measurements/confidence.py                        # about 10 minutes
    python measurements/confidence.py BPIC15_1:400 Helpdesk:1000 --methods kin-w5
    python measurements/confidence.py Helpdesk:1000 --methods kin2-w5 --min-cases 50   # without events of rarer activities

A real log is taken for the process, and logs of some cases are drawn from it. Of each such log the intervals of some pairs
are computed (each activity's two nearest, and two at random), and looked whether the similarity that logs of this size have on
the average (over 60 others) lies inside: that should be so for 95 %. Beside it, the deviation of the similarity from draw to
draw within a log, which is what the interval goes by, and from log to log, which is the truth; and how far the average of logs
of this size is from the similarity in the whole log, which no interval from one log can know.
"""

import argparse
import os
import warnings
from pathlib import Path

import numpy as np

from actalike import EventLog, datasets, embed
from actalike.embedding.resampling import ENOUGH_CASES

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
OTHERS, TRIALS, ASKED = 60, 10, 12


def sample(log, n, rng):
    """A log of n cases, drawn with replacement."""
    cases = [log.codes[log.offsets[i] : log.offsets[i + 1]] for i in rng.integers(0, log.n_cases, n)]
    offsets = np.concatenate([[0], np.cumsum([len(case) for case in cases])])
    return EventLog(log.activities, np.concatenate(cases), offsets, [str(i) for i in range(n)])


def without_rare(log, min_cases):
    """The log without the events of activities in fewer cases."""
    kept = {label for label, cases in zip(log.activities, log.activity_cases, strict=True) if cases >= min_cases}
    if len(kept) == len(log.activities):
        return log
    return EventLog.from_traces([[label for label in trace if label in kept] for trace in log.traces()])


def in_place(log, drawn, method):
    """The similarities of a drawn log, in the places of the whole log's activities."""
    table = np.full((len(log.activities),) * 2, np.nan)
    places = np.searchsorted(log.activities, drawn.activities)
    table[np.ix_(places, places)] = 1 - embed(drawn, method).distances()
    return table


def trial(log, n, method, rng):
    """For each pair: the cases of the rarer one, whether the interval is right, its width, deviations, the bias."""
    others = np.array([in_place(log, sample(log, n, rng), method) for _ in range(OTHERS)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # pairs that are in none of the logs
        mean, deviation = np.nanmean(others, axis=0), np.nanstd(others, axis=0)
    whole = in_place(log, log, method)
    for seed in range(TRIALS):
        drawn = sample(log, n, rng)
        embedding = embed(drawn, method)
        pairs = []
        for a in rng.choice(drawn.activities, min(ASKED, len(drawn.activities)), replace=False).tolist():
            pairs += [(a, b) for b, _ in embedding.most_similar(a, 2)]
            pairs += [(a, b) for b in rng.choice(drawn.activities, 2).tolist() if b != a]
        for (a, b), found in zip(pairs, embedding.confidences(pairs, seed=seed), strict=True):
            i, j = (np.searchsorted(log.activities, label) for label in (a, b))
            if not found.too_rare and not np.isnan(mean[i, j]):
                right = found.low <= mean[i, j] <= found.high
                width = found.high - found.low
                yield min(found.cases), right, width, width / 3.92, deviation[i, j], abs(mean[i, j] - whole[i, j])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="*", default=["BPIC15_1:400", "BPIC20_PermitLog:2000", "Helpdesk:1000", "BPIC12_A:1000"])
    parser.add_argument("--methods", nargs="+", default=["kin-w5", "positional-ppmi-w5", "aa-sequence-pmi-w3"])
    parser.add_argument("--min-cases", type=int, default=0)
    arguments = parser.parse_args()
    print(f"| method | log | cases drawn | cases of the rarer | pairs | right | width | deviation by draws | true | from the whole |\n"
          f"|{'---|' * 10}")  # fmt: skip
    for method in arguments.methods:
        for described in arguments.logs:
            name, n = described.split(":")
            log = without_rare(datasets.load(name, LOGS), arguments.min_cases)
            rows = np.array(list(trial(log, int(n), method, np.random.default_rng(5))), dtype=float)
            for low, high in ((ENOUGH_CASES, 20), (20, np.inf)):
                part = rows[(rows[:, 0] >= low) & (rows[:, 0] < high)]
                if len(part):
                    means = " | ".join(f"{value:.3f}" for value in part[:, 1:].mean(axis=0))
                    bounds = f"{low} to {high - 1}" if high < np.inf else f"{low} and more"
                    print(f"| {method} | {name} | {n} | {bounds} | {len(part)} | {means} |", flush=True)


if __name__ == "__main__":
    main()
