"""What all estimators share: scikit-learn's conventions, without scikit-learn."""

import inspect
from typing import Any, Self

from actalike.confidence import Resampler
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.windows import WindowCounts


class Estimator:
    """Parameters are stored by ``__init__`` as they come; ``fit`` checks them and leaves ``embedding_``.

    So ``sklearn.base.clone``, ``get_params`` and ``set_params`` work as usual.
    """

    takes_counts = False  # whether fit also takes a table of window counts
    explains = True  # whether the embedding can say why two activities are alike

    def check_source(self, log: object) -> None:
        """Refuse what ``fit`` cannot learn from."""
        name = getattr(self, "name", type(self).__name__)
        if isinstance(log, WindowCounts) and not self.takes_counts:
            raise ActalikeError(f"{name} learns from the log itself, and window counts do not have the cases any more.")
        if not isinstance(log, EventLog | WindowCounts):
            raise ActalikeError(
                f"{name} takes an EventLog, not {type(log).__name__}: use actalike.read_log(...) or "
                "EventLog.from_traces(...) first."
            )

    def resampler(self, log: object) -> Resampler | None:
        """What draws the cases of a log anew and fits a copy of this estimator, where there are cases."""
        if not isinstance(log, EventLog):
            return None
        return Resampler(log, type(self)(**self.get_params()), self.get_params()["window"])

    @classmethod
    def _parameter_names(cls) -> list[str]:
        return list(inspect.signature(cls).parameters)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name."""
        return {name: getattr(self, name) for name in self._parameter_names()}

    def set_params(self, **params: Any) -> Self:
        """Change parameters; returns self."""
        for name, value in params.items():
            if name not in self._parameter_names():
                raise ValueError(f"{type(self).__name__} has no parameter {name!r}: it has {self._parameter_names()}.")
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        changed = [f"{name}={value!r}" for name, value in self.get_params().items() if value != defaults[name].default]
        return f"{type(self).__name__}({', '.join(changed)})"
