"""Which files the data visits: the walks of docs/architecture.md, as a profiler sees them.

    python measurements/walks.py                  # of this checkout: similar, report, benchmark intrinsic
    python measurements/walks.py --source PATH    # of another checkout's src folder, to compare

A file counts as visited if one of its functions is called between the start of the command and its end; what runs only because a
module is imported does not count. Also: how often a report counts the windows of its log, and how many modules `import actalike`
loads.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[1]
WALKS = {
    "similar": ["similar", "log.xes.gz"],
    "report": ["report", "log.xes.gz", "-o", "report.html"],
    "benchmark intrinsic": ["benchmark", "intrinsic", "--logs", "log.xes.gz", "--out", "out", "--r", "2", "--w", "2"],
}
TRACE = """
import json, runpy, sys
visited, counted = {}, 0

def is_importing(frame):
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False

def profile(frame, event, argument):
    global counted
    code = frame.f_code
    if event == "call" and "/actalike/" in code.co_filename and not is_importing(frame):
        name = code.co_filename.rpartition("/actalike/")[2]
        if name not in ("__init__.py", "__main__.py"):
            visited.setdefault(name)
            counted += code.co_name == "_count_log"

import actalike
sys.argv = ["actalike", *ARGUMENTS]
sys.setprofile(profile)
try:
    runpy.run_module("actalike", run_name="__main__")
except SystemExit as end:
    assert not end.code, end.code
finally:
    sys.setprofile(None)
print(json.dumps([list(visited), counted]), file=sys.__stderr__)
"""
MAKE_LOG = """
import actalike
try:
    from actalike.demo.loan_desk import loan_desk
except ImportError:  # before the rooms
    from actalike.loan_desk import loan_desk
actalike.write_log(loan_desk(100), "log.xes.gz")
"""
COUNT_MODULES = """
import sys, actalike
print(sum(name.partition(".")[0] == "actalike" for name in sys.modules))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--source", type=Path, default=ROOT / "src", help="the src folder of a checkout")
    parser.add_argument("--list", action="store_true", help="also name the files, in the order of the first call")
    chosen = parser.parse_args()
    environment = {**os.environ, "PYTHONPATH": str(chosen.source.resolve())}
    with tempfile.TemporaryDirectory() as folder:

        def python(code):
            return subprocess.run(
                [sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, text=True, check=True
            )

        python(MAKE_LOG)
        for walk, arguments in WALKS.items():
            files, counted = json.loads(python(TRACE.replace("ARGUMENTS", repr(arguments))).stderr.splitlines()[-1])
            print(f"{walk}: {len(files)} files; windows counted {counted} times")
            if chosen.list:
                print("  " + "\n  ".join(files))
        print(f"modules of actalike that 'import actalike' loads: {python(COUNT_MODULES).stdout.strip()}")
        print(f"modules in the root of the package: {len(list((chosen.source / 'actalike').glob('*.py')))}")


if __name__ == "__main__":
    main()
