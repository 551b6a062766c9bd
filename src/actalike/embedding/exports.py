"""Export embeddings to other tools: frames, word2vec's text format, the Embedding Projector."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.errors import ActalikeError, FileFormatError
from actalike.matrices import Contexts
from actalike.support.atomic_files import write_atomically, written_together
from actalike.support.container import LARGEST_NUMBER, are_within
from actalike.support.extras import Extra
from actalike.support.memory_estimates import require_memory
from actalike.support.places import cannot_read, make_folder

PROJECTOR_FILES = ("metadata.tsv", "tensors.tsv")
_NEEDS_ESCAPE = re.compile(r"[\s%\x00-\x1f\x7f-\x9f]")


def escape_label(label: str) -> str:
    """Return a label as one word: white space, control characters and ``%`` are percent-encoded. An empty label becomes ``%``.

    >>> escape_label("Check invoice"), unescape_label("Check%20invoice"), escape_label("")
    ('Check%20invoice', 'Check invoice', '%')
    """
    return _NEEDS_ESCAPE.sub(lambda match: quote(match.group(), safe=""), label) if label else "%"


def unescape_label(word: str) -> str:
    """Undo :func:`escape_label`; raise a UnicodeDecodeError if the escapes are not UTF-8."""
    return "" if word == "%" else unquote(word, errors="strict")


def to_frame(activities: Sequence[str], vectors: Any, contexts: Contexts | None) -> pl.DataFrame:
    """Return a Polars frame of the vectors; see :meth:`actalike.Embedding.to_frame`."""
    rows, columns = vectors.shape
    _require_dense(rows, columns, "A frame")
    names = [f"dim_{i}" for i in range(vectors.shape[1])] if contexts is None else contexts.column_names()
    key = "activity"
    while key in names:  # an activity may be called "activity", and so may a column of an activity x activity matrix
        key += "_"
    dense = vectors.toarray() if isinstance(vectors, csr_array) else np.asarray(vectors)
    return pl.DataFrame({key: activities} | {name: dense[:, i] for i, name in enumerate(names)})


def _require_dense(rows: int, columns: int, what: str) -> None:
    """Raise an error if there is not enough memory for all vectors with their zeros."""
    remedy = "write a file that keeps zeros out (.actalike), or choose a method with fewer dimensions (+svd50)"
    require_memory(2 * 8 * rows * columns, f"{what} of {rows:,} activities x {columns:,} dimensions", remedy)


def to_word2vec(activities: Sequence[str], vectors: Any, path: str | Path) -> None:
    """Write vectors in word2vec's text format; see :meth:`actalike.Embedding.to_word2vec`."""

    def write(part: Path) -> None:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            file.write(f"{vectors.shape[0]} {vectors.shape[1]}\n")
            for label, row in zip(activities, _rows(vectors), strict=True):
                file.write(" ".join([escape_label(label), *map(_number, row.tolist())]) + "\n")

    write_atomically(path, write)


def from_word2vec(path: str | Path) -> tuple[list[str], NDArray[np.float64]]:
    """Read activities and vectors from word2vec's text format; see :meth:`actalike.Embedding.from_word2vec`."""
    try:
        lines = Path(path).read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise ActalikeError(cannot_read(path, error)) from None
    except UnicodeDecodeError:
        raise FileFormatError(f"{path} is not a word2vec text file: it is not UTF-8. Binary files are not read.") from None
    try:
        n, width = map(int, lines[0].split())
        rows = [line.rstrip(" ").split(" ") for line in lines[1:] if line]
        if any(len(row) != width + 1 for row in rows):
            raise ValueError
        numbers = (number for row in (["", *lines[0].split()], *rows) for number in row[1:])
        if any("_" in number or not number.isascii() for number in numbers):  # Python would take 1_0 as 10
            raise ValueError
        vectors = np.array([list(map(float, row[1:])) for row in rows], dtype=np.float64).reshape(len(rows), width if rows else 0)
    except (ValueError, OverflowError):
        raise FileFormatError(f"{path} is not in word2vec's text format: a line is not a word and its numbers.") from None
    if len(rows) != n:
        raise FileFormatError(f"{path} is cut off: its first line promises {n} words, and {len(rows)} follow.")
    if not are_within(vectors, -LARGEST_NUMBER, LARGEST_NUMBER):
        raise FileFormatError(
            f"{path} holds a number that is not from {-LARGEST_NUMBER:g} to {LARGEST_NUMBER:g}: scale its vectors."
        )
    try:
        return [unescape_label(row[0]) for row in rows], vectors
    except UnicodeDecodeError as error:
        raise FileFormatError(
            f"{path} has a word whose escapes (%..) are not UTF-8: byte {error.object[error.start]:02x}. Write it again."
        ) from None


def to_gensim(activities: Sequence[str], vectors: Any) -> Any:
    """Return gensim's KeyedVectors; see :meth:`actalike.Embedding.to_gensim`."""
    models = Extra("neural", "gensim").load("gensim.models", user="to_gensim")
    rows, columns = vectors.shape
    _require_dense(rows, columns, "KeyedVectors")
    dense = np.asarray(vectors.toarray() if isinstance(vectors, csr_array) else vectors)
    keyed = models.KeyedVectors(vector_size=columns)
    keyed.add_vectors(list(activities), dense.astype(np.float32))
    return keyed


def to_projector(activities: Sequence[str], vectors: Any, directory: str | Path) -> None:
    """Write the two files of the Embedding Projector; see :meth:`actalike.Embedding.to_projector`."""
    make_folder(Path(directory))
    metadata, tensors = (Path(directory) / name for name in PROJECTOR_FILES)
    labels = [re.sub(r"[\t\n\r]", " ", label) or "(empty)" for label in activities]

    def write(part: Path) -> None:
        with part.open("w", encoding="utf-8", newline="\n") as file:
            for row in _rows(vectors):
                file.write("\t".join(map(_number, row.tolist())) + "\n")

    with written_together():  # never the labels of one embedding beside the vectors of another
        write_atomically(metadata, lambda part: part.write_text("".join(f"{label}\n" for label in labels), "utf-8"))
        write_atomically(tensors, write)


def _rows(vectors: Any) -> Iterator[NDArray[np.float64]]:
    """Yield the vectors one by one as dense arrays, so that the whole activity x context array is never dense."""
    for i in range(vectors.shape[0]):
        row = vectors[[i]]
        yield (row.toarray() if isinstance(row, csr_array) else row)[0]


def _number(value: float) -> str:
    """Return a number as a text that reads back exactly."""
    return "0" if value == 0 else repr(value)
