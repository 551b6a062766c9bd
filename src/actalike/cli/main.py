"""The command ``actalike``: the table of its commands, and what happens to errors.

A command's module is imported when the command is used, so that ``actalike --help`` loads neither numpy nor Polars.
"""

import io
import os
import re
import sys
from contextlib import suppress
from importlib import import_module
from typing import Annotated, Any, NamedTuple, NoReturn

import typer

from actalike.cli.console import exit_code, hide_secrets, in_options, plain, print_json, stop_on_signals
from actalike.cli.help import Command, CommandGroup
from actalike.errors import ActalikeError
from actalike.version import __version__

_SURROGATES = re.compile("[\ud800-\udfff]")  # how Python shows bytes that are not UTF-8
_WRONG_CALL = 2  # typer's exit code
_PIPE_CLOSED = 141  # 128 + SIGPIPE: the exit code of other tools
BENCHMARKS = "actalike.cli.benchmarks.app"  # has `app`, and `with_lists` for options that take several values


class _Entry(NamedTuple):
    """Where a command is, and the first line of its description."""

    module: str
    attribute: str
    summary: str


_FIRST = {  # what is needed to clean a log and to look into it
    "look": _Entry("actalike.cli.look", "look", "Look at a file: its columns, what would be read, what is doubtful."),
    "report": _Entry(
        "actalike.cli.report",
        "report",
        "Write a web page about a log: which labels are likely one step, and why. Or about two logs: which steps both have.",
    ),
    "group": _Entry("actalike.cli.labels", "group", "Propose groups of labels that are likely one step, with the reasons."),
    "explain": _Entry("actalike.cli.pairs", "explain", "Explain whether two labels of a log are one step."),
    "relabel": _Entry(
        "actalike.cli.labels", "relabel", "Write a copy of a log with its activities renamed by a mapping, or by decisions."
    ),
    "match": _Entry(
        "actalike.cli.two_logs", "match", "Match the activities of two logs by what is around them, not by their labels."
    ),
    "drift": _Entry(
        "actalike.cli.two_logs",
        "drift",
        "Find when a log changed and what, or what changed between two logs, or two parts of a log.",
    ),
    "odd": _Entry(
        "actalike.cli.odd", "odd", "Find odd events: those that are unusual in their context, and what was expected instead."
    ),
    "predict": _Entry(
        "actalike.cli.predict", "predict", "Predict what comes next in each case of a log, by a model that train has written."
    ),
}
_FURTHER = {
    "similar": _Entry(
        "actalike.cli.pairs", "similar", "List the activities most like one activity, or the most similar pairs of a log."
    ),
    "train": _Entry("actalike.cli.predict", "train", "Train a model that predicts what comes next in a running case."),
    "embed": _Entry("actalike.cli.misc", "embed", "Write a vector for each activity to a file."),
    "count": _Entry("actalike.cli.misc", "count", "Count a log once, and save its windows or variants for other commands."),
    "plot": _Entry("actalike.cli.plot", "app", "Draw figures of logs and embeddings: PNG, SVG or PDF."),
    "methods": _Entry("actalike.cli.misc", "methods", "List the methods by name."),
    "benchmark": _Entry(BENCHMARKS, "app", "Judge methods: run a benchmark, tabulate its results."),
    "datasets": _Entry(
        "actalike.cli.misc", "datasets_app", "List the 29 public logs of the paper, or check your copies of them."
    ),
    "demo": _Entry(
        "actalike.cli.report", "demo", "Find the labels of a made-up loan desk that are one step; write the log and a report."
    ),
}
COMMANDS = _FIRST | _FURTHER


class LazyCommands(CommandGroup):
    """The commands of the table, each imported when it is asked for."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = dict.fromkeys(COMMANDS)  # type: ignore[assignment]  # the names suffice to suggest one
        self.is_listing = False

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Import a command; None if there is none of that name."""
        if cmd_name not in COMMANDS:
            return None
        entry = COMMANDS[cmd_name]
        if self.is_listing:
            return Command(cmd_name, help=entry.summary)
        command = getattr(import_module(entry.module), entry.attribute)
        if isinstance(command, typer.Typer):
            return typer.main.get_group(command)
        alone = typer.Typer(add_completion=False, rich_markup_mode=None)
        alone.command(cmd_name, cls=Command)(command)
        return typer.main.get_command(alone)

    def invoke(self, ctx: Any) -> Any:
        """Run a command. One that is stopped says so in a line. What is said of a wrong call shows no password."""
        from actalike.support.progress import shown_by_command  # here: --help needs nothing of it

        try:
            with shown_by_command():
                return super().invoke(ctx)
        except KeyboardInterrupt as stop:
            print("actalike: stopped.", file=sys.stderr)
            raise typer.Exit(exit_code(stop)) from None
        except Exception as error:
            message = getattr(error, "message", None)
            if hasattr(error, "format_message") and isinstance(message, str):  # an error of typer's parser
                error.message = hide_secrets(message)  # type: ignore[attr-defined]
            raise

    def shell_complete(self, ctx: Any, incomplete: str) -> list[Any]:
        """Return the commands and options that begin so, without importing the commands."""
        self.is_listing = True
        try:
            return super().shell_complete(ctx, incomplete)
        finally:
            self.is_listing = False

    def sections(self, context: Any) -> list[tuple[str, list[tuple[str, str]]]]:
        """Return the commands with their summaries, without importing them."""
        parts = {"Commands": _FIRST, "For data scientists and researchers": _FURTHER}
        return [(heading, [(name, entry.summary) for name, entry in part.items()]) for heading, part in parts.items()]


app = typer.Typer(
    cls=LazyCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"actalike {__version__}")
        raise typer.Exit


@app.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Find out which activities of an event log act alike, and exactly why, by counting their neighbours."""


def main() -> NoReturn:
    """Run a command. Errors are one line on standard error, and the exit code is 1 (2 for a wrong call)."""
    _check_streams()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal that is not UTF-8 shows what it can
    arguments = sys.argv[1:]
    try:
        with stop_on_signals():
            if arguments[:1] == ["benchmark"]:
                arguments = import_module(BENCHMARKS).with_lists(arguments)
            try:
                app(arguments, prog_name="actalike")
            except SystemExit as end:
                if isinstance(end.__context__, BrokenPipeError):  # typer ends with exit code 1 then
                    raise end.__context__ from None
                wrong_call: Any = end.__context__
                if end.code == _WRONG_CALL and hasattr(wrong_call, "format_message"):
                    _print_error(hide_secrets(wrong_call.format_message()), "UsageError", _WRONG_CALL)
                raise
            finally:
                sys.stdout.flush()  # at Python's own end, what cannot be written would be no error of the command
    except BrokenPipeError:  # of | head: nobody reads on
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        sys.exit(_PIPE_CLOSED)
    except ActalikeError as error:
        _fail(in_options(str(error)), error)
    except MemoryError as error:
        _fail("there is not enough memory for this log.", error)
    except OSError as error:
        _fail(f"{error.filename or 'the output'}: {error.strerror or error}.", error)
    except KeyboardInterrupt as stop:  # before a command has begun
        print("actalike: stopped.", file=sys.stderr)
        sys.exit(exit_code(stop))
    except UnicodeEncodeError as error:
        if not _SURROGATES.search(str(error.object)):
            _fail_unforeseen(error)
        nearby = str(error.object)[max(error.start - 40, 0) : error.end + 40]
        _fail(f"{_SURROGATES.sub('?', nearby)} is not UTF-8: give a name or label that is. Nothing was written.", error)
    except BaseException as error:
        if isinstance(error, SystemExit):
            raise
        _fail_unforeseen(error)  # also the panics of libraries written in Rust, which are not an Exception
    sys.exit(0)


def _check_streams() -> None:
    """Let a command work without standard error, and stop without standard output, where its answer would go."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # or else a file that is opened later would be taken for the stream
        os.set_inheritable(number, True)
    os.close(number)
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
        _fail("standard output is closed, so nothing can be printed: send it to a file, or to /dev/null. Nothing was done.")


def _fail_unforeseen(error: BaseException) -> NoReturn:
    if "ACTALIKE_DEBUG" in os.environ:
        raise error
    _fail(f"this should not happen ({type(error).__name__}: {error}). Please report it, with ACTALIKE_DEBUG=1 set.", error)


def _fail(message: str, error: BaseException | None = None) -> NoReturn:
    line = plain(hide_secrets(" ".join(message.split())))
    print(f"actalike: {line}", file=sys.stderr)
    if error is not None:
        _print_error(line, type(error).__name__, 1)
    sys.exit(1)


def _print_error(message: str, kind: str, exit_code: int) -> None:
    """Print an error where a program looks for the answer, if it asked for JSON: one object either way."""
    words = sys.argv[1:]
    if "--json" in words[: words.index("--") if "--" in words else None]:
        with suppress(OSError):  # standard output may be what failed
            print_json({"schema": "actalike/error/1", "error": message, "kind": kind, "exit_code": exit_code})
            sys.stdout.flush()
