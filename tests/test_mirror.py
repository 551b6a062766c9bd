"""Every module with code of its own has a test file of its name, in the folder of its room."""

import ast
from functools import cache
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PACKAGE = TESTS.parent / "src" / "actalike"

EXCEPTIONS = {
    "__init__": "test_public_names.py tests what it gives",
    "methods/__init__": "test_public_names.py tests what is left of the function of 0.1",
    "prediction/training/__main__": "benchmark/prediction/test_run.py runs it, as on a machine with no more than torch",
    "prediction/training/trainer": "the part that Evermann's trainers share; test_published.py and test_sound.py test it in both",
}


def has_code(path: Path) -> bool:
    """Whether a module has a function or method that is more than its docstring."""
    functions = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.FunctionDef)]
    return any(not isinstance(node, ast.Expr) for function in functions for node in function.body)


@cache
def modules() -> list[str]:
    """Return the modules with code of their own."""
    return sorted(path.relative_to(PACKAGE).with_suffix("").as_posix() for path in PACKAGE.rglob("*.py") if has_code(path))


def is_tested(module: str) -> bool:
    room, _, name = module.rpartition("/")
    return (TESTS / room / f"test_{name.strip('_')}.py").exists()  # test_init.py tests __init__.py


def test_a_module_has_a_test_file_of_its_name():
    assert [module for module in modules() if module not in EXCEPTIONS and not is_tested(module)] == []


@pytest.mark.parametrize("module", sorted(EXCEPTIONS))
def test_an_exception_is_a_module_without_a_test_file(module):
    assert module in modules(), "there is no such module, or it has no code: remove the exception"
    assert not is_tested(module), "it has a test file: remove the exception"
