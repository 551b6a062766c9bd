"""Make the one table of the README from stored results, so that no figure is in it that the pages do not have."""

import json
import re
from pathlib import Path

MEASUREMENTS = Path(__file__).parents[1] / "docs" / "results" / "measurements"
SOURCES = ["kin-gain", "same-step-nearest", "anomalies-detectors", "changed-labels-summary"]
SPEED = r"RTFM aa-sequence-pmi-w3 +(?P<ours>[\d.]+) s +(?P<theirs>[\d.]+) s +(?P<ratio>\d+) x"


def _number(cell):
    return float(re.match(r"[*]*([.0-9]+)", cell)[1])


def rows(read_table):
    """Return the rows: a question, actalike's figure, the figure beside it, and where to read on."""
    tables = {name: read_table(name) for name in SOURCES}

    def figure(name, row, column):
        heading, *body = tables[name]
        cells = next(cells for cells in body if cells[0].strip("*`") == row)
        return f"{_number(cells[heading.index(column)]):.3f}"

    def best(name, column, is_other):
        heading, *body = tables[name]
        return max(_number(cells[heading.index(column)]) for cells in body if is_other(cells[0]))

    core = json.loads((MEASUREMENTS / "core.json").read_text(encoding="utf-8"))["output"]
    speed = re.search(SPEED, core.split("act2vec")[1])
    return [
        ["", "actalike", "beside it", ""],
        [
            "activities that were split, found again by kin (I_nn, 21 logs)",
            figure("kin-gain", "I_nn", "mean"),
            f"{figure('kin-gain', 'I_nn', 'its mean')}, the best of the founding paper's 36 settings",
            "[how](docs/kin.md#how-the-default-was-chosen)",
        ],
        [
            "two names that people really gave one step, found by `same_step` (BPIC15)",
            figure("same-step-nearest", "same_step", "natural NN"),
            f"{best('same-step-nearest', 'natural NN', lambda name: 'same_step' not in name):.3f}, the best of 12 other methods",
            "[how](docs/grouping.md#what-is-found)",
        ],
        [
            "odd cases, found by `odd` (average precision, 14 logs)",
            figure("anomalies-detectors", "odd", "cases AP"),
            f"{best('anomalies-detectors', 'cases AP', lambda name: 'published' in name):.3f}, the best published method",
            "[how](docs/anomaly_benchmark.md#what-was-found)",
        ],
        [
            "next activity after 30 % of the labels changed, by `predict --adapt` (accuracy, 16 logs)",
            figure("changed-labels-summary", "kin, adapted (`Predictor.adapt`)", "accuracy"),
            f"{figure('changed-labels-summary', 'one-hot, new labels not placed', 'accuracy')}, the network left alone",
            "[how](docs/prediction.md#changed-labels)",
        ],
        [
            "all distances of 561,470 events (RTFM, `aa-sequence-pmi-w3`), seconds of the processor",
            speed["ours"],
            f"{float(speed['theirs']):.1f}, act2vec: {int(speed['ratio']):,} times as long",
            "[how](docs/measurements.md)",
        ],
    ]
