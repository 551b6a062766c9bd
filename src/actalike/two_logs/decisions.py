"""Hold, read and write decisions about two logs: which of their activities a person has taken for the same step, and which not.

The page of two logs saves them as ``decisions.json`` and reads them again. docs/file_formats.md describes the file. Pairs that
are known, or apart, may also be given by hand or as a CSV file.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean, shortened
from actalike.labels import (
    AT_LEAST,
    KNOWN,
    MATCHED,
    Decider,
    Decision,
    Decisions,
    LabelTable,
    Translation,
    begins_as_json,
    is_about_two_logs,
    is_known,
    is_rejected,
    read_decisions,
    read_label_table,
    read_mapping,
    read_stored,
    stored_content,
    stored_fault,
    translation,
    unsound,
    write_stored,
)

_NOTHING = "Nothing was matched."


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


# --- pairs given as known or apart ---------------------------------------------------------------------------------------------


class _GivenPair(NamedTuple):
    """Hold a pair as it was given, and where, in words."""

    where: str
    a: Any
    b: Any


def check_known(known: Any, activities_a: Collection[str], activities_b: Collection[str]) -> dict[str, str]:
    """Return known pairs, given as a mapping from label of a to label of b or as a list of pairs, after checking them.

    Each label must occur in its log, and be in one pair only.

    >>> check_known([("Register", "R")], ["Pay", "Register"], ["P", "R"])
    {'Register': 'R'}
    """
    if known is None:
        return {}
    given = _given_pairs(known, KNOWN, "must be a mapping from labels of a to labels of b, or a list of such pairs")
    return _checked(given, activities_a, activities_b)


def check_apart(
    apart: Any, known: Mapping[str, str], activities_a: Collection[str], activities_b: Collection[str]
) -> frozenset[tuple[str, str]]:
    """Return the pairs that are certainly not one step, after checking that the logs have their labels and none is known.

    >>> sorted(check_apart([("Pay", "P"), ("Pay", "R")], {"Register": "R"}, ["Pay", "Register"], ["P", "R"]))
    [('Pay', 'P'), ('Pay', 'R')]
    """
    given = _given_pairs(apart, "apart", "must be a list of pairs of a label of a and a label of b")
    labels_a, labels_b = set(activities_a), set(activities_b)
    for where, a, b in given:
        _check_labels(where, a, b, labels_a, labels_b)
        if known.get(a) == b:
            raise ActalikeError(f"{where}: {a!r} and {b!r} are a known pair too: say one of the two. {_NOTHING}")
    return frozenset((str(a), str(b)) for _, a, b in given)


def read_apart_pairs(path: str | Path, activities_a: Collection[str], activities_b: Collection[str]) -> list[tuple[str, str]]:
    """Read the pairs that are certainly not one step, as ``apart`` of :func:`actalike.match`, from the file of known pairs.

    In decisions.json of the page of two logs these are the pairs that a person rejected. If a person decided that a label has no
    partner, it is apart from all labels of the other log. In a CSV file they are the rows that say ``no`` in the column
    ``known``; a label of b without a partner is apart from the label of a that is called the same.
    """
    if begins_as_json(Path(path)):
        given = [_GivenPair(str(path), *pair) for pair in read_matching_decisions(path).apart(activities_a, activities_b)]
    else:
        given = _rejected_rows(read_label_table(path), set(activities_a))
    labels_a, labels_b = set(activities_a), set(activities_b)
    for where, a, b in given:
        _check_labels(where, a, b, labels_a, labels_b)
    return list(dict.fromkeys((str(a), str(b)) for _, a, b in given))


def _rejected_rows(table: LabelTable, labels_a: Collection[str]) -> list[_GivenPair]:
    columns, marks = table.columns(MATCHED) or table.columns(["a", "b"]), table.columns([KNOWN])
    if columns is None or marks is None:
        return []
    given = []
    for line, cells in table.rows[1:]:
        a, b = (cells[column] for column in columns)
        if b and is_rejected(cells[marks[0]]) and (a or b in labels_a):
            given.append(_GivenPair(f"{table.path}, line {line:,}", a or b, b))
    return given


def read_known_pairs(path: str | Path, activities_a: Collection[str], activities_b: Collection[str]) -> dict[str, str]:
    """Read known pairs from a CSV file, or from decisions.json of the page of two logs: the label of b by the label of a.

    The columns are called ``label_a`` and ``label_b`` (or ``a`` and ``b``); without such a first line, they are the first two.
    If there is a column ``known``, as in what ``actalike match`` writes, only the rows that say ``yes`` there are read. Of
    decisions, the pairs that a person accepted are; those that a person rejected are ``apart`` of :func:`actalike.match`
    (``actalike.two_logs.read_apart_pairs``). A label that is not in its log, or is in two pairs, is an error.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "known.csv").write_text("label_a,label_b,known\\nPay,P,yes\\nCheck,C,\\n")
    ...     read_known_pairs(f"{folder}/known.csv", ["Check", "Pay"], ["C", "P"])
    {'Pay': 'P'}
    """
    if begins_as_json(Path(path)):
        decided = read_matching_decisions(path)
        known = decided.known().items()
        if not known and not decided.apart(activities_a, activities_b):
            raise ActalikeError(f"{path} has no known pair: accept or reject pairs on the page that you are sure of. {_NOTHING}")
        return _checked([_GivenPair(str(path), *pair) for pair in known], activities_a, activities_b)
    table = read_label_table(path)
    columns = table.columns(MATCHED) or table.columns(["a", "b"])
    rows = table.rows[1:]
    if columns is None:
        columns = [0, 1]
        if len(table.header()) < 2:
            raise ActalikeError(f"{path} has no two columns: it needs the labels of both logs, 'label_a,label_b'. {_NOTHING}")
        first = table.rows[0].cells
        if first[0] not in activities_a and first[1] not in activities_b:
            raise ActalikeError(
                f"{path}, line {table.rows[0].line:,}: {shortened(first[0])!r} and {shortened(first[1])!r} are neither names of "
                f"columns nor labels of the logs: begin with the line 'label_a,label_b', or correct the labels. {_NOTHING}"
            )
        rows = table.rows
    marks = table.columns([KNOWN])
    given = []
    for line, cells in rows:
        a, b = (cells[column] for column in columns)
        if not any(cells) or (marks is not None and not is_known(table, line, cells[marks[0]])):
            continue
        if not (a and b):
            raise ActalikeError(f"{path}, line {line:,} has a label without a partner: fill it in, or delete the row. {_NOTHING}")
        given.append(_GivenPair(f"{path}, line {line:,}", a, b))
    if not given and not read_apart_pairs(path, activities_a, activities_b):
        remedy = f"write yes into the column {KNOWN} of the rows that you are sure of" if marks else "add pairs, or leave it out"
        raise ActalikeError(f"{path} has no known pair: {remedy}. {_NOTHING}")
    return _checked(given, activities_a, activities_b)


def _given_pairs(pairs: Any, name: str, what: str) -> list[_GivenPair]:
    """Return pairs that were given as an argument of some name, each with its number; raise an error if they are none."""
    if isinstance(pairs, str | bytes) or not isinstance(pairs, Iterable):
        raise ActalikeError(
            f"{name} {what}, not {type(pairs).__name__}: for a file, give actalike.read_known_pairs(path, a.activities, "
            f"b.activities). {_NOTHING}"
        )
    listed = list(pairs.items()) if isinstance(pairs, Mapping) else list(pairs)
    for number, pair in enumerate(listed, start=1):
        if isinstance(pair, str | bytes) or not isinstance(pair, Sequence) or len(pair) != 2:
            raise ActalikeError(f"{name} pair {number:,} must be a pair of two labels, that of a first, not {pair!r}. {_NOTHING}")
    return [_GivenPair(f"{name} pair {number:,}", *pair) for number, pair in enumerate(listed, start=1)]


def _check_labels(where: str, a: Any, b: Any, labels_a: Collection[str], labels_b: Collection[str]) -> None:
    """Raise an error if a pair has a label that is not in its log."""
    for label, own, other, log in ((a, labels_a, labels_b, "first"), (b, labels_b, labels_a, "second")):
        if not isinstance(label, str):
            raise ActalikeError(f"{where}: labels must be strings, not {label!r}. {_NOTHING}")
        if label not in own:
            turned = " The other log has it: labels of the first log come first." if label in other else ""
            question = turned or did_you_mean(label, sorted(own))
            raise UnknownActivityError(f"{where}: the {log} log has no activity {label!r}.{question} {_NOTHING}")


def _checked(given: Iterable[_GivenPair], activities_a: Collection[str], activities_b: Collection[str]) -> dict[str, str]:
    """Return the pairs as a mapping; raise an error that names the place of the first that is wrong."""
    known: dict[str, str] = {}
    partners: dict[str, str] = {}
    labels_a, labels_b = set(activities_a), set(activities_b)
    for where, a, b in given:
        _check_labels(where, a, b, labels_a, labels_b)
        if a in known or b in partners:
            label, before = (a, known[a]) if a in known else (b, partners[b])
            now = b if a in known else a
            fault = f"is there twice with {now!r}" if before == now else f"has two partners, {before!r} and {now!r}"
            raise ActalikeError(f"{where}: {label!r} {fault}: keep one pair of each label. {_NOTHING}")
        known[str(a)], partners[str(b)] = str(b), str(a)
    return known
