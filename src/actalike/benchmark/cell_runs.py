"""What the benchmarks share that compute cells into small files: running what is missing, and refusing files of other runs."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

from actalike.benchmark.record import Failure, Outcome, Progress
from actalike.errors import ActalikeError


class LogCell(Protocol):
    """A piece of work on one log."""

    @property
    def log(self) -> str:
        """Return the name of the log."""
        ...


_Cell = TypeVar("_Cell", bound=LogCell)


def compute_cells(
    title: str,
    computed: Iterable[tuple[_Cell, Mapping[str, str]]],
    describe: Callable[[_Cell], str],
    *,
    n_cells: int,
    n_missing: int,
    out: Path,
    logs: Sequence[str],
    methods: Iterable[str],
    progress: Progress,
) -> Outcome:
    """Go through cells as they are computed, with the errors of their methods; tell the progress, and return what was done."""
    failures: dict[tuple[str, str], str] = {}
    n_failed = 0
    with progress(title, n_missing) as advance:
        for cell, errors in computed:
            failures.update({(method, cell.log): error for method, error in errors.items()})
            n_failed += bool(errors)
            advance(describe(cell))
    failed = tuple(Failure(method, log, error) for (method, log), error in sorted(failures.items()))
    return Outcome(out, n_cells, n_missing, n_failed, failed, tuple(logs), tuple(methods))


def check_same_run(path: Path, result: Mapping[str, Any], expected: Mapping[str, Any]) -> None:
    """Refuse a result file of another run: folders may have been copied together."""
    differing = [f"{key} {result.get(key)!r}, not {value!r}" for key, value in expected.items() if result.get(key) != value]
    if differing:
        raise ActalikeError(
            f"{path} is of another run than its folder ({'; '.join(differing)}): results of different runs do not mix. Remove it."
        )
