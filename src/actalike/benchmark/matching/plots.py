"""Pictures of the benchmark of matching: partners found by matcher, what known pairs bring, and reliability."""

from pathlib import Path
from typing import Any

import polars as pl

from actalike.benchmark.matching.results import MatchingResults
from actalike.benchmark.matching.summary import KIND_TITLES, columns_of
from actalike.benchmark.pictures import draw_bars, draw_reliability
from actalike.benchmark.scoring import reliability
from actalike.benchmark.tasks.matching_problems import KINDS
from actalike.errors import ActalikeError
from actalike.support.figures import finish, new_figure, shown

Source = str | Path | MatchingResults  # a folder of results, or what was read from it
_TOLD = {0: "codes_hit1", 5: "codes_known5_hit1", 10: "codes_known10_hit1", 20: "codes_known20_hit1"}


def plots(results: MatchingResults) -> dict[str, Any]:
    """Draw all pictures that these results have; return them by name."""
    pictures = {}
    means = results.over_logs()
    for kind in KINDS:
        part = f"{KIND_TITLES[kind]}, nothing known"
        if any(means[column].drop_nulls().len() for column in columns_of(part)):
            pictures[f"partners_{kind}"] = _bars(means, part)
    if all(means[column].drop_nulls().len() for column in _TOLD.values()):
        pictures["known_pairs"] = _lines(means)
    if results.probable:
        pictures["reliability"] = reliability_curves(results)
    if not pictures:
        raise ActalikeError(f"No matcher of {results.folder.path} has a value, so there is nothing to draw.")
    return pictures


def reliability_curves(results: Source, path: str | Path | None = None) -> Any:
    """Draw the reliability curves of proposed pairs, a panel for each kind of pairs of logs, with Wilson intervals."""
    results = MatchingResults.of(results)
    kinds = [kind for kind in KINDS if any(results.tally(method, kind)[1].n.sum() for method in results.probable)]
    figure = new_figure(5 * len(kinds), 5)
    for axes, kind in zip(figure.subplots(1, len(kinds), squeeze=False)[0], kinds, strict=True):
        curves = {method: reliability(results.tally(method, kind)[0]) for method in results.probable}
        draw_reliability(axes, {method: curve for method, curve in curves.items() if curve}, "share that is the same step")
        axes.set_title(f"{KIND_TITLES[kind]}, nothing known", fontsize=10)
    return finish(figure, path)


def _bars(means: pl.DataFrame, part: str) -> Any:
    columns = [column for column in columns_of(part) if means[column].drop_nulls().len()]
    if not columns:
        raise ActalikeError(f"No matcher has a value of {part!r}, so there is nothing to draw.")
    means = means.drop_nulls(columns[0]).sort(columns[0], "method")
    figure = new_figure(2.5 + 2.3 * len(columns), 1.5 + 0.22 * means.height)
    names = [shown(method, 60) for method in means["method"]]
    panels = figure.subplots(1, len(columns), sharey=True, squeeze=False)[0]
    for axes, column in zip(panels, columns, strict=True):
        draw_bars(axes, names, means[column], means[f"{column}_low"], means[f"{column}_high"], "#56b4e9")
        axes.set_title(column)
    figure.suptitle(f"{part}: mean; lines: 95 % bootstrap interval", fontsize=10)
    return figure


def _lines(means: pl.DataFrame) -> Any:
    figure = new_figure(7, 4.5)
    axes = figure.subplots()
    for row in means.drop_nulls(_TOLD[0]).sort(_TOLD[0], descending=True).iter_rows(named=True):
        values = [(share, row[column]) for share, column in _TOLD.items() if row[column] is not None]
        axes.plot(*zip(*values, strict=True), "o-", ms=4, lw=1, label=shown(row["method"], 40))
    axes.set_ylim(0, 1)
    axes.set_xticks(list(_TOLD), [f"{share} %" for share in _TOLD])
    axes.set_xlabel("pairs that are known")
    axes.set_ylabel("best candidate is the partner")
    axes.set_title(f"{KIND_TITLES['codes']}: known pairs, drawn at random", fontsize=10)
    axes.legend(fontsize=7)
    axes.grid(alpha=0.3)
    return figure
