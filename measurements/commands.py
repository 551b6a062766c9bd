"""Compare the processor time of the commands with that of another checkout, in one run: two real logs, alternating, minimum of 3.

python measurements/commands.py --before CHECKOUT [--logs FOLDER]
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from itertools import count
from pathlib import Path

import actalike

NEW = Path(__file__).parents[1] / "src"
REPEATS = 3


def cpu_seconds(source: Path, arguments: list[str]) -> float:
    """Run a command with the code of a folder, and return its processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "actalike", *arguments]
    subprocess.run(command, env={**os.environ, "PYTHONPATH": str(source)}, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", type=Path, required=True)
    parser.add_argument("--logs", type=Path, default=Path(os.environ.get("ACTALIKE_LOGS", "../shared/event_logs")))
    options = parser.parse_args()
    numbers = count()
    print(f"{'log':12}{'command':10}{'before':>8}{'after':>8}{'ratio':>7}")
    with tempfile.TemporaryDirectory() as folder:

        def new_file(ending: str) -> str:
            return f"{folder}/{next(numbers)}{ending}"

        for name in ("BPIC15_1", "RTFM"):
            log = str(options.logs / f"{name}.xes.gz")
            a, b = actalike.read_log(log).activities[:2]
            mapping = f"{folder}/{name}.csv"
            Path(mapping).write_text(f'activity,group\n"{a}","{a}"\n"{b}","{a}"\n')
            commands = {
                "similar": lambda log=log: ["similar", log],
                "explain": lambda log=log, a=a, b=b: ["explain", log, a, b],
                "group": lambda log=log: ["group", log],
                "embed": lambda log=log: ["embed", log, "-o", new_file(".actalike")],
                "count": lambda log=log: ["count", log, "-o", new_file(".actalike")],
                "relabel": lambda log=log, mapping=mapping: ["relabel", log, mapping, "-o", new_file(".xes.gz")],
                "report": lambda log=log: ["report", log, "-o", new_file(".html")],
            }
            for command, arguments in commands.items():
                rounds = [
                    (cpu_seconds(options.before / "src", arguments()), cpu_seconds(NEW, arguments())) for _ in range(REPEATS)
                ]
                before, after = (min(times) for times in zip(*rounds, strict=True))
                print(f"{name:12}{command:10}{before:8.2f}{after:8.2f}{after / before:7.2f}", flush=True)


if __name__ == "__main__":
    main()
