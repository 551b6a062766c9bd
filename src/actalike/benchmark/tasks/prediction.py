"""The next-activity benchmark: how well does a network predict what comes next from a method's vectors?

Vectors of all methods on a log come first, then all of them are trained at once, model by model, here or on another machine.
Every step leaves a file, written whole or not at all: the vectors of a method, the figures of a method with a model. What is
there is not computed again; a training that was stopped goes on from its last checkpoint. The files of results are those that the
training writes (:mod:`actalike.prediction.training`), in the format of version 0.2.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import polars as pl

from actalike.benchmark.folders import COUNT, NUMBER, TEXT, ResultFolder, items, read_json, record
from actalike.benchmark.logs import COMPLEX, LogFiles
from actalike.benchmark.pictures import draw_bars, draw_spread
from actalike.benchmark.record import Advance, Failure, Outcome, TrainingOutcome, Warn
from actalike.benchmark.results import Column, Key, PageColumn, Results, not_there_yet
from actalike.benchmark.scoring import RESAMPLES, draws, mean_and_interval
from actalike.benchmark.tables import csv_table, figure_table, layout
from actalike.benchmark.task import Source, Task, Unit, Work, shares
from actalike.benchmark.tasks.prediction_data import (
    CHANGED_LABELS,
    DRAWS,
    FEW_CASES,
    LEAKING,
    MAIN,
    SETTINGS,
    STANDARD,
    WHOLE,
    PredictionData,
    changes_of,
    conditions,
    prediction_data,
    prepare_method,
    task_data,
    task_names,
    write_changes,
    write_task,
    write_trigram,
)
from actalike.benchmark.tasks.prediction_training import (
    STEPS,
    TIME,
    Cell,
    PredictionOptions,
    choose_device,
    choose_jobs,
    error_of,
    make_cells,
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
from actalike.methods import Method, missing_extra
from actalike.prediction.training.task import METRICS, MODELS, ONE_HOT, ORIGINAL, WITHOUT_VECTORS, methods_of
from actalike.support.figures import finish, new_figure, shown


class SplitLog(NamedTuple):
    """A log of the benchmark, and its parts."""

    log: EventLog
    data: PredictionData


MEANS = ("accuracy", "complex", "mcc", "gain")  # of the table over logs, those with an interval
RETRAINED, RETRAINED_TOLD = "retrained", "retrained, told"  # ways beside those of training/changes.py
UNPLACED, TOLD = "unplaced", "told"
TRIGRAM, COUNTED = "trigram", "counted"  # the method and the way of what is counted on the new cases alone
_MOST = 0.99  # of the resamples, in which being told must be worth something
_BOUNDS = {UNPLACED: "one_hot_unplaced", TOLD: "one_hot_told"}  # columns of what one-hot vectors reach

_ABOUT = "accuracy of the next activity, by a network with these vectors ({}), mean over seeds"
_READ_BY = {  # ways of reading new labels
    "placed": "new labels placed among the old ones by these vectors",
    "read": "new labels read as old ones by Predictor.adapt",
}
_SCHEMA = {
    "model": pl.String,
    "condition": pl.String,
    "way": pl.String,
    "method": pl.String,
    "log": pl.String,
    "draw": pl.Int64,
    "seed": pl.Int64,
    **dict.fromkeys((*METRICS, TIME), pl.Float64),
    "epoch": pl.Int64,
    "error": pl.String,
}
_TRIGRAM_FILE = record(log_digest=TEXT, figures=items(record(condition=TEXT, draw=COUNT, accuracy=NUMBER)))
_OF_SETTINGS = ("condition", "way", "draw")  # columns that the standard setting has no use for


class PredictionResults(Results):
    """``singles`` has a row for each model, method, log and seed; a failure has a row with ``error`` and no figures.

    In other settings than the standard one, it also has a row for each ``condition``, and for each ``way`` of reading new labels.
    """

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
        options: PredictionOptions = task.options
        rows: list[dict[str, Any]] = []
        for path in sorted([*folder.path.glob("*/results/*/*.json"), *folder.path.glob("*/*/results/*/*.json")]):
            cell = read_cell(path, options, folder.digest(path.relative_to(folder.path).parts[0]))
            rows += _rows(cell, options.setting)
        if not rows:
            raise ActalikeError(f"{folder.path} has no results yet.")
        if options.setting == CHANGED_LABELS:
            rows += _trigram_rows(folder, sorted({(row["model"], row["log"]) for row in rows}))
        singles = pl.DataFrame(rows, schema=_SCHEMA).sort("model", "condition", "way", "method", "log", "draw", "seed")
        if options.setting == STANDARD:
            singles = singles.drop(_OF_SETTINGS)
        return cls(folder, singles, task, {}, requested(folder, options.setting))

    @property
    def setting(self) -> str:
        """The setting of the folder."""
        return str(self.folder.description.get("setting", STANDARD))

    @property
    def complex_logs(self) -> list[str]:
        """The logs that have more than 0.9 variants per case."""
        return [log["log"] for log in self.folder.logs.values() if log["variants_per_case"] > COMPLEX]

    @property
    def _keys(self) -> list[str]:
        """The columns that a mean over logs has one row for."""
        return [name for name in ("model", "condition", "way", "method") if name in self.singles.columns]

    def by_log(self) -> pl.DataFrame:
        """Return each method with each model on each log: means over the seeds, and the accuracy's deviation and range."""
        has_bounds = self.setting == CHANGED_LABELS
        singles = _with_bounds(self.singles) if has_bounds else self.singles
        return (
            singles.group_by(*self._keys, "log")
            .agg(
                pl.col(*METRICS, TIME, *(_BOUNDS.values() if has_bounds else ())).mean(),
                pl.col("accuracy").std().alias("spread"),
                pl.col("accuracy").min().alias("least"),
                pl.col("accuracy").max().alias("most"),
            )
            .sort(*self._keys, "log")
        )

    def over_logs(self, resamples: int = RESAMPLES) -> pl.DataFrame:
        """Return each method with each model over the logs: unweighted means of the logs' means over seeds.

        - ``complex``: the accuracy over the complex logs (variants per case above 0.9).
        - ``spread``: the mean over logs of the deviation between seeds (and draws of labels).
        - ``gain``: the accuracy beyond that of the model's own, learned vectors, log by log; beyond one-hot vectors in other
          settings than the standard one.
        - ``reached``, if labels have changed: how far the accuracy is on the way from that of one-hot vectors, by which new
          labels cannot be placed, to that of the network with one-hot vectors if it is told the old names: with sums over logs,
          Σ (accuracy - unplaced) / Σ (told - unplaced). It has no interval if being told is of no use in too many resamples.
        - ``time_mae``: the error of the predicted time in days, of models that predict it.

        95 % intervals are from resampling the logs.
        """
        table = self.by_log()
        of_setting = [name for name in self._keys if name != "method"]
        reference = ORIGINAL if self.setting == STANDARD else ONE_HOT
        own = table.filter(pl.col("method") == reference).select(*of_setting, "log", pl.col("accuracy").alias("own"))
        table = table.join(own, on=[*of_setting, "log"], how="left", nulls_equal=True).with_columns(
            (pl.col("accuracy") - pl.col("own")).alias("gain"),
            pl.when(pl.col("log").is_in(self.complex_logs)).then(pl.col("accuracy")).alias("complex"),
        )
        has_changes = self.setting == CHANGED_LABELS
        rows = []
        for keys, part in table.group_by(*self._keys, maintain_order=True):
            row: dict[str, Any] = dict(zip(self._keys, keys, strict=True))
            row["logs"] = part["accuracy"].drop_nulls().len()
            row["failed"] = part.height - part["accuracy"].drop_nulls().len()
            for metric in (*MEANS, TIME):
                row |= mean_and_interval(part[metric], resamples)
            row["spread"] = part["spread"].mean()
            rows.append(row | (_reached(part, resamples) if has_changes else {}))
        means = (*MEANS, TIME, "reached") if has_changes else (*MEANS, TIME)
        schema = dict.fromkeys((f"{metric}{end}" for metric in means for end in ("", "_low", "_high")), pl.Float64)
        return pl.DataFrame(rows, schema_overrides={**schema, "spread": pl.Float64}, infer_schema_length=None)

    def gaps(self) -> list[str]:
        """Return what a reader of the means must know: what is not there yet, and failures."""
        missing = self.requested - self.done
        names = (f"{Cell.of(key).model} with {Cell.of(key).method}" for key in missing)
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
        cells = self.singles.select("model", "method", "log", pl.lit(WHOLE).alias("task"))
        if self.setting == CHANGED_LABELS:
            is_again = pl.col("way").is_in([RETRAINED, RETRAINED_TOLD])
            trained = self.singles.filter(pl.col("way").ne_missing(COUNTED))
            cells = trained.select("model", "method", "log", pl.when(is_again).then("condition").otherwise(pl.lit(WHOLE)))
        elif self.setting != STANDARD:
            cells = self.singles.select("model", "method", "log", "condition")
        return {Cell(*row).key for row in cells.unique().iter_rows()}

    def table(self, *, form: str, by_log: bool, intervals: bool) -> str:
        """Return the results as Markdown, LaTeX or CSV: a part for each model."""
        return _table(self, form=form, by_log=by_log, intervals=intervals)

    def pictures(self) -> dict[str, Any]:
        """Draw all pictures; return them by name."""
        return _pictures(self)

    def page_columns(self) -> list[PageColumn]:
        """Return a column for each model; of few cases, for each share; of changed labels, for each way of reading them."""
        table = self.by_log().drop_nulls("accuracy")
        by = ["model"]
        if self.setting == FEW_CASES:
            by = ["model", "condition"]
        elif self.setting == CHANGED_LABELS:
            table = table.filter((pl.col("condition") == MAIN.name) & pl.col("way").is_in(list(_READ_BY)))
            by = ["model", "way"]
        return [
            PageColumn(" ".join(map(str, names)), _about(*map(str, names)), "share", part, "accuracy")
            for names, part in table.group_by(*by, maintain_order=True)
        ]


class Prediction(Task):
    """Run the next-activity benchmark: a network predicts what comes next from a method's vectors, which it cannot change.

    Many methods of a log train together. Stop it at any time; the same command goes on where it stopped. Then: actalike
    benchmark table DIR

    Examples:

    actalike benchmark prediction --logs orders.xes.gz --methods kin-w5 aa-sequence-pmi-w3 --out results

    actalike benchmark prediction --logs event_logs/ --models evermann evermann-published --out results

    actalike benchmark prediction --logs event_logs/ --setting changed-labels --methods kin-w5 --out changed
    """

    name = "prediction"
    title = "Next activity"
    metrics: ClassVar[Mapping[str, Any]] = shares(*METRICS, TIME)
    columns: ClassVar[Sequence[Column]] = ()
    unit_columns: ClassVar[Mapping[str, Any]] = {"model": pl.String, "condition": pl.String}
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

    def why_not(self, participant: Method) -> str | None:
        """Return why a method cannot take part, if it cannot."""
        if self.options.setting == CHANGED_LABELS and participant.reads_labels:
            return "reads the text of labels, which change"
        return missing_extra(participant)

    def choose(self, patterns: Sequence[str] | None, warn: Warn) -> dict[str, Any]:
        """Return the methods, ``one-hot`` always among them."""
        options: PredictionOptions = self.options
        for model in options.models:
            if model not in MODELS:
                raise ActalikeError(f"No model is called {model!r}.{did_you_mean(model, MODELS)} There are {', '.join(MODELS)}.")
        check_setting(options.setting, options.models)
        chosen: dict[str, Any] = super().choose(patterns, warn)
        if ONE_HOT not in chosen:
            chosen |= self.participants.choose([ONE_HOT], self.why_not, warn)
        for name in [name for model in options.models for name in methods_of(model, []) if name in chosen]:
            raise ActalikeError(f"{name!r} is what a model alone is called here: register your method under another name.")
        return chosen

    def check(self, logs: Sequence[str], jobs: int | None) -> None:
        """Refuse a device that is not there, and processes where they are of no use."""
        self.device = None if self.options.prepare_only else choose_device(self.options.device)
        self.processes = 1 if self.device is None else choose_jobs(jobs, self.device)

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
        """Yield each task and model for each log."""
        for log, task, model in product(sources, task_names(self.options.setting), self.options.models):
            yield Unit(log, f"{model} {task}".strip(), {"model": model, "condition": task})

    def asked(self, unit: Unit, participants: Mapping[str, Any]) -> list[str]:
        """Return the methods of a model, and what it is called without any."""
        model, task = unit.at["model"], unit.at["condition"]
        return [cell.method for cell in make_cells([unit.log], list(participants), [model], [task])]

    def request(self, asked: Mapping[tuple[str, str], Sequence[str]], participants: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is to be trained, as the machine that trains reads it."""
        logs = sorted({log for log, _ in asked})
        return {"logs": logs, "methods": sorted(participants), "models": sorted(self.options.models)}

    def prepare(self, work: Work) -> None:
        """Write the ids of all tasks of all logs, and the vectors of the methods that have none yet."""
        setting = self.options.setting
        n = len(work.sources) * len(task_names(setting)) * len(work.participants)
        with work.progress("vectors", n) as advance:
            for source in work.sources.values():
                prepare_log(work.out, source, setting, work.participants, work.retry_failed, advance)

    def collect(self, work: Work, outcome: Outcome) -> Outcome:
        """Train what has no result yet, unless another machine is to do that."""
        options: PredictionOptions = self.options
        trainings: dict[tuple[str, str, str], list[Cell]] = {}
        for batch in work.batches:
            at = batch.unit.at
            cells = trainings.setdefault((batch.unit.log, at["condition"], at["model"]), [])
            cells += [Cell(at["model"], method, batch.unit.log, at["condition"]) for method in batch.participants]
        failed = {
            cell: e for cells in trainings.values() for cell, e in note_failures(cells, work.out, work.retry_failed).items()
        }
        computed = 0
        if self.device is not None:
            parts = [
                part
                for (log, _, _), cells in trainings.items()
                for part in missing_parts(cells, work.out, work.sources[log].digest, options, self.device)
            ]
            computed = sum(len(part.methods) for part in parts)
            with work.progress("training", len(parts) * STEPS) as advance:
                train_parts(parts, options.seeds, options.epochs, self.device, self.processes, advance)
            for part in parts:
                training().remove_checkpoints(part.folder, part.model)
            failed = {cell: e for cells in trainings.values() for cell in cells if (e := error_of(cell.file(work.out)))}
        failures = tuple(
            Failure(cell.method, f"{cell.log} {cell.task}".strip(), error, cell.model) for cell, error in sorted(failed.items())
        )
        done = (outcome.out, outcome.cells, computed, len(failed), failures, outcome.logs, outcome.methods)
        return TrainingOutcome(*done, tuple(options.models), options.seeds, self.device, options.setting)


TASK = Prediction


def check_setting(setting: str, models: Sequence[str]) -> None:
    """Refuse a setting that does not exist, and one that a model cannot take part in."""
    if setting not in SETTINGS:
        raise ActalikeError(
            f"No setting is called {setting!r}.{did_you_mean(setting, SETTINGS)} There are {', '.join(SETTINGS)}."
        )
    unfit = [model for model in models if model in WITHOUT_VECTORS]
    if setting == CHANGED_LABELS and unfit:
        raise ActalikeError(
            f"{unfit[0]} cannot take part in the setting {setting}: it has no table in which new labels could be placed. "
            "Leave it out of --models."
        )


def _with_times(log: EventLog) -> EventLog:
    """Return a log without times, if some of its events have none."""
    if log.timestamps is None or not np.isnat(log.timestamps).any():
        return log
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids)


def prepare_log(
    out: Path, source: Source, setting: str, methods: Mapping[str, Method], retry_failed: bool, advance: Advance
) -> None:
    """Write the ids of all tasks of a log, and the vectors of the methods that have none yet."""
    for task, data in task_data(setting, source.data.data):
        folder = out / source.name / task
        if not (folder / "task.npz").exists():
            write_task(folder / "task.npz", data)
        has_changes = setting == CHANGED_LABELS and task == WHOLE
        lacking = [name for name in methods if not _is_prepared(folder, name, has_changes, retry_failed)]
        file = folder / "changes.npz"
        trigram = folder / f"{TRIGRAM}.json"
        is_whole = file.exists() and trigram.exists()
        changes = changes_of(data) if has_changes and (lacking or not is_whole) else []
        if has_changes and not file.exists():
            write_changes(file, data, changes)
        if has_changes and not trigram.exists():
            write_trigram(trigram, data, source.digest, changes)
        for name, method in methods.items():
            if name in lacking:
                prepare_method(name, method, data, folder, source.digest, changes)
            advance(", ".join(filter(None, (source.name, task, name))))


def _is_prepared(folder: Path, method: str, has_changes: bool, retry_failed: bool) -> bool:
    """Return whether a method's vectors (and placements) are there, or the error with which it failed."""
    path = folder / "vectors" / f"{method}.json"
    if not path.exists() or error_of(path):
        return path.exists() and not retry_failed
    placements = folder / "placements" / f"{method}.npz"
    return path.with_suffix(".npz").exists() and (placements.exists() or not has_changes)


def _with_bounds(singles: pl.DataFrame) -> pl.DataFrame:
    """Add what one-hot vectors reach with the same model, log, condition and draw: without placing, and if told the old names."""
    same = ["model", "condition", "log", "draw"]
    for way, name in _BOUNDS.items():
        bound = singles.filter((pl.col("method") == ONE_HOT) & (pl.col("way") == way))
        singles = singles.join(bound.group_by(same).agg(pl.col("accuracy").mean().alias(name)), on=same, how="left")
    return singles


def _reached(part: pl.DataFrame, resamples: int) -> dict[str, float | None]:
    """Return how far a method gets from not placing to being told, as sums over logs, with its interval."""
    known = part.drop_nulls(["accuracy", *_BOUNDS.values()])
    gained = (known["accuracy"] - known[_BOUNDS[UNPLACED]]).to_numpy()
    possible = (known[_BOUNDS[TOLD]] - known[_BOUNDS[UNPLACED]]).to_numpy()
    names = ("reached", "reached_low", "reached_high")
    if not possible.sum() > 0 or set(part["condition"]) & LEAKING:
        return dict.fromkeys(names)
    bounds: tuple[float | None, float | None] = None, None
    if len(possible) > 1:
        chosen = draws(len(possible), resamples)
        gained_again, possible_again = gained[chosen].sum(axis=1), possible[chosen].sum(axis=1)
        if (possible_again > 0).mean() > _MOST:  # else there are too many logs on which being told is of no use
            shares = gained_again[possible_again > 0] / possible_again[possible_again > 0]
            low, high = np.quantile(shares, [0.025, 0.975])
            bounds = float(low), float(high)
    return dict(zip(names, (float(gained.sum() / possible.sum()), *bounds), strict=True))


def _rows(cell: dict[str, Any], setting: str) -> Iterator[dict[str, Any]]:
    """Yield the rows of a result file; what a row does not have is null."""
    has_changes = setting == CHANGED_LABELS
    shared = {name: cell[name] for name in ("model", "method", "log")} | {"condition": cell["task"] or None}
    of_task = {"way": RETRAINED if has_changes and cell["task"] else None, "draw": 0}
    if "error" in cell:
        yield {**shared, **of_task, "error": cell["error"]}
    for figures in cell.get("seeds", []):
        seed = {**shared, "seed": figures["seed"], "epoch": figures["epoch"]}
        if cell["task"] or not has_changes:
            yield {**seed, **of_task, **{metric: figures.get(metric) for metric in (*METRICS, TIME)}}
        if "told" in figures:
            yield {**seed, "way": RETRAINED_TOLD, "draw": 0, "accuracy": figures["told"]}
        for change in figures.get("changes", []):
            yield {**seed, **change}


def _trigram_rows(folder: ResultFolder, trained: Iterable[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield the figures of the trigrams, beside the networks of each model and log. Older folders have none."""
    for model, log in trained:
        path = folder.path / log / f"{TRIGRAM}.json"
        if not path.exists():
            continue
        found = read_json(path, _TRIGRAM_FILE)
        if found["log_digest"] != folder.digest(log):
            raise ActalikeError(f"{path} is of another log that is also called {log!r}: remove it, and run the benchmark again.")
        for figures in found["figures"]:
            yield {"model": model, "method": TRIGRAM, "log": log, "way": COUNTED, "seed": 0, **figures}


def _about(model: str, condition: str | None = None) -> str:
    if condition in _READ_BY:
        return f"{_ABOUT.format(model)}; {MAIN.percent} % of the labels are new, {_READ_BY[condition]}"
    return _ABOUT.format(model if condition is None else f"{model}, {condition}")


# --- tables ------------------------------------------------------------------------------------------------------------------


_OF_LOGS = ("accuracy", "spread", "mcc")
_OVER_LOGS = (*MEANS[:3], "spread", "gain")
_WAYS = (UNPLACED, TOLD, "placed", RETRAINED, "read", "matched")


def _table(results: PredictionResults, *, form: str, by_log: bool, intervals: bool) -> str:
    """Return the results as Markdown, LaTeX or CSV."""
    frame = results.frame(by_log=by_log)
    if form == "csv":
        return csv_table(frame)
    parts = []
    for (model,), part in frame.group_by("model", maintain_order=True):
        if results.setting == FEW_CASES:
            text = _by_condition(part, form, "accuracy", by_log=by_log, intervals=intervals)
        elif results.setting == CHANGED_LABELS:
            text = _of_changes(part, form, by_log=by_log, intervals=intervals)
        else:
            metrics = _OF_LOGS if by_log else MEANS if intervals else _OVER_LOGS
            shown = (*metrics, TIME) if part[TIME].count() else metrics  # not all models predict times
            text = figure_table(part, form, shown, by_log=by_log, intervals=intervals, ranked=MEANS[:3])
        parts.append(f"{model}:\n\n{text}")
    return "\n\n".join(parts)


def _of_changes(part: pl.DataFrame, form: str, *, by_log: bool, intervals: bool) -> str:
    """Return the accuracies of the main condition by way, and how far each method gets with each way under every condition."""
    main = part.filter(pl.col("condition") == MAIN.name)
    of_ways = [way for way in _WAYS if way in main["way"].to_list()]
    rows = ["log", "method"] if by_log else ["method"]
    title = f"Accuracy, {MAIN.name} ({RETRAINED}: of the first draw, the others of all {DRAWS})"
    accuracy = f"{title}:\n\n{_pivot(main, rows, 'way', of_ways, 'accuracy', form, intervals=intervals)}"
    if by_log:
        return accuracy
    placed = part.filter(~pl.col("way").is_in([UNPLACED, TOLD, RETRAINED_TOLD]) & pl.col("reached").is_not_null())
    present = set(placed["condition"])
    names = [name for name in dict.fromkeys(condition.name for condition in conditions()) if name in present]
    reached = _pivot(placed, ["way", "method"], "condition", names, "reached", form, intervals=intervals)
    return f"{accuracy}\n\nOf the way from not placing new labels to being told the old ones:\n\n{reached}"


def _by_condition(part: pl.DataFrame, form: str, figure: str, *, by_log: bool, intervals: bool) -> str:
    shares = list(dict.fromkeys(part["condition"].drop_nulls().sort()))
    return _pivot(part, ["log", "method"] if by_log else ["method"], "condition", shares, figure, form, intervals=intervals)


def _pivot(
    part: pl.DataFrame, rows: list[str], column: str, values: list[str], figure: str, form: str, *, intervals: bool
) -> str:
    """Lay out a figure with a column for each value of ``column``."""
    cells = {
        (*(row[name] for name in rows), row[column]): _cell(row, figure, intervals=intervals)
        for row in part.iter_rows(named=True)
        if row[figure] is not None
    }
    heads = list(dict.fromkeys(key[:-1] for key in cells))
    lines = [[*head, *(cells.get((*head, value), "-") for value in values)] for head in sorted(heads)]
    return layout([*rows, *values], lines, form)


def _cell(row: dict[str, float], figure: str, *, intervals: bool) -> str:
    low, high = row.get(f"{figure}_low"), row.get(f"{figure}_high")
    return f"{row[figure]:.3f}" if not intervals or low is None or high is None else f"{row[figure]:.3f} [{low:.3f}, {high:.3f}]"


# --- pictures ----------------------------------------------------------------------------------------------------------------


_BAR, _OWN = "#56b4e9", "#e69f00"
_MOST_LINES = 8  # more cannot be told apart
_TITLES = {"accuracy": "accuracy", "complex": "accuracy on complex logs"}


Readable = str | Path | PredictionResults  # a folder of results, or what was read from it


def _pictures(results: PredictionResults) -> dict[str, Any]:
    """Draw all pictures; return them by name."""
    pictures = {}
    for model in results.singles.drop_nulls("accuracy")["model"].unique().sort():
        if results.setting == FEW_CASES:
            pictures[f"{model}_by_share"] = accuracy_by_share(results, model)
            continue
        if results.setting != STANDARD:
            pictures[f"{model}_reached"] = reached_by_way(results, model)
            pictures[f"{model}_by_condition"] = reached_by_condition(results, model)
            continue
        pictures[f"{model}_by_method"] = accuracy_by_method(results, model)
        pictures[f"{model}_by_log"] = accuracy_by_log(results, model)
        pictures[f"{model}_spread"] = accuracy_spread(results, model)
    return pictures


def accuracy_by_method(
    results: Readable, model: str | None = None, logs: Collection[str] | None = None, path: str | Path | None = None
) -> Any:
    """Draw the mean accuracy over the logs: a bar for each method, the best on top, with bootstrap intervals.

    Beside them stand the means of the complex logs, if there are any. ``model`` may be left out where there is only one.
    """
    results = PredictionResults.of(results).of_logs(logs)
    _check_setting(results)
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
    _check_setting(results)
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
    _check_setting(results)
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


def accuracy_by_share(results: PredictionResults, model: str) -> Any:
    """Draw the mean accuracy over the logs against the share of the cases: lines of one-hot vectors and the best methods."""
    means = _of_model(results.over_logs(), model, results).drop_nulls("accuracy")
    conditions = means["condition"].unique().sort().to_list()
    lines = {(method,): part for (method,), part in means.group_by("method", maintain_order=True)}
    figure = new_figure(7.5, 5)
    _draw_lines(figure.subplots(), lines, conditions, "accuracy", always=(ONE_HOT,))
    figure.suptitle(f"{model}: mean accuracy over the logs by share of the training cases (cases-05: 5 %)", fontsize=10)
    return finish(figure, None)


def reached_by_way(results: PredictionResults, model: str) -> Any:
    """Draw how far each method gets from not placing new labels to being told the old ones: a bar for each way."""
    means = _means_of_changes(results, model).filter(pl.col("condition") == MAIN.name).sort("way", "reached", "method")
    names = [f"{shown(method, 50)}, {way}" for method, way in means.select("method", "way").iter_rows()]
    figure = new_figure(8, 1.8 + 0.22 * max(means.height, 1))
    axes = figure.subplots()
    low, high = (means[f"reached_{end}"].fill_null(means["reached"]) for end in ("low", "high"))
    draw_bars(axes, names, means["reached"], low, high, _BAR)
    axes.set_xlim(auto=True)
    axes.autoscale(axis="x")
    figure.suptitle(f"{model}, {MAIN.name}: of the way from not placing new labels to being told the old ones", fontsize=10)
    return finish(figure, None)


def reached_by_condition(results: PredictionResults, model: str) -> Any:
    """Draw how far the best methods get under each condition, a line for each way."""
    means = _means_of_changes(results, model)
    present = set(means["condition"])
    names = [name for name in dict.fromkeys(condition.name for condition in conditions()) if name in present]
    lines = {(method, way): part for (method, way), part in means.group_by("method", "way", maintain_order=True)}
    figure = new_figure(9, 5)
    _draw_lines(figure.subplots(), lines, names, "reached", always=(TRIGRAM,))
    figure.suptitle(f"{model}: of the way from not placing new labels to being told the old ones", fontsize=10)
    return finish(figure, None)


def _means_of_changes(results: PredictionResults, model: str) -> pl.DataFrame:
    means = _of_model(results.over_logs(), model, results)
    return means.filter(pl.col("reached").is_not_null() & ~pl.col("way").is_in([UNPLACED, TOLD, RETRAINED_TOLD]))


def _draw_lines(
    axes: Any, lines: dict[Any, pl.DataFrame], conditions: list[str], figure: str, always: Collection[str] = ()
) -> None:
    """Draw a line over the conditions for each of the best names, by their means, and for those that are always shown."""
    best = sorted(lines, key=lambda name: (-float(lines[name][figure].to_numpy().mean()), name))
    chosen = [name for place, name in enumerate(best) if place < _MOST_LINES or name[0] in always]
    for name in chosen:
        values = dict(lines[name].select("condition", figure).iter_rows())
        places = [place for place, condition in enumerate(conditions) if condition in values]
        label = shown(", ".join(name), 50)
        axes.plot(places, [values[conditions[place]] for place in places], "o-", markersize=4, label=label)
    axes.set_xticks(range(len(conditions)), conditions, rotation=30, ha="right", fontsize=8)
    axes.set_ylabel(figure)
    axes.grid(alpha=0.3)
    if chosen:
        title = f"the best {_MOST_LINES} of {len(lines)}" if len(chosen) < len(lines) else None
        axes.legend(fontsize=8, title=title)


def _check_setting(results: PredictionResults) -> None:
    """Refuse results whose accuracies are of several conditions, which a picture by method or log would mix."""
    if results.setting != STANDARD:
        raise ActalikeError(
            f"{results.folder.path} is of the setting {results.setting}, whose conditions this picture would mix. "
            "'actalike benchmark plots' draws what there is to see."
        )


def _of_model(table: pl.DataFrame, model: str | None, results: PredictionResults) -> pl.DataFrame:
    """Return the rows of one model that has figures."""
    known = table.drop_nulls("accuracy")["model"].unique().sort().to_list()
    if model is None and len(known) == 1:
        model = known[0]
    if model not in known:
        problem = "which model?" if model is None else f"no figures of a model {model!r}."
        raise ActalikeError(f"{results.folder.path}: {problem} There are {', '.join(known) or 'none'}.")
    return table.filter(pl.col("model") == model)
