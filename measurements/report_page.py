"""Measure the report's page: its size, and the time to write it and to open it in headless Chromium. Needs real logs.

    python measurements/report_page.py                  # seven logs, two of them made up: 2,000 labels, and 1.5 million events
    python measurements/report_page.py made-up          # one of them

Writing: processor seconds, which depend little on what else the machine does. Opening: from the beginning of the navigation
until everything is drawn (the page sets a mark), the fastest of five times.
Limits: 5 MB, 2 s. The exit code is 1 where one is exceeded.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from actalike import write_report  # noqa: E402
from measurements.report_logs import FILES, report_log  # noqa: E402
from tests.report.conftest import BROWSERS, FLAGS  # noqa: E402

MOST_MEGABYTES = 5
MOST_SECONDS = 2


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
        f"{'log':<14}{'events':>12}{'activities':>12}{'written in':>12}{'size':>10}{'opened in':>12}   (at most {MOST_MEGABYTES} MB, {MOST_SECONDS} s)"
    )
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as folder:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        for name in names:
            log = report_log(name, Path(folder))
            path = Path(folder) / f"{name}.html"
            start = time.process_time()
            written = write_report(log, path, title=FILES[name])
            writing = time.process_time() - start
            megabytes, opening = written.bytes / 1e6, opening_seconds(browser, path)
            too_much = megabytes > MOST_MEGABYTES or opening > MOST_SECONDS
            exceeded |= too_much
            print(
                f"{name:<14}{log.n_events:>12,}{written.activities:>12}{writing:>10.1f} s{megabytes:>7.2f} MB{opening:>10.2f} s{'   TOO MUCH' if too_much else ''}",
                flush=True,
            )
        browser.close()
    sys.exit(exceeded)


if __name__ == "__main__":
    main(sys.argv[1:] or list(FILES))
