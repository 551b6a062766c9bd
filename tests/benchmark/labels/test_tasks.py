import numpy as np
import polars as pl
import pytest

from actalike import EventLog, write_log
from actalike.benchmark.labels.tasks import TASKS, Prepared, find_tasks, is_planted, takes_place
from actalike.benchmark.logs import find_logs
from actalike.benchmark.tasks.known_labels import NAME_ATTRIBUTE
from actalike.errors import ActalikeError


def test_tasks_are_found_by_name_and_wildcard():
    assert find_tasks(None) == list(TASKS)
    assert find_tasks(["classes-*"]) == ["classes-subprocess", "classes-phase", "classes-document", "classes-verb"]
    assert find_tasks(["syn-part-2"]) == ["syn-part-2"]  # any share, listed or not
    with pytest.raises(ActalikeError, match="mean 'natural'"):
        find_tasks(["naturel"])
    with pytest.raises(ActalikeError, match="task"):
        find_tasks(["hom-*"])
    with pytest.raises(ActalikeError, match="syn-case-2"):
        find_tasks(["???".replace("?", "q")])


def test_recipes_are_planted_and_the_rest_is_not():
    assert [is_planted(task) for task in ("pol-30-hex6", "natural", "unplanted", "classes-phase")] == [True, False, False, False]


def test_a_log_takes_part_where_it_has_what_is_needed():
    plain = Prepared(EventLog.from_traces([["a", "b"]] * 30))
    assert [task for task in TASKS if takes_place(task, plain)] == [
        *[task for task in TASKS if (task.startswith(("syn-case", "syn-event")) and task[-1] in "23") or (task.endswith(("2-uneven", "3-uneven")) and "period" not in task)],
        *["syn-part-3", "syn-part-10", "syn-part-30", "dis-5"],
        *[task for task in TASKS if task.startswith("pol-") and not task.endswith("of10")],
        "unplanted",
    ]  # fmt: skip


def test_the_english_names_are_not_left_in_the_log(tmp_path):
    traces = [["01_HOOFD_010", "01_HOOFD_020"]] * 30 + [["02_DRZ_010", "01_HOOFD_020"]] * 30
    names = {"01_HOOFD_010": "register", "02_DRZ_010": "register", "01_HOOFD_020": "close"}
    rows = [(str(case), label, names[label], "vwxyz"[case % 5]) for case, trace in enumerate(traces) for label in trace]
    columns = ["case", "activity", NAME_ATTRIBUTE, "org:resource"]
    pl.DataFrame(rows, schema=columns, orient="row").write_csv(tmp_path / "codes.csv")
    prepared = Prepared.of_file(find_logs([tmp_path / "codes.csv"], lambda entry: True), "codes")
    assert list(prepared.log.attributes) == ["org:resource"]
    assert prepared.synonyms.pairs.tolist() == [[0, 2]]
    assert takes_place("natural", prepared)
    assert takes_place("classes-subprocess", prepared)
    write_log(EventLog.from_traces(traces), tmp_path / "plain.csv")
    plain = Prepared.of_file(find_logs([tmp_path / "plain.csv"], lambda entry: True), "plain")
    assert plain.synonyms is None
    assert np.array_equal(plain.log.codes, prepared.log.codes)
