"""The intrinsic benchmark: are activities alike that are known to be one activity?"""

from actalike.benchmark.intrinsic import cells, columns, plots, results, run, tables
from actalike.benchmark.intrinsic.metrics import METRICS, Scores, scores
from actalike.benchmark.record import Benchmark

__all__ = ["BENCHMARK", "METRICS", "Scores", "scores"]

BENCHMARK = Benchmark(
    name=cells.NAME,
    title="Intrinsic",
    takes_log=run.takes_log,
    why_not=run.why_not,
    run=run.run,
    read=results.read,
    table=tables.table,
    plots=plots.plots,
    columns=columns.columns,
)
