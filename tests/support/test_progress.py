"""Progress of what takes a while: in notebooks, sessions and commands at a terminal, and nowhere else."""

import io
import logging
import sys
import time
from contextlib import redirect_stderr
from types import SimpleNamespace

import pytest

from actalike import EventLog, compare, embed, group, read_log, relabel, relabel_file, write_log
from actalike.cli.main import main
from actalike.support import progress
from actalike.support.progress import shown_by_command, tracked


class Notebook:
    """IPython as far as progress uses it: what is displayed, and how it changes."""

    def __init__(self):
        self.shown = []

    def display(self, content, raw, display_id):
        assert raw
        assert display_id
        self.update(content, raw)
        return self

    def update(self, content, raw):
        assert list(content) == ["text/plain"]
        self.shown.append(content["text/plain"])


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self):
        return True


@pytest.fixture
def impatient(monkeypatch):
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.001)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")


@pytest.fixture
def notebook(impatient, monkeypatch):
    notebook = Notebook()
    monkeypatch.setenv("FORCE_COLOR", "1")  # as kernels do
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1)))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=notebook.display))
    return notebook


def wait_for(shown, *parts):
    """Wait until another thread shows a line with all parts."""
    deadline = time.monotonic() + 20
    while not any(all(part in line for part in parts) for line in shown()):
        assert time.monotonic() < deadline, shown()
        time.sleep(0.001)


def lines_of(notebook):
    return lambda: list(notebook.shown)


def test_a_notebook_shows_as_text_what_is_done_how_much_and_how_long(notebook):
    with tracked("comparing\x1b[31m <b>", 4) as advance:
        wait_for(lines_of(notebook), "comparing?[31m <b>", "0:00:00")
        advance("[red]texts")
        wait_for(lines_of(notebook), "comparing?[31m <b>: [red]texts", "25%")
        with tracked("inside", 10) as inner:
            inner("never shown")
        advance("all", 9)
        wait_for(lines_of(notebook), "100%")
    assert notebook.shown[-1] == ""
    assert not any("inside" in line or "\x1b" in line for line in notebook.shown)


def test_the_line_goes_when_the_work_fails(notebook):
    @tracked("dividing")
    def divide():
        wait_for(lines_of(notebook), "dividing")
        return 1 / 0

    with pytest.raises(ZeroDivisionError):
        divide()
    assert notebook.shown[-1] == ""
    with tracked("going on"):
        wait_for(lines_of(notebook), "going on")


def test_calls_show_their_progress(notebook, tmp_path, monkeypatch):
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    write_log(log, tmp_path / "log.xes")
    tracked_calls = []

    class Noted(progress._Work):
        def __init__(self, what, *rest):
            super().__init__(what, *rest)
            tracked_calls.append(what)

    monkeypatch.setattr(progress, "_Work", Noted)
    read_log(tmp_path / "log.xes")
    relabel_file(tmp_path / "log.xes", {"b": "a"}, tmp_path / "new.xes")
    group(log)
    embed(log).confidence("a", "b", resamples=20)
    shown = ["reading log.xes", "relabelling log.xes", "grouping labels", "embedding activities", "resampling cases"]
    assert tracked_calls == shown
    tracked_calls.clear()
    read_log([tmp_path / "log.xes", tmp_path / "new.xes"], cases="separate")
    write_log(log, tmp_path / "log.csv")
    relabel(log.to_frame(), {"b": "a"})
    compare(log, "a", "b")
    shown = ["reading log.xes and 1 more", "writing the log", "making a frame", "relabelling", "comparing two labels"]
    assert tracked_calls == shown


def test_reading_twice_counts_to_the_end():
    done = []
    update = progress.percentages(lambda step, steps: done.append(steps))
    for part in (10, 50, 100, 5, 100):
        update(part, 100)
    assert sum(done) == 200


@pytest.mark.parametrize("is_session", [True, False])
def test_a_terminal_shows_a_bar_and_takes_it_away(impatient, monkeypatch, capsys, is_session):
    if is_session:
        monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    with redirect_stderr(Terminal()) as terminal, shown_by_command(), tracked("tr\x1bning", 4) as advance:
        wait_for(lambda: [terminal.getvalue()], "tr?ning", "0%")
        advance("first")
        wait_for(lambda: [terminal.getvalue()], "tr?ning: first", "25%")
        print("the answer")
    assert terminal.getvalue().endswith("\x1b[2K")
    assert capsys.readouterr().out == "the answer\n"


def test_a_remark_of_a_command_stays_above_the_bar(impatient):
    with redirect_stderr(Terminal()) as terminal, shown_by_command(), tracked("training"):
        wait_for(lambda: [terminal.getvalue()], "training")
        print("a remark", file=sys.stderr)
        at = len(terminal.getvalue())
        wait_for(lambda: [terminal.getvalue()[at:]], "training")
    assert "\x1b[2Ka remark\n" in terminal.getvalue()


def test_scripts_pipes_and_short_calls_show_nothing(impatient, monkeypatch, capsys):
    with redirect_stderr(Terminal()) as terminal, tracked("comparing"):  # a script
        time.sleep(0.01)
    assert terminal.getvalue() == ""
    with shown_by_command(), tracked("comparing"):  # a command whose standard error is a file
        time.sleep(0.01)
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)  # a session
    with tracked("comparing"):
        time.sleep(0.01)
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    with redirect_stderr(Terminal()) as terminal, tracked("comparing"):
        pass
    assert terminal.getvalue() == ""


def test_a_command_at_a_terminal_shows_what_it_does(impatient, monkeypatch, tmp_path, capsys):
    write_log(EventLog.from_traces([[f"step {i % 40}", "b", f"c {i % 7}"] for i in range(3000)]), tmp_path / "log.csv")
    monkeypatch.setattr(sys, "argv", ["actalike", "group", str(tmp_path / "log.csv")])
    with redirect_stderr(Terminal()) as terminal, pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert "reading log.csv" in terminal.getvalue()
    assert "grouping labels" in terminal.getvalue()
    assert "\x1b" not in capsys.readouterr().out


def test_a_program_can_listen_to_what_is_done_and_nothing_is_said_by_itself(caplog, capsys):
    with caplog.at_level(logging.INFO, logger="actalike"), tracked("comparing labels"):
        pass
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["comparing labels"] * 2
    assert any(isinstance(handler, logging.NullHandler) for handler in logging.getLogger("actalike").handlers)
    assert capsys.readouterr() == ("", "")
