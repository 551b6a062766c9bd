"""No action moves the page: what somebody works on stays where it is on the screen. In a real browser, on both pages."""

from contextlib import contextmanager

import pytest

from actalike import write_matching_report, write_report
from actalike.demo.loan_desk import loan_desk
from tests.report.test_matching_report import halves

WIDTHS = pytest.mark.parametrize("width", [1280, 390], ids=["desktop", "narrow"])
LOGS = pytest.mark.parametrize("name", ["loan desk", pytest.param("BPIC15_1", marks=pytest.mark.campaign)])
HEIGHT = 800
MOST = 2  # pixels
# what is drawn in the next frame may move the page too
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"


@pytest.fixture(scope="module")
def report_of(real_log, tmp_path_factory):
    """The report of a log, written once."""
    folder = tmp_path_factory.mktemp("reports")

    def get(name):
        path = folder / f"{name}.html"
        if not path.exists():
            write_report(loan_desk() if name == "loan desk" else real_log(name), path, title=name)
        return path

    return get


@pytest.fixture(scope="module")
def matching_report_of(real_log, tmp_path_factory):
    """The page of two logs, written once: of two halves of the loan desk, or of two municipalities."""
    folder = tmp_path_factory.mktemp("reports")

    def get(name):
        path = folder / f"{name}.html"
        if not path.exists():
            logs = halves(300)[:2] if name == "loan desk" else (real_log(name), real_log("BPIC15_2"))
            write_matching_report(*logs, path)
        return path

    return get


def into_the_middle(target):
    """Scroll until something is in the middle of the window."""
    target.evaluate("e => scrollBy({ top: e.getBoundingClientRect().top - innerHeight / 2, behavior: 'instant' })")
    target.page.evaluate(DRAWN)


def top(element):
    return element.evaluate("e => e.getBoundingClientRect().top")


@contextmanager
def steady(element):
    """An element stays where it is."""
    there = top(element)
    yield
    element.page.evaluate(DRAWN)
    assert abs(top(element) - there) <= MOST


def has_focus(element):
    return element.evaluate("e => e.contains(document.activeElement)")


def press(card, name):
    """Press a button of a card, which does not move; afterwards it has the focus still."""
    button = card.get_by_role("button", name=name).first
    into_the_middle(button)
    with steady(card):
        button.click()
    assert has_focus(card)


def undo_and_redo(page, *cards):
    """Undo and redo by keyboard; the cards do not move."""
    for key in ("Control+z", "Control+y", "Control+z"):
        places = [top(card) for card in cards]
        page.keyboard.press(key)
        page.evaluate(DRAWN)
        assert [top(card) for card in cards] == pytest.approx(places, abs=MOST)


def reject_and_undo(page, card):
    """Reject a card, which stays where it is; undo and redo by keyboard and by the buttons."""
    reject = card.get_by_role("button", name="Reject").last  # labels may begin with this word too
    into_the_middle(reject)
    with steady(card):
        reject.click()
    assert has_focus(card)
    undo_and_redo(page, card)
    for button in (page.locator("#redo"), page.locator("#undo")):
        into_the_middle(button)
        with steady(button):
            button.click()


@WIDTHS
@LOGS
def test_decisions_about_groups_do_not_move_the_report(open_page, report_of, name, width):
    page = open_page(report_of(name), width=width, height=HEIGHT)
    ids = page.locator("#proposal-list .proposal").evaluate_all("all => all.map((e) => e.id)")
    for k in (len(ids) - 2, *([0] if name == "loan desk" else [])):
        card = page.locator(f"#{ids[k]}")
        press(card, "Accept group")
        undo_and_redo(page, card)

        # a name, letter by letter
        field = card.locator(".step-name")
        into_the_middle(field)
        with steady(card):
            field.click()
            page.keyboard.type("A new name")
        assert field.input_value() == "A new name"
        field.press("Tab")
        undo_and_redo(page, card)

        # taken out, and put into another group: the card of that grows
        box = card.get_by_role("checkbox").first
        into_the_middle(box)
        with steady(card):
            box.click()
        assert has_focus(card)
        undo_and_redo(page, card)
        for other in {ids[0], ids[k - 1]} - {ids[k]}:
            move = card.get_by_role("button", name="to another group").first
            into_the_middle(move)
            with steady(card):
                move.click()
                page.locator(".pick", has_text=f"Group {int(other.removeprefix('proposal-')) + 1}:").click()
            assert has_focus(card)
            undo_and_redo(page, card)
            assert has_focus(card)

        reject_and_undo(page, card)

    # one that was not proposed is among the proposals if it is accepted
    page.locator("#others-title").click()
    card = page.locator(f"#{page.locator('#other-list .proposal').last.get_attribute('id')}")
    press(card, "Accept group")
    assert page.locator("#proposal-list").locator(card).count() == 1
    undo_and_redo(page, card)


def row_of(page, label):
    """The row of a label of the first log."""
    return page.locator("#step-list .step", has=page.locator(".step-side:first-child").get_by_text(label, exact=True))


@WIDTHS
@LOGS
def test_decisions_about_pairs_do_not_move_the_page_of_two_logs(open_page, matching_report_of, name, width):
    page = open_page(matching_report_of(name), width=width, height=HEIGHT)
    first = page.locator("#step-list .step .step-side:first-child .label:first-of-type")
    labels = first.all_text_contents()
    for k in (len(labels) - 2, *([0] if name == "loan desk" else [])):
        row = row_of(page, labels[k])
        press(row, "Accept")
        undo_and_redo(page, row)
        press(row, "Why")

        # another partner, that of another row, which leaves the list
        for j in {0, (k or len(labels)) - 1} - {k}:
            partner = row_of(page, labels[j]).locator(".step-side").nth(1).locator(".label").first.text_content()
            button = row.get_by_role("button", name="Another partner, or none… for ").first
            into_the_middle(button)
            with steady(row):
                button.click()
                page.get_by_role("textbox", name="Find a label of log B").fill(partner)
                page.keyboard.press("Enter")
            assert row.locator(".step-side").nth(1).locator(".label").first.text_content() == partner
            assert has_focus(row)
            undo_and_redo(page, row)

        press(row, "Why")
        reject_and_undo(page, row)

    # labels without a partner, below all rows
    label = page.locator("#alone-a li").last.locator(".label").first.text_content()
    alone = page.locator("#alone-a li", has=page.locator(".step-label").get_by_text(label, exact=True))
    press(alone, "No partner")
    undo_and_redo(page, alone)
