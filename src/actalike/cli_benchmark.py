"""The commands of the benchmarks."""

import fnmatch
import importlib
import importlib.util
import re
import sys
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from actalike.benchmark import results, runner, tables
from actalike.benchmark.intrinsic import METRICS
from actalike.benchmark.logs import find_logs
from actalike.console import print_json, working_progress
from actalike.errors import ActalikeError, UnknownMethodError
from actalike.methods import make_method, methods
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
    logs: Annotated[list[Path], typer.Option("--logs", help="A log or a folder of logs; may be given several times.")],
    out: Annotated[Path, typer.Option("--out", help="The folder of results; what is there is not computed again.")],
    patterns: Annotated[
        list[str] | None, typer.Option("--methods", metavar="PATTERN", help="Methods, e.g. 'aa-*' or 'ac-sequence-pmi-w7'. [all]")
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
    chosen = {name: make_method(name) for name in _matching(patterns or ["*"])}
    files = find_logs(logs, "intrinsic")
    plan = runner.Plan(seed, mode.value, samples)
    runner.open_folder(out, plan)
    read = {}
    for name in files.names:
        log = files(name)
        runner.open_log(out, name, log)
        read[name] = runner.without_names(log)
    activities = {name: len(log.activities) for name, log in read.items()}
    cells = _shard(runner.make_cells(activities, chosen, _range(r, "r"), _range(w, "w")), shard)
    todo = [
        runner.Cell(cell.log, cell.r, cell.w, cell.group, missing)
        for cell in cells
        if (missing := runner.missing_methods(cell, out, retry_failed))
    ]
    failed = 0
    try:
        with working_progress("intrinsic benchmark", len(todo)) as advance:
            for cell, failures in runner.run(todo, read, plan, chosen, out, jobs, backend):
                failed += failures
                advance(f"{cell.log} r={cell.r} w={cell.w}")
    except KeyboardInterrupt:
        print(f"actalike: stopped. What is finished is in {out}; the same command goes on from there.", file=sys.stderr)
        raise typer.Exit(130) from None
    if as_json:
        print_json({"out": str(out), "cells": len(cells), "computed": len(todo), "failed_methods": failed})
    else:
        print(f"{out}: {len(cells):,} cells, {len(todo):,} of them computed now, {failed:,} failures.")
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
    if tidy is not None:
        results.write_tidy(folder, tidy)
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


def _with_mean_log(means: pl.DataFrame) -> pl.DataFrame:
    return means.select("method", pl.lit("mean").alias("log"), *METRICS)


def _matching(patterns: Sequence[str]) -> list[str]:
    names = methods()
    found: dict[str, None] = {}
    for pattern in patterns:
        matches = fnmatch.filter(names, pattern)
        if not matches and any(sign in pattern for sign in "*?["):
            raise UnknownMethodError(f"No method matches {pattern!r}. 'actalike methods' lists them all.")
        found.update(dict.fromkeys(matches or [pattern]))
    return list(found)


def _range(text: str, what: str) -> list[int]:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if match is None or not int(match[1]) <= int(match[2] or match[1]):
        raise ActalikeError(f"--{what} {text!r} is neither a number nor a range such as 2-5.")
    return list(range(int(match[1]), int(match[2] or match[1]) + 1))


def _shard(cells: list[runner.Cell], shard: str) -> list[runner.Cell]:
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", shard)
    if match is None or int(match[1]) > int(match[2]):
        raise ActalikeError(f"--shard {shard!r} is not of the form I/N, with I from 1 to N.")
    return cells[int(match[1]) - 1 :: int(match[2])]


def _load_plugin(name: str) -> None:
    from cloudpickle import register_pickle_by_value

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
    except (ImportError, OSError) as error:
        raise ActalikeError(f"The plugin {name!r} cannot be imported: {error}.") from None
