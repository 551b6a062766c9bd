"""Tables of the next-activity benchmark: a part for each model."""

from actalike.benchmark.prediction.cells import TIME
from actalike.benchmark.prediction.results import MEANS, PredictionResults
from actalike.benchmark.tables import csv_table, figure_table

_OF_LOGS = ("accuracy", "spread", "mcc")
_OVER_LOGS = (*MEANS[:3], "spread", "gain")


def table(results: PredictionResults, *, form: str, by_log: bool, intervals: bool) -> str:
    """Return the results as Markdown, LaTeX or CSV."""
    frame = results.frame(by_log=by_log)
    if form == "csv":
        return csv_table(frame)
    metrics = _OF_LOGS if by_log else MEANS if intervals else _OVER_LOGS
    parts = []
    for (model,), part in frame.group_by("model", maintain_order=True):
        shown = (*metrics, TIME) if part[TIME].count() else metrics  # not all models predict times
        parts.append(f"{model}:\n\n{figure_table(part, form, shown, by_log=by_log, intervals=intervals)}")
    return "\n\n".join(parts)
