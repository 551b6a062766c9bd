"""actalike benchmark plots."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from actalike import benchmark
from actalike.cli.benchmarks.running import warn_of_gaps
from actalike.cli.console import plain, print_json
from actalike.cli.outputs import OverwriteOption, files_in, writing
from actalike.support.files import check_place, inputs_kept


class PictureChoice(StrEnum):
    """How a picture is written."""

    png = "png"
    svg = "svg"
    pdf = "pdf"


def plots(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of results.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the pictures.")],
    form: Annotated[PictureChoice, typer.Option("--format", help="PNG, SVG or PDF.")] = PictureChoice.png,
    logs: Annotated[list[str] | None, typer.Option("--logs", metavar="NAME...", help="Of these logs alone. [all]")] = None,
    overwrite: OverwriteOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Draw results as pictures: metrics by method, over r and w, over logs; accuracy by method and log; seconds and their growth.

    Examples:

    actalike benchmark plots results -o pictures

    actalike benchmark plots results -o pictures --format pdf --logs BPIC15_1 RTFM
    """
    check_place(output / f"picture.{form.value}", folders=True)  # before anything is read; the pictures' names are not known yet
    results = benchmark.read(folder)
    with writing(overwrite), inputs_kept(files_in(folder)):
        paths = [str(path) for path in benchmark.plots(results, output, form=form.value, logs=logs)]
    warn_of_gaps(results.gaps())
    if as_json:
        print_json(paths)
    else:
        print("\n".join(map(plain, paths)))
