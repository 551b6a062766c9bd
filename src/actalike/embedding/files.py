"""Write embeddings to files, read them and check them; export them to other tools: frames, word2vec, the Embedding Projector.

Each kind of explanation has its own format: the method that explains registers a function that reads it.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple
from urllib.parse import quote, unquote

import msgspec
import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from actalike.embedding.shares import Explanation, StoredExplanation
from actalike.errors import ActalikeError, FileFormatError
from actalike.matrices import ANY, Contexts, are_cosines
from actalike.support.extras import Extra
from actalike.support.files import cannot_read, make_folder, write_atomically, written_together
from actalike.support.frames import for_spreadsheets, write_frame
from actalike.support.memory import require_memory
from actalike.support.saved import (
    LARGEST_NUMBER,
    MOST_CHARACTERS,
    MOST_SYMBOLS,
    LabelledHeader,
    MethodName,
    StoredFile,
    are_within,
    write_file,
)

PROJECTOR_FILES = ("metadata.tsv", "tensors.tsv")
_NEEDS_ESCAPE = re.compile(r"[\s%\x00-\x1f\x7f-\x9f]")
ReadExplanation = Callable[[StoredFile, Sequence[str]], Explanation]

_EXPLANATIONS: dict[str, ReadExplanation] = {}
# a sparse array may have this many columns and cells whatever it holds: made dense, it takes 32 MiB
_SPARE_COLUMNS, _SPARE_CELLS = 1 << 16, 1 << 22
_MOST_NAMES = 1 << 27  # characters of all contexts written out; more where there are many contexts of labels of usual length


class _StoredContexts(msgspec.Struct, forbid_unknown_fields=True):
    kind: Literal["sequence", "multiset", "position", "activity"]
    left: Annotated[int, msgspec.Meta(ge=0, le=MOST_SYMBOLS)]  # how many symbols of a sequence stand before the activity


class EmbeddingHeader(LabelledHeader):
    """Describe the header of an embedding. A key that is not described is an explanation."""

    method: MethodName | None = None
    compare: Literal["cosine", "scores"] = "cosine"  # files before version 0.1.0 do not say
    columns: Annotated[int, msgspec.Meta(ge=0, le=(1 << 31) - 1)] | None = None  # of sparse vectors
    contexts: _StoredContexts | None = None


# the arrays of "context" would be called as that of the contexts is
_RESERVED_KINDS = {"context", *EmbeddingHeader.__struct_fields__}


class EmbeddingParts(NamedTuple):
    """Hold what a file stores of an embedding: the first arguments of :class:`actalike.Embedding`, in their order."""

    activities: list[str]
    vectors: Any
    contexts: Contexts | None
    method: str | None
    compare: Literal["cosine", "scores"]
    explanation: Explanation | None
    cosines: NDArray[np.float64] | None


def register_explanation(kind: str, read: ReadExplanation) -> None:
    """Register the function that reads stored explanations of a kind; it gets the file and the activities."""
    _EXPLANATIONS[kind] = read


def write_embedding(embedding: EmbeddingParts, path: str | Path) -> None:
    """Write an embedding to a file. docs/file_formats.md describes the format in prose."""
    vectors, contexts = embedding.vectors, embedding.contexts
    header: dict[str, Any] = {"activities": embedding.activities, "method": embedding.method, "compare": embedding.compare}
    arrays: dict[str, NDArray[Any]]
    if isinstance(vectors, csr_array):
        header["columns"] = vectors.shape[1]
        arrays = {
            "data": vectors.data.astype(np.float64),
            "indices": vectors.indices.astype(np.int64),
            "indptr": vectors.indptr.astype(np.int64),
        }
    else:
        arrays = {"dense": np.asarray(vectors, dtype=np.float64)}
    if contexts is not None:
        header["contexts"] = {"kind": contexts.kind, "left": contexts.left}
        arrays["context_codes"] = contexts.codes.astype(np.int32)
    if embedding.cosines is not None:
        arrays["cosines"] = np.asarray(embedding.cosines)
    problem = excess(embedding)
    if problem:
        raise ActalikeError(f"{path} cannot be written: {problem}. Nothing was written.")
    if isinstance(embedding.explanation, StoredExplanation):
        described, stored = embedding.explanation.stored()
        kind = embedding.explanation.kind
        taken = [kind] if kind in _RESERVED_KINDS else [name for name in stored if not name.startswith(f"{kind}_")]
        if taken:
            raise ActalikeError(
                f"The explanation {kind!r} cannot be stored: {taken[0]!r} is not a name of its own. Its kind must be none of "
                f"{', '.join(sorted(_RESERVED_KINDS))}, and its arrays must be called '{kind}_...'."
            )
        header[kind] = described
        arrays |= stored
    write_file(path, "embedding", header, arrays, _checked_header)


def read_embedding(file: StoredFile) -> EmbeddingParts:
    """Return the parts of a stored embedding, or raise an error if they contradict each other."""
    header, kinds = _checked_header(file)
    activities, described = header.activities, header.contexts
    names = {"dense"} if "dense" in file.arrays else {"data", "indices", "indptr"}
    file.check_names(names | {"cosines"} | ({"context_codes"} if described else set()), f"{kinds[0]}_" if kinds else None)
    vectors: Any
    if "dense" in file.arrays:
        vectors = file.numbers("dense", 2)
    elif header.columns is not None:
        vectors = stored_csr(file, "{}", len(activities), header.columns)
    else:
        raise file.unsound("it has neither dense vectors nor a number of columns")
    contexts = None
    if described:
        contexts = Contexts(described.kind, file.array("context_codes", np.int32, 2), activities, described.left)
    cosines = file.numbers("cosines", 2) if "cosines" in file.arrays else None
    parts = EmbeddingParts(activities, vectors, contexts, header.method, header.compare, None, cosines)
    problem = contradiction(parts)
    if problem:
        raise file.unsound(problem)
    return parts._replace(explanation=_read_explanation(file, kinds[0], activities) if kinds else None)


def _checked_header(file: StoredFile) -> tuple[EmbeddingHeader, list[str]]:
    """Return the header, and the kind of the explanation, of which there is at most one."""
    header, kinds = file.header(EmbeddingHeader), file.further(EmbeddingHeader)
    if len(kinds) > 1:
        raise file.unsound(f"it has {len(kinds):,} explanations, such as {kinds[0][:40]!r} and {kinds[1][:40]!r}")
    for kind in kinds:
        if kind in _RESERVED_KINDS:
            raise file.unsound(f"{kind!r} cannot be an explanation")
        file.part(kind, dict[str, Any])
    return header, kinds


def _read_explanation(file: StoredFile, kind: str, activities: Sequence[str]) -> Explanation:
    """Return a stored explanation; a kind that nobody has registered is an error."""
    if kind not in _EXPLANATIONS:
        raise file.unsound(
            f"it has an explanation of the kind {kind[:40]!r}, which needs the module that registers it "
            "(actalike.embedding.register_explanation): import that first"
        )
    return _EXPLANATIONS[kind](file, activities)


def contradiction(parts: EmbeddingParts) -> str | None:
    """Return what is wrong with the parts of a stored embedding; None if they are sound."""
    vectors, n = parts.vectors, len(parts.activities)
    if vectors.shape[0] != n:
        return f"it has {n:,} activities and {vectors.shape[0]:,} vectors"
    if parts.compare == "scores" and (issparse(vectors) or not np.array_equal(vectors, vectors.T)):
        return "its scores are not a symmetric array"
    if parts.cosines is not None and not are_cosines(np.asarray(parts.cosines), n):
        return "its cosines are not a symmetric array, from -1 to 1, 1 for itself"
    problem = None if parts.contexts is None else _contradiction_of_contexts(parts.contexts, n, vectors.shape[1])
    return problem or excess(parts)


def _contradiction_of_contexts(contexts: Contexts, n: int, columns: int) -> str | None:
    """Return what is wrong with stored contexts; None if they are sound."""
    codes, symbols = contexts.codes, contexts.codes.shape[1]
    if len(codes) != columns:
        return f"it has {columns:,} dimensions and {len(codes):,} contexts"
    if not contexts.left <= symbols:
        return f"{contexts.left:,} symbols of its contexts stand before the activity, and there are {symbols:,}"
    lowest = {"position": ANY, "activity": 0}.get(contexts.kind, -1)
    if not are_within(codes, lowest, n - 1) or (contexts.kind == "activity" and symbols != 1):
        return "a context holds an unknown activity"
    if contexts.kind == "position" and not ((codes != ANY).sum(axis=1) == 1).all():
        return "a context does not hold just one neighbour"
    return None


def excess(parts: EmbeddingParts) -> str | None:
    """Return which limit of saved files an embedding exceeds; None if it can be saved and loaded."""
    vectors, contexts, n = parts.vectors, parts.contexts, len(parts.activities)
    if not are_within(vectors.data if issparse(vectors) else vectors, -LARGEST_NUMBER, LARGEST_NUMBER):
        return f"its vectors hold a number beyond {LARGEST_NUMBER:g}"
    if contexts is None:
        spare_columns = min(_SPARE_COLUMNS, _SPARE_CELLS // max(n, 1))
        too_wide = issparse(vectors) and vectors.shape[1] > max(spare_columns, n + vectors.nnz)
        return f"its vectors have {vectors.shape[1]:,} columns, of which at most {vectors.nnz:,} are used" if too_wide else None
    codes, symbols = contexts.codes, contexts.codes.shape[1]
    if symbols > MOST_SYMBOLS:
        return f"its contexts have {symbols:,} symbols, and at most {MOST_SYMBOLS:,} are stored"
    lengths = np.array([*map(len, parts.activities), 1, 1])  # PAD = -1 and ANY = -2 are the last entries
    too_long = symbols * lengths.max() > MOST_CHARACTERS or lengths[codes].sum() > max(_MOST_NAMES, 256 * codes.size)
    return "its contexts, written out, are too long" if too_long else None


def stored_csr(file: StoredFile, names: str, rows: int, columns: int) -> csr_array:
    """Return a stored sparse matrix, or raise an error if its arrays contradict each other.

    ``names`` is the pattern of the arrays' names: ``{}`` stands for data, indices and indptr.
    """
    data = file.numbers(names.format("data"), 1)
    indices, indptr = (file.array(names.format(name), np.int64, 1) for name in ("indices", "indptr"))
    if len(indptr) != rows + 1 or indptr[0] != 0 or not indptr[-1] == len(data) == len(indices):
        raise file.unsound(f"the rows of {names.format('data')!r} do not fit {rows:,} activities")
    if (indptr[1:] < indptr[:-1]).any() or not are_within(indices, 0, columns - 1):
        raise file.unsound(f"a number of {names.format('data')!r} stands outside its {columns:,} columns")
    matrix = csr_array((data, indices, indptr), shape=(rows, columns))
    matrix.sum_duplicates()
    return matrix


def escape_label(label: str) -> str:
    """Return a label as one word: white space, control characters and ``%`` are percent-encoded. An empty label becomes ``%``.

    >>> escape_label("Check invoice"), unescape_label("Check%20invoice"), escape_label("")
    ('Check%20invoice', 'Check invoice', '%')
    """
    return _NEEDS_ESCAPE.sub(lambda match: quote(match.group(), safe=""), label) if label else "%"


def unescape_label(word: str) -> str:
    """Undo :func:`escape_label`; raise a UnicodeDecodeError if the escapes are not UTF-8."""
    return "" if word == "%" else unquote(word, errors="strict")


def vector_frame(activities: Sequence[str], vectors: Any, contexts: Contexts | None) -> pl.DataFrame:
    """Return a Polars frame of the vectors; see :meth:`actalike.Embedding.to_frame`."""
    dense = dense_vectors(vectors, "A frame")
    names = [f"dim_{i}" for i in range(vectors.shape[1])] if contexts is None else contexts.column_names()
    key = "activity"
    while key in names:  # an activity may be called "activity", and so may a column of an activity x activity matrix
        key += "_"
    return pl.DataFrame({key: activities} | {name: dense[:, i] for i, name in enumerate(names)})


def dense_vectors(vectors: Any, what: str) -> NDArray[np.float64]:
    """Return all vectors with their zeros, or raise an error that calls them ``what`` if there is not enough memory."""
    rows, columns = vectors.shape
    remedy = "take stored_vectors or an .actalike file, which keep zeros out, or a method with fewer dimensions (+svd50)"
    require_memory(2 * 8 * rows * columns, f"{what} of {rows:,} activities x {columns:,} dimensions", remedy)
    return np.asarray(vectors.toarray() if isinstance(vectors, csr_array) else vectors)


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
    dense = dense_vectors(vectors, "KeyedVectors")
    keyed = models.KeyedVectors(vector_size=dense.shape[1])
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
    """Return a number as a string that reads back exactly."""
    return "0" if value == 0 else repr(value)


def writer(name: str) -> Callable[[Any], None]:
    """Return a function that writes an embedding to a file of this name, or raise an error if its extension is unknown."""
    if name.endswith(".actalike"):
        return lambda embedding: embedding.save(name)
    if name.endswith(".csv"):
        return lambda embedding: write_frame(name, for_spreadsheets(embedding.to_frame()).write_csv)
    if name.endswith(".parquet"):
        return lambda embedding: write_frame(name, embedding.to_frame().write_parquet)
    if name.endswith(".vec"):
        return lambda embedding: embedding.to_word2vec(name)
    if name.endswith("/"):
        return lambda embedding: embedding.to_projector(name)
    raise ActalikeError(
        f"{name}: the name of the output must end in .actalike, .csv, .parquet, .vec (word2vec), or in / "
        f"for a folder for the Embedding Projector, such as {os.path.splitext(name)[0]}/. Nothing was written."
    )


def files_of(name: str) -> list[Path]:
    """Return the files that :func:`writer` writes for this name.

    >>> [path.name for path in files_of("projector/")]
    ['metadata.tsv', 'tensors.tsv']
    """
    return [Path(name) / file for file in PROJECTOR_FILES] if name.endswith("/") else [Path(name)]
