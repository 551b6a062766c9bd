"""Computing in several processes, which are joblib's."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from actalike.errors import ActalikeError

_Result = TypeVar("_Result")
_NO_REPORT = "ignore:resource_tracker:UserWarning"  # of what a stopped run left behind, which that process cleans up


def in_processes(function: Callable[..., _Result], calls: Iterable[tuple[Any, ...]], jobs: int) -> Iterator[_Result]:
    """Yield the results of some calls as they come, each computed with one thread: idle threads of a small product only wait.

    >>> list(in_processes(max, [(1, 2), (4, 3)], jobs=1))
    [2, 4]
    """
    if jobs == 1:
        for arguments in calls:
            yield _with_one_thread(function, *arguments)
        return
    from joblib import Parallel, delayed
    from joblib.externals.loky.process_executor import TerminatedWorkerError

    tasks = (delayed(_in_a_process)(os.getpid(), function, *arguments) for arguments in calls)
    parallel = Parallel(jobs, backend="loky", return_as="generator_unordered", batch_size=1, pre_dispatch="2*n_jobs")
    try:
        with _ignore_terminal_signals():
            results = parallel(tasks)
        yield from results
    except TerminatedWorkerError:
        raise ActalikeError(
            "A process of the benchmark was ended from outside: for lack of memory, or by a method that ends its process. "
            "What is finished is kept; the same command continues, with fewer --jobs or without that method."
        ) from None


@contextmanager
def _ignore_terminal_signals() -> Iterator[None]:
    """Start processes that ignore Ctrl-C and hang-up, which a terminal sends to all: this process ends them in order.

    In this process such a signal waits until they have started.
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


def _in_a_process(parent: int, function: Callable[..., _Result], *arguments: Any) -> _Result:
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
