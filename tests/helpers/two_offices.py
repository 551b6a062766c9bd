"""A made-up building authority: two branches with words of their own, a label that a new system replaces at one, and misspelt labels."""

import re
from random import Random

import numpy as np

from actalike.log import Attribute, EventLog

STEPS = {  # of each step what the coast and the hills call it
    "intake": ("Receive application", "New file"),
    "fee": ("Charge fee", "Send bill"),
    "plans": ("Review plans", "Look at drawings"),
    "water": ("Ask water board", "Query river office"),
    "fire": ("Ask fire brigade", "Query fire protection"),
    "visit": ("Visit the site", "Inspection"),
    "missing": ("Request missing papers", "Ask for more"),
    "permit": ("Grant permit", "Sign consent"),
    "refuse": ("Refuse application", "Turn down"),
    "archive": ("Archive", "Archive"),
}
REPLACED = ("permit", 0, "Issue e-permit")  # the step, the branch, and its words from the last third of the time on


def authority(seed, cases=700, slips=0.004, spaces=0.01):
    """Return the log, and the step of each label with the label that it spells."""
    random = Random(seed)
    traces, times, branches, spelled = [], [], [], {}
    for number in range(cases):
        branch = int(random.random() < 0.45)
        trace = ["intake", "fee"] if random.random() < 0.7 else ["fee", "intake"]
        trace += random.choice([["plans"], ["plans", "missing", "plans"], ["plans", "visit"]])
        trace += ["water"] * (random.random() < 0.6) + ["fire"] * (random.random() < 0.3)
        trace += ["refuse" if random.random() < 0.12 else "permit"] + ["archive"] * (random.random() < 0.9)
        labels = []
        for step in trace:
            label = STEPS[step][branch]
            if (step, branch) == REPLACED[:2] and number >= cases * 2 / 3:
                label = REPLACED[2]
            written = misspelt(label, random) if random.random() < slips else label
            written += " " * (random.random() < spaces)
            spelled[written] = (step, label)
            labels.append(written)
        traces.append(labels)
        times += [np.datetime64("2023-03-01T08", "us") + np.timedelta64(number * 600 + 90 * i, "m") for i in range(len(labels))]
        branches += [branch] * len(labels)
    activities = sorted(spelled)
    codes = [activities.index(label) for trace in traces for label in trace]
    offsets = np.append(0, np.cumsum([len(trace) for trace in traces]))
    attributes = {"branch": Attribute(["coast", "hills"], np.array(branches, dtype=np.int32))}
    log = EventLog(activities, codes, offsets, [f"B{i}" for i in range(cases)], np.array(times), attributes=attributes)
    return log, spelled


def misspelt(label, random):
    """Return a label with two letters of a longer word swapped, one left out, or one twice."""
    words = list(re.finditer(r"[^\W\d_]{4,}", label))
    places = [place for word in words for place in range(word.start() + 1, word.end() - 1) if label[place] != label[place + 1]]
    place = random.choice(places)
    return random.choice(
        [
            label[:place] + label[place + 1] + label[place] + label[place + 2 :],
            label[:place] + label[place + 1 :],
            label[: place + 1] + label[place:],
        ]
    )
