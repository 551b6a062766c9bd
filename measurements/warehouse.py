"""Time and memory of every answer where the events are: DuckDB over a folder of Parquet files, beside reading the events.

    python measurements/warehouse.py [EVENTS ...] [--memory 4GB] [--only COMMAND] [--keep FOLDER]     # 1e6 1e7 1e8; ten minutes for 1e8

Each command runs in a process of its own, once with `--engine duckdb --memory`, and, up to 1e7 events, once with the events in memory. Both
answers must be the same. Events are made-up purchase orders of 42 activities, rows in no order (`made_up_logs.py`); `match` has two halves.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from made_up_logs import write_events

COMMANDS = {"group": 1, "similar": 1, "odd": 1, "match": 2}  # and how many logs each takes
IN_MEMORY = 1e7  # events that are read as well


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("events", nargs="*", type=float, default=[1e6, 1e7, 1e8])
    arguments.add_argument("--memory", default="4GB")
    arguments.add_argument("--only", choices=COMMANDS)
    arguments.add_argument("--keep", type=Path, help="a folder for the events, which are made once")
    given = arguments.parse_args()
    print(f"{'':<23}{'DuckDB':>27}{'events in memory':>27}")
    header = f"{'seconds':>10}{'CPU':>10}{'GB':>7}"
    print(f"{'command':<10}{'events':>13}{header}{header}  same answer")
    with tempfile.TemporaryDirectory() as temporary:
        for events in map(int, given.events):
            folders = [folder_of(given.keep or Path(temporary), events // 2, half) for half in range(2)]
            whole = folder_of(given.keep or Path(temporary), events, 0)
            for command, logs in COMMANDS.items():
                if given.only in (None, command):
                    measure(command, [whole] if logs == 1 else folders, events, given.memory)


def folder_of(parent, events, seed):
    """Return the folder of so many events, which is made if it is not there."""
    folder = parent / f"{events}-{seed}"
    return folder if folder.exists() else write_events(folder, events, seed)


def measure(command, logs, events, memory):
    """Print a row: the command through DuckDB and, of fewer events, with all events read."""
    answer, *used = run(command, logs, "--engine", "duckdb", "--memory", memory)
    row = f"{command:<10}{events:>13,}{figures(*used)}"
    if events <= IN_MEMORY:
        read, *used = run(command, logs, "--cases", "joined")
        row += f"{figures(*used)}  {facts(answer, command) == facts(read, command)}"
    print(row, flush=True)


def figures(seconds, of_processors, peak):
    return f"{seconds:>10.1f}{of_processors:>10.1f}{peak:>7.2f}"


def run(command, logs, *options):
    """Return what a command answers as JSON, its seconds, those of the processors, and the most memory that it held, in GB."""
    began = time.perf_counter()
    child = subprocess.Popen(
        [sys.executable, "-m", "actalike", command, *logs, "--json", *options], stdout=subprocess.PIPE, env=os.environ
    )
    printed = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"actalike {command} {' '.join(map(str, logs))} {' '.join(options)} failed")
    return json.loads(printed), time.perf_counter() - began, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6


def facts(answer, command):
    """Return an answer without how the events were read; of odd events how many there are, since variants have other names."""
    names = {"found"} if command == "odd" else {key for key in answer if not key.startswith(("read", "log", "schema"))}
    return {key: value for key, value in answer.items() if key in names}


if __name__ == "__main__":
    main()
