"""Pictures of the next-activity benchmark, for each model: accuracy by method, by log and method, and its spread over logs.

Of few cases: the accuracy by share of the cases. Of changed labels: what is reached by method and way, and by condition.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import polars as pl

from actalike.benchmark.pictures import draw_bars, draw_spread
from actalike.benchmark.prediction.changed_labels import MAIN
from actalike.benchmark.prediction.changed_labels import conditions as all_conditions
from actalike.benchmark.prediction.results import RETRAINED_TOLD, TOLD, UNPLACED, PredictionResults
from actalike.benchmark.prediction.settings import FEW_CASES, STANDARD
from actalike.errors import ActalikeError
from actalike.prediction.training.task import ONE_HOT, ORIGINAL
from actalike.support.figures import finish, new_figure, shown

_BAR, _OWN = "#56b4e9", "#e69f00"
_MOST_LINES = 8  # more cannot be told apart
_TITLES = {"accuracy": "accuracy", "complex": "accuracy on complex logs"}


Source = str | Path | PredictionResults  # a folder of results, or what was read from it


def plots(results: PredictionResults) -> dict[str, Any]:
    """Draw all pictures; return them by name."""
    pictures = {}
    for model in results.singles.drop_nulls("accuracy")["model"].unique().sort():
        if results.setting == FEW_CASES:
            pictures[f"{model}_by_share"] = accuracy_by_share(results, model)
            continue
        if results.setting != STANDARD:
            pictures[f"{model}_reached"] = reached_by_way(results, model)
            pictures[f"{model}_by_condition"] = reached_by_condition(results, model)
            continue
        pictures[f"{model}_by_method"] = accuracy_by_method(results, model)
        pictures[f"{model}_by_log"] = accuracy_by_log(results, model)
        pictures[f"{model}_spread"] = accuracy_spread(results, model)
    if not pictures:
        raise ActalikeError(f"No method of {results.folder.path} has a value, so there is nothing to draw.")
    return pictures


def accuracy_by_method(
    results: Source, model: str | None = None, logs: Collection[str] | None = None, path: str | Path | None = None
) -> Any:
    """Draw the mean accuracy over the logs: a bar for each method, the best on top, with bootstrap intervals.

    Beside them stand the means of the complex logs, if there are any. ``model`` may be left out where there is only one.
    """
    results = PredictionResults.of(results).of_logs(logs)
    _check_setting(results)
    means = _of_model(results.over_logs(), model, results).drop_nulls("accuracy").sort("accuracy", "method")
    name = means["model"][0]
    n_logs = max(means["logs"].to_list())
    methods = [shown(method, 60) + " †" * (n < n_logs) for method, n in means.select("method", "logs").iter_rows()]
    metrics = [metric for metric in _TITLES if means[metric].null_count() < means.height]
    figure = new_figure(3 + 4.5 * len(metrics), 1.8 + 0.22 * means.height)
    colours = [_OWN if method == ORIGINAL else _BAR for method in means["method"]]
    for axes, metric in zip(figure.subplots(1, len(metrics), sharey=True, squeeze=False)[0], metrics, strict=True):
        draw_bars(axes, methods, means[metric], means[f"{metric}_low"], means[f"{metric}_high"], colours)
        axes.set_title(_TITLES[metric])
    notes = [f"{name}: mean over {n_logs} log{'s' * (n_logs != 1)}; lines: 95 % bootstrap interval over logs"]
    if ORIGINAL in means["method"]:
        notes.append(f"{ORIGINAL}: vectors that the model learned itself")
    if means["logs"].min() != n_logs:
        notes.append("†: fewer logs, so the mean does not compare")
    figure.suptitle("\n".join(notes), fontsize=10)
    return finish(figure, path)


def accuracy_spread(
    results: Source, model: str | None = None, logs: Collection[str] | None = None, path: str | Path | None = None
) -> Any:
    """Draw how the accuracy of each method differs from log to log: a box, or the figures themselves if there are few logs."""
    results = PredictionResults.of(results).of_logs(logs)
    _check_setting(results)
    table = _of_model(results.by_log(), model, results).drop_nulls("accuracy")
    order = table.group_by("method").agg(pl.col("accuracy").median()).sort("accuracy", "method")["method"].to_list()
    figure = new_figure(7.5, 1.5 + 0.24 * len(order))
    values = [table.filter(pl.col("method") == method)["accuracy"].to_list() for method in order]
    draw_spread(figure.subplots(), [shown(method, 60) for method in order], values)
    figure.suptitle(f"{table['model'][0]}: spread of the accuracy over {table['log'].n_unique()} logs", fontsize=10)
    return finish(figure, path)


def accuracy_by_log(
    results: Source, model: str | None = None, logs: Collection[str] | None = None, path: str | Path | None = None
) -> Any:
    """Draw a heat map: the numbers are accuracies, the colours how far each is below the best of its log."""
    results = PredictionResults.of(results).of_logs(logs)
    _check_setting(results)
    table = _of_model(results.by_log(), model, results)
    means = table.group_by("method").agg(pl.col("accuracy").mean()).drop_nulls().sort("accuracy", "method")
    methods, complex_logs = means["method"].to_list(), results.complex_logs
    columns = table["log"].unique().sort().to_list()
    accuracies = {
        (method, log): value for method, log, value in table.select("method", "log", "accuracy").iter_rows() if value is not None
    }
    best = {log: max((value for (_, of_log), value in accuracies.items() if of_log == log), default=0.0) for log in columns}
    below = [[accuracies.get((method, log), float("nan")) - best[log] for log in columns] for method in methods]
    furthest = max(0.01, max(best[log] - value for (_, log), value in accuracies.items()))
    figure = new_figure(max(5, 3.2 + 0.62 * len(columns)), 2.4 + 0.22 * len(methods))
    axes = figure.subplots()
    picture = axes.imshow(below, origin="lower", aspect="auto", cmap="viridis", vmin=-furthest, vmax=0)
    for y, method in enumerate(methods):
        for x, log in enumerate(columns):
            value = accuracies.get((method, log))
            if value is None:
                axes.text(x, y, "-", ha="center", va="center", fontsize=7)
                continue
            colour = "black" if value - best[log] > -0.4 * furthest else "white"
            weight = "bold" if value == best[log] else "normal"
            axes.text(x, y, f"{value:.3f}", ha="center", va="center", fontsize=7, color=colour, weight=weight)
    names = [f"{log} *" if log in complex_logs else log for log in columns]
    axes.set_xticks(range(len(columns)), [shown(name) for name in names], rotation=45, ha="right", fontsize=8)
    axes.set_yticks(range(len(methods)), [shown(method, 60) for method in methods], fontsize=8)
    figure.colorbar(picture, ax=axes, label="difference from the log's best")
    starred = "; *: complex log" if set(columns) & set(complex_logs) else ""
    figure.suptitle(f"{table['model'][0]}: accuracy by log and method{starred}", fontsize=10)
    return finish(figure, path)


def accuracy_by_share(results: PredictionResults, model: str) -> Any:
    """Draw the mean accuracy over the logs against the share of the cases: lines of one-hot vectors and the best methods."""
    means = _of_model(results.over_logs(), model, results).drop_nulls("accuracy")
    conditions = means["condition"].unique().sort().to_list()
    lines = {(method,): part for (method,), part in means.group_by("method", maintain_order=True)}
    figure = new_figure(7.5, 5)
    _draw_lines(figure.subplots(), lines, conditions, "accuracy", always=(ONE_HOT,))
    figure.suptitle(f"{model}: mean accuracy over the logs by share of the training cases (cases-05: 5 %)", fontsize=10)
    return finish(figure, None)


def reached_by_way(results: PredictionResults, model: str) -> Any:
    """Draw how far each method gets from not placing new labels to being told the old ones: a bar for each way."""
    means = _of_changes(results, model).filter(pl.col("condition") == MAIN.name).sort("way", "reached", "method")
    names = [f"{shown(method, 50)}, {way}" for method, way in means.select("method", "way").iter_rows()]
    figure = new_figure(8, 1.8 + 0.22 * max(means.height, 1))
    axes = figure.subplots()
    low, high = (means[f"reached_{end}"].fill_null(means["reached"]) for end in ("low", "high"))
    draw_bars(axes, names, means["reached"], low, high, _BAR)
    axes.set_xlim(auto=True)
    axes.autoscale(axis="x")
    figure.suptitle(f"{model}, {MAIN.name}: of the way from not placing new labels to being told the old ones", fontsize=10)
    return finish(figure, None)


def reached_by_condition(results: PredictionResults, model: str) -> Any:
    """Draw how far the best methods get under each condition, a line for each way."""
    means = _of_changes(results, model)
    present = set(means["condition"])
    conditions = [name for name in dict.fromkeys(condition.name for condition in all_conditions()) if name in present]
    lines = {(method, way): part for (method, way), part in means.group_by("method", "way", maintain_order=True)}
    figure = new_figure(9, 5)
    _draw_lines(figure.subplots(), lines, conditions, "reached")
    figure.suptitle(f"{model}: of the way from not placing new labels to being told the old ones", fontsize=10)
    return finish(figure, None)


def _of_changes(results: PredictionResults, model: str) -> pl.DataFrame:
    means = _of_model(results.over_logs(), model, results)
    return means.filter(pl.col("reached").is_not_null() & ~pl.col("way").is_in([UNPLACED, TOLD, RETRAINED_TOLD]))


def _draw_lines(
    axes: Any, lines: dict[Any, pl.DataFrame], conditions: list[str], figure: str, always: Collection[str] = ()
) -> None:
    """Draw a line over the conditions for each of the best names, by their means, and for those that are always shown."""
    best = sorted(lines, key=lambda name: (-float(lines[name][figure].to_numpy().mean()), name))
    chosen = [name for place, name in enumerate(best) if place < _MOST_LINES or name[0] in always]
    for name in chosen:
        values = dict(lines[name].select("condition", figure).iter_rows())
        places = [place for place, condition in enumerate(conditions) if condition in values]
        label = shown(", ".join(name), 50)
        axes.plot(places, [values[conditions[place]] for place in places], "o-", markersize=4, label=label)
    axes.set_xticks(range(len(conditions)), conditions, rotation=30, ha="right", fontsize=8)
    axes.set_ylabel(figure)
    axes.grid(alpha=0.3)
    if chosen:
        title = f"the best {_MOST_LINES} of {len(lines)}" if len(chosen) < len(lines) else None
        axes.legend(fontsize=8, title=title)


def _check_setting(results: PredictionResults) -> None:
    """Refuse results whose accuracies are of several conditions, which a picture by method or log would mix."""
    if results.setting != STANDARD:
        raise ActalikeError(
            f"{results.folder.path} is of the setting {results.setting}, whose conditions this picture would mix. "
            "'actalike benchmark plots' draws what there is to see."
        )


def _of_model(table: pl.DataFrame, model: str | None, results: PredictionResults) -> pl.DataFrame:
    """Return the rows of one model that has figures."""
    known = table.drop_nulls("accuracy")["model"].unique().sort().to_list()
    if model is None and len(known) == 1:
        model = known[0]
    if model not in known:
        problem = "which model?" if model is None else f"no figures of a model {model!r}."
        raise ActalikeError(f"{results.folder.path}: {problem} There are {', '.join(known) or 'none'}.")
    return table.filter(pl.col("model") == model)
