"""Known pairs: from Python and from files, checked in one place."""

import re

import pytest

from actalike import (
    ActalikeError,
    DecidedPair,
    EventLog,
    MatchingDecisions,
    UnknownActivityError,
    match,
    write_matching_decisions,
)
from actalike.two_logs.decisions import check_apart, check_known, read_apart_pairs, read_known_pairs

A, B = ["Check", "Pay", "Register", "same"], ["C", "P", "R", "same"]


@pytest.mark.parametrize(
    ("known", "expected"),
    [
        (None, {}),
        ({}, {}),
        ({"Check": "C"}, {"Check": "C"}),
        ([("Pay", "P"), ["Check", "C"]], {"Pay": "P", "Check": "C"}),
        (iter([("same", "R")]), {"same": "R"}),
    ],
)
def test_known_is_a_mapping_or_pairs(known, expected):
    assert check_known(known, A, B) == expected


@pytest.mark.parametrize(
    ("known", "said"),
    [
        ("Check", "known must be a mapping from labels of a to labels of b, or a list of such pairs, not str: for a file, give "),
        (7, "not int"),
        ([("Check",)], "known pair 1 must be a pair of two labels, that of a first, not ('Check',). Nothing was matched."),
        ([{"Check", "C"}], "known pair 1 must be a pair of two labels, that of a first, not {"),
        ([iter(("Check", "C"))], "known pair 1 must be a pair of two labels, that of a first, not <"),
        ([("Check", "C"), "Pa"], "known pair 2 must be a pair of two labels"),
        ([("Check", "C"), ("Pay", 1)], "known pair 2: labels must be strings, not 1"),
        ({"Chek": "C"}, "known pair 1: the first log has no activity 'Chek'. Did you mean 'Check'? Nothing was matched."),
        ({"C": "Check"}, "the first log has no activity 'C'. The other log has it: labels of the first log come first. "),
        ({"Check": "C", "Pay": "C"}, "known pair 2: 'C' has two partners, 'Check' and 'Pay': keep one pair of each label."),
        ([("Check", "C"), ("Check", "C")], "known pair 2: 'Check' is there twice with 'C': keep one pair of each label."),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(known, said):
    with pytest.raises(ActalikeError, match=re.escape(said)):
        check_known(known, A, B)


def test_match_checks_what_it_is_given():
    log = EventLog.from_traces([["a", "b"]] * 9)
    with pytest.raises(UnknownActivityError, match="pair"):
        match(log, log, {"a": "c"})


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("label_a,label_b\nCheck,C\n", {"Check": "C"}),
        ("probability;Label B;LABEL A\n0,5;C;Check\n", {"Check": "C"}),
        ("b,a\nC,Check\n", {"Check": "C"}),
        ("a,b,remark\nCheck,C,as Sue says\n,,\n", {"Check": "C"}),
        ("Check,C\nPay,P\n", {"Check": "C", "Pay": "P"}),
        ("label_a,label_b,known\nCheck,C,Yes\nPay,P,\nRegister,R,no\nsame,,\n,R,\n", {"Check": "C"}),
        ("sep=;\nlabel_a;label_b;known\nCheck;C; X \n", {"Check": "C"}),
    ],
)
def test_columns_are_found_by_name_or_are_the_first_two(tmp_path, content, expected):
    (tmp_path / "known.csv").write_text(content)
    if "0,5" in content:
        (tmp_path / "known.csv").write_text(content.replace("0,5", "0.5"))
    assert read_known_pairs(tmp_path / "known.csv", A, B) == expected


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "has no two columns"),
        ("label\nCheck\n", "has no two columns: it needs the labels of both logs, 'label_a,label_b'. Nothing was matched."),
        ("label_a,label_b\n", "has no known pair: add pairs, or leave it out"),
        ("label_a,label_b,known\nCheck,C,\n", "has no known pair: write yes into the column known of the rows that you"),
        ("label_a,label_b,known\nCheck,C,maybe\n", "line 2: the column known says 'maybe', and yes, no or nothing can be there"),
        ("label_a,label_b,known\nCheck,,yes\n", "line 2 has a label without a partner: fill it in, or delete the row."),
        ("label_a,label_b\nCheck,C\n,P\n", "line 3 has a label without a partner"),
        ("label_a,label_b\nCheck,C\n\nPay,p\n", "line 4: the second log has no activity 'p'. Did you mean 'P'?"),
        ("Chek,c\nPay,P\n", "line 1: 'Chek' and 'c' are neither names of columns nor labels of the logs: begin with the line"),
        ("Chek,C\nPay,P\n", "line 1: the first log has no activity 'Chek'. Did you mean 'Check'?"),
        ("label_a,label_b\nCheck,C\nCheck,P\n", "line 3: 'Check' has two partners, 'C' and 'P': keep one"),
        ("label_a,label_b,label_a\nCheck,C,x\n", "has two columns called 'label_a'"),
    ],
)
def test_a_file_that_is_wrong_is_refused_with_its_line(tmp_path, content, said):
    (tmp_path / "known.csv").write_text(content)
    with pytest.raises(ActalikeError, match=re.escape(said)):
        read_known_pairs(tmp_path / "known.csv", A, B)


def test_the_pairs_that_a_person_accepted_on_the_page_are_known(tmp_path):
    path = tmp_path / "decisions.json"
    pairs = DecidedPair("Pay", "P"), DecidedPair("Check", "C", by="actalike"), DecidedPair("Send", "S", "rejected")
    write_matching_decisions(MatchingDecisions(pairs), path)
    assert read_known_pairs(path, ["Check", "Pay"], ["C", "P"]) == {"Pay": "P"}
    with pytest.raises(ActalikeError, match="Pay"):
        read_known_pairs(path, ["Check"], ["C", "P"])
    write_matching_decisions(MatchingDecisions(pairs[1:2]), path)
    with pytest.raises(ActalikeError, match="reject"):
        read_known_pairs(path, ["Check", "Pay"], ["C", "P"])


def test_what_a_person_rejected_is_apart(tmp_path):
    path = tmp_path / "decisions.json"
    pairs = DecidedPair("Pay", "P", "rejected"), DecidedPair("Check", "C", "rejected", by="actalike"), DecidedPair(None, "R")
    write_matching_decisions(MatchingDecisions(pairs), path)
    assert read_known_pairs(path, A, B) == {}
    assert read_apart_pairs(path, A, B) == [("Pay", "P"), *((a, "R") for a in A)]
    with pytest.raises(UnknownActivityError, match="the second log has no activity 'P'"):
        read_apart_pairs(path, A, ["C", "R"])
    split = DecidedPair("Check", "C"), DecidedPair("Check", "P")  # match takes one of them: the other gets no other name
    write_matching_decisions(MatchingDecisions(split), path)
    assert read_known_pairs(path, A, B) == {"Check": "C"}
    assert read_apart_pairs(path, A, B) == [(a, "P") for a in A if a != "Check"]
    (tmp_path / "known.csv").write_text("label_a,label_b,known\nPay,P,no\n,same,No\n,R,no\nCheck,C,\n")
    assert read_known_pairs(tmp_path / "known.csv", A, B) == {}
    assert read_apart_pairs(tmp_path / "known.csv", A, B) == [("Pay", "P"), ("same", "same")]


def test_a_pair_is_not_known_and_apart():
    assert check_apart([("Pay", "P")], {"Check": "C"}, A, B) == {("Pay", "P")}
    with pytest.raises(ActalikeError, match="Pay"):
        check_apart([("Pay", "P")], {"Pay": "P"}, A, B)
    with pytest.raises(UnknownActivityError, match="Pai"):
        check_apart([("Pai", "P")], {}, A, B)


@pytest.mark.parametrize("content", [b"", b"[[[[", '{"a": 1}'.encode("utf-16")])
def test_what_is_called_json_or_begins_so_is_read_as_decisions(tmp_path, content):
    names = ["d.json", "known.csv"] if b"{" in content else ["d.json"]
    for name in names:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(ActalikeError, match="decisions"):
            read_known_pairs(tmp_path / name, A, B)
