"""The command similar: the nearest activities of one, or the most similar pairs of a log."""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple

import typer

from actalike.cli.console import print_json, print_note, print_table
from actalike.cli.intervals import ResamplesOption, find_intervals, interval_facts, refuse_resamples
from actalike.cli.likely_pairs import find_likely_pairs, likely_pair_facts, print_likely_pairs
from actalike.cli.reading_options import SourceOptions, with_attribute_options
from actalike.cli.second_names import names_of, with_name
from actalike.cli.sources import JsonOption, MethodOption, Source, SourceArgument, TopOption, embed_source, open_source
from actalike.counting import WindowCounts
from actalike.embedding import ENOUGH_CASES, RESAMPLES, Confidence, Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog, Variants
from actalike.support.progress import tracked


class ComparedPair(NamedTuple):
    """Two activities, their similarity, the events of each (None if they were not counted), and the interval."""

    a: str
    b: str
    similarity: float
    count_a: int | None
    count_b: int | None
    confidence: Confidence | None


@with_attribute_options
def similar(
    log: SourceArgument,
    activity_name: Annotated[str | None, typer.Argument(metavar="[ACTIVITY]", help="An activity of the log.")] = None,
    method: MethodOption = None,
    top: TopOption = 10,
    min_cases: Annotated[
        int, typer.Option("--min-cases", metavar="N", min=1, help="Leave out activities that occur in fewer cases.")
    ] = 1,
    resamples: ResamplesOption = RESAMPLES,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """List the activities most like one activity, or the most similar pairs of a log.

    For a log: the share of neighbours that two labels have in common, the probability that they are one step, and a verdict.
    Pairs with a label in fewer than 5 cases, too rare to judge, come last. With --method: the similarity by a method, with its
    95 % interval from resampling the cases of the log. Saved window counts need --method; a saved embedding is compared by its
    own method. With --engine, and of saved variants, the events stay where they are.

    Examples:

    actalike similar orders.xes.gz

    actalike similar orders.csv "Check invoice" --case OrderId --activity Step

    actalike similar orders.xes.gz --min-cases 5

    actalike similar orders.xes.gz --method ac-sequence-pmi-w5 --json
    """
    if reading.engine is not None and method is not None and min_cases != 1:  # before anything is counted
        raise _no_cases(f"--engine {reading.engine}")
    source, read = open_source(log, reading, method, attributes="people" if method is None else None, compares_labels=True)
    if isinstance(source, EventLog | Variants) and method is None:
        refuse_resamples(resamples)
        likely = find_likely_pairs(source, activity_name, top, min_cases)
        if as_json:
            print_json({**likely_pair_facts(activity_name, likely), "names": source.names, "read": read})
        else:
            print_likely_pairs(activity_name, likely, source.names)
        return
    among = None if min_cases == 1 else _activities_in(source, min_cases, log)
    embedding = embed_source(source, method)
    names = names_of(source)
    pairs = compare(source, embedding, activity_name, among, top, resamples)
    if as_json:
        print_json({**_facts(embedding.method, activity_name, pairs), "names": names, "read": read})
    elif activity_name is None:
        _print_pairs(pairs, names, embedding.method)
    else:
        _print_neighbours(pairs, names, embedding.method)


def compare(
    source: Source, embedding: Embedding, activity: str | None, among: list[str] | None, top: int, resamples: int
) -> list[ComparedPair]:
    """Return the pairs of an activity with its nearest ones, or the most similar pairs of all; only activities ``among``."""
    if activity is None:
        with tracked("comparing all pairs"):
            nearest = embedding.most_similar_pairs(top, among)
    else:
        neighbours = embedding.most_similar(activity, None)
        nearest = [(activity, label, value) for label, value in neighbours if among is None or label in among][:top]
    confidences = find_intervals(embedding, [(a, b) for a, b, _ in nearest], resamples)
    events: dict[str, int] = {}
    if isinstance(source, EventLog | WindowCounts):
        events = dict(zip(source.activities, source.activity_counts.tolist(), strict=True))
    return [
        ComparedPair(a, b, value, events.get(a), events.get(b), confidence)
        for (a, b, value), confidence in zip(nearest, confidences, strict=True)
    ]


def _activities_in(source: Source, min_cases: int, name: str) -> list[str]:
    """Return the activities that occur in so many cases."""
    if not isinstance(source, EventLog):
        raise _no_cases(name)
    return [label for label, cases in zip(source.activities, source.activity_cases, strict=True) if cases >= min_cases]


def _no_cases(source: str) -> ActalikeError:
    return ActalikeError(f"{source} does not have the cases, so --min-cases means nothing here: leave it out.")


def _facts(method: str | None, activity: str | None, pairs: list[ComparedPair]) -> dict[str, Any]:
    if activity is None:
        facts = [
            {
                "a": pair.a,
                "b": pair.b,
                "similarity": pair.similarity,
                "count_a": pair.count_a,
                "count_b": pair.count_b,
                **interval_facts(pair.confidence),
            }
            for pair in pairs
        ]
        return {"method": method, "pairs": facts}
    neighbours = [
        {"activity": pair.b, "similarity": pair.similarity, "count": pair.count_b, **interval_facts(pair.confidence)}
        for pair in pairs
    ]
    return {"method": method, "activity": activity, "most_similar": neighbours}


def _print_pairs(pairs: list[ComparedPair], names: Mapping[str, str], method: str | None) -> None:
    if not pairs:
        print("There are no two activities to compare.")
        return
    rows = [
        [*_figures(pair), with_name(pair.a, names), _number(pair.count_a), with_name(pair.b, names), _number(pair.count_b)]
        for pair in pairs
    ]
    header = [_heading(method), "95 % interval", "activity", "events", "activity", "events"]
    _print_without_empty_intervals(header, rows, right=(0, 3, 5))
    if all(pair.confidence is not None and pair.confidence.too_rare for pair in pairs):
        print_note(f"all of these are too rare to judge: --min-cases {ENOUGH_CASES} leaves such activities out.")


def _print_neighbours(pairs: list[ComparedPair], names: Mapping[str, str], method: str | None) -> None:
    rows = [[*_figures(pair), with_name(pair.b, names), _number(pair.count_b)] for pair in pairs]
    _print_without_empty_intervals([_heading(method), "95 % interval", "activity", "events"], rows, right=(0, 3))


def _heading(method: str | None) -> str:
    return "alike" if method is None else f"alike ({method})"


def _figures(pair: ComparedPair) -> tuple[str, str]:
    return f"{pair.similarity:.3f}", "" if pair.confidence is None else str(pair.confidence)


def _number(count: int | None) -> str:
    return "" if count is None else f"{count:,}"


def _print_without_empty_intervals(header: list[str], rows: list[list[str]], right: tuple[int, ...]) -> None:
    """Print a table, without the second column, the intervals, if there are none."""
    if not any(row[1] for row in rows):
        header, rows = [header[0], *header[2:]], [[row[0], *row[2:]] for row in rows]
        right = tuple(place - (place > 1) for place in right)
    print_table(header, rows, right)
