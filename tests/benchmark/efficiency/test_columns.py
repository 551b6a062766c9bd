"""The benchmark page has a column of seconds and one of memory."""

from actalike.benchmark.efficiency.columns import columns


def test_columns_have_the_medians_of_what_was_measured(few_results):
    seconds, memory = columns(few_results)
    assert (seconds.title, seconds.kind, memory.title, memory.kind) == ("seconds", "seconds", "memory", "bytes")
    times = {(row["log"], row["method"]): row[seconds.figure] for row in seconds.table.iter_rows(named=True)}
    assert times["plain", "kin-w3"] == 0.2  # of 0.1 and 0.3
    assert not {"sleeps", "unlucky"} & {method for _, method in times}
    rises = {(row["log"], row["method"]): row[memory.figure] for row in memory.table.iter_rows(named=True)}
    assert set(rises.values()) == {2_500_000}
    assert times.keys() - rises.keys() == {("plain", "process-structure w/o discovery")}  # derived from times alone
