"""The verdict about two labels, as commands show it."""

import math

import pytest

from actalike import EventLog, group
from actalike.cli.pairs import print_comparison, print_pair_verdict
from actalike.demo.loan_desk import loan_desk
from actalike.labels import judge_pair


@pytest.fixture(scope="module")
def desk():
    return loan_desk()


def test_the_verdict_is_that_of_the_group_and_the_reasons_sum_to_the_probability(desk):
    for proposal in group(desk):
        if proposal.relation == "synonyms":
            pair = judge_pair(desk, *proposal.activities, 3)
            assert pair.verdict == (proposal.relation, proposal.witnesses, proposal.cautions)
            facts = pair.to_dict()
            total = sum(reason["log_odds"] for reason in facts["reasons"])
            assert facts["probability"] == pytest.approx(1 / (1 + math.exp(-total)))
            assert 0 < len(facts["common_contexts"]) <= 3


def test_what_is_printed_has_the_verdict_first_and_the_sum_of_the_reasons(desk, capsys):
    print_pair_verdict(judge_pair(desk, "Customer declines", "Offer expires", 2))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("Customer declines = Offer expires?   take the same place")
    assert lines[1].startswith("  -  only their behaviour")
    table = lines[lines.index("log-odds  reason") + 1 :]
    figures = [float(line.split()[0]) for line in table[: table.index("")]]
    assert sum(figures[:-1]) == pytest.approx(figures[-1], abs=0.05)
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
    assert "time 'Transfer loan' replaces 'Pay out' from 22 March 2024 on" in text
    assert "cases They are never in the same case." in text
    assert pair.to_dict()["comparison"] == pair.comparison.to_dict()
