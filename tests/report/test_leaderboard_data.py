"""What the benchmark page is given, against the results."""

import base64

import pytest

from actalike import ActalikeError, benchmark
from actalike.benchmark.scoring import draws
from actalike.demo.loan_desk import loan_desk
from actalike.report.leaderboard_data import leaderboard_data


@pytest.fixture(scope="module")
def data(folders):
    return leaderboard_data(list(folders.values()))


def test_all_figures_are_in_the_data(folders, data):
    logs, methods = [log["name"] for log in data["logs"]], [method["name"] for method in data["methods"]]
    kinds = {"Intrinsic": "intrinsic", "Speed": "efficiency", "Next activity": "prediction"}
    seen = 0
    for column in data["columns"]:
        table = benchmark.read(folders[kinds[column["of"]]]).by_log()
        figure = {"seconds": "seconds", "memory": "rise_bytes"}.get(column["title"], column["title"])
        if column["of"] == "Next activity":
            table, figure = table.filter(table["model"] == column["title"]), "accuracy"
        for row in table.iter_rows(named=True):
            assert column["values"][methods.index(row["method"])][logs.index(row["log"])] == row[figure]
            seen += 1
    assert seen > 60
    assert {log["name"] for log in data["logs"] if log["complex"]} >= {"loan"}
    assert next(log for log in data["logs"] if log["name"] == "loan")["activities"] == len(loan_desk(60).activities)


def test_a_value_that_is_missing_is_null(folders, data):
    names = [method["name"] for method in data["methods"]]
    column = next(column for column in data["columns"] if column["title"] == "I_nn")
    computed = benchmark.read(folders["intrinsic"]).by_log()
    computed = {(row["method"], row["log"]) for row in computed.iter_rows(named=True) if row["I_nn"] is not None}
    assert sum(value is not None for row in column["values"] for value in row) == len(computed)
    assert len(column["values"]) == len(names)
    assert {len(row) for row in column["values"]} == {len(data["logs"])}


def test_methods_are_in_the_order_of_their_numbers_with_what_filters_know(data):
    methods = {method["name"]: (method["family"], method["window"]) for method in data["methods"]}
    assert [name for name in methods if name.startswith("aa-")] == ["aa-sequence-pmi-w3", "aa-sequence-pmi-w5"]
    assert methods["kin-w5"] == ("kin", 5)
    assert methods["one-hot"] == ("one-hot", None)


def test_failures_point_at_their_method_and_log(data):
    failures = [failure for failure in data["failures"] if failure["of"] == "intrinsic"]
    assert {data["methods"][failure["method"]]["name"] for failure in failures} == {"broken"}
    assert {data["logs"][failure["log"]]["name"] for failure in failures} == {"loan", "plain"}
    assert all("no luck" in failure["error"] for failure in failures)
    assert any(gap.startswith("intrinsic: ") and "broken failed on" in gap for gap in data["gaps"])


def test_the_draws_of_the_intervals_are_those_of_the_tables(data):
    assert list(data["draws"]) == [str(n) for n in range(2, len(data["logs"]) + 1)]
    assert base64.b64decode(data["draws"]["3"]) == draws(3).astype("uint8").tobytes()


def test_a_folder_says_what_its_results_have_in_common(data):
    assert [plan.partition(":")[0] for plan in data["plans"]] == ["intrinsic", "prediction", "efficiency"]
    assert "samples 2" in data["plans"][0]


def test_the_order_of_the_folders_means_nothing(folders, data):
    assert leaderboard_data(list(folders.values())[::-1]) == data


def test_one_folder_of_each_benchmark(folders):
    with pytest.raises(ActalikeError, match="intrinsic"):
        leaderboard_data([folders["intrinsic"], folders["intrinsic"]])


def test_a_benchmark_of_a_later_version_is_refused(tmp_path):
    (tmp_path / "benchmark.json").write_text('{"benchmark": "beauty", "format": 1}')
    with pytest.raises(ActalikeError, match="beauty"):
        leaderboard_data([tmp_path])
