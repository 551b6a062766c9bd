"""Which label gets which name: from a table, from groups, from a matching of two logs."""

import csv
import gzip
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, group, read_mapping, relabel, write_mapping
from actalike.demo.loan_desk import loan_desk
from actalike.labels import RELATIONS
from actalike.labels.mapping import mapping_of, read_label_table, table_bytes, translation
from tests.helpers.strategies import any_text


def test_groups_of_some_relations_are_a_mapping():
    log = loan_desk()
    found = group(log)
    for relations in (["alternatives"], RELATIONS, []):
        groups = [one for one in found if one.relation in relations]
        mapping = mapping_of(found, relations)
        assert mapping == {label: one.name for one in groups for label in one.activities}
        simpler = relabel(log, mapping)
        assert len(simpler.activities) == len(log.activities) - sum(len(one.activities) - 1 for one in groups)
    assert relabel(log, {}) == relabel(log, {label: label for label in log.activities}, collapse=True) == log


def test_only_synonyms_are_renamed_unless_somebody_asks_for_more():
    typo = [["File", "Check invoice", "Pay"]] * 200 + [["File", "Chekc invoice", "Pay"]] * 3
    log = EventLog.from_traces([*typo, *[["Pay", "Call", "File"], ["Pay", "Mail", "File"]] * 50])
    assert {one.relation for one in group(log)} >= {"synonyms", "alternatives"}
    assert mapping_of(group(log)) == {"Check invoice": "Check invoice", "Chekc invoice": "Check invoice"}
    assert relabel(log, group(log)) == relabel(log, mapping_of(group(log)))


def test_relations_that_do_not_exist_are_refused():
    with pytest.raises(ActalikeError, match="mean 'synonyms'"):
        mapping_of([], ["alternatives", "synonym"])
    with pytest.raises(ActalikeError, match="synonyms"):
        mapping_of([], "synonyms")


def test_chains_of_names_are_refused():
    log = EventLog.from_traces([["a", "b", "c"]])
    with pytest.raises(ActalikeError, match=" to "):
        relabel(log, {"a": "b", "b": "c"})
    with pytest.raises(ActalikeError, match="in turn"):
        relabel(log, {"a": "b", "b": "a"})
    assert relabel(log, {"a": "b", "b": "b"}).traces() == [["b", "b", "c"]]


def test_names_that_are_no_texts_are_refused():
    with pytest.raises(ActalikeError, match="1 is not a text"):
        relabel(EventLog.from_traces([["a"]]), {"a": 1})


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "mapping"),
        ("a,b\nx,y\n", "mapping"),
        ("activity,group\na,b\na,c\n", " and "),
        ("activity,group\na,b,c\n", "fields"),
        ('activity,group\n"a,b\n', "valid"),
        ("activity,group,Activity\na,b,c\n", "activity"),
        ("activity,group,group\na,b,c\n", "group"),
        ("activity,group\na\n", "field"),
    ],
)
def test_what_is_no_mapping_is_refused(tmp_path, content, said):
    (tmp_path / "mapping.csv").write_text(content)
    with pytest.raises(ActalikeError, match=said):
        read_mapping(tmp_path / "mapping.csv")


def test_mappings_that_are_no_text_are_refused(tmp_path):
    (tmp_path / "mapping.csv").write_bytes("activity,group\nä,b\n".encode("latin-1"))
    with pytest.raises(ActalikeError, match="UTF-8"):
        read_mapping(tmp_path / "mapping.csv")
    (tmp_path / "mapping.csv").write_bytes(gzip.compress(b"activity,group\n")[:-3])
    with pytest.raises(ActalikeError, match="cut off"):
        read_mapping(tmp_path / "mapping.csv")
    with pytest.raises(ActalikeError, match="cannot be read"):
        read_mapping(tmp_path / "nowhere.csv")


@given(st.dictionaries(any_text, any_text, max_size=5), st.lists(any_text, max_size=3, unique=True))
def test_a_mapping_that_is_written_is_read_again(mapping, activities):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mapping.csv"
        write_mapping(mapping, activities, path)
        expected = {**{label: label for label in activities}, **mapping}
        assert read_mapping(path) == expected


@pytest.mark.parametrize(
    "text",
    [
        "﻿activity,group\nä,b\n",
        "activity;group;why\nä;b;as I say\n",
        "group\tactivity\r\nb\tä\r\n\r\n",
        "activity,group\nä,b\nä,b\n",
        "Activity,GROUP\nä,b\n",
        "sep=;\r\nActivity;Group\r\nä;b\r\n",
    ],
)
def test_mappings_may_come_from_spreadsheets(tmp_path, text):
    (tmp_path / "mapping.csv").write_text(text, encoding="utf-8", newline="")
    assert read_mapping(tmp_path / "mapping.csv") == {"ä": "b"}


def test_what_a_spreadsheet_would_run_is_escaped_and_comes_back(tmp_path):
    mapping = {"=1+1": "-x", "'=1+1": "@", "\tTab": "''-y", "Check": "Check", "'quoted'": "a,b"}
    write_mapping(mapping, [], tmp_path / "mapping.csv")
    cells = [cell for line in (tmp_path / "mapping.csv").read_text().splitlines() for cell in line.split(",")]
    assert cells[2:6] == ["'=1+1", "'-x", "''=1+1", "'@"]
    assert read_mapping(tmp_path / "mapping.csv") == mapping


def test_what_a_person_writes_without_the_escape_is_read_as_it_is(tmp_path):
    (tmp_path / "mapping.csv").write_text("activity,group\n=1+1,-x\n'ok',@\n")
    assert read_mapping(tmp_path / "mapping.csv") == {"=1+1": "-x", "'ok'": "@"}


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
def test_a_mapping_may_be_in_utf_16_with_its_mark(tmp_path, order):
    (tmp_path / "mapping.csv").write_bytes("\ufeffActivity\tGroup\r\nä\tb\r\n".encode(order))
    assert read_mapping(tmp_path / "mapping.csv") == {"ä": "b"}


def test_a_long_label_is_read_again_and_the_limit_of_others_stays(tmp_path):
    limit = csv.field_size_limit()
    write_mapping({"x" * 2_000_000: "y"}, [], tmp_path / "mapping.csv")
    assert read_mapping(tmp_path / "mapping.csv") == {"x" * 2_000_000: "y"}
    assert csv.field_size_limit() == limit


def test_a_matching_gives_the_labels_of_b_the_names_of_a_all_at_once(tmp_path):
    path = tmp_path / "matching.csv"
    rows = ["Label A,label_b,probability,reason", "Check,1,0.9,", "Pay,Check,0.8,'=x", "Close,,0.6,", ",Pay,1,", ",Call,1,"]
    path.write_text("\n".join(rows))
    mapping = read_mapping(path)
    assert mapping == {"1": "Check", "Check": "Pay", "Pay": "Pay (b)"}
    log = EventLog.from_traces([["1", "Check", "Pay", "Call"]])
    assert relabel(log, mapping).traces() == [["Check", "Pay", "Pay (b)", "Call"]]
    path.write_text("label_a,label_b\nCheck,1\n")  # rows were deleted, or the log has grown
    assert relabel(EventLog.from_traces([["1", "Check"]]), read_mapping(path)).traces() == [["Check", "Check (b)"]]
    with pytest.raises(ActalikeError, match="renames"):
        relabel(EventLog.from_traces([["Check", "Pay", "Close"]]), mapping)
    path.write_text("label_a,label_b\nCheck,1\nPay,1\n")
    with pytest.raises(ActalikeError, match="Check"):
        read_mapping(path)


@given(st.lists(st.sampled_from("abcdef"), unique=True), st.lists(st.sampled_from("abcdef"), unique=True))
def test_a_translation_never_makes_two_steps_one(names, labels):
    labels_b = ["a", "a (b)", "b", "c", "d"]
    pairs = [(name, label) for name, label in zip(names, labels, strict=False) if label in labels_b]
    mapping = translation(pairs, labels_b)
    translated = [mapping.get(label, label) for label in labels_b]
    assert len(set(translated)) == len(labels_b)
    assert mapping.items() >= {(label, name) for name, label in pairs}


HEADER = "label_a,label_b,known,original_a\n"


def test_a_name_that_is_a_slip_of_a_label_of_a_is_refused(tmp_path):
    path = tmp_path / "matching.csv"
    path.write_text(f"{HEADER}rejekt,absagen,,reject\npay,zahlen,,pay\n")
    with pytest.raises(ActalikeError, match="mean 'reject'"):
        read_mapping(path)
    path.write_text(f"{HEADER}Ablehnung,absagen,,reject\npay,zahlen,,pay\n")
    assert read_mapping(path).new_names == ("Ablehnung",)
    path.write_text(f"{HEADER},absagen,,reject\nreject,zahlen,,\n")  # moved from one row to another
    assert (read_mapping(path), read_mapping(path).new_names) == ({"zahlen": "reject"}, ())
    path.write_text("label_a,label_b\nrejekt,absagen\nreject,zahlen\n")  # nobody knows the labels of a
    assert read_mapping(path) == {"absagen": "rejekt", "zahlen": "reject"}


def test_no_keeps_labels_apart(tmp_path):
    path = tmp_path / "matching.csv"
    path.write_text(f"{HEADER}pay,zahlen,no,pay\ncheck,check,no,check\nsend,,,send\n,send,,\n,call,no,\n")
    names = read_mapping(path)
    assert names == {"check": "check (b)"}
    assert names.namesakes == ("send",)
    path.write_text(f"{HEADER}send,,,send\n,send,no,\n")
    assert (read_mapping(path), read_mapping(path).namesakes) == ({"send": "send (b)"}, ())


@given(st.lists(st.tuples(any_text, any_text), min_size=1, max_size=5))
def test_rows_that_are_written_are_read_again(rows):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(table_bytes([("first", "second"), *rows]))
        assert [tuple(row.cells) for row in read_label_table(path).rows[1:]] == rows


def test_lines_are_those_of_the_file(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text('sep=;\nA ;b\n\n"two\nlines";x\ny;z\n')
    table = read_label_table(path)
    assert [row.line for row in table.rows] == [2, 4, 6]
    assert table.header() == ["a", "b"]
    assert table.columns(["b", "a"]) == [1, 0]
    assert table.columns(["c"]) is None


def test_an_empty_file_has_no_rows(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("")
    assert (read_label_table(path).rows, read_label_table(path).header()) == ([], [])
    path.write_text("a,A\n")
    with pytest.raises(ActalikeError, match="rename"):
        read_label_table(path).columns(["a"])


def test_a_file_that_is_far_too_large_is_refused_without_advice_that_does_not_help(tmp_path, monkeypatch):
    monkeypatch.setattr("actalike.labels.mapping.MAX_BYTES", 10)
    (tmp_path / "known.csv").write_text("label_a,label_b\n")
    with pytest.raises(ActalikeError, match="unpacked") as caught:
        read_label_table(tmp_path / "known.csv")
    assert "max-bytes" not in str(caught.value)
