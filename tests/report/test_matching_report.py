"""The page of two logs in a real browser, used as people use it."""

import csv
from random import Random

import pytest

from actalike import (
    ActalikeError,
    DecidedLog,
    DecidedPair,
    EventLog,
    MatchingDecisions,
    match,
    read_matching_decisions,
    relabel,
    write_matching_decisions,
    write_matching_report,
)
from actalike.demo.loan_desk import loan_desk
from tests.attacks.hostile_labels import attack_two_logs, hostile_labels
from tests.helpers.requirements import need_axe
from tests.report.test_accessibility import violations


def halves(cases):
    """Two halves of the loan desk; the second has codes for labels, and one step less."""
    traces = loan_desk(cases).traces()
    labels = sorted({label for trace in traces for label in trace})
    code = {label: f"S{k:02}" for k, label in enumerate(labels)}
    second = [[code[label] for label in trace if label != "Write note"] for trace in traces[1::2]]
    return EventLog.from_traces(traces[::2]), EventLog.from_traces(second), code


@pytest.fixture(scope="module")
def logs():
    return halves(300)


@pytest.fixture(scope="module")
def report(logs, tmp_path_factory):
    path = tmp_path_factory.mktemp("two") / "two.html"
    return write_matching_report(*logs[:2], path, names=("ours.csv", "theirs.csv"))


def pairs_of(page):
    """The accepted pairs that the page shows."""
    rows = page.locator("#step-list .step.accepted")
    return [tuple(row.locator(".step-label .label").all_text_contents()) for row in rows.all()]


def test_the_same_logs_give_the_same_bytes(logs, report, tmp_path):
    again = write_matching_report(*logs[:2], tmp_path / "two.html", names=("ours.csv", "theirs.csv"))
    assert again.path.read_bytes() == report.path.read_bytes()
    assert again.activities_a == report.pairs + report.unmatched_a == len(logs[0].activities)
    with pytest.raises(ActalikeError, match="read_matching_decisions"):
        write_matching_report(*logs[:2], tmp_path / "no.html", decisions={})
    with pytest.raises(ActalikeError):
        write_matching_report(*logs[:2], tmp_path / "no.html", at_least=2)
    assert not (tmp_path / "no.html").exists()


def test_a_session_from_the_first_look_to_one_language(open_page, logs, report, tmp_path):
    log_a, log_b, _ = logs
    page = open_page(report.path)
    likely = report.pairs - report.doubtful
    doubtful = f", {report.doubtful} doubtful" if report.doubtful else ""
    assert page.locator("h1").text_content() == f"{likely} steps are likely in both logs{doubtful}"
    before = pairs_of(page)
    assert len(before) == likely
    assert page.locator("#progress").inner_text() == f"0 of {page.locator('#step-list > li').count()} decided"
    page.keyboard.press("j")
    page.keyboard.press("a")
    assert page.locator("#progress").inner_text().startswith("1 of ")
    page.keyboard.press("u")
    # why, and other candidates
    row = page.locator(".step").first
    row.get_by_role("button", name="Why").click()
    assert "both" in page.locator(".step-details .reasons").first.text_content()
    page.locator(".step textarea").first.fill("asked Sue")
    # the first press on what actalike accepted confirms it, only the next one takes it back
    accept = page.locator(".step").nth(4).get_by_role("button", name="Accept")
    for classes, pressed, words in [("on", "true", "actalike"), ("on own", "true", "you"), ("", "false", "undecided")]:
        assert accept.get_attribute("class") == f"quiet small {classes}".strip()
        assert accept.get_attribute("aria-pressed") == pressed
        assert page.locator(".step").nth(4).locator(".link-picture").get_attribute("aria-label").endswith(words)
        accept.click()
    for _ in range(3):
        page.click("#undo")
    # reject, undo, redo by keyboard
    page.locator(".step").nth(1).get_by_role("button", name="Reject").click()
    assert len(pairs_of(page)) == likely - 1
    page.locator("h2").first.click()
    page.keyboard.press("Control+z")
    assert pairs_of(page) == before
    page.keyboard.press("Control+y")
    assert page.locator("#step-list .step.rejected").count() == 1
    # a label has no partner: it is in the list of those, where the decision can be taken back
    lonely = before[3][0]
    page.fill("#search", lonely)
    page.locator(".step").first.get_by_role("button", name="Why").click()
    page.get_by_role("button", name=f"Another partner, or none… for {lonely}", exact=True).click()
    page.get_by_role("button", name="No partner: log B does not have this step").click()
    has_none = page.locator("#alone-a li", has_text=lonely).get_by_role("button", name="No partner")
    assert has_none.get_attribute("aria-pressed") == "true"
    page.fill("#search", "")
    # another partner for the third row, found by typing; its old partner is free again
    third = before[2][0]
    page.locator(".step", has_text=third).first.get_by_role("button", name="Why").click()
    page.get_by_role("button", name=f"Another partner, or none… for {third}", exact=True).click()
    page.get_by_role("textbox", name="Find a label of log B").fill(before[1][1])
    page.keyboard.press("Enter")
    now = dict(pairs_of(page))
    assert now[third] == before[1][1]
    # saved, and read by Python; the file relabels the second log, and begins another page
    with page.expect_download() as waiting:
        page.click("#save")
    saved = tmp_path / "decisions.json"
    waiting.value.save_as(saved)
    decided = read_matching_decisions(saved)
    assert decided.known()[third] == before[1][1]
    assert DecidedPair(lonely, None) in decided.pairs
    assert [pair.note for pair in decided.pairs if pair.note] == ["asked Sue"]
    assert (decided.log_a.digest, decided.log_b.name) == (log_a.digest, "theirs.csv")
    renamed = relabel(log_b, decided)
    assert third in renamed.activities
    assert before[1][1] not in renamed.activities
    # loaded again, and kept over a reload
    page.click("#undo")
    page.locator("#load-file").set_input_files(saved)
    page.locator(".notice", has_text="decisions.json was loaded").wait_for()
    assert dict(pairs_of(page)) == now
    second = write_matching_report(log_a, log_b, tmp_path / "second.html", ("ours.csv", "theirs.csv"), decisions=decided)
    other = open_page(second.path)
    assert dict(pairs_of(other))[third] == before[1][1]
    assert lonely not in dict(pairs_of(other))


def test_doubtful_pairs_start_undecided_and_count_as_no_matches_until_somebody_accepts_them(open_page, tmp_path):
    log_a, log_b, code = halves(70)
    called = code["Call customer"]  # every second case of b has another name for it
    cases = [[f"{x} b" if x == called and i % 2 else x for x in case] for i, case in enumerate(log_b.traces())]
    log_b = EventLog.from_traces(cases)
    matching = match(log_a, log_b)
    (split,) = matching.splits
    likely, even = ({(a, b) for a, b, probability in matching.pairs if probability >= least} for least in (0.8, 0.51))
    parts = {(split.activity, part) for part in split.parts}
    everything = even | parts
    even |= parts - {(a, b) for a, b, _ in matching.pairs}  # the first part has a probability of its own
    assert len(likely) < len(even) < len(everything)
    assert 0.5 < split.probability < 0.8
    written = write_matching_report(log_a, log_b, tmp_path / "two.html")
    page = open_page(written.path)

    def exported():
        with page.expect_download() as table:
            page.click("#matching-a")
        with page.expect_download() as decisions:
            page.click("#save")
        pairs = read_matching_decisions(decisions.value.path()).pairs
        accepted = {(pair.a, pair.b) for pair in pairs if pair.decision == "accepted"}
        rows = csv.DictReader(table.value.path().read_text(encoding="utf-8-sig").splitlines())
        assert {(row["label_a"], row["label_b"]) for row in rows if row["label_a"]} == accepted
        return accepted

    def undecided():
        return page.locator("#step-list .step.undecided").count()

    assert exported() == likely
    assert undecided() == written.doubtful  # a split is one step
    assert page.locator("h1").text_content() == f"{len(likely)} steps are likely in both logs, {written.doubtful} doubtful"
    assert f"{written.doubtful} pairs are undecided" in page.locator("#answer-lead").text_content()
    assert f"{len(likely)} steps are accepted, {written.doubtful} undecided" in page.locator("#sure-said").text_content()
    assert f"the {len(likely)} pairs that were accepted" in page.locator("#changes-guide").text_content()
    page.get_by_role("button", name="Accept the undecided").click()
    assert (exported(), undecided()) == (everything, 0)
    page.keyboard.press("Control+z")
    page.locator("#sure-slider").fill("51")
    assert (exported(), undecided()) == (even, 1)
    page.keyboard.press("Control+z")
    assert exported() == likely

    # decisions of a page on which they were accepted mean what they meant
    decided = [DecidedPair(*pair, "accepted" if pair in even else "undecided", "actalike") for pair in sorted(everything)]
    before = MatchingDecisions(tuple(decided), at_least=0.51)
    write_matching_decisions(before, tmp_path / "before.json")
    page.locator("#load-file").set_input_files(tmp_path / "before.json")
    page.locator(".notice", has_text="before.json was loaded").wait_for()
    assert exported() == even
    page = open_page(write_matching_report(log_a, log_b, tmp_path / "again.html", decisions=before).path)
    assert exported() == even
    assert f"the {len(even)} pairs that were accepted" in page.locator("#changes-guide").text_content()
    page = open_page(write_matching_report(log_a, log_b, tmp_path / "sure.html", decisions=before, at_least=0.8).path)
    assert exported() == likely


def test_flows_changes_filters_and_paper(open_page, report):
    page = open_page(report.path, width=700)
    assert page.locator("#flows figure").count() == 2
    places = page.evaluate(
        "() => [...document.querySelectorAll('.flow-picture')].map((f) => [...f.querySelectorAll('.flow-box rect')].map((r) => r.getAttribute('x')).join())"
    )
    assert places[0] == places[1]  # one layout for both
    assert page.locator("#changes-list").text_content()
    page.select_option("#steps-order", "place")
    page.select_option("#steps-shown", "unsure")
    assert "shown" in page.locator("#steps-said").text_content()
    page.select_option("#steps-shown", "all")
    page.locator("#sure-slider").fill("99")
    assert page.locator("#step-list .step.undecided").count() > 0
    # a colour means a difference: what is alike in both logs is grey, forwards and back
    strokes = "(all) => all.map((one) => [one.classList.contains('back'), getComputedStyle(one).stroke])"
    page.locator(".flow-picture path.arrow.same.back").first.wait_for(state="attached")
    drawn = page.locator(".flow-picture path.arrow.same").evaluate_all(strokes)
    assert {back for back, _ in drawn} == {True, False}
    assert len({stroke for _, stroke in drawn}) == 1
    page.emulate_media(media="print")
    assert page.locator("#toolbar").is_hidden()
    assert page.locator(".step .link-picture").first.is_hidden()
    assert "%" in page.locator(".step .link-printed").first.inner_text()
    page.emulate_media(media="null")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_label_gets_one_name_and_labels_that_a_log_lacks_can_be_dropped(open_page, logs, tmp_path):
    log_a, log_b, code = logs
    first, second = sorted(code)[:2]
    pairs = DecidedPair(first, code[first]), DecidedPair(second, code[first]), DecidedPair(sorted(code)[2], "gone")
    turned = MatchingDecisions(pairs, "", DecidedLog(log_b.digest), DecidedLog(log_a.digest))
    page = open_page(write_matching_report(log_a, log_b, tmp_path / "two.html", decisions=turned).path)
    assert "in the other order" in page.locator(".notice").first.text_content()
    assert page.locator("#matching-a").is_disabled()
    caution = page.locator("#relabelling .caution").text_content()
    assert f"several partners of “{code[first]}”" in caution
    assert "Log B: 1 label is not on this page, and is kept: “gone”" in caution
    page.locator(".step-named").get_by_role("button", name=f"Only {second}").click()
    assert page.locator("#matching-a").is_enabled()
    page.click("#drop-unknown")
    assert page.locator("#relabelling .caution").is_hidden()
    assert page.locator("#drop-unknown").is_hidden()
    with page.expect_download() as waiting:
        page.click("#save")
    waiting.value.save_as(tmp_path / "decisions.json")
    decided = read_matching_decisions(tmp_path / "decisions.json")
    assert decided.mapping()[code[first]] == second
    assert second in relabel(log_b, decided).activities
    assert "You accepted 1 step. The others" in page.locator("#answer-lead").text_content()


@pytest.mark.campaign
def test_axe_finds_nothing_serious_on_a_phone_in_the_dark_or_on_a_desk(open_page, report):
    need_axe()
    page = open_page(report.path, width=390, height=844, color_scheme="dark")
    page.locator(".step").first.get_by_role("button", name="Why").click()
    page.locator(".step").nth(1).get_by_role("button", name="Reject").click()
    page.locator("#alone-a summary").first.click()
    assert violations(page) == []
    page.set_viewport_size({"width": 1280, "height": 900})
    page.emulate_media(color_scheme="light")
    assert violations(page, "#steps") == []
    page.locator(".step").first.get_by_role("button", name="Another partner").first.click()
    assert violations(page, "dialog.picker") == []


def test_hostile_labels_are_shown_as_text(pages, tmp_path):
    page = pages.browser.new_context(reduced_motion="reduce", accept_downloads=True).new_page()
    outcomes = list(attack_two_logs(Random(5), hostile_labels(Random(5), 24), tmp_path, page))
    page.context.close()
    assert [one.detail for one in outcomes if one.verdict != "same"] == []


@pytest.mark.campaign
def test_odd_logs_have_a_page(open_page, tmp_path):
    one = EventLog.from_traces([["a"]])
    long = EventLog.from_traces([["x" * 5000, "", "\u202e drow", *(f"the same beginning {k}" for k in range(200))]] * 2)
    for k, (log_a, log_b) in enumerate([(one, one), (one, long), (long, long)]):
        page = open_page(write_matching_report(log_a, log_b, tmp_path / f"{k}.html").path, width=500)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        if k == 1:  # on paper a long list is cut, with a sentence
            page.emulate_media(media="print")
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
            assert page.locator("#alone-b li").count() == 40
            assert page.locator("#alone-b .paper-only").inner_text().startswith("The first 40 of 20")
            page.emulate_media(media="null")
    assert MatchingDecisions().mapping() == {}
