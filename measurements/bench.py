"""Speed and memory as ratios, each against a named alternative in the same run (make bench).

    python measurements/bench.py                 # all parts, eight minutes; stores the tables and writes them into the pages
    python measurements/bench.py core streams    # some parts
    python measurements/bench.py --short         # a trial of small sizes: prints the tables, stores nothing

Run it on an idle machine with a folder of real logs (ACTALIKE_LOGS). What a part compares with what, its first lines say. A table is
stored as soon as it is measured; a part that fails is named, and the others go on.
"""

import argparse
import importlib
import sys
import time
import traceback

import core
import results

PARTS = ("core", "reading", "frames", "streams", "databases")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} [all]")
    parser.add_argument("--short", action="store_true")
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}: there are {', '.join(PARTS)}")
    failed = []
    for part in asked.parts or PARTS:
        module = importlib.import_module(part)
        if reason := module.missing():
            print(f"{part} is left out: {reason}", file=sys.stderr)
            continue
        started = time.monotonic()
        try:
            measure(part, module, asked.short)
        except Exception:
            traceback.print_exc()
            failed.append(part)
        print(f"{part}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    if not asked.short:
        results.main([])
    return f"failed: {', '.join(failed)}" if failed else 0


def measure(part, module, short):
    """Print the tables of a part, and keep them."""
    for name, rows in module.tables(short):
        print(f"\n{name}\n\n{results.markdown(rows)}", flush=True)
        if not short:
            results.store(name, rows, f"python measurements/bench.py {part}")
            if name == "bench-growth":
                core.draw_growth(rows, results.ROOT / "docs" / "counting_growth.png")


if __name__ == "__main__":
    sys.exit(main())
