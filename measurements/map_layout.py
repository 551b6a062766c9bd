"""Measure the map: of each activity's true nearest five, how many are among its drawn nearest five?

    python measurements/map_layout.py                 # all real logs of 12 activities or more
    python measurements/map_layout.py BPIC15_1 NASA   # some of them
    python measurements/map_layout.py --size 1000 3000  # only the seconds, for made-up distances of so many activities

Three layouts of the same distances: principal coordinates (PCA), metric scaling (the layout before this one), and neighbour ranks. Two
distances: the log-odds that two labels are the same step, which the page's map and panel show, and those of the default method, which
`actalike plot map` draws. The last column is the share of the panel's nearest five on a map of the method's distances.
The constants of the layout were chosen while looking at these logs, so the figures are a little too good; they hardly depend on the
constants, though. All logs of about 400 activities are one family.
Seconds are those of one processor.
"""

import csv
import os
import sys
import time
from pathlib import Path

import numpy as np

from actalike import datasets, embed, same_step
from actalike.plot.neighbour_layout import drawn_neighbours, neighbour_layout

LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[2] / "shared" / "event_logs"))
FEWEST = 12
SIZES = {"about 16": (12, 20), "about 50": (40, 60), "about 400": (350, 420)}


def scaled(distances):
    """Return distances from 0 to 1."""
    others = distances[~np.eye(len(distances), dtype=bool)]
    relative = (distances - others.min()) / (np.ptp(others) or 1.0)
    np.fill_diagonal(relative, 0.0)
    return relative


def principal_coordinates(distances):
    """Return the first two principal coordinates: principal components, where the distances are Euclidean."""
    n = len(distances)
    centring = np.eye(n) - 1 / n
    values, axes = np.linalg.eigh(-centring @ scaled(distances) ** 2 @ centring / 2)
    return axes[:, -2:] * np.sqrt(values[-2:].clip(min=0))


def metric_scaling(distances, rounds=200):
    """Return places whose distances approximate the given ones: stress majorisation from the principal coordinates."""
    relative, places = scaled(distances), principal_coordinates(distances)
    for _ in range(rounds):
        actual = np.sqrt(((places[:, np.newaxis] - places) ** 2).sum(axis=2))
        pull = np.divide(relative, actual, out=np.zeros_like(actual), where=actual > 1e-9)
        places = (pull.sum(axis=1)[:, np.newaxis] * places - pull @ places) / len(places)
    return places


LAYOUTS = {"PCA": principal_coordinates, "metric": metric_scaling, "ranks": neighbour_layout}


def measure(name):
    """Print the figures of a log, and return its size and them."""
    log = datasets.load(name, LOGS)
    distances = {"log-odds": -same_step(log).log_odds, "method": embed(log).distances()}
    figures, seconds, places = [], 0.0, {}
    for of, values in distances.items():
        for layout in LAYOUTS.values():
            start = time.process_time()
            places[of] = layout(values)
            seconds = max(seconds, time.process_time() - start) if layout is neighbour_layout else seconds
            figures.append(drawn_neighbours(values, places[of]))
    figures.append(drawn_neighbours(distances["log-odds"], places["method"]))
    row(name, len(log.activities), figures, f"{seconds:6.1f} s")
    return len(log.activities), figures


def row(name, size, figures, end=""):
    print(f"{name:<30}{size:>6}{''.join(f'{figure:9.3f}' for figure in figures)}{end}", flush=True)


def measure_sizes(sizes):
    """Print the seconds that the layout of made-up distances takes: those of random points in ten dimensions."""
    for size in sizes:
        points = np.random.default_rng(0).normal(size=(size, 10))
        squares = (points**2).sum(axis=1)
        distances = np.sqrt((squares[:, np.newaxis] + squares - 2 * points @ points.T).clip(min=0))
        np.fill_diagonal(distances, 0.0)
        start = time.process_time()
        neighbour_layout(distances)
        print(f"{size:>6,} activities{time.process_time() - start:8.1f} s", flush=True)


def main(names):
    with (LOGS / "INVENTORY.csv").open(encoding="utf-8") as inventory:
        known = {line["name"]: int(line["activities"]) for line in csv.DictReader(inventory) if line["file"]}
    chosen = names or sorted((name for name, size in known.items() if size >= FEWEST), key=lambda name: (known[name], name))
    print(f"{'':<36}{'log-odds':^27}{'method':^27}{'log-odds by method':>20}")
    print(f"{'log':<30}{'size':>6}{''.join(f'{layout:>9}' for layout in [*LAYOUTS, *LAYOUTS, 'ranks'])}")
    rows = [measure(name) for name in chosen]
    for title, (least, most) in SIZES.items():
        of_size = [figures for size, figures in rows if least <= size <= most]
        if of_size:
            row(f"mean of {len(of_size)} logs", title.split()[1], np.mean(of_size, axis=0))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--size"]:
        measure_sizes(map(int, sys.argv[2:]))
    else:
        main(sys.argv[1:])
