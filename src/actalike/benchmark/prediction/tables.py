"""Tables of the next-activity benchmark: a part for each model."""

import polars as pl

from actalike.benchmark.prediction.cells import TIME
from actalike.benchmark.prediction.changed_labels import DRAWS, MAIN, conditions
from actalike.benchmark.prediction.results import MEANS, RETRAINED, RETRAINED_TOLD, TOLD, UNPLACED, PredictionResults
from actalike.benchmark.prediction.settings import CHANGED_LABELS, FEW_CASES
from actalike.benchmark.tables import csv_table, figure_table, layout

_OF_LOGS = ("accuracy", "spread", "mcc")
_OVER_LOGS = (*MEANS[:3], "spread", "gain")
_WAYS = (UNPLACED, TOLD, "placed", RETRAINED, "read")


def table(results: PredictionResults, *, form: str, by_log: bool, intervals: bool) -> str:
    """Return the results as Markdown, LaTeX or CSV."""
    frame = results.frame(by_log=by_log)
    if form == "csv":
        return csv_table(frame)
    parts = []
    for (model,), part in frame.group_by("model", maintain_order=True):
        if results.setting == FEW_CASES:
            text = _by_condition(part, form, "accuracy", by_log=by_log, intervals=intervals)
        elif results.setting == CHANGED_LABELS:
            text = _of_changes(part, form, by_log=by_log, intervals=intervals)
        else:
            metrics = _OF_LOGS if by_log else MEANS if intervals else _OVER_LOGS
            shown = (*metrics, TIME) if part[TIME].count() else metrics  # not all models predict times
            text = figure_table(part, form, shown, by_log=by_log, intervals=intervals)
        parts.append(f"{model}:\n\n{text}")
    return "\n\n".join(parts)


def _of_changes(part: pl.DataFrame, form: str, *, by_log: bool, intervals: bool) -> str:
    """Return the accuracies of the main condition by way, and how far each method gets with each way under every condition."""
    main = part.filter(pl.col("condition") == MAIN.name)
    of_ways = [way for way in _WAYS if way in main["way"].to_list()]
    rows = ["log", "method"] if by_log else ["method"]
    title = f"Accuracy, {MAIN.name} ({RETRAINED}: of the first draw, the others of all {DRAWS})"
    accuracy = f"{title}:\n\n{_pivot(main, rows, 'way', of_ways, 'accuracy', form, intervals=intervals)}"
    if by_log:
        return accuracy
    placed = part.filter(~pl.col("way").is_in([UNPLACED, TOLD, RETRAINED_TOLD]) & pl.col("reached").is_not_null())
    present = set(placed["condition"])
    names = [name for name in dict.fromkeys(condition.name for condition in conditions()) if name in present]
    reached = _pivot(placed, ["way", "method"], "condition", names, "reached", form, intervals=intervals)
    return f"{accuracy}\n\nOf the way from not placing new labels to being told the old ones:\n\n{reached}"


def _by_condition(part: pl.DataFrame, form: str, figure: str, *, by_log: bool, intervals: bool) -> str:
    shares = list(dict.fromkeys(part["condition"].drop_nulls().sort()))
    return _pivot(part, ["log", "method"] if by_log else ["method"], "condition", shares, figure, form, intervals=intervals)


def _pivot(
    part: pl.DataFrame, rows: list[str], column: str, values: list[str], figure: str, form: str, *, intervals: bool
) -> str:
    """Lay out a figure with a column for each value of ``column``."""
    cells = {
        (*(row[name] for name in rows), row[column]): _cell(row, figure, intervals=intervals)
        for row in part.iter_rows(named=True)
        if row[figure] is not None
    }
    heads = list(dict.fromkeys(key[:-1] for key in cells))
    lines = [[*head, *(cells.get((*head, value), "-") for value in values)] for head in sorted(heads)]
    return layout([*rows, *values], lines, form)


def _cell(row: dict[str, float], figure: str, *, intervals: bool) -> str:
    low, high = row.get(f"{figure}_low"), row.get(f"{figure}_high")
    return f"{row[figure]:.3f}" if not intervals or low is None or high is None else f"{row[figure]:.3f} [{low:.3f}, {high:.3f}]"
