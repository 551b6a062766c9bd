"""Turn cases into vectors in which interchangeable labels count for each other; it follows scikit-learn's conventions."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, Self

import numpy as np
import polars as pl
from numpy.typing import NDArray
from scipy.sparse import csr_array

from actalike.errors import ActalikeError, LogError
from actalike.labels.step_probabilities import compare_labels
from actalike.log import EventLog
from actalike.methods import Parameters, embed
from actalike.support.frames import as_kind

Norm = Literal["l1", "l2"]
Container = Literal["default", "pandas", "polars"]


class SimilarSteps(Parameters):
    """Transform traces (lists of labels) into vectors with a number for each activity of the traces it was fitted to.

    With s(a, j) how likely two labels are interchangeable (:func:`actalike.same_step`), 1 for a label and itself, the vector of a
    trace has

        x_j = Σ s(a, j)   over the events of the trace, a being the activity of the event.

    ``method``, the name of a method of :func:`actalike.embed`, has s(a, j) be its similarity, 0 if that is negative. Most
    similarities by kin are near 1, and then all vectors are much the same.

    So two traces with interchangeable steps, or the same step under two names, have similar vectors; a bag of words would have
    nothing in common. A label that was not there in ``fit`` counts 0. Then ``norm`` divides: ``"l2"`` by the length √(Σ x_j²),
    ``"l1"`` by the sum Σ x_j, None by nothing. The vector of a trace without known labels is 0.

    It follows scikit-learn's conventions and works in its pipelines and searches, and does not need it. After ``fit``,
    ``activities_`` are the labels in the order of the numbers, and ``similarities_`` is the array of s.

    >>> traces = [["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 10
    >>> steps = SimilarSteps(norm=None).fit(traces)
    >>> steps.get_feature_names_out().tolist()
    ['a', 'b', 'c', 'x', 'y']
    >>> steps.transform([["a", "x"], ["b", "x"], ["new"]]).round(1).tolist()
    [[1.0, 1.0, 0.0, 1.0, 0.0], [1.0, 1.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.0]]
    """

    activities_: list[str]
    similarities_: NDArray[np.float64]

    def __init__(self, method: str | None = None, norm: Norm | None = "l2") -> None:
        self.method = method
        self.norm = norm

    def fit(self, X: EventLog | Sequence[Iterable[str]], y: object = None) -> Self:
        """Compare the activities of traces, or of a log, and keep their similarities; ``y`` is not used."""
        self._check_norm()
        log = X if isinstance(X, EventLog) else EventLog.from_traces(_checked(X))
        self.activities_ = log.activities
        if self.method is None:
            self.similarities_ = compare_labels(log).interchangeabilities()
            return self
        embedding = embed(log, self.method)
        if embedding.compare != "cosine":
            raise ActalikeError(
                f"{self.method} compares by scores, which have no scale: take a method of cosines, such as one-hot."
            )
        self.similarities_ = np.maximum(1.0 - embedding.distances(), 0.0)
        return self

    def transform(self, X: EventLog | Sequence[Iterable[str]]) -> Any:
        """Return the vectors of traces, or of a log's cases, one row each: an array, or as ``set_output`` says."""
        return self._contained(self._vectors(X), X)

    def set_output(self, *, transform: Container | None = None) -> Self:
        """Choose what ``transform`` returns: ``"default"`` an array, ``"pandas"`` or ``"polars"`` a frame; None changes nothing.

        The columns of a frame are the activities. One of pandas has the index of what is transformed, if that has one.
        """
        if transform is not None:
            if transform not in ("default", "pandas", "polars"):
                raise ActalikeError(f"transform={transform!r} is none of 'default', 'pandas', 'polars'.")
            self._sklearn_output_config = {"transform": transform}  # by this name sklearn.base.clone keeps it
        return self

    def _contained(self, vectors: NDArray[np.float64], X: object) -> Any:
        chosen = getattr(self, "_sklearn_output_config", {}).get("transform")
        if chosen is None and "sklearn" in sys.modules:
            from sklearn import get_config

            chosen = get_config()["transform_output"]
        if chosen not in ("pandas", "polars"):
            return vectors
        frame = pl.DataFrame(vectors, schema=self.activities_)
        if chosen == "polars":
            return frame
        result = as_kind(frame, "pandas")
        index = getattr(X, "index", None)
        return result if index is None or callable(index) else result.set_axis(index, axis=0)

    def _vectors(self, X: EventLog | Sequence[Iterable[str]]) -> NDArray[np.float64]:
        if not hasattr(self, "similarities_"):
            raise _not_fitted()
        self._check_norm()
        position = {label: i for i, label in enumerate(self.activities_)}
        columns, ends = [], [0]
        for trace in X.traces() if isinstance(X, EventLog) else _checked(X):
            columns += [position[label] for label in trace if label in position]
            ends.append(len(columns))
        counts = csr_array((np.ones(len(columns)), columns, ends), shape=(len(ends) - 1, len(position)))
        vectors: NDArray[np.float64] = counts @ self.similarities_
        if self.norm is None:
            return vectors
        lengths = vectors.sum(axis=1) if self.norm == "l1" else np.sqrt((vectors**2).sum(axis=1))
        return np.divide(vectors, lengths[:, np.newaxis], out=np.zeros_like(vectors), where=lengths[:, np.newaxis] > 0)

    def fit_transform(self, X: EventLog | Sequence[Iterable[str]], y: object = None) -> Any:
        """Fit to traces, and return their vectors."""
        traces = list(X) if isinstance(X, Iterator) else X  # a generator can be read only once
        return self.fit(traces).transform(traces)

    def get_feature_names_out(self, input_features: object = None) -> NDArray[Any]:
        """Return the activities in the order of the vectors' numbers."""
        if not hasattr(self, "activities_"):
            raise _not_fitted()
        return np.array(self.activities_, dtype=object)

    def _check_norm(self) -> None:
        if self.norm not in (None, "l1", "l2"):
            raise ActalikeError(f"norm={self.norm!r} is none of 'l1', 'l2', None.")

    def __sklearn_tags__(self) -> Any:
        """Tell scikit-learn, which alone asks, that traces are no arrays of numbers."""
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        tags = InputTags(two_d_array=False, string=True)
        return Tags(None, TargetTags(required=False), TransformerTags(), input_tags=tags, no_validation=True)


def _checked(X: Any) -> list[list[str]]:
    """Return traces as lists of labels, or raise an error if something else was given."""
    if isinstance(X, str) or not isinstance(X, Iterable) or hasattr(X, "columns"):
        raise LogError(f"SimilarSteps takes a list of traces, which are lists of labels, not {type(X).__name__}.")
    traces = []
    for number, given in enumerate(X, 1):
        trace = None if isinstance(given, str) or not isinstance(given, Iterable) else list(given)
        if trace is None or not all(isinstance(label, str) for label in trace):
            raise LogError(f"Trace {number:,} is not a list of labels, which are texts: write [['a', 'b'], ['a'], ...].")
        traces.append(trace)
    return traces


class NotFittedError(ActalikeError, ValueError, AttributeError):
    """Report that something is used before it was fitted."""


def _not_fitted() -> ActalikeError:
    """Return the error that there was no fit; where scikit-learn is in use, it is one of its own errors as well."""
    kind: Any = NotFittedError
    if "sklearn" in sys.modules:
        from sklearn.exceptions import NotFittedError as SklearnError

        kind = type("NotFittedError", (ActalikeError, SklearnError), {})
    error: ActalikeError = kind("SimilarSteps has no similarities yet: call fit with traces first.")
    return error
