import pytest

from actalike import benchmark


@pytest.fixture(scope="module")
def results(anomaly_results):
    return benchmark.read(anomaly_results)


def test_a_table_has_a_part_for_each_question_that_has_an_answer(results):
    text = benchmark.table(results)
    titles = [line for line in text.splitlines() if line.endswith(":")]
    assert titles[0] == "BPAD's protocol, mean over the rates 0.05 to 0.45:"
    assert "Known labels and values, one kind alone: AP of cases:" in titles
    assert "Known labels and values: kinds as odd names them (columns), of planted cases (rows):" in titles
    assert "published" not in text  # no log of these has published figures
    header = text.splitlines()[2]
    assert "trace_share" in header
    assert "**0.1" not in text.split("trace_share")[0]
    (reasons,) = (part for part in text.split("\n\n") if "known_place_chance" in part)
    assert reasons.splitlines()[2].split(" | ")[2].strip()[0] == "0"  # a chance is no figure to be best in


def test_tables_have_intervals_logs_and_other_formats(results):
    assert "naive     | 2    | 0." in benchmark.table(results, intervals=True)
    assert "| orders" in benchmark.table(results, by="log")
    assert r"\begin{tabular}" in benchmark.table(results, form="latex")
    assert benchmark.table(results, form="csv").startswith("method,logs,failed,trace_ap,trace_ap_low")
