"""Write embeddings to files, read them and check them.

Each kind of explanation has its own format: the method that explains registers a function that reads it.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from actalike.embedding.shares import CodedShare, Explanation, StoredExplanation
from actalike.errors import ActalikeError, FileFormatError
from actalike.matrices import ANY, Contexts, PackedSymmetric, are_cosines
from actalike.support.container import StoredFile, write_file

ReadExplanation = Callable[[StoredFile, Sequence[str]], Explanation]

_EXPLANATIONS: dict[str, ReadExplanation] = {}
_HEADER_KEYS = {"activities", "method", "compare", "columns", "contexts", "format", "kind"}  # all others are explanations


class UnreadExplanation(NamedTuple):
    """The place of a stored explanation that nobody here can read: whoever asks is told so."""

    file: str
    kind_in_file: str

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Raise an error that names the remedy."""
        raise ActalikeError(
            f"{self.file} holds an explanation of the kind {self.kind_in_file!r}, and nothing here reads it: import the module "
            "that registers it (actalike.embedding.register_explanation), and load the file again."
        )


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
    if isinstance(embedding.explanation, StoredExplanation):
        described, stored = embedding.explanation.stored()
        kind = embedding.explanation.kind
        taken = [kind] if kind in _HEADER_KEYS else [name for name in stored if not name.startswith(f"{kind}_")]
        if taken:
            raise ActalikeError(
                f"The explanation {kind!r} cannot be stored: {taken[0]!r} is not a name of its own. Its kind must be none of "
                f"{', '.join(sorted(_HEADER_KEYS))}, and its arrays must be called '{kind}_...'."
            )
        header[kind] = described
        arrays |= stored
    write_file(path, "embedding", header, arrays)


def read_embedding(file: StoredFile) -> EmbeddingParts:
    """Return the parts of a stored embedding, or raise an error if they contradict each other."""
    activities = file.labels("activities")
    broken = FileFormatError(f"{file.path} is not a sound embedding: its parts contradict each other.")
    vectors: Any
    if "dense" in file.arrays:
        vectors = file.array("dense", np.float64, 2)
    else:
        columns = file.header.get("columns")
        if not isinstance(columns, int):
            raise broken
        vectors = stored_csr(file, "{}", len(activities), columns)
    contexts = None
    described = file.header.get("contexts")
    if described is not None:
        codes = file.array("context_codes", np.int32, 2)
        kind, left = described.get("kind"), described.get("left")
        if kind not in ("sequence", "multiset", "position", "activity") or not isinstance(left, int):
            raise broken
        lowest = ANY if kind == "position" else -1
        if len(codes) != vectors.shape[1] or (codes.size and not lowest <= codes.min() <= codes.max() < len(activities)):
            raise broken
        if kind == "position" and not ((codes != ANY).sum(axis=1) == 1).all():
            raise broken
        contexts = Contexts(kind, codes, activities, left)
    if vectors.shape[0] != len(activities) or len(set(activities)) != len(activities):
        raise broken
    compare = file.header.get("compare", "cosine")  # files before version 0.1.0 do not say
    if compare not in ("cosine", "scores"):
        raise broken
    if compare == "scores" and (issparse(vectors) or not np.array_equal(vectors, vectors.T)):
        raise broken
    cosines = None
    if "cosines" in file.arrays:
        cosines = file.array("cosines", np.float64, 2)
        if not are_cosines(cosines, len(activities)):
            raise broken
    kinds = [key for key, value in file.header.items() if key not in _HEADER_KEYS and value is not None]
    known = [kind for kind in kinds if kind in _EXPLANATIONS]
    explanation: Explanation | None = None
    if known:
        explanation = _EXPLANATIONS[known[0]](file, activities)
    elif kinds:
        explanation = UnreadExplanation(file.path.name, kinds[0])
    return EmbeddingParts(activities, vectors, contexts, file.header.get("method"), compare, explanation, cosines)


def stored_csr(file: StoredFile, names: str, rows: int, columns: int) -> csr_array:
    """Return a stored sparse matrix, or raise an error if its arrays contradict each other.

    ``names`` is the pattern of the arrays' names: ``{}`` stands for data, indices and indptr.
    """
    data = file.array(names.format("data"), np.float64, 1)
    indices, indptr = (file.array(names.format(name), np.int64, 1) for name in ("indices", "indptr"))
    sound = (
        len(indptr) == rows + 1 and indptr[0] == 0 and indptr[-1] == len(data) == len(indices) and (np.diff(indptr) >= 0).all()
    )
    if not sound or (len(indices) and not 0 <= indices.min() <= indices.max() < columns) or not np.isfinite(data).all():
        raise FileFormatError(f"{file.path} is not a sound embedding: its parts contradict each other.")
    matrix = csr_array((data, indices, indptr), shape=(rows, columns))
    matrix.sum_duplicates()
    return matrix
