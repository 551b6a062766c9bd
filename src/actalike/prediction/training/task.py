"""What is to be learned, and how well it was: prepared files, names, and scores. Needs numpy alone, so tables need no torch."""

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

ORIGINAL = "original"  # the method whose vectors are learned with the rest of the model
ONE_HOT = "one-hot"  # in every table: vectors that only tell labels apart
TAX = "tax"  # the one method of Tax's models: they read one-hot vectors and times
# the models that can be trained
MODELS = ("evermann", "evermann-published", "tax", "tax-published")
WITHOUT_VECTORS = {"tax": TAX, "tax-published": TAX}  # models that read no method's vectors, and what their results are called


def methods_of(model: str, methods: Sequence[str]) -> list[str]:
    """Return what a model is trained with: the methods and learned vectors, or a single name if it reads no vectors."""
    return [WITHOUT_VECTORS[model]] if model in WITHOUT_VECTORS else [*methods, ORIGINAL]


class TaskError(ValueError):
    """Report a log that a model cannot be trained on. Nothing was trained."""


@dataclass(frozen=True)
class Part:
    """Hold some cases as sequences of ids, and the times of their events in seconds if there are any."""

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]
    seconds: NDArray[np.float64] | None = None

    @property
    def lengths(self) -> NDArray[np.int64]:
        """Return the number of events of each case."""
        return np.diff(self.offsets)

    def stream(self, end: int) -> NDArray[np.int64]:
        """Return all cases as one sequence, each followed by the end symbol.

        >>> Part(np.array([4, 5, 4]), np.array([0, 2, 3])).stream(end=9).tolist()
        [4, 5, 9, 4, 9]
        """
        return np.insert(self.ids, self.offsets[1:], end)


@dataclass(frozen=True)
class Task:
    """Hold a log, split into training, validation and test cases."""

    vocabulary_size: int
    end: int
    training: Part
    validation: Part
    test: Part

    def targets(self) -> NDArray[np.int64]:
        """Return what follows each event of the test cases: the next id, or the end symbol."""
        return self.targets_of(self.test)

    def targets_of(self, part: Part) -> NDArray[np.int64]:
        """Return what follows each event of some cases."""
        following = np.roll(part.ids, -1)
        following[part.offsets[1:][part.lengths > 0] - 1] = self.end
        return following


@dataclass(frozen=True)
class Vectors:
    """Hold a method's vectors as a sparse matrix with a row for each id. Training does not change them."""

    method: str
    dimensions: int
    data: NDArray[np.float32]
    indices: NDArray[np.int64]
    indptr: NDArray[np.int64]

    def dense(self) -> NDArray[np.float32]:
        """Return the vectors as a dense table."""
        table = np.zeros((len(self.indptr) - 1, self.dimensions), dtype=np.float32)
        row = np.repeat(np.arange(len(table)), np.diff(self.indptr))
        table[row, self.indices] = self.data
        return table

    @classmethod
    def of(cls, method: str, table: NDArray[np.float32]) -> "Vectors":
        """Return the vectors of a dense table."""
        row, column = np.nonzero(table)
        indptr = np.searchsorted(row, np.arange(len(table) + 1))
        return cls(method, table.shape[1], table[row, column].astype(np.float32), column, indptr)


def load_task(path: Path) -> Task:
    """Read the ids of a log."""
    file = load_arrays(path)
    training, validation, test = (
        Part(file[f"{name}_ids"].astype(np.int64), file[f"{name}_offsets"], file.get(f"{name}_seconds"))
        for name in ("training", "validation", "test")
    )
    return Task(int(file["vocabulary_size"]), int(file["end"]), training, validation, test)


def load_vectors(folder: Path, methods: Sequence[str]) -> list[Vectors]:
    """Read the vectors of some methods."""
    vectors = []
    for method in methods:
        file = load_arrays(folder / f"{method}.npz")
        vectors.append(Vectors(method, int(file["dimensions"]), file["data"], file["indices"].astype(np.int64), file["indptr"]))
    return vectors


def load_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Read all arrays of a file; one that is damaged, or lacks an array that is looked up, is an error."""
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            return _Arrays({name: file[name] for name in file.files}, path)
    except (ValueError, OSError, EOFError, BadZipFile, zlib.error):
        raise _damaged(path) from None


class _Arrays(dict[str, NDArray[Any]]):
    """Hold the arrays of a file by name."""

    def __init__(self, arrays: dict[str, NDArray[Any]], path: Path) -> None:
        super().__init__(arrays)
        self.path = path

    def __missing__(self, name: str) -> NDArray[Any]:
        raise _damaged(self.path)


def _damaged(path: Path) -> TaskError:
    return TaskError(f"{path} is damaged: delete it, and prepare the folder again.")


METRICS = ("accuracy", "mcc", "brier", "recall_weighted", "precision_weighted", "f1_weighted")


def scores(targets: NDArray[np.int64], predicted: NDArray[np.int64], brier: float, classes: int) -> dict[str, float]:
    """Return all scores of one model. ``brier`` is the mean over predictions of Σ_k (p_k - [k is the target])².

    The Matthews correlation coefficient for many classes: with the confusion matrix C (rows: true), its sum s, its trace c, and
    the sums of its rows t_k and columns p_k, (c s - Σ_k t_k p_k) / sqrt((s² - Σ_k p_k²) (s² - Σ_k t_k²)); 0 if that is 0 / 0.

    >>> result = scores(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0]), brier=0.3, classes=3)
    >>> result["accuracy"], round(result["mcc"], 4)
    (0.75, 0.5774)
    """
    confusion = np.bincount(targets * classes + predicted, minlength=classes * classes).reshape(classes, classes)
    true, guessed = confusion.sum(axis=1).astype(float), confusion.sum(axis=0).astype(float)
    hits = np.diag(confusion).astype(float)
    total = len(targets)
    spread = np.sqrt((total**2 - (guessed**2).sum()) * (total**2 - (true**2).sum()))
    mcc = (hits.sum() * total - (true * guessed).sum()) / spread if spread > 0 else 0.0
    precision = np.divide(hits, guessed, out=np.zeros_like(hits), where=guessed > 0)
    recall = np.divide(hits, true, out=np.zeros_like(hits), where=true > 0)
    both = precision + recall
    f1 = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
    weighted = [float((part * true).sum() / total) for part in (recall, precision, f1)]
    return dict(zip(METRICS, [float(hits.sum() / total), float(mcc), brier, *weighted], strict=True))
