"""The public names: all there, all documented, and nothing else shows."""

import ast
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import actalike

ROOT = Path(__file__).parents[1]


def test_every_public_name_is_there():
    for name in actalike.__all__:
        assert getattr(actalike, name) is not None


def test_dir_shows_the_public_names_only():
    assert set(dir(actalike)) == {*actalike.__all__, "__version__"}


def test_type_checkers_see_the_names_that_are_there():
    tree = ast.parse(Path(actalike.__file__).read_text(encoding="utf-8"))
    block, lazy = [node for node in tree.body if isinstance(node, ast.If)]
    assert ast.unparse(lazy.test) == "not TYPE_CHECKING"  # else a wrong name would be Any to them, and no error
    assert [node.name for node in ast.walk(lazy) if isinstance(node, ast.FunctionDef)] == ["__getattr__"]
    seen = {alias.asname: (node.module, alias.name) for node in block.body for alias in node.names}
    assert set(seen) == set(actalike.__all__)
    for public, (module, name) in seen.items():
        assert public == name
        room = actalike._ROOM_OF[public]
        assert module == ("actalike" if room == public else f"actalike.{room}")


def test_a_name_that_is_not_public_is_an_attribute_error():
    assert not hasattr(actalike, "nosuch")


def test_the_rooms_can_be_imported_by_their_names():
    """``methods`` was a function once, and hid the package."""
    code = "import actalike.methods.registry as registry\nprint(registry.DEFAULT_METHOD)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == actalike.DEFAULT_METHOD


def test_the_version_is_said_once():
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert pyproject["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "actalike.version.__version__"}


def test_the_function_methods_of_version_0_1_warns_and_works():
    with pytest.warns(DeprecationWarning, match=r"actalike\.method_names\(\)"):
        assert actalike.methods() == actalike.method_names()


def test_the_proposals_of_a_report_of_version_0_1_warn_and_work():
    report = actalike.WrittenReport(Path("report.html"), 1, 5, synonyms=2, alternatives=1)
    with pytest.warns(DeprecationWarning, match=r"synonyms \+ alternatives"):
        assert report.proposals == 3


def test_rooms_are_attributes_before_anything_has_loaded_them():
    code = "import actalike\nprint(actalike.errors.LogError.__name__, actalike.labels.in_words.__name__)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["LogError", "in_words"]
