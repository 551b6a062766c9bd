"""The command group: which labels are likely the same step."""

import os
from collections import Counter
from collections.abc import Mapping
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import plain, print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import ReadingOptions, SourceOptions, with_attribute_options
from actalike.cli.relabel_command import relabel_command, relabelled_ending, why_no_relabelling
from actalike.cli.second_names import with_name
from actalike.cli.shell import quoted
from actalike.cli.sources import JsonOption, SourceArgument, read_facts
from actalike.labels import (
    AT_LEAST,
    RELATIONS,
    Group,
    Relation,
    check_probability,
    group_words,
    in_words,
    mapping_of,
    reason_words,
    shared_neighbours_words,
    verdict_words,
    witness_facts,
    write_mapping,
)
from actalike.labels import group as find_groups

_SHOWN_MEMBERS = 8  # of a group, in the terminal; --json has all
_SHOWN_EXAMPLES = 3  # of labels with a pattern
_SHOWN: tuple[Relation, ...] = ("synonyms", "alternatives")  # without --all
_WRITTEN: tuple[Relation, ...] = ("synonyms",)  # without --all


@with_attribute_options
def group(
    log: SourceArgument,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a mapping.csv to review, edit, and relabel with."),
    ] = None,
    at_least: Annotated[
        float,
        typer.Option("--at-least", metavar="P", help="How likely the labels of a group must be one step, above 0 and up to 1."),
    ] = AT_LEAST,
    steps: Annotated[
        int | None,
        typer.Option(
            "--steps", metavar="K", min=1, help="Merge until K labels are left, however unlikely the groups are. Implies --all."
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Show and write all groups, also those that are not likely one step.")
    ] = False,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
) -> None:
    """Propose groups of labels that are likely one step, with the reasons.

    Synonyms come first: they behave alike, and something beside behaviour says that they are one step. Alternatives take the
    same place, but may be two outcomes of one decision: you decide. The mapping has the synonyms only, unless you give --all
    or --steps.

    Examples:

    actalike group orders.xes.gz

    actalike group orders.xes.gz -o mapping.csv --at-least 0.8

    actalike relabel orders.xes.gz mapping.csv -o simpler.xes.gz

    actalike group 'events/*.parquet' --engine duckdb --order at --memory 4GB
    """
    everything = everything or steps is not None  # the mapping has to leave so many labels
    check_probability(at_least)
    outputs = [] if output is None else [output]
    check_outputs(outputs, reading.inputs(log, *outputs), overwrite)
    source = reading.open(log, "people")
    groups = find_groups(source, at_least, steps=steps)
    mapping = mapping_of(groups, RELATIONS if everything else _WRITTEN)
    if output is not None:
        with writing(overwrite):
            write_mapping(mapping, source.activities, output, source.names)
    if as_json:
        chosen = {"at_least": at_least, "steps": steps, "groups": [group_facts(proposal) for proposal in groups]}
        written = {"output": None if output is None else str(output), "names": source.names}
        print_json({**chosen, **written, "read": read_facts(source.reading)})
        return
    counts = dict(zip(source.activities, source.activity_counts.tolist(), strict=True))
    for proposal in groups:
        if everything or proposal.relation in _SHOWN:
            print_group(proposal, counts, source.names)
    print(_summary(groups, len(source.activities), everything))
    if output is not None:
        print(_written(output, mapping, groups, source.activities, everything))
        print(_next(Path(log), output, reading))


def _next(log: Path, mapping: Path, reading: ReadingOptions) -> str:
    """Return what to do next with the mapping, with a command to copy."""
    ending = relabelled_ending(log, reading)
    free = (mapping.with_name(f"relabelled{number}{ending}") for number in chain([""], count(2)))
    relabelled = next(path for path in free if not os.path.lexists(path))
    command = relabel_command(log, mapping, relabelled, reading)
    if command is None:
        return f"Next: {why_no_relabelling(log, reading)}"
    return f"Next: look through {quoted(str(mapping))}, then: {command}"


def group_facts(group: Group) -> dict[str, Any]:
    """Return a group for JSON, with its verdict, reasons, witnesses, evidence and cautions also in words."""
    return {
        **group._asdict(),
        "verdict": verdict_words(group.relation, group.probability),
        "witnesses": [witness_facts(witness) for witness in group.witnesses],
        "reasons": [{**reason._asdict(), "words": reason_words(reason, len(group.activities))} for reason in group.reasons],
        "evidence": [{"words": shared_neighbours_words(context), "counts": context.counts} for context in group.evidence],
        "cautions": [in_words(caution) for caution in group.cautions],
    }


def print_group(group: Group, counts: dict[str, int], names: Mapping[str, str]) -> None:
    """Print a group: the labels with their events, or their pattern and a few of them; the verdict, and the reasons."""
    n_shown = _SHOWN_MEMBERS if group.pattern is None else _SHOWN_EXAMPLES
    labels = [f"{plain(with_name(label, names))} ({counts[label]:,})" for label in group.activities[:n_shown]]
    if len(group.activities) > n_shown:
        labels.append(f"{len(group.activities) - n_shown:,} more")
    pattern = "" if group.pattern is None else f"{plain(group.pattern)}, {len(group.activities):,} labels: "
    print(f"{pattern}{' = '.join(labels)}?   {verdict_words(group.relation, group.probability)}")
    for sign, words in group_words(group):
        print(f"  {sign}  {plain(words)}")
    print()


def _summary(groups: list[Group], activities: int, everything: bool) -> str:
    """Return how many groups there are of each relation, and how to see those that were not shown."""
    number = Counter(group.relation for group in groups)
    among = "1 activity" if activities == 1 else f"{activities:,} activities"
    shown = [f"{number[relation]:,} of {relation}" for relation in _SHOWN if number[relation]]
    hidden = len(groups) - sum(number[relation] for relation in _SHOWN)
    if shown:
        first = f"{_groups(len(groups) - hidden)} among {among}: {', '.join(shown)}."
    else:
        first = f"No synonyms or alternatives among {among}."
    kinds = "belongs together or is too rare to judge" if hidden == 1 else "belong together or are too rare to judge"
    more = f" {_groups(hidden, bool(shown))} {kinds}{'' if everything else ': --all'}."
    return first + more * (hidden > 0)


def _written(output: Path, mapping: dict[str, str], groups: list[Group], activities: list[str], everything: bool) -> str:
    """Return what the mapping does, and what it leaves out."""
    renamed = sum(label != name for label, name in mapping.items())
    left = len({mapping.get(label, label) for label in activities})
    labels = "1 label" if renamed == 1 else f"{renamed:,} labels"
    does = f"{plain(str(output))} renames {labels}: {left:,} of {len(activities):,} activities are left."
    omitted = sum(group.relation not in _WRITTEN for group in groups)
    if everything or not omitted:
        return does
    return f"{does} It leaves out {_groups(omitted)} that may not be one step: --all writes these too."


def _groups(number: int, more: bool = False) -> str:
    return f"{number:,} {'more ' if more else ''}{'group' if number == 1 else 'groups'}"
