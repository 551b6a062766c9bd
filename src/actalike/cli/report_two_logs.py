"""The command report with two logs: a web page about which steps both have."""

from pathlib import Path

from actalike.cli.console import plain, print_json, print_note
from actalike.cli.outputs import check_outputs, writing
from actalike.cli.reading_options import ReadingOptions
from actalike.cli.relabel_command import page_relabelling
from actalike.cli.second_log import read_second
from actalike.cli.sources import read_facts
from actalike.errors import shortened
from actalike.labels import MatchingDecisions, check_probability, read_matching_decisions
from actalike.log import EventLog
from actalike.report.matching_report import write_matching_report


def report_two_logs(
    log_a: Path,
    log_b: Path,
    output: Path,
    at_least: float | None,
    decisions: Path | None,
    labels: bool,
    overwrite: bool,
    as_json: bool,
    reading: ReadingOptions,
    reading_b: ReadingOptions,
) -> None:
    """Read two logs, write their page, and say what is on it."""
    inputs = [*reading.inputs(log_a, output), *reading_b.inputs(log_b, output), *([] if decisions is None else [decisions])]
    check_outputs([output], inputs, overwrite)
    if at_least is not None:
        check_probability(at_least)
    decided = None if decisions is None else read_matching_decisions(decisions)
    first, second = reading.read(log_a), read_second(reading_b, log_b)
    with writing(overwrite):
        written = write_matching_report(
            first,
            second,
            output,
            names=(log_a.name, log_b.name),
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
        f"{_pairs(written.pairs)}{in_brackets}, {written.unmatched_a:,} and {written.unmatched_b:,} without a partner; "
        f"{written.bytes / 1e6:.1f} MB. Open it in a browser."
    )


def _note_other_logs(path: Path, decided: MatchingDecisions, names: tuple[str, str], logs: tuple[EventLog, EventLog]) -> None:
    """Note that decisions were made for logs that change places here, for other logs, or for labels that these do not have."""
    made_for, decided_labels = (decided.log_a, decided.log_b), _decided_labels(decided)
    if logs[0].digest != logs[1].digest and [log.digest for log in made_for] == [logs[1].digest, logs[0].digest]:
        print_note(f"{path} was made for these two logs in the other order, so it does not apply: give {names[1]} first.")
        return
    for letter, log, before, name, labels in zip("AB", logs, made_for, names, decided_labels, strict=True):
        labels_here = set(log.activities)
        unknown = [label for label in labels if label not in labels_here]
        if before.digest not in ("", log.digest) and (before.name, before.activities) != (name, len(log.activities)):
            print_note(
                f"{path} was made for {before.name or 'a log'} with {_activities(before.activities)} as log {letter}, and this "
                f"is {name} with {_activities(len(log.activities))}."
            )
        if unknown:
            number = "1 label" if len(unknown) == 1 else f"{len(unknown):,} labels"
            print_note(
                f"{path} decides about {number} that {name} does not have, {shortened(unknown[0])!r} for one: these decisions "
                "have no effect; the page offers to drop them."
            )


def _decided_labels(decided: MatchingDecisions) -> tuple[list[str], list[str]]:
    """Return the labels of either log that a person has decided about, each once."""
    pairs = [pair for pair in decided.pairs if pair.by == "person"]
    labels_a = dict.fromkeys(pair.a for pair in pairs if pair.a is not None)
    return list(labels_a), list(dict.fromkeys(pair.b for pair in pairs if pair.b is not None))


def _activities(number: int) -> str:
    return "1 activity" if number == 1 else f"{number:,} activities"


def _pairs(number: int) -> str:
    return "1 pair" if number == 1 else f"{number:,} pairs"
