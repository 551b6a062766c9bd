"""Further commands: embed, count, methods, datasets."""

from collections.abc import Sequence
from functools import reduce
from operator import add
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike import datasets
from actalike.cli.console import plain, print_json, print_note, print_table
from actalike.cli.help import Command, CommandGroup
from actalike.cli.options import (
    JsonOption,
    MethodOption,
    SourceArgument,
    SourceOptions,
    embed_source,
    open_source,
    read_facts,
    with_attribute_options,
    with_reading_options,
)
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.counting import StreamCounter, WindowCounts, count_windows
from actalike.embedding import files_of, writer
from actalike.errors import ActalikeError
from actalike.loading import load
from actalike.log import EventLog, Reading, Variants
from actalike.methods import DEFAULT_METHOD, make_method, method_names, missing_extra
from actalike.support.progress import tracked

datasets_app = typer.Typer(cls=CommandGroup, rich_markup_mode=None)


@with_reading_options
def embed(
    log: SourceArgument,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="FILE.actalike, .csv, .parquet, .vec (word2vec), or FOLDER/ for the projector.",
        ),
    ],
    method: MethodOption = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Write a vector for each activity to a file.

    Examples:

    actalike embed orders.xes.gz -o orders.actalike

    actalike embed orders.xes.gz -o vectors.parquet --method ac-multiset-ppmi-w5

    actalike embed 'events/*.parquet' -o orders.actalike --engine duckdb --case order --activity step --order at --memory 4GB
    """
    reading.reject(("name",), "has no effect here: vectors are written under the labels alone")
    write = writer(output)  # first of all: a wrong name should not cost the time of reading
    files = files_of(output)
    check_outputs(files, reading.inputs(log, *files), overwrite, folders=output.endswith("/"))
    source, read = open_source(log, reading, method)
    embedding = embed_source(source, method)
    with writing(overwrite):
        write(embedding)
    activities, dimensions = embedding.stored_vectors.shape
    if as_json:
        facts = {"method": embedding.method, "activities": activities, "dimensions": dimensions, "output": output}
        print_json({"schema": "actalike/embed/1", **facts, "read": read})
    else:
        print(f"{plain(output)}: {activities:,} activities x {dimensions:,} dimensions ({embedding.method})")


@with_attribute_options
def count(
    logs: Annotated[  # strings, not paths: see SourceArgument
        list[str],
        typer.Argument(
            metavar="LOG",
            help="A log (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), or a folder of such files; or saved windows or variants "
            "(.actalike), which are added.",
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="FILE.actalike, for the variants or windows.")
    ] = None,
    window: Annotated[int, typer.Option("--window", "-w", min=1, max=999, help="How many symbols a window has.")] = 9,
    variants: Annotated[
        bool, typer.Option("--variants", help="Save the variants (distinct cases), and how labels are used, in place of windows.")
    ] = False,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            metavar="COLUMN",
            help="Keep the variants apart by a column, such as the site, or by 'day', 'week', 'month', 'quarter' or 'year', so "
            "that group, match and drift can compare these parts.",
        ),
    ] = None,
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

    Saved windows or variants add up: of two shops, or of each month. Cases must be whole: one that continues in the next month
    would be counted as two.

    Examples:

    actalike count 'events/*.parquet' --variants -o variants.actalike --engine duckdb --case order --activity step --order at

    actalike count 'events/*.parquet' -o counts.actalike --engine duckdb --case order --activity step --order at

    actalike similar counts.actalike --method ac-sequence-pmi-w5

    actalike count january.actalike february.actalike -o both.actalike
    """
    log = logs[0]
    if len(logs) > 1 and (reading.show_sql or not all(name.endswith(".actalike") for name in logs)):
        raise ActalikeError("Only saved windows or variants (.actalike) add up; further files of one log are given with --also.")
    if reading.show_sql:
        reading.open(log, "people" if variants else None, by)
    if output is None:
        raise ActalikeError("--output is missing: name a file, such as -o counts.actalike.")
    if output.suffix != ".actalike":
        raise ActalikeError(f"{output}: the name of a table of windows must end in .actalike.")
    reading.reject(("name",), "has no effect here: windows are counted by the labels alone")
    if not variants:
        reading.reject(("attributes",), "needs --variants: windows have no attributes")
        if by is not None:
            raise ActalikeError("--by needs --variants: windows are counted of all cases together.")
    if by is not None and log.endswith(".actalike"):
        raise ActalikeError("--by is for a log: saved variants are in the parts that they were read in.")
    check_outputs([output], [file for name in logs for file in reading.inputs(name, output)], overwrite)
    if len(logs) > 1:
        counted, read = _added(logs, reading, variants, window), None
    else:
        counted, read = _counted(log, reading, None if variants else window, by)
    with writing(overwrite):
        counted.save(output)
    if as_json:
        facts: dict[str, Any] = {"schema": "actalike/count/1"}
        if isinstance(counted, WindowCounts):
            facts |= {"window": counted.window, "distinct_windows": len(counted.counts), "events": counted.n_events}
        else:
            facts |= {"variants": counted.n_variants, "cases": counted.n_cases, "events": counted.n_events}
        print_json({**facts, "activities": len(counted.activities), "output": str(output), "read": read_facts(read)})
    else:
        print(f"{plain(str(output))}: {counted}")


def _added(files: Sequence[str], reading: SourceOptions, variants: bool, window: int) -> WindowCounts | Variants:
    """Return the sum of saved variants, or of saved windows: as large as the smallest of them, and as asked."""
    reading.reject(
        [option[2:].replace("-", "_") for option in reading.changed()], "cannot go with saved files, which were read before"
    )
    saved = [content.counts() if isinstance(content, StreamCounter) else content for content in map(load, files)]
    tables = [content for content in saved if isinstance(content, WindowCounts)]
    distinct = [content for content in saved if isinstance(content, Variants)]
    if len(distinct) == len(files):
        whole = reduce(add, distinct)
        return whole if variants else count_windows(whole, window)
    if len(tables) < len(files):
        held = ", ".join(f"{name} ({type(content).__name__})" for name, content in zip(files, saved, strict=True))
        raise ActalikeError(f"Only windows add to windows, and variants to variants: {held}. Nothing was written.")
    if variants:
        raise ActalikeError("--variants needs variants, and these files hold windows: leave it out. Nothing was written.")
    common = min(window, *(table.window for table in tables))
    return reduce(add, [table.marginal(common) for table in tables])


def _counted(
    log: str, reading: SourceOptions, window: int | None, by: str | None
) -> tuple[WindowCounts | Variants, Reading | None]:
    """Return the windows of a log, or its variants, and how it was read."""
    if log.endswith(".actalike"):
        content = load(log)
        if not isinstance(content, Variants) or window is None:
            raise ActalikeError(f"{log} is not a log: it was counted or embedded already.")
        return count_windows(content, window), None
    if by is not None:
        from actalike.counting import PERIODS, read_variants

        if reading.engine is not None:
            divided = reading.open(log, "people", by)
        else:
            divided = reading.read_divided(log, None if by in PERIODS else by)
        found = read_variants(divided, by=by) if isinstance(divided, EventLog) else divided
        return found, found.reading
    if reading.engine is not None:
        found = reading.variants(log, uses=window is None)
        return (found if window is None else count_windows(found, window)), found.reading
    events = reading.read(Path(log), "people" if window is None else None)
    return (events.variants if window is None else count_windows(events, window)), events.reading


def methods(as_json: JsonOption = False) -> None:
    """List the methods by name.

    Any other window may stand in place of w3, w5, w9. Without a window, a name stands for the method with its default window:
    kin for kin-w5.

    The methods ac-, aa- and positional- can be refined by any of +shift5 +smooth0.75 +svd50 +power0.5 after the window, in this
    order: ac-sequence-ppmi-w5+shift5+svd50.

    Example: actalike methods
    """
    names = method_names()
    missing = {name: remedy for name in names if (remedy := missing_extra(make_method(name)))}
    if as_json:
        print_json({"schema": "actalike/methods/1", "default": DEFAULT_METHOD, "methods": names, "missing": missing})
        return
    for name in names:
        remark = "default" if name == DEFAULT_METHOD else missing.get(name)
        print(f"{name}  ({remark})" if remark else name)


@datasets_app.callback(invoke_without_command=True)
def list_datasets(context: typer.Context, as_json: JsonOption = False) -> None:
    """List the 29 public logs of the paper, or check your copies of them.

    The list says what each log contains and where it is published.

    Examples:

    actalike datasets

    actalike datasets check FOLDER
    """
    if context.invoked_subcommand is not None:
        return
    logs = datasets.paper_logs()
    if as_json:
        print_json([entry.as_dict() for entry in logs])
        return
    rows = [
        [
            entry.name,
            f"{entry.cases:,}",
            f"{entry.events:,}" if entry.events else "",
            str(entry.activities),
            entry.doi or "",
        ]
        for entry in logs
    ]
    print_table(["log", "cases", "events", "activities", "DOI (of the log or its collection)"], rows, right=(1, 2, 3))


@datasets_app.command("check", cls=Command)
def check_datasets(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder with logs, named as in 'actalike datasets'.")],
    as_json: JsonOption = False,
) -> None:
    """Check the logs of a folder by their statistics.

    The exit code is 1 if a log differs or cannot be read.

    Example: actalike datasets check ~/event_logs
    """
    checks = []
    with tracked("checking", len(datasets.paper_logs())) as advance:
        for check in datasets.check_folder(folder):
            checks.append(check)
            advance(check.name)
    if as_json:
        print_json([check.as_dict() for check in checks])
    else:
        print_table(["log", "verdict", "file"], [[c.name, c.verdict, c.file or ""] for c in checks])
    if any(check.failed for check in checks):
        raise typer.Exit(1)
    if not any(check.file for check in checks):
        error = f"{folder} holds none of the logs: name the files as 'actalike datasets' does, e.g. Helpdesk.xes.gz."
        if not as_json:
            raise ActalikeError(error)
        print_note(error)  # the answer is printed already
        raise typer.Exit(1)
