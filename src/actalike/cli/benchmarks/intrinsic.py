"""actalike benchmark intrinsic."""

import re
from enum import StrEnum
from typing import Annotated

import typer

from actalike.cli.benchmarks.running import AsJson, Logs, Methods, Out, Plugin, RetryFailed, print_outcome, run
from actalike.errors import ActalikeError


class ModeChoice(StrEnum):
    """Whose draws and averaging."""

    paper = "paper"
    authors = "authors"


def intrinsic(
    logs: Logs,
    out: Out,
    patterns: Methods = None,
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
    plugin: Plugin = None,
    retry_failed: RetryFailed = False,
    as_json: AsJson = False,
) -> None:
    """Run the intrinsic benchmark: split activities into replacements, and see whether a method finds them again.

    Stop it at any time; the same command goes on where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark intrinsic --logs orders.xes.gz --methods 'aa-*' --out results

    actalike benchmark intrinsic --logs event_logs/ --out results --jobs 2
    """
    outcome = run(
        "intrinsic",
        plugin,
        out,
        logs=logs,
        methods=patterns,
        r=_range(r, "r", least=1),
        w=_range(w, "w", least=2),
        samples=samples,
        seed=seed,
        mode=mode.value,
        jobs=jobs,
        backend=backend,
        shard=_shard(shard),
        retry_failed=retry_failed,
    )
    print_outcome(outcome, as_json, "computed")


def _range(text: str, option: str, least: int) -> list[int]:
    match = re.fullmatch(r"(\d+)(?:-(\d+))?", text)
    if match is None or not least <= int(match[1]) <= int(match[2] or match[1]):
        raise ActalikeError(f"--{option} {text!r} is neither a number nor a range such as 2-5, from {least} on.")
    return list(range(int(match[1]), int(match[2] or match[1]) + 1))


def _shard(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if match is None or int(match[1]) > int(match[2]):
        raise ActalikeError(f"--shard {text!r} is not of the form I/N, with I from 1 to N.")
    return int(match[1]), int(match[2])
