"""Speed and memory as ratios, each against a named alternative in the same run (make bench).

    python measurements/bench.py                 # all parts, ten minutes; stores the tables and writes them into the pages
    python measurements/bench.py core streams    # some parts
    python measurements/bench.py --short         # a trial of small sizes: prints the tables, stores nothing

Run it on an idle machine with a folder of real logs (ACTALIKE_LOGS). What a part compares with what, its first lines say.
"""

import argparse
import importlib
import sys
import time

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
    for part in asked.parts or PARTS:
        module = importlib.import_module(part)
        if reason := module.missing():
            print(f"{part} is left out: {reason}", file=sys.stderr)
            continue
        started = time.monotonic()
        for name, rows in module.tables(asked.short):
            print(f"\n{name}\n\n{results.markdown(rows)}", flush=True)
            if not asked.short:
                results.store(name, rows, f"python measurements/bench.py {part}")
                if name == "bench-growth":
                    core.draw_growth(rows, results.ROOT / "docs" / "counting_growth.png")
        print(f"{part}: {time.monotonic() - started:.0f} s", file=sys.stderr)
    return 0 if asked.short else results.main([])


if __name__ == "__main__":
    sys.exit(main())
