"""The registry: a method's name leads to its estimator.

A name may carry a window: registered as ``"kin-w{n}"``, it stands for ``kin-w3``, ``kin-w5``, ... and its factory is given
the window. ``"-span{n}"`` does the same, for methods whose own windows are something else than those of the count methods.
Without its window, a name stands for the method with its default window: ``kin`` for ``kin-w5``.
Refinements may follow, where the estimator has parameters for them: ``aa-sequence-pmi-w3+svd16``.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

from actalike.counting import WindowCounts
from actalike.embedding import Embedding
from actalike.errors import ActalikeError, UnknownMethodError, did_you_mean
from actalike.io import as_log
from actalike.log import EventLog
from actalike.matrices import WEIGHTINGS
from actalike.methods.act2vec import ALGORITHMS, Act2VecEmbedder
from actalike.methods.autoencoder import AutoencoderEmbedder
from actalike.methods.centred_kin import CentredKinEmbedder
from actalike.methods.contract import Method, complete
from actalike.methods.counts import CONTEXTS, MATRICES, SHORT, CountEmbedder
from actalike.methods.estimator import CountingEstimator
from actalike.methods.kin import KinEmbedder
from actalike.methods.label_text import LabelTextEmbedder
from actalike.methods.names import MethodName
from actalike.methods.one_hot import OneHotEmbedder
from actalike.methods.positional import POSITIONAL_WEIGHTINGS, PositionalEmbedder
from actalike.methods.process_structure import ProcessStructureEmbedder
from actalike.methods.refinements import set_switches
from actalike.methods.substitution import SubstitutionEmbedder
from actalike.support.progress import tracked

DEFAULT_METHOD = "kin-w5"
PAPER_WINDOWS = (3, 5, 9)
_CHECKED_FAMILIES = ("kin",)


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
            f"A method's name is made of lower-case letters, digits, '-', '_' and '.', and may end in '-w{{n}}' or '-span{{n}}': "
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
    if name in _REGISTRY and "{n}" not in name:
        return _REGISTRY[name].factory()
    parsed = MethodName.parse(name)
    if parsed.window is None or parsed.pattern not in _REGISTRY:
        raise UnknownMethodError(
            f"No method is called {name!r}.{did_you_mean(name, _names())} 'actalike methods' lists them all."
        )
    return _REGISTRY[parsed.pattern].factory(window=parsed.window)


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
        return make_method(name).family
    except Exception:  # not registered here, or anybody's constructor
        return MethodName.parse(name).stem


@tracked("embedding activities")
def embed(log: Any, method: str = DEFAULT_METHOD, *, counts: WindowCounts | None = None) -> Embedding:
    """Embed the activities of a log by a method's name. Methods that count take a window-count table as well.

    ``log`` is an EventLog, WindowCounts, a frame of events (pandas, Polars, pyarrow, ...) or an event log of pm4py.
    If the windows of the log have been counted already, give them as ``counts``: then they are not counted again.

    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]])
    >>> embed(log)
    Embedding(kin-w5, 4 activities x 3 dimensions)
    """
    method = full_name(method)
    estimator = make_method(method)
    if not isinstance(log, WindowCounts):
        log = as_log(log, "embed")
    if isinstance(log, WindowCounts) and estimator.takes == "log":
        raise ActalikeError(f"{method} learns from the log itself, and window counts do not have the cases any more.")
    if counts is not None and (counts.activities != log.activities or counts.n_events != log.n_events):
        raise ActalikeError("The counts have other activities or events than the log: give the counts of this log.")
    use_counts = counts is not None and isinstance(estimator, CountingEstimator) and estimator.window <= counts.window
    embedding = estimator.fit(counts if use_counts else log).embedding_
    if not isinstance(embedding, Embedding):
        raise ActalikeError(f"The method {method!r} left {type(embedding).__name__} in embedding_, not an Embedding.")
    embedding.method = embedding.method or method
    if use_counts and isinstance(log, EventLog) and isinstance(estimator, CountingEstimator):
        embedding.resampler = estimator.resampler(log)
    return embedding


for _matrix in MATRICES:
    for _context in CONTEXTS:
        for _weighting in WEIGHTINGS:
            register(
                f"{SHORT[_matrix]}-{_context}-{_weighting}-w{{n}}",
                partial(CountEmbedder, _matrix, _context, _weighting),  # type: ignore[arg-type]
            )
register("kin-w{n}", KinEmbedder)
register("kin2-w{n}", CentredKinEmbedder)
for _weighting in POSITIONAL_WEIGHTINGS:
    register(f"positional-{_weighting}-w{{n}}", partial(PositionalEmbedder, _weighting))  # type: ignore[arg-type]
register("substitution-w{n}", SubstitutionEmbedder)
for _algorithm in ALGORITHMS:
    register(f"act2vec-{_algorithm}-w{{n}}", partial(Act2VecEmbedder, _algorithm))  # type: ignore[arg-type]
    register(f"act2vec-{_algorithm}-span{{n}}", partial(Act2VecEmbedder, _algorithm, span=True))  # type: ignore[arg-type]
register("process-structure", ProcessStructureEmbedder)
register("process-structure-fixed", partial(ProcessStructureEmbedder, fixed=True))
register("autoencoder-w{n}", AutoencoderEmbedder, windows=(3,))
register("autoencoder-masked-w{n}", partial(AutoencoderEmbedder, masked=True), windows=(3,))
register("label-text", LabelTextEmbedder)
register("one-hot", OneHotEmbedder)
