"""Show what each part of ``actalike.odd`` is worth: take it out, and see how much is found of what was planted.

    python measurements/odd_ablations.py LOG [LOG ...] [--task bpad-10]

Prints the AP of cases and of cells of each log, and their means. "inserted events have random values" judges an inserted event by
its values as well as it can, as if none were ordinary. "own variant left out" leaves all cases of the same variant out of the counts
of sequences, not only the case itself. "similar labels lend counts" is what is *not* in the detector: the
plainest probability of a label after another is made half of what comes after labels that act alike.
"""

import argparse
import itertools
from collections.abc import Iterable, Iterator
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
from actalike.oddities.count_tables import CountTable
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
def random_values(log: EventLog) -> Iterator[None]:
    prepare = odds.Weighing.__init__

    def prepare_random(self: Any, log: Any, probabilities: Any, slips: Any, surprise: Any) -> None:
        prepare(self, log, probabilities, slips, surprise)
        self._with_values = np.exp(np.minimum(surprise.sum(axis=1), odds._LARGEST))

    with patch.object(odds.Weighing, "__init__", prepare_random):
        yield


@contextmanager
def variant_out(log: EventLog) -> Iterator[None]:
    weights = DistinctCases(log).weights
    n_tables = itertools.count()
    plainest = CaseProbabilities.plainest

    class WholeVariants(CountTable):
        """Count what a variant has of its own for all of its cases: the second table, and two of four after it."""

        @classmethod
        def of(cls, keys: Any, counts: Any) -> Any:
            number = next(n_tables)
            is_own = number == 1 or (number > 1 and (number - 2) % 4 > 1)
            return CountTable.of(keys, weights[keys % len(weights)] if is_own else counts)

    def plainest_elsewhere(self: CaseProbabilities, symbols: Any, places: Any, variants: Any) -> Any:
        self._own_total = (self.cases.lengths + 1) * weights
        return plainest(self, symbols, places, variants)

    with (
        patch.object(case_probabilities, "CountTable", WholeVariants),
        patch.object(CaseProbabilities, "plainest", plainest_elsewhere),
    ):
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
    "inserted events have random values": random_values,
    "own variant left out": variant_out,
    "similar labels lend counts": similar_labels_lend,
}


def figures(planted: PlantedLog, attributes: list[str] | None = None) -> tuple[float, float]:
    """Return the AP of cases and of cells; without attributes, that of cases only."""
    result = odd(planted.log, attributes)
    cases = ranking_scores(result.case_scores(), planted.planted_cases).ap
    if attributes == []:
        return cases, float("nan")
    return cases, ranking_scores(result.cell_scores().ravel(), planted.cells.ravel()).ap


def shown(values: Iterable[float]) -> str:
    """Return figures as text, "-" where there is none."""
    return " / ".join("-" if np.isnan(value) else f"{value:.3f}" for value in values)


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
        print(name, *(f"{part}: {shown(row[-1])}" for part, row in rows.items()), sep="; ", flush=True)
    print(f"| AP of cases / of cells, {options.task} | mean of {len(files.names)} logs |\n|---|---|")
    for part, row in rows.items():
        print(f"| {part} | {shown(np.mean(row, axis=0))} |")


if __name__ == "__main__":
    main()
