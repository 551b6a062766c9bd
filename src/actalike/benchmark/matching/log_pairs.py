"""The pairs of logs that can be matched: logs in the same scheme of labels, and the two halves of each log."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal, get_args

from actalike.benchmark.labels.natural import NAME_ATTRIBUTE, most_frequent_names
from actalike.benchmark.labels.summary import log_family
from actalike.benchmark.logs import LogFiles
from actalike.benchmark.matching.halves import halves_by_time, has_times
from actalike.benchmark.matching.truth import are_independent, same_labels, scheme_of, true_pairs
from actalike.benchmark.record import Warn, no_warning
from actalike.errors import ActalikeError, LogError
from actalike.log import EventLog

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
