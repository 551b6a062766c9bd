"""Nothing on the report's page keeps people with other eyes or hands from using it, as far as axe-core can tell."""

import polars as pl
import pytest

from actalike import group, read_log, write_report
from actalike.demo.loan_desk import loan_desk
from tests.helpers.requirements import need_axe
from tests.report.conftest import open_views

FEW = [
    "Transfer loan", "Pay out", "Send offer by post", "Send offer by e-mail", "Verify identity", "Call customer", "Write note",
    "Sign contract", "Approve loan", "Receive application (web)", "Close file",
]  # fmt: skip


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    """The report of a log with a third of the loan desk's activities: axe looks at every one in every picture."""
    log = read_log(loan_desk(300).to_frame().filter(pl.col("activity").is_in(FEW)))
    assert [one.relation for one in group(log)] == ["synonyms", "alternatives", "belong together"]
    return write_report(log, tmp_path_factory.mktemp("report") / "report.html", title="desk.xes.gz").path


def violations(page, part="body"):
    """What axe-core finds in a part of the page that is serious or worse."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(need_axe())  # through the browser's protocol: the page's policy allows no script of others
    found = page.evaluate("async part => (await axe.run(part, { resultTypes: ['violations'] })).violations", part)
    return [
        f"{one['impact']}, {one['id']}: {one['help']}: {one['nodes'][0]['html'][:200]}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("look", [{}, {"width": 390, "height": 844, "color_scheme": "dark"}], ids=["desktop", "phone, dark"])
def test_axe_finds_nothing_serious_in_any_view(open_page, report, look):
    need_axe()
    page = open_views(open_page(report, **look))
    page.get_by_role("button", name="Reject").first.click()
    page.get_by_role("button", name="Note on the whole log").click()
    page.locator("#others-title").click()
    page.locator("#many summary").click()
    page.get_by_role("button", name="Why? All reasons").first.click()
    assert violations(page) == []
    page.locator('.dot[data-activity="3"]').dispatch_event("click")
    page.locator(".compare-with input").fill("o")
    assert violations(page, "#panel") == []
    page.locator(".compare-with button").first.click()
    assert violations(page, "dialog.compare") == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Put into a group").or_(page.get_by_role("button", name="Move to another group")).last.click()
    assert violations(page, "dialog.picker") == []
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert violations(page, "dialog.picker") == []
    page.keyboard.press("Escape")
    page.fill("#search", "o")
    assert violations(page, ".bar") == []
