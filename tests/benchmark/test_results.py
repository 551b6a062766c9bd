"""Results are read once, for whatever is made of them."""

import shutil
from collections import Counter
from pathlib import Path

import pytest

from actalike import ActalikeError, benchmark
from actalike.report.leaderboard import write_leaderboard
from tests.helpers.benchmark_runs import measured_here, run_here


@pytest.fixture(scope="module")
def all_results(small_logs, finished, tmp_path_factory):
    """A folder of results of each benchmark."""
    place = tmp_path_factory.mktemp("results")
    methods = ["kin-w5", "aa-sequence-pmi-w3"]
    benchmark.run("intrinsic", logs=[small_logs], out=place / "intrinsic", methods=methods, r=[1, 2], w=[2], samples=1)
    recipes = ["syn-case-2", "unplanted"]
    benchmark.run("labels", logs=[small_logs], out=place / "labels", methods=["kin-w5", "contrast"], recipes=recipes, draws=1)
    kinds, tasks = ["time", "cases"], ["known-0"]
    benchmark.run(
        "matching", logs=[small_logs], out=place / "matching", methods=["match", "profile"], kinds=kinds, tasks=tasks, draws=1
    )
    tasks = ["known-skipped"]
    benchmark.run("anomalies", logs=[small_logs], out=place / "anomalies", methods=["naive", "links"], tasks=tasks, copies=1)
    tasks = ["planted-renamed"]
    benchmark.run(
        "change_points", logs=[small_logs], out=place / "change_points", methods=["windows", "blind-guess"], tasks=tasks, draws=1
    )
    with measured_here():
        benchmark.run("efficiency", logs=[small_logs / "plain.csv"], out=place / "efficiency", methods=methods, repeats=1)
    shutil.copytree(finished, place / "prediction")
    return place


def log_of(name):
    """A log of the results of a benchmark; that of matching has pairs of logs, with 7 labels or more."""
    return "loan~by-time" if name == "matching" else "plain"


@pytest.fixture
def reads(monkeypatch):
    """How often each file of results is read from now on."""
    counts = Counter()
    read_text = Path.read_text

    def counted(self, *arguments, **options):
        if self.suffix == ".json":
            counts[self] += 1
        return read_text(self, *arguments, **options)

    monkeypatch.setattr(Path, "read_text", counted)
    return counts


def result_files(folder):
    return {path for path in folder.rglob("*.json") if path.parent.name != "vectors"}


@pytest.mark.parametrize("name", benchmark.BENCHMARKS)
@pytest.mark.parametrize("options", [(), ("--by", "log"), ("--json",), ("--format", "csv")])
def test_a_table_reads_each_file_once(all_results, reads, tmp_path, name, options):
    run_here("table", all_results / name, "--tidy", tmp_path / "all.csv", *options)
    assert reads == Counter(result_files(all_results / name))


@pytest.mark.campaign
@pytest.mark.parametrize("name", benchmark.BENCHMARKS)
def test_pictures_read_each_file_once(all_results, reads, tmp_path, name):
    run_here("plots", all_results / name, "-o", tmp_path)
    assert reads == Counter(result_files(all_results / name))


def test_the_page_reads_each_file_once(all_results, reads, tmp_path):
    write_leaderboard([all_results / name for name in benchmark.BENCHMARKS], tmp_path / "page.html")
    files = set().union(*(result_files(all_results / name) for name in benchmark.BENCHMARKS))
    assert {path: n for path, n in reads.items() if path in files} == dict.fromkeys(files, 1)


@pytest.mark.parametrize("name", benchmark.BENCHMARKS)
def test_results_of_some_logs_are_those_of_a_smaller_folder(all_results, name):
    results, log = benchmark.read(all_results / name), log_of(name)
    part = results.of_logs([log])
    assert part.by_log().equals(results.by_log().filter(results.by_log()["log"] == log))
    assert results.of_logs(None) is results
    assert benchmark.read(results) is results
    with pytest.raises(ActalikeError, match=f"mean '{log}'"):
        results.of_logs([log[:-1]])


def test_a_cell_whose_log_is_not_noted_is_refused(all_results, tmp_path):
    for name in benchmark.BENCHMARKS:
        shutil.copytree(all_results / name, tmp_path / name)
        (tmp_path / name / log_of(name) / "log.json").unlink()
        with pytest.raises(ActalikeError, match="sound"):
            benchmark.read(tmp_path / name)
