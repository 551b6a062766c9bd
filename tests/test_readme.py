"""The README and the documentation show what really happens."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page, language):
    return re.findall(rf"^```{language}\n(.*?)^```", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder in which the demonstration was run, as the pages assume."""
    folder = tmp_path_factory.mktemp("readme")
    subprocess.run([sys.executable, "-m", "actalike", "demo", "-o", "demo-out"], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page, folder):
    for code in blocks(page, "python"):
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", code], cwd=folder, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{code}\n{done.stderr}"
        shown = "".join(re.findall(r"# ?> (.*\n)", code))
        assert ("print(" in code) == bool(shown), f"a block prints, and does not show what, or the other way round:\n{code}"
        assert done.stdout == shown


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_console_blocks_show_what_is_printed(page, folder):
    """In a console block, "$ actalike ..." is a command, what follows is its output; "..." stands for lines left out."""
    for block in blocks(page, "console"):
        for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            words = shlex.split(command)
            if words[0] != "actalike":
                continue
            done = subprocess.run(
                [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, check=False, encoding="utf-8"
            )
            pattern = re.escape(shown.rstrip("\n")).replace(re.escape("..."), r"[\s\S]*")
            assert re.fullmatch(pattern, (done.stdout + done.stderr).rstrip("\n")), (
                f"{command} prints\n{done.stdout}{done.stderr}"
            )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            assert (page.parent / target).exists(), target
