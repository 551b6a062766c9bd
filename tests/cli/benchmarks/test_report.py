"""The command benchmark report."""

import json
import re

import pytest

from tests.helpers.commands import fails, ok, run


def test_it_says_what_it_wrote(results, tmp_path):
    page = tmp_path / "page.html"
    shown = ok("benchmark", "report", results, "-o", page, "--title", "July")
    assert re.fullmatch(rf"{re.escape(str(page))}: 2 methods, 1 logs; \d\.\d MB\. Open it in a browser\.\n", shown)
    assert "<title>July" in page.read_text()


def test_the_same_facts_for_programs(results, tmp_path):
    page = tmp_path / "page.HTM"
    facts = json.loads(ok("benchmark", "report", results, "-o", page, "--json"))
    counts = {"methods": 2, "logs": 1, "gaps": []}
    assert facts == {"schema": "actalike/benchmark-report/1", "path": str(page), "bytes": page.stat().st_size, **counts}


def test_what_is_missing_is_told(incomplete, tmp_path):
    done = run("benchmark", "report", incomplete, "-o", tmp_path / "page.html")
    assert done.returncode == 0
    assert done.stderr.startswith("actalike: intrinsic: 2 of 4 results are not there yet, of aa-sequence-pmi-w3, one-hot")


@pytest.mark.parametrize(
    ("folders", "page", "words"),
    [
        (2, "page.html", "both results of the intrinsic benchmark"),
        (1, "page.txt", "should end in .html"),
        (0, "page.html", "not a folder of results"),
        (1, "no/page.html", "cannot be written"),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(results, tmp_path, folders, page, words):
    assert words in fails("benchmark", "report", *([results] * folders or [tmp_path]), "-o", tmp_path / page)
    assert list(tmp_path.iterdir()) == []
