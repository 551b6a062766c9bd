"""Rerun the product's benchmarks, and store their tables with the current version (make evaluate).

    python measurements/evaluate.py                      # all parts: hours
    python measurements/evaluate.py intrinsic drift      # some parts
    python measurements/evaluate.py --trial Helpdesk     # a trial on one log or some: prints the tables, stores nothing

Needs a folder of the paper's logs (ACTALIKE_LOGS). What is computed is kept in build/evaluate/VERSION (with --out elsewhere), and a run
that was stopped is resumed there; remove it to begin anew.
"""

import argparse
import json
import os
import shlex
import shutil
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import benchmark_tables as make
import changed_labels
import drift_planted
import results
import same_step_unseen
from made_up_logs import purchases
from timing import LOGS

from actalike import __version__, benchmark, datasets, write_log
from actalike.benchmark.tasks.planted_anomalies import OUTSIDE

DOCS = results.ROOT / "docs"
DETECTORS = ["odd", "odd-activities", "naive", "likelihood", "links", "links-all", "links-case-out"]
SMALL = ["BPIC13_closed_problems", "BPIC13_open_problems", "BPIC20_PrepaidTravelCost", "CCC19", "Env_Permit", "Helpdesk"]
TIMED = ["BPIC13_closed_problems", "BPIC15_1", "BPIC20_DomesticDeclarations", "RTFM"]


class Part:
    """Run the commands of a part, and take its tables."""

    def __init__(self, name, out, trial):
        self.name, self.folder, self.trial = name, out / "trial" / name if trial else out / name, trial
        self.commands = []

    def files(self, names):
        """The files of some logs, or of those of the trial."""
        found = datasets.find(LOGS)
        return [found[name] for name in self.trial or names]

    def run(self, *words, logs=(LOGS,), folder="results", said="FOLDER"):
        """Run a benchmark, and return its results; what the folder has is not computed again."""
        out = self.folder / folder
        given = ["--logs", *map(str, self.files(()) if self.trial else logs)] if logs else []
        kind, *options = words
        said = f"{kind} --logs {said}" if logs else kind
        self.commands.append(f"actalike benchmark {said} {shlex.join(options)} --out DIR".replace("  ", " "))
        print(self.commands[-1], file=sys.stderr, flush=True)
        jobs = [] if kind == "efficiency" else ["--jobs", str(os.cpu_count() or 1)]
        command = [sys.executable, "-m", "actalike", "benchmark", kind, *given, *options, *jobs, "--out", str(out)]
        if status := subprocess.run(command, stdout=sys.stderr, check=False).returncode:
            sys.exit(f"{self.name} ended with {status}; what was computed is in {out}, and the same command goes on.")
        return benchmark.read(out)

    def store(self, name, rows):
        """Print a table, and keep it unless this is a trial."""
        rows = list(rows)
        print(f"\n{name}\n\n{results.markdown(rows)}", flush=True)
        if not self.trial:
            results.store(name, rows, f"python measurements/evaluate.py {self.name}")


def intrinsic(part):
    found = part.run("intrinsic", "--methods", "a[ac]-*", "kin-w5", "kin2-w5")
    part.store("kin-gain", make.kin_gain(found))
    part.store("kin-by-log", make.kin_by_log(found))
    part.store("sequence-or-multiset", make.sequence_or_multiset(found))


def leaderboard(part):
    """The page to click in of the site: six small logs, all methods that need no training."""
    part.run("intrinsic", logs=part.files(SMALL), said=" ".join(f"{name}.xes.gz" for name in SMALL))
    if not part.trial:
        tidy(part, "intrinsic", ("seed", "mode", "samples"))


def labels(part):
    for name, rows in same_step_unseen.tables(part.folder, part.trial):
        part.store(name, rows)


def matching(part):
    part.run("matching", "--kinds", "codes", "vocabulary", "time", "--tasks", "known-0", "known-10", "--draws", "3")
    found = part.run("matching", "--kinds", "cases", "--tasks", "known-0", "deleted-*", "split", "--draws", "3")
    part.store("matching-found", make.matching_found(found))


def anomalies(part):
    found = part.run("anomalies", "--tasks", "bpad-*", "--methods", *DETECTORS)
    part.store("anomalies-detectors", make.anomalies_detectors(found))
    part.store("anomalies-by-kind", make.anomalies_by_kind(found))
    part.store("anomalies-by-log", make.anomalies_by_log(found))
    part.store("anomalies-kinds-found", make.anomalies_kinds_found(found))
    tasks = ["known", *(f"known-{kind}" for kind in OUTSIDE)]
    found = part.run("anomalies", "--tasks", *tasks, "--copies", "1", "--methods", *DETECTORS[:5], folder="known")
    part.store("anomalies-known", make.anomalies_known(found))
    part.store("anomalies-known-kinds", make.anomalies_known_kinds(found))


def prediction(part):
    names = part.trial or sorted(entry.name for entry in datasets.paper_logs() if entry.next_activity)
    part.store("changed-labels", changed_labels.table([name for name in names if name in datasets.find(LOGS)], 50, 3))


def efficiency(part):
    files = part.files(TIMED)
    if not part.trial:
        like = part.folder / "BPIC19-like.parquet"
        if not like.exists():
            like.parent.mkdir(parents=True, exist_ok=True)
            write_log(purchases(), like)
        files.append(like)
    counted = ["a[ac]-*", "kin-*", "positional-*", "substitution-*", "process-structure", "label-text", "one-hot"]
    said = " ".join(path.name for path in files)
    part.run("efficiency", "--methods", *counted[-1 if part.trial else 0 :], "--time-limit", "60", logs=files, said=said)
    found = part.run(
        "efficiency", "--methods", "act2vec-*-w3", "autoencoder-w3", "--time-limit", "2" if part.trial else "120",
        logs=files[:3], said=" ".join(path.name for path in files[:3]),
    )  # fmt: skip
    part.store("efficiency-seconds", make.efficiency_seconds(found))
    part.store("efficiency-bpic15", make.efficiency_details(found))
    pack(part, "results", "efficiency", {"seconds_by_method": "efficiency_by_method"})


def drift(part):
    part.store("drift-recipes", drift_planted.drift_recipes(LOGS, part.folder, part.trial))


def facts(part):
    """What a stored file of single results says of itself."""
    return {"version": __version__, "date": datetime.now(UTC).date().isoformat(), "command": "; ".join(part.commands)}


def tidy(part, name, plan):
    """Keep all single results of a benchmark as one file, from which the site makes a page."""
    folder, about = part.folder / "results", DOCS / "results" / "leaderboards.json"
    words = ["benchmark", "table", str(folder), "--tidy", str(DOCS / "results" / f"{name}.parquet"), "--overwrite"]
    subprocess.run([sys.executable, "-m", "actalike", *words], check=True, stdout=subprocess.DEVNULL)
    described = json.loads((folder / "benchmark.json").read_text(encoding="utf-8"))
    pages = json.loads(about.read_text(encoding="utf-8"))
    pages[name] = {**facts(part), "plan": {key: described[key] for key in plan}}
    about.write_text(json.dumps(pages, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def pack(part, folder, name, pictures):
    """Keep a folder of results as one JSON file, and draw pictures of it."""
    folder = part.folder / folder
    drawn = folder.with_name(f"{folder.name}-pictures")
    shutil.rmtree(drawn, ignore_errors=True)
    words = ["benchmark", "plots", str(folder), "-o", str(drawn)]
    subprocess.run([sys.executable, "-m", "actalike", *words], check=True, stdout=subprocess.DEVNULL)
    if part.trial:
        return
    files = {path.relative_to(folder).as_posix(): json.loads(path.read_text(encoding="utf-8")) for path in folder.rglob("*.json")}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(files[name], ensure_ascii=False)}" for name in sorted(files))  # for git
    head = json.dumps(facts(part), indent=1, ensure_ascii=False).removesuffix("\n}")
    (DOCS / "results" / f"{name}.json").write_text(f'{head},\n"files": {{\n{lines}\n}}\n}}\n', encoding="utf-8")
    for picture, shown in pictures.items():
        shutil.copyfile(drawn / f"{picture}.png", DOCS / f"{shown}.png")


PARTS = {part.__name__: part for part in (intrinsic, leaderboard, labels, matching, anomalies, prediction, efficiency, drift)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} [all]")
    parser.add_argument("--out", type=Path, default=results.ROOT / "build" / "evaluate" / __version__)
    parser.add_argument("--trial", nargs="+", metavar="LOG", default=[])
    asked = parser.parse_args()
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}: there are {', '.join(PARTS)}")
    if not LOGS.is_dir():
        parser.error(f"there is no folder of logs at {LOGS}: name one by ACTALIKE_LOGS")
    if unknown := set(asked.trial) - set(datasets.find(LOGS)):
        parser.error(f"there is no log {', '.join(sorted(unknown))} in {LOGS}")
    for name in asked.parts or PARTS:
        PARTS[name](Part(name, asked.out, asked.trial))
    return 0 if asked.trial else results.main([])


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)  # what was computed is kept: the same command goes on
