"""A file of names is told by its content: decisions about one log or two, or a mapping."""

from pathlib import Path

import pytest

from actalike import (
    DecidedGroup,
    DecidedPair,
    Decisions,
    EventLog,
    MatchingDecisions,
    relabel,
    write_decisions,
    write_matching_decisions,
)
from actalike.two_logs import read_names

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
