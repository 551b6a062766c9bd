"""Write a file piece by piece in the encoding of its source, completely or not at all."""

import codecs
import gzip
from collections.abc import Iterable
from pathlib import Path

from actalike.errors import LogError
from actalike.support.files import write_atomically


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
