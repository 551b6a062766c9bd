"""Computing in several processes: joblib's, or one of the backends that are registered with it."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from actalike.errors import ActalikeError

_Result = TypeVar("_Result")
_NO_REPORT = "ignore:resource_tracker:UserWarning"  # of what a stopped run left behind, which that process cleans up


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

    parent = os.getpid() if backend == "loky" else None  # processes of other backends may belong to somebody else
    tasks = (delayed(_in_a_process)(parent, function, *arguments) for arguments in calls)
    try:
        with parallel_config(backend=backend, n_jobs=jobs):
            options = {"batch_size": 1, "pre_dispatch": "2*n_jobs"}
            try:
                parallel = Parallel(return_as="generator_unordered", **options)
            except ValueError:  # a backend that gives its results only at the end
                parallel = Parallel(**options)
            with _deaf_to_the_terminal() if backend == "loky" else nullcontext():  # others may compute all of it in this call
                results = parallel(tasks)
            yield from results
    except TerminatedWorkerError:
        raise ActalikeError(
            "A process of the benchmark was ended from outside: for want of memory, or by a method that ends its process. "
            "What is finished is kept; the same command goes on, with fewer --jobs or without that method."
        ) from None


@contextmanager
def _deaf_to_the_terminal() -> Iterator[None]:
    """Start processes that do not hear of Ctrl-C and hang-up, which a terminal sends to all: this process ends them in order.

    Here such a signal waits until the processes have started. (joblib lets Ctrl-C through to some of them, all the same: stopped
    while they load their modules, they print where they are.)
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from joblib.externals.loky.backend import resource_tracker

    both = {signal.SIGINT, signal.SIGHUP}
    before = signal.pthread_sigmask(signal.SIG_BLOCK, both)  # what is blocked is inherited
    try:
        sys.warnoptions.append(_NO_REPORT)  # which the process below is started with
        resource_tracker.ensure_running()  # a process of joblib's own: when it starts, joblib lets Ctrl-C through again
        sys.warnoptions.remove(_NO_REPORT)
        signal.pthread_sigmask(signal.SIG_BLOCK, both)
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def check_backend(backend: str) -> None:
    """Refuse a backend that joblib does not know."""
    from joblib import parallel_config

    try:
        with parallel_config(backend=backend):
            pass
    except (ValueError, ImportError) as error:
        raise ActalikeError(f"--backend {backend!r} cannot be used: {error}.") from None


def _in_a_process(parent: int | None, function: Callable[..., _Result], *arguments: Any) -> _Result:
    if parent is not None:
        _end_with(parent)
    return _with_one_thread(function, *arguments)


@cache  # once in each process
def _end_with(parent: int) -> None:
    """Let this process end soon after its parent, which somebody may kill: nobody would take its results."""

    def watch() -> None:
        while os.getppid() == parent:  # on Windows this never changes
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _with_one_thread(function: Callable[..., _Result], *arguments: Any) -> _Result:
    with threadpool_limits(1):  # looked up anew each time, unlike threads.one_thread: a method may have loaded its own libraries
        return function(*arguments)
