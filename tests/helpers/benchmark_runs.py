"""Running the benchmark's commands."""

import json
import pickle
import subprocess
import sys
import time
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from io import StringIO
from unittest.mock import patch

from actalike.benchmark.folders import error_text, note_log
from actalike.benchmark.tasks import measuring
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


@contextmanager
def measured_here():
    """Let the efficiency benchmark measure methods in this process: to start one for each takes half a second."""

    def measure(sent, limit):
        name, method, arrays, repeats, _ = pickle.loads(sent)
        facts = []
        try:
            facts += measuring.measure(name, method, arrays, repeats, time.monotonic() + limit)
        except Exception as error:
            facts.append({"error": error_text(error)})
        return "".join(json.dumps(one) + "\n" for one in facts).encode(), 0

    with patch.object(measuring, "_in_a_process", measure):
        yield


def tree(folder):
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def open_log(out, name, log):
    """Note a log in a folder, as a run does; return its digest."""
    note_log(out, name, log.digest, {"activities": len(log.activities), **log.statistics()})
    return log.digest
