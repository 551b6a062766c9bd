"""A file of names is told by its content: decisions about one log or two, or a mapping."""

from pathlib import Path

from actalike import Decisions, MatchingDecisions
from actalike.labels import read_names

SAMPLES = Path(__file__).parent.parent / "samples"


def test_each_kind_of_file_is_read_as_what_it_is(tmp_path):
    assert isinstance(read_names(SAMPLES / "decisions-v1.json"), Decisions)
    assert isinstance(read_names(SAMPLES / "matching-decisions-v1.json"), MatchingDecisions)
    renamed = tmp_path / "names.txt"
    renamed.write_bytes((SAMPLES / "matching-decisions-v1.json").read_bytes())
    assert isinstance(read_names(renamed), MatchingDecisions)
    (tmp_path / "mapping.csv").write_text("activity,group\na,b\n")
    assert read_names(tmp_path / "mapping.csv") == {"a": "b"}
