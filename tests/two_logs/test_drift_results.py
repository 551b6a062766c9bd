"""What changed, in words, as plain data and as a card."""

import json

import polars as pl
import pytest

from actalike import Attribute, EventLog, drift
from actalike.log import Reading
from actalike.two_logs import (
    ChangedActivity,
    NeighbourChange,
    change_sizes,
    change_words,
    drift_headline,
    drift_limits,
    first_side,
    presence_groups,
    presence_words,
    sides_words,
)
from tests.helpers.json_schemas import check


@pytest.mark.parametrize(
    ("offset", "neighbour", "words"),
    [
        (-1, "x", "comes directly after 'x'"),
        (-2, "x", "comes two steps after 'x'"),
        (1, "x", "is directly followed by 'x'"),
        (2, "x", "is followed two steps later by 'x'"),
        (-1, None, "begins its case"),
        (-2, None, "is among the first two steps of its case"),
        (1, None, "ends its case"),
        (2, None, "is among the last two steps of its case"),
    ],
)
def test_every_place_has_words(offset, neighbour, words):
    part = NeighbourChange(offset, neighbour, 0.08, 0.62, 0.1)
    one = ChangedActivity("a", 0.2, 0.001, (part,), (), 0.01, 50, 50, 50, 50, False)
    assert change_words(one) == [f"{words} in 62 % of its events, before: 8 %"]


@pytest.mark.parametrize(
    ("change", "by_chance", "words"),
    [
        (0.4, 0.0012, ("0.40", "0.01")),
        (0.0618, 0.0512, ("0.062", "0.052")),
        (0.01132, 0.01105, ("0.0113", "0.0111")),
        (0.000291, 0.000257, ("0.00029", "0.00026")),
        (0.004, 0.0, ("0.004", "0.000")),
    ],
)
def test_a_change_beyond_chance_reads_as_one(change, by_chance, words):
    assert change_sizes(ChangedActivity("a", change, 0.001, (), (), by_chance, 50, 50, 50, 50, False)) == words


def test_a_small_share_is_said_in_events_if_there_is_no_larger_one():
    small, large = NeighbourChange(-1, "x", 0, 7 / 7903, 0.001), NeighbourChange(1, "y", 0.5, 0.2, 0.0005)
    gone = NeighbourChange(1, "z", 1 / 2141, 0, 0.0001)
    one = ChangedActivity("a", 0.01, 0.001, (small,), (gone,), 0.001, 2141, 7903, 2141, 7903, False)
    assert change_words(one) == [
        "comes directly after 'x' in 7 of 7,903 events, before: 0 of 2,141",
        "is directly followed by 'z' in 0 of 7,903 events, before: 1 of 2,141",
    ]
    assert change_words(one._replace(went=(large, gone))) == ["is directly followed by 'y' in 20 % of its events, before: 50 %"]


def by_office(first, second):
    log = EventLog.from_traces([*first, *second])
    texts = ["north" for trace in first for _ in trace] + ["south" for trace in second for _ in trace]
    attributes = {"office": Attribute.from_texts(texts)}
    return drift(EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=attributes), by="office")


def test_the_two_values_of_a_column_are_called_by_their_names():
    result = by_office([["a", "b"]] * 200, [["b", "a"]] * 200 + [["a", "b", "new"]] * 30)
    assert sides_words(result) == "'south' (230 cases), compared with 'north' (200 cases)"
    assert drift_headline(result) == "2 of 2 activities have different neighbours, 1 only 'south'."
    assert change_words(result.changed[0], first_side(result))[0] == "ends its case in 0 % of its events, 'north': 100 %"
    ((title, (new,)),) = presence_groups(result)
    assert (title, presence_words(new, result)) == ("Only 'south'", "in 13 % of the cases (30), 'north': 0 % (0)")


def test_a_change_that_another_label_explains_names_it():
    kinds = [["b", "a", "c"], ["b", "c"], ["c", "b"]]
    before, after = (
        EventLog.from_traces([case for case, n in zip(kinds, numbers, strict=True) for _ in range(n)])
        for numbers in ([30, 60, 30], [90, 50, 25])
    )
    result = drift(before, after)
    assert drift_headline(result) == (
        "2 of 3 activities now have different neighbours (2 explained by the number of cases with another label), "
        "1 in more cases."
    )
    assert change_words(result.changed[0])[0] == "explained by the number of cases with 'a'"


def test_what_could_not_be_seen_is_said():
    assert drift_limits(drift(EventLog.from_traces([["a"]] * 200), EventLog.from_traces([["a"]] * 200))) == []
    rare = drift(EventLog.from_traces([["a", "b"]] * 4), EventLog.from_traces([["b", "a"]] * 300))
    assert drift_headline(rare) == "No change could be told from chance in 4 and 300 cases."
    assert drift_limits(rare) == [
        "No activity is in 5 or more cases of both sides: too few to tell a change of neighbours from chance. Give more cases."
    ]
    small = drift(
        EventLog.from_traces([["a", "b"], ["b", "a"]] * 10), EventLog.from_traces([["b", "a"]] * 300 + [["c", "c"]] * 3)
    )
    assert drift_limits(small)[0].startswith("One side has only 20 cases: for half of the activities, a change below 0.")
    few = drift(EventLog.from_traces([["a", "r"]] * 3 + [["a"]] * 300), EventLog.from_traces([["a", "r"]] * 200))
    assert drift_limits(few) == ["1 activity is in fewer than 5 cases of one side: too rare to judge."]


def test_cases_on_neither_side_are_said():
    log = EventLog.from_traces([["a"]] * 302)
    attributes = {"office": Attribute.from_texts(["north"] * 150 + ["south"] * 150 + [None] * 2)}
    result = drift(EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=attributes), by="office")
    assert drift_limits(result) == ["2 cases without a timestamp or value are on neither side."]


def test_the_facts_are_plain_data():
    before = EventLog.from_traces([["a", "b", "c"]] * 30 + [["a", "old"]] * 30)
    after = EventLog.from_traces([["b", "a", "c"]] * 30 + [["a", "new"]] * 30)
    result = drift(before, after)
    facts = check(json.dumps(result.to_dict()))
    assert facts == result.to_dict()
    assert facts["sides"] == ["before", "after"]
    assert facts["cases"] == [60, 60]
    assert [one["activity"] for one in facts["changed"]] == [one.activity for one in result.changed]
    assert facts["changed"][0]["came"][0]["part"] == result.changed[0].came[0].part
    assert [(one["old"], one["new"]) for one in facts["replaced"]] == [("old", "new")]
    assert repr(result).startswith("Drift(60 and 60 cases; ")
    assert repr(result).endswith("0 appeared, 0 vanished, 1 replaced)")


def test_only_activities_that_were_judged_are_counted():
    result = drift(EventLog.from_traces([["a", "b"]] * 30 + [["rare"]]), EventLog.from_traces([["b", "a"]] * 30 + [["rare"]]))
    assert (len(result.all), result.judged) == (3, 2)
    assert "; 2 of 2 activities changed, " in repr(result)
    assert drift_headline(result).startswith("2 of 2 activities now have different neighbours")


HOSTILE = "<img src=x onerror=alert(1)> & \u202e \n"


def test_the_card_shows_what_changed_and_labels_are_text():
    before = EventLog.from_traces([["a" + HOSTILE, "b", "c"]] * 30 + [["b", "old" + HOSTILE]] * 30)
    after = EventLog.from_traces([["b", "a" + HOSTILE, "c"]] * 30 + [["b", "new" + HOSTILE]] * 30)
    more = EventLog.from_traces([["b", "a" + HOSTILE, "c"]] * 30 + [["b", "new" + HOSTILE], ["b", HOSTILE, "b"]] * 30)
    cards = [drift(*logs)._repr_html_() for logs in ((before, after), (after, more), (more, after))]
    for html, words in zip(cards, ("Replaced", "Appeared", "Vanished"), strict=True):
        assert f"<strong>{words}</strong>" in html
        assert "<img" not in html
        assert "&lt;img src=x" in html
    for words in ("has different neighbours", "was replaced by", "background:currentColor"):
        assert words in cards[0]


def test_the_card_names_the_files():
    log = EventLog.from_traces([["a", "b"]] * 20)
    before, after = (
        EventLog(log.activities, log.codes, log.offsets, log.case_ids, reading=Reading(f"logs/<{name}>.csv", "case", "activity"))
        for name in ("one", "two")
    )
    assert "&lt;one&gt;.csv, 20 cases" in drift(before, after)._repr_html_()


def test_the_card_of_a_stable_log_says_so():
    log = EventLog.from_traces([["a", "b"]] * 200)
    assert "Nothing changed beyond chance" in drift(log, log)._repr_html_()


def test_long_lists_are_cut_and_say_so():
    labels = [f"step {i:02}" for i in range(24)]
    before = EventLog.from_traces([[label, "x"] for label in labels for _ in range(40)] + [["x"]] * 200)
    after = EventLog.from_traces([["x", label] for label in labels for _ in range(40)] + [[f"{i}", "x"] for i in range(12)] * 30)
    html = drift(before, after)._repr_html_()
    assert "and 15 more activities that changed" in html
    assert "and 2 more labels" in html


def test_the_frame_has_a_row_for_each_activity():
    before = EventLog.from_traces([["a", "b", "c"]] * 30 + [["a", "old"]] * 30 + [["gone", "b", "gone"]] * 30)
    after = EventLog.from_traces([["b", "a", "c"]] * 30 + [["a", "new"]] * 30 + [["c"]] * 30)
    result = drift(before, after)
    rows = {row["activity"]: row for row in result.to_frame().to_dicts()}
    assert set(rows) == {*before.activities, *after.activities}
    assert list(rows)[: len(result.all)] == [one.activity for one in result.all]
    assert {label for label, row in rows.items() if row["is_changed"]} == {one.activity for one in result.changed}
    assert rows["old"]["replaced_by"] == "new"
    presence = [rows[label]["presence"] for label in ("gone", "old", "new", "c", "b", "a")]
    assert presence == ["vanished", "vanished", "appeared", "more cases", "fewer cases", None]
    assert (rows["gone"]["cases_before"], rows["gone"]["cases_after"], rows["gone"]["change"]) == (30, 0, None)
    assert rows["a"]["words"] == "; ".join(next(change_words(one) for one in result.changed if one.activity == "a"))


def test_the_frame_is_of_the_kind_that_was_read():
    frame = pl.DataFrame({"case": [1, 1, 2, 2], "activity": ["a", "b", "a", "b"]})
    for log, kind in ((frame, "polars"), (frame.to_pandas(), "pandas"), (frame.to_arrow(), "pyarrow")):
        assert type(drift(log, frame).to_frame()).__module__.startswith(kind)
        assert drift(frame, log).to_frame("polars")["activity"].to_list() == ["a", "b"]


def test_the_name_of_version_0_2_warns_and_works():
    log = EventLog.from_traces([["a", "b"]] * 9)
    with pytest.warns(DeprecationWarning, match="to_dict"):
        assert drift(log, log).as_dict() == drift(log, log).to_dict()
