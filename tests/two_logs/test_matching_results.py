"""A matching as rows, a file, plain data and a card: all labels of both logs are in it, relabel and match read it again."""

import json
import tempfile
from pathlib import Path

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, SplitStep, match, read_known_pairs, read_mapping, relabel
from actalike.labels import translation
from actalike.two_logs import explanation_facts, matching_sentences
from actalike.two_logs.describe import matching_card, matching_frame, matching_rows, matching_summary, write_matching
from tests.helpers.examples import examples
from tests.helpers.json_schemas import check
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
    splits = [SplitStep("b", "a", ("2", "4"), 0.7), SplitStep("3", "b", ("c", "d"), 0.8)]
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


def test_the_card_shows_pairs_with_reasons_and_counts_the_rest():
    labels = [f"step {i:02}" for i in range(20)]
    log = EventLog.from_traces([labels] * 5)
    matching = MadeMatching(
        log, log, [(label, label, 0.9 - i / 40) for i, label in enumerate(labels)], known={"step 00": "step 00"}
    )
    html = matching_card(matching)
    assert "<bdi>step 03</bdi> = <bdi>step 03</bdi><br><small><bdi>both come directly after &#x27;step 02&#x27;" in html
    assert "20, 1 of them known, 15 doubtful (below 80 %)" in html
    assert "and 8 more pairs" in html
    assert matching_summary(matching) == "Matching(20 pairs among 20 and 20 activities, 1 of them known)"


def test_labels_are_shown_as_text():
    log = EventLog.from_traces([["<script>alert(1)</script>", "\x07\u202e"]] * 3)
    html = matching_card(MadeMatching(log, log, [(label, label, 0.9) for label in log.activities]))
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert "\x07" not in html


def test_the_facts_are_what_the_command_prints():
    log_a = EventLog.from_traces([["in", "check", "out"]] * 40 + [["in", "ask"]] * 9)
    log_b = EventLog.from_traces([["1", "2", "4"], ["1", "3", "4"]] * 20 + [["5"]])  # 2 and 3 are check
    matching = match(log_a, log_b, {"in": "1"})
    facts = check(json.dumps(matching.to_dict()))
    assert facts == matching.to_dict()
    assert [(row["label_a"], row["label_b"]) for row in facts["pairs"]] == [
        (row.label_a, row.label_b) for row in pairs_of(matching)
    ]
    assert [split["parts"] for split in facts["splits"]] == [["2", "3"]]
    assert not any(row["label_a"] and row["probability"] < 1 for row in matching.to_dict(at_least=1)["pairs"])
    explanation = check(json.dumps(explanation_facts(matching, "check", "2")))
    assert explanation["sentences"] == [sentence._asdict() for sentence in matching_sentences(matching, "check", "2")]


def pairs_of(matching):
    return [row for row in matching_rows(matching) if row.pair]


def test_the_frame_is_of_the_kind_that_was_read():
    frame = pl.DataFrame({"case": [1, 1, 2, 2], "activity": ["a", "b", "a", "b"]})
    for log, kind in ((frame, "polars"), (frame.to_pandas(), "pandas"), (frame.to_arrow(), "pyarrow")):
        matching = match(log, frame)
        assert type(matching.to_frame()).__module__.startswith(kind)
        assert pl.from_dataframe(matching.to_frame())["label_b"].to_list() == matching.to_frame("polars")["label_b"].to_list()
