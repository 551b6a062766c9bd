"""What may disturb a working session on the page: other files, other tabs, a forbidden storage, paper. In a real browser.

test_stories.py has the session itself.
"""

import json
from random import Random

import pytest

from actalike import (
    DecidedGroup,
    Decisions,
    EventLog,
    group,
    read_decisions,
    relabel,
    write_decisions,
    write_mapping,
    write_report,
)
from actalike.labels.mapping import mapping_of
from tests.report.conftest import show


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def members(item):
    return item.locator(".member:not(.out) .label").all_text_contents()


def saved(page, path):
    with page.expect_download() as waiting:
        press(page, "Save decisions")
    assert waiting.value.suggested_filename == "decisions.json"
    waiting.value.save_as(path)
    return read_decisions(path)


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
    page = window(folder / "page.html", width=390, height=844, has_touch=True)
    assert page.locator("#relabel-command").inner_text() == 'actalike.relabel(log, actalike.read_decisions("decisions.json"))'
    one = DecidedGroup("One", ("Register", "Gone & <b>away</b>"), note="why", proposed=("x", "y"))
    write_decisions(Decisions((one,), log_digest="0", log_name="other.csv", at_least=0.97), folder / "other.json")
    page.locator("#many summary").click()
    page.locator("#load-file").set_input_files(folder / "other.json")
    notice = page.locator(".notice")
    notice.wait_for()
    assert "made for another log, or another state of it: other.csv" in notice.inner_text()
    assert "1 label is not on this page, and is kept: “Gone & <b>away</b>”" in notice.inner_text()
    assert "2 proposals of this report were not in the file." in notice.inner_text()
    assert page.locator("#sureness-slider").input_value() == "0.97"
    assert "relabel rejects" in page.locator("#relabelling .caution").inner_text()
    kept = saved(page, folder / "kept.json")
    assert one in kept.groups
    assert kept.at_least == 0.97
    notice.get_by_role("button", name="Close").click()
    broken = json.loads((folder / "other.json").read_text())
    (folder / "broken.json").write_text(json.dumps({**broken, "version": 9}))
    page.locator("#load-file").set_input_files(folder / "broken.json")
    notice.wait_for()
    assert (
        "broken.json was not loaded: it has version 9, and this page reads versions up to 2. Nothing was changed."
        in notice.inner_text()
    )
    notice.get_by_role("button", name="Close").click()
    page.locator("#load-file").set_input_files(folder / "kept.json")
    notice.wait_for()
    assert "not in the file" not in notice.inner_text()  # now it is
    press(page, "Undo")
    press(page, "Undo")
    assert page.locator("#sureness-slider").input_value() == "0.5"
    assert one not in saved(page, folder / "kept.json").groups
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0


def test_two_tabs_follow_each_other_and_the_last_one_wins(window, small):
    folder = small[1]
    first = window(folder / "page.html")
    first.get_by_role("button", name="Reject group 1").click()
    second = window(folder / "page.html", like=first)
    assert second.locator("#proposal-list").get_by_text("rejected by you").count() == 1
    press(second, "New group")
    second.locator(".pick").first.click()
    press(second, "Done")
    first.locator(".notice", has_text="changed in another tab").wait_for()
    assert first.locator(".proposal", has_text="made by hand").count() == 1
    press(first, "Undo")
    assert first.locator(".proposal", has_text="made by hand").count() == 0
    second.close()

    # a tab that another one has overtaken unseen: its own version counts, the other is one Undo away
    key, text = next(iter(first.evaluate("({ ...localStorage })").items()))
    others = text.replace('"decision":"rejected"', '"decision":"accepted"')
    assert others != text
    first.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, others])
    first.get_by_role("button", name="Note on group 1").click()
    first.locator("#proposal-0 textarea").fill("mine")
    notice = first.locator(".notice", has_text="changed in another tab too")
    notice.wait_for()
    assert first.locator("#proposal-0").get_by_text("rejected by you").count() == 1
    press(first, "Undo")
    assert first.locator("#proposal-0").get_by_text("accepted by you").count() == 1


def test_the_pages_decisions_and_those_of_the_browser_are_both_kept(window, small):
    log, folder = small
    first = window(folder / "page.html")
    first.get_by_role("button", name="Reject group 1").click()
    group = DecidedGroup("Mine", ("Register", "Close"))
    write_report(log, folder / "mine.html", title="steps.csv", decisions=Decisions((group,), log_digest=log.digest))
    stored = first.evaluate("({ ...localStorage })")
    page = window(folder / "mine.html", like=first)
    notice = page.locator(".notice", has_text="This browser has other decisions for this log")
    notice.wait_for()
    assert page.evaluate("({ ...localStorage })") == stored  # nothing is overwritten by looking
    assert page.locator(".step-name").first.input_value() == "Mine"
    press(page, "Undo")
    assert page.get_by_text("rejected by you").count() == 1
    press(page, "Redo")
    page.get_by_role("button", name="Note on group 1").click()
    page.locator("#proposal-0 textarea").fill("not lost")
    show(page)  # this browser goes on with the page's, and still has its own before
    assert page.locator(".notice").count() == 0
    assert page.locator("#proposal-0 textarea").input_value() == "not lost"
    press(page, "Undo")
    assert page.get_by_text("rejected by you").count() == 1

    # what cannot be used is not overwritten
    ((key, text),) = page.evaluate("Object.entries(localStorage)")
    newer = text.replace('"version":2', '"version":3')
    for unusable, why in ((newer, "it has version 3, and this page reads versions up to 2"), ("{garbage", "it is not JSON")):
        page.evaluate("([key, text]) => localStorage.setItem(key, text)", [key, unusable])
        show(page)
        assert f"cannot be used: {why}. It stays" in page.locator(".notice", has_text="kept for this log").inner_text()
        page.get_by_role("button", name="Reject group 1").click()
    kept = page.evaluate("({ ...localStorage })")
    assert [kept[f"{key} set aside 1"], kept[f"{key} set aside 2"]] == [newer, "{garbage"]
    assert json.loads(kept[key])["decisions"]["groups"][0]["decision"] == "rejected"


def test_a_group_keeps_its_number_and_one_without_labels_is_gone(window, small, tmp_path):
    log, folder = small
    page = window(folder / "page.html")
    for label in ("Register", "Close"):
        press(page, "New group")
        page.get_by_label("Find a label").fill(label)
        page.locator(".pick").first.click()
        press(page, "Done")
    numbers = [group.number for group in saved(page, tmp_path / "decisions.json").groups]
    made = page.locator(".proposal", has_text="made by hand")
    listed = page.locator("#proposal-list .proposal")
    count = listed.count()
    assert made.count() == 2
    made.first.get_by_role("checkbox").click()
    assert (made.count(), listed.count()) == (1, count - 1)
    assert page.locator("#progress").inner_text().endswith(f"of {count - 1} decided")
    last = made.first.locator(".badge").inner_text()
    decisions = saved(page, tmp_path / "decisions.json")
    write_report(log, folder / "numbers.html", decisions=decisions)
    again = window(folder / "numbers.html")
    assert again.locator(".proposal", has_text="made by hand").locator(".badge").inner_text() == last
    assert [group.number for group in decisions.groups] == numbers[:-2] + numbers[-1:]


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


def test_groups_with_labels_that_are_too_rare_to_be_drawn_are_decided_about_whole(window, tmp_path, monkeypatch):
    monkeypatch.setattr("actalike.report.report_data.MOST_ACTIVITIES", 10)
    chance = Random(3)
    steps = ["Register", "Check", "Close"]
    log = EventLog.from_traces([[f"{step} by user {chance.randrange(20)}" for step in steps] for _ in range(600)])
    assert (len(log.activities), write_report(log, tmp_path / "page.html").synonyms) == (60, 3)
    page = window(tmp_path / "page.html")
    assert page.locator("h1").inner_text() == "60 activities, 3 steps: 3 groups of synonymous labels"
    assert "Counts are those of the 10 most frequent labels only." in page.locator("#flow figcaption").last.inner_text()
    with page.expect_download() as waiting:
        page.locator("#download").click()
    write_mapping(mapping_of(group(log)), log.activities, tmp_path / "mapping.csv", groups=group(log))
    assert waiting.value.path().read_bytes() == (tmp_path / "mapping.csv").read_bytes()

    item = page.locator("#proposal-0")
    assert len(members(item)) == 3  # the others are built when they are unfolded
    item.get_by_text("and 17 more labels").click()
    item.locator(".member").nth(19).wait_for()
    assert sorted(members(item)) == sorted(group(log)[0].activities)
    last = item.locator(".member").last
    left_out = last.locator(".label").inner_text()
    assert "not drawn" in last.inner_text()
    assert last.get_by_role("button", name=left_out, exact=True).count() == 0  # there is nothing to select
    last.get_by_role("checkbox").uncheck()
    assert len(members(item)) == 19  # still unfolded
    page.get_by_role("button", name="Reject group 2").click()
    assert page.locator("h1").inner_text().startswith("60 activities, 23 steps")
    decisions = saved(page, tmp_path / "decisions.json")
    steps_of = decisions.mapping()
    assert set(steps_of) == {*group(log)[0].activities, *group(log)[2].activities} - {left_out}
    assert len(relabel(log, decisions).activities) == 23

    write_report(log, tmp_path / "again.html", decisions=decisions)
    again = window(tmp_path / "again.html")
    assert again.locator(".notice").count() == 0  # all labels are known
    assert not again.locator("#relabelling .caution").is_visible()
    assert saved(again, tmp_path / "again.json") == decisions
    again.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(members(again.locator("#proposal-0"))) == 19
