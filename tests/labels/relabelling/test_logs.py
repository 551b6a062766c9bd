"""Relabelling a log in memory."""

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, Attribute, EventLog, relabel, relabel_file
from actalike.demo.loan_desk import loan_desk
from tests.helpers.renamings import logs_with_mappings, meant


def naive(traces, mapping, collapse):
    """By the definition: a new name; left out if it repeats the one before it, which had another old one."""
    out = []
    for trace in traces:
        new = [mapping.get(label, label) for label in trace]
        keep = [i for i in range(len(trace)) if not (collapse and i and new[i] == new[i - 1] and trace[i] != trace[i - 1])]
        out.append([new[i] for i in keep])
    return out


@given(logs_with_mappings(), st.booleans())
def test_a_log_in_memory_gets_its_new_names(case, collapse):
    log, mapping = case
    found = relabel(log, mapping, collapse)
    assert found.traces() == naive(log.traces(), meant(mapping), collapse)
    assert found.case_ids == log.case_ids


@given(logs_with_mappings(), st.booleans())
def test_attributes_go_with_their_events(case, collapse):
    log, mapping = case
    old_labels = [label for trace in log.traces() for label in trace]
    attributes = {"old": Attribute.from_texts(old_labels), "user": Attribute.from_texts([None] * log.n_events)}
    known = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=attributes)
    found = relabel(known, mapping, collapse)
    assert found.attributes["user"].texts() == [None] * found.n_events
    new_names = [meant(mapping).get(label, label) for label in found.attributes["old"].texts()]
    assert new_names == [label for trace in found.traces() for label in trace]
    assert known.relabel(str.upper).attributes == known.attributes


def test_a_blank_name_keeps_the_label():
    log = EventLog.from_traces([["a", "b", "", " "]])
    assert relabel(log, {"a": "", "b": " ", "": "", " ": ""}) == log
    assert relabel(log, {"a": "b", "b": "", "": "Check", " ": "Pay"}).traces() == [["b", "b", "Check", "Pay"]]


def test_timestamps_go_with_their_events():
    log = loan_desk(30)
    found = relabel(log, {"Verify identity": "Query credit bureau"}, collapse=True)
    assert found.n_events < log.n_events
    kept = relabel(log, {"Verify identity": "Query credit bureau"})
    assert set(found.timestamps.tolist()) < set(kept.timestamps.tolist())
    assert (kept.timestamps == log.timestamps).all()
    assert found.case_ids == log.case_ids


FRAME = pd.DataFrame({"case": ["1", "1"], "activity": ["a", "b"]})


@pytest.mark.parametrize("mapping", ["mapping.csv", [("a", "b")], pd.Series({"a": "b"}), FRAME, 7, None, ["a"]], ids=repr)
def test_what_is_no_mapping_is_refused_in_one_sentence(mapping, tmp_path):
    FRAME.to_csv(tmp_path / "log.csv", index=False)
    for relabelled in (
        lambda: relabel(FRAME, mapping),
        lambda: relabel(EventLog.from_traces([["a", "b"]]), mapping),
        lambda: relabel_file(tmp_path / "log.csv", mapping, tmp_path / "new.csv"),
    ):
        with pytest.raises(ActalikeError, match="read_mapping"):
            relabelled()


def test_swapped_arguments_are_refused_in_one_sentence():
    for log in (FRAME, EventLog.from_traces([["a", "b"]])):
        with pytest.raises(ActalikeError, match="dictionary"):
            relabel({"a": "b"}, log)
