"""The commands that draw figures of logs and embeddings."""

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from actalike import plot
from actalike.benchmark.logs import name_of
from actalike.cli.console import plain, print_json, with_name
from actalike.cli.help import OUTPUT, Command, CommandGroup
from actalike.cli.options import LogArgument, MethodOption, ReadingOptions, embed_source, read_facts, with_reading_options
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.datasets import paper_logs
from actalike.embedding import Embedding
from actalike.errors import ActalikeError, shortened
from actalike.log import EventLog
from actalike.methods import DEFAULT_METHOD, full_name
from actalike.support.figures import check_ending, need_matplotlib
from actalike.support.progress import tracked

app = typer.Typer(
    cls=CommandGroup,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="Draw figures of logs and embeddings: PNG, SVG or PDF.",
)

LogsArgument = Annotated[list[Path], typer.Argument(metavar="LOG", help="Logs (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0).")]

OutputOption = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The picture: .png, .svg or .pdf.")]

TopOption = Annotated[int, typer.Option("--top", "-n", min=1, help="How many activities, the most frequent first.")]

JsonOption = Annotated[bool, typer.Option("--json", help="Print what was drawn as JSON.", rich_help_panel=OUTPUT)]


_LONGEST_DRAWN = 40  # characters of a second name in a figure


@app.command("activities", cls=Command)
@with_reading_options
def activities(
    logs: LogsArgument,
    output: OutputOption,
    beside: Annotated[
        bool, typer.Option("--beside-paper-logs", help="Add the 29 public logs, from their published figures.")
    ] = False,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Draw the number of activities of each log, a row for each family of logs.

    Example: actalike plot activities orders.xes.gz -o activities.png --beside-paper-logs
    """
    events = _read(logs, output, overwrite, reading)
    known: dict[str, EventLog | int] = {entry.name: entry.activities for entry in paper_logs()} if beside else {}
    _draw(plot.activities_per_log, {**known, **events}, output, overwrite, as_json, events)


@app.command("zipf", cls=Command)
@with_reading_options
def zipf(
    logs: LogsArgument,
    output: OutputOption,
    from_one: Annotated[
        bool, typer.Option("--law-from-one", help="Draw the law as 1 / rank, as in the paper; otherwise its shares sum to 1.")
    ] = False,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Draw the share of the events that each activity has over its rank, beside Zipf's law.

    Example: actalike plot zipf orders.xes.gz returns.csv -o zipf.pdf
    """
    events = _read(logs, output, overwrite, reading)
    _draw(plot.zipf, events, output, overwrite, as_json, events, normalised=not from_one)


@app.command("positions", cls=Command)
@with_reading_options
def positions(
    logs: LogsArgument,
    output: OutputOption,
    top: TopOption = 5,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Draw where in a case the most frequent activities occur, as box plots from minimum to maximum.

    Example: actalike plot positions orders.xes.gz -o positions.svg --top 10
    """
    events = _read(logs, output, overwrite, reading)
    drawn = {name: drawn_log(log) for name, log in events.items()}
    _draw(plot.positions, drawn, output, overwrite, as_json, events, top=top)


@app.command("directly-follows", cls=Command)
@with_reading_options
def directly_follows(
    log: LogArgument,
    output: OutputOption,
    top: TopOption = 15,
    arrows: Annotated[int | None, typer.Option(min=0, help="How many arrows. [twice as many as activities]")] = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Draw the frequent part of the directly-follows graph.

    Example: actalike plot directly-follows orders.xes.gz -o graph.svg --top 20
    """
    logs = _read([log], output, overwrite, reading)
    (events,) = logs.values()
    _draw(plot.directly_follows, drawn_log(events), output, overwrite, as_json, logs, top=top, arrows=arrows)


@app.command("embedding", cls=Command)
@with_reading_options
def embedding(
    log: LogArgument,
    output: OutputOption,
    method: Annotated[
        list[str] | None, typer.Option("--method", "-m", metavar="NAME", help="A method; give several to see them side by side.")
    ] = None,
    dimensions: Annotated[int, typer.Option(min=2, max=3, help="2 or 3.")] = 2,
    projection: Annotated[Literal["pca", "tsne"], typer.Option(help="Principal components, or t-SNE (scikit-learn).")] = "pca",
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Draw the activities as dots by their vectors, a panel for each method.

    Example: actalike plot embedding orders.xes.gz -o dots.png -m kin-w5 -m one-hot
    """
    logs = _read([log], output, overwrite, reading)
    (events,) = logs.values()
    embeddings = {
        full_name(name): drawn_embedding(embed_source(events, name), events.names) for name in method or [DEFAULT_METHOD]
    }
    _draw(plot.embedding, embeddings, output, overwrite, as_json, logs, dimensions=dimensions, projection=projection)


@app.command("heat-map", cls=Command)
@with_reading_options
def heat_map(
    log: LogArgument,
    output: OutputOption,
    method: MethodOption = None,
    of: Annotated[Literal["vectors", "similarities"], typer.Option(help="What is shown.")] = "similarities",
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Draw the similarities of all pairs, or the vectors, as a heat map with similar activities side by side.

    Example: actalike plot heat-map orders.xes.gz -o vectors.png --of vectors -m ac-sequence-pmi-w3
    """
    logs = _read([log], output, overwrite, reading)
    (events,) = logs.values()
    drawn = drawn_embedding(embed_source(events, method), events.names)
    _draw(plot.heat_map, drawn, output, overwrite, as_json, logs, of=of)


@app.command("map", cls=Command)
@with_reading_options
def activity_map(
    log: LogArgument,
    output: OutputOption,
    method: MethodOption = None,
    arrows: Annotated[int, typer.Option(min=0, help="How many of the most frequent directly-follows pairs to show.")] = 0,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Draw a map of the activities: similar ones lie close together, groups have a colour.

    Example: actalike plot map orders.xes.gz -o map.png --arrows 20
    """
    logs = _read([log], output, overwrite, reading)
    (events,) = logs.values()
    drawn = drawn_embedding(embed_source(events, method), events.names)
    _draw(plot.activity_map, drawn, output, overwrite, as_json, logs, log=drawn_log(events), arrows=arrows)


def _read(paths: Sequence[Path], output: Path, overwrite: bool, reading: ReadingOptions) -> dict[str, EventLog]:
    """Read the logs and return them by name. First check whether the figure can be drawn at all."""
    check_ending(output)
    inputs = [path for log in paths for path in reading.inputs(log, output)]
    check_outputs([output], inputs, overwrite)
    if len(paths) > 1 and reading.also is not None:
        raise ActalikeError("--also adds a file to a log, and there are several: put the files of each into a folder.")
    need_matplotlib()
    files: dict[str, Path] = {}
    for path in paths:
        name, _ = name_of(path)
        if name in files:
            raise ActalikeError(f"{files[name]} and {path} are both called {name}: rename one.")
        files[name] = path
    return {name: reading.read(path) for name, path in files.items()}


def _draw(
    figure: Callable[..., Any],
    content: Any,
    output: Path,
    overwrite: bool,
    as_json: bool,
    logs: dict[str, EventLog],
    /,
    **options: Any,
) -> None:
    with writing(overwrite), tracked(f"drawing {output.name}"):
        figure(content, path=output, **options)
    if as_json:
        read = [read_facts(log.reading) for log in logs.values()]
        print_json({"schema": "actalike/plot/1", "output": str(output), "logs": list(logs), "read": read})
    else:
        print(plain(f"{output}: {', '.join(logs)}"))


def drawn_log(log: EventLog) -> EventLog:
    """Return the log with labels as they are drawn: with their second names."""
    return log.relabel(_drawn(log.activities, log.names).__getitem__) if log.names else log


def drawn_embedding(embedding: Embedding, names: Mapping[str, str]) -> Embedding:
    """Return an embedding with labels as they are drawn; the vectors are those of the log as it is."""
    if not names:
        return embedding
    drawn = copy.copy(embedding)
    drawn.__dict__.pop("_position", None)  # computed from the labels when it is first used
    labels = _drawn(embedding.activities, names)
    drawn.activities = [labels[label] for label in embedding.activities]
    return drawn


def _drawn(labels: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return what is drawn for each label; the label itself if two of them would look the same."""
    drawn = {label: with_name(label, {label: shortened(names.get(label, label), _LONGEST_DRAWN)}) for label in labels}
    return drawn if len(set(drawn.values())) == len(drawn) else {label: label for label in drawn}
