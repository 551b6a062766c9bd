"""What a command of the benchmarks is about: methods by name and wildcard, modules that bring their own, logs left out."""

import fnmatch
import importlib
import importlib.util
import sys
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path

from actalike.benchmark.logs import LogFiles
from actalike.cli.console import plain
from actalike.errors import ActalikeError, UnknownMethodError
from actalike.methods import Method, make_method, method_names

WhyNot = Callable[[Method], str | None]  # why a method cannot take part in a benchmark, if it cannot


def matching(patterns: Sequence[str] | None, why_not: WhyNot) -> list[str]:
    """The methods that are asked for. A wildcard leaves out, and names, those that cannot take part here."""
    names = method_names()
    if patterns is None:
        return [name for name in names if (method := make_method(name)).takes == "counts" and not why_not(method)]
    found: dict[str, None] = {}
    for pattern in patterns:
        if not any(sign in pattern for sign in "*?["):
            found[pattern] = None
            continue
        matches = fnmatch.filter(names, pattern)
        if not matches:
            raise UnknownMethodError(f"No method matches {pattern!r}. 'actalike methods' lists them all.")
        for name in matches:
            reason = why_not(make_method(name))
            if reason:
                print(f"actalike: {name} is left out: it {reason}.", file=sys.stderr)
            else:
                found[name] = None
    if not found:
        raise ActalikeError(f"None of the methods that match {', '.join(patterns)} can take part.")
    return list(found)


def make_methods(names: Sequence[str], why_not: WhyNot) -> dict[str, Method]:
    """The estimators of some names; one that cannot take part is an error."""
    made = {}
    for name in names:
        try:
            made[name] = make_method(name)
        except ActalikeError:
            raise
        except Exception as error:  # anybody's constructor
            raise ActalikeError(f"The method {name!r} cannot be made: {type(error).__name__}: {error}.") from None
        reason = why_not(made[name])
        if reason:
            raise ActalikeError(f"{name} {reason}.")
    return made


def tell_left_out(files: LogFiles) -> None:
    """Say which logs of a folder do not take part."""
    if files.left_out:
        print(
            f"actalike: left out, because the folder holds logs of the paper and these are not of its benchmark: "
            f"{plain(', '.join(files.left_out))}. To take one, name its file.",
            file=sys.stderr,
        )


def load_plugin(name: str) -> None:
    """Import a module or a file that registers methods."""
    from cloudpickle import register_pickle_by_value

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
            register_pickle_by_value(module)  # other processes cannot import a file by its name
        else:
            importlib.import_module(name)
    except Exception as error:  # anybody's code
        raise ActalikeError(f"The plugin {name!r} cannot be imported: {_where(error)}{type(error).__name__}: {error}.") from None


def _where(error: Exception) -> str:
    """The file and line where something was raised, without the machinery of importing."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "importlib" not in frame.filename][1:]
    return f"{frames[-1].filename}, line {frames[-1].lineno}: " if frames else ""
