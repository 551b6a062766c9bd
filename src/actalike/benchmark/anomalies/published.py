"""Published figures: F and AP of 16 methods on the logs that BPAD and this benchmark have in common, traces and attributes.

Source: the repository guanwei49/BPAD (commit 78b4054), results of Guan, Cao, Zhao, Gu and Qian, "Survey and Benchmark of Anomaly
Detection in Business Processes", IEEE TKDE 37(1), 2025. Each figure is the mean over nine copies of a log, one for each rate. The
copies themselves cannot be made again: ours are drawn by the same rules. Failed runs count as 0 there. WAKE and DRL are told the
answers of 10 % of the anomalous cases.
"""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from actalike import datasets
from actalike.benchmark.anomalies.benchmark_logs import SHARED_LOGS

PUBLISHED = ("trace_f", "trace_ap", "cell_f", "cell_ap")
RECREATED = {"naive": "Naive", "likelihood": "Likelihood"}  # simple methods that are made again here, by their published names


@cache
def published_figures() -> dict[tuple[str, str], dict[str, float]]:
    """Return the figures by log and method.

    >>> published_figures()["RTFM", "GAMA"]["trace_f"]
    0.869
    """
    text = (files("actalike") / "benchmark" / "anomalies" / "published_figures.csv").read_text(encoding="utf-8")
    return {
        (row["log"], row["method"]): {name: float(row[name]) for name in PUBLISHED if row[name]}
        for row in csv.DictReader(text.splitlines())
    }


def published_methods() -> list[str]:
    """Return the published methods, in alphabetical order."""
    return sorted({method for _, method in published_figures()})


def is_published_log(facts: Mapping[str, Any]) -> bool:
    """Return whether a log that a folder has noted is the published one of that name, and not another one that is called so."""
    return facts["log"] in SHARED_LOGS and facts["cases"] == datasets.paper_log(facts["log"]).cases
