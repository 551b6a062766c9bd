"""Read, write and check mappings: which activity gets which name. An analyst edits them as a CSV file."""

from codecs import BOM_UTF8
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from actalike.errors import ActalikeError, UnknownActivityError, did_you_mean
from actalike.labels.groups import RELATIONS, Group, Relation
from actalike.labels.label_tables import read_label_table, table_bytes
from actalike.labels.translations import Translation, add_name, read_translation, translation
from actalike.labels.words import group_words
from actalike.log import check_characters
from actalike.support.files import write_atomically

COLUMNS = ["activity", "group"]
_WHY = ("probability", "relation", "reason")  # columns that say why labels are together
RENAMED: tuple[Relation, ...] = ("synonyms",)  # the relations whose labels get one name unless somebody asks for more


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
