from actalike import EventLog, drift
from actalike.two_logs.drift_causes import find_causes


def logs(before, after):
    return tuple(EventLog.from_traces([case for case, n in side for _ in range(n)]) for side in (before, after))


def test_more_cases_of_one_kind_explain_what_changes_beside_it():
    sides = logs(
        [(["b", "a", "c"], 30), (["b", "c"], 60), (["c", "b"], 30)], [(["b", "a", "c"], 90), (["b", "c"], 50), (["c", "b"], 25)]
    )
    assert find_causes(*sides, ["b", "c"], ["a"], seed=1) == {"b": "a", "c": "a"}
    result = drift(*sides)
    assert [(one.activity, one.because_of) for one in result.changed] == [("b", "a"), ("c", "a")]
    assert [one.activity for one in result.more_often] == ["a"]


def test_a_change_within_the_cases_with_and_without_a_label_is_not_explained_by_it():
    sides = logs([(["b", "a", "c"], 30), (["b", "c"], 90)], [(["b", "a", "c"], 90), (["c", "b"], 30)])
    assert find_causes(*sides, ["b", "c"], ["a"], seed=1) == {}
    assert [one.because_of for one in drift(*sides).changed] == [None, None]


def test_the_label_that_explains_most_is_named_and_none_explains_itself():
    sides = logs(
        [(["b", "a"], 20), (["b", "c"], 60), (["c", "b", "x"], 20)], [(["b", "a"], 70), (["b", "c"], 30), (["c", "b", "x"], 10)]
    )
    assert find_causes(*sides, ["b"], ["x", "a"], seed=1) == {"b": "a"}
    assert find_causes(*sides, ["a"], ["a"], seed=1) == {}


def test_a_label_that_is_on_one_side_only_explains_nothing():
    """If cases with it were never before, nothing can be shuffled, and any change would seem to follow from it."""
    sides = logs([(["b", "c"], 60), (["c", "b"], 60)], [(["b", "a", "c"], 60), (["b", "c"], 60)])
    assert find_causes(*sides, ["b", "c"], ["a"], seed=1) == {}
    assert {one.because_of for one in drift(*sides).changed} == {None}
