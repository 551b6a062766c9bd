"""The command similar: likely pairs of a log, and similarities by a method with their intervals."""

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import actalike
from actalike import Embedding, EventLog, embed, group, same_step, write_log
from actalike.cli.pairs import find_intervals, interval_facts, interval_words, print_likely_pairs
from actalike.demo.loan_desk import loan_desk
from actalike.embedding import Confidence
from actalike.grouping import likely_pairs
from actalike.labels import LikelyPairs, judge
from tests.helpers.commands import fails, ok, refuses, run
from tests.helpers.examples import examples
from tests.helpers.strategies import logs

KIN = ("--method", "kin")


def test_pairs_of_a_log_are_shown_with_probabilities_and_verdicts(log):
    header, *rows = ok("similar", log, "--top", 3).splitlines()
    assert header.split()[:5] == ["one", "step", "interchangeable", "same", "neighbours"]
    assert header.split()[5:] == ["activity", "events", "activity", "events", "verdict"]
    assert len(rows) == 3


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
    figures = {"probability", "interchangeable", "overlap", "relation"}
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
    assert "--min-cases" in fails("similar", tmp_path / "e.actalike", "--min-cases", 5)


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
    assert "Fewer than two" in ok("similar", tmp_path / "log.csv")


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


def test_what_does_not_fit_into_memory_is_refused_in_one_sentence(tmp_path, monkeypatch):
    write_log(EventLog.from_traces([[f"a{i}", f"a{i + 1}"] for i in range(1500)]), tmp_path / "many.csv")
    monkeypatch.setenv("ACTALIKE_MEMORY", "100MB")
    words = fails("similar", tmp_path / "many.csv", *KIN)
    assert "kin-w5 on 1,501 activities needs about 0.1 GB of memory, and 0.1 GB are allowed (ACTALIKE_MEMORY)" in words
    assert "group" in words
    assert "ac-sequence-pmi-w5" in words


@examples(25)
@given(logs(), st.integers(1, 8), st.sampled_from([1, 3, 5, 6]), st.booleans())
def test_pairs_are_ordered_by_probability_and_rare_labels_come_last(log, top, min_cases, of_one):
    same = same_step(log)
    cases = dict(zip(log.activities, log.activity_cases.tolist(), strict=True))
    one = log.activities[0] if of_one else None
    pairs = [pair for pair in combinations(log.activities, 2) if one in (None, pair[0])]
    left = [pair for pair in pairs if all(cases[label] >= min_cases for label in pair if label != one)]
    step = {label: same.spelled.get(label, label) for label in log.activities}
    rare = {(a, b): step[a] != step[b] and any(cases[label] < 5 for label in (a, b) if label != one) for a, b in left}
    naive = sorted(left, key=lambda pair: (rare[pair], -round(same.log_odds[tuple(map(log.activities.index, pair))], 9)))
    judged = likely_pairs(log, one, top, min_cases)
    assert [one[:2] for one in judged] == naive[:top]
    for found in judged:
        assert (found.cases_a, found.cases_b) == (cases[found.a], cases[found.b])
        assert found.probability == same.probability(*found[:2])


def test_a_rare_spelling_comes_before_less_likely_pairs_of_frequent_labels():
    traces = [["open", f"Call {who}", f"Pay {who}", "close"] for who in ("witness", "doctor", "garage")] * 20
    log = EventLog.from_traces([*traces, ["open", "Call witness ", "Pay witness", "close"]])
    for label in ("Call witness", "Call witness ", None):
        first = likely_pairs(log, label)[0]
        assert ({first.a, first.b}, first.relation) == ({"Call witness", "Call witness "}, "synonyms")


def test_the_verdicts_are_those_of_the_groups():
    log = loan_desk()
    same = same_step(log)
    for proposal in group(log, same=same):
        pairs = list(combinations(proposal.activities, 2))
        if all(same.probability(*pair) >= 0.5 for pair in pairs):  # a group may be more than its pairs
            assert {verdict.relation for verdict in judge(same, pairs)} == {proposal.relation}
    assert judge(same, [("Write note", "Approve loan")])[0] == (None, (), ())


@pytest.mark.parametrize(("activity", "columns"), [(None, 10), ("shred", 8)])
def test_a_pair_that_is_too_rare_says_so(activity, columns, capsys):
    log = EventLog.from_traces([["open", "check", "pay"], ["open", "call", "check", "pay"]] * 20 + [["open", "shred"]] * 2)
    print_likely_pairs(likely_pairs(log, activity, 2000, 1), {})
    header, *rows = capsys.readouterr().out.splitlines()
    assert len(header.split()) == columns
    assert "too rare to judge" in rows[-1]
    assert all("too rare" not in row for row in rows[:5]) or activity is not None


def test_nothing_to_compare_is_said(capsys):
    print_likely_pairs(LikelyPairs([], loan_desk()), {})
    assert capsys.readouterr().out == "Fewer than two activities: nothing to compare.\n"


JUDGED = Confidence(0.9, 0.84, 0.951, (40, 1700))
RARE = Confidence(0.9, None, None, (4000, 1))
LOG = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]] * 5)
PAIRS = [("a", "b"), ("x", "y")]


def test_an_interval_in_words():
    assert interval_words(JUDGED) == ", 95 % interval 0.840 to 0.951 (cases resampled)"
    assert interval_words(RARE) == ", but that is too rare to judge: they are in 4,000 and 1 cases"
    assert interval_words(None) == ""


def test_an_interval_as_data():
    assert interval_facts(JUDGED) == {"low": 0.84, "high": 0.951, "cases": (40, 1700), "too_rare": False}
    assert interval_facts(RARE) == {"low": None, "high": None, "cases": (4000, 1), "too_rare": True}
    assert interval_facts(None) == {"low": None, "high": None, "cases": None, "too_rare": None}


def test_intervals_are_those_of_the_embedding(capsys):
    assert find_intervals(embed(LOG), PAIRS, 20) == embed(LOG).confidences(PAIRS, 20)
    assert capsys.readouterr() == ("", "")


def test_intervals_that_were_not_validated_come_with_a_note(capsys):
    find_intervals(embed(LOG, "ac-sequence-pmi-w3"), PAIRS, 20)
    assert "the intervals of ac-sequence-pmi-w3 may be too narrow" in capsys.readouterr().err


def test_without_cases_or_resamples_there_is_no_interval_and_no_note(capsys):
    assert find_intervals(embed(LOG, "ac-sequence-pmi-w3"), PAIRS, 0) == [None, None]
    assert find_intervals(Embedding(["a", "b"], np.eye(2)), [("a", "b")], 100) == [None]
    assert capsys.readouterr() == ("", "")


def test_a_negative_number_of_resamples_is_refused(log):
    refuses("similar", log, "--resamples", -1)
