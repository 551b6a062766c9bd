"""Who takes part: methods, groupers, matchers and detectors, by name and wildcard; and modules that register them."""

import fnmatch
import importlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from actalike.benchmark.record import Warn, WhyNot, no_warning
from actalike.errors import ActalikeError, UnknownMethodError, did_you_mean
from actalike.methods import Method, full_name, make_method, method_names
from actalike.support.extras import Extra

_Participant = TypeVar("_Participant")


class Participants(Protocol):
    """A kind of participants: those who can take part in a task."""

    noun: str  # what one is called

    def choose(self, patterns: Sequence[str] | None, why_not: WhyNot, warn: Warn = no_warning) -> Mapping[str, Any]:
        """Return those that some names and wildcards stand for; without any, all that take part by themselves."""
        ...


class Methods:
    """The methods: by default all that count."""

    noun = "method"

    def choose(self, patterns: Sequence[str] | None, why_not: WhyNot, warn: Warn = no_warning) -> dict[str, Method]:
        """Return the methods that some names and wildcards stand for; one that cannot take part is an error if it was named."""
        return make_methods(choose_names(patterns, why_not, warn), why_not)


METHODS = Methods()


class ParticipantRegistry(Generic[_Participant]):
    """Hold the participants of one kind, each as a factory by its name.

    ``noun`` is what one is called, ``duty`` what it must have, ``defaults`` what it need not say of itself.
    """

    def __init__(self, noun: str, duty: str, defaults: Mapping[str, Any]) -> None:
        self.noun, self.duty, self.defaults = noun, duty, dict(defaults)
        self.factories: dict[str, Callable[[], Any]] = {}

    def register(self, name: str, factory: Callable[[], Any]) -> None:
        """Register a participant under a name; ``factory`` is its class, or a function that makes one."""
        if not re.fullmatch(r"[a-z0-9][a-z0-9._-]*", name):
            raise ActalikeError(f"A {self.noun}'s name is made of lower-case letters, digits, '-', '_' and '.': not {name!r}.")
        if not callable(factory):
            raise ActalikeError(f"The factory of {name!r} must be callable (a {self.noun}'s class, say), and {factory!r} is not.")
        self.factories[name] = factory

    def names(self) -> list[str]:
        """Return the names of all."""
        return list(self.factories)

    def make(self, name: str) -> _Participant:
        """Return the participant of a name, not yet fitted; what it does not say of itself is set to its default."""
        try:
            participant: _Participant = self.factories[name]()
        except ActalikeError:
            raise
        except Exception as error:  # anybody's constructor
            raise ActalikeError(f"The {self.noun} {name!r} cannot be made: {type(error).__name__}: {error}.") from None
        if not callable(getattr(participant, "fit", None)):
            raise ActalikeError(f"The {self.noun} {name!r} has no {self.duty}.")
        for attribute, default in {"name": name, **self.defaults}.items():
            if not hasattr(participant, attribute):
                object.__setattr__(participant, attribute, default)
        return participant

    def make_if_possible(self, name: str, is_default: bool, warn: Warn = no_warning) -> _Participant | None:
        """Return a participant; one that needs what is not installed is left out if nobody asked for it, else an error."""
        participant: Any = self.make(name)
        if missing := [extra.remedy for extra in participant.needs if not extra.is_installed]:
            if not is_default:
                raise ActalikeError(f"{name} {missing[0]}.")
            warn(f"{name} is left out: it {missing[0]}.")
            return None
        made: _Participant = participant
        return made

    def choose(
        self, patterns: Sequence[str] | None, why_not: WhyNot | None = None, warn: Warn = no_warning
    ) -> dict[str, _Participant]:
        """Return those that some names and wildcards stand for; without any, all that can take part."""
        chosen: dict[str, None] = dict.fromkeys(self.factories if patterns is None else ())
        for pattern in patterns or ():
            matches = fnmatch.filter(self.factories, pattern)
            if not matches:
                suggestion = did_you_mean(pattern, self.factories)
                raise UnknownMethodError(
                    f"No {self.noun} is called {pattern!r}.{suggestion} The {self.noun}s are {', '.join(self.factories)}."
                )
            chosen |= dict.fromkeys(matches)
        made = ((name, self.make_if_possible(name, patterns is None, warn)) for name in chosen)
        return {name: participant for name, participant in made if participant is not None}


def choose_names(patterns: Sequence[str] | None, why_not: WhyNot, warn: Warn = no_warning) -> list[str]:
    """Return the names that some names and wildcards stand for; without any, all methods that count.

    What a wildcard matches and cannot take part is left out, and ``warn`` gets the reason.
    """
    names = method_names()
    if patterns is None:
        return [name for name in names if (method := _made(name, warn)) and method.takes == "counts" and not why_not(method)]
    chosen: dict[str, None] = {}
    for pattern in patterns:
        if not any(sign in pattern for sign in "*?["):
            chosen[full_name(pattern)] = None
            continue
        matches = fnmatch.filter(names, pattern)
        if not matches:
            raise UnknownMethodError(f"No method matches {pattern!r}. 'actalike methods' lists them all.")
        for name in matches:
            method = _made(name, warn)
            if method is None:
                continue
            if reason := why_not(method):
                warn(f"{name} is left out: it {reason}.")
            else:
                chosen[name] = None
    if not chosen:
        raise ActalikeError(f"None of the methods that match {', '.join(patterns)} can take part.")
    return list(chosen)


def _made(name: str, warn: Warn) -> Method | None:
    """Return a method, or None if it cannot be made, and give ``warn`` the reason: the other methods continue."""
    try:
        return make_method(name)
    except Exception as error:  # anybody's constructor
        warn(f"{name} is left out: it cannot be made ({type(error).__name__}: {error}).")
        return None


def make_methods(names: Sequence[str], why_not: WhyNot) -> dict[str, Method]:
    """Make the estimators of some names; one that cannot take part is an error."""
    methods = {}
    for name in names:
        try:
            methods[name] = make_method(name)
        except ActalikeError:
            raise
        except Exception as error:  # anybody's constructor
            raise ActalikeError(f"The method {name!r} cannot be made: {type(error).__name__}: {error}.") from None
        if reason := why_not(methods[name]):
            raise ActalikeError(f"{name} {reason}.")
    return methods


def load_plugin(name: str) -> None:
    """Import a module or a file that registers methods."""
    cloudpickle = Extra("benchmark", "cloudpickle").load(user="A plugin")
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)  # so that a module beside the user is found, as python -m would
    try:
        if name.endswith(".py"):
            spec = importlib.util.spec_from_file_location(Path(name).stem, name)
            if spec is None or spec.loader is None:
                raise ImportError(name)
            module = importlib.util.module_from_spec(spec)
            sys.modules[Path(name).stem] = module
            spec.loader.exec_module(module)
            cloudpickle.register_pickle_by_value(module)  # other processes cannot import a file by its name
        else:
            importlib.import_module(name)
    except Exception as error:  # anybody's code
        raise ActalikeError(f"The plugin {name!r} cannot be imported: {_where(error)}{type(error).__name__}: {error}.") from None


def _where(error: Exception) -> str:
    """Return the file and line where something was raised, without the machinery of importing."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename][1:]
    return f"{frames[-1].filename}, line {frames[-1].lineno}: " if frames else ""


def find_tasks(tasks: Collection[str], patterns: Sequence[str] | None) -> list[str]:
    """Return those of a benchmark's tasks that some names and wildcards stand for; without any, all.

    >>> find_tasks(["known-0", "deleted-10", "deleted-30"], ["deleted-*"])
    ['deleted-10', 'deleted-30']
    """
    found: dict[str, None] = dict.fromkeys(tasks if patterns is None else ())
    for pattern in patterns or ():
        matches = fnmatch.filter(tasks, pattern)
        if not matches:
            raise ActalikeError(f"No task is called {pattern!r}.{did_you_mean(pattern, tasks)} There are {', '.join(tasks)}.")
        found |= dict.fromkeys(matches)
    return list(found)
