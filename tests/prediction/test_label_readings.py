"""New labels are read as old ones: against the definition, on planted changes, and on noise."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from actalike import EventLog
from actalike.demo.loan_desk import loan_desk
from actalike.prediction.label_readings import FIGURES, STILL_USED, WEIGHTS, read_labels
from actalike.two_logs.cross_kin import FREQUENCY_WEIGHT, cross_kin, neighbour_agreements, unrestricted_log_scores


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
        log_odds = WEIGHTS["base"] + sum(WEIGHTS[name] * value for name, value in figures.items())
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
