from actalike.benchmark.labels.summary import COLUMNS, PARTS, SUMMARIES, columns_of, has_tally, log_family
from actalike.benchmark.labels.tasks import TASKS
from actalike.benchmark.tasks.label_scores import FIGURES


def test_every_column_is_of_tasks_and_figures_that_exist():
    for summary in SUMMARIES:
        assert any(summary.takes(task) for task in TASKS), summary.name
        assert summary.figure in FIGURES
        assert summary.about


def test_columns_are_in_one_table_each():
    assert [column for part in PARTS for column in columns_of(part)] == sorted(COLUMNS, key=lambda name: _place(name))
    assert len(set(COLUMNS)) == len(COLUMNS)


def _place(name):
    return next(place for place, part in enumerate(PARTS) if name in columns_of(part))


def test_every_task_is_in_some_table_and_splits_are_judged_for_calibration():
    assert all(any(summary.takes(task) for summary in SUMMARIES) for task in TASKS)
    assert [has_tally(task) for task in ("syn-case-2", "syn-part-1", "dis-1", "natural")] == [True, True, False, False]


def test_logs_of_one_challenge_are_one_family():
    assert {log_family(log) for log in ("BPIC12", "BPIC12_A", "BPIC12_W_Complete")} == {"BPIC12"}
    assert log_family("RTFM") == "RTFM"
