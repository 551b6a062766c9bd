"""How commands read what they are given: logs by their options, a second log by its own, saved files."""

import inspect
import json
import logging
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

import actalike
from actalike import ActalikeError, count_windows, read_log
from actalike.cli.options import (
    ReadingOptions,
    SourceOptions,
    of_second,
    open_source,
    read_second,
    with_attribute_options,
    with_reading_options,
)
from tests.helpers.commands import fails, ok, refuses, run
from tests.helpers.damaged_files import contents, write_unchecked


def test_reading_options_reach_the_reader(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("Order;Step;When;State\n1;b;02.01.2024;start\n1;a;01.01.2024;complete\n")
    columns = ("--case", "Order", "--activity", "Step", "--timestamp", "When", "--timestamp-format", "%d.%m.%Y")
    facts = json.loads(ok("similar", path, *columns, "--transition", "State", "--lifecycle", "append", "--json"))
    assert {facts["pairs"][0]["a"], facts["pairs"][0]["b"]} == {"a+complete", "b+start"}


def test_wrong_columns_are_errors(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity\n1,a\n")
    assert "has no column 'nr'" in fails("similar", tmp_path / "log.csv", "--case", "nr")


def test_options_that_were_given_are_known():
    assert ReadingOptions().changed() == []
    assert ReadingOptions(lifecycle="ignore").changed() == []
    assert ReadingOptions(case="Order", timestamp_format="%Y").changed() == ["--case", "--timestamp-format"]
    assert SourceOptions(engine="duckdb", memory="1GB").changed() == ["--engine", "--memory"]


@pytest.mark.parametrize("option", ["--no-quiet", "--no-trust-views"])
def test_a_switch_has_no_opposite(log, option):
    assert f"No such option: {option}" in " ".join(refuses("similar", log, option).split())


def test_one_order_is_that_of_the_log(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("case,activity,timestamp\n1,b,2024-01-02\n1,a,2024-01-01\n")
    assert list(ReadingOptions(order=["file"]).read(path).traces()) == [["b", "a"]]
    assert list(ReadingOptions(order=["time"]).read(path).traces()) == [["a", "b"]]
    with pytest.raises(ActalikeError, match="once"):
        ReadingOptions(order=["file", "time"]).read(path)


def test_options_of_engines_need_an_engine(log):
    assert "--table, --memory needs --engine" in fails("similar", log, "--table", "events", "--memory", "1GB")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"master": "yarn"}, "master"),
        ({"order": ["at"], "timestamp": "at"}, "timestamp"),
    ],
)
def test_options_that_mean_nothing_to_an_engine_are_errors(tmp_path, options, words):
    (tmp_path / "log.csv").write_text("case,activity,at\n1,a,1\n")
    with pytest.raises(ActalikeError, match=words):
        SourceOptions(engine="duckdb", **options).count(str(tmp_path / "log.csv"), 3)


def test_a_table_is_for_duckdb():
    with pytest.raises(ActalikeError, match="duckdb"):
        SourceOptions(engine="spark", table="events").count("log.csv", 3)


@pytest.mark.parametrize("options", [{"timestamp": "at"}, {"order": ["at"]}])
def test_an_engine_counts_what_reading_would_count(tmp_path, options):
    path = tmp_path / "log.csv"
    path.write_text("order,step,at\n1,b,2024-01-02\n1,a,2024-01-01\n2,a,2024-01-03\n")
    counts = SourceOptions(engine="duckdb", case="order", activity="step", **options).count(str(path), 3)
    assert counts == count_windows(read_log(path, case="order", activity="step", timestamp="at"), 3)


def test_a_command_receives_the_options_as_one_argument():
    @with_reading_options
    def command(log: Path, *, reading: ReadingOptions):
        return log, reading

    names = list(inspect.signature(command).parameters)
    assert names[:3] == ["log", "case", "activity"]
    assert "reading" not in names
    defaults = {name: p.default for name, p in inspect.signature(command).parameters.items() if name != "log"}
    assert command(log=Path("x"), **defaults) == (Path("x"), ReadingOptions())
    assert command(log=Path("x"), **{**defaults, "case": "Order"})[1].case == "Order"


def test_a_command_that_uses_attributes_reads_people_or_what_the_user_names(tmp_path):
    path = tmp_path / "log.csv"
    path.write_text("case,activity,User,amount\n1,a,Sue,7\n")
    app = typer.Typer()

    @app.command()
    @with_attribute_options
    def command(log: Path, *, reading: SourceOptions) -> None:
        opened, read = open_source(str(log), reading, None, attributes="people")
        print(*opened.attributes, *read["attributes"])

    def printed(*options: str) -> str:
        done = CliRunner().invoke(app, [str(path), "--quiet", *options], catch_exceptions=False)
        return done.stdout.strip()

    assert printed() == "User User"
    assert printed("--attributes", "amount", "--attributes", "User") == "amount User amount User"
    assert printed("--attributes", "") == ""
    with pytest.raises(ActalikeError, match="user"):
        printed("--attributes", "user")
    with pytest.raises(ActalikeError, match="duckdb"):
        printed("--attributes", "User", "--engine", "duckdb")
    assert "attributes" not in inspect.signature(with_reading_options(command.__wrapped__)).parameters


def test_an_unknown_lifecycle_or_engine_is_refused(log):
    refuses("similar", log, "--lifecycle", "sometimes")
    refuses("similar", log, "--engine", "abacus")


def test_options_for_csv_reach_an_engine(tmp_path):
    path = tmp_path / "log.csv"
    path.write_bytes("Order~Step~When~State\n1~b~02.01.2024~start\n1~Prüfung~01.01.2024~complete\n".encode("cp1252"))
    options = {"case": "Order", "activity": "Step", "transition": "State", "separator": "~", "encoding": "cp1252",
               "timestamp_format": "%d.%m.%Y", "lifecycle": "append"}  # fmt: skip
    counts = SourceOptions(engine="duckdb", timestamp="When", **options).count(str(path), 3)
    assert counts == count_windows(read_log(path, timestamp="When", **options), 3)
    assert counts.activities == ["Prüfung+complete", "b+start"]
    in_file_order = SourceOptions(engine="duckdb", timestamp="When", order=["file"], **options).count(str(path), 3)
    assert in_file_order == count_windows(read_log(path, timestamp="When", order="file", **options), 3)


def test_an_option_is_named_as_it_was_given(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity\n1,a\n")
    with pytest.raises(ActalikeError, match="append"):
        ReadingOptions(lifecycle="append").read(tmp_path / "log.csv")


def test_the_second_log_is_read_as_the_first_but_for_what_is_said_of_it():
    @with_reading_options
    def command(*, reading: SourceOptions, reading_b: SourceOptions) -> None:
        print(json.dumps([vars(reading), vars(reading_b)]))

    app = typer.Typer()
    app.command()(command)
    given = ["--case", "Order", "--separator", ";", "--quiet"]
    ours, theirs = json.loads(CliRunner().invoke(app, given).stdout)
    assert ours == theirs
    given += [
        "--case-b",
        "Auftrag",
        "--lifecycle-b",
        "complete",
        "--order-b",
        "file",
        "--skip-b",
        "2",
        "--timestamp-format-b",
        "%s",
    ]
    ours, theirs = json.loads(CliRunner().invoke(app, given).stdout)
    changed = {"case": "Auftrag", "lifecycle": "complete", "order": ["file"], "skip": 2, "timestamp_format": ["%s"]}
    assert theirs == {**ours, **changed}
    assert CliRunner().invoke(app, ["--lifecycle-b", "all"]).exit_code == 2


def test_an_error_about_the_second_log_names_its_options(tmp_path):
    (tmp_path / "theirs.csv").write_bytes(b"case,activity\n1,gepr\xfcft\n")
    with pytest.raises(ActalikeError, match="theirs") as caught:
        read_second(SourceOptions(quiet=True), tmp_path / "theirs.csv")
    assert "--encoding-b cp1252" in str(caught.value)
    texts = "give timestamp_format=... (--timestamp-format %d.%m.%Y or %m.%d.%Y)", "max_bytes=... (--max-bytes); nothing"
    assert list(map(of_second, texts)) == [
        "give timestamp_format=... (--timestamp-format-b %d.%m.%Y or %m.%d.%Y)",
        "max_bytes=... (--max-bytes-b); nothing",
    ]


def test_a_saved_embedding_or_table_stands_for_the_log(log, tmp_path):
    ok("embed", log, "-o", tmp_path / "e.actalike")
    actalike.count_windows(actalike.read_log(log), 9).save(tmp_path / "c.actalike")
    without_intervals = json.loads(ok("similar", log, "--method", "kin", "--resamples", 0, "--json"))
    facts = json.loads(ok("similar", tmp_path / "c.actalike", "-m", "kin", "--json"))
    assert facts["read"] == {"source": str(tmp_path / "c.actalike"), "kind": "window-counts", "activities": 30}
    assert facts["pairs"] == without_intervals["pairs"]
    pairs = [(p["a"], p["b"]) for p in json.loads(ok("similar", tmp_path / "e.actalike", "--json"))["pairs"]]
    assert pairs == [(p["a"], p["b"]) for p in without_intervals["pairs"]]


def test_a_saved_embedding_is_that_of_one_method(log, tmp_path):
    ok("embed", log, "-o", tmp_path / "e.actalike")
    assert ok("similar", tmp_path / "e.actalike", "-m", "kin") == ok("similar", tmp_path / "e.actalike")
    assert "log itself" in fails("similar", tmp_path / "e.actalike", "-m", "ac-sequence-raw-w3")


def test_reading_options_mean_nothing_for_a_saved_file(log, tmp_path):
    ok("embed", log, "-o", tmp_path / "e.actalike")
    assert "--case, --lifecycle" in fails("similar", tmp_path / "e.actalike", "--case", "x", "--lifecycle", "complete")


def test_the_state_of_a_stream_stands_for_the_log_so_far(log, tmp_path):
    read, stream = actalike.read_log(log), actalike.StreamCounter(9)
    stream.add([i for i, trace in enumerate(read.traces()) for _ in trace], [label for trace in read.traces() for label in trace])
    stream.save(tmp_path / "s.actalike")
    of_stream, of_log = (
        json.loads(ok("similar", *call, "--json"))
        for call in ([tmp_path / "s.actalike", "--method", "kin"], [log, "--method", "kin", "--resamples", 0])
    )
    assert of_stream["pairs"] == of_log["pairs"]
    actalike.StreamCounter(9).save(tmp_path / "s.actalike")
    assert "nothing to compare" in fails("similar", tmp_path / "s.actalike", "-m", "kin")


@pytest.mark.parametrize("command", [("similar",), ("similar", "Pay out"), ("explain", "Pay out", "Transfer loan")], ids=" ".join)
def test_of_window_counts_no_other_question_is_answered_silently(log, tmp_path, command):
    name, *labels = command
    actalike.count_windows(actalike.read_log(log), 9).save(tmp_path / "c.actalike")
    stream = actalike.StreamCounter(9)
    stream.save(tmp_path / "s.actalike")
    for saved in ("c", "s"):
        assert "--method kin-w5" in fails(name, tmp_path / f"{saved}.actalike", *labels)
    assert "kin-w5" in ok(name, tmp_path / "c.actalike", *labels, "--method", "kin")


def test_rare_activities_cannot_be_left_out_where_an_engine_counts():
    assert "--min-cases" in fails("similar", "nowhere.parquet", "--engine", "duckdb", "-m", "kin", "--min-cases", 5)


def test_missing_and_cut_off_files_are_errors(log, tmp_path):
    assert "cannot be read: No such file or directory. Check the path" in fails("similar", tmp_path / "none.xes")
    (tmp_path / "cut.xes.gz").write_bytes(log.read_bytes()[:5000])
    assert "cut off" in fails("similar", tmp_path / "cut.xes.gz")


@pytest.mark.parametrize(
    "arguments",
    [("similar",), ("explain", "a", "b"), ("embed", "-o", "out.csv"), ("group",), ("report", "-o", "out.html"), ("plot", "map")],
    ids=lambda arguments: arguments[0],
)
def test_a_damaged_file_is_one_sentence_and_exit_code_1(log, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    actalike.embed(actalike.read_log(log)).save("e.actalike")
    header, arrays = contents("e.actalike")
    whole = Path("e.actalike").read_bytes()
    command, *options = arguments
    place = ["map", "e.actalike", "-o", "out.png"] if command == "plot" else ["e.actalike", *options]
    for damage in (
        lambda: Path("e.actalike").write_bytes(whole[:-9]),
        lambda: Path("e.actalike").write_bytes(b""),
        lambda: write_unchecked(Path("e.actalike"), {**header, "format": "Infinity"}, arrays),
        lambda: write_unchecked(Path("e.actalike"), {**header, "kin": {"offsets": [2**31], "weights": [1.0]}}, arrays),
        lambda: write_unchecked(Path("e.actalike"), '{"format": 1, "kind": ' + "[" * 100_000, arrays),
    ):
        damage()
        said = fails(command, *place)
        assert "e.actalike" in said
        assert "should not happen" not in said
        assert not list(tmp_path.glob("out.*"))


ROWS = b"case,activity\n1,register\n1,check\n1,pay\n2,register\n2,verify\n2,pay\n"


def test_a_log_is_read_from_standard_input(tmp_path, log):
    path = tmp_path / "log.csv"
    path.write_bytes(ROWS)
    for words in (["similar", "{}"], ["group", "{}", "--json"], ["odd", "{}"], ["explain", "{}", "check", "verify"],
                  ["similar", "{}", "-m", "kin-w5", "--resamples", 0]):  # fmt: skip
        from_file = run(*(str(word).format(path) for word in words))
        found = run(*(str(word).format("-") for word in words), "--format", "csv", stdin=ROWS)
        assert (found.returncode, found.stdout.replace("standard input", str(path))) == (0, from_file.stdout)
        assert found.stderr.startswith("actalike: read standard input: 2 cases, 6 events")
    assert json.loads(run("similar", "-", "--json", "--format", "tsv", stdin=ROWS.replace(b",", b"\t")).stdout)["pairs"]
    zipped = run("similar", "-", "--format", "xes", stdin=log.read_bytes())
    assert zipped.stdout == ok("similar", log)


def test_standard_input_takes_the_place_of_any_log(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("log.csv").write_bytes(ROWS)
    for words in (
        ["look", "-"], ["match", "-", "log.csv", "--quiet"], ["match", "log.csv", "-", "--quiet"], ["drift", "log.csv", "-"],
        ["count", "-", "-o", "counts.actalike"], ["embed", "-", "-o", "vectors.csv"], ["report", "-", "-o", "report.html"],
        ["plot", "zipf", "-", "-o", "zipf.svg"],
    ):  # fmt: skip
        done = run(*words, "--format", "csv", stdin=ROWS)
        assert done.returncode == 0, done
        assert "/tmp" not in done.stdout + done.stderr
    assert "standard input" in Path("report.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["similar", "-"], "--format"),
        (["similar", "log.csv", "--format", "csv"], "standard input"),
        (["match", "-", "-", "--format", "csv"], "one log"),
        (["similar", "-", "-m", "kin-w5", "--format", "csv", "--engine", "duckdb"], "standard input"),
    ],
)
def test_standard_input_that_cannot_be_read_is_told(words, said):
    assert said in fails(*words)


def test_an_error_about_standard_input_names_no_temporary_file():
    done = run("group", "-", "--format", "csv", stdin=b"")
    assert (done.returncode, done.stderr.startswith("actalike: standard input is empty")) == (1, True)
    seen = run("look", "-", "--format", "csv", stdin=b"a,b\n1,2\n")
    assert "/tmp" not in seen.stdout + seen.stderr
    wrong = run("group", "-", "--format", "csv", "--case", "nothing", stdin=b"a,b\n1,2\n").stderr
    assert "actalike look - --format csv shows what is in it" in wrong


def test_what_is_done_is_said_on_demand(log):
    quiet, verbose = run("similar", log), run("similar", log, "--verbose")
    assert verbose.stdout == quiet.stdout
    assert "actalike: comparing labels: " in verbose.stderr
    assert "comparing labels" not in quiet.stderr
    assert logging.getLogger("actalike").level == logging.NOTSET
