"""Turn what an engine raises into an error of ours, watch over its queries, and stop them at Ctrl-C.

Engines raise exceptions of many libraries: their own, those of the layers above them (narwhals, Ibis) and of Java below them. All
of them pass through here, and nowhere else. What matches one of the kinds of failure gets its remedy, anything else the engine's
own words. The engine's exception is always the cause of ours (``error.__cause__``).

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
from typing import Any, NamedTuple, TypeVar

from actalike.errors import ActalikeError, EngineError
from actalike.support.progress import tracked

Done = Callable[[], float | None]  # returns the finished share of what is running, None if it is unknown
Result = TypeVar("Result")

_EVERY = 0.1  # seconds between two attempts to stop a query: one that has just begun does not notice the first
_PACKAGES = {"duckdb", "_duckdb", "pyspark", "py4j", "grpc", "polars", "narwhals", "pyarrow", "ibis"}
_NAMES = {"_duckdb": "DuckDB", "duckdb": "DuckDB", "pyspark": "Spark", "polars": "Polars", "ibis": "Ibis"}
_INTERRUPTED = "Query interrupted"  # DuckDB's words on Ctrl-C, in a RuntimeError
_MOST_CAUSES = 20


class _Failure(NamedTuple):
    """Describe a kind of failure: how it is recognised, what happened, and what to do about it."""

    marks: re.Pattern[str]  # one of the names or messages of the exception and its causes has it
    happened: str
    remedy: str


_FAILURES = [
    _Failure(
        re.compile(r"InterruptException|INTERRUPT Error|SPARK_JOB_CANCELLED|OPERATION_CANCELED|QueryCanceled"),
        "was told to cancel the query",
        "Count again",
    ),
    _Failure(
        re.compile(r"OutOfMemory|Java heap space|GC overhead limit|maxResultSize|No space left on device"),
        "ran out of memory, or of disk space for its temporary files",
        "Allow more memory with --memory (DuckDB: SET memory_limit; Spark: spark.executor.memory, spark.driver.memory), name a "
        "folder with more space with --spill (SET temp_directory; spark.local.dir), or use more, smaller partitions "
        "(spark.sql.shuffle.partitions)",
    ),
    _Failure(
        re.compile(r"JAVA_GATEWAY_EXITED|JAVA_HOME is not set"),
        "could not start Java",
        "Install Java 17 or newer, or set JAVA_HOME (for --master yarn also HADOOP_CONF_DIR); Spark's own words are above",
    ),
    _Failure(
        re.compile(
            r"already been closed|stopped SparkContext|SparkContext was shut down|SESSION_CLOSED|SESSION_NOT_FOUND|"
            r"in pyspark: .*\b_(?:jvm|jsc|active_spark_context)\b"
        ),
        "has closed the connection or session of these events",
        "Open a new one, and make the frame with it",
    ),
    _Failure(
        re.compile(
            r"[Cc]onnection refused|Connection reset|Py4JNetworkError|StatusCode\.UNAVAILABLE|RetriesExceeded|"
            r"[Mm]asters are unresponsive|could not translate host name|server closed the connection|"
            r"An error occurred while calling [\w.]+$"
        ),
        "cannot be reached, or has ended",
        "Check that it runs, and its address",
    ),
    _Failure(
        re.compile(r"PermissionException|[Pp]ermission denied|AccessDenied|InsufficientPrivilege"),
        "may not read it",
        "Ask for the right to read it",
    ),
    _Failure(
        re.compile(
            r"FILE_NOT_EXIST|FileNotFound|No files found|TABLE_OR_VIEW_NOT_FOUND|PATH_NOT_FOUND|UndefinedTable|"
            r"[Tt]able with name .* does not exist"
        ),
        "does not find a file or table",
        "If it was there before, make the frame again",
    ),
    _Failure(
        re.compile(r"ColumnNotFound|UNRESOLVED_COLUMN|UndefinedColumn|[Cc]olumn .* not found|Referenced column"),
        "does not find a column",
        "Correct its name in the query",
    ),
    _Failure(
        re.compile(r"ConversionException|CAST_INVALID_INPUT|NumberFormatException|conversion from .* failed"),
        "cannot convert a value",
        "Correct the values, or convert them with TRY_CAST",
    ),
]


@contextmanager
def engine_errors(source: str, engine: str) -> Iterator[None]:
    """Raise :class:`EngineError` for what an engine raises, and KeyboardInterrupt where Ctrl-C is hidden in it.

    ``source`` are the events and ``engine`` is the engine, as the message calls them. Errors that have nothing to do with an
    engine stay as they are.

    >>> import polars as pl
    >>> with engine_errors("the orders", "Polars"):
    ...     pl.DataFrame({"at": [1]}).select("time")
    Traceback (most recent call last):
    actalike.errors.EngineError: the orders: Polars does not find a column (unable to find column "time"; valid columns: ["at"]).
    Correct its name in the query; nothing was counted.
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
    descriptions = [description for cause in _causes(error) for description in _descriptions(cause)]
    reason = first_line(error)
    for failure in _FAILURES:
        if any(failure.marks.search(description) for description in descriptions):
            return EngineError(f"{source}: {engine} {failure.happened} ({reason}). {failure.remedy}; nothing was counted.")
    return EngineError(f"{source}: {engine} cannot count it ({reason}); nothing was counted.")


_POLARS_PLANS = ("This error occurred", "Resolved plan")  # what follows is the query, over many lines


def first_line(error: Any) -> str:
    """Return the beginning of an error's message, because those of engines can fill pages; of Java's the innermost cause.

    >>> first_line(ValueError("no such table."))
    'no such table'
    """
    java = _java_causes(error)
    message = (java[-1].message or java[-1].name) if java else str(error)
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


def _descriptions(error: BaseException) -> Iterator[str]:
    """Yield names and messages by which a failure is recognised.

    PySpark does not say that a session is stopped: it finds None where the session was. The line that fails tells it.
    """
    java = _java_causes(error)
    if not java:
        yield f"{type(error).__name__}: {error}"
    for name, message in java:
        yield f"{name}: {message}"
    if isinstance(error, AssertionError | AttributeError) and error.__traceback__ is not None:
        last = traceback.extract_tb(error.__traceback__)[-1]
        if "pyspark" in last.filename:
            yield f"in pyspark: {last.line}"


class _JavaException(NamedTuple):
    name: str
    message: str | None


def _java_causes(error: Any) -> list[_JavaException]:
    """Return an exception of Java and those that caused it, the innermost last; none for other errors, or if Java has ended."""
    causes: list[_JavaException] = []
    java = getattr(error, "java_exception", None)
    with suppress(Exception):  # these are calls to Java
        while java is not None and len(causes) < _MOST_CAUSES:
            causes.append(_JavaException(java.getClass().getName(), java.getMessage()))
            java = java.getCause()
    return causes


def supervise(frame: Any, read: Callable[[], Result]) -> Result:
    """Return what ``read`` returns, which runs queries on this frame: show their progress, and stop them at Ctrl-C.

    >>> import polars as pl
    >>> events = pl.LazyFrame({"at": [1, 2]})
    >>> supervise(events, lambda: len(events.collect()))
    2
    """
    if engine_of(frame) == "Spark":
        return _run_spark(frame, read)
    with tracked("reading events"):
        return read()


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
        with spark_progress(session) as done, tracked("reading events", share=done):
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
