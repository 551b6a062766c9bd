"""Pictures of the benchmark of labels: nearest neighbours and groups by method, every recipe, and reliability."""

from pathlib import Path
from typing import Any

from actalike.benchmark.labels.results import LabelResults
from actalike.benchmark.labels.summary import GROUPS, NEAREST, columns_of
from actalike.benchmark.labels.tasks import TASKS
from actalike.benchmark.pictures import draw_bars, draw_reliability
from actalike.benchmark.scoring import reliability
from actalike.errors import ActalikeError
from actalike.support.figures import finish, new_figure, shown

Source = str | Path | LabelResults  # a folder of results, or what was read from it


def plots(results: LabelResults) -> dict[str, Any]:
    """Draw all pictures that these results have; return them by name."""
    pictures = {}
    for name, part in (("nearest_neighbour", NEAREST), ("groups", GROUPS)):
        if _with_values(results, part):
            pictures[name] = figures_by_method(results, part)
    if results.by_recipe()["nn"].drop_nulls().len():
        pictures["nearest_neighbour_by_recipe"] = by_recipe(results)
    if results.probable:
        pictures["reliability"] = reliability_curves(results)
    if not pictures:
        raise ActalikeError(f"No method of {results.folder.path} has a value, so there is nothing to draw.")
    return pictures


def _with_values(results: LabelResults, part: str) -> list[str]:
    means = results.over_logs()
    return [column for column in columns_of(part) if means[column].drop_nulls().len()]


def figures_by_method(results: Source, part: str = NEAREST, path: str | Path | None = None) -> Any:
    """Draw the means of one of the tables over the families of logs: a bar for each method, with its bootstrap interval."""
    results = LabelResults.of(results)
    columns = _with_values(results, part)
    means = results.over_logs().sort(columns[0], "method", nulls_last=False)
    figure = new_figure(2.5 + 2.3 * len(columns), 1.5 + 0.22 * means.height)
    names = [shown(method, 60) for method in means["method"]]
    panels = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
    for axes, column in zip(panels, columns, strict=True):
        draw_bars(axes, names, means[column], means[f"{column}_low"], means[f"{column}_high"], "#56b4e9")
        axes.set_title(column)
    figure.suptitle(f"{part}: mean over families of logs; lines: 95 % bootstrap interval", fontsize=10)
    return finish(figure, path)


def by_recipe(results: Source, path: str | Path | None = None) -> Any:
    """Draw a heat map: the nearest neighbour of each method on each task, as the mean over families of logs."""
    results = LabelResults.of(results)
    table = results.by_recipe().drop_nulls("nn")
    methods = sorted(set(table["method"]))
    tasks = sorted(set(table["task"]), key=lambda task: (TASKS.index(task) if task in TASKS else len(TASKS), task))
    values = {(method, task): value for method, task, value in table.iter_rows()}
    figure = new_figure(3 + 0.4 * len(tasks), 2 + 0.3 * len(methods))
    axes = figure.subplots()
    grid = [[values.get((method, task), float("nan")) for task in tasks] for method in methods]
    axes.imshow(grid, aspect="auto", cmap="viridis", vmin=0, vmax=1)
    for y, row in enumerate(grid):
        for x, value in enumerate(row):
            if value == value:
                axes.text(x, y, f"{value:.2f}", ha="center", va="center", fontsize=6, color="black" if value > 0.6 else "white")
    axes.set_xticks(range(len(tasks)), tasks, rotation=90, fontsize=7)
    axes.set_yticks(range(len(methods)), [shown(method, 60) for method in methods], fontsize=8)
    axes.set_title("Nearest neighbour is right: mean over families of logs", fontsize=10)
    return finish(figure, path)


def reliability_curves(results: Source, path: str | Path | None = None) -> Any:
    """Draw the reliability curve of each method that gives probabilities, with Wilson intervals."""
    results = LabelResults.of(results)
    figure = new_figure(10, 5)
    titles = ("All pairs with a planted name", "Nearest partners")
    for place, (axes, title) in enumerate(zip(figure.subplots(1, 2), titles, strict=True)):
        curves = {method: reliability(results.tally(method)[place]) for method in results.probable}
        draw_reliability(axes, curves, "share that is one step")
        axes.set_title(title, fontsize=10)
    return finish(figure, path)
