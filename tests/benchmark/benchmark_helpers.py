"""Running the benchmark's commands."""

import subprocess
import sys


def command(*arguments):
    return [sys.executable, "-m", "actalike", "benchmark", *map(str, arguments)]


def run(*arguments, code=0, **options):
    done = subprocess.run(command(*arguments), capture_output=True, text=True, check=False, encoding="utf-8", **options)
    assert done.returncode == code, done
    assert "Traceback" not in done.stderr
    return done
