"""The commands of the benchmarks."""

import fnmatch
import importlib
import importlib.util
import re
import sys
import traceback
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from actalike.benchmark import results, runner, tables
from actalike.benchmark.intrinsic import METRICS
from actalike.benchmark.logs import find_logs
from actalike.console import plain, print_json, working_progress
from actalike.errors import ActalikeError, UnknownMethodError
from actalike.extras import missing_extra
from actalike.methods import make_method, methods
from actalike.methods.registry import Method
from actalike.report.benchmark_plots import save_plots

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Judge methods: run a benchmark, tabulate its results.")


class ModeChoice(StrEnum):
    """Whose draws and averaging."""

    paper = "paper"
    authors = "authors"


class FormatChoice(StrEnum):
    """How a table is written."""

    md = "md"
    csv = "csv"
    latex = "latex"


@app.command()
def intrinsic(
    logs: Annotated[list[Path], typer.Option("--logs", metavar="PATH...", help="Logs, or folders of logs.")],
    out: Annotated[Path, typer.Option("--out", help="The folder of results; what is there is not computed again.")],
    patterns: Annotated[
        list[str] | None,
        typer.Option("--methods", metavar="PATTERN...", help="Methods, e.g. 'aa-*' act2vec-cbow-w3. [those that count]"),
    ] = None,
    r: Annotated[str, typer.Option(help="How many activities are split: a number or a range.")] = "1-10",
    w: Annotated[str, typer.Option(help="Into how many replacements each: a number or a range.")] = "2-5",
    samples: Annotated[int, typer.Option(min=1, help="Ground-truth logs for each r and w.")] = 5,
    seed: Annotated[int, typer.Option(help="What the draws depend on.")] = 0,
    mode: Annotated[
        ModeChoice, typer.Option(help="Draws and averaging as in the paper, or as in its authors' code.")
    ] = ModeChoice.paper,
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = 1,
    backend: Annotated[
        str, typer.Option(help="joblib's backend: loky, or one that is registered with it (dask, ray, ...).")
    ] = "loky",
    shard: Annotated[str, typer.Option(metavar="I/N", help="Only the I-th of N parts of the work, for N machines.")] = "1/1",
    plugin: Annotated[list[str] | None, typer.Option(help="A module or .py file that registers methods.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Compute failed methods again.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """The intrinsic benchmark: split activities into replacements, and see whether a method finds them again.

    Stop it at any time; the same command goes on where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark intrinsic --logs orders.xes.gz --methods 'aa-*' --out results

    actalike benchmark intrinsic --logs event_logs/ --out results --jobs 2
    """
    for name in plugin or []:
        _load_plugin(name)
    chosen = _make_methods(_matching(patterns))
    rs, ws = _range(r, "r", least=1), _range(w, "w", least=2)
    runner.check_backend(backend)
    files = find_logs(logs, "intrinsic")
    if files.left_out:
        print(
            f"actalike: left out, because the folder holds logs of the paper and these are not of its benchmark: "
            f"{plain(', '.join(files.left_out))}. To take one, name its file.",
            file=sys.stderr,
        )
    plan = runner.Plan(seed, mode.value, samples)
    runner.open_folder(out, plan)
    try:
        read = runner.read_logs(files, jobs, backend)
        digests = {name: runner.open_log(out, name, log) for name, log in read.items()}
        activities = {name: len(log.activities) for name, log in read.items()}
        if min(rs) > max(activities.values()):
            raise ActalikeError(f"--r {r}: no log has so many activities; the most are {max(activities.values())}.")
        runner.note_request(out, activities, list(chosen), rs, ws)
        cells = _shard(runner.make_cells(activities, chosen, rs, ws), shard)
        todo = [
            runner.Cell(cell.log, cell.r, cell.w, cell.group, missing)
            for cell in cells
            if (missing := runner.missing_methods(cell, plan, digests[cell.log], out, retry_failed))
        ]
        failures: dict[tuple[str, str], str] = {}
        with working_progress("intrinsic benchmark", len(todo)) as advance:
            for cell, errors in runner.run(todo, read, plan, chosen, out, jobs, backend):
                failures.update({(name, cell.log): error for name, error in errors.items()})
                advance(f"{cell.log} r={cell.r} w={cell.w}")
    except KeyboardInterrupt:
        print(f"actalike: stopped. What is finished is in {out}; the same command goes on from there.", file=sys.stderr)
        raise typer.Exit(130) from None
    if as_json:
        failed = [{"method": method, "log": log, "error": error} for (method, log), error in sorted(failures.items())]
        print_json({"out": str(out), "cells": len(cells), "computed": len(todo), "failed": failed})
    else:
        for (method, log), error in sorted(failures.items()):
            print(plain(f"{method} failed on {log}: {error}"))
        rest = ", the others were there" if len(todo) < len(cells) else ""
        print(f"{out}: {len(todo):,} of {len(cells):,} cells computed now{rest}.")
        print(f"Next: actalike benchmark table {out}")


@app.command()
def table(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")],
    form: Annotated[FormatChoice, typer.Option("--format", help="Markdown, CSV or LaTeX.")] = FormatChoice.md,
    by: Annotated[str | None, typer.Option("--by", metavar="log", help="'log': a row for each log.")] = None,
    intervals: Annotated[bool, typer.Option("--intervals", help="With 95 % bootstrap intervals over the logs.")] = False,
    tidy: Annotated[
        Path | None,
        typer.Option("--tidy", metavar="FILE", help="Also write a row for each method and ground-truth log: .parquet or .csv."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with intervals.")] = False,
) -> None:
    """The results as a table: means over the logs (the best three of a metric marked), or the figures of each log.

    Examples:

    actalike benchmark table results

    actalike benchmark table results --by log --format csv

    actalike benchmark table results --intervals --tidy all.parquet
    """
    if by not in (None, "log"):
        raise ActalikeError(f"--by {by!r} is not known: it can be 'log'.")
    if intervals and (by or form == FormatChoice.csv):
        raise ActalikeError("--intervals goes with the table of means, as Markdown, LaTeX or --json.")
    if tidy is not None:
        results.write_tidy(folder, tidy)
    for gap in results.gaps(folder):
        print(plain(f"actalike: {gap}."), file=sys.stderr)
    per_log = results.by_log(folder)
    means = per_log if by else results.over_logs(folder)
    if as_json:
        print_json(means.to_dicts())
    elif form == FormatChoice.csv:
        print((per_log if by else _with_mean_log(means)).write_csv(), end="")
    else:
        make = tables.log_table if by else tables.interval_table if intervals else tables.method_table
        print(make(per_log if by else means, form.value))


@app.command()
def plots(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the pictures.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The results as pictures: metric by method, metric over r and w, spread over logs.

    Example: actalike benchmark plots results -o pictures
    """
    paths = [str(path) for path in save_plots(folder, output)]
    if as_json:
        print_json(paths)
    else:
        print("\n".join(paths))


def with_lists(arguments: list[str]) -> list[str]:
    """Options of the benchmarks that take several values, as typer wants them: ``--logs a b`` becomes ``--logs a --logs b``.

    >>> with_lists(["benchmark", "intrinsic", "--logs", "a", "b", "--seed", "1"])
    ['benchmark', 'intrinsic', '--logs', 'a', '--logs', 'b', '--seed', '1']
    """
    if arguments[:1] != ["benchmark"]:
        return arguments
    spread: list[str] = []
    option = None
    for word in arguments:
        if word.startswith("-"):
            option = word if word in ("--logs", "--methods") else None
        elif option and spread[-1] != option:
            spread.append(option)
        spread.append(word)
    return spread


def _with_mean_log(means: pl.DataFrame) -> pl.DataFrame:
    return means.select("method", pl.lit("mean").alias("log"), *METRICS)


def _matching(patterns: Sequence[str] | None) -> list[str]:
    """The methods that are asked for. A wildcard leaves out, and names, those that cannot take part here."""
    names = methods()
    if patterns is None:
        return [name for name in names if getattr(method := make_method(name), "takes_counts", False) and not _why_not(method)]
    found: dict[str, None] = {}
    for pattern in patterns:
        if not any(sign in pattern for sign in "*?["):
            found[pattern] = None
            continue
        matches = fnmatch.filter(names, pattern)
        if not matches:
            raise UnknownMethodError(f"No method matches {pattern!r}. 'actalike methods' lists them all.")
        for name in matches:
            reason = _why_not(make_method(name))
            if reason:
                print(f"actalike: {name} is left out: it {reason}.", file=sys.stderr)
            else:
                found[name] = None
    if not found:
        raise ActalikeError(f"None of the methods that match {', '.join(patterns)} can take part.")
    return list(found)


def _make_methods(names: Sequence[str]) -> dict[str, Method]:
    made = {}
    for name in names:
        try:
            made[name] = make_method(name)
        except ActalikeError:
            raise
        except Exception as error:  # anybody's constructor
            raise ActalikeError(f"The method {name!r} cannot be made: {type(error).__name__}: {error}.") from None
        reason = _why_not(made[name])
        if reason:
            raise ActalikeError(f"{name} {reason}.")
    return made


def _why_not(method: Method) -> str | None:
    """Why a method cannot take part in this benchmark, if it cannot."""
    if getattr(method, "reads_labels", False):
        return "reads the labels, and ground-truth logs have new ones for old activities"
    return missing_extra(method)


def _range(text: str, what: str, least: int) -> list[int]:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if match is None or not least <= int(match[1]) <= int(match[2] or match[1]):
        raise ActalikeError(f"--{what} {text!r} is neither a number nor a range such as 2-5, from {least} on.")
    return list(range(int(match[1]), int(match[2] or match[1]) + 1))


def _shard(cells: list[runner.Cell], shard: str) -> list[runner.Cell]:
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", shard)
    if match is None or int(match[1]) > int(match[2]):
        raise ActalikeError(f"--shard {shard!r} is not of the form I/N, with I from 1 to N.")
    return cells[int(match[1]) - 1 :: int(match[2])]


def _load_plugin(name: str) -> None:
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
