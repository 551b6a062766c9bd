"""Check and read known pairs: which label of one log is certainly which of the other."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean, shortened
from actalike.labels import (
    KNOWN,
    MATCHED,
    LabelTable,
    begins_as_json,
    is_known,
    is_rejected,
    read_label_table,
    read_matching_decisions,
)

_NOTHING = "Nothing was matched."


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
    given = _given_pairs(known, KNOWN, "is a mapping from labels of a to labels of b, or a list of such pairs")
    return _checked(given, activities_a, activities_b)


def check_apart(
    apart: Any, known: Mapping[str, str], activities_a: Collection[str], activities_b: Collection[str]
) -> frozenset[tuple[str, str]]:
    """Return the pairs that are certainly not one step, after checking that the logs have their labels and none is known.

    >>> sorted(check_apart([("Pay", "P"), ("Pay", "R")], {"Register": "R"}, ["Pay", "Register"], ["P", "R"]))
    [('Pay', 'P'), ('Pay', 'R')]
    """
    given = _given_pairs(apart, "apart", "is a list of pairs of a label of a and a label of b")
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
            raise ActalikeError(f"{name} pair {number:,} is no pair of two labels, the one of a first: {pair!r}. {_NOTHING}")
    return [_GivenPair(f"{name} pair {number:,}", *pair) for number, pair in enumerate(listed, start=1)]


def _check_labels(where: str, a: Any, b: Any, labels_a: Collection[str], labels_b: Collection[str]) -> None:
    """Raise an error if a pair has a label that is not in its log."""
    for label, own, other, log in ((a, labels_a, labels_b, "first"), (b, labels_b, labels_a, "second")):
        if not isinstance(label, str):
            raise ActalikeError(f"{where}: labels are texts, and {label!r} is none. {_NOTHING}")
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
