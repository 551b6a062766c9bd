"""The columns of the benchmark of labels on the benchmark page."""

from actalike.benchmark.labels.results import LabelResults
from actalike.benchmark.labels.summary import SUMMARIES
from actalike.benchmark.record import Column

_SHOWN = ("case", "event", "period", "resource", "natural", "whole_2", "whole_4", "uneven_4", "f", "phase")


def columns(results: LabelResults) -> list[Column]:
    """Return a column for each figure that some method has."""
    table = results.by_log()
    return [
        Column(summary.name, summary.about, "share", table.drop_nulls(summary.name), summary.name)
        for summary in SUMMARIES
        if summary.name in _SHOWN and table[summary.name].null_count() < table.height
    ]
