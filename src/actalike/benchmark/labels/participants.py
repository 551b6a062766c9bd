"""Who takes part in a run: groupers and methods, by name and wildcard."""

import fnmatch
from collections.abc import Sequence

from actalike.benchmark.labels.contract import GROUPERS, Grouper, MethodGrouper
from actalike.benchmark.participants import choose_names, make_methods
from actalike.benchmark.record import Warn, no_warning
from actalike.errors import UnknownMethodError, did_you_mean
from actalike.methods import DEFAULT_METHOD, Method, method_names, missing_extra


def why_not(method: Method) -> str | None:
    """Return why a method cannot take part, if it cannot."""
    return missing_extra(method)


def choose_participants(patterns: Sequence[str] | None, warn: Warn = no_warning) -> dict[str, Grouper]:
    """Return those that some names and wildcards stand for; without any, all groupers, and the default method."""
    known = GROUPERS.names()
    names: dict[str, None] = {}
    for pattern in (*known, DEFAULT_METHOD) if patterns is None else patterns:
        is_wildcard = any(sign in pattern for sign in "*?[")
        groupers = fnmatch.filter(known, pattern) if is_wildcard else [name for name in known if name == pattern]
        if not groupers or (is_wildcard and fnmatch.filter(method_names(), pattern)):
            try:
                names |= dict.fromkeys(choose_names([pattern], why_not, warn))
            except UnknownMethodError:
                raise _unknown(pattern) from None
        names |= dict.fromkeys(groupers)
    return {name: participant for name in names if (participant := _made(name, patterns is None, warn)) is not None}


def _unknown(name: str) -> UnknownMethodError:
    suggestion = did_you_mean(name, [*GROUPERS.names(), *method_names()])
    return UnknownMethodError(
        f"No method and no grouper is called {name!r}.{suggestion} 'actalike methods' lists the methods; the groupers are "
        f"{', '.join(GROUPERS.names())}."
    )


def _made(name: str, is_default: bool, warn: Warn) -> Grouper | None:
    """Return a participant; one that needs what is not installed is left out if nobody asked for it, else an error."""
    if name not in GROUPERS.names():
        try:
            return MethodGrouper(make_methods([name], why_not)[name])
        except UnknownMethodError:
            raise _unknown(name) from None
    return GROUPERS.make_if_possible(name, is_default, warn)
