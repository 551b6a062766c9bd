"""The command demo: the main job on a made-up log, start to end."""

from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import print_json
from actalike.cli.group import group_facts, print_group
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.pair_verdict import PairVerdict, find_pair_verdict, pair_verdict_facts, print_pair_verdict
from actalike.cli.reading_options import ReadingOptions
from actalike.cli.relabel_command import page_relabelling
from actalike.cli.shell import command_line
from actalike.cli.sources import JsonOption
from actalike.demo.run import ASKED, FILES, Demo, run

_CONTEXTS = 4  # shown of the explanation


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the log and the report.")] = Path("demo-out"),
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find the labels of a made-up loan desk that are one step; write the log and a report.

    A second run finds its own files as they are, and leaves them so.

    Example: actalike demo -o demo-out
    """
    check_outputs([output / name for name in FILES], [], overwrite, folders=True, same_is_kept=True)
    with writing(overwrite):
        result = run(output, page_relabelling(output / FILES[0], ReadingOptions()))
    explanation = find_pair_verdict(result.log, *ASKED, _CONTEXTS)
    if as_json:
        print_json(_facts(result, explanation))
    else:
        _print_demo(result, explanation)


def _facts(demo: Demo, explanation: PairVerdict) -> dict[str, Any]:
    return {
        "schema": "actalike/demo/1",
        "log": str(demo.log_file),
        "report": str(demo.report),
        "statistics": demo.log.statistics(),
        "groups": [group_facts(proposal) for proposal in demo.groups],
        "explanation": pair_verdict_facts(explanation),
    }


def _print_demo(demo: Demo, explanation: PairVerdict) -> None:
    print(f"{demo.log_file}: a loan desk, made up: {str(demo.log).removeprefix('EventLog(').rstrip(')')}.\n")
    print("Which labels are one step?\n")
    counts = dict(zip(demo.log.activities, demo.log.activity_counts.tolist(), strict=True))
    for proposal in demo.groups:
        print_group(proposal, counts, demo.log.names)
    print(f"Why {ASKED[0]!r} and {ASKED[1]!r}?\n")
    print_pair_verdict(explanation)
    print(f"\nThe report, a page for the browser: {demo.report}")
    print(f"Next: {command_line('group', demo.log_file, '-o', 'mapping.csv')}")
