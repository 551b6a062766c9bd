"""Pictures of the next-activity benchmark, for each model: accuracy by method, and accuracy by log and method."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from actalike.benchmark.prediction.results import by_log, complex_logs, over_logs
from actalike.benchmark.prediction.training.names import ORIGINAL
from actalike.errors import ActalikeError
from actalike.report.figures import need_matplotlib, new_figure, save_figures

_BAR, _OWN = "#56b4e9", "#e69f00"
_TITLES = {"accuracy": "accuracy", "complex": "accuracy on complex logs"}


def save_prediction_plots(results: str | Path, folder: str | Path) -> list[Path]:
    """Draw all pictures of a folder of results; returns their paths."""
    need_matplotlib()
    single = by_log(results)
    pictures = {}
    for (model,), means in over_logs(results).drop_nulls("accuracy").group_by("model", maintain_order=True):
        ordered = means.sort("accuracy", "method")
        of_model = single.filter(pl.col("model") == model)
        pictures[f"{model}_by_method.png"] = _accuracy_by_method(str(model), ordered)
        pictures[f"{model}_by_log.png"] = _accuracy_by_log(
            str(model), of_model, ordered["method"].to_list(), complex_logs(results)
        )
    if not pictures:
        raise ActalikeError(f"No method of {results} has a value, so there is nothing to draw.")
    return save_figures(pictures, Path(folder))


def _accuracy_by_method(model: str, means: pl.DataFrame) -> Any:
    """Bars with their bootstrap intervals, the best method on top; beside them those of the complex logs, if there are any."""
    most = max(means["logs"].to_list())
    names = [f"{method} †" if n < most else method for method, n in means.select("method", "logs").iter_rows()]
    metrics = [metric for metric in _TITLES if means[metric].null_count() < means.height]
    figure = new_figure(3 + 4.5 * len(metrics), 1.8 + 0.22 * means.height)
    colours = [_OWN if method == ORIGINAL else _BAR for method in means["method"]]
    for axes, metric in zip(figure.subplots(1, len(metrics), sharey=True, squeeze=False)[0], metrics, strict=True):
        values, low, high = (means[f"{metric}{end}"].fill_null(0).to_numpy() for end in ("", "_low", "_high"))
        axes.barh(names, values, color=colours, height=0.7)
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
        axes.set_title(_TITLES[metric])
        axes.tick_params(axis="y", labelsize=8)
        axes.grid(axis="x", alpha=0.3)
    notes = [f"{model}: mean over {most} log{'s' * (most != 1)}; lines: 95 % bootstrap interval over logs"]
    if ORIGINAL in means["method"]:
        notes.append(f"{ORIGINAL}: vectors that the model learned itself")
    if means["logs"].min() != most:
        notes.append("†: fewer logs, so the mean does not compare")
    figure.suptitle("\n".join(notes), fontsize=10)
    return figure


def _accuracy_by_log(model: str, table: pl.DataFrame, methods: Sequence[str], complex_ones: Sequence[str]) -> Any:
    """A heat map: the numbers are accuracies, the colours how far each is below the best of its log."""
    logs = table["log"].unique().sort().to_list()
    found = {
        (method, log): value for method, log, value in table.select("method", "log", "accuracy").iter_rows() if value is not None
    }
    best = {log: max((found[at] for at in found if at[1] == log), default=0.0) for log in logs}
    below = [[found.get((method, log), float("nan")) - best[log] for log in logs] for method in methods]
    furthest = max(0.01, max(best[log] - value for (_, log), value in found.items()))
    figure = new_figure(max(5, 3.2 + 0.62 * len(logs)), 2.4 + 0.22 * len(methods))
    axes = figure.subplots()
    picture = axes.imshow(below, origin="lower", aspect="auto", cmap="viridis", vmin=-furthest, vmax=0)
    for y, method in enumerate(methods):
        for x, log in enumerate(logs):
            value = found.get((method, log))
            if value is None:
                axes.text(x, y, "-", ha="center", va="center", fontsize=7)
                continue
            colour = "black" if value - best[log] > -0.4 * furthest else "white"
            weight = "bold" if value == best[log] else "normal"
            axes.text(x, y, f"{value:.3f}", ha="center", va="center", fontsize=7, color=colour, weight=weight)
    names = [f"{log} *" if log in complex_ones else log for log in logs]
    axes.set_xticks(range(len(logs)), [name.replace("$", r"\$") for name in names], rotation=45, ha="right", fontsize=8)
    axes.set_yticks(range(len(methods)), methods, fontsize=8)
    figure.colorbar(picture, ax=axes, label="difference from the log's best")
    starred = "; *: complex log" if set(logs) & set(complex_ones) else ""
    figure.suptitle(f"{model}: accuracy by log and method{starred}", fontsize=10)
    return figure
