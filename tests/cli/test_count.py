"""The command count."""

import json

import actalike
from tests.helpers.commands import fails, ok


def test_the_table_of_windows_is_saved(log, tmp_path):
    counts = actalike.count_windows(actalike.read_log(log), 9)
    assert ok("count", log, "-o", tmp_path / "c.actalike") == f"{tmp_path / 'c.actalike'}: {counts}\n"
    assert actalike.load(tmp_path / "c.actalike") == counts
    facts = json.loads(ok("count", log, "-w", 3, "-o", tmp_path / "c.actalike", "--overwrite", "--json"))
    assert (facts["window"], facts["events"], facts["activities"]) == (3, counts.n_events, 30)
    assert facts["distinct_windows"] == len(counts.marginal(3).counts)


def test_wrong_names_are_errors(log, tmp_path):
    assert "must end in .actalike" in fails("count", log, "-o", tmp_path / "c.csv")
    ok("count", log, "-o", tmp_path / "c.actalike")
    assert "is no log" in fails("count", tmp_path / "c.actalike", "-o", tmp_path / "d.actalike")
    assert "cannot be read" in fails("count", tmp_path / "e.actalike", "-o", tmp_path / "d.actalike")
    assert "--show-sql needs --engine" in fails("count", log, "--show-sql")
    assert "--output is missing" in fails("count", log)
