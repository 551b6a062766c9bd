import polars as pl
import pytest

from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.tasks.prediction import Prediction, PredictionResults
from actalike.prediction.training.task import METRICS

ROWS = [  # model, method, log, seed, accuracy, error; loan is a complex log
    ("evermann", "kin-w5", "loan", 0, 0.75, None),
    ("evermann", "kin-w5", "loan", 1, 0.25, None),
    ("evermann", "kin-w5", "plain", 0, 1.0, None),
    ("evermann", "one-hot", "loan", None, None, "RuntimeError: no luck"),
    ("evermann", "original", "loan", 0, 0.25, None),
    ("evermann", "original", "plain", 0, 0.5, None),
    ("tax", "tax", "loan", 0, 0.125, None),
]


@pytest.fixture
def few_results(tmp_path):
    """Results of two models on two logs, without a training; a method failed on one log. All scores are the accuracy."""
    columns = ["model", "method", "log", "seed", "accuracy", "error"]
    singles = pl.DataFrame(ROWS, schema=columns, orient="row").with_columns(
        *(pl.col("accuracy").alias(metric) for metric in METRICS if metric != "accuracy"),
        pl.when(pl.col("model") == "tax").then(2.5).alias("time_mae"),
    )
    logs = {name: {"log": name, "variants_per_case": share} for name, share in (("loan", 0.95), ("plain", 0.1))}
    return PredictionResults(ResultFolder(tmp_path, {"benchmark": "prediction"}, logs), singles, Prediction(), {}, frozenset())
