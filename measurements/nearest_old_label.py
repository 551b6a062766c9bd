"""How often is the old label that is nearest to a new one the right one? For all count settings, act2vec and kin; no network.

    python measurements/nearest_old_label.py LOGS [METHOD ...]

For each log of the next-activity benchmark, 30 % of the activities get new names in the test cases (three draws), vectors are counted on
all cases, and the nearest old label is that with the largest cosine of centred vectors. A share counts events. ``read`` is what
``Predictor.adapt`` reads. In brackets 95 % intervals over logs.
"""

import sys
from pathlib import Path

import numpy as np

import actalike
from actalike.benchmark.intervals import bootstrap_interval
from actalike.benchmark.logs import find_logs
from actalike.benchmark.prediction.changed_labels import MAIN
from actalike.benchmark.prediction.data import log_of, prediction_data
from actalike.benchmark.prediction.placements import changes_of
from actalike.benchmark.prediction.run import takes_log
from actalike.prediction.label_placement import centred_cosines
from actalike.prediction.label_readings import read_labels

COUNTS = [
    f"{m}-{c}-{w}-w{n}" for m in ("aa", "ac") for c in ("multiset", "sequence") for w in ("raw", "pmi", "ppmi") for n in (3, 5, 9)
]
METHODS = [*COUNTS, "act2vec-cbow-w3", "act2vec-skipgram-w3", "kin-w5", "kin2-w5"]


def nearest(change, data, method):
    joint = log_of(change.changed.vocabulary, (data.training, data.validation, change.changed.test))
    embedding = actalike.embed(joint, method)
    row = {label: i for i, label in enumerate(embedding.activities)}
    old = change.past.activities
    new = [label for label in change.now.activities if label not in set(old)]
    cosines = centred_cosines(embedding.vectors[[row[label] for label in [*old, *new]]], len(old))
    return {label: old[int(i)] for label, i in zip(new, cosines[len(old) :, : len(old)].argmax(axis=1), strict=True)}


def share_right(change, data, read_as):
    vocabulary, n = change.changed.vocabulary, len(data.vocabulary)
    events = np.bincount(change.changed.test.ids, minlength=len(vocabulary))[n:]
    right = [read_as.get(vocabulary[i]) == data.vocabulary[change.changed.meaning[i]] for i in range(n, len(vocabulary))]
    return float(events @ np.array(right) / events.sum())


def main(folder, methods):
    shares = {method: [] for method in ["read", *methods]}
    files = find_logs([Path(folder)], takes_log, print)
    for name in files.names:
        data = prediction_data(files(name))
        changes = [change for change in changes_of(data) if change.condition.name == MAIN.name]
        read = [{reading.label: reading.read_as for reading in read_labels(change.past, change.now)} for change in changes]
        shares["read"].append(np.mean([share_right(change, data, of) for change, of in zip(changes, read, strict=True)]))
        for method in methods:
            shares[method].append(np.mean([share_right(change, data, nearest(change, data, method)) for change in changes]))
        print(
            name,
            *(f"{method} {values[-1]:.3f}" for method, values in shares.items() if method in ("read", "kin-w5")),
            file=sys.stderr,
            flush=True,
        )
    print(f"| method | right, {len(files.names)} logs |\n|---|---|")
    for method, values in sorted(shares.items(), key=lambda item: -np.mean(item[1])):
        low, high = bootstrap_interval(np.array(values))
        print(f"| {method} | {np.mean(values):.3f} [{low:.3f}, {high:.3f}] |")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:] or METHODS)
