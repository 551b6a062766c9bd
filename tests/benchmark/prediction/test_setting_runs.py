"""Runs of the settings few-cases and changed-labels: their files, what is computed again, and what is refused."""

import json
import shutil
import sys

import numpy as np
import pytest

from actalike import ActalikeError, CountEmbedder, benchmark, register
from actalike.benchmark.participants import choose_names, make_methods
from actalike.benchmark.tasks.prediction import Prediction, PredictionOptions, check_setting
from actalike.benchmark.tasks.prediction_data import (
    CHANGED_LABELS,
    FEW_CASES,
    MAIN,
    SETTINGS,
    changes_of,
    conditions_of,
    matched_weights,
    placed_weights,
    prediction_data,
    read_weights,
    task_names,
)
from actalike.demo.loan_desk import loan_desk
from actalike.methods import make_method
from actalike.prediction.training.__main__ import main as train_elsewhere
from actalike.prediction.training.run import load_changes, load_placements
from actalike.prediction.training.task import MODELS, load_task
from tests.helpers.benchmark_runs import run_here, tree
from tests.helpers.prediction_runs import result_files

METHODS = ["kin-w5", "ac-sequence-pmi-w3"]
ALL = {*METHODS, "one-hot", "original"}


def run(logs, out, setting, methods=METHODS, **options):
    return benchmark.run(
        "prediction",
        logs=[logs / "loan.xes.gz"],
        out=out,
        methods=methods,
        setting=setting,
        seeds=1,
        epochs=2,
        device="cpu",
        **options,
    )


@pytest.fixture(scope="module")
def runs(small_logs, tmp_path_factory):
    """A small run of each setting, and what it said of itself."""
    out = tmp_path_factory.mktemp("settings")
    return out, {setting: run(small_logs, out / setting, setting) for setting in (FEW_CASES, CHANGED_LABELS)}


def results_of(out, task=""):
    return {path.stem: json.loads(path.read_text()) for path in (out / "loan" / task / "results" / "evermann").glob("*.json")}


def test_every_task_has_results_of_all_methods_that_can_take_part(runs):
    out, outcomes = runs
    for task in task_names(FEW_CASES):
        assert set(results_of(out / FEW_CASES, task)) == ALL
    assert set(results_of(out / CHANGED_LABELS)) == ALL
    assert set(results_of(out / CHANGED_LABELS, MAIN.name)) == set(METHODS)  # the others know nothing of new labels
    for setting, outcome in outcomes.items():
        assert (outcome.setting, outcome.failed, outcome.methods) == (setting, 0, (*METHODS, "one-hot"))
        assert outcome.computed == outcome.cells == len(result_files(out / setting))
        assert json.loads((out / setting / "benchmark.json").read_text())["setting"] == setting


def test_a_result_names_its_log_and_its_task(runs):
    out, _ = runs
    for setting, tasks in ((FEW_CASES, task_names(FEW_CASES)), (CHANGED_LABELS, ["", MAIN.name])):
        for task in tasks:
            for found in results_of(out / setting, task).values():
                assert (found["log"], found["task"]) == ("loan", task)


def test_networks_are_judged_under_every_condition_and_way(runs):
    out, _ = runs
    data = prediction_data(loan_desk(60))
    expected = {(condition.name, condition.draw) for condition in conditions_of(data)}
    for method, found in results_of(out / CHANGED_LABELS).items():
        (figures,) = found["seeds"]
        assert {(one["condition"], one["draw"]) for one in figures["changes"]} == expected
        ways = {"told", "unplaced", "read", "matched", *(["placed"] if method != "original" else [])}
        assert {one["way"] for one in figures["changes"]} == ways
        for one in figures["changes"]:
            if one["way"] == "told":
                assert one["accuracy"] == pytest.approx(figures["accuracy"])
    for found in results_of(out / CHANGED_LABELS, MAIN.name).values():
        assert 0 <= found["seeds"][0]["told"] <= 1


def test_an_older_folder_gets_its_trigrams_without_another_training(small_logs, runs, tmp_path, trained):
    out, _ = runs
    shutil.copytree(out / CHANGED_LABELS, tmp_path / "out")
    before = tree(tmp_path / "out")
    (tmp_path / "out" / "loan" / "trigram.json").unlink()
    assert run(small_logs, tmp_path / "out", CHANGED_LABELS).computed == 0
    assert trained == []
    assert tree(tmp_path / "out") == before


def test_what_is_trained_with_is_what_was_prepared(runs):
    out, _ = runs
    folder = out / CHANGED_LABELS / "loan"
    data = prediction_data(loan_desk(60))
    changes = changes_of(data)
    loaded = load_changes(folder / "changes.npz", load_task(folder / "task.npz"))
    placements = load_placements(folder / "placements", METHODS)
    assert set(placements) == set(METHODS)
    method = make_method("kin-w5")
    for number, (found, change) in enumerate(zip(loaded, changes, strict=True)):
        assert (found.condition, found.draw, found.first) == (change.condition.name, change.condition.draw, 0)
        assert np.array_equal(found.test.ids, change.changed.test.ids)
        assert np.array_equal(found.meaning, change.changed.meaning)
        assert np.array_equal(found.readings, read_weights(data, change))
        assert np.array_equal(found.matched, matched_weights(data, change))
        assert np.array_equal(placements["kin-w5"][number], placed_weights(data, change, method))


def test_a_label_without_a_partner_is_matched_with_nothing_any_other_with_one_old_label():
    data = prediction_data(loan_desk(300))
    for change in changes_of(data):
        weights = matched_weights(data, change)
        assert weights.shape == (len(change.changed.vocabulary) - len(data.vocabulary), len(data.vocabulary))
        assert set(weights.sum(axis=1)) <= {0.0, 1.0}
        assert set(weights.sum(axis=0)) <= {0.0, 1.0}  # no two new labels have the same partner
        if change.condition == MAIN:  # all cases are known, and each label has one new name: most are found
            right = weights[np.arange(len(weights)), change.changed.meaning[len(data.vocabulary) :]]
            assert right.mean() > 0.5


@pytest.mark.parametrize("setting", [FEW_CASES, CHANGED_LABELS])
def test_what_is_there_is_not_computed_again(small_logs, runs, setting, trained):
    out, _ = runs
    before = tree(out / setting)
    assert run(small_logs, out / setting, setting).computed == 0
    assert trained == []
    assert tree(out / setting) == before


@pytest.mark.parametrize(("setting", "task"), [(FEW_CASES, "cases-05"), (CHANGED_LABELS, MAIN.name), (CHANGED_LABELS, "")])
def test_only_what_is_missing_is_computed(small_logs, runs, tmp_path, setting, task, trained):
    out, _ = runs
    shutil.copytree(out / setting, tmp_path / "out")
    gone = tmp_path / "out" / "loan" / task / "results" / "evermann" / "kin-w5.json"
    before = json.loads(gone.read_text())
    gone.unlink()
    assert run(small_logs, tmp_path / "out", setting).computed == 1
    assert trained == [(task or "loan", "evermann", ["kin-w5"])]
    after = json.loads(gone.read_text())
    assert after["seeds"][0]["brier"] == pytest.approx(before["seeds"][0]["brier"], rel=1e-3)
    assert len(after["seeds"][0].get("changes", [])) == len(before["seeds"][0].get("changes", []))


@pytest.mark.parametrize("setting", [FEW_CASES, CHANGED_LABELS])
def test_training_elsewhere_gives_the_same_files(small_logs, runs, tmp_path, setting, monkeypatch, capsys):
    out, _ = runs
    assert run(small_logs, tmp_path, setting, prepare_only=True).device is None
    assert not result_files(tmp_path)
    monkeypatch.setattr(sys, "argv", ["training", str(tmp_path), "--device", "cpu"])
    train_elsewhere()
    assert tree(tmp_path) == tree(out / setting)
    assert "evermann: 4 methods in" in capsys.readouterr().err


def test_folders_of_different_settings_do_not_mix(small_logs, runs):
    out, _ = runs
    with pytest.raises(ActalikeError, match="few-cases"):
        run(small_logs, out / FEW_CASES, "standard")


@pytest.mark.parametrize("setting", [FEW_CASES, CHANGED_LABELS])
def test_a_table_is_made_of_a_run(runs, setting):
    out, _ = runs
    shown = run_here("table", out / setting)
    assert shown.stderr == ""
    assert all(method in shown.stdout for method in ALL)


def test_an_unknown_setting_is_an_error():
    with pytest.raises(ActalikeError, match="few"):
        check_setting("few", ["evermann"])


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("setting", SETTINGS)
def test_a_model_without_vectors_cannot_read_changed_labels(model, setting):
    if setting == CHANGED_LABELS and model.startswith("tax"):
        with pytest.raises(ActalikeError, match=model):
            check_setting(setting, ["evermann", model])
    else:
        check_setting(setting, ["evermann", model])


def test_a_method_that_reads_labels_is_left_out_where_labels_change():
    """As no method of the product takes counts and reads labels: one that somebody registers."""

    class Reader(CountEmbedder):
        reads_labels = True

    register("reader-of-labels", Reader)
    changing = Prediction(PredictionOptions(setting=CHANGED_LABELS))
    warnings = []
    assert choose_names(["*one-hot*", "reader-*"], changing.why_not, warnings.append) == ["one-hot"]
    assert warnings == ["reader-of-labels is left out: it reads the text of labels, which change."]
    with pytest.raises(ActalikeError, match="reads"):
        make_methods(["reader-of-labels"], changing.why_not)
    assert choose_names(["reader-*"], Prediction().why_not) == ["reader-of-labels"]


def test_a_refused_setting_leaves_nothing(small_logs, tmp_path):
    for options in ({"setting": "few"}, {"setting": CHANGED_LABELS, "models": ["tax"]}):
        with pytest.raises(ActalikeError):
            run(small_logs, tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()
