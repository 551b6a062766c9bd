"""The two tables of docs/efficiency.md, from a folder of results of the efficiency benchmark.

    python measurements/efficiency_tables.py DIR seconds     # median seconds of the wall, windows side by side, and the paper's
    python measurements/efficiency_tables.py DIR BPIC15_1    # all that was measured of some methods on a log

DIR may also be the stored file, docs/results/efficiency.json. They are printed as Markdown: store them with ``python measurements/tables.py store efficiency-seconds FILE``.
"""

import sys
from contextlib import nullcontext
from pathlib import Path

import polars as pl

sys.path.insert(0, str(Path(__file__).parents[1]))

from actalike import benchmark
from actalike.errors import ActalikeError
from actalike.methods import MethodName
from measurements.result_folders import unpacked

LOGS = {  # the columns: our log, how the table calls it, and whether the paper's figures stand beside it
    "BPIC13_closed_problems": ("BPIC13 C. P.", True),
    "BPIC15_1": ("BPIC15_1", True),
    "BPIC20_DomesticDeclarations": ("BPIC20 D. D.", True),
    "RTFM": ("RTFM", False),
    "BPIC19-like": ("BPIC19-like", False),
}
SHOWN = [
    *(f"{matrix}-pmi-w{n}" for matrix in ("ac-sequence", "ac-multiset", "aa-sequence") for n in (3, 9)),
    *("ac-sequence-raw-w3", "kin-w5", "positional-pmi-w5", "substitution-w3", "one-hot", "act2vec-cbow-w3", "process-structure"),
]
PARTS = ("count", "matrix", "weighting", "scores", "rounds", "discovery", "features", "training", "fit", "distances")


def figure(seconds):
    """Two digits that count."""
    return f"{float(f'{seconds:.2g}'):g}" if seconds is not None else "-"


def printed(rows):
    print("| " + " | ".join(rows[0]) + " |\n|" + "---|" * len(rows[0]))
    for row in rows[1:]:
        print("| " + " | ".join(row) + " |")


def by_method(table):
    """The rows of each method, its windows in one; a method is called by its name without the window."""
    rows = {}
    for name in table["method"].unique().sort():
        parsed = MethodName.parse(name)
        rows.setdefault(parsed.without_window if parsed.marker == "w" else name, []).append((parsed.window or 0, name))
    return {stem: [name for _, name in sorted(names)] for stem, names in rows.items()}


def seconds(results):
    table = results.by_log()
    cells = {(row["log"], row["method"]): row for row in table.iter_rows(named=True)}

    def time_of(log, method):
        cell = cells.get((log, method))
        if cell is None:
            return "-"
        return f"> {cell['more_than']:g}" if cell["more_than"] is not None else figure(cell["seconds"])

    def paper_of(log, method):
        cell = cells.get((log, method))
        return figure(cell["paper"]) if cell is not None else "-"

    logs = [log for log in LOGS if log in table["log"].unique()]
    rows = [["method", *(name for log in logs for name in ([LOGS[log][0], "paper"] if LOGS[log][1] else [LOGS[log][0]]))]]
    for stem, names in by_method(table).items():
        windows = [str(MethodName.parse(name).window) for name in names if name != stem]
        row = [stem + (f" w {_joined(windows)}" if windows else "")]
        for log in logs:
            row.append(_joined([time_of(log, name) for name in names]))
            if LOGS[log][1]:
                row.append(_joined([paper_of(log, name) for name in names]))
        rows.append(row)
    printed(rows)


def _joined(values):
    return "-" if set(values) == {"-"} else r" \| ".join(values)


def details(results, log):
    table = results.by_log().filter(pl.col("log") == log, pl.col("method").is_in(SHOWN))
    rows = [["method", "calls", "median s", "quartiles", "least - most", "CPU s", "as published s", "paper s", "ratio",
             "parts, ms", "rows x dimension", "dense", "stored", "memory"]]  # fmt: skip
    for row in sorted(table.iter_rows(named=True), key=lambda row: SHOWN.index(row["method"])):
        if row["seconds"] is None:
            continue
        parts = {part: row[part] for part in PARTS if row.get(part) is not None}
        sum_of_parts = f"{' + '.join(f'{part} {_three_digits(1000 * value)}' for part, value in parts.items())} = {_three_digits(1000 * sum(parts.values()))}"
        rows.append([
            row["method"], str(row["repeats"]), f"{row['seconds']:.3g}", f"{row['lower_quartile']:.3g} - {row['upper_quartile']:.3g}",
            f"{row['least']:.3g} - {row['most']:.3g}", f"{row['processor']:.3g}", *(_three_digits(row[name]) if row[name] is not None else "-"
            for name in ("as_published", "paper", "ratio")), sum_of_parts, f"{row['rows']:,} x {row['dimension']:,}",
            *(_bytes(row[name]) for name in ("dense_bytes", "stored_bytes", "rise_bytes")),
        ])  # fmt: skip
    printed(rows)


def _three_digits(value):
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _bytes(n):
    return f"{n / 1e6:.3g} MB" if n >= 1e6 else f"{n / 1e3:.3g} kB"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    place, wanted = Path(sys.argv[1]), sys.argv[2]
    try:
        with unpacked(place) if place.is_file() else nullcontext(place) as folder:
            found = benchmark.read(folder)
    except (ActalikeError, ValueError) as error:
        sys.exit(str(error))
    if wanted == "seconds":
        seconds(found)
    elif wanted in found.by_log()["log"]:
        details(found, wanted)
    else:
        sys.exit(f"{place} has no results of a log {wanted!r}: name one of {', '.join(found.by_log()['log'].unique().sort())}.")


if __name__ == "__main__":
    main()
