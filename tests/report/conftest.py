"""What the pages are tested with: a real browser (headless Chromium without a network), and results of the benchmarks."""

import shutil

import pytest

from actalike import write_report
from tests.helpers.hostile_results import make_results
from tests.helpers.requirements import missing

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = [
    "--no-sandbox",  # the pages are our own, and containers often have no sandbox
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser():
    chromium = next(filter(None, map(shutil.which, BROWSERS)), None)
    if chromium is None:
        missing("Chromium", "make browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright", "it is in the extra dev")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)  # with a new, empty profile
        yield browser
        browser.close()


class Opened:
    """A page in the browser, and what went wrong on it."""

    def __init__(self, page):
        self.page = page
        self.problems = []
        page.on("console", lambda message: self.problems.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.requests = []
        page.on("request", self.requested)

    def requested(self, request):
        if request.url.startswith("blob:"):  # what the page itself has made, to be saved as PNG
            return
        if self.requests:
            self.problems.append(f"request: {request.url}")
        self.requests.append(request.url)

    def load(self, path):
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready]", state="attached")
        return self.page


@pytest.fixture
def open_page(browser, tmp_path):
    """Open a report, of a log or a file; what goes wrong on the page until the end of the test fails the test."""
    opened, contexts = [], []

    def open_(log, method=None, title="log.csv", width=1280, height=900, **options):
        path = log
        if not hasattr(log, "as_uri"):
            path = tmp_path / f"report{len(opened)}.html"
            write_report(log, path, method, title)
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce", **options)
        contexts.append(context)
        one = Opened(context.new_page())
        opened.append(one)
        return one.load(path)

    yield open_
    problems = [problem for one in opened for problem in one.problems]
    for context in contexts:
        context.close()
    assert problems == []
    assert all(len(one.requests) == 1 for one in opened)  # the page itself


@pytest.fixture(scope="session")
def folders(small_logs, finished, tmp_path_factory):
    """Results of all three benchmarks."""
    results = make_results(small_logs, tmp_path_factory.mktemp("results"))
    return {"intrinsic": results["intrinsic"], "prediction": finished, "efficiency": results["efficiency"]}
