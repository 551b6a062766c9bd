"""Say where a stored result comes from: the commit, the day, the version and the machine; and write files whole or not at all."""

import os
import platform
import subprocess
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]


def commit():
    """Return the commit of the code, and whether the package differs from it."""
    return _git("rev-parse", "--short", "HEAD") + (" and changes" if _git("status", "--porcelain", "src") else "")


def today():
    """Return the day, in UTC."""
    return datetime.now(UTC).date().isoformat()


def version():
    """Return the version of the package that measures."""
    import actalike

    return actalike.__version__


def machine():
    """Return the processor, its cores, and the versions of what computes."""
    import numpy
    import polars

    names = [line.split(":")[1].strip() for line in _read("/proc/cpuinfo").splitlines() if line.startswith("model name")]
    processor = names[0] if names else platform.machine()
    versions = f"Python {platform.python_version()}, numpy {numpy.__version__}, Polars {polars.__version__}"
    return f"{os.cpu_count()} cores of {processor}, {versions}"


def changed_since(result):
    """Return the sentence for a result whose code has changed since it was measured."""
    return f"*Measured with {result['version']} (commit {result['commit']}, {result['date']}); the code behind it has changed since.*"


def write(path, text):
    """Replace a file in one step, so that nobody reads half of it."""
    write_bytes(path, text.encode("utf-8"))


def write_bytes(path, content):
    """Replace a file in one step by these bytes."""
    part = path.with_name(f".{path.name}.part")
    part.write_bytes(content)
    part.replace(path)


def _git(*arguments):
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()


def _read(path):
    return Path(path).read_text(encoding="utf-8") if Path(path).exists() else ""
