"""Run measurements, keep what they print, and make docs/measurements.md of what is kept.

    python measurements/page.py                   make the page from the stored results
    python measurements/page.py run               run all measurements one after the other, and make the page
    python measurements/page.py run core reading  run some of them

A stored result (docs/results/measurements/NAME.json) is what a script printed, with the command, the date, the code and the
machine. Run them on an idle machine: the load before a run is stored as well.
"""

import json
import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from measurements.code_digest import code_digest  # noqa: E402
from measurements.provenance import changed_since, commit, machine, today, version, write  # noqa: E402

STORED = ROOT / "docs" / "results" / "measurements"
PAGE = ROOT / "docs" / "measurements.md"

HEAD = """# Measurements

Times mean little on shared machines, so nearly everything here is a ratio against a named alternative in the same run; yours will differ, the ratios
less so. The logs are public (`actalike datasets`); name their folder with `ACTALIKE_LOGS`. `make measurements` runs everything that is on this page again
(about an hour), `python measurements/page.py run NAME` a part of it, and `python measurements/page.py` makes this page from the [stored results](results/measurements):
do not edit it by hand.
"""


@dataclass(frozen=True)
class Measurement:
    """Say what is run, and what a reader should know of it."""

    name: str
    title: str
    command: str  # after "python "
    words: str
    code: list[str]  # subjects of code_digest: if their code changes, the result is old


MEASUREMENTS = [
    Measurement(
        "core",
        "Embedding and all distances",
        "measurements/core.py plain sweep gensim kin",
        "From an `EventLog` to the distances between all activities, finding the variants included.",
        ["counting", "count vectors", "kin"],
    ),
    Measurement(
        "growth",
        "Growth of counting",
        "measurements/core.py growth",
        "Counting windows of 5 over 30 activities, 10 events a case. It grows in proportion to the events of the distinct variants; what repeated cases cost is finding that "
        "they repeat.\n\n![Seconds to count all windows over the number of events](counting_growth.png)",
        ["counting"],
    ),
    Measurement(
        "reading",
        "Reading XES",
        "measurements/reading.py 3",
        "Beside r4pm 0.6.2, which is written in Rust and reads all attributes into a frame; actalike reads case, activity and timestamp, and checks that the "
        "file is whole. The ratio is r4pm's time divided by actalike's.",
        ["reading"],
    ),
    Measurement(
        "frames",
        "Frames whose events are in no order",
        "measurements/engines.py array",
        "Counting the windows of a Polars frame by arrays, beside shifting within cases by narwhals' `.over`.",
        ["frames"],
    ),
    Measurement(
        "lazy_frames",
        "Lazy Polars frames larger than memory",
        "measurements/lazy_frames.py 1e7",
        "Parquet files, each case spread over all of them, rows in no order: as `pl.scan_parquet`, counted part by part with the parts on disk, beside the "
        "same events as one frame in memory. The run with 100 million events is in [Scale](scale.md).",
        ["frames"],
    ),
    Measurement(
        "streams",
        "Streams",
        "measurements/streams.py",
        "`StreamCounter` beside two plain-Python counters that are given the same events.",
        ["streams"],
    ),
    Measurement(
        "postgres",
        "A database: PostgreSQL through Ibis",
        "measurements/postgres.py 1e6 --repeats 2",
        "A PostgreSQL of its own, purchase orders of 42 activities, rows in no order; beside SQL that is written by hand for the same table, which checks nothing. "
        "The run with 10 million events is in [Scale](scale.md).",
        ["engines"],
    ),
    Measurement(
        "spark_cluster",
        "A Spark cluster that loses a worker",
        "measurements/spark_cluster.py 2e6",
        "A standalone master and two workers as processes of one machine; a worker and its executor are killed in the middle of the count.",
        ["engines"],
    ),
]


def run(measurement):
    """Run a measurement and keep what it prints; if it fails, keep what was there before."""
    print(f"python {measurement.command}", file=sys.stderr, flush=True)
    load = os.getloadavg()[0]
    command = [sys.executable, *measurement.command.split()]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"It ended with {done.returncode}; the stored result is as it was.")
    result = {
        "command": f"python {measurement.command}",
        "date": today(),
        "commit": commit(),
        "version": version(),
        "digest": code_digest(measurement.code, measurement.command),
        "machine": machine(),
        "load": round(load, 1),
        "output": done.stdout.strip(),
    }
    STORED.mkdir(parents=True, exist_ok=True)
    write(STORED / f"{measurement.name}.json", json.dumps(result, indent=1, ensure_ascii=False) + "\n")


def is_old_measurement(name):
    """Return whether the code behind a stored measurement has changed since."""
    measurement = next(one for one in MEASUREMENTS if one.name == name)
    return json.loads((STORED / f"{name}.json").read_text(encoding="utf-8"))["digest"] != code_digest(
        measurement.code, measurement.command
    )


def page():
    """Return the page: a section for each measurement that is stored, in the order of the list."""
    parts = [HEAD]
    for measurement in MEASUREMENTS:
        path = STORED / f"{measurement.name}.json"
        if not path.exists():
            parts.append(f"## {measurement.title}\n\nNot measured yet: `python {measurement.command}`.\n")
            continue
        result = json.loads(path.read_text(encoding="utf-8"))
        told = f"`{result['command']}`, {result['date']}, commit {result['commit']}, {result['machine']}; load before the run {result['load']}."
        if is_old_measurement(measurement.name):
            told += f"\n\n{changed_since(result)}"
        parts.append(f"## {measurement.title}\n\n{measurement.words}\n\n{told}\n\n{textwrap.indent(result['output'], '    ')}\n")
    return "\n".join(parts)


def main():
    wanted = sys.argv[2:] if sys.argv[1:2] == ["run"] else []
    known = {measurement.name: measurement for measurement in MEASUREMENTS}
    unknown = set(wanted) - set(known)
    if unknown or sys.argv[1:2] not in ([], ["run"]):
        sys.exit(f"usage: page.py [run [{'|'.join(known)} ...]]")
    for name in (wanted or known) if sys.argv[1:] else []:
        run(known[name])
    write(PAGE, page())


if __name__ == "__main__":
    main()
