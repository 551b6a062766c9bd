"""What commands can be given: logs, read with options, and saved files in place of them."""

import json
from pathlib import Path

import pytest

import actalike
from tests.helpers.commands import fails, ok
from tests.helpers.damaged_files import contents, write_unchecked


def test_a_saved_embedding_or_table_stands_for_the_log(log, tmp_path):
    ok("embed", log, "-o", tmp_path / "e.actalike")
    actalike.count_windows(actalike.read_log(log), 9).save(tmp_path / "c.actalike")
    without_intervals = json.loads(ok("similar", log, "--method", "kin", "--resamples", 0, "--json"))
    facts = json.loads(ok("similar", tmp_path / "c.actalike", "-m", "kin", "--json"))
    assert facts["read"] == {"source": str(tmp_path / "c.actalike"), "kind": "window-counts", "activities": 30}
    assert facts["pairs"] == without_intervals["pairs"]
    pairs = [(p["a"], p["b"]) for p in json.loads(ok("similar", tmp_path / "e.actalike", "--json"))["pairs"]]
    assert pairs == [(p["a"], p["b"]) for p in without_intervals["pairs"]]


def test_a_saved_embedding_is_that_of_one_method(log, tmp_path):
    ok("embed", log, "-o", tmp_path / "e.actalike")
    assert ok("similar", tmp_path / "e.actalike", "-m", "kin") == ok("similar", tmp_path / "e.actalike")
    assert "give the log itself" in fails("similar", tmp_path / "e.actalike", "-m", "ac-sequence-raw-w3")


def test_reading_options_mean_nothing_for_a_saved_file(log, tmp_path):
    ok("embed", log, "-o", tmp_path / "e.actalike")
    assert "--case, --lifecycle" in fails("similar", tmp_path / "e.actalike", "--case", "x", "--lifecycle", "complete")


def test_the_state_of_a_stream_stands_for_the_log_so_far(log, tmp_path):
    read, stream = actalike.read_log(log), actalike.StreamCounter(9)
    stream.add([i for i, trace in enumerate(read.traces()) for _ in trace], [label for trace in read.traces() for label in trace])
    stream.save(tmp_path / "s.actalike")
    of_stream, of_log = (
        json.loads(ok("similar", *call, "--json"))
        for call in ([tmp_path / "s.actalike", "--method", "kin"], [log, "--method", "kin", "--resamples", 0])
    )
    assert of_stream["pairs"] == of_log["pairs"]
    actalike.StreamCounter(9).save(tmp_path / "s.actalike")
    assert "nothing to compare" in fails("similar", tmp_path / "s.actalike", "-m", "kin")


@pytest.mark.parametrize("command", [("similar",), ("similar", "Pay out"), ("explain", "Pay out", "Transfer loan")], ids=" ".join)
def test_of_window_counts_no_other_question_is_answered_silently(log, tmp_path, command):
    name, *labels = command
    actalike.count_windows(actalike.read_log(log), 9).save(tmp_path / "c.actalike")
    stream = actalike.StreamCounter(9)
    stream.save(tmp_path / "s.actalike")
    for saved in ("c", "s"):
        assert "--method kin-w5" in fails(name, tmp_path / f"{saved}.actalike", *labels)
    assert "kin-w5" in ok(name, tmp_path / "c.actalike", *labels, "--method", "kin")


def test_rare_activities_cannot_be_left_out_where_an_engine_counts():
    assert "--min-cases" in fails("similar", "nowhere.parquet", "--engine", "duckdb", "-m", "kin", "--min-cases", 5)


def test_missing_and_cut_off_files_are_errors(log, tmp_path):
    assert "cannot be read: No such file or directory. Check the path" in fails("similar", tmp_path / "none.xes")
    (tmp_path / "cut.xes.gz").write_bytes(log.read_bytes()[:5000])
    assert "cut off" in fails("similar", tmp_path / "cut.xes.gz")


@pytest.mark.parametrize(
    "arguments",
    [("similar",), ("explain", "a", "b"), ("embed", "-o", "out.csv"), ("group",), ("report", "-o", "out.html"), ("plot", "map")],
    ids=lambda arguments: arguments[0],
)
def test_a_damaged_file_is_one_sentence_and_exit_code_1(log, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    actalike.embed(actalike.read_log(log)).save("e.actalike")
    header, arrays = contents("e.actalike")
    whole = Path("e.actalike").read_bytes()
    command, *options = arguments
    place = ["map", "e.actalike", "-o", "out.png"] if command == "plot" else ["e.actalike", *options]
    for damage in (
        lambda: Path("e.actalike").write_bytes(whole[:-9]),
        lambda: Path("e.actalike").write_bytes(b""),
        lambda: write_unchecked(Path("e.actalike"), {**header, "format": "Infinity"}, arrays),
        lambda: write_unchecked(Path("e.actalike"), {**header, "kin": {"offsets": [2**31], "weights": [1.0]}}, arrays),
        lambda: write_unchecked(Path("e.actalike"), '{"format": 1, "kind": ' + "[" * 100_000, arrays),
    ):
        damage()
        said = fails(command, *place)
        assert "e.actalike" in said
        assert "should not happen" not in said
        assert not list(tmp_path.glob("out.*"))
