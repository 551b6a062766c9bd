"""The columns of the next-activity benchmark on the benchmark page."""

import polars as pl

from actalike.benchmark.prediction.changed_labels import MAIN
from actalike.benchmark.prediction.results import PredictionResults
from actalike.benchmark.prediction.settings import CHANGED_LABELS, FEW_CASES
from actalike.benchmark.record import Column

_ABOUT = "accuracy of the next activity, by a network with these vectors ({}), mean over seeds"
_WAYS = {  # of reading new labels
    "placed": "new labels placed among the old ones by these vectors",
    "read": "new labels read as old ones by Predictor.adapt",
}


def columns(results: PredictionResults) -> list[Column]:
    """Return a column for each model; of few cases, for each share; of changed labels, for each way of reading them."""
    table = results.by_log().drop_nulls("accuracy")
    by = ["model"]
    if results.setting == FEW_CASES:
        by = ["model", "condition"]
    elif results.setting == CHANGED_LABELS:
        table = table.filter((pl.col("condition") == MAIN.name) & pl.col("way").is_in(list(_WAYS)))
        by = ["model", "way"]
    return [
        Column(" ".join(map(str, names)), _about(*map(str, names)), "share", part, "accuracy")
        for names, part in table.group_by(*by, maintain_order=True)
    ]


def _about(model: str, condition: str | None = None) -> str:
    if condition in _WAYS:
        return f"{_ABOUT.format(model)}; {MAIN.percent} % of the labels are new, {_WAYS[condition]}"
    return _ABOUT.format(model if condition is None else f"{model}, {condition}")
