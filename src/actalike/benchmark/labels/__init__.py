"""The benchmark of labels: are names found that belong to one step?"""

from actalike.benchmark.labels import cells, columns, participants, plots, results, run, tables
from actalike.benchmark.labels.contract import Grouper, register
from actalike.benchmark.labels.groupers import GROUPERS
from actalike.benchmark.labels.planting import Planted, plant
from actalike.benchmark.labels.recipes import RECIPES
from actalike.benchmark.record import Benchmark

__all__ = ["BENCHMARK", "RECIPES", "Grouper", "Planted", "plant", "register"]

BENCHMARK = Benchmark(
    name=cells.NAME,
    title="Labels",
    takes_log=run.takes_log,
    why_not=participants.why_not,
    run=run.run,
    read=results.read,
    table=tables.table,
    plots=plots.plots,
    columns=columns.columns,
)

for _grouper in GROUPERS:
    register(_grouper.name, _grouper)
