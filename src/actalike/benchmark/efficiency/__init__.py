"""The efficiency benchmark: how long a method takes, from a log to all distances, and how much memory."""

from actalike.benchmark.efficiency import cells, columns, plots, results, run, tables
from actalike.benchmark.record import Benchmark

__all__ = ["BENCHMARK"]

BENCHMARK = Benchmark(
    name=cells.NAME,
    title="Speed",
    takes_log=run.takes_log,
    why_not=run.why_not,
    run=run.run,
    read=results.read,
    table=tables.table,
    plots=plots.plots,
    columns=columns.columns,
)
