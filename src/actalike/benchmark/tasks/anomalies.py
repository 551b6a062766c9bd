"""The benchmark of anomalies: are cases, events and values found that were made odd on purpose?

What is planted is in ``planted_anomalies``, into which logs in ``anomaly_logs``, how answers are scored in ``anomaly_scores``,
and who takes part in ``detectors``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import polars as pl

from actalike.benchmark.logs import LogFiles
from actalike.benchmark.participants import find_tasks
from actalike.benchmark.pictures import means_by_method
from actalike.benchmark.record import Warn
from actalike.benchmark.results import Column, Results
from actalike.benchmark.scoring import (
    Tally,
    add_tallies,
    as_lists,
    mean_and_interval,
)
from actalike.benchmark.tables import layout, reliability_table
from actalike.benchmark.task import Source, Task, Unit, option, shares
from actalike.benchmark.tasks.anomaly_logs import (
    PUBLISHED,
    RECREATED,
    SystemCalls,
    full_digest,
    is_published_log,
    published_figures,
    published_methods,
    read_system_calls,
    read_with_attributes,
    takes_log,
)
from actalike.benchmark.tasks.anomaly_scores import FIGURES, LEVELS, NO_REASON, Judged, judge, learnt_f
from actalike.benchmark.tasks.detectors import DETECTORS, Answer, Detector
from actalike.benchmark.tasks.measuring import with_cost
from actalike.benchmark.tasks.planted_anomalies import (
    ALARMS,
    BPAD,
    CALLS,
    CLEAN,
    CUT,
    MIXED,
    OUTSIDE,
    PLANTED,
    REFERENCE,
    SIX,
    SLIPS,
    TASKS,
    TIMES,
    PlantedLog,
    plant,
    takes_place,
)
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.io import stem_of
from actalike.log import Attribute, EventLog
from actalike.oddities import KINDS
from actalike.support.figures import new_figure, shown

# --- the columns of the tables ------------------------------------------------------------------------------------------------

AS_PUBLISHED = "BPAD's protocol, mean over the rates 0.05 to 0.45"
AS_PUBLISHED_KINDS = "BPAD's protocol, AP of cases of one kind against normal cases"
AS_PUBLISHED_REASONS = "BPAD's protocol, reasons"
KNOWN = "Known labels and values, 10 % of the cases"
KNOWN_BUDGET = "Known labels and values, without a threshold"
KNOWN_KINDS = "Known labels and values, AP of cases of one kind against normal cases"
ALONE = "Known labels and values, one kind alone: AP of cases"
ALONE_CELLS = "Known labels and values, one kind alone: AP of cells"
OUTSIDE_CASES = "Known labels and values, outside the six kinds: AP of cases"
OUTSIDE_CELLS = "Known labels and values, outside the six kinds: AP of cells"
OUTSIDE_REASONS = "Known labels and values, outside the six kinds: place of the strongest reason"
KNOWN_REASONS = "Known labels and values, reasons"
ANY_KINDS = "Any of fifteen kinds, known labels and values, by the share of cases"
CALIBRATION = "Any of fifteen kinds: probabilities of cases against shares (ECE)"
CLEAN_LOGS = "Nothing planted: share of cases that are called odd"
REFERENCES = "Learned from one half of a log, any of fifteen kinds planted into 10 % of the other"
WAITS = "Waits and doubled events, 10 % of the cases"
SYSTEM_CALLS = "Traces of system calls, learned from normal ones"
COST = "Cost of BPAD's copies (processor seconds, megabytes)"

_LEVEL_WORDS = {"trace": "cases", "event": "events", "cell": "cells (activity or attribute of an event)"}
_REASONS = {
    "place": "the strongest reason of a planted case names a planted place",
    "place_chance": "place, if an event of the case is drawn at random",
    "expected": "it names the place and what stood there before",
    "kind": "it names the planted kind",
    "place_visible": "place, of cases whose sequence is not a variant of the clean log",
    "expected_visible": "expected, of these",
    "kind_visible": "kind, of these",
}
_ON_PAGE = (
    *("trace_ap", "trace_f", "event_ap", "cell_ap", "cell_f"),
    *("known_trace_ap", "known_cell_ap", "known_precision1", "known_precision5", "known_trace_learnt_f"),
    *("known_place", "known_expected", "known_kind"),
    *(f"alone_{kind}" for kind in SLIPS),
    *(f"outside_{kind}" for kind in OUTSIDE),
    *("any01_ap", "any10_ap", "any01_ece", "false_alarms", "rare_called", "reference_ap", "calls_auc", "calls01_f", "seconds"),
)
_LESS_IS_BETTER = ("false_alarms", "rare_called", "others_called", "promised1", "promised5", "ece", "ece_likely")


def _column(name: str, part: str, tasks: tuple[str, ...], figure: str, about: str) -> Column:
    of = {"seconds": "seconds", "megabytes": "bytes"}.get(name, "share")
    ranked = of == "share" and not name.endswith(("_share", "_chance", *_LESS_IS_BETTER))
    return Column(name, figure, about, part, {"task": tasks}, of, ranked, name in _ON_PAGE)


def _level(prefix: str, part: str, tasks: tuple[str, ...], level: str) -> list[Column]:
    words = _LEVEL_WORDS[level]
    return [
        _column(f"{prefix}{level}_ap", part, tasks, f"{level}_ap", f"average precision of {words}"),
        _column(f"{prefix}{level}_f", part, tasks, f"{level}_f", f"F of {words} at the best threshold"),
        _column(f"{prefix}{level}_share", part, tasks, f"{level}_share", f"share of planted {words}: AP by chance"),
    ]


def _kinds(prefix: str, part: str, tasks: tuple[str, ...]) -> list[Column]:
    return [
        _column(f"{prefix}{kind}{end}", part, tasks, f"{figure}_{kind}", f"{about}, planted: {kind}")
        for kind in SIX
        for end, figure, about in (("", "ap", "average precision of cases"), ("_share", "share", "share of these cases"))
    ]


def _hidden(prefix: str, part: str, tasks: tuple[str, ...]) -> list[Column]:
    return [
        _column(f"{prefix}visible", part, tasks, "visible_ap", "AP of planted cases that are not a variant of the clean log"),
        _column(f"{prefix}hidden_share", part, tasks, "hidden", "share of changed sequences that are a variant of the clean log"),
    ]


def _alone(prefix: str, part: str, level: str, kinds: tuple[str, ...]) -> list[Column]:
    return [
        _column(f"{prefix}_{kind}{end}", part, (f"known-{kind}",), f"{level}_{figure}", f"{about}, only {kind} planted")
        for kind in kinds
        for end, figure, about in (("", "ap", "average precision"), ("_share", "share", "share of planted ones"))
    ]


def _by_task(part: str, tasks: Iterable[str], figures: Iterable[str]) -> list[Column]:
    """Return the columns of some figures for each task: ``any01_auc`` is ``trace_auc`` of ``any-01``."""
    return [
        _column(f"{prefix}_{figure.removeprefix('trace_')}", part, (task,), figure, _ABOUT[figure])
        for task in tasks
        for prefix in [task.removeprefix("timed-").replace("-", "")]
        for figure in figures
    ]


_ABOUT = {
    "trace_ap": "average precision of cases",
    "trace_f": "F of cases at the best threshold",
    "trace_auc": "area under the ROC curve of cases",
    "trace_share": "share of planted cases: AP by chance",
    "event_ap": "average precision of events",
    "cell_ap": "average precision of cells",
    "own_f": "F of the cases that the detector calls odd by itself",
    "own_precision": "share of planted ones among these",
    "false_alarms": "share of the normal cases that are called odd",
    "promised1": "share of the normal cases that are called odd if 1 % may be",
    "promised5": "share of the normal cases that are called odd if 5 % may be",
    "rare_called": "share of the cases with a sequence of their own that are called odd",
    "rare_share": "share of cases with a sequence of their own",
    "others_called": "share of the other cases that are called odd",
    "ece": "probabilities of cases against shares of planted ones",
    "ece_likely": "probabilities of 0.1 and more against shares of planted ones",
    "mean_ap": "average precision of cases by the mean of their events",
    "mean_f": "F of cases by the mean of their events",
    "mean_auc": "area under the ROC curve of cases by the mean of their events",
}
_RANKED = ("trace_ap", "trace_auc", "trace_f")
_CALLED = ("own_f", "own_precision", "false_alarms", "promised1")
_SHARED = [name for name in ALARMS if name.startswith("any-")]
_BPAD, _KNOWN = tuple(BPAD), (MIXED,)
COLUMNS: tuple[Column, ...] = (
    *(column for level in LEVELS for column in _level("", AS_PUBLISHED, _BPAD, level)),
    *_kinds("bpad_", AS_PUBLISHED_KINDS, _BPAD),
    *_hidden("bpad_", AS_PUBLISHED_KINDS, _BPAD),
    *(_column(f"bpad_{name}", AS_PUBLISHED_REASONS, _BPAD, name, about) for name, about in _REASONS.items()),
    *(column for level in LEVELS for column in _level("known_", KNOWN, _KNOWN, level)),
    *(
        _column(f"known_{level}_learnt_f", KNOWN_BUDGET, _KNOWN, f"{level}_learnt_f", f"F of {level}s, threshold of another copy")
        for level in LEVELS
    ),
    *(
        _column(f"known_precision{n}", KNOWN_BUDGET, _KNOWN, f"precision{n}", f"planted, of the {n} % highest cases")
        for n in (1, 5, 10)
    ),
    _column("known_event_recall", KNOWN_BUDGET, _KNOWN, "event_recall", "share of planted events in the 1 % highest events"),
    *_kinds("known_", KNOWN_KINDS, _KNOWN),
    *_hidden("known_", KNOWN_KINDS, _KNOWN),
    *_alone("alone", ALONE, "trace", SLIPS),
    *_alone("cells", ALONE_CELLS, "cell", SLIPS),
    *_alone("outside", OUTSIDE_CASES, "trace", OUTSIDE),
    *_alone("outside_cells", OUTSIDE_CELLS, "cell", tuple(kind for kind in OUTSIDE if kind != CUT)),  # its end is no cell
    *(
        _column(f"outside_place_{kind}{end}", OUTSIDE_REASONS, (f"known-{kind}",), f"place{end}", f"{about}, only {kind} planted")
        for kind in OUTSIDE
        for end, about in (("", _REASONS["place"]), ("_chance", _REASONS["place_chance"]))
    ),
    *(_column(f"known_{name}", KNOWN_REASONS, _KNOWN, name, about) for name, about in _REASONS.items()),
    *_by_task(ANY_KINDS, _SHARED, (*_RANKED, "cell_ap", *_CALLED, "trace_share")),
    *_by_task(CALIBRATION, _SHARED, ("ece", "ece_likely")),
    *(
        _column(figure, CLEAN_LOGS, (CLEAN,), figure, _ABOUT[figure])
        for figure in ("false_alarms", "promised1", "promised5", "rare_called", "rare_share", "others_called")
    ),
    *_by_task(REFERENCES, [REFERENCE], (*_RANKED, "cell_ap", *_CALLED, "ece", "trace_share")),
    *_by_task(WAITS, TIMES, ("trace_ap", "event_ap", "trace_share")),
    *_by_task(SYSTEM_CALLS, CALLS, (*_RANKED, *(f"mean_{figure}" for figure in ("ap", "auc", "f")), "trace_share")),
    _column("seconds", COST, _BPAD, "seconds", "processor seconds of one copy"),
    _column("megabytes", COST, _BPAD, "megabytes", "memory that one copy takes at its highest"),
)
PUBLISHED_END = ", published"  # of the names of published methods: no detector's name has a comma
_PROTOCOLS = {"bpad": "BPAD's protocol", "known": "Known labels and values"}


# --- what is asked, and how it is judged --------------------------------------------------------------------------------------


_ALL_TASKS = (*TASKS, *CALLS)


@dataclass(frozen=True)
class AnomalyOptions:
    """What is planted, and into how many copies."""

    tasks: Sequence[str] | None = option(
        None, "What is planted, e.g. 'bpad-*' bpad-10 known 'known-*'. [all]", metavar="PATTERN..."
    )
    system_calls: str | None = option(
        None, "Traces of system calls with answers, a CSV with the columns part (train, normal, attack) and calls."
    )
    attributes: Sequence[str] | None = option(
        None, "Attributes of events, of logs that BPAD does not have. [those that name people]"
    )
    copies: int = option(5, "Copies of each log with known labels and values.", plan=True, least=1)
    seed: int = option(0, "What the draws depend on.", plan=True)

    def __post_init__(self) -> None:
        """Refuse tasks that are not known."""
        find_tasks(_ALL_TASKS, self.tasks)


class AnomalyResults(Results):
    """Means over the copies of a task and over the tasks of a column. Published figures stand beside those of the same logs."""

    tally_names: ClassVar[Sequence[str]] = ("probabilities",)

    def by_unit(self) -> pl.DataFrame:
        """Return all figures of each detector on each task of each log, as means over the copies; failures have none."""
        sound = self.singles.filter(pl.col("error").is_null())
        megabytes = (pl.col("bytes").mean() / 1e6).alias("megabytes")
        keys = ["method", "log", "task"]
        return sound.group_by(keys).agg(pl.col(FIGURES).mean(), megabytes).sort(keys)

    @property
    def published_logs(self) -> list[str]:
        """The logs of these results that have published figures to compare with, which are means over all rates."""
        return [log for log in self._logs_as_published() if self._has_all_rates(log)]

    def _logs_as_published(self) -> list[str]:
        some = self.singles.filter(pl.col("task").is_in(list(BPAD)))
        return [log for log in some["log"].unique().sort() if is_published_log(self.folder.logs[log])]

    def _has_all_rates(self, log: str) -> bool:
        return set(BPAD) <= set(self.singles.filter(pl.col("log") == log)["task"])

    def confusion(self, method: str, prefix: str) -> Counter[tuple[str, str]]:
        """Return how a detector named the planted kinds in the tasks whose names begin so, over all logs."""
        logs = set(self.singles["log"])
        total: Counter[tuple[str, str]] = Counter()
        for (of_method, log, task), kept in self.details.items():
            if of_method == method and log in logs and task.startswith(prefix):
                total.update({(planted, name): n for planted, name, n in kept.get("named", ())})
        return total

    def published_rows(self, *, by_log: bool) -> pl.DataFrame:
        """Return the published figures as rows of a table: of each log of these results that has some, or their means."""
        rows = []
        for method in published_methods():
            name = f"{method}{PUBLISHED_END}"
            of_logs = [{"log": log, **published_figures().get((log, method), {})} for log in self.published_logs]
            if by_log:
                rows += [{"method": name, **row} for row in of_logs]
            elif of_logs:
                figures = pl.DataFrame(of_logs, schema={"log": pl.String, **dict.fromkeys(PUBLISHED, pl.Float64)})
                means: dict[str, object] = {"method": name, "logs": figures.height, "failed": 0}
                for column in PUBLISHED:
                    means |= mean_and_interval(figures[column])
                rows.append(means)
        ends = ("",) if by_log else ("", "_low", "_high")
        columns = dict.fromkeys((f"{column}{end}" for column in PUBLISHED for end in ends), pl.Float64)
        others = {"log": pl.String} if by_log else {"logs": pl.Int64, "failed": pl.Int64}
        return pl.DataFrame(rows, schema={"method": pl.String, **others, **columns})

    def rows_of_part(self, part: str, rows: pl.DataFrame, columns: list[str], *, by_log: bool) -> pl.DataFrame:
        """Return the rows with the number of logs in this part; those of published methods where their protocol is followed."""
        if part == AS_PUBLISHED:
            return pl.concat([rows, self.published_rows(by_log=by_log)], how="diagonal")
        return rows if by_log else self.with_logs_of_part(rows, columns)

    def beside_part(self, part: str, form: str, *, by_log: bool) -> list[str]:
        """Return how far our figures of published methods are from theirs, and how kinds were named."""
        if part == AS_PUBLISHED:
            return self._recreation(form)
        if part == CALIBRATION and not by_log:
            return self._reliability(form)
        return self._confusions(form) if part == COST and not by_log else []

    def probabilities(self, method: str, task: str) -> Tally:
        """Return the probabilities that a detector gives to cases in a task, over all logs and copies."""
        return add_tallies(tally for (of, _, unit), (tally,) in self.tallies.items() if (of, unit) == (method, task))

    def _reliability(self, form: str) -> list[str]:
        """Return the reliability of those who give probabilities, over all logs, for each share of planted cases."""
        return [
            reliability_table(f"{method}, {task}, all logs together", tally, "share planted", form)
            for method in self.probable
            for task in ALARMS
            if task != CLEAN and (tally := self.probabilities(method, task)).n.sum()
        ]

    def _recreation(self, form: str) -> list[str]:
        """Return the figures of simple methods that are made again here beside the published ones, log by log."""
        rows = []
        for method, published_name in RECREATED.items():
            ours = self.by_log().filter(pl.col("method") == method, pl.col("log").is_in(self.published_logs))
            differences: dict[str, list[float]] = {column: [] for column in PUBLISHED}
            for of_log in ours.iter_rows(named=True):
                theirs = published_figures()[of_log["log"], published_name]
                both = {column: (of_log[column], theirs.get(column)) for column in PUBLISHED}
                for column, (own, other) in both.items():
                    if own is not None and other is not None:
                        differences[column].append(own - other)
                rows.append([method, of_log["log"], *(_beside(*both[column]) for column in PUBLISHED)])
            if len(ours) > 1:
                means = [f"{sum(values) / len(values):+.3f}" if values else "-" for values in differences.values()]
                rows.append([method, "mean difference", *means])
        title = "Re-creation of simple methods: ours, published, difference"
        return [f"{title}:\n\n{layout(['method', 'log', *PUBLISHED], rows, form)}"] if rows else []

    def _confusions(self, form: str) -> list[str]:
        """Return for each detector with reasons, and each protocol, how its strongest reasons name the planted kinds."""
        tables = []
        for method in self.singles["method"].unique().sort():
            for prefix, title in _PROTOCOLS.items():
                named = self.confusion(method, prefix)
                rows = []
                for planted in PLANTED:
                    counts = [named[planted, name] for name in (*KINDS, NO_REASON)]
                    if n := sum(counts):
                        rows.append([planted, f"{n:,}", *(f"{count / n:.3f}" for count in counts)])
                if rows:
                    head = f"{title}: kinds as {method} names them (columns), of planted cases (rows)"
                    tables.append(f"{head}:\n\n{layout(['planted', 'cases', *KINDS, NO_REASON], rows, form)}")
        return tables

    def gaps(self) -> list[str]:
        """Return what a reader must know: what is not there yet, failures, and logs whose published figures do not compare."""
        gaps = super().gaps()
        if partial := [log for log in self._logs_as_published() if not self._has_all_rates(log)]:
            names = f"{', '.join(partial[:3])}{', ...' if len(partial) > 3 else ''}"
            gaps.append(f"published figures are means over nine rates, so those of {names} are not shown: some rates are missing")
        return gaps

    def pictures(self) -> dict[str, Any]:
        """Draw average precision by detector, by kind, and by rate."""
        means, pictures = self.over_logs(), {}
        bars = {"bpad": AS_PUBLISHED, "bpad_kinds": AS_PUBLISHED_KINDS, "known": KNOWN, "known_kinds": KNOWN_KINDS}
        for name, part in {**bars, "kinds_alone": ALONE, "outside_kinds": OUTSIDE_CASES}.items():
            columns = [one.name for one in COLUMNS if one.part == part and not one.name.endswith("_share")]
            if drawn := [column for column in columns if means[column].drop_nulls().len()]:
                published = self.published_rows(by_log=False) if part == AS_PUBLISHED else means.clear()
                rows = pl.concat([means, published], how="diagonal")
                pictures[name] = means_by_method(rows, drawn, part, dict.fromkeys(published["method"], "#bbbbbb"))
        rates = self._rates()
        if rates["task"].n_unique() > 1:
            pictures["rates"] = _lines(rates)
        return pictures

    def _rates(self) -> pl.DataFrame:
        """Return the mean average precision of cases over the logs, by detector and rate of BPAD's protocol."""
        by_task = self.by_unit().filter(pl.col("task").is_in(list(BPAD)))
        return by_task.group_by("method", "task").agg(pl.col("trace_ap", "trace_share").mean()).sort("method", "task")


_BY_DEFAULT = ("odd*", "naive", "likelihood", "links*", "trigram", "bag", "isolation-forest", "waits")


class Judgement(NamedTuple):
    """What a detector said of a copy, and how that was judged."""

    answer: Answer
    planted: PlantedLog
    judged: Judged


class Anomalies(Task):
    """Run the benchmark of anomalies: plant odd events into copies of logs, and see who finds them.

    The tasks bpad-05 to bpad-45 plant as the benchmark BPAD does, into 5 to 45 % of the cases. Those called known plant labels
    and values that the log has, into 10 % of the cases: all kinds of anomalies, or one kind alone (known-skipped),
    also kinds that 'actalike odd' does not look for (known-swapped). Those called any plant all of these kinds, into 1 to 30 % of
    the cases, and clean plants nothing: they also ask which cases a detector calls odd. For reference it learns from one half of
    the log, for calls from normal traces of system calls.

    Stop it at any time; the same command goes on where it stopped. Then: actalike benchmark table DIR

    Examples:

    actalike benchmark anomalies --logs event_logs/ --tasks 'bpad-*' --methods odd naive likelihood --out results

    actalike benchmark anomalies --logs orders.csv --attributes user region --tasks known --copies 3 --out results
    """

    name = "anomalies"
    title = "Anomalies"
    metrics: ClassVar[Mapping[str, Any]] = shares(*FIGURES)
    columns = COLUMNS
    details: ClassVar[Sequence[str]] = ("named", "probabilities")
    unit_columns: ClassVar[Mapping[str, Any]] = {"task": pl.String}
    Options = AnomalyOptions
    Results = AnomalyResults
    participants = DETECTORS
    participants_help = "Detectors, e.g. odd 'links*'. [all but w2v-lof and network, which take long]"
    needs_logs = False
    default_participants = _BY_DEFAULT

    def takes_log(self, entry: PaperLog) -> bool:
        """Return whether a log of the paper takes part: those that BPAD has too."""
        return takes_log(entry)

    def read(self, files: LogFiles, name: str) -> EventLog:
        """Read a log as BPAD's authors did; of other logs, the attributes that are asked for."""
        return read_with_attributes(files, name, self.options.attributes)

    def log_of(self, data: EventLog | SystemCalls) -> EventLog:
        """Return the log in what was read."""
        return data.log if isinstance(data, SystemCalls) else data

    def check(self, logs: Sequence[str], jobs: int | None) -> None:
        """Refuse a file that holds no traces of system calls, before anything is written."""
        if self.options.system_calls is not None:
            read_system_calls(self.options.system_calls)
        elif not logs:
            raise ActalikeError("There is nothing to work on: give --logs or --system-calls.")

    def sources(self, read: Mapping[str, EventLog], warn: Warn) -> dict[str, EventLog | SystemCalls]:
        """Return the logs, and the traces of system calls."""
        path = self.options.system_calls
        return {**read, **({} if path is None else {stem_of(Path(path)): read_system_calls(path)})}

    def digest_of(self, data: EventLog | SystemCalls) -> str:
        """Return the digest of a log and its attributes."""
        return data.digest if isinstance(data, SystemCalls) else full_digest(data)

    def facts_of(self, data: EventLog | SystemCalls) -> dict[str, Any]:
        """Return the figures of a log and the names of its attributes."""
        return {**super().facts_of(data), "attributes": list(self.log_of(data).attributes)}

    def units(self, sources: Mapping[str, Source]) -> Iterable[Unit]:
        """Yield the tasks of each log; there is one copy of each published rate, and of what no chance decides."""
        for log, source in sources.items():
            has_calls = isinstance(source.data, SystemCalls)
            for task in find_tasks(_ALL_TASKS, self.options.tasks):
                if has_calls and task in CALLS:
                    yield Unit(log, task, {"task": task}, 1 if CALLS[task] is None else self.options.copies)
                elif not has_calls and task in TASKS:
                    has_times = source.data.timestamps is not None
                    if takes_place(task, bool(source.data.attributes), has_times):
                        is_alone = TASKS[task].as_published or task == CLEAN
                        yield Unit(log, task, {"task": task}, 1 if is_alone else self.options.copies)

    def takes(self, name: str, participant: Detector, unit: Unit) -> bool:
        """Return whether a detector is asked: who cannot learn from a reference is not asked where there is one."""
        return participant.reads_reference or unit.at["task"] not in (REFERENCE, *CALLS)

    def nothing_to_do(self) -> str:
        """Return the sentence for logs without any task."""
        return (
            "There is nothing to do: the tasks need attributes or times, which no log has, traces of system calls, or detectors "
            "that learn from a reference."
        )

    def problem(self, source: Source, unit: Unit, draw: int, participants: Mapping[str, Detector]) -> PlantedLog:
        """Plant a task into a copy of a log, or take the copy that was planted for the detector before."""
        return _planted(source, unit.at["task"], self.options.seed + draw)

    def evaluate(self, participant: Detector, problem: PlantedLog) -> Judgement:
        """Fit a detector and judge it; seconds are those of the processor, bytes the growth of the process at its highest."""
        given = [_own_copy(log) for log in (problem.log, problem.reference) if log is not None]
        fitted, cost = with_cost(lambda: participant.fit(*given))
        answer = Answer(fitted, problem.log)
        judged = judge(answer, problem)
        judged.figures.update(cost)
        return Judgement(answer, problem, judged)

    def result(self, outcomes: Sequence[Judgement]) -> dict[str, Any]:
        """Return the figures, with F of each copy at the thresholds of another one, and how kinds were named."""
        if len(outcomes) > 1:
            for other, one in zip([outcomes[-1], *outcomes], outcomes, strict=False):
                one.judged.figures.update(learnt_f(one.answer, one.planted, other.judged.thresholds))
        named: Counter[tuple[str, str]] = Counter()
        for one in outcomes:
            named.update(one.judged.named or {})
        return {
            "figures": [one.judged.figures for one in outcomes],
            "named": [[*kinds, n] for kinds, n in sorted(named.items())],
            "probabilities": as_lists(one.judged.probabilities for one in outcomes),
        }


TASK = Anomalies

_copies: dict[tuple[str, str, str, int], PlantedLog] = {}  # those of the last task of a process: the next detector gets them


def _planted(source: Source, task: str, seed: int) -> PlantedLog:
    of_task = (source.digest, source.name, task)
    if any(key[:3] != of_task for key in _copies):
        _copies.clear()
    if (*of_task, seed) not in _copies:
        is_calls = isinstance(source.data, SystemCalls)
        made = source.data.problem(CALLS[task], seed) if is_calls else plant(source.data, source.name, task, seed)
        _copies[*of_task, seed] = made
    return _copies[*of_task, seed]


def _own_copy(log: EventLog) -> EventLog:
    """Return a log of its own for a detector: what it changes there, or leaves there, no other detector sees."""
    attributes = {name: Attribute(list(attribute.values), attribute.codes.copy()) for name, attribute in log.attributes.items()}
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, log.timestamps, attributes=attributes)


def _beside(ours: float | None, theirs: float | None) -> str:
    if ours is None or theirs is None:
        return "-"
    return f"{ours:.3f}, {theirs:.3f}, {ours - theirs:+.3f}"


def _lines(rates: pl.DataFrame) -> Any:
    """Draw the average precision of each detector over the rates."""
    figure = new_figure(7, 4.5)
    axes = figure.subplots()
    for (method,), part in rates.drop_nulls("trace_ap").group_by("method", maintain_order=True):
        axes.plot([BPAD[task].rate for task in part["task"]], part["trace_ap"], "o-", ms=4, lw=1, label=shown(str(method), 40))
    shares_planted = rates.group_by("task", maintain_order=True).agg(pl.col("trace_share").mean()).sort("task")
    of_tasks = [BPAD[task].rate for task in shares_planted["task"]]
    axes.plot(of_tasks, shares_planted["trace_share"], "k--", lw=1, label="share of planted cases")
    axes.set_ylim(0, 1)
    axes.set_xlabel("rate")
    axes.set_ylabel("average precision of cases")
    axes.set_title("BPAD's protocol, by rate", fontsize=10)
    axes.legend(fontsize=7)
    axes.grid(alpha=0.3)
    return figure
