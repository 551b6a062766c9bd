"""actalike benchmark anomalies."""

from typing import Annotated

import typer

from actalike.cli.benchmarks.running import AsJson, Logs, Out, Plugin, RetryFailed, print_outcome, run


def anomalies(
    logs: Logs,
    out: Out,
    patterns: Annotated[
        list[str] | None, typer.Option("--methods", metavar="PATTERN...", help="Detectors, e.g. odd 'links*'. [all]")
    ] = None,
    tasks: Annotated[
        list[str] | None,
        typer.Option("--tasks", metavar="PATTERN...", help="What is planted, e.g. 'bpad-*' bpad-10 known 'known-*'. [all]"),
    ] = None,
    attributes: Annotated[
        list[str] | None,
        typer.Option(
            "--attributes",
            metavar="NAME...",
            help="Attributes of events, of logs that BPAD does not have. [those that name people]",
        ),
    ] = None,
    copies: Annotated[int, typer.Option(min=1, help="Copies of each log with known labels and values.")] = 5,
    seed: Annotated[int, typer.Option(help="What the draws depend on.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes at a time.")] = 1,
    backend: Annotated[
        str, typer.Option(help="joblib's backend: loky, or one that is registered with it (dask, ray, ...).")
    ] = "loky",
    plugin: Plugin = None,
    retry_failed: RetryFailed = False,
    as_json: AsJson = False,
) -> None:
    """Run the benchmark of anomalies: plant odd events into copies of logs, and see who finds them.

    The tasks bpad-05 to bpad-45 plant as the benchmark BPAD does, into 5 to 45 % of the cases. Those called known plant labels
    and values that the log has, into 10 % of the cases: all kinds of anomalies, or one kind alone (known-skipped),
    also kinds that 'actalike odd' does not look for (known-swapped).

    Stop it at any time; the same command goes on where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark anomalies --logs event_logs/ --tasks 'bpad-*' --methods odd naive likelihood --out results

    actalike benchmark anomalies --logs orders.csv --attributes user region --tasks known --copies 3 --out results
    """
    outcome = run(
        "anomalies",
        plugin,
        out,
        logs=logs,
        methods=patterns,
        tasks=tasks,
        attributes=attributes,
        copies=copies,
        seed=seed,
        jobs=jobs,
        backend=backend,
        retry_failed=retry_failed,
    )
    print_outcome(outcome, as_json, "computed")
