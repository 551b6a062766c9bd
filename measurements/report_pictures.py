"""The pictures of docs/report.md: each view of the report's page, of the loan desk and of BPIC15_1 (which it needs), in Chromium.

python measurements/report_pictures.py docs/pictures               # all
python measurements/report_pictures.py docs/pictures time matrix   # some
python measurements/report_pictures.py FOLDER --of report.html     # every section of a report: light, dark, and on a phone
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from actalike import datasets, write_report  # noqa: E402
from actalike.demo.loan_desk import loan_desk  # noqa: E402
from tests.report.conftest import BROWSERS, FLAGS  # noqa: E402

LOGS = Path(os.environ.get("ACTALIKE_LOGS", ROOT.parent / "shared" / "event_logs"))
SELECT = "document.querySelector('.dot[data-activity=\"{}\"]').dispatchEvent(new MouseEvent('click', {{ detail: 1 }}));"
COMPARE = "document.querySelector('.compare-open button').click();"
# name, log, width, height, light or dark, the part of the page (none: the screen), what to do first, and at which part the screen begins
PICTURES = [
    ("answer", "loan", 1280, 800, "light", None, "", None),
    ("proposals", "loan", 1280, 800, "light", "#proposals", "", None),
    ("flow", "loan", 1280, 800, "light", "#flow", "", None),
    ("map", "loan", 1400, 830, "dark", None, SELECT.format(15), "map"),
    ("compare", "loan", 1280, 900, "light", None, SELECT.format(19) + COMPARE, None),
    ("matrix", "loan", 1280, 800, "light", "#matrix", "", None),
    ("matrix_folded", "loan", 1280, 800, "light", "#matrix", "document.querySelector('.fold-group').click();", None),
    ("time", "loan", 1280, 800, "light", "#time", "", None),
    ("positions", "loan", 1280, 800, "dark", "#positions", SELECT.format(20), None),
    ("frequencies", "loan", 1280, 800, "light", "#frequencies", "", None),
    ("phone", "loan", 390, 844, "light", None, "", None),
    ("phone_panel", "loan", 390, 844, "dark", None, SELECT.format(15), "map"),
    ("bpic15_answer", "BPIC15_1", 1280, 800, "dark", None, "", None),
    ("bpic15_map", "BPIC15_1", 1280, 800, "light", "#map", "", None),
    ("bpic15_time", "BPIC15_1", 1280, 800, "dark", "#time", "", None),
    ("bpic15_matrix", "BPIC15_1", 1280, 800, "light", "#matrix", "", None),
]


SECTIONS = ("answer", "proposals", "flow", "map", "matrix", "time", "positions", "frequencies")
LOOKS = {"light": (1280, 900, "light"), "dark": (1280, 900, "dark"), "phone": (390, 844, "light")}


def every_section(folder, report):
    """Save each section of a report in each look."""
    folder.mkdir(parents=True, exist_ok=True)
    chromium = next(path for name in BROWSERS if (path := shutil.which(name)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        for look, (width, height, scheme) in LOOKS.items():
            options = {"color_scheme": scheme, "reduced_motion": "reduce"}
            page = browser.new_context(viewport={"width": width, "height": height}, **options).new_page()
            page.goto(report.resolve().as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            page.evaluate("document.querySelector('.bar').style.position = 'static'")
            for section in SECTIONS:
                target = folder / f"{report.stem}_{section}_{look}.png"
                page.locator(f"#{section}").screenshot(path=target)
                print(target)
        browser.close()


def main(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    chromium = next(path for name in BROWSERS if (path := shutil.which(name)))
    with sync_playwright() as driver, tempfile.TemporaryDirectory() as pages:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, log, width, height, scheme, part, first, begin in PICTURES:
            page_file = Path(pages) / f"{log}.html"
            if names and name not in names:
                continue
            if not page_file.exists():
                read, title = (
                    (loan_desk(), "loan_desk.xes.gz")
                    if log == "loan"
                    else (datasets.load(log, LOGS, attributes="people"), f"{log}.xes.gz")
                )
                write_report(read, page_file, title=title)
            options = {"color_scheme": scheme, "reduced_motion": "reduce", "device_scale_factor": 2 if width < 500 else 1}
            page = browser.new_context(viewport={"width": width, "height": height}, **options).new_page()
            page.goto(page_file.as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            page.evaluate(f"{{ {first} }}")
            if begin:
                page.evaluate(f"document.getElementById('{begin}').scrollIntoView()")
            if part:
                page.evaluate("document.querySelector('.bar').style.position = 'static'")
                page.evaluate("document.getElementById('panel').style.display = 'none'")
                page.evaluate("document.body.classList.remove('with-panel')")
            page.wait_for_timeout(500)
            target = folder / f"report_{name}.png"
            box = page.locator(part).bounding_box() if part else None
            if box:
                top = box["y"] + page.evaluate("scrollY") + 10
                clip = {"x": box["x"] - 24, "y": top, "width": box["width"] + 48, "height": box["height"] + 10}
                page.screenshot(path=target, clip=clip, full_page=True)
            else:
                page.screenshot(path=target)
            Image.open(target).convert("RGB").quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
                target, optimize=True
            )
            print(f"{target}: {target.stat().st_size / 1000:.0f} kB")
        browser.close()


if __name__ == "__main__":
    folder, *rest = [*sys.argv[1:], *["docs/pictures"] * (len(sys.argv) == 1)]
    if rest[:1] == ["--of"]:
        every_section(Path(folder), Path(rest[1]))
    else:
        main(Path(folder), rest)
