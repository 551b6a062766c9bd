"""Check and read known pairs: which label of one log is certainly which of the other."""

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.labels import MATCHED, LabelTable, begins_as_json, read_label_table, read_matching_decisions

KNOWN = "known"  # the column that says which rows of a matching are known
_MARKED = ("yes", "y", "x", "true", "1")
_NOT_MARKED = ("", "no", "n", "false", "0")
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
    if isinstance(known, str | bytes) or not isinstance(known, Iterable):
        raise ActalikeError(
            f"known is a mapping from labels of a to labels of b, or a list of such pairs, not {type(known).__name__}: for a "
            f"file, give actalike.read_known_pairs(path, a.activities, b.activities). {_NOTHING}"
        )
    pairs = list(known.items()) if isinstance(known, Mapping) else list(known)
    for number, pair in enumerate(pairs, start=1):
        if isinstance(pair, str | bytes) or not isinstance(pair, Iterable) or len(tuple(pair)) != 2:
            raise ActalikeError(f"known pair {number:,} is no pair of two labels: {pair!r}. {_NOTHING}")
    given = [_GivenPair(f"known pair {number:,}", *pair) for number, pair in enumerate(pairs, start=1)]
    return _checked(given, activities_a, activities_b)


def read_known_pairs(path: str | Path, activities_a: Collection[str], activities_b: Collection[str]) -> dict[str, str]:
    """Read known pairs from a CSV file, or from decisions.json of the page of two logs: the label of b by the label of a.

    The columns are called ``label_a`` and ``label_b`` (or ``a`` and ``b``); otherwise they are the first two, and the first line
    is a pair if it has a label of a log. If there is a column ``known``, as in what ``actalike match`` writes, only the rows that
    say ``yes`` there are read. Of decisions, the pairs that a person accepted are. A label that is not in its log, or is in two
    pairs, is an error.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, "known.csv").write_text("label_a,label_b,known\\nPay,P,yes\\nCheck,C,\\n")
    ...     read_known_pairs(f"{folder}/known.csv", ["Check", "Pay"], ["C", "P"])
    {'Pay': 'P'}
    """
    if begins_as_json(Path(path)):
        decided = read_matching_decisions(path).known().items()
        if not decided:
            raise ActalikeError(f"{path} has no known pair: accept pairs on the page that you are sure of. {_NOTHING}")
        return _checked([_GivenPair(str(path), *pair) for pair in decided], activities_a, activities_b)
    table = read_label_table(path)
    columns = table.columns(MATCHED) or table.columns(["a", "b"])
    rows = table.rows[1:]
    if columns is None:
        columns = [0, 1]
        if len(table.header()) < 2:
            raise ActalikeError(f"{path} has no two columns: it needs the labels of both logs, 'label_a,label_b'. {_NOTHING}")
        first = table.rows[0].cells
        if first[0] in activities_a or first[1] in activities_b:
            rows = table.rows
    marks = table.columns([KNOWN])
    given = []
    for line, cells in rows:
        a, b = (cells[column] for column in columns)
        if not any(cells) or (marks is not None and not _is_marked(table, line, cells[marks[0]])):
            continue
        if not (a and b):
            raise ActalikeError(f"{path}, line {line:,} has a label without a partner: fill it in, or delete the row. {_NOTHING}")
        given.append(_GivenPair(f"{path}, line {line:,}", a, b))
    if not given:
        remedy = f"write yes into the column {KNOWN} of the rows that you are sure of" if marks else "add pairs, or leave it out"
        raise ActalikeError(f"{path} has no known pair: {remedy}. {_NOTHING}")
    return _checked(given, activities_a, activities_b)


def _is_marked(table: LabelTable, line: int, mark: str) -> bool:
    word = mark.strip().lower()
    if word not in (*_MARKED, *_NOT_MARKED):
        raise ActalikeError(f"{table.path}, line {line:,}: the column {KNOWN} says {mark!r}, and yes or nothing can be there.")
    return word in _MARKED


def _checked(given: Iterable[_GivenPair], activities_a: Collection[str], activities_b: Collection[str]) -> dict[str, str]:
    """Return the pairs as a mapping; raise an error that names the place of the first that is wrong."""
    known: dict[str, str] = {}
    partners: dict[str, str] = {}
    labels_a, labels_b = set(activities_a), set(activities_b)
    for where, a, b in given:
        for label, own, other, log in ((a, labels_a, labels_b, "first"), (b, labels_b, labels_a, "second")):
            if not isinstance(label, str):
                raise ActalikeError(f"{where}: labels are texts, and {label!r} is none. {_NOTHING}")
            if label not in own:
                turned = " The other log has it: labels of the first log come first." if label in other else ""
                question = turned or did_you_mean(label, sorted(own))
                raise UnknownActivityError(f"{where}: the {log} log has no activity {label!r}.{question} {_NOTHING}")
        if a in known or b in partners:
            label, before = (a, known[a]) if a in known else (b, partners[b])
            now = b if a in known else a
            fault = f"is there twice with {now!r}" if before == now else f"has two partners, {before!r} and {now!r}"
            raise ActalikeError(f"{where}: {label!r} {fault}: keep one pair of each label. {_NOTHING}")
        known[str(a)], partners[str(b)] = str(b), str(a)
    return known
