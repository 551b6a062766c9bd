"""How long it takes to start: ``import actalike``, the first use, ``actalike --help``, as ratios in one run.

Each figure is the median CPU time (user and system) of fresh processes, the alternatives taking turns. Bytecode is cached, as it
is for an installed package.

    python measurements/startup.py [--before PATH] [--repetitions N]

``--before`` is another checkout of actalike, whose ``import`` and ``--help`` are measured beside.
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parents[1]
ALTERNATIVE = "import numpy, polars, scipy.sparse"
FIRST_USE = "import actalike; actalike.EventLog; actalike.embed; actalike.read_log"
HELP = "import sys; sys.argv = ['actalike', '--help']; from actalike.cli.main import main; main()"
OLD_HELP = "import sys; sys.argv = ['actalike', '--help']; from actalike.cli import main; main()"


def cpu_seconds(code: str, checkout: Path, cache: str) -> float:
    """Return the CPU time of a fresh process."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {"PYTHONPATH": str(checkout / "src"), "PYTHONPYCACHEPREFIX": cache}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", type=Path, help="another checkout of actalike")
    parser.add_argument("--repetitions", type=int, default=11)
    options = parser.parse_args()
    runs = {
        "python -c pass": ("pass", HERE),
        ALTERNATIVE: (ALTERNATIVE, HERE),
        "import actalike": ("import actalike", HERE),
        "first use": (FIRST_USE, HERE),
        "actalike --help": (HELP, HERE),
        "actalike --version": (HELP.replace("--help", "--version"), HERE),
    }
    if options.before:
        has_rooms = (options.before / "src" / "actalike" / "cli").is_dir()
        old_help = HELP if has_rooms else OLD_HELP
        runs["before: import actalike"] = ("import actalike", options.before)
        runs["before: --help"] = (old_help, options.before)
        runs["before: --version"] = (old_help.replace("--help", "--version"), options.before)
    with tempfile.TemporaryDirectory() as cache:
        for code, checkout in runs.values():
            cpu_seconds(code, checkout, cache)  # writes the bytecode
        times: dict[str, list[float]] = {name: [] for name in runs}
        for _ in range(options.repetitions):
            for name, (code, checkout) in runs.items():
                times[name].append(cpu_seconds(code, checkout, cache))
    median = {name: statistics.median(values) for name, values in times.items()}
    for name, seconds in median.items():
        print(f"{seconds * 1000:7.0f} ms  {name}")
    print()
    ratios = [
        ("import actalike", ALTERNATIVE),
        ("first use", ALTERNATIVE),
        ("actalike --help", "python -c pass"),
        ("actalike --version", "python -c pass"),
        ("before: import actalike", ALTERNATIVE),
        ("actalike --help", "before: --help"),
        ("actalike --version", "before: --version"),
    ]
    for name, other in ratios:
        if name in median and other in median:
            print(f"{median[name] / median[other]:7.2f} x   {name}  /  {other}")
    count = "import sys; before = set(sys.modules); import actalike; print(len(set(sys.modules) - before))"
    environment = {**os.environ, "PYTHONPATH": str(HERE / "src")}
    done = subprocess.run([sys.executable, "-c", count], env=environment, check=True, capture_output=True, text=True)
    print(f"\n{done.stdout.strip()} modules are loaded by import actalike.  First use: {FIRST_USE}")


if __name__ == "__main__":
    main()
