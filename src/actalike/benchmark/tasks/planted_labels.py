"""Planted label defects: one step gets several names, and a method has to find them again.

A recipe says who gets which name: by case, by event, by period, by resource, a small part of the events, slips of the
keyboard, or changing text at the end of the label. *Vocabularies* give several steps other names at once: in one half of the
cases by period or by a column of sites, or in the events of one half of the resources. Nothing else in the log changes, but that
the column of sites is added. All chance comes from
``seed_of("label-defect", recipe, seed, digest of the log, draw, ...)``, so the same call always plants the same log.
"""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.seeded_generator import random_subset, random_words, seed_of
from actalike.errors import ActalikeError, did_you_mean
from actalike.log import Attribute, EventLog

Kind = Literal["case", "event", "period", "resource", "site", "part", "slip", "distorted", "polluted"]
UNEVEN = {2: (0.8, 0.2), 3: (0.6, 0.3, 0.1), 4: (0.55, 0.25, 0.12, 0.08)}
LABELS_PER_DRAW = 2
SLIPS = ("0.2", "0.5", "1", "2", "5", "8")  # % of the events of a label that have one misspelt name
SLIPS_PER_DRAW = 5
SITES = 8  # values of the column that is added for vocabularies by site; half of them have other words
_ADJACENT = "3"
_SPLIT = re.compile(r"syn-(case|event|period|resource)-([2-9])(-uneven)?")
_PART = re.compile(r"syn-part-(\d+(?:\.\d+)?)")
_VOCABULARIES = re.compile(r"voc-(period|resource|site)-(3|8|all)")
_SLIP = re.compile(r"slip-(\d+(?:\.\d+)?)")
_SWIFTMEND = re.compile(r"swiftmend-(\d+)-(\d+(?:\.\d+)?)")
_DISTORTED = re.compile(r"dis-(\d+(?:\.\d+)?)")
_POLLUTED = re.compile(r"pol-(\d+(?:\.\d+)?)-(hex|of)(\d+)")


@dataclass(frozen=True)
class Recipe:
    """Describe a defect: its name, its kind, and the figures of that kind."""

    name: str
    kind: Kind
    shares: tuple[float, ...] = ()  # of the names of one step, the first name's first
    share: float = 0.0  # of the events of a label that get another name (part, slip, distorted, polluted)
    share_of_labels: float | None = None  # None: LABELS_PER_DRAW labels that are frequent enough
    hex_digits: int = 0  # polluted: length of a random suffix
    suffixes: int = 0  # polluted: number of fixed suffixes
    steps: str = ""  # vocabularies: which steps get another name, 3 adjacent ones, 8, or all

    @property
    def in_words(self) -> bool:
        """Return whether all methods get the same names: those of the log, misspelt, or made-up ones that say nothing."""
        return bool(self.steps) or self.kind in ("slip", "distorted", "polluted")


def recipe(name: str) -> Recipe:
    """Return the recipe of a name.

    >>> recipe("syn-case-3-uneven").shares
    (0.6, 0.3, 0.1)
    >>> recipe("pol-30-hex6").hex_digits, recipe("voc-site-8").steps
    (6, '8')
    """
    if found := _SPLIT.fullmatch(name):
        kind, names, uneven = found[1], int(found[2]), found[3]
        if not uneven:
            return Recipe(name, kind, (1 / names,) * names)  # type: ignore[arg-type]
        if names in UNEVEN:
            return Recipe(name, kind, UNEVEN[names])  # type: ignore[arg-type]
    elif found := _PART.fullmatch(name):
        return _with_share(Recipe(name, "part", share=float(found[1]) / 100))
    elif found := _VOCABULARIES.fullmatch(name):
        return Recipe(name, found[1], (0.5, 0.5), steps=found[2])  # type: ignore[arg-type]
    elif found := _SWIFTMEND.fullmatch(name):
        return _with_share(Recipe(name, "part", share=float(found[2]) / 100, share_of_labels=int(found[1]) / 100))
    elif found := _SLIP.fullmatch(name):
        return _with_share(Recipe(name, "slip", share=float(found[1]) / 100))
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
    names += [f"voc-{by}-{steps}" for by in ("site", "period", "resource") for steps in ("3", "8", "all")]
    names += [f"slip-{q}" for q in SLIPS]
    return [*names, "dis-1", "dis-5", *(f"pol-{q}-{suffix}" for q in (30, 100) for suffix in ("hex6", "of3", "of10"))]


RECIPES: tuple[str, ...] = tuple(_listed())


# --- who gets which name ------------------------------------------------------------------------------------------------------


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


def events_of_part(log: EventLog, recipe: Recipe, seed: Seed) -> tuple[NDArray[np.bool_], Attribute | None]:
    """Return which events have the words of the second vocabulary, and the column of sites if the recipe adds it.

    By period the later half of the cases, by their first timestamp; by site the cases of half of the sites, which are drawn; by
    resource the events of one half of the resources.
    """
    if recipe.kind == "resource":
        return by_resource(log, recipe, np.arange(log.n_events), seed) > 0, None
    second = np.zeros(log.n_cases, dtype=bool)
    if recipe.kind == "period":
        order = np.argsort(first_timestamps(log), kind="stable")
        second[order[part_of(0.5, log.n_cases) :]] = True
        return np.repeat(second, log.lengths), None
    sites = (random_words(seed_of(*seed), log.n_cases) % np.uint64(SITES)).astype(np.int32)
    column = Attribute([f"site {number + 1}" for number in range(SITES)], np.repeat(sites, log.lengths))
    return np.repeat(sites >= SITES // 2, log.lengths), column


def renamed_steps(log: EventLog, recipe: Recipe, eligible: Numbers, second: NDArray[np.bool_], seed: Seed) -> list[int]:
    """Return the steps that get another name in the second vocabulary: of those in enough cases with either name.

    Adjacent ones are three different steps that follow each other directly in some case.
    """
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    with_name = [
        np.bincount(
            np.unique(case[part] * len(log.activities) + log.codes[part]) % len(log.activities), minlength=len(log.activities)
        )
        for part in (second, ~second)
    ]
    frequent = eligible[np.minimum(*with_name)[eligible] >= CASES_PER_NAME]
    if recipe.steps != _ADJACENT:
        n = len(frequent) if recipe.steps == "all" else min(int(recipe.steps), len(frequent))
        return [int(frequent[i]) for i in random_subset(seed_of(*seed), len(frequent), n)]
    follow = np.column_stack([log.codes[:-2], log.codes[1:-1], log.codes[2:]])
    is_adjacent = (case[:-2] == case[2:]) & np.isin(follow, frequent).all(axis=1)
    is_adjacent &= (follow != np.roll(follow, 1, axis=1)).all(axis=1)
    places = np.flatnonzero(is_adjacent)
    if not len(places):
        return []
    (word,) = random_words(seed_of(*seed), 1).tolist()
    return sorted(follow[places[word % len(places)]].tolist())


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


# --- planting -----------------------------------------------------------------------------------------------------------------


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
    Defects of spelling always keep them; vocabularies and slips have made-up names of two words. If you have the log's digest,
    pass it to save time.

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
    attributes = log.attributes
    if chosen.steps:
        second, sites = events_of_part(log, chosen, (*base, "parts"))
        attributes = {**attributes, "site": sites} if sites is not None else attributes
        split = renamed_steps(log, chosen, eligible, second, (*base, "labels"))
        codes, origin = _rename_part(log, split, second)
        labels = natural_names(len(origin), base)
    else:
        split = _choose(log, chosen, eligible, base)
        if chosen.kind == "slip":
            codes, labels, origin = _misspell(log, chosen, split, base)
        elif chosen.in_words:
            codes, labels, origin = _respell(log, chosen, split, base)
        else:
            codes, origin = _rename(log, chosen, split, base)
            if names == "codes":
                labels = neutral_codes(len(origin), (*base, "codes"))
            else:
                new = names_in_words(log.activities, origin[len(log.activities) :], (*base, "words"))
                labels = [*log.activities, *new]
    planted = EventLog(labels, codes, log.offsets, log.case_ids, log.timestamps, attributes=attributes)
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
    if chosen.kind in ("slip", "distorted"):
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
    n = {"polluted": 1, "slip": SLIPS_PER_DRAW}.get(chosen.kind, LABELS_PER_DRAW)
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


def _rename_part(log: EventLog, split: list[int], second: NDArray[np.bool_]) -> tuple[NDArray[np.int32], list[int]]:
    """Give each split label a new code in the second part; return the codes of all events, and the old label of each."""
    other = np.arange(len(log.activities), dtype=np.int32)
    other[split] = len(log.activities) + np.arange(len(split))
    return np.where(second, other[log.codes], log.codes), [*range(len(log.activities)), *split]


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


def _misspell(log: EventLog, chosen: Recipe, split: list[int], base: Seed) -> tuple[NDArray[np.int32], list[str], list[int]]:
    """Give all labels natural names, and some events of each split label one misspelt name; return the same."""
    labels = natural_names(len(log.activities), base)
    codes, origin = log.codes.copy(), [*range(len(labels)), *split]
    for label in split:
        events, seed = np.flatnonzero(log.codes == label), (*base, log.activities[label])
        codes[events[by_part(log, chosen, events, seed) > 0]] = len(labels)
        labels += distorted(labels[label], 1, set(labels), seed)
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


# --- new names ----------------------------------------------------------------------------------------------------------------


_WORD = re.compile(r"[^\W_]+")
_NAME_ATTEMPTS = 20


def neutral_codes(n: int, seed: tuple[str | int, ...]) -> list[str]:
    """Return ``n`` codes that say nothing, in random order.

    >>> neutral_codes(3, ("example",))
    ['step 003', 'step 001', 'step 002']
    """
    digits = max(3, len(str(n)))
    order = np.argsort(random_words(seed_of(*seed), n), kind="stable")
    return [f"step {number + 1:0{digits}}" for number in order.tolist()]


_VERBS = (
    "review approve register archive calculate inspect notify schedule forward complete verify transfer prepare cancel publish"
)
_NOUNS = (
    "invoice contract shipment budget customer building meeting document hearing deposit warranty passport inventory complaint"
    " dossier laboratory subsidy voucher machine pension"
)


def natural_names(n: int, seed: Seed) -> list[str]:
    """Return ``n`` names of two words, which differ in many letters; if all are used up, a third word tells them apart.

    >>> natural_names(2, ("example",))
    ['Archive budget', 'Notify machine']
    """
    nouns = _NOUNS.split()
    pairs = [f"{verb.capitalize()} {noun}" for verb in _VERBS.split() for noun in nouns]
    order = np.argsort(random_words(seed_of(*seed, "natural"), len(pairs)), kind="stable").tolist()
    return [pairs[order[i % len(pairs)]] + (f" of {nouns[i // len(pairs)]}" if i >= len(pairs) else "") for i in range(n)]


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
            gaps = _WORD.split(labels[layout % len(labels)] + " x" * (attempt // _NAME_ATTEMPTS))
            drawn = random_words(seed_of(*seed, number, attempt), len(gaps) - 1).tolist()
            name = gaps[0] + "".join(vocabulary[word % len(vocabulary)] + gap for word, gap in zip(drawn, gaps[1:], strict=True))
            attempt += 1
        taken.add(name)
        names.append(name)
    return names


# --- slips of the keyboard ----------------------------------------------------------------------------------------------------


_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SLIP_KINDS = 5
_SLIP_ATTEMPTS = 50  # after so many, all spellings with one slip may be taken: then slips add up


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
    kind %= _SLIP_KINDS
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
            spellings[i] = slip(spellings[i] if attempt > _SLIP_ATTEMPTS else label, kind, place, letter)
        attempt += 1
    return spellings
