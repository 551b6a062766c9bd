"""The tutorials can be read as they are stored: valid notebooks with outputs, and a runner that notices what differs.

``make tutorials-check`` runs them; here nothing is executed.
"""

import ast
import base64
import copy
import importlib.util
import re
import sys
import tomllib
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "tutorials"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
PACKAGES = {"sklearn": "scikit-learn", "IPython": "ipykernel"}  # modules that are called otherwise than what is installed

spec = importlib.util.spec_from_file_location("tutorials_run", FOLDER / "run.py")
run = importlib.util.module_from_spec(spec)
spec.loader.exec_module(run)

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


def read(path):
    return nbformat.read(path, as_version=nbformat.NO_CONVERT)


def code_cells(path):
    return [cell for cell in read(path).cells if cell.cell_type == "code"]


def picture_sizes(cells):
    return [
        len(base64.b64decode(output.data["image/png"]))
        for cell in cells
        for output in cell.outputs
        if "image/png" in output.get("data", {})
    ]


def imported(source):
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module.partition(".")[0]


def packages_of(extras):
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    of_extras = (line for extra in extras for line in pyproject["project"]["optional-dependencies"][extra])
    wanted = [*pyproject["project"]["dependencies"], *of_extras, *pyproject["dependency-groups"]["docs"]]
    return {re.split(r"[\[<>=]", line)[0] for line in wanted}


def test_the_runner_knows_all_notebooks():
    assert sorted(run.ORDER) == [path.stem for path in NOTEBOOKS]


@each_notebook
def test_a_notebook_is_valid_and_small_and_was_run_from_start_to_end(path):
    notebook = read(path)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    assert path.stat().st_size < 500_000
    assert notebook.cells[0].source.startswith("# ")
    cells = code_cells(path)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert max(picture_sizes(cells), default=0) < 100_000
    assert path.read_text(encoding="utf-8") == run.as_text(notebook)


@each_notebook
def test_a_notebook_shows_results_and_neither_errors_nor_places_of_the_machine_that_ran_it(path):
    outputs = [output for cell in code_cells(path) for output in cell.outputs]
    assert len(outputs) > 5
    assert {output.output_type for output in outputs} <= {"stream", "execute_result", "display_data"}
    assert not [output for output in outputs if output.get("name") == "stderr"]
    texts = [
        text for output in outputs for text in (output.get("text"), *output.get("data", {}).values()) if isinstance(text, str)
    ]
    for text in texts:
        assert not re.search(r"(?<![\w<.])/(home|root|tmp|usr|work|private|var|Users|opt)/| at 0x[0-9a-f]+|[A-Z]:\\", text)


@each_notebook
def test_a_notebook_ends_on_a_real_log_that_it_does_not_need(path):
    real = [cell for cell in code_cells(path) if run.REAL_LOG in cell.metadata.get("tags", [])]
    assert [output.text.startswith("Not run: set ACTALIKE_LOGS") for cell in real for output in cell.outputs] == [True]
    assert any("https://doi.org/10.4121/" in cell.source for cell in read(path).cells)


@each_notebook
def test_a_notebook_imports_only_what_the_extras_it_names_install(path):
    (extras,) = re.findall(r"pip install 'actalike\[([\w,-]+)\]'", "".join(cell.source for cell in read(path).cells[:1]))
    modules = {module for cell in code_cells(path) for module in imported(cell.source)}
    provided = packages_of(extras.split(",")) | {"actalike"} | set(sys.stdlib_module_names)
    assert {PACKAGES.get(module, module) for module in modules} <= provided


@each_notebook
def test_links_of_a_notebook_lead_somewhere(path):
    text = "\n".join(cell.source for cell in read(path).cells if cell.cell_type == "markdown")
    targets = [target for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text) if not target.startswith("http")]
    assert targets
    assert [target for target in targets if not (path.parent / target).exists()] == []


def cell(*outputs, tags=()):
    made = nbformat.v4.new_code_cell("1", id="one", metadata={"tags": list(tags)})
    made.outputs = list(outputs)
    return made


def text(words):
    return nbformat.v4.new_output("stream", name="stdout", text=words)


def picture(shade, software):
    import io

    import numpy as np
    from PIL import Image, PngImagePlugin

    note, content = PngImagePlugin.PngInfo(), io.BytesIO()
    note.add_text("Software", software)
    Image.fromarray(np.full((4, 4), shade, dtype=np.uint8)).save(content, "png", pnginfo=note)
    return nbformat.v4.new_output("display_data", data={"image/png": base64.b64encode(content.getvalue()).decode()})


def test_another_text_is_a_difference_that_names_the_cell():
    assert run.difference(cell(text("a\nb\n")), cell(text("a\nc\n")))[0] == "cell one:"
    assert run.difference(cell(text("a\nb\n")), cell(text("a\nb\n"))) == []
    assert run.difference(cell(text("a")), cell()) != []


def test_pictures_are_compared_by_their_pixels():
    assert run.difference(cell(picture(7, "one")), cell(picture(7, "other"))) == []
    assert run.difference(cell(picture(7, "one")), cell(picture(8, "one"))) != []


def test_outputs_that_vary_are_stored_once_and_not_compared():
    assert run.difference(cell(text("3 s"), tags=["varies"]), cell(text("4 s"), tags=["varies"])) == []
    assert run.difference(cell(tags=["varies"]), cell(text("4 s"), tags=["varies"])) != []


def test_what_shows_the_same_keeps_its_bytes():
    stored, executed = (nbformat.v4.new_notebook(cells=[cell(picture(7, name))]) for name in ("one", "other"))
    before = copy.deepcopy(stored)
    assert run.keep_equal(stored, executed) == before


def test_texts_are_joined_and_lines_of_progress_that_are_over_are_left_out():
    progress = nbformat.v4.new_output("display_data", data={"text/plain": ""})
    notebook = nbformat.v4.new_notebook(
        cells=[cell(text("a\n"), progress, text("b\n"))], metadata={"language_info": {"name": "python", "version": "3"}}
    )
    tidy = run.tidy(notebook)
    assert tidy.cells[0].outputs == [text("a\nb\n")]
    assert "version" not in tidy.metadata.language_info
