import pytest

from actalike.benchmark.anomalies.tasks import TASKS, find_tasks, takes_place
from actalike.errors import ActalikeError


def test_tasks_are_the_rates_of_bpad_and_each_kind_with_known_labels():
    assert [TASKS[name].rate for name in find_tasks(["bpad-*"])] == [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45]
    slips = ["skipped", "inserted", "repeated", "early", "late", "attribute", "foreign"]
    others = ["plausible", "swapped", "replaced", "cut", "block"]
    assert find_tasks(["known-*"]) == [f"known-{kind}" for kind in (*slips, *others)]
    assert all(TASKS[name].rate == 0.1 for name in find_tasks(["known*"]))
    assert all(takes_place(name, True) for name in find_tasks(None))
    assert not takes_place("known-foreign", False)


def test_an_unknown_task_is_refused():
    with pytest.raises(ActalikeError, match="bpad-50"):
        find_tasks(["bpad-50"])
