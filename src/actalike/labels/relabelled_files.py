"""Relabel the file of a log, or the files of a log that is in several: rename its activities and copy everything else in them.

CSV: every cell is copied as it is written, except the labels that change, and a column is added at the end. A new label is in
quotes if the old one was, or if CSV requires it.

Parquet: all columns, their types and notes are kept, and a column is added at the end. pyarrow copies, because it keeps what it
and pandas see: types that Polars does not have, columns that must have values, the index and attrs of a pandas frame. It verifies
checksums on the way, and writes them.

XES: every byte is copied except the labels that change. ``<string key="concept:name" value="Verify"/>`` of an event becomes
``<string key="actalike:original" value="Verify"/><string key="concept:name" value="Check"/>``, with the white space that stood
before it repeated between the two. The log's extensions, globals and classifiers, the traces, all other attributes (nested ones
too) and comments stay as they are.
"""

import codecs
import gzip
import json
import os
import re
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from actalike.errors import ActalikeError, LogError, shortened
from actalike.io import (
    DEFAULT_MAX_BYTES,
    KINDS,
    SOURCE,
    Cases,
    CsvFile,
    Missing,
    Order,
    Progress,
    ReadOptions,
    TimestampFormat,
    XesReader,
    escape,
    field_bounds,
    find_columns,
    is_log,
    kind_of,
    log_files,
    log_kind,
    read_csv,
    read_log,
    read_parquet,
    read_xes,
)
from actalike.labels.mapping import CheckedNames, unnamed
from actalike.labels.relabelling import (
    ORIGINAL,
    Bools,
    Names,
    NewColumns,
    Plan,
    Relabelled,
    as_mapping,
    changes_of,
    make_plan,
    new_columns,
    rewrite_pyarrow,
)
from actalike.log import EventLog
from actalike.support.extras import Extra
from actalike.support.files import new_folder_name, remove_leftovers, same_file, write_atomically, written_together
from actalike.support.progress import reading_tracked

_FORM = {"compression": "zstd", "write_page_checksum": True}
_SPACE = b" \t\r\n"
_ATTRIBUTE = re.compile(rb"\s([^\s=<>]++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")  # of a tag that a parser has accepted

Edit = tuple[int, int, bytes]  # start and end in a piece, and the bytes to put there instead


@reading_tracked("relabelling", passes=2)
def relabel_file(
    source: str | Path,
    mapping: Names,
    output: str | Path,
    *,
    collapse: bool = False,
    case: str | None = None,
    activity: str | None = None,
    timestamp: str | None = None,
    order: Order | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    timestamp_format: TimestampFormat = None,
    skip: int = 0,
    skip_last: int = 0,
    max_bytes: int = DEFAULT_MAX_BYTES,
    progress: Progress | None = None,
    missing: Missing = "error",
) -> Relabelled:
    """Copy the file of a log with the activities renamed as the mapping says, and everything else unchanged.

    ``source`` is read twice, as :func:`actalike.read_log` does with the same options: first to check that it is complete and has
    every label of the mapping, then to copy it. ``output`` has the same file kind (compressed or not). It is written completely
    or not at all.

    A renamed event keeps its old label in the attribute or column ``actalike:original``. If it has one from an earlier
    relabelling, that one stays. For other events the attribute or value is missing. ``collapse`` leaves out events that repeat
    the one before them only because of the renaming, as :func:`actalike.relabel` does.

    With ``missing="skip"`` or ``"label"``, events that lack a case or an activity are no error: they are copied as they are. With
    ``"label"``, a new name for "(no activity)" in the mapping changes nothing, as these events have no label.

    A Parquet file keeps its notes, types and groups of rows, so pandas reads it with the same index and attrs, and pyarrow with
    the same metadata; this needs pyarrow. Labels that were not strings become strings, categories of labels lose their rank, and
    if ``collapse`` leaves out rows, an index of pandas that only numbers the rows numbers them anew.

    >>> import tempfile
    >>> from actalike import EventLog, read_log, write_log
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_log(EventLog.from_traces([["Check", "Pay"], ["Verify", "Pay"]]), f"{folder}/log.xes")
    ...     result = relabel_file(f"{folder}/log.xes", {"Verify": "Check"}, f"{folder}/simpler.xes.gz")
    ...     read_log(f"{folder}/simpler.xes.gz").traces(), result.renamed
    ([['Check', 'Pay'], ['Check', 'Pay']], 1)
    """
    source, output = Path(source), Path(output)
    options = ReadOptions(
        case=case,
        activity=activity,
        timestamp=timestamp,
        order=order,
        separator=separator,
        encoding=encoding,
        timestamp_format=timestamp_format,
        skip=skip,
        skip_last=skip_last,
        max_bytes=max_bytes,
        progress=progress,
        missing=missing,
    )
    kind = kind_of(source, options)
    refuse_other_kinds([source])
    _check_output(source, output, kind)
    relabel = {"xes": relabel_xes, "csv": relabel_csv, "parquet": relabel_parquet}[kind]
    return relabel(source, output, as_mapping(mapping), collapse, options)


def refuse_other_kinds(paths: Iterable[Path]) -> None:
    """Raise an error for a file of a kind that cannot be copied with other labels."""
    for path in paths:
        kind = KINDS.get(log_kind(path) or "")
        if kind is not None and not kind.is_relabelled:
            sheet = "save the sheet as CSV and relabel that, or " if "sheet" in kind.options else ""
            objects = " with object_type=..." if "object_type" in kind.options else ""
            raise LogError(
                f"{path}: files of {kind.words} cannot be copied with other labels: {sheet}read it{objects}, and write "
                "actalike.relabel(log, mapping) with actalike.write_log as .xes. Nothing was written."
            )


def relabel_files(
    source: Any,
    mapping: Names,
    output: str | Path,
    *,
    cases: Cases | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Relabelled:
    """Copy the files of a folder, or of a list, with the activities renamed, each under its own name into a new folder.

    The mapping is checked against the labels of all files together: a label may be missing in some of them. ``cases`` says what a
    case id in several files means, for the digest and the words about the reading; the files are copied in the same way.
    ``options`` are those of :func:`relabel_file`. The folder ``output`` is there when all of its files are complete, or not at
    all.
    """
    files = log_files(source)
    if files is None:
        raise ActalikeError(f"{source} is one file: relabel_file copies it.")
    output = Path(output)
    if is_log(output):
        raise ActalikeError(
            f"{output} would be a folder, because {files.source} is more than one file, and its name is that of a file: choose a "
            "name without such an ending. Nothing was written."
        )
    if os.path.lexists(output):
        raise ActalikeError(f"{output} exists already, and a folder is never replaced: choose another one. Nothing was written.")
    if any(Path(name).name != name for name in files.names):
        raise LogError(f"{files.source}: two files have the same name, so they cannot be in one folder. Nothing was written.")
    refuse_other_kinds(files.paths)
    log = read_log(source, cases=cases or "separate", progress=progress, **options)
    reading = log.reading
    if reading is not None and cases is None:
        reading = replace(reading, joined_cases=None)
    given = as_mapping(mapping)
    new_names = changes_of(given, log.activities, options.get("missing", "error"))
    labels = _labels_of_files(log)
    folder = output.parent / new_folder_name()
    try:
        remove_leftovers(output.parent)
        folder.mkdir()
        done = []
        with written_together():
            for path, name in zip(files.paths, files.names, strict=True):
                here = CheckedNames({label: new_names[label] for label in labels[name] if label in new_names})
                done.append(relabel_file(path, here, folder / name, **options))
        os.rename(folder, output)
    except ActalikeError as error:  # about a file of the temporary folder, of which the user knows nothing
        raise type(error)(str(error).replace(str(folder), str(output))) from None
    except OSError as error:
        raise ActalikeError(f"{output} cannot be written: {error.strerror or error}. Nothing was written.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Relabelled(
        events=sum(each.events for each in done),
        renamed=sum(each.renamed for each in done),
        dropped=0,
        activities=len({new_names.get(label, label) for label in log.activities}),
        activities_before=len(log.activities),
        reading=reading,
        digest=log.digest,
        unnamed=unnamed(given),
    )


class Encoder:
    """Convert text from UTF-8 to the encoding of the source, which its byte order mark tells if it has one."""

    def __init__(self, path: Path, mark: bytes, encoding: str, errors: str = "strict") -> None:
        self.path, self.mark, self.encoding = path, mark, encoding
        name = {b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be", b"\xef\xbb\xbf": "utf-8"}.get(mark, encoding)
        self._same = codecs.lookup(name).name == "utf-8"
        self._encoder = codecs.getincrementalencoder(name)(errors)

    def encode(self, text: bytes) -> bytes:
        """Return a piece of UTF-8 text in the encoding of the source. A piece must not end within a character."""
        if self._same:
            return text
        try:
            return self._encoder.encode(text.decode())
        except UnicodeEncodeError as error:
            character = error.object[error.start]
            raise LogError(
                f"{self.path} is in {self.encoding}, which has no {character!r}: choose other names, or convert it to UTF-8."
            ) from None


def write_pieces(path: Path, pieces: Iterable[bytes]) -> None:
    """Write pieces to a file, compressed by gzip if its name ends in .gz. The same pieces give the same bytes."""

    def write(part: Path) -> None:
        with part.open("wb") as file:
            if not path.name.lower().endswith(".gz"):
                file.writelines(pieces)
                return
            with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
                packed.writelines(pieces)

    write_atomically(path, write)


def changed_meanwhile(path: Path) -> LogError:
    """Return the error to raise if a file has changed between the first and the second reading."""
    return LogError(f"{path} changed while it was being relabelled: try again. Nothing was written.")


def relabel_csv(
    path: Path,
    output: Path,
    mapping: Mapping[str, str],
    collapse: bool,
    options: ReadOptions,
) -> Relabelled:
    """Read the log to make a plan, then copy the file with the new labels."""
    events = read_csv(path, options)
    plan = make_plan(events, mapping, collapse, options, options.order or events.default_order)

    def pieces() -> Iterator[bytes]:
        file = CsvFile(path, options)
        encoder = Encoder(path, file.mark, file.encoding)
        rewriting = _CsvRewriting(file, plan)
        yield file.mark
        yield encoder.encode(file.separator_line + file.above + rewriting.header())
        for block in file.blocks():
            yield encoder.encode(rewriting.rewrite(block.content))
        yield encoder.encode(file.below + file.blank_end)
        if rewriting.n_rows != len(plan.codes):
            raise changed_meanwhile(path)

    write_pieces(output, pieces())
    return plan.result


class _CsvRewriting:
    """Replace the labels of a CSV file block by block."""

    def __init__(self, file: CsvFile, plan: Plan) -> None:
        self.file, self.plan = file, plan
        self.separator = file.separator.encode()
        self.label = file.present.index(file.columns.activity)
        self.original = file.present.index(ORIGINAL) if ORIGINAL in file.present else None
        self.names = [None if name is None else name.encode() for name in plan.names]
        self.n_rows = 0

    def header(self) -> bytes:
        """Return the header line with the new column."""
        header = self.file.header
        if self.original is not None:
            return header
        names = header.rstrip(b"\r\n")
        return names + self.separator + self._written(ORIGINAL.encode(), b"") + header[len(names) :]

    def rewrite(self, block: bytes) -> bytes:
        """Return a block of complete rows with the new labels, without the rows that are dropped."""
        bounds = field_bounds(block, self.file.separator, len(self.file.present)).tolist()
        rows = slice(self.n_rows, self.n_rows + len(bounds))
        self.n_rows = rows.stop
        if self.n_rows > len(self.plan.codes):
            raise changed_meanwhile(self.file.path)
        plan = self.plan
        dropped, renamed, codes = (each[rows].tolist() for each in (plan.dropped, plan.renamed, plan.codes))
        parts: list[bytes] = []
        for i, row in enumerate(bounds):
            if dropped[i]:
                continue
            if renamed[i]:
                parts += self._renamed(block, row, self.names[codes[i]] or b"")
            else:
                parts += [block[row[0] : row[-1]], self.separator if self.original is None else b""]
            parts.append(block[row[-1] : bounds[i + 1][0] if i + 1 < len(bounds) else len(block)])  # the line break
        return b"".join(parts)

    def _renamed(self, block: bytes, row: list[int], name: bytes) -> list[bytes]:
        """Return a row with a new label; ``row`` holds the bounds of its cells in the block."""
        cells = [block[start : end - 1] for start, end in pairwise(row[:-1])] + [block[row[-2] : row[-1]]]
        old = cells[self.label]
        cells[self.label] = self._written(name, old)
        # at the end of the row, a carriage return would become a part of the line break
        kept = b'"%s"' % old if old.endswith(b"\r") else old
        if self.original is None:
            cells.append(kept)
        elif not cells[self.original]:
            cells[self.original] = kept
        return [self.separator.join(cells)]

    def _written(self, text: bytes, like: bytes) -> bytes:
        """Return a text as a cell, in quotes if the cell ``like`` has them. An empty cell without quotes would mean no value."""
        if text and like[:1] != b'"' and not any(mark in text for mark in (self.separator, b'"', b"\r", b"\n")):
            return text
        return b'"%s"' % text.replace(b'"', b'""')


def relabel_parquet(path: Path, output: Path, mapping: Mapping[str, str], collapse: bool, options: ReadOptions) -> Relabelled:
    """Read the log's columns to make a plan, then copy all columns, one group of rows after the other."""
    pq = Extra("parquet", "pyarrow").load("pyarrow.parquet", "Relabelling a Parquet file")
    events = read_parquet(path, options)
    plan = make_plan(events, mapping, collapse, options, options.order or events.default_order)

    def copy(part: Path) -> None:
        with _pyarrow_errors(path, OSError):
            file = pq.ParquetFile(path, page_checksum_verification=True)
            columns = file.schema_arrow.names
        if file.metadata.num_rows != len(plan.codes):
            raise changed_meanwhile(path)
        new = new_columns(find_columns(str(path), columns, **options.columns).activity, plan)
        end = 0
        with _pyarrow_errors(path), part.open("wb") as opened, pq.ParquetWriter(opened, _schema(file, new), **_FORM) as writer:
            for number in range(file.num_row_groups):
                with _pyarrow_errors(path, OSError):
                    group = file.read_row_group(number)
                start, end = end, end + len(group)
                rows = new.rows(start, end)
                if ORIGINAL in columns:
                    rows = rows.with_earlier(pl.Series(group[ORIGINAL]), str(path))
                copied = rewrite_pyarrow(group, rows)
                if len(copied):
                    writer.write_table(copied.cast(writer.schema), row_group_size=len(copied))
        if end != len(plan.codes):
            raise changed_meanwhile(path)

    write_atomically(output, copy)
    return plan.result


def relabel_xes(
    path: Path,
    output: Path,
    mapping: Mapping[str, str],
    collapse: bool,
    options: ReadOptions,
) -> Relabelled:
    """Read the log to make a plan, then copy the file with the new labels."""
    # the original label of an event is read in the place of its transition: which events have one already
    events = read_xes(path, replace(options, lifecycle="append", transition=ORIGINAL))
    plan = make_plan(events, mapping, collapse, options, options.order or "file")
    transitions = (
        events.frame["transition"] if "transition" in events.frame.columns else pl.repeat(None, len(plan.codes), eager=True)
    )
    has_original = transitions.is_not_null().to_numpy()

    def pieces() -> Iterator[bytes]:
        rewriting = _XesRewriting(path, options, plan, has_original)
        xml = rewriting.xml
        encoder = None
        for piece in rewriting.pieces():
            if encoder is None:
                encoder = Encoder(path, xml.mark, xml.encoding, "xmlcharrefreplace")  # only new labels can need that
                yield xml.mark
            yield encoder.encode(rewriting.rewrite(piece))
        if rewriting.n_events != len(plan.codes):
            raise changed_meanwhile(path)

    write_pieces(output, pieces())
    return plan.result


class _XesRewriting(XesReader):
    """Read the file a second time, note where its events and labels are, and replace the labels.

    Places are counted from the beginning of the text in UTF-8.
    """

    def __init__(self, path: Path, options: ReadOptions, plan: Plan, has_original: Bools) -> None:
        super().__init__(path, options)
        self.plan, self.has_original = plan, has_original
        self.names = [None if name is None else escape(name).encode() for name in plan.names]
        self.n_done = 0  # bytes that were rewritten
        self.dropped_from: int | None = None  # where the event that is open begins, if it is dropped
        self.drops: list[tuple[int, int]] = []  # where dropped events begin and end
        self.labels: list[tuple[int, int, str, str]] = []  # event, where its label's tag begins, its element and its text

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """Note where an event begins, or its label."""
        n_events = self.n_events
        super().start(name, attributes)
        if self.n_events > len(self.plan.codes):
            raise changed_meanwhile(self.path)
        event, place = self.n_events - 1, self.xml.parser.CurrentByteIndex
        if self.n_events > n_events:
            self.dropped_from = place if self.plan.dropped[event] else None
        elif self.in_event and self.depth == 4 and self.plan.renamed[event]:
            key, label = attributes.get("key"), attributes.get("value")
            if key == self.activities.key and label is not None:
                self.labels.append((event, place, name, label))

    def end(self, name: str) -> None:
        """Note where a dropped event ends."""
        super().end(name)
        if self.depth == 2 and self.dropped_from is not None:
            self.drops.append((self.dropped_from, self.xml.parser.CurrentByteIndex))
            self.dropped_from = None

    def rewrite(self, piece: bytes) -> bytes:
        """Return a piece with its new labels, without the events that are dropped.

        The first dropped event may have begun in an earlier piece, and the last may end in a later one.
        """
        before = self.n_done
        self.n_done += len(piece)
        edits = []
        for start, end in self.drops:
            end -= before
            end = piece.index(b">", end) + 1 if piece.startswith(b"</event", end) else end  # expat: behind an empty tag
            edits.append((_before_space(piece, max(start - before, 0)), end, b""))
        if self.dropped_from is not None:
            edits.append((_before_space(piece, max(self.dropped_from - before, 0)), len(piece), b""))
        for event, place, name, label in self.labels:
            edits += self._renames(piece, event, place - before, name, label)
        self.drops, self.labels = [], []
        return _edited(piece, edits)

    def _renames(self, piece: bytes, event: int, start: int, element: str, label: str) -> Iterator[Edit]:
        """Yield the edits that rename one event: the attribute with its original label, and the new label."""
        if element != "string":
            raise LogError(
                f"{self.path} has the label {shortened(label)!r} as <{shortened(element)}>, and only a <string> can hold any "
                "name: correct the log. Nothing was written."
            )
        first, last = _value_span(piece, start)
        quote = piece[first - 1 : first]
        if not self.has_original[event]:
            gap = piece[_before_space(piece, start) : start]
            yield start, start, b'<string key="%s" value=%s%s%s/>%s' % (ORIGINAL.encode(), quote, piece[first:last], quote, gap)
        name = self.names[self.plan.codes[event]] or b""
        yield first, last, name.replace(b"'", b"&apos;") if quote == b"'" else name


def _check_output(source: Path, output: Path, kind: str) -> None:
    """Raise an error if the output has another file kind than the source, or is the source itself."""
    ending = source.name.lower().removesuffix(".gz").rpartition(".")[2]
    if not output.name.lower().endswith(tuple(known for known in KINDS[kind].endings if known.startswith(f".{ending}"))):
        raise LogError(
            f"{output} would be of another kind than {source}, and relabelling keeps the kind: name it "
            f"{output.name.partition('.')[0]}.{ending}. (actalike.write_log writes any kind, but only what an EventLog holds.)"
        )
    if same_file(output, [source]):
        raise LogError(f"{output} is the log itself, which must stay as it is: choose another name for the output.")


def _labels_of_files(log: EventLog) -> dict[str, list[str]]:
    """Return which labels each file has."""
    source = log.attributes[SOURCE]
    labels: dict[str, list[str]] = {name: [] for name in source.values}
    for pair in np.unique(source.codes.astype(np.int64) * len(log.activities) + log.codes).tolist():
        file, label = divmod(pair, len(log.activities))
        labels[source.values[file]].append(log.activities[label])
    return labels


def _schema(file: Any, new: NewColumns) -> Any:
    """Return the columns and notes of the copy."""
    source = file.schema_arrow
    schema = rewrite_pyarrow(source.empty_table(), new.rows(0, 0)).schema
    notes = (file.metadata.metadata or {}) | (schema.metadata or {})
    notes.pop(b"ARROW:schema", None)  # pyarrow writes it
    if b"pandas" in notes and schema.field(new.activity).type != source.field(new.activity).type:
        notes[b"pandas"] = _pandas_note(notes[b"pandas"], [new.activity])
    return schema.with_metadata(notes)


@contextmanager
def _pyarrow_errors(path: Path, *further: type[Exception]) -> Iterator[None]:
    """Turn the errors of pyarrow, and further ones where nothing is written, into one about the file that is copied."""
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, UnicodeDecodeError, *further) as error:
        raise LogError(
            f"{path} cannot be copied as Parquet ({str(error).splitlines()[0][:200]}): it is damaged, or written in a way that "
            "is not supported. Get a complete copy, or write it again; nothing was written."
        ) from None


def _pandas_note(note: bytes, now_strings: Collection[str]) -> bytes:
    """Return the note of pandas with the type of strings for some columns; unchanged if it is not written as pandas does.

    >>> _pandas_note(b'{"columns": [{"field_name": "a", "pandas_type": "int64", "numpy_type": "Int64"}]}', ["a"])
    b'{"columns": [{"field_name": "a", "pandas_type": "unicode", "numpy_type": "object"}]}'
    """
    try:
        content = json.loads(note)
        for column in content["columns"]:
            if column["field_name"] in now_strings:
                column.update(pandas_type="unicode", numpy_type="object")
        return json.dumps(content).encode()
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return note


def _value_span(piece: bytes, tag: int) -> tuple[int, int]:
    """Return where the ``value`` of the tag at a place starts and ends, without its quotes."""
    value = next(match for match in _ATTRIBUTE.finditer(piece, tag) if match[1] == b"value")
    return value.span(2) if value[2] is not None else value.span(3)


def _before_space(raw: bytes, place: int) -> int:
    """Return where the white space before a place begins."""
    while place and raw[place - 1] in _SPACE:
        place -= 1
    return place


def _edited(raw: bytes, edits: list[Edit]) -> bytes:
    """Return a piece after its edits, which do not overlap."""
    parts, done = [], 0
    for start, end, replacement in sorted(edits, key=lambda edit: edit[:2]):
        parts += [raw[done:start], replacement]
        done = end
    return b"".join([*parts, raw[done:]])
