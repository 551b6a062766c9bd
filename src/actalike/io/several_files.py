"""Read several files as one log: which files these are, and how their events are put together."""

import os
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from actalike.errors import ActalikeError, LogError, shortened
from actalike.io.assemble import Events, Order
from actalike.io.columns import Columns
from actalike.io.file_kinds import LOG_ENDINGS, is_log, log_kind
from actalike.io.timestamps import NO_TIME
from actalike.log import Attribute, Flattening
from actalike.support.leftovers import is_leftover
from actalike.support.places import cannot_read

Cases = Literal["joined", "separate"]

SOURCE = "source"  # the attribute that holds the name of an event's file


@dataclass(frozen=True)
class LogFiles:
    """Hold the files of a log, a name for each, the log's own name, and the other files of its folder, which are no logs."""

    paths: list[Path]
    names: list[str]
    source: str
    others: tuple[str, ...]

    def default_order(self, events: Events) -> Order:
        """Return the order of the events unless one is chosen: that of the files if all are XES or have no timestamps."""
        return "file" if events.times is None or all(log_kind(path) == "xes" for path in self.paths) else "time"


def log_files(source: Any) -> LogFiles | None:
    """Return the files of a folder, or of a list of files and folders; None if the source is anything else.

    The files of a folder come in the order of their names. Hidden files do not count, and neither do what a stopped command left
    behind. Folders in a folder are not entered.
    """
    if isinstance(source, str | Path):
        return _in_folders([Path(source)], str(source)) if Path(source).is_dir() else None
    if not isinstance(source, list | tuple) or not source or not all(isinstance(each, str | Path) for each in source):
        return None
    more = "" if len(source) == 1 else f" and {len(source) - 1:,} more"
    return _in_folders(list(map(Path, source)), f"{source[0]}{more}")


def check_cases(cases: str | None, files: LogFiles | None) -> None:
    """Raise an error if ``cases`` has an unknown value, or says something about files of which there is only one."""
    if cases not in (None, "joined", "separate"):
        raise ActalikeError(f"cases={cases!r} is neither 'joined' nor 'separate' (--cases).")
    if cases is not None and files is None:
        raise ActalikeError("cases=... (--cases) is for several files, or a folder, and there is one file: leave it out.")


def _in_folders(places: Sequence[Path], source: str) -> LogFiles:
    paths: list[Path] = []
    others: list[str] = []
    for place in places:
        if not place.is_dir():
            paths.append(place)
            continue
        found, beside = _in_folder(place)
        paths += found
        others += beside
    _refuse_twice(paths)
    short = [path.name for path in paths]
    names = short if len(set(short)) == len(short) else list(map(str, paths))
    return LogFiles(paths, names, source, tuple(others))


def _in_folder(folder: Path) -> tuple[list[Path], list[str]]:
    """Return the logs in a folder, and the names of everything else that is in it."""
    try:
        content = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise LogError(cannot_read(folder, error)) from None
    seen = [path for path in content if not path.name.startswith(".") and not is_leftover(path)]
    logs = [path for path in seen if is_log(path) and not path.is_dir()]
    if not logs:
        raise LogError(f"{folder} is a folder without a log: the name of one ends in {', '.join(LOG_ENDINGS)}. Nothing was read.")
    names = {path.name for path in logs}  # a folder may hold thousands
    return logs, [f"{path.name}/" if path.is_dir() else path.name for path in seen if path.name not in names]


def _refuse_twice(paths: Sequence[Path]) -> None:
    real = Counter(map(os.path.realpath, paths))  # unlike resolve(), it takes a link that leads to itself
    for path in paths:
        if real[os.path.realpath(path)] > 1:
            raise LogError(f"{path} was given twice, so its events would count twice: give it once; nothing was read.")


def combine(files: LogFiles, parts: Sequence[Events], cases: Cases | None) -> Events:
    """Return the events of all files as those of one log, in the order of the files, each with its file as the ``source``."""
    sizes = [len(part.codes) for part in parts]
    starts = np.concatenate([[0], np.cumsum(sizes)])
    labels, codes = _united([(part.labels, part.codes) for part in parts])
    case_ids, numbers = _united_cases(files, parts, cases)
    transitions: NDArray[np.int32] | None = None
    transition_labels: list[str] = []
    if any(part.transitions is not None for part in parts):
        transition_labels, transitions = _united(
            [(part.transition_labels, _or_missing(part.transitions, size)) for part, size in zip(parts, sizes, strict=True)]
        )

    def place(event: int) -> str:
        part = int(np.searchsorted(starts, event, side="right")) - 1
        return f"{parts[part].place(event - int(starts[part]))} of {files.names[part]}".replace(", of ", " of ")

    return replace(
        parts[0],
        source=files.source,
        labels=labels,
        codes=codes,
        case_ids=case_ids,
        cases=np.concatenate([number[part.cases] for part, number in zip(parts, numbers, strict=True)]),
        times=_united_times(parts),
        transition_labels=transition_labels,
        transitions=transitions,
        place=place,
        columns=Columns(*(_either(part.columns[role] for part in parts) for role in range(4))),  # type: ignore[arg-type]
        unnamed_cases=sum(part.unnamed_cases for part in parts),
        attributes=_united_attributes(files, parts),
        second_name=_united_second_names(parts),
        files=tuple(files.names),
        other_files=files.others,
        flattening=_united_flattening(parts),
        joined=cases,
    )


def _united(tables: Iterable[tuple[Sequence[str], NDArray[np.int32]]]) -> tuple[list[str], NDArray[np.int32]]:
    """Return the texts of several tables, each once, and all codes of the tables as positions among them; -1 stays."""
    known: dict[str, int] = {}
    codes = []
    for texts, numbers in tables:
        position = np.array([*(known.setdefault(text, len(known)) for text in texts), -1], dtype=np.int32)
        codes.append(position[numbers])
    return list(known), np.concatenate(codes)


def _united_cases(files: LogFiles, parts: Sequence[Events], cases: Cases | None) -> tuple[list[str], list[NDArray[np.int64]]]:
    """Return the ids of all cases, and for each file the numbers of its cases among them."""
    if cases == "separate":
        ids = [f"{name}/{case}" for name, part in zip(files.names, parts, strict=True) for case in part.case_ids]
        ends = np.cumsum([len(part.case_ids) for part in parts])
        return ids, [np.arange(end - len(part.case_ids), end) for part, end in zip(parts, ends, strict=True)]
    ids, numbers = [], []
    file_of: dict[str, int] = {}  # the file that had an id first
    number_of: dict[str, int] = {}
    for i, part in enumerate(parts):
        shared = [case for case in part.case_ids if case in file_of]
        if shared and cases is None:
            raise _shared_case(files, shared, file_of[shared[0]], i)
        if shared:
            _refuse_unclear(files, parts, shared, file_of, i)
        number = np.empty(len(part.case_ids), dtype=np.int64)
        for j, case in enumerate(part.case_ids):
            if case in file_of and file_of[case] != i:
                number[j] = number_of[case]
                continue
            number[j] = number_of[case] = len(ids)
            ids.append(case)
            file_of[case] = i
        numbers.append(number)
    return ids, numbers


def _shared_case(files: LogFiles, shared: Sequence[str], first: int, second: int) -> LogError:
    more = ("", ", and so is 1 more")[len(shared) - 1] if len(shared) < 3 else f", and so are {len(shared) - 1:,} more"
    return LogError(
        f"{files.source}: the case {shortened(shared[0])!r} is in {files.names[first]} and in {files.names[second]}{more}. If a "
        "case goes on from file to file, give cases='joined' (--cases joined); if these are different cases, give "
        "cases='separate' (--cases separate). Nothing was read."
    )


def _refuse_unclear(files: LogFiles, parts: Sequence[Events], shared: Sequence[str], file_of: dict[str, int], i: int) -> None:
    """Raise an error if cases are to be joined that have no name, or if a file has two cases of a shared name (XES may)."""
    for j in (file_of[shared[0]], i):
        if parts[j].unnamed_cases:
            raise LogError(
                f"{files.names[j]} has traces without a name, so they cannot be joined with those of other files: name them, or "
                "give cases='separate' (--cases separate). Nothing was read."
            )
    wanted = set(shared)
    for name, part in zip(files.names[: i + 1], parts, strict=False):
        number = Counter(case for case in part.case_ids if case in wanted)
        twice = next((case for case in number if number[case] > 1), None)
        if twice is not None:
            raise LogError(
                f"{name} has two traces called {shortened(twice)!r}, so it is not clear which of them goes on in another file: "
                "rename one, or give cases='separate' (--cases separate). Nothing was read."
            )


def _united_times(parts: Sequence[Events]) -> NDArray[np.int64] | None:
    if all(part.times is None for part in parts):
        return None
    nothing = [np.full(len(part.codes), NO_TIME, dtype=np.int64) for part in parts]
    return np.concatenate([empty if part.times is None else part.times for part, empty in zip(parts, nothing, strict=True)])


def _united_attributes(files: LogFiles, parts: Sequence[Events]) -> dict[str, Attribute]:
    names = list(dict.fromkeys(name for part in parts for name in part.attributes))
    if SOURCE in names:
        raise LogError(
            f"{files.source}: the attribute {SOURCE!r} holds the name of each event's file, so a column of that name cannot be "
            "read too: leave it out of attributes=... (--attributes). Nothing was read."
        )
    united = {name: Attribute(*_united([_table(part.attributes.get(name), len(part.codes)) for part in parts])) for name in names}
    file_of_event = np.repeat(np.arange(len(parts), dtype=np.int32), [len(part.codes) for part in parts])
    return {**united, SOURCE: Attribute(list(files.names), file_of_event)}


def _united_second_names(parts: Sequence[Events]) -> tuple[str, Attribute] | None:
    second = parts[0].second_name
    if second is None:
        return None
    tables = [_table(part.second_name and part.second_name[1], len(part.codes)) for part in parts]
    return second[0], Attribute(*_united(tables))


def _united_flattening(parts: Sequence[Events]) -> Flattening | None:
    """Return how the object-centric files became cases, by the same type in each; None if there is none."""
    each = [part.flattening for part in parts if part.flattening is not None]
    if not each:
        return None
    sums = (sum(getattr(one, field.name) for one in each) for field in fields(Flattening)[1:])
    return Flattening(each[0].object_type, *sums)


def _table(attribute: Attribute | None, size: int) -> tuple[Sequence[str], NDArray[np.int32]]:
    return ([], _or_missing(None, size)) if attribute is None else (attribute.values, attribute.codes)


def _or_missing(codes: NDArray[np.int32] | None, size: int) -> NDArray[np.int32]:
    return np.full(size, -1, dtype=np.int32) if codes is None else codes


def _either(names: Iterable[str | None]) -> str | None:
    """Return the names of a column in the files, each once; None if no file has it."""
    return " / ".join(dict.fromkeys(name for name in names if name is not None)) or None
