"""Predictors are adapted to labels that appeared after training."""

import numpy as np
import pytest

from actalike import ActalikeError, EventLog, FileFormatError, UnknownActivityError, load, predictor
from actalike.demo.loan_desk import loan_desk
from actalike.prediction import Predictor, adaptation
from actalike.prediction.label_placement import LabelPlacements
from actalike.prediction.placed_labels import PlacedLabel

MONDAY = [["ask", "check", "pay"], ["ask", "refuse"], ["ask", "check", "check", "pay"]]
NEW = {"pay": "transfer", "check": "verify"}


def renamed(traces):
    return [[NEW.get(label, label) for label in trace] for trace in traces]


@pytest.fixture(scope="module")
def model():
    return predictor(EventLog.from_traces(MONDAY * 30))


@pytest.fixture(scope="module")
def adapted(model):
    return model.adapt(EventLog.from_traces(renamed(MONDAY * 15)))


def test_renamed_labels_are_read_as_what_they_were_and_the_model_stays_as_it_was(model, adapted):
    assert {label.label: label.read_as for label in adapted.placed} == {new: old for old, new in NEW.items()}
    assert adapted.activities == [*model.activities, "transfer", "verify"]
    assert model.placed == ()
    assert "transfer" not in model.activities


@pytest.mark.parametrize("case", [["ask"], ["ask", "check"], ["ask", "check", "check"], ["ask", "refuse"]])
def test_predictions_are_the_old_ones_in_new_words(model, adapted, case):
    before = dict(model.predict(case, topn=None))
    after = dict(adapted.predict(renamed([case])[0], topn=None))
    assert sum(after.values()) == pytest.approx(1)
    for label, probability in before.items():
        assert after[label] + (after[NEW[label]] if label in NEW else 0) == pytest.approx(probability)
    for old, new in NEW.items():
        assert after[old] < after[new]


def test_the_probability_of_a_label_is_divided_by_the_events_of_its_names():
    old = predictor(EventLog.from_traces([["a", "b"]] * 40))
    now = EventLog.from_traces([["a", "b"]] * 10 + [["a", "new"]] * 30)
    adapted = old.adapt(now)
    assert [(label.label, label.read_as) for label in adapted.placed] == [("new", "b")]
    shares = dict(adapted.predict(["a"], topn=None))
    assert shares["new"] / shares["b"] == pytest.approx(30 / 10.5)
    assert shares["new"] + shares["b"] == pytest.approx(dict(old.predict(["a"], topn=None))["b"])


def test_a_label_between_several_is_read_as_their_mean_and_never_predicted(model, monkeypatch):
    weights = np.array([[0.5, 0.0, 0.75, -0.25]])
    placed = (PlacedLabel("new", 3, None, 0.3, (("pay", 0.75), ("ask", 0.5))),)
    monkeypatch.setattr(adaptation, "place_labels", lambda past, now, known: LabelPlacements(placed, (), weights))
    adapted = model.adapt(EventLog.from_traces([["ask", "new"]] * 3))
    assert model.activities == ["ask", "check", "pay", "refuse"]
    assert adapted.inputs[-1] == pytest.approx(0.5 * model.inputs[0] + 0.75 * model.inputs[2] - 0.25 * model.inputs[3])
    assert dict(adapted.predict(["ask"], topn=None))["new"] == 0
    assert dict(adapted.predict(["ask"], topn=None))["check"] == pytest.approx(dict(model.predict(["ask"], topn=None))["check"])


def test_without_new_labels_predictions_stay_the_same(model):
    adapted = model.adapt(EventLog.from_traces(MONDAY))
    assert (adapted.placed, adapted.refused) == ((), ())
    assert adapted.predict(["ask"]) == model.predict(["ask"])


def test_a_refused_label_is_not_known_and_says_why(model):
    adapted = model.adapt(EventLog.from_traces([*renamed(MONDAY * 10), ["ask", "once"]]))
    assert [label.label for label in adapted.refused] == ["once"]
    with pytest.raises(UnknownActivityError, match="refused"):
        adapted.predict(["once"])
    with pytest.raises(UnknownActivityError, match="adapt"):
        model.predict(["once"])
    notes = [case.note for case in adapted.predict_cases(EventLog.from_traces([["ask"], ["ask", "once"]]))]
    assert notes[0] == ""
    assert "once" in notes[1]


def test_an_adapted_predictor_can_be_saved_loaded_and_adapted_again(adapted, tmp_path):
    adapted.save(tmp_path / "x.actalike")
    again = load(tmp_path / "x.actalike")
    assert again.placed == adapted.placed
    assert again.predict(["ask", "verify"]) == adapted.predict(["ask", "verify"])
    assert "2 of them placed after training" in repr(again)
    wednesday = [["demand" if label == "ask" else label for label in trace] for trace in renamed(MONDAY * 15)]
    third = again.adapt(EventLog.from_traces(wednesday))
    assert [(label.label, label.read_as) for label in third.placed[2:]] == [("demand", "ask")]
    assert third.predict(["demand"], topn=1)[0].activity == "verify"


def test_a_predictor_that_knows_no_past_cases_asks_to_train_again(model):
    parts = model.inputs, model.recurrent, model.out, model.out_bias
    with pytest.raises(ActalikeError, match="train"):
        Predictor(model.activities, None, *parts).adapt(EventLog.from_traces(MONDAY))


def test_a_file_in_which_a_placed_label_is_not_known_is_refused(adapted, tmp_path):
    adapted.placed = (*adapted.placed, adapted.placed[0]._replace(label="stranger"))
    try:
        adapted.save(tmp_path / "x.actalike")
    finally:
        adapted.placed = adapted.placed[:-1]
    with pytest.raises(FileFormatError, match="stranger"):
        load(tmp_path / "x.actalike")


def test_frames_are_taken_too(model):
    frame = EventLog.from_traces(renamed(MONDAY * 15)).to_frame("pandas")
    assert [label.read_as for label in model.adapt(frame).placed] == ["pay", "check"]


def test_after_a_change_of_the_loan_desk_accuracy_is_nearly_what_it_was():
    traces = loan_desk(600, seed=3).traces()
    past, later = EventLog.from_traces(traces[:220]), traces[220:290]
    model = predictor(past)
    changed = {label: f"step {i}" for i, label in enumerate(sorted(past.activities)[::3])}
    now = [[changed.get(label, label) for label in trace] for trace in later]
    adapted = model.adapt(EventLog.from_traces(now))
    refused = {label.label for label in adapted.refused}
    meaning = {label.label: label.read_as for label in adapted.placed if label.read_as is not None}
    hits = {"told": [], "adapted": []}
    for old, new in zip(later, now, strict=True):
        for i in range(1, len(old)):
            if not {*new[: i + 1]} & refused:
                hits["told"].append(model.predict(old[:i], topn=1)[0].activity == old[i])
                guess = adapted.predict(new[:i], topn=1)[0].activity
                hits["adapted"].append(changed.get(meaning.get(guess, guess), guess) == new[i] or guess == new[i])
    assert np.mean(hits["adapted"]) > np.mean(hits["told"]) - 0.05


def test_a_step_that_is_renamed_twice_is_predicted_by_its_newest_name(model):
    first = model.adapt(EventLog.from_traces([["transfer" if x == "pay" else x for x in trace] for trace in MONDAY * 15]))
    second = first.adapt(EventLog.from_traces([["wire" if x == "pay" else x for x in trace] for trace in MONDAY * 15]))
    before, after = (dict(one.predict(["ask", "check", "check"], topn=None)) for one in (model, second))
    assert max(after, key=after.get) == "wire"
    assert sum(after[name] for name in ("pay", "transfer", "wire")) == pytest.approx(before["pay"])


def test_names_are_divided_anew_by_every_log():
    old = predictor(EventLog.from_traces([["a", "b"]] * 40))
    both = old.adapt(EventLog.from_traces([["a", "b"], ["a", "new"]] * 20))
    shares = [dict(one.predict(["a"], topn=None)) for one in (both, both.adapt(EventLog.from_traces([["a", "new"]] * 20)))]
    assert shares[0]["new"] / shares[0]["b"] == pytest.approx(20.0 / 20.5)
    assert shares[1]["new"] / shares[1]["b"] == pytest.approx(20.5 / 0.5)
    back = both.adapt(EventLog.from_traces([["a", "b"]] * 20))
    assert dict(back.predict(["a"], topn=None))["b"] > 0.9


def test_a_label_whose_cases_were_all_left_out_stays_known(model):
    log = EventLog.from_traces([*MONDAY * 10, ["ask", "Q", "once"], ["ask", "Q", "only"]])
    adapted = model.adapt(log)
    assert {label.label for label in adapted.refused} == {"once", "only"}
    assert "Q" in adapted.activities
    again = adapted.adapt(EventLog.from_traces(renamed(MONDAY * 15) + [["ask", "Q"]] * 3))
    assert again.activities.count("Q") == 1


def test_another_name_of_a_label_that_is_never_predicted_is_not_predicted_either(model, monkeypatch):
    between = (PlacedLabel("new", 3, None, 0.3, (("pay", 1.0),)),)
    weights = np.array([[0.0, 0.0, 1.0, 0.0]])
    monkeypatch.setattr(adaptation, "place_labels", lambda past, now, known: LabelPlacements(between, (), weights))
    adapted = model.adapt(EventLog.from_traces([["ask", "new"]] * 3))
    name = (PlacedLabel("newer", 3, "new", 0.9, (("new", 1.0),)),)
    monkeypatch.setattr(
        adaptation,
        "place_labels",
        lambda past, now, known: LabelPlacements(name, (), np.eye(5)[past.activities.index("new")][None]),
    )
    again = adapted.adapt(EventLog.from_traces([["ask", "newer"]] * 3))
    assert not again.is_predicted("newer")
    assert again.is_predicted("pay")
    assert dict(again.predict(["ask"], topn=None))["newer"] == 0


def test_the_same_log_again_makes_no_new_variants(model):
    log = EventLog.from_traces(renamed(MONDAY * 15))
    once = model.adapt(log)
    twice = once.adapt(log)
    assert len(twice.past.cases) == len(once.past.cases)
    assert twice.past.cases.sum() == once.past.cases.sum() + 45


@pytest.mark.parametrize("nonsense", [None, 3])
def test_what_is_no_label_is_refused(model, nonsense):
    with pytest.raises(ActalikeError, match="A label is a text"):
        model.predict([nonsense])


@pytest.mark.parametrize("topn", [1.5, "3", -1])
def test_what_is_no_number_of_predictions_is_refused(model, topn):
    with pytest.raises(ActalikeError, match="predictions"):
        model.predict(["ask"], topn)
