"""What is printed of a matching, made up so that everything is in it."""

from pathlib import Path

import pytest

from actalike import EventLog, Split
from actalike.cli.matching_output import matching_facts, matching_notes, print_matching, print_written
from actalike.cli.reading_options import LifecycleChoice, ReadingOptions
from actalike.two_logs import matching_rows
from tests.helpers.matchings import MadeMatching


@pytest.fixture
def matching():
    names = {"a": "Register"}
    log_a = EventLog(list("abcde"), [0, 1, 2, 3, 4] * 9, range(0, 46, 5), [str(i) for i in range(9)], names=names)
    log_b = EventLog.from_traces([["1", "2", "b", "4", "5"]] * 9)
    pairs = [("a", "1", 1.0), ("b", "2", 0.95), ("c", "b", 0.6)]
    return MadeMatching(log_a, log_b, pairs, [Split("c", "a", ("b", "4"), 0.7)], known={"a": "1"})


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
    reading = ReadingOptions(lifecycle=LifecycleChoice.append)
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
    assert facts["splits"] == [{"activity": "c", "side": "a", "parts": ("b", "4"), "probability": 0.7}]


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
