"""Read the bytes of a file piece by piece: decompressed, limited in size, converted to UTF-8."""

import codecs
import stat
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from actalike.errors import LogError
from actalike.support.places import cannot_read

PIECE = 1 << 19  # bytes processed at a time: what fits into a processor cache is fastest (measured)
_LARGE = 1 << 18  # bytes of a gzip that is unpacked in a second thread: less takes no longer than to start one
DEFAULT_MAX_BYTES = 8 << 30  # the largest public logs have 2 GB

Progress = Callable[[int, int], None]  # bytes of the file done, bytes in all

_GZIP_MAGIC = b"\x1f\x8b"


class CutOff(Exception):
    """Say that a gzip file ends before its content does. It is raised after everything readable has been yielded."""

    def __init__(self, byte: int) -> None:
        super().__init__(byte)
        self.byte = byte


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


def refuse_irregular(path: Path) -> None:
    """Raise an error for a pipe, a socket or a device: nothing tells whether a pipe will ever have content."""
    try:
        mode = path.stat().st_mode
    except (OSError, ValueError):
        return  # whoever opens it says why it cannot be
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise LogError(f"{path} is a pipe or a device, not a file: write its content to a file first; nothing was read.")


def _raw_pieces(path: Path, progress: Progress | None) -> Iterator[bytes]:
    """Yield the content of a file, decompressed if it is gzip, in pieces of any size, and report the progress."""
    refuse_irregular(path)
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
                    if progress is not None:  # here and not in more(): what the caller gave is called in the caller's thread
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
    except (LookupError, UnicodeError):  # 'undefined' is a codec that encodes nothing
        raise LogError(f"{path}: there is no encoding of texts called {encoding!r}; nothing was read.") from None
    done = before
    for piece in _with_end(pieces):
        try:
            # the decoder may hold bytes of an unfinished character, from which an error counts its place
            held = len(decoder.getstate()[0])
            yield decoder.decode(piece, final=not piece).encode("utf-8")
        except UnicodeError as error:
            place = done - held + getattr(error, "start", 0)
            raise LogError(f"{path} is not {encoding}: byte {place:,} does not fit. {remedy}; nothing was read.") from None
        done += len(piece)


def _with_end(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the pieces and then an empty one, which tells the decoder that the file has ended."""
    yield from pieces
    yield b""
