"""actalike benchmark matching."""

from typing import Annotated

import typer

from actalike.cli.benchmarks.running import AsJson, Logs, Out, Plugin, RetryFailed, print_outcome, run


def matching(
    logs: Logs,
    out: Out,
    patterns: Annotated[
        list[str] | None, typer.Option("--methods", metavar="PATTERN...", help="Matchers, e.g. match 'procrustes-*'. [all]")
    ] = None,
    kinds: Annotated[
        list[str] | None, typer.Option("--kinds", metavar="KIND...", help="Pairs of logs: codes, vocabulary, time, cases. [all]")
    ] = None,
    tasks: Annotated[
        list[str] | None,
        typer.Option("--tasks", metavar="PATTERN...", help="What is known or planted, e.g. 'known-*' deleted-10. [all]"),
    ] = None,
    draws: Annotated[int, typer.Option(min=1, help="How often what depends on chance is drawn.")] = 10,
    seed: Annotated[int, typer.Option(help="What the draws depend on.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = 1,
    backend: Annotated[
        str, typer.Option(help="joblib's backend: loky, or one that is registered with it (dask, ray, ...).")
    ] = "loky",
    plugin: Plugin = None,
    retry_failed: RetryFailed = False,
    as_json: AsJson = False,
) -> None:
    """Run the benchmark of matching: hide the labels of two logs, and see who finds which activity is which.

    Pairs of logs are those of BPIC15 (the same codes), those of BPIC20 (the same vocabulary), and two halves of each log.

    Stop it at any time; the same command goes on where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark matching --logs event_logs/ --kinds codes --tasks known-0 --out results

    actalike benchmark matching --logs event_logs/ --methods match profile --draws 3 --out results --jobs 2
    """
    outcome = run(
        "matching",
        plugin,
        out,
        logs=logs,
        methods=patterns,
        kinds=kinds,
        tasks=tasks,
        draws=draws,
        seed=seed,
        jobs=jobs,
        backend=backend,
        retry_failed=retry_failed,
    )
    print_outcome(outcome, as_json, "computed")
