"""The benchmark of matching: is it found which activity of one log is which of another?"""

from actalike.benchmark.matching import cells, columns, plots, results, run, tables
from actalike.benchmark.matching.contract import Matcher, register
from actalike.benchmark.matching.matchers import MATCHERS
from actalike.benchmark.record import Benchmark

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

for _matcher in MATCHERS:
    register(_matcher.name, _matcher)
