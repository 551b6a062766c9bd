"""What a method's name tells of it: its family, and its window."""

import re
from typing import NamedTuple

_FAMILIES = {
    "ac-": "activity x context",
    "aa-": "activity x activity",
    "positional-": "positional",
    "act2vec-": "act2vec",
    "autoencoder": "autoencoder",
    "process-structure": "process structure",
}


class NameParts(NamedTuple):
    """The family of a method: its kind, without context, weighting and window; and its window, if it has one."""

    family: str
    window: int | None


def name_parts(method: str) -> NameParts:
    """Take a method's name apart.

    >>> name_parts("aa-sequence-pmi-w3")
    NameParts(family='activity x activity', window=3)
    >>> name_parts("kin-w5+svd8"), name_parts("one-hot")
    (NameParts(family='kin', window=5), NameParts(family='one-hot', window=None))
    """
    match = re.fullmatch(r"(.*?)-(?:w|span)(\d+)((?:\+.*)?)", method)
    stem, window = (match[1], int(match[2])) if match else (method, None)
    for beginning, family in _FAMILIES.items():
        if method.startswith(beginning):
            return NameParts(family, window)
    return NameParts(stem, window)


def by_number(name: str) -> str:
    """What a name is sorted by: w9 before w11.

    >>> sorted(["kin-w11", "kin-w9"], key=by_number)
    ['kin-w9', 'kin-w11']
    """
    return re.sub(r"\d+", lambda number: number[0].zfill(9), name)
