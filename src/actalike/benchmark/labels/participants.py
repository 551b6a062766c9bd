"""Who takes part in a run: groupers and methods, by name and wildcard."""

import fnmatch
from collections.abc import Sequence

from actalike.benchmark.chosen_methods import choose_names, make_methods
from actalike.benchmark.labels.contract import Grouper, MethodGrouper, grouper_names, make_grouper
from actalike.benchmark.record import Warn, no_warning
from actalike.errors import ActalikeError, UnknownMethodError, did_you_mean
from actalike.methods import DEFAULT_METHOD, Method, method_names, missing_extra


def why_not(method: Method) -> str | None:
    """Return why a method cannot take part, if it cannot."""
    return missing_extra(method)


def choose_participants(patterns: Sequence[str] | None, warn: Warn = no_warning) -> dict[str, Grouper]:
    """Return those that some names and wildcards stand for; without any, all groupers, and the default method."""
    known = grouper_names()
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
    suggestion = did_you_mean(name, [*grouper_names(), *method_names()])
    return UnknownMethodError(
        f"No method and no grouper is called {name!r}.{suggestion} 'actalike methods' lists the methods; the groupers are "
        f"{', '.join(grouper_names())}."
    )


def _made(name: str, is_default: bool, warn: Warn) -> Grouper | None:
    """Return a participant; one that needs what is not installed is left out if nobody asked for it, else an error."""
    if name not in grouper_names():
        try:
            return MethodGrouper(make_methods([name], why_not)[name])
        except UnknownMethodError:
            raise _unknown(name) from None
    try:
        grouper = make_grouper(name)
    except ActalikeError:
        raise
    except Exception as error:  # anybody's constructor
        raise ActalikeError(f"The grouper {name!r} cannot be made: {type(error).__name__}: {error}.") from None
    if missing := [extra.remedy for extra in grouper.needs if not extra.is_installed]:
        if not is_default:
            raise ActalikeError(f"{name} {missing[0]}.")
        warn(f"{name} is left out: it {missing[0]}.")
        return None
    return grouper
