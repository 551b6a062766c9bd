"""Install the wheel in clean environments and try it there: every Python, each extra, newest and lowest versions.

    python release/try_installs.py fast     # this Python, core only, the versions of constraints.txt: what CI runs
    python release/try_installs.py all      # every Python that is here, each extra alone, newest and lowest (make test-dist)
    python release/try_installs.py sizes    # megabytes of the core install and seconds of its import, beside pm4py's

The environments are made anew each time in build/environments, which git ignores; uv keeps what was downloaded. torch is taken
as constraints.txt pins it, and tried with this Python only: for others an index would send gigabytes of GPU packages.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from packaging.metadata import parse_email
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

sys.path.insert(0, str(Path(__file__).parents[1]))  # as a script, it finds release/ too
from release.build import ROOT, build

ENVIRONMENTS = ROOT / "build" / "environments"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
EXTRAS = ("plot", "parquet", "excel", "duckdb", "ibis", "process-models", "spark", "neural", "text", "benchmark")
NEED_TORCH = ("neural", "text")
RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"


class Installation(NamedTuple):
    """Say what is installed: on which Python, with which extra, and which versions of what it depends on."""

    python: str
    extra: str | None
    versions: str  # newest, lowest, constrained

    def __str__(self) -> str:
        return f"{self.python} {self.extra or 'core'} {self.versions}"


def chosen(pythons: list[str]) -> list[Installation]:
    """Return what is tried with these Pythons: the core everywhere, extras that need no torch everywhere, the others here."""
    every = [Installation(python, extra, how) for how in ("newest", "lowest") for python in pythons for extra in (None, *EXTRAS)]
    return [one for one in every if one.extra not in NEED_TORCH or one.python == RUNNING]


def find_python(version: str) -> Path | None:
    """Return the interpreter of a version: the running one, one of pyenv or uv, one on the path; None if there is none."""
    if version == RUNNING:
        return Path(sys.executable)
    homes = [Path.home() / ".pyenv" / "versions", Path.home() / ".local" / "share" / "uv" / "python"]
    found = [path for home in homes for path in sorted(home.glob(f"*{version}.*/bin/python{version}"))]
    on_path = shutil.which(f"python{version}")
    candidates = [*found, *([Path(on_path)] if on_path else [])]
    return next((path for path in candidates if subprocess.run([path, "-c", ""], capture_output=True).returncode == 0), None)


def uv(*words: str) -> None:
    """Run uv, with the settings that pip has here."""
    settings = {"UV_FIND_LINKS": "PIP_FIND_LINKS", "SSL_CERT_FILE": "PIP_CERT", "UV_DEFAULT_INDEX": "PIP_INDEX_URL"}
    taken = {ours: os.environ[theirs] for ours, theirs in settings.items() if theirs in os.environ}
    program = Path(sys.executable).with_name("uv")
    done = subprocess.run([program, *words], env={**taken, **os.environ}, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"uv {' '.join(words)}\n{done.stderr.strip()}")


def make_environment(name: str, python: Path, requirements: list[str], *options: str) -> Path:
    """Make an environment, install requirements from wheels alone (but PySpark, which has none), and return its interpreter."""
    folder = ENVIRONMENTS / name
    uv("venv", "--quiet", "--clear", "--no-project", "--python", str(python), str(folder))
    inside = folder / "bin" / "python"
    wheels = ["--only-binary", ":all:", "--no-binary", "pyspark"]
    uv("pip", "install", "--python", str(inside), *wheels, "--compile-bytecode", *options, *requirements)
    return inside


def direct_requirements(wheel: Path, extra: str | None) -> list[Requirement]:
    """Return what the wheel itself requires, for the core and an extra.

    uv takes the lowest versions only of what it is asked for by name: what a wheel requires would be the newest.
    """
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        raw, _ = parse_email(archive.read(name))
    required = [Requirement(text) for text in raw["requires_dist"]]
    wanted = [one for one in required if one.marker is None or one.marker.evaluate({"extra": extra or ""})]
    for one in wanted:
        one.marker = None
    return wanted


def above_the_lowest(requirements: list[Requirement], python: Path) -> list[str]:
    """Return what is installed in a version that is not the lowest allowed, so that the lowest was not tried."""
    code = "import importlib.metadata as m, json; print(json.dumps({d.name.lower(): d.version for d in m.distributions()}))"
    done = subprocess.run([python, "-I", "-c", code], check=True, capture_output=True, text=True)
    installed = {canonicalize_name(name): Version(version) for name, version in json.loads(done.stdout).items()}
    found = []
    for requirement in requirements:
        version = installed[canonicalize_name(requirement.name)]
        bounds = [Version(one.version) for one in requirement.specifier if one.operator == ">="]
        if any(version.release[: len(bound.release)] != bound.release for bound in bounds):
            found.append(f"{requirement.name} {version} ({requirement.specifier})")
    return found


def options_of(installation: Installation) -> list[str]:
    """Return how uv is told which versions to take."""
    torch = ENVIRONMENTS / "torch.txt"
    ENVIRONMENTS.mkdir(parents=True, exist_ok=True)
    pins = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    torch.write_text("\n".join(pin for pin in pins if pin.startswith("torch==")) + "\n", encoding="utf-8")
    return {
        "newest": ["-c", str(torch)],
        "lowest": ["-c", str(torch), "--resolution", "lowest-direct"],
        "constrained": ["-c", str(ROOT / "constraints.txt")],
    }[installation.versions]


def attempt(installation: Installation, wheel: Path) -> str | None:
    """Install and try; return what went wrong."""
    python = find_python(installation.python)
    assert python is not None
    extras = f"[{installation.extra}]" if installation.extra else ""
    required = direct_requirements(wheel, installation.extra) if installation.versions == "lowest" else []
    requirements = [f"actalike{extras} @ {wheel.as_uri()}", *map(str, required)]
    try:
        inside = make_environment(str(installation).replace(" ", "-"), python, requirements, *options_of(installation))
    except RuntimeError as error:
        return f"it cannot be installed: {error}"
    higher = above_the_lowest(required, inside)
    if higher:
        print(
            f"{installation!s:32} not the lowest allowed, by torch's pin or for want of wheels: {', '.join(higher)}", flush=True
        )
    if len(required) and len(higher) > len(required) / 2:
        return "most of what is installed is not the lowest version: this would prove nothing"
    words = [inside, "-I", ROOT / "release" / "smoke.py", *([installation.extra] if installation.extra else [])]
    clean = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "CI")}
    done = subprocess.run(words, capture_output=True, text=True, env=clean)
    return done.stdout + done.stderr if done.returncode else None


def try_all(installations: list[Installation], wheel: Path) -> int:
    """Try each, print a line for it, and return how many failed."""
    failed = 0
    for installation in installations:
        start = time.perf_counter()
        problem = attempt(installation, wheel)
        failed += problem is not None
        print(f"{installation!s:32} {'works' if problem is None else 'FAILS'} {time.perf_counter() - start:5.0f} s", flush=True)
        if problem is not None:
            print("    " + "\n    ".join(problem.strip().splitlines()[-12:]), flush=True)
    return failed


def megabytes(python: Path) -> float:
    """Return the size of what is installed beside an interpreter, compiled files included."""
    (packages,) = (python.parents[1] / "lib").glob("python*/site-packages")
    return sum(path.stat().st_size for path in packages.rglob("*") if path.is_file()) / 1e6


def import_seconds(commands: dict[str, tuple[Path, str]], rounds: int = 9) -> dict[str, float]:
    """Return the median CPU seconds of each command's process; they take turns, so that what else runs hits all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, (python, code) in commands.items():
            before = os.times()
            subprocess.run([python, "-I", "-c", code], check=True, capture_output=True)
            after = os.times()
            spent = after.children_user + after.children_system - before.children_user - before.children_system
            seconds[name].append(spent)
    return {name: statistics.median(values) for name, values in seconds.items()}


def sizes(wheel: Path) -> Iterator[str]:
    """Yield the lines that say how large the core install is and how long its import takes, beside pm4py's."""
    python = Path(sys.executable)
    ours = make_environment("size-actalike", python, [f"actalike @ {wheel.as_uri()}"], "-c", str(ROOT / "constraints.txt"))
    theirs = make_environment("size-pm4py", python, ["pm4py"], "-c", str(ROOT / "constraints.txt"))
    mine, other = megabytes(ours), megabytes(theirs)
    yield f"Python {RUNNING}, versions of constraints.txt; CPU seconds, medians of 9 processes that take turns"
    yield f"size: actalike {mine:.0f} MB, pm4py {other:.0f} MB: {mine / other:.2f} of it"
    first_use = "import actalike; actalike.read_log; actalike.embed; actalike.group"
    took = import_seconds(
        {
            "python": (ours, ""),
            "import actalike": (ours, "import actalike"),
            "read_log, embed, group": (ours, first_use),
            "import pm4py": (theirs, "import pm4py"),
        }
    )
    for name, seconds in took.items():
        yield f"{name:24} {seconds:6.3f} s  {seconds / took['import pm4py']:5.2f} of pm4py's"


def main() -> None:
    """Build the wheel of the tracked files, and do what is asked."""
    parser = argparse.ArgumentParser(description="Install the wheel in clean environments, and try it.")
    parser.add_argument("what", choices=["fast", "all", "sizes"])
    parser.add_argument("--python", nargs="+", choices=PYTHONS, help="only these versions of Python")
    parser.add_argument("--extra", nargs="+", choices=["core", *EXTRAS], help="only these extras")
    parser.add_argument("--versions", nargs="+", choices=["newest", "lowest"], help="only these versions of what it depends on")
    arguments = parser.parse_args()
    wheel = build(ROOT / "build" / "tried").wheel
    if arguments.what == "sizes":
        for line in sizes(wheel):
            print(line, flush=True)
        return
    if arguments.what == "fast":
        sys.exit(try_all([Installation(RUNNING, None, "constrained")], wheel))
    there = [version for version in arguments.python or PYTHONS if find_python(version)]
    for version in [version for version in arguments.python or PYTHONS if version not in there]:
        print(f"Python {version} is not here: not tried")
    wanted = [
        one
        for one in chosen(there)
        if (not arguments.extra or (one.extra or "core") in arguments.extra)
        and (not arguments.versions or one.versions in arguments.versions)
    ]
    failed = try_all(wanted, wheel)
    print(f"{len(wanted) - failed} of {len(wanted)} installations work")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
