"""Tables of the benchmark of labels: a part for each question, and published figures beside ours."""

import polars as pl

from actalike.benchmark.labels.published import LOG, SETTINGS, published_f
from actalike.benchmark.labels.results import LabelResults
from actalike.benchmark.labels.summary import CALIBRATION, PARTS, columns_of
from actalike.benchmark.scoring import expected_calibration_error, reliability
from actalike.benchmark.tables import csv_table, figure_table, layout, reliability_table


def table(results: LabelResults, *, form: str, by_log: bool, intervals: bool) -> str:
    """Return the results as Markdown, LaTeX or CSV. Columns and methods without any figure are left out of a part."""
    frame = results.frame(by_log=by_log)
    if form == "csv":
        return csv_table(frame)
    parts = []
    for title in PARTS:
        shown = [column for column in columns_of(title) if frame[column].null_count() < frame.height]
        rows = frame.filter(pl.any_horizontal(pl.col(column).is_not_null() for column in shown)) if shown else frame.clear()
        if rows.height:
            parts.append(f"{title}:\n\n{figure_table(rows, form, shown, by_log=by_log, intervals=intervals)}")
        if title == CALIBRATION and not by_log:
            parts += _curves(results, form)
    if not by_log and (published := _beside_published(results, form)):
        parts.append(published)
    return "\n\n".join(parts)


def _curves(results: LabelResults, form: str) -> list[str]:
    """Return the reliability curves of the methods that give probabilities, over all logs."""
    tables = []
    for method in results.probable:
        for tally, title in zip(results.tally(method), ("all pairs with a planted name", "nearest partners only"), strict=True):
            curve = reliability(tally)
            error = expected_calibration_error(curve)
            head = f"Reliability of {method}, {title}, all logs together (ECE {error:.3f}):"
            tables.append(f"{head}\n\n{reliability_table(curve, 'share one step', form)}")
    return tables


def _beside_published(results: LabelResults, form: str) -> str | None:
    """Return mean F on labels that are split as in SwiftMend's logs, beside the published figures; None if there are none."""
    ours = results.by_task().filter((pl.col("log") == LOG) & pl.col("task").str.starts_with("swiftmend-"))
    settings = [setting for setting in SETTINGS if f"swiftmend-{setting}" in ours["task"]]
    if not settings:
        return None
    values = {(method, task): f for method, task, f in ours.select("method", "task", "f").iter_rows()}
    methods = list(dict.fromkeys(ours["method"]))
    rows = [[m, *(_three_digits(values.get((m, f"swiftmend-{setting}"))) for setting in settings)] for m in methods]
    for name in published_f(SETTINGS[0]):
        rows.append([name, *(_three_digits(published_f(setting)[name]) for setting in settings)])
    header = ["method", *(f"{setting.replace('-', ' %, ')} %" for setting in settings)]
    return (
        f"{LOG}, labels split as in SwiftMend's logs (share of labels, of their events), mean F:\n\n{layout(header, rows, form)}"
    )


def _three_digits(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
