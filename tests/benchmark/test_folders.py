"""A folder of results says what it holds, and takes nothing that is of something else."""

import json

import msgspec
import polars as pl
import pytest

from actalike import ActalikeError, EventLog, benchmark
from actalike.benchmark.folders import (
    TEXT,
    ResultFolder,
    error_text,
    note_request,
    open_folder,
    parameters_of,
    read_json,
    write_json,
    write_tidy,
)
from actalike.benchmark.task import FORMAT
from actalike.methods import make_method
from actalike.support.files import new_part_name
from tests.helpers.benchmark_runs import open_log, tree


class Logged(msgspec.Struct):
    log: TEXT


PLAN = {"benchmark": "intrinsic", "format": 1, "seed": 0}
LOG = EventLog.from_traces([["a", "b"], ["a", "b"], ["b"]])


@pytest.fixture
def out(tmp_path):
    open_folder(tmp_path / "out", PLAN)
    return tmp_path / "out"


def test_a_folder_has_what_was_noted_in_it(out):
    digest = open_log(out, "mine", LOG)
    note_request(out, {"methods": ["kin-w5"]})
    folder = ResultFolder.open(str(out))
    assert folder.path == out
    assert folder.benchmark == "intrinsic"
    assert folder.digest("mine") == digest == LOG.digest
    assert folder.logs["mine"]["variants_per_case"] == 2 / 3
    assert folder.requests(dict[str, list[TEXT]]) == [{"methods": ["kin-w5"]}]


def test_to_note_the_same_again_changes_nothing(out):
    def note():
        open_folder(out, PLAN)
        open_log(out, "mine", LOG)
        note_request(out, {"methods": ["kin-w5"]})
        return tree(out)

    assert note() == note()
    note_request(out, {"methods": ["one-hot"]})
    assert len(ResultFolder.open(out).requests(dict)) == 2


def test_results_of_another_plan_or_log_are_refused(out):
    with pytest.raises(ActalikeError, match="plan"):
        open_folder(out, {**PLAN, "seed": 1})
    open_log(out, "mine", LOG)
    with pytest.raises(ActalikeError, match="mine"):
        open_log(out, "mine", EventLog.from_traces([["a"]]))


def test_only_an_empty_folder_becomes_a_folder_of_results(tmp_path):
    (tmp_path / new_part_name()).touch()  # from a run that was killed
    open_folder(tmp_path, PLAN)
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "holiday.jpg").touch()
    (tmp_path / "downloads").mkdir()
    (tmp_path / "downloads" / "film.part").touch()
    with pytest.raises(ActalikeError, match="neither"):
        open_folder(tmp_path / "full", PLAN)
    with pytest.raises(ActalikeError, match="neither"):
        open_folder(tmp_path / "downloads", PLAN)
    with pytest.raises(ActalikeError, match="created"):
        open_folder(tmp_path / "full" / "holiday.jpg" / "out", PLAN)


def test_a_folder_that_does_not_say_what_it_is_is_refused(tmp_path):
    with pytest.raises(ActalikeError, match="json"):
        benchmark.read(tmp_path)
    (tmp_path / "benchmark.json").write_text(json.dumps({"benchmark": "intrinsic", "format": FORMAT}))
    with pytest.raises(ActalikeError, match="sound"):
        benchmark.read(tmp_path)
    folder = ResultFolder.open(tmp_path)
    assert folder.benchmark == "intrinsic"
    with pytest.raises(ActalikeError, match="sound"):
        folder.digest("mine")


def test_a_folder_of_another_version_is_refused_with_the_command_that_makes_a_new_one(tmp_path):
    old = {"benchmark": "intrinsic", "format": 1, "seed": 0, "mode": "paper", "samples": 5}
    (tmp_path / "benchmark.json").write_text(json.dumps(old))
    with pytest.raises(ActalikeError, match="actalike benchmark intrinsic"):
        benchmark.read(tmp_path)


def test_a_result_file_gives_back_what_was_written_in_ascii(tmp_path):
    content = {"share": 0.1, "labels": {"odd \ud800 📄 ü": None}, "methods": {"kin-w5": [1, True, "\n", "\ud800"]}}
    write_json(tmp_path / "cell.json", content)
    assert read_json(tmp_path / "cell.json") == content
    assert (tmp_path / "cell.json").read_bytes().isascii()


@pytest.mark.parametrize("content", [b"", b'{"log": "pl', b"[1]", b"{}", b"\xff\xfe"])
def test_a_damaged_result_file_is_named_with_the_remedy(tmp_path, content):
    path = tmp_path / "cell.json"
    path.write_bytes(content)
    with pytest.raises(ActalikeError, match="sound"):
        read_json(path, Logged)


def test_errors_and_parameters_can_be_written_as_they_are(tmp_path):
    assert error_text(RuntimeError("odd \ud800 text")) == "RuntimeError: odd \\ud800 text"
    assert error_text(SystemExit(3)) == "SystemExit: 3"

    class WithParameters:
        def get_params(self):
            return {"window": 5, "weights": (1, 2)}

    assert parameters_of(WithParameters()) == {"window": 5, "weights": "(1, 2)"}
    assert parameters_of(object()) == {}
    assert parameters_of(make_method("aa-sequence-pmi-w3"))["window"] == 3


def test_tidy_tables_are_parquet_or_csv(tmp_path):
    table = pl.DataFrame({"method": ["kin-w5"], "I_nn": [0.5]})
    write_tidy(table, tmp_path / "all.parquet")
    write_tidy(table, tmp_path / "all.csv")
    assert pl.read_parquet(tmp_path / "all.parquet").equals(table)
    assert pl.read_csv(tmp_path / "all.csv").equals(table)
    with pytest.raises(ActalikeError, match="parquet"):
        write_tidy(table, tmp_path / "all.txt")
    assert len(list(tmp_path.iterdir())) == 2
