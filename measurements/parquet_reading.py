"""What safety costs when a Parquet file is read: the checks before reading, or reading in a process of its own.

Writes two real logs as Parquet into a temporary folder, and takes the times of the commands on them, with this code and with that
of another checkout in turns (median CPU time of fresh processes), and inside a process the time of the checks and of the whole
reading.

    python measurements/parquet_reading.py --logs FOLDER [--before CHECKOUT] [--repetitions N]
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from timing import fastest

from actalike import read_log, write_log
from actalike.io import check_pages, read_footer

HERE = Path(__file__).parents[1]
LOGS = ("BPIC15_1", "RTFM")
CHILD = (
    "import sys, polars; polars.read_parquet(sys.argv[1], columns=['case:concept:name', 'concept:name', 'time:timestamp'])"
    ".write_ipc(sys.argv[2])"
)


def seconds(command: list[str], checkout: Path, folder: Path) -> float:
    """Return the CPU time of a fresh process, user and system."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(checkout / "src"), "PYTHONPYCACHEPREFIX": str(folder / "cache")}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logs", type=Path, required=True, help="the folder of the real logs")
    parser.add_argument("--before", type=Path, default=HERE, help="another checkout of actalike")
    parser.add_argument("--repetitions", type=int, default=7)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "mapping.csv").write_text("activity,group\n")
        for log in LOGS:
            measure(log, folder, options)


def measure(log: str, folder: Path, options: argparse.Namespace) -> None:
    """Print the times of one log."""
    path = folder / f"{log}.parquet"
    write_log(read_log(next(options.logs.glob(f"{log}.xes*"))), path)
    print(f"{log}: {path.stat().st_size:,} bytes")
    checks = fastest(lambda: check_pages(path, read_footer(path).chunks, 1 << 33), 9)
    reading = fastest(lambda: read_log(path), 9)
    print(f"  checks {checks * 1e3:.1f} ms of {reading * 1e3:.0f} ms to read the log in this process")
    child = [sys.executable, "-c", CHILD, str(path), str(folder / "child.arrow")]
    print(f"  a process that only reads it: {statistics.median(seconds(child, HERE, folder) for _ in range(5)) * 1e3:.0f} ms")
    actalike = [sys.executable, "-m", "actalike"]
    commands = {
        "similar": [*actalike, "similar", str(path)],
        "embed": [*actalike, "embed", str(path), "-m", "ac-multiset-ppmi-w3", "-o", str(folder / "out.actalike")],
        "count": [*actalike, "count", str(path), "-o", str(folder / "counts.actalike")],
        "group": [*actalike, "group", str(path)],
        "relabel": [*actalike, "relabel", str(path), str(folder / "mapping.csv"), "-o", str(folder / "new.parquet")],
    }
    for name, command in commands.items():
        times: dict[str, list[float]] = {"before": [], "after": []}
        for _ in range(options.repetitions + 1):  # the first writes bytecode
            for which, checkout in (("before", options.before), ("after", HERE)):
                (folder / "new.parquet").unlink(missing_ok=True)
                times[which].append(seconds(command, checkout, folder))
        before, after = (statistics.median(values[1:]) for values in times.values())
        print(f"  {name:<8} before {before:.3f} s, after {after:.3f} s, ratio {after / before:.3f}", flush=True)


if __name__ == "__main__":
    main()
