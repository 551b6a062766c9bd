"""The run times of the paper, in seconds, by log and method.

They are averages of 10 calls (3 of the autoencoder on BPIC19) on an Intel Xeon 6254 with an NVIDIA A100. Those of BPIC15_1 and
BPIC19 are in the paper, the others, one-hot ("unit distance") and process discovery in its longer version.
"""

import csv
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from actalike import datasets
from actalike.errors import ActalikeError

WITHOUT_DISCOVERY = " w/o discovery"  # follows the name of a method whose discovery of a model is not counted


@cache
def published_seconds() -> dict[tuple[str, str], float]:
    """All run times of the paper.

    >>> published_seconds()["BPIC15_1", "ac-sequence-pmi-w9"]
    42.22
    """
    text = (files("actalike") / "benchmark" / "efficiency" / "paper_runtimes.csv").read_text(encoding="utf-8")
    return {(row["log"], row["method"]): float(row["seconds"]) for row in csv.DictReader(text.splitlines())}


def is_the_papers(log: Mapping[str, Any]) -> bool:
    """Whether a log that a folder has noted is the paper's log of that name, and not another one that is called so."""
    try:
        entry = datasets.paper_log(log["log"])
    except ActalikeError:
        return False
    return (log["cases"], log["activities"]) == (entry.cases, entry.activities)
