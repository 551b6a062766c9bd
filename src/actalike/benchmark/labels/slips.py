"""Slips of the keyboard: drop, insert or replace a letter, swap two neighbours, change the case of the first letter."""

from collections.abc import Collection

import numpy as np

from actalike.benchmark.seeded_generator import random_words, seed_of

_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_KINDS = 5
_ATTEMPTS = 50  # after so many, all spellings with one slip may be taken: then slips add up


def _beside() -> dict[str, str]:
    """Return the letters beside each letter on a QWERTY keyboard, up to 8."""
    place = {letter: (row, column) for row, letters in enumerate(_ROWS) for column, letter in enumerate(letters)}

    def beside(letter: str, other: str) -> bool:
        return letter != other and all(abs(a - b) < 2 for a, b in zip(place[letter], place[other], strict=True))

    return {letter: "".join(other for other in _LETTERS if beside(letter, other)) for letter in _LETTERS}


BESIDE = _beside()


def slip(label: str, kind: int, place: int, letter: int) -> str:
    """Return a label with one slip; the numbers are random ones of any size. Where a slip is impossible, the label itself.

    >>> [slip("Pay out", kind, 1, 2) for kind in range(5)]
    ['Py out', 'Pcay out', 'Pya out', 'pay out', 'Pwy out']
    """
    kind %= _KINDS
    letters = [i for i, sign in enumerate(label) if sign.isalpha()]
    if kind == 1:
        at = place % (len(label) + 1)
        return label[:at] + _LETTERS[letter % len(_LETTERS)] + label[at:]
    if kind == 2 and len(label) > 1:
        at = place % (len(label) - 1)
        return label[:at] + label[at + 1] + label[at] + label[at + 2 :]
    if not letters or len(label) < 2:
        return label
    if kind == 0:
        at = letters[place % len(letters)]
        return label[:at] + label[at + 1 :]
    if kind == 3:
        at = letters[0]
        return label[:at] + label[at].swapcase() + label[at + 1 :]
    on_keyboard = [i for i in letters if label[i].lower() in BESIDE]
    if kind != 4 or not on_keyboard:
        return label
    at = on_keyboard[place % len(on_keyboard)]
    choices = BESIDE[label[at].lower()]
    chosen = choices[letter % len(choices)]
    return label[:at] + (chosen.upper() if label[at].isupper() else chosen) + label[at + 1 :]


def distorted(label: str, n: int, taken: Collection[str], seed: tuple[str | int, ...]) -> list[str]:
    """Return ``n`` distorted spellings of a label, one for each event; a spelling that is taken by another label is drawn again.

    >>> distorted("Pay", 3, {"Pay"}, ("example",))
    ['Pady', 'Psay', 'aPy']
    """
    spellings = [label] * n
    attempt = 0
    while unfinished := [i for i, spelling in enumerate(spellings) if spelling == label or spelling in taken]:
        words = random_words(seed_of(*seed, attempt), 3 * n).reshape(n, 3)
        for i in unfinished:
            kind, place, letter = (int(word >> np.uint64(11)) for word in words[i])
            spellings[i] = slip(spellings[i] if attempt > _ATTEMPTS else label, kind, place, letter)
        attempt += 1
    return spellings
