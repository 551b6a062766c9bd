import pytest

from actalike import benchmark


@pytest.fixture(scope="module")
def results(matching_results):
    return benchmark.read(matching_results)


def test_a_table_has_a_part_for_each_question_that_has_an_answer(results):
    text = benchmark.table(results)
    titles = [line for line in text.splitlines() if line.endswith(":")]
    assert titles[0] == "Two logs of BPIC15, nothing known:"
    assert {"No partner:", "Pairs, many to one:", "Confidence:", "Halves by cases, some labels renamed:"} <= set(titles)
    assert not any("BPIC20" in title for title in titles)
    assert any(
        title.startswith("Reliability of even, proposed pairs, Two logs of BPIC15, nothing known (ECE") for title in titles
    )
    assert "†" not in text.split("\n\n")[1]  # readers take part in fewer kinds of pairs, and in all of this one
    assert "reader" in text.split("\n\n")[1]


def test_tables_have_intervals_pairs_and_other_formats(results):
    assert "profile | 1    | 1.000" in benchmark.table(results, intervals=True)
    assert "| town1~by-time" in benchmark.table(results, by="log")
    assert r"\begin{tabular}" in benchmark.table(results, form="latex")
    assert benchmark.table(results, form="csv").startswith("method,logs,families,failed,codes_hit1,codes_hit1_low")
