"""What a method is, what it is called, and how a name leads to its estimator.

A method is an estimator with ``fit(log)`` and ``embedding_`` (:class:`Method`); those that count windows are children of
:class:`CountingEstimator`. The methods that come with actalike are registered in ``methods/__init__.py``.

A name may carry a window: registered as ``"kin-w{n}"``, it stands for ``kin-w3``, ``kin-w5``, ... and its factory is given
the window. ``"-span{n}"`` does the same, for methods whose own windows are something else than those of the count methods.
Without its window, a name stands for the method with its default window: ``kin`` for ``kin-w5``.

Refinements may follow, where the estimator has parameters for them: optional parameters ("switches") after Levy, Goldberg and
Dagan (2015). By default each is off. A name lists those that are on, after the window and in this order:
``ac-sequence-ppmi-w5+shift5+smooth0.75+svd50+power0.5``.
"""

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from numbers import Real
from typing import Any, Literal, NamedTuple, Protocol, Self, runtime_checkable

import numpy as np

from actalike.counting import WindowCounts, count_windows
from actalike.embedding import Embedding, Resampler
from actalike.errors import ActalikeError, EngineError, LogError, UnknownMethodError, did_you_mean
from actalike.io import LogLike, as_log, how_to_fetch
from actalike.log import AnyLog, EventLog, Variants
from actalike.support.extras import Extra
from actalike.support.progress import tracked

DEFAULT_METHOD = "kin-w5"
PAPER_WINDOWS = (3, 5, 9)
PMI_WEIGHTINGS = ("pmi", "ppmi")
_CHECKED_FAMILIES = ("kin",)
_WINDOWED = re.compile(r"(.+)-(w|span)([1-9]\d{0,3})")

Takes = Literal["log", "counts"]
Lap = Callable[[str], None]  # a stopwatch: each call names the part of the work that was just finished


# What a method is


def no_lap(part: str) -> None:
    """Do nothing: the default for ``lap``."""


@runtime_checkable
class Method(Protocol):
    """Turn a log into an embedding. All but ``fit`` have defaults, which :func:`make_method` sets.

    - ``name``: the name in the registry, including window and refinements: ``kin-w5``. Default: the name it was created by.
    - ``family``: the heading in tables and pages, the same for all windows and weightings. Default: the name without window.
    - ``window``: how many symbols its windows have, None if it has no windows. Default: the window in its name.
    - ``takes``: ``log`` if ``fit`` accepts only an EventLog (the default), ``counts`` if WindowCounts as well; then engines and
      streams can count for it.
    - ``needs``: the extras that it needs. If one is not installed, benchmarks leave the method out, and commands say how to
      install it. Default: none.
    - ``explains``: whether its embedding can explain similarities. If False, ``explain`` raises an error at once. Default: True.
    - ``reads_labels``: whether it uses the text of labels; benchmarks that rename activities leave it out. Default: False.
    - ``parts``: the names of the parts of its work, such as ``("count", "weighting")``. ``fit(source, lap)`` calls ``lap`` with
      each name when that part is finished; without parts, ``fit`` is called without ``lap``. Default: none.
    - ``passes_over``: what it goes through, and how often, shown beside measured times: ``"variants, once"``. Default: empty.
    """

    name: str
    family: str
    window: int | None
    takes: Takes
    needs: Sequence[Extra]
    explains: bool
    reads_labels: bool
    parts: Sequence[str]
    passes_over: str
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
        raise ActalikeError(f"The method {name!r} has no fit(log), which must return self and set embedding_.")
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
        "passes_over": "",
    }
    for attribute, value in defaults.items():
        if not hasattr(method, attribute):
            _set(method, attribute, value, name)
    if method.takes not in ("log", "counts"):
        raise ActalikeError(f"The method {name!r} has takes={method.takes!r}, which must be 'log' or 'counts'.")
    if not isinstance(method.parts, tuple | list) or not all(isinstance(part, str) for part in method.parts):
        raise ActalikeError(
            f"The method {name!r} has parts={method.parts!r}, which must be a tuple of strings, a name for each part of its work."
        )
    if not isinstance(method.passes_over, str):
        raise ActalikeError(f"The method {name!r} has passes_over={method.passes_over!r}, which must be a string.")
    if method.takes == "counts" and method.window is None:
        raise ActalikeError(f"The method {name!r} takes counts but has no window: set its attribute 'window'.")
    return method


def _set(method: Any, attribute: str, value: Any, name: str) -> None:
    """Set an attribute, of a frozen dataclass too."""
    try:
        object.__setattr__(method, attribute, value)
    except AttributeError:
        raise ActalikeError(
            f"The method {name!r} does not define {attribute!r} and accepts no new attributes (__slots__): define it there."
        ) from None


def missing_extra(method: Method) -> str | None:
    """Return how to install the first extra that a method needs and that is missing; None if nothing is missing."""
    missing = [extra for extra in method.needs if not extra.is_installed]
    return missing[0].remedy if missing else None


# Base classes, which follow scikit-learn's conventions without depending on scikit-learn


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
    :class:`Method` explains the attributes.
    """

    name: str
    family: str
    window: int | None = None
    takes: Takes = "log"
    needs: Sequence[Extra] = ()
    explains: bool = False
    reads_labels: bool = False
    parts: Sequence[str] = ()
    passes_over: str = ""
    embedding_: Embedding

    def check_source(self, source: object) -> None:
        """Raise an error if ``fit`` cannot learn from the source."""
        if isinstance(source, WindowCounts) and self.takes == "log":
            raise ActalikeError(f"{self.name} needs an EventLog: window counts have no cases.")
        if not isinstance(source, EventLog | WindowCounts):
            raise ActalikeError(
                f"{self.name} takes an EventLog, not {type(source).__name__}: use actalike.read_log(...) or "
                "EventLog.from_traces(...) first."
            )


class CountingEstimator(Estimator, ABC):
    """Fit from window counts. A subclass defines :meth:`embed_counts`, and :meth:`check_parameters` if it has any."""

    window: int
    takes: Takes = "counts"
    passes_over = "variants, once"

    def fit(self, source: EventLog | WindowCounts, lap: Lap = no_lap) -> Self:
        """Embed the activities of a log, or of window counts with this window or a larger one."""
        self.check_parameters()
        self.check_source(source)
        self.check_size(len(source.activities))
        table = source.marginal(self.window) if isinstance(source, WindowCounts) else count_windows(source, self.window)
        lap("count")
        self.embedding_ = self.embed_counts(table, lap)
        if isinstance(source, EventLog):
            self.embedding_.resampler = self.resampler(source)
        return self

    def check_parameters(self) -> None:
        """Raise an error for parameter values that are not allowed."""

    def check_size(self, n: int) -> None:
        """Raise an error, before any work, if there is not enough memory for n activities."""

    @abstractmethod
    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return the embedding of window counts with this window. Call ``lap`` with the name of each part when it is done."""

    def pair_similarities(self, table: WindowCounts, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the similarities of some pairs: those of the embedding of window counts."""
        embedding = self.fit(table).embedding_
        return [embedding.similarity(a, b) for a, b in pairs]

    def resampler(self, log: AnyLog) -> Resampler:
        """Return a resampler of the log's cases, which computes intervals by fitting copies of this estimator."""
        return Resampler(log, type(self)(**self.get_params()), int(self.window))


def fewer_activities(window: int) -> str:
    """Return the remedy where a method cannot compare so many activities in pairs."""
    return (
        "merge labels that differ only in a number or an id first (actalike group shows them by their pattern, on a part of the "
        f"log if need be; actalike relabel merges them), or choose a count method, such as ac-sequence-pmi-w{window}"
    )


# Names


class MethodName(NamedTuple):
    """Hold the parts of a name: the stem, the marker of the window (``w``, ``span`` or empty), the window, and the refinements.

    >>> MethodName.parse("aa-sequence-pmi-w3+svd16")
    MethodName(stem='aa-sequence-pmi', marker='w', window=3, refinements='+svd16')
    >>> MethodName.parse("one-hot")
    MethodName(stem='one-hot', marker='', window=None, refinements='')
    """

    stem: str
    marker: str
    window: int | None
    refinements: str

    @classmethod
    def parse(cls, name: str) -> "MethodName":
        """Return the parts of a name."""
        base, plus, refinements = name.partition("+")
        match = _WINDOWED.fullmatch(base)
        stem, marker, window = (match[1], match[2], int(match[3])) if match else (base, "", None)
        return cls(stem, marker, window, plus + refinements)

    @property
    def pattern(self) -> str:
        """Return the name by which the method is registered: with ``{n}`` for the window, and without refinements."""
        return self.stem if self.window is None else f"{self.stem}-{self.marker}{{n}}"

    @property
    def without_window(self) -> str:
        """Return the name without its window; it is the same for methods that differ only in the window.

        >>> MethodName.parse("ac-sequence-ppmi-w5+svd8").without_window
        'ac-sequence-ppmi+svd8'
        """
        return self.stem + self.refinements


def by_number(name: str) -> str:
    """Return a key that sorts names by their numbers: w9 before w11.

    >>> sorted(["kin-w11", "kin-w9"], key=by_number)
    ['kin-w9', 'kin-w11']
    """
    return re.sub(r"\d+", lambda number: number[0].zfill(9), name)


# Refinements


class Switch(NamedTuple):
    """Describe a refinement: its parameter, the value that turns it off, and the values that are allowed.

    ``values`` names the allowed values in an error message; ``of_pmi`` says that it applies to PMI weightings only.
    """

    parameter: str
    off: int | None
    allows: Callable[[Any], bool]
    values: str
    of_pmi: bool = False


def _is_number(value: Any) -> bool:
    return isinstance(value, Real)


SWITCHES = {
    "shift": Switch("shift", 1, lambda k: _is_number(k) and 1 <= k <= 1_000_000, "a number from 1 to 1,000,000", of_pmi=True),
    "smooth": Switch("smoothing", 1, lambda a: _is_number(a) and 0 < a <= 1, "a number above 0 and up to 1", of_pmi=True),
    "svd": Switch(
        "dimension",
        None,
        lambda d: d is None or (isinstance(d, int | np.integer) and not isinstance(d, bool) and int(d) >= 1),
        "an integer >= 1 or None",
    ),
    "power": Switch("exponent", 1, lambda p: _is_number(p) and 0 <= p <= 1, "a number from 0 to 1"),
}


def check_switches(parameters: Mapping[str, Any]) -> None:
    """Raise an error for a value that a switch does not allow, or that does not apply to the weighting."""
    for switch in SWITCHES.values():
        value = parameters.get(switch.parameter, switch.off)
        if not switch.allows(value):
            raise ActalikeError(f"{switch.parameter}={value!r} must be {switch.values}.")
        if switch.of_pmi and value != switch.off and parameters.get("weighting", "pmi") not in PMI_WEIGHTINGS:
            weightings = " and ".join(PMI_WEIGHTINGS)
            raise ActalikeError(
                f"{switch.parameter}={value!r} applies to the weightings {weightings}, not to {parameters['weighting']}."
            )


def switches_in_name(parameters: Mapping[str, Any]) -> str:
    """Return the end of a method's name, which lists the switches that are on.

    >>> switches_in_name({"shift": 5.0, "smoothing": 0.75, "dimension": None, "exponent": 1})
    '+shift5+smooth0.75'
    """
    values = {word: parameters.get(switch.parameter, switch.off) for word, switch in SWITCHES.items()}
    return "".join(
        f"+{word}{np.format_float_positional(value, trim='-')}" for word, value in values.items() if value != SWITCHES[word].off
    )


def set_switches(estimator: Any, name: str) -> None:
    """Set the switches of a method's name in an estimator. Raise an error if the name is not in its standard form."""
    base, *words = name.split("+")
    known = estimator.get_params() if hasattr(estimator, "get_params") else {}
    for text in words:
        word, number = re.fullmatch(r"([a-z]*)(.*)", text, re.DOTALL).groups()  # type: ignore[union-attr]
        if word not in SWITCHES or not re.fullmatch(r"[0-9]{1,9}(\.[0-9]+)?", number):
            raise UnknownMethodError(
                f"{name!r} has {'+' + text!r}, where only +shift5, +smooth0.75, +svd50 or +power0.5 could stand."
            )
        if SWITCHES[word].parameter not in known:
            raise UnknownMethodError(f"{base} has no switch +{word}.")
        estimator.set_params(**{SWITCHES[word].parameter: float(number) if "." in number else int(number)})
    check_switches(estimator.get_params())
    standard = base + switches_in_name(estimator.get_params())
    if standard != name:
        raise UnknownMethodError(f"{name!r} is not in standard form: use {standard!r}.")


# Methods by name


class _Entry(NamedTuple):
    factory: Callable[..., Any]
    windows: tuple[int, ...]


_REGISTRY: dict[str, _Entry] = {}


def register(name: str, factory: Callable[..., Any], windows: tuple[int, ...] = PAPER_WINDOWS) -> None:
    """Register a method of your own under a name; it then takes part everywhere, the benchmarks included.

    ``factory`` makes an estimator: anything with ``fit(log)`` that returns self and leaves ``embedding_``. If the name
    contains ``{n}``, the factory takes ``window=``, and users may name any window. ``windows`` are those that
    :func:`method_names` lists. The name without a window stands for the factory's default window; if it has none, for the first
    of ``windows``.

    >>> import numpy as np
    >>> class OneHot:
    ...     def fit(self, log):
    ...         self.embedding_ = Embedding(log.activities, np.eye(len(log.activities)))
    ...         return self
    >>> register("my-one-hot", OneHot)
    >>> embed(EventLog.from_traces([["a", "b"]]), "my-one-hot").similarity("a", "b")
    0.0
    """
    if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*?(-(w|span)\{n\})?", name):
        raise ActalikeError(
            f"A name of a method has lower-case letters, digits, '-', '_' and '.', and may end in '-w{{n}}' or '-span{{n}}': "
            f"not {name!r}."
        )
    if not callable(factory):
        raise ActalikeError(f"The factory of {name!r} must be callable (an estimator's class, say), and {factory!r} is not.")
    _REGISTRY[name] = _Entry(factory, tuple(windows))


def method_names() -> list[str]:
    """Return the names of all registered methods; those with a window are listed with the windows of the paper.

    >>> "ac-sequence-pmi-w9" in method_names()
    True
    """
    return list(_names())


def _names() -> Iterator[str]:
    for name, entry in _REGISTRY.items():
        if "{n}" in name:
            yield from (name.format(n=window) for window in entry.windows)
        else:
            yield name


def full_name(name: str) -> str:
    """Return the name of a method with its window, where it was left out; any other name is returned as it is.

    >>> full_name("kin"), full_name("ac-sequence-pmi+svd16"), full_name("kin-w3"), full_name("one-hot")
    ('kin-w5', 'ac-sequence-pmi-w3+svd16', 'kin-w3', 'one-hot')
    """
    base, plus, refinements = name.partition("+")
    if base in _REGISTRY:
        return name
    for marker in ("w", "span"):
        entry = _REGISTRY.get(f"{base}-{marker}{{n}}")
        window = None if entry is None else _default_window(entry)
        if window is not None:
            return f"{base}-{marker}{window}{plus}{refinements}"
    return name


def _default_window(entry: _Entry) -> int | None:
    parameter = inspect.signature(entry.factory).parameters.get("window")
    if parameter is not None and isinstance(parameter.default, int):
        return parameter.default
    return next(iter(entry.windows), None)


def make_method(name: str) -> Method:
    """Return the estimator of a name, not yet fitted. Any window is allowed, and refinements after it.

    >>> make_method("ac-multiset-ppmi-w7")
    CountEmbedder(matrix='activity-context', context='multiset', weighting='ppmi', window=7)
    >>> make_method("positional-ppmi-w5+shift5+svd16+power0.5")
    PositionalEmbedder(weighting='ppmi', shift=5, dimension=16, exponent=0.5)
    >>> make_method("kin").name
    'kin-w5'
    """
    name = full_name(name)
    base, plus, _ = name.partition("+")
    estimator = _make(base)
    if plus:
        set_switches(estimator, name)
    return complete(estimator, name)


def _make(name: str) -> Any:
    """Return the estimator of a name without refinements."""
    parsed = MethodName.parse(name)
    if name in _REGISTRY and "{n}" not in name:
        return _create(name, _REGISTRY[name].factory)
    if parsed.window is None or parsed.pattern not in _REGISTRY:
        raise UnknownMethodError(
            f"No method is called {name!r}.{did_you_mean(name, _names())} 'actalike methods' lists them all."
        )
    return _create(name, _REGISTRY[parsed.pattern].factory, window=parsed.window)


def _create(name: str, factory: Callable[..., Any], **window: int) -> Any:
    """Return what a factory makes, or raise an error that says why it cannot."""
    try:
        return factory(**window)
    except ActalikeError:
        raise
    except Exception as error:  # anybody's constructor
        raise ActalikeError(f"The method {name!r} cannot be created: {type(error).__name__}: {error}") from error


def has_checked_intervals(name: str | None) -> bool:
    """Return whether the intervals of a method were compared with those of new logs (docs/concepts.md): only those of kin.

    >>> has_checked_intervals("kin-w5"), has_checked_intervals("aa-sequence-pmi-w3")
    (True, False)
    """
    return name is not None and family_of(name) in _CHECKED_FAMILIES


def family_of(name: str) -> str:
    """Return the family of a method; of one that is not registered here, its name without the window.

    >>> family_of("aa-sequence-pmi-w3"), family_of("somebody-elses-w5")
    ('activity x activity', 'somebody-elses')
    """
    try:
        return make_method(name.partition("+")[0]).family
    except UnknownMethodError:
        return MethodName.parse(name).stem


@tracked("embedding activities")
def embed(
    log: LogLike | Variants | WindowCounts, method: str = DEFAULT_METHOD, *, counts: WindowCounts | None = None
) -> Embedding:
    """Embed the activities of a log by a method's name. Methods that count take variants or a window-count table as well.

    ``log`` is an EventLog, Variants, WindowCounts, a frame of events (pandas, Polars, pyarrow, ...) or an event log of pm4py.
    The windows of an engine's table (DuckDB, Spark, Ibis) are counted as :func:`actalike.count_windows` does.
    If the windows of the log have been counted already, give them as ``counts``: then they are not counted again.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]])
    >>> embed(log)
    Embedding(kin-w5, 4 activities)
    """
    method = full_name(method)
    estimator: Any = make_method(method)
    is_table = not isinstance(log, EventLog | Variants | WindowCounts) and how_to_fetch(log) is not None
    if (is_table or isinstance(log, Variants | WindowCounts)) and estimator.takes == "log":
        raise ActalikeError(f"{method} needs the cases of an EventLog; variants and window counts have none.")
    source: EventLog | Variants | WindowCounts
    if is_table:
        source = _count_table(log, estimator.window or 1)
    elif isinstance(log, Variants):
        source = count_windows(log, estimator.window or 1)
    else:
        source = log if isinstance(log, WindowCounts) else as_log(log, "embed")
    if counts is not None and (counts.activities != source.activities or counts.n_events != source.n_events):
        raise ActalikeError("The counts have other activities or events than the log: give the counts of this log.")
    use_counts = counts is not None and isinstance(estimator, CountingEstimator) and estimator.window <= counts.window
    embedding = estimator.fit(counts if use_counts else source).embedding_
    if not isinstance(embedding, Embedding):
        raise ActalikeError(f"The method {method!r} set embedding_ to {type(embedding).__name__}, not an Embedding.")
    embedding.method = embedding.method or method
    if use_counts and isinstance(log, Variants):
        source = log
    if use_counts and isinstance(source, EventLog | Variants) and isinstance(estimator, CountingEstimator):
        embedding.resampler = estimator.resampler(source)
    return embedding


def _count_table(table: Any, window: int) -> WindowCounts:
    try:
        return count_windows(table, window)
    except EngineError:
        raise
    except LogError as error:
        raise LogError(f"{error} Columns are named to count_windows: embed(count_windows(table, {window}, case=...)).") from None
