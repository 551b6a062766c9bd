"""A working session on the page, as an analyst does it: decide, reload, save, load, relabel. In a real browser."""

import json
import re
import shlex
from random import Random

import pytest

from actalike import DecidedGroup, Decisions, EventLog, read_decisions, read_log, relabel, write_decisions, write_report
from tests.helpers.commands import ok

COLUMNS = ["--case=Vorgang", "--activity=Schritt (Text)", "--timestamp=Zeit", "--separator=;"]
STEPS = ["Register", "Check", "Verify", "Pay out", "Transfer", "Close"]


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
    page.goto(address) if address else page.reload()
    page.wait_for_selector("html[data-ready]", state="attached")
    return page


@pytest.fixture(scope="module")
def orders(tmp_path_factory):
    """A CSV with unusual columns, and a folder to work in."""
    folder = tmp_path_factory.mktemp("orders")
    chance = Random(1)
    rows = ["Zeit;Betrag;Schritt (Text);Vorgang"]
    for case in range(60):
        check, pay = chance.choice(["Check", "Verify"]), chance.choice(["Pay out", "Transfer"])
        for minute, step in enumerate(["Register", check, pay, "Close"]):
            rows.append(f"2024-03-{case % 28 + 1:02} 10:{minute:02}:00;{case};{step};V{case}")
    (folder / "my orders.csv").write_text("\n".join(rows) + "\n")
    return folder


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def members(item):
    return item.locator(".member:not(.out) .label").all_text_contents()


def holding(page, label):
    """The listed group that holds a label."""
    return page.locator(
        "#proposal-list .proposal", has=page.locator(".member:not(.out) .label", has_text=re.compile(f"^{label}$"))
    )


def saved(page, path):
    with page.expect_download() as waiting:
        press(page, "Save decisions")
    assert waiting.value.suggested_filename == "decisions.json"
    waiting.value.save_as(path)
    return read_decisions(path)


def test_the_story_of_a_log_that_becomes_simpler(window, orders, monkeypatch):
    monkeypatch.chdir(orders)
    ok("report", "my orders.csv", "-o", "first.html", *COLUMNS)
    page = window(orders / "first.html")
    log = read_log("my orders.csv", case="Vorgang", activity="Schritt (Text)", timestamp="Zeit", separator=";")

    # reject what is proposed about payments, and make a group by hand
    payments = holding(page, "Transfer")
    assert sorted(members(payments)) == ["Pay out", "Transfer"]
    payments.get_by_role("button", name="Reject").click()
    assert page.locator("#rejected-title").inner_text() == "Rejected (1)"
    press(page, "New group")
    page.keyboard.type("regist")
    page.keyboard.press("Enter")
    page.keyboard.type("clos")
    page.keyboard.press("Enter")
    press(page, "Done")
    made = page.locator(".proposal").first
    assert members(made) == ["Register", "Close"]
    assert "made by hand" in made.inner_text()

    # rename, move, note
    made.locator(".step-name").fill('Frame; "start"')
    made.get_by_role("button", name="Note on group").click()
    made.locator("textarea").fill("Asked Sue:\nboth are clicks.")
    made.get_by_role("button", name="Move Close to another group").click()
    page.locator(".pick", has_text=re.compile("Group [0-9]: (Check|Verify)")).click()
    checks = holding(page, "Close")
    assert sorted(members(checks)) == ["Check", "Close", "Verify"]
    checks.get_by_role("button", name="Accept").click()
    press(page, "Note on the whole log")
    page.locator("#log-note textarea").fill("First round.")

    # undo and redo, by buttons and keys; letters of a text go together
    assert page.locator("h1").inner_text() == "1 group of labels is accepted as one step, 1 label is renamed"
    page.locator("h1").click()
    page.keyboard.press("Control+z")
    assert page.locator("#log-note textarea").input_value() == ""
    page.keyboard.press("Control+z")
    assert "undecided" in checks.inner_text()
    for keys in ("Control+Shift+z", "Control+y"):
        page.keyboard.press(keys)
    assert page.locator("#log-note textarea").input_value() == "First round."
    assert page.locator("#redo").is_disabled()

    # a reload loses nothing
    before = saved(page, orders / "before.json")
    show(page)
    decisions = saved(page, orders / "decisions.json")
    assert decisions == before
    assert (orders / "decisions.json").read_bytes() == (orders / "before.json").read_bytes()
    assert (decisions.log_digest, decisions.log_name, decisions.note) == (log.digest, "my orders.csv", "First round.")
    assert page.locator(".proposal").first.locator("textarea").input_value() == "Asked Sue:\nboth are clicks."
    write_decisions(decisions, orders / "python.json")
    assert (orders / "python.json").read_bytes() == (orders / "decisions.json").read_bytes()

    # a new report begins with them, also in another browser; the command is that of this log
    ok("report", "my orders.csv", "-o", "second.html", "--decisions", "decisions.json", *COLUMNS)
    assert (orders / "python.json").read_bytes() == (orders / "decisions.json").read_bytes()
    page = window(orders / "second.html", permissions=["clipboard-read", "clipboard-write"])
    assert saved(page, orders / "again.json").groups == decisions.groups
    press(page, "Copy")
    page.locator("#relabelling .muted", has_text=re.compile("Copied|Selected")).wait_for()
    command = page.locator("#relabel-command").inner_text()
    assert page.evaluate("getSelection().toString()").strip() == command
    name, *words = shlex.split(command)
    assert name == "actalike"
    ok(*words)
    simpler = read_log("my orders-relabelled.csv", case="Vorgang", activity="Schritt (Text)", timestamp="Zeit", separator=";")
    mapping = {"Check": "Verify", "Close": "Verify", "Register": 'Frame; "start"'}
    assert simpler.traces() == [[mapping.get(step, step) for step in trace] for trace in log.traces()]
    assert simpler.traces() == relabel(log, decisions).traces()


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A log, and its report."""
    folder = tmp_path_factory.mktemp("small")
    chance = Random(2)
    log = EventLog.from_traces([["Register", chance.choice(["Check", "Verify"]), "Close"] for _ in range(60)])
    write_report(log, folder / "page.html", title="steps.csv")
    return log, folder


def test_files_from_elsewhere_are_loaded_or_refused_in_words(window, small):
    folder = small[1]
    page = window(folder / "page.html", viewport={"width": 390, "height": 844}, has_touch=True)
    assert page.locator("#relabel-command").inner_text() == 'actalike.relabel(log, actalike.read_decisions("decisions.json"))'
    one = DecidedGroup("One", ("Register", "Gone & <b>away</b>"), note="why", proposed=("x", "y"))
    write_decisions(Decisions((one,), log_name="other.csv"), folder / "other.json")
    page.locator("#load-file").set_input_files(folder / "other.json")
    notice = page.locator(".notice")
    notice.wait_for()
    assert "made for another log, or another state of it: other.csv" in notice.inner_text()
    assert "1 label is not on this page, and is kept: “Gone & <b>away</b>”" in notice.inner_text()
    assert "relabel refuses labels" in page.locator("#relabelling .caution").inner_text()
    assert one in saved(page, folder / "kept.json").groups
    notice.get_by_role("button", name="Close").click()
    broken = json.loads((folder / "other.json").read_text())
    (folder / "broken.json").write_text(json.dumps({**broken, "version": 9}))
    page.locator("#load-file").set_input_files(folder / "broken.json")
    notice.wait_for()
    assert (
        "broken.json was not loaded: it has version 9, and this page reads version 1. Nothing was changed." in notice.inner_text()
    )
    press(page, "Undo")
    assert one not in saved(page, folder / "kept.json").groups
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_the_browsers_decisions_and_the_pages_are_not_mixed_silently(window, small):
    log, folder = small
    first = window(folder / "page.html")
    first.get_by_role("button", name="Reject group 1").click()

    # another tab follows, and can undo
    second = window(folder / "page.html", like=first)
    assert second.locator("#rejected-title").inner_text() == "Rejected (1)"
    press(second, "New group")
    press(second, "Done")
    first.locator(".notice", has_text="changed in another tab").wait_for()
    assert first.locator(".proposal", has_text="made by hand").count() == 1
    second.close()

    # a page with decisions of its own asks
    group = DecidedGroup("Mine", ("Register", "Close"))
    write_report(log, folder / "mine.html", title="steps.csv", decisions=Decisions((group,), log_digest=log.digest))
    stored = first.evaluate("JSON.stringify(localStorage)")
    page = window(folder / "mine.html", like=first)
    page.locator(".notice", has_text="This browser has decisions of").wait_for()
    page.get_by_role("button", name="Reject group 1").click()
    assert page.evaluate("JSON.stringify(localStorage)") == stored
    press(page, "Use those of this browser")
    assert page.locator(".step-name").first.get_attribute("placeholder") == "(no name)"
    press(page, "Undo")
    assert page.locator(".step-name").first.input_value() == "Mine"
    show(page)  # now it knows the answer
    assert page.locator(".notice").count() == 0
    assert page.locator(".step-name").first.input_value() == "Mine"


def test_a_group_is_made_from_the_panel_by_keyboard_alone_and_printed_with_its_note(window, small):
    forbidden = "Object.defineProperty(window, 'localStorage', { get() { throw new Error('forbidden') } })"
    page = window(small[1] / "page.html", script=forbidden)
    page.keyboard.press("/")
    page.keyboard.type("close")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Put into a group …").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    made = page.locator(".proposal").first
    assert members(made) == ["Close"]
    made.get_by_role("button", name="Note on group").press("Enter")
    page.keyboard.type("Why not?")
    made.get_by_role("button", name="Accept").press(" ")
    assert made.get_by_role("button", name="Accept").get_attribute("aria-pressed") == "false"
    assert made.get_by_role("button", name="Accept").evaluate("element => element === document.activeElement")
    assert "undecided" in page.locator("#said").inner_text()
    assert page.locator(".notice").count() == 1  # said once, however much was decided
    assert "Save the decisions as a file" in page.locator(".notice").inner_text()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert page.locator(".proposal .note-printed", has_text="Why not?").is_visible()
    assert page.locator(".decision", has_text="undecided").first.is_visible()
    assert not page.locator("#toolbar").is_visible()
