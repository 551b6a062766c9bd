"""actalike benchmark labels."""

from typing import Annotated

import typer

from actalike.cli.benchmarks.running import AsJson, Logs, Out, Plugin, RetryFailed, print_outcome, run


def labels(
    logs: Logs,
    out: Out,
    patterns: Annotated[
        list[str] | None,
        typer.Option("--methods", metavar="PATTERN...", help="Methods and groupers. [all groupers, and the default method]"),
    ] = None,
    recipes: Annotated[
        list[str] | None,
        typer.Option("--recipes", metavar="PATTERN...", help="Recipes and other tasks, e.g. 'syn-period-*' natural. [all]"),
    ] = None,
    draws: Annotated[int, typer.Option(min=1, help="How often each recipe is planted.")] = 25,
    seed: Annotated[int, typer.Option(help="What the draws depend on.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = 1,
    backend: Annotated[
        str, typer.Option(help="joblib's backend: loky, or one that is registered with it (dask, ray, ...).")
    ] = "loky",
    plugin: Plugin = None,
    retry_failed: RetryFailed = False,
    as_json: AsJson = False,
) -> None:
    """Run the benchmark of labels: give one step several names, and see who finds that they belong together.

    Stop it at any time; the same command goes on where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark labels --logs orders.xes.gz --methods kin-w5 contrast --recipes 'syn-case-*' --draws 5 --out results

    actalike benchmark labels --logs event_logs/ --recipes natural 'classes-*' --methods '*' --out results --jobs 2
    """
    outcome = run(
        "labels",
        plugin,
        out,
        logs=logs,
        methods=patterns,
        recipes=recipes,
        draws=draws,
        seed=seed,
        jobs=jobs,
        backend=backend,
        retry_failed=retry_failed,
    )
    print_outcome(outcome, as_json, "computed")
