"""The command similar."""

import json

import actalike
from actalike import EventLog, write_log
from tests.helpers.commands import fails, ok, run

KIN = ("--method", "kin")


def test_pairs_of_a_log_are_shown_with_probabilities_and_verdicts(log):
    header, *rows = ok("similar", log, "--top", 3).splitlines()
    assert header.split() == ["same", "neighbours", "probability", "activity", "events", "activity", "events", "verdict"]
    assert len(rows) == 3
    assert all("over 99 %" in row for row in rows)


def test_by_a_method_the_most_similar_pairs_are_shown_with_their_intervals(log):
    header, *rows = ok("similar", log, "--top", 3, "--resamples", 20, *KIN).splitlines()
    assert header.split() == ["alike", "(kin-w5)", "95", "%", "interval", "activity", "events", "activity", "events"]
    assert len(rows) == 3
    facts = json.loads(ok("similar", log, "-n", 3, "--json", "--min-cases", 5, *KIN))
    frequent = actalike.read_log(log)
    among = [label for label, cases in zip(frequent.activities, frequent.activity_cases, strict=True) if cases >= 5]
    expected = actalike.embed(frequent).most_similar_pairs(3, among)
    assert [(p["a"], p["b"], p["similarity"]) for p in facts["pairs"]] == expected
    assert facts["method"] == actalike.DEFAULT_METHOD
    assert all(p["low"] <= p["similarity"] <= p["high"] for p in facts["pairs"])


def test_without_resamples_there_is_no_column_of_intervals(log):
    header = ok("similar", log, "--top", 3, "--resamples", 0, *KIN).splitlines()[0]
    assert header.split() == ["alike", "(kin-w5)", "activity", "events", "activity", "events"]
    header = ok("similar", log, "Pay out", "--resamples", 0, *KIN).splitlines()[0]
    assert header.split() == ["alike", "(kin-w5)", "activity", "events"]
    assert "--resamples is for the intervals of a similarity: give --method too." in fails("similar", log, "--resamples", 0)


def test_the_neighbours_of_an_activity_are_shown(log):
    assert "Transfer loan" in ok("similar", log, "Pay out", "-n", 1)
    facts = json.loads(ok("similar", log, "Pay out", "--method", "ac-sequence-pmi-w5", "--json", "--resamples", 20))
    assert facts["method"] == "ac-sequence-pmi-w5"
    assert facts["most_similar"][0]["activity"] == "Transfer loan"


def test_the_json_keys_are_those_that_programs_know(log):
    figures = {"probability", "overlap", "relation"}
    facts = json.loads(ok("similar", log, "-n", 1, "--json"))
    assert set(facts) == {"schema", "pairs", "names", "read"}
    assert set(facts["pairs"][0]) == {"a", "b", "count_a", "count_b", "cases_a", "cases_b"} | figures
    facts = json.loads(ok("similar", log, "Pay out", "-n", 1, "--json"))
    assert set(facts) == {"schema", "activity", "most_similar", "names", "read"}
    assert set(facts["most_similar"][0]) == {"activity", "count", "cases"} | figures
    interval = {"low", "high", "cases", "too_rare"}
    facts = json.loads(ok("similar", log, "-n", 1, "--json", "--resamples", 20, *KIN))
    assert set(facts) == {"schema", "method", "pairs", "names", "read"}
    assert set(facts["pairs"][0]) == {"a", "b", "similarity", "count_a", "count_b"} | interval
    facts = json.loads(ok("similar", log, "Pay out", "-n", 1, "--json", "--resamples", 20, *KIN))
    assert set(facts) == {"schema", "method", "activity", "most_similar", "names", "read"}
    assert set(facts["most_similar"][0]) == {"activity", "similarity", "count"} | interval


def test_rare_activities_are_marked_and_can_be_left_out(tmp_path):
    path = tmp_path / "log.csv"
    write_log(EventLog.from_traces([["x", "a", "y"]] * 9 + [["x", "b", "y"]] * 9 + [["x", "c", "y"], ["x", "d", "y"]]), path)
    for chosen in ((), KIN):
        assert "too rare to judge" in ok("similar", path, "c", *chosen)
        shown = json.loads(ok("similar", path, "--min-cases", 5, "--json", *chosen))["pairs"]
        assert {p["a"] for p in shown} | {p["b"] for p in shown} == {"a", "b", "x", "y"}
        near = json.loads(ok("similar", path, "a", "--min-cases", 9, "--json", *chosen))["most_similar"]
        assert near[0]["activity"] == "b"
    write_log(EventLog.from_traces([["x", "a"], ["x", "b"]]), tmp_path / "few.csv")
    assert "--min-cases 5" in run("similar", tmp_path / "few.csv", *KIN).stderr
    actalike.embed(actalike.read_log(path)).save(tmp_path / "e.actalike")
    assert "--min-cases means nothing" in fails("similar", tmp_path / "e.actalike", "--min-cases", 5)


def test_a_saved_embedding_is_compared_by_its_method_which_the_heading_names(log, tmp_path):
    actalike.embed(actalike.read_log(log)).save(tmp_path / "e.actalike")
    for label in ([], ["Pay out"]):
        assert ok("similar", tmp_path / "e.actalike", *label, "-n", 1).split()[:2] == ["alike", "(kin-w5)"]


def test_intervals_of_other_methods_than_kin_come_with_a_warning(log):
    assert "may be too narrow" in run("similar", log, "--method", "aa-sequence-pmi-w3", "--resamples", 20).stderr
    assert "narrow" not in run("similar", log, "--resamples", 20, *KIN).stderr
    assert "narrow" not in run("similar", log, "--method", "aa-sequence-pmi-w3", "--resamples", 0).stderr


def test_a_single_activity_has_no_pairs(tmp_path):
    write_log(EventLog.from_traces([["a"]]), tmp_path / "log.csv")
    assert "no two activities" in ok("similar", tmp_path / "log.csv")


def test_a_method_without_its_window_has_its_default_window(log):
    options = ("--resamples", 0, "--json")
    assert json.loads(ok("similar", log, "-m", "kin", *options)) == json.loads(ok("similar", log, "-m", "kin-w5", *options))
    facts = json.loads(ok("similar", log, "-m", "ac-sequence-pmi+svd16", "--resamples", 0, "--json"))
    assert facts["method"] == "ac-sequence-pmi-w3+svd16"


def test_refined_methods_are_named_like_any_other(log):
    refined = "ac-sequence-pmi-w5+shift2+smooth0.75"
    assert json.loads(ok("similar", log, "-m", refined, "--json", "--resamples", 0))["method"] == refined
    assert "kin-w5 has no switch +svd" in fails("similar", log, "-m", "kin-w5+svd4")


def test_unknown_names_are_errors_with_a_suggestion(log):
    assert "Did you mean 'Pay out'?" in fails("similar", log, "pay ot")
    assert "No method is called 'w2v'" in fails("similar", log, "-m", "w2v")


def test_labels_cannot_command_the_terminal(tmp_path):
    write_log(EventLog.from_traces([["\x1b[31mred\x1b[0m", "b"]]), tmp_path / "log.csv")
    assert "\x1b" not in ok("similar", tmp_path / "log.csv")
    assert "\x1b" not in fails("similar", tmp_path / "log.csv", "\x1b[31mre")


def test_what_does_not_fit_into_memory_is_refused_in_one_sentence(tmp_path, monkeypatch):
    write_log(EventLog.from_traces([[f"a{i}", f"a{i + 1}"] for i in range(1500)]), tmp_path / "many.csv")
    monkeypatch.setenv("ACTALIKE_MEMORY", "100MB")
    words = fails("similar", tmp_path / "many.csv", *KIN)
    assert "kin-w5 on 1,501 activities needs about 0.1 GB of memory, and 0.1 GB are allowed (ACTALIKE_MEMORY)" in words
    assert "group" in words
    assert "ac-sequence-pmi-w5" in words
