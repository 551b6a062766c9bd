"""The columns of the efficiency benchmark on the benchmark page."""

from actalike.benchmark.efficiency.results import EfficiencyResults
from actalike.benchmark.record import Column

_FROM_TO = "from a log in memory to all distances"


def columns(results: EfficiencyResults) -> list[Column]:
    """Return the columns of seconds and of memory."""
    table = results.by_log()
    return [
        Column("seconds", f"median wall seconds {_FROM_TO}", "seconds", table.drop_nulls("seconds"), "seconds"),
        Column("memory", f"rise of the resident memory {_FROM_TO}", "bytes", table.drop_nulls("rise_bytes"), "rise_bytes"),
    ]
