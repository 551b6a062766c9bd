"""Tables, notes and JSON, on a terminal and without one."""

import json
import math
import os
import shutil
import subprocess
import sys
import unicodedata
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.cli import console
from actalike.cli.console import command_line, quoted
from tests.attacks import terminal
from tests.helpers.commands import ok, run
from tests.helpers.examples import examples


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
    outcomes = list(islice(terminal.attempts(Random(15), tmp_path), 24))
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


NASTY = [
    "my log",
    "it's",
    '"q"',
    "$HOME",
    "-o",
    "--help",
    "a;b",
    "`id`",
    "*",
    "a\\b",
    "#x",
    "~",
    "new\nline",
    os.fsdecode(b"\xe9"),
]


def words_in_shell(line):
    """The words that a shell makes of a line."""
    program = "import os, sys; sys.stdout.buffer.write(b'\\0'.join(map(os.fsencode, sys.argv[1:])))"
    script = f'actalike() {{ {sys.executable} -c "$PROGRAM" "$@"; }}; {line}'
    done = subprocess.run(
        ["bash", "-c", os.fsencode(script)], env={**os.environ, "PROGRAM": program}, capture_output=True, check=True
    )
    return [os.fsdecode(word) for word in done.stdout.split(b"\0")]


def test_a_shell_reads_the_words_that_were_meant():
    assert words_in_shell(command_line("similar", *NASTY)) == ["similar", *NASTY]


@examples(100)
@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_a_quoted_text_is_shown_on_one_line_without_control_characters(text):
    assert quoted(text).isprintable() or not text.isprintable()
    assert "\n" not in quoted(text)
    assert "\x1b" not in quoted(text)


@pytest.mark.parametrize("name", ['it\'s my "$HOME"', "-o"])
def test_the_next_command_of_group_runs_as_it_is_printed(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    header, rows = "Order Id;-Step;Note", "".join(f"{n};{step};{i}\n" for n in range(20) for i, step in enumerate("axb"))
    Path(f"{name}.csv").write_text(f"{header}\n{rows}")
    options = ("--case", "Order Id", "--activity=-Step", "--separator", ";", "--order", "file")
    shown = ok("group", f"./{name}.csv", "-o", f"{name} mapping.csv" if not name.startswith("-") else f"./{name}.map", *options)
    line = shown.splitlines()[-1]
    assert line.startswith("Next: look through ")
    command = line.partition(", then: ")[2]
    ok(*words_in_shell(command))
    assert Path("relabelled.csv").exists()


def test_the_next_command_of_group_takes_a_free_name_of_the_right_kind(log, tmp_path):
    shutil.copy(log, tmp_path / "relabelled.xes.gz")
    shown = ok("group", tmp_path / "relabelled.xes.gz", "-o", tmp_path / "mapping.csv")
    assert shown.rstrip().endswith(f"-o {tmp_path}/relabelled2.xes.gz")


def test_a_mapping_that_relabel_could_not_use_comes_with_no_command(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity,lifecycle:transition\n1,a,start\n1,a,complete\n")
    shown = ok("group", tmp_path / "log.csv", "-o", tmp_path / "mapping.csv", "--lifecycle", "append")
    assert shown.endswith("so to use these names there, read the log without --lifecycle append.\n")
