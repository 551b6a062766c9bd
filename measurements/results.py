"""The stored tables of README and docs: keep what was measured, and write it into the pages.

    python measurements/results.py            write all stored tables into their pages (make figures)
    python measurements/results.py --check    name the pages that show something else, and end with status 1

A table is docs/results/tables/NAME.csv, and stays as it is until it is measured again; index.json beside it says with which version and
by which command. In a page it stands between <!-- table: NAME --> and <!-- end of table -->; <!-- table: NAME; rows: a | b; columns: c | d -->
shows a part of it. docs/evaluation/tables.md has all of them, whole.
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
BLOCK = re.compile(r"<!-- table: (?P<name>[a-z0-9-]+)(?P<part>; [^>]*)? -->\n.*?<!-- end of table -->", re.DOTALL)


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


def chosen(rows, part):
    """Return the rows and columns of a table that a page asks for, in its order: "; rows: a | b; columns: c"; the first column always."""
    wanted = {key: names.split(" | ") for key, _, names in (item.partition(": ") for item in part.split("; ") if item)}
    heading, *body = rows
    if "rows" in wanted:
        by_name = {row[0].strip("*`"): row for row in body}
        body = [by_name[name] for name in wanted["rows"]]
    if "columns" not in wanted:  # some headings stand there twice
        return [heading, *body]
    columns = [0, *map(heading.index, wanted["columns"])]
    return [[row[column] for column in columns] for row in (heading, *body)]


def rendered(text, index):
    """Return the text of a page with its stored tables as they are now."""

    def block(found):
        name, part = found["name"], found["part"] or ""
        if name == "highlights":
            content = markdown(highlights(index))
        else:
            rows = chosen(read(name), part)
            content = f"{markdown(rows)}\n\n*Version {index[name]['version']}: {index[name]['command']}*"
        return f"<!-- table: {name}{part} -->\n\n{content}\n\n<!-- end of table -->"

    return BLOCK.sub(block, text)


HIGHLIGHTS = [  # what, the table, its cell for actalike, its cell for the strongest alternative, what that is, the page
    ("activities split at random into several labels: how often the nearest label, by kin, is of the same activity (I_nn, 21 logs)", "kin-gain", ("I_nn", "mean"), ("I_nn", "its mean"),
     "the best of the founding paper's 36 settings", "intrinsic.md"),
    ("synonyms that people introduced, found as the nearest label among those that rarely share a case (BPIC15)", "natural-apart",
     ("same_step (behaviour fitted without BPIC15)", "apart"), ("positional-hellinger-w5", "apart"), "positional-hellinger-w5", "labels.md#names-that-people-gave"),
    ("planted synonyms grouped exactly by `group` (20 logs)", "same-step-groups", ("group", "exact, all"), ("kin2-w5", "exact, all"),
     "the best of 11 others, our own `kin2`", "labels.md"),
    ("labels of two municipalities matched by `match` (hit@1)", "matching-found", ("codes_hit1", "match"),
     ("codes_hit1", "procrustes-counts"), "rotated count vectors", "matching.md"),
    ("planted changes dated by `change_points` (F1)", "change-points-planted", ("change-points", "F1"), ("hellinger", "F1"),
     "a permutation test of directly-follows shares", "change_points.md"),
    ("odd cases found by `odd`, six kinds of slips (AP, 14 logs)", "odd-bpad", ("odd", "cases AP"),
     ("GAMA, published", "cases AP"), "the best of 16 in one survey", "anomalies.md"),
    ("odd cases of nine other kinds (AP, logs not used for any choice)", "odd-outside-cases", ("odd", "mean"), ("links", "mean"),
     "counts of links between neighbours", "anomalies.md#other-kinds-of-anomalies"),
    ("attacks in traces of system calls, found by `odd` (best F, part of ADFA-LD)", "odd-calls", ("odd", "best F"),
     ("network", "best F, mean event"), "a small GRU, the mean of its events", "anomalies.md#other-kinds-of-anomalies"),
    ("next activity after 30 % of the labels were renamed, 50 new cases known (accuracy, 16 logs)", "changed-labels-trigram",
     ("kin's network, adapted", "accuracy"), ("trigram counted on the 50 new cases alone", "accuracy"),
     "a trigram counted on these 50 cases", "prediction.md#changed-labels"),
]  # fmt: skip


def highlights(index):
    """Return the README's table, made of stored ones, so that no figure is in it that the pages do not have."""

    def figure(name, row, column):
        heading, *body = read(name)
        cells = next(cells for cells in body if cells[0].strip("*`") == row)
        return re.match(r"[*]*0?([.0-9]+)", cells[heading.index(column)])[1]

    rows = [
        [
            what,
            figure(name, *ours),
            f"{figure(name, *other)}, {which}",
            f"[how](docs/evaluation/{page}) ({index[name]['version']})",
        ]
        for what, name, ours, other, which, page in HIGHLIGHTS
    ]
    return [["", "actalike", "strongest alternative", ""], *rows]


def main(words):
    index = json.loads(INDEX.read_text(encoding="utf-8"))
    pages = {page: page.read_text(encoding="utf-8") for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]}
    shown = {found["name"] for text in pages.values() for found in BLOCK.finditer(text)}
    if unknown := shown - {"highlights"} - set(index):
        sys.exit(f"in a page, but not in {INDEX.name}: {', '.join(sorted(unknown))}")
    changed = {page: new for page, text in pages.items() if (new := rendered(text, index)) != text}
    for page, text in changed.items():
        print(page.relative_to(ROOT))
        if "--check" not in words:
            page.write_text(text, encoding="utf-8")
    return int("--check" in words and bool(changed))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
