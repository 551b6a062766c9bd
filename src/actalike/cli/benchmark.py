"""The commands of the benchmarks."""

import re
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import polars as pl
import typer

from actalike.benchmark import folders, tables
from actalike.benchmark.chosen_methods import load_plugin, make_methods, matching, tell_left_out
from actalike.benchmark.efficiency import results as efficiency_results
from actalike.benchmark.efficiency.plots import save_efficiency_plots
from actalike.benchmark.efficiency.tables import measurement_table, runtime_table
from actalike.benchmark.folders import read_description, write_tidy
from actalike.benchmark.intrinsic import results
from actalike.benchmark.intrinsic import run as runner
from actalike.benchmark.intrinsic.metrics import METRICS
from actalike.benchmark.intrinsic.plots import save_plots
from actalike.benchmark.logs import find_logs
from actalike.benchmark.prediction import results as prediction_results
from actalike.benchmark.prediction.plots import save_prediction_plots
from actalike.benchmark.prediction.results import MEANS
from actalike.cli.console import plain, print_json, working_progress
from actalike.errors import ActalikeError
from actalike.methods import Method, missing_extra

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Judge methods: run a benchmark, tabulate its results.")


_RESULTS = {"intrinsic": results, "prediction": prediction_results, "efficiency": efficiency_results}
_PLOTS = {"intrinsic": save_plots, "prediction": save_prediction_plots, "efficiency": save_efficiency_plots}


class ModeChoice(StrEnum):
    """Whose draws and averaging."""

    paper = "paper"
    authors = "authors"


class FormatChoice(StrEnum):
    """How a table is written."""

    md = "md"
    csv = "csv"
    latex = "latex"


class PictureChoice(StrEnum):
    """How a picture is written."""

    png = "png"
    svg = "svg"
    pdf = "pdf"


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
        load_plugin(name)
    chosen = make_methods(matching(patterns, _why_not), _why_not)
    rs, ws = _range(r, "r", least=1), _range(w, "w", least=2)
    runner.check_backend(backend)
    files = find_logs(logs, "intrinsic")
    tell_left_out(files)
    plan = runner.Plan(seed, mode.value, samples)
    runner.open_folder(out, plan)
    try:
        read = runner.read_logs(files, jobs, backend)
        digests = {name: folders.open_log(out, name, log) for name, log in read.items()}
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
        typer.Option("--tidy", metavar="FILE", help="Also write all single results: .parquet or .csv."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with intervals.")] = False,
) -> None:
    """The results as a table: means over the logs (the best three of a metric marked), or the figures of each log.

    Of the efficiency benchmark: the seconds on all logs, or all that was measured on each log.

    Examples:

    actalike benchmark table results

    actalike benchmark table results --by log --format csv

    actalike benchmark table results --intervals --tidy all.parquet
    """
    if by not in (None, "log"):
        raise ActalikeError(f"--by {by!r} is not known: it can be 'log'.")
    if intervals and (by or form == FormatChoice.csv):
        raise ActalikeError("--intervals goes with the table of means, as Markdown, LaTeX or --json.")
    kind = _kind(folder)
    if intervals and kind == "efficiency":
        raise ActalikeError(f"--intervals is for means over logs, and {folder} has times: --by log has their spread.")
    found = _RESULTS[kind]
    if tidy is not None:
        write_tidy(found.load_results(folder), tidy)
    _tell_gaps(found.gaps(folder))
    shown = found.by_log(folder) if by or kind == "efficiency" else found.over_logs(folder)
    if as_json:
        print_json(shown.to_dicts())
    elif form == FormatChoice.csv:
        print((_with_mean_log(shown) if kind == "intrinsic" and not by else shown).write_csv(), end="")
    elif kind == "efficiency":
        print((measurement_table if by else runtime_table)(shown, form.value))
    elif kind == "prediction":
        make = tables.log_table if by else tables.interval_table if intervals else tables.method_table
        metrics = ("accuracy", "spread", "mcc") if by else MEANS if intervals else (*MEANS[:3], "spread", "gain")
        parts = [
            f"{model}:\n\n{make(part, form.value, metrics)}" for (model,), part in shown.group_by("model", maintain_order=True)
        ]
        print("\n\n".join(parts))
    else:
        make = tables.log_table if by else tables.interval_table if intervals else tables.method_table
        print(make(shown, form.value, METRICS))


@app.command()
def plots(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the pictures.")],
    form: Annotated[PictureChoice, typer.Option("--format", help="PNG, SVG or PDF.")] = PictureChoice.png,
    logs: Annotated[list[str] | None, typer.Option("--logs", metavar="NAME...", help="Of these logs alone. [all]")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """The results as pictures: metric by method, over r and w, over logs; accuracy by method and log; seconds, and how they grow.

    Examples:

    actalike benchmark plots results -o pictures

    actalike benchmark plots results -o pictures --format pdf --logs BPIC15_1 RTFM
    """
    kind = _kind(folder)
    paths = [str(path) for path in _PLOTS[kind](folder, output, form.value, logs)]
    _tell_gaps(_RESULTS[kind].gaps(folder))
    if as_json:
        print_json(paths)
    else:
        print("\n".join(paths))


def _kind(folder: Path) -> str:
    """Of which benchmark the results are."""
    kind = read_description(folder)["benchmark"]
    if kind not in _RESULTS:
        raise ActalikeError(f"{folder} has results of a benchmark {kind!r}, which this version does not know.")
    return str(kind)


def _tell_gaps(gaps: list[str]) -> None:
    for gap in gaps:
        print(plain(f"actalike: {gap}."), file=sys.stderr)


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
            option = word if word in ("--logs", "--methods", "--models") else None
        elif option and spread[-1] != option:
            spread.append(option)
        spread.append(word)
    return spread


def _with_mean_log(means: pl.DataFrame) -> pl.DataFrame:
    return means.select("method", pl.lit("mean").alias("log"), *METRICS)


def _why_not(method: Method) -> str | None:
    """Why a method cannot take part in the intrinsic benchmark, if it cannot."""
    if method.reads_labels:
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
