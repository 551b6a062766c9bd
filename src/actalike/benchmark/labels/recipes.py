"""Recipes of planted label defects: one step gets several names, and a method has to find them again.

A recipe says who gets which name: by case, by event, by period, by resource, a small part of the events, slips of the keyboard,
or changing text at the end of the label. Nothing else in the log changes. All chance comes from
``seed_of("label-defect", recipe, seed, digest of the log, draw, ...)``, so the same call always plants the same log.
"""

import fnmatch
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from actalike.errors import ActalikeError, did_you_mean

Kind = Literal["case", "event", "period", "resource", "part", "distorted", "polluted"]
UNEVEN = {2: (0.8, 0.2), 3: (0.6, 0.3, 0.1), 4: (0.55, 0.25, 0.12, 0.08)}
LABELS_PER_DRAW = 2
_SPLIT = re.compile(r"syn-(case|event|period|resource)-([2-9])(-uneven)?")
_PART = re.compile(r"syn-part-(\d+(?:\.\d+)?)")
_SWIFTMEND = re.compile(r"swiftmend-(\d+)-(\d+(?:\.\d+)?)")
_DISTORTED = re.compile(r"dis-(\d+(?:\.\d+)?)")
_POLLUTED = re.compile(r"pol-(\d+(?:\.\d+)?)-(hex|of)(\d+)")


@dataclass(frozen=True)
class Recipe:
    """Describe a defect: its name, its kind, and the figures of that kind."""

    name: str
    kind: Kind
    shares: tuple[float, ...] = ()  # of the names of one step, the first name's first
    share: float = 0.0  # of the events of a label that get another name (part, distorted, polluted)
    share_of_labels: float | None = None  # None: LABELS_PER_DRAW labels that are frequent enough
    hex_digits: int = 0  # polluted: length of a random suffix
    suffixes: int = 0  # polluted: number of fixed suffixes

    @property
    def family(self) -> str:
        """Return the heading of tables: recipes that differ only in shares and numbers of names have the same."""
        return {"distorted": "dis", "polluted": "pol"}.get(self.kind, f"syn-{self.kind}")

    @property
    def in_words(self) -> bool:
        """Return whether the defect is one of spelling, so that the log keeps its own labels for all methods."""
        return self.kind in ("distorted", "polluted")


def recipe(name: str) -> Recipe:
    """Return the recipe of a name.

    >>> recipe("syn-case-3-uneven").shares
    (0.6, 0.3, 0.1)
    >>> recipe("pol-30-hex6")
    Recipe(name='pol-30-hex6', kind='polluted', shares=(), share=0.3, share_of_labels=None, hex_digits=6, suffixes=0)
    """
    if found := _SPLIT.fullmatch(name):
        kind, names, uneven = found[1], int(found[2]), found[3]
        if not uneven:
            return Recipe(name, kind, (1 / names,) * names)  # type: ignore[arg-type]
        if names in UNEVEN:
            return Recipe(name, kind, UNEVEN[names])  # type: ignore[arg-type]
    elif found := _PART.fullmatch(name):
        return _with_share(Recipe(name, "part", share=float(found[1]) / 100))
    elif found := _SWIFTMEND.fullmatch(name):
        return _with_share(Recipe(name, "part", share=float(found[2]) / 100, share_of_labels=int(found[1]) / 100))
    elif found := _DISTORTED.fullmatch(name):
        return _with_share(Recipe(name, "distorted", share=float(found[1]) / 100))
    elif found := _POLLUTED.fullmatch(name):
        size = int(found[3])
        if 1 <= size <= 16 and found[2] == "hex":
            return _with_share(Recipe(name, "polluted", share=float(found[1]) / 100, hex_digits=size))
        if 1 <= size <= 1000 and found[2] == "of":
            return _with_share(Recipe(name, "polluted", share=float(found[1]) / 100, suffixes=size))
    raise ActalikeError(
        f"No recipe is called {name!r}.{did_you_mean(name, RECIPES)} Examples: syn-case-2, syn-period-4-uneven, syn-part-10, "
        "dis-5, pol-30-hex6."
    )


def _with_share(described: Recipe) -> Recipe:
    labels = 1 if described.share_of_labels is None else described.share_of_labels
    if not (0 < described.share <= 1 and 0 < labels <= 1):
        raise ActalikeError(f"The recipe {described.name!r} has a share that is not above 0 % and at most 100 %.")
    return described


def _listed() -> list[str]:
    """Return the recipes that a benchmark runs if none are named."""
    ways = ("case", "event", "period")
    names = [f"syn-{way}-{w}{end}" for way in ways for w in (2, 3, 4) for end in ("", "-uneven")]
    names += [f"syn-{way}-5" for way in ways]
    names += ["syn-resource-2", "syn-resource-3", *(f"syn-part-{q}" for q in (1, 3, 10, 30))]
    return [*names, "dis-1", "dis-5", *(f"pol-{q}-{suffix}" for q in (30, 100) for suffix in ("hex6", "of3", "of10"))]


RECIPES: tuple[str, ...] = tuple(_listed())


def find_recipes(patterns: Sequence[str] | None) -> list[Recipe]:
    """Return the recipes that some names and wildcards stand for; without any, all of ``RECIPES``.

    >>> [found.name for found in find_recipes(["syn-resource-*", "swiftmend-40-30"])]
    ['syn-resource-2', 'syn-resource-3', 'swiftmend-40-30']
    """
    names: dict[str, None] = dict.fromkeys(RECIPES if patterns is None else ())
    for pattern in patterns or ():
        matches = fnmatch.filter(RECIPES, pattern) if any(sign in pattern for sign in "*?[") else [pattern]
        if not matches:
            raise ActalikeError(f"No recipe matches {pattern!r}. There are {', '.join(RECIPES)}.")
        names |= dict.fromkeys(matches)
    return [recipe(name) for name in names]
