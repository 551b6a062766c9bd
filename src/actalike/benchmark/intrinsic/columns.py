"""The columns of the intrinsic benchmark on the benchmark page."""

from actalike.benchmark.intrinsic.metrics import METRICS
from actalike.benchmark.intrinsic.results import IntrinsicResults
from actalike.benchmark.record import Column

_ABOUT = {
    "I_comp": "1 minus the mean distance within a class of look-alikes, distances scaled to 0..1",
    "I_nn": "how often the nearest other activity is a look-alike",
    "I_prec": "the share of look-alikes among the nearest, as many as there are",
    "I_tri": "how often a look-alike is nearer than an activity that is none",
}


def columns(results: IntrinsicResults) -> list[Column]:
    """Return a column for each metric."""
    table = results.by_log().drop_nulls("I_comp")
    return [Column(metric, _ABOUT[metric], "share", table, metric) for metric in METRICS]
