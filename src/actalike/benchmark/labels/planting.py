"""Plant a defect: rename events by a recipe, and keep everything else of the log."""

from collections.abc import Iterable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.labels.naming import CASES_PER_NAME, NAMINGS, Numbers, Seed, part_of, resource_of
from actalike.benchmark.labels.new_names import names_in_words, neutral_codes
from actalike.benchmark.labels.recipes import LABELS_PER_DRAW, Recipe, recipe
from actalike.benchmark.labels.slips import distorted
from actalike.benchmark.seeded_generator import random_subset, random_words, seed_of
from actalike.errors import ActalikeError
from actalike.log import EventLog

Names = Literal["codes", "words"]
MAX_SLIPS = 10  # distorted events of a label, so that the alphabet does not grow without bound
MAX_POLLUTED = 500  # events of a label with random suffixes: each is a label of its own


class Planted(NamedTuple):
    """Hold a planted log and its truth.

    - ``log``: the log with new labels; cases, timestamps and attributes are those of the old log.
    - ``truth``: for each step that got several names, the names that occur, most frequent first. Each has two or more.
    - ``origin``: the old label of each label of the planted log.
    """

    log: EventLog
    truth: tuple[tuple[str, ...], ...]
    origin: dict[str, str]


def plant(
    log: EventLog, chosen: Recipe | str, seed: int = 0, draw: int = 0, names: Names = "codes", digest: str | None = None
) -> Planted:
    """Plant a defect into a log. Another ``draw`` plants it into other labels, by other chance.

    ``names="codes"`` renames all labels to neutral codes, planted ones and others alike, so that no method can read the answer
    off a name. ``names="words"``, for methods that read labels, keeps the log's own labels; new names are made of its words.
    Defects of spelling always keep them. If you have the log's digest (:func:`actalike.benchmark.log_digest.log_digest`), pass
    it to save time.

    >>> log = EventLog.from_traces([["a", "b"]] * 40)
    >>> planted = plant(log, "syn-case-2", names="words")
    >>> planted.log.n_cases, len(planted.log.activities), sorted(planted.origin.values())
    (40, 4, ['a', 'a', 'b', 'b'])
    """
    chosen = recipe(chosen) if isinstance(chosen, str) else chosen
    eligible = eligible_labels(log, chosen)
    if not len(eligible):
        raise ActalikeError(f"No label of the log can be planted by {chosen.name}: {_needs(chosen)}.")
    base: Seed = ("label-defect", chosen.name, seed, digest or log.digest, draw)
    split = _choose(log, chosen, eligible, base)
    if chosen.in_words:
        codes, labels, origin = _respell(log, chosen, split, base)
    else:
        codes, origin = _rename(log, chosen, split, base)
        if names == "codes":
            labels = neutral_codes(len(origin), (*base, "codes"))
        else:
            new = names_in_words(log.activities, origin[len(log.activities) :], (*base, "words"))
            labels = [*log.activities, *new]
    planted = EventLog(labels, codes, log.offsets, log.case_ids, log.timestamps, attributes=log.attributes)
    return Planted(planted, _truth(labels, codes, origin, split), _origin_of(planted, labels, origin, log))


def with_neutral_codes(log: EventLog, seed: int, digest: str) -> Planted:
    """Plant nothing, and rename all labels to neutral codes: for tasks whose answer is in the labels.

    >>> with_neutral_codes(EventLog.from_traces([["a", "b"]]), 0, "digest").origin
    {'step 001': 'a', 'step 002': 'b'}
    """
    codes = neutral_codes(len(log.activities), ("label-defect", "codes", seed, digest))
    new = dict(zip(log.activities, codes, strict=True))
    return Planted(log.relabel(new.__getitem__), (), {code: label for label, code in new.items()})


def eligible_labels(log: EventLog, chosen: Recipe) -> Numbers:
    """Return the labels that a recipe can be planted into: frequent enough, and with what the recipe needs."""
    n_events, n_cases = log.activity_counts, log.activity_cases
    if chosen.kind == "period" and (log.timestamps is None or np.isnat(log.timestamps).all()):
        return np.empty(0, dtype=np.int64)
    if chosen.share_of_labels is not None:
        return np.arange(len(log.activities))
    n_names = len(chosen.shares) or chosen.suffixes or 2
    is_eligible = n_cases >= CASES_PER_NAME * n_names
    if chosen.kind == "resource":
        is_eligible &= _n_resources(log) >= n_names
    if chosen.share:
        renamed = np.array([part_of(chosen.share, n) for n in n_events.tolist()])
        is_eligible &= renamed > 0
        if chosen.hex_digits:
            is_eligible &= renamed <= MAX_POLLUTED
    if chosen.kind == "distorted":
        is_eligible = renamed > 0
    return np.flatnonzero(is_eligible)


def _needs(chosen: Recipe) -> str:
    if chosen.kind == "period":
        return f"it needs timestamps, and {CASES_PER_NAME} cases for each name"
    if chosen.kind == "resource":
        return f"it needs an attribute that says who did each event, and {CASES_PER_NAME} cases for each name"
    return f"it needs {CASES_PER_NAME} cases for each name, and an event to rename"


def _n_resources(log: EventLog) -> Numbers:
    """Return how many resources do each activity, a missing one counted as one."""
    attribute = resource_of(log)
    if attribute is None:
        return np.zeros(len(log.activities), dtype=np.int64)
    n_values = len(attribute.values) + 1
    pairs = np.unique(log.codes.astype(np.int64) * n_values + attribute.codes + 1)
    return np.bincount(pairs // n_values, minlength=len(log.activities))


def _choose(log: EventLog, chosen: Recipe, eligible: Numbers, base: Seed) -> list[int]:
    if chosen.kind == "distorted":
        return [int(label) for label in eligible]
    n = 1 if chosen.kind == "polluted" else LABELS_PER_DRAW
    if chosen.share_of_labels is not None:
        n = part_of(chosen.share_of_labels, len(log.activities))
    n = min(n, len(eligible))
    return [int(eligible[i]) for i in random_subset(seed_of(*base, "labels"), len(eligible), n)]


def _rename(log: EventLog, chosen: Recipe, split: list[int], base: Seed) -> tuple[NDArray[np.int32], list[int]]:
    """Give each name of a split label but the first a new code; return the codes of all events, and the old label of each."""
    codes, origin = log.codes.copy(), list(range(len(log.activities)))
    n_new = max(len(chosen.shares), 2) - 1
    for label in split:
        events = np.flatnonzero(log.codes == label)
        numbers = NAMINGS[chosen.kind](log, chosen, events, (*base, log.activities[label]))
        codes[events] = np.where(numbers > 0, len(origin) + numbers - 1, label)
        origin += [label] * n_new
    return codes, origin


def _respell(log: EventLog, chosen: Recipe, split: list[int], base: Seed) -> tuple[NDArray[np.int32], list[str], list[int]]:
    """Spell some events of each label differently; return the codes of all events, the labels, and the old label of each."""
    codes, labels, origin = log.codes.copy(), list(log.activities), list(range(len(log.activities)))
    taken = set(labels)
    for label in split:
        text, seed = log.activities[label], (*base, log.activities[label])
        events = np.flatnonzero(log.codes == label)
        n = part_of(chosen.share, len(events))
        if chosen.kind == "distorted":
            n = min(n, MAX_SLIPS)
        renamed = np.sort(events[np.argsort(random_words(seed_of(*seed, "events"), len(events)), kind="stable")[:n]])
        spellings = distorted(text, n, taken, seed) if chosen.kind == "distorted" else _polluted(text, n, chosen, taken, seed)
        number = {}
        for spelling in dict.fromkeys(spellings):
            number[spelling] = len(labels)
            labels.append(spelling)
            origin.append(label)
        taken.update(number)
        codes[renamed] = [number[spelling] for spelling in spellings]
    return codes, labels, origin


def _polluted(text: str, n: int, chosen: Recipe, taken: Iterable[str], seed: Seed) -> list[str]:
    """Return a label with changing text at its end, for each of ``n`` events."""
    occupied = set(taken)
    digits = chosen.hex_digits or 6
    if chosen.suffixes:
        fixed = [f"{word:016x}"[:digits] for word in random_words(seed_of(*seed, "suffixes"), chosen.suffixes).tolist()]
        suffixes = [fixed[word % len(fixed)] for word in random_words(seed_of(*seed, "which"), n).tolist()]
    else:
        suffixes = [f"{word:016x}"[:digits] for word in random_words(seed_of(*seed, "suffixes"), n).tolist()]
    spellings = [f"{text}_{suffix}" for suffix in suffixes]
    return [spelling if spelling not in occupied else f"{spelling}_" for spelling in spellings]


def _truth(labels: list[str], codes: NDArray[np.int32], origin: list[int], split: list[int]) -> tuple[tuple[str, ...], ...]:
    counts = np.bincount(codes, minlength=len(labels))
    members: dict[int, list[int]] = {label: [] for label in split}
    for code, old in enumerate(origin):
        if old in members and counts[code]:
            members[old].append(code)
    groups = [sorted(group, key=lambda code: (-counts[code], labels[code])) for group in members.values()]
    return tuple(tuple(labels[code] for code in group) for group in groups if len(group) > 1)


def _origin_of(planted: EventLog, labels: list[str], origin: list[int], log: EventLog) -> dict[str, str]:
    old = {label: log.activities[code] for label, code in zip(labels, origin, strict=True)}
    return {label: old[label] for label in planted.activities}
