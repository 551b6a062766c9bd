"""Reading XES: time and peak memory beside r4pm (Rust), each reading in a process of its own, in turns.

r4pm reads all attributes into a frame, and returns a truncated file shortened without a word; actalike reads case, activity
and timestamp (and with "people" who did it), and checks that the file is whole. "at rest" is what the process needs before it reads: mostly its imports. The
ratio is r4pm's time divided by actalike's, of the medians and of the CPU seconds: on a busy machine the latter are steadier.

``python measurements/reading.py CHECKOUT [FILES]`` compares the CPU seconds of this code with those of another checkout, in turns: a
folder of Parquet files of 200,000 rows each, whose cases are spread over all of them.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from timing import LOGS

SOME = ("BPIC12", "BPIC13_closed_problems", "BPIC15_1", "BPIC20_DomesticDeclarations", "BPIC20_PermitLog", "CCC19", "Env_Permit",
        "NASA", "RTFM", "Helpdesk")  # of each family one, or two of different sizes  # fmt: skip
READERS = {
    "actalike": "import actalike; read = actalike.read_log",
    "people": "import actalike; from functools import partial; read = partial(actalike.read_log, attributes='people')",
    "r4pm": "from r4pm import df; read = df.import_xes",
}
PROGRAM = """
import json, re, sys, time
{reader}
peak = lambda: int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1]) / 1024
rest = peak()
start, before = time.perf_counter(), time.process_time()
log = read(sys.argv[1])
seconds, cpu = time.perf_counter() - start, time.process_time() - before
print(json.dumps([seconds, cpu, rest, peak()]))
"""


def missing():
    """Return why this cannot be measured here, None if it can."""
    if not LOGS.is_dir():
        return f"there is no folder of logs at {LOGS}: name one by ACTALIKE_LOGS"
    if not Path("/proc/self/status").exists():
        return "peak memory is read as Linux tells it"
    return None if find_spec("r4pm") else "r4pm is not installed"


def tables(short):
    """Yield the names of tables, and their rows."""
    rows = [
        ["log", "actalike", "r4pm", "ratio", "of CPU", "of CPU with people", "peak memory: actalike (at rest)", "r4pm (at rest)"]
    ]
    for path in sorted(LOGS / f"{name}.xes.gz" for name in (SOME[-1:] if short else SOME) if (LOGS / f"{name}.xes.gz").exists()):
        results = {reader: [] for reader in READERS}
        for _ in range(1 if short else 3):
            for reader in READERS:
                results[reader].append(measure(reader, path))
        ours, people, theirs = ([statistics.median(column) for column in zip(*found, strict=True)] for found in results.values())
        ratios = [f"{theirs[0] / ours[0]:.2f}", f"{theirs[1] / ours[1]:.2f}", f"{theirs[1] / people[1]:.2f}"]
        memory = [f"{peak:.0f} MB ({rest:.0f} MB)" for _, _, rest, peak in (ours, theirs)]
        rows.append([path.name.removesuffix(".xes.gz"), f"{ours[0]:.2f} s", f"{theirs[0]:.2f} s", *ratios, *memory])
    yield "bench-reading", rows


def measure(reader, path):
    program = PROGRAM.format(reader=READERS[reader])
    done = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=True)
    return json.loads(done.stdout.splitlines()[-1])


FOLDER = """
import sys, time, actalike
before = time.process_time()
log = actalike.read_log(sys.argv[1], cases="joined")
print(time.process_time() - before, log.digest)
"""


def compare_folders(checkout, n_files):
    """Print how long this code and that of another checkout take to read one folder."""
    import numpy as np
    import polars as pl

    random, rows = np.random.default_rng(1), 200_000
    with tempfile.TemporaryDirectory() as folder:
        for number in range(n_files):
            case = pl.Series("case", random.integers(0, n_files * rows // 8, rows))
            time = pl.Series("time", random.integers(10**15, 2 * 10**15, rows)).cast(pl.Datetime("us"))
            frame = pl.DataFrame([case, time, pl.Series("activity", random.integers(0, 42, rows))])
            texts = [pl.format("order {}", "case").alias("case"), pl.format("Step {}", "activity").alias("activity")]
            frame.with_columns(texts).write_parquet(Path(folder, f"{number:03d}.parquet"))
        seconds, digests = {}, set()
        for name, place in {"before": Path(checkout), "now": Path(__file__).parents[1]}.items():
            path = {**os.environ, "PYTHONPATH": str(place.resolve() / "src")}
            done = subprocess.run([sys.executable, "-c", FOLDER, folder], env=path, capture_output=True, text=True, check=True)
            cpu, digest = done.stdout.split()
            seconds[name] = float(cpu)
            digests.add(digest)
    assert len(digests) == 1, digests
    times = ", ".join(f"{name} {cpu:.1f} s of CPU" for name, cpu in seconds.items())
    print(f"{n_files} files x {rows:,} rows: {times}, {seconds['before'] / seconds['now']:.1f}x")


if __name__ == "__main__":
    compare_folders(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 50)
