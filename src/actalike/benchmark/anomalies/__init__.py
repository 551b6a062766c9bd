"""The benchmark of anomalies: are cases, events and values found that were made odd on purpose?"""

from actalike.benchmark.anomalies import cells, columns, plots, results, run, tables
from actalike.benchmark.record import Benchmark
from actalike.benchmark.tasks.anomaly_logs import takes_log
from actalike.benchmark.tasks.detectors import Detector, register

__all__ = ["BENCHMARK", "Detector", "register"]

BENCHMARK = Benchmark(
    name=cells.NAME,
    title="Anomalies",
    takes_log=takes_log,
    why_not=run.why_not,
    run=run.run,
    read=results.read,
    table=tables.table,
    plots=plots.plots,
    columns=columns.columns,
)
