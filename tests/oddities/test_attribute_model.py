"""Test how probable the values of attributes are, with each event literally left out."""

from math import log as ln

import numpy as np
import pytest
from hypothesis import given

from actalike import EventLog
from actalike.oddities.attribute_model import attribute_model
from tests.helpers.examples import examples
from tests.helpers.naive_odd_values import surprises
from tests.helpers.naive_oddities import cases_of
from tests.helpers.strategies import logs_with_equal_cases


@examples(20)
@given(logs_with_equal_cases())
def test_values_are_as_surprising_as_all_other_events_make_them(log):
    columns = [np.unique(attribute.codes, return_inverse=True)[1] for attribute in log.attributes.values()]
    for number, values in enumerate(columns):
        earlier = columns[:number] + [values] * (number > 0)
        model = attribute_model(log, values, earlier)
        assert model.surprise() == pytest.approx(surprises(cases_of(log), values.tolist(), [one.tolist() for one in earlier]))
        assert sum(model.weights.values()) == pytest.approx(1)
        assert len(model.weights) == 8 + 2 * len(earlier)


def test_a_value_is_as_probable_as_is_counted_by_hand():
    model = attribute_model(EventLog.from_traces([["a"]] * 3), np.array([0, 0, 1]), [])
    share = (0 + 1 / 2) / (2 + 2 / 2)  # of the other two events, none has the value 1
    by_activity = (0 + share) / (2 + 1)  # one value has been seen with the activity, twice
    views = {
        "any value": 1 / 2,
        "share": share,
        "activity": by_activity,
        "activity and previous": (0 + by_activity) / (2 + 1),  # all three events have no previous one
        "activity and next": (0 + by_activity) / (2 + 1),
        "previous": (0 + share) / (2 + 1),
        "next": (0 + share) / (2 + 1),
        "case": (0 + share / 2) / (0 + 1 / 2),
    }
    probability = sum(weight * views[view] for view, weight in model.weights.items())
    assert model.probabilities[2] == pytest.approx(probability)
    assert model.surprise()[2] == pytest.approx(-ln(2 * probability))


def test_the_view_that_decides_an_attribute_counts_most():
    log = EventLog.from_traces([list("abc")] * 200)
    random = np.random.default_rng(0)
    by_activity = log.codes.astype(np.int64)
    by_case = np.repeat(random.integers(0, 5, 200), 3)
    by_other = (by_case * 2 + 1) % 5
    assert leading_view(log, by_activity, []).startswith("activity")
    assert leading_view(log, by_case, []) in {"case", "previous", "next", "activity and previous", "activity and next"}
    assert leading_view(log, by_other, [by_activity, by_case]) in {"attribute 1", "activity and attribute 1"}
    unknown = random.integers(0, 5, 600)
    model = attribute_model(log, unknown, [])
    assert np.abs(model.surprise()).max() < 0.7, "any value is as likely as another, so none is a surprise"


def leading_view(log, values, earlier):
    weights = attribute_model(log, values, earlier).weights
    return max(weights, key=weights.__getitem__)


def test_the_ten_attributes_right_before_an_attribute_count():
    log = EventLog.from_traces([list("abc")] * 20)
    columns = list(np.random.default_rng(0).integers(0, 3, (14, 60)))
    all_before, last_ten = (attribute_model(log, columns[13], columns[start:13]) for start in (0, 3))
    assert all_before.weights == last_ten.weights
    naive = surprises(cases_of(log), columns[13].tolist(), [one.tolist() for one in columns[3:13]])
    assert all_before.surprise() == pytest.approx(naive)
