"""The benchmark of change points: what is planted, what counts as found, and a small run as a user sees it."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, benchmark
from actalike.benchmark.tasks.change_detectors import CHANGE_DETECTORS, checked_changes, pair_counts
from actalike.benchmark.tasks.change_points import (
    COLUMNS,
    KINDS,
    TASKS,
    figures,
    hits,
    in_order_of_start,
    known_changes,
    plant,
    plant_at_moment,
)
from actalike.io import write_log
from tests.helpers.benchmark_runs import run_here, tree

CASES = st.lists(st.integers(0, 300), max_size=6, unique=True).map(sorted)


def naive_hits(found, true, lag):
    """Take the nearest detection and change that are left, again and again."""
    found, true, distances = list(found), list(true), []
    while found and true:
        distance, a, b = min((abs(a - b), a, b) for a in found for b in true)
        if distance > lag:
            break
        found.remove(a)
        true.remove(b)
        distances.append(distance)
    return distances


@given(CASES, CASES, st.integers(0, 120))
def test_each_detection_finds_one_change_at_most_the_nearest_first(found, true, lag):
    assert hits(found, true, lag) == naive_hits(found, true, lag)


@given(CASES, CASES.filter(len))
def test_precision_recall_and_f1_are_those_of_their_definitions(found, true):
    computed = figures(found, true, 1000)
    for end, lag in {"share": 50, "50": 50, "100": 100, "200": 200}.items():
        right = len(naive_hits(found, true, lag))
        precision, recall = (right / len(found) if found else None), right / len(true)
        assert computed[f"precision_{end}"] == precision
        assert computed[f"recall_{end}"] == recall
        f1 = 2 * precision * recall / (precision + recall) if right else 0
        assert computed[f"f1_{end}"] == pytest.approx(f1)


def test_without_a_change_every_detection_is_a_false_alarm():
    assert figures([], [], 1000) == {"alarm": 0}
    assert figures([5, 700], [], 1000) == {"alarm": 1}


TRACES = [["order", "check", "pay"], ["order", "pay", "check", "ship"], ["order", "pay"]] * 100


@pytest.mark.parametrize("kind", KINDS)
def test_before_a_planted_change_nothing_changes_and_after_it_something_does(kind):
    traces, (place,) = plant(TRACES, [kind], False, np.random.default_rng(3))
    assert len(traces) == len(TRACES)
    assert 0.2 * len(traces) - 1 <= place < 0.8 * len(traces)
    same = [trace in TRACES for trace in traces]
    assert all(same[: place + 1])
    if kind == "more-frequent":
        use = [[label in trace for trace in traces] for label in ("check", "ship")]
        assert any(np.mean(one[place + 1 :]) > np.mean(one[: place + 1]) + 0.15 for one in use)
    else:
        assert not all(same[place + 1 :])


def test_a_gradual_change_mixes_old_and_new():
    traces, (place,) = plant(TRACES * 5, ["renamed"], True, np.random.default_rng(1))
    new = np.array([any("(new)" in label for label in trace) for trace in traces])
    near = slice(place - 75, place + 76)
    assert 0.1 < new[near].mean() < 0.9
    assert not new[: place - 76].any()


def dated(traces):
    """Return a log in which a case begins every hour, and an event comes every two hours."""
    log = EventLog.from_traces(traces)
    hours = np.concatenate([case + 2 * np.arange(len(trace)) for case, trace in enumerate(traces)])
    times = np.datetime64("2024-01-01", "us") + hours * np.timedelta64(1, "h")
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, times)


@pytest.mark.parametrize("kind", ["left-out", "swapped", "renamed", "inserted"])
def test_a_change_at_a_moment_changes_no_event_before_it_and_holds_for_running_cases_too(kind):
    log = dated(TRACES)
    problem = plant_at_moment(log, np.arange(log.n_cases), kind, np.random.default_rng(1))
    (place,) = problem.true
    begins = problem.log.timestamps[problem.log.offsets[:-1]]
    assert begins.tolist() == log.timestamps[log.offsets[:-1]].tolist()
    traces = problem.log.traces()
    is_changed = [i for i, (trace, old) in enumerate(zip(traces, TRACES, strict=True)) if trace != old]
    assert place - 4 <= min(is_changed) <= place + 6
    for i in is_changed:
        before = int((problem.log.timestamps[slice(*problem.log.offsets[i : i + 2])] < begins[place + 1]).sum())
        assert traces[i][:before] == TRACES[i][:before]


def test_three_changes_keep_apart():
    _, places = plant(TRACES, ["left-out", "renamed", "inserted"], False, np.random.default_rng(0))
    assert np.diff(places).min() >= 0.15 * len(TRACES)


def test_public_logs_are_known_by_their_names():
    assert known_changes("ostovar_Loop", 2999) == ("known-two", [999, 1999])
    assert known_changes("ceravolo_noise10_500_cb", 500) == ("known-atomic", [249])
    assert known_changes("orders", 500) is None


def test_cases_are_in_the_order_of_their_starts():
    days = np.array(["2024-01-09", "2024-01-10", "2024-01-02", "2024-01-20"], dtype="datetime64[us]")
    log = in_order_of_start(EventLog(["a", "b"], [0, 1, 1, 0], [0, 2, 4], ["late", "early"], days))
    assert log.traces() == [["b", "a"], ["a", "b"]]
    assert log.case_ids == ["early", "late"]
    assert log.timestamps[0] == days[2]


# --- who takes part -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["change-points", "hellinger", "windows", "rinv-100-10", "blind-guess"])
def test_a_clear_change_in_the_middle_is_found_by_all(name):
    log = EventLog.from_traces([["order", "check", "pay"], ["order", "pay"]] * 125 + [["order", "pay", "send"]] * 250)
    detector = CHANGE_DETECTORS.make(name).fit(log)
    assert hits(checked_changes(detector.changes_, 500), [249], 5)


def test_without_an_event_to_look_at_a_guess_is_the_same():
    log = EventLog.from_traces([["a"]] * 1000)
    assert CHANGE_DETECTORS.make("blind-guess").fit(log).changes_ == [499]


def test_pairs_are_counted_with_start_and_end():
    assert pair_counts([["a"], ["a", "a", "a"]]).tolist() == [[1, 1, 0], [1, 1, 2]]


@pytest.mark.parametrize("changes", [[0.5], [-1], [10], [[1]], "no"])
def test_what_is_no_number_of_a_case_is_refused(changes):
    with pytest.raises(ActalikeError, match="changes_"):
        checked_changes(changes, 10)


# --- a run --------------------------------------------------------------------------------------------------------------------


def test_without_names_all_take_part_but_the_settings_of_rinv(tmp_path):
    write_log(EventLog.from_traces(TRACES), tmp_path / "orders.csv")
    options = {"tasks": ["planted-renamed"], "draws": 1}
    outcome = benchmark.run("change_points", logs=[tmp_path / "orders.csv"], out=tmp_path / "out", **options)
    assert outcome.methods == ("change-points", "hellinger", "windows", "blind-guess")


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """The folder of a small run on a log without a change, one of a family that was chosen on, and a public one."""
    folder = tmp_path_factory.mktemp("changes")
    write_log(EventLog.from_traces(TRACES), folder / "orders.csv")
    write_log(dated(TRACES), folder / "Helpdesk_mine.csv")
    write_log(EventLog.from_traces([["a", "b"]] * 250 + [["a", "c"]] * 250), folder / "ceravolo_noise0_500_IOR.csv")
    tasks = ["planted-renamed*", "planted-three", "running-renamed", "shuffled", "known-*"]
    call = ("--logs", *folder.glob("*.csv"), "--out", folder / "out", "--draws", "1", "--orders", "2", "--tasks", *tasks)
    said = run_here("change_points", *call, "--methods", "change-points", "windows", "blind-guess", "--json").stdout
    assert json.loads(said)["failed"] == []
    return folder / "out"


def test_each_log_has_the_tasks_that_it_is_fit_for(results):
    units = {name.rpartition("/")[0] for name in tree(results) if name.endswith("windows.json")}
    planted = ("planted-renamed", "planted-renamed-gradual", "planted-three", "shuffled")
    assert units == {f"orders/{task}" for task in planted} | {
        f"Helpdesk_mine/{task}" for task in (*planted, "running-renamed")
    } | {"ceravolo_noise0_500_IOR/known-composed"}


def test_the_table_has_a_part_for_each_kind_of_log_with_published_figures_and_all_changes_together(results):
    table = run_here("table", results).stdout
    for part in dict.fromkeys(column.part for column in COLUMNS):
        assert f"{part}:" in table
    assert table.count("RINV, published") == 1
    assert "All changes together, within 5 % of the cases:" in table
    assert "All changes together, within 50 cases:" in table
    frame = benchmark.frame(results)
    (row,) = frame.filter(frame["method"] == "change-points").to_dicts()
    assert (row["f1_50"], row["composed_f1_50"], row["sudden_f1"]) == (1, 1, 1)
    assert row["logs"] == 3
    assert "published" not in run_here("table", results, "--by", "log").stdout


def test_the_page_and_the_pictures_take_its_results(results, tmp_path):
    run_here("report", results, "-o", tmp_path / "page.html")
    assert "Change points" in (tmp_path / "page.html").read_text(encoding="utf-8")
    assert benchmark.plots(results, tmp_path / "pictures")


def test_the_same_draws_come_again(results, tmp_path):
    options = {"tasks": ["planted-three"], "methods": ["windows"], "draws": 1, "orders": 2}
    benchmark.run("change_points", logs=[results.parent / "orders.csv"], out=tmp_path / "again", **options)
    path = "orders/planted-three/windows.json"
    assert (tmp_path / "again" / path).read_bytes() == (results / path).read_bytes()


def test_what_cannot_be_done_is_refused(tmp_path):
    write_log(EventLog.from_traces([["a", "b"]] * 20), tmp_path / "few.csv")
    with pytest.raises(ActalikeError, match="cases"):
        benchmark.run("change_points", logs=[tmp_path / "few.csv"], out=tmp_path / "out")
    with pytest.raises(ActalikeError, match=TASKS[0]):
        benchmark.run("change_points", logs=[tmp_path / "few.csv"], out=tmp_path / "out", tasks=["planted"])
