from actalike.benchmark.anomalies.summary import COLUMNS, PARTS, SUMMARIES, columns_of
from actalike.benchmark.tasks.anomaly_scores import FIGURES
from actalike.benchmark.tasks.planted_anomalies import TASKS


def test_every_column_is_of_tasks_and_a_figure_that_exist():
    for summary in SUMMARIES:
        assert set(summary.tasks) <= set(TASKS), summary.name
        assert summary.figure in {*FIGURES, "megabytes"}, summary.name
        assert summary.about


def test_columns_are_in_one_table_each_and_every_task_is_in_some():
    assert sorted(column for part in PARTS for column in columns_of(part)) == sorted(COLUMNS)
    assert len(set(COLUMNS)) == len(COLUMNS)
    assert {task for summary in SUMMARIES for task in summary.tasks} == set(TASKS)
