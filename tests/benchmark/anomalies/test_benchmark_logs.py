import pytest

from actalike import EventLog, datasets, write_log
from actalike.benchmark.anomalies.benchmark_logs import SHARED_LOGS, full_digest, read_with_attributes, takes_log
from actalike.benchmark.anomalies.published import published_figures
from actalike.benchmark.logs import find_logs


def test_the_shared_logs_are_logs_of_the_paper_with_published_figures():
    assert [entry.name for entry in datasets.paper_logs() if takes_log(entry)] == sorted(SHARED_LOGS)
    assert {log for log, _ in published_figures()} == set(SHARED_LOGS)


@pytest.mark.parametrize(
    ("name", "n_labels", "n_values"),
    [
        ("BPIC13_open_problems", 5, {"org:group": 11, "org:resource": 240}),
        ("BPIC13_closed_problems", 7, {"org:group": 15, "Resource": 585}),
        ("Env_Permit", 27, {"org:group": 10, "org:resource": 48}),
    ],
)
def test_shared_logs_have_the_published_labels_and_attributes(log_file, name, n_labels, n_values):
    log = read_with_attributes(find_logs([log_file(name)], takes_log), name)
    assert len(log.activities) == n_labels
    assert {name: len(attribute.values) for name, attribute in log.attributes.items()} == n_values


def test_other_logs_have_people_or_what_is_asked_for(order_files, tmp_path):
    files = find_logs([order_files / "orders.csv"], takes_log)
    assert list(read_with_attributes(files, "orders").attributes) == ["user"]
    assert list(read_with_attributes(files, "orders", []).attributes) == []
    write_log(EventLog(["a", "b"], [0, 1], [0, 1, 1, 2], ["1", "2", "3"]), tmp_path / "gap.xes")
    assert read_with_attributes(find_logs([tmp_path / "gap.xes"], takes_log), "gap").traces() == [["a"], ["b"]]


def test_the_fingerprint_is_of_attributes_too(order_log):
    bare = EventLog(order_log.activities, order_log.codes, order_log.offsets, order_log.case_ids)
    assert bare.digest == order_log.digest
    assert full_digest(bare) != full_digest(order_log)
