"""The command explain."""

import json

import pytest

import actalike
from actalike import EventLog, write_log
from actalike.counting import windows
from tests.helpers.commands import fails, ok

KIN = ("--method", "kin")


def test_the_verdict_its_reasons_and_what_differs_are_shown(whole_log):
    text = ok("explain", whole_log, "Pay out", "Transfer loan")
    assert text.startswith(
        "Pay out = Transfer loan?   over 99 % likely one step\n  +  'Transfer loan' is used from 22 March 2024"
    )
    assert "  any two labels: few are one step\n" in text
    assert "\n    101             92  Sign contract → ● → Close file\n" in text
    assert "\nWhat differs most, as a share of their events:\n" in text
    assert ok("explain", whole_log, "Approve loan", "Write note").startswith(
        "Approve loan = Write note?   different steps: under 1 %"
    )


def test_a_verdict_has_no_intervals_to_resample(log):
    line = fails("explain", log, "Pay out", "Transfer loan", "--resamples", 0)
    assert "--resamples is for the intervals of a similarity: give --method too." in line
    assert "'Pay out' is compared with itself" in fails("explain", log, "Pay out", "Pay out")


def test_shares_and_common_contexts_are_shown(log):
    text = ok("explain", log, "Pay out", "Transfer loan", "--method", "ac-sequence-pmi-w3")
    assert text.startswith("Pay out and Transfer loan are alike by 0.")
    assert "Sign contract → ● → Close file" in text
    facts = json.loads(ok("explain", log, "Pay out", "Transfer loan", "-n", 2, "--json", *KIN))
    total = sum(s["share"] for s in facts["shares"]) + facts["share_of_the_rest"]
    assert total == pytest.approx(facts["similarity"], abs=1e-12)
    assert set(facts["common_contexts"][0]) == {"context", "count_a", "count_b"}


def test_the_interval_is_part_of_the_first_sentence(tmp_path):
    path = tmp_path / "log.csv"
    write_log(EventLog.from_traces([["x", "a", "y"]] * 9 + [["x", "b", "y"]] * 9 + [["x", "c", "y"], ["x", "d", "y"]]), path)
    assert "too rare to judge: they are in 9 and 1 cases." in ok("explain", path, "a", "c", *KIN)
    assert ", 95 % interval 0." in ok("explain", path, "a", "b", *KIN)
    assert ok("explain", path, "a", "b", *KIN).splitlines()[0].endswith(" (cases resampled).")
    assert "interval" not in ok("explain", path, "a", "b", "--resamples", 0, *KIN)


def test_the_common_contexts_are_of_the_methods_kind(tmp_path):
    write_log(EventLog.from_traces([["x", "a", "y"], ["y", "b", "x"]]), tmp_path / "log.csv")
    text = ok("explain", tmp_path / "log.csv", "a", "b", "-m", "ac-multiset-raw-w3")
    assert "1  1  {x, y}" in text
    assert "no context in common" in ok("explain", tmp_path / "log.csv", "a", "b", "-m", "ac-sequence-raw-w3")


def test_refinements_do_not_change_the_common_contexts(log):
    contexts = [
        json.loads(ok("explain", log, "Pay out", "Transfer loan", "-m", name, "--json"))["common_contexts"]
        for name in ("ac-sequence-pmi-w5+shift2+smooth0.75", "ac-sequence-pmi-w5")
    ]
    assert contexts[0] == contexts[1]


def test_the_windows_are_counted_once(log, monkeypatch):
    counted = []
    count_log = windows._count_variants
    monkeypatch.setattr(windows, "_count_variants", lambda *arguments: counted.append(arguments) or count_log(*arguments))
    n_cases = actalike.read_log(log).n_cases
    for method in (["--resamples", 0, *KIN], []):
        counted.clear()
        ok("explain", log, "Pay out", "Transfer loan", *method)
        assert sum(arguments[0].n_cases == n_cases for arguments in counted) == 1  # parts of the log are counted beside


def test_a_saved_table_has_common_contexts_and_a_saved_embedding_has_none(log, tmp_path):
    actalike.count_windows(actalike.read_log(log), 9).save(tmp_path / "c.actalike")
    call = ("explain", tmp_path / "c.actalike", "Pay out", "Transfer loan", "-m", "kin", "--json")
    assert json.loads(ok(*call))["common_contexts"]
    actalike.embed(actalike.read_log(log)).save(tmp_path / "e.actalike")
    text = ok("explain", tmp_path / "e.actalike", "Pay out", "Transfer loan")
    assert "alike by" in text
    assert "times in the context" not in text


def test_methods_that_cannot_explain_say_so(log):
    line = fails("explain", log, "Pay out", "Transfer loan", "-m", "aa-sequence-pmi-w3+svd4")
    assert "aa-sequence-pmi-w3+svd4 cannot explain itself" in line


def test_an_unknown_activity_is_an_error_with_a_suggestion(log):
    assert "Did you mean 'Pay out'?" in fails("explain", log, "Pay out", "Pay ot")


def test_of_many_activities_only_the_largest_shares_are_listed_and_the_rest_is_their_sum(log, monkeypatch):
    whole = json.loads(ok("explain", log, "Pay out", "Transfer loan", "--json", *KIN))
    monkeypatch.setattr("actalike.cli.pairs._MANY_ACTIVITIES", 5)
    part = json.loads(ok("explain", log, "Pay out", "Transfer loan", "--json", *KIN))
    assert part["shares"] == whole["shares"]
    assert part["share_of_the_rest"] == pytest.approx(whole["share_of_the_rest"], abs=1e-12)
    assert "(all others)" in ok("explain", log, "Pay out", "Transfer loan", "--resamples", 0, *KIN)
