"""Tables, notes and JSON, on a terminal and without one."""

import json
import math
import sys
import unicodedata
from itertools import islice
from random import Random

from actalike.cli import console
from actalike.cli.console import quoted
from tests.attacks import terminal
from tests.helpers.commands import run


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
        ["similar", "-m", "kin", "s3a://KEY:secret@bucket/events", "--engine", "duckdb"],
        ["similar", "-m", "kin", tmp_path / "events", "--engine", "spark", "--master", "sc://127.0.0.1:1/;token=secret"],
    ):
        done = run(*words)
        assert (done.returncode, "secret" in done.stderr, "***" in done.stderr) == (1, False, True), done
