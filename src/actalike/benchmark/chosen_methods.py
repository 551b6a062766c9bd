"""The methods of a benchmark run: by name and wildcard, with those that somebody else's module registers."""

import fnmatch
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from actalike.benchmark.record import Warn, WhyNot, no_warning
from actalike.errors import ActalikeError, UnknownMethodError
from actalike.methods import Method, full_name, make_method, method_names
from actalike.support.extras import Extra


def choose_names(patterns: Sequence[str] | None, why_not: WhyNot, warn: Warn = no_warning) -> list[str]:
    """Return the names that some names and wildcards stand for; without any, all methods that count.

    What a wildcard matches and cannot take part is left out, and ``warn`` is told why.
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
    """Return a method, or None if it cannot be made, and tell ``warn`` why: the other methods go on."""
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
