"""Embeddings in files: what of an embedding is stored, and the checks before it is taken over."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, issparse

from actalike.contexts import ANY, Contexts
from actalike.errors import FileFormatError
from actalike.kin import KinReasons, Surroundings
from actalike.storage import StoredFile, write_file

if TYPE_CHECKING:
    from actalike.embedding import Embedding


def write_embedding(embedding: "Embedding", path: str | Path) -> None:
    """Write an embedding; docs/file_formats.md says in prose what is in the file."""
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
        arrays["cosines"] = embedding.cosines
    if embedding.reasons is not None:
        parts = embedding.reasons.surroundings
        header["kin"] = {"offsets": [part.offset for part in parts], "weights": [part.weight for part in parts]}
        arrays["kin_alike"] = embedding.reasons.alike
        for i, part in enumerate(parts):
            arrays |= {f"kin_given_{i}": part.given, f"kin_usual_{i}": part.usual, f"kin_data_{i}": part.seen.data}
            arrays |= {f"kin_{name}_{i}": getattr(part.seen, name).astype(np.int64) for name in ("indices", "indptr")}
    write_file(path, "embedding", header, arrays)


def embedding_parts(file: StoredFile) -> dict[str, Any]:
    """What a stored embedding consists of, checked: the arguments of :class:`Embedding`."""
    activities = file.labels("activities")
    broken = FileFormatError(f"{file.path} is not a sound embedding: its parts contradict each other.")
    vectors: Any
    if "dense" in file.arrays:
        vectors = file.array("dense", np.float64, 2)
    else:
        columns = file.header.get("columns")
        if not isinstance(columns, int):
            raise broken
        vectors = _stored_csr(file, "{}", len(activities), columns)
    contexts = None
    described = file.header.get("contexts")
    if described is not None:
        codes = file.array("context_codes", np.int32, 2)
        kind, left = described.get("kind"), described.get("left")
        if kind not in ("sequence", "multiset", "position", "activity") or not isinstance(left, int):
            raise broken
        least = ANY if kind == "position" else -1
        if len(codes) != vectors.shape[1] or (codes.size and not least <= codes.min() <= codes.max() < len(activities)):
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
    return {
        "activities": activities,
        "vectors": vectors,
        "contexts": contexts,
        "method": file.header.get("method"),
        "compare": compare,
        "reasons": _stored_reasons(file, activities),
        "cosines": cosines,
    }


def are_cosines(array: NDArray[np.float64], n: int) -> bool:
    """Whether an array can hold the cosines of n vectors: symmetric, from -1 to 1, and 1 for each with itself."""
    return (
        array.shape == (n, n)
        and bool((np.abs(array) <= 1 + 1e-9).all())  # False for NaN
        and np.array_equal(array, array.T)
        and np.allclose(np.diag(array), 1)
    )


def _stored_reasons(file: StoredFile, activities: list[str]) -> KinReasons | None:
    described = file.header.get("kin")
    if described is None:
        return None
    broken = FileFormatError(f"{file.path} is not a sound embedding: its parts contradict each other.")
    n = len(activities)
    alike = file.array("kin_alike", np.float64, 2)
    try:
        pairs = [(int(offset), float(weight)) for offset, weight in zip(described["offsets"], described["weights"], strict=True)]
    except (KeyError, TypeError, ValueError):
        raise broken from None
    if alike.shape != (n + 1, n + 1) or not np.isfinite(alike).all() or not all(offset for offset, _ in pairs):
        raise broken
    surroundings = []
    for i, (offset, weight) in enumerate(pairs):
        given, usual = (file.array(f"kin_{name}_{i}", np.float64, 1) for name in ("given", "usual"))
        if (len(given), len(usual)) != (n, n + 1) or not (np.isfinite(given).all() and np.isfinite(usual).all()):
            raise broken
        surroundings.append(Surroundings(offset, weight, _stored_csr(file, "kin_{}_" + str(i), n, n + 1), given, usual))
    return KinReasons(activities, tuple(surroundings), alike)


def _stored_csr(file: StoredFile, names: str, rows: int, columns: int) -> csr_array:
    """A sparse matrix whose three parts agree with each other."""
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
