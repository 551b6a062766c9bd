"""Problems of matching: pairs of logs whose partners are known, what is hidden, told and planted, and the truth.

True partners are told by what experts wrote into the labels. BPIC15's municipalities share one scheme of codes
(``01_HOOFD_010``), so the same code is the same step. The labels of BPIC20 are a document, a verb and a role (``Declaration
APPROVED by BUDGET OWNER``). If two of its logs treat a document in common, the same label is the same step. Otherwise the
same *residue* is: the label without its document. Two halves of one log, by cases or by time, have the same labels.

Both alphabets get neutral codes in random order, apart for the two logs. Matchers that read labels get words instead: the
labels of the logs, or the English names of codes. Names that repeat get a number, in random order.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.logs import LogFiles
from actalike.benchmark.record import Warn, no_warning
from actalike.benchmark.results import log_family
from actalike.benchmark.seeded_generator import random_subset, random_words, seed_of
from actalike.benchmark.tasks.known_labels import NAME_ATTRIBUTE, document_of, most_frequent_names, subprocess_of
from actalike.benchmark.tasks.planted_labels import neutral_codes
from actalike.errors import ActalikeError, LogError
from actalike.log import EventLog, case_beginnings, cases_of, events_of

Pairs = tuple[tuple[str, str], ...]  # a label of the first log, and one of the second that is the same step
Scheme = Literal["codes", "vocabulary"]

_MOST = 0.9  # the share of a log's labels that must be codes
_SHARED_EVENTS = 0.5  # of the smaller log: from here on, two logs are two views of one


def scheme_of(labels: Sequence[str]) -> Scheme | None:
    """Return in which scheme the labels of a log are written: BPIC15's codes, BPIC20's vocabulary, or neither.

    >>> scheme_of(["01_HOOFD_010", "02_DRZ_010"]), scheme_of(["Permit REJECTED by MISSING", "Start trip"]), scheme_of(["Pay"])
    ('codes', 'vocabulary', None)
    """
    if np.mean([subprocess_of(label) is not None for label in labels]) >= _MOST:
        return "codes"
    return "vocabulary" if any(document_of(label) for label in labels) else None


def residue_of(label: str) -> str:
    """Return a label of BPIC20 without the document that it is about.

    >>> residue_of("Request For Payment SUBMITTED by EMPLOYEE"), residue_of("Request Payment")
    ('SUBMITTED by EMPLOYEE', 'Request Payment')
    """
    document = document_of(label)
    return label if document is None else label.removeprefix(f"{document} ")


def true_pairs(labels_a: Sequence[str], labels_b: Sequence[str]) -> Pairs:
    """Return all pairs of labels of two logs in the same scheme that are the same step, in order; a label may have several.

    >>> true_pairs(["Declaration REJECTED by MISSING"], ["Permit REJECTED by MISSING", "Start trip"])
    (('Declaration REJECTED by MISSING', 'Permit REJECTED by MISSING'),)
    """
    documents_a, documents_b = ({document_of(label) for label in labels} - {None} for labels in (labels_a, labels_b))
    if scheme_of(labels_a) == "vocabulary" and not documents_a & documents_b:
        return _equal_pairs(labels_a, labels_b, [residue_of(a) for a in labels_a], [residue_of(b) for b in labels_b])
    return _equal_pairs(labels_a, labels_b, labels_a, labels_b)


def same_labels(labels_a: Sequence[str], labels_b: Sequence[str]) -> Pairs:
    """Return the labels that two logs have in common, each as a pair: the truth of two halves of one log.

    >>> same_labels(["a", "b"], ["b", "c"])
    (('b', 'b'),)
    """
    return _equal_pairs(labels_a, labels_b, labels_a, labels_b)


def _equal_pairs(labels_a: Sequence[str], labels_b: Sequence[str], keys_a: Sequence[str], keys_b: Sequence[str]) -> Pairs:
    partners: dict[str, list[str]] = {}
    for b, key in zip(labels_b, keys_b, strict=True):
        partners.setdefault(key, []).append(b)
    return tuple(sorted((a, b) for a, key in zip(labels_a, keys_a, strict=True) for b in partners.get(key, ())))


def one_to_one(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """Return the pairs whose two labels have no other partner.

    >>> one_to_one([("a", "x"), ("a", "y"), ("b", "z")])
    (('b', 'z'),)
    """
    pairs = tuple(pairs)
    of_a, of_b = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    return tuple((a, b) for a, b in pairs if of_a[a] == of_b[b] == 1)


def partner_mask(labels_a: Sequence[str], labels_b: Sequence[str], pairs: Iterable[tuple[str, str]]) -> NDArray[np.bool_]:
    """Return which label of the first log (row) is which of the second (column).

    >>> partner_mask(["a", "b"], ["x", "y"], [("b", "x")]).astype(int).tolist()
    [[0, 0], [1, 0]]
    """
    place_a, place_b = ({label: i for i, label in enumerate(labels)} for labels in (labels_a, labels_b))
    mask = np.zeros((len(labels_a), len(labels_b)), dtype=bool)
    for a, b in pairs:
        mask[place_a[a], place_b[b]] = True
    return mask


def are_independent(log_a: EventLog, log_b: EventLog) -> bool:
    """Return whether two logs record different events; two views of the same events would be matched by their numbers alone.

    Events are taken for the same if label and timestamp are equal. Logs without timestamps are taken for independent.

    >>> log = EventLog(["a"], [0], [0, 1], ["1"], np.array(["2020-01-01"], dtype="datetime64[us]"))
    >>> are_independent(log, log)
    False
    """
    if log_a.timestamps is None or log_b.timestamps is None:
        return True
    events_a, events_b = (Counter(_events(log)) for log in (log_a, log_b))
    return sum((events_a & events_b).values()) < _SHARED_EVENTS * min(log_a.n_events, log_b.n_events)


def _events(log: EventLog) -> Iterable[tuple[str, int]]:
    assert log.timestamps is not None
    return zip((log.activities[code] for code in log.codes.tolist()), log.timestamps.astype(np.int64).tolist(), strict=True)


class Halves(NamedTuple):
    """Hold the two halves of a log."""

    first: EventLog
    second: EventLog


def halves_by_cases(log: EventLog, seed: int = 0) -> Halves:
    """Put each case of a log into one of two halves, by a coin.

    Another seed throws other coins.

    >>> halves = halves_by_cases(EventLog.from_traces([["a", "b"]] * 10))
    >>> halves.first.n_cases + halves.second.n_cases
    10
    """
    coins = random_words(seed_of("halves", seed, log.digest), log.n_cases) >> np.uint64(63)
    return _halves(log, coins == 0)


def halves_by_time(log: EventLog) -> Halves:
    """Put the cases that began first into the first half, and the others into the second; equal beginnings go by file order.

    The first half has one case less if their number is odd. Cases without a timestamp count as the last.

    >>> times = np.array(["2020-01-02", "2020-01-01"], dtype="datetime64[us]")
    >>> halves_by_time(EventLog(["a", "b"], [0, 1], [0, 1, 2], ["1", "2"], times)).first.activities
    ['b']
    """
    if not has_times(log):
        raise ActalikeError("The log has no timestamps, so it cannot be halved by time.")
    is_first = np.zeros(log.n_cases, dtype=bool)
    is_first[np.argsort(case_beginnings(log), kind="stable")[: log.n_cases // 2]] = True
    return _halves(log, is_first)


def has_times(log: EventLog) -> bool:
    """Return whether a log has timestamps."""
    return log.timestamps is not None and not bool(np.isnat(log.timestamps).all())


def _halves(log: EventLog, is_first: NDArray[np.bool_]) -> Halves:
    if not log.lengths[is_first].any() or not log.lengths[~is_first].any():
        raise ActalikeError("The log has too few cases to be halved: one half has no event.")
    return Halves(cases_of(log, is_first), cases_of(log, ~is_first))


# --- which logs are matched ---------------------------------------------------------------------------------------------------


Kind = Literal["codes", "vocabulary", "time", "cases"]
KINDS: tuple[Kind, ...] = get_args(Kind)
TIME: Kind = "time"
CASES: Kind = "cases"
FEWEST = 7  # labels in common: with fewer, partners are too easy to find by chance


@dataclass(frozen=True)
class NamedLog:
    """Hold a log with its timestamps, and what its labels mean in English if they are codes."""

    log: EventLog
    texts: Mapping[str, str]

    @classmethod
    def of_file(cls, files: LogFiles, name: str) -> "NamedLog":
        """Read a log."""
        log = files(name)
        return cls(log, _english_names(files, name) if scheme_of(log.activities) == "codes" else {})


def _english_names(files: LogFiles, name: str) -> dict[str, str]:
    try:
        log = files(name, [NAME_ATTRIBUTE])
    except LogError:
        return {}
    names = zip(log.activities, most_frequent_names(log), strict=True)
    return {label: text for label, text in names if text is not None}


@dataclass(frozen=True)
class LogPair:
    """Hold two logs without timestamps, or one that is halved by cases anew for each draw (``log_b`` is None).

    ``kind`` says where the truth comes from. Pairs of one ``family`` of logs are much alike, and count as one in means.
    ``texts_a`` and ``texts_b`` say what labels mean that are codes.
    """

    name: str
    kind: Kind
    log_a: EventLog
    log_b: EventLog | None
    texts_a: Mapping[str, str]
    texts_b: Mapping[str, str]

    @property
    def family(self) -> str:
        """Return the family of its logs."""
        return log_family(self.name.partition("~")[0])

    @property
    def digest(self) -> str:
        """Return a fingerprint of the logs and of what is done with them."""
        logs = [self.log_a.digest, "" if self.log_b is None else self.log_b.digest]
        return hashlib.sha256("\x1f".join([self.kind, *logs]).encode()).hexdigest()

    def facts(self) -> dict[str, Any]:
        """Return what a folder of results notes of the pair: figures of both logs together."""
        logs = [log for log in (self.log_a, self.log_b) if log is not None]
        cases = sum(log.n_cases for log in logs)
        return {
            "kind": self.kind,
            "family": self.family,
            "cases": cases,
            "events": sum(log.n_events for log in logs),
            "activities": max(len(log.activities) for log in logs),
            "variants_per_case": sum(log.n_variants for log in logs) / cases,
        }


def find_pairs(logs: Mapping[str, NamedLog], kinds: Sequence[Kind] = KINDS, warn: Warn = no_warning) -> list[LogPair]:
    """Return all pairs of some kinds that the logs have; ``warn`` is told which two logs are views of the same events."""
    pairs = []
    for (name_a, a), (name_b, b) in combinations(logs.items(), 2):
        scheme = scheme_of(a.log.activities)
        if scheme is None or scheme not in kinds or scheme_of(b.log.activities) != scheme:
            continue
        if not are_independent(a.log, b.log):
            warn(f"{name_a} and {name_b} are not matched with each other: they record the same events.")
        elif len(true_pairs(a.log.activities, b.log.activities)) >= FEWEST:
            pairs.append(LogPair(f"{name_a}~{name_b}", scheme, _bare(a.log), _bare(b.log), a.texts, b.texts))
    for name, one in logs.items():
        if TIME in kinds and has_times(one.log) and one.log.n_cases > 1:
            first, second = halves_by_time(one.log)
            if len(same_labels(first.activities, second.activities)) >= FEWEST:
                pairs.append(LogPair(f"{name}~by-time", TIME, _bare(first), _bare(second), {}, {}))
        if CASES in kinds and len(one.log.activities) >= FEWEST:
            pairs.append(LogPair(f"{name}~by-cases", CASES, _bare(one.log), None, {}, {}))
    names = [pair.name for pair in pairs]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise ActalikeError(f"Two pairs of logs would be called {repeated!r}: rename a log, so that its name has no '~'.")
    return pairs


def _bare(log: EventLog) -> EventLog:
    """Return a log without case ids, timestamps and attributes, so that nothing but order is given to anybody."""
    return EventLog(log.activities, log.codes, log.offsets, [""] * log.n_cases)


# --- what is known and planted ------------------------------------------------------------------------------------------------


class Task(NamedTuple):
    """Say what is done to a pair of logs before it is matched; all shares are of the true pairs."""

    known: float = 0.0  # share of the pairs that are told beforehand, drawn at random
    frequent: bool = False  # the most frequent ones are told instead
    split: float = 0.0  # share of the labels of B that get two names, by case
    deleted: float = 0.0  # share of the labels of A that are deleted from B, with their events


NOTHING_KNOWN = "known-0"
_KNOWN = {f"known-{percent}": Task(known=percent / 100) for percent in (0, 5, 10, 20)}
_FREQUENT = {f"frequent-{percent}": Task(known=percent / 100, frequent=True) for percent in (5, 10, 20)}
_PLANTED = {
    **{f"renamed-{percent}": Task(known=1 - percent / 100) for percent in (50, 30, 10)},
    "split": Task(split=0.1),
    "split-known-70": Task(split=0.1, known=0.7),
    "deleted-10": Task(deleted=0.1),
    "deleted-30": Task(deleted=0.3),
}
TASKS: dict[str, Task] = {**_KNOWN, **_FREQUENT, **_PLANTED}


def takes_place(task: str, kind: Kind) -> bool:
    """Return whether a task is done with pairs of a kind: halves by cases are planted, others get known pairs.

    >>> takes_place("deleted-10", "cases"), takes_place("deleted-10", "time"), takes_place("known-0", "cases")
    (True, False, True)
    """
    return task == NOTHING_KNOWN or (task in _PLANTED) == (kind == CASES)


def depends_on_chance(task: str, kind: Kind) -> bool:
    """Return whether another draw of a task is another problem.

    >>> depends_on_chance("known-0", "time"), depends_on_chance("known-5", "time"), depends_on_chance("known-0", "cases")
    (False, True, True)
    """
    return kind == CASES or (TASKS[task].known > 0 and not TASKS[task].frequent)


# --- problems -----------------------------------------------------------------------------------------------------------------


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
