"""Folders of times that nobody has measured."""

from actalike import datasets
from actalike.benchmark.folders import ResultFolder, note_request, open_folder, write_json
from actalike.benchmark.task import FORMAT, request_of
from actalike.benchmark.tasks.efficiency import Efficiency

PLAN = {"repeats": 2, "processor": "Abacus, 1 cores"}
PAPER_LOG = "BPIC13_closed_problems"  # 0.015 s with ac-sequence-ppmi-w9, says the paper


def a_round(seconds, as_published=None, **items):
    return {"seconds": seconds, "processor": seconds / 2, **items, "as_published": as_published}


def measured(*rounds, version="1.0", **facts):
    size = {"rows": 3, "dimension": 40, "dense_bytes": 960, "stored_bytes": 72, "stored": "sparse"}
    memory = {"before_bytes": 1_000_000, "peak_bytes": 3_500_000}
    return {"size": size, "memory": memory, "figures": list(rounds), "versions": {"actalike": version}, **facts}


def failed(error, **facts):
    return {"error": error, "draw": 0, "versions": {"actalike": "1.0"}, **facts}


CELLS = {
    ("plain", "kin-w3"): measured(a_round(0.1, count=0.04, distances=0.05), a_round(0.3, count=0.06, distances=0.15)),
    ("plain", "kin-w11"): measured(a_round(0.4, count=0.2, distances=0.1), passes_over="variants, once"),
    ("plain", "mine"): measured(a_round(2.0, 2.5, luck=1.0, distances=1.0)),
    ("plain", "process-structure"): measured(a_round(9.0, 9.5, discovery=5.0, features=3.0, distances=0.5)),
    ("plain", "sleeps"): failed("more than 8 s", more_than=8),
    ("plain", "unlucky"): failed("RuntimeError: no luck."),
    (PAPER_LOG, "ac-sequence-ppmi-w9"): measured(a_round(0.02, 0.03, count=0.01, distances=0.01)),
    (PAPER_LOG, "kin-w3"): measured(a_round(0.01, count=0.005, distances=0.005)),
}


def write_folder(out, cells=CELLS, requested=()):
    """Write result files, and note that those of ``requested`` were asked for too."""
    open_folder(out, {"benchmark": "efficiency", "format": FORMAT, **PLAN})
    entry = datasets.paper_log(PAPER_LOG)
    sizes = {"plain": (20, 4), PAPER_LOG: (entry.cases, entry.activities)}
    for log in {log for log, _ in cells}:
        cases, activities = sizes[log]
        (out / log / "whole").mkdir(parents=True)
        facts = {"cases": cases, "events": 10 * cases, "activities": activities, "variants_per_case": 0.5}
        facts |= {"reading_seconds": 0.75} if log == "plain" else {}
        write_json(out / log / "log.json", {"log": log, "log_digest": "d", **facts})
    asked = {}
    for log, method in [*cells, *requested]:
        asked.setdefault((log, "whole"), []).append(method)
    note_request(out, request_of(asked))
    for (log, method), figures in cells.items():
        described = {"log": log, "log_digest": "d", "unit": "whole", "at": {}, **PLAN, "participants": {method: figures}}
        write_json(out / log / "whole" / f"{method}.json", described)
    return ResultFolder.open(out)


def read(folder):
    return Efficiency.Results.read(Efficiency.of_folder(folder), folder)
