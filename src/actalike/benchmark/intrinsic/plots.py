"""Pictures of the intrinsic benchmark: metric by method, metric over r and w, spread over logs."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import polars as pl

from actalike.benchmark.intrinsic.metrics import METRICS
from actalike.benchmark.intrinsic.results import IntrinsicResults
from actalike.benchmark.pictures import draw_bars, draw_spread
from actalike.errors import ActalikeError
from actalike.support.figures import finish, new_figure, shown

Source = str | Path | IntrinsicResults  # a folder of results, or what was read from it


def plots(results: IntrinsicResults) -> dict[str, Any]:
    """Draw all pictures; return them by name."""
    return {
        "metric_by_method": metric_by_method(results),
        "metric_over_r_and_w": metric_over_r_and_w(results),
        "spread_over_logs": spread_over_logs(results),
    }


def metric_by_method(results: Source, logs: Collection[str] | None = None, path: str | Path | None = None) -> Any:
    """Draw the mean of each metric over the logs (all, or those named): a bar for each method, with its bootstrap interval.

    The best method of I_nn is on top.
    """
    results = IntrinsicResults.of(results).of_logs(logs)
    means = results.over_logs()
    if means["I_comp"].null_count() == means.height:
        raise _nothing_to_draw(results)
    means = means.drop_nulls("I_nn").sort("I_nn", "method")
    figure = new_figure(14, 1.5 + 0.22 * means.height)
    names = [shown(method, 60) for method in means["method"]]
    for axes, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        draw_bars(axes, names, means[metric], means[f"{metric}_low"], means[f"{metric}_high"], "#56b4e9")
        axes.set_title(metric)
    figure.suptitle("Mean over logs; lines: 95 % bootstrap interval over logs", fontsize=10)
    return finish(figure, path)


def metric_over_r_and_w(
    results: Source,
    method: str | None = None,
    logs: Collection[str] | None = None,
    path: str | Path | None = None,
) -> Any:
    """Draw a heat map of each metric: its mean for each number of activities that were split (r) and of replacements (w).

    The mean is over the logs (all, or those named), and over all methods, unless one is named.
    """
    results = IntrinsicResults.of(results).of_logs(logs)
    table = results.singles
    if method is not None:
        table = table.filter(pl.col("method") == method)
        if not table.height:
            raise ActalikeError(f"{results.folder.path} has no results of {method!r}.")
    cells = table.group_by("r", "w").agg(pl.col(METRICS).mean()).sort("r", "w")
    rs, ws = cells["r"].unique().sort().to_list(), cells["w"].unique().sort().to_list()
    figure = new_figure(15, 1.6 + 0.5 * len(ws))
    for axes, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        grid = [[_at(cells, r, w, metric) for r in rs] for w in ws]
        axes.imshow(grid, origin="lower", aspect="auto", cmap="viridis", vmin=0, vmax=1)
        for y, row in enumerate(grid):
            for x, value in enumerate(row):
                axes.text(x, y, f"{value:.2f}", ha="center", va="center", fontsize=7, color="black" if value > 0.6 else "white")
        axes.set_xticks(range(len(rs)), rs)
        axes.set_yticks(range(len(ws)), ws)
        axes.set_xlabel("r: activities split")
        axes.set_title(metric)
    figure.axes[0].set_ylabel("w: replacements")
    methods = f"{table['method'].n_unique()} methods" if method is None else shown(method, 60)
    figure.suptitle(f"Mean over {table['log'].n_unique()} logs, {methods}", fontsize=10)
    return finish(figure, path)


def _at(cells: pl.DataFrame, r: int, w: int, metric: str) -> float:
    values = cells.filter((pl.col("r") == r) & (pl.col("w") == w))[metric]
    return float("nan") if not len(values) or values[0] is None else float(values[0])


def spread_over_logs(results: Source, logs: Collection[str] | None = None, path: str | Path | None = None) -> Any:
    """Draw how the figures of each method differ from log to log: a box, or the figures themselves if there are few logs.

    The best method of I_nn, by its median, is on top.
    """
    results = IntrinsicResults.of(results).of_logs(logs)
    table = results.by_log()
    order = table.group_by("method").agg(pl.col("I_nn").median()).drop_nulls().sort("I_nn", "method")["method"].to_list()
    if not order:
        raise _nothing_to_draw(results)
    figure = new_figure(14, 1.5 + 0.24 * len(order))
    names = [shown(method, 60) for method in order]
    for axes, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        draw_spread(axes, names, [table.filter(pl.col("method") == name)[metric].drop_nulls().to_list() for name in order])
        axes.set_title(metric)
    figure.suptitle(f"Spread over {table['log'].n_unique()} logs", fontsize=10)
    return finish(figure, path)


def _nothing_to_draw(results: IntrinsicResults) -> ActalikeError:
    return ActalikeError(f"No method of {results.folder.path} has a value, so there is nothing to draw.")
