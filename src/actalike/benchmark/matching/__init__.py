"""The benchmark of matching: is it found which activity of one log is which of another?"""

from actalike.benchmark.matching import cells, columns, plots, results, run, tables
from actalike.benchmark.record import Benchmark
from actalike.benchmark.tasks.matchers import Matcher, register

__all__ = ["BENCHMARK", "Matcher", "register"]

BENCHMARK = Benchmark(
    name=cells.NAME,
    title="Matching",
    takes_log=run.takes_log,
    why_not=run.why_not,
    run=run.run,
    read=results.read,
    table=tables.table,
    plots=plots.plots,
    columns=columns.columns,
)
