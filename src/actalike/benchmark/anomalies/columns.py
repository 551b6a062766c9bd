"""The columns of the benchmark of anomalies on the benchmark page."""

from actalike.benchmark.anomalies.results import AnomalyResults
from actalike.benchmark.anomalies.summary import SUMMARIES
from actalike.benchmark.record import Column
from actalike.benchmark.tasks.planted_anomalies import OTHERS, SLIPS

_SHOWN = (
    *("trace_ap", "trace_f", "event_ap", "cell_ap", "cell_f"),
    *("known_trace_ap", "known_cell_ap", "known_precision1", "known_precision5", "known_trace_learnt_f"),
    *("known_place", "known_expected", "known_kind"),
    *(f"alone_{kind}" for kind in SLIPS),
    *(f"outside_{kind}" for kind in OTHERS),
)


def columns(results: AnomalyResults) -> list[Column]:
    """Return a column for each figure that some detector has."""
    table = results.by_log()
    return [
        Column(summary.name, summary.about, kind, table.drop_nulls(summary.name), summary.name)
        for kind, names in (("share", _SHOWN), ("seconds", ("seconds",)))
        for summary in SUMMARIES
        if summary.name in names and table[summary.name].null_count() < table.height
    ]
