"""The comparison in the report's page, in a real browser."""

import pytest

from actalike import Attribute, EventLog, compare, write_report
from actalike import group as find_groups
from actalike.demo.loan_desk import loan_desk
from actalike.support.text import percent

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def desk():
    """The loan desk, with a case and a clerk whose names are no names."""
    log = loan_desk()
    names = [HOSTILE if name == "Ben" else name for name in log.attributes["org:resource"].texts()]
    attributes = {**log.attributes, "org:resource": Attribute.from_texts(names)}
    cases = [HOSTILE, *log.case_ids[1:]]
    return EventLog(log.activities, log.codes, log.offsets, cases, log.timestamps, attributes=attributes)


@pytest.fixture(scope="module")
def report(desk, tmp_path_factory):
    return write_report(desk, tmp_path_factory.mktemp("report") / "report.html", title="desk.csv", examples=True).path


def shown(page, selector):
    return page.locator(f"dialog.compare {selector}").all_inner_texts()


def select_and_compare(page, a, b):
    page.fill("#search", a)
    page.press("#search", "Enter")
    page.keyboard.press("Tab")  # from the title to the button that closes the panel is backwards, to the field forwards
    page.locator(".compare-with input").fill(b)
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")


def test_two_labels_are_compared_side_by_side_by_keyboard_alone(open_page, report, desk):
    page = open_page(report)
    select_and_compare(page, "Pay out", "Transfer")
    comparison = compare(desk, "Pay out", "Transfer loan")
    assert [" ".join(text.split()) for text in shown(page, ".compare-head")] == [
        "A Pay out 179 events, 179 cases",
        "B Transfer loan 188 events, 188 cases",
    ]
    for title, contexts in (("Directly before", comparison.before), ("Directly after", comparison.after)):
        rows = page.locator("dialog.compare .compare-part", has=page.get_by_role("heading", name=title)).locator("tbody tr")
        texts = [tuple(part.strip() for part in row.split("\t")) for row in rows.all_inner_texts()]
        assert all(text[0].startswith(context.symbols[0]) for text, context in zip(texts, contexts, strict=True))
        assert [text[1:] for text in texts] == [
            (
                *(
                    f"{percent(share)} ({count})".replace(" %", "\u00a0%") if count else "never"
                    for share, count in zip(comparison.shares(context), (context.count_a, context.count_b), strict=True)
                ),
            )
            for context in contexts
        ]
    sentences = [text.replace("\u00a0", " ") for text in shown(page, ".compare-words li")]
    assert any("B Transfer loan replaces A Pay out from 18 March 2024 on" in sentence for sentence in sentences)
    assert sentences[-1] == "They are never in the same case."
    weeks = comparison.over_time
    assert page.locator(".compare-time rect").count() == sum((weeks.counts_a > 0).tolist() + (weeks.counts_b > 0).tolist())
    assert "5.0 h" in shown(page, ".gap-words")[0]
    cases = [example.case for side in (comparison.a, comparison.b) for example in side.examples]
    assert [text.split(",")[0] for text in shown(page, ".example-list p")] == [f"Case {case}" for case in cases]
    assert HOSTILE in " ".join(shown(page, ".label"))  # as text
    assert page.locator("img").count() == 0
    assert shown(page, ".chip.side-0") == ["Pay out"] * 5
    page.keyboard.press("Escape")
    assert not page.locator("dialog.compare").is_visible()
    assert page.locator("#panel-title").inner_text() == "Pay out"  # the panel stays, and with it the focus
    assert page.evaluate("document.activeElement.closest('.compare-with') !== null")
    page.locator(".neighbour.compared, .neighbour").first.get_by_role("button", name="Compare side by side").click()
    assert page.locator("dialog.compare").is_visible()
    page.keyboard.press("Escape")
    group = next(one for one in find_groups(desk) if one.activities[0].startswith("Receive application"))
    page.fill("#search", group.activities[0])
    page.press("#search", "Enter")
    page.get_by_role("button", name="Compare with the others").click()
    comparison = compare(desk, group.activities[0], group.activities[1:])
    assert shown(page, ".compare-head.side-1 li") == list(group.activities[1:])
    assert shown(page, ".compare-head .muted")[1] == f"{comparison.b.events} events"
    rows = page.locator("dialog.compare .compare-part", has=page.get_by_role("heading", name="Directly before")).locator(
        "tbody tr"
    )
    assert len(rows.all_inner_texts()) == len(comparison.before)
    assert page.locator("dialog.compare .gap").count() == len(group.activities)  # to the next step: they begin the case


def test_a_comparison_fits_a_phone_the_dark_and_paper_and_needs_no_examples(open_page, report, tmp_path):
    page = open_page(report, width=390, height=844, color_scheme="dark")
    select_and_compare(page, "Customer declines", "Offer expires")
    dialog = page.locator("dialog.compare")
    assert dialog.evaluate("element => element.scrollWidth <= element.clientWidth")
    first, second = (page.locator(f".compare-head.side-{side}").bounding_box() for side in (0, 1))
    assert first["x"] == second["x"]
    assert first["y"] < second["y"]
    assert dialog.evaluate("element => getComputedStyle(element).backgroundColor") == "rgb(23, 30, 38)"
    assert "interchangeable in the flow" in page.locator(".compare-verdict").inner_text()
    page.emulate_media(media="print")
    assert not page.locator("main").is_visible()
    assert dialog.is_visible()
    text = page.locator("#made").text_content()
    assert "case ids and example cases, and says who does which step" in text
    private, small = tmp_path / "private.html", loan_desk(60)
    write_report(small, private)
    page = open_page(private)
    assert "no case ids and no names of people" in page.locator("#made").text_content()
    select_and_compare(page, "Pay out", "Transfer")
    assert "without example cases" in shown(page, ".compare-part")[-1]


def test_either_side_can_be_changed_to_a_group_or_a_label(open_page, report, desk):
    page = open_page(report)
    select_and_compare(page, "Pay out", "Transfer")
    page.get_by_role("button", name="Change A …").click()
    page.keyboard.type("completeness")
    page.locator(".pick", has_text="Group").first.click()
    page.get_by_role("button", name="Change B …").click()
    assert "Check completeness" not in "".join(page.locator(".pick").all_inner_texts())  # it is side A
    page.keyboard.type("close file")
    page.keyboard.press("Enter")
    a, b = (" ".join(text.split()) for text in shown(page, ".compare-head"))
    members = next(found.activities for found in find_groups(desk) if "Check completeness" in found.activities)
    events = sum(int(desk.activity_counts[desk.activities.index(label)]) for label in members)
    assert a.endswith(f"{events:,} events")
    assert b.startswith("B Close file ")
    page.keyboard.press("Escape")
    assert page.locator("dialog[open]").count() == 0
