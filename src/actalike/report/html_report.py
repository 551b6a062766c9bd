"""Write the report: one page that shows which activities of a log act alike, in a single file that needs nothing else."""

import warnings
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from actalike.counting import log_or_variants, read_cases
from actalike.errors import ActalikeError
from actalike.io import LogLike
from actalike.labels import AT_LEAST, Decisions, Relation, check_probability, decisions_content
from actalike.log import AnyLog, Variants
from actalike.report.report_data import STEPS, Progress, report_data
from actalike.report.single_file import keep_other_files, single_file
from actalike.support.files import write_atomically
from actalike.support.progress import tracked

_STYLES = [
    "shared/page.css",
    "shared/pictures.css",
    "shared/session.css",
    "report/compare.css",
    "report/odd.css",
    "shared/understood.css",
]


class Relabelling(NamedTuple):
    """Hold how the log of a page is relabelled: by a command, unless a sentence says why there is none."""

    words: str = ""
    command: str = ""


IN_PYTHON = Relabelling("In Python:", 'actalike.relabel(log, actalike.read_decisions("decisions.json"))')


class WrittenReport(NamedTuple):
    """Describe a report that was written: its file, its size, and how many groups of either relation are on the page."""

    path: Path
    bytes: int
    activities: int
    synonyms: int
    alternatives: int

    @property
    def proposals(self) -> int:
        """Return the number of groups, by its name in version 0.1."""
        warnings.warn("proposals is now synonyms + alternatives.", DeprecationWarning, stacklevel=2)
        return self.synonyms + self.alternatives


def write_report(
    log: LogLike | Variants,
    path: str | Path,
    method: str | None = None,
    title: str = "Event log",
    done: Progress = lambda step: None,
    *,
    at_least: float | None = None,
    by: str | None = None,
    decisions: Decisions | None = None,
    relabelling: Relabelling = IN_PYTHON,
    examples: bool = False,
    cases: Iterable[pl.DataFrame] | None = None,
    overwrite: bool = False,
) -> WrittenReport:
    """Write the report of a log as one HTML file; the same log and arguments give the same bytes.

    ``log`` is an EventLog, a frame of events (pandas, Polars, pyarrow, ...), an event log of pm4py, or Variants or a table of an
    engine (DuckDB, Spark, Ibis): then the page has no odd cases, no times between events and no timeline.
    ``method`` says what is similar in the matrix and in the panel; groups are those of :func:`actalike.group`, whose
    members have the mean probability ``at_least`` (0.5), with its column ``by``. ``title`` is the name of the log on the page.
    ``done`` is called after each of the 7 steps with what was done. The page begins with ``decisions``
    (:func:`actalike.read_decisions`): what a person decided stays, and actalike accepts synonyms from the ``at_least`` of
    the decisions on, unless you give another here. ``relabelling`` is the command that the page shows for relabelling the log.
    With ``examples`` the page holds case ids, example cases and the people who do the steps; without, none of them. Those of
    variants need ``cases``, the answer of :func:`actalike.read_cases`. A page of actalike at ``path`` is replaced, any other file
    only with ``overwrite``.

    >>> import tempfile
    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]] * 20)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = write_report(log, f"{folder}/report.html")
    >>> report.activities, report.bytes < 5_000_000
    (4, True)
    """
    keep_other_files(path, overwrite)
    source = log
    log = log_or_variants(source, "write_report", attributes="people")
    if not examples or not isinstance(log, Variants):
        cases = None
    elif cases is None or (isinstance(source, Variants) and source.strata):
        cases = _cases_of(source, log)
    if at_least is not None:
        check_probability(at_least)
    if decisions is not None and not isinstance(decisions, Decisions):
        raise ActalikeError(f"decisions={type(decisions).__name__} is not Decisions: use actalike.read_decisions(...) first.")
    if decisions is not None and at_least is not None:
        decisions = replace(decisions, at_least=float(at_least))
    if at_least is None:
        at_least = AT_LEAST if decisions is None else min(AT_LEAST, decisions.at_least)
    with tracked("writing the report", STEPS) as advance:

        def finished(step: str) -> None:
            advance(step)
            done(step)

        data = report_data(
            log,
            method,
            finished,
            at_least=at_least,
            by=by,
            strata=source if isinstance(source, Variants) and source.strata else None,
            examples=examples,
            cases_of_variants=cases,
        )
    data |= _decision_data(log, decisions, relabelling)
    content = single_file("report/page.html", _STYLES, "report/main.js", data, title).encode()
    write_atomically(path, lambda part: part.write_bytes(content))
    synonyms, alternatives = (_number(data, relation) for relation in ("synonyms", "alternatives"))
    return WrittenReport(Path(path), len(content), len(log.activities), synonyms, alternatives)


def _cases_of(source: LogLike | Variants, variants: Variants) -> Iterable[pl.DataFrame]:
    """Return which case follows which variant, by one more query; variants that were read before do not say it."""
    if isinstance(source, Variants):
        if source.strata:
            raise ActalikeError("These variants are in strata: give variants.whole(), and its cases by read_cases.")
        raise ActalikeError("Variants name no cases, so there are no examples: give cases=read_cases(events, variants, ...).")
    return read_cases(source, variants)


def _number(data: dict[str, Any], relation: Relation) -> int:
    return sum(found["relation"] == relation for found in data["groups"])


def _decision_data(log: AnyLog, decisions: Decisions | None, relabelling: Relabelling) -> dict[str, Any]:
    """Return the digest of the log, the decisions as their file holds them (or None), and how to relabel.

    >>> from actalike import EventLog
    >>> data = _decision_data(EventLog.from_traces([["a", "b"]]), None, IN_PYTHON)
    >>> data["digest"][:8], data["decisions"], data["relabelling"]["words"]
    ('76a17cbf', None, 'In Python:')
    """
    return {
        "digest": log.digest,
        "decisions": None if decisions is None else decisions_content(decisions),
        "relabelling": relabelling._asdict(),
    }
