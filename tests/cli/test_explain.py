"""The command explain: the verdict about two labels, and a similarity with its shares."""

import json
import math

import pytest

import actalike
from actalike import EventLog, group, write_log
from actalike.cli.pairs import print_comparison, print_pair_verdict
from actalike.counting import windows
from actalike.demo.loan_desk import loan_desk
from actalike.grouping import judge_pair
from tests.helpers.commands import fails, ok, refuses

KIN = ("--method", "kin")


def test_the_verdict_its_reasons_and_what_differs_are_shown(whole_log):
    text = ok("explain", whole_log, "Pay out", "Transfer loan")
    assert text.startswith(
        "Pay out = Transfer loan?   over 99 % likely one step\n  +  'Transfer loan' is used from 18 March 2024"
    )
    assert "  prior: most label pairs are different steps\n" in text
    assert "  Sign contract → ● → Close file = Archive file\n" in text
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
    assert "aa-sequence-pmi-w3+svd4" in line


def test_an_unknown_activity_is_an_error_with_a_suggestion(log):
    assert "Did you mean 'Pay out'?" in fails("explain", log, "Pay out", "Pay ot")


def test_of_many_activities_only_the_largest_shares_are_listed_and_the_rest_is_their_sum(log, monkeypatch):
    whole = json.loads(ok("explain", log, "Pay out", "Transfer loan", "--json", *KIN))
    monkeypatch.setattr("actalike.cli.pairs._MANY_ACTIVITIES", 5)
    part = json.loads(ok("explain", log, "Pay out", "Transfer loan", "--json", *KIN))
    assert part["shares"] == whole["shares"]
    assert part["share_of_the_rest"] == pytest.approx(whole["share_of_the_rest"], abs=1e-12)
    assert "(all others)" in ok("explain", log, "Pay out", "Transfer loan", "--resamples", 0, *KIN)


@pytest.fixture(scope="module")
def desk():
    return loan_desk()


def test_the_verdict_is_that_of_the_group_and_the_reasons_sum_to_the_probability(desk):
    for proposal in group(desk):
        if proposal.relation == "synonyms":
            pair = judge_pair(desk, *proposal.activities, 3)
            cautions = tuple(one for one in proposal.cautions if one.kind != "same place")  # that is said of groups
            assert pair.verdict == (proposal.relation, proposal.witnesses, cautions)
            facts = pair.to_dict()
            total = sum(reason["log_odds"] for reason in facts["reasons"])
            assert facts["probability"] == pytest.approx(1 / (1 + math.exp(-total)))
            assert 0 < len(facts["common_contexts"]) <= 3


def test_what_is_printed_has_the_verdict_first_and_the_sum_of_the_reasons(desk, capsys):
    print_pair_verdict(judge_pair(desk, "Customer declines", "Offer expires", 2))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Customer declines = Offer expires?   interchangeable in the flow")
    assert lines[1].startswith("  -  no evidence beyond control flow")
    table = lines[lines.index("log-odds  reason") + 1 :]
    rows = table[: table.index("")]
    figures = [float(line.split()[0]) for line in rows]
    middle = next(place for place, line in enumerate(rows) if "sum: interchangeable" in line)
    assert sum(figures[:middle]) == pytest.approx(figures[middle], abs=0.05)
    assert sum(figures[middle:-1]) == pytest.approx(figures[-1], abs=0.05)
    assert "What differs most, as a share of their events:" in lines


def test_labels_without_differences_have_no_table_of_them(capsys):
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "c"]] * 9)
    print_pair_verdict(judge_pair(log, "a", "b", 2))
    assert "differs" not in capsys.readouterr().out
    print_pair_verdict(judge_pair(log, "x", "c", 2))
    assert "They have no context in common." in capsys.readouterr().out


def test_how_the_texts_differ_is_said_in_one_line(capsys):
    log = EventLog.from_traces([["x", "Accept offer", "y"], ["x", "Reject offer", "y"], ["x", "c"]] * 9)
    pair = judge_pair(log, "Accept offer", "Reject offer", 2)
    print_pair_verdict(pair)
    assert "\n     their texts differ in opposite words: 'accept' and 'reject'\n\n" in capsys.readouterr().out
    texts = pair.to_dict()["texts"]
    assert (texts["kind"], texts["first"], texts["second"]) == ("opposite", ["accept"], ["reject"])
    print_pair_verdict(judge_pair(log, "Accept offer", "c", 2))
    assert "their texts" not in capsys.readouterr().out


def test_how_two_labels_are_used_is_said_in_lines_of_80_columns(desk, capsys):
    pair = judge_pair(desk, "Pay out", "Transfer loan", 2)
    print_comparison(pair.comparison)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:3] == ["", "How they are used:", ""]
    assert all(len(line) <= 80 for line in lines)
    text = " ".join(" ".join(lines).split())
    assert "time 'Transfer loan' replaces 'Pay out' from 18 March 2024 on" in text
    assert "cases They are never in the same case." in text
    assert pair.to_dict()["comparison"] == pair.comparison.to_dict()


def test_the_model_is_shown_with_a_bar_for_every_weight(log):
    text = ok("explain", "--model")
    lines = [line for line in text.splitlines() if "│" in line]
    for one, line in zip(actalike.evidence_model().levels, lines, strict=True):
        level, bar = line.split("│")[0].rstrip("█◀ "), line.split("│")[1]
        assert level.split()[-1] == f"{one.log_odds:+.2f}"
        assert ("█" in line.split("│")[0]) == (one.log_odds <= -0.25)
        assert ("█" in bar) == (one.log_odds > 0.25)
    assert len({line.index("│") for line in lines}) == 1
    assert "BPIC12_A" in text
    assert "In this log" not in text
    of_log = ok("explain", "--model", log)
    assert of_log.startswith(text)
    assert "fewer than 5 cases: never judged" in of_log
    assert "A neighbour in common after counts" in of_log


def test_the_model_is_that_of_a_log_or_of_none(log, tmp_path):
    assert "--model explains no pair" in refuses("explain", "--model", log, "Pay out", "Transfer loan")
    assert "--model explains no pair" in refuses("explain", "--model", "--method", "kin")
    assert "Give a LOG and two activities" in refuses("explain", log, "Pay out")
    ok("embed", log, "-o", tmp_path / "vectors.actalike")
    assert "has no cases" in fails("explain", "--model", tmp_path / "vectors.actalike")
