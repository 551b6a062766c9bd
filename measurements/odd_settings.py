"""Choose the settings of ``actalike.odd`` on all families of logs but one, and see what they find in that one.

    python measurements/odd_settings.py FOLDER [--task bpad-10]

Prints for each family the settings that are best on the others (the mean AP of cases over families), the AP that they have on this
family, and the AP of the settings that the package has.
"""

import argparse
import itertools
from pathlib import Path
from unittest.mock import patch

import numpy as np

from actalike import odd
from actalike.benchmark.anomalies.benchmark_logs import read_with_attributes, takes_log
from actalike.benchmark.anomalies.metrics import ranking_scores
from actalike.benchmark.anomalies.planting import plant
from actalike.benchmark.logs import find_logs
from actalike.oddities import case_probabilities, case_slips

BACK_OFFS = (4.0, 16.0, 64.0)
OCCURRENCES = (0.0, 0.5, 1.0)
CONTEXTS = (1, 2, 3)
SETTINGS = list(itertools.product(CONTEXTS, BACK_OFFS, OCCURRENCES))


def average_precision(planted, context, back_off, occurrences):
    """Return the AP of cases with some settings."""
    with (
        patch.object(case_probabilities, "LONGEST_CONTEXT", context),
        patch.object(case_slips, "LONGEST_CONTEXT", context),
        patch.object(case_probabilities, "BACK_OFF", back_off),
        patch.object(case_slips, "BACK_OFF", back_off),
        patch.object(case_slips, "OCCURRENCE_WEIGHT", occurrences),
    ):
        return ranking_scores(odd(planted.log).case_scores(), planted.planted_cases).ap


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("logs", type=Path, nargs="+")
    parser.add_argument("--task", default="bpad-10")
    options = parser.parse_args()
    shipped = case_probabilities.LONGEST_CONTEXT, case_probabilities.BACK_OFF, case_slips.OCCURRENCE_WEIGHT
    files = find_logs(options.logs, takes_log)
    by_family = {}
    for name in files.names:
        planted = plant(read_with_attributes(files, name), name, options.task)
        figures = [average_precision(planted, *setting) for setting in SETTINGS]
        by_family.setdefault(name.split("_")[0], []).append(figures)
        print(f"{name}: {figures[SETTINGS.index(shipped)]:.3f} as shipped, {min(figures):.3f} to {max(figures):.3f}", flush=True)
    families = {family: np.mean(rows, axis=0) for family, rows in by_family.items()}
    print("| family | chosen on the others: context, back-off, occurrences | AP with these | AP as shipped |\n|---|---|---|---|")
    for family, figures in families.items():
        others = np.mean([row for name, row in families.items() if name != family], axis=0)
        best = int(np.argmax(others))
        context, back_off, occurrences = SETTINGS[best]
        print(
            f"| {family} | {context}, {back_off:g}, {occurrences:g} | {figures[best]:.3f} | {figures[SETTINGS.index(shipped)]:.3f} |"
        )


if __name__ == "__main__":
    main()
