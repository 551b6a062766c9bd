"""Events that lack an activity, a case, or the time they are sorted by: an error, left out, or named; never silently."""

import gzip
import json

import pandas as pd
import polars as pl
import pytest

from actalike import ActalikeError, LogError, group, read_log, relabel, relabel_file, write_report
from actalike.labels import relabel_files
from tests.helpers.commands import run
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import GOOD, document

NAMED = [[("a", 1), ("b", 2), ("c", 3)], [("a", 4), (None, 5), ("c", 6)], [(None, 7)]]  # activities and days, case by case


def rows(cases=NAMED):
    return [
        {"case": str(number), "activity": label, "time": None if day is None else f"2024-01-0{day}T00:00:00+00:00"}
        for number, case in enumerate(cases, 1)
        for label, day in case
    ]


def xes(path, events):
    cases = {}
    for event in events:
        cases.setdefault(event["case"], []).append((event["activity"] or "GONE", event["time"] or "2024-01-01T00:00:00Z"))
    text = document(*cases.items()).replace(b'<string key="concept:name" value="GONE"/>', b"")
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def csv(path, events):
    pl.DataFrame(events).write_csv(path)
    return path


def parquet(path, events):
    pl.DataFrame(events).write_parquet(path)
    return path


SOURCES = {
    "xes": lambda folder: xes(folder / "log.xes", rows()),
    "xes.gz": lambda folder: xes(folder / "log.xes.gz", rows()),
    "csv": lambda folder: csv(folder / "log.csv", rows()),
    "parquet": lambda folder: parquet(folder / "log.parquet", rows()),
    "polars": lambda _: pl.DataFrame(rows()),
    "pandas": lambda _: pd.DataFrame(rows()),
    "pyarrow": lambda _: pl.DataFrame(rows()).to_arrow(),
}


@pytest.fixture(params=SOURCES)
def source(request, tmp_path):
    return SOURCES[request.param](tmp_path)


def test_an_activity_that_is_missing_is_an_error_that_names_the_way_on(source):
    with pytest.raises(LogError, match="--missing skip") as caught:
        read_log(source)
    assert "activity" in str(caught.value)
    assert "1 more event" in str(caught.value)


def test_events_without_an_activity_are_left_out_and_counted(source):
    log = read_log(source, missing="skip")
    assert log.traces() == [["a", "b", "c"], ["a", "c"]]
    assert log.n_events == 5
    assert (log.reading.skipped, log.reading.skipped_for, log.reading.events) == (2, ("activity",), 5)
    assert (log.reading.skipped_cases, log.reading.cases, list(log.case_ids)) == (1, 2, ["1", "2"])
    assert "2 events without an activity left out, and 1 case of only such events" in str(log.reading)


def test_cases_are_left_out_wherever_they_stand_and_those_without_events_stay(tmp_path):
    cases = [[(None, 1)], [("a", 2), (None, 3)], [(None, 4)], [(None, 5), ("b", 6)]]
    columns = read_log(pl.DataFrame(rows(cases)), missing="skip")
    path = xes(tmp_path / "log.xes", rows(cases))
    empty = b'<trace><string key="concept:name" value="empty"/></trace></log>'
    path.write_bytes(path.read_bytes().replace(b"</log>", empty))
    log = read_log(path, missing="skip")
    assert (columns.traces(), list(columns.case_ids)) == ([["a"], ["b"]], ["2", "4"])
    assert (log.traces(), list(log.case_ids)) == ([["a"], ["b"], []], ["2", "4", "empty"])
    assert (columns.reading.skipped_cases, log.reading.skipped_cases) == (2, 2)
    assert read_log(pl.DataFrame({"case": [None, "1"], "activity": ["a", "b"]}), missing="skip").reading.skipped_cases == 0


def test_events_without_an_activity_get_a_name_and_are_counted(source):
    log = read_log(source, missing="label")
    assert log.traces() == [["a", "b", "c"], ["a", "(no activity)", "c"], ["(no activity)"]]
    assert (log.reading.labelled, log.reading.skipped, log.n_events) == (2, 0, 7)
    assert "called '(no activity)'" in str(log.reading)


def test_nothing_is_said_of_a_log_that_lacks_nothing():
    frame = pl.DataFrame(rows()).drop_nulls()
    assert read_log(frame, missing="skip") == read_log(frame) == read_log(frame, missing="label")
    assert read_log(frame, missing="skip").reading == read_log(frame).reading


def test_cases_and_times_that_are_missing_are_left_out_but_have_no_name():
    frame = pl.DataFrame({"case": ["1", None, "1"], "activity": ["a", "b", "c"], "time": ["2024-01-02", "2024-01-01", None]})
    log = read_log(frame, missing="skip")
    assert (log.traces(), log.reading.skipped, log.reading.skipped_for) == ([["a"]], 2, ("case", "timestamp"))
    assert read_log(frame, missing="skip", order="file").traces() == [["a", "c"]]
    with pytest.raises(LogError, match="no case"):
        read_log(frame, missing="label")


def test_attributes_second_names_and_lifecycles_belong_to_the_events_that_are_left():
    frame = pl.DataFrame(rows()).with_columns(user=pl.Series(list("abcdefg")), code=pl.Series(list("tuvwxyz")))
    frame = frame.with_columns(transition=pl.Series(["start", "complete"] * 3 + ["complete"]))
    log = read_log(frame, missing="skip", attributes=["user"], name="code", lifecycle="complete")
    assert (log.traces(), log.attributes["user"].texts()) == ([["b"], ["a", "c"]], ["b", "d", "f"])
    assert log.names == {"a": "w", "b": "u", "c": "y"}
    assert (log.reading.skipped, log.reading.left_out) == (2, 2)
    assert read_log(frame, missing="label", lifecycle="append").traces()[2] == ["(no activity)+complete"]


def test_files_of_a_folder_may_lack_activities(tmp_path):
    csv(tmp_path / "a.csv", rows()[:3])
    csv(tmp_path / "b.csv", rows()[3:])
    with pytest.raises(LogError, match=r"row 2 of b\.csv"):
        read_log(tmp_path)
    assert read_log(tmp_path, missing="skip").reading.skipped == 2


def test_a_log_of_which_nothing_is_left_is_an_error():
    with pytest.raises(LogError, match="every event"):
        read_log(pl.DataFrame({"case": ["1"], "activity": [None]}), missing="skip")


def test_an_unknown_choice_is_an_error():
    with pytest.raises(ActalikeError, match="--missing"):
        read_log(pl.DataFrame(rows()), missing="drop")


def test_relabelling_keeps_events_without_an_activity_as_they_are(source, tmp_path):
    names = {"a": "A"}
    if hasattr(source, "suffix"):
        copy = tmp_path / f"copy{''.join(source.suffixes)}"
        with pytest.raises(LogError, match="--missing"):
            relabel_file(source, names, copy)
        result = relabel_file(source, names, copy, missing="skip")
        assert (result.events, result.renamed, result.reading.skipped_cases) == (5, 2, 1)
    else:
        with pytest.raises(LogError, match="--missing"):
            relabel(source, names)
        copy = relabel(source, names, missing="skip")
        assert type(copy) is type(source)
    assert read_log(copy, missing="label").traces() == [["A", "b", "c"], ["A", "(no activity)", "c"], ["(no activity)"]]


def relabelled(source, names, folder, **options):
    if not hasattr(source, "suffix"):
        return relabel(source, names, **options)
    copy = folder / f"copy{''.join(source.suffixes)}"
    relabel_file(source, names, copy, **options)
    return copy


def test_relabelling_never_drops_an_event_without_an_activity(source, tmp_path):
    copy = relabelled(source, {"a": "(no activity)"}, tmp_path, collapse=True, missing="label")
    gone = "(no activity)"
    assert read_log(copy, missing="label").traces() == [[gone, "b", "c"], [gone, gone, "c"], [gone]]


def test_relabelling_keeps_empty_tags_of_events(tmp_path):
    path, copy = tmp_path / "log.xes", tmp_path / "copy.xes"
    named = b'<string key="concept:name" value="%s"/>'
    path.write_bytes(b"<log><trace>%s<event>%s</event><event/><event/></trace></log>" % (named % b"1", named % b"X"))
    relabel_file(path, {"X": "(no activity)"}, copy, collapse=True, missing="label")
    assert copy.read_bytes().endswith(b"</event><event/><event/></trace></log>")
    assert read_log(copy, missing="label").traces() == [["(no activity)"] * 3]


def test_a_mapping_leaves_events_without_an_activity_alone(source, tmp_path):
    names = {"a": "A", "(no activity)": "nothing"}
    copy = relabelled(source, names, tmp_path, missing="label")
    expected = [["A", "b", "c"], ["A", "(no activity)", "c"], ["(no activity)"]]
    assert read_log(copy, missing="label").traces() == expected
    with pytest.raises(ActalikeError, match="no activity"):
        relabelled(source, names, tmp_path, missing="skip")
    if hasattr(source, "suffix"):
        folder = tmp_path / "logs"
        folder.mkdir()
        source.rename(folder / source.name)
        done = relabel_files(folder, names, tmp_path / "new", missing="label")
        assert (done.renamed, done.events) == (2, 7)
        assert read_log(tmp_path / "new" / source.name, missing="label").traces() == expected


def test_a_command_announces_what_it_left_out_and_the_page_shows_it(tmp_path):
    path = xes(tmp_path / "log.xes", rows([[("a", 1), ("b", 2)], [("a", 3), (None, 4)]] * 9))
    failed = run("group", path)
    assert failed.returncode == 1
    assert "--missing skip" in failed.stderr
    done = run("group", path, "--missing", "skip", "--json")
    assert "9 events without an activity left out" in done.stderr
    assert json.loads(done.stdout)["read"]["skipped"] == 9
    page = tmp_path / "page.html"
    write_report(read_log(path, missing="label"), page)
    assert "9 events without an activity" in page.read_text("utf-8")
    assert group(read_log(path, missing="label")) is not None


@pytest.mark.parametrize("missing", ["error", "skip", "label"])
def test_a_key_that_no_event_has_is_a_wrong_name_and_nothing_to_leave_out(missing):
    with pytest.raises(LogError, match="no event has"):
        read_bytes(GOOD, "log.xes", activity="nosuch", missing=missing)
