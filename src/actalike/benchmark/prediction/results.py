"""Results of the next-activity benchmark: from a folder of result files to tidy tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.logs import COMPLEX
from actalike.benchmark.prediction.cells import TIME, Cell, Plan, read_cell, requested
from actalike.benchmark.prediction.changed_labels import LEAKING
from actalike.benchmark.prediction.settings import CHANGED_LABELS, STANDARD, WHOLE
from actalike.benchmark.results import Results, not_there_yet
from actalike.benchmark.scoring import RESAMPLES, draws, mean_and_interval
from actalike.errors import ActalikeError
from actalike.prediction.training.task import METRICS, ONE_HOT, ORIGINAL

MEANS = ("accuracy", "complex", "mcc", "gain")  # of the table over logs, those with an interval
RETRAINED, RETRAINED_TOLD = "retrained", "retrained, told"  # ways beside those of training/changes.py
UNPLACED, TOLD = "unplaced", "told"
_MOST = 0.99  # of the resamples, in which being told must be worth something
_BOUNDS = {UNPLACED: "one_hot_unplaced", TOLD: "one_hot_told"}  # columns of what one-hot vectors reach

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
_OF_SETTINGS = ("condition", "way", "draw")  # columns that the standard setting has no use for


@dataclass(frozen=True)
class PredictionResults(Results):
    """``singles`` has a row for each model, method, log and seed; a failure has a row with ``error`` and no figures.

    In other settings than the standard one, it also has a row for each ``condition``, and for each ``way`` of reading new labels.
    """

    requested: frozenset[Cell]

    @classmethod
    def of(cls, results: "str | Path | PredictionResults") -> "PredictionResults":
        """Read the results of a folder, if they are not read yet."""
        return results if isinstance(results, PredictionResults) else read(ResultFolder.open(results))

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
        done = {Cell(*row) for row in self.done.iter_rows()}
        wanted = self.requested | done
        missing = wanted - done
        names = (f"{cell.model} with {cell.method}" for cell in missing)
        gaps = [f"{gap}: means are over the others" for gap in not_there_yet(len(missing), len(wanted), names)]
        for (model, method), part in self.failures.group_by("model", "method", maintain_order=True):
            where = ", ".join(sorted(set(part["log"])))
            gaps.append(f"{model} with {method} failed on {where} (not in its means): {part['error'][0].rstrip('.')}")
        return gaps

    @property
    def done(self) -> pl.DataFrame:
        """The cells that have results: model, method, log and task."""
        cells = self.singles.select("model", "method", "log", pl.lit(WHOLE).alias("task"))
        if self.setting == CHANGED_LABELS:
            is_again = pl.col("way").is_in([RETRAINED, RETRAINED_TOLD])
            cells = self.singles.select("model", "method", "log", pl.when(is_again).then("condition").otherwise(pl.lit(WHOLE)))
        elif self.setting != STANDARD:
            cells = self.singles.select("model", "method", "log", "condition")
        return cells.unique()


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


def read(folder: ResultFolder) -> PredictionResults:
    """Read all result files of a folder."""
    plan = Plan.of_folder(folder)
    rows: list[dict[str, Any]] = []
    for path in sorted([*folder.path.glob("*/results/*/*.json"), *folder.path.glob("*/*/results/*/*.json")]):
        cell = read_cell(path, plan, folder.digest(path.relative_to(folder.path).parts[0]))
        rows += _rows(cell, plan.setting)
    if not rows:
        raise ActalikeError(f"{folder.path} has no results yet.")
    singles = pl.DataFrame(rows, schema=_SCHEMA).sort("model", "condition", "way", "method", "log", "draw", "seed")
    if plan.setting == STANDARD:
        singles = singles.drop(_OF_SETTINGS)
    return PredictionResults(folder, singles, requested(folder))


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
