"""Running the benchmark's commands."""

import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from unittest.mock import patch

from actalike.cli.main import main


def command(*arguments):
    return [sys.executable, "-m", "actalike", "benchmark", *map(str, arguments)]


def run(*arguments, code=0, **options):
    done = subprocess.run(command(*arguments), capture_output=True, text=True, check=False, encoding="utf-8", **options)
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
    return done


def run_here(*arguments, code=0):
    """The same in this process, which has loaded torch already, and where things can be replaced."""
    words = ["actalike", "benchmark", *map(str, arguments)]
    with redirect_stdout(StringIO()) as said, redirect_stderr(StringIO()) as complained, patch.object(sys, "argv", words):
        try:
            main()
        except SystemExit as end:
            ended = end.code
    assert ended == code, (ended, said.getvalue(), complained.getvalue())
    return subprocess.CompletedProcess(words, ended, said.getvalue(), complained.getvalue())


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}
