"""The story of docs/matching.md, told by this code: two municipalities, without and with ten known pairs.

    python measurements/two_municipalities.py FOLDER                  # prints the section; FOLDER has BPIC15_1.xes.gz and BPIC15_2.xes.gz
    python measurements/two_municipalities.py FOLDER --write          # puts it into docs/matching.md

A pair is right if both labels are the same code, which the matching does not look at.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import polars as pl

import actalike

PAGE = Path(__file__).parents[1] / "docs" / "matching.md"
LOGS = ["BPIC15_1.xes.gz", "BPIC15_2.xes.gz"]
MATCH = ["match", *LOGS, "--name", "activityNameEN"]
TITLE, NEXT_TITLE = "## Two municipalities\n", "## The table\n"
TEXT = """
BPIC15_1 and BPIC15_2 are logs of two Dutch municipalities that grant building permits, with 1,199 and 832 cases. Their labels are codes of one scheme (`01_HOOFD_010`), so this matching can be checked: it does not look at the codes.
`--name activityNameEN` only shows what they stand for.

{blind}
Of the {pairs.all} pairs {pairs.right} are right, that is, have the same code. These steps are {pairs.events:.0%} of the events of the first log. Of the pairs called likely, {likely.right} of {likely.all} are right ({likely.share:.0%}), of the doubtful ones
{doubtful.right} of {doubtful.all} ({doubtful.share:.0%}). Why is {a} taken for {b}?

{why}
Now somebody who knows both towns names the ten most frequent steps in `known.csv` (`label_a,label_b`, then a line for each pair; or `yes` in the column `known` of `matching.csv`):

{known}
{known_pairs.right} of {known_pairs.all} pairs are right now, {known_pairs.events:.0%} of the events; of those called likely {known_likely.right} of {known_likely.all} ({known_likely.share:.0%}). Then the second town gets the labels of the first, and both logs speak
one language:

{relabelled}
`python measurements/two_municipalities.py FOLDER` tells this story. The [benchmark](matching_benchmark.md) has all pairs of these municipalities, and the baselines.

"""


class Right(NamedTuple):
    """How many pairs there are, how many are right, and the share of the first log's events that these have."""

    all: int
    right: int
    events: float

    @property
    def share(self) -> float:
        return self.right / max(self.all, 1)


def counted(pairs: pl.DataFrame, events: int) -> Right:
    right = pairs.filter(pl.col("label_a") == pl.col("label_b"))
    return Right(pairs.height, right.height, right["events_a"].sum() / events)


def by_certainty(matching: actalike.Matching, events: int) -> tuple[Right, Right, Right]:
    """All pairs, those called likely, and the doubtful ones."""
    pairs = matching.to_frame().drop_nulls(["label_a", "label_b"])
    found = pairs.filter(~pl.col("known"))
    sure = pl.col("probability") >= actalike.comparison.SURE
    return counted(pairs, events), counted(found.filter(sure), events), counted(found.filter(~sure), events)


def run(*words: str, cut: tuple[str, str] | None = None) -> str:
    """A command and what it prints, as an indented block; what is between two texts is left out."""
    call = [sys.executable, "-m", "actalike", *words, "--quiet"]
    printed = subprocess.run(call, capture_output=True, text=True, check=True, encoding="utf-8").stdout
    if cut is not None:
        start, end = printed.index(cut[0]), printed.index(cut[1]) if cut[1] else len(printed)
        printed = f"{printed[:start]}...\n{printed[end:]}"
    shown = f"$ actalike {' '.join(words)}\n{printed}"
    return "".join(f"    {line}\n" if line else "\n" for line in shown.rstrip("\n").split("\n"))


def story() -> str:
    first, second = (actalike.read_log(name) for name in LOGS)
    blind = run(*MATCH, "-o", "matching.csv", "--top", "3", cut=("Without a partner", "matching.csv gives"))
    matching = actalike.match(first, second)
    doubtful = sorted((pair for pair in matching.pairs if pair.a != pair.b), key=lambda pair: -events_of(first, pair.a))
    frequent = sorted(set(first.activities) & set(second.activities), key=lambda label: (-events_of(first, label), label))[:10]
    Path("known.csv").write_text("\n".join(["label_a,label_b", *(f"{label},{label}" for label in frequent)]) + "\n")
    with_known = run(*MATCH, "--known", "known.csv", "-o", "better.csv", cut=("\nLikely the same step", ""))
    pairs, likely, others = by_certainty(matching, first.n_events)
    known_pairs, known_likely, _ = by_certainty(
        actalike.match(first, second, dict(zip(frequent, frequent, strict=True))), first.n_events
    )
    a, b, _ = doubtful[0]
    return TEXT.format(
        blind=blind, pairs=pairs, likely=likely, doubtful=others, a=a, b=b,
        why=run(*MATCH, "--explain", a, b, "--top", "3"), known=with_known, known_pairs=known_pairs, known_likely=known_likely,
        relabelled=run("relabel", LOGS[1], "better.csv", "-o", "BPIC15_2-relabelled.xes.gz"),
    )  # fmt: skip


def events_of(log: actalike.EventLog, label: str) -> int:
    return int(log.activity_counts[log.activities.index(label)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in LOGS:
            (Path(folder) / name).symlink_to((options.folder / name).resolve())
        os.chdir(folder)
        section = story().replace("%", " %").replace("  %", " %")
        os.chdir("/")
    if not options.write:
        print(section)
        return
    text = PAGE.read_text(encoding="utf-8")
    start, end = text.index(TITLE) + len(TITLE), text.index(NEXT_TITLE)
    PAGE.write_text(text[:start] + section + text[end:], encoding="utf-8")


if __name__ == "__main__":
    main()
