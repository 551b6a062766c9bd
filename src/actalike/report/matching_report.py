"""Write the page of two logs: which activities are the same step, how the flows differ, and what changed, in a single file."""

from pathlib import Path
from typing import NamedTuple

from actalike.errors import ActalikeError
from actalike.io import LogLike, as_log
from actalike.labels import AT_LEAST, MatchingDecisions, check_probability, matching_content
from actalike.report.decision_data import Relabelling
from actalike.report.single_file import keep_other_files, single_file
from actalike.report.two_logs_data import STEPS, Progress, two_logs_data
from actalike.support.files import write_atomically
from actalike.support.progress import tracked
from actalike.two_logs import SURE

_STYLES = ["shared/page.css", "shared/pictures.css", "shared/session.css", "shared/understood.css", "two_logs/two_logs.css"]
IN_PYTHON = Relabelling("In Python:", 'actalike.relabel(log_b, actalike.read_matching_decisions("decisions.json"))')


class WrittenMatchingReport(NamedTuple):
    """Describe a page of two logs that was written: its file, its size, how many labels are matched and how many are not.

    ``doubtful`` of the ``pairs`` are less than 80 % likely.
    """

    path: Path
    bytes: int
    activities_a: int
    activities_b: int
    pairs: int
    doubtful: int
    splits: int
    unmatched_a: int
    unmatched_b: int


def write_matching_report(
    log_a: LogLike,
    log_b: LogLike,
    path: str | Path,
    names: tuple[str, str] = ("Log A", "Log B"),
    done: Progress = lambda step: None,
    *,
    use_labels: bool = False,
    at_least: float | None = None,
    decisions: MatchingDecisions | None = None,
    relabelling: Relabelling = IN_PYTHON,
    overwrite: bool = False,
) -> WrittenMatchingReport:
    """Write the page of two logs as one HTML file; the same logs and arguments give the same bytes.

    Both logs are an EventLog, a frame of events (pandas, Polars, pyarrow, ...) or an event log of pm4py. Their activities are
    matched as :func:`actalike.match` does, with ``use_labels`` by their texts too. ``names`` are those of the logs on the page.
    actalike accepts the pairs whose probability is ``at_least`` so large (0.8, or as the ``decisions`` say); the others are
    undecided. ``done`` is called after each of the 5 steps with what was done. The page begins with ``decisions``
    (:func:`actalike.read_matching_decisions`): what a person accepted counts as known. ``relabelling`` is the command
    that the page shows for relabelling the second log. A page of actalike at ``path`` is replaced, any other file only with
    ``overwrite``.

    >>> import tempfile
    >>> from actalike import EventLog
    >>> log_a = EventLog.from_traces([["order", "pack", "send"], ["order", "cancel"]] * 20)
    >>> log_b = EventLog.from_traces([["1", "2", "3"], ["1", "4"]] * 20)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = write_matching_report(log_a, log_b, f"{folder}/two.html")
    >>> report.pairs, report.bytes < 5_000_000
    (4, True)
    """
    keep_other_files(path, overwrite)
    log_a, log_b = as_log(log_a, "write_matching_report"), as_log(log_b, "write_matching_report")
    if at_least is not None:
        check_probability(at_least)
    if decisions is not None and not isinstance(decisions, MatchingDecisions):
        raise ActalikeError(
            f"decisions={type(decisions).__name__} are no MatchingDecisions: use actalike.read_matching_decisions(...) first."
        )
    least = AT_LEAST if at_least is None else at_least
    if at_least is None:
        at_least = SURE if decisions is None else max(AT_LEAST, decisions.at_least)
    known, apart = ({}, []) if decisions is None else _certain(decisions, log_a.activities, log_b.activities)
    with tracked("writing the report", STEPS) as advance:

        def finished(step: str) -> None:
            advance(step)
            done(step)

        data = two_logs_data(log_a, log_b, known, use_labels, finished, at_least=at_least, least=least, apart=apart)
        for log_data, name in zip(data["logs"], names, strict=True):
            log_data["title"] = name.encode(errors="replace").decode()  # the name of a file need not be UTF-8
        data["decisions"] = None if decisions is None else matching_content(decisions)
        data["relabelling"] = relabelling._asdict()
        title = f"{names[0]} and {names[1]}"
        content = single_file("two_logs/page.html", _STYLES, "two_logs/main.js", data, title).encode()
        write_atomically(path, lambda part: part.write_bytes(content))
    sizes = len(log_a.activities), len(log_b.activities)
    return WrittenMatchingReport(Path(path), len(content), *sizes, **data["numbers"])


def _certain(
    decisions: MatchingDecisions, labels_a: list[str], labels_b: list[str]
) -> tuple[dict[str, str], list[tuple[str, str]]]:
    """Return the pairs that a person accepted, and those rejected, as far as the logs have their labels.

    The page names the others.
    """
    here_a, here_b = set(labels_a), set(labels_b)
    known = {a: b for a, b in decisions.known().items() if a in here_a and b in here_b}
    return known, [(a, b) for a, b in decisions.apart(labels_a, labels_b) if a in here_a and b in here_b]
