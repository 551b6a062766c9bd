"""The logs of the benchmark of anomalies, and the figures that others published of them."""

import pytest

from actalike import EventLog, datasets, write_log
from actalike.benchmark.logs import find_logs
from actalike.benchmark.tasks.anomaly_logs import (
    PUBLISHED,
    RECREATED,
    SHARED_LOGS,
    full_digest,
    is_published_log,
    published_figures,
    published_methods,
    read_with_attributes,
    takes_log,
)


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


def test_sixteen_methods_have_figures_of_fourteen_logs():
    assert len(published_methods()) == 16
    assert len(published_figures()) == 16 * 14
    assert set(RECREATED.values()) <= set(published_methods())


@pytest.mark.parametrize(
    ("method", "means"),
    [("GAMA", (0.670, 0.688, 0.479, 0.418)), ("Likelihood", (0.640, 0.603, 0.359, 0.281)), ("Naive", (0.588, 0.487))],
)
def test_means_over_the_logs_are_those_that_are_known(method, means):
    rows = [figures for (_, name), figures in published_figures().items() if name == method]
    assert {len(row) for row in rows} == {len(means)}
    for column, mean in zip(PUBLISHED, means, strict=False):
        assert sum(row[column] for row in rows) / 14 == pytest.approx(mean, abs=0.0006)


def test_a_log_is_known_by_its_name_and_cases():
    assert is_published_log({"log": "RTFM", "cases": 150370})
    assert not is_published_log({"log": "RTFM", "cases": 7})
    assert not is_published_log({"log": "orders", "cases": 150370})
