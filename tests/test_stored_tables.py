"""README and docs show the stored tables, each with the version and the command that measured it."""

import csv
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from actalike import __version__
from tests.helpers.requirements import need_results

ROOT = Path(__file__).parents[1]
TABLES = ROOT / "docs" / "results" / "tables"


@pytest.fixture(autouse=True)
def _results():
    need_results()


def results(root, *words):
    return subprocess.run(
        [sys.executable, root / "measurements" / "results.py", *words], capture_output=True, text=True, check=False
    )


def test_the_pages_show_the_stored_tables():
    done = results(ROOT, "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), "run: make figures"


def test_every_stored_table_names_its_version_and_command():
    index = json.loads((TABLES / "index.json").read_text(encoding="utf-8"))
    assert {path.stem for path in TABLES.glob("*.csv")} == set(index)
    for name, facts in index.items():
        assert set(facts) == {"version", "date", "command"}
        with (TABLES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
            assert len({len(row) for row in csv.reader(file)}) == 1, f"{name}: rows of different lengths"


@pytest.fixture
def stored(tmp_path):
    """A repository with one page, which shows one stored table as it was before."""
    (tmp_path / "measurements").mkdir()
    shutil.copy(ROOT / "measurements" / "results.py", tmp_path / "measurements")
    tables = tmp_path / "docs" / "results" / "tables"
    tables.mkdir(parents=True)
    (tables / "mine.csv").write_text("a,b\n1,x \\| y\n")
    (tables / "index.json").write_text('{"mine": {"version": "0.0.7", "date": "2026-01-01", "command": "`actalike`"}}')
    (tmp_path / "README.md").write_text("No table.\n")
    (tmp_path / "docs" / "page.md").write_text("Before.\n\n<!-- table: mine -->\n\nold\n\n<!-- end of table -->\n\nAfter.\n")
    return tmp_path


def test_a_page_that_shows_something_else_is_named_and_mended(stored):
    page = stored / "docs" / "page.md"
    before = page.read_text()
    done = results(stored, "--check")
    assert (done.returncode, done.stdout) == (1, "docs/page.md\n")
    assert page.read_text() == before
    assert results(stored).returncode == 0
    table = "| a | b |\n|---|---|\n| 1 | x \\| y |\n\n*Version 0.0.7: `actalike`*"
    assert page.read_text() == before.replace("old", table)
    assert results(stored, "--check").returncode == 0


def test_a_table_that_is_measured_again_has_the_current_version(stored):
    code = "import results; results.store('mine', [['a'], ['2']], 'actalike again'); results.main([])"
    subprocess.run([sys.executable, "-c", code], cwd=stored / "measurements", check=True, capture_output=True)
    assert f"| 2 |\n\n*Version {__version__}: `actalike again`*" in (stored / "docs" / "page.md").read_text()


def test_a_page_may_show_some_rows_and_columns_of_a_table_in_its_own_order(stored):
    (stored / "docs" / "results" / "tables" / "mine.csv").write_text("name,a,b\nx,1,2\n**y**,3,4\n`z`,5,6\n")
    page = stored / "docs" / "page.md"
    page.write_text("<!-- table: mine; rows: z | y; columns: b -->\n\n<!-- end of table -->\n")
    assert results(stored).returncode == 0
    assert "| name | b |\n|---|---|\n| `z` | 6 |\n| **y** | 4 |\n\n*Version" in page.read_text()


def test_a_table_that_is_not_stored_is_an_error(stored):
    (stored / "docs" / "page.md").write_text("<!-- table: yours -->\n\n<!-- end of table -->\n")
    done = results(stored)
    assert done.returncode == 1
    assert "yours" in done.stderr
