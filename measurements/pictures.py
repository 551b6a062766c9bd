"""Draw the pictures of the docs that show stored results (docs/results). ``make figures`` runs it.

    python measurements/pictures.py

A picture keeps a digest of what it shows, in its description: so a test sees whether it shows what is stored now, whatever version of
matplotlib drew it. A picture that does is not drawn again; remove it to have it drawn by changed code.
"""

import csv
import hashlib
import io
import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from measurements.provenance import write_bytes  # noqa: E402
from measurements.result_folders import unpacked  # noqa: E402

DOCS = ROOT / "docs"
RESULTS = DOCS / "results"
EFFICIENCY, GROWTH = RESULTS / "efficiency.json", RESULTS / "efficiency_growth.json"


def counting_growth(stored):
    """Seconds to count all windows over the number of events, from what measurements/core.py growth printed."""
    rows = re.findall(
        r"^ +([\d,]+) +([\d.]+) +\d+ +([\d.]+) +\d+$", json.loads(stored.read_text(encoding="utf-8"))["output"], re.M
    )
    if not rows:
        raise ValueError(f"{stored} has no table of times: run python measurements/page.py run growth.")
    sizes = [int(row[0].replace(",", "")) for row in rows]
    curves = {"all cases differ": [float(row[1]) for row in rows], "1,000 variants": [float(row[2]) for row in rows]}
    figure = _figure(7)
    axes = figure.add_subplot()
    for curve, seconds in curves.items():
        axes.loglog(sizes, seconds, marker="o", label=curve)
    proportional = [size * curves["all cases differ"][-1] / sizes[-1] for size in sizes]
    axes.loglog(sizes, proportional, "k:", lw=1, label="proportional to events")
    axes.set(xlabel="events", ylabel="seconds to count all windows")
    axes.grid(alpha=0.3)
    axes.legend()
    return figure


def engines_growth(stored):
    """Seconds of each engine over the number of events, from the stored table of engines."""
    with stored.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    names = ("DuckDB", "bare query", "Polars in memory", "Spark `local[2]`")
    figure = _figure(8)
    for place, window in enumerate(("3", "9")):
        axes = figure.add_subplot(1, 2, place + 1)
        chosen = [row for row in rows if row["window"] == window]
        for name in names:
            points = [(_events(row), float(row[name].split()[0])) for row in chosen if row[name]]
            axes.loglog(*zip(*points, strict=True), marker="o", label=name.replace("`", ""))
        sizes = [_events(row) for row in chosen]
        axes.loglog(sizes, [size * 2.5e-7 for size in sizes], "k:", lw=1, label="4 million events a second")
        axes.set(title=f"window {window}", xlabel="events", ylabel="seconds")
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    return figure


def efficiency(picture):
    """Return a function that draws one of the pictures of ``actalike benchmark plots`` of a stored folder."""

    def draw(stored):
        from actalike import benchmark
        from actalike.benchmark.efficiency.plots import plots

        with unpacked(stored) as folder:
            return plots(benchmark.read(folder))[picture]

    return draw


def _figure(width):
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, 4.5), dpi=110, layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def _events(row):
    return int(row["events"].replace(",", ""))


PICTURES = {
    "counting_growth.png": (RESULTS / "measurements" / "growth.json", counting_growth),
    "engines_growth.png": (RESULTS / "tables" / "engines-events.csv", engines_growth),
    "efficiency_by_method.png": (EFFICIENCY, efficiency("seconds_by_method")),
    "efficiency_growth_events.png": (GROWTH, efficiency("growth_over_events")),
    "efficiency_growth_activities.png": (GROWTH, efficiency("growth_over_activities")),
    "efficiency_growth_window.png": (GROWTH, efficiency("growth_over_window")),
}


def digest(stored):
    """Return a digest of a stored file."""
    return hashlib.sha256(stored.read_bytes()).hexdigest()[:16]


def shown(path):
    """Return the digest of what a picture shows; an empty text if it has none."""
    found = re.search(rb"tEXtDescription\0Stored results ([0-9a-f]{16})", path.read_bytes()) if path.exists() else None
    return found[1].decode() if found else ""


def main():
    for name, (stored, draw) in PICTURES.items():
        if not stored.exists():
            sys.exit(f"docs/{name} shows {stored.relative_to(ROOT)}, which is not there: get it back from git.")
        if shown(DOCS / name) == digest(stored):
            continue
        out = io.BytesIO()
        try:
            figure = draw(stored)
        except (ValueError, KeyError) as error:
            sys.exit(f"docs/{name} cannot be drawn from {stored.relative_to(ROOT)} ({error}); it is as it was.")
        figure.savefig(out, format="png", metadata={"Software": None, "Description": f"Stored results {digest(stored)}"})
        write_bytes(DOCS / name, out.getvalue())
        print(f"docs/{name}")


if __name__ == "__main__":
    main()
