"""Read, write and check mappings: which activity gets which name. An analyst edits them as a CSV file, in a spreadsheet.

A matching of two logs that a person has reviewed as a table is a mapping as well: it gives the labels of a log the names of their
partners in another (:class:`Translation`).
"""

import csv
import io
import re
import sys
from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple, Protocol, runtime_checkable

from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.io import CutOff, counted_fields, read_pieces
from actalike.labels.describe import group_words
from actalike.labels.relations import RELATIONS, Group, Relation
from actalike.log import check_characters
from actalike.support.files import write_atomically
from actalike.support.text import escape_formula, restore_formula

COLUMNS = ["activity", "group"]
_WHY = ("probability", "relation", "reason")  # columns that say why labels are together
RENAMED: tuple[Relation, ...] = ("synonyms",)  # the relations whose labels get one name unless somebody asks for more
_LONGEST_CELL = 1 << 24
_SEPARATOR_LINE = re.compile(r'"?sep=([,;\t|])"?\r?\n', re.IGNORECASE)
_REMEMBERED = 1 << 14  # texts and their cells, while a table is written
MAX_BYTES = 1 << 26  # no log has so many labels
MATCHED = ["label_a", "label_b"]  # the columns of a matching
KNOWN = "known"  # the column that says which rows of a matching are certain
ORIGINAL = "original_a"  # the column with the labels of log a as they are there, whatever a person writes into label_a
_CLOSE = 0.8  # likeness of two texts of which one is likely a slip
_YES = ("yes", "y", "x", "true", "1")
_NO = ("no", "n")
_UNKNOWN = ("", "false", "0")  # as a frame writes what is not known


def mapping_of(groups: Iterable[Group], relations: Collection[Relation] = RENAMED) -> dict[str, str]:
    """Return the mapping that gives every member of a group the name of the group, for the groups of some relations.

    By default only synonyms are renamed: whoever merges alternatives, or steps that belong together, has to say so.
    ``actalike.labels.RELATIONS`` has all relations.

    >>> from actalike import EventLog, group
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["z", "c"]] * 20)
    >>> mapping_of(group(log)), mapping_of(group(log), ["alternatives"])
    ({}, {'a': 'a', 'b': 'a'})
    """
    if isinstance(relations, str):
        raise ActalikeError(f"relations={relations!r} is a text: give a list of relations, such as {[*RELATIONS[:2]]}.")
    for relation in relations:
        if relation not in RELATIONS:
            question = did_you_mean(str(relation), RELATIONS)
            raise ActalikeError(f"No relation is called {relation!r}.{question} There are: {', '.join(RELATIONS)}.")
    return {label: group.name for group in groups if group.relation in relations for label in group.activities}


def write_mapping(
    mapping: Mapping[str, str],
    activities: Sequence[str],
    path: str | Path,
    names: Mapping[str, str] | None = None,
    groups: Iterable[Group] | None = None,
    *,
    excel: bool = False,
) -> None:
    """Write a CSV file with the columns ``activity,group`` and a row for each activity.

    Further columns are for people; :func:`read_mapping` ignores them. If labels have second ``names``, these are a third column,
    ``name``. With the ``groups`` that the mapping is made of, the columns ``probability``, ``relation`` and ``reason`` say why
    labels are together. ``excel`` begins the file with a byte-order mark, without which Excel takes it for another encoding.

    The activities of the mapping come first, then all others, which keep their names. A label that a spreadsheet would run as a
    formula gets an apostrophe in front, which :func:`read_mapping` removes.
    """
    rows = {**mapping, **{label: label for label in activities if label not in mapping}}
    table: list[tuple[str, ...]] = [tuple(COLUMNS), *rows.items()]
    if names:
        table = [(*row, "name" if i == 0 else names.get(row[0], "")) for i, row in enumerate(table)]
    if groups is not None:
        why = {label: _why(group) for group in groups for label in group.activities if label in mapping}
        table = [(*row, *(_WHY if i == 0 else why.get(row[0], ("", "", "")))) for i, row in enumerate(table)]
    content = (BOM_UTF8 if excel else b"") + table_bytes(table)
    write_atomically(path, lambda part: part.write_bytes(content))


def _why(group: Group) -> tuple[str, str, str]:
    """Return the probability of a group, its relation, and the strongest reason in words."""
    return f"{group.probability:.4f}", group.relation, next((words for _, words in group_words(group)), "")


def read_mapping(path: str | Path) -> dict[str, str]:
    """Read a mapping from a CSV file in UTF-8, or in UTF-16 with a byte order mark.

    Other columns than ``activity`` and ``group`` are ignored. Cells are separated by commas, or by ``;`` or tabs, which some
    spreadsheets write, or as a first line such as ``sep=;`` says. Activities that are not in the file
    keep their names; for :func:`actalike.relabel`, so do those whose name in it is blank. A file with the columns ``label_a`` and
    ``label_b``, as ``actalike match`` writes it, gives the labels of b the names of their partners in a.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_mapping({"b": "a", "a": "a"}, ["a", "b", "c"], f"{folder}/mapping.csv")
    ...     read_mapping(f"{folder}/mapping.csv")
    {'b': 'a', 'a': 'a', 'c': 'c'}
    """
    table = read_label_table(path)
    columns = table.columns(COLUMNS)
    if columns is None:
        return read_translation(table)
    mapping: dict[str, str] = {}
    for line, cells in table.rows[1:]:
        add_name(mapping, cells[columns[0]], cells[columns[1]], table, line)
    return mapping


def unnamed(mapping: Mapping[str, str]) -> int:
    """Return how many labels keep their names because a mapping gives them a blank one, as an empty cell of a table does.

    >>> unnamed({"a": "", "b": " ", "c": "b"})
    2
    """
    return sum(not name.strip() and name != label for label, name in mapping.items())


class CheckedNames(dict[str, str]):
    """Hold new names that :func:`changes` has checked against a whole log; parts of that log take them as they are."""


def changes(mapping: Mapping[str, str], activities: Collection[str]) -> dict[str, str]:
    """Return the labels that a mapping changes, with their new names, after checking it against the activities of the log.

    A label whose new name is blank keeps its own. Each label is looked up once. A chain such as a -> b -> c is refused: only the
    analyst knows whether a should become c. In a translation it is clear: the names are those of another log.

    >>> changes({"a": "a", "b": "a"}, ["a", "b", "c"])
    {'b': 'a'}
    """
    if isinstance(mapping, CheckedNames):
        return mapping
    for text in (*mapping, *mapping.values()):
        if not isinstance(text, str):
            raise ActalikeError(f"A mapping is from label to label, and {text!r} is not a text.")
    check_characters(mapping.values())
    known = set(activities)
    unknown = [label for label in mapping if label not in known]
    if unknown:
        named = [f"{label!r}.{did_you_mean(label, activities)}" for label in unknown[:3]]
        more = f" {len(unknown):,} labels of the mapping are unknown in all." if len(unknown) > 1 else ""
        second = (
            " A matching renames the labels of its second log, B: is this that log?" if isinstance(mapping, Translation) else ""
        )
        raise UnknownActivityError(f"The log has no activity {' And none '.join(named)}{more}{second} Nothing was relabelled.")
    if isinstance(mapping, Translation):  # the log may have labels that whoever made it did not know
        mapping = translation(((name, label) for label, name in mapping.items() if name.strip()), activities)
    new_names = {label: name for label, name in mapping.items() if label != name and name.strip()}
    for label, name in new_names.items():
        if name in new_names and not isinstance(mapping, Translation):
            raise ActalikeError(
                f"The mapping renames {label!r} to {name!r}, and {name!r} in turn to {new_names[name]!r}: "
                f"give both the name {new_names[name]!r}, or do not rename {name!r}. Nothing was relabelled."
            )
    return new_names


class TableRow(NamedTuple):
    """Hold the cells of a row, and the line of the file on which it begins."""

    line: int
    cells: list[str]


class LabelTable(NamedTuple):
    """Hold the rows of a table; the first one may name the columns."""

    path: Path
    rows: list[TableRow]

    def header(self) -> list[str]:
        """Return the cells of the first row as names of columns: in lower case, without spaces around them."""
        return [cell.strip().lower().replace(" ", "_") for cell in self.rows[0].cells] if self.rows else []

    def columns(self, names: Sequence[str]) -> list[int] | None:
        """Return the places of the columns with these names; None if one of them is missing."""
        header = self.header()
        if any(name not in header for name in names):
            return None
        for name in names:
            if header.count(name) > 1:
                raise ActalikeError(f"{self.path} has two columns called {name!r}: rename one; nothing was read.")
        return [header.index(name) for name in names]


def read_label_table(path: str | Path) -> LabelTable:
    """Read a CSV file in UTF-8, or in UTF-16 with a byte order mark, without its blank lines.

    Cells are separated by commas, or by ``;`` or tabs, which some spreadsheets write, or as a first line such as ``sep=;`` says.
    All rows must have as many cells as the first.
    """
    path = Path(path)
    text = _text_of(path)
    first_line = 1
    if line := _SEPARATOR_LINE.match(text):
        text, separator, first_line = text[line.end() :], line[1], 2
    else:
        separator = max(",;\t", key=text.partition("\n")[0].count)
    try:
        rows = _rows_of(text, separator, first_line)
    except csv.Error as error:
        raise ActalikeError(f"{path} is not valid CSV ({error}): save it as CSV again; nothing was read.") from None
    for row in rows:
        if len(row.cells) != len(rows[0].cells):
            raise ActalikeError(
                f"{path}, line {row.line:,} has {counted_fields(len(row.cells))} and the first line {len(rows[0].cells)}: put "
                "texts in quotes; nothing was read."
            )
    return LabelTable(path, rows)


def table_bytes(rows: Iterable[Sequence[str]]) -> bytes:
    """Return rows as CSV in UTF-8. A text that a spreadsheet would run as a formula gets an apostrophe in front.

    >>> table_bytes([["activity", "group"], ["Check, again", "=1"]])
    b'activity,group\\n"Check, again",\\'=1\\n'
    """
    cell = lru_cache(maxsize=_REMEMBERED)(_cell)  # large tables have the same labels and numbers again and again
    return "".join([f"{','.join(map(cell, row))}\n" for row in rows]).encode()


def _cell(text: str) -> str:
    """Return a text as a CSV cell, in quotes only if it needs them."""
    text = escape_formula(text)
    return '"' + text.replace('"', '""') + '"' if re.search(r'[,"\r\n]', text) else text


def small_content(path: Path) -> bytes:
    """Return the content of a file about labels, unpacked; one that is far too large is an error."""
    pieces, size = [], 0
    for piece in read_pieces(path, sys.maxsize):
        pieces.append(piece)
        size += len(piece)
        if size > MAX_BYTES:
            raise ActalikeError(
                f"{path} holds more than {MAX_BYTES:,} bytes once unpacked, and no log has so many labels: give another file. "
                "Nothing was read."
            )
    return b"".join(pieces)


def _text_of(path: Path) -> str:
    """Return a file as text: in UTF-16 if it has the byte order mark, which spreadsheets write, otherwise in UTF-8."""
    try:
        content = small_content(path)
    except CutOff:
        raise ActalikeError(f"{path} is an unfinished gzip: the file is cut off. Get a complete copy.") from None
    encoding, name = ("utf-16", "UTF-16") if content.startswith((b"\xff\xfe", b"\xfe\xff")) else ("utf-8-sig", "UTF-8")
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        raise ActalikeError(f"{path} is not {name}: byte {error.start:,} does not fit. Save it as CSV in UTF-8.") from None


def _rows_of(text: str, separator: str, first_line: int) -> list[TableRow]:
    """Return the rows of a CSV that are not blank; a cell may be as long as a row of a log."""
    before = csv.field_size_limit(_LONGEST_CELL)  # it holds for the whole process, so it is put back
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
        rows, line = [], first_line
        for cells in reader:
            if cells:
                rows.append(TableRow(line, [restore_formula(cell) for cell in cells]))
            line = first_line + reader.line_num  # that of the next row: a cell may have several lines
        return rows
    finally:
        csv.field_size_limit(before)


@runtime_checkable
class Decided(Protocol):
    """Describe what gives labels new names: decisions about one log or two, a matching, groups."""

    def mapping(self) -> Mapping[str, str]:
        """Return the new name of each label that gets one."""


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
