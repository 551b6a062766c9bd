"""Labels that appeared after training: which old label each is read as, where others are placed, and what is predicted then."""

import math
import random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from actalike import ActalikeError, Embedding, EventLog, FileFormatError, UnknownActivityError, embed, load, predictor
from actalike.demo.loan_desk import loan_desk
from actalike.prediction import Predictor, adaptation
from actalike.prediction.adaptation import (
    FIGURES,
    RIDGE,
    STILL_USED,
    SURE_ENOUGH,
    LabelPlacements,
    PastCases,
    PlacedLabel,
    blend_weights,
    centred_cosines,
    place_labels,
    read_labels,
    reading_weights,
)
from actalike.support.saved import read_file
from actalike.two_logs.cross_kin import FREQUENCY_WEIGHT, cross_kin, neighbour_agreements, unrestricted_log_scores
from tests.helpers.damaged_files import write_unchecked
from tests.helpers.strategies import logs

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
    with pytest.raises(UnknownActivityError, match="placed"):
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
    with pytest.raises(ActalikeError, match="label must be a string"):
        model.predict([nonsense])


@pytest.mark.parametrize("topn", [1.5, "3", -1])
def test_what_is_no_number_of_predictions_is_refused(model, topn):
    with pytest.raises(ActalikeError, match="predictions"):
        model.predict(["ask"], topn)


tables = st.integers(3, 6).flatmap(
    lambda n: arrays(np.float64, (n, 4), elements=st.floats(-3, 3).map(lambda x: round(x, 2)), fill=st.nothing())
)


def naive_cosines(table, known):
    centred = [row - sum(table[:known]) / known for row in table]
    lengths = [np.sqrt(row @ row) for row in centred]
    return [
        [x @ y / (a * b) if a > 1e-3 and b > 1e-3 else 0.0 for y, b in zip(centred, lengths, strict=True)]
        for x, a in zip(centred, lengths, strict=True)
    ]


@given(tables)
def test_cosines_are_those_of_vectors_less_the_mean_of_the_known_ones(table):
    found = centred_cosines(table, len(table) - 1)
    expected = np.array(naive_cosines(table, len(table) - 1))
    is_clear = expected != 0  # a vector that nearly equals the mean is 0 in one and not in the other
    assert found[is_clear] == pytest.approx(expected[is_clear], abs=1e-5)


@given(tables, st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_weights_sum_to_1_and_no_others_that_do_come_nearer(table, randomness):
    labels = [f"l{i}" for i in range(len(table))]
    old, new = labels[:-1], labels[-1:]
    (weights,) = blend_weights(Embedding(labels, table), old, new)
    assert weights.sum() == pytest.approx(1)
    cosines = centred_cosines(table, len(old))
    among, to_new = cosines[:-1, :-1] + RIDGE * np.eye(len(old)), cosines[-1, :-1]

    def distance(w):
        return w @ among @ w - 2 * w @ to_new

    for _ in range(20):
        change = np.array([randomness.uniform(-1, 1) for _ in old])
        assert distance(weights) <= distance(weights + change - change.mean()) + 1e-9


def test_an_old_label_without_a_vector_has_no_weight():
    embedding = Embedding(["a", "b", "new"], np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.1]]))
    weights = blend_weights(embedding, ["a", "b", "gone"], ["new"])
    assert weights[0, 2] == 0
    assert weights[0, 0] > weights[0, 1]


def change(n_new, rare=()):
    past = EventLog.from_traces([["ask", "check", "pay"], ["ask", "refuse"]] * 30)
    now = EventLog.from_traces([["ask", "check", "transfer"], ["ask", "refuse"]] * n_new + [["ask", label] for label in rare])
    return past, now


def test_a_sure_label_counts_as_the_one_that_it_is_read_as():
    past, now = change(20)
    placements = place_labels(past, now)
    (reading,) = read_labels(past, now)
    assert reading.probability > SURE_ENOUGH
    (label,) = placements.placed
    assert label == ("transfer", 20, "pay", reading.probability, (("pay", 1.0),))
    assert placements.weights.tolist() == [[float(name == "pay") for name in past.activities]]
    assert placements.refused == ()


def test_a_label_in_one_case_is_refused():
    past, now = change(20, rare=["once", "twice", "twice"])
    placements = place_labels(past, now)
    assert [(label.label, label.cases) for label in placements.refused] == [("once", 1)]
    assert {label.label for label in placements.placed} == {"transfer", "twice"}
    assert len(placements.weights) == 2


def test_an_unsure_label_is_placed_by_kin_between_the_nearest_ones():
    past = EventLog.from_traces([["a", "b", "c"], ["a", "d", "e"], ["f", "d", "c"]] * 10)
    now = EventLog.from_traces([["c", "new", "f"], ["e", "new", "new"], ["a", "b", "c"], ["a", "d", "e"], ["f", "d", "c"]] * 4)
    placements = place_labels(past, now)
    (label,) = placements.placed
    assert label.probability < SURE_ENOUGH
    assert label.read_as is None
    joint = embed(EventLog.from_traces(past.traces() + now.traces()), "kin-w5")
    assert placements.weights == pytest.approx(blend_weights(joint, past.activities, ["new"]))
    largest = sorted(zip(placements.weights[0], past.activities, strict=True), reverse=True)[:3]
    assert label.nearest == tuple((name, pytest.approx(weight)) for weight, name in largest if weight > 0)


def test_very_many_rare_labels_are_compared_as_one_and_all_refused(monkeypatch):
    monkeypatch.setattr(adaptation, "_MANY_RARE", 5)
    past, now = change(20, rare=[f"id {i}" for i in range(20)])
    placements = place_labels(past, now)
    assert len(placements.refused) == 20
    assert [(label.label, label.read_as) for label in placements.placed] == [("transfer", "pay")]


def test_labels_that_are_known_otherwise_are_not_placed():
    past, now = change(20)
    assert place_labels(past, now, ["transfer"]).placed == ()


def by_definition(past, now):
    """The reading of each new label, its figures and its probability, label by label."""
    shared = [label for label in past.activities if label in now.activities]
    codes = np.array([(past.activities.index(x), now.activities.index(x)) for x in shared], dtype=np.int64).reshape(-1, 2)
    kin = cross_kin(past.variants, now.variants, codes)
    scores, agreement = unrestricted_log_scores(kin), neighbour_agreements(kin)
    readings = []
    for j, new in enumerate(now.activities):
        if new in past.activities:
            continue
        score = {
            old: scores[i, j] + (-STILL_USED if old in shared else FREQUENCY_WEIGHT * kin.frequencies[i, j])
            for i, old in enumerate(past.activities)
        }
        best = max(score, key=score.get)
        lead = score[best] - max((value for old, value in score.items() if old != best), default=-math.inf)
        i = past.activities.index(best)
        cases = [sum(label in trace for trace in log.traces()) for log, label in ((past, best), (now, new))]
        filled = [sum(len(trace) > 0 for trace in log.traces()) for log in (past, now)]
        ratio = abs(math.log((cases[1] / filled[1]) / (cases[0] / filled[0])))
        figures = {
            "lead": math.tanh(6 * lead),
            "cases": math.log(min(cases[1], 150)),
            "agreement": -math.log(1.01 - min(max(agreement[i, j], 0), 1)) - 2,
            "frequency": 0.0 if best in shared else min(ratio, 4.0),
            "still_used": float(best in shared),
        }
        usual = sum(math.exp(scores[x, j]) for x in range(len(past.activities))) / len(past.activities)
        figures["contrast"] = min(scores[i, j] - math.log(usual), 0.4)
        figures["lead_x_cases"] = figures["lead"] * figures["cases"]
        weights = reading_weights()
        log_odds = weights.base + sum(weights.pieces[name].of(np.array(value)) for name, value in figures.items())
        readings.append((new, best, 1 / (1 + math.exp(-log_odds)), cases[1], [figures[name] for name in FIGURES]))
    return readings


small = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=5), min_size=1, max_size=6)


@given(small, small, st.sets(st.sampled_from("abcd")))
@settings(max_examples=50)
def test_readings_are_those_of_the_definition(before, after, renamed):
    past = EventLog.from_traces(before)
    now = EventLog.from_traces([[label.upper() if label in renamed else label for label in trace] for trace in after])
    for reading, expected in zip(read_labels(past, now), by_definition(past, now), strict=True):
        assert (reading.label, reading.cases) == (expected[0], expected[3])
        if reading.read_as == expected[1]:  # equal scores may be rounded differently
            assert reading.probability == pytest.approx(expected[2])
            assert reading.figures == pytest.approx(expected[4])


def test_labels_that_both_logs_have_are_not_read():
    log = loan_desk(50)
    assert read_labels(log, log) == []


@pytest.fixture(scope="module")
def halves():
    traces = loan_desk(600, seed=3).traces()
    return traces[:200], traces[200:290]  # before the new system, so that all labels are the same


def test_a_renamed_step_of_the_loan_desk_is_read_as_it_was_and_most_are_sure(halves):
    past, later = halves
    labels = [label for label in EventLog.from_traces(later).activities if sum(label in trace for trace in past) > 20]
    changed = dict.fromkeys(labels[::3])
    now = [[f"new {labels.index(x)}" if x in changed else x for x in trace] for trace in later]
    readings = read_labels(EventLog.from_traces(past), EventLog.from_traces(now))
    right = [reading.read_as == labels[int(reading.label.split()[1])] for reading in readings]
    assert len(readings) == len(changed)
    assert np.mean(right) >= 0.8
    assert np.mean([reading.probability for reading, is_right in zip(readings, right, strict=True) if is_right]) > 0.7


def test_neither_the_names_nor_the_order_of_labels_matter(halves):
    past, later = halves
    rename = {label: f"{len(label)}{label[::-1]}" for trace in past + later for label in trace}
    changed = [["~" if x == "Assess risk" else x for x in trace] for trace in later]
    one = read_labels(EventLog.from_traces(past), EventLog.from_traces(changed))
    other = read_labels(
        EventLog.from_traces([[rename[x] for x in trace] for trace in past]),
        EventLog.from_traces([[rename.get(x, x) for x in trace] for trace in changed]),
    )
    for a, b in zip(one, other, strict=True):
        assert (rename[a.read_as], b.label) == (b.read_as, a.label)
        assert a.probability == pytest.approx(b.probability)


@pytest.mark.parametrize("n_shared", [0, 4])
def test_of_noise_no_label_is_read(n_shared):
    draw = random.Random(1)
    shared = "abcdefgh"[:n_shared]
    past, now = (
        [[draw.choice(labels) for _ in range(8)] for _ in range(200)] for labels in ("abcdefgh", f"{shared}ijklmnop"[:8])
    )
    readings = read_labels(EventLog.from_traces(past), EventLog.from_traces(now))
    assert len(readings) == 8 - n_shared
    assert max(reading.probability for reading in readings) < 0.5


def sorted_traces(log):
    return sorted(trace for trace in log.traces() if trace)


@given(logs())
def test_they_are_the_cases_of_the_log_in_another_order(log):
    activities = log.activities[::-1]
    assert sorted_traces(PastCases.of_log(log, activities).log(activities)) == sorted_traces(log)


@given(logs(), st.data())
def test_cases_with_a_label_that_is_not_known_are_left_out(log, data):
    known = data.draw(st.lists(st.sampled_from(log.activities), unique=True))
    expected = sorted(trace for trace in log.traces() if trace and set(trace) <= set(known))
    past = PastCases.of_log(log, known)
    assert (sorted_traces(past.log(known)) if len(past.cases) else []) == expected


@given(logs(), logs())
def test_the_cases_of_two_logs_are_those_of_each(one, other):
    activities = sorted({*one.activities, *other.activities})
    both = PastCases.of_log(one, activities).and_of(PastCases.of_log(other, activities))
    assert sorted_traces(both.log(activities)) == sorted(sorted_traces(one) + sorted_traces(other))


ARRAYS = {
    "inputs": np.zeros((2, 8)),
    "recurrent": np.zeros((2, 8)),
    "out": np.zeros((2, 3)),
    "out_bias": np.zeros(3),
}
PAST = PastCases.of_log(EventLog.from_traces([["a", "b"], ["b"]]), ["a", "b"]).arrays()


def written(path, **arrays):
    header = {"format": 1, "kind": "predictor", "activities": ["a", "b"]}
    return write_unchecked(path, header, {**ARRAYS, **arrays})


def test_a_file_gives_back_what_was_written(tmp_path):
    past = load(written(tmp_path / "x.actalike", **PAST)).past
    assert sorted_traces(past.log(["a", "b"])) == [["a", "b"], ["b"]]
    assert load(written(tmp_path / "y.actalike")).past is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"past_codes": np.array([0, 1, 2], dtype=np.int32)}, "bounds"),
        ({"past_codes": np.array([0, -1, 1], dtype=np.int32)}, "bounds"),
        ({"past_codes": np.array([0, 1], dtype=np.int32)}, "do not fit"),
        ({"past_codes": np.array([0, 1, 1])}, "right"),
        ({"past_codes": np.array([[0, 1, 1]], dtype=np.int32)}, "right"),
        ({"past_offsets": np.array([0, 3, 3])}, "bounds"),
        ({"past_offsets": np.array([1, 2, 3])}, "do not fit"),
        ({"past_cases": np.array([1, 0])}, "bounds"),
        ({"past_cases": np.array([1, 2**62])}, "bounds"),
        ({"past_cases": np.array([2**53, 2**53])}, "many"),
        ({"past_cases": np.array([1])}, "do not fit"),
    ],
)
def test_a_file_whose_parts_contradict_each_other_is_refused(tmp_path, change, words):
    path = written(tmp_path / "x.actalike", **{**PAST, **change})
    with pytest.raises(FileFormatError, match=words):
        load(path)


def test_a_part_of_the_past_is_refused(tmp_path):
    path = written(tmp_path / "x.actalike", past_codes=PAST["past_codes"])
    with pytest.raises(FileFormatError, match="past"):
        load(path)


def test_a_small_file_with_very_many_cases_does_not_exhaust_the_memory(tmp_path):
    model = load(written(tmp_path / "x.actalike", **{**PAST, "past_cases": np.array([2**50, 1])}))
    with pytest.raises(Exception, match="memory"):
        model.adapt(EventLog.from_traces([["a", "new"]] * 3))


def test_a_placed_label_is_stored_with_what_is_near(model, tmp_path):
    placed = PlacedLabel("check", 3, None, 0.25, (("ask", 0.75), ("pay", 0.5)))
    parts = model.inputs, model.recurrent, model.out, model.out_bias
    Predictor(model.activities, None, *parts, placed=[placed]).save(tmp_path / "x.actalike")
    assert load(tmp_path / "x.actalike").placed == (placed,)
    stored = msgspec.json.decode(read_file(tmp_path / "x.actalike").header_json)["placed"]
    assert stored == [{**placed._asdict(), "nearest": [{"label": "ask", "weight": 0.75}, {"label": "pay", "weight": 0.5}]}]
