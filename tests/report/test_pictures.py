"""The pictures of the report's page in a real browser: filter, folded groups, the time view, and files."""

import re
import struct
import time
import xml.etree.ElementTree as ElementTree

import pytest

from actalike import EventLog, write_report
from actalike.demo.loan_desk import loan_desk
from tests.report.conftest import open_views

HOSTILE = [
    "<script>alert(1)</script>",
    "]]> & \x00 \ud83c\udf89".encode("utf-16", "surrogatepass").decode("utf-16"),
    "<b>bold</b>",
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def loan():
    return loan_desk(300)


@pytest.fixture(scope="module")
def report(loan, tmp_path_factory):
    path = tmp_path_factory.mktemp("pictures") / "report.html"
    write_report(loan, path, title="loan_desk.xes.gz")
    return path


def eventually(holds, seconds=5):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def saved(page, button):
    with page.expect_download() as file:
        button.click()
    return file.value.suggested_filename, file.value.path().read_bytes()


def test_the_filter_leaves_rare_labels_out_of_every_picture(open_page, report, loan):
    page = open_views(open_page(report))
    sliders = page.locator(".least-cases")
    assert sliders.count() == 3  # flow, map, time
    sliders.nth(1).focus()
    page.keyboard.press("End")
    steps = {slider.input_value() for slider in sliders.all()}
    assert len(steps) == 1
    said = page.locator("#map-least-cases-said").inner_text()
    least = int(said.removeprefix("In at least ").split()[0].replace(",", ""))
    kept = int((loan.activity_cases >= least).sum())
    assert f"{kept} of {len(loan.activities)} labels" in said
    assert 2 <= kept < len(loan.activities)
    assert page.locator(".dot:not(.left-out)").count() == kept
    eventually(lambda: f"Left out: {len(loan.activities) - kept} labels" in page.locator("#flows").inner_text())
    page.locator("#map-least-cases").focus()
    page.keyboard.press("Home")
    assert page.locator(".dot:not(.left-out)").count() == len(loan.activities)


def test_the_time_view_is_read_cell_by_cell_and_selects_a_label(open_page, report, loan):
    page = open_page(report)
    stage = page.locator(".time-stage")
    stage.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    row = page.locator("#time .read .label").inner_text()
    first_days = [loan.timestamps[loan.codes == code].min().astype("datetime64[D]") for code in range(len(loan.activities))]
    assert first_days[loan.activities.index(row)] == max(first_days)  # the last row
    page.keyboard.press("Enter")
    assert page.locator("#panel-title").inner_text() == row
    page.keyboard.press("Escape")
    page.locator("#time-order").select_option("frequency")
    box = stage.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 30)
    assert page.locator("#time .read .label").inner_text() == loan.activities[int(loan.activity_counts.argmax())]
    assert "of its" in page.locator("#time .read").inner_text()


def test_a_dot_of_the_map_says_its_group_and_its_nearest_label(open_page, report):
    page = open_views(open_page(report))
    page.locator(".dot.grouped").last.hover(force=True)
    tip = page.locator("#tip").inner_text().split()
    assert re.fullmatch(r"Check .+ events in .+ cases in group \d+, of \d+ nearest to Check .+ likely one step\)", " ".join(tip))


def test_paper_has_every_row_of_the_time_view(open_page, report, loan):
    page = open_page(report)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    stage = page.locator(".time-stage")
    assert stage.evaluate("e => e.scrollHeight - e.clientHeight") <= 0
    assert page.locator(".time-row").count() == len(loan.activities)
    head = page.locator(".time-head")
    assert head.evaluate("e => getComputedStyle(e).display") == "table-header-group"  # dates, on each page
    assert head.locator("text").count() > 2


def test_every_picture_is_saved_as_svg_and_png(open_page, report):
    page = open_views(open_page(report, color_scheme="dark"))
    names = set()
    for figure in page.locator(".picture-files").all():
        svg, png = figure.locator(".picture-file").all()
        name, content = saved(page, svg)
        names.add(name)
        picture = ElementTree.fromstring(content)
        assert not [part for part in picture.iter() if {"class", "style", "onclick"} & set(part.attrib)]
        assert b"var(" not in content
        assert sum(1 for part in picture.iter() if part.tag != f"{SVG}title") > 20
        if name == "loan_desk-map.svg":  # a PNG takes a second
            name, content = saved(page, png)
            assert content.startswith(b"\x89PNG")
            assert name == "loan_desk-map.png"
            assert struct.unpack(">II", content[16:24]) == tuple(2 * float(picture.get(side)) for side in ("width", "height"))
    pictures = ["flow-before", "flow-after", "map", "time"]
    assert names == {f"loan_desk-{picture}.svg" for picture in pictures}


def test_hostile_labels_are_text_in_saved_pictures_and_a_log_without_times_says_so(open_page):
    page = open_views(open_page(EventLog.from_traces([[*HOSTILE, "x" * 300]] * 6), title="../<b>.csv"))
    assert "no timestamps" in page.locator("#time").inner_text()
    for button in page.locator(".picture-file", has_text="SVG").all():
        name, content = saved(page, button)
        assert not {"/", "<", ">"} & set(name)
        picture = ElementTree.fromstring(content)
        assert {part.tag for part in picture.iter()} <= {
            f"{SVG}{tag}" for tag in ["svg", "g", "title", "rect", "path", "text", "line", "circle", "image"]
        }


def test_pictures_fit_a_phone(open_page, report):
    page = open_views(open_page(report, width=390, height=844, color_scheme="dark"))
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    assert page.locator(".time-stage").bounding_box()["width"] <= 390
