"""No command writes over one of its inputs, nor over any other file without --overwrite. All commands that write are here."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import typer

from actalike import ActalikeError, Predictor, count_windows, write_log
from actalike.cli.main import app
from actalike.cli.outputs import check_outputs, files_read
from actalike.demo.loan_desk import loan_desk
from tests.helpers.commands import fails, ok, run

LOG = loan_desk(20)


class Writing(NamedTuple):
    """How a command that writes is called: its words, the option for the output, and the output's name."""

    words: str
    output: str
    option: str = "--output"


# Each command that writes, by its name, and its inputs among its words: IN is the input that an output is compared with.
PLOTS = {f"plot {name}": [Writing(f"plot {name} IN.csv", "out.png")] for name in (
    "activities", "zipf", "positions", "directly-follows", "embedding", "heat-map", "map"
)}  # fmt: skip
TABLE = {
    "embed": [
        Writing("embed IN.csv", "out.csv"),
        Writing("embed IN.parquet", "out.parquet"),
        Writing("embed IN.actalike", "out.actalike"),
        Writing("embed IN.xes", "out.vec"),
        Writing("embed IN.csv --engine duckdb", "out.csv"),
    ],
    "count": [
        Writing("count IN.csv", "out.actalike"),
        Writing("count IN.parquet --engine duckdb", "out.actalike"),
    ],
    "group": [Writing("group IN.csv", "out.csv"), Writing("group IN.xes", "out.xes")],
    "relabel": [
        Writing("relabel IN.csv map.csv", "out.csv"),
        Writing("relabel IN.xes map.csv", "out.xes"),
        Writing("relabel IN.parquet map.csv", "out.parquet"),
        Writing("relabel log.csv MAP-IN.csv", "out.csv"),
    ],
    "match": [Writing("match IN.csv log.csv", "out.csv"), Writing("match log.csv IN.csv", "out.csv")],
    "odd": [Writing("odd IN.csv", "out.csv"), Writing("odd IN.xes", "out.csv")],
    "train": [Writing("train IN.csv", "out.actalike")],
    "predict": [Writing("predict IN.csv model.actalike", "out.csv"), Writing("predict log.csv MODEL-IN.actalike", "out.csv")],
    "report": [Writing("report IN.csv", "out.html"), Writing("report log.csv IN.csv", "out.html")],
    **PLOTS,
    "benchmark table": [Writing("benchmark table results", "out.csv", "--tidy")],
    "benchmark report": [Writing("benchmark report results", "out.html")],
}
FOLDERS = {"demo", "benchmark plots"}  # they write several files into a folder; they have tests of their own
RESUMING = {
    "benchmark intrinsic",
    "benchmark prediction",
    "benchmark efficiency",
    "benchmark labels",
    "benchmark matching",
    "benchmark anomalies",
    "benchmark change_points",
}  # their folders are there to be gone on with
NO_OUTPUTS = {"--spill", "--logs", "--plugin", "--also"}
WRITINGS = [writing for writings in TABLE.values() for writing in writings]


def commands(group, words=()):
    context = typer.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if hasattr(command, "list_commands"):
            yield from commands(command, (*words, name))
        else:
            yield " ".join((*words, name)), command


def is_output(option):
    if option.param_type_name != "option":
        return False
    names = {*option.opts, *option.secondary_opts}
    path_like = (
        "Path" in str(option.type_descriptor.annotation) or option.metavar == "FILE" or names & {"--output", "--out", "-o"}
    )
    return bool(path_like) and not names & NO_OUTPUTS


def test_every_command_with_an_output_is_in_the_table():
    writing = {name for name, command in commands(typer.main.get_command(app)) if any(map(is_output, command.params))}
    assert writing == {*TABLE, *FOLDERS, *RESUMING}


def test_every_command_with_an_output_can_overwrite_it():
    can = {
        name for name, command in commands(typer.main.get_command(app)) if any("--overwrite" in p.opts for p in command.params)
    }
    assert can == {*TABLE, *FOLDERS}


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    folder = tmp_path_factory.mktemp("originals")
    n = len(LOG.activities)
    for name in ("IN.csv", "IN.parquet", "IN.xes", "log.csv"):
        write_log(LOG, folder / name)
    count_windows(LOG, 9).save(folder / "IN.actalike")
    model = Predictor(LOG.activities, None, *map(np.zeros, ((n, 4), (1, 4), (1, n + 1), n + 1)))
    for name in ("model.actalike", "MODEL-IN.actalike"):
        model.save(folder / name)
    for name in ("map.csv", "MAP-IN.csv"):
        (folder / name).write_text("activity,group\nPay out,Transfer loan\n")
    ok("benchmark", "intrinsic", "--logs", folder / "log.csv", "--methods", "one-hot", "--out", folder / "results",
       "--r", "1", "--w", "2", "--samples", "1")  # fmt: skip
    return folder


@pytest.fixture
def place(originals, tmp_path, monkeypatch):
    """A folder with all inputs, which is the current folder."""
    shutil.copytree(originals, tmp_path / "place")
    monkeypatch.chdir(tmp_path / "place")
    return tmp_path / "place"


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def input_of(writing):
    """The input of a command; of the commands that read results, one of their files."""
    named = [word for word in writing.words.split() if "IN." in word]
    return named[0] if named else "results/benchmark.json"


def link(kind, name, target):
    if kind == "symbolic link":
        Path(name).symlink_to(Path(target).resolve())
    elif kind == "link to a link":
        Path("first").symlink_to(target)
        Path(name).symlink_to("first")
    else:
        os.link(target, name)


@pytest.mark.parametrize("kind", ["symbolic link", "hard link", "link to a link"])
@pytest.mark.parametrize("writing", WRITINGS, ids=lambda writing: writing.words)
def test_an_input_is_never_written_over_by_a_link(place, writing, kind):
    link(kind, writing.output, input_of(writing))
    before = contents(place)
    for options in ((), ("--overwrite",)):
        message = fails(*writing.words.split(), writing.option, writing.output, *options)
        assert f"{writing.output} is the same file as the input " in message
        assert f"which must stay as it is: choose another {writing.option}. Nothing was written." in message
    assert contents(place) == before


SAME_KIND = [w for w in WRITINGS if input_of(w).endswith(Path(w.output).suffix) and "results" not in w.words]


@pytest.mark.parametrize("spelling", ["{0}", "./{0}", "{1}/{0}", "results/../{0}", "{1}/../place/{0}"])
@pytest.mark.parametrize("writing", SAME_KIND, ids=lambda writing: writing.words)
def test_an_input_is_never_written_over_by_any_spelling_of_its_name(place, writing, spelling):
    output = spelling.format(input_of(writing), place)
    before = contents(place)
    for options in ((), ("--overwrite",)):
        message = fails(*writing.words.split(), writing.option, output, *options)
        assert str(Path(output)) in message
        assert f"which must stay as it is: choose another {writing.option}" in message
    assert contents(place) == before


@pytest.mark.parametrize("writing", WRITINGS, ids=lambda writing: writing.words)
def test_a_file_is_replaced_only_by_overwrite(place, writing):
    output = Path(writing.output)
    output.write_text("edited by a person")
    before = contents(place)
    message = fails(*writing.words.split(), writing.option, output)
    assert message == (
        f"actalike: {output} exists already: give --overwrite to replace it, or choose another {writing.option}. "
        "Nothing was written.\n"
    )
    assert contents(place) == before
    if writing.words.startswith("plot ") and "zipf" not in writing.words:
        return  # all figures are written by one function
    assert run(*writing.words.split(), writing.option, output, "--overwrite").returncode == 0
    after = contents(place)
    assert after.pop(writing.output) != before.pop(writing.output)
    assert after == before


@pytest.mark.parametrize("words", ["embed IN.csv -o out/", "benchmark plots results -o out"])
def test_the_files_of_a_folder_are_replaced_only_by_overwrite(place, words):
    ok(*words.split())
    whole = contents(place / "out")
    edited = place / "out" / sorted(whole)[-1]
    edited.write_text("edited by a person")
    before = contents(place)
    assert "exists already: give --overwrite to replace it, or choose another --output" in fails(*words.split())
    assert contents(place) == before
    ok(*words.split(), "--overwrite")
    assert contents(place / "out") == whole


def test_the_files_of_the_projector_are_compared_with_the_input_one_by_one(place):
    shutil.copy("IN.csv", "metadata.tsv")
    before = contents(place)
    assert "metadata.tsv is the input" in fails("embed", "metadata.tsv", "--separator", ",", "-o", "./", "--overwrite")
    assert contents(place) == before


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("/dev/null", "it is a device"),
        ("/dev/stdout", "it is a device"),
        ("/dev/fd/1", "it is a device"),
        ("pipe", "it is a device or a pipe"),
        ("dangling", "it is a link to nowhere, which does not exist"),
        ("results", "it is a folder"),
        ("no/out", "there is no folder"),
        ("IN.csv/out", "Not a directory"),
        ("x" * 256, "File name too long"),
    ],
)
def test_what_cannot_be_written_is_told_before_any_work(place, monkeypatch, output, words):
    monkeypatch.setattr("actalike.cli.options.read_log", lambda *arguments, **options: pytest.fail("it was read"))
    os.mkfifo("pipe")
    Path("dangling").symlink_to("nowhere")
    message = fails("group", "IN.csv", "-o", output, "--overwrite")
    assert f"{output} cannot be written: " in message
    assert words in message
    assert message.endswith(". Nothing was written.\n")


def test_an_engine_does_not_write_into_what_it_reads(place):
    Path("events").mkdir()
    for number in (1, 2):
        shutil.copy("IN.parquet", f"events/{number}.parquet")
    before = contents(place)
    for source in ("events", "events/", "events/*.parquet", "ev*/**/*.parquet", "events/{1,2}.parquet", f"file://{place}/events"):
        for output in ("events/1.parquet", "events/../events/2.parquet"):
            message = fails("embed", source, "--engine", "duckdb", "-o", output, "--overwrite")
            assert "the input" in message
            assert "choose another --output" in message
    for source in ("events", "events/*.parquet"):
        assert "the input: choose another --output" in fails("embed", source, "--engine", "duckdb", "-o", "events/new.parquet")
    assert contents(place) == before


@pytest.mark.parametrize(
    ("pattern", "output", "found"),
    [
        ("ev/*.parquet", "ev/new.parquet", True),
        ("ev/*.parquet", "ev/sub/new.parquet", True),
        ("ev/*.parquet", "ev/new.csv", False),
        ("ev/*/*.parquet", "ev/sub/new.parquet", True),
        ("ev/*/*.parquet", "ev/later/new.parquet", True),  # a folder that does not exist yet
        ("ev/**/*.parquet", "ev/new.parquet", True),
        ("ev/**/*.parquet", "ev/sub/below/new.parquet", True),
        ("ev/*.parquet", "link/new.parquet", True),
        ("link/*.parquet", "ev/new.parquet", True),
        ("link/../*.parquet", "new.parquet", False),  # link/.. is the folder above ev
        ("ev/sub/../*.parquet", "ev/new.parquet", True),
        ("{ev/a,ev/b}*.parquet", "ev/b2.parquet", True),
        ("{ev/a,ev/b}*.parquet", "ev/c.parquet", False),
        ("ev/[ab].parquet", "ev/b.parquet", True),
        ("ev/[ab].parquet", "ev/c.parquet", False),
    ],
)
def test_an_output_is_refused_if_the_pattern_of_the_input_would_find_it(tmp_path, monkeypatch, pattern, output, found):
    monkeypatch.chdir(tmp_path)
    Path("far/ev/sub/below").mkdir(parents=True)
    Path("link").symlink_to("far/ev")
    Path("ev").symlink_to("far/ev")
    if found:
        with pytest.raises(ActalikeError, match="choose"):
            list(files_read(pattern, Path(output)))
    else:
        assert list(files_read(pattern, Path(output))) == [pattern, f"{pattern}.wal"]


def test_an_address_is_no_file(place):
    assert list(files_read("s3://bucket/in.parquet", Path("out.parquet"))) == []


def test_two_outputs_are_two_files(place):
    Path("second.csv").symlink_to("map.csv")
    with pytest.raises(ActalikeError, match="choose"):
        check_outputs([Path("map.csv"), Path("second.csv")], [], overwrite=True)


NOT_UTF8 = os.fsdecode(b"caf\xe9")


@pytest.mark.parametrize(
    "words",
    [
        "embed IN.csv -o out.actalike", "embed IN.xes -o out.csv", "embed IN.csv -o out.parquet", "embed IN.actalike -o out.vec",
        "embed IN.csv -o out/", "group IN.csv -o out.csv", "odd IN.csv -o out.csv", "predict IN.csv model.actalike -o out.csv", "report IN.xes -o out.html", "plot zipf IN.csv -o out.png",
        "relabel IN.csv MAP-IN.csv -o out.csv", "relabel IN.xes MAP-IN.csv -o out.xes.gz", "relabel log.parquet MAP-IN.csv -o out.parquet",
    ],
)  # fmt: skip
def test_names_that_are_not_utf8_work_for_inputs_and_outputs(place, words):
    shutil.copy("IN.parquet", "log.parquet")
    given = [word.replace("IN.", f"{NOT_UTF8}.").replace("out", f"{NOT_UTF8}-out") for word in words.split()]
    for path in place.glob("*IN.*"):
        path.rename(path.name.replace("IN.", f"{NOT_UTF8}."))
    done = run(*given)
    assert done.returncode == 0, done
    assert Path(given[-1]).exists()


def test_a_parquet_file_whose_name_is_not_utf8_is_refused_with_words(place):
    Path("IN.parquet").rename(f"{NOT_UTF8}.parquet")
    for words in (["similar", f"{NOT_UTF8}.parquet"], ["relabel", f"{NOT_UTF8}.parquet", "map.csv", "-o", "out.parquet"]):
        assert "has a name that is not UTF-8" in fails(*words)


@pytest.mark.parametrize("words", ["similar IN.csv --activity X", "similar IN.xes --case X", "similar IN.parquet --activity X",
                                   "similar IN.csv X", "explain IN.csv X X", "similar IN.csv --method X"])  # fmt: skip
def test_labels_and_columns_that_are_not_utf8_are_refused_with_words(place, words):
    done = run(*words.replace("X", NOT_UTF8).split())
    assert done.returncode == 1, done
    assert "should not happen" not in done.stderr
    assert done.stderr.splitlines()[-1].startswith("actalike: ")


@pytest.mark.parametrize(
    "words",
    [
        "group IN.csv",
        "match IN.csv log.csv --quiet",
        "odd IN.csv",
        "predict IN.csv model.actalike",
        "relabel IN.csv map.csv",
        "relabel IN.xes map.csv",
    ],
)
def test_a_table_goes_to_standard_output_and_nothing_else(place, words):
    ending = ".xes" if "xes" in words else ".csv"
    ok(*words.split(), "-o", f"out{ending}")
    assert ok(*words.split(), "-o", "-") == Path(f"out{ending}").read_text(encoding="utf-8")
    assert not Path("-").exists()


def test_a_log_goes_through_a_pipe_and_is_renamed(place):
    ok("relabel", "IN.csv", "map.csv", "-o", "out.csv")
    command = [sys.executable, "-m", "actalike", "relabel", "-", "map.csv", "--format", "csv", "-o", "-"]
    done = subprocess.run(command, input=Path("IN.csv").read_bytes(), capture_output=True, check=True)
    assert done.stdout == Path("out.csv").read_bytes()


def test_standard_output_takes_one_thing(place):
    assert "--json" in json.loads(run("group", "IN.csv", "-o", "-", "--json").stdout)["error"]
    Path("logs").mkdir()
    shutil.copy("IN.csv", "logs/1.csv")
    assert "several" in fails("relabel", "logs", "map.csv", "-o", "-")
