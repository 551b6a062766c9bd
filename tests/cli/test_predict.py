"""The commands train and predict."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from actalike import (
    CasePrediction,
    EventLog,
    PlacedLabel,
    Prediction,
    Predictor,
    RefusedLabel,
    count_windows,
    embed,
    load,
    predictor,
    write_log,
)
from actalike.cli.predict import _print_labels, _print_predictions
from actalike.demo.loan_desk import loan_desk
from actalike.prediction import CasePredictions, absent_labels, label_readings, unpredicted_cases
from actalike.prediction.describe import placed_label
from actalike.prediction.training import evermann
from tests.helpers.commands import fails, ok, refuses, run


@pytest.fixture
def few_epochs(monkeypatch):
    few = partial(evermann.SoundTrainer, epochs=3)  # nothing else happens in the later ones
    monkeypatch.setattr(evermann, "SoundTrainer", few)


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


def test_few_cases_are_not_measured_and_it_says_so(tmp_path, few_epochs):
    write_log(EventLog.from_traces([["a", "b"]] * 3), tmp_path / "log.csv")
    text = ok("train", tmp_path / "log.csv", "-o", tmp_path / "next.actalike")
    assert text.endswith("\nNot measured: fewer than 10 cases, so none could be held out.\n")


def test_wrong_calls_are_told_before_the_log_is_read(small, tmp_path, monkeypatch):
    monkeypatch.setattr("actalike.cli.options.read_log", lambda *arguments, **options: pytest.fail("it was read"))
    output = tmp_path / "next.actalike"
    assert "must end in .actalike, such as next.actalike. Nothing was read." in fails("train", small, "-o", tmp_path / "next.csv")
    assert "not a log" in fails("train", tmp_path / "x.actalike", "-o", output)
    assert "Did you mean 'kin" in fails("train", small, "-o", output, "--method", "kinn")
    assert "--name" in fails("train", small, "-o", output, "--name", "x")
    monkeypatch.setitem(sys.modules, "torch", None)
    assert fails("train", small, "-o", output) == "actalike: Training needs torch: pip install 'actalike[neural]'.\n"
    refuses("train", small)
    refuses("train", small, "-o", output, "--seed", "-1")


def test_ctrl_c_leaves_nothing(small, tmp_path, monkeypatch):
    def stop(*arguments, **options):
        raise KeyboardInterrupt

    for place in ("actalike.cli.predict.predictor", "actalike.prediction.next_activity.write_file"):
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


TRACES = [["order", "check", "pay"]] * 60 + [["order", "call", "send"]] * 20
HOSTILE = "\x1b[31m\u202e"


@pytest.fixture(scope="module")
def model():
    return predictor(EventLog.from_traces(TRACES))


@pytest.fixture(scope="module")
def originals(tmp_path_factory, model):
    folder = tmp_path_factory.mktemp("predict")
    model.save(folder / "next.actalike")
    write_log(EventLog.from_traces([["order"], ["order", "check"], ["order", "call", "send"]]), folder / "running.csv")
    changed = [["order", "chekc", "pay"]] * 30 + [["order", "call", "send"]] * 10
    write_log(EventLog.from_traces([["order", "cheque it"], ["order", "chekc"], ["order"], *changed]), folder / "newer.csv")
    empty_and_twice = EventLog(["order", "check"], [0, 1, 0], [0, 2, 2, 3], ["x", "none", "x"])
    write_log(empty_and_twice, folder / "odd.xes")
    return folder


@pytest.fixture
def folder(originals, tmp_path, monkeypatch):
    for path in originals.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    monkeypatch.chdir(tmp_path)
    return tmp_path


def rows_of(path):
    with Path(path).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_each_case_is_a_row_with_what_comes_next(folder, model):
    lines = ok("predict", "running.csv", "next.actalike").splitlines()
    assert lines[0].split() == ["case", "events", "last", "activity", "next", "probability", "otherwise"]
    assert lines[1].split()[:4] == ["1", "1", "order", "check"]
    assert " call 2" in lines[1]
    assert lines[2].split()[:4] == ["2", "2", "check", "pay"]
    assert lines[3].split()[:4] == ["3", "3", "send", "(end)"]
    assert "\nand 2 more cases: --first N shows more, -o FILE writes all\n" in ok(
        "predict", "running.csv", "next.actalike", "--first", 1
    )
    assert lines[4:] == ["", f"The model: {model.held_out}."]


def test_the_file_and_the_json_have_all_cases(folder, model):
    text = ok("predict", "running.csv", "next.actalike", "--first", 1, "--top", 2, "-o", "predictions.csv")
    assert "\nand 2 more cases: --first N shows more\n" in text
    assert text.endswith("\npredictions.csv has what comes next in 3 cases.\n")
    rows = rows_of("predictions.csv")
    assert [(row["case"], row["rank"]) for row in rows] == [(case, rank) for case in "123" for rank in "12"]
    assert [row["ends"] for row in rows if row["rank"] == "1"] == ["no", "no", "yes"]
    facts = json.loads(ok("predict", "running.csv", "next.actalike", "--first", 1, "--top", 2, "--json"))
    told = [(one["case"], *next_.values()) for one in facts["cases"] for next_ in one["next"]]
    assert [(case, activity or "", f"{share:.4f}") for case, activity, _, share in told] == [
        (row["case"], row["next_activity"], row["probability"]) for row in rows
    ]
    assert facts["model"]["held_out"] == model.held_out._asdict()
    assert (facts["placed"], facts["refused"], facts["output"], facts["read"]["cases"]) == ([], [], None, 3)


def test_cases_are_chosen_by_their_ids(folder):
    facts = json.loads(ok("predict", "running.csv", "next.actalike", "--case-id", "3", "--case-id", "1", "--json"))
    assert [one["case"] for one in facts["cases"]] == ["3", "1"]
    assert "has no case '33'. Did you mean '3'?" in fails("predict", "running.csv", "next.actalike", "--case-id", "33")


def test_cases_without_events_and_with_the_same_id_are_listed(folder):
    text = ok("predict", "odd.xes", "next.actalike", "-o", "predictions.csv", "--top", 1)
    lines = text.splitlines()
    assert lines[1].startswith("x (number 1 of the log)       2  check          pay")
    assert lines[2].split() == ["none", "0", "-", "no", "prediction", "-", "no", "events"]
    assert lines[3].startswith("x (number 3 of the log)       1  order          check")
    assert "\nNo prediction for 1 case without events (case none).\n" in text
    rows = [(row["case"], row["case_number"], row["rank"], row["note"]) for row in rows_of("predictions.csv")]
    assert rows == [("x", "1", "1", ""), ("none", "2", "", "no events"), ("x", "3", "1", "")]
    chosen = json.loads(ok("predict", "odd.xes", "next.actalike", "--case-id", "x", "--json"))["cases"]
    assert [one["case_number"] for one in chosen] == [1, 3]


def test_labels_that_the_model_does_not_know_are_an_error_with_a_remedy(folder):
    assert fails("predict", "newer.csv", "next.actalike", "-o", "predictions.csv") == (
        "actalike: newer.csv has 2 labels that next.actalike does not know, in 32 of 43 cases: the first is 'cheque it'. "
        "--adapt places labels that appeared after training by what is around them. Nothing was predicted.\n"
    )
    assert not Path("predictions.csv").exists()
    write_log(EventLog.from_traces([["order", "chekc"]]), "slip.csv")
    message = fails("predict", "slip.csv", "next.actalike")
    assert "a label that next.actalike does not know, in 1 of 1 case: 'chekc'. Did you mean 'check'? --adapt places" in message


def test_adapting_says_as_what_new_labels_are_read(folder):
    text = ok("predict", "newer.csv", "next.actalike", "--adapt", "-o", "predictions.csv", "--save-adapted", "newer.actalike")
    first, second, empty = text.splitlines()[:3]
    assert re.fullmatch(r"'chekc' is read as 'check' \((over )?\d\d % sure, 31 cases\)", first)
    why = "it is in 1 case only, too few to place it"
    assert (second, empty) == (f"'cheque it' cannot be placed ({why}): a case with it gets no prediction", "")
    assert f"  no prediction            -  'cheque it' cannot be placed ({why})\n" in text
    assert "\nNo prediction for 1 case with a label that cannot be placed (case 1).\n" in text
    assert "\nThe model before labels were added: next activity right in " in text
    assert text.endswith("\nnewer.actalike is the model with 1 label that appeared after training.\n")
    assert load("newer.actalike").activities[-1] == "chekc"
    first, *others = rows_of("predictions.csv")
    assert (first["case"], first["rank"], first["next_activity"], first["ends"], first["probability"]) == ("1", "", "", "", "")
    assert first["note"] == f"'cheque it' cannot be placed ({why})"
    assert len({row["case"] for row in others}) == 42


def test_adapting_is_told_to_programs(folder):
    facts = json.loads(ok("predict", "newer.csv", "next.actalike", "--adapt", "--json"))
    assert [(one["read_as"], one["is_new"], one["is_predicted"]) for one in facts["placed"]] == [("check", True, True)]
    assert facts["placed"][0]["nearest"] == [{"activity": "check", "weight": 1.0}]
    assert [one["label"] for one in facts["refused"]] == ["cheque it"]
    assert (facts["cases"][0]["next"], facts["cases"][0]["note"] is None) == ([], False)


def test_a_log_without_new_labels_is_noted(folder):
    done = run("predict", "running.csv", "next.actalike", "--adapt", "--save-adapted", "same.actalike", "--quiet")
    assert done.returncode == 0
    assert done.stderr == "actalike: running.csv has no label that next.actalike does not know.\n"
    assert "does not have" not in done.stdout  # three short cases without a new label: what they lack says nothing

    assert "same.actalike is the model and knows no label more than before.\n" in done.stdout
    assert load("same.actalike").predict(["order"]) == load("next.actalike").predict(["order"])


def test_a_log_of_which_no_label_is_known_may_be_of_another_process(folder):
    write_log(EventLog.from_traces([["ask", "wait", "leave"]] * 30), folder / "other.csv")
    done = run("predict", "other.csv", "next.actalike", "--adapt")
    assert "next.actalike knows no label of other.csv. Is it the same process?" in done.stderr
    assert done.returncode == 0
    assert "same process" not in run("predict", "newer.csv", "next.actalike", "--adapt").stderr


def test_what_is_no_model_is_told_in_a_sentence(folder):
    log = EventLog.from_traces(TRACES)
    embed(log).save("embedding.actalike")
    count_windows(log, 3).save("counts.actalike")
    Path("cut.actalike").write_bytes(Path("next.actalike").read_bytes()[:-100])
    for name, kind in (("embedding", "an embedding"), ("counts", "window counts")):
        message = fails("predict", "running.csv", f"{name}.actalike")
        assert f"{name}.actalike holds {kind}, and no model that predicts; 'actalike train LOG -o next.actalike' makes" in message
    assert "cut.actalike" in fails("predict", "running.csv", "cut.actalike")
    assert "not a model" in fails("predict", "running.csv", "running.csv")
    assert "nosuch.actalike cannot be read: No such file" in fails("predict", "running.csv", "nosuch.actalike")
    assert "give the log of running cases first, then the model" in fails("predict", "next.actalike", "running.csv")
    refuses("predict", "running.csv")
    refuses("predict", "running.csv", "next.actalike", "--top", "0")


def test_no_output_is_an_input_or_replaces_a_file(folder):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    given = ("predict", "newer.csv", "next.actalike", "--adapt")
    for options in ((), ("--overwrite",)):
        message = fails(*given, "--save-adapted", "next.actalike", *options)
        assert "next.actalike is the input, which must stay as it is: choose another --save-adapted." in message
        assert "newer.csv is the input" in fails(*given, "-o", "newer.csv", *options)
    assert ".actalike" in fails(*given, "--save-adapted", "x.csv")
    assert "CSV" in fails(*given, "-o", "x.txt")
    assert "--save-adapted writes what --adapt has made of the model: give both" in fails(
        *given[:3], "--save-adapted", "x.actalike"
    )
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    Path("there.actalike").write_text("by a person")
    message = fails(*given, "-o", "new.csv", "--save-adapted", "there.actalike")
    assert "there.actalike exists already: give --overwrite to replace it, or choose another --save-adapted." in message
    assert not Path("new.csv").exists()
    assert run(*given, "-o", "new.csv", "--save-adapted", "there.actalike", "--overwrite").returncode == 0
    assert load("there.actalike").activities[-1] == "chekc"


def test_predicting_needs_no_torch(folder):
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "sys.argv = ['actalike', 'predict', 'running.csv', 'next.actalike']\n"
        "from actalike.cli.main import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, "(end)" in done.stdout) == (0, True), done.stderr


def test_labels_cannot_reach_the_terminal(folder):
    predictor(EventLog.from_traces([["a", HOSTILE, "b"]] * 12)).save("hostile.actalike")
    write_log(EventLog.from_traces([["a"], ["a", HOSTILE]]), "hostile.csv")
    for options in ([], ["--json"]):
        assert not {"\x1b", "\u202e"} & set(ok("predict", "hostile.csv", "hostile.actalike", *options))
    for options in (["next.actalike"], ["next.actalike", "--case-id", HOSTILE]):
        assert not {"\x1b", "\u202e"} & set(fails("predict", "hostile.csv", *options))


LOG = EventLog(["a", "(end)"], [0, 1], [0, 1, 2], ["1", "2"], names={"a": "begin"})


def predictions(cases=(), placed=(), new=(), refused=()):
    """Predictions for a log, by a model with labels that were placed before, just now, or refused."""
    model = Predictor(["a", "gone", "new"], None, np.zeros((3, 4)), np.zeros((1, 4)), np.zeros((1, 4)), np.zeros(4))
    model.placed, model.new_labels, model.refused = tuple(placed), tuple(new), tuple(refused)
    return CasePredictions(cases, model, LOG)


def test_a_label_that_reads_as_the_end_is_quoted_and_small_shares_are_not_shown(capsys):
    shares = Prediction("(end)", 0.7), Prediction(None, 0.295), Prediction("b", 0.005)
    _print_predictions(predictions([CasePrediction("1", 0, 1, "a", shares)]), 5, None)
    line = capsys.readouterr().out.splitlines()[1]
    assert line.endswith("  a [begin]      '(end)'         70 %  (end) 30 %")


def test_cases_without_a_prediction_are_counted_by_their_reason(capsys):
    cases = [CasePrediction("1", 0, 0, None, (), "no events"), CasePrediction("2", 1, 1, "a", (), "'q' cannot be placed (rare)")]
    _print_predictions(predictions(cases), 1, None)
    assert "\nand 1 more case: " in capsys.readouterr().out
    assert unpredicted_cases(predictions(cases)) == (
        "No prediction for 1 case without events and 1 case with a label that cannot be placed (the first is case 1)."
    )


@pytest.mark.parametrize(
    ("nearest", "words"),
    [
        ((), "near the mean of all"),
        ((("a", 0.3),), "near 'a'"),
        ((("a", 0.3), ("b", 0.2), ("c", 0.2)), "between 'a', 'b' and 'c'"),
    ],
)
def test_an_unsure_place_names_what_is_near(nearest, words):
    expected = f"'x' is placed {words} (no known label is likely enough, 1 case): it is read, but not predicted"
    assert placed_label(PlacedLabel("x", 1, None, 0.3, nearest), is_predicted=False) == expected


def test_labels_that_were_placed_before_are_told_if_the_log_has_them():
    placed = [PlacedLabel(label, 9, "b", 0.9, ()) for label in ("a", "gone", "new")]
    assert label_readings(predictions(placed=placed, new=["new"])) == [
        "'new' is read as 'b' (90 % sure, 9 cases)",
        "'a' is read as 'b' (90 % sure, 9 cases), as placed before",
    ]


def test_many_new_labels_are_cut_with_a_sentence(capsys):
    _print_labels(predictions(refused=[RefusedLabel(f"x{i}", 1, "too rare") for i in range(30)]))
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 22
    assert lines[-2:] == ["and 10 more labels that appeared after training: --json has all", ""]


def test_labels_that_are_predicted_and_not_in_the_log_are_told():
    cases = [CasePrediction(str(i), i, 1, "a", (Prediction(label, 0.9),)) for i, label in enumerate(("a", None, "gone"))]
    expected = "In 1 of 3 cases the likeliest next activity is a label that the log does not have ('gone'): it may be renamed, merged or gone."
    assert absent_labels(predictions(cases)) == expected
    assert absent_labels(predictions(cases[:2])) == ""
