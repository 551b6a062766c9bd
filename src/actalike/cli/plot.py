"""The commands that draw figures of logs and embeddings."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike import plot
from actalike.benchmark.logs import name_of
from actalike.cli.console import fitting_progress, print_json
from actalike.cli.reading_options import ReadingOptions, with_reading_options
from actalike.datasets import paper_logs
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods import DEFAULT_METHOD, embed
from actalike.support.figures import check_ending, need_matplotlib

app = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Figures of logs and embeddings: PNG, SVG or PDF.")

_LOG = "A log (.xes, .csv, .tsv, .parquet; .gz too)."
OneLog = Annotated[Path, typer.Argument(metavar="LOG", help=_LOG)]
Logs = Annotated[list[Path], typer.Argument(metavar="LOG", help="Logs (.xes, .csv, .tsv, .parquet; .gz too).")]
Output = Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The picture: .png, .svg or .pdf.")]
Method = Annotated[str, typer.Option("--method", "-m", metavar="NAME", help="A method's name.")]
Top = Annotated[int, typer.Option("--top", "-n", min=1, help="How many activities, the most frequent first.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print what was drawn as JSON.")]


class ProjectionChoice(StrEnum):
    """How vectors become places."""

    pca = "pca"
    tsne = "tsne"


class HeatMapChoice(StrEnum):
    """What a heat map shows."""

    vectors = "vectors"
    similarities = "similarities"


@app.command("activities")
@with_reading_options
def activities(
    logs: Logs,
    output: Output,
    beside: Annotated[
        bool, typer.Option("--beside-paper-logs", help="Also the 29 public logs, from their published figures.")
    ] = False,
    as_json: AsJson = False,
    *,
    reading: ReadingOptions,
) -> None:
    """The number of activities of each log, a row for each family of logs.

    Example: actalike plot activities orders.xes.gz -o activities.png --beside-paper-logs
    """
    found = _read(logs, output, reading)
    known: dict[str, EventLog | int] = {entry.name: entry.activities for entry in paper_logs()} if beside else {}
    _draw(plot.activities_per_log, {**known, **found}, output, as_json, found)


@app.command("zipf")
@with_reading_options
def zipf(
    logs: Logs,
    output: Output,
    from_one: Annotated[
        bool, typer.Option("--law-from-one", help="Draw the law as 1 / rank, as in the paper, not so that its shares sum to 1.")
    ] = False,
    as_json: AsJson = False,
    *,
    reading: ReadingOptions,
) -> None:
    """The share of the events that each activity has, over its rank, beside Zipf's law.

    Example: actalike plot zipf orders.xes.gz returns.csv -o zipf.pdf
    """
    found = _read(logs, output, reading)
    _draw(plot.zipf, found, output, as_json, found, normalised=not from_one)


@app.command("positions")
@with_reading_options
def positions(logs: Logs, output: Output, top: Top = 5, as_json: AsJson = False, *, reading: ReadingOptions) -> None:
    """Where in a case the most frequent activities occur: box plots, from least to most.

    Example: actalike plot positions orders.xes.gz -o positions.svg --top 10
    """
    found = _read(logs, output, reading)
    _draw(plot.positions, found, output, as_json, found, top=top)


@app.command("directly-follows")
@with_reading_options
def directly_follows(
    log: OneLog,
    output: Output,
    top: Top = 15,
    arrows: Annotated[int | None, typer.Option(min=0, help="How many arrows. [twice as many as activities]")] = None,
    as_json: AsJson = False,
    *,
    reading: ReadingOptions,
) -> None:
    """What directly follows what, and how often: the frequent part of the graph.

    Example: actalike plot directly-follows orders.xes.gz -o graph.svg --top 20
    """
    found = _read([log], output, reading)
    (events,) = found.values()
    _draw(plot.directly_follows, events, output, as_json, found, top=top, arrows=arrows)


@app.command("embedding")
@with_reading_options
def embedding(
    log: OneLog,
    output: Output,
    method: Annotated[list[str] | None, typer.Option("--method", "-m", metavar="NAME", help="Several: side by side.")] = None,
    dimensions: Annotated[int, typer.Option(min=2, max=3, help="2 or 3.")] = 2,
    projection: Annotated[
        ProjectionChoice, typer.Option(help="Principal components, or t-SNE (scikit-learn).")
    ] = ProjectionChoice.pca,
    as_json: AsJson = False,
    *,
    reading: ReadingOptions,
) -> None:
    """The activities as dots, by their vectors: a panel for each method.

    Example: actalike plot embedding orders.xes.gz -o dots.png -m kin-w5 -m one-hot
    """
    found = _read([log], output, reading)
    (events,) = found.values()
    embeddings = {name: _embed(events, name) for name in method or [DEFAULT_METHOD]}
    _draw(plot.embedding, embeddings, output, as_json, found, dimensions=dimensions, projection=projection.value)


@app.command("heat-map")
@with_reading_options
def heat_map(
    log: OneLog,
    output: Output,
    method: Method = DEFAULT_METHOD,
    of: Annotated[HeatMapChoice, typer.Option(help="What is shown.")] = HeatMapChoice.similarities,
    as_json: AsJson = False,
    *,
    reading: ReadingOptions,
) -> None:
    """The similarities of all pairs, or the vectors themselves, as a heat map; alike activities are neighbours.

    Example: actalike plot heat-map orders.xes.gz -o vectors.png --of vectors -m ac-sequence-pmi-w3
    """
    found = _read([log], output, reading)
    (events,) = found.values()
    _draw(plot.heat_map, _embed(events, method), output, as_json, found, of=of.value)


@app.command("map")
@with_reading_options
def activity_map(
    log: OneLog,
    output: Output,
    method: Method = DEFAULT_METHOD,
    arrows: Annotated[int, typer.Option(min=0, help="Show so many of the most frequent directly-follows pairs.")] = 0,
    as_json: AsJson = False,
    *,
    reading: ReadingOptions,
) -> None:
    """A map of the activities: alike ones lie close together, groups have a colour.

    Example: actalike plot map orders.xes.gz -o map.png --arrows 20
    """
    found = _read([log], output, reading)
    (events,) = found.values()
    _draw(plot.activity_map, _embed(events, method), output, as_json, found, log=events, arrows=arrows)


def _read(paths: Sequence[Path], output: Path, reading: ReadingOptions) -> dict[str, EventLog]:
    """The logs by their names; first of all, whether the figure can be drawn at all."""
    check_ending(output)
    need_matplotlib()
    files: dict[str, Path] = {}
    for path in paths:
        name, _ = name_of(path)
        if name in files:
            raise ActalikeError(f"{files[name]} and {path} are both called {name}: rename one.")
        files[name] = path
    return {name: reading.read(path) for name, path in files.items()}


def _embed(log: EventLog, method: str) -> Any:
    with fitting_progress(method):
        return embed(log, method)


def _draw(figure: Callable[..., Any], of: Any, output: Path, as_json: bool, logs: dict[str, EventLog], /, **options: Any) -> None:
    figure(of, path=output, **options)
    if as_json:
        print_json({"output": str(output), "logs": list(logs)})
    else:
        print(f"{output}: {', '.join(logs)}")
