"""Files: which are logs (by name and magic bytes), and their content, unpacked piece by piece and limited in size."""

import codecs
import stat
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from actalike.errors import LogError
from actalike.support.files import cannot_read
from actalike.support.saved import read_file


class Kind(NamedTuple):
    """Describe a kind of file. A new kind is a row in :data:`KINDS`; kinds are listed nowhere else."""

    words: str  # for messages
    endings: tuple[str, ...]  # file extensions
    if_named: tuple[str, ...] = ()  # extensions of files that are named explicitly: in a folder such files may be anything
    options: tuple[str, ...] = ()  # reading options that only some kinds have
    is_relabelled: bool = False  # ``relabel`` copies them with other labels
    is_counted: bool = False  # an engine counts them


_OF_SHEETS = ("skip", "skip_last", "timestamp_format")
_OF_OBJECTS = ("object_type",)
KINDS = {  # CSV may be separated by tabs, and compressed files are read as they are
    "xes": Kind("XES", (".xes", ".xes.gz"), is_relabelled=True),
    "csv": Kind(
        "CSV",
        (".csv", ".csv.gz", ".tsv", ".tsv.gz"),
        options=("separator", "encoding", *_OF_SHEETS),
        is_relabelled=True,
        is_counted=True,
    ),
    "excel": Kind("Excel", (), (".xlsx", ".xlsm"), ("sheet", *_OF_SHEETS)),
    "parquet": Kind("Parquet", (".parquet",), options=("timestamp_format",), is_relabelled=True, is_counted=True),
    "ocel-json": Kind("object-centric logs (OCEL)", (".jsonocel", ".jsonocel.gz"), (".json", ".json.gz"), _OF_OBJECTS),
    "ocel-xml": Kind("object-centric logs (OCEL)", (".xmlocel", ".xmlocel.gz"), (".xml", ".xml.gz"), _OF_OBJECTS),
    "ocel-sqlite": Kind("object-centric logs (OCEL)", (".sqlite",), options=_OF_OBJECTS),
}
LOG_ENDINGS = tuple(ending for kind in KINDS.values() for ending in kind.endings)
_OTHER_SPREADSHEETS = (".xlsb", ".xls", ".ods", ".numbers")


def log_kind(path: str | Path) -> str | None:
    """Return the kind of a log, a key of :data:`KINDS`, by the file extension; None for other files.

    >>> log_kind("orders.XES.gz"), log_kind("orders.tsv"), log_kind("orders.json"), log_kind("orders.txt")
    ('xes', 'csv', 'ocel-json', None)
    """
    name = Path(path).name.lower()
    return next((kind for kind, facts in KINDS.items() if name.endswith(facts.endings + facts.if_named)), None)


def reject_spreadsheet(path: str | Path) -> None:
    """Raise an error for a spreadsheet, where only other kinds of logs can be used."""
    if Path(path).name.lower().endswith(KINDS["excel"].if_named + _OTHER_SPREADSHEETS):
        raise LogError(f"{path} is a spreadsheet: save the sheet with the events as CSV, and give that file. Nothing was read.")


def is_log(path: str | Path) -> bool:
    """Return whether a file in a folder is a log, by its extension.

    >>> is_log("orders.jsonocel"), is_log("settings.json")
    (True, False)
    """
    return Path(path).name.lower().endswith(LOG_ENDINGS)


def is_object_centric(path: str | Path) -> bool:
    """Return whether a file is an object-centric log (OCEL 2.0), by its name."""
    kind = log_kind(path)
    return kind is not None and "object_type" in KINDS[kind].options


def stem_of(path: str | Path) -> str:
    """Return a file's name without its extension if it is a log; the whole name of any other file.

    >>> stem_of("logs/orders.2024.xes.gz"), stem_of("notes.txt")
    ('orders.2024', 'notes.txt')
    """
    name = Path(path).name
    endings = (ending for kind in KINDS.values() for ending in kind.endings + kind.if_named)
    lengths = [len(ending) for ending in endings if name.lower().endswith(ending)]
    return name[: -max(lengths)] if lengths else name


_SQLITE, _ZIP = b"SQLite format 3", b"PK\x03\x04"
_MAGIC_BYTES = {  # what they show, and what to do
    b"%PDF": ("a PDF", "export the events as CSV from where it was made"),
    _ZIP: ("a zip file", "unpack it, or, if it is a spreadsheet, save it as .xlsx"),
    b"\xd0\xcf\x11\xe0": ("an old or encrypted file of Office", "save it as .xlsx without a password, or as CSV"),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it"),
    _SQLITE: (
        "a SQLite database",
        "if it is an object-centric log, rename it to end in .sqlite, otherwise export the table with the events as CSV",
    ),
    b"\x28\xb5\x2f\xfd": ("packed by zstd", "unpack it, or pack it with gzip"),
    **{b"BZh%d1AY&SY" % level: ("packed by bzip2", "unpack it, or pack it with gzip") for level in range(1, 10)},
    b"\xfd7zXZ": ("packed by xz", "unpack it, or pack it with gzip"),
}
_KINDS_OF_MAGIC_BYTES = {_SQLITE: "ocel-sqlite", _ZIP: "excel"}
_EXTENSIONS = {
    b"PAR1": ".parquet",
    b"<?xml": ".xes",
    b"<log": ".xes",
    b"\x1f\x8b": ".xes.gz or .csv.gz",
}


def kind_by_name(path: Path) -> str:
    """Return the kind of a log by its extension; other files are an error, by their extension or magic bytes."""
    require_regular_file(path)
    try:
        with path.open("rb") as file:
            first = file.read(16)
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None
    for sign, (what, remedy) in _MAGIC_BYTES.items():
        if first.startswith(sign) and log_kind(path) != _KINDS_OF_MAGIC_BYTES.get(sign, ""):
            raise LogError(f"{path} is {what}, by its first bytes: {remedy}, and use that file. Nothing was read.")
    kind = log_kind(path)
    if kind == "excel" and not first.startswith(_ZIP):
        raise LogError(
            f"{path} is not an Excel file, by its first bytes: if it is a text file, rename it to .csv; or open it in "
            "Excel and save it as .xlsx. Nothing was read."
        )
    if path.name.lower().endswith(_OTHER_SPREADSHEETS):
        raise LogError(f"{path} is a spreadsheet, but not .xlsx: save it as .xlsx or CSV. Nothing was read.")
    if kind is None and path.suffix.lower() == ".actalike":
        content = read_file(path).kind.replace("-", " ")
        raise LogError(
            f"{path} is a saved file ({content}) and has no events, which are needed here: use the log itself. Nothing was read."
        )
    if kind is None:
        ending = next((ending for sign, ending in _EXTENSIONS.items() if first.startswith(sign)), ".csv if it is a table")
        raise LogError(
            f"{path}: logs are recognised by their file extension: {', '.join(LOG_ENDINGS)}. By its first bytes, "
            f"rename it to {ending}. Nothing was read."
        )
    return kind


PIECE = 1 << 19  # bytes processed at a time: what fits into a processor cache is fastest (measured)
_LARGE = 1 << 18  # bytes of a gzip that is unpacked in a second thread: less takes no longer than to start one
DEFAULT_MAX_BYTES = 8 << 30  # the largest public logs have 2 GB

Progress = Callable[[int, int], None]  # bytes of the file done, bytes in all

_GZIP_MAGIC = b"\x1f\x8b"


class WrongEncoding(LogError):
    """Report a file that is not in the given encoding, or not in UTF-8 if none was given."""


class CutOff(Exception):
    """Report a gzip file that is cut off. It is raised after everything readable has been yielded."""

    def __init__(self, byte: int) -> None:
        super().__init__(byte)
        self.byte = byte


@contextmanager
def cut_off_is_an_error(path: Path) -> Iterator[None]:
    """Turn CutOff into an error for the user."""
    try:
        yield
    except CutOff as cut:
        raise LogError(
            f"{path} ends at byte {cut.byte:,} of an unfinished gzip: the file is cut off. Get a complete copy; nothing was read."
        ) from None


def read_pieces(path: Path, max_bytes: int, progress: Progress | None = None, at_least: int = 0) -> Iterator[bytes]:
    """Yield the content of a file, decompressed if it is gzip, in pieces of about ``PIECE`` bytes, or of more if asked for.

    More than ``max_bytes`` is an error, because a few bytes of gzip can expand to any number of bytes.
    """
    total = 0
    small: list[bytes] = []  # pieces to be joined: a gzip of many members comes in many small pieces
    size = 0
    try:
        for piece in _raw_pieces(path, progress):
            total += len(piece)
            if total > max_bytes:
                raise LogError(
                    f"{path} holds more than {max_bytes:,} bytes once unpacked. If this is intended, allow more with "
                    "max_bytes=... (--max-bytes); nothing was read."
                )
            small.append(piece)
            size += len(piece)
            if size >= max(PIECE, at_least):
                yield b"".join(small)
                small, size = [], 0
    except CutOff:
        yield b"".join(small)
        raise
    yield b"".join(small)


def require_regular_file(path: Path) -> None:
    """Raise an error for a pipe, a socket or a device: a pipe may never have content."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return  # opening it will report the reason
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise LogError(f"{path} is a pipe or a device, not a file: write its content to a file first; nothing was read.")


def _raw_pieces(path: Path, progress: Progress | None) -> Iterator[bytes]:
    """Yield the content of a file, decompressed if it is gzip, in pieces of any size, and report the progress."""
    require_regular_file(path)
    try:
        size = path.stat().st_size
        with path.open("rb") as file:

            def more(n: int) -> bytes:
                if progress is not None:
                    progress(file.tell(), size)
                return file.read(n)

            packed = file.read(2) == _GZIP_MAGIC
            file.seek(0)
            if packed and size > _LARGE:
                for piece in _one_ahead(_gunzip(path, file.read)):
                    yield piece
                    if progress is not None:  # here and not in more(), so that it is called in the thread of the caller
                        progress(file.tell(), size)
            elif packed:
                yield from _gunzip(path, more)
            else:
                while piece := more(PIECE):
                    yield piece
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None


def _one_ahead(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same pieces; while the caller uses one, the next is made in a second thread. (zlib lets other threads work.)

    >>> b"".join(_one_ahead(iter([b"a", b"b"])))
    b'ab'
    """
    from concurrent.futures import ThreadPoolExecutor  # here: small files do not need it

    with ThreadPoolExecutor(max_workers=1, thread_name_prefix="actalike-gunzip") as pool:
        coming = pool.submit(next, pieces, b"")
        while piece := coming.result():
            coming = pool.submit(next, pieces, b"")
            yield piece


def _gunzip(path: Path, more: Callable[[int], bytes]) -> Iterator[bytes]:
    """Unpack the members of a gzip file one after the other; an incomplete or damaged member is an error."""
    done = 0
    packed = more(PIECE)
    while packed:
        member = zlib.decompressobj(wbits=31)
        while not member.eof:
            try:
                piece = member.decompress(packed, PIECE)
            except zlib.error as error:
                raise LogError(
                    f"{path} is damaged near byte {done:,} ({str(error).split(': ')[-1]}): the gzip does not unpack. "
                    "Get an intact copy; nothing was read."
                ) from None
            done += len(packed) - len(member.unconsumed_tail) - len(member.unused_data)
            packed = member.unconsumed_tail
            if piece:
                yield piece
            if not packed and not member.eof:
                packed = more(PIECE)
                if not packed:
                    raise CutOff(done)
        packed = member.unused_data or more(PIECE)
        while packed and not packed.strip(b"\0"):  # padding after the last member is allowed
            packed = more(PIECE)


def peek(pieces: Iterator[bytes], n: int = 1024) -> tuple[bytes, Iterator[bytes]]:
    """Return the first pieces, with at least ``n`` bytes together if there are as many, and the pieces after them."""
    head = b""
    while len(head) < n and (piece := next(pieces, b"")):
        head += piece
    return head, pieces


def to_utf8(
    path: Path,
    pieces: Iterator[bytes],
    encoding: str,
    before: int = 0,
    remedy: str = "Convert it to UTF-8, or name its encoding",
) -> Iterator[bytes]:
    """Convert pieces from an encoding to UTF-8. ``before`` is how many bytes of the file precede the pieces."""
    try:
        "".encode(encoding)  # raises an error for codecs that do not encode text (base64)
        decoder = codecs.getincrementaldecoder(encoding)()
    except (LookupError, ValueError):  # 'undefined' is a codec that encodes nothing; a name may hold a NUL character
        raise LogError(f"{path}: there is no text encoding called {encoding!r}; nothing was read.") from None
    done = before
    for piece in _with_end(pieces):
        try:
            # positions in errors count from the bytes of an unfinished character, which the decoder holds
            held = len(decoder.getstate()[0])
            yield decoder.decode(piece, final=not piece).encode("utf-8")
        except UnicodeError as error:
            place = done - held + getattr(error, "start", 0)
            raise WrongEncoding(f"{path} is not {encoding}: byte {place:,} is invalid. {remedy}; nothing was read.") from None
        done += len(piece)


def _with_end(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces and then an empty one, which tells the decoder that the file has ended."""
    yield from pieces
    yield b""
