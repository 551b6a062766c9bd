"""The benchmark of labels as a user runs it, reads it and draws it."""

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest

from actalike import EventLog, benchmark, write_log
from actalike.benchmark.logs import find_logs
from actalike.benchmark.task import Source
from actalike.benchmark.tasks.known_labels import NAME_ATTRIBUTE
from actalike.benchmark.tasks.label_scores import FIGURES
from actalike.benchmark.tasks.labels import (
    COLUMNS,
    CURVES,
    PUBLISHED_F,
    PUBLISHED_SETTINGS,
    TASKS,
    LabelOptions,
    Labels,
    Prepared,
    counts_for_calibration,
    find_tasks,
    is_planted,
    takes_place,
)
from actalike.benchmark.tasks.planted_labels import recipe
from actalike.errors import ActalikeError
from tests.helpers.benchmark_runs import run_here, tree


def participants(path):
    return json.loads(path.read_text())["participants"]


SMALL = ("--methods", "contrast", "trigrams", "--recipes", "syn-case-2", "unplanted", "--draws", "2")


def test_all_participants_of_a_task_are_in_one_file(label_results):
    files = {name for name in tree(label_results) if name.count("/") == 2}
    assert files == {f"desk/{task}/_all.json" for task in ("syn-case-2", "syn-period-2", "dis-5", "unplanted", "swiftmend-40-30")}
    content = json.loads((label_results / "desk" / "syn-case-2" / "_all.json").read_text())
    assert (content["at"], content["seed"], content["draws"]) == ({"task": "syn-case-2"}, 0, 2)
    of = content["participants"]
    assert list(of) == ["broken", "even", "kin-w3", "silent"]
    assert [of_draw["nn"] for of_draw in of["kin-w3"]["figures"]] == [1.0, 1.0]
    assert of["kin-w3"]["parameters"]["window"] == 3
    assert (of["broken"]["error"], of["broken"]["draw"]) == ("RuntimeError: no luck today", 0)


def test_what_is_there_is_not_computed_again_and_more_methods_join(desk_file, tmp_path):
    call = ("labels", "--logs", desk_file, "--out", tmp_path / "out")
    first = json.loads(run_here(*call, *SMALL, "--json").stdout)
    assert (first["cells"], first["computed"], first["failed"]) == (2, 2, [])
    before = participants(tmp_path / "out" / "desk" / "unplanted" / "_all.json")
    assert json.loads(run_here(*call, *SMALL, "--json").stdout)["computed"] == 0
    run_here(*call, "--methods", "one-hot", *SMALL[3:])
    after = participants(tmp_path / "out" / "desk" / "unplanted" / "_all.json")
    assert set(after) == {*before, "one-hot"}
    assert {name: after[name] for name in before} == before
    assert "of another plan (draws 2, not 3)" in run_here(*call, *SMALL[:-1], "3", code=1).stderr


def test_failed_groupers_are_named_and_tried_again_if_asked(desk_file, tmp_path):
    plugin = desk_file.parent / "own_groupers.py"
    call = ("labels", "--logs", desk_file, "--out", tmp_path / "out", "--plugin", plugin, "--recipes", "unplanted")
    shown = run_here(*call, "--methods", "broken", "silent").stdout
    assert "broken failed on desk: RuntimeError: no luck today" in shown
    assert json.loads(run_here(*call, "--methods", "broken", "--json").stdout)["computed"] == 0
    assert json.loads(run_here(*call, "--methods", "broken", "--json", "--retry-failed").stdout)["computed"] == 1


def test_a_log_without_what_the_tasks_need_is_refused(tmp_path):
    write_log(EventLog.from_traces([["a", "b"]] * 5), tmp_path / "few.csv")
    with pytest.raises(ActalikeError, match="natural"):
        benchmark.run("labels", logs=[tmp_path / "few.csv"], out=tmp_path / "out", recipes=["syn-period-2", "natural"])


def test_a_method_that_reads_labels_is_given_the_words_of_the_log(desk_file, tmp_path):
    seen = {}

    class Reader:
        def __init__(self, reads_labels):
            self.reads_labels = reads_labels

        def fit(self, log):
            seen[self.reads_labels] = log.activities
            self.scores_, self.groups_ = None, []
            return self

        def __deepcopy__(self, memo):
            return self

    benchmark.register("grouper", "reader", lambda: Reader(True))
    benchmark.register("grouper", "listener", lambda: Reader(False))
    benchmark.run(
        "labels", logs=[desk_file], out=tmp_path / "out", methods=["reader", "listener"], recipes=["syn-case-2"], draws=1
    )
    assert {"check", "close", "open"} & set(seen[True])
    assert all(label.startswith("step ") for label in seen[False])


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
        *["syn-part-3", "syn-part-10", "syn-part-30"],
        *["voc-site-3", "voc-site-8", "voc-site-all", "slip-2", "slip-5", "slip-8", "dis-5"],
        *[task for task in TASKS if task.startswith("pol-") and not task.endswith("of10")],
        *["trap-codes", "trap-order", "unplanted"],
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


@pytest.fixture(scope="module")
def results(label_results):
    return benchmark.read(label_results)


def test_figures_are_means_over_draws_and_tasks(results):
    kin = results.by_log().row(by_predicate=pl.col("method") == "kin-w3", named=True)
    assert (kin["case"], kin["whole_2"]) == (1.0, 1.0)
    tasks = results.by_unit().filter(method="kin-w3", task="syn-period-2")
    assert kin["period"] == tasks["nn"].item() < 1
    assert kin["natural"] is None
    assert kin["ece"] is None
    silent = results.by_log().row(by_predicate=pl.col("method") == "silent", named=True)
    assert {value for name, value in silent.items() if name not in ("method", "log")} == {None}


def test_probabilities_are_judged_on_splits(results):
    even = results.by_log().row(by_predicate=pl.col("method") == "even", named=True)
    pairs, likely, nearest = results.curves("even").values()
    share = pairs.positives.sum() / pairs.n.sum()
    assert even["ece"] == pytest.approx(abs(share - 0.25))
    assert nearest.n.sum() == 2 * 2 * 4  # tasks, draws, planted names
    assert likely.n.sum() == pairs.n.sum()  # all have a probability of 0.25
    assert even["ece_likely"] == even["ece"]
    assert len(results.pictures()["reliability"].axes) == 3
    assert results.probable == ["even"]


def test_logs_of_a_family_count_as_one(results):
    def of(log, nn):
        return results.singles.filter(pl.col("method") == "kin-w3").with_columns(pl.lit(log).alias("log"), pl.lit(nn).alias("nn"))

    singles = pl.concat([of("BPIC15_1", 0.0), of("BPIC15_2", 1.0), of("Helpdesk", 1.0)])
    several = replace(results, singles=singles, details={})
    mean = several.over_logs(resamples=50).row(0, named=True)
    assert (mean["logs"], mean["families"], mean["case"]) == (3, 2, 0.75)
    assert 0.5 <= mean["case_low"] <= mean["case_high"] <= 1
    by_recipe = several.by_recipe()
    assert by_recipe.filter(pl.col("task") == "syn-case-2")["nn"].to_list() == [0.75]


def test_failures_and_gaps_are_told(results):
    (gap,) = results.gaps()
    assert gap.startswith(
        "broken failed on desk dis-5, desk swiftmend-40-30, desk syn-case-2, ... (not in its means): RuntimeError"
    )
    more = replace(results, requested=results.requested | {("zhu", "desk", "natural")})
    assert "1 of 21 results are not there yet, of zhu" in more.gaps()[0]
    assert results.over_logs(10).filter(pl.col("method") == "broken")["failed"].to_list() == [1]


def test_a_table_has_a_part_for_each_question_that_has_an_answer(results):
    text = benchmark.table(results)
    titles = [line for line in text.splitlines() if line.endswith(":")]
    assert titles == [
        "Nearest neighbour, by recipe:", "Groups:", "Pairs of labels:", "Accepted without asking:",
        "What else is proposed:", "Calibration:",
        *[line for line in titles if line.startswith("Reliability of even")],
    ]  # fmt: skip
    assert "silent" not in text
    assert "natural" not in text


def test_published_figures_stand_beside_ours_on_their_log(results):
    from dataclasses import replace

    renamed = replace(results, singles=results.singles.with_columns(pl.lit("Hospital_Billing").alias("log")), details={})
    text = benchmark.table(renamed)
    assert "Hospital_Billing, labels split as in SwiftMend's logs" in text
    assert "| SwiftMend, published             | 0.801" in text


def test_every_picture_that_the_results_have_is_drawn(label_results):
    results = benchmark.read(label_results)
    pictures = results.pictures()
    assert list(pictures) == ["nearest_neighbour", "groups", "nearest_neighbour_by_recipe", "reliability"]
    assert [axes.get_title() for axes in pictures["nearest_neighbour"].axes] == ["case", "period", "distorted"]
    assert [text.get_text() for text in pictures["reliability"].axes[0].get_legend().get_texts()] == ["even"]


def test_without_a_value_there_is_nothing_to_draw(label_results, tmp_path):
    results = benchmark.read(label_results)
    failures = replace(results, singles=results.singles.filter(pl.col("method") == "broken"), details={})
    with pytest.raises(ActalikeError, match="draw"):
        benchmark.plots(failures, tmp_path)


def test_the_page_has_a_column_for_each_figure_that_somebody_has(label_results):
    by_title = {column.title: column for column in benchmark.read(label_results).page_columns()}
    assert list(by_title) == ["case", "period", "whole_2", "f"]
    assert by_title["case"].table["method"].to_list() == ["even", "kin-w3"]
    assert all(column.kind == "share" and column.about for column in by_title.values())


def test_every_column_is_of_tasks_and_figures_that_exist_and_every_task_is_in_some_table():
    for column in COLUMNS:
        assert any(column.takes({"task": task}) for task in TASKS), column.name
        assert column.figure in (*FIGURES, *CURVES)
        assert column.about
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)
    assert all(any(column.takes({"task": task}) for column in COLUMNS) for task in TASKS)
    assert [counts_for_calibration(task) for task in ("syn-case-2", "syn-part-1", "dis-1", "natural")] == [
        True,
        True,
        False,
        False,
    ]


def test_what_is_not_planted_is_done_once(desk_file):
    task = Labels(LabelOptions(draws=7))
    prepared = task.read(find_logs([desk_file], lambda entry: True), "desk")
    draws = {unit.name: unit.draws for unit in task.units({"desk": Source("desk", prepared, "digest")})}
    assert (draws["syn-case-2"], draws["unplanted"]) == (7, 1)
    assert "natural" not in draws


@pytest.mark.parametrize("setting", PUBLISHED_SETTINGS)
def test_every_published_setting_is_a_recipe(setting):
    assert recipe(f"swiftmend-{setting}").share_of_labels
    assert all(len(values) == len(PUBLISHED_SETTINGS) for values in PUBLISHED_F.values())
