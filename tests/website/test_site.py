"""The built site in a real browser: nothing is fetched, nothing is broken, all is found."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

pytestmark = pytest.mark.campaign  # the site takes longer to build than the other tests of a file

TASKS = {
    "Clean the labels of a log": "guides/clean_labels.html",
    "Decide, and learn from decisions": "guides/decide_and_learn.html",
    "Two offices in one log": "guides/two_offices.html",
    "Match two logs": "guides/match_logs.html",
    "When did it change?": "guides/when_did_it_change.html",
    "Find odd cases": "guides/odd_cases.html",
    "What comes next in a running case": "guides/what_comes_next.html",
    "Vectors for my model": "guides/vectors.html",
    "100 million events in a warehouse": "guides/warehouse.html",
    "Benchmark your method": "guides/benchmark_your_method.html",
}
LOOKED_UP = {  # what somebody looks for who knows what it is: a page within two clicks, by the navigation or by links
    "commands": "reference/commands.html",
    "file formats": "file_formats.html",
    "how the evidence is weighed": "grouping.html",
    "how often it is right": "evaluation/labels.html",
    "architecture": "architecture.html",
}


CODE = ("pre", "code", "script", "style")
MARKDOWN = re.compile(r"\|[ -]*--|\*\*\w|\]\(|^>>> |``", re.MULTILINE)


class Page(HTMLParser):
    """The links and anchors of a page, what it loads, and its text without code."""

    def __init__(self, text):
        super().__init__()
        self.links, self.anchors, self.loads, self.text = [], set(), [], []
        self.in_code = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        found = dict(attributes)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"])
        if tag in ("script", "img", "iframe", "source", "video") and found.get("src"):
            self.loads.append(found["src"])
        if tag == "link" and found.get("rel") != "canonical":
            self.loads.append(found["href"])
        self.in_code += tag in CODE

    def handle_endtag(self, tag):
        self.in_code -= tag in CODE

    def handle_data(self, data):
        if not self.in_code:
            self.text.append(data)


@pytest.fixture(scope="module")
def parsed(site):
    paths = [path for path in site.rglob("*.html") if path.parent.name != "live"]
    return {path: Page(path.read_text(encoding="utf-8")) for path in paths}


def test_every_link_of_every_page_leads_to_a_page_and_to_a_place_on_it(site, parsed):
    broken = []
    for path, page in parsed.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or path.name == "404.html":  # whose links are absolute
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.exists():
                broken.append(f"{path.relative_to(site)}: {link}")
            elif parts.fragment and target in parsed and unquote(parts.fragment) not in parsed[target].anchors:
                broken.append(f"{path.relative_to(site)}: {link}: no such place")
    assert broken == []


def test_no_markdown_is_left_in_a_page(site, parsed):
    """What GitHub takes for a table or a list may be plain text to the site, and nobody would notice."""
    left = {path.relative_to(site).as_posix(): MARKDOWN.findall("".join(page.text)) for path, page in parsed.items()}
    assert {name: found for name, found in left.items() if found and not name.startswith("tutorials/")} == {}


def test_a_page_loads_nothing_from_another_machine(site, parsed):
    assert [
        f"{path.relative_to(site)}: {load}" for path, page in parsed.items() for load in page.loads if urlsplit(load).netloc
    ] == []
    styles = list(site.rglob("*.css"))
    assert styles
    assert [path.name for path in styles if re.search(r"url\(['\"]?https?:|@import", path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("task", TASKS)
def test_a_task_is_one_click_from_the_front_page(visit, address, task):
    page = visit()
    page.locator(".tasks a", has_text=task).click()
    page.wait_for_url(f"{address}/{TASKS[task]}")
    assert page.locator("h1").inner_text().startswith(task)


def test_what_is_looked_up_is_at_most_two_clicks_from_the_front_page(site, parsed):
    def within_one_click(path):
        links = (urlsplit(link) for link in parsed[path].links)
        return {(path.parent / unquote(link.path)).resolve() for link in links if link.path and not link.scheme}

    first = within_one_click(site / "index.html") & set(parsed)
    reached = first.union(*map(within_one_click, first))
    assert {name for name, page in LOOKED_UP.items() if site / page not in reached} == set()


def test_the_front_page_says_what_it_is_for_and_has_the_report_to_click_in(visit):
    page = visit()
    assert page.locator("h1").is_visible()
    assert page.locator(".tasks li").count() == len(TASKS)
    frame = page.frame_locator(".live iframe")
    frame.locator("h1").wait_for()
    assert "synonymous labels" in frame.locator("h1").inner_text()
    frame.get_by_role("link", name="Proposals", exact=True).click()
    frame.locator("#proposals").wait_for()


def search(page, words):
    """Search, and open the first result at a place, not only on a page, that is about it."""
    page.locator("input.md-search__input").press_sequentially(words)
    results = page.locator(".md-search-result__item a.md-search-result__link")
    results.first.wait_for()
    assert results.count() > 3
    page.locator(f".md-search-result__item a[href*='#'][href*='{words}']").first.click()


def test_search_works_when_the_site_is_opened_from_a_disk(browser, site):
    page = browser.new_page()
    page.goto((site / "index.html").as_uri())
    search(page, "relabel")
    page.wait_for_url(re.compile(r"file:.*relabel"))
    page.close()


def test_search_finds_relabel(visit, address):
    page = visit("start.html")
    search(page, "relabel")
    page.wait_for_url(re.compile(re.escape(address) + r"/.*relabel"))


def test_the_reader_chooses_light_or_dark_and_the_live_report_follows(visit):
    page = visit(color_scheme="null")  # one that is emulated would hold in every frame, whatever its colour scheme
    body = page.locator("body")
    ground = "element => getComputedStyle(element).backgroundColor"
    of_report = page.frame_locator(".live iframe").locator("body")
    light, light_in_report = body.evaluate(ground), of_report.evaluate(ground)
    assert body.get_attribute("data-md-color-scheme") == "default"
    page.locator("label[title='Switch to dark']").click()
    assert body.get_attribute("data-md-color-scheme") == "slate"
    assert body.evaluate(ground) != light
    for _ in range(50):
        if of_report.evaluate(ground) != light_in_report:
            break
        page.wait_for_timeout(100)
    assert of_report.evaluate(ground) != light_in_report
    page.goto(page.url.replace("index.html", "start.html"))  # the choice stays
    assert page.locator("body").get_attribute("data-md-color-scheme") == "slate"


def test_dark_is_chosen_where_the_system_is_dark(visit):
    assert visit("start.html", color_scheme="dark").locator("body").get_attribute("data-md-color-scheme") == "slate"


def test_every_page_fits_a_phone_and_has_no_error(visit, site, address):
    page = visit(width=390, height=844)
    wide = []
    for path in sorted(site.rglob("*.html")):
        name = path.relative_to(site).as_posix()
        page.goto(f"{address}/{name}")
        if page.evaluate("document.documentElement.scrollWidth") > 390:
            wide.append(name)
    assert wide == []


def test_a_leaderboard_is_sorted_by_a_heading(visit):
    page = visit("evaluation/leaderboards.html")
    board = page.frame_locator("iframe[title='Leaderboard of the intrinsic benchmark']")
    board.locator("#board .sort", has_text="I_comp").click()
    assert board.locator("th[aria-sort=descending]").inner_text().startswith("I_comp")
    figures = [float(re.match(r"[\d.]+", text)[0]) for text in board.locator("#board tbody td:nth-child(2) b").all_inner_texts()]
    assert len(figures) > 30
    assert figures == sorted(figures, reverse=True)


def test_the_reference_of_commands_has_every_command_with_its_options(site):
    text = Path(site, "reference", "commands.html").read_text(encoding="utf-8")
    for command in ("similar", "explain", "relabel", "benchmark-intrinsic", "datasets-check", "demo"):
        assert f'id="actalike-{command}"' in text
    assert "--retry-failed" in text
