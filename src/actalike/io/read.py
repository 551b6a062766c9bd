"""Read an event log from a file, several files, or an object in memory: ``read_log``."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import accumulate, repeat
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.errors import ActalikeError, LogError, shortened
from actalike.io.columns import Columns, WantedAttributes
from actalike.io.delimited import read_csv
from actalike.io.excel import read_excel
from actalike.io.files import (
    DEFAULT_MAX_BYTES,
    KINDS,
    LOG_ENDINGS,
    Progress,
    is_log,
    is_object_centric,
    kind_by_name,
    log_kind,
)
from actalike.io.frame import (
    ATTRIBUTE,
    Cases,
    Categories,
    Events,
    Lifecycle,
    Missing,
    Order,
    ReadOptions,
    assemble,
    numbered,
)
from actalike.io.objects import LogLike, how_to_fetch, is_frame, is_pm4py_log, read_frame, read_pm4py
from actalike.io.ocel import read_object_centric
from actalike.io.parquet import read_parquet
from actalike.io.timestamps import TimestampFormat
from actalike.io.xes import read_xes
from actalike.log import EventLog, Flattening
from actalike.support.files import cannot_read, is_leftover, is_utf8
from actalike.support.progress import reading_tracked

SOURCE = "source"  # the attribute that holds the name of an event's file, where the files are several


@dataclass(frozen=True)
class LogFiles:
    """Hold the files of a log, a name for each, the name of the whole log, and the other files in the folder."""

    paths: list[Path]
    names: list[str]
    source: str
    others: tuple[str, ...]

    def default_order(self, events: Events) -> Order:
        """Return the order of the events unless one is chosen: that of the files if all are XES or have no timestamps."""
        return "file" if not events.has_times or all(log_kind(path) == "xes" for path in self.paths) else "time"


@reading_tracked("reading")
def read_log(
    source: str | Path | Sequence[str | Path] | LogLike,
    *,
    case: str | None = None,
    activity: str | None = None,
    timestamp: str | None = None,
    transition: str | None = None,
    lifecycle: Lifecycle = "ignore",
    order: Order | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    timestamp_format: TimestampFormat = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
    progress: Progress | None = None,
    attributes: WantedAttributes = "people",
    name: str | None = None,
    cases: Cases | None = None,
    object_type: str | None = None,
    missing: Missing = "error",
    skip: int = 0,
    skip_last: int = 0,
    sheet: str | None = None,
) -> EventLog:
    """Read an event log, whole and exact, or raise :class:`actalike.LogError`.

    ``source`` is the path of a ``.xes``, ``.csv``, ``.tsv`` (each also with ``.gz``), ``.parquet`` or ``.xlsx`` file, or a frame:
    pandas (pm4py's too), Polars, pyarrow, or any other that narwhals knows, or an EventLog object of pm4py; or of an
    object-centric log (OCEL 2.0): ``.jsonocel``, ``.xmlocel`` (each also with ``.gz``), ``.json``, ``.xml`` or ``.sqlite``. A
    folder, or a list of paths, is read as one log: the files of a folder in the order of their names, all of them or none;
    ``log.attributes["source"]`` has the file of each event.

    - ``case``, ``activity``, ``timestamp``, ``transition``: the columns, or the XES attributes, if they have unusual names;
      ``timestamp=""`` leaves timestamps out. Timestamps sort to the nanosecond and are kept to the microsecond, in UTC;
      one without a zone is taken as UTC.
    - ``lifecycle``: ``"ignore"`` keeps every event under its name; ``"complete"`` keeps only events whose transition is
      "complete"; ``"append"`` appends the transition to the label (``Check+start``).
    - ``order``: ``"file"`` keeps the order of the events in each case, ``"time"`` sorts them by timestamp, ties in file order.
      By default XES keeps its order, and columns are sorted if they have a timestamp.
    - ``separator``, ``encoding``, ``timestamp_format`` (``"%d.%m.%Y %H:%M"``): for a CSV file with an unusual layout. If the
      times of a column are written in several layouts, give all of them (``["iso", "%d.%m.%Y"]``; ``"iso"`` is ISO 8601): each
      time must fit one, and none may be different times by two.
    - ``skip``, ``skip_last``: how many rows to leave out above the names of the columns (titles) and at the end (totals), in CSV
      and Excel; ``sheet``: the sheet of an Excel file that has several.
    - ``max_bytes``: upper bound of a file's size after decompression.
    - ``progress``: a function that is called with the bytes read so far and the size of the file.
    - ``attributes``: the names of further columns, or of attributes of XES events (of their traces: ``"case:region"``), to keep
      as strings in ``log.attributes``; ``"people"`` keeps those whose names are usual for a resource, an organisation or a site
      (they are evidence that labels are one step), ``None`` keeps none.
    - ``name``: the column, or attribute, with a second name of each activity, to be shown beside labels that are codes:
      ``log.names``. It never affects groups or probabilities. Of several second names of a label, the most frequent is kept.
    - ``cases``: how to treat a case id that occurs in several files: one case that goes on (``"joined"``), or different cases
      (``"separate"``: each is called by its file and its id). Without it, such an id is an error.
    - ``missing``: how to treat events without a case, an activity, or a timestamp to sort by: ``"error"`` raises one;
      ``"skip"`` leaves them out; ``"label"`` labels a missing activity "(no activity)". Their number is in ``log.reading``.
    - ``object_type``: of an object-centric log, the type whose objects are the cases. It may be left out if there is only one.

    >>> import polars as pl
    >>> events = pl.DataFrame({"case": ["1", "2", "1"], "activity": ["a", "a", "b"], "user": ["Sue", "Bob", None]})
    >>> read_log(events).traces()
    [['a', 'b'], ['a']]
    >>> read_log(events).attributes["user"].texts()
    ['Sue', None, 'Bob']
    """
    options = ReadOptions(
        case=case,
        activity=activity,
        timestamp=timestamp,
        transition=transition,
        lifecycle=lifecycle,
        order=order,
        missing=missing,
        separator=separator,
        encoding=encoding,
        timestamp_format=timestamp_format,
        skip=skip,
        skip_last=skip_last,
        sheet=sheet,
        max_bytes=max_bytes,
        progress=progress,
        attributes=attributes,
        name=name,
        cases=cases,
        object_type=object_type,
    )
    files = None if is_pm4py_log(source) else log_files(source)
    check_cases(cases, files)
    check_object_type(object_type, [source] if files is None else files.paths)
    if files is not None:
        events = _read_files(files, options)
        return assemble(events, options, order or files.default_order(events))
    events = with_second_names(_read(source, options), options)
    keeps_order = is_pm4py_log(source) or (isinstance(source, str | Path) and log_kind(Path(source)) == "xes")
    return assemble(events, options, order or ("file" if keeps_order else events.default_order))


def as_log(source: LogLike, user: str, attributes: WantedAttributes = None) -> EventLog:
    """Return an EventLog as it is, and read a frame or an event log of pm4py as :func:`actalike.read_log` does.

    ``user`` is the calling function, for error messages. ``attributes`` are those that it uses, if the frame has them; an
    EventLog has those that it was read with. A table of an engine is an error: its events are never fetched silently.

    >>> import polars as pl
    >>> as_log(pl.DataFrame({"case": [1, 1], "activity": ["a", "b"]}), "embed").traces()
    [['a', 'b']]
    >>> as_log([["a", "b"]], "embed")
    Traceback (most recent call last):
    actalike.errors.ActalikeError: embed takes an EventLog or a frame (pandas, Polars, pyarrow, ...), not list: use
    actalike.read_log(...) or EventLog.from_traces(...) first.
    """
    if isinstance(source, EventLog):
        return source
    if not (is_pm4py_log(source) or is_frame(source)):
        raise ActalikeError(
            f"{user} takes an EventLog or a frame (pandas, Polars, pyarrow, ...), not {type(source).__name__}: use "
            "actalike.read_log(...) or EventLog.from_traces(...) first."
        )
    if (fetch := how_to_fetch(source)) is not None:
        raise LogError(
            f"{user} needs all events in memory, and the {type(source).__name__} is a table of a database or cluster: fetch it, "
            f"e.g. {fetch}, or count it where it is with actalike.count_windows. Nothing was read."
        )
    try:
        return read_log(source, attributes=attributes)
    except LogError as error:
        raise LogError(f"{error} Options of reading go to read_log: {user}(actalike.read_log(frame, case=...)).") from None


def _read(source: Any, options: ReadOptions) -> Events:
    """Read the events of one file, or of an object in memory."""
    if is_pm4py_log(source):
        return read_pm4py(source, options)
    if not isinstance(source, str | Path):
        return read_frame(source, options)
    path = Path(source)
    kind = kind_of(path, options)
    if "object_type" in KINDS[kind].options:
        return read_object_centric(path, kind, options)
    readers: dict[str, Callable[[Path, ReadOptions], Events]] = {
        "xes": read_xes,
        "csv": read_csv,
        "excel": read_excel,
        "parquet": read_parquet,
    }
    return readers[kind](path, options)


def _read_files(files: LogFiles, options: ReadOptions) -> Events:
    """Read the events of several files as those of one log."""
    parts: list[Events] = []
    n_bytes = 0
    for path, progress in zip(files.paths, _of_several(options.progress, files.paths), strict=True):
        parts.append(with_second_names(_read(path, replace(options, progress=progress)), options))
        n_bytes += parts[-1].n_bytes
        if n_bytes > options.max_bytes:
            raise _too_many(files, len(parts), options.max_bytes)
    return combine(files, parts, options.cases)


def with_second_names(events: Events, options: ReadOptions) -> Events:
    """Return the events with their second names apart from their attributes, unless these were wanted too."""
    if options.name is None:
        return events
    column = ATTRIBUTE + options.name
    frame = events.frame.with_columns(events.frame[column].alias("name"))
    return replace(events, frame=frame if options.wants(options.name) else frame.drop(column), second_name=options.name)


def _of_several(progress: Progress | None, paths: Sequence[Path]) -> Iterator[Progress | None]:
    """Yield the progress of each of several files, as a part of all of them."""
    if progress is None:
        yield from repeat(None, len(paths))
        return
    sizes = [path.stat().st_size if path.exists() else 0 for path in paths]
    total = sum(sizes)
    for before in accumulate(sizes[:-1], initial=0):
        yield partial(_report, progress, before, total)


def _report(progress: Progress, before: int, total: int, done: int, _: int) -> None:
    progress(before + done, total)


def _too_many(files: LogFiles, number: int, max_bytes: int) -> LogError:
    return LogError(
        f"{files.source}: the files up to {files.names[number - 1]} hold more than {max_bytes:,} bytes once unpacked. If this is "
        "intended, allow more with max_bytes=... (--max-bytes); nothing was read."
    )


def kind_of(path: Path, options: ReadOptions) -> str:
    """Return the kind of a log by the ending of its name; an option that does not fit the kind is an error."""
    if path.is_dir():
        raise LogError(f"{path} is a folder: name one of its files.")
    kind = kind_by_name(path)
    for option in dict.fromkeys(option for each in KINDS.values() for option in each.options):
        # of several files, one has objects: check_object_type
        if getattr(options, option) and option not in ("object_type", *KINDS[kind].options):
            *words, last = (each.words for each in KINDS.values() if option in each.options)
            listed = f"{', '.join(words)} and {last}" if words else last
            raise LogError(f"{path}: {option}=... (--{option.replace('_', '-')}) is for {listed}, not for {KINDS[kind].words}.")
    if kind == "parquet" and not is_utf8(path):
        raise LogError(
            f"{path} has a name that is not UTF-8, and a Parquet file cannot be opened by it: rename it; nothing was read."
        )
    return kind


def check_object_type(object_type: str | None, sources: Sequence[Any]) -> None:
    """Raise an error if an object type was given and no source is object-centric."""
    if object_type is not None and not any(isinstance(each, str | Path) and is_object_centric(each) for each in sources):
        endings = [ending for kind in KINDS.values() if "object_type" in kind.options for ending in kind.endings]
        unknown = [each for each in sources if isinstance(each, str | Path) and log_kind(each) is None and Path(each).is_file()]
        if unknown:
            raise LogError(
                f"{unknown[0]}: object-centric logs are recognised by their file extension: {', '.join(endings)}. Rename "
                "the file; nothing was read."
            )
        raise ActalikeError(
            f"object_type=... (--object-type) is for object-centric logs only ({', '.join(endings)}): leave it out."
        )


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
    """Raise an error if ``cases`` has an unknown value, or if there is only one file."""
    if cases not in (None, "joined", "separate"):
        raise ActalikeError(f"cases={cases!r} is neither 'joined' nor 'separate' (--cases).")
    if cases is not None and files is None:
        raise ActalikeError("cases=... (--cases) is for several files, or a folder: leave it out for a single file.")


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
    _reject_repeated(paths)
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
        excel = any(log_kind(path) == "excel" for path in seen)
        how = " Excel files in a folder are not read unless they are named: list them." if excel else ""
        raise LogError(
            f"{folder} is a folder without a log: the extension of logs is {', '.join(LOG_ENDINGS)}.{how} Nothing was read."
        )
    names = {path.name for path in logs}  # a folder may hold thousands
    return logs, [f"{path.name}/" if path.is_dir() else path.name for path in seen if path.name not in names]


def _reject_repeated(paths: Sequence[Path]) -> None:
    real = Counter(map(os.path.realpath, paths))  # unlike resolve(), it takes a link that leads to itself
    for path in paths:
        if real[os.path.realpath(path)] > 1:
            raise LogError(f"{path} is listed twice, so its events would count twice: list it once; nothing was read.")


def combine(files: LogFiles, parts: Sequence[Events], cases: Cases | None) -> Events:
    """Return the events of all files as one log, in the order of the files, each with its file as the ``source``."""
    if any(ATTRIBUTE + SOURCE in part.frame.columns for part in parts):
        raise LogError(
            f"{files.source}: the attribute {SOURCE!r} is reserved for the file of each event, so a column of that name "
            "cannot be read: leave it out of attributes=... (--attributes). Nothing was read."
        )
    starts = np.concatenate([[0], np.cumsum([len(part.frame) for part in parts])])
    numbered_parts = [_with_numbers(part) for part in parts]
    case_ids, numbers = _united_cases(files, numbered_parts, cases)
    frames = []
    categories = Categories()
    for part, number, name in zip(numbered_parts, numbers, files.names, strict=True):
        case = pl.Series("case", number).gather(part.frame["case"])
        frames.append(categories.of(part.frame.with_columns(case, pl.lit(name).alias(ATTRIBUTE + SOURCE))))

    def place(event: int) -> str:
        part = int(np.searchsorted(starts, event, side="right")) - 1
        return f"{parts[part].place(event - int(starts[part]))} of {files.names[part]}".replace(", of ", " of ")

    frame = pl.concat(frames, how="diagonal")
    return replace(
        parts[0],
        source=files.source,
        frame=frame.with_columns(pl.col("^nanos$").fill_null(0)).select(
            pl.exclude("^attribute:source$"), pl.col("^attribute:source$")
        ),
        columns=Columns(*(_either(part.columns[role] for part in parts) for role in range(4))),  # type: ignore[arg-type]
        place=place,
        case_ids=case_ids,
        unnamed_cases=sum(part.unnamed_cases for part in parts),
        files=tuple(files.names),
        other_files=files.others,
        flattening=_united_flattening(parts),
        joined=cases,
    )


def _with_numbers(part: Events) -> Events:
    """Return events whose cases are numbers."""
    if part.case_ids:
        return part
    case_ids, numbers = numbered(part.frame["case"])
    positions = pl.Series("case", numbers.astype(np.int64))
    return replace(part, frame=part.frame.with_columns(positions.set(positions < 0, None)), case_ids=case_ids)


def _united_cases(files: LogFiles, parts: Sequence[Events], cases: Cases | None) -> tuple[list[str], list[NDArray[np.int64]]]:
    """Return the ids of all cases, and for each file the numbers of its cases among them."""
    if cases == "separate":
        separate_ids = [f"{name}/{case}" for name, part in zip(files.names, parts, strict=True) for case in part.case_ids]
        ends = np.cumsum([len(part.case_ids) for part in parts])
        return separate_ids, [np.arange(end - len(part.case_ids), end) for part, end in zip(parts, ends, strict=True)]
    ids = pl.Series([case for part in parts for case in part.case_ids], dtype=pl.String)
    file = np.repeat(np.arange(len(parts)), [len(part.case_ids) for part in parts])
    codes = numbered(ids)[1]
    first = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)  # assigned in reverse, so the first position of each case stays
    goes_on = file > file[first][codes]
    if goes_on.any():
        _check_shared(files, parts, ids, file, codes, goes_on, cases)
    numbers = np.cumsum(~goes_on) - 1
    numbers[goes_on] = numbers[first[codes[goes_on]]]
    return ids.filter(~goes_on).to_list(), np.split(numbers, np.cumsum([len(part.case_ids) for part in parts])[:-1])


def _check_shared(
    files: LogFiles,
    parts: Sequence[Events],
    ids: pl.Series,
    file: NDArray[np.int64],
    codes: NDArray[np.int32],
    goes_on: NDArray[np.bool_],
    cases: Cases | None,
) -> None:
    """Raise an error unless cases that continue in another file are to be joined, and are unambiguous.

    Cases without a name are ambiguous, and those whose name occurs twice in a file (XES allows it). ``ids`` are the cases of
    all parts.
    """
    place = int(goes_on.argmax())
    second, before = int(file[place]), np.flatnonzero(codes[:place] == codes[place])
    first = int(file[before[0]])
    if cases is None:
        others = int(goes_on[file == second].sum()) - 1
        more = ("", ", and so is 1 more")[others] if others < 2 else f", and so are {others:,} more"
        raise LogError(
            f"{files.source}: the case {shortened(ids[place])!r} is in {files.names[first]} and in {files.names[second]}{more}. "
            "If cases continue from file to file, give cases='joined' (--cases joined); if these are different cases, give "
            "cases='separate' (--cases separate). Nothing was read."
        )
    is_shared = np.zeros(int(codes.max()) + 1, dtype=bool)
    is_shared[codes[goes_on]] = True
    shared = np.flatnonzero(is_shared[codes])
    for i in np.unique(file[shared]).tolist():
        if parts[i].unnamed_cases:
            raise LogError(
                f"{files.names[i]} has traces without a name, so they cannot be joined with those of other files: name them, or "
                "give cases='separate' (--cases separate). Nothing was read."
            )
    pairs = file[shared] * len(is_shared) + codes[shared]
    _, places = np.unique(pairs, return_index=True)
    if len(places) < len(pairs):
        twice = shared[np.setdiff1d(np.arange(len(pairs)), places)[0]]
        raise LogError(
            f"{files.names[file[twice]]} has two traces called {shortened(ids[int(twice)])!r}, so it is not clear which of them "
            "continues in another file: rename one, or give cases='separate' (--cases separate). Nothing was read."
        )


def _united_flattening(parts: Sequence[Events]) -> Flattening | None:
    """Return how the object-centric files became cases; None if there is none."""
    each = [part.flattening for part in parts if part.flattening is not None]
    if not each:
        return None
    sums = (sum(getattr(one, field.name) for one in each) for field in fields(Flattening)[1:])
    return Flattening(each[0].object_type, *sums)


def _either(names: Iterable[str | None]) -> str | None:
    """Return the names of a column in the files, each once; None if no file has it."""
    return " / ".join(dict.fromkeys(name for name in names if name is not None)) or None
