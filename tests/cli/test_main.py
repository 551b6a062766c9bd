"""The table of commands, help, wrong calls, and the process: exit codes, encodings, pipes."""

import os
import shlex
import subprocess
import sys

import pytest
import typer

import actalike
from actalike.cli.main import COMMANDS, app
from tests.helpers.commands import ok, refuses, run, run_process, without_what_was_read


@pytest.mark.parametrize("name", COMMANDS)
def test_the_summary_in_the_table_is_the_first_line_of_the_description(name):
    help_text = typer.main.get_command(app).get_command(None, name).help
    assert help_text.partition("\n\n")[0].replace("\n", " ") == COMMANDS[name].summary


def test_help_lists_every_command_with_its_whole_summary():
    text = " ".join(ok("--help").split())
    for name, entry in COMMANDS.items():
        assert f"{name} {entry.summary}" in text
    assert "Draw the frequent part of the directly-follows graph." in ok("plot", "--help")
    assert "..." not in ok("plot", "--help").partition("Commands:")[2]


@pytest.mark.parametrize(
    "command",
    [*((name,) for name in COMMANDS if name not in ("plot", "benchmark")), ("plot", "zipf"), ("datasets", "check")],
    ids=" ".join,
)
def test_the_help_of_a_command_shows_an_example(command):
    text = ok(*command, "--help")
    assert f"Usage: actalike {' '.join(command)}" in text
    assert "xample" in text


def test_short_and_long_help_are_the_same():
    assert ok("-h") == ok("--help")
    assert ok("similar", "-h") == ok("similar", "--help")


def test_without_a_command_the_help_is_shown():
    done = run()
    assert (done.returncode, (done.stdout + done.stderr).strip()) == (2, ok("--help").strip())


def test_the_version_is_shown():
    assert ok("--version") == f"actalike {actalike.__version__}\n"


def test_wrong_calls_are_refused(log):
    refuses("similar")
    refuses("similar", log, "--lifecycle", "sometimes")
    refuses("similar", log, "--top", "0")
    assert "No such command 'simila'. Did you mean 'similar'?" in refuses("simila")


def test_a_process_ends_with_0_or_1_or_2(log):
    assert run_process("similar", log).returncode == 0
    failed = run_process("similar", log, "-m", "w2v")
    assert (failed.returncode, failed.stdout, len(without_what_was_read(failed.stderr))) == (1, "", 1)
    assert "Traceback" not in failed.stderr
    assert run_process("nonsense").returncode == 2


def test_what_should_not_happen_is_one_line_and_a_traceback_for_developers(log, monkeypatch):
    monkeypatch.setattr("actalike.cli.pairs.find_likely_pairs", lambda *arguments: 1 / 0)
    done = run("similar", log)
    assert done.returncode == 1
    (line,) = without_what_was_read(done.stderr)
    assert line.startswith("actalike: this should not happen (ZeroDivisionError: division by zero).")
    monkeypatch.setenv("ACTALIKE_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        run("similar", log)


def test_a_terminal_that_is_not_utf8_is_no_obstacle(log):
    done = run_process("explain", log, "Pay out", "Transfer loan", "--quiet", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u25cf" in done.stdout


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("arguments", [["--help"], ["methods"], ["similar", "{log}", "--quiet"]], ids=lambda words: words[0])
def test_a_closed_pipe_ends_a_command_as_it_ends_other_tools(log, arguments, unbuffered):
    command = [sys.executable, "-m", "actalike", *(word.format(log=log) for word in arguments)]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        process.stdout.close()  # before anything is written
        assert (process.stderr.read(), process.wait()) == (b"", 141)


def in_a_shell(words, redirection):
    command = f"{shlex.join([sys.executable, '-m', 'actalike', *map(str, words)])} {redirection}"
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=False)


def test_a_command_works_without_standard_error(log, tmp_path):
    for words in (["similar", log], ["odd", log], ["count", log, "-o", tmp_path / "c.actalike"]):
        done = in_a_shell(words, "2>&-")
        assert (done.returncode, done.stdout) == (0, run(*words, *(["--overwrite"] if "-o" in words else [])).stdout)
    assert (in_a_shell(["similar", "nowhere.csv"], "2>&-").returncode, done.stderr) == (1, "")


def test_a_command_that_cannot_print_fails(log):
    done = in_a_shell(["similar", log], ">&-")
    assert done.returncode == 1
    assert "standard output" in done.stderr
    if os.path.exists("/dev/full"):
        done = in_a_shell(["similar", log, "--quiet"], ">/dev/full")
        assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_what_is_said_of_a_wrong_call_shows_no_password():
    url = "postgres://me:secret@db.example/shop"
    for arguments in ([url], ["count", "log.xes", url, "-o", "counts.actalike"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert "postgres://me:***@db.example/shop" in done.stderr
        assert "secret" not in done.stderr
