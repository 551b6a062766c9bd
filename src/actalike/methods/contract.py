"""Define the contract of a method: what the registry, the commands and the benchmarks rely on.

A method must define only ``fit`` and ``embedding_``. When a method is created by its name, :func:`complete` sets all other
attributes that it does not define to their defaults, so that all methods have all attributes.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, Self, runtime_checkable

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.methods.names import MethodName
from actalike.support.extras import Extra

Takes = Literal["log", "counts"]
Lap = Callable[[str], None]  # a stopwatch: each call names the part of the work that was just finished


def no_lap(part: str) -> None:
    """Measure nothing: the default for ``lap``."""


@runtime_checkable
class Method(Protocol):
    """Turn a log into an embedding."""

    @property
    def name(self) -> str:
        """Return the name in the registry, including window and refinements: ``kin-w5``. Default: the name it was created by."""
        ...

    @property
    def family(self) -> str:
        """Return the heading for tables and pages, the same for all windows and weightings. Default: the name without window."""
        ...

    @property
    def window(self) -> int | None:
        """Return how many symbols its windows have, None if it has no windows. Default: the window in its name."""
        ...

    @property
    def takes(self) -> Takes:
        """Return what ``fit`` accepts: ``log`` for an EventLog only, ``counts`` for WindowCounts as well. Default: ``log``.

        Engines and streams can count windows for a method with ``counts``.
        """
        ...

    @property
    def needs(self) -> Sequence[Extra]:
        """Return the extras that it needs. Default: none.

        If one is not installed, benchmarks leave the method out, and commands say how to install the extra.
        """
        ...

    @property
    def explains(self) -> bool:
        """Return whether its embedding can explain why two activities are alike. Default: True.

        If False, the command ``explain`` raises an error before any work.
        """
        ...

    @property
    def reads_labels(self) -> bool:
        """Return whether it uses the text of the labels. Default: False.

        If True, benchmarks that rename activities leave the method out.
        """
        ...

    @property
    def parts(self) -> Sequence[str]:
        """Return the names of the parts of its work: ``("count", "weighting")``. Default: none.

        ``fit(source, lap)`` calls ``lap`` with the name of each part when it is finished, and the efficiency benchmark measures
        the times. If there are no parts, ``fit`` is called without ``lap``.
        """
        ...

    embedding_: Embedding

    def fit(self, source: Any) -> Self:
        """Learn from a log (or its window counts), set ``embedding_``, and return self."""
        ...


def complete(method: Any, name: str) -> Method:
    """Set the attributes that a method does not define to their defaults, check it, and return it.

    >>> class OneHot:
    ...     def fit(self, log): ...
    >>> method = complete(OneHot(), "mine-w7")
    >>> method.name, method.family, method.window, method.takes
    ('mine-w7', 'mine', 7, 'log')
    """
    if not callable(getattr(method, "fit", None)):
        raise ActalikeError(
            f"The method {name!r} has no fit(log), which must return itself and leave an Embedding in embedding_."
        )
    parsed = MethodName.parse(name)
    defaults: dict[str, Any] = {
        "name": name,
        "family": parsed.stem,
        "window": parsed.window,
        "takes": "log",
        "needs": (),
        "explains": True,
        "reads_labels": False,
        "parts": (),
    }
    for attribute, value in defaults.items():
        if not hasattr(method, attribute):
            _set(method, attribute, value, name)
    if method.takes not in ("log", "counts"):
        raise ActalikeError(f"The method {name!r} says takes={method.takes!r}, which is none of 'log', 'counts'.")
    if not isinstance(method.parts, tuple | list) or not all(isinstance(part, str) for part in method.parts):
        raise ActalikeError(
            f"The method {name!r} says parts={method.parts!r}, which is not a tuple of names of the parts of its work."
        )
    if method.takes == "counts" and method.window is None:
        raise ActalikeError(f"The method {name!r} takes counts, and does not say of which window: give it an attribute 'window'.")
    return method


def _set(method: Any, attribute: str, value: Any, name: str) -> None:
    """Set an attribute, of a frozen dataclass too."""
    try:
        object.__setattr__(method, attribute, value)
    except AttributeError:
        raise ActalikeError(
            f"The method {name!r} does not define {attribute!r}, and takes no new attributes (__slots__): define it there."
        ) from None


def missing_extra(method: Method) -> str | None:
    """Return how to install the first extra that a method needs and that is missing; None if nothing is missing."""
    missing = [extra for extra in method.needs if not extra.is_installed]
    return missing[0].remedy if missing else None
