"""Running actalike's commands: in this process, without the second that a new one takes to start, or as a user does."""

import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import BytesIO, StringIO, TextIOWrapper
from unittest.mock import patch

from actalike.cli.main import main


def run(*arguments: object, stdin: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run a command in this process."""
    words = ["actalike", *map(str, arguments)]
    code = 0
    with (
        redirect_stdout(StringIO()) as output,
        redirect_stderr(StringIO()) as errors,
        patch.multiple(sys, argv=words, stdin=TextIOWrapper(BytesIO(stdin))),
    ):
        try:
            main()
        except SystemExit as end:
            code = end.code
    return subprocess.CompletedProcess(words, code, output.getvalue(), errors.getvalue())


def run_process(*arguments: object, **options) -> subprocess.CompletedProcess[str]:
    """Run a command in a process of its own: for exit codes, encodings, signals, and what is loaded."""
    command = [sys.executable, "-m", "actalike", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, encoding="utf-8", **options)


def ok(*arguments: object) -> str:
    """Run a command that succeeds and warns of nothing, and return what it prints."""
    done = run(*arguments)
    expected = ("may be too narrow", "--min-cases")
    warnings = [line for line in without_what_was_read(done.stderr) if not any(words in line for words in expected)]
    assert (done.returncode, warnings) == (0, []), done
    return done.stdout


def fails(*arguments: object) -> str:
    """Run a command that fails with one line, and return the line."""
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (1, ""), done
    (line,) = without_what_was_read(done.stderr)
    assert line.startswith("actalike: "), done
    return f"{line}\n"


def without_what_was_read(errors: str) -> list[str]:
    """Return the lines of standard error without those that say how a log was understood."""
    return [line for line in errors.splitlines() if not line.startswith("actalike: read ")]


def refuses(*arguments: object) -> str:
    """Run a command that is called wrongly, and return what it says about the call."""
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert done.stderr.startswith("Usage: actalike"), done
    return done.stderr
