"""Hold, read and write decisions about two logs: which of their activities a person has taken for the same step, and which not.

The page of two logs saves them as ``decisions.json`` and reads them again. docs/file_formats.md describes the file.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from actalike.errors import ActalikeError, shortened
from actalike.labels import (
    AT_LEAST,
    Decider,
    Decision,
    Decisions,
    Translation,
    begins_as_json,
    is_about_two_logs,
    read_decisions,
    read_mapping,
    read_stored,
    stored_content,
    stored_fault,
    translation,
    unsound,
    write_stored,
)


@dataclass(frozen=True)
class DecidedPair:
    """Hold a label of each log and what was decided about the two.

    With None in the place of a label, the other one has no partner. ``by`` is who decided last.
    """

    a: str | None
    b: str | None
    decision: Decision = "accepted"
    by: Decider = "person"
    note: str = ""


@dataclass(frozen=True)
class DecidedLog:
    """Name a log that decisions were made for: its digest (``EventLog.digest``), its name, its number of activities."""

    digest: str = ""
    name: str = ""
    activities: int = 0


@dataclass(frozen=True)
class MatchingDecisions:
    """Hold the decisions about the activities of two logs, and which logs they were.

    A label may have several partners, each of which has no other: a step that one log splits. ``at_least`` is the probability
    from which on actalike accepted pairs that nobody had decided about.

    >>> pairs = DecidedPair("Check", "Prüfen"), DecidedPair("Pay", "Zahlen", "rejected"), DecidedPair(None, "Mahnen")
    >>> MatchingDecisions(pairs).mapping(), MatchingDecisions(pairs).known()
    ({'Prüfen': 'Check'}, {'Check': 'Prüfen'})
    """

    pairs: tuple[DecidedPair, ...] = ()
    note: str = ""
    log_a: DecidedLog = field(default_factory=DecidedLog)
    log_b: DecidedLog = field(default_factory=DecidedLog)
    at_least: float = AT_LEAST

    def __post_init__(self) -> None:
        """Raise an error if the decisions contradict each other, or are none."""
        problem = stored_fault(matching_content(self)) or _contradiction(self.pairs)
        if problem:
            raise ActalikeError(f"These are no decisions about two logs: {problem}.")

    def known(self) -> dict[str, str]:
        """Return the pairs that a person has accepted as ``known`` of :func:`actalike.match`; of a split, the first one."""
        known: dict[str, str] = {}
        for a, b in self._accepted(by=("person",)):
            if a not in known and b not in known.values():
                known[a] = b
        return known

    def apart(self, activities_a: Iterable[str], activities_b: Iterable[str]) -> list[tuple[str, str]]:
        """Return the pairs that a person has rejected, as ``apart`` of :func:`actalike.match`.

        A label that has no partner, as a person decided, is apart from all labels of the other log. Of a split step, a further
        label, which :meth:`known` leaves out, is apart from all labels but its own partner.
        """
        activities_a, activities_b, known = list(activities_a), list(activities_b), self.known()
        by_person = [pair for pair in self.pairs if pair.by == "person"]
        rejected = [
            (pair.a, pair.b) for pair in by_person if pair.decision == "rejected" and pair.a is not None and pair.b is not None
        ]
        alone = [pair for pair in by_person if pair.decision == "accepted"]
        of_a = [(pair.a, b) for pair in alone if pair.a is not None and pair.b is None for b in activities_b]
        of_b = [(a, pair.b) for pair in alone if pair.b is not None and pair.a is None for a in activities_a]
        further = [(a, b) for a, b in self._accepted(by=("person",)) if known.get(a) != b]
        of_a += [(a, other) for a, b in further if a not in known for other in activities_b if other != b]
        of_b += [(other, b) for a, b in further if b not in known.values() for other in activities_a if other != a]
        return list(dict.fromkeys([*rejected, *of_a, *of_b]))

    def mapping(self) -> Translation:
        """Return the label of a for each label of b that has a partner: relabelling b by it, both logs speak a's language.

        Of several partners that of a person counts, before those of actalike, of which the first counts. A person who has
        accepted several has to choose one. A label without a partner is marked if another one gets its name, or if a person has
        decided that it is not the label of a with the same name.
        """
        names = self._names()
        alone = [pair.b for pair in self.pairs if pair.b is not None and pair.b not in names]
        labels_a = {pair.a for pair in self.pairs if pair.a is not None}
        apart = {b for a, b in self.apart(labels_a, ()) if a == b}
        return translation(((a, b) for b, a in names.items()), alone, apart)

    def _names(self) -> dict[str, str]:
        """Return the name of each label of b that has a partner. The page has the same rule (links.js)."""
        names: dict[str, str] = {}
        for a, b in self._accepted(by=("person",)):
            if b in names:
                raise ActalikeError(
                    f"{shortened(b)!r} of the second log has several partners that a person accepted, {shortened(names[b])!r} "
                    f"and {shortened(a)!r}, and can get one name only: choose 'Only ...' in its row on the page of two logs, and "
                    "save the decisions again. Nothing was relabelled."
                )
            names[b] = a
        for a, b in self._accepted(by=("actalike",)):
            names.setdefault(b, a)
        return names

    def _accepted(self, by: tuple[Decider, ...] = ("person", "actalike")) -> Iterable[tuple[str, str]]:
        for pair in self.pairs:
            if pair.decision == "accepted" and pair.by in by and pair.a is not None and pair.b is not None:
                yield pair.a, pair.b


def write_matching_decisions(decisions: MatchingDecisions, path: str | Path) -> None:
    """Write decisions as a JSON file, whole or not at all. The same decisions give the same bytes, here and on the page."""
    write_stored(matching_content(decisions), path)


def read_matching_decisions(path: str | Path) -> MatchingDecisions:
    """Read decisions from a file that the page of two logs or :func:`write_matching_decisions` has written.

    >>> import tempfile
    >>> decisions = MatchingDecisions((DecidedPair("Check", "Prüfen"),), note="Asked Sue.")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_matching_decisions(decisions, f"{folder}/decisions.json")
    ...     read_matching_decisions(f"{folder}/decisions.json") == decisions
    True
    """
    path = Path(path)
    content = read_stored(path, 2)
    pairs = tuple(DecidedPair(**msgspec.structs.asdict(pair)) for pair in content.pairs)
    if problem := _contradiction(pairs):
        raise unsound(path, problem)
    log_a, log_b = (DecidedLog(log.digest, log.name, log.activities) for log in content.logs)
    return MatchingDecisions(pairs, content.note, log_a, log_b, content.at_least)


def read_names(path: str | Path) -> dict[str, str] | Decisions | MatchingDecisions:
    """Read what relabels a log: decisions if the name ends in ``.json`` or the content is JSON, else a mapping as CSV."""
    path = Path(path)
    if not begins_as_json(path):
        return read_mapping(path)
    return read_matching_decisions(path) if is_about_two_logs(path) else read_decisions(path)


def matching_content(decisions: MatchingDecisions) -> dict[str, Any]:
    """Return the content of the file, with the keys in their order."""
    logs = [{"digest": log.digest, "name": log.name, "activities": log.activities} for log in (decisions.log_a, decisions.log_b)]
    pairs = [{"decision": pair.decision, "by": pair.by, "a": pair.a, "b": pair.b, "note": pair.note} for pair in decisions.pairs]
    return stored_content(logs, decisions.note, decisions.at_least, pairs=pairs)


def _contradiction(pairs: Iterable[DecidedPair]) -> str | None:
    """Return what is wrong with the pairs taken together, None if they agree."""
    seen: set[tuple[str | None, str | None]] = set()
    partners: dict[tuple[str, str], list[str | None]] = {}  # of each label, by its side
    accepted = []
    for pair in pairs:
        if pair.a is None and pair.b is None:
            return "a pair has no label at all"
        if (pair.a, pair.b) in seen:
            return f"the pair {_shown(pair)} is there twice"
        seen.add((pair.a, pair.b))
        if pair.decision == "accepted":
            accepted.append(pair)
            for side, label, partner in (("a", pair.a, pair.b), ("b", pair.b, pair.a)):
                if label is not None:
                    partners.setdefault((side, label), []).append(partner)
    for pair in accepted:
        of_a = [] if pair.a is None else partners["a", pair.a]
        of_b = [] if pair.b is None else partners["b", pair.b]
        if len(of_a) > 1 and None in of_a:
            return f"{shortened(pair.a or '')!r} of the first log has no partner and has one"
        if len(of_b) > 1 and None in of_b:
            return f"{shortened(pair.b or '')!r} of the second log has no partner and has one"
        if len(of_a) > 1 and len(of_b) > 1:
            return f"both labels of the accepted pair {_shown(pair)} have other partners too"
    return None


def _shown(pair: DecidedPair) -> str:
    return " = ".join("no partner" if label is None else repr(shortened(label)) for label in (pair.a, pair.b))
