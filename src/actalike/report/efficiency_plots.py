"""Pictures of the efficiency benchmark: seconds by method and log, and how they grow with events, activities and window."""

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from actalike.benchmark import folders
from actalike.benchmark.efficiency.growth import ACTIVITIES, EVENTS, GROWTH_LOGS, WINDOWS
from actalike.benchmark.efficiency.results import by_log
from actalike.benchmark.method_names import name_parts
from actalike.errors import ActalikeError
from actalike.report.figures import PALETTE, new_figure, save_figures, shown

_MANY = 8  # more lines than this cannot be told apart: then methods of a family share one
_MARKERS = "osD^vP*X<>"
_SHADES = ("#9ecae1", "#4292c6", "#08306b")  # of a small, a middle and a large window


def save_efficiency_plots(
    results: str | Path, folder: str | Path, ending: str = "png", logs: Collection[str] | None = None
) -> list[Path]:
    """Draw all pictures of a folder of results; returns their paths."""
    table = folders.of_logs(by_log(results), logs, Path(results)).drop_nulls("seconds").with_columns(
        pl.col("method").str.extract(r"-w(\d+)(?:\+.*)?$", 1).cast(pl.Int64).alias("window")
    )  # fmt: skip
    if not table.height:
        raise ActalikeError(f"No method of {results} has a time, so there is nothing to draw.")
    noted = [folders.read_json(path, "log", "events", "activities") for path in sorted(Path(results).glob("*/log.json"))]
    sizes = pl.DataFrame([{key: log[key] for key in ("log", "events", "activities")} for log in noted])
    table = table.join(sizes, on="log")
    pictures = {}
    real = table.filter(~pl.col("log").is_in(list(GROWTH_LOGS)))
    if real.height:
        pictures[f"seconds_by_method.{ending}"] = _seconds_by_method(real)
    for picture, kind, size in (
        ("growth_over_events", EVENTS, "events"),
        ("growth_over_activities", ACTIVITIES, "activities"),
        ("growth_over_window", WINDOWS, "window"),
    ):
        made = table.filter(pl.col("log").str.starts_with(kind) & pl.col("log").is_in(list(GROWTH_LOGS)))
        points = (made if made.height else real).drop_nulls(size)
        if points[size].n_unique() > 1:
            pictures[f"{picture}.{ending}"] = _growth(points, size, made.height > 0)
    return save_figures(pictures, Path(folder))


def _seconds_by_method(table: pl.DataFrame) -> Any:
    """A panel for each log, a line for each method; windows as darker dots, the paper's figures as rings."""
    stems = table.with_columns(pl.col("method").str.replace(r"-w\d+(\+|$)", "$1").alias("stem"))
    order = stems.group_by("stem").agg(pl.col("seconds").log().mean()).sort("seconds", "stem", descending=True)["stem"].to_list()
    place = {stem: y for y, stem in enumerate(order)}
    logs = table["log"].unique().sort().to_list()
    windows = table["window"].drop_nulls().unique().sort().to_list()
    figure = new_figure(2.6 + 2.7 * len(logs), 2.2 + 0.24 * len(order))
    panels = figure.subplots(1, len(logs), sharey=True, squeeze=False)[0]
    for axes, log in zip(panels, logs, strict=True):
        for row in stems.filter(pl.col("log") == log).iter_rows(named=True):
            colour = _SHADES[1] if row["window"] is None else _shade(row["window"], windows)
            y = place[row["stem"]]
            axes.plot([row["least"], row["most"]], [y, y], "-", color=colour, lw=1, alpha=0.6)
            axes.plot(row["seconds"], y, "o", color=colour, markersize=4.5)
            if row["paper"]:
                axes.plot(row["paper"], y, "o", mfc="none", mec="#d55e00", markersize=5, mew=1)
        axes.set_xscale("log")
        axes.set_title(shown(log), fontsize=9)
        axes.set_yticks(range(len(order)), order, fontsize=8)
        axes.set_ylim(-0.7, len(order) - 0.3)
        axes.grid(alpha=0.25)
        axes.tick_params(axis="x", labelsize=8)
        axes.set_xlabel("seconds", fontsize=9)
    keys = [("o", colour, colour, f"window {window}") for window, colour in ((w, _shade(w, windows)) for w in windows)]
    if table["paper"].drop_nulls().len():
        keys.append(("o", "none", "#d55e00", "the paper's figure"))
    _legend_below(figure, panels[0], keys)
    figure.suptitle("Median seconds from a log to all distances; lines: least to most", fontsize=10)
    return figure


def _shade(window: int, windows: list[int]) -> str:
    return _SHADES[windows.index(window) * len(_SHADES) // len(windows)]


def _legend_below(figure: Any, axes: Any, keys: Iterable[tuple[str, str, str, str]]) -> None:
    handles = [axes.plot([], [], mark, mfc=face, mec=edge, label=label)[0] for mark, face, edge, label in keys]
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=9, frameon=False)


def _growth(points: pl.DataFrame, size: str, made: bool) -> Any:
    """Seconds over a size, both logarithmic: a line for each method, or for each family where there are many."""
    stems = points["method"].n_unique() if size != "window" else points["method"].str.replace(r"-w\d+", "").n_unique()
    name = "method" if stems <= _MANY else "family"
    without_window = r"-w\d+" if size == "window" else "$^"
    points = points.with_columns(pl.col("method").str.replace(without_window, "").alias("method")).with_columns(
        pl.col("method").map_elements(lambda method: name_parts(method).family, return_dtype=pl.String).alias("family")
    )
    low, high = ("least", "most") if name == "method" else ("seconds", "seconds")
    lines = (
        points.group_by(name, size)
        .agg(pl.col("seconds").log().mean().exp(), pl.col(low).min().alias("low"), pl.col(high).max().alias("high"))
        .sort(name, size)
    )
    figure = new_figure(8.5, 5.2)
    axes = figure.subplots()
    ends = []
    for i, ((line,), part) in enumerate(lines.group_by(name, maintain_order=True)):
        x, y, bottom, top = (part[column].to_numpy() for column in (size, "seconds", "low", "high"))
        colour = PALETTE[i % len(PALETTE)]
        axes.plot(x, y, marker=_MARKERS[i % len(_MARKERS)], color=colour, label=shown(str(line)), markersize=5, lw=1.4)
        axes.fill_between(x, bottom, top, color=colour, alpha=0.12, lw=0)
        ends.append(y[-1])
    across = np.array([points[size].min(), points[size].max()], dtype=float)
    level = float(np.exp(np.mean(np.log(ends))))
    axes.plot(across, across / across[1] * level, ":", color="#444444", lw=1.3, label="proportional")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(lines["low"].min() / 1.5, lines["high"].max() * 1.5)  # type: ignore[operator]
    _ticks(axes, points[size].unique().sort().to_list())
    axes.set_xlabel({"window": "window", "events": "events of the log", "activities": "activities of the log"}[size])
    axes.set_ylabel("median seconds from a log to all distances")
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9, frameon=False)
    where = "made-up logs" if made else f"{points['log'].n_unique()} logs"
    shaded = "lines: geometric mean of a family's methods; shaded: least to most" if name == "family" else "shaded: least to most"
    figure.suptitle(f"Growth over {size}, {where}; {shaded}", fontsize=10)
    return figure


def _ticks(axes: Any, sizes: list[int]) -> None:
    """The sizes themselves, where there is room for them."""
    from matplotlib.ticker import NullFormatter, NullLocator

    if len(sizes) <= _MANY:
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_minor_formatter(NullFormatter())
