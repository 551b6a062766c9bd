"""What the commands share: their common arguments, and opening and embedding what they are given."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from actalike.cli.console import print_note
from actalike.cli.reading_options import SourceOptions
from actalike.counting import StreamCounter, WindowCounts, count_windows
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.io import WantedAttributes
from actalike.log import EventLog, Reading, Variants
from actalike.methods import DEFAULT_METHOD, full_name, make_method
from actalike.methods import embed as embed_by_name
from actalike.prediction import Predictor
from actalike.support.progress import tracked

Source = EventLog | Variants | WindowCounts | Embedding

_WINDOW = 9  # of the windows that are counted of saved variants: explanations may need more than the method


class Opened(NamedTuple):
    """Hold what a command works on, and the facts of how it was read, for JSON."""

    content: Source
    read: dict[str, Any]


SourceArgument = Annotated[  # a text and no path: it may be an address, of which a path would lose a slash
    str,
    typer.Argument(
        metavar="LOG",
        help="A log (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), a folder of such files, or a saved .actalike file.",
    ),
]
LogArgument = Annotated[
    Path, typer.Argument(metavar="LOG", help="A log (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), or a folder.")
]
MethodOption = Annotated[
    str | None,
    typer.Option("--method", "-m", metavar="NAME", help=f"A method: 'actalike methods' lists them. [{DEFAULT_METHOD}]"),
]
TopOption = Annotated[int, typer.Option("--top", "-n", min=1, help="How many to show.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the same facts as JSON.")]


def open_source(
    source: str,
    reading: SourceOptions,
    method: str | None,
    attributes: WantedAttributes = None,
    *,
    compares_labels: bool = False,
) -> Opened:
    """Open what a command is given: a log, what an engine reads of it, or a saved file. Say how it was understood.

    A log is read with the ``attributes`` that the command uses; windows and saved files have none. ``compares_labels``: without a
    method, the command compares labels by how they are used, so it takes variants, and window counts are an error.
    """
    if reading.engine is not None and compares_labels and method is None:
        variants = reading.open(source, attributes)
        return Opened(variants, read_facts(variants.reading))
    if reading.engine is not None:
        estimator = make_method(method or DEFAULT_METHOD)
        if estimator.takes == "log":
            raise ActalikeError(f"{method} learns from the log itself, so {reading.engine} cannot count for it.")
        counts = reading.count(source, estimator.window or 1)
        return Opened(counts, read_facts(counts.reading))
    path = Path(source)
    if path.suffix != ".actalike":
        log = reading.read(path, attributes)
        return Opened(log, read_facts(log.reading))
    content = reading.saved(path)
    if isinstance(content, Predictor):
        raise ActalikeError(f"{path} holds a predictor, which compares nothing: give a log, or an embedding of it.")
    if compares_labels and method is None and not isinstance(content, Embedding | Variants):
        raise ActalikeError(
            f"{path} has window counts, and the probability that labels are one step needs the log, or its variants (actalike "
            f"count --variants): give one, or --method {DEFAULT_METHOD} for similarities by the counts."
        )
    if isinstance(content, StreamCounter):
        content = content.counts()
    if not reading.quiet:
        print_note(f"read {source}: {content}")
    kind = "embedding" if isinstance(content, Embedding) else "variants" if isinstance(content, Variants) else "window-counts"
    if isinstance(content, Variants) and not (compares_labels and method is None):
        content = count_windows(content, max(make_method(method or DEFAULT_METHOD).window or 1, _WINDOW))
    return Opened(content, {"source": source, "kind": kind, "activities": len(content.activities)})


def read_facts(reading: Reading | None) -> dict[str, Any]:
    """Return how a log was understood, for JSON."""
    return {} if reading is None else reading.as_dict()


def embed_source(source: Source, method: str | None, counts: WindowCounts | None = None) -> Embedding:
    """Embed what was opened, with progress; an embedding is returned as it is, if it is that of the method."""
    if not isinstance(source, Embedding):
        name = full_name(method or DEFAULT_METHOD)
        with tracked(f"fitting {name}"):
            return embed_by_name(source, name, counts=counts)
    if method is not None and full_name(method) != source.method:
        raise ActalikeError(f"The file holds the vectors of {source.method}; for {method}, give the log itself.")
    return source
