"""What the pages are tested with: pages of the browser (headless Chromium without a network), and results of the benchmarks."""

from unittest.mock import patch

import pytest

from actalike import write_report
from actalike.report import report_data
from tests.helpers.hostile_results import make_results


@pytest.fixture(scope="package", autouse=True)
def few_draws():
    """Resample as seldom as possible: with all draws, the intervals take longer than all the rest of a report."""
    with patch.object(report_data, "RESAMPLES", report_data.FEWEST_RESAMPLES):
        yield


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

    def take(self, width=1280, height=900, color_scheme="light", **options):
        free = self.free.setdefault(repr(options), [])
        page = free.pop() if free else self.browser.new_context(reduced_motion="reduce", **options).new_page()
        page.set_viewport_size({"width": width, "height": height})
        page.emulate_media(media="null", color_scheme=color_scheme, reduced_motion="reduce")
        return page

    def give_back(self, opened, width=0, height=0, color_scheme="", **options):
        opened.leave()
        self.free[repr(options)].append(opened.page)


@pytest.fixture(scope="session")
def pages(browser):
    return Pages(browser)


@pytest.fixture
def open_page(pages, tmp_path):
    """Open a report, of a log or a file; what goes wrong on the page until the end of the test fails the test."""
    opened = []

    def open_(log, method=None, title="log.csv", **options):
        path = log
        if not hasattr(log, "as_uri"):
            path = tmp_path / f"report{len(opened)}.html"
            write_report(log, path, method, title)
        one = Opened(pages.take(**options))
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
def window(browser, pages):
    """Open pages of a browser window of their own, or of the window of another page, whose storage they share.

    What goes wrong on any of them fails the test.
    """
    opened, others = [], []  # pages that are used again, with their options; what is closed in the end
    expected = set()

    def open_(path, like=None, script=None, **options):
        if script:
            others.append(browser.new_context(reduced_motion="reduce", **options))
            others[-1].add_init_script(script)
            one = Opened(others[-1].new_page())
        elif like:
            one = Opened(like.context.new_page())
            others.append(one.page)
        else:
            one = Opened(pages.take(**options))
        opened.append((one, None if script or like else options))
        expected.add(path.as_uri())
        return one.load(path)

    yield open_
    problems = [problem for one, _ in opened for problem in one.problems]
    requests = {url for one, _ in opened for url in one.requests}
    for other in reversed(others):
        other.close()
    for one, options in opened:
        if options is not None:
            pages.give_back(one, **options)
    assert problems == []
    assert requests <= expected  # the pages themselves


def open_views(page):
    """Unfold the map, and wait until it is drawn."""
    page.evaluate("document.getElementById('views').open = true")
    page.locator(".dot[cx]").first.wait_for(state="attached")
    return page


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
