"""The benchmark of anomalies: are cases, events and values found that were made odd on purpose?"""

from actalike.benchmark.anomalies import benchmark_logs, cells, columns, plots, results, run, tables
from actalike.benchmark.anomalies.contract import Detector, register
from actalike.benchmark.anomalies.detectors import DETECTORS
from actalike.benchmark.record import Benchmark

__all__ = ["BENCHMARK", "Detector", "register"]

BENCHMARK = Benchmark(
    name=cells.NAME,
    title="Anomalies",
    takes_log=benchmark_logs.takes_log,
    why_not=run.why_not,
    run=run.run,
    read=results.read,
    table=tables.table,
    plots=plots.plots,
    columns=columns.columns,
)

for _detector in DETECTORS:
    register(_detector.name, _detector)
