import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, Attribute, EventLog, LogError, read_log, write_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers.examples import examples, real_logs
from tests.helpers.strategies import any_text, logs, logs_with_attributes
from tests.helpers.xes_documents import reference_read

ENDINGS = [".xes", ".xes.gz", ".csv", ".csv.gz", ".parquet"]
xml_label = any_text.filter(lambda text: not any((ord(c) < 32 and c not in "\t\n\r") or c in "\ufffe\uffff" for c in text))


@pytest.mark.parametrize("ending", ENDINGS)
@examples(20)
@given(log=logs(xml_label))
def test_what_is_written_comes_back(tmp_path_factory, ending, log):
    path = tmp_path_factory.mktemp("written") / f"log{ending}"
    if ".xes" not in ending:
        log = EventLog.from_traces([trace for trace in log.traces() if trace])
    write_log(log, path)
    assert read_log(path, order="file") == log


@pytest.mark.parametrize("ending", [".xes", ".csv", ".parquet"])
@examples(10)
@given(log=logs_with_attributes(xml_label, xml_label.filter(bool) | st.text(st.sampled_from(",;|\t\"'a"), min_size=1)))
def test_attributes_come_back_with_the_same_events(tmp_path_factory, ending, log):
    path = tmp_path_factory.mktemp("written") / f"log{ending}"
    write_log(log, path)
    again = read_log(path, timestamp="", order="file", attributes=list(log.attributes))
    assert again == log
    assert list(again.attributes) == list(log.attributes)
    assert read_log(path, timestamp="", order="file").attributes == {}


@pytest.mark.parametrize("ending", ENDINGS)
def test_an_attribute_called_like_the_activity_is_not_written(tmp_path, ending):
    log = EventLog(["a"], [0], [0, 1], ["1"], attributes={"concept:name": Attribute.from_texts(["x"])})
    with pytest.raises(LogError, match="concept:name"):
        write_log(log, tmp_path / f"log{ending}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", real_logs("Helpdesk", "CCC19", "BPIC13_open_problems", long=("Hospital_Billing", "NASA")))
def test_xes_to_csv_to_parquet_and_back_is_the_same_log(real_log, name, tmp_path):
    log = real_log(name)
    for ending in [*ENDINGS, ".xes"]:
        write_log(log, tmp_path / f"log{ending}")
        again = read_log(tmp_path / f"log{ending}", order="file")
        assert again == log
        log = again


def test_timestamps_survive_to_the_microsecond(tmp_path):
    log = loan_desk(20)
    for ending in ENDINGS:
        write_log(log, tmp_path / f"log{ending}")
        assert (read_log(tmp_path / f"log{ending}").timestamps == log.timestamps).all()


@given(st.lists(st.tuples(xml_label, st.lists(xml_label, max_size=3)), min_size=1, max_size=3))
def test_other_readers_read_the_same(tmp_path_factory, cases):
    codes = list(range(sum(len(events) for _, events in cases)))
    if not codes:
        return
    labels = [label for _, events in cases for label in events]
    offsets = [0]
    for _, events in cases:
        offsets.append(offsets[-1] + len(events))
    path = tmp_path_factory.mktemp("written") / "log.xes.gz"
    write_log(EventLog(labels, codes, offsets, [name for name, _ in cases]), path)
    assert reference_read(gzip.decompress(path.read_bytes())) == [(name, list(events)) for name, events in cases]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_log_gives_the_same_bytes(tmp_path, ending):
    for i in (1, 2):
        write_log(loan_desk(50), tmp_path / f"{i}{ending}")
    assert (tmp_path / f"1{ending}").read_bytes() == (tmp_path / f"2{ending}").read_bytes()


def test_what_a_format_cannot_hold_is_refused(tmp_path):
    with pytest.raises(LogError, match="hold"):
        write_log(EventLog.from_traces([["\x01"]]), tmp_path / "log.xes")
    with pytest.raises(LogError, match="without"):
        write_log(EventLog.from_traces([["a"], []]), tmp_path / "log.csv")
    with pytest.raises(LogError, match="two cases with the same id"):
        write_log(EventLog(["a"], [0, 0], [0, 1, 2], ["x", "x"]), tmp_path / "log.parquet")
    with pytest.raises(LogError, match="surrogate"):
        write_log(EventLog(["\ud800"], [0], [0, 1], ["x"]), tmp_path / "log.csv")
    with pytest.raises(LogError, match="extension"):
        write_log(EventLog.from_traces([["a"]]), tmp_path / "log.txt")
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(ActalikeError, match="written"):
        write_log(EventLog.from_traces([["a"]]), tmp_path / "nowhere" / "log.csv")
