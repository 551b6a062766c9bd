"""The rooms: nothing imports upwards, nothing imports in a circle, and the core works without any extra."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from functools import cache
from importlib.metadata import distribution, distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "actalike"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HEAVY = [
    "matplotlib",
    "gensim",
    "torch",
    "pm4py",
    "pyspark",
    "sentence_transformers",
    "transformers",
    "pandas",
    "pyarrow",
    "duckdb",
    "fastexcel",
    "ibis",
    "psycopg",
    "sqlglot",
    "sklearn",
    "joblib",
    "cloudpickle",
    "r4pm",
    "hypothesis",
    "pytest",
    "playwright",
]

MAIN_JOB = """
import actalike
from actalike.demo.loan_desk import loan_desk
actalike.write_log(loan_desk(50), "log.xes.gz")
log = actalike.read_log("log.xes.gz")
embedding = actalike.embed(log)
embedding.save("log.actalike")
a, b, _ = actalike.load("log.actalike").most_similar_pairs(1)[0]
assert embedding.explain(a, b)
actalike.write_log(log, "log.csv")
actalike.write_log(log, "log.parquet")
assert actalike.read_log("log.csv") == actalike.read_log("log.parquet") == log
"""


def rooms():
    """The rooms from top to bottom, as docs/architecture.md lists them: the one place where the order is written down."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"^<!-- rooms -->\n\n((?:    .*\n)+)", text, re.MULTILINE)
    return [line.split()[0].removesuffix("/").removesuffix(".py") for line in listed.splitlines()]


def modules():
    """Every module of the package by its dotted name."""
    paths = {path: ".".join(("actalike", *path.relative_to(SOURCE).with_suffix("").parts)) for path in SOURCE.rglob("*.py")}
    return {name.removesuffix(".__init__"): path for path, name in paths.items()}


MODULES = modules()


@cache
def nodes(path):
    """The parts of a module that tell what it imports, as Python parses it."""
    kinds = (ast.Import, ast.ImportFrom, ast.Constant, ast.Call)
    return [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, kinds)]


def imports(name, path):
    """The modules that a module imports, anywhere in it: at the top, in functions, for type checkers, by relative names.

    What is imported by a string (importlib.import_module, Extra.load) counts too, where the string is one of our modules.
    """
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.partition(".")[0] == "actalike")
        elif isinstance(node, ast.ImportFrom):
            parents = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
            module = ".".join([*parents, *(node.module.split(".") if node.module else [])])
            if module.partition(".")[0] == "actalike":
                for alias in node.names:
                    yield f"{module}.{alias.name}" if f"{module}.{alias.name}" in MODULES else module
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in MODULES and "." in node.value:
            yield node.value


@cache
def imports_of_all():
    """What each module imports; every file is parsed once for all tests."""
    return {name: set(imports(name, path)) for name, path in MODULES.items()}


def room_of(name):
    return name.split(".")[1] if "." in name else "__init__"


def test_every_module_is_in_a_room_of_the_list_and_every_room_is_there():
    assert {room_of(name) for name in MODULES} == set(rooms())


def test_a_module_imports_only_from_its_own_room_or_one_above_it():
    rank = {room: place for place, room in enumerate(rooms())}
    for name, imported in imports_of_all().items():
        below = {other for other in imported if rank[room_of(other)] > rank[room_of(name)]}
        assert not below, f"{name} imports {below}, which are below it"
        if room_of(name) != "__init__":
            assert "actalike" not in imported, f"{name} imports a public name, which is for users: import from the room"


def test_a_module_imports_in_ways_that_can_be_followed():
    """``import actalike.x`` binds the public names, which load any room; what is computed at run time cannot be read here."""
    # import what a table of theirs names, which imports() reads; of counting, its imports for type checkers name the same
    tables = {"actalike", "actalike.benchmark", "actalike.cli.main", "actalike.counting"}
    foreign = {"actalike.benchmark.participants", "actalike.support.extras", "actalike.support.frames"}  # what is not ours
    for name, path in MODULES.items():
        for node in nodes(path):
            if isinstance(node, ast.Import):
                ours = [alias.name for alias in node.names if alias.name.partition(".")[0] == "actalike"]
                assert not ours, f"{name} says import {ours}: use from ... import"
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                assert called not in ("__import__", "exec", "eval") or isinstance(node.func, ast.Attribute), (name, called)
                assert called != "import_module" or name in tables | foreign, f"{name} computes what it imports"


def test_inside_a_room_modules_are_imported_and_not_the_rooms_list():
    """The list is made from the modules: a module that imports from it runs in a circle."""
    for name, imported in imports_of_all().items():
        parents = {".".join(name.split(".")[:depth]) for depth in range(2, name.count(".") + 1)}
        assert not parents & imported, f"{name} imports from {parents & imported}: import from the module"


def test_no_modules_import_each_other_in_a_circle():
    """A package's __init__ runs before its modules, so it counts only for what is imported from outside the package."""

    def needs(name):
        for imported in imports_of_all()[name]:
            if imported not in MODULES or imported == name:
                continue
            if MODULES[imported].name == "__init__.py" and name.startswith(f"{imported}."):
                continue
            yield imported

    state = {}

    def visit(name, trail):
        assert state.get(name) != "open", " -> ".join([*trail[trail.index(name) :], name])
        if name in state:
            return
        state[name] = "open"
        for imported in sorted(needs(name)):
            visit(imported, [*trail, name])
        state[name] = "done"

    for name in sorted(MODULES):
        visit(name, [])


def test_rooms_name_what_others_may_use():
    """From another room, a name is imported from the room itself, which lists it; support and plot are used by module."""
    by_module = {"support", "plot", "benchmark", "report", "demo", "cli", "errors", "version", "loading", "__init__"}
    listed = {name: _listed(path) for name, path in MODULES.items() if path.name == "__init__.py" or path.parent == SOURCE}
    for name, path in MODULES.items():
        for node in nodes(path):
            if not isinstance(node, ast.ImportFrom) or node.level or not (node.module or "").startswith("actalike."):
                continue
            room = room_of(node.module)
            if room == room_of(name) or room in by_module or ".training" in node.module:
                continue
            assert node.module in listed, f"{name} imports from {node.module}: import from the room"
            missing = {alias.name for alias in node.names} - listed[node.module]
            assert not missing, f"{name} imports {missing} from {node.module}, which does not list it in __all__"


def _listed(path):
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__" and isinstance(node.value, ast.List):
            return {element.value for element in node.value.elts}
    return set()


def test_no_public_name_hides_a_module():
    """Otherwise ``import actalike.room.name as m`` gives something else than the module."""
    for name, path in MODULES.items():
        if path.name == "__init__.py":
            hidden = {public for public in _listed(path) if f"{name}.{public}" in MODULES}
            assert not hidden, f"{name} lists {hidden}, which are also modules"


def test_a_module_that_imports_upwards_would_be_noticed(tmp_path):
    """The test above sees imports at the top, in functions, for type checkers, relative ones and those by string."""
    code = (
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from actalike.report import write_report\n"
        "def f():\n    from ..labels import groups\n    import actalike.cli.main as m\n"
        "    from actalike import plot\n    import_module('actalike.demo.run')\n"
    )
    path = tmp_path / "event_log.py"
    path.write_text(code)
    seen = set(imports("actalike.log.event_log", path))
    assert seen == {"actalike.report", "actalike.labels.groups", "actalike.cli.main", "actalike.plot", "actalike.demo.run"}


def python(code, cwd, executable=sys.executable):
    return subprocess.run([executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False)


def test_importing_the_core_loads_no_heavy_package(tmp_path):
    code = f"import sys, actalike, actalike.cli.main\nfor name in actalike.__all__: getattr(actalike, name)\n" \
           f"print(sorted(set({HEAVY}) & set(sys.modules)))"  # fmt: skip
    done = python(code, tmp_path)
    assert done.stdout.strip() == "[]", done.stderr


def core_distributions():
    """The distributions that the core needs, those that they need, and so on."""
    needed = {}
    wanted = [Requirement(text) for text in PROJECT["dependencies"]]
    while wanted:
        one = wanted.pop()
        if one.name not in needed and (one.marker is None or one.marker.evaluate({"extra": ""})):
            needed[one.name] = distribution(one.name)
            wanted += map(Requirement, needed[one.name].requires or [])
    return needed.values()


def link(found, folder):
    """Put a distribution into an environment's folder, by links: to unpack all of them anew takes ten seconds."""
    links = [folder / top for top in {file.parts[0] for file in found.files} - {"..", "__pycache__"}]
    for path in links:
        path.symlink_to(found.locate_file(path.name))
    return links


@pytest.mark.campaign
def test_the_core_installs_without_any_extra(tmp_path):
    """In a fresh environment, from this folder: the core, its dependencies, and nothing else.

    The dependencies are those of this environment, which pip takes if they are what the core asks for. So is what builds it, which
    is there for the installation only.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", tmp_path / "venv"], check=True)
    (packages,) = (tmp_path / "venv" / "lib").glob("python*/site-packages")
    for needed in core_distributions():
        link(needed, packages)
    builder = link(distribution("setuptools"), packages)
    fresh = tmp_path / "venv" / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", fresh]
    source = tmp_path / "source"
    source.mkdir()
    files = [ROOT / "src", ROOT / "pyproject.toml", ROOT / "README.md", ROOT / "LICENSE"]
    subprocess.run(["cp", "-r", *files, source], check=True)
    install = [*pip, "install", "--no-compile", "--no-build-isolation", "--no-index", "-c", ROOT / "constraints.txt", source]
    done = subprocess.run(install, capture_output=True, text=True, check=False)  # most modules are never imported: not compiled
    assert done.returncode == 0, done.stderr
    for path in builder:
        path.unlink()
    installed = {one.name.lower().replace("-", "_") for one in distributions(path=[str(packages)])}
    assert {"actalike", "numpy"} <= installed
    assert not installed & {*HEAVY, "scikit_learn", "setuptools"}
    work = tmp_path / "work"
    work.mkdir()
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}  # the installed one, not this folder's
    done = subprocess.run([fresh, "-c", MAIN_JOB], cwd=work, env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    demo = subprocess.run(
        [tmp_path / "venv" / "bin" / "actalike", "demo"], cwd=work, env=clean, capture_output=True, text=True, check=False
    )
    assert demo.returncode == 0, demo.stderr
    assert (work / "demo-out" / "report.html").stat().st_size > 50_000


def test_the_extras_are_those_that_the_documentation_names():
    assert set(PROJECT["optional-dependencies"]) == {
        "plot",
        "neural",
        "process-models",
        "text",
        "parquet",
        "duckdb",
        "spark",
        "ibis",
        "excel",
        "benchmark",
        "all",
    }


@pytest.mark.parametrize(("folder", "other"), [("tests", "measurements"), ("measurements", "tests")])
def test_tests_and_measurements_do_not_import_each_other(folder, other):
    importing = re.compile(rf"^\s*(?:from|import)\s+{other}\b", re.MULTILINE)
    paths = [path for path in (ROOT / folder).rglob("*.py") if importing.search(path.read_text(encoding="utf-8"))]
    assert paths == []
