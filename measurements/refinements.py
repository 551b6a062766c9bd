"""What the refinements of the count methods are worth: each alone, on three settings, in the intrinsic benchmark.

python measurements/refinements.py run OUT [JOBS]     # all settings on all logs, mode paper, full grid, one sample a cell
python measurements/refinements.py table OUT          # means over the logs, and paired gains over the unrefined setting
"""

import sys
from pathlib import Path

from default_search import interval, log_values, run

from actalike.benchmark.intrinsic.metrics import METRICS

BASES = ["aa-sequence-pmi-w3", "ac-sequence-ppmi-w5", "positional-ppmi-w5"]
SWITCHES = ["+shift5", "+smooth0.75", "+power0.5"]
SWITCHES += [f"+svd{dimension}{power}" for dimension in (16, 64) for power in ("", "+power0.5", "+power0")]
REFERENCE = "kin-w5"


def table(folder):
    logs, _, values = log_values(folder)
    print(f"{len(logs)} logs: {', '.join(logs)}.\n")
    print("| method | " + " | ".join(METRICS) + " |\n" + "|---" * (1 + len(METRICS)) + "|")
    for base in BASES:
        print(f"| {base} | " + " | ".join(f"{values(base, metric).mean():.3f}" for metric in METRICS) + " |")
        for switches in SWITCHES:
            print(f"| {switches} | " + " | ".join(gain(values(base + switches, m), values(base, m)) for m in METRICS) + " |")
    print(f"| {REFERENCE} | " + " | ".join(f"{values(REFERENCE, metric).mean():.3f}" for metric in METRICS) + " |")


def gain(refined, plain):
    """A mean, and the gain with its interval; bold where that excludes zero."""
    low, high = interval(refined - plain)
    mark = "**" if low > 0 or high < 0 else ""
    return f"{refined.mean():.3f} ({mark}{(refined - plain).mean():+.3f}{mark}, {low:+.3f} to {high:+.3f})"


if __name__ == "__main__":
    command, *rest = sys.argv[1:] or ["help"]
    if command == "run" and rest:
        names = [base + switches for base in BASES for switches in ("", *SWITCHES)]
        run([*names, REFERENCE], Path(rest[0]), int(rest[1]) if len(rest) > 1 else 2)
    elif command == "table" and len(rest) == 1:
        table(Path(rest[0]))
    else:
        sys.exit(__doc__)
