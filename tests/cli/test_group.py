"""The command group."""

import csv
import json
from codecs import BOM_UTF8

import pytest

from actalike import DecidedGroup, Decisions, EventLog, group, read_log, read_mapping, write_decisions, write_log
from actalike.demo.loan_desk import SAME_STEP
from actalike.labels import RELATIONS, group_words, in_words, shared_neighbours_words, strongest_reasons
from actalike.labels.mapping import mapping_of
from tests.helpers.commands import fails, ok


def test_verdicts_are_shown_and_synonyms_are_written(whole_log, tmp_path):
    mapping = tmp_path / "mapping.csv"
    shown = ok("group", whole_log, "-o", mapping)
    assert "Transfer loan (188) = Pay out (179)?   over 99 % likely one step\n  +  " in shown
    assert "\n  +  never in the same case\n" in shown
    assert "% of their neighbours are the same (both follow 'Sign contract' and precede 'Close file')\n" in shown
    assert "\n  +  'Transfer loan' is used from 18 March 2024 on, 'Pay out' until 17 March 2024\n" in shown
    assert "Send offer by post (248) = Send offer by e-mail (218)?   interchangeable in the flow: " in shown
    assert " groups among 30 activities: 6 of synonyms, " in shown
    log = read_log(whole_log, attributes="people")
    omitted = sum(proposal.relation != "synonyms" for proposal in group(log))
    left_out = f"It leaves out {omitted} groups that may not be one step: --all writes these too."
    assert f"{mapping} renames 6 labels: 24 of 30 activities are left. {left_out}\nNext: look through" in shown
    assert read_mapping(mapping).items() >= mapping_of(group(log)).items()
    assert set(read_mapping(mapping)) == set(log.activities)
    renamed = {frozenset(pair) for pair in read_mapping(mapping).items() if len(set(pair)) == 2}
    assert renamed == {frozenset(names) for names in SAME_STEP}


def test_all_groups_are_shown_and_written_on_demand(tmp_path):
    rare = [["x", "a", "y"], ["x", "b", "y"]] * 2
    routine = [["p", "sign", "stamp", "q"], ["p", "stamp", "sign", "q"]] * 20
    write_log(EventLog.from_traces([*rare, *routine, *[["u", "v"]] * 20]), tmp_path / "log.csv")
    short = ok("group", tmp_path / "log.csv", "-o", tmp_path / "few.csv")
    shown = ok("group", tmp_path / "log.csv", "--all", "-o", tmp_path / "all.csv")
    assert "--all" in short
    assert "--all" not in shown
    assert "stamp (40)?   belong together: in the same cases, parallel or one after the other\n  -  100 % of the cases" in shown
    assert "b (2)?   too rare to judge" in shown
    assert "belong together:" not in short
    few, every = (read_mapping(tmp_path / name) for name in ("few.csv", "all.csv"))
    assert all(label == name for label, name in few.items())
    assert every == few | mapping_of(group(read_log(tmp_path / "log.csv")), RELATIONS)
    assert every["stamp"] == every["sign"]


def test_the_same_facts_for_programs(whole_log, tmp_path):
    mapping = tmp_path / "mapping.csv"
    facts = json.loads(ok("group", whole_log, "--json", "--at-least", 0.999, "-o", mapping))
    groups = group(read_log(whole_log, attributes="people"), 0.999)
    assert [tuple(proposal["activities"]) for proposal in facts["groups"]] == [proposal.activities for proposal in groups]
    for found, proposal in zip(facts["groups"], groups, strict=True):
        context = proposal.evidence[0]
        assert found["evidence"][0] == {"words": shared_neighbours_words(context), "counts": list(context.counts)}
        assert found["cautions"] == [in_words(caution) for caution in proposal.cautions]
        assert [one["words"] for one in found["witnesses"]] == [in_words(witness) for witness in proposal.witnesses]
        assert [one["log_odds"] for one in found["reasons"]] == [reason.log_odds for reason in proposal.reasons]
        assert (found["relation"], found["name"], found["overlap"]) == (proposal.relation, proposal.name, proposal.overlap)
    assert (facts["at_least"], facts["steps"], facts["output"]) == (0.999, None, str(mapping))


def test_labels_are_merged_until_so_many_steps_are_left(whole_log, tmp_path):
    shown = ok("group", whole_log, "--steps", 5, "-o", tmp_path / "mapping.csv")  # implies --all
    assert ": 5 of 30 activities are left.\n" in shown
    assert len(set(read_mapping(tmp_path / "mapping.csv").values())) == 5
    assert "steps=99 is not a whole number between 1 and the number of activities, 30" in fails("group", whole_log, "--steps", 99)


def test_without_attributes_the_names_of_offices_have_no_witness(whole_log):
    shown = ok("group", whole_log, "--attributes", "")
    assert "Close file (346) = Archive file (254)?   interchangeable in the flow" in shown
    assert "(org:group)" in ok("group", whole_log, "--attributes", "org:group")


def test_of_many_labels_some_are_shown_and_the_rest_is_counted(tmp_path):
    write_log(EventLog.from_traces([["x", f"pay by user {i % 12}", "y"] for i in range(120)]), tmp_path / "log.csv")
    shown = ok("group", tmp_path / "log.csv")
    assert shown.startswith("pay by user #, 12 labels: pay by user 0 (10) = ")
    assert " = 9 more?   over 99 % likely one step\n" in shown
    assert "\n1 group among 14 activities: 1 of synonyms." in shown


def test_no_groups_is_an_answer(tmp_path):
    write_log(EventLog.from_traces([["a", "a"]] * 9), tmp_path / "log.csv")
    assert ok("group", tmp_path / "log.csv") == "No synonyms or alternatives among 1 activity.\n"


@pytest.mark.parametrize("probability", [0, 1.5, "nan"])
def test_what_is_no_probability_is_an_error(log, probability):
    assert f"at_least={float(probability)} is not a probability" in fails("group", log, "--at-least", probability)


def test_a_mapping_says_why_and_is_read_back_as_names(whole_log, tmp_path):
    mapping = tmp_path / "mapping.csv"
    ok("group", whole_log, "-o", mapping, "--excel")
    assert mapping.read_bytes().startswith(BOM_UTF8)
    rows = list(csv.DictReader(mapping.read_text(encoding="utf-8-sig").splitlines()))
    assert list(rows[0]) == ["activity", "group", "probability", "relation", "reason"]
    groups = group(read_log(whole_log, attributes="people"))
    of_label = {label: one for one in groups if one.relation == "synonyms" for label in one.activities}
    for row in rows:
        one = of_label.get(row["activity"])
        if one is None:
            assert (row["group"], row["probability"], row["relation"], row["reason"]) == (row["activity"], "", "", "")
        else:
            assert (float(row["probability"]), row["relation"]) == (pytest.approx(one.probability, abs=1e-4), one.relation)
            assert row["reason"] == next(words for _, words in group_words(one))
    ok("group", whole_log, "-o", tmp_path / "plain.csv")
    assert mapping.read_bytes() == BOM_UTF8 + (tmp_path / "plain.csv").read_bytes()
    assert read_mapping(mapping) == read_mapping(tmp_path / "plain.csv")
    ok("relabel", whole_log, mapping, "-o", tmp_path / "simpler.xes")
    assert len(read_log(tmp_path / "simpler.xes").activities) == 24
    assert "mapping" in fails("group", whole_log, "--excel")


def reasons_of(shown):
    """The reasons of each group that is shown."""
    return [block.splitlines()[1:] for block in shown.split("\n\n") if "?   " in block]


def test_a_group_has_at_most_three_reasons_and_all_on_demand(whole_log):
    few, every = reasons_of(ok("group", whole_log)), reasons_of(ok("group", whole_log, "--why"))
    assert max(map(len, few)) < min(map(len, every))
    log = read_log(whole_log, attributes="people")
    shown = [one for one in group(log) if one.relation in ("synonyms", "alternatives")]
    for one, lines, all_lines in zip(shown, few, every, strict=True):
        assert [tuple(line.split(maxsplit=1)) for line in lines] == strongest_reasons(one)
        assert set(strongest_reasons(one)) <= set(group_words(one))
        assert sum(line.startswith("  +") for line in lines) <= 3
        assert len(all_lines) == len(one.reasons) + len(one.witnesses) + len(one.cautions) + len(one.evidence)
        if one.cautions or (one.relation == "alternatives" and not one.witnesses):
            assert any(line.startswith("  -") for line in lines)


def test_decisions_are_learned_from_and_stay_as_they_are(whole_log, tmp_path):
    decided = (
        DecidedGroup("Pay", ("Send offer by post", "Send offer by e-mail")),
        DecidedGroup("Pay out", ("Pay out", "Transfer loan"), "rejected"),
    )
    write_decisions(Decisions(decided), tmp_path / "decisions.json")
    shown = ok("group", whole_log, "--decisions", tmp_path / "decisions.json", "-o", tmp_path / "mapping.csv")
    first = shown.splitlines()[0]
    assert first.startswith("Send offer by post (248) = Send offer by e-mail (218).   accepted: ")
    assert "Transfer loan (188) = Pay out" not in shown
    assert "Learned from 2 decisions: 1 pair accepted, 1 rejected.\n" in shown
    assert read_mapping(tmp_path / "mapping.csv").items() >= {"Send offer by post": "Pay", "Send offer by e-mail": "Pay"}.items()
    facts = json.loads(ok("group", whole_log, "--decisions", tmp_path / "decisions.json", "--json"))
    assert facts["learned"]["accepted"] == [["Send offer by post", "Send offer by e-mail"]]
    assert [score["at_least"] for score in facts["learned"]["thresholds"]] == [0.3, 0.5, 0.7, 0.8, 0.9]
    assert facts["learned"]["suggested"] is None


def test_decisions_that_cannot_be_used_are_refused(whole_log, tmp_path):
    write_decisions(Decisions((DecidedGroup("Pay", ("Pay out", "Buy")),)), tmp_path / "other.json")
    assert "other.json" in (said := fails("group", whole_log, "--decisions", tmp_path / "other.json"))
    assert "'Buy'" in said
    assert "missing.json" in fails("group", whole_log, "--decisions", tmp_path / "missing.json")
    assert "--steps" in fails("group", whole_log, "--decisions", tmp_path / "other.json", "--steps", 5)


@pytest.mark.parametrize("by", ["", " "])
def test_the_parts_to_compare_are_those_of_a_column_with_a_name(whole_log, by):
    assert "name of a column" in fails("group", whole_log, "--by", by)
