"""Computing in several processes: joblib's, or one of the backends that are registered with it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from actalike.errors import ActalikeError

_Result = TypeVar("_Result")


def in_processes(
    function: Callable[..., _Result], calls: Iterable[tuple[Any, ...]], jobs: int, backend: str = "loky"
) -> Iterator[_Result]:
    """Yield the results of some calls as they come, each computed with one thread: idle threads of a small product only wait.

    >>> list(in_processes(max, [(1, 2), (4, 3)], jobs=1))
    [2, 4]
    """
    if jobs == 1:
        for arguments in calls:
            yield _with_one_thread(function, *arguments)
        return
    from joblib import Parallel, delayed, parallel_config
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    tasks = (delayed(_with_one_thread)(function, *arguments) for arguments in calls)
    try:
        with parallel_config(backend=backend, n_jobs=jobs):
            options = {"batch_size": 1, "pre_dispatch": "2*n_jobs"}
            try:
                parallel = Parallel(return_as="generator_unordered", **options)
            except ValueError:  # a backend that gives its results only at the end
                parallel = Parallel(**options)
            yield from parallel(tasks)
    except TerminatedWorkerError:
        raise ActalikeError(
            "A process of the benchmark was ended from outside: for want of memory, or by a method that ends its process. "
            "What is finished is kept; the same command goes on, with fewer --jobs or without that method."
        ) from None


def check_backend(backend: str) -> None:
    """Refuse a backend that joblib does not know."""
    from joblib import parallel_config

    try:
        with parallel_config(backend=backend):
            pass
    except (ValueError, ImportError) as error:
        raise ActalikeError(f"--backend {backend!r} cannot be used: {error}.") from None


def _with_one_thread(function: Callable[..., _Result], *arguments: Any) -> _Result:
    with threadpool_limits(1):  # looked up anew each time, unlike threads.one_thread: a method may have loaded its own libraries
        return function(*arguments)
