import pytest

from actalike.benchmark.matching.log_pairs import KINDS
from actalike.benchmark.matching.tasks import TASKS, depends_on_chance, find_tasks, takes_place
from actalike.errors import ActalikeError


def test_names_and_wildcards_find_tasks():
    assert find_tasks(None) == list(TASKS)
    assert find_tasks(["frequent-*", "split"]) == ["frequent-5", "frequent-10", "frequent-20", "split"]
    with pytest.raises(ActalikeError, match="mean 'known-5'"):
        find_tasks(["known-50"])


def test_every_task_is_done_with_some_pairs_and_nothing_known_with_all():
    assert all(takes_place("known-0", kind) for kind in KINDS)
    assert [kind for kind in KINDS if takes_place("known-5", kind)] == ["codes", "vocabulary", "time"]
    assert [kind for kind in KINDS if takes_place("renamed-50", kind)] == ["cases"]
    assert all(any(takes_place(task, kind) for kind in KINDS) for task in TASKS)


def test_what_no_chance_decides_is_done_once():
    assert [depends_on_chance(task, "codes") for task in ("known-0", "known-20", "frequent-20")] == [False, True, False]
    assert depends_on_chance("split", "cases")
