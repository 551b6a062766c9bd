"""The next-activity benchmark: how well does a network predict what comes next from a method's vectors?

Vectors of all methods on a log come first, then all of them are trained at once, model by model.
Every step leaves a file, written whole or not at all: the vectors of a method, the figures of a method with a model. Existing
files are not computed again; a training that was stopped continues from its last checkpoint. The training writes the result files
(:mod:`actalike.prediction.training`), in the format of version 0.2.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import polars as pl

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.logs import COMPLEX, LogFiles
from actalike.benchmark.pictures import draw_bars, draw_spread
from actalike.benchmark.record import Failure, Outcome, TrainingOutcome, Warn
from actalike.benchmark.results import Column, Key, PageColumn, Results, not_there_yet
from actalike.benchmark.scoring import RESAMPLES, mean_and_interval
from actalike.benchmark.tables import csv_table, figure_table
from actalike.benchmark.task import Source, Task, Unit, Work, shares
from actalike.benchmark.tasks.prediction_data import PredictionData, prediction_data, prepare_method, write_task
from actalike.benchmark.tasks.prediction_training import (
    STEPS,
    TIME,
    Cell,
    PredictionOptions,
    choose_device,
    choose_jobs,
    error_of,
    missing_parts,
    note_failures,
    read_cell,
    requested,
    train_parts,
    training,
)
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError, did_you_mean
from actalike.log import EventLog
from actalike.prediction.training.task import METRICS, MODELS, ONE_HOT, ORIGINAL, methods_of
from actalike.support.figures import finish, new_figure, shown

_SETTING = "standard"


class SplitLog(NamedTuple):
    """A log of the benchmark, and its parts."""

    log: EventLog
    data: PredictionData


MEANS = ("accuracy", "complex", "mcc", "gain")  # of the table over logs, those with an interval
_OF_LOGS = ("accuracy", "spread", "mcc")
_OVER_LOGS = (*MEANS[:3], "spread", "gain")
_OF_SEEDS = ("seed", *METRICS, TIME, "epoch")

_ABOUT = "accuracy of the next activity, by a network with these vectors ({}), mean over seeds"
_SCHEMA = {
    "model": pl.String,
    "method": pl.String,
    "log": pl.String,
    "seed": pl.Int64,
    **dict.fromkeys((*METRICS, TIME), pl.Float64),
    "epoch": pl.Int64,
    "error": pl.String,
}


class PredictionResults(Results):
    """``singles`` has a row for each model, method, log and seed; a failure has a row with ``error`` and no figures."""

    @classmethod
    def of(cls, results: "str | Path | PredictionResults") -> "PredictionResults":
        """Read the results of a folder, if they are not read yet."""
        if isinstance(results, PredictionResults):
            return results
        folder = ResultFolder.open(results)
        return cls.read(Prediction.of_folder(folder), folder)

    @classmethod
    def read(cls, task: Any, folder: ResultFolder) -> Self:
        """Read all files of a folder."""
        rows: list[dict[str, Any]] = []
        for path in sorted(folder.path.glob("*/results/*/*.json")):
            cell = read_cell(path, task.options, folder.digest(path.relative_to(folder.path).parts[0]))
            shared = {name: cell[name] for name in ("model", "method", "log")}
            rows += [{**shared, "error": cell["error"]}] if "error" in cell else []
            rows += [{**shared, **{name: one.get(name) for name in _OF_SEEDS}} for one in cell.get("seeds", [])]
        if not rows:
            raise ActalikeError(f"{folder.path} has no results yet.")
        singles = pl.DataFrame(rows, schema=_SCHEMA).sort("model", "method", "log", "seed")
        return cls(folder, singles, task, {}, requested(folder))

    @property
    def complex_logs(self) -> list[str]:
        """The logs that have more than 0.9 variants per case."""
        return [log["log"] for log in self.folder.logs.values() if log["variants_per_case"] > COMPLEX]

    def by_log(self) -> pl.DataFrame:
        """Return each method with each model on each log: means over the seeds, and the accuracy's deviation and range."""
        return (
            self.singles.group_by("model", "method", "log")
            .agg(
                pl.col(*METRICS, TIME).mean(),
                pl.col("accuracy").std().alias("spread"),
                pl.col("accuracy").min().alias("least"),
                pl.col("accuracy").max().alias("most"),
            )
            .sort("model", "method", "log")
        )

    def over_logs(self, resamples: int = RESAMPLES) -> pl.DataFrame:
        """Return each method with each model over the logs: unweighted means of the logs' means over seeds.

        - ``complex``: the accuracy over the complex logs (variants per case above 0.9).
        - ``spread``: the mean over logs of the deviation between seeds.
        - ``gain``: the accuracy beyond that of the model's own, learned vectors, log by log.
        - ``time_mae``: the error of the predicted time in days, of models that predict it.

        95 % intervals are from resampling the logs.
        """
        table = self.by_log()
        own = table.filter(pl.col("method") == ORIGINAL).select("model", "log", pl.col("accuracy").alias("own"))
        table = table.join(own, on=["model", "log"], how="left").with_columns(
            (pl.col("accuracy") - pl.col("own")).alias("gain"),
            pl.when(pl.col("log").is_in(self.complex_logs)).then(pl.col("accuracy")).alias("complex"),
        )
        rows = []
        for (model, method), part in table.group_by("model", "method", maintain_order=True):
            n_logs = part["accuracy"].drop_nulls().len()
            row: dict[str, Any] = {"model": model, "method": method, "logs": n_logs, "failed": part.height - n_logs}
            for metric in (*MEANS, TIME):
                row |= mean_and_interval(part[metric], resamples)
            rows.append(row | {"spread": part["spread"].mean()})
        schema = dict.fromkeys((f"{metric}{end}" for metric in (*MEANS, TIME) for end in ("", "_low", "_high")), pl.Float64)
        return pl.DataFrame(rows, schema_overrides={**schema, "spread": pl.Float64}, infer_schema_length=None)

    def gaps(self) -> list[str]:
        """Return what a reader of the means must know: missing results, and failures."""
        missing = self.requested - self.done
        names = (f"{model} with {method}" for method, _, model in missing)
        gaps = [
            f"{gap}: means are over the others" for gap in not_there_yet(len(missing), len(self.requested | self.done), names)
        ]
        for (model, method), part in self.failures.group_by("model", "method", maintain_order=True):
            where = ", ".join(sorted(set(part["log"])))
            gaps.append(f"{model} with {method} failed on {where} (not in its means): {part['error'][0].rstrip('.')}")
        return gaps

    @property
    def done(self) -> set[Key]:
        """What has a result: method, log and unit."""
        return set(self.singles.select("method", "log", "model").unique().iter_rows())

    def table(self, *, form: str, by_log: bool, intervals: bool) -> str:
        """Return the results as Markdown, LaTeX or CSV: a part for each model."""
        frame = self.frame(by_log=by_log)
        if form == "csv":
            return csv_table(frame)
        metrics = _OF_LOGS if by_log else MEANS if intervals else _OVER_LOGS
        parts = []
        for (model,), part in frame.group_by("model", maintain_order=True):
            shown_here = (*metrics, TIME) if part[TIME].count() else metrics  # not all models predict times
            text = figure_table(part, form, shown_here, by_log=by_log, intervals=intervals, ranked=MEANS[:3])
            parts.append(f"{model}:\n\n{text}")
        return "\n\n".join(parts)

    def pictures(self) -> dict[str, Any]:
        """Draw all pictures; return them by name."""
        pictures = {}
        for model in self.singles.drop_nulls("accuracy")["model"].unique().sort():
            pictures[f"{model}_by_method"] = accuracy_by_method(self, model)
            pictures[f"{model}_by_log"] = accuracy_by_log(self, model)
            pictures[f"{model}_spread"] = accuracy_spread(self, model)
        return pictures

    def page_columns(self) -> list[PageColumn]:
        """Return a column for each model."""
        table = self.by_log().drop_nulls("accuracy")
        return [
            PageColumn(str(model), _ABOUT.format(model), "share", part, "accuracy")
            for (model,), part in table.group_by("model", maintain_order=True)
        ]


class Prediction(Task):
    """Run the next-activity benchmark: a network predicts what comes next from a method's vectors, which it cannot change.

    Many methods of a log train together. Stop it at any time; the same command continues where it stopped. Then: actalike
    benchmark table DIR

    Examples:

    actalike benchmark prediction --logs orders.xes.gz --methods kin-w5 aa-sequence-pmi-w3 --out results

    actalike benchmark prediction --logs event_logs/ --models evermann evermann-published --out results
    """

    name = "prediction"
    title = "Next activity"
    metrics: ClassVar[Mapping[str, Any]] = shares(*METRICS, TIME)
    columns: ClassVar[Sequence[Column]] = ()
    unit_columns: ClassVar[Mapping[str, Any]] = {"model": pl.String}
    Options = PredictionOptions
    Results = PredictionResults
    format: ClassVar[int] = 2  # that of the files which the training writes
    default_jobs: ClassVar[int | None] = None
    jobs_help: ClassVar[str] = "Processes that train at a time on a CPU. [as many as it has cores]"
    can_be_split: ClassVar[bool] = False
    works_elsewhere: ClassVar[bool] = True

    def takes_log(self, entry: PaperLog) -> bool:
        """Return whether a log of the paper takes part."""
        return entry.next_activity

    def choose(self, patterns: Sequence[str] | None, warn: Warn) -> dict[str, Any]:
        """Return the methods, ``one-hot`` always among them."""
        options: PredictionOptions = self.options
        for model in options.models:
            if model not in MODELS:
                raise ActalikeError(f"No model is called {model!r}.{did_you_mean(model, MODELS)} There are {', '.join(MODELS)}.")
        chosen: dict[str, Any] = super().choose(patterns, warn)
        if ONE_HOT not in chosen:
            chosen |= self.participants.choose([ONE_HOT], self.why_not, warn)
        for name in [name for model in options.models for name in methods_of(model, []) if name in chosen]:
            raise ActalikeError(f"{name!r} is what a model alone is called here: register your method under another name.")
        return chosen

    def check(self, logs: Sequence[str], jobs: int | None) -> None:
        """Reject a device that is not there, and processes where they are of no use."""
        self.device = choose_device(self.options.device)
        self.processes = choose_jobs(jobs, self.device)

    def read(self, files: LogFiles, name: str) -> SplitLog:
        """Read and split a log."""
        log = files(name)
        try:
            return SplitLog(log, prediction_data(_with_times(log)))
        except ActalikeError as error:
            raise ActalikeError(f"{name}: {error} Nothing was computed: leave this log out, or mend it.") from None

    def log_of(self, data: SplitLog) -> EventLog:
        """Return the log that was split."""
        return data.log

    def units(self, sources: Mapping[str, Source]) -> Iterable[Unit]:
        """Yield each model for each log."""
        for log, model in product(sources, self.options.models):
            yield Unit(log, model, {"model": model})

    def asked(self, unit: Unit, participants: Mapping[str, Any]) -> list[str]:
        """Return the methods of a model, or its name if it reads no vectors."""
        return methods_of(unit.name, list(participants))

    def request(self, asked: Mapping[tuple[str, str], Sequence[str]], participants: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is to be trained."""
        logs = sorted({log for log, _ in asked})
        return {"logs": logs, "methods": sorted(participants), "models": sorted(self.options.models)}

    def prepare(self, work: Work) -> None:
        """Write the ids of all logs, and the vectors of the methods that have none yet."""
        with work.progress("vectors", len(work.sources) * len(work.participants)) as advance:
            for source in work.sources.values():
                folder = work.out / source.name
                if not (folder / "task.npz").exists():
                    write_task(folder / "task.npz", source.data.data)
                for name, method in work.participants.items():
                    if not _is_prepared(folder / "vectors" / f"{name}.json", work.retry_failed):
                        prepare_method(name, method, source.data.data, folder, source.digest)
                    advance(f"{source.name}, {name}")

    def collect(self, work: Work, outcome: Outcome) -> Outcome:
        """Train what has no result yet."""
        options: PredictionOptions = self.options
        trainings: dict[tuple[str, str], list[Cell]] = {}
        for batch in work.batches:
            log, model = batch.unit.log, batch.unit.name
            trainings.setdefault((log, model), []).extend(Cell(model, method, log) for method in batch.participants)
        for cells in trainings.values():
            note_failures(cells, work.out, work.retry_failed)
        parts = [
            part
            for (log, _), cells in trainings.items()
            for part in missing_parts(cells, work.out, work.sources[log].digest, options, self.device)
        ]
        with work.progress("training", len(parts) * STEPS) as advance:
            train_parts(parts, options.seeds, options.epochs, self.device, self.processes, advance)
        for part in parts:
            training().remove_checkpoints(part.folder, part.model)
        computed = sum(len(part.methods) for part in parts)
        failed = {cell: e for cells in trainings.values() for cell in cells if (e := error_of(cell.file(work.out)))}
        failures = tuple(Failure(cell.method, cell.log, error, cell.model) for cell, error in sorted(failed.items()))
        done = (outcome.out, outcome.cells, computed, len(failed), failures, outcome.logs, outcome.methods)
        return TrainingOutcome(*done, tuple(options.models), options.seeds, self.device)

    def plan(self) -> dict[str, Any]:
        """Return what all results of a folder have in common; version 0.2 had other settings than the standard one."""
        return {**super().plan(), "setting": _SETTING}

    @classmethod
    def of_folder(cls, folder: ResultFolder) -> Task:
        """Return the task as a folder of results describes it."""
        if (setting := folder.description.get("setting", _SETTING)) != _SETTING:
            raise ActalikeError(f"{folder.path} has results of the setting {setting}, which version 0.2 tabulates and draws.")
        return super().of_folder(folder)


TASK = Prediction


def _with_times(log: EventLog) -> EventLog:
    """Return a log without times, if some of its events have none."""
    if log.timestamps is None or not np.isnat(log.timestamps).any():
        return log
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids)


def _is_prepared(path: Path, retry_failed: bool) -> bool:
    """Return whether a method's vectors exist, or the error with which it failed."""
    if not path.exists() or error_of(path):
        return path.exists() and not retry_failed
    return path.with_suffix(".npz").exists()


# --- pictures ----------------------------------------------------------------------------------------------------------------


_BAR, _OWN = "#56b4e9", "#e69f00"
_TITLES = {"accuracy": "accuracy", "complex": "accuracy on complex logs"}


Readable = str | Path | PredictionResults  # a folder of results, or what was read from it


def accuracy_by_method(
    results: Readable, model: str | None = None, logs: Collection[str] | None = None, path: str | Path | None = None
) -> Any:
    """Draw the mean accuracy over the logs: a bar for each method, the best on top, with bootstrap intervals.

    Beside them stand the means of the complex logs, if there are any. ``model`` may be left out where there is only one.
    """
    results = PredictionResults.of(results).of_logs(logs)
    means = _of_model(results.over_logs(), model, results).drop_nulls("accuracy").sort("accuracy", "method")
    name = means["model"][0]
    n_logs = max(means["logs"].to_list())
    methods = [shown(method, 60) + " †" * (n < n_logs) for method, n in means.select("method", "logs").iter_rows()]
    metrics = [metric for metric in _TITLES if means[metric].null_count() < means.height]
    figure = new_figure(3 + 4.5 * len(metrics), 1.8 + 0.22 * means.height)
    colours = [_OWN if method == ORIGINAL else _BAR for method in means["method"]]
    for axes, metric in zip(figure.subplots(1, len(metrics), sharey=True, squeeze=False)[0], metrics, strict=True):
        draw_bars(axes, methods, means[metric], means[f"{metric}_low"], means[f"{metric}_high"], colours)
        axes.set_title(_TITLES[metric])
    notes = [f"{name}: mean over {n_logs} log{'s' * (n_logs != 1)}; lines: 95 % bootstrap interval over logs"]
    if ORIGINAL in means["method"]:
        notes.append(f"{ORIGINAL}: vectors that the model learned itself")
    if means["logs"].min() != n_logs:
        notes.append("†: fewer logs, so the mean does not compare")
    figure.suptitle("\n".join(notes), fontsize=10)
    return finish(figure, path)


def accuracy_spread(
    results: Readable, model: str | None = None, logs: Collection[str] | None = None, path: str | Path | None = None
) -> Any:
    """Draw how the accuracy of each method differs from log to log: a box, or the figures themselves if there are few logs."""
    results = PredictionResults.of(results).of_logs(logs)
    table = _of_model(results.by_log(), model, results).drop_nulls("accuracy")
    order = table.group_by("method").agg(pl.col("accuracy").median()).sort("accuracy", "method")["method"].to_list()
    figure = new_figure(7.5, 1.5 + 0.24 * len(order))
    values = [table.filter(pl.col("method") == method)["accuracy"].to_list() for method in order]
    draw_spread(figure.subplots(), [shown(method, 60) for method in order], values)
    figure.suptitle(f"{table['model'][0]}: spread of the accuracy over {table['log'].n_unique()} logs", fontsize=10)
    return finish(figure, path)


def accuracy_by_log(
    results: Readable, model: str | None = None, logs: Collection[str] | None = None, path: str | Path | None = None
) -> Any:
    """Draw a heat map: the numbers are accuracies, the colours how far each is below the best of its log."""
    results = PredictionResults.of(results).of_logs(logs)
    table = _of_model(results.by_log(), model, results)
    means = table.group_by("method").agg(pl.col("accuracy").mean()).drop_nulls().sort("accuracy", "method")
    methods, complex_logs = means["method"].to_list(), results.complex_logs
    columns = table["log"].unique().sort().to_list()
    accuracies = {
        (method, log): value for method, log, value in table.select("method", "log", "accuracy").iter_rows() if value is not None
    }
    best = {log: max((value for (_, of_log), value in accuracies.items() if of_log == log), default=0.0) for log in columns}
    below = [[accuracies.get((method, log), float("nan")) - best[log] for log in columns] for method in methods]
    furthest = max(0.01, max(best[log] - value for (_, log), value in accuracies.items()))
    figure = new_figure(max(5, 3.2 + 0.62 * len(columns)), 2.4 + 0.22 * len(methods))
    axes = figure.subplots()
    picture = axes.imshow(below, origin="lower", aspect="auto", cmap="viridis", vmin=-furthest, vmax=0)
    for y, method in enumerate(methods):
        for x, log in enumerate(columns):
            value = accuracies.get((method, log))
            if value is None:
                axes.text(x, y, "-", ha="center", va="center", fontsize=7)
                continue
            colour = "black" if value - best[log] > -0.4 * furthest else "white"
            weight = "bold" if value == best[log] else "normal"
            axes.text(x, y, f"{value:.3f}", ha="center", va="center", fontsize=7, color=colour, weight=weight)
    names = [f"{log} *" if log in complex_logs else log for log in columns]
    axes.set_xticks(range(len(columns)), [shown(name) for name in names], rotation=45, ha="right", fontsize=8)
    axes.set_yticks(range(len(methods)), [shown(method, 60) for method in methods], fontsize=8)
    figure.colorbar(picture, ax=axes, label="difference from the log's best")
    starred = "; *: complex log" if set(columns) & set(complex_logs) else ""
    figure.suptitle(f"{table['model'][0]}: accuracy by log and method{starred}", fontsize=10)
    return finish(figure, path)


def _of_model(table: pl.DataFrame, model: str | None, results: PredictionResults) -> pl.DataFrame:
    """Return the rows of one model that has figures."""
    known = table.drop_nulls("accuracy")["model"].unique().sort().to_list()
    if model is None and len(known) == 1:
        model = known[0]
    if model not in known:
        problem = "which model?" if model is None else f"no figures of a model {model!r}."
        raise ActalikeError(f"{results.folder.path}: {problem} There are {', '.join(known) or 'none'}.")
    return table.filter(pl.col("model") == model)
