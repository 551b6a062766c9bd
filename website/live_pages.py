"""Make the pages to click in when the site is built: the report of the loan desk, and leaderboards of the stored results."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import polars as pl

from actalike import datasets, write_log
from actalike.benchmark.folders import ResultFolder
from actalike.benchmark.results import Results
from actalike.benchmark.tasks.intrinsic import Intrinsic, IntrinsicOptions, IntrinsicResults
from actalike.benchmark.tasks.prediction import Prediction, PredictionResults
from actalike.demo.loan_desk import loan_desk
from actalike.report.leaderboard import write_leaderboard

FOLDER = "live"  # of the site
RESULTS = Path(__file__).parents[1] / "docs" / "results"
LEADERBOARDS = {  # the stored results by the page that is made of them, with its title
    "intrinsic": "The intrinsic benchmark",
    "prediction_standard": "Next-activity prediction",
}
EFFICIENCY = "efficiency"  # stored as the whole folder of its results


def on_post_build(config: Any) -> None:
    """Write the pages into the site (an event of mkdocs)."""
    folder = Path(config.site_dir, FOLDER)
    folder.mkdir(parents=True, exist_ok=True)
    write_loan_desk(folder / "loan_desk.html")
    for name, title in LEADERBOARDS.items():
        write_leaderboard([stored(name)], folder / f"leaderboard_{name}.html", title)
    with unpacked(RESULTS / f"{EFFICIENCY}.json") as results:
        write_leaderboard([results], folder / f"leaderboard_{EFFICIENCY}.html", "The efficiency benchmark")


def write_loan_desk(path: Path) -> None:
    """Write the report of the loan desk, by the command that a reader would call."""
    with TemporaryDirectory() as folder:
        log = Path(folder, "loan_desk.xes.gz")
        write_log(loan_desk(), log)
        command = [sys.executable, "-m", "actalike", "report", log.name, "-o", str(path.absolute()), "--overwrite"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"The report of the loan desk could not be written: {done.stderr}")


def stored(name: str, folder: Path = RESULTS) -> Results:
    """Return results that are stored as the file that ``actalike benchmark table DIR --tidy`` writes."""
    singles = pl.read_parquet(folder / f"{name}.parquet")
    facts = {log.name: _facts(log) for log in datasets.paper_logs()}
    described = {**_description(name, folder), "benchmark": name.partition("_")[0]}
    results = ResultFolder(folder, described, {log: facts[log] for log in singles["log"].unique().sort()})
    if results.benchmark == "intrinsic":
        options = IntrinsicOptions(**{key: described[key] for key in ("seed", "mode", "samples")})
        return IntrinsicResults(results, singles, Intrinsic(options), {}, frozenset())
    return PredictionResults(results, singles, Prediction(), {}, frozenset())


@contextmanager
def unpacked(file: Path) -> Iterator[Path]:
    """Yield a folder of results that is stored as one file, as a temporary folder."""
    with TemporaryDirectory() as folder:
        for name, content in json.loads(file.read_text(encoding="utf-8"))["files"].items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content), encoding="utf-8")
        yield Path(folder)


def _description(name: str, folder: Path) -> dict[str, Any]:
    """Return what all results of a file have in common, as the folder that they came from said it."""
    about = json.loads((folder / "leaderboards.json").read_text(encoding="utf-8"))
    description: dict[str, Any] = about[name]["plan"]
    return description


def _facts(log: datasets.PaperLog) -> dict[str, Any]:
    """Return the size of a log, as folders of results note it."""
    return {"log": log.name, **{key: getattr(log, key) for key in ("cases", "events", "activities", "variants_per_case")}}
