"""Turn what an engine raises into an error of ours: what happened, and what to do about it.

Engines raise exceptions of many libraries: their own, those of the layers above them (narwhals, Ibis) and of Java below them. All
of them pass through here, and nowhere else. What matches one of the kinds of failure gets its remedy, anything else the engine's
own words. The engine's exception is always the cause of ours (``error.__cause__``).
"""

import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

from actalike.errors import ActalikeError, EngineError

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
        re.compile(r"InterruptException|SPARK_JOB_CANCELLED|OPERATION_CANCELED|QueryCanceled"),
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
