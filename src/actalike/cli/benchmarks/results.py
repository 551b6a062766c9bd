"""What is made of results: ``actalike benchmark table``, ``plots`` and ``report``."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from actalike import benchmark
from actalike.cli.benchmarks.running import Plugin, load_plugins, warn_of_gaps
from actalike.cli.console import plain, print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, files_in, writing
from actalike.errors import ActalikeError
from actalike.support.files import check_place, inputs_kept


def table(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")],
    form: Annotated[Literal["md", "csv", "latex"], typer.Option("--format", help="Markdown, CSV or LaTeX.")] = "md",
    by: Annotated[str | None, typer.Option("--by", metavar="log", help="'log': a row for each log.")] = None,
    intervals: Annotated[bool, typer.Option("--intervals", help="With 95 % bootstrap intervals over the logs.")] = False,
    tidy: Annotated[
        Path | None,
        typer.Option("--tidy", metavar="FILE", help="Also write all single results: .parquet or .csv."),
    ] = None,
    plugin: Plugin = None,
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

    check_layout(form, by, intervals)  # before anything is read
    if tidy is not None:
        check_tidy(tidy)
        check_outputs([tidy], files_in(folder), overwrite, option="--tidy")
    load_plugins(plugin)
    results = benchmark.read(folder)
    text = benchmark.table(results, form=form, by=by, intervals=intervals)
    if tidy is not None:
        with writing(overwrite):
            write_tidy(results.singles, tidy)
    warn_of_gaps(results.gaps())
    if as_json:
        print_json(benchmark.frame(results, by=by).to_dicts())
    else:
        print(text)


def plots(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the pictures.")],
    form: Annotated[Literal["png", "svg", "pdf"], typer.Option("--format", help="PNG, SVG or PDF.")] = "png",
    logs: Annotated[list[str] | None, typer.Option("--logs", metavar="NAME...", help="Of these logs alone. [all]")] = None,
    plugin: Plugin = None,
    overwrite: OverwriteOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Draw results as pictures: metrics by method, over r and w, over logs; accuracy by method and log; seconds and their growth.

    Examples:

    actalike benchmark plots results -o pictures

    actalike benchmark plots results -o pictures --format pdf --logs BPIC15_1 RTFM
    """
    check_place(output / f"picture.{form}", folders=True)  # before anything is read; the pictures' names are not known yet
    load_plugins(plugin)
    results = benchmark.read(folder)
    with writing(overwrite), inputs_kept(files_in(folder)):
        paths = [str(path) for path in benchmark.plots(results, output, form=form, logs=logs)]
    warn_of_gaps(results.gaps())
    if as_json:
        print_json(paths)
    else:
        print("\n".join(map(plain, paths)))


def report(
    results: Annotated[list[Path], typer.Argument(metavar="DIR", help="Folders of results, one of each benchmark at most.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page: FILE.html.")] = Path(
        "leaderboard.html"
    ),
    title: Annotated[str, typer.Option(help="What the page is called.")] = "Benchmark",
    plugin: Plugin = None,
    overwrite: OverwriteOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the same facts as JSON.")] = False,
) -> None:
    """Write results as a page: a table to sort and filter, with each method on each log.

    One file that can be opened, sent and printed; it needs no network.

    Examples:

    actalike benchmark report results -o leaderboard.html

    actalike benchmark report intrinsic prediction efficiency -o leaderboard.html
    """
    from actalike.report.leaderboard import write_leaderboard

    if output.suffix.lower() not in (".html", ".htm"):
        raise ActalikeError(f"The benchmark page is an HTML page, so {output} should end in .html.")
    check_outputs([output], (path for folder in results for path in files_in(folder)), overwrite)
    load_plugins(plugin)
    with writing(overwrite):
        written = write_leaderboard(results, output, title)
    warn_of_gaps(written.gaps)
    if as_json:
        print_json({"schema": "actalike/benchmark-report/1", **written._asdict(), "path": str(written.path)})
        return
    size = f"{written.methods:,} methods, {written.logs:,} logs; {written.bytes / 1e6:.1f} MB"
    print(f"{plain(str(output))}: {size}. Open it in a browser.")
