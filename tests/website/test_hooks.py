"""What the site is built with, without building it: links, commands, examples, notebooks, and that no page is forgotten."""

import re
from pathlib import Path
from types import SimpleNamespace

import pytest

import actalike
from actalike.cli.main import COMMANDS
from actalike.report.leaderboard import write_leaderboard
from tests.helpers.commands import run
from tests.helpers.requirements import need_results

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
REFERENCE = [path.read_text(encoding="utf-8") for path in sorted((DOCS / "reference").glob("api*.md"))]


def test_every_public_name_is_in_the_reference_once():
    shown = re.findall(r"^::: actalike\.(\w+)$", "\n".join(REFERENCE), re.MULTILINE)
    assert sorted(shown) == sorted(set(actalike.__all__) - {"benchmark", "datasets", "plot"})


@pytest.mark.parametrize("room", ["benchmark", "datasets", "plot"])
def test_every_public_name_of_a_public_room_is_in_the_reference_once(room):
    shown = re.findall(rf"^::: actalike\.{room}\.(\w+)$", "\n".join(REFERENCE), re.MULTILINE)
    assert sorted(shown) == sorted(set(getattr(actalike, room).__all__) - {"BENCHMARKS"})


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    listed = re.findall(r"[\w/]+\.(?:md|ipynb)", navigation)
    assert sorted(listed) == sorted(
        path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*") if path.suffix in (".md", ".ipynb")
    )


@pytest.fixture(scope="module")
def commands():
    from website.command_reference import reference

    sections = re.split(r"^## actalike (.*)\n", reference(), flags=re.MULTILINE)
    return dict(zip(sections[1::2], sections[2::2], strict=True))


def test_every_command_is_in_the_reference(commands):
    assert {words.partition(" ")[0] for words in commands} == set(COMMANDS)


@pytest.mark.parametrize("words", ["relabel", "match", "benchmark intrinsic", "datasets check", "plot map"])
def test_the_reference_has_every_option_of_the_help(commands, words):
    printed = run(*words.split(), "--help").stdout
    options = set(re.findall(r"^  (?:-\w, )?(--[a-z-]+)", printed, re.MULTILINE))
    assert options
    assert {option for option in options if f"`{option}" not in commands[words]} == set()
    first_sentence = printed.splitlines()[2].strip()
    assert first_sentence in commands[words].replace("`", "").replace("\\", "").replace("\n", " ")


def test_links_out_of_the_docs_lead_into_the_repository():
    need_results()
    from website.as_on_github import with_outward_links

    def mended(link, page="howto/vectors.md"):
        return with_outward_links(f"see [it]({link})", page, DOCS, "https://host/repo")[len("see [it](") : -1]

    assert mended("../../CONTRIBUTING.md") == "https://host/repo/blob/main/CONTRIBUTING.md"
    assert mended("../results/tables") == "https://host/repo/tree/main/docs/results/tables"
    assert mended("../src/a.py#L3", "kin.md") == "https://host/repo/blob/main/src/a.py#L3"
    for kept in ("../kin.md", "../kin.md#centred-kin", "benchmark.md", "#here", "https://host/page.md", "../pictures/logo.svg"):
        assert mended(kept) == kept


def test_examples_in_docstrings_are_shown_as_code():
    from website.docstring_examples import with_fences

    shown = with_fences("Count.\n\n>>> for x in [1]:\n...     x\n1\n\nThen :func:`sum`:\n\n>>> 2\n2\n")
    assert shown == "Count.\n\n```pycon\n>>> for x in [1]:\n...     x\n1\n```\n\nThen `sum`:\n\n```pycon\n>>> 2\n2\n```\n"
    assert with_fences("No example, 3 >> 2.") == "No example, 3 >> 2."


def test_notebooks_fetch_nothing_and_link_to_pages():
    from website.notebook_pages import on_page_content

    def file(path):
        return SimpleNamespace(src_uri=path, url_relative_to=lambda other: f"../{Path(path).stem}.html")

    page = SimpleNamespace(file=file("tutorials/vectors.ipynb"))
    files = SimpleNamespace(get_file_from_path={"kin.md": file("kin.md")}.get)
    config = SimpleNamespace(extra={"repository": "https://host/repo"})
    html = (
        '<script src="https://host/MathJax.js"></script><a href="../kin.md#rounds">kin</a>'
        '<a href="../../README.md">read</a><a href="https://doi.org/1">log</a><a href="#here">here</a><script>own()</script>'
    )
    assert on_page_content(html, page, config, files) == (
        '<a href="../kin.html#rounds">kin</a><a href="https://host/repo/blob/main/README.md">read</a>'
        '<a href="https://doi.org/1">log</a><a href="#here">here</a><script>own()</script>'
    )
    page.file = file("kin.md")
    assert on_page_content(html, page, config, files) == html


def test_a_leaderboard_is_made_of_stored_results_with_the_sizes_of_the_logs(tmp_path):
    from website.live_pages import stored

    need_results()
    results = stored("intrinsic")
    written = write_leaderboard([results], tmp_path / "page.html")
    assert (written.methods, written.logs, written.gaps) == (58, 6, [])
    assert results.folder.logs["Helpdesk"]["events"] == 21348
    best = results.over_logs().sort("I_nn", descending=True)["method"][0]
    assert best == "kin2-w5"


def test_the_leaderboard_of_efficiency_is_made_of_its_stored_folder(tmp_path):
    from website.live_pages import RESULTS, unpacked

    need_results()
    with unpacked(RESULTS / "efficiency.json") as folder:
        written = write_leaderboard([folder], tmp_path / "page.html")
    assert written.logs == 5
    assert written.methods > 50
