"""What holds for every command: the table of commands, help, wrong calls, exit codes, encodings, pipes, signals, and what is loaded."""

import os
import re
import shlex
import signal
import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

import actalike
from actalike.cli.console import Stopped, exit_code, stop_on_signals
from actalike.cli.help import CommandGroup
from actalike.cli.main import COMMANDS, app
from tests.helpers.commands import ok, refuses, run, run_process, without_what_was_read
from tests.helpers.json_schemas import check


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
    assert run_process("--version").returncode == 0
    failed = run_process("similar", log, "-m", "w2v")
    assert (failed.returncode, failed.stdout, len(without_what_was_read(failed.stderr))) == (1, "", 1)
    assert "Traceback" not in failed.stderr
    assert run_process("nonsense").returncode == 2


def test_what_should_not_happen_is_one_line_and_a_traceback_for_developers(log, monkeypatch):
    monkeypatch.setattr("actalike.cli.pairs.likely_pairs", lambda *arguments: 1 / 0)
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


@pytest.mark.parametrize(
    ("arguments", "unbuffered"), [(["--help"], "1"), (["methods"], ""), (["similar", "{log}", "--quiet"], "")]
)
def test_a_closed_pipe_ends_a_command_as_it_ends_other_tools(log, arguments, unbuffered):
    command = [sys.executable, "-m", "actalike", *(word.format(log=log) for word in arguments)]
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment) as process:
        process.stdout.close()  # before anything is written
        assert (process.stderr.read(), process.wait()) == (b"", 141)


def in_a_shell(words, redirection):
    command = f"{shlex.join([sys.executable, '-m', 'actalike', *map(str, words)])} {redirection}"
    return subprocess.run(command, shell=True, capture_output=True, text=True, check=False)


def test_a_command_works_without_standard_error(log):
    done = in_a_shell(["similar", log], "2>&-")
    assert (done.returncode, done.stdout) == (0, run("similar", log).stdout)
    assert (in_a_shell(["similar", "nowhere.csv"], "2>&-").returncode, done.stderr) == (1, "")


def test_a_log_from_standard_input_that_is_closed_is_an_error():
    done = in_a_shell(["similar", "-", "--format", "csv"], "<&-")
    assert (done.returncode, done.stdout) == (1, "")
    assert "closed" in done.stderr


def test_a_command_that_cannot_print_fails(log):
    done = in_a_shell(["similar", log], ">&-")
    assert done.returncode == 1
    assert "standard output" in done.stderr
    if os.path.exists("/dev/full"):
        done = in_a_shell(["similar", log, "--quiet"], ">/dev/full")
        assert (done.returncode, len(done.stderr.splitlines())) == (1, 1)


def test_what_is_said_of_a_wrong_call_shows_no_password():
    url = "postgres://me:secret@db.example/shop"
    for arguments in ([url], ["embed", "log.xes", url, "-o", "vectors.actalike"]):
        done = run(*arguments)
        assert done.returncode == 2
        assert "postgres://me:***@db.example/shop" in done.stderr
        assert "secret" not in done.stderr


SUMMARY = f"Draw {'very ' * 40}much."
small = typer.Typer(cls=CommandGroup, rich_markup_mode=None, add_completion=False)


@small.command(help=f"{SUMMARY}\n\nMore about it.")
def draw() -> None:
    print("drawn")


@small.command()
def silent() -> None:
    print("nothing")


def test_the_summary_is_the_first_paragraph_in_one_line():
    group = typer.main.get_command(small)
    assert group.sections(None) == [("Commands", [("draw", SUMMARY), ("silent", "")])]


def test_help_shows_summaries_in_full_and_nothing_after_them():
    text = " ".join(CliRunner().invoke(small, ["--help"]).output.partition("Commands:")[2].split())
    assert text == f"draw {SUMMARY} silent"


HEAVY = ("numpy", "polars", "scipy", "narwhals", "rich", "matplotlib", "torch")


def loaded_by(code: str) -> set[str]:
    """Return the modules that a fresh process has loaded after running some code."""
    code += "\nimport sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def packages(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_load_no_heavy_package_and_no_command(argument):
    modules = loaded_by(
        f"import sys; sys.argv = ['actalike', {argument!r}]\n"
        "from actalike.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass"
    )
    assert not packages(modules) & set(HEAVY)
    ours = {name for name in modules if name.startswith("actalike.") and not name.startswith("actalike.cli")}
    assert ours == {"actalike.errors", "actalike.version", "actalike.support", "actalike.support.text"}


def test_importing_actalike_loads_nothing_heavy():
    modules = loaded_by("import actalike")
    assert not packages(modules) & {*HEAVY, "typer"}
    assert {name for name in modules if name.startswith("actalike.")} == {"actalike.version"}


def test_the_first_use_loads_only_what_it_needs():
    modules = loaded_by("import actalike; actalike.EventLog; actalike.embed; actalike.read_log; actalike.count_windows")
    assert not packages(modules) & {"narwhals", "matplotlib", "typer", "rich", "joblib", "safetensors", "threadpoolctl", "torch"}
    rooms = {name.split(".")[1] for name in modules if name.startswith("actalike.")}
    assert not rooms & {"benchmark", "report", "plot", "cli", "demo", "labels", "prediction", "datasets"}
    assert not {"scipy.cluster", "scipy.spatial", "scipy.linalg"} & modules


def test_embedding_a_log_loads_no_more_than_it_needs(log):
    modules = loaded_by(f"import actalike; actalike.embed(actalike.read_log({str(log)!r})).most_similar('Pay out')")
    assert not packages(modules) & {"narwhals", "matplotlib", "typer", "rich", "joblib", "safetensors", "torch"}


NUMBERS = [signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def _handlers_as_before():
    before = {number: signal.getsignal(number) for number in NUMBERS}
    for number in NUMBERS:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.name)
def test_a_signal_is_an_interruption_with_its_own_exit_code(number):
    with stop_on_signals(), pytest.raises(KeyboardInterrupt) as stop:
        os.kill(os.getpid(), number)
    assert isinstance(stop.value, Stopped)
    assert exit_code(stop.value) == 128 + number


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.name)
def test_a_signal_after_the_command_is_ignored_and_the_next_command_can_be_stopped_again(number):
    with stop_on_signals():
        pass
    os.kill(os.getpid(), number)
    with stop_on_signals(), pytest.raises(Stopped):
        os.kill(os.getpid(), number)


def test_what_nohup_ignores_stays_ignored():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with stop_on_signals():
        os.kill(os.getpid(), signal.SIGHUP)
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN


def test_help_lists_first_what_cleans_a_log_and_looks_into_it():
    first, _, further = ok("--help").partition("Commands:")[2].partition("For data scientists and researchers:")
    names = re.findall(r"^  (\w+) ", first, re.MULTILINE)
    assert names == ["look", "report", "group", "explain", "relabel", "match", "drift", "odd", "predict"]
    assert set(names) | set(re.findall(r"^  (\w+) ", further, re.MULTILINE)) == set(COMMANDS)


def test_the_help_of_a_command_shows_its_own_options_first():
    text = ok("similar", "--help")
    headings = re.findall(r"^(\w[^\n]*):$", text.partition("Arguments:")[2], re.MULTILINE)
    assert [heading.partition(":")[0].partition(" ")[0] for heading in headings] == [
        "Options", "Evidence", "Output", "Reading", "Engine",
    ]  # fmt: skip
    assert len(re.findall("^  -", text.partition("Options:")[2].partition("Evidence:")[0], re.MULTILINE)) <= 3
    assert "Reading the second log" in ok("match", "--help")
    assert "--case-b" not in ok("drift", "--help")


@pytest.mark.parametrize(
    ("words", "code", "kind", "said"),
    [
        (["similar", "nowhere.csv"], 1, "LogError", "nowhere.csv"),
        (["similar", "{log}", "-m", "w2v"], 1, "UnknownMethodError", "w2v"),
        (["similar", "{log}", "--top", "0"], 2, "UsageError", "--top"),
        (["nonsense"], 2, "UsageError", "nonsense"),
    ],
)
def test_with_json_an_error_is_an_object_too(log, words, code, kind, said):
    done = run(*(word.format(log=log) for word in words), "--json")
    facts = check(done.stdout)
    assert (done.returncode, facts["exit_code"]) == (code, code)
    assert said in facts["error"]
    assert kind in (facts["kind"], "UnknownMethodError")
    assert facts["error"] in " ".join(done.stderr.split())
    assert run(*(word.format(log=log) for word in words)).stdout == ""


def test_json_is_asked_for_by_an_option_and_by_no_label(log):
    assert run("similar", log, "--", "--json").stdout == ""


def test_a_shell_completes_commands_without_loading_them():
    environment = {**os.environ, "_ACTALIKE_COMPLETE": "complete_bash", "COMP_WORDS": "actalike re", "COMP_CWORD": "1"}
    command = [sys.executable, "-X", "importtime", "-m", "actalike"]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["report", "relabel"]
    assert "numpy" not in done.stderr
    environment.update(COMP_WORDS="actalike group --at-l", COMP_CWORD="2")
    assert subprocess.run(command, capture_output=True, text=True, env=environment, check=True).stdout.split() == ["--at-least"]
    assert "_ACTALIKE_COMPLETE" in ok("--show-completion", "bash")
