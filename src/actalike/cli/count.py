"""The command count: the table of windows, in a file."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import SourceOptions, with_reading_options
from actalike.cli.sources import JsonOption, SourceArgument, read_facts
from actalike.counting import count_windows
from actalike.errors import ActalikeError


@with_reading_options
def count(
    log: SourceArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="FILE.actalike, for the table of windows.")],
    window: Annotated[int, typer.Option("--window", "-w", min=1, max=999, help="How many symbols a window has.")] = 9,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Count the windows of a log once, and save the table for other commands.

    embed, and similar and explain with --method, take the table in place of the log. A table of window 9 serves every method
    with a window up to 9. It does not have the cases any more, so similarities have no intervals. All other commands need the
    log itself.

    Examples:

    actalike count 'events/*.parquet' -o counts.actalike --engine duckdb --case order --activity step --order at

    actalike similar counts.actalike --method ac-sequence-pmi-w5
    """
    if output.suffix != ".actalike":
        raise ActalikeError(f"{output}: the name of a table of windows must end in .actalike.")
    if log.endswith(".actalike"):
        raise ActalikeError(f"{log} is no log: it was counted or embedded already.")
    reading.refuse(("name",), "means nothing here: windows are counted by the labels alone")
    check_outputs([output], reading.inputs(log, output), overwrite)
    if reading.engine is not None:
        counts = reading.count(log, window)
        read = counts.reading
    else:
        events = reading.read(Path(log))
        counts, read = count_windows(events, window), events.reading
    with writing(overwrite):
        counts.save(output)
    if as_json:
        facts = {
            "schema": "actalike/count/1",
            "window": window,
            "distinct_windows": len(counts.counts),
            "events": counts.n_events,
        }
        print_json({**facts, "activities": len(counts.activities), "output": str(output), "read": read_facts(read)})
    else:
        print(f"{plain(str(output))}: {counts}")
