"""Embeddings for other tools: a frame, word2vec's text format, the Embedding Projector."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote, unquote

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.errors import ActalikeError, FileFormatError
from actalike.storage import write_atomically

if TYPE_CHECKING:
    from actalike.embedding import Embedding

_NEEDS_ESCAPE = re.compile(r"[\s%\x00-\x1f\x7f-\x9f]")


def escape_label(label: str) -> str:
    """Make a label one word: white space, control characters and ``%`` percent-encoded. Empty becomes a lone ``%``.

    >>> escape_label("Check invoice"), unescape_label("Check%20invoice"), escape_label("")
    ('Check%20invoice', 'Check invoice', '%')
    """
    return _NEEDS_ESCAPE.sub(lambda found: quote(found.group(), safe=""), label) if label else "%"


def unescape_label(word: str) -> str:
    """Undo :func:`escape_label`."""
    return "" if word == "%" else unquote(word)


def writer(name: str) -> Callable[["Embedding"], None]:
    """What writes an embedding to a file of this name: the ending tells the format."""
    if name.endswith(".actalike"):
        return lambda embedding: embedding.save(name)
    if name.endswith(".csv"):
        return lambda embedding: write_atomically(name, lambda part: to_frame(embedding).write_csv(part))
    if name.endswith(".parquet"):
        return lambda embedding: write_atomically(name, lambda part: to_frame(embedding).write_parquet(part))
    if name.endswith(".vec"):
        return lambda embedding: to_word2vec(embedding, name)
    if name.endswith("/"):
        return lambda embedding: to_projector(embedding, name)
    raise ActalikeError(
        f"{name}: the kind of output is told by the name, which must end in .actalike, .csv, .parquet, .vec (word2vec) or / "
        "(a folder for the Embedding Projector)."
    )


def to_frame(embedding: "Embedding") -> pl.DataFrame:
    """See :meth:`actalike.Embedding.to_frame`."""
    contexts, width = embedding.contexts, embedding.vectors.shape[1]
    names = [f"dim_{i}" for i in range(width)] if contexts is None else contexts.column_names()
    key = "activity"
    while key in names:  # a label, and so an activity x activity column, may have that very name
        key += "_"
    vectors = embedding.vectors
    dense = vectors.toarray() if isinstance(vectors, csr_array) else np.asarray(vectors)
    return pl.DataFrame({key: embedding.activities} | {name: dense[:, i] for i, name in enumerate(names)})


def to_word2vec(embedding: "Embedding", path: str | Path) -> None:
    """See :meth:`actalike.Embedding.to_word2vec`."""

    def write(part: Path) -> None:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"{embedding.vectors.shape[0]} {embedding.vectors.shape[1]}\n")
            for label, row in zip(embedding.activities, _rows(embedding), strict=True):
                file.write(" ".join([escape_label(label), *map(_number, row.tolist())]) + "\n")

    write_atomically(path, write)


def from_word2vec(path: str | Path) -> tuple[list[str], NDArray[np.float64]]:
    """See :meth:`actalike.Embedding.from_word2vec`."""
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise ActalikeError(f"{path} cannot be read: {error.strerror}.") from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{path} is not a word2vec text file: it is not UTF-8. Binary files are not read.") from None
    try:
        n, width = map(int, lines[0].split())
        rows = [line.rstrip(" ").split(" ") for line in lines[1:] if line]
        vectors = np.array([list(map(float, row[1:])) for row in rows], dtype=np.float64).reshape(len(rows), width)
    except ValueError:
        raise FileFormatError(f"{path} is not in word2vec's text format: a line is not a word and its numbers.") from None
    if len(rows) != n:
        raise FileFormatError(f"{path} is cut off: its first line promises {n} words, and {len(rows)} follow.")
    return [unescape_label(row[0]) for row in rows], vectors


def to_projector(embedding: "Embedding", directory: str | Path) -> None:
    """See :meth:`actalike.Embedding.to_projector`."""
    directory = Path(directory)
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ActalikeError(f"{directory} cannot be made: {error.strerror}.") from None
    labels = [re.sub(r"[\t\n\r]", " ", label) or "(empty)" for label in embedding.activities]
    write_atomically(directory / "metadata.tsv", lambda part: part.write_text("".join(f"{label}\n" for label in labels), "utf-8"))

    def write(part: Path) -> None:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            for row in _rows(embedding):
                file.write("\t".join(map(_number, row.tolist())) + "\n")

    write_atomically(directory / "tensors.tsv", write)


def _rows(embedding: "Embedding") -> Iterator[NDArray[np.float64]]:
    """The vectors one by one, dense: never the whole activity x context array at once."""
    for i in range(len(embedding.activities)):
        row = embedding.vectors[[i]]
        yield (row.toarray() if isinstance(row, csr_array) else row)[0]


def _number(value: float) -> str:
    return "0" if value == 0 else repr(value)
