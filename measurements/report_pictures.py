"""The pictures of docs/report.md and docs/report_pictures.md: the views of the report's page, in Chromium. Needs real logs.

python measurements/report_pictures.py docs/pictures                    # all
python measurements/report_pictures.py docs/pictures time permit_map    # some
python measurements/report_pictures.py FOLDER --of report.html          # every section of a report: light, dark, and on a phone

The reports are kept in the folder measurements/out/reports, and not written again if they are there.
"""

import math
import shutil
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from measurements.report_logs import SECOND_NAMES, report_file  # noqa: E402
from tests.report.conftest import BROWSERS, FLAGS  # noqa: E402

REPORTS = ROOT / "measurements" / "out" / "reports"
MOST_BYTES = 150_000  # of a picture
TALLEST = {
    "proposals": 900,
    "permit_proposals": 900,
    "bpic15_proposals": 900,
    "odd": 1000,
    "permit_flow": 1000,
    "bpic15_flow": 1000,
}  # pixels; cut
SELECT = "document.querySelector('.dot[data-activity=\"{}\"]').dispatchEvent(new MouseEvent('click', {{ detail: 1 }}));"
FIRST = "document.querySelector('.card .activity, #answer-lead .activity').click();"
COMPARE = "document.querySelector('.compare-open button').click();"
FOLDED = "document.querySelector('.fold-group').click();"
MOVE = "document.querySelector('.move').click();"
# name, log, width, height, light or dark, the part of the page (none: the screen), what to do first, and at which part the screen begins
PICTURES = [
    ("answer", "loan desk", 1280, 860, "light", None, "", None),
    ("proposals", "loan desk", 1280, 800, "light", "#proposals", "", None),
    ("move", "loan desk", 1280, 760, "light", None, MOVE, "proposals"),
    ("flow", "loan desk", 1280, 800, "light", "#flow", "", None),
    ("map", "loan desk", 1400, 830, "dark", None, SELECT.format(15), "map"),
    ("compare", "loan desk", 1280, 900, "light", None, SELECT.format(19) + COMPARE, None),
    ("matrix", "loan desk", 1280, 800, "light", "#matrix", "", None),
    ("matrix_folded", "loan desk", 1280, 800, "light", "#matrix", FOLDED, None),
    ("time", "loan desk", 1280, 800, "light", "#time", "", None),
    ("odd", "PermitLog", 1280, 900, "light", "#odd", "", None),
    ("positions", "loan desk", 1280, 800, "dark", "#positions", SELECT.format(20), None),
    ("frequencies", "loan desk", 1280, 800, "light", "#frequencies", "", None),
    ("phone", "loan desk", 390, 844, "light", None, "", None),
    ("phone_panel", "loan desk", 390, 844, "dark", None, SELECT.format(15), "map"),
    *[
        (f"{short}_{view}", log, width, 760, scheme, part, first, None)
        for log, short, width in (
            ("Helpdesk", "helpdesk", 1100),
            ("PermitLog", "permit", 1100),
            ("BPIC15_1", "bpic15", 1100),
            ("2,000 labels", "users", 800),  # a matrix of a million cells does not compress well
        )
        for view, scheme, part, first in (
            ("answer", "light", None, ""),
            ("proposals", "light", "#proposals", ""),
            ("flow", "light", "#flow", ""),
            ("map", "light", "#map", ""),
            ("matrix", "light", "#matrix", ""),
            ("time", "dark", "#time", ""),
            ("positions", "light", "#positions", ""),
            ("frequencies", "light", "#frequencies", ""),
            ("compare", "dark", None, FIRST + COMPARE),
        )
    ],
]


SECTIONS = ("answer", "proposals", "flow", "map", "matrix", "time", "odd", "positions", "frequencies")
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


def report_of(log):
    """Write the report of a log with the command, and return its path."""
    page = REPORTS / f"{log.replace(' ', '_').replace(',', '')}.html"
    if not page.exists():
        REPORTS.mkdir(parents=True, exist_ok=True)
        file = report_file(log, REPORTS)
        names = ["--name", SECOND_NAMES[log]] if log in SECOND_NAMES else []
        command = [sys.executable, "-m", "actalike", "report", file.name, *names, "-o", str(page)]
        subprocess.run(command, cwd=file.parent, check=True)
    return page


def reduce_colours(path):
    """Make a picture's file small, with as many colours as it may have: with few, those of the groups run into each other."""
    picture = Image.open(path).convert("RGB")
    for colours in (256, 128, 64):
        picture.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= MOST_BYTES:
            return
    sys.exit(f"{path} has {path.stat().st_size:,} bytes, and may have {MOST_BYTES:,}")


def main(folder, names):
    folder.mkdir(parents=True, exist_ok=True)
    chromium = next(path for name in BROWSERS if (path := shutil.which(name)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        for name, log, width, height, scheme, part, first, begin in PICTURES:
            if names and name not in names:
                continue
            options = {"color_scheme": scheme, "reduced_motion": "reduce"}
            context = browser.new_context(viewport={"width": width, "height": height}, **options)
            page = context.new_page()
            page.goto(report_of(log).as_uri())
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
                clip = {
                    "x": box["x"] - 24,
                    "y": top,
                    "width": box["width"] + 48,
                    "height": min(box["height"] + 10, TALLEST.get(name, math.inf)),
                }
                page.screenshot(path=target, clip=clip, full_page=True)
            else:
                page.screenshot(path=target)
            context.close()
            reduce_colours(target)
            print(f"{target}: {target.stat().st_size / 1000:.0f} kB", flush=True)
        browser.close()


if __name__ == "__main__":
    folder, *rest = [*sys.argv[1:], *["docs/pictures"] * (len(sys.argv) == 1)]
    if rest[:1] == ["--of"]:
        every_section(Path(folder), Path(rest[1]))
    else:
        main(Path(folder), rest)
