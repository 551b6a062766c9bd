"""Measure the report's page: its size, and the time to write it and to open it in headless Chromium. Needs the paper's logs.

    python measurements/report_page.py                  # BPIC15_1, RTFM, and a made-up log of 400 activities and 1.5 million events
    python measurements/report_page.py made-up          # one of them

Writing: processor seconds, which depend little on what else the machine does. Opening: from the beginning of the navigation
until everything is drawn (the page sets a mark), the fastest of five times.
Limits: 5 MB, 2 s. The exit code is 1 where one is exceeded.
"""

import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from actalike import EventLog, datasets, write_report  # noqa: E402
from tests.report.conftest import BROWSERS, FLAGS  # noqa: E402

LOGS = Path(os.environ.get("ACTALIKE_LOGS", ROOT.parent / "shared" / "event_logs"))
MOST_MEGABYTES = 5
MOST_SECONDS = 2


def made_up(activities=400, events=1_500_000, seed=0):
    """Make a log of random walks over steps with few likely successors; some steps have two labels, used by turns."""
    rng = np.random.default_rng(seed)
    likely = np.cumsum(0.5 ** np.arange(1, 9))
    ahead = rng.integers(1, 26, (activities, 8)) * np.where(rng.random((activities, 8)) < 0.15, -1, 1)
    ahead[:, 0] = 1  # so that all are reached
    successors = (np.arange(activities)[:, None] + ahead) % activities
    cases = events // 25
    now = rng.integers(0, 40, cases)
    alive = np.arange(cases)
    happened, of_case = [], []
    while len(alive) and sum(map(len, happened)) < events:
        happened.append(now)
        of_case.append(alive)
        choice = np.minimum(np.searchsorted(likely, rng.random(len(alive))), 7)
        stays = rng.random(len(alive)) > 0.04
        alive, now = alive[stays], successors[now, choice][stays]
    codes, case = np.concatenate(happened)[:events], np.concatenate(of_case)[:events]
    twins = (codes % 10 == 1) & (rng.random(len(codes)) < 0.5)
    codes = np.where(twins, codes - 1, codes)
    order = np.argsort(case, kind="stable")
    offsets = np.concatenate([[0], np.cumsum(np.bincount(case, minlength=cases))])
    return EventLog(
        [f"Step {i:03} of the process" for i in range(activities)], codes[order], offsets, [str(i) for i in range(cases)]
    )


def opening_seconds(browser, path):
    fastest = float("inf")
    for _ in range(5):
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached", timeout=60_000)
        fastest = min(fastest, page.evaluate("performance.getEntriesByName('actalike-ready')[0].startTime") / 1000)
        context.close()
    return fastest


def main(names):
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        sys.exit("no Chromium is installed: make browser")
    exceeded = False
    print(
        f"{'log':<12}{'events':>12}{'activities':>12}{'written in':>12}{'size':>10}{'opened in':>12}   (at most {MOST_MEGABYTES} MB, {MOST_SECONDS} s)"
    )
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        for name in names:
            log = made_up() if name == "made-up" else datasets.load(name, LOGS)
            path = Path(folder) / f"{name}.html"
            start = time.process_time()
            written = write_report(log, path, title=name)
            writing = time.process_time() - start
            megabytes, opening = written.bytes / 1e6, opening_seconds(browser, path)
            too_much = megabytes > MOST_MEGABYTES or opening > MOST_SECONDS
            exceeded |= too_much
            print(
                f"{name:<12}{log.n_events:>12,}{written.activities:>12}{writing:>10.1f} s{megabytes:>7.2f} MB{opening:>10.2f} s{'   TOO MUCH' if too_much else ''}",
                flush=True,
            )
        browser.close()
    sys.exit(exceeded)


if __name__ == "__main__":
    main(sys.argv[1:] or ["BPIC15_1", "RTFM", "made-up"])
