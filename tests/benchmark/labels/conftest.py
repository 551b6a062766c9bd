import numpy as np
import pytest

from actalike import EventLog, write_log

PLUGIN = """
import numpy as np
from actalike import benchmark

class Even:
    is_probability = True

    def fit(self, log):
        n = len(log.activities)
        self.scores_, self.groups_ = np.full((n, n), 0.25), [log.activities[:2]]
        return self

class Broken:
    def fit(self, log):
        raise RuntimeError("no luck today")

class Silent:
    def fit(self, log):
        self.scores_ = self.groups_ = None
        return self

benchmark.register("grouper", "even", Even)
benchmark.register("grouper", "broken", Broken)
benchmark.register("grouper", "silent", Silent)
"""


def desk(n):
    """A log with time and people, in two variants."""
    traces = [["open", "check", "pay" if i % 3 else "refuse", "close"] for i in range(n)]
    log = EventLog.from_traces(traces)
    times = np.datetime64("2026-01-01", "us") + np.arange(log.n_events) * np.timedelta64(1, "h")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times)


@pytest.fixture(scope="session")
def desk_file(tmp_path_factory):
    folder = tmp_path_factory.mktemp("labels")
    write_log(desk(60), folder / "desk.csv")
    (folder / "own_groupers.py").write_text(PLUGIN)
    return folder / "desk.csv"


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """What a test registers is forgotten after it."""
    from actalike.benchmark.tasks.groupers import GROUPERS

    monkeypatch.setattr(GROUPERS, "factories", dict(GROUPERS.factories))


@pytest.fixture(scope="session")
def label_results(desk_file, tmp_path_factory):
    """The folder of a small run with a plugin; a grouper failed, another one gives probabilities."""
    from actalike import benchmark
    from actalike.benchmark.participants import load_plugin
    from actalike.benchmark.tasks.groupers import GROUPERS

    out = tmp_path_factory.mktemp("label-results") / "out"
    before = dict(GROUPERS.factories)
    load_plugin(str(desk_file.parent / "own_groupers.py"))
    benchmark.run(
        "labels",
        logs=[desk_file],
        out=out,
        methods=["kin-w3", "even", "broken", "silent"],
        recipes=["syn-case-2", "syn-period-2", "dis-5", "unplanted", "swiftmend-40-30"],
        draws=2,
    )
    GROUPERS.factories.clear()
    GROUPERS.factories.update(before)
    return out
