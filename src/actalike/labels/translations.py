"""Give the labels of a log the names of their partners in another, by a matching that a person has reviewed as a table."""

from collections.abc import Collection, Iterable
from difflib import get_close_matches
from itertools import chain, count

from actalike.errors import ActalikeError
from actalike.labels.label_tables import LabelTable

MATCHED = ["label_a", "label_b"]  # the columns of a matching
KNOWN = "known"  # the column that says which rows of a matching are certain
ORIGINAL = "original_a"  # the column with the labels of log a as they are there, whatever a person writes into label_a
_CLOSE = 0.8  # likeness of two texts of which one is likely a slip
_YES = ("yes", "y", "x", "true", "1")
_NO = ("no", "n")
_UNKNOWN = ("", "false", "0")  # as a frame writes what is not known


class Translation(dict[str, str]):
    """Map labels to names in the language of another log, all at once: a name may also be a label that gets another name.

    ``namesakes`` are labels without a partner that keep their names, which labels of the other log have too. ``new_names`` are
    names that the other log does not have.
    """

    namesakes: tuple[str, ...] = ()
    new_names: tuple[str, ...] = ()


def translation(pairs: Iterable[tuple[str, str]], labels_b: Iterable[str], apart: Collection[str] = ()) -> Translation:
    """Return the mapping that gives the labels of b the names of their partners in a; ``pairs`` have the label of a first.

    A label of ``labels_b`` without a partner keeps its name. If another label gets that very name, it is marked with "(b)",
    because otherwise two steps of b would become one. So is a label of ``apart``: it is not the step that a calls the same.

    >>> translation([("Check", "1"), ("Pay", "Check")], ["1", "Check", "Pay"])
    {'1': 'Check', 'Check': 'Pay', 'Pay': 'Pay (b)'}
    >>> translation([("Check", "1")], ["1", "Pay"], apart={"Pay"})
    {'1': 'Check', 'Pay': 'Pay (b)'}
    """
    names = Translation({b: a for a, b in pairs})
    labels = [label for label in labels_b if label not in names]
    given = set(names.values())
    taken = {*names, *given, *labels}
    for label in labels:
        if label in given or label in apart:
            marked = (f"{label} (b{number})" for number in chain([""], count(2)))
            names[label] = next(name for name in marked if name not in taken)
            taken.add(names[label])
    return names


def read_translation(table: LabelTable) -> Translation:
    """Read the names of the labels of b from a matching. A row with one label is that of a label without a partner.

    A pair that says ``no`` in the column ``known`` is none. A label of b without a partner that says so is marked if a has a
    label of that name. A name that is not among the labels of a, but much like one of them, is an error.
    """
    columns = table.columns(MATCHED)
    if columns is None:
        raise ActalikeError(
            f"{table.path} is no mapping: its first line must name the columns activity and group ('activity,group'), or label_a "
            "and label_b, as 'actalike match' writes them."
        )
    marks, original = table.columns([KNOWN]), table.columns([ORIGINAL])
    rows = table.rows[1:]
    places = [columns[0], *(original or ())]
    labels_a = {cells[place] for _, cells in rows for place in places} - {""}
    names: dict[str, str] = {}
    labels, apart = [], set()
    for line, cells in rows:
        a, b = (cells[column] for column in columns)
        if not b:
            continue
        labels.append(b)
        is_no = marks is not None and is_rejected(cells[marks[0]])
        if is_no and a in ("", b) and b in labels_a:
            apart.add(b)
        if a.strip() and not is_no:
            add_name(names, b, a, table, line)
    new_names = [] if original is None else _new_names(names, {cells[original[0]] for _, cells in rows}, table)
    read = translation([(name, label) for label, name in names.items()], labels, apart)
    read.namesakes = tuple(label for label in dict.fromkeys(labels) if label in labels_a and label not in read)
    read.new_names = tuple(new_names)
    return read


def add_name(names: dict[str, str], label: str, name: str, table: LabelTable, line: int) -> None:
    """Add the name of a label from a line of a table; raise an error if the label has another name already."""
    if names.setdefault(label, name) != name:
        raise ActalikeError(f"{table.path} gives {label!r} two names, {names[label]!r} and {name!r} (line {line:,}): keep one.")


def is_known(table: LabelTable, line: int, mark: str) -> bool:
    """Tell whether the column ``known`` says that a pair is certain."""
    word = mark.strip().lower()
    if word not in (*_YES, *_NO, *_UNKNOWN):
        raise ActalikeError(
            f"{table.path}, line {line:,}: the column {KNOWN} says {mark!r}, and yes, no or nothing can be there."
        )
    return word in _YES


def is_rejected(mark: str) -> bool:
    """Tell whether the column ``known`` says that two labels are certainly not one step.

    >>> is_rejected("No"), is_rejected(""), is_rejected("false")  # a frame writes false where nobody has said anything
    (True, False, False)
    """
    return mark.strip().lower() in _NO


def _new_names(names: dict[str, str], labels_a: set[str], table: LabelTable) -> list[str]:
    """Return the names that log a does not have; raise an error if one is much like a label of a."""
    new_names = [name for name in dict.fromkeys(names.values()) if name not in labels_a]
    for name in new_names:
        close = get_close_matches(name, sorted(labels_a - {""}), n=1, cutoff=_CLOSE)
        if close:
            raise ActalikeError(
                f"{table.path}: label_a says {name!r}, which is no label of log A. Did you mean {close[0]!r}? If it is a new "
                f"name, delete the column {ORIGINAL}, which holds the labels of A. Nothing was read."
            )
    return new_names
