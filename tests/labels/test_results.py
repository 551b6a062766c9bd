"""What the results about labels give back: the JSON of the commands, frames of the kind that was read, cards."""

import json
import pickle
import sys

import polars as pl
import pytest

from actalike import ActalikeError, EventLog, Group, compare, count_windows, group, match, relabel, relabel_file, write_log
from actalike.demo.loan_desk import loan_desk
from actalike.grouping import judge_pair, likely_pairs
from actalike.labels import RELATIONS, Groups, mapping_of
from actalike.labels.describe import GroupRow, group_rows
from tests.helpers.commands import ok

HOSTILE = "<img src=x onerror=alert(1)> & \u202e \n"


@pytest.fixture(scope="module")
def desk():
    return loan_desk(60)


@pytest.fixture(scope="module")
def path(desk, tmp_path_factory):
    path = tmp_path_factory.mktemp("results") / "desk.xes.gz"
    write_log(desk, path)
    return path


def printed(*words):
    """What a command prints as JSON, without what it alone knows."""
    return {key: value for key, value in json.loads(ok(*words, "--json", "--quiet")).items() if key not in ("output", "read")}


def test_groups_have_the_json_of_their_command(desk, path):
    assert len(group(desk)) > 2
    assert group(desk).to_dict() == printed("group", path)
    assert group(desk, 0.8).to_dict() == printed("group", path, "--at-least", 0.8)
    assert group(desk, steps=9).to_dict() == printed("group", path, "--steps", 9)


def test_likely_pairs_have_the_json_of_their_command(desk, path):
    assert likely_pairs(desk, topn=30).to_dict() == printed("similar", path, "--top", 30)
    assert likely_pairs(desk, "Pay out", 3).to_dict() == printed("similar", path, "Pay out", "--top", 3)


def test_the_verdict_about_a_pair_has_the_json_of_its_command(desk, path):
    facts = printed("explain", path, "Pay out", "Transfer loan", "--top", 3)
    pair = judge_pair(desk, "Pay out", "Transfer loan", 3)
    assert {**pair.to_dict(), "names": {}} == facts
    assert facts["comparison"] == compare(desk, "Pay out", "Transfer loan").to_dict()
    assert pair._repr_html_() == pair.comparison._repr_html_()


def test_facts_by_their_former_name_warn_and_work(desk, path):
    for result in (compare(desk, "Pay out", "Transfer loan"), relabel_file(path, {}, path.with_name("copy.xes.gz"))):
        with pytest.warns(DeprecationWarning, match="to_dict"):
            assert result.as_dict() == result.to_dict()


def test_a_frame_of_groups_has_a_row_for_each_label_and_is_of_the_kind_that_was_read(desk):
    frame = desk.to_frame()
    for read, kind in ((frame, "polars"), (frame.to_pandas(), "pandas"), (frame.to_arrow(), "pyarrow")):
        groups = group(read)
        assert type(groups.to_frame()) is type(groups.to_frame(kind)) is type(read)
        table = groups.to_frame("polars")
        assert table["activity"].to_list() == [label for one in groups for label in one.activities]
        assert dict(table.select("activity", "group").rows()) == groups.mapping(RELATIONS)
        assert table["events"].sum() == sum(groups.log.activity_counts[groups.log.activities.index(x)] for x in table["activity"])
    first = table.row(0, named=True)
    assert (first["relation"], first["probability"]) == (groups[0].relation, groups[0].probability)
    assert "; + " in first["reason"]


def test_a_frame_of_pairs_has_their_fields(desk):
    pairs = likely_pairs(desk.to_frame().to_pandas(), topn=4)
    assert pairs.to_frame().to_dict("records") == pairs.to_dict()["pairs"]
    assert pairs.to_frame("polars").rows() == list(pairs)


def test_of_no_groups_there_is_a_frame_a_card_and_json():
    groups = group(EventLog.from_traces([["a"]] * 30))
    assert groups == []
    assert (groups.to_frame().shape[0], groups.to_dict()["groups"]) == (0, [])
    assert "Groups" in groups._repr_html_()
    assert likely_pairs(EventLog.from_traces([["a"]])).to_frame().shape[0] == 0


def test_the_columns_of_the_frame_are_the_fields_of_a_row(desk):
    groups = group(desk)
    frame = groups.to_frame()
    assert frame.columns == list(GroupRow._fields)
    numbers = {name for name, kind in frame.schema.items() if kind.is_numeric()}
    assert numbers == {"probability", "interchangeable", "overlap", "events", "cases"}
    assert list(group_rows(groups, desk)) == list(map(tuple, frame.rows()))


def test_groups_are_a_list_that_names_labels(desk):
    groups = group(desk)
    assert isinstance(groups, list)
    assert all(isinstance(one, Group) for one in groups)
    assert groups.mapping() == mapping_of(list(groups)) == mapping_of(groups)
    assert relabel(desk, groups) == relabel(desk, list(groups)) == relabel(desk, groups.mapping())
    again = pickle.loads(pickle.dumps(groups))
    assert (again, again.to_dict()) == (groups, groups.to_dict())
    with pytest.raises(ActalikeError, match="relation"):
        groups.mapping(["nosuch"])


def test_a_matching_gives_labels_new_names_as_decisions_do():
    a = EventLog.from_traces([["order", "pack", "send"], ["order", "cancel"]] * 9)
    b = EventLog.from_traces([["1", "2", "3"], ["1", "4"]] * 9)
    assert relabel(b, match(a, b)).traces()[:2] == [["order", "pack", "send"], ["order", "cancel"]]


def test_the_card_of_groups_shows_labels_as_text():
    log = EventLog.from_traces([["x", HOSTILE, "y"], ["x", "b", "y"]] * 20)
    html = group(log)._repr_html_()
    assert "<img" not in html
    assert "&lt;img" in html
    many = Groups([group(log)[0]._replace(activities=("x", "y") * 9)] * 20, log)
    assert "and 14 more labels" in many._repr_html_()
    assert "and 8 more groups" in many._repr_html_()
    assert isinstance(many.to_frame(), pl.DataFrame)


ANSWERS = {
    "group": group,
    "likely pairs": likely_pairs,
    "the likely pairs of one": lambda log: likely_pairs(log, "Pay out"),
    "a pair": lambda log: judge_pair(log, "Pay out", "Transfer loan"),
    "a comparison": lambda log: compare(log, "Pay out", "Transfer loan"),
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_the_windows_of_a_log_are_counted_once(answer, desk, monkeypatch):
    counted = []

    def count(log, window):
        counted.append(window)
        return count_windows(log, window)

    for module in [module for name, module in sys.modules.items() if name.startswith(("actalike.labels.", "actalike.grouping"))]:
        if getattr(module, "count_windows", None) is count_windows:
            monkeypatch.setattr(module, "count_windows", count)
    ANSWERS[answer](desk)
    assert counted == [5]
