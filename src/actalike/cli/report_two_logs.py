"""The command report with two logs: a web page about which steps both have."""

from pathlib import Path

from actalike.cli.console import plain, print_json, working_progress
from actalike.cli.outputs import check_outputs, writing
from actalike.cli.reading_options import ReadingOptions
from actalike.cli.relabel_command import page_relabelling
from actalike.cli.sources import read_facts
from actalike.labels import check_probability, read_matching_decisions
from actalike.report.matching_report import write_matching_report
from actalike.report.two_logs_data import STEPS


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
    first, second = reading.read(log_a), reading_b.read(log_b)
    with working_progress("report", STEPS) as advance, writing(overwrite):
        written = write_matching_report(
            first,
            second,
            output,
            names=(log_a.name, log_b.name),
            done=advance,
            use_labels=labels,
            at_least=at_least,
            decisions=decided,
            relabelling=page_relabelling(log_b, reading_b),
        )
    if as_json:
        read = {"read_a": read_facts(first.reading), "read_b": read_facts(second.reading)}
        print_json({**written._asdict(), "path": str(written.path), **read})
        return
    numbers = [(written.doubtful, "doubtful"), (written.splits, "split")]
    remarks = ", ".join(f"{number:,} {what}" for number, what in numbers if number)
    in_brackets = f" ({remarks})" if remarks else ""
    print(
        f"{plain(str(output))}: {written.activities_a:,} and {written.activities_b:,} activities, "
        f"{_pairs(written.pairs)}{in_brackets}, {written.unmatched_a:,} and {written.unmatched_b:,} without a partner; "
        f"{written.bytes / 1e6:.1f} MB. Open it in a browser."
    )


def _pairs(number: int) -> str:
    return "1 pair" if number == 1 else f"{number:,} pairs"
