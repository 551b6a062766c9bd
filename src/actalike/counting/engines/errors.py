"""Turn what an engine raises into an error of ours, and stop its queries at Ctrl-C.

Engines raise exceptions of many libraries: their own, those of the layers above them (narwhals, Ibis) and of Java below them.
Ours quotes the beginning of their message, and has them as its cause (``error.__cause__``).

A query of Spark runs in a thread of its own, and the main thread, where Ctrl-C arrives, stops it: PySpark by itself may wait for
a job that goes on in Java or on a cluster. From other engines rows come batch by batch, and it is stopped between two of them.
"""

import contextvars
import re
import secrets
import threading
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, TypeVar

from actalike.errors import ActalikeError, EngineError
from actalike.support.progress import tracked

Result = TypeVar("Result")

_EVERY = 0.1  # seconds between two attempts to stop a query: one that has just begun does not notice the first
_PACKAGES = {"duckdb", "_duckdb", "pyspark", "py4j", "grpc", "polars", "narwhals", "pyarrow", "ibis"}
_NAMES = {"_duckdb": "DuckDB", "duckdb": "DuckDB", "pyspark": "Spark", "polars": "Polars", "ibis": "Ibis"}
_INTERRUPTED = "Query interrupted"  # DuckDB's words on Ctrl-C, in a RuntimeError
_MOST_CAUSES = 20


_MEMORY = re.compile(r"OutOfMemory|Out of Memory|Java heap space|GC overhead limit|maxResultSize|No space left on device")


@contextmanager
def engine_errors(source: str, engine: str) -> Iterator[None]:
    """Raise :class:`EngineError` for what an engine raises, and KeyboardInterrupt where Ctrl-C is hidden in it.

    ``source`` are the events and ``engine`` is the engine, as the message calls them. Errors that have nothing to do with an
    engine stay as they are.

    >>> import polars as pl
    >>> with engine_errors("the orders", "Polars"):
    ...     pl.DataFrame({"at": [1]}).select("time")
    Traceback (most recent call last):
    actalike.errors.EngineError: the orders: Polars cannot count it (unable to find column "time"; valid columns: ["at"]); nothing
    was counted.
    """
    try:
        yield
    except ActalikeError:
        raise
    except Exception as error:
        if _is_interrupt(error):
            raise KeyboardInterrupt from error
        if not _is_of_engine(error):
            raise
        raise engine_error(error, source, engine) from error


def engine_of(frame: object) -> str:
    """Return what errors call the engine of a frame.

    >>> import polars as pl
    >>> engine_of(pl.DataFrame())
    'Polars'
    """
    package = type(frame).__module__.partition(".")[0]
    return _NAMES.get(package, package)


def engine_error(error: Exception, source: str, engine: str) -> EngineError:
    """Return the error of ours about an exception of an engine."""
    reason = first_line(error)
    remedy = ""
    if any(_MEMORY.search(f"{type(cause).__name__} {cause}") for cause in _causes(error)):
        remedy = (
            " Allow more memory with --memory (DuckDB: SET memory_limit; Spark: spark.executor.memory, spark.driver.memory), or "
            "name a folder with more space with --spill (SET temp_directory; spark.local.dir)."
        )
    elif isinstance(error, AssertionError | AttributeError):  # PySpark finds None where the session was
        remedy = " Its session seems to be closed: make the frame with a new one."
    return EngineError(f"{source}: {engine} cannot count it ({reason}); nothing was counted.{remedy}")


_POLARS_PLANS = ("This error occurred", "Resolved plan")  # what follows is the query, over many lines


def first_line(error: Any) -> str:
    """Return the beginning of an error's message, because those of engines can fill pages; of Java's the innermost cause.

    >>> first_line(ValueError("no such table."))
    'no such table'
    """
    message, java = str(error), getattr(error, "java_exception", None)
    with suppress(Exception):  # these are calls to Java
        while java is not None:
            message, java = java.getMessage() or java.getClass().getName(), java.getCause()
    lines = [line.strip() for line in message.splitlines() if line.strip() and not line.startswith(_POLARS_PLANS)]
    return " ".join(lines[:2])[:300].rstrip(".") if lines else type(error).__name__


def _is_of_engine(error: Exception) -> bool:
    """Return whether an engine raised an error: it is of an engine's own kind, or the engine's code was running."""
    if type(error).__module__.partition(".")[0] in _PACKAGES:
        return True
    modules = (str(frame.f_globals.get("__name__")) for frame, _ in traceback.walk_tb(error.__traceback__))
    return any(module.partition(".")[0] in _PACKAGES for module in modules)


def _is_interrupt(error: Exception) -> bool:
    """Return whether an error is the consequence of Ctrl-C: DuckDB raises another in its place, Spark one on top of it."""
    if isinstance(error, RuntimeError) and str(error) == _INTERRUPTED:
        return True
    return any(isinstance(cause, KeyboardInterrupt) for cause in _causes(error))


def _causes(error: BaseException) -> list[BaseException]:
    """Return an error and those before it."""
    causes: list[BaseException] = []
    earlier: BaseException | None = error
    while earlier is not None and len(causes) < _MOST_CAUSES:
        causes.append(earlier)
        earlier = earlier.__cause__ or earlier.__context__
    return causes


def supervise(frame: Any, read: Callable[[], Result]) -> Result:
    """Return what ``read`` returns, which runs queries on this frame, and stop these at Ctrl-C.

    >>> import polars as pl
    >>> events = pl.LazyFrame({"at": [1, 2]})
    >>> supervise(events, lambda: len(events.collect()))
    2
    """
    if engine_of(frame) == "Spark":
        return _run_spark(frame, read)
    with tracked("reading events"):
        return read()


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


def _run_spark(frame: Any, count: Callable[[], Result]) -> Result:
    """Query with a tag, by which Spark finds the jobs to stop: what others run in the same session goes on."""
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
        with tracked("reading events"):
            # the thread inherits the tag, and what the user has set for this one, such as a pool of the scheduler
            return run_interruptible(count, lambda: stop(tag), partial(InheritableThread, session=session))
    finally:
        with suppress(Exception):  # the session may have ended
            remove(tag)


def _is_connect(session: Any) -> bool:
    return type(session).__module__.startswith("pyspark.sql.connect")
