import pytest

from actalike import Attribute, EventLog, benchmark
from actalike.io import write_log

PLUGIN = """
import numpy as np
from actalike import benchmark

class Longest:
    def fit(self, log):
        self.case_scores_ = log.lengths
        return self

class Broken:
    def fit(self, log):
        raise RuntimeError("no luck today")

class Vandal:
    def fit(self, log):
        self.case_scores_ = np.zeros(log.n_cases)
        self.case_scores_ += log.attributes["user"].codes.max()
        log.attributes["user"].values.clear()
        log.attributes.clear()
        log.case_ids.clear()
        log.activities.clear()
        return self

benchmark.register("detector", "longest", Longest)
benchmark.register("detector", "vandal", Vandal)
benchmark.register("detector", "broken", Broken)
"""


def orders(n=200):
    """A log of orders with a user for each event."""
    traces = [["order", "check", "check credit", "pay", "ship"] if i % 3 else ["order", "check", "pay", "ship"] for i in range(n)]
    log = EventLog.from_traces(traces)
    users = {"order": "Sue", "check": "Bob", "check credit": "Bob", "pay": "Ann", "ship": "Tom"}
    user = Attribute.from_texts([users[log.activities[code]] for code in log.codes])
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={"user": user})


@pytest.fixture(scope="session")
def order_log():
    return orders()


@pytest.fixture(scope="session")
def order_files(tmp_path_factory):
    """A folder with a log with users, one without, and a plugin."""
    folder = tmp_path_factory.mktemp("orders")
    write_log(orders(), folder / "orders.csv")
    write_log(EventLog.from_traces([["a", "b", "c", "d"]] * 60 + [["a", "c", "b", "d"]] * 30), folder / "bare.csv")
    (folder / "own_detectors.py").write_text(PLUGIN)
    return folder


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """What a test registers is forgotten after it."""
    from actalike.benchmark.tasks.detectors import DETECTORS

    monkeypatch.setattr(DETECTORS, "factories", dict(DETECTORS.factories))


@pytest.fixture(scope="session")
def anomaly_results(order_files, tmp_path_factory):
    """The folder of a small run with a plugin; a detector failed."""
    from actalike.benchmark.participants import load_plugin
    from actalike.benchmark.tasks.detectors import DETECTORS

    out = tmp_path_factory.mktemp("anomaly-results") / "out"
    before = dict(DETECTORS.factories)
    load_plugin(str(order_files / "own_detectors.py"))
    benchmark.run(
        "anomalies",
        logs=[order_files / "orders.csv", order_files / "bare.csv"],
        out=out,
        methods=["odd", "naive", "links-all", "longest", "broken"],
        tasks=["bpad-10", "bpad-20", "known", "known-skipped", "known-foreign", "known-cut"],
        copies=2,
    )
    DETECTORS.factories.clear()
    DETECTORS.factories.update(before)
    return out
