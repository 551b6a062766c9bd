"""Who gets which name: for each event of a label, the number of the name that a recipe gives it."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.labels.recipes import Recipe
from actalike.benchmark.seeded_generator import random_words, seed_of
from actalike.errors import ActalikeError
from actalike.log import Attribute, EventLog

Numbers = NDArray[np.int64]
Seed = tuple[str | int, ...]
Naming = Callable[[EventLog, Recipe, Numbers, Seed], Numbers]  # takes the events of a label; returns their names' numbers

CASES_PER_NAME = 10  # a label is split if it is in so many cases for each of its names
USABLE_RESOURCES = 5  # fewer values say nothing of who did it
_WORDS = 2.0**64


def resource_of(log: EventLog) -> Attribute | None:
    """Return the attribute that says who did each event; None if there is none with enough values."""
    people = log.people()
    persons = [attribute for name, attribute in people.items() if "resource" in name.lower()]  # before roles and organisations
    attribute = next(iter([*persons, *people.values()]), None)
    return attribute if attribute is not None and len(attribute.values) >= USABLE_RESOURCES else None


def by_case(log: EventLog, recipe: Recipe, events: Numbers, seed: Seed) -> Numbers:
    """Draw a name for each case; all events of the label in that case have it."""
    words = random_words(seed_of(*seed), log.n_cases)
    return _by_chance(words, recipe)[_cases_of(log, events)]


def by_event(log: EventLog, recipe: Recipe, events: Numbers, seed: Seed) -> Numbers:
    """Draw a name for each event."""
    return _by_chance(random_words(seed_of(*seed), len(events)), recipe)


def by_period(log: EventLog, recipe: Recipe, events: Numbers, seed: Seed) -> Numbers:
    """Sort the cases with the label by their first timestamp, and cut them at the cumulated shares: a name for each period."""
    starts = first_timestamps(log)
    cases, place = np.unique(_cases_of(log, events), return_inverse=True)
    order = np.argsort(starts[cases], kind="stable")  # cases without a timestamp come last
    cuts = np.floor(np.cumsum(recipe.shares)[:-1] * len(cases) + 0.5)
    periods = np.empty(len(cases), dtype=np.int64)
    periods[order] = np.searchsorted(cuts, np.arange(len(cases)), side="right")
    return periods[place]


def by_resource(log: EventLog, recipe: Recipe, events: Numbers, seed: Seed) -> Numbers:
    """Give each resource, in random order, to the name that is farthest below its share of the events; missing is a resource."""
    attribute = resource_of(log)
    if attribute is None:
        raise ActalikeError(f"The log has no attribute that says who did each event, so {recipe.name} cannot be planted.")
    resources, place, counts = np.unique(attribute.codes[events], return_inverse=True, return_counts=True)
    wanted = np.array(recipe.shares) * len(events)
    names = np.empty(len(resources), dtype=np.int64)
    for resource in np.argsort(random_words(seed_of(*seed), len(resources)), kind="stable").tolist():
        names[resource] = np.argmax(wanted.round(9))
        wanted[names[resource]] -= counts[resource]
    return names[place]


def by_part(log: EventLog, recipe: Recipe, events: Numbers, seed: Seed) -> Numbers:
    """Give the second name to an exact share of the events, chosen at random."""
    names = np.zeros(len(events), dtype=np.int64)
    names[np.argsort(random_words(seed_of(*seed), len(events)), kind="stable")[: part_of(recipe.share, len(events))]] = 1
    return names


NAMINGS: dict[str, Naming] = {
    "case": by_case,
    "event": by_event,
    "period": by_period,
    "resource": by_resource,
    "part": by_part,
}


def part_of(share: float, n: int) -> int:
    """Return a share of ``n`` as a whole number, halves rounded up.

    >>> part_of(0.3, 5), part_of(0.01, 49)
    (2, 0)
    """
    return int(np.floor(round(share * n, 9) + 0.5))


def first_timestamps(log: EventLog) -> NDArray[np.datetime64]:
    """Return the earliest timestamp of each case; NaT if it has none."""
    if log.timestamps is None:
        raise ActalikeError("The log has no timestamps, so it has no periods.")
    starts = np.full(log.n_cases, np.datetime64("NaT", "us"))
    filled = np.flatnonzero(log.lengths)
    starts[filled] = np.fmin.reduceat(log.timestamps, log.offsets[filled])
    return starts


def _by_chance(words: NDArray[np.uint64], recipe: Recipe) -> Numbers:
    """Return the first name whose cumulated share exceeds the random number."""
    numbers = np.searchsorted(np.cumsum(recipe.shares), words.astype(np.float64) / _WORDS, side="right")
    return np.minimum(numbers, len(recipe.shares) - 1)


def _cases_of(log: EventLog, events: Numbers) -> Numbers:
    """Return the case of each event."""
    return np.searchsorted(log.offsets, events, side="right") - 1
