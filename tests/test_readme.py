"""The README and the documentation show what really happens."""

import re
import shlex
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest
import typer

from actalike.cli.main import app
from actalike.prediction.training import evermann
from tests.helpers.commands import run, without_what_was_read

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Block(NamedTuple):
    page: str
    line: int
    language: str
    text: str


class Command(NamedTuple):
    page: str
    line: int
    words: list[str]
    output: str


def blocks_of(page):
    text = page.read_text(encoding="utf-8")
    for block in re.finditer(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield Block(
            page.relative_to(ROOT).as_posix().removeprefix("docs/"), text.count("\n", 0, block.start()) + 1, *block.groups()
        )


def commands_of(block):
    """In a console block, "$ actalike ..." is a command, what follows is its output."""
    for command in re.finditer(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE):
        words = shlex.split(command[1])
        if words[0] == "actalike":
            yield Command(block.page, block.line + 1 + block.text.count("\n", 0, command.start()), words[1:], command[2])


BLOCKS = [block for page in PAGES for block in blocks_of(page)]
PYTHON = [block for block in BLOCKS if block.language == "python"]
COMMANDS = [command for block in BLOCKS if block.language == "console" for command in commands_of(block)]
LINKS = [
    (page, target)
    for page in PAGES
    for target in dict.fromkeys(re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")))
    if not target.startswith("http")
    and (
        (ROOT / "docs" / "results").exists() or not re.search(r"(pictures|results)/|\.png$", target)
    )  # not in the source archive
]


def place(shown):
    return f"{shown.page}:{shown.line}"


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory):
    """A folder in which the demonstration was run, as the pages assume."""
    folder = tmp_path_factory.mktemp("readme")
    assert run("demo", "-o", folder / "demo-out").returncode == 0
    return folder


@pytest.fixture
def folder(demonstration, monkeypatch):
    monkeypatch.chdir(demonstration)
    return demonstration


def test_the_pages_have_blocks_of_python_and_of_a_console():
    assert {block.language for block in BLOCKS} == {"python", "console"}
    assert {block.page for block in PYTHON} > {"README.md", "concepts.md"}
    assert {command.page for command in COMMANDS} > {"README.md", "guides/clean_labels.md"}


@pytest.mark.parametrize("block", PYTHON, ids=place)
def test_python_blocks_run(block, folder, monkeypatch):
    if "predictor(" in block.text:
        monkeypatch.setattr(
            evermann, "SoundTrainer", partial(evermann.SoundTrainer, epochs=6)
        )  # to the end it takes eight seconds
    with redirect_stdout(StringIO()) as printed:
        exec(compile(block.text, place(block), "exec"), {"__name__": "__main__"})
    shown = "".join(re.findall(r"# ?> (.*\n)", block.text))
    assert ("print(" in block.text) == bool(shown), "a block prints, and does not show what, or the other way round"
    assert printed.getvalue() == shown


@pytest.mark.parametrize("command", COMMANDS, ids=place)
def test_console_blocks_show_what_is_printed(command, folder, monkeypatch):
    """What is shown is what is printed, "..." stands for lines left out; a command fails if an error is the last line shown."""
    if command.words[0] == "train":
        monkeypatch.setattr(evermann, "SoundTrainer", partial(evermann.SoundTrainer, epochs=6))
    done = run(*command.words)
    printed = done.stdout + "\n".join(without_what_was_read(done.stderr))
    if command.output.startswith("actalike: read "):  # a page need not show it
        printed = done.stderr + done.stdout
    pattern = re.escape(command.output.rstrip("\n")).replace(re.escape("..."), r"[\s\S]*")
    assert re.fullmatch(pattern, printed.rstrip("\n")), f"it prints\n{printed}"
    shows_error = command.output.rstrip("\n").rpartition("\n")[2].startswith("actalike: ")
    assert done.returncode == (1 if shows_error else 0)


def test_commands_that_are_shown_and_not_run_have_options_that_exist():
    """In an indented block, whose files or servers nobody has."""
    pages = [ROOT / "README.md", ROOT / "docs" / "start.md", ROOT / "docs" / "index.md", *(ROOT / "docs" / "guides").glob("*.md")]
    shown = [
        line
        for page in pages
        for line in re.findall(r"^    (?:[$] )?(?:uvx )?actalike (.*)$", page.read_text("utf-8"), re.MULTILINE)
    ]
    assert len(shown) > 10
    for line in shown:
        words = shlex.split(line, comments=True)
        command = typer.main.get_command(app)
        while words and hasattr(command, "commands"):
            command = command.get_command(typer.Context(command), words.pop(0))
            assert command is not None, line
        known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
        assert {word for word in words if word.startswith("-")} <= known, line


@pytest.mark.parametrize("page", sorted((ROOT / "docs" / "guides").glob("*.md")), ids=lambda page: page.stem)
def test_a_guide_answers_its_question_in_under_800_words(page):
    assert len(page.read_text(encoding="utf-8").split()) < 800


def test_the_readme_fits_on_one_screen():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 60


def test_a_page_that_code_names_exists():
    """Docstrings, help texts and errors say "docs/kin.md", and a reader looks there."""
    named = {
        (path.relative_to(ROOT).as_posix(), page)
        for folder in ("src", "tests", "measurements", "release")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".py", ".js", ".json", ".toml")
        for page in re.findall(r"(?<![\w/.-])docs/[\w/]+\.(?:md|ipynb)\b", path.read_text(encoding="utf-8"))
    }
    assert sorted((place, page) for place, page in named if not (ROOT / page).exists() and page != "docs/page.md") == []


@pytest.mark.parametrize(("page", "target"), LINKS, ids=lambda value: value if isinstance(value, str) else value.name)
def test_links_lead_somewhere(page, target):
    assert (page.parent / target).exists()
