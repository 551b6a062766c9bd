"""Decisions are read as they were written, and nothing else is taken for decisions."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, DecidedGroup, Decisions, FileFormatError, read_decisions, write_decisions
from actalike.labels import DecidedSplit, begins_as_json, decisions_content, is_about_two_logs
from actalike.two_logs import read_names
from tests.helpers.examples import examples

SAMPLE = Path(__file__).parent.parent / "samples" / "decisions-v2.json"
FIRST = SAMPLE.with_name("decisions-v1.json")
# the tests of the page have them too
REFUSED = [
    pytest.param(sample, change, id=f"{sample.stem}: {change['why']}")
    for sample, name in ((FIRST, "refused_decisions.json"), (SAMPLE, "refused_decisions_v2.json"))
    for change in json.loads(SAMPLE.with_name(name).read_text(encoding="utf-8"))
]
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
NAMES = TEXTS.filter(str.strip)


@st.composite
def decisions(draw):
    """Any decisions: each label is in at most one accepted group."""
    labels = iter(draw(st.lists(TEXTS, unique=True, max_size=12)))
    groups = []
    for _ in range(draw(st.integers(0, 3))):
        members = tuple(label for _, label in zip(range(draw(st.integers(0, 4))), labels, strict=False))
        decision, by = draw(st.sampled_from(["accepted", "rejected", "undecided"])), draw(st.sampled_from(["person", "actalike"]))
        groups.append(DecidedGroup(draw(NAMES), members, decision, by, draw(TEXTS), draw(st.sampled_from([None, (), members]))))
    return Decisions(tuple(groups), draw(TEXTS), draw(TEXTS), draw(TEXTS), draw(st.integers(0, 9)), draw(st.floats(0.001, 1)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("decisions")


@examples(25)
@given(made=decisions())
def test_what_is_written_is_read_and_the_same_decisions_give_the_same_bytes(folder, made):
    path = folder / "decisions.json"
    write_decisions(made, path)
    assert read_decisions(path) == made == read_names(path)
    first = path.read_bytes()
    write_decisions(read_decisions(path), path)
    assert path.read_bytes() == first
    assert made.mapping() == {label: g.name for g in made.groups if g.decision == "accepted" for label in g.activities}


def test_the_file_of_version_2_is_read_and_written_as_it_is(tmp_path):
    sample = read_decisions(SAMPLE)
    assert sample.mapping() == {"Verify": "Check invoice", "📄": "Check invoice"}
    assert [(group.number, group.decision, group.by, group.proposed) for group in sample.groups] == [
        (2, "accepted", "person", ("Verify", "📄", "Pay")),
        (7, "rejected", "person", None),
        (1, "undecided", "actalike", ()),
    ]
    parts = (("Check form", (("Register", None), (None, "📄"))), ("Check payment", ()))
    assert sample.splits == (DecidedSplit("Check", parts, "undecided"),)
    assert (sample.log_name, sample.log_activities, sample.at_least) == ("orders.csv", 5, 0.75)
    write_decisions(sample, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == SAMPLE.read_bytes()


def test_the_file_of_version_1_is_read_and_written_as_version_2(tmp_path):
    first = read_decisions(FIRST)
    assert [group.number for group in first.groups] == [1, 2, 3]
    assert first.groups == read_decisions(SAMPLE).groups
    assert first.splits == ()
    write_decisions(first, tmp_path / "again.json")
    assert json.loads((tmp_path / "again.json").read_text(encoding="utf-8"))["version"] == 2
    assert read_decisions(tmp_path / "again.json") == first


def test_groups_without_a_number_get_the_smallest_that_are_free():
    one, two, three = (DecidedGroup(name, (name,), number=number) for name, number in (("a", None), ("b", 1), ("c", None)))
    assert [group.number for group in Decisions((one, two, three)).groups] == [2, 1, 3]
    with pytest.raises(ActalikeError, match="number"):
        Decisions((two, DecidedGroup("d", ("d",), number=1)))


def test_an_accepted_split_is_not_ignored_in_silence():
    split = DecidedSplit("Check", (("Check form", ()), ("Check payment", ())))
    with pytest.raises(ActalikeError, match="upgrade"):
        Decisions(splits=(split,)).mapping()


def test_decisions_about_two_logs_are_told_from_those_about_one():
    assert [is_about_two_logs(path) for path in (SAMPLE, FIRST)] == [False, False]
    for name in ("matching-decisions-v2.json", "matching-decisions-v1.json"):
        assert is_about_two_logs(SAMPLE.with_name(name))
        with pytest.raises(FileFormatError, match="read_matching_decisions"):
            read_decisions(SAMPLE.with_name(name))


def changed(**keys):
    return {**json.loads(SAMPLE.read_text(encoding="utf-8")), **keys}


def with_groups(*groups):
    full = {"number": 1, "decision": "accepted", "by": "person", "name": "x", "activities": ["a"], "note": "", "proposed": None}
    return changed(groups=[{**full, "number": k, **group} for k, group in enumerate(groups, 1)])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (changed(version=3), "has version 3, and this version of actalike reads up to 2"),
        (changed(version="1"), "version"),
        (changed(format="decisions"), "holds no decisions"),
        ([1], "holds no decisions"),
        (changed(more=1), "more"),
        (changed(note=None), "note"),
        (changed(at_least=1.5), "at_least"),
        (changed(at_least=0), "at_least"),
        (changed(at_least=None), "at_least"),
        (with_groups({"decision": "maybe"}), "maybe"),
        (with_groups({"activities": ["a", "a"]}), "twice"),
        (with_groups({}, {"name": "y"}), "'a' is in two accepted groups, 'x' and 'y'"),
        (with_groups({"activities": [1]}), "activities"),
        (with_groups({"note": "\ud800"}), "decisions"),
    ],
)
def test_what_is_no_decisions_is_refused_in_one_sentence(tmp_path, content, words):
    path = tmp_path / "decisions.json"
    path.write_text(json.dumps(content))
    with pytest.raises(FileFormatError) as refused:
        read_decisions(path)
    assert words in str(refused.value)
    assert str(path) in str(refused.value)
    assert "nothing was read" in str(refused.value)


@pytest.mark.parametrize(("sample", "change"), REFUSED)
def test_the_files_that_the_page_refuses_are_refused_here_too(tmp_path, sample, change):
    sample = sample.read_text(encoding="utf-8")
    assert change["from"] in sample
    path = tmp_path / "decisions.json"
    path.write_text(sample.replace(change["from"], change["to"] * change.get("times", 1), 1), encoding="utf-8")
    with pytest.raises(FileFormatError):
        read_decisions(path)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "truncated"),
        (b'{"a": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "deep"),
        (b"\xff\xfe", "not UTF-8"),
        (b"[]" + b" " * 10 + b"x", "no decisions"),
        (b'{"format": NaN}', "malformed"),
    ],
)
def test_bytes_that_are_no_json_are_refused(tmp_path, content, words):
    (tmp_path / "decisions.json").write_bytes(content)
    with pytest.raises(FileFormatError, match=words):
        read_decisions(tmp_path / "decisions.json")


def test_decisions_that_contradict_each_other_cannot_be_made():
    twice = (DecidedGroup("x", ("a",)), DecidedGroup("y", ("a",)))
    with pytest.raises(ActalikeError, match="accepted"):
        Decisions(twice)
    with pytest.raises(ActalikeError, match="proposed"):
        Decisions((DecidedGroup("x", ("a",), proposed=3),))


def test_a_label_may_be_in_a_rejected_group_too():
    both = Decisions((DecidedGroup("x", ("a", "b")), DecidedGroup("y", ("a", "c"), "rejected")))
    assert both.mapping() == {"a": "x", "b": "x"}
    assert list(decisions_content(both)) == ["format", "version", "logs", "note", "at_least", "groups", "pairs", "splits"]


def test_json_is_told_by_its_ending_or_its_content_and_csv_is_a_mapping(tmp_path):
    (tmp_path / "mine.txt").write_bytes(b"\xef\xbb\xbf " + SAMPLE.read_bytes())
    (tmp_path / "mapping.csv").write_text("activity,group\na,b\n")
    assert read_names(tmp_path / "mine.txt") == read_decisions(SAMPLE)
    assert read_names(tmp_path / "mapping.csv") == {"a": "b"}
    (tmp_path / "empty.json").write_text("")
    with pytest.raises(FileFormatError, match="truncated"):
        read_names(tmp_path / "empty.json")


def test_a_file_that_is_cut_off_is_refused_and_json_is_told_by_its_beginning(tmp_path):
    path = tmp_path / "decisions.json"
    path.write_bytes(b"{")
    assert not is_about_two_logs(path)
    assert begins_as_json(path)
    cut = tmp_path / "decisions.json.gz"
    cut.write_bytes(gzip.compress(b"{}" * 999)[:-9])
    (tmp_path / "shorter.gz").write_bytes(gzip.compress(b"{}")[:5])
    assert not begins_as_json(tmp_path / "shorter.gz")
    with pytest.raises(FileFormatError, match="unfinished gzip"):
        read_decisions(cut)


def test_a_whole_probability_is_written_as_the_page_writes_it(tmp_path):
    write_decisions(Decisions(at_least=1.0), tmp_path / "decisions.json")
    assert '"at_least": 1,' in (tmp_path / "decisions.json").read_text(encoding="utf-8")
