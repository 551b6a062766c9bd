"""Tables, notes, JSON and progress on a terminal and without one."""

import io
import json
import math
import sys
import time
import unicodedata
from contextlib import redirect_stderr
from itertools import islice
from random import Random

import pytest

from actalike.cli import console
from actalike.cli.shell import quoted
from measurements.attacks import terminal
from tests.helpers.commands import run


class Terminal(io.StringIO):
    """Standard error as a terminal."""

    def isatty(self):
        return True


def wait_for(terminal, text):
    """Wait until a terminal shows a text, which another thread writes."""
    deadline = time.monotonic() + 20
    while text not in terminal.getvalue() and time.monotonic() < deadline:
        time.sleep(0.002)
    assert text in terminal.getvalue()


@pytest.fixture
def impatient(monkeypatch):
    """Let progress appear at once."""
    monkeypatch.setattr(console, "_PATIENCE", 0.0)
    monkeypatch.setenv("TERM", "xterm")


def test_columns_are_aligned_by_what_a_terminal_shows(capsys):
    console.print_table(["n", "label", "last"], [["1", "日本", "x"], ["1,000", "ab", ""]], right=(0,))
    assert capsys.readouterr().out == "    n  label  last\n    1  日本   x\n1,000  ab\n"


def test_control_characters_are_shown_and_do_nothing(capsys):
    assert console.plain("a\x1b[31m\x7f\x9f\n é") == "a\\x1b[31m\\x7f\\x9f\\x0a é"
    console.print_table(["a"], [["\x1b"]])
    console.print_note("\x1b")
    assert capsys.readouterr() == ("a\n\\x1b\n", "actalike: \\x1b\n")


def test_control_characters_are_escaped_in_json(capsys):
    text = "".join(map(chr, (*range(32), *range(127, 160))))
    console.print_json({text: text})
    shown = capsys.readouterr().out
    assert json.loads(shown) == {text: text}
    assert not set(shown) & set(text) - {"\n"}


def test_no_command_prints_an_escape_sequence_of_a_label(tmp_path):
    outcomes = list(islice(terminal.attempts(Random(15), tmp_path), 15))
    assert [outcome.detail for outcome in outcomes if outcome.verdict == "wrong"] == []
    assert {outcome.verdict for outcome in outcomes} == {"same", "refused"}


def test_what_is_no_number_is_null_in_json(capsys):
    console.print_json({"a": [math.nan, -math.inf, 1.5], "b": ("é", True, None)})
    text = capsys.readouterr().out
    assert json.loads(text) == {"a": [None, None, 1.5], "b": ["é", True, None]}
    assert "é" in text


def test_without_a_terminal_there_is_no_bar(capsys):
    with console.reading_progress("log.csv") as show:
        assert show is None
    with console.fitting_progress("kin-w5"), console.query_progress("counting", lambda: None):
        pass
    with console.working_progress("work", 2) as advance:
        advance("first")
        advance("second")
    assert capsys.readouterr() == ("", "")


def test_without_a_terminal_there_is_a_line_now_and_then(capsys, monkeypatch):
    monkeypatch.setattr(console, "_LINES_EVERY", -1.0)
    with console.working_progress("work", 2000) as advance:
        advance("a\x1b", 1000)
    assert capsys.readouterr().err == "work: 1,000 of 2,000 done (a\\x1b), 0 s so far\n"
    with console.working_progress("work", None) as advance:
        advance("epoch 1")
    assert capsys.readouterr().err == "work: epoch 1, 0 s so far\n"


def test_without_a_terminal_a_line_tells_how_long_a_method_is_fitted(capsys, monkeypatch):
    monkeypatch.setattr(console, "_PATIENCE", 0.0)
    monkeypatch.setattr(console, "_LINES_EVERY", 0.01)
    with console.fitting_progress("kin-w5"):
        time.sleep(0.1)
    assert capsys.readouterr().err.splitlines()[0] == "fitting kin-w5: 0 s so far"


@pytest.mark.parametrize(("share", "words"), [(0.25, "counting: 25% of this pass, 0 s so far"), (None, "counting: 0 s so far")])
def test_a_long_query_tells_its_share_if_it_is_known(capsys, monkeypatch, share, words):
    monkeypatch.setattr(console, "_PATIENCE", 0.0)
    monkeypatch.setattr(console, "_LINES_EVERY", 0.01)
    with console.query_progress("counting", lambda: share):
        time.sleep(0.1)
    assert capsys.readouterr().err.splitlines()[0] == words


def test_a_terminal_shows_what_is_read(impatient):
    with redirect_stderr(Terminal()) as terminal, console.reading_progress("a\x1b.csv") as show:
        wait_for(terminal, "reading")
        show(50, 100)
        show(100, 100)
    assert "reading a\\x1b.csv" in terminal.getvalue()


def test_a_terminal_shows_what_is_fitted(impatient):
    with redirect_stderr(Terminal()) as terminal, console.fitting_progress("kin-w5"):
        wait_for(terminal, "fitting")
    assert "fitting kin-w5" in terminal.getvalue()


def test_a_terminal_shows_the_piece_of_work_and_how_many_are_done(impatient):
    with redirect_stderr(Terminal()) as terminal, console.working_progress("work", 4) as advance:
        wait_for(terminal, "0/4")  # before the first piece is done
        advance("first")
        advance("last", 3)
    assert "work: last" in terminal.getvalue()
    assert "4/4" in terminal.getvalue()


def test_a_terminal_shows_the_piece_of_work_if_nobody_knows_how_many_there_will_be(impatient):
    with redirect_stderr(Terminal()) as terminal, console.working_progress("work", None) as advance:
        wait_for(terminal, "work")
        advance("epoch 1")
    assert "work: epoch 1" in terminal.getvalue()
    assert "/?" not in terminal.getvalue()


def test_a_terminal_shows_the_share_of_a_query(impatient):
    with redirect_stderr(Terminal()) as terminal, console.query_progress("counting", lambda: 0.25):
        time.sleep(0.05)
    assert "counting" in terminal.getvalue()


def test_what_takes_only_a_moment_shows_no_bar(monkeypatch):
    monkeypatch.setattr(console, "_PATIENCE", 60.0)
    with redirect_stderr(Terminal()) as terminal, console.reading_progress("a.csv") as show, console.fitting_progress("kin-w5"):
        show(1, 2)
    assert "a.csv" not in terminal.getvalue()
    assert "kin-w5" not in terminal.getvalue()


def test_what_turns_the_direction_of_writing_or_ends_a_line_is_escaped(capsys):
    """Unicode's controls of direction (embeddings, overrides, isolates, the three marks), its separators of lines and paragraphs."""
    controls = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}
    every = map(chr, range(sys.maxunicode + 1))
    found = (c for c in every if unicodedata.bidirectional(c) in controls or unicodedata.category(c) in ("Zl", "Zp"))
    turning = ["\u061c", "\u200e", "\u200f", *found]
    assert sorted(map(chr, console.DIRECTIONS)) == turning
    text = "".join(turning)
    assert console.plain("a\u202e\u2028b") == "a\\u202e\\u2028b"
    assert console.plain(text).isascii()
    console.print_table([text], [[text]])
    assert capsys.readouterr().out.isascii()
    console.print_json(text)
    printed = capsys.readouterr().out
    assert printed.isascii()
    assert json.loads(printed) == text
    assert quoted(text).isascii()
    assert console.plain("می\u200cخواهم 👩\u200d🔧") == "می\u200cخواهم 👩\u200d🔧"  # joiners belong to what is written


def test_passwords_and_tokens_of_addresses_are_in_no_error(tmp_path):
    for words in (
        ["look", "postgres://me:secret@host/shop"],
        ["similar", "s3a://KEY:secret@bucket/events", "--engine", "duckdb"],
        ["similar", tmp_path / "events", "--engine", "spark", "--master", "sc://127.0.0.1:1/;token=secret"],
    ):
        done = run(*words)
        assert (done.returncode, "secret" in done.stderr, "***" in done.stderr) == (1, False, True), done
