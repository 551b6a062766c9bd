"""Names for the labels of a planted log: neutral codes for all of them, or new names in the log's own words."""

import re
from collections.abc import Sequence

import numpy as np

from actalike.benchmark.seeded_generator import random_words, seed_of

_WORD = re.compile(r"[^\W_]+")
_ATTEMPTS = 20


def neutral_codes(n: int, seed: tuple[str | int, ...]) -> list[str]:
    """Return ``n`` codes that say nothing, in random order.

    >>> neutral_codes(3, ("example",))
    ['step 003', 'step 001', 'step 002']
    """
    digits = max(3, len(str(n)))
    order = np.argsort(random_words(seed_of(*seed), n), kind="stable")
    return [f"step {number + 1:0{digits}}" for number in order.tolist()]


def names_in_words(labels: Sequence[str], originals: Sequence[int], seed: tuple[str | int, ...]) -> list[str]:
    """Return a new name for each of some labels (given by their numbers), made of words of all labels.

    A new name has the layout of a random label, filled with random words that the old label does not have. So it looks like any
    other label, and tells nothing of the old one, or of other new names for it. A name that is taken is drawn again; if the
    vocabulary is used up, names get longer.

    >>> names_in_words(["pay bill", "send letter"], [0, 0], ("example",))
    ['letter letter', 'letter send']
    """
    words = {word for label in labels for word in _WORD.findall(label)}
    taken = set(labels)
    names = []
    for number, original in enumerate(originals):
        vocabulary = sorted(words.difference(_WORD.findall(labels[original]))) or ["x"]
        attempt, name = 0, labels[original]
        while name in taken:
            (layout,) = random_words(seed_of(*seed, number, attempt, "layout"), 1).tolist()
            gaps = _WORD.split(labels[layout % len(labels)] + " x" * (attempt // _ATTEMPTS))
            drawn = random_words(seed_of(*seed, number, attempt), len(gaps) - 1).tolist()
            name = gaps[0] + "".join(vocabulary[word % len(vocabulary)] + gap for word, gap in zip(drawn, gaps[1:], strict=True))
            attempt += 1
        taken.add(name)
        names.append(name)
    return names
