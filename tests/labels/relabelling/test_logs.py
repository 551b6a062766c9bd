"""Relabelling a log in memory."""

from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, relabel
from actalike.demo.loan_desk import loan_desk
from tests.helpers.renamings import logs_with_mappings


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
    assert found.traces() == naive(log.traces(), mapping, collapse)
    assert found.case_ids == log.case_ids


@given(logs_with_mappings(), st.booleans())
def test_attributes_go_with_their_events(case, collapse):
    log, mapping = case
    old_labels = [label for trace in log.traces() for label in trace]
    attributes = {"old": Attribute.from_texts(old_labels), "user": Attribute.from_texts([None] * log.n_events)}
    known = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=attributes)
    found = relabel(known, mapping, collapse)
    assert found.attributes["user"].texts() == [None] * found.n_events
    new_names = [mapping.get(label, label) for label in found.attributes["old"].texts()]
    assert new_names == [label for trace in found.traces() for label in trace]
    assert known.relabel(str.upper).attributes == known.attributes


def test_timestamps_go_with_their_events():
    log = loan_desk(30)
    found = relabel(log, {"Verify identity": "Query credit bureau"}, collapse=True)
    assert found.n_events < log.n_events
    kept = relabel(log, {"Verify identity": "Query credit bureau"})
    assert set(found.timestamps.tolist()) < set(kept.timestamps.tolist())
    assert (kept.timestamps == log.timestamps).all()
    assert found.case_ids == log.case_ids
