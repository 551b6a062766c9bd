"""What the pages are tested with: a real browser (headless Chromium without a network), and results of the benchmarks."""

import shutil
from unittest.mock import patch

import pytest

from actalike import write_report
from actalike.report import report_data
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


@pytest.fixture(scope="package", autouse=True)
def few_draws():
    """Resample as seldom as possible: with all draws, the intervals take longer than all the rest of a report."""
    with patch.object(report_data, "RESAMPLES", report_data.FEWEST_RESAMPLES):
        yield


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
    """A page in the browser, and what goes wrong on it until it is left."""

    def __init__(self, page):
        self.page = page
        self.problems = []
        self.requests = []
        self.listeners = {
            "console": lambda message: self.problems.append(f"{message.type}: {message.text}"),
            "pageerror": lambda error: self.problems.append(f"error: {error}"),
            "dialog": lambda dialog: (self.problems.append(f"dialog: {dialog.message}"), dialog.dismiss()),
            "request": self.requested,
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)

    def requested(self, request):
        if not request.url.startswith("blob:"):  # what the page itself has made, to be saved as PNG
            self.requests.append(request.url)

    def load(self, path):
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-ready]", state="attached")
        return self.page

    def leave(self):
        """Make the page as good as new: without listeners, content, and anything stored."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)
        self.page.mouse.move(0, 0)
        self.page.evaluate("sessionStorage.clear()")
        self.page.goto("about:blank")
        session = self.page.context.new_cdp_session(self.page)
        session.send("Storage.clearDataForOrigin", {"origin": "file://", "storageTypes": "all"})
        session.detach()


class Pages:
    """The pages of a browser by their options; a page that was left is used again, because a new one takes a second."""

    def __init__(self, browser):
        self.browser = browser
        self.free = {}

    def take(self, width, height, **options):
        free = self.free.setdefault(repr(options), [])
        page = free.pop() if free else self.browser.new_context(reduced_motion="reduce", **options).new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media="null", color_scheme=options.get("color_scheme", "light"), reduced_motion="reduce")
        return page

    def give_back(self, opened, **options):
        opened.leave()
        self.free[repr(options)].append(opened.page)


@pytest.fixture(scope="session")
def pages(browser):
    return Pages(browser)


@pytest.fixture
def open_page(pages, tmp_path):
    """Open a report, of a log or a file; what goes wrong on the page until the end of the test fails the test."""
    opened = []

    def open_(log, method=None, title="log.csv", width=1280, height=900, **options):
        path = log
        if not hasattr(log, "as_uri"):
            path = tmp_path / f"report{len(opened)}.html"
            write_report(log, path, method, title)
        one = Opened(pages.take(width, height, **options))
        opened.append((one, options))
        return one.load(path)

    yield open_
    problems = [problem for one, _ in opened for problem in one.problems]
    requests = [one.requests for one, _ in opened]
    for one, options in opened:
        pages.give_back(one, **options)
    assert problems == []
    assert all(len(urls) == 1 for urls in requests)  # the page itself


@pytest.fixture
def window(browser):
    """Open pages of one browser window, which share its storage; what goes wrong on any of them fails the test."""
    problems, contexts = [], []

    def open_(path, like=None, script=None, **options):
        if like is None:
            contexts.append(browser.new_context(reduced_motion="reduce", **options))
            if script:
                contexts[-1].add_init_script(script)
        page = (like.context if like else contexts[-1]).new_page()
        page.set_default_timeout(20_000)
        page.on("console", lambda message: problems.append(f"{message.type}: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (problems.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        own = (path.as_uri(), "blob:")
        page.on("request", lambda request: None if request.url.startswith(own) else problems.append(f"request: {request.url}"))
        return show(page, path.as_uri())

    yield open_
    for context in contexts:
        context.close()
    assert problems == []


def show(page, address=None):
    """Go to an address, or load the page again, and wait until it is drawn."""
    page.goto(address) if address else page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


@pytest.fixture(scope="session")
def folders(small_logs, finished, tmp_path_factory):
    """Results of all three benchmarks."""
    results = make_results(small_logs, tmp_path_factory.mktemp("results"))
    return {"intrinsic": results["intrinsic"], "prediction": finished, "efficiency": results["efficiency"]}
