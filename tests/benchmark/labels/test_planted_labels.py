"""One step gets several names: who gets which, and what they are."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.benchmark.tasks.planted_labels import (
    BESIDE,
    MAX_POLLUTED,
    MAX_SLIPS,
    NAMINGS,
    RECIPES,
    distorted,
    eligible_labels,
    events_of_part,
    first_timestamps,
    names_in_words,
    neutral_codes,
    part_of,
    plant,
    recipe,
    resource_of,
    slip,
)
from actalike.errors import ActalikeError
from actalike.log import Attribute, EventLog
from tests.helpers import naive_label_defects as naive
from tests.helpers.examples import examples
from tests.helpers.strategies import any_text, traces


def made_up_log(n=60):
    traces = [["Open file", "Check", "Pay out" if i % 3 else "Refuse", "Close file"] for i in range(n)]
    log = EventLog.from_traces([*traces, ["Seldom"]])
    times = np.datetime64("2026-01-01", "us") + np.arange(log.n_events)[::-1] * np.timedelta64(1, "h")
    people = Attribute.from_texts(f"person {i % 7}" for i in range(log.n_events))
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times, attributes={"org:resource": people})


@pytest.mark.parametrize("name", [*RECIPES, "swiftmend-40-30"])
@pytest.mark.parametrize("names", ["codes", "words"])
def test_only_labels_change_and_the_truth_leads_back(name, names):
    log = made_up_log(300)
    if not len(eligible_labels(log, recipe(name))):
        pytest.fail(f"{name} has no eligible label here")
    planted = plant(log, name, seed=1, draw=2, names=names)
    assert without_site(planted.log.relabel(planted.origin.__getitem__)) == log
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


def without_site(log):
    attributes = {name: attribute for name, attribute in log.attributes.items() if name != "site"}
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, log.timestamps, attributes=attributes)


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


def test_every_listed_recipe_has_a_meaning():
    assert [recipe(name).name for name in RECIPES] == list(RECIPES)
    assert len(set(RECIPES)) == len(RECIPES)


@pytest.mark.parametrize("name", [name for name in RECIPES if name.startswith(("syn-case", "syn-period"))])
def test_the_shares_of_the_names_sum_to_one(name):
    assert sum(recipe(name).shares) == pytest.approx(1)


def test_a_recipe_of_swiftmend_names_the_share_of_labels_and_of_their_events():
    chosen = recipe("swiftmend-20-0.1")
    assert (chosen.kind, chosen.share_of_labels, chosen.share) == ("part", 0.2, pytest.approx(0.001))


@pytest.mark.parametrize("name", ["syn-cases-2", "syn-case-1", "syn-case-5-uneven", "pol-30", "pol-30-hex99", "hom-2", ""])
def test_an_unknown_recipe_is_refused_with_examples(name):
    with pytest.raises(ActalikeError, match="syn-case-2"):
        recipe(name)


@pytest.mark.parametrize("name", ["syn-part-0", "syn-part-101", "dis-0", "swiftmend-0-30"])
def test_a_share_is_above_nothing_and_at_most_everything(name):
    with pytest.raises(ActalikeError, match="not above 0 %"):
        recipe(name)


SEED = ("test", 1)


@st.composite
def logs_with_time_and_people(draw):
    traces = draw(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), min_size=5, max_size=25))
    log = EventLog.from_traces(traces)
    days = draw(st.lists(st.integers(0, 9), min_size=log.n_events, max_size=log.n_events))
    people = draw(st.lists(st.sampled_from(["", *"vwxyz"]), min_size=log.n_events, max_size=log.n_events))
    attribute = Attribute.from_texts(person or None for person in people)
    times = np.datetime64("2026-01-01", "us") + np.array(days) * np.timedelta64(1, "D")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times, attributes={"org:resource": attribute})


@examples(30)
@given(logs_with_time_and_people(), st.sampled_from(["-2", "-2-uneven", "-3-uneven", "-4-uneven", "-5"]))
def test_events_get_the_names_of_the_definitions(log, end):
    label = log.activities[0]
    events = np.flatnonzero(log.codes == 0)
    for way in ("case", "event", "period"):
        chosen = recipe(f"syn-{way}{end}")
        expected = getattr(naive, f"by_{way}")(log, chosen.shares, label, SEED)
        assert NAMINGS[way](log, chosen, events, SEED).tolist() == expected
    if resource_of(log) is not None:
        chosen = recipe(f"syn-resource{end}")
        people = [person or "" for person in log.attributes["org:resource"].texts()]  # the missing one sorts first here, too
        expected = naive.by_resource(log, chosen.shares, label, SEED, people)
        assert NAMINGS["resource"](log, chosen, events, SEED).tolist() == expected


@examples(30)
@given(logs_with_time_and_people(), st.sampled_from(["period", "site", "resource"]))
def test_the_events_of_a_second_vocabulary_are_those_of_the_definition(log, by):
    if by == "resource" and resource_of(log) is None:
        return
    people = [person or "" for person in log.attributes["org:resource"].texts()]
    second, sites = events_of_part(log, recipe(f"voc-{by}-8"), SEED)
    assert second.tolist() == naive.events_of_part(log, by, SEED, people)
    assert (sites is not None) is (by == "site")


@pytest.mark.parametrize(("steps", "renamed"), [("3", 3), ("8", 5), ("all", 5)])
@pytest.mark.parametrize("by", ["site", "period", "resource"])
def test_several_steps_have_other_names_in_one_half(by, steps, renamed):
    log = made_up_log(200)
    planted = plant(log, f"voc-{by}-{steps}")
    assert len(planted.truth) == renamed
    second, _ = events_of_part(log, recipe(f"voc-{by}-{steps}"), ("label-defect", f"voc-{by}-{steps}", 0, log.digest, 0, "parts"))
    labels = np.array(planted.log.activities)[planted.log.codes]
    for names in planted.truth:
        uses = [second[labels == name] for name in names]
        assert sorted((of_name.all(), (~of_name).all()) for of_name in uses) == [(False, True), (True, False)]
    if steps == "3":
        steps_of = {planted.origin[label] for group in planted.truth for label in group}
        assert any(steps_of == set(case[i : i + 3]) for case in log.traces() for i in range(len(case)))


@given(st.integers(1, 300), st.sampled_from([1, 3, 10, 30, 50]))
def test_an_exact_share_of_the_events_gets_the_second_name(n, percent):
    log = EventLog.from_traces([["a"]] * n)
    names = NAMINGS["part"](log, recipe(f"syn-part-{percent}"), np.arange(n), SEED)
    assert names.sum() == part_of(percent / 100, n) == int((percent * n + 50) // 100)


def test_periods_are_those_of_the_cases_with_the_label():
    times = np.array(["2026-01-03", "2026-01-01", "2026-01-02", "NaT"], dtype="datetime64[us]")
    log = EventLog(["a", "b"], [0, 0, 1, 0], [0, 1, 2, 3, 4], ["1", "2", "3", "4"], times)
    chosen = recipe("syn-period-3")
    assert NAMINGS["period"](log, chosen, np.array([0, 1, 3]), SEED).tolist() == [1, 0, 2]
    assert str(first_timestamps(log)[3]) == "NaT"


def test_the_earliest_timestamp_of_a_case_counts_and_a_case_may_be_empty():
    times = np.array(["2026-01-03", "2026-01-01", "NaT"], dtype="datetime64[us]")
    log = EventLog(["a"], [0, 0, 0], [0, 2, 2, 3], ["1", "2", "3"], times)
    assert first_timestamps(log).astype("datetime64[D]").astype(str).tolist() == ["2026-01-01", "NaT", "NaT"]


def test_a_log_without_time_has_no_periods_and_without_people_no_resources():
    log = EventLog.from_traces([["a"]] * 20)
    with pytest.raises(ActalikeError, match="no timestamps"):
        NAMINGS["period"](log, recipe("syn-period-2"), np.arange(20), SEED)
    with pytest.raises(ActalikeError, match="each"):
        NAMINGS["resource"](log, recipe("syn-resource-2"), np.arange(20), SEED)


def test_persons_come_before_organisations_and_few_values_do_not_count():
    def log(**attributes):
        texts = {name.replace("_", ":"): Attribute.from_texts(values) for name, values in attributes.items()}
        return EventLog(["a"], [0] * 5, [0, 5], ["1"], attributes=texts)

    assert resource_of(log(org_group="vwxyz", org_resource="abcde")).values == list("abcde")
    assert resource_of(log(org_group="vwxyz", org_resource="aabbb")) is None
    assert resource_of(log(org_group="vwxyz")).values == list("vwxyz")
    assert resource_of(log(amount="vwxyz")) is None


def test_codes_are_numbered_and_shuffled():
    codes = neutral_codes(1200, ("test",))
    assert sorted(codes) == [f"step {number:04}" for number in range(1, 1201)]
    assert codes != sorted(codes)
    assert codes == neutral_codes(1200, ("test",))
    assert codes != neutral_codes(1200, ("other",))


@given(st.lists(any_text, min_size=1, max_size=8, unique=True), st.data())
def test_names_in_words_are_new(labels, data):
    originals = data.draw(st.lists(st.integers(0, len(labels) - 1), max_size=8))
    names = names_in_words(labels, originals, ("test",))
    assert len(set(names) | set(labels)) == len(originals) + len(labels)


def test_a_new_name_shares_no_word_with_the_old_one_and_has_the_layout_of_some_label():
    labels = ["Check_invoice (late)", "Pay bill", "Send reminder"]
    for name in names_in_words(labels, [0] * 9, ("test",)):
        pattern = re.fullmatch(r"([^\W_]+)_([^\W_]+) \(([^\W_]+)\)|([^\W_]+) ([^\W_]+)", name)
        assert pattern
        assert set(pattern.groups()) - {None} <= {"Pay", "bill", "Send", "reminder"}


numbers = st.integers(0, 2**53 - 1)


def test_keys_are_beside_each_other_in_both_directions():
    assert BESIDE["s"] == "acdeqwxz"
    assert all(letter in BESIDE[other] for letter, others in BESIDE.items() for other in others)


@given(any_text, numbers, numbers, numbers)
def test_a_slip_changes_one_place_at_most(label, kind, place, letter):
    wrong = slip(label, kind, place, letter)
    assert abs(len(wrong) - len(label)) <= 1 or kind % 5 == 3  # some letters are two in the other case
    if kind % 5 == 2:
        assert sorted(wrong) == sorted(label)
    if kind % 5 == 4 and wrong != label:
        ((old, new),) = [(a, b) for a, b in zip(label, wrong, strict=True) if a != b]
        assert new.lower() in BESIDE[old.lower()]


@given(st.lists(st.sampled_from(["", "a", "ab", "Pay", "1", "📄"]), min_size=1, unique=True), st.integers(0, 20))
def test_a_distorted_label_is_none_of_the_others(taken, n):
    spellings = distorted(taken[0], n, set(taken), ("test",))
    assert len(spellings) == n
    assert not set(spellings) & set(taken)


def test_where_all_spellings_are_taken_slips_add_up():
    letters = set("abcdefghijklmnopqrstuvwxyz")
    assert distorted("", 1, letters | {""}, ("test",))[0] not in letters | {""}
