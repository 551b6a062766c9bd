import numpy as np
import pytest

from actalike import EventLog
from actalike.io import write_log
from actalike.log import Attribute

PLUGIN = """
import numpy as np
from actalike import benchmark

class Even:
    def fit(self, log_a, log_b, known):
        shape = len(log_a.activities), len(log_b.activities)
        self.scores_, self.probabilities_ = np.zeros(shape), np.full(shape, 0.25)
        self.pairs_, self.unmatched_a_, self.unmatched_b_ = [(log_a.activities[0], log_b.activities[0])], log_a.activities[1:], []
        return self

class Broken:
    def fit(self, log_a, log_b, known):
        raise RuntimeError("no luck today")

class Reader:
    reads_labels = True
    slow = True

    def fit(self, log_a, log_b, known):
        self.scores_ = np.array([[a.split(" (")[0] == b.split(" (")[0] for b in log_b.activities] for a in log_a.activities])
        return self

benchmark.register("matcher", "even", Even)
benchmark.register("matcher", "broken", Broken)
benchmark.register("matcher", "reader", Reader)
"""


def town(seed, n=60):
    """A log with codes for labels, English names for them, and timestamps: an older scheme lacks one step."""
    codes = [f"01_HOOFD_0{i}0" for i in range(8)]
    traces = []
    for i in range(n):
        trace = codes[:3] + ([codes[3]] if (i + seed) % 3 else [codes[4], codes[5]]) + [codes[6]] * (1 + (i + seed) % 2)
        traces.append(trace + ([codes[7]] if (i + seed) % 5 else []))
    log = EventLog.from_traces(traces)
    times = np.datetime64(f"20{20 + seed}-01-01", "us") + np.arange(log.n_events) * np.timedelta64(1, "h")
    names = [f"step {min(int(log.activities[code][-2]), 6)}" for code in log.codes]  # the last two have the same name
    attributes = {"activityNameEN": Attribute.from_texts(names)}
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times, attributes=attributes)


@pytest.fixture(scope="session")
def towns(tmp_path_factory):
    """A folder with the logs of two towns, and a plugin."""
    folder = tmp_path_factory.mktemp("towns")
    for seed in (1, 2):
        write_log(town(seed), folder / f"town{seed}.csv")
    (folder / "own_matchers.py").write_text(PLUGIN)
    return folder


@pytest.fixture(autouse=True)
def own_registry(monkeypatch):
    """What a test registers is forgotten after it."""
    from actalike.benchmark.tasks.matchers import MATCHERS

    monkeypatch.setattr(MATCHERS, "factories", dict(MATCHERS.factories))


@pytest.fixture(scope="session")
def matching_results(towns, tmp_path_factory):
    """The folder of a small run with a plugin; a matcher failed, another one gives probabilities."""
    from actalike import benchmark
    from actalike.benchmark.participants import load_plugin
    from actalike.benchmark.tasks.matchers import MATCHERS

    out = tmp_path_factory.mktemp("matching-results") / "out"
    before = dict(MATCHERS.factories)
    load_plugin(str(towns / "own_matchers.py"))
    benchmark.run(
        "matching",
        logs=[towns / "town1.csv", towns / "town2.csv"],
        out=out,
        methods=["profile", "even", "broken", "reader"],
        tasks=["known-0", "known-5", "known-10", "known-20", "renamed-50", "split", "deleted-30"],
        draws=2,
    )
    MATCHERS.factories.clear()
    MATCHERS.factories.update(before)
    return out
