"""Decisions about two logs are read as they were written, and a file of names is told by its content."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import (
    ActalikeError,
    DecidedGroup,
    DecidedLog,
    DecidedPair,
    Decisions,
    EventLog,
    FileFormatError,
    MatchingDecisions,
    read_matching_decisions,
    relabel,
    write_decisions,
    write_matching_decisions,
)
from actalike.two_logs import read_names
from tests.helpers.examples import examples

SAMPLE = Path(__file__).parent.parent / "samples" / "matching-decisions-v1.json"
REFUSED = SAMPLE.with_name("refused_matching_decisions.json")  # the tests of the page have them too
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)


@st.composite
def decisions(draw):
    """Any decisions: accepted pairs are one to one, or a label has several partners, or none."""
    labels_a = iter(draw(st.lists(TEXTS, unique=True, max_size=8)))
    labels_b = iter(draw(st.lists(TEXTS, unique=True, max_size=8)))
    pairs = []
    for a, b in zip(labels_a, labels_b, strict=False):
        decision, by = draw(st.sampled_from(["accepted", "rejected", "undecided"])), draw(st.sampled_from(["person", "actalike"]))
        kind = draw(st.sampled_from(["pair", "alone", "split"]))
        if kind == "alone":
            pairs.append(DecidedPair(a, None, decision, by, draw(TEXTS)))
            pairs.append(DecidedPair(None, b, decision, by))
            continue
        pairs.append(DecidedPair(a, b, decision, by, draw(TEXTS)))
        if kind == "split":
            pairs += [DecidedPair(a, more, decision, by) for _, more in zip(range(2), labels_b, strict=False)]
    logs = [DecidedLog(draw(TEXTS), draw(TEXTS), draw(st.integers(0, 9))) for _ in range(2)]
    return MatchingDecisions(tuple(pairs), draw(TEXTS), *logs, draw(st.floats(0.001, 1)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("decisions")


@examples(25)
@given(made=decisions())
def test_what_is_written_is_read_and_the_same_decisions_give_the_same_bytes(folder, made):
    path = folder / "decisions.json"
    write_matching_decisions(made, path)
    assert read_matching_decisions(path) == made == read_names(path)
    first = path.read_bytes()
    write_matching_decisions(read_matching_decisions(path), path)
    assert path.read_bytes() == first
    accepted = [(pair.a, pair.b) for pair in made.pairs if pair.decision == "accepted"]
    partner_of = {b: a for a, b in reversed(accepted) if a is not None and b is not None}
    mapping = made.mapping()
    assert {b: mapping[b] for b in partner_of} == partner_of
    assert all(name not in partner_of.values() for b, name in mapping.items() if b not in partner_of)
    known = made.known()
    assert len(set(known.values())) == len(known)
    assert set(known.items()) <= set(accepted)


@pytest.mark.parametrize("path", [SAMPLE, SAMPLE.with_name("matching-decisions-v2.json")], ids=["version 1", "version 2"])
def test_the_files_of_all_versions_mean_the_same_and_are_written_as_the_newest(tmp_path, path):
    sample = read_matching_decisions(path)
    assert sample.mapping() == {"Prüfen": "Check", "📄": "Check"}
    assert sample.known() == {"Check": "Prüfen"}
    assert (sample.log_b.name, sample.log_b.activities, sample.at_least) == ("theirs.csv", 6, 0.75)
    write_matching_decisions(sample, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == SAMPLE.with_name("matching-decisions-v2.json").read_bytes()


@pytest.mark.parametrize("change", json.loads(REFUSED.read_text(encoding="utf-8")), ids=lambda change: change["why"])
def test_the_files_that_the_page_refuses_are_refused_here_too(tmp_path, change):
    sample = SAMPLE.read_text(encoding="utf-8")
    assert change["from"] in sample
    path = tmp_path / "decisions.json"
    path.write_text(sample.replace(change["from"], change["to"] * change.get("times", 1), 1), encoding="utf-8")
    with pytest.raises(FileFormatError) as refused:
        read_matching_decisions(path)
    assert str(path) in str(refused.value)
    assert "nothing was read" in str(refused.value)


def test_the_name_that_a_person_chose_counts_and_several_are_refused():
    of_actalike = (DecidedPair("x", "b", by="actalike"), DecidedPair("y", "b", by="actalike"))
    assert MatchingDecisions(of_actalike).mapping() == {"b": "x"}
    assert MatchingDecisions((*of_actalike, DecidedPair("z", "b"))).mapping() == {"b": "z"}
    both = MatchingDecisions((DecidedPair("y", "b"), DecidedPair("z", "b")))
    with pytest.raises(ActalikeError, match=" and "):
        both.mapping()
    assert both.known() == {"y": "b"}


def test_a_label_that_a_person_decided_to_have_no_partner_is_apart_from_its_own_name():
    assert MatchingDecisions((DecidedPair("w", "v"), DecidedPair(None, "w"))).mapping() == {"v": "w", "w": "w (b)"}
    assert MatchingDecisions((DecidedPair("w", None), DecidedPair(None, "w"))).mapping() == {"w": "w (b)"}
    assert MatchingDecisions((DecidedPair("w", None), DecidedPair(None, "u"))).mapping() == {}


def test_decisions_that_contradict_each_other_cannot_be_made():
    for pairs, words in [
        ((DecidedPair("a", "b"), DecidedPair("a", None)), "'a' of the first log has no partner and has one"),
        ((DecidedPair("a", "b"), DecidedPair(None, "b")), "'b' of the second log has no partner and has one"),
        ((DecidedPair("a", "b"), DecidedPair("a", "c"), DecidedPair("d", "c")), "'a' = 'c' have other partners too"),
        ((DecidedPair(None, None),), "no label at all"),
        ((DecidedPair("a", None), DecidedPair("a", None, "rejected")), "'a' = no partner is there twice"),
    ]:
        with pytest.raises(ActalikeError, match=words):
            MatchingDecisions(pairs)


def test_the_second_log_gets_the_names_of_the_first_all_at_once():
    log_b = EventLog.from_traces([["y", "x", "z", "w"]])
    made = MatchingDecisions((DecidedPair("x", "y"), DecidedPair("y", "z"), DecidedPair("w", "w", "rejected")))
    # y and x change places with others, and the x and the w of b, which have no partner, are told apart from those of a
    assert relabel(log_b, made).traces() == [["x", "x (b)", "y", "w (b)"]]


SAMPLES = Path(__file__).parent.parent / "samples"


def test_each_kind_of_file_is_read_as_what_it_is(tmp_path):
    assert isinstance(read_names(SAMPLES / "decisions-v1.json"), Decisions)
    assert isinstance(read_names(SAMPLES / "matching-decisions-v1.json"), MatchingDecisions)
    renamed = tmp_path / "names.txt"
    renamed.write_bytes((SAMPLES / "matching-decisions-v1.json").read_bytes())
    assert isinstance(read_names(renamed), MatchingDecisions)
    (tmp_path / "mapping.csv").write_text("activity,group\na,b\n")
    assert read_names(tmp_path / "mapping.csv") == {"a": "b"}


def write_names(folder, kind, name):
    """Write a file that gives "a" and "b" the same name and "c" the name "x"."""
    path = folder / ("names.json" if "decisions" in kind else "names.csv")
    if kind == "decisions":
        write_decisions(Decisions((DecidedGroup(name, ("a", "b")), DecidedGroup("x", ("c",)))), path)
    elif kind == "matching decisions":
        write_matching_decisions(MatchingDecisions((DecidedPair(name, "a"), DecidedPair(name, "b"), DecidedPair("x", "c"))), path)
    elif kind == "mapping":
        path.write_text(f"activity,group\na,{name}\nb,{name}\nc,x\n")
    else:
        path.write_text(f"label_a,label_b\n{name},a\n{name},b\nx,c\n")
    return path


@pytest.mark.parametrize("name", ["", " ", "\t\xa0"], ids=["empty", "blank", "white space"])
@pytest.mark.parametrize("kind", ["mapping", "matching", "decisions", "matching decisions"])
def test_a_blank_name_keeps_the_label_in_each_kind_of_file(tmp_path, kind, name):
    names = read_names(write_names(tmp_path, kind, name))
    assert relabel(EventLog.from_traces([["a", "b", "c"]]), names).traces() == [["a", "b", "x"]]
    named = read_names(write_names(tmp_path, kind, " y "))
    assert relabel(EventLog.from_traces([["a", "b", "c"]]), named).traces() == [[" y ", " y ", "x"]]
