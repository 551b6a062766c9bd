"""The pictures of docs/report.md: the views of the report's page, in Chromium. Needs real logs.

    python measurements/report_pictures.py docs/pictures                    # all
    python measurements/report_pictures.py docs/pictures time odd           # some

The reports are kept in the folder build/reports, and not written again if they are there.
"""

import math
import shutil
import subprocess
import sys
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright
from timing import LOGS

from actalike import write_log
from actalike.demo.loan_desk import loan_desk

REPORTS = Path(__file__).parents[1] / "build" / "reports"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FILES = {"PermitLog": "BPIC20_PermitLog.xes.gz"}
EXAMPLES = {"loan desk": ["--examples"], "PermitLog": ["--examples"]}  # where the pictures show cases
MOST_BYTES = 150_000  # of a picture
TALLEST = {"proposals": 900, "odd": 1000}  # pixels; cut
SELECT = "document.querySelector('.dot[data-activity=\"{}\"]').dispatchEvent(new MouseEvent('click', {{ detail: 1 }}));"
VIEWS = "document.getElementById('views').open = true;"
COMPARE = "document.querySelector('.compare-open button').click();"
# name, log, width, height, light or dark, the part of the page (none: the screen), what to do first, and at which part the screen begins
PICTURES = [
    ("answer", "loan desk", 1280, 860, "light", None, "", None),
    ("proposals", "loan desk", 1280, 800, "light", "#proposals", "", None),
    ("flow", "loan desk", 1280, 800, "light", "#flow", "", None),
    ("map", "loan desk", 1400, 830, "dark", None, SELECT.format(15), "map"),
    ("compare", "loan desk", 1280, 900, "light", None, SELECT.format(19) + COMPARE, None),
    ("time", "loan desk", 1280, 800, "light", "#time", "", None),
    ("odd", "PermitLog", 1280, 900, "light", "#odd", "", None),
]


def report_of(log):
    """Write the report of a log with the command, and return its path."""
    page = REPORTS / f"{log.replace(' ', '_')}.html"
    if not page.exists():
        REPORTS.mkdir(parents=True, exist_ok=True)
        file = LOGS / FILES[log] if log in FILES else REPORTS / "loan_desk.xes.gz"
        if log not in FILES and not file.exists():
            write_log(loan_desk(), file)
        command = [sys.executable, "-m", "actalike", "report", file.name, "-o", str(page), *EXAMPLES.get(log, [])]
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
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for name, log, width, height, scheme, part, first, begin in PICTURES:
            if names and name not in names:
                continue
            options = {"color_scheme": scheme, "reduced_motion": "reduce"}
            context = browser.new_context(viewport={"width": width, "height": height}, **options)
            page = context.new_page()
            page.goto(report_of(log).as_uri())
            page.wait_for_selector("html[data-ready]", state="attached")
            if "dot[" in first or part in ("#map", "#matrix", "#positions"):
                page.evaluate(f"{{ {VIEWS} }}")
                page.locator(".dot[cx]").first.wait_for(state="attached")
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
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(Path(sys.argv[1]), sys.argv[2:])
