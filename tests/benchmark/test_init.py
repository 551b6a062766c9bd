"""The functions of the benchmark room take every benchmark, and results as a folder or read already."""

import pytest

from actalike import ActalikeError, EventLog, benchmark, write_log
from actalike.benchmark.folders import open_folder
from actalike.benchmark.results import Results
from actalike.benchmark.task import Task
from actalike.benchmark.tasks.intrinsic import IntrinsicResults
from actalike.support.figures import new_figure

LOG = EventLog.from_traces([list("abcd"), list("acbd"), list("abd")] * 5)


@pytest.fixture
def out(tmp_path):
    """The results of a small run, on logs that are called mine and other."""
    for name in ("mine", "other"):
        write_log(LOG, tmp_path / f"{name}.csv")
    logs = [tmp_path / "mine.csv", tmp_path / "other.csv"]
    benchmark.run("intrinsic", logs=logs, out=tmp_path / "out", methods=["kin-w3", "one-hot"], r=[1], w=[2], samples=1)
    return tmp_path / "out"


@pytest.mark.parametrize("name", benchmark.BENCHMARKS)
def test_a_benchmark_is_a_task_of_its_name(name):
    task = benchmark.get(name)
    assert issubclass(task, Task)
    assert task.name == name


def test_an_unknown_benchmark_is_refused(tmp_path):
    with pytest.raises(ActalikeError, match="mean 'intrinsic'"):
        benchmark.run("intrinsik", out="nowhere")
    open_folder(tmp_path / "out", {"benchmark": "toy", "format": 1})
    with pytest.raises(ActalikeError, match="toy"):
        benchmark.read(tmp_path / "out")


def test_results_are_a_folder_or_read_already(out):
    results = benchmark.read(out)
    assert isinstance(results, Results)
    assert benchmark.read(results) is results
    for by in (None, "log"):
        assert benchmark.frame(out, by=by).equals(benchmark.frame(results, by=by))
        assert benchmark.table(str(out), by=by) == benchmark.table(results, by=by)


def test_frames_and_tables_are_over_the_logs_or_by_log(out):
    assert benchmark.frame(out).select("method", "logs").rows() == [("kin-w3", 2), ("one-hot", 2)]
    assert benchmark.frame(out, by="log")["log"].to_list() == ["mine", "other"] * 2
    assert benchmark.table(out).startswith("| method")
    assert benchmark.table(out, by="log").startswith("| log")
    assert "[" in benchmark.table(out, intervals=True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"form": "html"}, "html"),
        ({"by": "method"}, "method"),
        ({"by": "log", "intervals": True}, "goes"),
        ({"form": "csv", "intervals": True}, "goes"),
    ],
)
def test_a_table_that_does_not_exist_is_refused(out, options, message):
    with pytest.raises(ActalikeError, match=message):
        benchmark.table(out, **options)


def test_pictures_have_the_format_and_the_logs_that_are_named(out, tmp_path, monkeypatch):
    drawn = []

    def one_picture(results):
        drawn.append(set(results.singles["log"]))
        return {"small": new_figure(1, 1)}

    monkeypatch.setattr(IntrinsicResults, "pictures", one_picture)
    pictures = tmp_path / "pictures"
    assert benchmark.plots(out, pictures) == [pictures / "small.png"]
    assert benchmark.plots(out, pictures, form="svg", logs=["mine"]) == [pictures / "small.svg"]
    assert {path.name for path in pictures.iterdir()} == {"small.png", "small.svg"}
    assert drawn == [{"mine", "other"}, {"mine"}]
    with pytest.raises(ActalikeError, match="mime"):
        benchmark.plots(out, pictures, logs=["mime"])
