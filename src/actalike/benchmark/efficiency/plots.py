"""Pictures of the efficiency benchmark: seconds by method and log, and how they grow with events, activities and window."""

from collections.abc import Iterable
from typing import Any

import numpy as np
import polars as pl

from actalike.benchmark.efficiency import growth
from actalike.benchmark.efficiency.published import WITHOUT_DISCOVERY
from actalike.benchmark.efficiency.results import EfficiencyResults
from actalike.errors import ActalikeError
from actalike.methods import MethodName, family_of
from actalike.support.figures import PALETTE, new_figure, shown

_MANY = 8  # more lines than this cannot be told apart: then methods of a family share one
_MARKERS = "osD^vP*X<>"
_PAPER_COLOUR, _UNFINISHED_COLOUR = "#d55e00", "#888888"
_SHADES = ("#9ecae1", "#4292c6", "#08306b")  # of a small, a middle and a large window


def plots(results: EfficiencyResults) -> dict[str, Any]:
    """Draw all pictures; return them by name."""
    table = _with_windows(results.by_log())
    if not table["seconds"].drop_nulls().len():
        raise ActalikeError(f"No method of {results.folder.path} has a time, so there is nothing to draw.")
    logs = results.folder.logs.values()
    sizes = pl.DataFrame([{key: log[key] for key in ("log", "events", "activities")} for log in logs])
    table = table.join(sizes, on="log", maintain_order="left")
    pictures = {}
    is_made = pl.col("log").is_in(list(growth.GROWTH_LOGS))
    real = table.filter(~is_made)
    if real["seconds"].drop_nulls().len():
        pictures["seconds_by_method"] = _seconds_by_method(real)
    whole = table.drop_nulls("seconds").filter(~pl.col("method").str.ends_with(WITHOUT_DISCOVERY))
    for picture, kind, size in (
        ("growth_over_events", growth.EVENTS, "events"),
        ("growth_over_activities", growth.ACTIVITIES, "activities"),
        ("growth_over_window", growth.WINDOWS, "window"),
    ):
        made = whole.filter(is_made & pl.col("log").str.starts_with(kind))
        points = (made if made.height else whole.filter(~is_made)).drop_nulls(size)
        lines, is_many = _lines(points, size)
        if lines.height:
            pictures[picture] = _growth(points, lines, size, made=made.height > 0, is_many=is_many)
    return pictures


def _with_windows(table: pl.DataFrame) -> pl.DataFrame:
    """Add the window of each method, and its name without it; a span is no such window."""
    names = {name: MethodName.parse(name) for name in table["method"].unique()}
    windows = {name: parsed.window if parsed.marker == "w" else None for name, parsed in names.items()}
    stems = {name: parsed.without_window if parsed.marker == "w" else name for name, parsed in names.items()}
    return table.with_columns(
        pl.col("method").replace_strict(windows, return_dtype=pl.Int64).alias("window"),
        pl.col("method").replace_strict(stems, return_dtype=pl.String).alias("stem"),
    )


def _seconds_by_method(table: pl.DataFrame) -> Any:
    """Draw a panel for each log, a line for each method; windows as darker dots, the paper's figures as rings."""
    likely = pl.coalesce("seconds", "more_than").log()
    order = (
        table.group_by("stem")
        .agg(likely.mean().alias("at"))
        .drop_nulls("at")
        .sort("at", "stem", descending=True)["stem"]
        .to_list()
    )
    place = {stem: y for y, stem in enumerate(order)}
    logs = table["log"].unique(maintain_order=True).to_list()
    windows = table["window"].drop_nulls().unique().sort().to_list()
    figure = new_figure(2.6 + 2.7 * len(logs), 2.2 + 0.24 * len(order))
    panels = figure.subplots(1, len(logs), sharey=True, squeeze=False)[0]
    for axes, log in zip(panels, logs, strict=True):
        for row in table.filter((pl.col("log") == log) & pl.col("stem").is_in(order)).iter_rows(named=True):
            colour = _SHADES[1] if row["window"] is None else _shade(row["window"], windows)
            y = place[row["stem"]]
            if row["seconds"] is not None:
                axes.plot([row["least"], row["most"]], [y, y], "-", color=colour, lw=1, alpha=0.6)
                axes.plot(row["seconds"], y, "o", color=colour, markersize=4.5)
            elif row["more_than"] is not None:
                axes.plot(row["more_than"], y, ">", color=_UNFINISHED_COLOUR, markersize=5)
            if row["paper"]:
                axes.plot(row["paper"], y, "o", mfc="none", mec=_PAPER_COLOUR, markersize=5, mew=1)
        axes.set_xscale("log")
        axes.set_title(shown(log), fontsize=9)
        axes.set_yticks(range(len(order)), order, fontsize=8)
        axes.set_ylim(-0.7, len(order) - 0.3)
        axes.grid(alpha=0.25)
        axes.tick_params(axis="x", labelsize=8)
        axes.set_xlabel("seconds", fontsize=9)
    keys = [("o", _shade(window, windows), _shade(window, windows), f"window {window}") for window in windows]
    if table["paper"].drop_nulls().len():
        keys.append(("o", "none", _PAPER_COLOUR, "the paper's figure"))
    if table["more_than"].drop_nulls().len():
        keys.append((">", _UNFINISHED_COLOUR, _UNFINISHED_COLOUR, "not finished in this time"))
    _legend_below(figure, panels[0], keys)
    figure.suptitle("Median seconds from a log to all distances; lines: least to most", fontsize=10)
    return figure


def _shade(window: int, windows: list[int]) -> str:
    return _SHADES[windows.index(window) * len(_SHADES) // len(windows)]


def _legend_below(figure: Any, axes: Any, keys: Iterable[tuple[str, str, str, str]]) -> None:
    handles = [axes.plot([], [], mark, mfc=face, mec=edge, label=label)[0] for mark, face, edge, label in keys]
    if handles:
        figure.legend(handles=handles, loc="outside lower center", ncols=len(handles), fontsize=9, frameon=False)


def _lines(points: pl.DataFrame, size: str) -> tuple[pl.DataFrame, bool]:
    """Return the seconds of each method that was measured with several sizes, or of each family where there are many."""
    points = points.with_columns((pl.col("stem") if size == "window" else pl.col("method")).alias("line"))
    is_many = points["line"].n_unique() > _MANY
    if is_many:
        points = points.with_columns(pl.col("method").map_elements(family_of, return_dtype=pl.String).alias("line"))
    seconds = pl.col("processor").clip(lower_bound=1e-6)  # a clock may not have ticked
    means = points.group_by("line", size).agg(seconds.log().mean().exp())
    return means.filter(pl.len().over("line") > 1).sort("line", size), is_many


def _growth(points: pl.DataFrame, lines: pl.DataFrame, size: str, *, made: bool, is_many: bool) -> Any:
    """Draw seconds of the processor over a size, both logarithmic, a line each.

    Of the processor: growth is about the work, and other work on the machine does not count there. Made-up logs differ in one
    size only, so their points are joined; logs of the world differ in everything.
    """
    figure = new_figure(8.5, 5.2)
    axes = figure.subplots()
    ends = []
    joined = made or size == "window"
    for i, ((line,), part) in enumerate(lines.group_by("line", maintain_order=True)):
        style = {"color": PALETTE[i % len(PALETTE)], "marker": _MARKERS[i % len(_MARKERS)], "ls": "-" if joined else "none"}
        axes.plot(part[size], part["processor"], label=shown(str(line)), markersize=6, lw=1.4, alpha=0.85, **style)
        ends.append(part["processor"][-1])
    across = np.array([points[size].min(), points[size].max()], dtype=float)
    level = float(np.exp(np.mean(np.log(ends))))
    axes.plot(across, across / across[1] * level, ":", color="#444444", lw=1.3, label="proportional")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_ylim(lines["processor"].min() / 1.5, lines["processor"].max() * 1.5)  # type: ignore[operator]
    if joined:
        _ticks(axes, points[size].unique().sort().to_list())
    axes.set_xlabel({"window": "window", "events": "events of the log", "activities": "activities of the log"}[size])
    axes.set_ylabel("processor seconds from a log to all distances")
    axes.grid(alpha=0.3)
    axes.legend(loc="center left", bbox_to_anchor=(1.01, 0.5), fontsize=9, frameon=False)
    where = "made-up logs" if made else f"{points['log'].n_unique()} logs"
    means_of = "; geometric means" if is_many or (size == "window" and not made) else ""
    figure.suptitle(f"Growth over {size}, {where}{means_of}", fontsize=10)
    return figure


def _ticks(axes: Any, sizes: list[int]) -> None:
    """Name the sizes themselves, where there is room for them."""
    from matplotlib.ticker import NullFormatter, NullLocator

    if len(sizes) <= _MANY:
        axes.set_xticks(sizes, [f"{size:,}" for size in sizes])
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_minor_formatter(NullFormatter())
