"""Progress of Python calls: in notebooks and sessions, after a while, and nowhere else."""

import io
import sys
import threading
import time
from types import SimpleNamespace

import pytest

from actalike import EventLog, compare, embed, group, read_log, relabel, relabel_file, write_log
from actalike.support import progress
from actalike.support.progress import tracked


class Notebook:
    """IPython as far as progress uses it: what is displayed, and how it changes."""

    def __init__(self):
        self.shown, self.drawn = [], threading.Event()

    def display(self, content, raw, display_id):
        assert raw
        assert display_id
        self.update(content, raw)
        return self

    def update(self, content, raw):
        assert list(content) == ["text/plain"]
        self.shown.append(content["text/plain"])
        self.drawn.set()


@pytest.fixture
def notebook(monkeypatch):
    notebook = Notebook()
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1)))
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=notebook.display))
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    monkeypatch.setattr(progress, "_EVERY", 0.001)
    return notebook


def wait_for(shown, text):
    deadline = time.monotonic() + 10
    while not any(text in line for line in list(shown)):
        assert time.monotonic() < deadline, shown
        time.sleep(0.001)


def test_a_share_that_is_known_from_elsewhere_is_shown(notebook):
    shares = iter([None, 0.4])
    with tracked("counting", share=lambda: next(shares, 0.4)):
        wait_for(notebook.shown, "counting: 40%, 0 s")
    assert notebook.shown[0] == "counting: 0 s"


def test_a_notebook_shows_what_is_done_how_much_and_how_long(notebook):
    with tracked("comparing\x1b[31m <b>", 4) as advance:
        wait_for(notebook.shown, "comparing?[31m <b>: 0 s")
        advance("texts")
        wait_for(notebook.shown, "comparing?[31m <b>: 25%, texts, 0 s")
        with tracked("inside", 10) as inner:
            inner("never shown")
        advance("all", 9)
        wait_for(notebook.shown, "100%, all")
    assert notebook.shown[-1] == ""
    assert not any("inside" in line for line in notebook.shown)


def test_the_line_goes_when_the_work_fails(notebook):
    @tracked("dividing")
    def divide():
        wait_for(notebook.shown, "dividing")
        return 1 / 0

    with pytest.raises(ZeroDivisionError):
        divide()
    assert notebook.shown[-1] == ""
    with tracked("going on"):
        wait_for(notebook.shown, "going on")


def test_calls_show_their_progress(notebook, tmp_path, monkeypatch):
    log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    write_log(log, tmp_path / "log.xes")
    tracked_calls = []

    class Noted(progress._Line):
        def __init__(self, what, *rest):
            super().__init__(what, *rest)
            tracked_calls.append(what)

    monkeypatch.setattr(progress, "_Line", Noted)
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
    update = progress._percentages(lambda step, steps: done.append(steps))
    for part in (10, 50, 100, 5, 100):
        update(part, 100)
    assert sum(done) == 200


def test_a_session_in_a_terminal_shows_a_line_and_takes_it_away(monkeypatch):
    terminal = io.StringIO()
    terminal.isatty = lambda: True
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    with tracked("training"):
        deadline = time.monotonic() + 10
        while "training: 0 s" not in terminal.getvalue() and time.monotonic() < deadline:
            time.sleep(0.001)
    assert terminal.getvalue().startswith("\rtraining: 0 s")
    assert terminal.getvalue().endswith(" \r")


def test_scripts_pipes_and_short_calls_show_nothing(monkeypatch, capsys, notebook):
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    with tracked("comparing"):
        pass
    assert notebook.shown == []
    monkeypatch.delitem(sys.modules, "IPython")
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    assert progress._find_display() is None
    monkeypatch.setattr(sys, "ps1", ">>> ", raising=False)  # a session whose standard error is a file
    with tracked("comparing"):
        time.sleep(0.01)
    assert capsys.readouterr() == ("", "")
