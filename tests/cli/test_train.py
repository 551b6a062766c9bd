"""The command train."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial

import pytest

from actalike import EventLog, Predictor, load, write_log
from actalike.demo.loan_desk import loan_desk
from actalike.prediction.training import evermann
from tests.helpers.commands import fails, ok, refuses, run


@pytest.fixture
def few_epochs(monkeypatch):
    monkeypatch.setattr(
        evermann, "SoundTrainer", partial(evermann.SoundTrainer, epochs=3)
    )  # nothing else happens in the later ones


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    path = tmp_path_factory.mktemp("train") / "loan.csv"
    write_log(loan_desk(40), path)
    return path


def test_it_writes_a_predictor_and_says_how_good_it_is(small, tmp_path, few_epochs):
    first, second = ok("train", small, "-o", tmp_path / "next.actalike").splitlines()
    model = load(tmp_path / "next.actalike")
    assert isinstance(model, Predictor)
    assert first.endswith(f"next.actalike: {len(model.activities)} activities (kin-w5), trained on 40 cases in 3 epochs")
    assert second == str(model.held_out)


def test_the_facts_are_there_for_programs(small, tmp_path, few_epochs):
    options = ("--method", "aa-sequence-pmi-w3", "--seed", 5, "--json")
    facts = json.loads(ok("train", small, "-o", tmp_path / "next.actalike", *options))
    model = load(tmp_path / "next.actalike")
    assert (facts["method"], facts["seed"], facts["epochs"]) == ("aa-sequence-pmi-w3", 5, 3)
    assert facts["held_out"] == model.held_out._asdict()
    assert facts["read"]["cases"] == 40


def test_the_same_seed_gives_the_same_file(small, tmp_path, few_epochs):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        ok("train", small, "-o", tmp_path / f"{name}.actalike", "--seed", seed)
    same, again, other = ((tmp_path / f"{name}.actalike").read_bytes() for name in "abc")
    assert same == again
    assert same != other


def test_few_cases_are_not_measured_and_it_says_so(tmp_path, few_epochs):
    write_log(EventLog.from_traces([["a", "b"]] * 3), tmp_path / "log.csv")
    text = ok("train", tmp_path / "log.csv", "-o", tmp_path / "next.actalike")
    assert text.endswith("\nNot measured: fewer than 10 cases, so none could be held out.\n")


def test_wrong_calls_are_told_before_the_log_is_read(small, tmp_path, monkeypatch):
    monkeypatch.setattr("actalike.cli.reading_options.read_log", lambda *arguments, **options: pytest.fail("it was read"))
    output = tmp_path / "next.actalike"
    assert "must end in .actalike, such as next.actalike. Nothing was read." in fails("train", small, "-o", tmp_path / "next.csv")
    assert "is no log: a model learns from the cases of one" in fails("train", tmp_path / "x.actalike", "-o", output)
    assert "Did you mean 'kin" in fails("train", small, "-o", output, "--method", "kinn")
    assert "--name means nothing here" in fails("train", small, "-o", output, "--name", "x")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert fails("train", small, "-o", output) == "actalike: Training needs torch: pip install 'actalike[neural]'.\n"
    refuses("train", small)
    refuses("train", small, "-o", output, "--seed", "-1")


def test_ctrl_c_leaves_nothing(small, tmp_path, monkeypatch):
    def stop(*arguments, **options):
        raise KeyboardInterrupt

    for place in ("actalike.cli.train.predictor", "actalike.prediction.trained_predictor.write_file"):
        with monkeypatch.context() as patched:
            patched.setattr(evermann, "SoundTrainer", partial(evermann.SoundTrainer, epochs=1))
            patched.setattr(place, stop)
            done = run("train", small, "-o", tmp_path / "next.actalike")
        assert (done.returncode, done.stdout) == (130, "")
        assert done.stderr.endswith("actalike: stopped.\n")
        assert not list(tmp_path.iterdir())


@pytest.mark.campaign
def test_a_process_can_be_stopped_while_it_trains(whole_log, tmp_path):
    command = [sys.executable, "-m", "actalike", "train", whole_log, "-o", tmp_path / "next.actalike"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr.readline().startswith("actalike: read ")
        time.sleep(1)
        os.kill(process.pid, signal.SIGINT)
        errors = process.stderr.read()
        code = process.wait(60)
    assert code in (130, -signal.SIGINT)  # a shell says 130 for both; the second if torch was just running code from a text
    assert errors.endswith("actalike: stopped.\n")
    assert not list(tmp_path.iterdir())
