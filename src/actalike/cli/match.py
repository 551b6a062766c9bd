"""The command match: which activity of one log is which of another."""

from pathlib import Path
from typing import Annotated

import typer

from actalike.cli.console import plain, print_json, print_note
from actalike.cli.matching_output import (
    decision_words,
    explanation_facts,
    matching_facts,
    matching_notes,
    print_explanation,
    print_matching,
    print_written,
)
from actalike.cli.outputs import OverwriteOption, check_csv, check_outputs, writing
from actalike.cli.reading_options import ReadingOptions, with_options_of_two_logs
from actalike.cli.second_log import SecondLogOption, read_second, second_reading
from actalike.cli.sources import JsonOption, TopOption, read_facts
from actalike.labels import begins_as_json, check_probability, read_matching_decisions
from actalike.support.progress import tracked
from actalike.two_logs import match as match_logs
from actalike.two_logs import matching_rows, read_apart_pairs, read_known_pairs, write_matching


def _log_argument(name: str) -> object:
    return typer.Argument(metavar=name, help=f"Log {name} (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), or a folder.")


@with_options_of_two_logs
def match(
    log_a: Annotated[Path, _log_argument("A")],
    log_b: Annotated[Path, _log_argument("B")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a matching.csv to review, edit, and relabel B with."),
    ] = None,
    known: Annotated[
        Path | None,
        typer.Option(
            "--known",
            metavar="FILE",
            help="Pairs that are certain, or certainly wrong: a CSV (label_a, label_b, known), or decisions.json.",
        ),
    ] = None,
    labels: Annotated[bool, typer.Option("--labels", help="Take the texts of the labels as further evidence.")] = False,
    at_least: Annotated[
        float | None,
        typer.Option(
            "--at-least", metavar="P", help="Leave out pairs that are less likely than this, above 0 and up to 1. [above 0.5]"
        ),
    ] = None,
    explain: Annotated[
        tuple[str, str] | None,
        typer.Option("--explain", metavar="LABEL_A LABEL_B", help="Say why a label of A and one of B are one step, or why not."),
    ] = None,
    top: TopOption = 10,
    b: SecondLogOption = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Match the activities of two logs by what is around them, not by their labels.

    Two municipalities, two systems, before and after: which label of B is the step that A calls by another name? Each pair has
    a probability and a reason. Labels of one log that the other has not stay without a partner. Both logs must record the same
    process: the form of another one may match too. If you know some pairs, give them: they are kept. In matching.csv, write yes
    into the column known of the rows that you are sure of, or no where a pair is wrong, and match again with --known
    matching.csv.

    The options for reading hold for both logs. Where B needs another one, give it as --b NAME=VALUE.

    Examples:

    actalike match ours.xes.gz theirs.xes.gz -o matching.csv

    actalike match ours.xes.gz theirs.xes.gz --known matching.csv -o better.csv

    actalike match ours.xes.gz theirs.csv --b case=OrderId --b activity=Step --labels

    actalike match ours.xes.gz theirs.xes.gz --explain "Register claim" "Schaden anlegen"

    actalike relabel theirs.xes.gz matching.csv -o theirs-in-our-words.xes.gz
    """
    if at_least is not None:
        check_probability(at_least)
    outputs = [] if output is None else [output]
    reading_b = second_reading(reading, b)
    check_csv(output, "matching.csv")
    inputs = [*reading.inputs(log_a, *outputs), *reading_b.inputs(log_b, *outputs), *([] if known is None else [known])]
    check_outputs(outputs, inputs, overwrite)
    first, second = reading.read(log_a), read_second(reading_b, log_b)
    labels_of_both = first.activities, second.activities
    pairs = None if known is None else read_known_pairs(known, *labels_of_both)
    apart = [] if known is None else read_apart_pairs(known, *labels_of_both)
    with tracked("matching activities"):
        matching = match_logs(first, second, pairs, use_labels=labels, apart=apart)
    if first == second and not reading.quiet:
        print_note(f"{log_a} and {log_b} have the same cases: the logs are one and the same.")
    if not reading.quiet:
        for note in matching_notes(matching):
            print_note(note)
    rows = matching_rows(matching, at_least or 0.0)
    explained = None if explain is None else explanation_facts(matching, *explain, top)
    if output is not None:
        with writing(overwrite):
            write_matching(matching, output, rows)
    if as_json:
        read = {"read_a": read_facts(first.reading), "read_b": read_facts(second.reading)}
        written = {"output": None if output is None else str(output)}
        print_json({**(explained or matching_facts(matching, rows)), **written, **read})
        return
    if explained is not None:
        print_explanation(explained)
    else:
        print_matching(matching, rows, top, at_least)
        if known is not None and begins_as_json(known):
            print(f"\n{plain(str(known))}: {decision_words(read_matching_decisions(known))}.")
    if output is not None:
        print_written(matching, rows, output, log_b, reading_b)
