"""Pictures of the intrinsic benchmark: metric by method, metric over r and w, spread over logs."""

from pathlib import Path
from typing import Any

import polars as pl

from actalike.benchmark.intrinsic import METRICS
from actalike.benchmark.results import by_log, load_results, over_logs
from actalike.errors import ActalikeError
from actalike.report.figures import need_matplotlib, new_figure, save_figures

_FEW_LOGS = 6  # fewer make no box


def save_plots(results: str | Path, folder: str | Path) -> list[Path]:
    """Draw all pictures of a folder of results; returns their paths."""
    need_matplotlib()
    means = over_logs(results)
    if means["I_comp"].null_count() == means.height:
        raise ActalikeError(f"No method of {results} has a value, so there is nothing to draw.")
    pictures = {
        "metric_by_method.png": _metric_by_method(means),
        "metric_over_r_and_w.png": _metric_over_r_and_w(load_results(results)),
        "spread_over_logs.png": _spread_over_logs(by_log(results)),
    }
    return save_figures(pictures, Path(folder))


def _metric_by_method(means: pl.DataFrame) -> Any:
    """Bars with their bootstrap intervals, the best method of I_nn on top."""
    means = means.drop_nulls("I_nn").sort("I_nn", "method")
    figure = new_figure(14, 1.5 + 0.22 * means.height)
    for axes, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        values = means[metric].fill_null(0).to_numpy()
        low, high = (means[f"{metric}_{end}"].fill_null(0).fill_nan(0).to_numpy() for end in ("low", "high"))
        axes.barh(means["method"].to_list(), values, color="#56b4e9", height=0.7)
        axes.errorbar(
            values,
            range(len(values)),
            xerr=[(values - low).clip(0), (high - values).clip(0)],
            fmt="none",
            ecolor="#444444",
            lw=0.8,
        )
        axes.set_xlim(0, 1)
        axes.set_ylim(-0.6, means.height - 0.4)
        axes.set_title(metric)
        axes.tick_params(axis="y", labelsize=8)
        axes.grid(axis="x", alpha=0.3)
    figure.suptitle("Mean over logs; lines: 95 % bootstrap interval over logs", fontsize=10)
    return figure


def _metric_over_r_and_w(results: pl.DataFrame) -> Any:
    """A heat map for each metric: the mean over logs and methods for each number of activities (r) and replacements (w)."""
    cells = results.group_by("r", "w").agg(pl.col(METRICS).mean()).sort("r", "w")
    rs, ws = cells["r"].unique().sort().to_list(), cells["w"].unique().sort().to_list()
    figure = new_figure(15, 1.6 + 0.5 * len(ws))
    for axes, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        table = [[_at(cells, r, w, metric) for r in rs] for w in ws]
        axes.imshow(table, origin="lower", aspect="auto", cmap="viridis", vmin=0, vmax=1)
        for y, row in enumerate(table):
            for x, value in enumerate(row):
                axes.text(x, y, f"{value:.2f}", ha="center", va="center", fontsize=7, color="black" if value > 0.6 else "white")
        axes.set_xticks(range(len(rs)), rs)
        axes.set_yticks(range(len(ws)), ws)
        axes.set_xlabel("r: activities split")
        axes.set_title(metric)
    figure.axes[0].set_ylabel("w: replacements")
    figure.suptitle(f"Mean over {results['log'].n_unique()} logs and {results['method'].n_unique()} methods", fontsize=10)
    return figure


def _at(cells: pl.DataFrame, r: int, w: int, metric: str) -> float:
    found = cells.filter((pl.col("r") == r) & (pl.col("w") == w))[metric]
    return float("nan") if not len(found) or found[0] is None else float(found[0])


def _spread_over_logs(table: pl.DataFrame) -> Any:
    """How the figures of each method differ from log to log: a box, with few logs the figures themselves."""
    order = table.group_by("method").agg(pl.col("I_nn").median()).drop_nulls().sort("I_nn", "method")["method"].to_list()
    figure = new_figure(14, 1.5 + 0.24 * len(order))
    for axes, metric in zip(figure.subplots(1, len(METRICS), sharey=True), METRICS, strict=True):
        values = [table.filter(pl.col("method") == method)[metric].drop_nulls().to_list() for method in order]
        if table["log"].n_unique() < _FEW_LOGS:
            for y, figures in enumerate(values, start=1):
                axes.plot(figures, [y] * len(figures), "o", color="#0072b2", markersize=4, alpha=0.6)
            axes.set_yticks(range(1, len(order) + 1), order)
        else:
            axes.boxplot(
                values,
                orientation="horizontal",
                widths=0.6,
                tick_labels=order,
                flierprops={"markersize": 3},
                medianprops={"color": "#d55e00"},
            )
        axes.set_xlim(-0.02, 1.02)
        axes.set_title(metric)
        axes.tick_params(axis="y", labelsize=8)
        axes.grid(axis="x", alpha=0.3)
    figure.suptitle(f"Spread over {table['log'].n_unique()} logs", fontsize=10)
    return figure
