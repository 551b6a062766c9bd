"""actalike benchmark report."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.benchmarks.running import warn_of_gaps
from actalike.cli.console import plain, print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, files_in, writing
from actalike.errors import ActalikeError


def report(
    results: Annotated[list[Path], typer.Argument(metavar="DIR", help="Folders of results, one of each benchmark at most.")],
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page: FILE.html.")] = Path(
        "leaderboard.html"
    ),
    title: Annotated[str, typer.Option(help="What the page is called.")] = "Benchmark",
    overwrite: OverwriteOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the same facts as JSON.")] = False,
) -> None:
    """Write results as a page: a table to sort and filter, each method on each log, and speed against quality.

    One file that can be opened, sent and printed; it needs no network.

    Examples:

    actalike benchmark report results -o leaderboard.html

    actalike benchmark report intrinsic prediction efficiency -o leaderboard.html
    """
    from actalike.report.leaderboard import write_leaderboard

    if output.suffix.lower() not in (".html", ".htm"):
        raise ActalikeError(f"The benchmark page is an HTML page, so {output} should end in .html.")
    check_outputs([output], (path for folder in results for path in files_in(folder)), overwrite)
    with writing(overwrite):
        written = write_leaderboard(results, output, title)
    warn_of_gaps(written.gaps)
    if as_json:
        print_json({"schema": "actalike/benchmark-report/1", **written._asdict(), "path": str(written.path)})
        return
    size = f"{written.methods:,} methods, {written.logs:,} logs; {written.bytes / 1e6:.1f} MB"
    print(f"{plain(str(output))}: {size}. Open it in a browser.")
