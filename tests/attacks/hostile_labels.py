"""Labels that try to run as code, in a real browser: they are shown as text, and nothing runs.

Each label is in a log whose report is opened and clicked through: groups are made by hand, and named and noted with such labels, the
decisions are saved and loaded again. Titles and names of the benchmark page are attacked too. What runs would set a variable, open a dialog, write to the console, or ask the network for something.
"""

import itertools
import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from actalike import (
    EventLog,
    read_decisions,
    read_mapping,
    read_matching_decisions,
    write_log,
    write_matching_report,
    write_report,
)
from actalike.report.leaderboard_data import leaderboard_data
from actalike.report.single_file import single_file
from tests.attacks import Outcome
from tests.conftest import BROWSERS, FLAGS
from tests.helpers.commands import run

TITLE = "hostile labels in a browser"
LABELS_A_PAGE = 24

CODE = [
    "ran=1",
    "alert(1)",
    "console.log('ran')",
    "fetch('http://127.0.0.1:9/ran')",
    "import('http://127.0.0.1:9/ran')",
    "location='http://127.0.0.1:9/'",
]
PAYLOADS = [
    "<script>{}</script>", "</script><script>{}</script>", "</ScRiPt ><script>{}//", "<script/src=data:text/javascript,{}></script>", "<img src=x onerror={}>",
    '"><img src=x onerror="{}">', "'><svg/onload={}>", "<svg><script>{}</script></svg>", "<svg><animate onbegin={} attributeName=x dur=1s>",
    "<math><mtext></table><img src=x onerror={}>", "<iframe srcdoc='<script>parent.{}</script>'>", "<iframe src=javascript:{}>", "<a href=javascript:{}>x</a>",
    "javascript:{}", "<details open ontoggle={}>", "<body onload={}>", "<input autofocus onfocus={}>", "<video><source onerror={}>", "<style>@import 'http://127.0.0.1:9/'",
    "<style>*{{background:url(javascript:{})}}</style>", "<link rel=stylesheet href=data:,{}>", "<meta http-equiv=refresh content='0;url=javascript:{}'>", "<base href=//127.0.0.1:9/>",
    "<object data=javascript:{}>", "<embed src=javascript:{}>", "<form action=javascript:{}><button autofocus>", "<template><script>{}</script></template>",
    "<noscript><p title='</noscript><img src=x onerror={}>'>", "--><script>{}</script><!--", "<!--<script>{}</script>", "]]><script>{}</script>", '"}}]}}</script><script>{}</script>',
    "\\u003cscript\\u003e{}\\u003c/script\\u003e", "&lt;script&gt;{}&lt;/script&gt;", "&#60;script>{}</script>", "${{{}}}", "`${{{}}}`", "{{{{{}}}}}", "{{{{script}}}}", "{{{{data}}}}",
    "#{{{}}}", "<%= {} %>", "'+{}+'", '"+{}+"', "\\';{};//", "\u2028{}\u2029", "\n{}\n", "');{};('", "constructor.constructor('{}')()", "x' onmouseover='{}", 'x" onfocus="{}" autofocus="',
    "<div style=width:expression({})>", "<x onclick={} tabindex=1 id=search>", "<p id=data>[{}]</p>", "%3Cscript%3E{}%3C/script%3E", "+ADw-script+AD4-{}+ADw-/script+AD4-",
]  # fmt: skip
ODD = [
    "__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "valueOf", "then", "NaN", "undefined", "null", "[object Object]", "$&", "$1", "$`", "%s%n%x", "{0}", "{}", "%00",
    "\u202e drow", "\u2066\u202e", "\u200f", "\ufeff", "\x00", "\x01\x1b[31m", "\x1b]0;title\x07", "\x9b31m", "\x7f", "\r", "\t", "🎉", "a" * 3000, "<" * 500, "﷽" * 20, "e\u0301" * 50,
    "=cmd|' /C calc'!A0", "data:text/html,<script>ran=1</script>", "//127.0.0.1:9/", "0", "-1", "length", "\\", "\\\\\"'", "</title>", "</style>", "</textarea>", "<plaintext>", "<!doctype html>",
]  # fmt: skip


def missing() -> str | None:
    """Return why the attack cannot run here, None if it can."""
    if not any(map(shutil.which, BROWSERS)):
        return "Chromium is not installed: make browser"
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed: it is in the extra dev"
    return None


def attempts(random: Random, folder: Path) -> Iterator[Outcome]:
    """Open one page after the other; each label on a page is an attempt."""
    from playwright.sync_api import sync_playwright

    chromium = next(filter(None, map(shutil.which, BROWSERS)))
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        try:
            for number in itertools.count():
                labels = hostile_labels(random, LABELS_A_PAGE)
                make = (attack_report, attack_two_logs, attack_report, attack_leaderboard)[number % 4]
                context = browser.new_context(reduced_motion="reduce", accept_downloads=True)
                try:
                    yield from make(random, labels, folder, context.new_page())
                finally:
                    context.close()
        finally:
            browser.close()


def hostile_labels(random: Random, n: int) -> list[str]:
    """Return different labels that try to run, to break out of where they stand, or to be taken for something else."""
    labels: dict[str, None] = {}
    while len(labels) < n:
        kind = random.randrange(4)
        label = random.choice(ODD) if kind == 0 else random.choice(PAYLOADS).format(random.choice(CODE))
        if kind == 2:
            label = random.choice(ODD) + label + random.choice(ODD)
        elif kind == 3:
            at = random.randrange(len(label) + 1)
            label = random.choice(
                [
                    label[:at] + random.choice(ODD) + label[at:],
                    label[:at] * 2 + label[at:],
                    label.upper(),
                    label[at:] + label[:at],
                ]
            )
        labels[label] = None
    return list(labels)


def attack_report(random: Random, labels: list[str], folder: Path, page: Any) -> Iterator[Outcome]:
    """Open the report of a log with these labels, click through it, and judge each label."""
    path = folder / "report.html"
    path.unlink(missing_ok=True)
    traces = [random.sample(labels, len(labels)) for _ in range(10)] + [random.choices(labels, k=6) for _ in range(10)]
    traces += [labels] * 150 + [[*labels[:k], *labels[k + 1 :]] for k in range(1, len(labels) - 1)]  # these are odd
    title = random.choice(labels)
    (folder / "labels.json").write_text(json.dumps([title, *labels]))
    log = EventLog.from_traces(traces)
    ids = random.choices(labels, k=log.n_cases)
    write_report(EventLog(log.activities, log.codes, log.offsets, ids), path, "kin-w3", title, examples=True)
    watched = _Watched(page, path)
    page.evaluate("document.getElementById('views').open = true")
    page.locator(".dot[cx]").first.wait_for(state="attached")
    page.locator("#many summary").click()
    shown = []
    for i in range(len(labels)):
        page.evaluate(f"document.querySelector('.dot[data-activity=\"{i}\"]').dispatchEvent(new MouseEvent('click'))")
        shown.append(page.locator("#panel-title").text_content())
    for label in random.sample(labels, 3):
        page.fill("#search", label)
        page.press("#search", "Enter")
        page.fill("#odd-controls input", label)
    page.locator(".map-stage").focus()
    for key in ("ArrowRight", "ArrowDown", "Enter", "Escape"):
        page.keyboard.press(key)
    for slider in page.locator("input[type=range]").all():
        slider.press("End")
    wrong = _work(random, labels, folder, page)
    problems = watched.problems() + wrong
    for label in labels:
        if problems:
            yield Outcome("wrong", f"open report.html: {problems}")
        elif not _is_blank(label) and label not in shown:
            yield Outcome("wrong", f"open report.html: {label!r} is not shown as it is")
        else:
            yield Outcome("same")


def _is_blank(label: str) -> bool:
    """Return whether nothing of a label can be seen: the page then shows words instead of it (U+FEFF is a space to JavaScript)."""
    return not label.replace("\ufeff", " ").strip()


def _work(random: Random, labels: list[str], folder: Path, page: Any) -> list[str]:
    """Make a group by hand, name and note it with hostile labels, save, load and map; return what is not as it was decided."""
    name, note = random.choice(labels), random.choice(labels)
    page.get_by_role("button", name="New group", exact=True).click()
    for _ in range(3):
        page.locator(".pick").nth(random.randrange(3)).click()
    page.get_by_role("button", name="Done", exact=True).click()
    item = page.locator(".proposal").first
    members = item.locator(".member .label").all_text_contents()
    item.locator(".step-name").fill(name)
    item.get_by_role("button", name="Note on group").click()
    item.locator("textarea").fill(note)
    item.get_by_role("button", name="Reject").click()
    page.keyboard.press("Control+z")
    saved = _download(page, "#save", folder / "decisions.json")
    made = read_decisions(saved).groups[-1]
    problems = []
    if _seen(made.name) != _seen(name) and _seen(name):
        problems.append(f"the name {name!r} was saved as {made.name!r}")
    if made.note != note.replace("\r\n", "\n").replace("\r", "\n"):
        problems.append(f"the note {note!r} was saved as {made.note!r}")
    if len(made.activities) != len(members) or not set(made.activities) <= set(labels):
        problems.append(f"the group has other labels: {made.activities}")
    page.locator("#load-file").set_input_files(saved)
    page.locator(".notice", has_text="decisions.json was loaded").wait_for(timeout=20_000)
    again = read_decisions(_download(page, "#save", folder / "again.json")).groups[-1]
    if again != made:
        problems.append(f"{made} was loaded as {again}")
    mapping = read_mapping(_download(page, "#download", folder / "mapping.csv"))
    if set(mapping) != set(labels) or any(mapping[label] != made.name for label in made.activities):
        problems.append(f"the mapping is not that of the decisions: {mapping}")
    return problems


def _seen(text: str) -> str:
    """Return a text as a field of one line holds it, without what is blank at its ends."""
    return text.replace("\r", "").replace("\n", "").strip(" \t\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029\ufeff")


def _download(page: Any, button: str, path: Path) -> Path:
    """Save what a button gives for download."""
    with page.expect_download(timeout=20_000) as waiting:
        page.locator(button).click()
    path.unlink(missing_ok=True)
    waiting.value.save_as(path)
    return path


def attack_two_logs(random: Random, labels: list[str], folder: Path, page: Any) -> Iterator[Outcome]:
    """Open the page of two logs with these labels, decide, note, save and load, and judge each label."""
    path = folder / "two.html"
    path.unlink(missing_ok=True)
    half = len(labels) // 2
    logs = [
        EventLog.from_traces([random.sample(some, len(some)) for _ in range(10)] + [random.choices(some, k=6) for _ in range(10)])
        for some in (labels[:half], labels[half:])
    ]
    names = random.choice(labels), random.choice(labels)
    (folder / "labels.json").write_text(json.dumps([*names, *labels]))
    write_matching_report(*logs, path, names, at_least=0.001)
    watched = _Watched(page, path)
    wrong = _decide_pairs(random, labels, folder, page)
    for element in page.locator("details > summary").all():
        element.evaluate("summary => { summary.parentElement.open = true; }")
    for slider in page.locator("input[type=range]").all():
        slider.press("End")
        slider.press("Home")
    shown = page.evaluate("[...document.querySelectorAll('.step-label .label')].map((e) => e.title || e.textContent)")
    problems = watched.problems() + wrong
    for label in labels:
        if problems:
            yield Outcome("wrong", f"open two.html: {problems}")
        elif not _is_blank(label) and label not in shown:
            yield Outcome("wrong", f"open two.html: {label!r} is not shown as it is")
        else:
            yield Outcome("same")


def _decide_pairs(random: Random, labels: list[str], folder: Path, page: Any) -> list[str]:
    """Choose a partner by hand, note it with a hostile label, save and load; return what is not as it was decided."""
    note = random.choice(labels)
    page.locator("#alone-a summary, .step button[aria-expanded]").first.click()
    page.get_by_role("button", name=re.compile("^(Find a|Another) partner")).first.click()
    page.locator(".pick").nth(random.randrange(1, 4)).click()
    saved = _download(page, "#save", folder / "decisions.json")
    made = [pair for pair in read_matching_decisions(saved).pairs if pair.by == "person" and pair.decision == "accepted"]
    if len(made) != 1 or not {made[0].a, made[0].b} <= set(labels):
        return [f"the pair that was chosen was saved as {made}"]
    page.get_by_role("button", name="Note on both logs", exact=True).click()
    page.locator("#log-note textarea").fill(note)
    saved = _download(page, "#save", folder / "decisions.json")
    page.locator("#load-file").set_input_files(saved)
    page.locator(".notice", has_text="decisions.json was loaded").wait_for(timeout=20_000)
    decided, again = (read_matching_decisions(one) for one in (saved, _download(page, "#save", folder / "again.json")))
    problems = (
        [] if decided.note == note.replace("\r\n", "\n").replace("\r", "\n") else [f"the note {note!r} is {decided.note!r}"]
    )
    return problems if decided == again else [*problems, f"{decided} was loaded as {again}"]


def attack_leaderboard(random: Random, labels: list[str], folder: Path, page: Any) -> Iterator[Outcome]:
    """Open the benchmark page with hostile names of logs, methods and errors; each name is an attempt."""
    data = json.loads(json.dumps(_results(folder)))
    names = dict(zip(("victim", "one-hot", "raw"), labels, strict=False))
    text = json.dumps(data)
    for old, new in names.items():
        text = text.replace(old, json.dumps(new)[1:-1])
    path = folder / "leaderboard.html"
    (folder / "labels.json").write_text(json.dumps(labels))
    content = single_file(
        "benchmark/page.html", ["shared/page.css", "benchmark/page.css"], "benchmark/main.js", json.loads(text), labels[3]
    )
    path.write_text(content, encoding="utf-8", newline="")
    watched = _Watched(page, path)
    page.evaluate("for (const element of document.querySelectorAll('details')) element.open = true")
    for place in page.locator("#board .method").all()[:2]:
        place.click()
    problems = watched.problems()
    everything = page.evaluate("document.documentElement.textContent") or ""
    for label in (*names.values(), labels[3]):
        if problems:
            yield Outcome("wrong", f"open leaderboard.html: {problems}")
        elif not _is_blank(label) and label not in everything:
            yield Outcome("wrong", f"open leaderboard.html: {label!r} is not shown as it is")
        else:
            yield Outcome("same")


def _results(folder: Path) -> dict[str, Any]:
    """Return the data of a benchmark page with the log "victim", computed once."""
    results = folder / "results"
    if not results.exists():
        write_log(EventLog.from_traces([list("abcabd"), list("bcad"), list("dcba")] * 9), folder / "victim.csv")
        words = (
            "--logs",
            folder / "victim.csv",
            "--methods",
            "one-hot",
            "aa-sequence-raw-w3",
            "--r",
            "2",
            "--w",
            "2",
            "--samples",
            "1",
        )
        run("benchmark", "intrinsic", *words, "--out", results)
    return leaderboard_data([results])


class _Watched:
    """A page, and everything on it that a label should not be able to cause."""

    def __init__(self, page: Any, path: Path) -> None:
        self._page = page
        self._seen: list[str] = []
        page.on("console", lambda message: self._seen.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: self._seen.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (self._seen.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("popup", lambda popup: self._seen.append(f"window: {popup.url}"))
        page.on(
            "request", lambda request: self._seen.append(f"request: {request.url}") if not self._own(request.url, path) else None
        )
        page.goto(path.as_uri())
        page.wait_for_selector("html[data-ready]", state="attached", timeout=20_000)

    @staticmethod
    def _own(address: str, path: Path) -> bool:
        return address.partition("#")[0] == path.as_uri() or address.startswith("blob:")

    def problems(self) -> list[str]:
        """Return what was seen until now, and what the document must not hold."""
        self._page.wait_for_timeout(50)
        found = self._page.evaluate(
            """() => [
                window.ran !== undefined && "the variable is set",
                ({}).ran !== undefined && "a prototype is changed",
                document.scripts.length !== 2 && `${document.scripts.length} scripts`,
                document.querySelector("img, iframe, object, embed, base, form, video, audio, math, template, meta[http-equiv=refresh], link[rel=stylesheet]") && "an element of a label",
                [...document.querySelectorAll("*")].some((e) => [...e.attributes].some((a) => a.name.startsWith("on"))) && "a handler",
                [...document.querySelectorAll("a[href]")].some((e) => !/^(#|https:|blob:|file:)/.test(e.getAttribute("href"))) && "a link",
            ].filter(Boolean)"""
        )
        return self._seen + found
