"""The report's page in a real browser, used as people use it."""

import re
import time
from random import Random

import pytest

from actalike import EventLog, embed, group, read_decisions, read_mapping, relabel, same_step, write_mapping, write_report
from actalike.counting import directly_follows
from actalike.demo.loan_desk import loan_desk
from actalike.labels.mapping import mapping_of
from actalike.report.html_report import Relabelling
from tests.attacks.hostile_labels import attack_report, hostile_labels
from tests.report.conftest import open_views

HOSTILE = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><script>alert(2)</script>",
    "{{script}}",
    "<b>bold</b>",
]
ODD_LABELS = [
    "",
    "  ",
    "a\tb\nc",
    "שלום עולם",
    "🎉 party",
    "\u2028\u2029",
    "__proto__",
    "x" * 300,
    "many words " * 27,
    "=1+1",
    "\x00",
]
ODD_LOGS = {
    "one activity": [["a"]],
    "one activity, several times": [["a", "a"], ["a"], []],
    "two activities": [["a", "b"]] * 3,
    "one case": [list("abcabdabe")],
    "odd labels": [[*ODD_LABELS, *ODD_LABELS[:turn]] for turn in range(len(ODD_LABELS))] * 3,
}


PROPOSED = ("synonyms", "alternatives")


def renamed_steps():
    """A log with every relation: synonyms by text, alternatives, two steps at one place of every case, and a rare label."""
    random = Random(3)
    traces = []
    for k in range(300):
        orders = ["Query bureau", "Ask for papers"] if random.random() < 0.5 else ["Ask for papers", "Query bureau"]
        register = "Register aplication" if k % 60 == 0 else "Register application"
        decision = random.choice(["Pay out", "Transfer loan"])
        closing = "Shred file" if k < 2 else "Archive file"
        traces.append([register, *orders, "Assess risk", decision, closing])
    return EventLog.from_traces(traces)


@pytest.fixture(scope="module")
def loan():
    return loan_desk(300)


@pytest.fixture(scope="module")
def relations(tmp_path_factory):
    """A log, its groups, and its report."""
    log = renamed_steps()
    path = tmp_path_factory.mktemp("relations") / "report.html"
    write_report(log, path, title="steps.csv")
    return log, group(log), path


@pytest.fixture(scope="module")
def report(loan, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(loan, path, title="loan_desk.xes.gz")
    return path


def labels(locator):
    return [text.strip() for text in locator.all_text_contents()]


def proposals(page):
    """The proposed groups, as sets of labels."""
    more = page.locator("#proposals-more")
    if more.is_visible():
        more.click()
    return {frozenset(labels(item.locator(".member .label"))) for item in page.locator("#proposal-list .proposal").all()}


def proposed(log):
    """The groups that the page proposes."""
    return [found for found in group(log) if found.relation in PROPOSED]


def percent(share):
    """A share as the page shows it."""
    text = "under 1" if 0 < share < 0.01 else "over 99" if 0.99 < share < 1 else str(int(share * 100 + 0.5))
    return f"{text}\u00a0%"


def is_accepted(item):
    return item.get_by_role("button", name="Accept").get_attribute("aria-pressed") == "true"


def accept_all(page):
    """Accept all groups that are listed, one by one."""
    while (button := page.locator("#proposal-list .decide [aria-pressed=false]:first-child")).count():
        button.first.click()


def take_all_back(page):
    """Take back all that is accepted."""
    while (button := page.locator(".decide .on")).count():
        button.first.click()


def eventually(holds, seconds=5):
    """Wait until something holds; the page's policy allows no function of ours in it."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.02)


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_the_first_screen_answers_and_shows_the_log_at_a_glance(open_page, report, loan):
    page = open_page(report)
    found = [one for one in proposed(loan) if one.relation == "synonyms"]
    n, left = len(found), len(loan.activities) - sum(len(one.activities) - 1 for one in found)
    groups = f"{n} group{'s' * (n > 1)} of synonymous labels"
    assert page.locator("h1").inner_text() == f"{len(loan.activities)} activities, {left} steps: {groups}"
    facts = dict(zip(labels(page.locator("#facts dt")), labels(page.locator("#facts dd")), strict=True))
    assert facts["Cases"] == "300"
    assert facts["Events"] == f"{loan.n_events:,}"
    assert facts["Variants"].startswith(str(loan.n_variants))
    assert facts["Events per case"].startswith(f"{loan.lengths.min()} to {loan.lengths.max()}")
    assert facts["Period"].split() == [str(loan.timestamps.min())[:10], "to", str(loan.timestamps.max())[:10]]
    assert page.locator(".proposal").first.bounding_box()["y"] < 700
    assert page.locator("#progress").inner_text() == f"0 of {len(proposed(loan))} decided"


def test_a_page_of_variants_has_no_sections_that_need_events(open_page, loan):
    page = open_page(loan.variants)
    links = page.locator("nav a").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
    assert links == ["#proposals", "#flow", "#more"]
    assert page.locator("main h2:visible").count() == len(links)
    assert "variants" in page.locator("#made").inner_text()


def test_proposals_are_reviewed_by_keyboard_alone(open_page, report):
    page = open_page(report)
    items = page.locator("#proposal-list .proposal")

    def at_hand():
        return page.evaluate("document.activeElement.id")

    ids = items.evaluate_all("all => all.map((one) => one.id)")
    for key, place in (("j", 0), ("j", 1), ("k", 0), ("k", 0), ("j", 1)):
        page.keyboard.press(key)
        assert at_hand() == ids[place]
    page.keyboard.press("r")
    assert "rejected by you" in items.nth(1).inner_text()
    assert at_hand() == ids[1]  # nothing jumps
    page.keyboard.press("r")
    assert "rejected by you" in items.nth(1).inner_text()  # once more is no other decision
    page.keyboard.press("k")
    page.keyboard.press("a")
    assert "accepted by you" in items.nth(0).inner_text()
    assert page.locator("#progress").inner_text().startswith("2 of ")
    page.keyboard.press("u")
    page.keyboard.press("u")
    assert page.locator("#progress").inner_text().startswith("0 of ")
    items.nth(0).locator(".step-name").click()
    page.keyboard.type("jar")  # letters of a name are no keys
    assert items.nth(0).locator(".step-name").input_value() == "jar"
    assert "accepted by actalike" not in items.nth(0).inner_text()
    page.keyboard.press("Enter")
    assert at_hand() == ids[0]  # the next letter is a key again
    page.keyboard.press("j")
    page.keyboard.press("n")
    page.keyboard.type("Sign")
    page.keyboard.press("Escape")
    assert (items.nth(1).locator(".step-name").input_value(), at_hand()) == ("Sign", ids[1])
    with page.expect_download() as saved:
        page.keyboard.press("s")
    assert [group.name for group in read_decisions(saved.value.path()).groups[:2]] == ["jar", "Sign"]
    page.locator("h1").click()
    page.keyboard.press("?")
    assert "next proposal" in page.get_by_role("dialog", name="Keys").inner_text()
    page.keyboard.press("j")
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_where_nothing_is_merged_the_page_says_what_comes_before_relabelling(open_page, tmp_path):
    log = EventLog.from_traces([["a", "b", "c"]] * 30)
    write_report(log, tmp_path / "page.html", relabelling=Relabelling("", "actalike relabel log.csv decisions.json"))
    page = open_page(tmp_path / "page.html")
    assert "nothing is proposed" in page.locator("#proposals-none").inner_text()
    assert page.locator("#relabel-command").is_hidden()
    page.get_by_role("button", name="New group").click()
    for _ in range(2):
        page.locator(".pick").first.click()
    page.get_by_role("button", name="Done").click()
    assert page.locator("#relabel-command").inner_text() == "actalike relabel log.csv decisions.json"
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert page.locator("#relabel-command").is_hidden()


def test_labels_that_differ_only_in_spaces_are_told_apart(open_page):
    log = EventLog.from_traces(
        [["start", label, "end"] for label in ("Check form", "Check  form", "Check\u00a0form", "Pay ")] * 30
    )
    page = open_page(log)
    page.fill("#search", "check")
    assert set(labels(page.locator("#search-found .label"))) == {"Check form", "Check··form", "Check⍽form"}
    page.fill("#search", "pay")
    assert labels(page.locator("#search-found .label")) == ["Pay"]
    assert "Check··form" in page.locator("#proposals").inner_text()


def test_what_a_page_holds_is_said_and_people_are_named_on_request_only(tmp_path):
    log = loan_desk(60)
    for examples in (False, True):
        path = tmp_path / f"{examples}.html"
        write_report(log, path, examples=examples)
        content = path.read_text()
        assert any(f'"{case}"' in content for case in log.case_ids) == examples
        assert all(f'"{name}"' in content for name in ("Anna", "Carla")) == examples


def test_search_and_keyboard_lead_to_an_activity_and_back(open_page, report, loan):
    page = open_views(open_page(report))
    page.keyboard.press("/")
    page.keyboard.type("TRANSFER")
    assert labels(page.locator("#search-found .label")) == ["Transfer loan"]
    assert page.locator(".dot:not(.faded)").count() == 1
    page.keyboard.press("Enter")
    assert page.locator("#panel-title").inner_text() == "Transfer loan"
    assert page.evaluate("document.activeElement.id") == "panel-title"
    nearest = same_step(loan).most_likely(10, "Transfer loan")
    shown = labels(page.locator(".neighbour-name"))
    assert shown[0] == nearest[0].b == "Pay out"
    assert set(shown[:5]) <= {pair.b for pair in nearest}
    assert page.locator(".neighbour-head b").first.inner_text() == percent(nearest[0].probability)
    assert page.locator(".neighbour .overlap").first.inner_text() == f"{percent(nearest[0].overlap)} of neighbours the same"
    similarity = page.locator(".neighbour .interval").first.inner_text()
    assert re.fullmatch(r"similarity [01]\.\d+ \([01]\.\d+ to [01]\.\d+\)", similarity)
    assert float(similarity.split()[1]) == pytest.approx(embed(loan).similarity("Pay out", "Transfer loan"), abs=6e-4)
    why = page.locator(".why").first.inner_text().replace("\n", " ")
    assert "of their neighbours are the same" in why
    assert "both follow Sign contract and precede" in why
    page.keyboard.press("Escape")
    assert not page.locator("#panel").is_visible()
    assert page.evaluate("document.activeElement.id") == "search"


def test_a_search_that_finds_nothing_says_so(open_page, report):
    page = open_page(report)
    page.fill("#search", "no such step")
    assert "No activity" in page.locator("#search-found").inner_text()
    page.press("#search", "Enter")
    assert not page.locator("#panel").is_visible()


def test_an_activity_is_selected_on_the_map_by_mouse_and_by_keyboard(open_page, report, loan):
    page = open_views(open_page(report))
    most = loan.activities[int(loan.activity_counts.argmax())]
    page.locator('.dot[data-activity="0"]').click()
    assert page.locator("#panel-title").inner_text() == most
    assert page.locator(".dot.selected").get_attribute("data-activity") == "0"
    page.locator("#panel .close").click()
    page.locator(".map-stage").focus()
    page.keyboard.press("ArrowLeft")
    where = page.locator("#said").inner_text()
    page.keyboard.press("Enter")
    assert where.startswith(page.locator("#panel-title").inner_text() + ",")
    page.keyboard.press("Escape")
    assert page.evaluate("document.activeElement.className").startswith("stage")


def test_the_map_zooms_by_button_key_and_wheel_and_nobody_is_caught_in_it(open_page, report):
    page = open_views(open_page(report))
    stage = page.locator(".map-stage")

    def spread():
        xs = page.evaluate("[...document.querySelectorAll('.dot')].map((dot) => dot.cx.baseVal.value)")
        return max(xs) - min(xs)

    page.evaluate("document.getElementById('map').scrollIntoView()")
    start = spread()
    stage.hover()
    page.mouse.wheel(0, -400)  # the page scrolls, as the map has not been chosen
    eventually(lambda: page.evaluate("scrollY < document.getElementById('map').offsetTop - 100"))
    assert spread() == start
    page.get_by_role("button", name="Enlarge the map").click()
    eventually(lambda: spread() > 1.2 * start)
    page.get_by_role("button", name="Show all of the map").click()
    eventually(lambda: spread() == start)
    stage.focus()
    page.keyboard.press("+")
    eventually(lambda: spread() > 1.2 * start)
    page.keyboard.press("0")
    eventually(lambda: spread() == start)
    stage.hover()
    page.mouse.wheel(0, -400)
    eventually(lambda: spread() > 1.2 * start)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "zoom"


def test_every_relation_has_its_place_and_only_synonyms_are_accepted(open_page, relations):
    log, found, path = relations
    assert {one.relation for one in found} == {"synonyms", "alternatives", "belong together", "too rare to judge"}
    page = open_page(path)
    assert proposals(page) == {frozenset(one.activities) for one in proposed(log)}
    assert "1 group belongs together, 1 group is too rare to judge" in page.locator("#answer-lead").inner_text()
    verdicts = [text.split("\n")[0] for text in page.locator("#proposal-list .proposal-value b").all_inner_texts()]
    assert verdicts == [f"{percent(found[0].probability)} likely one step", "interchangeable in the flow"]
    page.locator("#others-title").click()
    eventually(lambda: page.locator("#other-list .proposal").count() == 2)
    items = page.locator(".proposal").all()
    assert [is_accepted(item) for item in items] == [one.relation == "synonyms" for one in found]
    assert labels(page.locator("#other-list .proposal-value b")) == ["belong together", "too rare to judge"]
    first = items[0].inner_text()
    assert first.index("likely one step") < first.index("spelled alike") < first.index("Step name")
    assert "never in the same case" in items[1].inner_text()
    page.locator(".member .activity", has_text="Shred file").click()
    assert "too rare to judge" in page.locator(".panel-group").inner_text()


def test_the_reasons_on_the_page_sum_to_the_probability(open_page, relations):
    page = open_page(relations[2])
    item = page.locator(".proposal").nth(1)
    item.get_by_role("button", name="Why? All reasons").click()
    item.locator(".sum summary").click()
    *parts, total = [float(text.replace("\u2212", "-")) for text in item.locator(".sum b").all_inner_texts()]
    assert sum(parts) == pytest.approx(total, abs=0.06 * len(parts))


def test_the_slider_takes_back_what_is_less_sure(open_page, relations, tmp_path):
    log, _, path = relations
    text, n = re.subn(r'("relation":"synonyms","probability":)[\d.]+', r"\g<1>0.75", path.read_text())
    assert n == 1
    changed = tmp_path / "changed.html"
    changed.write_text(text)
    page = open_page(changed)
    page.locator("#many summary").click()
    slider = page.locator("#sureness-slider")
    assert (slider.get_attribute("min"), slider.get_attribute("max"), slider.input_value()) == ("0.5", "0.99", "0.5")
    for least, accepted in ((0.75, 1), (0.76, 0)):
        page.evaluate(f"document.getElementById('sureness-slider').value = {least}")
        slider.dispatch_event("input")
        assert page.locator(".decide .on").count() == accepted
        assert page.locator("#download").is_enabled() == bool(accepted)
    assert "1 group of synonyms is undecided" in page.locator("#answer-lead").inner_text()
    assert proposals(page) == {frozenset(found.activities) for found in proposed(log)}


def test_the_default_proposals_are_those_of_the_command(open_page, report, loan):
    page = open_page(report)
    assert float(page.locator("#sureness-slider").input_value()) == 0.5
    assert proposals(page) == {frozenset(found.activities) for found in proposed(loan)}


def download(page):
    with page.expect_download() as found:
        page.locator("#download").click()
    assert found.value.suggested_filename == "mapping.csv"
    return found.value.path()


def downloaded(page):
    return read_mapping(download(page))


def test_the_mapping_is_the_one_that_the_command_writes(open_page, report, loan, tmp_path):
    page = open_page(report)
    accept_all(page)
    groups = group(loan)
    write_mapping(mapping_of(groups, PROPOSED), loan.activities, tmp_path / "mapping.csv", groups=groups)
    assert download(page).read_bytes() == (tmp_path / "mapping.csv").read_bytes()


def test_decisions_names_and_single_labels_make_the_mapping(open_page, report, loan):
    page = open_page(report)
    items = page.locator(".proposal")
    first, second = ([*labels(items.nth(k).locator(".member .label"))] for k in (0, 1))
    take_all_back(page)
    assert page.locator("#download").is_disabled()
    items.nth(0).get_by_role("button", name="Accept").click()
    items.nth(1).get_by_role("button", name="Accept").click()
    items.nth(1).locator(".step-name").fill('Step, "two"')
    mapping = {label: group for label, group in downloaded(page).items() if label != group}
    expected = dict.fromkeys(first, first[0]) | dict.fromkeys(second, 'Step, "two"')
    assert mapping == {label: name for label, name in expected.items() if label != name}
    merged = relabel(loan, mapping)
    assert f"{len(loan.activities)} activities, {len(merged.activities)} steps" in page.locator("h1").inner_text()
    items.nth(1).locator(".member input").last.uncheck()
    fewer = {label: group for label, group in downloaded(page).items() if label != group}
    assert set(mapping) - set(fewer) >= {second[-1]}


def test_a_name_that_is_taken_is_cautioned(open_page, report):
    page = open_page(report)
    first, second = page.locator(".proposal").nth(0), page.locator(".proposal").nth(1)
    assert [is_accepted(item) for item in (first, second)] == [True, True]
    second.locator(".step-name").fill(first.locator(".member .label").first.inner_text())
    assert "already has this name" in second.inner_text()


def test_the_flow_counts_activities_and_arrows_before_and_after(open_page, report, loan):
    page = open_page(report)
    accept_all(page)
    mapping = downloaded(page)
    before, after = labels(page.locator(".flow figcaption"))
    for caption, log in ((before, loan), (after, relabel(loan, mapping))):
        graph = directly_follows(log)
        arrows = len(graph.counts) + (graph.starts > 0).sum() + (graph.ends > 0).sum()
        assert f"{len(log.activities)} activities, {arrows} arrows" in caption
    assert page.locator(".flow-box").count() > 10
    take_all_back(page)
    eventually(lambda: "Accept a group" in page.locator(".flow").nth(1).inner_text())


def test_more_arrows_show_more_of_the_flow(open_page, report):
    page = open_page(report)

    def share():
        return int(re.search(r"(\d+).% of all", page.locator(".flow figcaption").first.inner_text())[1])

    page.locator("#arrows-slider").press("Home")
    eventually(lambda: share() < 50)
    page.locator("#arrows-slider").press("End")
    eventually(lambda: share() > 90)


def test_a_hostile_label_is_shown_as_text_and_is_inert(open_page):
    log = EventLog.from_traces([[HOSTILE[0], label, HOSTILE[1]] for label in HOSTILE[2:]] * 40)
    page = open_views(open_page(log, title="<img src=x onerror=alert(3)>.csv"))
    assert page.title() == "<img src=x onerror=alert(3)>.csv: activities that act alike"
    for label in HOSTILE:
        page.fill("#search", label)
        page.press("#search", "Enter")
        assert page.locator("#panel-title").inner_text() == label
    assert page.locator("img").count() == 0
    assert page.locator("body b", has_text="bold").count() == 0
    assert page.locator("script").count() == 2
    assert page.locator(".proposal").count() > 0
    accept_all(page)
    assert set(downloaded(page)) == set(HOSTILE)


@pytest.mark.campaign
def test_an_attack_of_hostile_labels_runs_nothing(browser, tmp_path):
    context = browser.new_context(reduced_motion="reduce")
    random = Random(15)
    outcomes = list(attack_report(random, hostile_labels(random, 20), tmp_path, context.new_page()))
    context.close()
    assert len(outcomes) == 20
    assert [outcome.detail for outcome in outcomes if outcome.verdict != "same"] == []


def test_a_script_that_is_not_the_pages_own_does_not_run(browser, report, tmp_path):
    path = tmp_path / "changed.html"
    path.write_text(report.read_text().replace("<main", "<script>document.title = 'run'</script><main", 1))
    page = browser.new_page()
    said = []
    page.on("console", lambda message: said.append(message.text))
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready]", state="attached")
    assert page.title() != "run"
    assert any("Content Security Policy" in text for text in said)
    page.close()


@pytest.mark.campaign
@pytest.mark.parametrize("name", ODD_LOGS)
def test_odd_logs_have_a_report_too(open_page, name):
    log = EventLog.from_traces(ODD_LOGS[name])
    page = open_views(open_page(log))
    for width in (1280, 320):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_timeout(250)  # the page is drawn anew a moment after it has another width
        assert overflow(page) == 0
        for dot in range(min(len(log.activities), 12)):
            page.evaluate(f"document.querySelector('.dot[data-activity=\"{dot}\"]').dispatchEvent(new MouseEvent('click'))")
            assert overflow(page) == 0
        for slider in page.locator("input[type=range]").all():
            for key in ("End", "Home"):
                slider.press(key)
        page.wait_for_timeout(100)
        assert "Period" in page.locator("#facts").inner_text()
        assert "no timestamps" in page.locator("#facts").inner_text()
        assert overflow(page) == 0


@pytest.mark.campaign
def test_four_hundred_activities_have_a_report(open_page):
    names = [f"Step {i:03}" for i in range(400)]
    turn = Random(0).randrange
    log = EventLog.from_traces(
        [[names[(2 * (i + k) + turn(2)) % 400] for k in range(20)] for i in range(0, 200, 2) for _ in range(8)]
    )
    page = open_views(open_page(log, "ac-sequence-pmi-w5"))  # whose explanations take less time than those of kin
    assert page.locator(".dot").count() == 400
    assert page.locator(".proposal").count() == 20
    page.locator("#proposals-more").click()
    assert page.locator(".proposal").count() > 100
    page.locator("#many summary").click()
    page.locator("#sureness-slider").press("End")
    page.locator(".map-stage").focus()
    for _ in range(12):
        page.keyboard.press("+")
    page.wait_for_timeout(100)
    assert overflow(page) == 0


@pytest.mark.parametrize("width", [320, 390, 768])
def test_on_a_phone_nothing_overflows_and_the_panel_is_a_sheet(open_page, report, width):
    page = open_page(report, width=width, height=700, has_touch=True)
    assert overflow(page) == 0
    page.locator(".proposal .activity").first.tap()
    box = page.locator("#panel").bounding_box()
    assert (box["x"], box["y"] > (250 if width < 720 else -1)) == (0 if width < 720 else pytest.approx(width - 400), True)
    assert overflow(page) == 0


def test_light_and_dark_follow_the_reader(open_page, report):
    shades = []
    for scheme in ("light", "dark"):
        page = open_page(report, color_scheme=scheme)
        shades.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    light, dark = (sum(map(int, re.findall(r"\d+", shade)[:3])) for shade in shades)
    assert dark < 120 < 600 < light
    badge = page.locator(".proposal .badge").first
    dark = badge.evaluate("badge => getComputedStyle(badge).backgroundColor")
    page.emulate_media(color_scheme="light")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == shades[0]
    eventually(lambda: badge.evaluate("badge => getComputedStyle(badge).backgroundColor") != dark)


def test_in_print_proposals_are_whole_and_controls_are_gone(open_page, report, loan):
    page = open_page(report, color_scheme="dark")
    assert len(page.pdf()) > 10_000
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert not page.locator("#search").is_visible()
    assert not page.locator("#download").is_visible()
    assert len([label for label in labels(page.locator(".proposal .member .label")) if label]) == sum(
        len(found.activities) for found in group(loan)
    )
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.campaign
@pytest.mark.parametrize(
    "method",
    ["substitution-w3", "one-hot", "ac-multiset-ppmi-w5", "aa-sequence-pmi-w3", "positional-pmi-w5", "ac-sequence-raw-w5"],
)
def test_every_method_has_a_report_with_what_it_can_tell(open_page, loan, method):
    page = open_page(loan, method)
    page.fill("#search", "Pay out")
    page.press("#search", "Enter")
    assert method in page.locator("#made").inner_text()
    assert page.locator(".neighbour").count() == 10
    explains = method not in ("substitution-w3", "one-hot")
    assert (page.locator(".exactly").count() > 0) == explains
    assert proposals(page) == {frozenset(found.activities) for found in proposed(loan)}
    for item in page.locator(".neighbour-head").all()[:3]:
        item.click()
