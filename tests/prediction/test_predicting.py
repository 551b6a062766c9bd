"""What comes next in a running case: predictors, how they are trained, saved and measured, and predictions as tables."""

import csv
import json
from functools import partial

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import actalike
from actalike import ActalikeError, EventLog, FileFormatError, UnknownActivityError, embed, load, predictor
from actalike.demo.loan_desk import loan_desk
from actalike.prediction import CasePrediction, CasePredictions, Prediction, RefusedLabel, next_activity
from actalike.prediction.training import evermann
from actalike.support.text import restore_formula
from tests.helpers.commands import fails
from tests.helpers.damaged_files import write_unchecked
from tests.helpers.json_schemas import check


def test_the_same_seed_gives_the_same_predictor(monkeypatch):
    few = partial(evermann.SoundTrainer, epochs=3)  # nothing else happens in the later ones
    monkeypatch.setattr(evermann, "SoundTrainer", few)
    log = loan_desk(40)
    one, two, other = (predictor(log, embed(log, "aa-sequence-pmi-w3"), seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.inputs, two.inputs)
    assert np.array_equal(one.out, two.out)
    assert not np.array_equal(one.out, other.out)
    assert one.method == "aa-sequence-pmi-w3"


def test_a_single_case_is_enough():
    assert predictor(EventLog.from_traces([["a", "b"]])).predict(["a"])[0].activity == "b"


@pytest.fixture(scope="module")
def model():
    traces = [["a", "b", "c"]] * 60 + [["a", "x", "d"]] * 20
    return predictor(EventLog.from_traces(traces))


def test_it_knows_what_comes_next_and_how_likely(model):
    first = dict(model.predict(["a"], topn=None))
    assert sum(first.values()) == pytest.approx(1)
    assert first["b"] == pytest.approx(0.75, abs=0.06)
    assert first["x"] == pytest.approx(0.25, abs=0.06)
    assert model.predict(["a", "b"])[0].activity == "c"
    assert model.predict(["a", "x"])[0].activity == "d"
    assert model.predict(["a", "x", "d"], topn=1)[0].activity is None  # the case ends


@given(
    st.lists(st.lists(st.sampled_from("abcxd"), max_size=6), min_size=1, max_size=8).filter(any),
    st.sampled_from([1, 3, 99, None]),
)
@settings(max_examples=30)
def test_many_cases_are_predicted_as_each_alone(model, traces, topn):
    cases = model.predict_cases(EventLog.from_traces(traces), topn)
    assert [(one.case_number, one.events) for one in cases] == [(i, len(trace)) for i, trace in enumerate(traces)]
    for one, trace in zip(cases, traces, strict=True):
        assert (one.last_activity, one.note) == ((trace[-1], "") if trace else (None, "no events"))
        alone = model.predict(trace, topn) if trace else []
        assert [share for _, share in one.predictions] == pytest.approx([share for _, share in alone])
        assert len({label for label, _ in one.predictions}) == len(one.predictions)


def test_blocks_of_cases_do_not_matter(model, monkeypatch):
    log = EventLog.from_traces([["a", "b", "c"][: 1 + i % 3] for i in range(20)])
    whole = model.predict_cases(log, None)
    monkeypatch.setattr(next_activity, "_AT_ONCE", 3)
    for one, other in zip(model.predict_cases(log, None), whole, strict=True):
        assert dict(one.predictions) == pytest.approx(dict(other.predictions))


def test_a_case_with_a_label_that_could_not_be_placed_gets_a_note(model, monkeypatch):
    log = EventLog.from_traces([["a", "q"], ["a"], ["r", "q"]])
    with pytest.raises(UnknownActivityError, match="No activity is called 'q'"):
        model.predict_cases(log)
    monkeypatch.setattr(model, "refused", (RefusedLabel("q", 2, "too rare"), RefusedLabel("r", 1, "too rare")), raising=False)
    first, second, third = model.predict_cases(log)
    assert (first.predictions, first.note) == ((), "'q' cannot be placed (too rare)")
    assert second.note == ""
    assert second.predictions == tuple(model.predict(["a"], 3))
    assert third.note == "'r' cannot be placed (too rare)"


def test_it_knows_its_accuracy_on_the_held_out_cases(model):
    held_out = ([["a", "b", "c"]] * 60 + [["a", "x", "d"]] * 20)[9::10]
    outcomes = [
        model.predict(case[:end], topn=1)[0].activity == (case[end] if end < len(case) else None)
        for case in held_out
        for end in range(1, len(case) + 1)
    ]
    assert model.held_out.events == len(outcomes) == 24
    assert model.held_out.accuracy == pytest.approx(sum(outcomes) / len(outcomes))
    assert model.held_out.baseline == pytest.approx(22 / 24)  # after a always b, which two cases have not
    assert (
        repr(model)
        == "Predictor(kin-w5, 5 activities; next activity right in 92 % of 24 held-out events, most frequent continuation: 92 %)"
    )


def test_progress_is_told_after_each_epoch():
    epochs = []
    model = predictor(EventLog.from_traces([["a", "b"]] * 3), progress=lambda done, limit: epochs.append((done, limit)))
    assert epochs == [(done + 1, 100) for done in range(len(epochs))]
    assert len(epochs) > 1
    assert model.held_out is None  # no case was held out


def test_numpy_computes_what_torch_has_trained(model):
    import torch

    lstm = torch.nn.LSTM(1, 32).double()
    with torch.no_grad():
        lstm.weight_hh_l0.copy_(torch.from_numpy(model.recurrent.T))
        lstm.weight_ih_l0.zero_()
        lstm.bias_hh_l0.zero_()
        h = c = torch.zeros(1, 32).double()
        for label in ("a", "x"):
            lstm.bias_ih_l0.copy_(torch.from_numpy(model.inputs[model.activities.index(label)]))
            _, (h, c) = lstm(torch.zeros(1, 1).double(), (h, c))
        expected = torch.softmax(h[0] @ torch.from_numpy(model.out) + torch.from_numpy(model.out_bias), dim=0)
    assert model.probabilities(["a", "x"]) == pytest.approx(expected.numpy(), abs=1e-12)


def test_a_saved_predictor_is_the_same(model, tmp_path):
    model.save(tmp_path / "next.actalike")
    again = load(tmp_path / "next.actalike")
    assert again.predict(["a", "b"], topn=None) == model.predict(["a", "b"], topn=None)
    assert (again.held_out, again.method) == (model.held_out, model.method)


def test_damaged_predictors_are_refused(model, tmp_path):
    arrays = {name: getattr(model, name) for name in ("inputs", "recurrent", "out", "out_bias")}
    header = {"format": 1, "kind": "predictor", "activities": model.activities, "method": None}
    for wrong in ({"out": model.out[:, 1:]}, {"inputs": model.inputs[1:]}, {"recurrent": model.recurrent * np.nan}):
        write_unchecked(tmp_path / "wrong.actalike", header, {**arrays, **wrong})
        with pytest.raises(ActalikeError, match="sound"):
            load(tmp_path / "wrong.actalike")


def test_a_file_without_held_out_cases_is_sound_and_one_with_wrong_figures_is_not(model, tmp_path):
    arrays = {name: getattr(model, name) for name in ("inputs", "recurrent", "out", "out_bias")}
    header = {"format": 1, "kind": "predictor", "activities": model.activities, "method": None}
    write_unchecked(tmp_path / "few.actalike", header, arrays)
    assert load(tmp_path / "few.actalike").held_out is None
    figures = model.held_out._asdict()
    for changes in ({"accuracy": 2}, {"baseline": -0.5}, {"accuracy": "high"}, {"events": True}, {"events": 0}, {"other": 1}):
        wrong = {**header, "held_out": {**figures, **changes}}
        write_unchecked(tmp_path / "wrong.actalike", wrong, arrays)
        with pytest.raises(FileFormatError, match="sound"):
            load(tmp_path / "wrong.actalike")


def test_what_cannot_be_predicted_is_said(model):
    with pytest.raises(UnknownActivityError, match="No activity is called 'q'"):
        model.predict(["a", "q"])
    with pytest.raises(ActalikeError, match="least"):
        model.predict([])
    with pytest.raises(ActalikeError, match="list of labels"):
        model.predict("a")
    with pytest.raises(ActalikeError, match="EventLog"):
        predictor([["a"]])
    log = EventLog.from_traces([["a", "b"], ["a", "c"]])
    with pytest.raises(ActalikeError, match="Embedding"):
        predictor(log, "kin-w5")
    with pytest.raises(ActalikeError, match="predictions"):
        model.predict(["a"], topn=-1)
    with pytest.raises(ActalikeError, match="predictions"):
        model.predict_cases(log, topn=0)
    with pytest.raises(ActalikeError, match="predict_cases"):
        model.predict_cases([["a"]])
    with pytest.raises(ActalikeError, match="too large"):
        predictor(log, actalike.Embedding(["a", "b", "c"], np.eye(3) * 1e200))
    with pytest.raises(ActalikeError, match="vector"):
        predictor(log, embed(EventLog.from_traces([["a", "b"]])))


def test_the_command_line_says_that_a_predictor_compares_nothing(model, tmp_path):
    model.save(tmp_path / "next.actalike")
    assert "holds a predictor" in fails("similar", tmp_path / "next.actalike")
    assert actalike.Predictor is type(model)


@pytest.fixture
def predictions(model):
    cases = [
        CasePrediction("=1", 0, 2, "a, b", (Prediction("+c", 0.75), Prediction(None, 0.25))),
        CasePrediction("=1", 1, 0, None, (), "no events"),
    ]
    return CasePredictions(cases, model, EventLog.from_traces([["a"], []]))


def test_a_row_is_a_continuation_and_no_case_is_left_out(predictions, tmp_path):
    predictions.to_csv(tmp_path / "next.csv")
    with (tmp_path / "next.csv").open(encoding="utf-8", newline="") as file:
        first, second, third = csv.DictReader(file)
    assert restore_formula(first["case"]) == "=1"
    assert (first["events"], first["last_activity"], first["rank"]) == ("2", "a, b", "1")
    assert (restore_formula(first["next_activity"]), first["ends"], first["probability"]) == ("+c", "no", "0.7500")
    assert (second["rank"], second["next_activity"], second["ends"], second["probability"]) == ("2", "", "yes", "0.2500")
    assert (third["rank"], third["next_activity"], third["ends"], third["probability"]) == ("", "", "", "")
    assert (third["note"], third["case_number"]) == ("no events", "2")


def test_a_frame_has_the_rows_of_the_file(predictions):
    assert predictions.to_frame().rows() == [
        ("=1", 2, "a, b", 1, "+c", False, 0.75, None, 1),
        ("=1", 2, "a, b", 2, None, True, 0.25, None, 1),
        ("=1", 0, None, None, None, None, None, "no events", 2),
    ]
    assert CasePredictions([], predictions.predictor, predictions.log).to_frame().columns == predictions.to_frame().columns


@pytest.mark.parametrize("kind", ["polars", "pandas", "pyarrow"])
def test_a_frame_is_of_the_kind_that_was_read(model, kind):
    given = EventLog.from_traces([["a", "b"], ["a"]]).to_frame(kind)
    assert type(model.predict_cases(given).to_frame()) is type(given)
    assert isinstance(model.predict_cases(given).to_frame("polars"), pl.DataFrame)


def test_the_facts_tell_the_end_from_an_activity(predictions):
    first, second = predictions.to_dict()["cases"]
    assert [one["ends"] for one in first["next"]] == [False, True]
    assert (first["note"], second["note"], second["case_number"]) == (None, "no events", 2)


def test_facts_have_the_form_of_the_command(predictions, model):
    assert check(json.dumps(predictions.to_dict()))["model"] == model.to_dict()
