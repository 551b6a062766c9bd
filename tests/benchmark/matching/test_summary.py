from actalike.benchmark.matching.summary import COLUMNS, PARTS, SUMMARIES, columns_of
from actalike.benchmark.tasks.matching_problems import KINDS, TASKS, takes_place
from actalike.benchmark.tasks.matching_scores import FIGURES

DERIVED = {"none_precision", "none_recall", "none_precision_often", "none_recall_often", "megabytes"}


def test_every_column_is_of_a_task_and_a_figure_that_exist():
    for summary in SUMMARIES:
        assert takes_place(summary.task, summary.kind), summary.name
        assert summary.figure in {*FIGURES, *DERIVED}
        assert summary.about


def test_columns_are_in_one_table_each():
    assert sorted(column for part in PARTS for column in columns_of(part)) == sorted(COLUMNS)
    assert len(set(COLUMNS)) == len(COLUMNS)


def test_every_task_and_every_kind_of_pairs_is_in_some_table():
    assert {summary.task for summary in SUMMARIES} == set(TASKS)
    assert {summary.kind for summary in SUMMARIES} == set(KINDS)
