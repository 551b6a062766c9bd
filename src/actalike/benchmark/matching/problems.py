"""Make one problem of a pair of logs: rename everything, plant what the task wants, tell what is known, keep the truth.

Both alphabets get neutral codes in random order, apart for the two logs. Matchers that read labels get words instead: the labels
of the logs, or the English names of codes. Names that repeat get a number, in random order.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

import numpy as np

from actalike.benchmark.labels.new_names import neutral_codes
from actalike.benchmark.matching.halves import Halves, halves_by_cases
from actalike.benchmark.matching.log_pairs import LogPair
from actalike.benchmark.matching.tasks import TASKS
from actalike.benchmark.matching.truth import Pairs, one_to_one, same_labels, true_pairs
from actalike.benchmark.seeded_generator import random_subset, random_words, seed_of
from actalike.errors import ActalikeError
from actalike.log import EventLog, events_of

Names = Literal["codes", "words"]
Seed = tuple[str | int, ...]
ENOUGH_CASES = 5  # in which a label must be, in both logs, to count as frequent enough


class Problem(NamedTuple):
    """Hold two logs as a matcher is given them, what it is told, and the truth, all in the names of these logs."""

    log_a: EventLog
    log_b: EventLog
    known: dict[str, str]
    true: Pairs


def make_problem(pair: LogPair, task: str, seed: int = 0, draw: int = 0, names: Names = "codes") -> Problem:
    """Make a problem. Another ``draw`` is another one, where chance plays a part."""
    base: Seed = ("matching", task, seed, draw, pair.digest)
    what = TASKS[task]
    if pair.log_b is None:
        log_a, log_b = halves_by_cases(pair.log_a, seed + draw)
        true = same_labels(log_a.activities, log_b.activities)
    else:
        log_a, log_b = pair.log_a, pair.log_b
        true = true_pairs(log_a.activities, log_b.activities)
    if what.deleted:
        log_b, true = _delete(Halves(log_a, log_b), true, what.deleted, base)
    if what.split:
        log_b, true = _split(log_b, true, what.split, base)
    known = choose_known(log_a, log_b, one_to_one(true), what.known, what.frequent, base)
    naming: Seed = ("matching", seed, draw if pair.log_b is None else 0, pair.digest)  # the same for all tasks
    new_a, new_b = (
        _new_names(log, texts, names, (*naming, side))
        for log, texts, side in ((log_a, pair.texts_a, "a"), (log_b, pair.texts_b, "b"))
    )
    return Problem(
        log_a.relabel(new_a.__getitem__),
        log_b.relabel(new_b.__getitem__),
        {new_a[a]: new_b[b] for a, b in known},
        tuple((new_a[a], new_b[b]) for a, b in true),
    )


def choose_known(log_a: EventLog, log_b: EventLog, pairs: Pairs, share: float, frequent: bool, base: Seed) -> Pairs:
    """Return the share of the pairs that is told, rounded up, but never all: at random, or the most frequent in both logs."""
    n = min(math.ceil(share * len(pairs) - 1e-9), len(pairs) - 1)
    if n <= 0:
        return ()
    if not frequent:
        return tuple(pairs[i] for i in random_subset(seed_of(*base, "known"), len(pairs), n))
    of_a, of_b = (dict(zip(log.activities, (log.activity_counts / log.n_events).tolist(), strict=True)) for log in (log_a, log_b))
    return tuple(sorted(pairs, key=lambda pair: (-of_a[pair[0]] - of_b[pair[1]], pair))[:n])


def frequent_pairs(log_a: EventLog, log_b: EventLog, pairs: Pairs) -> Pairs:
    """Return the pairs whose labels are in enough cases of both logs."""
    cases_a, cases_b = (dict(zip(log.activities, log.activity_cases.tolist(), strict=True)) for log in (log_a, log_b))
    return tuple((a, b) for a, b in pairs if min(cases_a[a], cases_b[b]) >= ENOUGH_CASES)


def _drawn(pairs: Pairs, share: float, base: Seed) -> Pairs:
    """Draw a share of some pairs, rounded up, but never all."""
    n = min(math.ceil(share * len(pairs) - 1e-9), len(pairs) - 1)
    return tuple(pairs[i] for i in random_subset(seed_of(*base), len(pairs), max(n, 0)))


def _delete(logs: Halves, true: Pairs, share: float, base: Seed) -> tuple[EventLog, Pairs]:
    """Delete labels from the second log, with their events, and cases that have no other; return the log and the new truth."""
    log = logs.second
    chosen = {b for _, b in _drawn(frequent_pairs(*logs, true), share, (*base, "deleted"))}
    kept = np.array([label not in chosen for label in log.activities])[log.codes]
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    cases = np.bincount(case[kept], minlength=log.n_cases) > 0
    if not cases.any():
        raise ActalikeError("The log has too few labels to delete some: no event is left.")
    rest = events_of(log, kept, cases)
    left = set(rest.activities)
    return rest, tuple((a, b) for a, b in true if b in left)


def _split(log: EventLog, true: Pairs, share: float, base: Seed) -> tuple[EventLog, Pairs]:
    """Give labels of the second log a second name in some cases, by a coin; return the log and the new truth."""
    cases = dict(zip(log.activities, log.activity_cases.tolist(), strict=True))
    eligible = tuple((a, b) for a, b in true if cases[b] >= 2 * ENOUGH_CASES)
    chosen = {b for _, b in _drawn(eligible, share, (*base, "split"))}
    codes, labels = log.codes.copy(), list(log.activities)
    of_case = np.repeat(np.arange(log.n_cases), log.lengths)
    second_name: dict[str, str] = {}
    for place, label in enumerate(log.activities):
        if label in chosen:
            coins = random_words(seed_of(*base, "coins", label), log.n_cases) >> np.uint64(63) == 1
            codes[(log.codes == place) & coins[of_case]] = len(labels)
            second_name[label] = _unused(f"{label} (2)", labels)
            labels.append(second_name[label])
    split = EventLog(labels, codes, log.offsets, log.case_ids)
    there = set(split.activities)
    pairs = [*true, *((a, second_name[b]) for a, b in true if b in second_name)]
    return split, tuple(sorted((a, b) for a, b in pairs if b in there))


def _unused(label: str, taken: Sequence[str]) -> str:
    while label in taken:
        label += "'"
    return label


def _new_names(log: EventLog, texts: Mapping[str, str], names: Names, seed: Seed) -> dict[str, str]:
    labels = log.activities
    if names == "codes":
        return dict(zip(labels, neutral_codes(len(labels), seed), strict=True))
    order = [labels[i] for i in np.argsort(random_words(seed_of(*seed, "numbers"), len(labels)), kind="stable").tolist()]
    new: dict[str, str] = {}
    taken: set[str] = set()
    for label in order:
        text, number = texts.get(label, label), 1
        new[label] = text
        while new[label] in taken:
            number += 1
            new[label] = f"{text} ({number})"
        taken.add(new[label])
    return new
