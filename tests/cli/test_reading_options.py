"""The options of every command that reads a log."""

import inspect
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from actalike import ActalikeError, count_windows, read_log
from actalike.cli.options import (
    EngineChoice,
    LifecycleChoice,
    ReadingOptions,
    SourceOptions,
    open_source,
    with_attribute_options,
    with_reading_options,
)
from tests.helpers.commands import fails, ok, refuses


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
    assert ReadingOptions(lifecycle=LifecycleChoice.ignore).changed() == []
    assert ReadingOptions(case="Order", timestamp_format="%Y").changed() == ["--case", "--timestamp-format"]
    assert SourceOptions(engine=EngineChoice.duckdb, memory="1GB").changed() == ["--engine", "--memory"]


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
        SourceOptions(engine=EngineChoice.duckdb, **options).count(str(tmp_path / "log.csv"), 3)


def test_a_table_is_for_duckdb():
    with pytest.raises(ActalikeError, match="duckdb"):
        SourceOptions(engine=EngineChoice.spark, table="events").count("log.csv", 3)


@pytest.mark.parametrize("options", [{"timestamp": "at"}, {"order": ["at"]}])
def test_an_engine_counts_what_reading_would_count(tmp_path, options):
    path = tmp_path / "log.csv"
    path.write_text("order,step,at\n1,b,2024-01-02\n1,a,2024-01-01\n2,a,2024-01-03\n")
    counts = SourceOptions(engine=EngineChoice.duckdb, case="order", activity="step", **options).count(str(path), 3)
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
               "timestamp_format": "%d.%m.%Y", "lifecycle": LifecycleChoice.append}  # fmt: skip
    counts = SourceOptions(engine=EngineChoice.duckdb, timestamp="When", **options).count(str(path), 3)
    assert counts == count_windows(read_log(path, timestamp="When", **options), 3)
    assert counts.activities == ["Prüfung+complete", "b+start"]
    in_file_order = SourceOptions(engine=EngineChoice.duckdb, timestamp="When", order=["file"], **options).count(str(path), 3)
    assert in_file_order == count_windows(read_log(path, timestamp="When", order="file", **options), 3)


def test_an_option_is_named_as_it_was_given(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity\n1,a\n")
    with pytest.raises(ActalikeError, match="append"):
        ReadingOptions(lifecycle=LifecycleChoice.append).read(tmp_path / "log.csv")
