"""Every command, run as a user runs it."""

import json
import os
import subprocess
import sys

import pytest

import actalike
from actalike import EventLog, write_log
from actalike.demo import loan_desk


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "actalike", *map(str, arguments)],
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
        **options,
    )


def ok(*arguments, **options):
    done = run(*arguments, **options)
    said = [line for line in done.stderr.splitlines() if "may be too narrow" not in line and "--min-cases" not in line]
    assert (done.returncode, said) == (0, []), done
    return done.stdout


def fails(*arguments, code=1, **options):
    done = run(*arguments, **options)
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    if code == 1:
        assert done.stderr.startswith("actalike: ")
        assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("cli") / "loan.xes.gz"
    write_log(loan_desk.loan_desk(200), path)
    return path


def test_similar_shows_the_most_alike_pairs(log):
    lines = ok("similar", log, "--top", 3).splitlines()
    assert lines[0].split() == ["alike", "between", "activity", "events", "activity", "events"]
    assert len(lines) == 4
    without = ok("similar", log, "--top", 3, "--resamples", 0).splitlines()
    assert without[0].split() == ["alike", "activity", "events", "activity", "events"]
    facts = json.loads(ok("similar", log, "-n", 3, "--json"))
    expected = actalike.embed(actalike.read_log(log)).most_similar_pairs(3)
    assert [(p["a"], p["b"], p["similarity"]) for p in facts["pairs"]] == expected
    assert facts["method"] == actalike.DEFAULT_METHOD
    assert all(p["low"] <= p["similarity"] <= p["high"] for p in facts["pairs"] if not p["too_rare"])
    assert not all(p["too_rare"] for p in facts["pairs"])


def test_rare_activities_are_said_to_be_rare_and_can_be_left_out(tmp_path):
    path = tmp_path / "log.csv"
    write_log(EventLog.from_traces([["x", "a", "y"]] * 9 + [["x", "b", "y"]] * 9 + [["x", "c", "y"], ["x", "d", "y"]]), path)
    assert "too rare to judge" in ok("similar", path, "c")
    write_log(EventLog.from_traces([["x", "a"], ["x", "b"]]), tmp_path / "few.csv")
    assert "--min-cases 5" in run("similar", tmp_path / "few.csv").stderr
    assert "too rare to judge: they are in 9 and 1 cases" in ok("explain", path, "a", "c")
    assert "between 0." in ok("explain", path, "a", "b")
    shown = json.loads(ok("similar", path, "--min-cases", 5, "--json"))["pairs"]
    assert {p["a"] for p in shown} | {p["b"] for p in shown} == {"a", "b", "x", "y"}
    assert next(n["activity"] for n in json.loads(ok("similar", path, "a", "--min-cases", 9, "--json"))["most_similar"]) == "b"
    actalike.embed(actalike.read_log(path)).save(tmp_path / "e.actalike")
    assert "--min-cases means nothing" in fails("similar", tmp_path / "e.actalike", "--min-cases", 5)


def test_bounds_of_other_methods_than_kin_come_with_a_warning(log):
    assert "may be too narrow" in run("similar", log, "--method", "aa-sequence-pmi-w3").stderr
    assert not run("similar", log).stderr
    assert not run("similar", log, "--method", "aa-sequence-pmi-w3", "--resamples", 0).stderr


def test_similar_shows_the_neighbours_of_an_activity(log):
    assert "Transfer loan" in ok("similar", log, "Pay out", "-n", 1)
    facts = json.loads(ok("similar", log, "Pay out", "--method", "ac-sequence-pmi-w5", "--json"))
    assert facts["method"] == "ac-sequence-pmi-w5"
    assert facts["most_similar"][0]["activity"] == "Transfer loan"


def test_explain_shows_shares_and_common_contexts(log):
    text = ok("explain", log, "Pay out", "Transfer loan", "--method", "ac-sequence-pmi-w3")
    assert text.startswith("Pay out and Transfer loan are alike by 0.")
    assert "Sign contract → ● → Close file" in text
    facts = json.loads(ok("explain", log, "Pay out", "Transfer loan", "-n", 2, "--json"))
    total = sum(s["share"] for s in facts["shares"]) + facts["share_of_the_rest"]
    assert total == pytest.approx(facts["similarity"], abs=1e-12)
    assert set(facts["common_contexts"][0]) == {"context", "count_a", "count_b"}


def test_the_common_contexts_are_of_the_methods_kind(tmp_path):
    write_log(EventLog.from_traces([["x", "a", "y"], ["y", "b", "x"]]), tmp_path / "log.csv")
    text = ok("explain", tmp_path / "log.csv", "a", "b", "-m", "ac-multiset-raw-w3")
    assert "1  1  {x, y}" in text
    assert "no context in common" in ok("explain", tmp_path / "log.csv", "a", "b", "-m", "ac-sequence-raw-w3")


def test_refined_methods_are_named_like_any_other(log):
    refined = "ac-sequence-pmi-w5+shift2+smooth0.75"
    assert json.loads(ok("similar", log, "-m", refined, "--json"))["method"] == refined
    contexts = [
        json.loads(ok("explain", log, "Pay out", "Transfer loan", "-m", name, "--json"))["common_contexts"]
        for name in (refined, "ac-sequence-pmi-w5")
    ]
    assert contexts[0] == contexts[1]
    assert "28 activities x 4 dimensions" in ok("embed", log, "-m", "aa-sequence-pmi-w3+svd4", "-o", log.with_suffix(".csv"))
    said = fails("explain", log, "Pay out", "Transfer loan", "-m", "aa-sequence-pmi-w3+svd4")
    assert "aa-sequence-pmi-w3+svd4 cannot explain itself" in said
    assert "kin-w5 has no switch +svd" in fails("similar", log, "-m", "kin-w5+svd4")


def test_a_single_activity_has_no_pairs(tmp_path):
    write_log(EventLog.from_traces([["a"]]), tmp_path / "log.csv")
    assert "no two activities" in ok("similar", tmp_path / "log.csv")


def test_a_terminal_that_is_not_utf8_is_no_obstacle(log):
    shown = ok("explain", log, "Pay out", "Transfer loan", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert "\\u25cf" in shown


@pytest.mark.parametrize("ending", [".actalike", ".csv", ".parquet", ".vec", "/"])
def test_embed_writes_every_format(log, tmp_path, ending):
    target = f"{tmp_path}/vectors{ending}"
    assert "28 activities x 28 dimensions" in ok("embed", log, "-o", target)
    facts = json.loads(ok("embed", log, "-o", target, "--json"))
    assert facts == {"method": "kin-w5", "activities": 28, "dimensions": 28, "output": target}
    assert os.path.exists(target)


def test_a_saved_embedding_or_table_stands_for_the_log(log, tmp_path):
    ok("embed", log, "-o", tmp_path / "e.actalike")
    actalike.count_windows(actalike.read_log(log), 9).save(tmp_path / "c.actalike")
    assert json.loads(ok("similar", tmp_path / "c.actalike", "--json")) == json.loads(
        ok("similar", log, "--resamples", 0, "--json")
    )
    assert json.loads(ok("explain", tmp_path / "c.actalike", "Pay out", "Transfer loan", "--json"))["common_contexts"]
    pairs = [(p["a"], p["b"]) for p in json.loads(ok("similar", tmp_path / "e.actalike", "--json"))["pairs"]]
    assert pairs == [(p["a"], p["b"]) for p in json.loads(ok("similar", log, "--json"))["pairs"]]
    assert "alike by" in ok("explain", tmp_path / "e.actalike", "Pay out", "Transfer loan")
    assert "--case, --lifecycle" in fails("similar", tmp_path / "e.actalike", "--case", "x", "--lifecycle", "complete")
    assert "give the log itself" in fails("similar", tmp_path / "e.actalike", "-m", "ac-sequence-raw-w3")


def test_the_state_of_a_stream_stands_for_the_log_so_far(log, tmp_path):
    read, stream = actalike.read_log(log), actalike.StreamCounter(9)
    stream.add([i for i, trace in enumerate(read.traces()) for _ in trace], [label for trace in read.traces() for label in trace])
    stream.save(tmp_path / "s.actalike")
    assert json.loads(ok("similar", tmp_path / "s.actalike", "--json")) == json.loads(
        ok("similar", log, "--resamples", 0, "--json")
    )
    actalike.StreamCounter(9).save(tmp_path / "s.actalike")
    assert "nothing to compare" in fails("similar", tmp_path / "s.actalike")


def test_methods_lists_all():
    assert "kin-w5  (default)" in ok("methods").splitlines()
    facts = json.loads(ok("methods", "--json"))
    assert facts["methods"] == actalike.method_names()


def test_datasets_lists_and_checks(log_file, tmp_path):
    assert len(ok("datasets").splitlines()) == 30
    assert len(json.loads(ok("datasets", "--json"))) == 29
    (tmp_path / "BPIC13_open_problems.xes.gz").write_bytes(log_file("BPIC13_open_problems").read_bytes())
    assert "BPIC13_open_problems              ok" in ok("datasets", "check", tmp_path)
    checks = json.loads(ok("datasets", "check", tmp_path, "--json"))
    assert [c["name"] for c in checks if c["verdict"] == "ok"] == ["BPIC13_open_problems"]
    (tmp_path / "Helpdesk.xes").write_text("<log>")
    done = run("datasets", "check", tmp_path)
    assert done.returncode == 1
    assert "unreadable" in done.stdout


def test_an_empty_folder_of_datasets_is_an_error(tmp_path):
    done = run("datasets", "check", tmp_path)
    assert done.returncode == 1
    assert "holds none of the logs" in done.stderr


def test_demo_shows_pairs_an_explanation_and_a_picture(tmp_path):
    text = ok("demo", "-o", tmp_path / "out")
    assert "Which activities act alike?" in text
    assert "They keep the same company" in text
    assert (tmp_path / "out" / "activity_map.png").stat().st_size > 10_000
    assert f"The report, a page for the browser: {tmp_path / 'out' / 'report.html'}" in text
    assert "</html>" in (tmp_path / "out" / "report.html").read_text()
    assert "Transfer loan" in ok("similar", tmp_path / "out" / "loan_desk.xes.gz", "Pay out")
    facts = json.loads(ok("demo", "-o", tmp_path / "out", "--json"))
    assert facts["statistics"]["cases"] == 600


def test_report_writes_a_page_and_says_what_is_in_it(log, tmp_path):
    page = tmp_path / "report.html"
    text = ok("report", log, "-o", page)
    assert text.startswith(f"{page}: 28 activities, ")
    facts = json.loads(ok("report", log, "-o", tmp_path / "again.html", "--json"))
    assert facts["bytes"] == page.stat().st_size
    assert page.read_bytes() == (tmp_path / "again.html").read_bytes()
    assert (facts["activities"], facts["proposals"]) == (28, len(actalike.group(actalike.read_log(log))))
    other = json.loads(ok("report", log, "-o", page, "-m", "substitution-w3", "--json"))
    assert (other["method"], other["proposals"]) == ("substitution-w3", 0)


def test_reading_options_reach_the_reader(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("Order;Step;When;State\n1;b;02.01.2024;start\n1;a;01.01.2024;complete\n")
    columns = ("--case", "Order", "--activity", "Step", "--timestamp", "When", "--timestamp-format", "%d.%m.%Y")
    facts = json.loads(ok("similar", path, *columns, "--transition", "State", "--lifecycle", "append", "--json"))
    assert {facts["pairs"][0]["a"], facts["pairs"][0]["b"]} == {"a+complete", "b+start"}


@pytest.mark.parametrize(
    "command",
    [
        (),
        ("similar",),
        ("explain",),
        ("embed",),
        ("count",),
        ("methods",),
        ("datasets",),
        ("datasets", "check"),
        ("demo",),
        ("report",),
        ("group",),
        ("relabel",),
        ("plot", "zipf"),
    ],
)
def test_help_shows_examples(command):
    text = ok(*command, "--help")
    assert "Usage: actalike" in text
    if command:
        assert "xample" in text


def test_version():
    assert ok("--version").strip() == f"actalike {actalike.__version__}"


class TestErrors:
    def test_unknown_activity(self, log):
        assert "Did you mean 'Pay out'?" in fails("similar", log, "pay ot")
        assert "Did you mean 'Pay out'?" in fails("explain", log, "Pay out", "Pay ot")

    def test_unknown_method(self, log):
        assert "No method is called 'w2v'" in fails("similar", log, "-m", "w2v")

    def test_missing_and_cut_off_files(self, log, tmp_path):
        assert "cannot be read: No such file" in fails("similar", tmp_path / "none.xes")
        (tmp_path / "cut.xes.gz").write_bytes(log.read_bytes()[:5000])
        assert "cut off" in fails("similar", tmp_path / "cut.xes.gz")

    def test_wrong_columns(self, tmp_path):
        (tmp_path / "log.csv").write_text("case,activity\n1,a\n")
        assert "has no column 'nr'" in fails("similar", tmp_path / "log.csv", "--case", "nr")

    def test_wrong_outputs(self, log, tmp_path):
        assert "must end in .actalike" in fails("embed", log, "-o", tmp_path / "x.txt")
        assert "cannot be written" in fails("embed", log, "-o", tmp_path / "no" / "x.actalike")
        assert "should end in .html" in fails("report", log, "-o", tmp_path / "x.pdf")
        assert "There is no folder" in fails("report", log, "-o", tmp_path / "no" / "x.html")
        assert "needs the log itself" in fails("report", tmp_path / "x.actalike", "-o", tmp_path / "x.html")
        assert "No method" in fails("report", log, "-o", tmp_path / "x.html", "-m", "w2v")
        (tmp_path / "file").touch()
        assert "cannot be made" in fails("demo", "-o", tmp_path / "file")

    def test_wrong_calls(self, log):
        fails("similar", code=2)
        fails("similar", log, "--lifecycle", "sometimes", code=2)
        fails("nonsense", code=2)
        fails("similar", log, "--top", "0", code=2)

    def test_labels_cannot_command_the_terminal(self, tmp_path):
        write_log(EventLog.from_traces([["\x1b[31mred\x1b[0m", "b"]]), tmp_path / "log.csv")
        assert "\x1b" not in ok("similar", tmp_path / "log.csv")
        assert "\x1b" not in fails("similar", tmp_path / "log.csv", "\x1b[31mre")

    def test_a_closed_pipe_is_quiet(self, log):
        command = f"{sys.executable} -m actalike similar {log} --top 10000 --json | head -n 1"
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        assert done.stderr == ""
