"""The table of a matching: all labels of both logs are in it, relabel and match read it again."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, Split, read_known_pairs, read_mapping, relabel
from actalike.labels import translation
from actalike.two_logs.matching_table import matching_frame, matching_rows, write_matching
from tests.helpers.examples import examples
from tests.helpers.matchings import MadeMatching
from tests.helpers.strategies import any_text

A = EventLog.from_traces([["a", "b", "c", "d"]] * 8)
B = EventLog.from_traces([["1", "2", "3", "4"]] * 8)
PAIRS = [("a", "1", 1.0), ("b", "2", 0.9), ("c", "3", 0.6)]


def labels(rows):
    return [(row.label_a, row.label_b) for row in rows]


def test_pairs_come_first_then_the_labels_without_a_partner():
    matching = MadeMatching(A, B, PAIRS, known={"a": "1"}, others={("d", "3"): 0.25})
    rows = matching_rows(matching)
    assert labels(rows) == [("a", "1"), ("b", "2"), ("c", "3"), ("d", None), (None, "4")]
    assert [row.known for row in rows] == [True, False, False, False, False]
    assert [row.candidate for row in rows] == [None, None, None, "3", None]
    assert (rows[1].events_a, rows[1].events_b, rows[3].events_b) == (8, 8, None)
    assert rows[3].probability == 0.75
    assert matching_frame(matching).columns == [
        "label_a",
        "label_b",
        "probability",
        "known",
        "events_a",
        "events_b",
        "candidate",
        "reason",
    ]


def test_pairs_below_a_probability_are_candidates_only():
    matching = MadeMatching(A, B, PAIRS, known={"a": "1"})
    rows = matching_rows(matching, at_least=0.95)
    assert labels(rows) == [("a", "1"), ("b", None), ("c", None), ("d", None), (None, "2"), (None, "3"), (None, "4")]
    assert (rows[1].candidate, rows[1].probability) == ("2", pytest.approx(0.1))
    assert labels(matching_rows(matching, at_least=0.7))[1] == ("b", "2")


def test_a_step_that_b_splits_gives_all_its_labels_the_name_and_one_that_a_splits_only_one(tmp_path):
    splits = [Split("b", "a", ("2", "4"), 0.7), Split("3", "b", ("c", "d"), 0.8)]
    matching = MadeMatching(A, B, PAIRS, splits)
    rows = matching_rows(matching)
    assert labels(rows) == [("a", "1"), ("b", "2"), ("b", "4"), ("c", "3"), ("d", None)]
    assert rows[2].reason == "B splits the step: '2' and '4' are 'b' (70 %)"
    assert (rows[4].reason, rows[4].candidate) == ("A splits the step: 'c' and 'd' are '3' (80 %)", "3")
    write_matching(matching, tmp_path / "m.csv")
    assert relabel(B, read_mapping(tmp_path / "m.csv")).traces()[0] == ["a", "b", "c", "b"]


def test_second_names_are_columns_if_there_are_any(tmp_path):
    named = EventLog(["a", "b"], [0, 1] * 5, range(0, 11, 2), list("12345"), names={"a": "Register"})
    matching = MadeMatching(named, B, [("a", "1", 0.9)])
    write_matching(matching, tmp_path / "m.csv")
    header, first, *_ = (tmp_path / "m.csv").read_text().splitlines()
    assert header == "label_a,label_b,probability,known,events_a,events_b,name_a,name_b,candidate,reason,original_a"
    assert first.startswith("a,1,0.9000,,5,8,Register,,,")
    assert matching_frame(matching)["name_a"][0] == "Register"


@examples(10)
@given(st.lists(any_text.filter(bool), min_size=2, max_size=5, unique=True), st.data())
def test_the_file_is_a_mapping_and_has_the_known_pairs(texts, data):
    labels_b = data.draw(st.permutations(texts))
    logs = EventLog.from_traces([texts] * 3), EventLog.from_traces([labels_b] * 3)
    pairs = list(zip(texts, labels_b, strict=True))[: data.draw(st.integers(1, len(texts)))]
    known = dict(pairs[:1])
    matching = MadeMatching(*logs, [(*pair, 0.9) for pair in pairs], known=known)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "matching.csv"
        write_matching(matching, path)
        content = path.read_bytes()
        assert read_mapping(path) == translation(pairs, labels_b)
        assert read_known_pairs(path, texts, labels_b) == known
        assert len(relabel(logs[1], read_mapping(path)).activities) == len(labels_b)
        write_matching(matching, path)
        assert path.read_bytes() == content


def test_an_empty_label_cannot_be_written(tmp_path):
    log = EventLog.from_traces([["", "a"]])
    with pytest.raises(ActalikeError, match="stands"):
        write_matching(MadeMatching(A, log, []), tmp_path / "m.csv")
    assert not list(tmp_path.iterdir())
