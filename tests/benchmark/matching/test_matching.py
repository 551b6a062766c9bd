"""The benchmark of matching as a user runs it, reads it and draws it."""

import json
from dataclasses import replace

import polars as pl
import pytest

from actalike import EventLog, benchmark, write_log
from actalike.benchmark.tasks.matching import COLUMNS, ECE
from actalike.benchmark.tasks.matching_problems import KINDS, TASKS, takes_place
from actalike.benchmark.tasks.matching_scores import FIGURES
from actalike.errors import ActalikeError
from tests.helpers.benchmark_runs import tree

SMALL = ("--methods", "profile", "--kinds", "codes", "time", "--tasks", "known-0", "--draws", "2")


def without_cost(folder):
    """All result files, without what depends on the machine."""
    contents = {name: json.loads(content) for name, content in tree(folder).items()}
    for content in contents.values():
        for one in content.get("participants", {}).values():
            for figures in one.get("figures", []):
                del figures["seconds"], figures["bytes"]
    return contents


def test_every_matcher_has_a_file_for_each_task_of_each_pair(matching_results):
    files = {name for name in tree(matching_results) if name.count("/") == 2}
    told, planted = ("known-0", "known-5", "known-10", "known-20"), ("known-0", "renamed-50", "split", "deleted-30")
    expected = {f"town1~town2/{task}/reader.json" for task in told}
    for name in ("profile", "even", "broken"):
        expected |= {f"town1~town2/{task}/{name}.json" for task in told}
        expected |= {f"town{i}~by-time/{task}/{name}.json" for i in (1, 2) for task in told}
        expected |= {f"town{i}~by-cases/{task}/{name}.json" for i in (1, 2) for task in planted}
    assert files == expected
    content = json.loads((matching_results / "town1~town2" / "known-0" / "profile.json").read_text())
    assert (content["at"], content["seed"], content["draws"]) == ({"kind": "codes", "family": "town1", "task": "known-0"}, 0, 2)
    (figures,) = content["participants"]["profile"]["figures"]
    assert (figures["hit1"], figures["seconds"] >= 0) == (1.0, True)
    broken = json.loads((matching_results / "town1~town2" / "known-0" / "broken.json").read_text())["participants"]["broken"]
    assert (broken["error"], broken["draw"]) == ("RuntimeError: no luck today", 0)


def test_readers_find_the_same_names_and_are_drawn_once_if_they_are_slow(matching_results):
    content = json.loads((matching_results / "town1~town2" / "known-20" / "reader.json").read_text())
    (figures,) = content["participants"]["reader"]["figures"]
    assert 0.7 < figures["hit1"] <= 1  # two steps have the same English name


def test_what_cannot_be_matched_is_refused(towns, tmp_path):
    write_log(EventLog.from_traces([["a", "b"]] * 5), tmp_path / "few.csv")
    with pytest.raises(ActalikeError, match="match"):
        benchmark.run("matching", logs=[tmp_path / "few.csv"], out=tmp_path / "out")
    with pytest.raises(ActalikeError, match="tme"):
        benchmark.run("matching", logs=[towns], out=tmp_path / "out", kinds=["tme"])


@pytest.fixture(scope="module")
def results(matching_results):
    return benchmark.read(matching_results)


def row_of(frame, method, log):
    return frame.row(by_predicate=(pl.col("method") == method) & (pl.col("log") == log), named=True)


def test_figures_of_a_pair_are_means_over_draws_of_one_kind_and_task(results):
    frame = results.by_log()
    profile = row_of(frame, "profile", "town1~town2")
    assert (profile["codes_hit1"], profile["time_hit1"], profile["codes_ece"]) == (1.0, None, None)
    draws = results.singles.filter(method="profile", log="town1~by-cases", task="deleted-30")
    assert row_of(frame, "profile", "town1~by-cases")["deleted30_none_ap"] == pytest.approx(draws["none_ap"].mean())
    assert profile["megabytes"] >= 0


def test_answers_without_a_partner_are_shares_over_all_draws(results):
    even = row_of(results.by_log(), "even", "town1~by-cases")
    draws = results.singles.filter(method="even", log="town1~by-cases", task="deleted-30")
    said, true, right = (draws[f"none_{name}"].sum() for name in ("said", "true", "right"))
    assert even["deleted30_none_precision"] == right / said
    assert even["deleted30_none_recall"] == right / true
    assert row_of(results.by_log(), "profile", "town1~by-cases")["deleted30_none_recall"] is None


def test_probabilities_are_judged_where_nothing_is_known(results):
    pairs, best = results.tally("even", "codes")
    assert best.n.sum() == 16
    assert row_of(results.by_log(), "even", "town1~town2")["codes_ece"] == pytest.approx(
        abs(pairs.positives.sum() / pairs.n.sum() - 0.25)
    )
    assert results.probable == ["even"]


def test_means_are_over_families_and_over_pairs_of_a_single_one(results):
    def of(log, family, hit1):
        part = results.singles.filter(method="profile", log="town1~town2", task="known-0")
        return part.with_columns(pl.lit(log).alias("log"), pl.lit(family).alias("family"), pl.lit(hit1).alias("hit1"))

    one = replace(results, singles=pl.concat([of("a~b", "BPIC15", 0.0), of("a~c", "BPIC15", 1.0)]), details={})
    mean = one.over_logs(resamples=50).row(0, named=True)
    assert (mean["logs"], mean["families"], mean["codes_hit1"]) == (2, 1, 0.5)
    assert mean["codes_hit1_low"] < 0.5 < mean["codes_hit1_high"]
    two = replace(one, singles=pl.concat([one.singles, of("x~y", "BPIC20", 1.0)]))
    assert two.over_logs(resamples=50)["codes_hit1"].to_list() == [0.75]


def test_failures_and_gaps_are_told(results):
    (gap,) = results.gaps()
    assert gap.startswith("broken failed on town1~by-cases deleted-30, town1~by-cases known-0, town1~by-cases renamed-50, ...")
    more = replace(results, requested=results.requested | {("zhu", "town1~town2", "known-0")})
    assert "1 of 65 results are not there yet, of zhu" in more.gaps()[0]


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


def test_every_picture_that_the_results_have_is_drawn(matching_results):
    pictures = benchmark.read(matching_results).pictures()
    assert list(pictures) == ["partners_codes", "partners_time", "partners_cases", "known_pairs", "reliability"]
    titles = ["codes_hit1", "codes_hit5", "codes_mrr", "codes_one", "codes_events", "codes_often"]
    assert [axes.get_title() for axes in pictures["partners_codes"].axes] == titles
    assert {text.get_text() for text in pictures["known_pairs"].axes[0].get_legend().get_texts()} == {"even", "profile", "reader"}
    assert len(pictures["reliability"].axes) == 3


def test_the_page_has_a_column_for_each_figure_that_somebody_has(matching_results):
    by_title = {column.title: column for column in benchmark.read(matching_results).page_columns()}
    assert list(by_title) == [
        "codes_hit1", "codes_one", "codes_events", "codes_known10_hit1", "time_hit1", "time_one", "cases_hit1", "cases_one",
        "renamed50_hit1", "split_f", "codes_surest25", "seconds",
    ]  # fmt: skip
    assert by_title["codes_hit1"].table["method"].to_list() == ["even", "profile", "reader"]
    assert {column.kind for column in by_title.values()} == {"share", "seconds"}


def test_every_column_is_of_a_task_and_a_figure_that_exist_and_every_task_is_in_some_table():
    derived = {"none_precision", "none_recall", "none_precision_often", "none_recall_often", "megabytes", *ECE}
    seen = set()
    for column in COLUMNS:
        (kind,), (task,) = column.units["kind"], column.units["task"]
        assert takes_place(task, kind), column.name
        assert column.figure in {*FIGURES, *derived}
        assert column.about
        seen |= {kind, task}
    assert len({column.name for column in COLUMNS}) == len(COLUMNS)
    assert seen == {*TASKS, *KINDS}
