"""Slips of the keyboard planted in real logs, by their frequency, and traps: the ones should be accepted, the others not.

    python measurements/slips_planted.py [--logs NAME ...] [--draws 1]      # needs a folder of logs (ACTALIKE_LOGS); ten minutes for all

The activities of a log get names of two words, such as "Review invoice", which differ in many letters. Then a share of the events
of up to five activities, each event by chance, gets a misspelt name: a letter too many, missing, swapped, or replaced by one beside
it on the keyboard. *Accepted*: the two are in one group of synonyms. *Shown*: in one group of any kind. *Wrong*: groups of
synonyms with other labels. Traps are pairs that were judged to be no synonyms (must_not_merge.csv): they get names that differ by
one slip. Logs marked * were looked at when the rule was chosen.
"""

import argparse
import csv
import os
from collections import defaultdict
from pathlib import Path

import numpy as np

from actalike import EventLog, group, read_log
from actalike.labels import is_slip

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
TRAPS = Path(__file__).parent / "must_not_merge.csv"
CHOSEN_ON = ("Helpdesk", "Env_Permit", "BPIC13", "BPIC20")
SHARES = (0.002, 0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.1, 0.2)
VERBS = (
    "review approve register archive calculate inspect notify schedule forward complete verify transfer prepare cancel publish"
)
NOUNS = (
    "invoice contract shipment budget customer building meeting document hearing deposit warranty passport inventory complaint"
    " dossier laboratory subsidy voucher machine pension"
)
ALIKE = [("Book hotels", "Book hostels"), ("Check router", "Check route"), ("Review plane", "Review plan")]
KEYBOARD = ("qwertyuiop", "asdfghjkl", "zxcvbnm")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--logs", nargs="*")
    arguments.add_argument("--draws", type=int, default=1)
    given = arguments.parse_args()
    totals, traps = defaultdict(lambda: np.zeros(4, dtype=int)), defaultdict(lambda: np.zeros(3, dtype=int))
    with TRAPS.open(encoding="utf-8") as file:
        must_not = [(row["log"], row["a"], row["b"]) for row in csv.DictReader(file)]
    for path in sorted(LOGS.glob("*.gz")):
        name = path.name.split(".")[0]
        if given.logs and name not in given.logs:
            continue
        log = read_log(path, attributes="people")
        kind = "chosen on" if name.startswith(CHOSEN_ON) else "left out"
        for share in SHARES:
            figures = sum(planted(log, share, draw) for draw in range(given.draws))
            totals[kind, share] += figures
            totals["all", share] += figures
            print(f"{name:<30}{100 * share:>6.1f} %" + "".join(f"{figure:>6}" for figure in figures), flush=True)
        for log_name, a, b in must_not:
            if log_name == name:
                traps[kind] += trap(log, a, b)
    for (kind, share), (n, accepted, shown, wrong) in totals.items():
        print(
            f"{kind}, {100 * share:g} %: {n} slips, {accepted / max(n, 1):.3f} accepted, {shown / max(n, 1):.3f} shown; {wrong} wrong groups"
        )
    for kind, (n, accepted, shown) in traps.items():
        print(f"{kind}: {n} traps, {accepted} accepted, {shown} shown")


def natural_names(n, rng):
    """Return so many names of two words; with more than all pairs, a third word tells them apart."""
    nouns = NOUNS.split()
    pairs = [f"{verb.capitalize()} {noun}" for verb in VERBS.split() for noun in nouns]
    names = [pairs[i] for i in rng.permutation(len(pairs))]
    return [names[i % len(names)] + (f" of {nouns[i // len(names)]}" if i >= len(names) else "") for i in range(n)]


def misspelt(name, rng):
    """Return a name with one slip of the keyboard."""
    while True:
        place = int(rng.integers(1, len(name)))
        if name[place] == " ":
            continue
        match rng.integers(4):
            case 0:
                other = name[:place] + name[place] + name[place:]
            case 1:
                other = name[:place] + name[place + 1 :]
            case 2:
                other = name[: place - 1] + name[place] + name[place - 1] + name[place + 1 :]
            case _:
                row = next(row for row in KEYBOARD if name[place].lower() in row)
                beside = row[max(row.index(name[place].lower()) - 1, 0) : row.index(name[place].lower()) + 2]
                other = name[:place] + beside[int(rng.integers(len(beside)))] + name[place + 1 :]
        if other != name and is_slip(name, other):
            return other


def planted(log, share, draw):
    """Return how many slips were planted, accepted and shown, and the number of wrong groups beside what the log itself has."""
    rng = np.random.default_rng([draw, round(1e4 * share)])
    names = natural_names(len(log.activities), rng)
    frequent = rng.permutation(np.flatnonzero(log.activity_counts * share >= 1))[:5]
    labels, codes, truth = list(names), log.codes.copy(), {}
    for code in frequent.tolist():
        slip = misspelt(names[code], rng)
        events = np.flatnonzero(log.codes == code)
        chosen = events[rng.random(len(events)) < share]
        if len(chosen) and slip not in labels:
            truth[slip] = names[code]
            codes[chosen] = len(labels)
            labels.append(slip)
    before, groups = group(rebuilt(log, names, log.codes)), group(rebuilt(log, labels, codes))
    accepted = sum(
        any({slip, label} <= set(one.activities) for one in groups if one.relation == "synonyms") for slip, label in truth.items()
    )
    shown = sum(any({slip, label} <= set(one.activities) for one in groups) for slip, label in truth.items())
    own = [set(one.activities) for one in before if one.relation == "synonyms"]
    merged = [{truth.get(label, label) for label in one.activities} for one in groups if one.relation == "synonyms"]
    wrong = sum(len(some) > 1 and some not in own for some in merged)
    return np.array([len(truth), accepted, shown, wrong])


def trap(log, a, b):
    """Return 1, whether two labels that are no synonyms are accepted if they differ by one slip, and whether they are shown."""
    rng = np.random.default_rng(len(a) + len(b))
    names = natural_names(len(log.activities), rng)
    pair = ALIKE[int(rng.integers(len(ALIKE)))]
    for label, name in zip((a, b), pair, strict=True):
        names[log.activities.index(label)] = name
    groups = group(rebuilt(log, names, log.codes))
    together = [one for one in groups if set(pair) <= set(one.activities)]
    return np.array([1, any(one.relation == "synonyms" for one in together), bool(together)])


def rebuilt(log, labels, codes):
    """Return the log with other labels."""
    used, codes = np.unique(codes, return_inverse=True)
    order = sorted(range(len(used)), key=lambda i: labels[used[i]])
    place = np.argsort(order).astype(np.int32)
    return EventLog(
        [labels[used[i]] for i in order], place[codes], log.offsets, log.case_ids, log.timestamps, attributes=log.attributes
    )


if __name__ == "__main__":
    main()
