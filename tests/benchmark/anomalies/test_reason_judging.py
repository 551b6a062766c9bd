import numpy as np
import pytest

from actalike import Attribute, EventLog
from actalike.benchmark.anomalies.contract import Answer
from actalike.benchmark.anomalies.edits import NEW, Edit
from actalike.benchmark.anomalies.planting import PlantedCase, PlantedLog
from actalike.benchmark.anomalies.reason_judging import judge_reasons, names_expected, names_place
from actalike.oddities import Expected, OddEvent

CLEAN = EventLog.from_traces([["a", "b", "c", "d"]])
CLEAN.attributes["user"] = Attribute.from_texts(["Sue", "Bob", "Ann", "Tom"])


def reason(position, *expected, **more):
    values = tuple(Expected(value, 1, 0.5) for value in expected)
    return OddEvent("1", 0, position, (position,), "x", more.pop("kind", "inserted"), 1.0, None, None, 1, 2, values, **more)


def planted(kind, edit):
    anomaly = PlantedCase(0, kind, edit, hidden=False)
    return anomaly, PlantedLog(CLEAN, CLEAN, [anomaly], CLEAN.codes)


SKIPPED = ("skipped", Edit([0, 3], [(1, 0)], skipped=range(1, 3)))
EARLY = ("early", Edit([0, 2, 1, 3], [(1, 0), (3, 0)], belongs=3))
INSERTED = ("inserted", Edit([0, NEW, 1, 2, 3], [(1, 0), (1, 1)], {(1, 0): 0, (1, 1): 0}))
CUT = ("cut", Edit([0, 1], [(1, 0)], skipped=range(2, 4)))
SWAPPED = ("swapped", Edit([2, 1, 0, 3], [(0, 0), (2, 0)]))
VALUE = ("attribute", Edit([0, 1, 2, 3], [(2, 1)], {(2, 1): 0}))


@pytest.mark.parametrize(
    ("anomaly", "given", "place", "expected"),
    [
        (SKIPPED, reason(1, "x", "y", "b"), True, True),
        (SKIPPED, reason(1, missing=("c",)), True, True),
        (SKIPPED, reason(1, "x", "y", "z", "b"), True, False),
        (SKIPPED, reason(0, "b", missing=("b",)), False, False),
        (EARLY, reason(1, belongs=3), True, True),
        (EARLY, reason(1, "b"), True, True),
        (EARLY, reason(3, "c"), True, True),
        (EARLY, reason(1, "c", belongs=2), True, False),
        (EARLY, reason(2, "c"), False, False),
        (INSERTED, reason(1, "b"), True, True),
        (INSERTED, reason(1, "c"), True, False),
        (CUT, reason(2, missing=("c",)), True, True),
        (CUT, reason(1, "x"), True, False),
        (CUT, reason(0, "c"), False, False),
        (SWAPPED, reason(2, "c"), True, True),
        (SWAPPED, reason(1, "b"), False, False),
        (VALUE, reason(2, "Ann", attribute="user"), True, True),
        (VALUE, reason(2, "Bob", attribute="user"), True, False),
        (VALUE, reason(2, "Ann"), True, False),
        (VALUE, reason(1, "Bob", attribute="user"), False, False),
    ],
)
def test_place_and_expectation_are_those_of_the_planted_anomaly(anomaly, given, place, expected):
    assert (names_place(given, *planted(*anomaly)), names_expected(given, *planted(*anomaly))) == (place, expected)


def test_shares_are_over_planted_cases_and_silence_is_wrong():
    (one, log), other = planted(*SKIPPED), PlantedCase(0, "early", EARLY[1], hidden=True)
    both = PlantedLog(CLEAN, CLEAN, [one, other], log.cells)

    class Silent:
        case_scores_ = (0.0,)

        def reasons(self, cases):
            return [reason(1, "b", kind="skipped"), None]

    shares, named = judge_reasons(Answer(Silent(), CLEAN), both)
    assert (shares["place"], shares["expected"], shares["kind"]) == (0.5, 0.5, 0.5)
    assert shares["place_chance"] == (1 / 2 + 2 / 4) / 2
    assert (shares["place_visible"], shares["kind_visible"]) == (1.0, 1.0)
    assert named == {("skipped", "skipped"): 1, ("early", "none"): 1}


def test_a_kind_without_a_name_is_neither_right_nor_wrong():
    _, both = planted(*SWAPPED)

    class Some:
        case_scores_ = (0.0,)

        def reasons(self, cases):
            return [reason(2, "c", kind="late")]

    shares, named = judge_reasons(Answer(Some(), CLEAN), both)
    assert (shares["place"], shares["place_chance"]) == (1.0, 0.5)
    assert np.isnan(shares["kind"])
    assert named == {("swapped", "late"): 1}
