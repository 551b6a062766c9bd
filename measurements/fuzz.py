"""Damage saved files by the hundred thousand, and print for each kind of file what became of the mutants.

    python -m measurements.fuzz --mutants 100000
    python -m measurements.fuzz --mutants 100000 --first 60000    # go on where a run was stopped
    python -m measurements.fuzz --mutants 1 --first 4711          # one mutant again

A mutant depends on the seed and its number only, so a run can be stopped, continued, divided and repeated.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

from measurements.attacks.saved_files import attempt
from measurements.saved_file_originals import make_originals

COLUMNS = ("tried", "equal", "sound", "refused", "wrong")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=100_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first mutant")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", type=Path, help="where mutants are written; one in memory is fastest [a temporary one]")
    options = parser.parse_args()
    if options.folder is None:
        with tempfile.TemporaryDirectory() as folder:
            return campaign(options.seed, options.first, options.mutants, Path(folder))
    options.folder.mkdir(parents=True, exist_ok=True)
    return campaign(options.seed, options.first, options.mutants, options.folder)


def campaign(seed: int, first: int, mutants: int, folder: Path) -> int:
    """Judge so many mutants; print those that are wrong as they come, and the table at the end."""
    originals = make_originals(folder)
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    started = time.monotonic()
    for number in range(first, first + mutants):
        name, outcome = attempt(Random(f"{seed}/{number}"), originals, folder)
        tally[name].update(["tried", outcome.detail if outcome.verdict == "same" else outcome.verdict])
        if outcome.verdict == "wrong":
            print(f"mutant {number}: {outcome.detail}", flush=True)
        if (number + 1) % 10_000 == 0:
            print(f"{number + 1:,} after {time.monotonic() - started:,.0f} s", file=sys.stderr, flush=True)
    print_table(tally)
    return int(any(counts["wrong"] for counts in tally.values()))


def print_table(tally: dict[str, Counter[str]]) -> None:
    width = max(map(len, [*tally, "all"]))
    print(f"{'':{width}} " + " ".join(f"{column:>8}" for column in COLUMNS))
    for name, counts in [*sorted(tally.items()), ("all", sum(tally.values(), Counter()))]:
        print(f"{name:{width}} " + " ".join(f"{counts[column]:>8,}" for column in COLUMNS))


if __name__ == "__main__":
    sys.exit(main())
