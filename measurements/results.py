"""The stored tables of README and docs: keep what was measured, and write it into the pages.

    python measurements/results.py            write all stored tables into their pages (make figures)
    python measurements/results.py --check    name the pages that show something else, and end with status 1

A table is docs/results/tables/NAME.csv, and stays as it is until it is measured again; index.json beside it says with which version and
by which command. In a page it stands between <!-- table: NAME --> and <!-- end of table -->.
"""

import csv
import json
import re
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLES = ROOT / "docs" / "results" / "tables"
INDEX = TABLES / "index.json"
BLOCK = re.compile(r"<!-- table: (?P<name>[a-z0-9-]+) -->\n.*?<!-- end of table -->", re.DOTALL)


def store(name, rows, command):
    """Keep a table, its heading first, as measured now by this version."""
    from actalike import __version__

    with (TABLES / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    index = json.loads(INDEX.read_text(encoding="utf-8"))
    index[name] = {"version": __version__, "date": datetime.now(UTC).date().isoformat(), "command": f"`{command}`"}
    INDEX.write_text(json.dumps(index, indent=1, ensure_ascii=False, sort_keys=True) + "\n", encoding="utf-8")


def kept(path, compute):
    """Return what a file keeps, or else compute it and keep it there: so a run that was stopped goes on."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(compute()), encoding="utf-8")
        part.replace(path)
    return json.loads(path.read_text(encoding="utf-8"))


def read(name):
    """Return the rows of a stored table."""
    with (TABLES / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def markdown(rows):
    """Return rows as a table of a page."""
    heading, *body = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([heading, "|" + "---|" * len(rows[0]), *body])


def rendered(text, index):
    """Return the text of a page with its stored tables as they are now."""

    def block(found):
        name = found["name"]
        if name == "highlights":
            content = markdown(highlights(index))
        else:
            content = f"{markdown(read(name))}\n\n*Version {index[name]['version']}: {index[name]['command']}*"
        return f"<!-- table: {name} -->\n\n{content}\n\n<!-- end of table -->"

    return BLOCK.sub(block, text)


def highlights(index):
    """Return the README's table, made of stored ones, so that no figure is in it that the pages do not have."""

    def number(cell):
        return float(re.match(r"[*]*([.0-9]+)", cell)[1])

    def figure(name, row, column):
        heading, *body = read(name)
        cells = next(cells for cells in body if cells[0].strip("*`") == row)
        return f"{number(cells[heading.index(column)]):.3f}"

    def best(name, column, is_other):
        heading, *body = read(name)
        return f"{max(number(cells[heading.index(column)]) for cells in body if is_other(cells[0])):.3f}"

    def how(name, place):
        return f"[how](docs/{place}) ({index[name]['version']})"

    speed = next(row for row in read("bench-core") if row[0] == "RTFM, aa-sequence-pmi-w3" and "act2vec" in row[2])
    return [
        ["", "actalike", "baseline", ""],
        [
            "activities that were split, found again by kin (I_nn, 21 logs)",
            figure("kin-gain", "I_nn", "mean"),
            f"{figure('kin-gain', 'I_nn', 'its mean')}, the best of the founding paper's 36 settings",
            how("kin-gain", "kin.md#how-the-default-was-chosen"),
        ],
        [
            "two names that people really gave one step, found by `same_step` (BPIC15)",
            figure("same-step-nearest", "same_step", "natural NN"),
            f"{best('same-step-nearest', 'natural NN', lambda row: 'same_step' not in row)}, the best of 12 other methods",
            how("same-step-nearest", "grouping.md#what-is-found"),
        ],
        [
            "odd cases, found by `odd` (average precision, 14 logs)",
            figure("anomalies-detectors", "odd", "cases AP"),
            f"{best('anomalies-detectors', 'cases AP', lambda row: 'published' in row)}, the best published method",
            how("anomalies-detectors", "evaluation/anomalies.md#what-was-found"),
        ],
        [
            "next activity after 30 % of the labels changed, by `predict --adapt` (accuracy, 16 logs)",
            figure("changed-labels-summary", "kin, adapted (`Predictor.adapt`)", "accuracy"),
            f"{figure('changed-labels-summary', 'one-hot, new labels not placed', 'accuracy')}, the network left alone",
            how("changed-labels-summary", "evaluation/prediction.md#changed-labels"),
        ],
        [
            "all distances of 561,470 events (RTFM, `aa-sequence-pmi-w3`), seconds",
            speed[1],
            f"{float(speed[3]):.1f}, act2vec: {speed[4]} times as long",
            how("bench-core", "evaluation/measurements.md"),
        ],
    ]


def main(words):
    index = json.loads(INDEX.read_text(encoding="utf-8"))
    pages = {page: page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]}
    shown = {found["name"] for text in pages.values() for found in BLOCK.finditer(text)}
    if unknown := (shown - {"highlights"}) ^ set(index):
        sys.exit(f"in a page or in {INDEX.name}, but not in both: {', '.join(sorted(unknown))}")
    changed = {page: new for page, text in pages.items() if (new := rendered(text, index)) != text}
    for page, text in changed.items():
        print(page.relative_to(ROOT))
        if "--check" not in words:
            page.write_text(text, encoding="utf-8")
    return int("--check" in words and bool(changed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
