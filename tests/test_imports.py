"""The core installs, imports and works without any extra."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
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
    "sklearn",
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


def python(code, cwd, executable=sys.executable):
    return subprocess.run([executable, "-c", code], cwd=cwd, capture_output=True, text=True, check=False)


def test_importing_the_core_loads_no_heavy_package(tmp_path):
    done = python(f"import sys, actalike, actalike.cli; print(sorted(set({HEAVY}) & set(sys.modules)))", tmp_path)
    assert done.stdout.strip() == "[]", done.stderr


def test_the_main_job_is_done_without_any_extra(tmp_path):
    block = f"import sys\nfor name in {HEAVY}: sys.modules[name] = None\n"
    done = python(block + MAIN_JOB, tmp_path)
    assert done.returncode == 0, done.stderr


def test_the_core_installs_without_any_extra(tmp_path):
    """In a fresh environment, from this folder: the core, its dependencies, and nothing else."""
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "venv"], check=True)
    pip = [tmp_path / "venv" / "bin" / "python", "-m", "pip", "--disable-pip-version-check"]
    source = tmp_path / "source"
    subprocess.run(
        ["cp", "-r", ROOT / "src", ROOT / "pyproject.toml", ROOT / "README.md", ROOT / "LICENSE", _made(source)], check=True
    )
    done = subprocess.run([*pip, "install", "-c", ROOT / "constraints.txt", source], capture_output=True, text=True, check=False)
    if (
        done.returncode
        and re.search("connection|resolve host|network|retries", done.stderr, re.IGNORECASE)
        and "CI" not in os.environ
    ):
        pytest.skip("no package registry can be reached")
    assert done.returncode == 0, done.stderr
    installed = subprocess.run([*pip, "list", "--format=freeze"], capture_output=True, text=True, check=True).stdout.lower()
    assert "actalike==" in installed
    assert not {name for name in HEAVY if f"{name}==" in installed}
    work = _made(tmp_path / "work")
    done = python(MAIN_JOB, work, tmp_path / "venv" / "bin" / "python")
    assert done.returncode == 0, done.stderr
    demo = subprocess.run([tmp_path / "venv" / "bin" / "actalike", "demo"], cwd=work, capture_output=True, text=True, check=False)
    assert demo.returncode == 0, demo.stderr
    assert "pip install 'actalike[plot]'" in demo.stdout


def test_the_extras_are_those_that_the_documentation_names():
    assert set(PROJECT["optional-dependencies"]) == {"plot", "neural", "process-models", "text", "duckdb", "spark", "all", "dev"}


def test_the_version_is_said_once_and_the_same():
    import actalike

    assert actalike.__version__ == PROJECT["version"]


def test_modules_import_only_downwards():
    """The order of the rooms; a file imports from its own line or from above it."""
    order = ["errors", "display", "extras", "threads", "grouping", "storage", "log", "io", "engines", "windows", "directly_follows", "positions", "open_cases", "stream_file", "streams", "confidence", "contexts", "kin", "matrices", "common_contexts", "shared_contexts", "company", "weighting", "svd", "exports", "embedding_file", "embedding", "next_activity",
             "files", "methods", "groups", "mapping", "relabelling", "loan_desk", "datasets", "benchmark", "report", "plot", "console", "reading_options", "demo", "cli_methods", "cli_benchmark", "cli_prediction", "cli_efficiency", "cli_leaderboard", "cli_datasets", "cli_plot", "cli_groups", "cli_report", "cli", "__main__"]  # fmt: skip
    rank = {name: i for i, name in enumerate(order)}
    package = ROOT / "src" / "actalike"
    for path in package.rglob("*.py"):
        name = path.relative_to(package).parts[0].removesuffix(".py")
        if name == "__init__":
            continue
        text = path.read_text()
        text = re.sub(r"if TYPE_CHECKING:\n(    .*\n)+", "", text)
        text = re.sub(r'"""[\s\S]*?"""', "", text)
        named = re.findall(r"^\s*from actalike import \(?((?<=\()[^)]*|[^#\n]*)", text, re.MULTILINE)
        assert name in ("benchmark", "cli", "cli_benchmark") or not re.search(r"^\s*import actalike", text, re.MULTILINE), path
        by_name = [part.split(" as ")[0].strip() for names in named for part in names.split(",") if part.strip()]
        for imported in re.findall(r"^\s*from actalike\.(\w+)", text, re.MULTILINE) + by_name:
            assert rank[imported] <= rank[name], f"{path.name} imports {imported}, which stands below it"


def _made(folder):
    folder.mkdir()
    return folder
