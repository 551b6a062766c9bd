"""Arrange a lazy frame of Polars that may be larger than memory: its cases are dealt to parts, and each part is sorted by itself.

Polars' streaming engine computes the frame batch by batch. What fits is kept. Otherwise each event goes to one of some parts on
disk, by a hash of its case, so that the events of a case are in one part. A part that does not fit is dealt to parts again.
"""

from collections.abc import Generator, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain
from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl

from actalike.counting.engines.columns import Ties
from actalike.counting.engines.event_columns import EventColumns, check_nothing_missing, check_years, refuse_ties
from actalike.counting.engines.failures import first_line
from actalike.counting.engines.labels import LabelCodes
from actalike.counting.engines.local import case_keys, check_some, missing, outside_years, refuse_labels, sort_events
from actalike.counting.engines.spill import spill_folder
from actalike.errors import EngineError, LogError
from actalike.io import label_column
from actalike.log import EventLog

_AT_ONCE = 1 << 27  # bytes of columns that are held at a time; sorting and counting them takes some times as many
_PARTS = 64
_BATCH = 1 << 19  # rows


def arrange_lazily(frame: nw.LazyFrame[Any], columns: EventColumns, ties: Ties) -> Generator[EventLog, None, None]:
    """Yield logs of whole cases, which together have all events of the frame. Errors are raised at the end if not before.

    >>> events = nw.from_native(pl.LazyFrame({"case": [1, 2, 1], "activity": ["b", "a", "a"], "at": [5, 1, 2]}))
    >>> [log] = arrange_lazily(events, EventColumns("the LazyFrame", "case", "activity", ("at",)), "error")
    >>> log.traces()
    [['a', 'b'], ['a']]
    """
    activities = LabelCodes()
    tied, case = 0, None
    with ExitStack() as stack:
        for part in _parts(_coded(frame, columns, activities), stack, level=0):
            order = [nw.from_native(part[key], series_only=True) for key in part.columns[2:]]
            events = sort_events(part["case"], part["code"].to_numpy(), order, ties)
            if len(events.tied):
                case = case if tied else part["case"][int(events.tied[0])]
                tied += len(events.tied)
            if not tied:
                yield events.log(list(activities.known))
    if tied:
        refuse_ties(columns, case, tied, has_rows=True)


def _coded(frame: nw.LazyFrame[Any], columns: EventColumns, activities: LabelCodes) -> Iterator[pl.DataFrame]:
    """Yield the events in batches: their cases, the codes of their activities, and what orders them.

    When all were seen, an error is raised if there are none, if values are missing, or if times are outside the years 1 to 9999.
    """
    names = [columns.case, columns.activity, *columns.order]
    n_events, absent, outside = 0, [0] * len(names), [0] * len(columns.order)
    for batch in _batches(frame.select(columns.names).to_native(), columns.source):
        n_events += len(batch)
        found = [missing(nw.from_native(batch[name], series_only=True)) for name in names]
        absent = [n + more for n, more in zip(absent, found, strict=True)]
        more_outside = [outside_years(nw.from_native(batch[name], series_only=True)) for name in columns.order]
        outside = [n + more for n, more in zip(outside, more_outside, strict=True)]
        if any(absent) or any(outside):
            continue  # they are only counted now
        with refuse_labels(columns):
            cases = case_keys(batch[columns.case], columns.source)
            codes = activities.encode(label_column(batch[columns.activity], columns.source).cast(pl.String))
        keys = {f"order{place}": batch[name] for place, name in enumerate(columns.order)}
        yield pl.DataFrame({"case": cases, "code": codes, **keys})
    check_some(columns, n_events)
    check_nothing_missing(columns, absent)
    check_years(columns, outside)


def _batches(lazy: pl.LazyFrame, source: str) -> Iterator[pl.DataFrame]:
    """Compute a lazy frame, which may be anything from anywhere: a damaged file, or a query that fails.

    Where a file is so damaged that Polars panics, its batches just end (2.1). So the rows are counted, and compared.
    """
    seen = 0
    try:
        batches = iter(lazy.collect_batches(chunk_size=_BATCH, engine="streaming"))
        while (batch := next(batches, None)) is not None:
            seen += len(batch)
            yield batch
        rows = lazy.select(pl.len()).collect(engine="streaming").item()
    except (Exception, pl.exceptions.PanicException) as error:
        raise LogError(
            f"{source} cannot be computed ({first_line(error)}): mend the query, or the file behind it; nothing was read."
        ) from error
    if seen != rows:
        raise LogError(
            f"{source} cannot be computed: {seen:,} of its {rows:,} rows came back, so a file behind it is damaged. Get complete "
            "copies; nothing was read."
        )


def _parts(frames: Iterator[pl.DataFrame], stack: ExitStack, level: int) -> Iterator[pl.DataFrame]:
    """Yield frames of whole cases: all events in one if they fit, else those of each file to which they are dealt.

    The folder of the files is removed when the stack is closed.
    """
    held, is_all = _take(frames)
    if is_all:
        yield held
        return
    folder = stack.enter_context(spill_folder(None))
    sizes = _deal(chain([held], _pieces(frames)), folder, level)
    del held
    for part, size in sizes.items():
        files = sorted(folder.glob(f"{part}-*"))
        if size == sum(sizes.values()):  # all events came to one part again: they are of one case, so it has to fit
            yield pl.concat(_read(files))
        else:
            yield from _parts(_read(files), stack, level + 1)


def _take(frames: Iterator[pl.DataFrame]) -> tuple[pl.DataFrame, bool]:
    """Return frames as one, until they are too large or there are no more, and whether these were all."""
    taken, size = [], 0.0
    for frame in frames:
        taken.append(frame)
        size += frame.estimated_size()
        if size > _AT_ONCE:
            return pl.concat(taken), False
    return pl.concat(taken) if taken else pl.DataFrame(), True


def _pieces(frames: Iterator[pl.DataFrame]) -> Iterator[pl.DataFrame]:
    """Yield the same events in frames that are not too large, and larger than batches are."""
    is_all = False
    while not is_all:
        piece, is_all = _take(frames)
        yield piece


def _deal(pieces: Iterable[pl.DataFrame], folder: Path, level: int) -> dict[int, int]:
    """Write events to files, by a hash of their case; return the number of events in each part."""
    sizes: dict[int, int] = {}
    for number, piece in enumerate(pieces):
        if not len(piece):
            continue
        part = piece["case"].hash(seed=level) % _PARTS
        for (key,), events in piece.with_columns(part=part).partition_by("part", as_dict=True, include_key=False).items():
            with _temporary_files(folder):
                events.write_ipc(folder / f"{key}-{number:08}", compression="lz4")
            sizes[key] = sizes.get(key, 0) + len(events)
    return sizes


def _read(files: Iterable[Path]) -> Iterator[pl.DataFrame]:
    """Yield the frames in files, which are removed."""
    for file in files:
        with _temporary_files(file.parent):
            frame = pl.read_ipc(file.read_bytes())  # not by its name: a file that is mapped cannot be removed everywhere
            file.unlink()
        yield frame


@contextmanager
def _temporary_files(folder: Path) -> Iterator[None]:
    """Raise an error of ours where a temporary file cannot be written, or is gone."""
    try:
        yield
    except (OSError, pl.exceptions.PolarsError) as error:
        raise EngineError(
            f"The temporary files in {folder} could not be used ({first_line(error)}): a frame that is larger than memory is "
            "counted part by part on disk. Make room there, or name another folder with the environment variable TMPDIR; nothing "
            "was counted."
        ) from error
