"""The command report, a web page about one log or two; and demo, which groups, explains and reports a made-up log."""

from pathlib import Path
from typing import Annotated, Any

import typer

from actalike.cli.console import command_line, plain, print_json, print_note
from actalike.cli.help import EVIDENCE
from actalike.cli.labels import print_group, relabel_command, relabelled_place, why_no_relabelling
from actalike.cli.options import (
    ByOption,
    JsonOption,
    LogArgument,
    MethodOption,
    ReadingOptions,
    SourceOptions,
    name_of_log,
    read_facts,
    read_second,
    with_attribute_options,
)
from actalike.cli.outputs import OverwriteOption, check_outputs, writing
from actalike.cli.pairs import print_pair_verdict
from actalike.demo.run import ASKED, FILES, Demo, run
from actalike.errors import ActalikeError, shortened
from actalike.grouping import judge_pair
from actalike.labels import PairVerdict, check_probability, read_decisions
from actalike.log import AnyLog, Variants
from actalike.methods import DEFAULT_METHOD, full_name, make_method
from actalike.report.html_report import Relabelling, WrittenReport, write_report
from actalike.support.text import counted
from actalike.two_logs import MatchingDecisions, read_matching_decisions

_CONTEXTS = 4  # shown of the explanation that demo gives


@with_attribute_options
def report(
    log: LogArgument,
    other: Annotated[
        Path | None, typer.Argument(metavar="[OTHER]", help="A second log: then the page is about which steps both have.")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="The page: FILE.html.")] = Path("report.html"),
    method: MethodOption = None,
    at_least: Annotated[
        float | None,
        typer.Option(
            "--at-least",
            metavar="P",
            help="The probability that the members of a group (0.5), or two partners (0.8), are one step, at least. It wins "
            "over that of --decisions.",
        ),
    ] = None,
    by: ByOption = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            "--decisions",
            metavar="FILE",
            help="Begin with what was decided before: decisions.json, saved on a page.",
            rich_help_panel=EVIDENCE,
        ),
    ] = None,
    examples: Annotated[
        bool,
        typer.Option("--examples", help="Put case ids, example cases and the people who do the steps on the page."),
    ] = False,
    labels: Annotated[
        bool,
        typer.Option("--labels", help="Of two logs: use the text of the labels as further evidence.", rich_help_panel=EVIDENCE),
    ] = False,
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
    *,
    reading: SourceOptions,
    reading_b: SourceOptions,
) -> None:
    """Write a web page about a log: which labels are likely one step, and why. Or about two logs: which steps both have.

    The page proposes groups of labels with the probability and its reasons. Synonyms are accepted, everything else is yours to
    decide: accept, reject, rename, move labels, make groups by hand. What you decide can be saved and given to relabel, or to a
    later report. The page is one file to open, send and print; it needs no network. It holds no case ids and no names of people
    unless you ask for them with --examples. With --engine, or of saved variants (actalike count --variants), it has no times
    between events, no timeline and no odd cases: these need the events. For --examples the engine is asked once more; saved
    variants name no cases. docs/report.md explains everything in it.

    With a second log, the page has the two vocabularies side by side, with the probability that labels are the same step and its
    reasons, the flows of both logs, and what changed. What you decide there relabels the second log, so that both speak one
    language. The options for reading hold for both logs; where the second needs another one, give it with -b after its name.
    docs/two_logs.md explains everything in it.

    Examples:

    actalike report orders.xes.gz -o report.html

    actalike report orders.xes.gz -o second.html --decisions decisions.json

    actalike report orders.csv -o report.html --case OrderId --activity Step --method ac-sequence-pmi-w5

    actalike report orders.csv -o report.html --by site

    actalike report ours.xes.gz theirs.xes.gz -o two.html
    """
    # first of all: a wrong name should not cost the time of reading
    if output.suffix.lower() not in (".html", ".htm"):
        raise ActalikeError(f"The report is an HTML page, so {output} should end in .html.")
    if other is not None:
        if by is not None:
            raise ActalikeError("--by is for one log: it divides the log into parts, and there are two. Leave it out.")
        _check_two_logs(method, examples, reading)
        report_two_logs(log, other, output, at_least, decisions, labels, overwrite, as_json, reading, reading_b)
        return
    if reading_b != reading:
        raise ActalikeError("Options that end in -b are for two logs: they say how the second one is read. Leave them out.")
    if labels:
        raise ActalikeError("--labels is for two logs: the labels of one log are always compared by their texts too.")
    check_outputs([output], [*reading.inputs(log, output), *([] if decisions is None else [decisions])], overwrite)
    if at_least is not None:
        check_probability(at_least)
    method = full_name(method or DEFAULT_METHOD)
    make_method(method)
    decided = None if decisions is None else read_decisions(decisions)
    relabelling = page_relabelling(log, reading)
    events = reading.read_divided(log, by)
    wants_cases = examples and isinstance(events, Variants)
    if wants_cases and reading.engine is None:
        raise ActalikeError(f"{log} does not name cases, so it has no --examples: give the log, with --engine.")
    with writing(overwrite):
        written = write_report(
            events,
            output,
            method,
            title=name_of_log(log),
            at_least=at_least,
            by=by,
            examples=examples,
            cases=reading.cases_of(log, events.variants) if wants_cases else None,
            decisions=decided,
            relabelling=relabelling,
            overwrite=overwrite,
        )
    if as_json:
        print_json(
            {
                "schema": "actalike/report/1",
                **written._asdict(),
                "path": str(written.path),
                "method": method,
                "read": read_facts(events.reading),
            }
        )
        return
    print(
        f"{plain(str(output))}: {written.activities:,} activities, {plain(_proposals(written, decisions))}; "
        f"{written.bytes / 1e6:.1f} MB. Open it in a browser."
    )


def _check_two_logs(method: str | None, examples: bool, reading: SourceOptions) -> None:
    """Raise an error if an option was given that has no effect for two logs."""
    if method is not None:
        raise ActalikeError("--method is for one log: activities of two logs are matched in one way. Leave it out.")
    if examples:
        raise ActalikeError("--examples is for one log: the page of two logs holds no cases and no people. Leave it out.")
    reading.reject(("also",), "is for one log: with two, it would be a part of both. Put the files of a log into a folder")
    reading.reject(("attributes",), "is for one log: the page of two logs uses no attributes. Leave it out")


def _proposals(written: WrittenReport, decisions: Path | None) -> str:
    """Return in words how many groups are proposed; with decisions, what is accepted is for the page to say."""
    parts = ["no synonyms"]
    if written.synonyms:
        parts = [f"{_groups(written.synonyms)} of synonyms ({'proposed' if decisions else 'accepted'})"]
    if written.alternatives:
        number = f"{written.alternatives:,}" if written.synonyms else _groups(written.alternatives)
        parts.append(f"{number} of alternatives (you decide)")
    if decisions:
        parts.append(f"decided as in {decisions} where it says so")
    return ", ".join(parts)


def _groups(number: int) -> str:
    return "1 group" if number == 1 else f"{number:,} groups"


def page_relabelling(log: Path, reading: ReadingOptions) -> Relabelling:
    """Return what the page of a log says about relabelling it: the command, or why there is none."""
    command = relabel_command(log, Path("decisions.json"), relabelled_place(log, reading), reading)
    return Relabelling(why_no_relabelling(log, reading)) if command is None else Relabelling("", command)


def report_two_logs(
    log_a: Path,
    log_b: Path,
    output: Path,
    at_least: float | None,
    decisions: Path | None,
    labels: bool,
    overwrite: bool,
    as_json: bool,
    reading: SourceOptions,
    reading_b: SourceOptions,
) -> None:
    """Read two logs, write their page, and say what is on it."""
    # here: one log alone needs nothing of it
    from actalike.report.matching_report import write_matching_report

    inputs = [*reading.inputs(log_a, output), *reading_b.inputs(log_b, output), *([] if decisions is None else [decisions])]
    check_outputs([output], inputs, overwrite)
    if at_least is not None:
        check_probability(at_least)
    decided = None if decisions is None else read_matching_decisions(decisions)
    first, second = reading.open(log_a), read_second(reading_b, log_b)
    with writing(overwrite):
        written = write_matching_report(
            first,
            second,
            output,
            names=(name_of_log(log_a), name_of_log(log_b)),
            use_labels=labels,
            at_least=at_least,
            decisions=decided,
            relabelling=page_relabelling(log_b, reading_b),
            overwrite=overwrite,
        )
    if decisions is not None and decided is not None and not reading.quiet:
        _note_other_logs(decisions, decided, (log_a.name, log_b.name), (first, second))
    if as_json:
        read = {"read_a": read_facts(first.reading), "read_b": read_facts(second.reading)}
        print_json({"schema": "actalike/report-of-two-logs/1", **written._asdict(), "path": str(written.path), **read})
        return
    numbers = [(written.doubtful, "doubtful"), (written.splits, "split")]
    remarks = ", ".join(f"{number:,} {what}" for number, what in numbers if number)
    in_brackets = f" ({remarks})" if remarks else ""
    print(
        f"{plain(str(output))}: {written.activities_a:,} and {written.activities_b:,} activities, "
        f"{counted(written.pairs, 'pair')}{in_brackets}, {written.unmatched_a:,} and {written.unmatched_b:,} without a partner; "
        f"{written.bytes / 1e6:.1f} MB. Open it in a browser."
    )


def _note_other_logs(path: Path, decided: MatchingDecisions, names: tuple[str, str], logs: tuple[AnyLog, AnyLog]) -> None:
    """Note that decisions were made for logs that change places here, for other logs, or for labels that these do not have."""
    made_for, decided_labels = (decided.log_a, decided.log_b), _decided_labels(decided)
    if logs[0].digest != logs[1].digest and [log.digest for log in made_for] == [logs[1].digest, logs[0].digest]:
        print_note(f"{path} was made for these two logs in the other order, so it does not apply: give {names[1]} first.")
        return
    for letter, log, before, name, labels in zip("AB", logs, made_for, names, decided_labels, strict=True):
        labels_here = set(log.activities)
        unknown = [label for label in labels if label not in labels_here]
        if before.digest not in ("", log.digest) and (before.name, before.activities) != (name, len(log.activities)):
            then, now = (counted(number, "activity", "activities") for number in (before.activities, len(log.activities)))
            print_note(
                f"{path} was made for {before.name or 'a log'} with {then} as log {letter}, and this is {name} with {now}."
            )
        if unknown:
            print_note(
                f"{path} decides about {counted(len(unknown), 'label')} that {name} does not have, {shortened(unknown[0])!r} for "
                "one: these decisions have no effect; the page offers to drop them."
            )


def _decided_labels(decided: MatchingDecisions) -> tuple[list[str], list[str]]:
    """Return the labels of either log that a person has decided about, each once."""
    pairs = [pair for pair in decided.pairs if pair.by == "person"]
    labels_a = dict.fromkeys(pair.a for pair in pairs if pair.a is not None)
    return list(labels_a), list(dict.fromkeys(pair.b for pair in pairs if pair.b is not None))


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the log and the report.")] = Path("demo-out"),
    overwrite: OverwriteOption = False,
    as_json: JsonOption = False,
) -> None:
    """Find the labels of a made-up loan desk that are one step; write the log and a report.

    A second run finds its own files as they are, and leaves them so.

    Example: actalike demo -o demo-out
    """
    check_outputs([output / name for name in FILES], [], overwrite, folders=True, same_is_kept=True)
    with writing(overwrite):
        result = run(output, page_relabelling(output / FILES[0], ReadingOptions()))
    explanation = judge_pair(result.log, *ASKED, _CONTEXTS)
    if as_json:
        print_json(_demo_facts(result, explanation))
    else:
        _print_demo(result, explanation)


def _demo_facts(demo: Demo, explanation: PairVerdict) -> dict[str, Any]:
    return {
        "schema": "actalike/demo/1",
        "log": str(demo.log_file),
        "report": str(demo.report),
        "statistics": demo.log.statistics(),
        "groups": demo.groups.to_dict()["groups"],
        "explanation": explanation.to_dict(),
    }


def _print_demo(demo: Demo, explanation: PairVerdict) -> None:
    print(f"{demo.log_file}: a loan desk, made up: {str(demo.log).removeprefix('EventLog(').rstrip(')')}.\n")
    print("Which labels are one step?\n")
    counts = dict(zip(demo.log.activities, demo.log.activity_counts.tolist(), strict=True))
    for proposal in demo.groups:
        print_group(proposal, counts, demo.log.names)
    print(f"Why {ASKED[0]!r} and {ASKED[1]!r}?\n")
    print_pair_verdict(explanation)
    print(f"\nThe report, a page for the browser: {demo.report}")
    print(f"Next: {command_line('group', demo.log_file, '-o', 'mapping.csv')}")
