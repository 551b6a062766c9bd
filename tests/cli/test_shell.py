"""Commands that are printed can be copied into a shell."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.cli.console import command_line, quoted
from tests.helpers.commands import ok
from tests.helpers.examples import examples

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
