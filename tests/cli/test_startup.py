"""What is loaded, and what is not."""

import subprocess
import sys

import pytest

HEAVY = ("numpy", "polars", "scipy", "narwhals", "rich", "matplotlib", "torch")


def loaded_by(code: str) -> set[str]:
    """Return the modules that a fresh process has loaded after running some code."""
    code += "\nimport sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def packages(modules: set[str]) -> set[str]:
    return {name.partition(".")[0] for name in modules}


@pytest.mark.parametrize("argument", ["--help", "--version"])
def test_help_and_version_load_no_heavy_package_and_no_command(argument):
    modules = loaded_by(
        f"import sys; sys.argv = ['actalike', {argument!r}]\n"
        "from actalike.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass"
    )
    assert not packages(modules) & set(HEAVY)
    ours = {name for name in modules if name.startswith("actalike.") and not name.startswith("actalike.cli")}
    assert ours == {"actalike.errors", "actalike.version"}


def test_importing_actalike_loads_nothing_heavy():
    modules = loaded_by("import actalike")
    assert not packages(modules) & {*HEAVY, "typer"}
    assert {name for name in modules if name.startswith("actalike.")} == {"actalike.version"}


def test_the_first_use_loads_only_what_it_needs():
    modules = loaded_by("import actalike; actalike.EventLog; actalike.embed; actalike.read_log; actalike.count_windows")
    assert not packages(modules) & {"narwhals", "matplotlib", "typer", "rich", "joblib", "safetensors", "threadpoolctl", "torch"}
    rooms = {name.split(".")[1] for name in modules if name.startswith("actalike.")}
    assert not rooms & {"benchmark", "report", "plot", "cli", "demo", "labels", "prediction", "datasets"}
    assert not {"scipy.cluster", "scipy.spatial", "scipy.linalg"} & modules - loaded_by("import numpy, polars, scipy.sparse")


def test_embedding_a_log_loads_no_more_than_it_needs(log):
    modules = loaded_by(f"import actalike; actalike.embed(actalike.read_log({str(log)!r})).most_similar('Pay out')")
    assert not packages(modules) & {"narwhals", "matplotlib", "typer", "rich", "joblib", "safetensors", "torch"}
