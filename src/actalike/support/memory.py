"""Reject what does not fit into memory before it is computed, with the estimate and the remedy."""

import os
import re
from contextlib import suppress
from pathlib import Path

from actalike.errors import ActalikeError

VARIABLE = "ACTALIKE_MEMORY"  # environment variable: how much memory may be used, such as 8GB; default: what is free
_NOT_WORTH_ASKING = 1 << 26  # bytes: any machine has that many
_UNITS = {"": 1, "K": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "KI": 2**10, "MI": 2**20, "GI": 2**30, "TI": 2**40}
_UNLIMITED = 1 << 60  # bytes: larger limits of a control group mean that there is none
_CONTROL_GROUPS = (  # the limit, what is used of it, and the files in which a part of that is free again when needed
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current", "/sys/fs/cgroup/memory.stat"),
    (
        "/sys/fs/cgroup/memory/memory.limit_in_bytes",
        "/sys/fs/cgroup/memory/memory.usage_in_bytes",
        "/sys/fs/cgroup/memory/memory.stat",
    ),
)


def require_memory(n_bytes: float, what: str, remedy: str) -> None:
    """Raise an error if something needs more memory than is free. ``what`` begins the sentence, ``remedy`` ends it.

    >>> require_memory(1000, "this array", "take a smaller one")
    >>> require_memory(1e18, "This array", "take a smaller one")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    actalike.errors.ActalikeError: This array needs about 1,000,000,000 GB of memory, and ... take a smaller one.
    """
    if n_bytes <= _NOT_WORTH_ASKING:
        return
    allowed, source = _allowed()
    if allowed is not None and n_bytes > allowed:
        raise ActalikeError(f"{what} needs about {_gigabytes(n_bytes)} of memory, and {_gigabytes(allowed)} {source}: {remedy}.")


def _allowed() -> tuple[int | None, str]:
    """Return how many bytes may be used, and why."""
    text = os.environ.get(VARIABLE)
    if text is None:
        return free_memory(), "are free"
    return parse_size(text, VARIABLE), f"are allowed ({VARIABLE})"


def parse_size(text: str, name: str) -> int:
    """Return an amount of memory in bytes; ``name`` is what it was given as.

    >>> parse_size("1.5 GB", "--memory"), parse_size("2gib", "--memory")
    (1500000000, 2147483648)
    """
    match = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]+)?)\s*([KMGT]?I?)B?\s*", text, re.IGNORECASE)
    if match is None or match[2].upper() not in _UNITS or not float(match[1]):
        raise ActalikeError(f"{name}={text!r} is not an amount of memory, such as 8GB or 500MB.")
    return int(float(match[1]) * _UNITS[match[2].upper()])


def free_memory() -> int | None:
    """Return how many bytes of memory are free, on this machine and in this control group; None if unknown.

    If only the size of the memory is known, all of it counts as free.
    """
    free = []
    with suppress(OSError, ValueError, AttributeError):
        free.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    with suppress(OSError, ValueError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                free.append(int(line.split()[1]) * 1024)
    for limit, used, details in _CONTROL_GROUPS:
        with suppress(OSError, ValueError):  # ValueError: the limit is the word max
            most = int(Path(limit).read_text("ascii"))
            if most < _UNLIMITED:
                free.append(most - int(Path(used).read_text("ascii")) + _reclaimable(details))
    return max(0, min(free)) if free else None


def _reclaimable(path: str) -> int:
    """Return how many bytes of a control group are cached files, which are evicted when memory is needed."""
    with suppress(OSError, ValueError):
        for line in Path(path).read_text("ascii").splitlines():
            if line.startswith(("inactive_file ", "total_inactive_file ")):
                return int(line.split()[1])
    return 0


def _gigabytes(n_bytes: float) -> str:
    """Return a size for messages, with one decimal if it is small.

    >>> _gigabytes(28.84e9), _gigabytes(0.34e9), _gigabytes(2e12)
    ('28.8 GB', '0.3 GB', '2,000 GB')
    """
    return f"{n_bytes / 1e9:,.1f} GB" if n_bytes < 100e9 else f"{n_bytes / 1e9:,.0f} GB"
