"""What the commands share: the options of reading one log or two, common arguments, and opening what a command is given."""

import inspect
import os
import re
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, fields, replace
from functools import wraps
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, Literal, NamedTuple, get_args, get_type_hints

import typer

from actalike.cli.console import logged_work, print_note
from actalike.cli.help import ENGINE, EVIDENCE, OUTPUT, READING, SECOND_LOG
from actalike.cli.outputs import STANDARD, files_read
from actalike.counting import StreamCounter, WindowCounts, count_windows
from actalike.embedding import Embedding
from actalike.errors import ActalikeError, LogError
from actalike.io import DEFAULT_MAX_BYTES, WantedAttributes, read_log
from actalike.labels import PERIOD
from actalike.loading import load
from actalike.log import AnyLog, EventLog, Reading, Variants, names_people
from actalike.methods import DEFAULT_METHOD, full_name, make_method
from actalike.methods import embed as embed_by_name
from actalike.oddities import OddModel
from actalike.prediction import Predictor
from actalike.support.files import Name
from actalike.support.progress import percentages, tracked

if TYPE_CHECKING:  # most commands read a file, and need no engine
    import polars as pl

    from actalike.counting import CsvOptions, OpenedEvents, Wanted
    from actalike.loading import Saved


_LARGE = 4_000_000_000  # bytes: what takes less is not worth a word
_GZIP = b"\x1f\x8b"
_SAID = ("quiet", "verbose")  # options about what is said, not about what is read
_LOGS = ("log", "logs", "file", "log_a", "log_b", "other", "before", "after")  # arguments of commands that are logs


def _option(help_: str, *names: str, **extra: Any) -> Any:
    return typer.Option(*names, help=help_, rich_help_panel=READING, **extra)


def _engine_option(help_: str, *names: str, **extra: Any) -> Any:
    return typer.Option(*names, help=help_, rich_help_panel=ENGINE, **extra)


@dataclass
class ReadingOptions:
    """The keyword arguments of :func:`actalike.read_log`, as options."""

    case: Annotated[str | None, _option("Column of the case, if it is not recognised.", metavar="COLUMN")] = None
    activity: Annotated[str | None, _option("Column of the activity.", metavar="COLUMN")] = None
    timestamp: Annotated[str | None, _option("Column of the timestamp.", metavar="COLUMN")] = None
    transition: Annotated[str | None, _option("Column of the lifecycle transition.", metavar="COLUMN")] = None
    lifecycle: Annotated[
        Literal["ignore", "complete", "append"],
        _option("Ignore lifecycle transitions, keep only 'complete', or append them to the label."),
    ] = "ignore"
    order: Annotated[
        list[str] | None,
        _option("Keep the file's order ('file'), or sort by time ('time'). [XES: file; else: time]", metavar="ORDER"),
    ] = None
    separator: Annotated[str | None, _option("Separator of a CSV, if it is not recognised.")] = None
    encoding: Annotated[str | None, _option("Encoding of a CSV. [UTF-8]")] = None
    timestamp_format: Annotated[
        list[str] | None,
        _option(
            "Layout of timestamps in a CSV: '%d.%m.%Y %H:%M', '%s' for seconds since 1970; repeat the option if they have "
            "several ('iso' is ISO 8601). [ISO 8601]",
            metavar="FORMAT",
        ),
    ] = None
    skip: Annotated[int, _option("Leave out so many rows above the names of the columns (CSV, Excel).", metavar="N", min=0)] = 0
    skip_last: Annotated[int, _option("Leave out so many rows at the end (CSV, Excel).", metavar="N", min=0)] = 0
    sheet: Annotated[str | None, _option("Sheet of an Excel file, if it has several.", metavar="NAME")] = None
    max_bytes: Annotated[int, _option("Reject files that are larger than this when unpacked.")] = DEFAULT_MAX_BYTES
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not say how the log was understood.", rich_help_panel=OUTPUT)] = False
    attributes: Annotated[
        list[str] | None,
        _option(
            "Read this attribute (or column) of the events; repeat the option for more, '' reads none. [those whose names are "
            "usual for resources and organisations]",
            metavar="NAME",
        ),
    ] = None

    name: Annotated[
        str | None,
        _option("Column with a second name of each activity, shown beside labels that are codes.", metavar="COLUMN"),
    ] = None
    also: Annotated[
        list[Path] | None,
        _option("Read this file (or folder) as a part of the same log; repeat the option for more.", metavar="FILE"),
    ] = None
    cases: Annotated[
        Literal["joined", "separate"] | None,
        _option("A case id in several files is one case that continues (joined), or stands for different cases (separate)."),
    ] = None
    object_type: Annotated[
        str | None,
        _option("Type of the objects that are the cases, if the log is object-centric (OCEL 2.0).", metavar="TYPE"),
    ] = None

    missing: Annotated[
        Literal["error", "skip", "label"],
        _option(
            "Events without a case, an activity, or a timestamp to sort them by: stop (error), leave them out (skip), or call a "
            "missing activity '(no activity)' (label)."
        ),
    ] = "error"

    format: Annotated[
        Literal["csv", "tsv", "xes"] | None, _option("What standard input holds, if LOG is a minus (-); it may be gzipped.")
    ] = None
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Say what is being done, and how long it took.", rich_help_panel=OUTPUT)
    ] = False

    def changed(self) -> list[str]:
        """Return the options that were given."""
        given = [field.name for field in fields(self) if getattr(self, field.name) != field.default and field.name not in _SAID]
        return [f"--{name.replace('_', '-')}" for name in given]

    def reject(self, names: Sequence[str], why: str) -> None:
        """Raise an error if one of these options was given, with the reason."""
        given = [option for option in self.changed() if option[2:].replace("-", "_") in names]
        if given:
            raise ActalikeError(f"{', '.join(given)} {why}.")

    def read(self, path: Path, attributes: WantedAttributes = None) -> EventLog:
        """Read a log with these options.

        ``attributes`` are those that the command uses (``"people"``); the user's ``--attributes`` are read in their place.
        """
        wanted = attributes if self.attributes is None else list(filter(None, self.attributes))
        with self.opened(path) as file:
            source = file if self.also is None else [file, *self.also]
            log = read_log(source, attributes=wanted, **self.arguments())
        log.reading = called(log.reading, path)
        self.say(log.reading)
        return log

    @contextmanager
    def opened(self, path: Path) -> Iterator[Path]:
        """Yield the file of a log: a temporary one with what standard input holds, if the path is a minus."""
        if path != STANDARD:
            yield path
            return
        if self.format is None:
            raise ActalikeError(
                "Standard input (-) has no name that says what it holds: give --format csv, tsv or xes. Nothing was read."
            )
        if sys.stdin is None:
            raise ActalikeError("Standard input is closed, so there is no log in it: give a file. Nothing was read.")
        with TemporaryDirectory() as folder:
            begin = sys.stdin.buffer.read(len(_GZIP))
            ending = ".gz" if begin == _GZIP else ""
            file = Path(folder) / f"{name_of_log(path)}.{self.format}{ending}"
            with file.open("wb") as copy:
                copy.write(begin)
                shutil.copyfileobj(sys.stdin.buffer, copy)
            try:
                yield file
            except ActalikeError as error:  # nobody knows the temporary file
                again = f"actalike look - --format {self.format}"
                words = str(error).replace(f"actalike look {shlex.quote(str(file))}", again)
                raise type(error)(words.replace(str(file), name_of_log(path))) from None

    def arguments(self) -> dict[str, Any]:
        """Return the options as keyword arguments of :func:`actalike.read_log`, except the attributes and further files."""
        names = [field.name for field in fields(ReadingOptions) if field.name not in (*_SAID, "attributes", "also", "format")]
        arguments = {name: getattr(self, name) for name in names}
        if self.order is not None:
            if len(self.order) != 1:
                raise ActalikeError("--order can be given once, as 'file' or 'time'; columns are for --engine.")
            (arguments["order"],) = self.order
        return arguments

    def inputs(self, log: str | Path, *outputs: Path) -> Iterator[Name]:
        """Yield all files that are read as the log; an output in a folder that is read is an error."""
        for source in (log, *(self.also or ())):
            if str(source) != str(STANDARD):
                yield from files_read(str(source), *outputs)

    def takes_several(self, log: Path) -> bool:
        """Return whether a folder or several files are read as one log."""
        return log.is_dir() or self.also is not None

    def say(self, reading: Reading | None) -> None:
        """Say on standard error how a log was understood: one line, and one for each thing that may be wrong."""
        if self.quiet or reading is None:
            return
        print_note(f"read {reading}")
        for remark in reading.remarks():
            print_note(remark)


@dataclass
class SourceOptions(ReadingOptions):
    """The reading options and those of the engines, for commands that take window counts in place of a log."""

    order: Annotated[
        list[str] | None,
        _option(
            "Keep the file's order ('file'), or sort by time ('time'). [XES: file; else: time] With --engine: a column that "
            "orders the events of a case; repeat the option for a column that breaks ties.",
            metavar="ORDER",
        ),
    ] = None
    engine: Annotated[
        Literal["duckdb", "spark", "ibis"] | None,
        _engine_option(
            "Read the distinct cases with DuckDB or Spark: LOG is a Parquet or CSV file, a pattern of such files, or a folder of "
            "Parquet files. Or in a database, with Ibis: LOG is a table of it."
        ),
    ] = None
    url: Annotated[
        str | None,
        _engine_option(
            "The database of --engine ibis: postgres://user@host/database, sqlite:///folder/file, duckdb:///folder/file. It is "
            "only read.",
            metavar="URL",
        ),
    ] = None
    table: Annotated[str | None, _engine_option("The table with the events, if LOG is a DuckDB database.", metavar="NAME")] = None
    trust_views: Annotated[
        bool, _engine_option("Let views of a DuckDB database read files outside it: any file of this machine.", "--trust-views")
    ] = False
    memory: Annotated[str | None, _engine_option("The memory limit of the engine, such as 4GB.", metavar="AMOUNT")] = None
    spill: Annotated[Path | None, _engine_option("The folder for what does not fit into memory. [the system's]")] = None
    ties: Annotated[
        Literal["error", "activity"],
        _engine_option("Two events of a case at one place of the order: stop (error), or sort them by their labels (activity)."),
    ] = "error"
    where: Annotated[
        str | None, _engine_option("Read only the events for which this is true, in the engine's SQL.", metavar="CONDITION")
    ] = None
    show_sql: Annotated[bool, _engine_option("Print what the engine would be asked, and do nothing.", "--show-sql")] = False
    master: Annotated[
        str | None, _engine_option("Spark's master: spark://host:7077, yarn, sc://host (Connect). [local[*]]", metavar="URL")
    ] = None

    def read(self, path: Path, attributes: WantedAttributes = None) -> EventLog:
        """Read a log in this process, with the attributes that the command uses."""
        self.reject(("table", "trust_views", "memory", "spill", "master", "url", "ties", "where", "show_sql"), "needs --engine")
        return super().read(path, attributes)

    def read_divided(self, log: str | Path, by: str | None) -> AnyLog:
        """Open a log with who did a step, and with the column that divides its cases, if one is given."""
        if self.engine is not None:
            variants = self.open(log, "people", by)
            if by is None:
                self.say_one_part(variants)
            return variants
        needs_it = by is not None and by != PERIOD
        if needs_it and str(log) == str(STANDARD) and not names_people(str(by)):
            return self.open(log, [str(by)])  # it can be read once
        found = self.open(log, "people")
        self.say_one_part(found)
        if not needs_it or not isinstance(found, EventLog) or by in found.attributes:
            return found
        return replace(self, attributes=[str(by), *found.attributes], quiet=True).open(log)

    def open(self, source: str | Path, attributes: WantedAttributes = None, by: str | None = None) -> AnyLog:
        """Read a log in this process; with an engine, or of a saved file, its variants, in strata ``by`` a column or period."""
        if self.engine is not None:
            if self.attributes is None and attributes != "people":
                return replace(self, attributes=[])._variants(str(source), by)
            return self._variants(str(source), by)
        path = Path(source)
        if path.suffix != ".actalike":
            return self.read(path, attributes)
        content = self.saved(path)
        if not isinstance(content, Variants):
            kind = type(content).__name__
            raise ActalikeError(
                f"{path} holds {'an' if kind[0] in 'AEIOU' else 'a'} {kind}, and this command needs the log, or its variants "
                "(actalike count --variants). Nothing was read."
            )
        if not self.quiet:
            print_note(f"read {path}: {content}")
        return content

    def say_one_part(self, source: object) -> None:
        """Say that the words of sites or periods cannot be compared in variants that were not read by them."""
        if isinstance(source, Variants) and not source.strata and not self.quiet:
            print_note(
                "read as one part, so labels that two sites or periods use for one step are not looked for: read the variants "
                "with --by COLUMN, or --by month."
            )

    def saved(self, path: Path) -> "Saved":
        """Open a saved file; options for reading a log are an error."""
        if self.changed():
            raise ActalikeError(
                f"{path} is not a log, so the options for reading one ({', '.join(self.changed())}) have no effect here."
            )
        return load(path)

    def cases_of(self, source: str | Path, variants: Variants) -> "Iterator[pl.DataFrame]":
        """Yield which case follows which of the variants that were read with the engine; show progress."""
        from actalike.counting import csv_cases, csv_files, opened_cases

        table = str(source)
        name = self._checked(table)
        files = None if self.engine == "ibis" else csv_files(name)
        with tracked(f"finding cases with {self.engine}"):
            if files is not None:
                yield from csv_cases(name, files, self._csv_options(()), variants, self.spill)
                return
            with self._opened(name, table) as events:
                yield from opened_cases(events, name, self._wanted((), None), variants, self.where)

    def count(self, source: str, window: int) -> WindowCounts:
        """Count windows of the events that the engine reads."""
        self.reject(("attributes",), f"cannot go with --engine {self.engine}: windows have no attributes")
        variants = self.variants(source, uses=False)
        counts = count_windows(variants, window)
        counts.reading = variants.reading
        return counts

    def variants(self, source: str, uses: bool = True) -> Variants:
        """Read the variants with the engine, and how labels are used if that is asked; show its progress."""
        return self._variants(source, None, uses)

    def _variants(self, source: str, by: str | None, uses: bool = True) -> Variants:
        if self.show_sql:
            print(";\n\n".join(self.queries(source, by, uses)))
            raise typer.Exit
        from actalike.counting import csv_files, read_opened

        table = source
        source = self._checked(table)
        files = None if self.engine == "ibis" else csv_files(source)
        if files is not None:
            found = self._csv(source, files, uses, by)
            self.say(found.reading)
            return found
        files_only = ("transition", "lifecycle", "separator", "encoding", "timestamp_format", "skip", "skip_last", "max_bytes")
        self.reject(files_only, f"cannot go with --engine {self.engine}, unless {source} is CSV")
        if not uses:
            self._check_one_order()
        wanted = self._wanted(self._attributes() if uses else (), by)
        with ExitStack() as closing:
            with tracked(f"opening {source}", 100):
                events = closing.enter_context(self._opened(source, table))
            if (most := events.most_bytes()) is not None and most > _LARGE and not self.quiet:
                print_note(f"the variants of {source} take at most {most / 1e9:,.1f} GB of memory (if no two cases are equal).")
            closing.enter_context(tracked(f"reading with {self.engine}"))
            found = read_opened(events, source, wanted, uses, where=self.where)
        self.say(found.reading)
        return found

    def queries(self, source: str, by: str | None = None, uses: bool = True) -> list[str]:
        """Return the queries that the engine is asked for variants."""
        from actalike.counting import csv_files, queries_of

        table = source
        source = self._checked(table)
        if self.engine != "ibis" and csv_files(source) is not None:
            raise ActalikeError(f"{source}: CSV files are read by actalike itself, without a query.")
        with self._opened(source, table) as events:
            return queries_of(events.frame, source, self._wanted(self._attributes() if uses else (), by), uses, self.where)

    def _attributes(self) -> WantedAttributes:
        return "people" if self.attributes is None else list(filter(None, self.attributes))

    def _wanted(self, attributes: WantedAttributes, by: str | None) -> "Wanted":
        """Return what is asked of an engine. A timestamp orders the events, unless other columns do."""
        from actalike.counting import Wanted

        order = self.order or (None if self.timestamp is None else [self.timestamp])
        return Wanted(self.case, self.activity, order, self.ties, self.timestamp if self.order else None, attributes, by)

    def _checked(self, source: str) -> str:
        """Return what messages call the source, or raise an error if options contradict each other."""
        from actalike.counting import database_source, local_name

        if source == str(STANDARD):
            raise ActalikeError(f"--engine {self.engine} reads files and tables, and no standard input: leave --engine out.")
        name = local_name(source) if self.url is None else database_source(self.url, source)
        self._check_engine_options()
        self.reject(
            ("name", "also", "cases", "object_type", "missing", "sheet"),
            f"cannot go with --engine {self.engine}: it reads all events that LOG names, without second names",
        )
        return name

    def _csv(self, source: str, files: Sequence[Path], uses: bool, by: str | None) -> Variants:
        """Read CSV files, which are larger than memory perhaps, as they are read without an engine."""
        from actalike.counting import EngineLimits, read_csv_events

        self.reject(("where", "ties"), f"cannot go with CSV files, such as {source}")
        if self.table is not None:
            raise ActalikeError(f"{source}: a table (--table) must be named for a DuckDB database, and only for one.")
        if self.master is not None and not self.master.startswith("local"):
            raise LogError(
                f"{source}: CSV is read on this machine, and Spark ({self.master}) runs elsewhere. Store the events as Parquet, "
                "or give a frame of Spark's own to actalike.read_variants; nothing was read."
            )
        EngineLimits(self.memory, self.spill).bytes()
        csv = self._csv_options(self._attributes() if uses else ())
        with tracked(f"reading {source}", 100) as advance:
            return read_csv_events(source, files, csv, uses, by, spill=self.spill, progress=percentages(advance))

    def _csv_options(self, attributes: WantedAttributes) -> "CsvOptions":
        from actalike.counting import CsvOptions

        if self.order not in (["file"], ["time"]):
            self._check_one_order()
        options = {field.name: getattr(self, field.name) for field in fields(CsvOptions) if field.name != "attributes"}
        return CsvOptions(**options, attributes=attributes)

    def inputs(self, log: str | Path, *outputs: Path) -> Iterator[Name]:
        """Yield all files that are read: those of the log, or that of a database."""
        if self.url is None:
            yield from super().inputs(log, *outputs)
            return
        from actalike.counting import database_file

        if (file := database_file(self.url)) is not None:
            yield from files_read(str(file), *outputs)

    def _check_engine_options(self) -> None:
        """Raise an error about options of another engine."""
        if self.engine != "ibis":
            self.reject(("url",), "is for --engine ibis")
        elif self.url is None:
            raise ActalikeError("--engine ibis needs the address of a database: --url postgres://user@host/database, say.")
        else:
            self.reject(("table",), "is for --engine duckdb; with --url, the name of the table is given in place of LOG")
            self.reject(("memory", "spill"), "is for --engine duckdb and spark: a database has its own limits")
        if self.engine != "spark":
            self.reject(("master",), "is for --engine spark")
        else:
            self.reject(("table", "trust_views"), "is for --engine duckdb")

    def _opened(self, source: str, table: str) -> "AbstractContextManager[OpenedEvents]":
        from actalike.counting import EngineLimits, duckdb_events, ibis_events, spark_events

        limits = EngineLimits(self.memory, self.spill)
        if self.url is not None:
            return ibis_events(self.url, table, self.trust_views)
        if self.engine == "duckdb":
            return duckdb_events(source, self.table, limits, self.trust_views)
        return spark_events(source, self.master or "local[*]", limits, _without_stderr())

    def _check_one_order(self) -> None:
        if self.order and self.timestamp is not None:
            raise ActalikeError("--order and --timestamp both say how events are ordered: give one of them.")


@contextmanager
def _without_stderr() -> Iterator[None]:
    """Start processes without standard error: Spark logs pages of text to it, and raises its errors too."""
    terminal = os.dup(2)
    try:
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), 2)
        yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)


def _named_column(by: str | None) -> str | None:
    if by is not None and not by.strip():
        raise ActalikeError(f"--by {by!r} is empty: give the name of a column, such as the site, or 'period'. Nothing was read.")
    return by


ByOption = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="COLUMN",
        callback=_named_column,
        help="The column whose values may name the same steps differently, such as the site, or 'period': before and after a "
        "change. [columns of people, organisations and sites, and the period]",
        rich_help_panel=EVIDENCE,
    ),
]


def with_reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the reading options. It receives them as one argument ``reading``, whose annotation names their class.

    A command with an argument ``reading_b`` reads two logs. It gets each option again for the second log alone (``--case-b``);
    what is not given is as for the first.
    """
    return _with_options(command, without=("attributes",))


def with_attribute_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that uses attributes the reading options, and ``--attributes``."""
    return _with_options(command, without=())


def with_options_of_two_logs(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command that reads two logs the reading options, without further files, which would be parts of both."""
    return _with_options(command, without=("attributes", "also"))


def _with_options(command: Callable[..., Any], without: Sequence[str]) -> Callable[..., Any]:
    hints = get_type_hints(command, include_extras=True)
    kind = hints["reading"]
    own = [p for p in inspect.signature(command).parameters.values() if p.name not in ("reading", "reading_b")]
    of_kind = get_type_hints(kind, include_extras=True)
    given = [field for field in fields(kind) if field.name not in without]
    added = [_keyword(field.name, field.default, of_kind[field.name]) for field in given]
    second = _second_options(of_kind) if "reading_b" in hints else []

    @wraps(command)
    def run(**arguments: Any) -> Any:
        reading = kind(**{field.name: arguments.pop(field.name) for field in given})
        if second:
            of_second = {one.name.removesuffix("_b"): arguments.pop(one.name) for one in second}
            changed = {name: value for name, value in of_second.items() if value is not None}
            arguments["reading_b"] = replace(reading, **changed)
        _check_standard_input(arguments, reading)
        with logged_work() if reading.verbose else nullcontext():
            return command(reading=reading, **arguments)

    keywords = [p.replace(kind=inspect.Parameter.KEYWORD_ONLY) for p in own]
    run.__signature__ = inspect.Signature([*keywords, *added, *second])  # type: ignore[attr-defined]
    run.__annotations__ = {p.name: p.annotation for p in (*own, *added, *second)}
    return run


def _keyword(name: str, default: Any, annotation: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def _check_standard_input(arguments: Mapping[str, Any], reading: ReadingOptions) -> None:
    """Raise an error if two logs would be read from standard input, or none, though it is said what it holds."""
    given = [arguments.get(name) for name in _LOGS]
    logs = [str(log) for value in given for log in (value if isinstance(value, list) else [value])]
    if logs.count(str(STANDARD)) > 1:
        raise ActalikeError("Standard input (-) is one log: give the other as a file. Nothing was read.")
    if reading.format is not None and str(STANDARD) not in logs:
        raise ActalikeError("--format says what standard input holds: give - in place of the log, too. Nothing was read.")


Source = EventLog | Variants | WindowCounts | Embedding

_WINDOW = 9  # of the windows that are counted of saved variants: explanations may need more than the method


class Opened(NamedTuple):
    """Hold what a command works on, and the facts of how it was read, for JSON."""

    content: Source
    read: dict[str, Any]


SOURCE_HELP = (
    "A log (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), a folder of such files, a saved .actalike file, or - for standard "
    "input."
)
# a string, not a path: it may be a URL, of which a path would lose a slash
SourceArgument = Annotated[str, typer.Argument(metavar="LOG", help=SOURCE_HELP)]

LogArgument = Annotated[
    Path,
    typer.Argument(
        metavar="LOG", help="A log (.xes, .csv, .tsv, .parquet; .gz too; OCEL 2.0), a folder, or - for standard input."
    ),
]

MethodOption = Annotated[
    str | None,
    typer.Option(
        "--method",
        "-m",
        metavar="NAME",
        help=f"A method: 'actalike methods' lists them. [{DEFAULT_METHOD}]",
        rich_help_panel=EVIDENCE,
    ),
]

TopOption = Annotated[int, typer.Option("--top", "-n", min=1, help="How many to show.")]

JsonOption = Annotated[bool, typer.Option("--json", help="Print the same facts as JSON.", rich_help_panel=OUTPUT)]


def open_source(
    source: str,
    reading: SourceOptions,
    method: str | None,
    attributes: WantedAttributes = None,
    *,
    compares_labels: bool = False,
) -> Opened:
    """Open what a command is given: a log, what an engine reads of it, or a saved file. Say how it was understood.

    A log is read with the ``attributes`` that the command uses; windows and saved files have none. ``compares_labels``: without a
    method, the command compares labels by how they are used, so it takes variants, and window counts are an error.
    """
    if reading.engine is not None and compares_labels and method is None:
        variants = reading.open(source, attributes)
        reading.say_one_part(variants)
        return Opened(variants, read_facts(variants.reading))
    if reading.engine is not None:
        estimator = make_method(method or DEFAULT_METHOD)
        if estimator.takes == "log":
            raise ActalikeError(f"{method} learns from the log itself, so {reading.engine} cannot count for it.")
        counts = reading.count(source, estimator.window or 1)
        return Opened(counts, read_facts(counts.reading))
    path = Path(source)
    if path.suffix != ".actalike":
        log = reading.read(path, attributes)
        return Opened(log, read_facts(log.reading))
    content = reading.saved(path)
    if isinstance(content, Predictor | OddModel):
        held = "predictor" if isinstance(content, Predictor) else "model of odd events"
        raise ActalikeError(f"{path} holds a {held}, which compares nothing: give a log, or an embedding of it.")
    if compares_labels and method is None and not isinstance(content, Embedding | Variants):
        raise ActalikeError(
            f"{path} has window counts, and the probability that labels are one step needs the log, or its variants (actalike "
            f"count --variants): give one, or --method {DEFAULT_METHOD} for similarities by the counts."
        )
    if isinstance(content, StreamCounter):
        content = content.counts()
    if not reading.quiet:
        print_note(f"read {source}: {content}")
    kind = "embedding" if isinstance(content, Embedding) else "variants" if isinstance(content, Variants) else "window-counts"
    if isinstance(content, Variants) and not (compares_labels and method is None):
        content = count_windows(content, max(make_method(method or DEFAULT_METHOD).window or 1, _WINDOW))
    elif compares_labels:
        reading.say_one_part(content)
    return Opened(content, {"source": source, "kind": kind, "activities": len(content.activities)})


def read_facts(reading: Reading | None) -> dict[str, Any]:
    """Return how a log was understood, for JSON."""
    return {} if reading is None else reading.as_dict()


def embed_source(source: Source, method: str | None, counts: WindowCounts | None = None) -> Embedding:
    """Embed what was opened, with progress; an embedding is returned as it is, if it is that of the method."""
    if not isinstance(source, Embedding):
        name = full_name(method or DEFAULT_METHOD)
        with tracked(f"fitting {name}"):
            return embed_by_name(source, name, counts=counts)
    if method is not None and full_name(method) != source.method:
        raise ActalikeError(f"The file holds the vectors of {source.method}; for {method}, give the log itself.")
    return source


def names_of(source: Any) -> Mapping[str, str]:
    """Return the second names of a log; an empty mapping for anything else."""
    return source.names if isinstance(source, EventLog) else {}


def called(reading: Reading | None, path: Path) -> Reading | None:
    """Return how a log was understood; what came from standard input is not called by its temporary file."""
    return reading if reading is None or path != STANDARD else replace(reading, source=name_of_log(path))


def name_of_log(path: Path) -> str:
    """Return what a log is called on a page: as its file, or as standard input.

    >>> name_of_log(Path("logs/orders.csv")), name_of_log(Path("-"))
    ('orders.csv', 'standard input')
    """
    return "standard input" if path == STANDARD else path.name


_OF_SECOND = (  # the options that hold for the second of two logs alone, each with an end in -b
    *("case", "activity", "timestamp", "transition", "lifecycle", "order", "separator", "encoding", "timestamp_format", "skip"),
    *("skip_last", "sheet", "max_bytes", "name", "cases", "object_type", "missing", "url", "table", "where"),
)
_OPTION = re.compile(rf"--({'|'.join(sorted((name.replace('_', '-') for name in _OF_SECOND), key=len, reverse=True))})\b(?!-)")


def _second_options(hints: Mapping[str, Any]) -> list[inspect.Parameter]:
    """Return the options of the second log alone; what is not given is as for the first."""
    found = []
    for name in _OF_SECOND:
        option = name.replace("_", "-")
        settings = {"metavar": hints[name].__metadata__[0].metavar, "help": f"As --{option}.", "rich_help_panel": SECOND_LOG}
        kind = get_args(hints[name])[0] | None
        found.append(_keyword(f"{name}_b", None, Annotated[kind, typer.Option(f"--{option}-b", **settings)]))
    return found


def read_second(reading: SourceOptions, path: str | Path) -> AnyLog:
    """Read the second log; an error that names an option names it as one of this log alone."""
    try:
        return reading.open(path)
    except ActalikeError as error:
        raise type(error)(of_second(str(error))) from None


def of_second(text: str) -> str:
    """Return a text about the second log with the reading options that are its own.

    >>> of_second("Name its encoding with encoding=... (--encoding; often cp1252)"), of_second("(--order file)")
    ('Name its encoding with encoding=... (--encoding-b; often cp1252)', '(--order-b file)')
    """
    return _OPTION.sub(r"--\1-b", text)
