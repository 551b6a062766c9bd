import pytest

from tests.helpers.scheduling import LONGEST, group_of, start_order


@pytest.mark.parametrize(
    ("test", "group"),
    [
        ("tests/counting/engines/test_sessions.py::test_spark_reads_labels_as_texts_too", "spark"),
        ("tests/counting/engines/test_every_engine.py::test_every_engine_counts_real_logs[spark-BPIC15_1]", "spark"),
        ("tests/counting/engines/test_every_engine.py::test_every_engine_counts_real_logs[duckdb-BPIC15_1]", "real logs"),
        ("tests/counting/engines/test_every_engine.py::test_every_engine_counts_real_logs[ibis-postgres-BPIC15_1]", "postgres"),
        (
            "tests/counting/engines/test_ibis_sessions.py::test_wrong[postgres---memory is for --engine duckdb and spark]",
            "postgres",
        ),
        (
            "tests/counting/engines/test_every_engine.py::test_an_empty_frame_is_an_error[polars]",
            "tests/counting/engines/test_every_engine.py",
        ),
        ("tests/io/test_xes.py::test_real_logs_are_read_as_the_reference_reads_them[CCC19]", "real logs"),
        ("tests/report/test_page.py::test_four_hundred_activities_have_a_report", "browser"),
        ("tests/report/test_compare_page.py::test_either_side_can_be_changed_to_a_group_or_a_label", "browser"),
        ("tests/methods/test_label_text.py::test_x", "learned methods"),
        ("src/actalike/errors.py::actalike.errors.did_you_mean", "doctests"),
    ],
)
def test_tests_that_share_something_are_together(test, group):
    assert group_of(test) == group


def test_what_takes_long_starts_first():
    tests = [
        "tests/io/test_read.py::test_x",
        "tests/cli/test_plot.py::test_x",
        "tests/counting/engines/test_every_engine.py::test_x[spark]",
    ]
    assert sorted(tests, key=start_order) == tests[::-1]
    assert start_order("tests/io/test_read.py::test_x") == len(LONGEST)
