"""Watch over the queries of a count: tell how much is done, and stop them at Ctrl-C, wherever they run.

A query of DuckDB or Spark runs in a thread of its own, and the main thread, where Ctrl-C arrives, stops it. By itself DuckDB
notices Ctrl-C between two tasks, which may take seconds, and PySpark may wait for a job that goes on in Java or on a cluster.
Other engines count in this process and stop by themselves.
"""

import contextvars
import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from actalike.support.progress import tracked

if TYPE_CHECKING:  # to read a log, narwhals is not needed
    from actalike.counting.engines.columns import AnyFrame

Done = Callable[[], float | None]  # returns the finished share of what is running, None if it is unknown
Result = TypeVar("Result")

_EVERY = 0.1  # seconds between two attempts to stop a query: one that has just begun does not notice the first


def supervise(frame: "AnyFrame", count: Callable[[], Result]) -> Result:
    """Return what ``count`` returns, which runs queries on this frame: show their progress, and stop them at Ctrl-C.

    >>> import narwhals.stable.v2 as nw
    >>> import polars as pl
    >>> events = nw.from_native(pl.LazyFrame({"at": [1, 2]}))
    >>> supervise(events, lambda: len(events.collect()))
    2
    """
    run = _RUNNERS.get(frame.implementation.name, _run_here)
    return run(frame.to_native(), count)


@contextmanager
def duckdb_progress(connection: Any) -> Iterator[Done]:
    """Yield a function that returns the finished share of a connection's query, if its setting ``enable_progress_bar`` is on."""

    def done() -> float | None:
        with suppress(Exception):  # the connection may have been closed meanwhile
            percentage: float = connection.query_progress()
            return percentage / 100 if percentage >= 0 else None
        return None

    yield done


@contextmanager
def spark_progress(session: Any) -> Iterator[Done]:
    """Yield a function that returns the share of finished tasks in the stages that run now, None if none does."""
    if not _is_connect(session):
        yield lambda: _share_of_stages(session)
        return
    latest: list[float | None] = [None]

    def note(stages: Any, inflight_tasks: int, operation_id: Any, done: bool) -> None:
        total = sum(stage.num_tasks for stage in stages)
        latest[0] = None if done or not total else sum(stage.num_completed_tasks for stage in stages) / total

    session.registerProgressHandler(note)
    try:
        yield lambda: latest[0]
    finally:
        session.removeProgressHandler(note)


def run_interruptible(
    count: Callable[[], Result], stop: Callable[[], object], new_thread: Callable[..., threading.Thread] = threading.Thread
) -> Result:
    """Return what ``count`` returns. It runs in a thread, so that ``stop`` can be called from this one at Ctrl-C.

    Signals come to the main thread only, so in any other ``count`` is simply called. A second Ctrl-C waits for nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        return count()
    results: list[Result] = []
    errors: list[BaseException] = []
    finished = threading.Event()  # not Thread.join: after Ctrl-C, Python takes a thread that it waited for as ended

    def work() -> None:
        try:
            results.append(count())
        except BaseException as error:
            errors.append(error)
        finally:
            finished.set()

    thread = new_thread(target=contextvars.copy_context().run, args=(work,), daemon=True)
    thread.start()
    try:
        while not finished.wait(_EVERY) and thread.is_alive():  # in steps: on Windows a signal is noticed only between them
            pass
    except BaseException:
        while not finished.is_set():
            with suppress(Exception):  # what is to be stopped may have ended
                stop()
            finished.wait(_EVERY)
        raise
    if errors:
        raise errors[0]
    return results[0]


def _run_here(frame: Any, count: Callable[[], Result]) -> Result:
    with tracked("counting windows"):
        return count()


def _run_duckdb(relation: Any, count: Callable[[], Result]) -> Result:
    connection = getattr(relation, "_con", None)  # DuckDB before 2.0 does not tell it, and then notices Ctrl-C late
    if connection is None:
        return _run_here(relation, count)
    with duckdb_progress(connection) as done, tracked("counting windows", share=done):
        return run_interruptible(count, connection.interrupt)


def _run_spark(frame: Any, count: Callable[[], Result]) -> Result:
    """Count with a tag, by which Spark finds the jobs to stop: what others run in the same session goes on."""
    from pyspark import InheritableThread  # it is there: the frame is one of Spark's

    session = frame.sparkSession
    if _is_connect(session):
        add, stop, remove = session.addTag, session.interruptTag, session.removeTag
    else:  # the session's own tags do not reach the thread of Java that sends a table to Python
        context = session.sparkContext
        add, stop, remove = context.addJobTag, context.cancelJobsWithTag, context.removeJobTag
    tag = f"actalike-{secrets.token_hex(8)}"
    add(tag)
    try:
        with spark_progress(session) as done, tracked("counting windows", share=done):
            # the thread inherits the tag, and what the user has set for this one, such as a pool of the scheduler
            return run_interruptible(count, lambda: stop(tag), partial(InheritableThread, session=session))
    finally:
        with suppress(Exception):  # the session may have ended
            remove(tag)


def _is_connect(session: Any) -> bool:
    return type(session).__module__.startswith("pyspark.sql.connect")


def _share_of_stages(session: Any) -> float | None:
    with suppress(Exception):  # the session may have ended meanwhile
        tracker = session.sparkContext.statusTracker()
        stages = [info for stage in tracker.getActiveStageIds() if (info := tracker.getStageInfo(stage))]
        total: int = sum(info.numTasks for info in stages)
        return sum(info.numCompletedTasks for info in stages) / total if total else None
    return None


_RUNNERS: dict[str, Callable[[Any, Callable[[], Any]], Any]] = {  # by narwhals' names of engines
    "DUCKDB": _run_duckdb,
    "PYSPARK": _run_spark,
    "PYSPARK_CONNECT": _run_spark,
}
