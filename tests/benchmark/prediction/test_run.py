"""The next-activity benchmark as a user runs it: stopped and resumed, on two machines, with methods of one's own."""

import json
import os
import shutil
import signal
import subprocess
import sys

import numpy as np
import pytest
import torch

import actalike
from actalike import EventLog, write_log
from actalike.benchmark.tasks.prediction import Prediction
from actalike.demo.loan_desk import loan_desk
from actalike.prediction.training.evermann import SoundTrainer
from actalike.prediction.training.run import _checkpoint
from actalike.prediction.training.task import METRICS, load_task, load_vectors
from tests.helpers.benchmark_runs import command, run_here, tree
from tests.helpers.commands import without_what_was_read
from tests.helpers.prediction_runs import ALL, FEW, MODELS, SMALL, result_files


def test_result_files_stand_alone(finished):
    assert set(result_files(finished)) == {
        f"{log}/results/{model}/{method}.json" for log in ("loan", "plain") for model in MODELS for method in ALL
    }
    plan = json.loads((finished / "benchmark.json").read_text())
    assert plan == {"benchmark": "prediction", "format": 2, "seeds": 2, "epochs": 3, "setting": "standard"}
    found = json.loads((finished / "loan/results/evermann/ac-sequence-pmi-w5.json").read_text())
    assert (found["log"], found["task"], found["model"], found["method"]) == ("loan", "", "evermann", "ac-sequence-pmi-w5")
    assert found["version"] == actalike.__version__
    assert found["parameters"]["window"] == 5
    assert found["device"] == "cpu"
    assert found["epochs"] == 3
    assert found["vocabulary"] == len(loan_desk(60).activities) + 1
    assert found["predictions"] == sum(map(len, loan_desk(60).traces()[38 + 9 :]))
    assert [figures["seed"] for figures in found["seeds"]] == [0, 1]
    assert set(found["seeds"][0]) == {"seed", *METRICS, "epoch"}
    assert not [name for name in tree(finished) if name.endswith((".part", "checkpoint.npz"))]
    assert os.environ.get("HOME", "/nowhere") not in json.dumps(found)


def test_a_result_is_that_of_the_methods_own_vectors(finished):
    folder = finished / "loan"
    for method in ("kin-w5", "ac-sequence-pmi-w3"):
        made = SoundTrainer(
            load_task(folder / "task.npz"), load_vectors(folder / "vectors", [method]), False, range(2), "cpu", epochs=3
        )
        list(made.run())
        found = json.loads((folder / f"results/evermann/{method}.json").read_text())["seeds"]
        for outcome, figures in zip(made.outcomes(), found, strict=True):
            assert outcome["epoch"] == figures["epoch"]
            assert outcome["brier"] == pytest.approx(figures["brier"], rel=1e-4)
            assert outcome["accuracy"] == pytest.approx(figures["accuracy"], abs=0.011)  # two of 182


def test_what_is_there_is_not_computed_again(small_logs, finished, trained):
    before = tree(finished)
    facts = json.loads(run_here("prediction", "--logs", small_logs, "--out", finished, *SMALL, "--json").stdout)
    assert facts == {
        "schema": "actalike/benchmark-prediction/1",
        "out": str(finished), "device": "cpu", "setting": "standard", "logs": ["loan", "plain"], "models": list(MODELS), "failed": [],
    }  # fmt: skip
    assert trained == []
    assert tree(finished) == before


def test_a_method_that_is_added_later_is_all_that_is_trained(small_logs, finished, trained, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(finished, out)
    before = result_files(out)
    run_here("prediction", "--logs", small_logs, "--out", out, *SMALL[:4], "kin-w3", *SMALL[4:])
    assert trained == [(log, model, ["kin-w3"]) for log in ("loan", "plain") for model in MODELS]
    after = result_files(out)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {f"{log}/results/{model}/kin-w3.json" for log in ("loan", "plain") for model in MODELS}


KILLED = """
import os, signal, sys
from actalike.prediction.training import evermann, run

run.SAVE_EVERY = -1.0
train_epoch = evermann.SoundTrainer.train_epoch

def killed(self):
    train_epoch(self)
    if self.epoch == 2 and self.task.vocabulary_size < 10:
        os.kill(os.getpid(), signal.SIGKILL)

evermann.SoundTrainer.train_epoch = killed
from actalike.cli.main import main
main()
"""


@pytest.mark.campaign
def test_a_run_killed_in_the_middle_of_training_goes_on_and_gives_the_same_bytes(small_logs, finished, tmp_path, monkeypatch):
    out = tmp_path / "killed"
    words = command("prediction", "--logs", small_logs, "--out", out, *SMALL)
    done = subprocess.run([sys.executable, "-c", KILLED, *words[3:]], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL, done
    (checkpoint,) = (out / "plain/results/evermann").glob("checkpoint-*.npz")
    with np.load(checkpoint) as file:
        assert int(file["epoch"]) == 2
    epochs = []
    original = SoundTrainer.train_epoch

    def train_epoch(self):
        epochs.append(self.epoch)
        original(self)

    monkeypatch.setattr(SoundTrainer, "train_epoch", train_epoch)
    run_here("prediction", "--logs", small_logs, "--out", out, *SMALL)
    assert epochs == [2]  # the rest was there
    assert not checkpoint.exists()
    assert {name: content for name, content in tree(out).items() if not name.endswith(".part")} == tree(finished)


def test_a_checkpoint_of_other_work_is_not_taken(small_logs, finished, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(finished, out)
    (out / "plain/results/evermann/kin-w5.json").unlink()
    checkpoint = _checkpoint(out / "plain/results/evermann", ["kin-w5"])
    np.savez(checkpoint, what=np.frombuffer(b"{}", dtype=np.uint8), epoch=2)
    run_here("prediction", "--logs", small_logs, "--out", out, *SMALL)
    found, expected = (
        json.loads((folder / "plain/results/evermann/kin-w5.json").read_text())["seeds"][0]["brier"] for folder in (out, finished)
    )
    assert found == pytest.approx(expected, rel=1e-4)


@pytest.mark.parametrize("content", [b"", b"no zip", b"PK\x03\x04 cut off"])
def test_a_damaged_checkpoint_is_as_good_as_none_and_damaged_vectors_are_named(small_logs, tmp_path, content):
    out = tmp_path / "out"
    call = ("prediction", "--logs", small_logs / "plain.csv", "--out", out, *FEW)
    run_here(*call)
    results = out / "plain" / "results" / "evermann"
    for name in ("one-hot.json", "original.json"):
        (results / name).unlink()
    checkpoint = _checkpoint(results, ["one-hot", "original"])
    checkpoint.write_bytes(content)
    run_here(*call)
    assert "seeds" in json.loads((results / "one-hot.json").read_text())
    assert not checkpoint.exists()
    (results / "one-hot.json").unlink()
    (out / "plain" / "vectors" / "one-hot.npz").write_bytes(content)
    said = run_here(*call, code=1).stdout
    assert "one-hot.npz is damaged: delete it" in said
    (out / "plain" / "vectors" / "one-hot.npz").unlink()
    run_here(*call, "--retry-failed")
    assert "seeds" in json.loads((results / "one-hot.json").read_text())


PLUGIN = """
from pathlib import Path
import actalike

class Unlucky(actalike.CountEmbedder):
    def fit(self, log):
        with (Path(__file__).parent / "tried").open("a") as file:
            file.write("x")
        if len(log.activities) > 10 and not (Path(__file__).parent / "lucky").exists():
            raise RuntimeError("no luck today")
        return super().fit(log)

class Exits:
    def fit(self, log):
        raise SystemExit(3)

actalike.register("unlucky", Unlucky)
actalike.register("exits", Exits)
actalike.register("original", Unlucky)
"""


def test_a_method_that_fails_is_recorded_named_and_tried_again_when_asked(small_logs, tmp_path, trained):
    (tmp_path / "plugin.py").write_text(PLUGIN)
    out = tmp_path / "out"
    call = ("prediction", "--logs", small_logs, "--out", out, "--methods", "one-hot", "unlucky", "exits", "--seeds", "1",
            "--epochs", "1", "--jobs", "1", "--plugin", tmp_path / "plugin.py")  # fmt: skip

    def tries():
        return len((tmp_path / "tried").read_text())

    said = run_here(*call, code=1).stdout
    assert "evermann with unlucky failed on loan: RuntimeError: no luck today\n" in said
    assert "evermann with exits failed on plain: SystemExit: 3\n" in said
    assert trained == [("loan", "evermann", ["one-hot", "original"]), ("plain", "evermann", ["one-hot", "unlucky", "original"])]
    assert not (out / "loan/vectors/unlucky.npz").exists()
    recorded = json.loads((out / "loan/results/evermann/unlucky.json").read_text())
    assert recorded["error"] == "RuntimeError: no luck today"
    assert "seeds" not in recorded
    assert tries() == 2

    shown = run_here("table", out)
    assert "actalike: evermann with unlucky failed on loan (not in its means): RuntimeError: no luck today.\n" in shown.stderr
    assert "actalike: evermann with exits failed on loan, plain (not in its means): SystemExit: 3.\n" in shown.stderr
    assert "† On fewer logs than the 2 of the others: exits 0, unlucky 1." in shown.stdout
    rows = {row["method"]: row for row in json.loads(run_here("table", out, "--json").stdout)}
    assert (rows["unlucky"]["logs"], rows["unlucky"]["failed"]) == (1, 1)
    assert (rows["exits"]["logs"], rows["exits"]["failed"], rows["exits"]["accuracy"]) == (0, 2, None)
    assert "| -" in run_here("table", out, "--by", "log").stdout
    assert "unlucky failed on loan" in run_here("plots", out, "-o", tmp_path / "pictures").stderr

    trained.clear()
    facts = json.loads(run_here(*call, "--json", code=1).stdout)
    assert {(f["method"], f["log"]) for f in facts["failed"]} == {("unlucky", "loan"), ("exits", "loan"), ("exits", "plain")}
    assert trained == []
    assert tries() == 2

    (tmp_path / "lucky").touch()
    before = result_files(out)
    assert "unlucky" not in run_here(*call, "--retry-failed", code=1).stdout  # the other one fails as before
    assert trained == [("loan", "evermann", ["unlucky"])]
    assert tries() == 3
    after = result_files(out)
    assert [name for name in after if after[name] != before[name]] == ["loan/results/evermann/unlucky.json"]
    assert "unlucky" not in run_here("table", out).stderr


def test_a_model_that_reads_no_vectors_does_not_fail_with_a_method(small_logs, tmp_path):
    (tmp_path / "plugin.py").write_text(PLUGIN)
    out = tmp_path / "out"
    call = ("prediction", "--logs", small_logs, "--out", out, "--methods", "unlucky", "--models", "evermann", "tax", "--seeds", "1",
            "--epochs", "1", "--device", "cpu", "--jobs", "1", "--plugin", tmp_path / "plugin.py")  # fmt: skip
    failed = json.loads(run_here(*call, "--json", code=1).stdout)["failed"]
    assert [(f["model"], f["method"], f["log"]) for f in failed] == [("evermann", "unlucky", "loan"), ("tax", "tax", "plain")]
    assert "time" in failed[1]["error"]  # of which the plain log has none
    assert {name for name in result_files(out) if "/tax/" in name} == {f"{log}/results/tax/tax.json" for log in ("loan", "plain")}
    assert "tax failed on plain" in run_here("table", out).stderr
    (figures,) = json.loads((out / "loan/results/tax/tax.json").read_text())["seeds"]
    means = {row["model"]: row["time_mae"] for row in json.loads(run_here("table", out, "--json").stdout)}
    assert means == {"evermann": None, "tax": pytest.approx(figures["time_mae"])}
    assert figures["time_mae"] > 0


def test_a_training_that_fails_is_recorded_and_tried_again_when_asked(small_logs, tmp_path, monkeypatch):
    call = ("prediction", "--logs", small_logs / "plain.csv", "--out", tmp_path / "out", *FEW)
    with monkeypatch.context() as short:

        def out_of_memory(self):
            raise RuntimeError("out of memory")

        short.setattr(SoundTrainer, "train_epoch", out_of_memory)
        assert "evermann with one-hot failed on plain: RuntimeError: out of memory" in run_here(*call, code=1).stdout
    assert "failed" in run_here(*call, code=1).stdout
    assert "failed" not in run_here(*call, "--retry-failed").stdout
    assert run_here("table", tmp_path / "out").stderr == ""


def test_runs_of_other_plans_and_benchmarks_do_not_mix(small_logs, finished):
    call = ("prediction", "--logs", small_logs, "--out", finished)
    before = tree(finished)
    assert "another plan (seeds 2, not 3): choose another --out" in run_here(*call, *SMALL, "--seeds", 3, code=1).stderr
    assert "another plan (epochs 3, not None)" in run_here(*call, "--seeds", 2, code=1).stderr
    assert "benchmark 'prediction', not 'intrinsic'" in run_here("intrinsic", *call[1:], code=1).stderr
    assert tree(finished) == before


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--models", "everman"), "No model is called 'everman'. Did you mean 'evermann'"),
        (("--device", "cuda"), "There is no GPU here that torch could use: leave --device out, or give --device cpu."),
    ],
)
def test_wrong_options_are_errors(small_logs, tmp_path, arguments, message):
    if "cuda" in arguments and torch.cuda.is_available():
        pytest.skip("there is a GPU")
    said = run_here("prediction", "--logs", small_logs, "--out", tmp_path / "out", *FEW, *arguments, code=1).stderr
    assert said.startswith("actalike: ")
    assert message in said
    assert len(without_what_was_read(said)) == 1
    assert not (tmp_path / "out").exists()


def test_a_log_that_cannot_be_split_is_named_before_anything_is_computed(small_logs, tmp_path, trained):
    write_log(EventLog.from_traces([["a", "b"]] * 6), tmp_path / "short.csv")
    write_log(EventLog.from_traces([["a", "[EOC]"]] * 9), tmp_path / "ends.csv")
    for name, message in [("short", "The log has 6 cases: too few"), ("ends", "An activity of the log is called [EOC]")]:
        call = ("prediction", "--logs", small_logs, tmp_path / f"{name}.csv", "--out", tmp_path / "out", *FEW)
        said = run_here(*call, code=1).stderr
        assert without_what_was_read(said)[0].startswith(f"actalike: {name}: {message}")
        assert len(without_what_was_read(said)) == 1
    assert trained == []
    assert not (tmp_path / "out" / "_requests").exists()


def test_a_method_cannot_be_called_as_the_models_own_vectors_are(small_logs, tmp_path):
    (tmp_path / "plugin.py").write_text(PLUGIN)
    call = (
        "prediction",
        "--logs",
        small_logs,
        "--out",
        tmp_path / "out",
        "--plugin",
        tmp_path / "plugin.py",
        "--methods",
        "original",
    )
    assert "register your method under another name" in run_here(*call, code=1).stderr


def test_without_torch_there_is_a_remedy(small_logs, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    said = run_here("prediction", "--logs", small_logs, "--out", tmp_path / "out", *FEW, code=1).stderr
    assert said == "actalike: The next-activity benchmark needs torch: pip install 'actalike[neural]'.\n"


def test_a_log_with_some_times_missing_is_one_without_times(tmp_path):
    times = np.array(["2024-01-02", "NaT"] * 10, dtype="datetime64[us]")
    log = EventLog(["a", "b"], [0, 1] * 10, range(0, 21, 2), [str(i) for i in range(10)], times)
    data = Prediction().read(lambda name: log, "some").data
    assert data.training.seconds is None
    assert data.vocabulary == ["a", "b", "[EOC]"]
