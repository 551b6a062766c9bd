"""Pictures of results: bars with intervals and the spread over logs, a row for each method; reliability curves."""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl
from numpy.typing import ArrayLike

from actalike.benchmark.scoring import Bin
from actalike.support.figures import new_figure, shown

MEDIAN_COLOUR = "#d55e00"  # of the line in a box
_BAR = "#56b4e9"
_FEW_LOGS = 6  # fewer make no box


def means_by_method(means: pl.DataFrame, columns: Sequence[str], title: str, colours: Mapping[str, str] | None = None) -> Any:
    """Draw means: a panel for each column, in it a bar for each method with its interval; the best of the first is on top.

    ``colours`` are those of methods that have one of their own.
    """
    means = means.filter(pl.any_horizontal(pl.col(columns).is_not_null())).sort(columns[0], "method", nulls_last=False)
    figure = new_figure(2.5 + 2.3 * len(columns), 1.5 + 0.22 * means.height)
    names = [shown(method, 60) for method in means["method"]]
    of_bars = [(colours or {}).get(method, _BAR) for method in means["method"]]
    panels = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
    for axes, column in zip(panels, columns, strict=True):
        draw_bars(axes, names, means[column], means[f"{column}_low"], means[f"{column}_high"], of_bars)
        axes.set_title(column)
    figure.suptitle(f"{title}: mean; lines: 95 % bootstrap interval", fontsize=10)
    return figure


def draw_bars(axes: Any, methods: Sequence[str], values: Any, low: Any, high: Any, colours: ArrayLike) -> None:
    """Draw a bar from 0 to 1 for each method, from the bottom up, with a line for its interval; nulls are 0."""
    values, low, high = (column.fill_null(0).fill_nan(0).to_numpy() for column in (values, low, high))
    axes.barh(range(len(methods)), values, color=colours, height=0.7)
    ends = [(values - low).clip(0), (high - values).clip(0)]
    axes.errorbar(values, range(len(values)), xerr=ends, fmt="none", ecolor="#444444", lw=0.8)
    axes.set_xlim(0, 1)
    _name_rows(axes, methods)


def draw_spread(axes: Any, methods: Sequence[str], values: Sequence[Sequence[float]]) -> None:
    """Draw the figures of each method over the logs: as a box, or one by one if there are few logs."""
    if max((len(figures) for figures in values), default=0) < _FEW_LOGS:
        for y, figures in enumerate(values):
            axes.plot(figures, [y] * len(figures), "o", color="#0072b2", markersize=4, alpha=0.6)
    else:
        axes.boxplot(
            values,
            positions=range(len(methods)),
            orientation="horizontal",
            widths=0.6,
            flierprops={"markersize": 3},
            medianprops={"color": MEDIAN_COLOUR},
        )
    axes.set_xlim(-0.02, 1.02)
    _name_rows(axes, methods)


def draw_reliability(axes: Any, curves: Mapping[str, Sequence[Bin]], share: str) -> None:
    """Draw the reliability curve of each method, with Wilson intervals, and the line that perfect probabilities would have."""
    axes.plot([0, 1], [0, 1], color="#999999", lw=0.8)
    for method, curve in curves.items():
        means, shares = [part.mean_probability for part in curve], [part.share for part in curve]
        # never below 0, which rounding can bring about where all or none are right
        ends = [[max(part.share - part.low, 0.0) for part in curve], [max(part.high - part.share, 0.0) for part in curve]]
        axes.errorbar(means, shares, yerr=ends, fmt="o-", ms=4, lw=1, label=shown(method, 40))
    axes.set_xlabel("mean probability")
    axes.set_ylabel(share)
    axes.legend(fontsize=8)


def _name_rows(axes: Any, methods: Sequence[str]) -> None:
    axes.set_yticks(range(len(methods)), methods)
    axes.set_ylim(-0.6, len(methods) - 0.4)
    axes.tick_params(axis="y", labelsize=8)
    axes.grid(axis="x", alpha=0.3)
