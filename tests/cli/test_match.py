"""The command match."""

import csv
import json
from pathlib import Path

import pytest

from actalike import (
    DecidedPair,
    EventLog,
    MatchingDecisions,
    SplitStep,
    read_log,
    read_mapping,
    write_log,
    write_matching_decisions,
)
from actalike.cli.options import ReadingOptions
from actalike.cli.two_logs import print_matching, print_written
from actalike.two_logs import matching_facts, matching_notes, matching_rows
from tests.helpers.commands import fails, ok, run
from tests.helpers.matchings import MadeMatching

OURS = (
    [["register", "check", "pay", "close"]] * 30 + [["register", "check", "reject", "close"]] * 20 + [["register", "cancel"]] * 9
)
WORDS = {"register": "anlegen", "check": "prüfen", "pay": "zahlen", "reject": "absagen", "close": "check", "cancel": "storno"}
THEIRS = [[WORDS[label] for label in trace] for trace in OURS[5:] + OURS[:19]] + [["=1+1"]]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("match")
    write_log(EventLog.from_traces(OURS), folder / "ours.xes.gz")
    write_log(EventLog.from_traces(THEIRS), folder / "theirs.csv")
    known = "\n".join(["label_a,label_b", *(",".join(pair) for pair in WORDS.items())])
    (folder / "known.csv").write_text(known, encoding="utf-8")
    return folder / "ours.xes.gz", folder / "theirs.csv", folder / "known.csv"


def test_known_pairs_are_shown_first_and_the_file_relabels_b(logs, tmp_path):
    matching, relabelled = tmp_path / "matching.csv", tmp_path / "relabelled.csv"
    ours, theirs, known = logs
    shown = ok("match", ours, theirs, "--known", known, "-o", matching)
    assert shown.startswith("6 pairs among 6 labels of A and 7 labels of B: 6 known, 0 likely (80 % or more), 0 doubtful.\n")
    assert "known  register        59  anlegen         73  given as known" in shown
    assert (
        "\nWithout a partner, 1 label of B:\n\nlabel of B  events  why\n=1+1             1  in 1 case only, too rare to judge;"
        in shown
    )
    assert (
        f"{matching} gives 6 labels of B another name, that of the partner in A.\nNext: look through {matching}, clear the "
        in shown
    )
    assert f"then: actalike relabel {theirs} {matching} -o theirs-relabelled.csv\nOr write yes into its column known" in shown
    assert f"match again with --known {matching}.\n" in shown
    ok("relabel", theirs, matching, "-o", relabelled)
    back = {name: label for label, name in WORDS.items()}
    assert read_log(relabelled).traces() == [[back.get(label, label) for label in trace] for trace in THEIRS]
    assert read_mapping(matching) == back
    again = ok("match", ours, theirs, "--known", matching, "-o", tmp_path / "again.csv")
    assert again.splitlines()[0] == shown.splitlines()[0]
    assert (tmp_path / "again.csv").read_bytes() == matching.read_bytes()
    assert matching.read_text(encoding="utf-8").splitlines()[-1].startswith(",'=1+1,")


def test_pairs_have_reasons_and_the_same_facts_are_for_programs(logs):
    facts = json.loads(ok("match", *logs[:2], "--json"))
    assert {(row["label_a"], row["label_b"]) for row in facts["pairs"]} >= {("check", "prüfen"), ("pay", "zahlen")}
    assert all(row["reason"] and 0 < row["probability"] <= 1 and not row["known"] for row in facts["pairs"])
    assert {row["label_b"] for row in facts["pairs"]} | {row["label_b"] for row in facts["without_partner_b"]} >= set(
        WORDS.values()
    )
    assert (facts["output"], facts["use_labels"], facts["activities_b"]) == (None, False, 7)
    assert (facts["read_a"]["cases"], facts["read_b"]["cases"]) == (59, 74)
    shown = ok("match", *logs[:2], "--labels")
    assert "both come directly " in shown


def test_pairs_below_a_probability_are_left_out(logs, tmp_path):
    shown = ok("match", *logs[:2], "--at-least", 1, "-o", tmp_path / "none.csv")
    rows = list(csv.DictReader((tmp_path / "none.csv").read_text(encoding="utf-8").splitlines()))
    assert not any(row["label_a"] and row["label_b"] and float(row["probability"]) < 1 for row in rows)
    assert "Without a partner of 100 % or more, " in shown


def test_one_pair_is_explained(logs, tmp_path):
    (tmp_path / "known.csv").write_text("register,anlegen\n")
    call = ("match", *logs[:2], "--known", tmp_path / "known.csv", "--explain")
    shown = ok(*call, "check", "prüfen")
    assert shown.startswith("check = prüfen?   ")
    assert "\n  +  both come directly after 'register' = 'anlegen' (in 100 % and 100 % of their events)\n" in shown
    assert "register ≈ anlegen → ●" in shown
    assert "candidates for check" in shown
    facts = json.loads(ok(*call, "check", "prüfen", "--json", "-n", 2))
    assert facts["share_of_the_rest"] + sum(term["share"] for term in facts["terms"]) == pytest.approx(1)
    assert facts["candidates"][0]["b"] == "prüfen"
    assert "'chekc'" in fails(*call, "chekc", "prüfen")


def test_the_second_log_may_need_other_options(logs, tmp_path):
    _, *rows = logs[1].read_text(encoding="utf-8").splitlines()
    (tmp_path / "theirs.csv").write_text(
        "\n".join(["Auftrag;Schritt", *(row.replace(",", ";") for row in rows)]), encoding="utf-8"
    )
    options = ("--case-b", "Auftrag", "--activity-b", "Schritt", "--separator-b", ";", "--known", logs[2])
    shown = ok("match", logs[0], tmp_path / "theirs.csv", *options, "-o", tmp_path / "m.csv")
    assert shown.startswith("6 pairs among")
    assert "-o theirs-relabelled.csv --case=Auftrag --activity=Schritt '--separator=;'\n" in shown


def test_all_reasons_of_a_pair_are_shown_on_demand(logs):
    few, every = ok("match", *logs[:2]), ok("match", *logs[:2], "--why")
    assert "register (59) = anlegen (73)?   " in every
    assert every.count("\n  +  ") > few.count("\n  +  ") == 0
    assert few.splitlines()[0] == every.splitlines()[0]


def test_nothing_is_overwritten_and_nothing_wrong_is_taken(logs, tmp_path):
    ours, theirs, known = logs
    assert "known.csv is" in fails("match", ours, theirs, "--known", known, "-o", known, "--overwrite")
    assert "at_least=2.0 is not a probability" in fails("match", ours, theirs, "--at-least", 2)
    (tmp_path / "known.csv").write_text("label_a,label_b\nregister,anlegen\nchekc,prüfen\n", encoding="utf-8")
    said = fails("match", ours, theirs, "--known", tmp_path / "known.csv")
    assert "known.csv, line 3: the first log has no activity 'chekc'. Did you mean 'check'? Nothing was matched.\n" in said
    (tmp_path / "m.csv").write_text("edited")
    assert "exists already: give --overwrite" in fails("match", ours, theirs, "-o", tmp_path / "m.csv")
    assert "--by" in fails("match", ours)
    assert "--by" in fails("match", ours, theirs, "--by", "site")
    assert "second log" in fails("match", ours, "--by", "period", "--case-b", "Order")
    (tmp_path / "empty.csv").write_text("case,activity\n")
    assert "empty.csv" in fails("match", ours, tmp_path / "empty.csv")


def test_one_log_twice_is_noted(logs):
    done = run("match", logs[0], logs[0])
    assert done.returncode == 0
    assert "have the same cases: the logs are one and the same." in done.stderr


def test_what_a_person_rejected_is_neither_matched_nor_merged(logs, tmp_path):
    ours, theirs, _ = logs
    pairs = DecidedPair("pay", "zahlen", "rejected"), DecidedPair(None, "storno"), DecidedPair("check", "check", "rejected")
    write_matching_decisions(MatchingDecisions(pairs), tmp_path / "decisions.json")
    matching = tmp_path / "matching.csv"
    ok("match", ours, theirs, "--known", tmp_path / "decisions.json", "-o", matching)
    names = read_mapping(matching)
    assert names.get("zahlen") != "pay"
    assert names.get("storno", "storno") == "storno"
    assert names.get("check") != "check"
    ok("relabel", theirs, matching, "-o", tmp_path / "relabelled.csv")
    assert len(read_log(tmp_path / "relabelled.csv").activities) == len(read_log(theirs).activities)


def test_outputs_are_tables_and_a_label_is_not_its_own_rival(logs, tmp_path):
    ours, theirs, _ = logs
    assert "CSV" in fails("match", ours, theirs, "-o", tmp_path / "x.xes")
    assert "CSV" in fails("match", ours, theirs, "-o", "")
    shown = ok("match", ours, theirs, "--at-least", "0.999")
    assert ", less likely than " in shown
    assert "best candidate 'prüfen'" in shown
    assert "which is the partner of 'check'" not in shown


def test_relabel_says_which_names_may_not_be_meant(logs, tmp_path):
    theirs = logs[1]
    (tmp_path / "m.csv").write_text("label_a,label_b,known,original_a\nx,anlegen,,register\ncheck,,,check\n,check,,\n")
    result = run("relabel", theirs, tmp_path / "m.csv", "-o", tmp_path / "new.csv")
    assert "1 label of B without a partner keeps a name that A has too ('check')" in result.stderr
    assert "m.csv gives 1 name that log A does not have: 'x'." in result.stderr


@pytest.fixture
def matching():
    names = {"a": "Register"}
    log_a = EventLog(list("abcde"), [0, 1, 2, 3, 4] * 9, range(0, 46, 5), [str(i) for i in range(9)], names=names)
    log_b = EventLog.from_traces([["1", "2", "b", "4", "5"]] * 9)
    pairs = [("a", "1", 1.0), ("b", "2", 0.95), ("c", "b", 0.6)]
    return MadeMatching(log_a, log_b, pairs, [SplitStep("c", "a", ("b", "4"), 0.7)], known={"a": "1"})


def test_sure_pairs_come_before_doubtful_ones_splits_and_labels_without_a_partner(matching, capsys):
    print_matching(matching, matching_rows(matching), 10, None)
    shown = capsys.readouterr().out
    assert shown.startswith("4 pairs among 5 labels of A and 5 labels of B: 1 known, 1 likely (80 % or more), 2 doubtful.\n")
    titles = ["Likely the same step:", "Doubtful, the most frequent first:", "One label in one log, several in the other:"]
    titles += ["Without a partner, 2 labels of A:", "Without a partner, 1 label of B:"]
    places = [shown.index(f"\n{title}\n\n") for title in titles]
    assert places == sorted(places)
    assert "      known  a [Register]       9  1                9  given as known\n" in shown
    assert "  'c' of A is 'b' and '4' in B (70 %)\n" in shown


def test_long_lists_are_cut_and_counted(matching, capsys):
    print_matching(matching, matching_rows(matching), 1, 0.5)
    shown = capsys.readouterr().out
    assert shown.count("... and 1 more: --top shows more, --output writes all.\n") == 3
    assert "Without a partner of 50 % or more, 2 labels of A:" in shown


def test_the_next_step_is_a_command_to_copy(matching, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "b-relabelled.csv").touch()
    print_written(matching, matching_rows(matching), Path("m.csv"), Path("b.csv"), ReadingOptions(case="Nr"))
    shown = capsys.readouterr().out
    assert shown.startswith("\nm.csv gives 4 labels of B another name, that of the partner in A.\nNext: ")
    assert ", then: actalike relabel b.csv m.csv -o 2-b-relabelled.csv --case=Nr\n" in shown
    reading = ReadingOptions(lifecycle="append")
    print_written(matching, matching_rows(matching)[1:2], Path("m.csv"), Path("b.csv"), reading)
    assert "Next: relabel renames the labels in the file" in capsys.readouterr().out


def test_labels_that_would_fall_together_are_told(matching, capsys):
    del matching.pairs[2], matching.splits[:]
    matching.__post_init__()
    print_written(matching, matching_rows(matching), Path("m.csv"), Path("b.csv"), ReadingOptions())
    assert (
        "1 label of B without a partner gets '(b)' after its name, because another label has that name.\n"
        in capsys.readouterr().out
    )


def test_facts_have_all_labels(matching):
    facts = matching_facts(matching, matching_rows(matching))
    assert [(row["label_a"], row["label_b"]) for row in facts["pairs"]] == [("a", "1"), ("b", "2"), ("c", "b"), ("c", "4")]
    assert [row["label_a"] for row in facts["without_partner_a"]] == ["d", "e"]
    assert facts["splits"] == [{"activity": "c", "side": "a", "parts": ["b", "4"], "probability": 0.7}]


def test_labels_of_b_that_keep_a_name_of_a_are_told(matching, capsys):
    del matching.pairs[1:], matching.splits[:]
    matching.__post_init__()
    print_written(matching, matching_rows(matching), Path("m.csv"), Path("b.csv"), ReadingOptions())
    assert "1 label of B without a partner keeps a name that A has too ('b'): together, the two logs" in capsys.readouterr().out
    matching.apart = frozenset({("b", "b")})
    print_written(matching, matching_rows(matching), Path("m.csv"), Path("b.csv"), ReadingOptions())
    shown = capsys.readouterr().out
    assert "1 label of B without a partner gets '(b)'" in shown
    assert "keeps a name" not in shown


def test_few_cases_and_hardly_any_likely_pair_are_noted(matching):
    assert matching_notes(matching) == ["there are few cases (9 cases of A and 9 cases of B): the probabilities rest on little."]
    matching.pairs = []
    assert matching_notes(matching)[1].startswith(
        "hardly any pair is likely (0 pairs of 80 % or more, 5 labels in the smaller log)"
    )


def test_a_long_label_is_cut_in_the_table(capsys):
    log = EventLog.from_traces([["x" * 5000, "y"]] * 20)
    matching = MadeMatching(log, log, [("x" * 5000, "y", 0.9)])
    print_matching(matching, matching_rows(matching), 10, None)
    assert max(map(len, capsys.readouterr().out.splitlines())) < 600
