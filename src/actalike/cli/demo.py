"""The command demo: the main job on a made-up log, start to end."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import print_json, print_table
from actalike.cli.explain import print_common_contexts
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.shell import command_line
from actalike.cli.sources import JsonOption
from actalike.demo.run import ASKED, FILES, Demo, run

_SHARES = 6  # shown of the explanation


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the log, the report and the map.")] = Path(
        "demo-out"
    ),
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
) -> None:
    """Compare the activities of a made-up loan desk, with a report and a map.

    A second run finds its own files as they are, and leaves them so.

    Example: actalike demo -o demo-out
    """
    check_outputs([output / name for name in FILES], [], overwrite, folders=True, same_is_kept=True)
    with writing(overwrite):
        result = run(output)
    if as_json:
        print_json(result.as_dict())
    else:
        _print_demo(result)


def _print_demo(demo: Demo) -> None:
    print(f"{demo.log_file}: a loan desk, made up: {str(demo.log).removeprefix('EventLog(').rstrip(')')}.\n")
    print(f"Which activities act alike? ({demo.embedding.method})\n")
    print_table(["alike", "activity", "activity"], [[f"{value:.3f}", a, b] for a, b, value in demo.pairs], right=(0,))
    a, b = ASKED
    print(f"\nWhy are {a!r} and {b!r} alike by {demo.embedding.similarity(a, b):.3f}? They keep the same company:\n")
    print_common_contexts(a, b, demo.common)
    print("\nAnd exactly: the similarity is a sum over neighbours that are the same or alike (≈), each with its share.\n")
    shown, rest = demo.shares[:_SHARES], demo.shares[_SHARES:]
    rows = [[f"{share.share:+.3f}", share.context] for share in shown]
    rows.append([f"{sum(share.share for share in rest):+.3f}", f"({len(rest):,} more)"])
    print_table(["share", "neighbour"], rows, right=(0,))
    print(f"\nThe report, a page for the browser: {demo.report}")
    print(f"Map of the activities: {demo.picture}" if demo.picture else f"No map: {demo.hint}")
    print(f"Next: {command_line('similar', demo.log_file, 'Pay out')}")
