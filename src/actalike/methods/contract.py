"""The contract of a method: what the registry, the commands and the benchmarks know of it.

Only ``fit`` and ``embedding_`` must be there. What else a method does not say of itself is filled in by :func:`complete` when it
is made by its name, so that everybody else can rely on all of it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, Self, runtime_checkable

from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.methods.names import MethodName
from actalike.support.extras import Extra

Takes = Literal["log", "counts"]
Lap = Callable[[str], None]  # a stopwatch: each call names the part of the work that is done


def no_lap(part: str) -> None:
    """Time nothing."""


@runtime_checkable
class Method(Protocol):
    """What turns a log into an embedding."""

    @property
    def name(self) -> str:
        """The name in the registry, window and refinements included: ``kin-w5``. Missing: that by which it was made."""
        ...

    @property
    def family(self) -> str:
        """What tables and pages list it under, whatever its window and weighting. Missing: the name without its window."""
        ...

    @property
    def window(self) -> int | None:
        """How many symbols its windows have, None if it has none. Missing: the window in its name."""
        ...

    @property
    def takes(self) -> Takes:
        """``counts`` if ``fit`` takes WindowCounts as well as an EventLog, so that engines and streams can count for it.

        Missing: ``log``, an EventLog only.
        """
        ...

    @property
    def needs(self) -> Sequence[Extra]:
        """The extras it needs; where one is missing, benchmarks leave it out and commands give the remedy. Missing: none."""
        ...

    @property
    def explains(self) -> bool:
        """False if its embedding cannot say why two activities are alike: then ``explain`` says so at once. Missing: True."""
        ...

    @property
    def reads_labels(self) -> bool:
        """True if it looks at the texts of the labels: benchmarks that rename activities leave it out. Missing: False."""
        ...

    @property
    def parts(self) -> Sequence[str]:
        """The parts of its work, which ``fit(source, lap)`` names as they are done: ``("count", "weighting")``.

        The efficiency benchmark times them. Missing: none, and ``fit`` is called without ``lap``.
        """
        ...

    embedding_: Embedding

    def fit(self, source: Any) -> Self:
        """Learn from a log (or its window counts), leave the embedding in ``embedding_``, and return self."""
        ...


def complete(method: Any, name: str) -> Method:
    """Fill in what a method does not say of itself.

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
            setattr(method, attribute, value)
    if method.takes not in ("log", "counts"):
        raise ActalikeError(f"The method {name!r} says takes={method.takes!r}, which is none of 'log', 'counts'.")
    if method.takes == "counts" and method.window is None:
        raise ActalikeError(f"The method {name!r} takes counts, and does not say of which window: give it an attribute 'window'.")
    return method


def missing_extra(method: Method) -> str | None:
    """Return what a method needs that is not installed, with the remedy; None where nothing is missing."""
    missing = [extra for extra in method.needs if not extra.is_installed]
    return missing[0].remedy if missing else None
