"""Show what each part of ``actalike.odd`` is worth: take it out, and see how much is found of what was planted.

    python measurements/odd_ablations.py LOG [LOG ...] [--task bpad-10]

Prints the AP of cases and of cells of each log, and their means. "similar labels lend counts" is what is *not* in the detector: the
plainest probability of a label after another is made half of what comes after labels that act alike.
"""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from actalike import EventLog, embed, odd
from actalike.benchmark.anomalies.benchmark_logs import read_with_attributes, takes_log
from actalike.benchmark.anomalies.metrics import ranking_scores
from actalike.benchmark.anomalies.planting import PlantedLog, plant
from actalike.benchmark.logs import find_logs
from actalike.oddities import case_probabilities, case_slips, odds
from actalike.oddities.case_probabilities import CaseProbabilities
from actalike.oddities.distinct_cases import DistinctCases

_LENT = 0.5  # the part that similar labels lend
_POWER = 16  # of the similarity: how much more the most similar labels lend


@contextmanager
def context_of_one(log: EventLog) -> Iterator[None]:
    with patch.object(case_probabilities, "LONGEST_CONTEXT", 1), patch.object(case_slips, "LONGEST_CONTEXT", 1):
        yield


@contextmanager
def plain_witten_bell(log: EventLog) -> Iterator[None]:
    with patch.object(case_probabilities, "BACK_OFF", 1.0), patch.object(case_slips, "BACK_OFF", 1.0):
        yield


@contextmanager
def no_occurrences(log: EventLog) -> Iterator[None]:
    with patch.object(case_slips, "OCCURRENCE_WEIGHT", 0.0):
        yield


@contextmanager
def no_caution(log: EventLog) -> Iterator[None]:
    with patch.object(odds, "_HALVINGS", 0):
        yield


@contextmanager
def similar_labels_lend(log: EventLog) -> Iterator[None]:
    cases = DistinctCases(log)
    n_labels, n_symbols = cases.n_labels, cases.n_symbols
    places = np.concatenate([cases.places, cases.ends])
    variants = np.concatenate([cases.variant_of_event, np.arange(len(cases.lengths))])
    pairs = np.zeros((n_symbols, n_symbols))
    np.add.at(pairs, (cases.symbols[places - 1], cases.symbols[places]), cases.weights[variants])
    alike = np.zeros((n_symbols, n_symbols))
    alike[:n_labels, :n_labels] = np.clip(embed(log).similarities_of(np.arange(n_labels)), 0, 1) ** _POWER
    np.fill_diagonal(alike, 0)
    lent = alike @ pairs + 0.5 * pairs.sum(axis=0) / pairs.sum()
    lent = np.maximum(lent / lent.sum(axis=1, keepdims=True), 1e-7)
    plainest = CaseProbabilities.plainest

    def mixed(self: CaseProbabilities, symbols: Any, places: Any, variants: Any) -> Any:
        shares = plainest(self, symbols, places, variants)
        return (1 - _LENT) * shares + _LENT * lent[symbols[places - 1], symbols[places]]

    with patch.object(CaseProbabilities, "plainest", mixed):
        yield


@contextmanager
def as_it_is(log: EventLog) -> Iterator[None]:
    yield


PARTS = {
    "as it is": as_it_is,
    "contexts of one label": context_of_one,
    "plain Witten-Bell": plain_witten_bell,
    "without occurrences": no_occurrences,
    "without caution": no_caution,
    "similar labels lend counts": similar_labels_lend,
}


def figures(planted: PlantedLog, attributes: list[str] | None = None) -> tuple[float, float]:
    """Return the AP of cases and of cells; without attributes, that of cases only."""
    result = odd(planted.log, attributes)
    cases = ranking_scores(result.case_scores(), planted.planted_cases).ap
    if attributes == []:
        return cases, float("nan")
    return cases, ranking_scores(result.cell_scores().ravel(), planted.cells.ravel()).ap


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("logs", type=Path, nargs="+")
    parser.add_argument("--task", default="bpad-10")
    options = parser.parse_args()
    files = find_logs(options.logs, takes_log)
    rows: dict[str, list[tuple[float, float]]] = {}
    for name in files.names:
        log = read_with_attributes(files, name)
        planted = plant(log, name, options.task)
        for part, without in PARTS.items():
            with without(planted.log):
                rows.setdefault(part, []).append(figures(planted))
        rows.setdefault("without attributes", []).append(figures(planted, []))
        print(name, *(f"{part}: {row[-1][0]:.3f} / {row[-1][1]:.3f}" for part, row in rows.items()), sep="; ", flush=True)
    print(f"| AP of cases / of cells, {options.task} | mean of {len(files.names)} logs |\n|---|---|")
    for part, row in rows.items():
        cases, cells = np.mean(row, axis=0)
        print(f"| {part} | {cases:.3f} / {cells:.3f} |")


if __name__ == "__main__":
    main()
