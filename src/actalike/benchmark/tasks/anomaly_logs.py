"""The logs of the benchmark of anomalies: which labels and attributes BPAD's authors used of each, and their published figures.

F and AP of 16 methods on the logs that BPAD and this benchmark have in common, traces and attributes. Source: the repository
guanwei49/BPAD (commit 78b4054), results of Guan, Cao, Zhao, Gu and Qian, "Survey and Benchmark of Anomaly Detection in
Business Processes", IEEE TKDE 37(1), 2025. Each figure is the mean over nine copies of a log, one for each rate. The copies
themselves cannot be made again: ours are drawn by the same rules. Failed runs count as 0 there. WAKE and DRL are told the
answers of 10 % of the anomalous cases.
"""

import csv
import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike import datasets
from actalike.benchmark.logs import LogFiles
from actalike.benchmark.seeded_generator import random_subset, seed_of
from actalike.benchmark.tasks.planted_anomalies import Edit, PlantedCase, PlantedLog
from actalike.datasets import PaperLog
from actalike.errors import ActalikeError
from actalike.io import read_log
from actalike.log import EventLog, cases_of


class SharedLog(NamedTuple):
    """Describe a log that BPAD has too: its name there, its attributes, and whether its labels have the transition."""

    published_name: str
    attributes: tuple[str, ...] = ()
    with_transition: bool = False


_RESOURCES = ("monitoringResource", "org:resource")
_ROLES = ("org:resource", "org:role")
_GROUPS = ("org:group", "org:resource")
SHARED_LOGS = {
    "BPIC12": SharedLog("BPIC12", with_transition=True),
    "BPIC13_closed_problems": SharedLog("BPIC13_C", ("org:group", "Resource")),
    "BPIC13_open_problems": SharedLog("BPIC13_O", _GROUPS, with_transition=True),
    "BPIC15_1": SharedLog("BPIC15_1", _RESOURCES),
    "BPIC15_2": SharedLog("BPIC15_2", _RESOURCES),
    "BPIC15_4": SharedLog("BPIC15_4", _RESOURCES),
    "BPIC15_5": SharedLog("BPIC15_5", _RESOURCES),
    "BPIC20_DomesticDeclarations": SharedLog("BPIC20_D", _ROLES),
    "BPIC20_PermitLog": SharedLog("BPIC20_PE", _ROLES),
    "BPIC20_PrepaidTravelCost": SharedLog("BPIC20_PR", _ROLES),
    "BPIC20_RequestForPayment": SharedLog("BPIC20_R", _ROLES),
    "Env_Permit": SharedLog("Receipt", _GROUPS),
    "Hospital_Billing": SharedLog("Billing"),
    "RTFM": SharedLog("RTFMP"),
}


def takes_log(entry: PaperLog) -> bool:
    """Return whether a log of the paper takes part: those that BPAD has too."""
    return entry.name in SHARED_LOGS


def read_with_attributes(files: LogFiles, name: str, attributes: Sequence[str] | None = None) -> EventLog:
    """Read a log as BPAD's authors did, without case ids. Of other logs, ``attributes`` are read, or people if None.

    An attribute without any value and a case without any event are left out: there is nothing to plant into them. Times are
    only in the copies that are about them, or that have a reference.
    """
    if name in SHARED_LOGS:
        _, wanted, with_transition = SHARED_LOGS[name]
        path = dict(files.files)[name]
        log = read_log(path, order="file", attributes=wanted, lifecycle="append" if with_transition else "ignore")
    else:
        log = files(name, "people" if attributes is None else list(attributes))
    kept = {name: attribute for name, attribute in log.attributes.items() if attribute.values}
    offsets = np.append(0, log.offsets[1:][log.lengths > 0])
    ids = [""] * (len(offsets) - 1)
    return EventLog(log.activities, log.codes, offsets, ids, log.timestamps, reading=log.reading, attributes=kept)


def full_digest(log: EventLog) -> str:
    """Return a fingerprint of a log's cases, activities, times and attributes."""
    digest = hashlib.sha256(log.digest.encode())
    if log.timestamps is not None:
        digest.update(log.timestamps.astype("datetime64[us]").astype("<i8").tobytes())
    for name, attribute in log.attributes.items():
        digest.update("\x1f".join([name, *attribute.values]).encode("utf-8", "backslashreplace"))
        digest.update(attribute.codes.astype("<i4").tobytes())
    return digest.hexdigest()


# --- system calls -------------------------------------------------------------------------------------------------------------


_PARTS = ("train", "normal", "attack")


class SystemCalls(NamedTuple):
    """Hold traces of system calls as cases of a log, and for each whether it is ``train``, ``normal`` or ``attack``."""

    log: EventLog
    parts: NDArray[np.str_]

    @property
    def digest(self) -> str:
        """Return a fingerprint of the traces and their parts."""
        return hashlib.sha256("\n".join([self.log.digest, *self.parts]).encode()).hexdigest()

    def problem(self, learned: float | None, seed: int) -> PlantedLog:
        """Return the traces to score, behind those to learn from: the part ``train``, or a share of all normal ones."""
        is_attack = self.parts == "attack"
        if learned is None:
            is_learned = self.parts == "train"
        else:
            normal = np.flatnonzero(~is_attack)
            size = max(round(learned * len(normal)), 1)
            is_learned = np.zeros(len(is_attack), dtype=bool)
            is_learned[normal[random_subset(seed_of("calls", seed), len(normal), size)]] = True
        scored = cases_of(self.log, ~is_learned)
        attacks = np.flatnonzero(is_attack[~is_learned]).tolist()
        anomalies = [PlantedCase(case, "attack", Edit([], []), hidden=False) for case in attacks]
        return PlantedLog(scored, scored, anomalies, None, cases_of(self.log, is_learned))


def read_system_calls(path: str | Path) -> SystemCalls:
    """Read traces of system calls with answers: a CSV, which may be compressed, with the columns ``part`` and ``calls``.

    ``part`` is train (normal), normal or attack, and ``calls`` the numbers of the calls in their order, between spaces.
    """
    try:
        frame = pl.read_csv(path, infer_schema=False)
    except OSError as error:
        raise ActalikeError(f"{path} cannot be read ({error.strerror or error}). Nothing was written.") from None
    except pl.exceptions.PolarsError as error:
        raise ActalikeError(f"{path} is no table of system calls: {str(error).splitlines()[0]}. Nothing was written.") from None
    for column in ("part", "calls"):
        if column not in frame.columns:
            raise ActalikeError(f"{path} has no column {column!r}: it has {', '.join(frame.columns)}. Nothing was written.")
    frame = frame.filter(pl.col("calls").str.strip_chars() != "")
    if unknown := sorted(set(frame["part"]) - set(_PARTS), key=str):
        raise ActalikeError(f"{path} has a part {unknown[0]!r}: parts are {', '.join(_PARTS)}. Nothing was written.")
    if missing := sorted(set(_PARTS) - set(frame["part"])):
        raise ActalikeError(f"{path} has no trace of the part {missing[0]!r}. Nothing was written.")
    return SystemCalls(EventLog.from_traces(calls.split() for calls in frame["calls"]), frame["part"].to_numpy().astype(np.str_))


# --- published figures --------------------------------------------------------------------------------------------------------


PUBLISHED = ("trace_f", "trace_ap", "cell_f", "cell_ap")
RECREATED = {"naive": "Naive", "likelihood": "Likelihood"}  # simple methods that are made again here, by their published names


@cache
def published_figures() -> dict[tuple[str, str], dict[str, float]]:
    """Return the figures by log and method.

    >>> published_figures()["RTFM", "GAMA"]["trace_f"]
    0.869
    """
    text = (files("actalike") / "benchmark" / "tasks" / "published_anomalies.csv").read_text(encoding="utf-8")
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
