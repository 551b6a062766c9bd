"""The cells of a run: which there are, where their files lie, and which files are refused."""

import json

import pytest

from actalike import ActalikeError, EventLog
from actalike.benchmark.folders import ResultFolder, note_request, open_folder, write_json
from actalike.benchmark.tasks.prediction import Prediction
from actalike.benchmark.tasks.prediction_training import (
    Cell,
    PredictionOptions,
    error_of,
    make_cells,
    read_cell,
    requested,
    write_error,
)
from actalike.prediction.training.task import METRICS, MODELS
from tests.helpers.benchmark_runs import open_log

LOGS, METHODS = ["loan", "plain"], ["kin-w5", "one-hot"]
CELL = Cell("evermann", "kin-w5", "loan")
FIGURES = {"seed": 0, "epoch": 1, **dict.fromkeys(METRICS, 0.5)}


def written(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, content)
    return path


def test_a_model_has_a_cell_for_each_method_and_its_own_vectors_or_one_if_it_reads_none(tmp_path):
    cells = make_cells(LOGS, METHODS, MODELS)
    for log in LOGS:
        for model in MODELS:
            names = [cell.method for cell in cells if (cell.log, cell.model) == (log, model)]
            assert names == (["tax"] if model.startswith("tax") else [*METHODS, "original"])
    assert len({cell.file(tmp_path) for cell in cells}) == len(cells)
    assert CELL.file(tmp_path) == tmp_path / "loan" / "results" / "evermann" / "kin-w5.json"


@pytest.mark.parametrize("plan", [PredictionOptions(), PredictionOptions(seeds=2, epochs=3)])
def test_a_folder_knows_its_plan_and_all_that_was_asked_for(tmp_path, plan):
    described = {"seeds": plan.seeds, "epochs": plan.epochs, "setting": "standard"}
    open_folder(tmp_path, {"benchmark": "prediction", "format": 2, **described})
    note_request(tmp_path, {"logs": LOGS, "methods": METHODS, "models": ["evermann"]})
    note_request(tmp_path, {"logs": LOGS[:1], "methods": METHODS[:1], "models": ["tax"]})
    folder = ResultFolder.open(tmp_path)
    assert Prediction.of_folder(folder).options == plan
    cells = {*make_cells(LOGS, METHODS, ["evermann"]), Cell("tax", "tax", "loan")}
    assert requested(folder) == {cell.key for cell in cells}


@pytest.mark.parametrize(
    ("change", "is_sound"),
    [
        ({}, True),
        ({"seeds": [FIGURES]}, False),
        ({"epochs": None}, False),
        ({"log_digest": "e"}, False),
        ({"error": "RuntimeError: no luck", "seeds": [], "epochs": None}, True),
        ({"error": "RuntimeError: no luck", "log_digest": "e"}, False),
    ],
)
def test_a_cell_of_another_run_is_refused(tmp_path, change, is_sound):
    content = {
        "log": "loan",
        "task": "",
        "model": "evermann",
        "method": "kin-w5",
        "log_digest": "d",
        "seeds": [FIGURES, FIGURES],
        "epochs": 3,
        **change,
    }
    path = written(CELL.file(tmp_path), content)
    if is_sound:
        assert read_cell(path, PredictionOptions(seeds=2, epochs=3), "d") == content
    else:
        with pytest.raises(ActalikeError, match="of another run than its folder"):
            read_cell(path, PredictionOptions(seeds=2, epochs=3), "d")


@pytest.mark.parametrize("change", [{"method": "one-hot"}, {"model": "tax"}, {"task": "cases-01"}])
def test_a_result_of_another_cell_or_setting_is_rejected(tmp_path, change):
    content = {**CELL._asdict(), "task": "", "log_digest": "d", "seeds": [FIGURES], "epochs": None}
    read_cell(written(CELL.file(tmp_path), content), PredictionOptions(seeds=1), "d")
    with pytest.raises(ActalikeError, match="another run"):
        read_cell(written(CELL.file(tmp_path), {**content, **change}), PredictionOptions(seeds=1), "d")


@pytest.mark.parametrize("setting", ["few-cases", "changed-labels"])
def test_a_folder_of_a_setting_of_version_0_2_is_rejected(tmp_path, setting):
    open_folder(tmp_path, {"benchmark": "prediction", "format": 2, "seeds": 1, "epochs": None, "setting": setting})
    with pytest.raises(ActalikeError, match=setting):
        Prediction.of_folder(ResultFolder.open(tmp_path))


def test_an_error_of_times_is_a_number(tmp_path):
    content = {"log": "loan", "task": "", "model": "tax", "method": "tax", "log_digest": "d", "epochs": None}
    path = Cell("tax", "tax", "loan").file(tmp_path)
    read_cell(written(path, {**content, "seeds": [{**FIGURES, "time_mae": 0.5}]}), PredictionOptions(seeds=1), "d")
    written(path, {**content, "seeds": [{**FIGURES, "time_mae": "a day"}]})
    with pytest.raises(ActalikeError, match="sound"):
        read_cell(path, PredictionOptions(seeds=1), "d")


def test_an_error_is_the_result_of_a_cell(tmp_path):
    digest = open_log(tmp_path, "loan", EventLog.from_traces([["a", "b"]]))
    path = CELL.file(tmp_path)
    assert error_of(path) is None
    write_error(CELL, tmp_path, "RuntimeError: no luck")
    assert error_of(path) == "RuntimeError: no luck"
    assert read_cell(path, PredictionOptions(), digest) == json.loads(path.read_text())
    assert Cell(*(json.loads(path.read_text())[key] for key in Cell._fields)) == CELL
