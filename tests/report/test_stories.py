"""An analyst's whole session: from a file to a log with fewer labels. By keyboard alone, on a phone, and with a mouse."""

import re
import shlex
from datetime import datetime
from random import Random

import polars as pl
import pytest

from actalike import compare, read_decisions, read_log, relabel, write_decisions, write_log
from tests.helpers.commands import ok
from tests.helpers.examples import LONG
from tests.helpers.hands import Finger, Keyboard, Mouse, exactly
from tests.report.conftest import show

COLUMNS = {"case": "Vorgang", "activity": "Schritt (Text)", "timestamp": "Zeit"}
PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}
STORIES = {
    "keyboard": (Keyboard, {}, "my orders.csv", COLUMNS | {"separator": ";"}),
    "phone": (Finger, PHONE, "orders of 'March'.xes.gz", {}),
}
if LONG:  # a mouse does nothing here that a finger does not, and other tests use one
    STORIES["desktop"] = (Mouse, {}, "orders.parquet", COLUMNS)


def write_orders(path):
    """Write a log of orders in which two steps have two labels each."""
    chance = Random(1)
    events = [
        (datetime(2024, 3, case % 28 + 1, 10, minute), case, step, f"V{case}")
        for case in range(60)
        for minute, step in enumerate(
            ["Register", chance.choice(["Check", "Verify"]), chance.choice(["Pay out", "Transfer"]), "Close"]
        )
    ]
    frame = pl.DataFrame(events, ["Zeit", "Betrag", "Schritt (Text)", "Vorgang"], orient="row")
    if path.suffix == ".csv":
        frame.write_csv(path, separator=";", datetime_format="%Y-%m-%d %H:%M:%S")
    elif path.suffix == ".parquet":
        frame.write_parquet(path)
    else:
        write_log(read_log(frame, **COLUMNS), path)


def holding(page, label):
    """The listed group that holds a label."""
    return page.locator("#proposal-list .proposal", has=page.locator(".member:not(.out) .label", has_text=exactly(label)))


def members(item):
    return item.locator(".member:not(.out) .label").all_text_contents()


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


@pytest.mark.parametrize("kind", [pytest.param("keyboard", marks=pytest.mark.campaign), *list(STORIES)[1:]])
def test_an_analyst_decides_and_the_log_is_as_decided(window, tmp_path, monkeypatch, kind):
    hands_of, look, file, columns = STORIES[kind]
    options = [f"--{name}={value}" for name, value in columns.items()]
    monkeypatch.chdir(tmp_path)
    write_orders(tmp_path / file)
    log = read_log(file, **columns)
    ok("report", file, "-o", "first.html", *options)
    page = window(tmp_path / "first.html", **look)
    hands = hands_of(page)

    def button(name, where=None):
        return (where or page).get_by_role("button", name=name, exact=where is None)

    def save(path, by=Mouse):  # the way there by keyboard is long, and gone once
        with page.expect_download() as waiting:
            by(page).press(button("Save decisions"))
        waiting.value.save_as(path)
        return read_decisions(path)

    # open, and compare two labels
    assert page.locator("h1").inner_text() == "6 activities: 2 groups of labels to decide about"
    hands.write(page.get_by_role("combobox", name="Find an activity"), "verif")
    hands.pick(page.get_by_role("option").first)
    assert page.locator("#panel-title").inner_text() == "Verify"
    hands.write(page.locator(".compare-with input"), "che")
    hands.press(page.locator(".compare-with button"))
    comparison = compare(log, "Verify", "Check")
    dialog = page.get_by_role("dialog", name="Comparison")
    for side, uses in zip(dialog.locator(".compare-head").all(), (comparison.a, comparison.b), strict=True):
        assert f"{uses.events} events, {uses.events} cases" in side.inner_text()
    after = dialog.locator(".compare-part", has=page.get_by_role("heading", name="Directly after")).locator("tbody tr")
    counts = [[int(count) for count in re.findall(r"\((\d+)\)", row)] for row in after.all_inner_texts()]
    assert counts == [[context.count_a, context.count_b] for context in comparison.after]
    assert "never in the same case" in dialog.inner_text()
    hands.press(button("Close the comparison"))
    hands.press(button("Close the panel"))

    # reject what is proposed about payments, and make a group by hand
    payments = holding(page, "Transfer")
    assert sorted(members(payments)) == ["Pay out", "Transfer"]
    hands.press(button("Reject", payments))
    assert "rejected by you" in payments.inner_text()
    hands.press(button("New group"))
    for text in ("regist", "clos"):
        hands.write(page.get_by_label("Find a label"), text)
        hands.pick(page.locator(".pick").first)
    hands.press(button("Done"))
    made = page.locator(".proposal").first
    assert members(made) == ["Register", "Close"]
    assert "made by hand" in made.inner_text()

    # rename, note, move
    hands.write(made.locator(".step-name"), 'Frame; "start"')
    hands.press(button("Note on group", made))
    hands.write(made.locator("textarea"), "Ask Sue:\nboth?")
    hands.press(button("Move Close to another group", made))
    hands.press(page.locator(".pick", has_text=re.compile("Group [0-9]: (Check|Verify)")))
    checks = holding(page, "Close")
    assert sorted(members(checks)) == ["Check", "Close", "Verify"]
    hands.press(button("Accept", checks))
    hands.press(button("Note on the whole log"))
    hands.write(page.locator("#log-note textarea"), "Round 1.")
    assert page.locator("h1").inner_text() == "6 activities, 4 steps: 1 group of synonymous labels, 1 label renamed"

    # undo and redo, by buttons and keys; letters of a text go together
    hands.press(button("Undo"))
    assert page.locator("#log-note textarea").input_value() == ""
    page.keyboard.press("Control+z")
    assert "undecided" in checks.inner_text()
    page.keyboard.press("Control+Shift+z")
    assert "accepted by you" in checks.inner_text()
    page.keyboard.press("Control+y")
    assert page.locator("#log-note textarea").input_value() == "Round 1."
    assert button("Redo").is_disabled()

    # a reload loses nothing
    before = save(tmp_path / "before.json", hands_of)
    show(page)
    decisions = save(tmp_path / "decisions.json")
    assert (tmp_path / "decisions.json").read_bytes() == (tmp_path / "before.json").read_bytes()
    assert decisions == before
    assert (decisions.log_digest, decisions.log_name, decisions.note) == (log.digest, file, "Round 1.")
    assert page.locator(".proposal").first.locator("textarea").input_value() == "Ask Sue:\nboth?"
    write_decisions(decisions, tmp_path / "python.json")
    assert (tmp_path / "python.json").read_bytes() == (tmp_path / "decisions.json").read_bytes()
    assert overflow(page) == 0

    # a new report begins with them, also in another browser; the command is that of this log
    ok("report", file, "-o", "second.html", "--decisions", "decisions.json", *options)
    page = window(tmp_path / "second.html", permissions=["clipboard-read", "clipboard-write"], **look)
    hands = hands_of(page)
    assert save(tmp_path / "again.json").groups == decisions.groups
    hands.press(button("Copy"))
    page.locator("#relabelling .muted", has_text=re.compile("Copied|Selected")).wait_for()
    command = page.evaluate("getSelection().toString()").strip()
    assert command == page.locator("#relabel-command").inner_text()
    name, *words = shlex.split(command)
    assert name == "actalike"
    ok(*words)
    (simpler,) = tmp_path.glob("*-relabelled.*")
    traces = read_log(simpler, **columns).traces()
    mapping = {"Check": "Verify", "Close": "Verify", "Register": 'Frame; "start"'}
    assert traces == [[mapping.get(step, step) for step in trace] for trace in log.traces()]
    assert traces == relabel(log, decisions).traces()
    assert overflow(page) == 0
