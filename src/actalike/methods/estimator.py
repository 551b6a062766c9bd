"""Define the base classes of the methods. They follow scikit-learn's conventions without depending on scikit-learn."""

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Self

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import Embedding, Resampler
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods.contract import Lap, Takes, no_lap
from actalike.support.extras import Extra

_signature: Callable[[type], inspect.Signature] = cache(inspect.signature)  # to find one takes as long as counting a small log


class Parameters:
    """Provide ``get_params`` and ``set_params``, as scikit-learn does, so that ``sklearn.base.clone`` works as usual."""

    @classmethod
    def _parameter_names(cls) -> list[str]:
        """Return the names of the parameters of ``__init__``."""
        return list(_signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Self:
        """Change parameters and return self."""
        for name, value in params.items():
            if name not in self._parameter_names():
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}: it has {self._parameter_names()}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = _signature(type(self)).parameters
        changed = [f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name].default]
        return f"{type(self).__name__}({', '.join(changed)})"


class Estimator(Parameters):
    """Provide the default attributes of a method.

    A subclass stores its parameters unchanged in ``__init__`` and checks them in ``fit``, which sets ``embedding_``.
    :class:`actalike.methods.contract.Method` explains the attributes.
    """

    name: str
    family: str
    window: int | None = None
    takes: Takes = "log"
    needs: Sequence[Extra] = ()
    explains: bool = False
    reads_labels: bool = False
    parts: Sequence[str] = ()
    embedding_: Embedding

    def check_source(self, source: object) -> None:
        """Raise an error if ``fit`` cannot learn from the source."""
        if isinstance(source, WindowCounts) and self.takes == "log":
            raise ActalikeError(f"{self.name} learns from the log itself, and window counts no longer hold the cases.")
        if not isinstance(source, EventLog | WindowCounts):
            raise ActalikeError(
                f"{self.name} takes an EventLog, not {type(source).__name__}: use actalike.read_log(...) or "
                "EventLog.from_traces(...) first."
            )


class CountingEstimator(Estimator, ABC):
    """Fit from window counts. A subclass defines :meth:`check_parameters` and :meth:`embed_counts`."""

    window: int
    takes: Takes = "counts"

    def fit(self, source: EventLog | WindowCounts, lap: Lap = no_lap) -> Self:
        """Embed the activities of a log, or of window counts with this window or a larger one."""
        self.check_parameters()
        self.check_source(source)
        table = source.marginal(self.window) if isinstance(source, WindowCounts) else count_windows(source, self.window)
        lap("count")
        self.embedding_ = self.embed_counts(table, lap)
        if isinstance(source, EventLog):
            self.embedding_.resampler = self.resampler(source)
        return self

    def check_parameters(self) -> None:
        """Raise an error for parameter values that are not allowed."""

    @abstractmethod
    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the embedding of window counts with this window. Call ``lap`` with the name of each part when it is done."""

    def pair_similarities(self, table: WindowCounts, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the similarities of some pairs: those of the embedding of window counts."""
        embedding = self.fit(table).embedding_
        return [embedding.similarity(a, b) for a, b in pairs]

    def resampler(self, log: EventLog) -> Resampler:
        """Return a resampler of the log's cases, which computes intervals by fitting copies of this estimator."""
        return Resampler(log, type(self)(**self.get_params()), int(self.window))
