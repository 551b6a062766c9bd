"""The benchmark page in a real browser."""

import re

import pytest

from actalike import benchmark
from actalike.benchmark.tasks.intrinsic import METRICS
from actalike.report.leaderboard import write_leaderboard
from tests.helpers.hostile_results import HOSTILE


@pytest.fixture(scope="module")
def page_file(folders, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "leaderboard.html"
    write_leaderboard(list(folders.values()), path, title=f"July {HOSTILE}")
    return path


def names(page):
    return page.locator("#board .method .label").all_inner_texts()


def headings(page):
    return [text.strip(" ↑↓\n") for text in page.locator("#board .sort").all_inner_texts()]


def cells(page, method):
    """What the row of a method says, by heading; bounds too, where there are any."""
    row = page.locator("#board tbody > tr", has=page.locator(f".method .label:text-is('{method}')")).first
    found = {}
    for heading, cell in zip(headings(page)[1:], row.locator("> td").all(), strict=True):
        title = cell.get_attribute("title")
        bounds = re.search(r"95 % interval ([\d.]+) to ([\d.]+) \(logs resampled\)", title) if title else None
        shown = cell.locator("b").inner_text() if title else None
        found[heading] = (shown, tuple(map(float, bounds.groups())) if bounds else None)
    return found


def choose_logs(page, *logs):
    page.evaluate("document.getElementById('filter-logs').open = true")
    page.locator("#filter-logs button", has_text="None").click()
    for log in logs:
        page.locator("#filter-logs label", has=page.locator(f"bdi:text-is('{log}')")).locator("input").check()


def expect_means(page, means):
    for row in means.iter_rows(named=True):
        if row["I_nn"] is None:
            continue
        found = cells(page, row["method"])
        for metric in METRICS:
            shown, bounds = found[metric]
            assert float(re.match(r"[\d.]+", shown)[0]) == pytest.approx(row[metric], abs=5.1e-4)
            if row[f"{metric}_low"] is None:
                assert bounds is None
            else:
                assert bounds == pytest.approx((row[f"{metric}_low"], row[f"{metric}_high"]), abs=5.1e-4)


def test_means_and_intervals_are_those_of_the_tables_for_any_logs(open_page, page_file, folders):
    page = open_page(page_file)
    expect_means(page, benchmark.read(folders["intrinsic"]).over_logs())
    choose_logs(page, "loan", "another", "plain")
    expect_means(page, benchmark.read(folders["intrinsic"]).of_logs(["loan", "another", "plain"]).over_logs())
    choose_logs(page, "loan")
    expect_means(page, benchmark.read(folders["intrinsic"]).of_logs(["loan"]).over_logs())
    assert "on loan" in page.locator("#shown").inner_text()


def test_a_heading_sorts_by_its_figure_and_again_the_other_way_by_mouse_and_keyboard(open_page, page_file, folders):
    page = open_page(page_file)
    means = benchmark.read(folders["intrinsic"]).over_logs().drop_nulls("I_comp")

    def shown_figures(heading):
        return [
            float(re.match(r"[\d.]+", cells(page, name)[heading][0])[0]) for name in names(page) if cells(page, name)[heading][0]
        ]

    figures = shown_figures("I_nn")
    assert figures == sorted(figures, reverse=True)
    assert page.locator("th[aria-sort]").inner_text().startswith("I_nn")
    page.locator("#board .sort", has_text="I_comp").click()
    assert names(page)[0] == means.sort("I_comp", descending=True)["method"][0]
    assert page.locator("th[aria-sort=descending]").inner_text().startswith("I_comp")
    page.keyboard.press("Enter")  # the heading keeps the keyboard
    figures = shown_figures("I_comp")
    assert figures == sorted(figures)
    assert "worst first" in page.locator("#said").inner_text()
    page.locator("#board .sort", has_text="seconds").click()
    seconds = [row.get_attribute("title") for row in page.locator("#board td[title^='seconds']").all()]
    assert len(seconds) == 6
    page.locator("#board .sort", has_text="method").click()
    assert names(page) == sorted(names(page))


def test_the_best_three_are_marked_and_a_mean_over_fewer_logs_is_not(open_page, page_file, folders):
    page = open_page(page_file)
    whole = benchmark.read(folders["intrinsic"]).over_logs().filter(benchmark.read(folders["intrinsic"]).over_logs()["logs"] == 4)
    best = whole.sort("I_prec", descending=True)["method"][0]
    assert "¹" in cells(page, best)["I_prec"][0]
    broken = cells(page, "broken")["I_prec"][0]
    assert "†" in broken
    assert not set("¹²³") & set(broken)
    assert "†: on fewer logs" in page.locator("#marks").inner_text()
    assert page.locator("h1").inner_text().startswith(whole.sort("I_nn", descending=True)["method"][0])


def test_family_window_and_name_filter_the_methods(open_page, page_file):
    page = open_page(page_file)
    everything = set(names(page))
    page.locator("#filter-window label", has_text="5").locator("input").uncheck()
    assert set(names(page)) == {name for name in everything if not name.endswith("w5")}
    page.locator("#filter-family button", has_text="None").click()
    assert "Nothing to show" in page.locator("#shown").inner_text()
    page.locator("#filter-family label", has_text="kin").locator("input").check()
    assert "Nothing to show" in page.locator("#shown").inner_text()  # kin has window 5
    page.locator("#filter-window button", has_text="All").click()
    assert names(page) == ["kin-w5"]
    page.locator("#filter-family button", has_text="All").click()
    page.keyboard.press("/")
    page.keyboard.type("AA-seq")
    assert set(names(page)) == {"aa-sequence-pmi-w3", "aa-sequence-pmi-w5"}


def test_a_method_opens_log_by_log_with_its_places_and_a_log_can_be_shown_alone(open_page, page_file, folders):
    page = open_page(page_file)
    page.locator("#board .method", has_text="kin-w5").click()
    table = benchmark.read(folders["intrinsic"]).by_log()
    own = {row["log"]: row for row in table.filter(table["method"] == "kin-w5").iter_rows(named=True)}
    head = page.locator(".details thead th").all_inner_texts()
    rows = {}
    for line in page.locator(".details tbody tr").all():
        name = line.locator("th").inner_text()
        rows[name] = dict(zip(head[1:], line.locator("td").all_inner_texts(), strict=True))
    assert set(own) <= set(rows)
    for log, row in own.items():
        for metric in METRICS:
            assert float(rows[log][metric].split()[0]) == pytest.approx(row[metric], abs=0.00051)  # halves may be rounded up
        better = table.filter((table["log"] == log) & (table["I_nn"] > row["I_nn"] + 1e-12)).height
        of = table.filter(table["log"] == log)["I_nn"].drop_nulls().len()
        place = re.search(r"(\d+)(?:st|nd|rd|th) of (\d+)", rows[log]["I_nn"])
        assert (int(place[1]), int(place[2])) == (better + 1, of)
    page.locator("#board .method", has_text="broken").click()
    failed = page.locator(".details .scroll td", has_text="failed").first
    assert "no luck" in failed.get_attribute("title")
    page.locator("#board .method", has_text="broken").click()
    page.locator(".details .only", has_text="another").click()
    assert "on another" in page.locator("#shown").inner_text()
    assert page.locator(".details tbody tr").count() == 1
    page.locator("#board .method", has_text="kin-w5").press("Enter")
    assert page.locator(".details").count() == 0


def test_hostile_names_and_errors_are_text(open_page, page_file):
    page = open_page(page_file)
    assert page.locator("#bar-title").inner_text() == f"July {HOSTILE}"
    assert not page.locator("img").count()
    assert page.locator(f"#filter-logs bdi:text-is('{HOSTILE}')").count() == 1
    assert "</script><script>alert(2)</script>" in page.locator("#note-list").inner_text()
    text = page_file.read_text(encoding="utf-8")
    assert text.count("<script") == 2
    assert text.count("</script>") == 2


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_a_phone(open_page, page_file, scheme):
    page = open_page(page_file, width=390, height=844, color_scheme=scheme)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#board .method").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert not page.locator("#filter-family .chips").is_visible()
    page.locator("#filter-family summary").click()
    assert page.locator("#filter-family .chips").is_visible()


def test_colours_follow_when_the_reader_changes_to_dark_and_choices_stay(open_page, page_file):
    page = open_page(page_file)
    page.locator("#filter-family label", has_text="one-hot").locator("input").uncheck()
    shown, fill = names(page), page.locator("#board .swatch path").first.get_attribute("fill")
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("(fill) => document.querySelector('#board .swatch path').getAttribute('fill') !== fill", arg=fill)
    swatch = page.locator("#board .swatch path").first
    assert page.locator(f"#filters path[data-family='{swatch.get_attribute('data-family')}']").get_attribute(
        "fill"
    ) == swatch.get_attribute("fill")
    assert names(page) == shown


def test_the_same_results_give_the_same_bytes_in_whatever_order(folders, tmp_path):
    one = write_leaderboard(list(folders.values()), tmp_path / "1.html", "A")
    write_leaderboard(list(folders.values())[::-1], tmp_path / "2.html", "A")
    assert (tmp_path / "1.html").read_bytes() == (tmp_path / "2.html").read_bytes()
    assert one.bytes == (tmp_path / "1.html").stat().st_size
