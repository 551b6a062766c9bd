"""Write embeddings to files, read them and check them.

Each kind of explanation has its own format: the method that explains registers a function that reads it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from actalike.embedding.shares import CodedShare, Explanation, StoredExplanation
from actalike.errors import ActalikeError
from actalike.matrices import ANY, Contexts, PackedSymmetric, are_cosines
from actalike.support.container import LARGEST_NUMBER, MOST_CHARACTERS, MOST_SYMBOLS, StoredFile, are_within, write_file

ReadExplanation = Callable[[StoredFile, Sequence[str]], Explanation]

_EXPLANATIONS: dict[str, ReadExplanation] = {}
_HEADER_KEYS = {"activities", "method", "compare", "columns", "contexts", "format", "kind"}  # all others are explanations
_RESERVED_KINDS = _HEADER_KEYS | {"context"}  # the arrays of the last would be called as that of the contexts is
# a sparse array may have this many columns and cells whatever it holds: made dense, it takes 32 MiB
_SPARE_COLUMNS, _SPARE_CELLS = 1 << 16, 1 << 22
_MOST_NAMES = 1 << 27  # characters of all contexts written out; more where there are many contexts of labels of usual length


@dataclass(frozen=True)
class UnreadExplanation:
    """Keep a stored explanation that nobody here can read: whoever asks is told so, and it is saved again as it was."""

    file: str
    kind: str
    described: Mapping[str, Any]
    arrays: Mapping[str, NDArray[Any]]

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Raise an error that names the remedy."""
        raise ActalikeError(
            f"{self.file} holds an explanation of the kind {self.kind!r}, and nothing here reads it: import the module "
            "that registers it (actalike.embedding.register_explanation), and load the file again."
        )

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what the file held."""
        return self.described, self.arrays


class EmbeddingParts(NamedTuple):
    """Hold what a file stores of an embedding: the first arguments of :class:`actalike.Embedding`, in their order."""

    activities: list[str]
    vectors: Any
    contexts: Contexts | None
    method: str | None
    compare: Literal["cosine", "scores"]
    explanation: Explanation | None
    cosines: NDArray[np.float64] | PackedSymmetric | None


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
    write_file(path, "embedding", header, arrays)


def read_embedding(file: StoredFile) -> EmbeddingParts:
    """Return the parts of a stored embedding, or raise an error if they contradict each other."""
    activities = file.labels("activities")
    kinds = [key for key, value in file.header.items() if key not in _HEADER_KEYS and value is not None]
    if len(kinds) > 1:
        raise file.unsound(f"it has {len(kinds):,} explanations, such as {kinds[0][:40]!r} and {kinds[1][:40]!r}")
    if kinds and kinds[0] in _RESERVED_KINDS:
        raise file.unsound(f"{kinds[0]!r} cannot be an explanation")
    described = file.header.get("contexts")
    names = {"dense"} if "dense" in file.arrays else {"data", "indices", "indptr"}
    file.check_names(names | {"cosines"} | ({"context_codes"} if described else set()), f"{kinds[0]}_" if kinds else None)
    vectors: Any
    if "dense" in file.arrays:
        vectors = file.numbers("dense", 2)
    elif "columns" in file.header:
        vectors = stored_csr(file, "{}", len(activities), file.header["columns"])
    else:
        raise file.unsound("it has neither dense vectors nor a number of columns")
    contexts = None
    if described:
        contexts = Contexts(described["kind"], file.array("context_codes", np.int32, 2), activities, described["left"])
    cosines = file.numbers("cosines", 2) if "cosines" in file.arrays else None
    compare = file.header.get("compare", "cosine")  # files before version 0.1.0 do not say
    parts = EmbeddingParts(activities, vectors, contexts, file.header.get("method"), compare, None, cosines)
    problem = contradiction(parts)
    if problem:
        raise file.unsound(problem)
    return parts._replace(explanation=_read_explanation(file, kinds[0], activities) if kinds else None)


def _read_explanation(file: StoredFile, kind: str, activities: Sequence[str]) -> Explanation:
    """Return a stored explanation, unread if nobody has registered how to read it."""
    if kind in _EXPLANATIONS:
        return _EXPLANATIONS[kind](file, activities)
    arrays = {name: array for name, array in file.arrays.items() if name.startswith(f"{kind}_")}
    return UnreadExplanation(file.path.name, kind, file.header[kind], arrays)


def contradiction(parts: EmbeddingParts) -> str | None:
    """Return which parts of a stored embedding contradict each other, or break a bound; None if none does."""
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
    """Return why these contexts cannot be those of so many activities and columns."""
    codes, symbols = contexts.codes, contexts.codes.shape[1]
    if len(codes) != columns:
        return f"it has {columns:,} dimensions and {len(codes):,} contexts"
    if not contexts.left <= symbols:
        return f"{contexts.left:,} symbols of its contexts stand before the activity, and there are {symbols:,}"
    lowest = {"position": ANY, "activity": 0}.get(contexts.kind, -1)
    if not are_within(codes, lowest, n - 1) or (contexts.kind == "activity" and symbols != 1):
        return "a context holds what is not one of the activities"
    if contexts.kind == "position" and not ((codes != ANY).sum(axis=1) == 1).all():
        return "a context does not hold just one neighbour"
    return None


def excess(parts: EmbeddingParts) -> str | None:
    """Return which bound of saved files an embedding breaks; None if none. It is neither saved nor loaded then."""
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
