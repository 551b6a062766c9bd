"""Measure the processor time that it takes to predict all cases of a log, beside one case after the other, and to write the table.

    python measurements/case_predictions.py [--cases 100000] [--activities 30]

The network has random weights and the cases random activities, 1 to 25 of them: neither changes the time.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np

from actalike import EventLog, Predictor
from actalike.prediction import write_predictions

SIZE = 32  # of the network, as training makes it
LONGEST = 25
ALONE = 1000  # cases that are predicted one after the other


def made_up(cases, activities, random):
    labels = [f"activity {number}" for number in range(activities)]
    shapes = (activities, 4 * SIZE), (SIZE, 4 * SIZE), (SIZE, activities + 1), activities + 1
    model = Predictor(labels, None, *(random.normal(size=shape) * 0.1 for shape in shapes))
    offsets = np.concatenate([[0], np.cumsum(random.integers(1, LONGEST + 1, cases))])
    log = EventLog(labels, random.integers(0, activities, offsets[-1]), offsets, [f"case {number}" for number in range(cases)])
    return model, log


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--activities", type=int, default=30)
    given = parser.parse_args()
    model, log = made_up(given.cases, given.activities, np.random.default_rng(0))
    started = time.process_time()
    predictions = model.predict_cases(log)
    predicted = time.process_time()
    with tempfile.TemporaryDirectory() as folder:
        write_predictions(predictions, Path(folder) / "predictions.csv")
    written = time.process_time()
    few = min(ALONE, given.cases)
    traces = [[log.activities[code] for code in log.codes[log.offsets[k] : log.offsets[k + 1]]] for k in range(few)]
    alone = time.process_time()
    for trace in traces:
        model.predict(trace, 3)
    one_by_one = (time.process_time() - alone) * given.cases / few
    print(
        f"{given.cases:,} cases, {log.n_events:,} events, {given.activities:,} activities: {predicted - started:.1f} s, the table {written - predicted:.1f} s"
    )
    print(f"one case after the other: {one_by_one:.0f} s (by {few:,} of them)")


if __name__ == "__main__":
    main()
