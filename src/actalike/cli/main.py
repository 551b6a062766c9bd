"""The command line: thin commands over the public names."""

import io
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NoReturn

import typer

import actalike
from actalike.cli import datasets as cli_datasets
from actalike.cli import groups as cli_groups
from actalike.cli import plot as cli_plot
from actalike.cli import report as cli_report
from actalike.cli.benchmarks.app import app as benchmark_app
from actalike.cli.benchmarks.app import with_lists
from actalike.cli.console import fitting_progress, plain, print_json, print_table
from actalike.cli.reading_options import SourceOptions, with_reading_options
from actalike.counting import StreamCounter, WindowCounts, count_windows
from actalike.demo import run as demo
from actalike.embedding import ENOUGH_CASES, RESAMPLES, Confidence, Embedding, writer
from actalike.errors import ActalikeError
from actalike.labels import CommonContext, common_contexts
from actalike.log import EventLog
from actalike.matrices import ContextName
from actalike.methods import missing_extra
from actalike.prediction import Predictor

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.add_typer(cli_datasets.app, name="datasets")
app.add_typer(benchmark_app, name="benchmark")
app.add_typer(cli_plot.app, name="plot")
app.command()(cli_groups.group)
app.command()(cli_groups.relabel)
app.command()(cli_report.report)

LogArgument = Annotated[  # a text and no path: it may be an address, of which a path would lose a slash
    str, typer.Argument(metavar="LOG", help="A log (.xes, .csv, .tsv, .parquet; .gz too), or a saved .actalike file.")
]
Method = Annotated[
    str | None, typer.Option("--method", "-m", help=f"A method's name. [{actalike.DEFAULT_METHOD}]", metavar="NAME")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print the same facts as JSON.")]
Resamples = Annotated[
    int,
    typer.Option("--resamples", metavar="N", min=0, help="Draw the cases N times (20 or more) for the bounds; 0: no bounds."),
]
Top = Annotated[int, typer.Option("--top", "-n", min=1, help="How many to show.")]


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"actalike {actalike.__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Which activities of an event log act alike, and exactly why: by counting the company they keep."""


@app.command()
@with_reading_options
def similar(
    log: LogArgument,
    activity_name: Annotated[str | None, typer.Argument(metavar="[ACTIVITY]", help="An activity of the log.")] = None,
    method: Method = None,
    top: Top = 10,
    min_cases: Annotated[
        int, typer.Option("--min-cases", metavar="N", min=1, help="Leave out activities that are in fewer cases.")
    ] = 1,
    resamples: Resamples = RESAMPLES,
    as_json: AsJson = False,
    *,
    reading: SourceOptions,
) -> None:
    """The activities most like one activity; without one, the most alike pairs of the whole log.

    Beside each similarity stands between which bounds it lies (95 %), by drawing the log's cases anew; an activity that is in
    fewer than 5 cases is too rare to judge.

    Examples:

    actalike similar orders.xes.gz

    actalike similar orders.csv "Check invoice" --case OrderId --activity Step

    actalike similar orders.xes.gz --min-cases 5

    actalike similar orders.xes.gz --method ac-sequence-pmi-w5 --json
    """
    source = _open(log, reading, method)
    among = None
    if min_cases > 1:
        if not isinstance(source, EventLog):
            raise ActalikeError(f"{log} does not have the cases any more, so --min-cases means nothing here.")
        among = [label for label, cases in zip(source.activities, source.activity_cases, strict=True) if cases >= min_cases]
    embedding = _embedding(source, method)
    counts = (
        dict(zip(source.activities, source.activity_counts.tolist(), strict=True))
        if isinstance(source, EventLog | WindowCounts)
        else {}
    )

    def count(label: str) -> str:
        return f"{counts[label]:,}" if counts else ""

    if activity_name is None:
        pairs = embedding.most_similar_pairs(top, among)
        sure = _confidences(embedding, [(a, b) for a, b, _ in pairs], resamples)
        if as_json:
            facts = [
                {"a": a, "b": b, "similarity": value, "count_a": counts.get(a), "count_b": counts.get(b), **_bounds(confidence)}
                for (a, b, value), confidence in zip(pairs, sure, strict=True)
            ]
            print_json({"method": embedding.method, "pairs": facts})
            return
        if not pairs:
            print("There are no two activities to compare.")
            return
        rows = [
            [f"{value:.3f}", _between(confidence), a, count(a), b, count(b)]
            for (a, b, value), confidence in zip(pairs, sure, strict=True)
        ]
        _print_similar(["alike", "between", "activity", "events", "activity", "events"], rows, right=(0, 3, 5))
        if all(confidence is not None and confidence.too_rare for confidence in sure):
            _note(f"all of these are too rare to judge: --min-cases {ENOUGH_CASES} leaves such activities out.")
        return
    neighbours = embedding.most_similar(activity_name, None)
    neighbours = [(b, value) for b, value in neighbours if among is None or b in among][:top]
    sure = _confidences(embedding, [(activity_name, b) for b, _ in neighbours], resamples)
    if as_json:
        facts = [
            {"activity": b, "similarity": value, "count": counts.get(b), **_bounds(confidence)}
            for (b, value), confidence in zip(neighbours, sure, strict=True)
        ]
        print_json({"method": embedding.method, "activity": activity_name, "most_similar": facts})
        return
    rows = [[f"{value:.3f}", _between(confidence), b, count(b)] for (b, value), confidence in zip(neighbours, sure, strict=True)]
    _print_similar(["alike", "between", "activity", "events"], rows, right=(0, 3))


def _print_similar(header: list[str], rows: list[list[str]], right: tuple[int, ...]) -> None:
    """A table without the column of bounds where there are none."""
    if not any(row[1] for row in rows):
        header, rows = [header[0], *header[2:]], [[row[0], *row[2:]] for row in rows]
        right = tuple(place - (place > 1) for place in right)
    print_table(header, rows, right)


@app.command()
@with_reading_options
def explain(
    log: LogArgument,
    a: Annotated[str, typer.Argument(metavar="A", help="An activity.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another activity.")],
    method: Method = None,
    top: Top = 10,
    resamples: Resamples = RESAMPLES,
    as_json: AsJson = False,
    *,
    reading: SourceOptions,
) -> None:
    """Why two activities are alike: each context's exact share of their similarity, and the contexts they have in common.

    All shares together sum to the similarity. With kin, "x ≈ y → ●" is one of the two coming after x and the other after y,
    which are alike. For an activity-activity method (aa-...) the shares belong to activities: those that A and B both resemble.

    Examples:

    actalike explain orders.xes.gz "Check invoice" "Verify invoice"

    actalike explain orders.xes.gz "Check invoice" "Verify invoice" --method ac-sequence-pmi-w3 --json
    """
    if not actalike.make_method(method or actalike.DEFAULT_METHOD).explains:  # before it is fitted
        raise ActalikeError(f"{method} cannot explain itself: take {actalike.DEFAULT_METHOD}, or one of the count methods.")
    source = _open(log, reading, method)
    embedding = _embedding(source, method)
    similarity, shares = embedding.similarity(a, b), embedding.explain(a, b, None)
    (confidence,) = _confidences(embedding, [(a, b)], resamples) if a != b else (None,)
    shown, rest = shares[:top], shares[top:]
    common = [] if isinstance(source, Embedding) else _common_contexts(source, embedding, a, b, top)
    if as_json:
        facts = {
            "method": embedding.method,
            "a": a,
            "b": b,
            "similarity": similarity,
            **_bounds(confidence),
            "shares": [{"context": s.context, "symbols": s.symbols, "share": s.share} for s in shown],
            "share_of_the_rest": sum(s.share for s in rest),
            "common_contexts": [c._asdict() for c in common],
        }
        print_json(facts)
        return
    print(f"{plain(a)} and {plain(b)} are alike by {similarity:.3f} ({embedding.method}){_remark(confidence)}.")
    what = "like both" if embedding.contexts is not None and embedding.contexts.kind == "activity" else "context"
    rows = [[f"{s.share:+.3f}", s.context] for s in shown]
    if rest:
        rows.append([f"{sum(s.share for s in rest):+.3f}", f"({len(rest):,} more)"])
    if rows:
        print()
        print_table(["share", what], rows, right=(0,))
    if not isinstance(source, Embedding):
        print()
        if common:
            print_table(
                [f"{plain(a)}", f"{plain(b)}", "times in the context (● is the activity)"],
                [[f"{c.count_a:,}", f"{c.count_b:,}", c.context] for c in common],
                right=(0, 1),
            )
        else:
            print("They have no context in common.")


@app.command()
@with_reading_options
def embed(
    log: LogArgument,
    output: Annotated[
        str,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="FILE.actalike, .csv, .parquet, .vec (word2vec), or FOLDER/ for the projector.",
        ),
    ],
    method: Method = None,
    as_json: AsJson = False,
    *,
    reading: SourceOptions,
) -> None:
    """Write a vector for each activity to a file.

    Examples:

    actalike embed orders.xes.gz -o orders.actalike

    actalike embed orders.xes.gz -o vectors.parquet --method ac-multiset-ppmi-w5

    actalike embed 'events/*.parquet' -o orders.actalike --engine duckdb --case order --activity step --order at --memory 4GB
    """
    write = writer(output)  # first of all: a wrong name should not cost the time of reading
    embedding = _embedding(_open(log, reading, method), method)
    write(embedding)
    n, d = embedding.vectors.shape
    if as_json:
        print_json({"method": embedding.method, "activities": n, "dimensions": d, "output": output})
    else:
        print(f"{output}: {n:,} activities x {d:,} dimensions ({embedding.method})")


@app.command()
@with_reading_options
def count(
    log: LogArgument,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="FILE.actalike, for the table of windows.")],
    window: Annotated[int, typer.Option("--window", "-w", min=1, help="How many symbols a window has.")] = 9,
    as_json: AsJson = False,
    *,
    reading: SourceOptions,
) -> None:
    """Count the windows of a log once, and write the table: the other commands take it in place of the log.

    A table of window 9 serves every method with a window up to 9. It does not have the cases any more, so there are no bounds.

    Examples:

    actalike count 'events/*.parquet' -o counts.actalike --engine duckdb --case order --activity step --order at

    actalike similar counts.actalike --method ac-sequence-pmi-w5
    """
    if output.suffix != ".actalike":
        raise ActalikeError(f"{output}: the name of a table of windows must end in .actalike.")
    if log.endswith(".actalike"):
        raise ActalikeError(f"{log} is no log: it was counted or embedded already.")
    counts = reading.count(log, window) if reading.engine is not None else count_windows(reading.read(Path(log)), window)
    counts.save(output)
    if as_json:
        facts = {"window": window, "distinct_windows": len(counts.counts), "events": counts.n_events}
        print_json({**facts, "activities": len(counts.activities), "output": str(output)})
    else:
        print(f"{output}: {counts}")


@app.command()
def methods(as_json: AsJson = False) -> None:
    """The registered methods. Any other window may stand in place of w3, w5, w9.

    The methods ac-, aa- and positional- can be refined, by any of +shift5 +smooth0.75 +svd50 +power0.5 after the window, in this
    order: ac-sequence-ppmi-w5+shift5+svd50.

    Example: actalike methods
    """
    names = actalike.method_names()
    missing = {name: remedy for name in names if (remedy := missing_extra(actalike.make_method(name)))}
    if as_json:
        print_json({"default": actalike.DEFAULT_METHOD, "methods": names, "missing": missing})
        return
    for name in names:
        remark = "default" if name == actalike.DEFAULT_METHOD else missing.get(name)
        print(f"{name}  ({remark})" if remark else name)


@app.command("demo")
def run_demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for log, report and map.")] = Path("demo-out"),
    as_json: AsJson = False,
) -> None:
    """A loan desk, made up: its most alike activities, one explanation, a report, and a map of them all.

    Example: actalike demo -o demo-out
    """
    result = demo.run(output)
    if as_json:
        print_json(result.as_dict())
    else:
        result.show()


def _open(source: str, reading: SourceOptions, method: str | None) -> EventLog | WindowCounts | Embedding:
    if reading.engine is not None:
        estimator = actalike.make_method(method or actalike.DEFAULT_METHOD)
        if estimator.takes == "log":
            raise ActalikeError(f"{method} learns from the log itself, so {reading.engine} cannot count for it.")
        return reading.count(source, estimator.window or 1)
    path = Path(source)
    if path.suffix != ".actalike":
        return reading.read(path)
    if reading != SourceOptions():
        raise ActalikeError(
            f"{path} is no log, so the options for reading one ({', '.join(reading.changed())}) mean nothing here."
        )
    found = actalike.load(path)
    if isinstance(found, Predictor):
        raise ActalikeError(f"{path} holds a predictor, which compares nothing: give a log, or an embedding of it.")
    return found.counts() if isinstance(found, StreamCounter) else found


def _embedding(source: EventLog | WindowCounts | Embedding, method: str | None) -> Embedding:
    if not isinstance(source, Embedding):
        method = method or actalike.DEFAULT_METHOD
        with fitting_progress(method):
            return actalike.embed(source, method)
    if method not in (None, source.method):
        raise ActalikeError(f"The file holds the vectors of {source.method}; for {method}, give the log itself.")
    return source


def _confidences(embedding: Embedding, pairs: list[tuple[str, str]], resamples: int) -> Sequence[Confidence | None]:
    """The bounds of some similarities, where the cases can be drawn anew."""
    if not resamples or embedding.resampler is None:
        return [None] * len(pairs)
    if not (embedding.method or "").startswith("kin-"):
        _note(f"the bounds of {embedding.method} may be too narrow: those of kin have been found right (docs/concepts.md).")
    with fitting_progress(f"{embedding.method}, cases drawn {resamples} times"):
        return embedding.confidences(pairs, resamples)


def _note(text: str) -> None:
    print(plain(f"actalike: {text}"), file=sys.stderr)


def _bounds(confidence: Confidence | None) -> dict[str, object]:
    if confidence is None:
        return {"low": None, "high": None, "cases": None, "too_rare": None}
    return {"low": confidence.low, "high": confidence.high, "cases": confidence.cases, "too_rare": confidence.too_rare}


def _between(confidence: Confidence | None) -> str:
    return "" if confidence is None else str(confidence)


def _remark(confidence: Confidence | None) -> str:
    """In words, after a similarity."""
    if confidence is None:
        return ""
    if confidence.too_rare:
        return f", but that is too rare to judge: they are in {confidence.cases[0]:,} and {confidence.cases[1]:,} cases"
    return f", between {confidence.low:.3f} and {confidence.high:.3f} if other cases had happened"


def _common_contexts(source: EventLog | WindowCounts, embedding: Embedding, a: str, b: str, top: int) -> list[CommonContext]:
    """The contexts behind a similarity: those of the method, or sequences of window 3 where it has none."""
    words = (embedding.method or "").partition("+")[0].split("-")
    context: ContextName = "multiset" if "multiset" in words else "sequence"
    window = int(words[-1][1:]) if re.fullmatch(r"w\d+", words[-1]) else 3
    table = source.marginal(min(window, source.window)) if isinstance(source, WindowCounts) else count_windows(source, window)
    return common_contexts(table, a, b, context, top)


def main() -> NoReturn:
    """Run a command; errors are one line on standard error, and the exit code is 1 (2 for a wrong call)."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that is not UTF-8 shows what it can
    try:
        app(with_lists(sys.argv[1:]), prog_name="actalike")
    except ActalikeError as error:
        _fail(str(error))
    except MemoryError:
        _fail("there is not enough memory for this log.")
    except OSError as error:
        _fail(f"{error.filename or 'a file'}: {error.strerror or error}.")
    except Exception as error:
        if "ACTALIKE_DEBUG" in os.environ:
            raise
        _fail(f"this should not happen ({type(error).__name__}: {error}). Please report it, with ACTALIKE_DEBUG=1 set.")
    sys.exit(0)


def _fail(message: str) -> NoReturn:
    print(f"actalike: {plain(' '.join(message.split()))}", file=sys.stderr)
    sys.exit(1)
