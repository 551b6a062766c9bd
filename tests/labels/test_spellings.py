"""Labels that differ in spaces, case or slips of the keyboard are merged first, so they change no other proposal."""

from datetime import datetime, timedelta
from random import Random

import polars as pl
import pytest

from actalike import EventLog, group, read_log, relabel, same_step
from actalike.demo.loan_desk import loan_desk
from actalike.labels import spellings, with_spellings_merged
from tests.helpers.two_offices import STEPS, authority, misspelt


def accepted(log, **options):
    return {frozenset(one.activities) for one in group(log, **options) if one.relation == "synonyms"}


def planted(log, seed, share=0.01):
    """The log with misspelt labels and spaces in a share of the events of its frequent labels; and what they spell."""
    random = Random(seed)
    frequent = {label for label, n in zip(log.activities, log.activity_counts, strict=True) if n >= 100 and len(label) >= 8}
    meant = {}
    traces = []
    for trace in log.traces():
        written = []
        for label in trace:
            other = label
            if label in frequent and random.random() < share:
                other = label + " " if random.random() < 0.6 else misspelt(label, random)
            if other != label and other not in frequent:
                meant[other] = label
            written.append(other)
        traces.append(written)
    labels = sorted({label for trace in traces for label in trace})
    codes = [labels.index(label) for trace in traces for label in trace]
    dirty = EventLog(labels, codes, log.offsets, log.case_ids, log.timestamps, attributes=log.attributes)
    return dirty, {label: own for label, own in meant.items() if label not in log.activities}


@pytest.mark.parametrize("seed", range(4))
def test_a_log_with_spaces_and_slips_has_the_groups_of_the_log_without(seed):
    clean = loan_desk(seed=seed) if seed % 2 else authority(seed, slips=0, spaces=0)[0]
    dirty, meant = planted(clean, seed)
    found = accepted(dirty)
    of = {label: meant.get(label, label) for label in dirty.activities}
    merged = {frozenset(of[label] for label in one) for one in found}
    assert {one for one in merged if len(one) > 1} == accepted(clean)
    for label, own in meant.items():
        assert any({label, own} <= one for one in found), label


@pytest.mark.parametrize("seed", range(5))
def test_two_branches_with_a_new_word_and_misspelt_labels_are_their_steps(seed):
    log, spelled = authority(seed)
    mapping = group(log).mapping()
    steps = {}
    for label in log.activities:
        steps.setdefault(mapping.get(label, label), set()).add(spelled[label][0])
    assert all(len(some) == 1 for some in steps.values())
    assert len(relabel(log, mapping).activities) <= len(STEPS) + 2
    names = {one.name for one in group(log)}
    assert names <= {own for _, own in spelled.values()}


def test_spellings_have_the_probability_of_their_labels():
    log, _ = authority(1)
    same, of = same_step(log), spellings(log)
    assert of
    for label, own in of.items():
        assert same.probability(label, own) >= 0.95 - 1e-9
        for other in ("Archive", "Visit the site", "Inspection"):
            if own != other:
                assert same.probability(label, other) == same.probability(own, other)
                assert same.evidence(label, other) == same.evidence(own, other)


def test_a_slip_of_two_labels_is_a_spelling_of_neither():
    log = EventLog.from_traces(
        [["open", "Send mails", "close"], ["open", "Send nails", "close"]] * 60 + [["open", "Send ails", "close"]]
    )
    assert "Send ails" not in spellings(log)


def test_labels_that_differ_in_punctuation_only_and_are_short_are_codes():
    log = EventLog.from_traces([["grade", "A+", "end"]] * 60 + [["grade", "A-", "end"]] * 5 + [["grade ", "A+", "end"]])
    assert spellings(log) == {"grade ": "grade"}


def test_variants_keep_how_merged_spellings_are_used():
    log, _ = authority(2)
    of = spellings(log)
    merged = with_spellings_merged(log, of).variants
    of_variants = with_spellings_merged(log.variants, of)
    assert of_variants == merged or of_variants.uses.values["branch"][1].same_as(merged.uses.values["branch"][1])
    assert of_variants.traces() == merged.traces()


APART = [
    "Temperature -5|Temperature 5",
    "Check A*|Check A",
    "Is null|Is !null",
    "Cancel order|Cancel order?",
    "Step 1/2|Step 1 2",
]


@pytest.mark.parametrize("pair", [*APART, "Size XL|Size XXL"])
@pytest.mark.parametrize("rare", [2, 30, 250])
def test_a_sign_a_mark_or_a_size_is_no_certain_spelling(pair, rare):
    first, second = pair.split("|")
    log = EventLog.from_traces([["open", first, "close"]] * 600 + [["open", second, "close"]] * rare)
    assert spellings(log) == {}


def test_labels_that_differ_in_punctuation_and_stand_at_other_places_are_no_certain_spelling():
    paid = ["open", "Paid (no)", "wait", "Paid no", "close"]
    assert spellings(EventLog.from_traces([["open", "Paid (no)", "wait", "close"]] * 570 + [paid] * 30)) == {}


def test_a_frequent_umlaut_is_no_certain_spelling_of_its_bare_vowel():
    for n, rare in [(600, 250), (20, 3)]:
        traces = [["open", "Brief drucken", "close"]] * n + [["open", "Brief drücken", "close"]] * rare
        assert spellings(EventLog.from_traces(traces)) == {}


@pytest.mark.parametrize("pair", APART)
def test_labels_that_differ_in_a_mark_and_are_often_alternatives_are_no_synonyms(pair):
    first, second = pair.split("|")
    log = EventLog.from_traces([["open", first, "close"]] * 360 + [["open", second, "close"]] * 240)
    assert frozenset((first, second)) not in accepted(log)


def test_a_label_and_what_replaced_it_are_no_rivals_for_the_word_of_another_office():
    random = Random(3)
    words = {
        "North": ["Register", "Match", "Approve", "Post", "Pay"],
        "South": ["Capture", "Check", "Sign off", "Book", "Transfer"],
    }
    rows = []
    for case in range(600):
        site, begin = random.choice(["North", "South"]), datetime(2025, 1, 1) + timedelta(hours=12 * case)
        steps = [word for i, word in enumerate(words[site]) if i != 1 or random.random() < 0.8]
        steps = ["Post (new)" if word == "Post" and case >= 350 else word for word in steps]
        rows += [(f"c{case}", word, begin + timedelta(hours=i), site) for i, word in enumerate(steps)]
    log = read_log(pl.DataFrame(rows, schema=["case", "activity", "timestamp", "site"], orient="row"))
    groups = [set(one.activities) for one in group(log) if one.relation == "synonyms"]
    assert {"Post", "Post (new)", "Book"} in groups
    assert same_step(log).probability("Post", "Book") > 0.9
