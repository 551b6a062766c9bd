"""The command of the efficiency benchmark."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from actalike.benchmark import folders
from actalike.benchmark.chosen_methods import load_plugin, make_methods, matching, tell_left_out
from actalike.benchmark.efficiency import run as runner
from actalike.benchmark.efficiency.growth import GROWTH_LOGS, growth_cells, growth_logs
from actalike.benchmark.intrinsic.run import read_logs
from actalike.benchmark.logs import LogFiles, find_logs
from actalike.cli.console import plain, print_json, working_progress
from actalike.errors import ActalikeError
from actalike.methods import missing_extra


def efficiency(
    out: Annotated[Path, typer.Option("--out", help="The folder of results; what is there is not computed again.")],
    logs: Annotated[list[Path] | None, typer.Option("--logs", metavar="PATH...", help="Logs, or folders of logs.")] = None,
    patterns: Annotated[
        list[str] | None,
        typer.Option("--methods", metavar="PATTERN...", help="Methods, e.g. 'aa-*' act2vec-cbow-w3. [all that can run here]"),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="How often each method is timed on each log.")] = 10,
    time_limit: Annotated[
        float, typer.Option(min=1, metavar="SECONDS", help="What a method gets for a log: fewer calls if all would take longer.")
    ] = 600,
    growth: Annotated[
        bool, typer.Option("--growth", help="Made-up logs of growing size, and windows from 3 to 15; with or without --logs.")
    ] = False,
    plugin: Annotated[list[str] | None, typer.Option(help="A module or .py file that registers methods.")] = None,
    retry_failed: Annotated[bool, typer.Option("--retry-failed", help="Measure failed methods again.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
) -> None:
    """The efficiency benchmark: seconds from a log to all distances, with their parts, and memory.

    Each method on each log runs in a process of its own, one after the other. Stop it at any time; the same command goes on
    where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark efficiency --logs orders.xes.gz --methods 'aa-*' kin-w5 --out results

    actalike benchmark efficiency --growth --methods kin-w5 aa-sequence-pmi-w3 --out results
    """
    for name in plugin or []:
        load_plugin(name)
    if not logs and not growth:
        raise ActalikeError("There is nothing to measure on: give --logs, or --growth for made-up logs.")
    chosen = matching(patterns or ["*"], missing_extra)
    files = find_logs(logs, "efficiency") if logs else LogFiles(())
    tell_left_out(files)
    if clash := sorted(set(files.names) & set(GROWTH_LOGS)) if growth else []:
        raise ActalikeError(f"{clash[0]} is what a made-up log is called: rename the file.")
    cells = [runner.Cell(log, method) for log in files.names for method in chosen] + (growth_cells(chosen) if growth else [])
    methods = make_methods(list(dict.fromkeys(cell.method for cell in cells)), missing_extra)
    plan = runner.make_plan(repeats)
    runner.open_folder(out, plan)
    failures: dict[runner.Cell, str] = {}
    try:
        read = (read_logs(files) if logs else {}) | (growth_logs() if growth else {})
        digests = {name: folders.open_log(out, name, log) for name, log in read.items()}
        runner.note_request(out, cells)
        todo = runner.missing(cells, plan, out, retry_failed)
        with working_progress("efficiency benchmark", len(todo)) as advance:
            for cell, error in runner.run(todo, read, digests, methods, plan, time_limit, out):
                if error:
                    failures[cell] = error
                advance(f"{cell.log}, {cell.method}")
    except KeyboardInterrupt:
        print(f"actalike: stopped. What is finished is in {out}; the same command goes on from there.", file=sys.stderr)
        raise typer.Exit(130) from None
    if as_json:
        failed = [{"method": cell.method, "log": cell.log, "error": error} for cell, error in sorted(failures.items())]
        print_json({"out": str(out), "cells": len(cells), "computed": len(todo), "failed": failed})
    else:
        for cell, error in sorted(failures.items()):
            print(plain(f"{cell.method} failed on {cell.log}: {error}"))
        rest = ", the others were there" if len(todo) < len(cells) else ""
        print(f"{out}: {len(todo):,} of {len(cells):,} cells measured now{rest}.")
        print(f"Next: actalike benchmark table {out}")
