"""Tables of the intrinsic benchmark: the four metrics of each method, over the logs or log by log."""

import polars as pl

from actalike.benchmark.intrinsic.metrics import METRICS
from actalike.benchmark.intrinsic.results import IntrinsicResults
from actalike.benchmark.tables import csv_table, figure_table


def table(results: IntrinsicResults, *, form: str, by_log: bool, intervals: bool) -> str:
    """Return the results as Markdown, LaTeX or CSV; as CSV, means have the columns that the figures of the logs have."""
    frame = results.frame(by_log=by_log)
    if form != "csv":
        return figure_table(frame, form, METRICS, by_log=by_log, intervals=intervals)
    return csv_table(frame if by_log else frame.select("method", pl.lit("mean").alias("log"), *METRICS))
