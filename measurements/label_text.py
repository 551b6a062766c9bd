"""What the text of labels tells: slips, pollution and unlike steps on real labels, what is flagged, and how long it takes.

    python measurements/label_text.py [LOG ...]

For the labels of each log (default: all in ACTALIKE_LOGS, and the loan desk): the share of FLAWD's five slips that are found (one
slip, ten a label), the similarities of labels with a slip, of labels with an id appended, and of every two real labels; and the
numbers of opposites, slips and families. Then the time for 500 and 5,000 made-up labels. Seeded; CPU seconds.
"""

import os
import random
import string
import sys
import time
from pathlib import Path

import numpy as np

from actalike import datasets
from actalike.demo.loan_desk import loan_desk
from actalike.labels import label_families, opposite_pairs, slip_pairs, text_similarity

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
KEYBOARD = ("1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm")
PLACES = {key: (row, column) for row, keys in enumerate(KEYBOARD) for column, key in enumerate(keys)}
LABELS = 30  # of a log, at most
SLIPS = 10  # labels with a slip, for each label
FOUND = 0.9  # no pair without a slip, pollution or equal words is as similar


def slip_of(label, chance):
    """Return a label with one slip; letters are drawn until the result is another text."""
    while True:
        place = chance.randrange(len(label))
        before, letter, after = label[:place], label[place], label[place + 1 :]
        kind = chance.randrange(5)
        if kind == 0:
            slip = before + after
        elif kind == 1:
            slip = before + chance.choice(string.ascii_lowercase) + letter + after
        elif kind == 2:
            slip = before + after[:1] + letter + after[1:]
        elif kind == 3:
            slip = label[0].swapcase() + label[1:]
        elif letter.lower() in PLACES:
            row, column = PLACES[letter.lower()]
            beside = [key for key, (r, c) in PLACES.items() if 0 < max(abs(r - row), abs(c - column)) < 2]
            slip = before + chance.choice(beside) + after
        else:
            continue
        if slip.strip() and slip != label:
            return slip


def digits_of(label):
    return [character for character in label if character.isdigit()]


def quality(name, labels, chance):
    matrix = text_similarity(labels)
    unlike = matrix[np.triu_indices(len(labels), 1)]
    slipped, with_digits, polluted = [], [], []
    for label in chance.sample(labels, min(len(labels), LABELS)):
        slips = [slip_of(label, chance) for _ in range(SLIPS)]
        changed = [*slips, f"{label}_{chance.randrange(16**6):06x}"]
        similarities = text_similarity([*labels, *changed])[labels.index(label), len(labels) :].tolist()
        polluted.append(similarities.pop())
        for slip, similarity in zip(slips, similarities, strict=True):
            (slipped if digits_of(label) == digits_of(slip) else with_digits).append(similarity)
    shares = [f"{np.mean(np.array(values) >= FOUND):.3f}" if values else "-" for values in (slipped, with_digits, polluted)]
    print(
        f"{name:<28} {len(labels):>4} {shares[0]:>6} {shares[1]:>6} {shares[2]:>6} {np.quantile(unlike, 0.95):>6.2f}"
        f" {unlike.max():>6.2f} {len(opposite_pairs(labels)):>5} {len(slip_pairs(labels).first):>5} {len(label_families(labels)):>5}"
    )


def speed(chance):
    desk = list(loan_desk().activities)
    for n in (500, 5_000):
        inputs = {
            "numbers": [f"Pay by user {number}" for number in range(n)],
            "ids": [f"Check invoice_{chance.randrange(16**6):06x}" for _ in range(n)],
            "names": ["Pay by user " + "".join(chance.choices("aeioubcdlmnrst", k=chance.randint(4, 8))) for _ in range(n)],
            "slips": list(dict.fromkeys(slip_of(chance.choice(desk), chance) for _ in range(5 * n)))[:n],
            "words": [" ".join(chance.choices(desk, k=2)) for _ in range(n)],
        }
        for name, labels in inputs.items():
            seconds = []
            for function in (text_similarity, slip_pairs, opposite_pairs, label_families):
                began = time.process_time()
                function(labels)
                seconds.append(time.process_time() - began)
            print(f"{len(labels):>6,} {name:<8}" + "".join(f" {taken:>8.2f}" for taken in seconds))


def main(names):
    chance = random.Random(16)
    print(f"{'log':<28} {'n':>4} {'slip':>6} {'digit':>6} {'id':>6} {'95 %':>6} {'max':>6} {'opp.':>5} {'slips':>5} {'fam.':>5}")
    quality("loan desk", list(loan_desk().activities), chance)
    for name in names or sorted(path.name.split(".")[0] for path in LOGS.glob("*.gz")):
        quality(name, list(datasets.load(name, LOGS).activities), chance)
    print(f"\nlabels          {'sim.':>8} {'slips':>8} {'opp.':>8} {'fam.':>8}  (CPU s)")
    speed(chance)


if __name__ == "__main__":
    main(sys.argv[1:])
