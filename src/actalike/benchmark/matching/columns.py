"""The columns of the benchmark of matching on the benchmark page."""

from actalike.benchmark.matching.results import MatchingResults
from actalike.benchmark.matching.summary import SUMMARIES
from actalike.benchmark.record import Column

_SHOWN = (
    *("codes_hit1", "codes_one", "codes_events", "codes_known10_hit1"),
    *("words_hit1", "words_one", "time_hit1", "time_one", "cases_hit1", "cases_one"),
    *("renamed50_hit1", "deleted10_none_ap", "split_f", "codes_surest25"),
)


def columns(results: MatchingResults) -> list[Column]:
    """Return a column for each figure that some matcher has."""
    table = results.by_log()
    return [
        Column(summary.name, summary.about, "share", table.drop_nulls(summary.name), summary.name)
        for summary in SUMMARIES
        if summary.name in _SHOWN and table[summary.name].null_count() < table.height
    ] + [
        Column(summary.name, summary.about, "seconds", table.drop_nulls(summary.name), summary.name)
        for summary in SUMMARIES
        if summary.name == "seconds" and table[summary.name].null_count() < table.height
    ]
