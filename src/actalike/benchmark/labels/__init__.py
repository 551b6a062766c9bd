"""The benchmark of labels: are names found that belong to one step?"""

from actalike.benchmark.labels import cells, columns, plots, results, run, tables
from actalike.benchmark.record import Benchmark
from actalike.benchmark.tasks.groupers import Grouper, register, why_not
from actalike.benchmark.tasks.planted_labels import RECIPES, Planted, plant

__all__ = ["BENCHMARK", "RECIPES", "Grouper", "Planted", "plant", "register"]

BENCHMARK = Benchmark(
    name=cells.NAME,
    title="Labels",
    takes_log=run.takes_log,
    why_not=why_not,
    run=run.run,
    read=results.read,
    table=tables.table,
    plots=plots.plots,
    columns=columns.columns,
)
