"""The next-activity benchmark: how well does a network predict what comes next from a method's vectors?"""

from actalike.benchmark.prediction import cells, columns, plots, results, run, tables
from actalike.benchmark.record import Benchmark

__all__ = ["BENCHMARK"]

BENCHMARK = Benchmark(
    name=cells.NAME,
    title="Next activity",
    takes_log=run.takes_log,
    why_not=run.why_not,
    run=run.run,
    read=results.read,
    table=tables.table,
    plots=plots.plots,
    columns=columns.columns,
)
