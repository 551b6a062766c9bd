"""Print what look has seen of a folder, whose files would be read as one log."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from actalike.cli.console import plain, print_table
from actalike.cli.look_words import kind_words, print_first_rows, print_next, print_proposals
from actalike.errors import shortened
from actalike.io import LogFiles, Look, Proposal

_UNREADABLE = "(cannot be read as it is)"
_SHOWN_REMARKS = 5
_OF_ALL = (
    "--encoding",
    "--case",
    "--activity",
    "--timestamp",
    "--timestamp-format",
)  # what one file needs, and another cannot be read with


def print_folder(folder: Path, files: LogFiles, looks: Sequence[Look | str], given: Mapping[str, str]) -> None:
    """Print the files of a folder, whether their columns agree, what is proposed, and the next command.

    ``looks`` has what was seen of each of the first files, or why it cannot be looked at.
    """
    names = files.names
    print(
        plain(f"{folder}: a folder, {len(names):,} file{'' if len(names) == 1 else 's'} that would be read as one log"),
        end="\n\n",
    )
    rows = []
    for name, seen in zip(names, looks, strict=False):
        rows.append([name, *(["", "", "", "", _UNREADABLE] if isinstance(seen, str) else _row(seen))])
    print_table(["file", "kind", "columns", "cases", "events", "taken for"], rows, right=(2, 3, 4))
    if len(names) > len(looks):
        print(f"({len(names) - len(looks):,} more files were not looked at)")
    known = [(name, each) for name, each in zip(names, looks, strict=False) if isinstance(each, Look)]
    if any(not seen.is_whole for _, seen in known):
        print("(cases and events: of the rows that were looked at, if a number has a +)")
    if known:
        print_first_rows(known[0][1], f" of {known[0][0]}")
    print()
    for name in files.others:
        print(plain(f"  ?  {name} is no log by its name, and would not be read"))
    errors = [seen if isinstance(seen, str) else seen.error for seen in looks]
    _print_some([error for error in errors if error])
    _print_some(list(dict.fromkeys(remark for _, seen in known for remark in seen.remarks)))
    print(plain(_agreement(known)))
    proposals, conflict = folder_proposals(known)
    if conflict:
        print(plain(conflict))
    print_proposals(proposals)
    is_readable = not conflict and len(known) == len(looks) and all(seen.proposed_reading for _, seen in known)
    print_next(folder, proposals if is_readable else None, given)


def _print_some(remarks: Sequence[str]) -> None:
    for remark in remarks[:_SHOWN_REMARKS]:
        print(plain(f"  ?  {remark}"))
    if len(remarks) > _SHOWN_REMARKS:
        print(f"     (and {len(remarks) - _SHOWN_REMARKS:,} more like these: --json has all)")


def _row(seen: Look) -> list[str]:
    """Return what the table says of a file: its cases and events are those that were looked at."""
    reading = seen.reading or seen.proposed_reading
    more = "" if seen.is_whole else "+"
    figures = ["", ""] if reading is None else [f"{reading.cases or 0:,}{more}", f"{reading.events:,}{more}"]
    roles = ("case", "activity", "timestamp")
    taken = ", ".join(f"{column.role} = {column.name}" for column in seen.columns if column.role in roles)
    return [kind_words(seen), f"{len(seen.columns):,}", *figures, taken if seen.reading is not None else _UNREADABLE]


def _agreement(known: Sequence[tuple[str, Look]]) -> str:
    """Return in words whether all files have the same columns, with the first difference."""
    columns_of = [(name, {column.name for column in seen.columns}) for name, seen in known]
    if len(columns_of) < 2:
        return "There are no two files to compare."
    count = Counter(column for _, columns in columns_of for column in columns)
    unequal = [column for column in count if count[column] < len(columns_of)]
    if not unequal:
        return f"The columns of all files that could be looked at ({len(columns_of):,}) are the same."
    where = "" if all(seen.is_whole or seen.kind != "xes" for _, seen in known) else " in the events that were looked at"
    lines = []
    for column in sorted(unequal)[:5]:
        without = [name for name, columns in columns_of if column not in columns]
        lines.append(f"{column!r} is not in {', '.join(without[:3])}{', ...' if len(without) > 3 else ''}")
    return f"The columns differ{where}: {'; '.join(lines)}{'; ...' if len(unequal) > 5 else ''}."


def folder_proposals(known: Sequence[tuple[str, Look]]) -> tuple[list[Proposal], str]:
    """Return what is proposed for the files together, and in words which of them need other options than the others, if any."""
    proposals, conflict = _common_proposals(known)
    return [*proposals, *_propose_cases(known)], conflict


def _common_proposals(known: Sequence[tuple[str, Look]]) -> tuple[list[Proposal], str]:
    """Return what is proposed for all files, and in words which of them need other options than the others, if any do.

    An option is for all files. One that has rival values for some files (a layout) keeps those that all of these files have.
    """
    proposed = {name: [(each.option, each.value) for each in seen.proposals] for name, seen in known}
    reasons = {(each.option, each.value): each for _, seen in known for each in seen.proposals}
    common: list[Proposal] = []
    for option in dict.fromkeys(option for option, _ in reasons):
        users = {name: [value for other, value in pairs if other == option] for name, pairs in proposed.items()}
        users = {name: values for name, values in users.items() if values}
        values = [value for other, value in reasons if other == option and all(value in each for each in users.values())]
        others = [name for name in proposed if name not in users]
        if not values or (others and option in _OF_ALL):
            first, values_of_first = next(iter(users.items()))
            other = others[0] if others else next(name for name in users if users[name] != values_of_first)
            return common, f"The files need different options: {option} of {first} does not fit {other}. Read them one by one."
        common += [reasons[option, value]._replace(needed=len(values) == 1 and reasons[option, value].needed) for value in values]
    return common, ""


def _propose_cases(known: Sequence[tuple[str, Look]]) -> list[Proposal]:
    """Propose what a case id means that is in several files, as far as they were looked at."""
    file_of: dict[str, str] = {}
    for name, seen in known:
        shared = sorted(case for case in seen.sampled_cases if case in file_of)
        if shared:
            where = f"the case {shortened(shared[0])!r} is in {file_of[shared[0]]} and in {name}"
            return [
                Proposal("--cases", "joined", f"{where}, if it is one case that goes on", True),
                Proposal("--cases", "separate", "if these are different cases of the same id", True),
            ]
        file_of.update(dict.fromkeys(seen.sampled_cases, name))
    return []
