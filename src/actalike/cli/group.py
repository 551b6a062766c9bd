"""The command group: which labels are likely the same step."""

import os
from itertools import chain, count
from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import fitting_progress, plain, print_json
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.reading_options import LifecycleChoice, ReadingOptions, with_reading_options
from actalike.cli.shell import command_line, quoted
from actalike.cli.sources import JsonOption, LogArgument, MethodOption, read_facts
from actalike.io import stem_of
from actalike.labels import DEFAULT_BOLDNESS, Group, check_boldness, in_words, mapping_of, shared_neighbours_words, write_mapping
from actalike.labels import group as find_groups
from actalike.methods import DEFAULT_METHOD, full_name

# the reading options that relabel has too; it keeps every transition
_RELABEL_OPTIONS = (
    "--case",
    "--activity",
    "--timestamp",
    "--order",
    "--separator",
    "--encoding",
    "--timestamp-format",
    "--max-bytes",
)


@with_reading_options
def group(
    log: LogArgument,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write a mapping.csv to review, edit, and relabel with."),
    ] = None,
    boldness: Annotated[
        float,
        typer.Option(
            "--boldness",
            "-b",
            metavar="B",
            help="From 0 (only what cannot be told apart) to 1 (all that are nearest to each other).",
        ),
    ] = DEFAULT_BOLDNESS,
    method: MethodOption = None,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: ReadingOptions,
) -> None:
    """Propose groups of activities that are likely the same step.

    The most convincing group comes first. The members of a group are nearer to each other than to all other activities: at
    boldness 0.4, at least 2.5 times as near. Each group comes with what its members have in common, and with cautions.

    Examples:

    actalike group orders.xes.gz

    actalike group orders.xes.gz -o mapping.csv --boldness 0.3

    actalike relabel orders.xes.gz mapping.csv -o simpler.xes.gz
    """
    check_boldness(boldness)
    check_outputs([] if output is None else [output], [log], overwrite)
    source = reading.read(log)
    method = full_name(method or DEFAULT_METHOD)
    with fitting_progress(method):
        groups = find_groups(source, method, boldness)
    if output is not None:
        with writing(overwrite):
            write_mapping(mapping_of(groups), source.activities, output)
    if as_json:
        facts = [{**proposal._asdict(), **_sentences(proposal)} for proposal in groups]
        chosen = {"method": method, "boldness": boldness, "groups": facts, "output": None if output is None else str(output)}
        print_json({**chosen, "read": read_facts(source.reading)})
        return
    counts = dict(zip(source.activities, source.activity_counts.tolist(), strict=True))
    for proposal in groups:
        _print_group(proposal, counts)
    print(f"{_summary(groups, len(source.activities), f'{method}, boldness {boldness:g}')}.")
    if output is not None:
        print(_next(log, output, reading))


def _next(log: Path, mapping: Path, reading: ReadingOptions) -> str:
    """Return what to do next with the mapping, with a command to copy."""
    if reading.lifecycle == LifecycleChoice.append:
        return "Next: relabel renames the labels in the file, so to use a mapping there, write it without --lifecycle append."
    names = [option for option in reading.changed() if option in _RELABEL_OPTIONS]
    values = {option: getattr(reading, option.removeprefix("--").replace("-", "_")) for option in names}
    options = {option: str(value[0] if isinstance(value, list) else value) for option, value in values.items()}
    ending = log.name[len(stem_of(log)) :]
    free = (mapping.with_name(f"relabelled{number}{ending}") for number in chain([""], count(2)))
    relabelled = next(path for path in free if not os.path.lexists(path))
    command = command_line("relabel", log, mapping, "-o", relabelled, options=options)
    return f"Next: look through {quoted(str(mapping))}, then: {command}"


def _sentences(group: Group) -> dict[str, Any]:
    """Return the cautions and the evidence of a group in words."""
    return {
        "cautions": [in_words(caution) for caution in group.cautions],
        "evidence": [{"words": shared_neighbours_words(context), "counts": context.counts} for context in group.evidence],
    }


def _print_group(group: Group, counts: dict[str, int]) -> None:
    for i, label in enumerate(group.activities):
        print(f"{'  + ' if i else ''}{plain(label)} ({counts[label]:,})")
    company = {
        "alternatives": "never in the same case",
        "parallel": "always in the same cases",
        "mixed": f"two or more in {_percent(group.together)} of their cases",
    }
    print(f"    alike by {group.similarity:.3f}, from boldness {group.boldness:.2f}, {company[group.relation]}")
    for context in group.evidence:
        print(f"    {plain(in_words(context))}")
    for caution in group.cautions:
        print(f"    Caution: {plain(in_words(caution))}")
    print()


def _percent(share: float) -> str:
    """Return a share that is neither nothing nor all, as a percentage that does not claim either.

    >>> _percent(0.004), _percent(0.25), _percent(0.996)
    ('under 1 %', '25 %', 'over 99 %')
    """
    return "under 1 %" if share < 0.01 else "over 99 %" if share > 0.99 else f"{100 * share:.0f} %"


def _summary(groups: list[Group], activities: int, settings: str) -> str:
    if not groups:
        return f"No groups among {activities:,} activities ({settings})"
    members = sum(len(group.activities) for group in groups)
    noun = "group" if len(groups) == 1 else "groups"
    left = activities - members + len(groups)
    return f"{len(groups):,} {noun} with {members:,} of {activities:,} activities ({settings}); {left:,} activities would be left"
