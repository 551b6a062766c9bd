"""Pictures of the benchmark of anomalies: average precision by detector, by kind, and by rate."""

from typing import Any

import polars as pl

from actalike.benchmark.anomalies.results import AnomalyResults
from actalike.benchmark.anomalies.summary import ALONE, AS_PUBLISHED, AS_PUBLISHED_KINDS, KNOWN, KNOWN_KINDS, OUTSIDE, columns_of
from actalike.benchmark.anomalies.tables import PUBLISHED_END, published_rows
from actalike.benchmark.pictures import draw_bars
from actalike.benchmark.tasks.planted_anomalies import BPAD
from actalike.errors import ActalikeError
from actalike.support.figures import new_figure, shown

_COLOUR, _PUBLISHED_COLOUR = "#56b4e9", "#bbbbbb"
_BARS = {
    "bpad": AS_PUBLISHED,
    "bpad_kinds": AS_PUBLISHED_KINDS,
    "known": KNOWN,
    "known_kinds": KNOWN_KINDS,
    "kinds_alone": ALONE,
    "outside_kinds": OUTSIDE,
}


def plots(results: AnomalyResults) -> dict[str, Any]:
    """Draw all pictures that these results have; return them by name."""
    means = results.over_logs()
    pictures = {}
    for name, part in _BARS.items():
        columns = [column for column in columns_of(part) if not column.endswith("_share") and means[column].drop_nulls().len()]
        if columns:
            rows = pl.concat([means, published_rows(results, by_log=False)], how="diagonal") if part == AS_PUBLISHED else means
            pictures[name] = _bars(rows, columns, part)
    rates = _rates(results)
    if rates["task"].n_unique() > 1:
        pictures["rates"] = _lines(rates)
    if not pictures:
        raise ActalikeError(f"No detector of {results.folder.path} has a value, so there is nothing to draw.")
    return pictures


def _bars(means: pl.DataFrame, columns: list[str], part: str) -> Any:
    means = means.filter(pl.any_horizontal(pl.col(columns).is_not_null())).sort(columns[0], "method", nulls_last=False)
    figure = new_figure(2.5 + 2.1 * len(columns), 1.5 + 0.22 * means.height)
    names = [shown(method, 60) for method in means["method"]]
    colours = [_PUBLISHED_COLOUR if method.endswith(PUBLISHED_END) else _COLOUR for method in means["method"]]
    panels = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
    for axes, column in zip(panels, columns, strict=True):
        draw_bars(axes, names, means[column], means[f"{column}_low"], means[f"{column}_high"], colours)
        axes.set_title(column)
    figure.suptitle(f"{part}: mean over logs; lines: 95 % bootstrap interval", fontsize=10)
    return figure


def _rates(results: AnomalyResults) -> pl.DataFrame:
    """Return the mean average precision of cases over the logs, by detector and rate of BPAD's protocol."""
    by_task = results.by_task().filter(pl.col("task").is_in(list(BPAD)))
    return by_task.group_by("method", "task").agg(pl.col("trace_ap", "trace_share").mean()).sort("method", "task")


def _lines(rates: pl.DataFrame) -> Any:
    figure = new_figure(7, 4.5)
    axes = figure.subplots()
    for (method,), part in rates.drop_nulls("trace_ap").group_by("method", maintain_order=True):
        axes.plot([BPAD[task].rate for task in part["task"]], part["trace_ap"], "o-", ms=4, lw=1, label=shown(str(method), 40))
    shares = rates.group_by("task", maintain_order=True).agg(pl.col("trace_share").mean()).sort("task")
    axes.plot([BPAD[task].rate for task in shares["task"]], shares["trace_share"], "k--", lw=1, label="share of planted cases")
    axes.set_ylim(0, 1)
    axes.set_xlabel("rate")
    axes.set_ylabel("average precision of cases")
    axes.set_title("BPAD's protocol, by rate", fontsize=10)
    axes.legend(fontsize=7)
    axes.grid(alpha=0.3)
    return figure
