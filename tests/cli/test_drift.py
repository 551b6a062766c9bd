"""The command drift."""

import json

import pytest

from actalike import EventLog, write_log
from tests.helpers.commands import fails, ok, run

BEFORE = [["order", "check", "pay"]] * 60 + [["order", "pay"]] * 60 + [["order", "old", "pay"]] * 30
AFTER = [["order", "pay", "check"]] * 60 + [["order", "pay"]] * 60 + [["order", "new", "pay"]] * 30


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("drift")
    for name, traces in (("before", BEFORE), ("after", AFTER)):
        write_log(EventLog.from_traces(traces), folder / f"{name}.csv")
    return folder / "before.csv", folder / "after.csv"


@pytest.fixture(scope="module")
def one_log(tmp_path_factory):
    """One log: cases before and from 2024 on, of two regions, one case of neither."""
    path = tmp_path_factory.mktemp("drift") / "both.csv"
    rows = ["case,activity,timestamp,region,size"]
    cases = [*((trace, "2023-05-01", "north") for trace in BEFORE), *((trace, "2024-05-01", "south") for trace in AFTER)]
    for number, (trace, day, region) in enumerate([*cases, (["order"], "2024-05-02", "")]):
        rows += [f"{number},{label},{day}T10:0{i}:00,{region},{number}" for i, label in enumerate(trace)]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_what_was_replaced_and_what_changed_are_shown_in_words(logs):
    text = ok("drift", *logs)
    assert text.startswith(
        "1 label replaced by new ones, 3 of 4 activities now have different neighbours.\n"
        "after (after.csv, 150 cases), compared with before (before.csv, 150 cases)\n\n"
        "Replaced labels (old and new are compared as one step, under the old label)\n"
        "  'old' (20 % of the cases) was replaced by 'new' (20 %): "
    )
    assert "likely the same step\n\ncheck   change 0." in text
    assert "\n  comes directly after 'pay' in 100 % of its events, before: 0 %\n" in text
    assert ok("drift", *logs, "--top", 1).count(" of 1 (by chance up to ") == 1
    assert "  and 2 more: --top\n" in ok("drift", *logs, "--top", 1)


def test_json_has_the_same_facts(logs):
    facts = json.loads(ok("drift", *logs, "--json"))
    assert facts["verdict"].startswith("1 label replaced")
    assert facts["changed"][0]["words"][0].endswith("before: 0 %")
    assert [one["activity"] for one in facts["vanished"]] == ["old"]
    assert facts["sources"] == ["before.csv", "after.csv"]
    assert [read["cases"] for read in facts["read"]] == [150, 150]
    assert facts == json.loads(ok("drift", *logs, "--json", "--seed", 0))


def test_one_log_is_divided_at_a_date_or_by_a_column(one_log, logs):
    at = ok("drift", one_log, "--at", "2024-01-01")
    assert "\nfrom 2024-01-01 UTC on (151 cases), compared with before 2024-01-01 UTC (150 cases)\n" in at
    done = run("drift", one_log, "--by", "region")
    assert "\n'south' (150 cases), compared with 'north' (150 cases)\n" in done.stdout
    assert "actalike: 1 case without a timestamp or value is on neither side.\n" in done.stderr
    folder = run("drift", logs[0].parent, "--cases", "separate", "--by", "source")
    assert "\n'before.csv' (150 cases), compared with 'after.csv' (150 cases)\n" in folder.stdout


def test_an_attribute_of_the_traces_divides_a_log(tmp_path):
    cases = [("north", BEFORE), ("south", AFTER)]
    traces = [
        f'<trace><string key="region" value="{region}"/>'
        + "".join(f'<event><string key="concept:name" value="{label}"/></event>' for label in trace)
        + "</trace>"
        for region, side in cases
        for trace in side
    ]
    (tmp_path / "log.xes").write_text(f"<log>{''.join(traces)}</log>", encoding="utf-8")
    assert "\n'south' (150 cases), compared with 'north' (150 cases)\n" in ok(
        "drift", tmp_path / "log.xes", "--by", "case:region"
    )
    assert "'case:region'" in fails("drift", tmp_path / "log.xes", "--by", "region")


def test_a_stable_log_shows_nothing(logs):
    assert ok("drift", logs[0], logs[0]) == (
        "Nothing changed beyond chance: 4 activities in 150 and 150 cases were compared.\n"
        "after (150 cases), compared with before (150 cases)\n"
    )


def test_wrong_calls_are_one_line_and_nothing_is_read(logs, one_log):
    assert "AFTER and --at cannot go together" in fails("drift", *logs, "--at", "2024-01-01")
    assert "--also cannot go with two logs" in fails("drift", *logs, "--also", one_log)
    assert "'soon' is not a date" in fails("drift", one_log.with_name("nosuch.csv"), "--at", "soon")
    assert "is outside the years 1 to 9999 in UTC" in fails("drift", one_log, "--at", "9999-12-31T23:59:59-12:00")
    assert "All cases begin before 2030-01-01" in fails("drift", one_log, "--at", "2030-01-01")
    assert "'size' has 301 values ('0', '1', '10', '100', '101', ...)" in fails("drift", one_log, "--by", "size")
    assert "no timestamps" in fails("drift", logs[0], "--at", "2024-01-01")


def test_errors_about_the_column_name_no_option_that_drift_lacks(one_log):
    absent, taken = (fails("drift", one_log, "--by", column) for column in ("regions", "activity"))
    assert "has no column 'regions' (given as an attribute). Did you mean 'region'? Its columns: 'case', " in absent
    assert "'activity' is the activity of the log" in taken
    assert "attributes=" not in absent + taken
    assert "--attributes" not in absent + taken


def test_labels_that_came_and_went_are_shown_with_their_cases(logs, tmp_path):
    write_log(EventLog.from_traces([["order", "pay"]] * 150 + [["order", "new", "order", "pay"]] * 50), tmp_path / "new.csv")
    text = ok("drift", logs[0], tmp_path / "new.csv")
    assert "\nAppeared\n  new: in 25 % of the cases (50), before: 0 % (0)\n" in text
    assert "\nVanished\n  check: in 0 % of the cases (0), before: 40 % (60)\n" in text


@pytest.fixture(scope="module")
def changed_log(tmp_path_factory):
    """A log in which a step is called by another name from the 121st of 240 cases on."""
    path = tmp_path_factory.mktemp("drift") / "changed.csv"
    rows = ["case,activity,timestamp"]
    for case in range(240):
        labels = ["order", "check" if case % 2 else "skip", "pay" if case < 120 else "pay by card"]
        rows += [f"{case},{label},2024-{1 + case // 28:02}-{1 + case % 28:02}T10:0{i}:00" for i, label in enumerate(labels)]
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


def test_one_log_alone_shows_when_it_changed_and_then_what(changed_log):
    text = ok("drift", changed_log)
    assert text.startswith(
        "1 change in 240 cases, the clearest first: 2024-05-09 (after case 120).\n\n2024-05-09 (after case 120)\n"
    )
    assert "\n  cases with 'pay': 0 %, before: 100 %\n" in text
    assert "\nWhat changed at the clearest change, 2024-05-09 (after case 120)\n\n1 label replaced by new ones" in text
    assert "'pay' (100 % of the cases) was replaced by 'pay by card' (100 %)" in text
    facts = json.loads(ok("drift", changed_log, "--json"))
    assert [point["case"] for point in facts["points"]] == [119]
    assert facts["drift"]["replaced"][0]["new"] == "pay by card"


def test_a_log_that_did_not_change_says_so_and_compares_nothing(tmp_path):
    write_log(EventLog.from_traces([["a", "b"], ["b", "a"]] * 50), tmp_path / "same.csv")
    facts = json.loads(ok("drift", tmp_path / "same.csv", "--json"))
    assert (facts["points"], facts["drift"], facts["verdict"]) == ([], None, "No change found in 100 cases.")


def test_three_neighbours_of_an_activity_are_shown_and_all_on_demand(logs):
    few, every = ok("drift", *logs), ok("drift", *logs, "--why")
    assert set(few.splitlines()) <= set(every.splitlines())
    for block in few.split("\n\n"):
        if " of 1 (by chance up to " in block:
            assert len(block.splitlines()) <= 4
