"""actalike benchmark table."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from actalike import benchmark
from actalike.cli.benchmarks.running import warn_of_gaps
from actalike.cli.console import print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, files_in, writing


class FormatChoice(StrEnum):
    """How a table is written."""

    md = "md"
    csv = "csv"
    latex = "latex"


def table(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")],
    form: Annotated[FormatChoice, typer.Option("--format", help="Markdown, CSV or LaTeX.")] = FormatChoice.md,
    by: Annotated[str | None, typer.Option("--by", metavar="log", help="'log': a row for each log.")] = None,
    intervals: Annotated[bool, typer.Option("--intervals", help="With 95 % bootstrap intervals over the logs.")] = False,
    tidy: Annotated[
        Path | None,
        typer.Option("--tidy", metavar="FILE", help="Also write all single results: .parquet or .csv."),
    ] = None,
    overwrite: OverwriteOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON, with intervals.")] = False,
) -> None:
    """Print results as a table: means over the logs (the best three of a metric marked), or the figures of each log.

    Of the efficiency benchmark: the seconds on all logs, or all that was measured on each log.

    Examples:

    actalike benchmark table results

    actalike benchmark table results --by log --format csv

    actalike benchmark table results --intervals --tidy all.parquet
    """
    from actalike.benchmark.folders import check_tidy, write_tidy
    from actalike.benchmark.tables import check_layout

    check_layout(form.value, by, intervals)  # before anything is read
    if tidy is not None:
        check_tidy(tidy)
        check_outputs([tidy], files_in(folder), overwrite, option="--tidy")
    results = benchmark.read(folder)
    text = benchmark.table(results, form=form.value, by=by, intervals=intervals)
    if tidy is not None:
        with writing(overwrite):
            write_tidy(results.singles, tidy)
    warn_of_gaps(results.gaps())
    if as_json:
        print_json(benchmark.frame(results, by=by).to_dicts())
    else:
        print(text)
