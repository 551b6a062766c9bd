"""Relabelling event logs of pm4py: the same object with new labels, and the same model as from the file."""

import pm4py
import pytest
from pm4py.objects.log.importer.xes import importer

from actalike import read_log, relabel, relabel_file
from actalike.labels.relabelling import ORIGINAL

MAPPING = {"Queued": "Accepted"}


@pytest.fixture(scope="module")
def logs(log_file, tmp_path_factory):
    """A log of pm4py as it is, relabelled, and read from the relabelled file; and that file."""
    path, new = log_file("BPIC13_open_problems"), tmp_path_factory.mktemp("pm4py") / "new.xes.gz"
    relabel_file(path, MAPPING, new, collapse=True)
    log = read_pm4py(path)
    return log, relabel(log, MAPPING, collapse=True), read_pm4py(new), new


def read_pm4py(path):
    return importer.apply(str(path), parameters={"show_progress_bar": False})


def test_an_event_log_of_pm4py_becomes_what_its_file_becomes(logs):
    log, relabelled, of_file, _ = logs
    assert [[dict(event) for event in trace] for trace in relabelled] == [[dict(event) for event in trace] for trace in of_file]
    assert [trace.attributes for trace in relabelled] == [trace.attributes for trace in of_file]
    assert not any(ORIGINAL in event for trace in log for event in trace)  # it is not changed
    again = relabel(relabelled, {"Accepted": "Taken"})
    assert {event[ORIGINAL] for trace in again for event in trace if ORIGINAL in event} == {"Queued", "Accepted"}


def test_pm4py_discovers_the_same_model_from_frame_object_and_file(logs):
    log, relabelled, of_file, new = logs
    frame = pm4py.convert_to_dataframe(log)
    new_frame = relabel(frame, MAPPING, collapse=True, order="file")
    assert list(new_frame.columns) == [*frame.columns, ORIGINAL]
    assert read_log(new_frame, order="file").traces() == read_log(new).traces()
    trees = [str(pm4py.discover_process_tree_inductive(each)) for each in (new_frame, relabelled, of_file)]
    assert len(set(trees)) == 1
