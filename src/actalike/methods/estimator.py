"""What all estimators share: scikit-learn's conventions, without scikit-learn."""

import inspect
from typing import Any, Self


class Estimator:
    """Parameters are stored by ``__init__`` as they come; ``fit`` checks them and leaves ``embedding_``.

    So ``sklearn.base.clone``, ``get_params`` and ``set_params`` work as usual.
    """

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
