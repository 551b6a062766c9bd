"""The command count: the variants of a log, or the table of its windows, in a file."""

from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import plain, print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import SourceOptions, with_attribute_options
from actalike.cli.sources import JsonOption, SourceArgument, read_facts
from actalike.counting import WindowCounts, count_windows
from actalike.errors import ActalikeError
from actalike.loading import load
from actalike.log import Reading, Variants


@with_attribute_options
def count(
    log: SourceArgument,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="FILE.actalike, for the variants or windows.")
    ] = None,
    window: Annotated[int, typer.Option("--window", "-w", min=1, max=999, help="How many symbols a window has.")] = 9,
    variants: Annotated[
        bool, typer.Option("--variants", help="Save the variants (distinct cases), and how labels are used, in place of windows.")
    ] = False,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Count a log once, and save its windows or variants for other commands.

    Variants have all that needs no single event: windows of any size, and which labels are used when, by whom and together. They
    name no cases, but rare ones can be personal data. In place of the log they are taken by group, similar, explain, match,
    drift, odd, report, embed and count; windows by embed, and by similar and explain with --method. A table of window 9 serves
    every method with a window up to 9.

    Examples:

    actalike count 'events/*.parquet' --variants -o variants.actalike --engine duckdb --case order --activity step --order at

    actalike count 'events/*.parquet' -o counts.actalike --engine duckdb --case order --activity step --order at

    actalike similar counts.actalike --method ac-sequence-pmi-w5
    """
    if reading.show_sql:
        reading.open(log, "people" if variants else None)
    if output is None:
        raise ActalikeError("--output is missing: name a file, such as -o counts.actalike.")
    if output.suffix != ".actalike":
        raise ActalikeError(f"{output}: the name of a table of windows must end in .actalike.")
    reading.refuse(("name",), "means nothing here: windows are counted by the labels alone")
    if not variants:
        reading.refuse(("attributes",), "needs --variants: windows have no attributes")
    check_outputs([output], reading.inputs(log, output), overwrite)
    counted, read = _counted(log, reading, None if variants else window)
    with writing(overwrite):
        counted.save(output)
    if as_json:
        facts: dict[str, Any] = {"schema": "actalike/count/1"}
        if isinstance(counted, WindowCounts):
            facts |= {"window": window, "distinct_windows": len(counted.counts), "events": counted.n_events}
        else:
            facts |= {"variants": counted.n_variants, "cases": counted.n_cases, "events": counted.n_events}
        print_json({**facts, "activities": len(counted.activities), "output": str(output), "read": read_facts(read)})
    else:
        print(f"{plain(str(output))}: {counted}")


def _counted(log: str, reading: SourceOptions, window: int | None) -> tuple[WindowCounts | Variants, Reading | None]:
    """Return the windows of a log, or its variants, and how it was read."""
    if log.endswith(".actalike"):
        content = load(log)
        if not isinstance(content, Variants) or window is None:
            raise ActalikeError(f"{log} is no log: it was counted or embedded already.")
        return count_windows(content, window), None
    if reading.engine is not None:
        found = reading.variants(log, uses=window is None)
        return (found if window is None else count_windows(found, window)), found.reading
    events = reading.read(Path(log), "people" if window is None else None)
    return (events.variants if window is None else count_windows(events, window)), events.reading
