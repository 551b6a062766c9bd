"""What adapting a predictor is worth after labels changed: accuracy of the next activity, log by log.

    python measurements/changed_labels.py [LOG ...] [--known 50] [--draws 3]      # needs a folder of logs (ACTALIKE_LOGS), and torch

The first 80 % of the cases, in the order of the file, train a predictor. In the others 30 % of the activities get new names. The first 50
of these cases are known when the predictor is adapted; the later ones are judged: what follows each of their events, in the old names.
Beside it: the predictor that is told the old names, and a trigram counted on the 50 cases.
"""

import argparse
from collections import Counter

import numpy as np
from timing import LOGS

from actalike import EventLog, datasets, predictor, read_log

COLUMNS = ["log", "told the old names", "adapted", "trigram of the new cases"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="*")
    parser.add_argument("--known", type=int, default=50)
    parser.add_argument("--draws", type=int, default=3)
    given = parser.parse_args()
    found = {entry.name for entry in datasets.paper_logs() if entry.next_activity} & set(datasets.find(LOGS))
    for row in table(given.logs or sorted(found), given.known, given.draws):
        print(*row, sep="\t", flush=True)


def table(logs, known, draws):
    """Yield the rows of the table, the means last."""
    yield COLUMNS
    rows = []
    for name in logs:
        traces = read_log(datasets.find(LOGS)[name], order="file").traces()
        past, new = traces[: len(traces) * 4 // 5], [trace for trace in traces[len(traces) * 4 // 5 :] if trace]
        if len(new) < 2 * known:
            continue
        model = predictor(EventLog.from_traces(past))
        rows.append(np.mean([figures(model, past, new, known, draw) for draw in range(draws)], axis=0))
        yield [name, *(f"{figure:.3f}" for figure in rows[-1])]
    yield ["mean", *(f"{figure:.3f}" for figure in np.mean(rows, axis=0))]


def figures(model, past, new, known, draw):
    """Return the accuracies for one choice of the labels that change."""
    labels = sorted({label for trace in past for label in trace} & {label for trace in new for label in trace})
    chosen = np.random.default_rng([draw, len(labels)]).choice(labels, max(1, round(0.3 * len(labels))), replace=False)
    names = {label: f"new {number}" for number, label in enumerate(chosen.tolist())}
    old = {name: label for label, name in names.items()}
    renamed = [[names.get(label, label) for label in trace] for trace in new]
    trained = set(model.activities)
    told = [[label if label in trained else model.activities[0] for label in trace] for trace in new[known:]]
    adapted = model.adapt(EventLog.from_traces(renamed[:known]))
    seen = set(adapted.activities)
    read = [[label if label in seen else model.activities[0] for label in trace] for trace in renamed[known:]]
    return [accuracy(model, told, new[known:], old), accuracy(adapted, read, new[known:], old), trigram(renamed, new, known, old)]


def accuracy(model, cases, truth, old):
    """Return how often the likeliest continuation of a beginning of a case is right, by the old names."""
    beginnings = [case[:n] for case in cases for n in range(1, len(case) + 1)]
    true = [following for case in truth for following in [*case[1:], None]]
    found = model.predict_cases(EventLog.from_traces(beginnings), topn=1)
    hits = [bool(one.predictions) and old.get(one.predictions[0].activity, one.predictions[0].activity) == label
            for one, label in zip(found, true, strict=True)]  # fmt: skip
    return np.mean(hits)


def trigram(renamed, new, known, old):
    """Return the same for what most often follows the last two labels, else the last one, else anything, in the known cases."""
    followers = {}
    for case in renamed[:known]:
        for context, following in steps(case):
            for used in (context, context[1:], ()):
                followers.setdefault(used, Counter())[following] += 1
    best = {context: min(counts, key=lambda label: (-counts[label], str(label))) for context, counts in followers.items()}
    hits = [
        old.get(guess := best.get(context, best.get(context[1:], best[()])), guess) == old.get(following, following)
        for case in renamed[known:]
        for context, following in steps(case)
    ]
    return np.mean(hits)


def steps(case):
    """Yield the last two labels up to each event, and what follows."""
    padded = [None, *case, None]
    for place in range(1, len(padded) - 1):
        yield tuple(padded[place - 1 : place + 1]), padded[place + 1]


if __name__ == "__main__":
    main()
