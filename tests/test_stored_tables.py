"""The tables and pictures of README and docs are their stored results, and a table whose code has changed since says so."""

import pytest

from measurements import code_digest, pictures, provenance, tables

INDEX = tables.read_index()
SHOWN = {page: [found["name"] for found in tables.BLOCK.finditer(page.read_text(encoding="utf-8"))] for page in tables.PAGES}


@pytest.mark.parametrize("page", [page for page in SHOWN if SHOWN[page]], ids=lambda page: page.name)
def test_a_page_shows_the_stored_tables(page):
    text = page.read_text(encoding="utf-8")
    assert text == tables.rendered(text, INDEX), "run: make figures"


def test_every_stored_table_is_shown_and_described():
    assert {name for names in SHOWN.values() for name in names} - {"highlights"} == set(INDEX)
    assert {path.stem for path in tables.STORED.glob("*.csv")} == set(INDEX)
    for name, facts in INDEX.items():
        assert set(facts) == {"command", "code", "date", "commit", "version", "machine", "digest", "content"}
        assert tables.content_digest(name) == facts["content"], f"{name}.csv was edited: store what a command prints"


def test_comments_of_tables_come_in_pairs():
    for page in SHOWN:
        text = page.read_text(encoding="utf-8")
        assert text.count("<!-- table: ") == text.count("<!-- end of table -->") == len(SHOWN[page]), page


def test_every_subject_has_code():
    for subject, patterns in code_digest.SUBJECTS.items():
        for pattern in patterns:
            assert list(code_digest.SOURCE.glob(pattern)), f"{subject}: no file is {pattern}"


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A place of its own for stored tables, with one table of one of two modules and of one of two scripts."""
    for folder in ("src/actalike", "measurements"):
        (tmp_path / folder).mkdir(parents=True)
        for name in ("one", "other"):
            (tmp_path / folder / f"{name}.py").write_text(f'"""Words."""\n\n{name} = 1\n')
    monkeypatch.setattr(tables, "STORED", tmp_path)
    monkeypatch.setattr(tables, "INDEX", tmp_path / "index.json")
    monkeypatch.setitem(code_digest.SUBJECTS, "mine", ("one.py",))
    monkeypatch.setattr(tables, "code_digest", lambda code, command: code_digest.code_digest(code, command, tmp_path))
    index = {"mine": {"code": ["mine"], "command": "python measurements/one.py LOG"}}
    tables.store("mine", "Words.\n\n| a | b |\n| --- | :-: |\n| 1   | x \\| y |\n\n| another |\n", None, index)
    return tmp_path, index


PAGE = "Before.\n\n<!-- table: mine -->\n\nold\n\n<!-- end of table -->\n\nAfter.\n"


def test_a_table_is_kept_and_shown_without_a_remark(stored):
    folder, index = stored
    assert (folder / "mine.csv").read_text() == "a,b\n1,x \\| y\n"
    assert tables.rendered(PAGE, index) == PAGE.replace("old", "| a | b |\n|---|---|\n| 1 | x \\| y |")
    assert index["mine"]["version"] == provenance.version()
    assert tables.read_index() == index


@pytest.mark.parametrize("code", ["src/actalike", "measurements"])
def test_a_table_is_marked_when_its_code_changes_and_only_then(stored, code):
    folder, index = stored
    shown = tables.rendered(PAGE, index)
    (folder / code / "other.py").write_text("other = 2\n")
    (folder / code / "one.py").write_text('"""Better words."""\n\none = 1  # why\n')
    assert tables.rendered(shown, index) == shown
    (folder / code / "one.py").write_text("one = 2\n")
    marked = tables.rendered(shown, index)
    facts = index["mine"]
    assert (
        f"*Measured with {facts['version']} (commit {facts['commit']}, {facts['date']}); the code behind it has changed since.*"
        in marked
    )
    assert tables.rendered(marked, index) == marked
    tables.store("mine", marked, "python measurements/other.py", index)
    assert tables.rendered(marked, index) == shown
    assert index["mine"]["command"] == "python measurements/other.py"


def test_what_is_no_table_is_refused():
    with pytest.raises(ValueError, match="There is no table"):
        tables.rows_of("a | b\n")


@pytest.mark.parametrize("name", pictures.PICTURES)
def test_a_picture_shows_what_is_stored(name):
    stored, _ = pictures.PICTURES[name]
    assert pictures.shown(pictures.DOCS / name) == pictures.digest(stored), "run: make figures"


def test_a_picture_is_drawn_from_what_is_stored(tmp_path):
    stored = tmp_path / "growth.json"
    stored.write_text('{"output": "  events\\n  10,000  0.0009  85  0.0005  53\\n  100,000  0.0077  77  0.0015  15"}')
    lines = pictures.counting_growth(stored).axes[0].get_lines()
    assert [line.get_xydata().tolist() for line in lines[:2]] == [[[1e4, 0.0009], [1e5, 0.0077]], [[1e4, 0.0005], [1e5, 0.0015]]]
