"""The machine and the versions with which times were taken: without them, times say nothing."""

import os
import platform
import re
from importlib import metadata
from pathlib import Path
from typing import Any

from actalike.methods import Method
from actalike.version import __version__


def processor() -> str:
    """Return the processor's name, and how many cores this process may use."""
    return f"{_model()}, {_cores()} cores"


def versions(method: Method) -> dict[str, str]:
    """Return the versions of Python, of what every method uses, and of what this one needs."""
    needed = [extra.package for extra in method.needs]
    numbers = {"actalike": __version__, "python": platform.python_version()}
    for package in ("numpy", "scipy", *needed):
        try:
            numbers[package] = metadata.version(package)
        except metadata.PackageNotFoundError:  # known under another name
            numbers[package] = "unknown"
    return numbers


def machine() -> dict[str, Any]:
    """Return what kind of machine this is."""
    return {"processor": processor(), "system": f"{platform.system()} {platform.machine()}"}


def _model() -> str:
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        text = ""
    named = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return named[1].strip() if named else platform.processor() or platform.machine() or "unknown processor"


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
