import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.labels.planting import MAX_POLLUTED, MAX_SLIPS, eligible_labels, plant
from actalike.benchmark.labels.recipes import RECIPES, recipe
from actalike.errors import ActalikeError
from actalike.log import Attribute, EventLog
from tests.helpers.examples import examples
from tests.helpers.strategies import traces


def made_up_log(n=60):
    traces = [["Open file", "Check", "Pay out" if i % 3 else "Refuse", "Close file"] for i in range(n)]
    log = EventLog.from_traces([*traces, ["Seldom"]])
    times = np.datetime64("2026-01-01", "us") + np.arange(log.n_events)[::-1] * np.timedelta64(1, "h")
    people = Attribute.from_texts(f"person {i % 7}" for i in range(log.n_events))
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times, attributes={"org:resource": people})


@pytest.mark.parametrize("name", [*RECIPES, "swiftmend-40-30"])
@pytest.mark.parametrize("names", ["codes", "words"])
def test_only_labels_change_and_the_truth_leads_back(name, names):
    log = made_up_log(200)
    if not len(eligible_labels(log, recipe(name))):
        pytest.fail(f"{name} has no eligible label here")
    planted = plant(log, name, seed=1, draw=2, names=names)
    assert planted.log.relabel(planted.origin.__getitem__) == log
    assert plant(log, name, seed=1, draw=2, names=names, digest=log.digest) == planted
    assert planted.truth
    counts = dict(zip(planted.log.activities, planted.log.activity_counts.tolist(), strict=True))
    for group in planted.truth:
        assert len(group) > 1
        assert len({planted.origin[label] for label in group}) == 1
        assert [counts[label] for label in group] == sorted((counts[label] for label in group), reverse=True)
    in_groups = [label for group in planted.truth for label in group]
    rest = [planted.origin[label] for label in planted.log.activities if label not in in_groups]
    assert len(rest) == len(set(rest))  # what is in no group has one name


@examples(20)
@given(
    traces(max_cases=3),
    st.sampled_from(["swiftmend-100-50", "syn-event-2", "dis-5", "pol-100-hex1", "pol-30-of3"]),
    st.booleans(),
)
def test_any_labels_can_be_planted(cases, name, in_words):
    log = EventLog.from_traces(cases * 30)
    planted = plant(log, name, names="words" if in_words else "codes")
    assert planted.log.relabel(planted.origin.__getitem__) == log
    assert len(planted.origin) == len(planted.log.activities)


def test_codes_say_nothing_and_another_draw_has_others():
    planted = plant(made_up_log(), "syn-case-2")
    assert all(label.startswith("step 0") for label in planted.log.activities)
    assert plant(made_up_log(), "syn-case-2", draw=1).log != planted.log
    assert plant(made_up_log(), "syn-case-2", seed=1).log != planted.log
    assert plant(made_up_log(), "syn-case-2-uneven").log != planted.log


def test_the_same_events_are_renamed_in_codes_and_in_words():
    codes, words = (plant(made_up_log(), "syn-event-3", names=names) for names in ("codes", "words"))
    pairs = set(zip(*([log.activities[code] for code in log.codes] for log in (codes.log, words.log)), strict=True))
    assert len(pairs) == len(codes.log.activities) == len(words.log.activities)
    assert "Seldom" in words.log.activities


def test_a_defect_of_spelling_keeps_the_labels_for_everybody():
    assert plant(made_up_log(), "dis-5", names="codes") == plant(made_up_log(), "dis-5", names="words")
    polluted = plant(made_up_log(), "pol-100-of3")
    assert len(polluted.truth) == 1
    assert all(label.rpartition("_")[0] == polluted.origin[label] for label in polluted.truth[0])


def test_rare_labels_are_not_split():
    log = made_up_log(60)
    eligible = [log.activities[i] for i in eligible_labels(log, recipe("syn-case-3"))]
    assert eligible == ["Check", "Close file", "Open file", "Pay out"]  # "Refuse" is in 20 cases
    assert len(eligible_labels(log, recipe("swiftmend-100-50"))) == len(log.activities)


def test_alphabets_do_not_grow_without_bound():
    log = made_up_log(3 * MAX_POLLUTED)
    labels = [log.activities[i] for i in eligible_labels(log, recipe("pol-100-hex6"))]
    assert labels == ["Refuse"]
    distorted = plant(log, "dis-5")
    assert max(map(len, distorted.truth)) <= MAX_SLIPS + 1


def test_a_log_that_cannot_be_planted_is_refused_with_the_reason():
    log = EventLog.from_traces([["a", "b"]] * 50)
    for name, reason in [("syn-period-2", "timestamps"), ("syn-resource-2", "who did each event"), ("syn-case-9", "10 cases")]:
        with pytest.raises(ActalikeError, match=reason):
            plant(log, name)
