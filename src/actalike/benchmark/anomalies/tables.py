"""Tables of the benchmark of anomalies: a part for each question, published figures beside, and how far ours are from theirs."""

import polars as pl

from actalike.benchmark.anomalies.results import AnomalyResults
from actalike.benchmark.anomalies.summary import AS_PUBLISHED, PARTS, columns_of
from actalike.benchmark.scoring import mean_and_interval
from actalike.benchmark.tables import csv_table, figure_table, layout
from actalike.benchmark.tasks.anomaly_logs import PUBLISHED, RECREATED, published_figures, published_methods
from actalike.benchmark.tasks.anomaly_scores import NO_REASON
from actalike.benchmark.tasks.planted_anomalies import PLANTED
from actalike.oddities import KINDS

PUBLISHED_END = ", published"  # of the names of published methods: no detector's name has a comma
_PROTOCOLS = {"bpad": "BPAD's protocol", "known": "Known labels and values"}


def table(results: AnomalyResults, *, form: str, by_log: bool, intervals: bool) -> str:
    """Return the results as Markdown, LaTeX or CSV. Columns and detectors without any figure are left out of a part."""
    frame = results.frame(by_log=by_log)
    if form == "csv":
        return csv_table(frame)
    of_logs = results.by_log()
    parts = []
    for title in PARTS:
        shown = [column for column in columns_of(title) if frame[column].null_count() < frame.height]
        rows = frame.filter(pl.any_horizontal(pl.col(column).is_not_null() for column in shown)) if shown else frame.clear()
        if rows.height:
            if title == AS_PUBLISHED:
                rows = pl.concat([rows, published_rows(results, by_log)], how="diagonal")
            elif not by_log:
                rows = _with_logs_of_part(rows, of_logs, shown)
            parts.append(f"{title}:\n\n{figure_table(rows, form, shown, by_log=by_log, intervals=intervals)}")
        if title == AS_PUBLISHED and (differences := _recreation(results, of_logs, form)):
            parts.append(differences)
    return "\n\n".join([*parts, *([] if by_log else _confusions(results, form))])


def published_rows(results: AnomalyResults, by_log: bool) -> pl.DataFrame:
    """Return the published figures as rows of a table: of each log of these results that has some, or their means."""
    rows = []
    for method in published_methods():
        name = f"{method}{PUBLISHED_END}"
        of_logs = [{"log": log, **published_figures().get((log, method), {})} for log in results.published_logs]
        if by_log:
            rows += [{"method": name, **row} for row in of_logs]
        elif of_logs:
            figures = pl.DataFrame(of_logs, schema={"log": pl.String, **dict.fromkeys(PUBLISHED, pl.Float64)})
            means: dict[str, object] = {"method": name, "logs": figures.height, "failed": 0}
            for column in PUBLISHED:
                means |= mean_and_interval(figures[column])
            rows.append(means)
    ends = ("",) if by_log else ("", "_low", "_high")
    columns = dict.fromkeys((f"{column}{end}" for column in PUBLISHED for end in ends), pl.Float64)
    others = {"log": pl.String} if by_log else {"logs": pl.Int64, "failed": pl.Int64}
    return pl.DataFrame(rows, schema={"method": pl.String, **others, **columns})


def _with_logs_of_part(rows: pl.DataFrame, of_logs: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """Set ``logs`` to the number of logs with a figure in a part."""
    some = of_logs.filter(pl.any_horizontal(pl.col(column).is_not_null() for column in columns))
    return rows.drop("logs").join(some.group_by("method").agg(pl.len().alias("logs")), on="method", how="left")


def _recreation(results: AnomalyResults, of_logs: pl.DataFrame, form: str) -> str:
    """Return the figures of simple methods that are made again here beside the published ones, log by log."""
    rows = []
    for method, published_name in RECREATED.items():
        ours = of_logs.filter(pl.col("method") == method, pl.col("log").is_in(results.published_logs))
        differences: dict[str, list[float]] = {column: [] for column in PUBLISHED}
        for row in ours.iter_rows(named=True):
            theirs = published_figures()[row["log"], published_name]
            both = {column: (row[column], theirs.get(column)) for column in PUBLISHED}
            for column, (own, other) in both.items():
                if own is not None and other is not None:
                    differences[column].append(own - other)
            rows.append([method, row["log"], *(_beside(*both[column]) for column in PUBLISHED)])
        if len(ours) > 1:
            means = [f"{sum(values) / len(values):+.3f}" if values else "-" for values in differences.values()]
            rows.append([method, "mean difference", *means])
    if not rows:
        return ""
    title = "Re-creation of simple methods: ours, published, difference"
    return f"{title}:\n\n{layout(['method', 'log', *PUBLISHED], rows, form)}"


def _beside(ours: float | None, theirs: float | None) -> str:
    if ours is None or theirs is None:
        return "-"
    return f"{ours:.3f}, {theirs:.3f}, {ours - theirs:+.3f}"


def _confusions(results: AnomalyResults, form: str) -> list[str]:
    """Return for each detector with reasons, and each protocol, how its strongest reasons name the planted kinds."""
    tables = []
    for method in sorted({method for method, _, _ in results.named} & set(results.singles["method"])):
        for prefix, title in _PROTOCOLS.items():
            named = results.confusion(method, prefix)
            rows = []
            for planted in PLANTED:
                counts = [named[planted, name] for name in (*KINDS, NO_REASON)]
                if n := sum(counts):
                    rows.append([planted, f"{n:,}", *(f"{count / n:.3f}" for count in counts)])
            if rows:
                head = f"{title}: kinds as {method} names them (columns), of planted cases (rows)"
                tables.append(f"{head}:\n\n{layout(['planted', 'cases', *KINDS, NO_REASON], rows, form)}")
    return tables
