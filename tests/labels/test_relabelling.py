"""Relabelling a log in memory: the same kind back, only labels change, and the rows are those of a relabelled file."""

from datetime import UTC, datetime, timedelta

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import pm4py
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from pm4py.objects.log.importer.xes import importer
from polars.testing import assert_frame_equal

from actalike import (
    ActalikeError,
    Attribute,
    EventLog,
    LogError,
    UnknownActivityError,
    group,
    read_log,
    relabel,
    relabel_file,
    write_log,
)
from actalike.demo.loan_desk import loan_desk
from actalike.labels.relabelling import ORIGINAL
from tests.helpers.examples import examples
from tests.helpers.renamings import logs_with_mappings, meant
from tests.helpers.requirements import need_logs


def naive(traces, mapping, collapse):
    """By the definition: a new name; left out if it repeats the one before it, which had another old one."""
    out = []
    for trace in traces:
        new = [mapping.get(label, label) for label in trace]
        keep = [i for i in range(len(trace)) if not (collapse and i and new[i] == new[i - 1] and trace[i] != trace[i - 1])]
        out.append([new[i] for i in keep])
    return out


@given(logs_with_mappings(), st.booleans())
def test_a_log_in_memory_gets_its_new_names(case, collapse):
    log, mapping = case
    found = relabel(log, mapping, collapse)
    assert found.traces() == naive(log.traces(), meant(mapping), collapse)
    assert found.case_ids == log.case_ids


@given(logs_with_mappings(), st.booleans())
def test_attributes_go_with_their_events(case, collapse):
    log, mapping = case
    old_labels = [label for trace in log.traces() for label in trace]
    attributes = {"old": Attribute.from_texts(old_labels), "user": Attribute.from_texts([None] * log.n_events)}
    known = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=attributes)
    found = relabel(known, mapping, collapse)
    assert found.attributes["user"].texts() == [None] * found.n_events
    new_names = [meant(mapping).get(label, label) for label in found.attributes["old"].texts()]
    assert new_names == [label for trace in found.traces() for label in trace]
    assert known.relabel(str.upper).attributes == known.attributes


def test_a_blank_name_keeps_the_label():
    log = EventLog.from_traces([["a", "b", "", " "]])
    assert relabel(log, {"a": "", "b": " ", "": "", " ": ""}) == log
    assert relabel(log, {"a": "b", "b": "", "": "Check", " ": "Pay"}).traces() == [["b", "b", "Check", "Pay"]]


def test_timestamps_go_with_their_events():
    log = loan_desk(30)
    found = relabel(log, {"Verify identity": "Query credit bureau"}, collapse=True)
    assert found.n_events < log.n_events
    kept = relabel(log, {"Verify identity": "Query credit bureau"})
    assert set(found.timestamps.tolist()) < set(kept.timestamps.tolist())
    assert (kept.timestamps == log.timestamps).all()
    assert found.case_ids == log.case_ids


FRAME = pd.DataFrame({"case": ["1", "1"], "activity": ["a", "b"]})


@pytest.mark.parametrize("mapping", ["mapping.csv", [("a", "b")], pd.Series({"a": "b"}), FRAME, 7, None, ["a"]], ids=repr)
def test_what_is_no_mapping_is_refused_in_one_sentence(mapping, tmp_path):
    FRAME.to_csv(tmp_path / "log.csv", index=False)
    for relabelled in (
        lambda: relabel(FRAME, mapping),
        lambda: relabel(EventLog.from_traces([["a", "b"]]), mapping),
        lambda: relabel_file(tmp_path / "log.csv", mapping, tmp_path / "new.csv"),
    ):
        with pytest.raises(ActalikeError, match="read_mapping"):
            relabelled()


def test_swapped_arguments_are_refused_in_one_sentence():
    for log in (FRAME, EventLog.from_traces([["a", "b"]])):
        with pytest.raises(ActalikeError, match="dictionary"):
            relabel({"a": "b"}, log)


LABELS = ["a", "b", "c", "Prüfen ✓", "", " d\n"]
RENAMINGS = [{}, {"a": "b"}, {"a": "b", "c": "b"}, {"a": "x y", "b": "x y", "c": ""}]


def rows_of(n, data):
    start = datetime(2024, 2, 29, tzinfo=UTC)
    return {
        "cost": data.draw(st.lists(st.none() | st.integers(0, 9), min_size=n, max_size=n)),
        "case": data.draw(st.lists(st.sampled_from(["1", "2"]), min_size=n, max_size=n)),
        "activity": [*LABELS[:3], *data.draw(st.lists(st.sampled_from(LABELS), min_size=n - 3, max_size=n - 3))],
        "time:timestamp": [start + timedelta(hours=hour) for hour in data.draw(st.permutations(range(n)))],
    }


@examples(6)
@given(data=st.data(), mapping=st.sampled_from(RENAMINGS), collapse=st.booleans(), categorical=st.booleans())
def test_a_frame_becomes_what_its_file_becomes(tmp_path_factory, data, mapping, collapse, categorical):
    folder = tmp_path_factory.mktemp("frames")
    path, new = folder / "log.parquet", folder / "new.parquet"
    table = pa.table(rows_of(data.draw(st.integers(3, 12)), data))
    if categorical:
        table = table.set_column(2, "activity", table["activity"].dictionary_encode())
    table = table.replace_schema_metadata({"from": "the ERP"})
    if data.draw(st.booleans()):
        table = table.append_column(ORIGINAL, pa.array([None] * (len(table) - 1) + ["Old"], pa.string()))
    pq.write_table(table, path)
    relabel_file(path, mapping, new, collapse=collapse)

    relabelled = relabel(table, mapping, collapse)
    assert relabelled.schema.metadata == {b"from": b"the ERP"}
    assert relabelled.schema.field("activity").type == table.schema.field("activity").type
    assert relabelled.to_pylist() == pq.read_table(new).to_pylist()
    assert relabelled.schema.equals(pq.read_schema(new), check_metadata=True)
    frame = pl.read_parquet(path)
    assert_frame_equal(relabel(frame, mapping, collapse), pl.read_parquet(new))
    assert_frame_equal(relabel(frame.lazy(), mapping, collapse).collect(), pl.read_parquet(new))
    assert_frame_equal(frame, pl.read_parquet(path))
    before, after = pd.read_parquet(path), pd.read_parquet(new)
    result = relabel(before, mapping, collapse)
    after["cost"] = after["cost"].astype(result["cost"].dtype)  # pandas reads integers as floats if a file has a row without one
    pd.testing.assert_frame_equal(result.reset_index(drop=True), after, check_categorical=False)
    pd.testing.assert_frame_equal(before, pd.read_parquet(path))
    assert read_log(result) == read_log(new) == read_log(relabelled)


@pytest.mark.parametrize("name", ["Helpdesk"])
def test_a_real_log_is_relabelled_as_a_frame_and_as_a_file(name, tmp_path):
    log = read_log(need_logs() / f"{name}.xes.gz", attributes="people")
    frame = log.to_frame("pandas")
    groups = group(frame)
    assert groups == group(log)
    mapping = {log.activities[0]: log.activities[1], log.activities[2]: "new"}
    frame.to_parquet(tmp_path / "log.parquet")
    relabel_file(tmp_path / "log.parquet", mapping, tmp_path / "new.parquet", collapse=True)
    relabelled = relabel(frame, mapping, collapse=True)
    pd.testing.assert_frame_equal(relabelled, pd.read_parquet(tmp_path / "new.parquet").set_axis(relabelled.index))
    assert read_log(relabelled).traces() == relabel(read_log(frame), mapping, collapse=True).traces()


def test_a_pandas_frame_keeps_its_index_notes_and_types():
    frame = pd.DataFrame(
        {
            "activity": ["a", "b", "b"],
            "case": pd.array([1, None, 2], dtype="Int64").fillna(7),
            "who": pd.Categorical(["Sue", None, "Bob"]),
            "odd": [object(), {"x": 1}, [2]],
        },
        index=pd.Index([7, 7, 3], name="row"),
    )
    frame.attrs["from"] = ["the ERP"]
    for dtype in ("object", "str", "string", pd.ArrowDtype(pa.string()), "category"):
        given_frame = frame.astype({"activity": dtype})
        copy = given_frame.copy()
        new = relabel(given_frame, {"b": "c"})
        assert new.drop(columns=[ORIGINAL, "activity"]).equals(frame.drop(columns="activity"))
        assert new.index.equals(frame.index)
        assert new.attrs == {"from": ["the ERP"]}
        assert new["activity"].tolist() == ["a", "c", "c"]
        assert [None if pd.isna(text) else text for text in new[ORIGINAL]] == [None, "b", "b"]
        assert dtype == "category" or new["activity"].dtype == given_frame["activity"].dtype
        pd.testing.assert_frame_equal(given_frame, copy)


def test_categories_keep_their_order_and_those_without_rows():
    column = pd.Categorical([1, 3, 3, 2], categories=[3, 2, 1, 9], ordered=True)
    new = relabel(pd.DataFrame({"case": [1, 1, 2, 2], "activity": column}), {"2": "3"})["activity"]
    assert new.tolist() == ["1", "3", "3", "3"]
    assert new.cat.categories.tolist() == ["3", "1", "9"]
    assert new.cat.ordered


def test_an_arrow_dictionary_keeps_its_types_and_the_notes_of_its_field():
    kind = pa.dictionary(pa.int8(), pa.large_string(), ordered=True)
    field = pa.field("activity", kind, metadata={"unit": "step"})
    table = pa.table(
        [pa.array(["a", "b", "a"], pa.large_string()).cast(kind), [1, 1, 2]], pa.schema([field, ("case", pa.int64())])
    )
    new = relabel(table, {"a": "b"}, collapse=True)
    assert new.schema.field("activity").equals(field, check_metadata=True)
    assert new.to_pydict() == {"activity": ["b", "b"], "case": [1, 2], ORIGINAL: ["a", "a"]}


def test_columns_with_unusual_names_are_named():
    frame = pl.DataFrame({"order": [1, 1], "what": ["a", "b"], "at": [2, 1]})
    assert relabel(frame, {"b": "c"}, case="order", activity="what")["what"].to_list() == ["a", "c"]
    with pytest.raises(LogError, match="recognised"):
        relabel(frame, {"b": "c"})
    log = read_log(frame, case="order", activity="what")
    with pytest.raises(ActalikeError, match="frame"):
        relabel(log, {}, case="order")


def test_what_a_file_is_refused_for_a_frame_is_refused_for_too():
    with pytest.raises(LogError, match="missing"):
        relabel(pd.DataFrame({"case": [1, 1], "activity": ["a", None]}), {"a": "b"})
    with pytest.raises(ActalikeError, match="'Paye'"):
        relabel(pl.DataFrame({"case": [1], "activity": ["Pay"]}), {"Paye": "b"})
    with pytest.raises(ActalikeError, match="relabel"):
        relabel([["a"]], {"a": "b"})
    with pytest.raises(ActalikeError, match="two columns of the same name"):
        relabel(pd.DataFrame(np.array([["a", "b", "c"]]), columns=["case", "activity", "activity"]), {"b": "c"})


def test_views_of_texts_stay_views_of_texts():
    views = {name: pa.array(["a", "b", "a"], pa.string_view()) for name in ("activity", "note")}
    table = pa.table({"case": ["1", "1", "2"], **views}).replace_schema_metadata({"from": "the ERP"})
    for collapse, labels in ((False, ["a", "a", "a"]), (True, ["a", "a"])):
        result = relabel(table, {"b": "a"}, collapse)
        assert result["activity"].to_pylist() == labels
        assert result.schema.remove(3).equals(table.schema, check_metadata=True)
        assert result.schema.field(ORIGINAL).type == pa.string_view()


def test_a_frame_of_a_class_derived_from_pandas_stays_one():
    class Table(pd.DataFrame):
        """Hold a frame as libraries such as geopandas do."""

        @property
        def _constructor(self):
            return Table

    frame = Table({"case": ["1", "1"], "activity": ["a", "b"]})
    result = relabel(frame, {"b": "a"}, collapse=True)
    assert isinstance(result, Table)
    assert result["activity"].tolist() == ["a"]


def test_a_dictionary_whose_indices_are_too_small_for_its_labels_is_refused():
    chunks = [pa.DictionaryArray.from_arrays(pa.array(range(100), pa.int8()), [f"{k}{i}" for i in range(100)]) for k in "ab"]
    table = pa.table({"case": ["1"] * 200, "activity": pa.chunked_array(chunks)})
    assert read_log(table).n_events == len(read_log(table).activities) == 200
    with pytest.raises(ActalikeError, match="int32"):
        relabel(table, {"a1": "x"})
    wide = table.set_column(1, "activity", table["activity"].cast(pa.string()))
    assert relabel(wide, {"a1": "x"})["activity"].to_pylist()[:3] == ["a0", "x", "a2"]


def test_neighbours_are_those_of_the_order_in_which_the_log_is_read(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("case,activity,time\n1,a,2024-01-03\n2,b,2024-01-01\n1,b,2024-01-01\n1,c,2024-01-02\n")
    relabel_file(log, {"b": "a"}, tmp_path / "time.csv", collapse=True)
    assert read_log(tmp_path / "time.csv").traces() == [["a", "c", "a"], ["a"]]
    relabel_file(log, {"b": "a"}, tmp_path / "file.csv", collapse=True, order="file")
    assert read_log(tmp_path / "file.csv", order="file").traces() == [["a", "c"], ["a"]]


def test_labels_that_the_log_does_not_have_are_refused(tmp_path):
    log = EventLog.from_traces([["Check invoice", "Pay"]])
    with pytest.raises(UnknownActivityError, match="mean 'Check invoice'"):
        relabel(log, {"chek invoice": "Check"})
    write_log(log, tmp_path / "log.xes")
    with pytest.raises(UnknownActivityError, match="unknown"):
        relabel_file(tmp_path / "log.xes", dict.fromkeys("xyzuv", "Pay"), tmp_path / "new.xes")
    assert not (tmp_path / "new.xes").exists()


@pytest.mark.parametrize("role", ["case", "activity", "timestamp"])
def test_a_log_is_not_read_from_the_column_that_keeps_the_old_labels(role, tmp_path):
    columns = {"case": ["1", "1"], "activity": ["a", "b"], "timestamp": ["2024-01-01", "2024-01-02"]}
    frame = pl.DataFrame({ORIGINAL if name == role else name: values for name, values in columns.items()})
    frame.write_csv(tmp_path / "log.csv")
    frame.write_parquet(tmp_path / "log.parquet")
    label = frame.rows()[0][1]
    refused = rf"the {role} is in 'actalike:original', .*rename that column.*Nothing was relabelled"
    for source in (frame, frame.to_pandas(), frame.to_arrow()):
        with pytest.raises(ActalikeError, match=refused):
            relabel(source, {label: "x"}, **{role: ORIGINAL})
    for ending in ("csv", "parquet"):
        with pytest.raises(ActalikeError, match=refused):
            relabel_file(tmp_path / f"log.{ending}", {label: "x"}, tmp_path / f"new.{ending}", **{role: ORIGINAL})
    assert not list(tmp_path.glob("new*"))


def test_an_attribute_of_xes_that_keeps_the_old_labels_is_not_relabelled(tmp_path):
    write_log(EventLog.from_traces([["a", "b"]]), tmp_path / "log.xes")
    relabel_file(tmp_path / "log.xes", {"a": "x", "b": "y"}, tmp_path / "new.xes")
    with pytest.raises(ActalikeError, match="actalike:original"):
        relabel_file(tmp_path / "new.xes", {"a": "z"}, tmp_path / "newer.xes", activity=ORIGINAL)
    assert not (tmp_path / "newer.xes").exists()


def test_a_column_of_an_earlier_relabelling_that_cannot_hold_labels_is_refused(tmp_path):
    frame = pl.DataFrame({"case": ["1"], "activity": ["a"], ORIGINAL: [["old"]]})
    frame.write_parquet(tmp_path / "log.parquet")
    for source in (frame, frame.to_pandas(), frame.to_arrow()):
        with pytest.raises(ActalikeError, match="actalike:original"):
            relabel(source, {"a": "x"})
    with pytest.raises(ActalikeError, match="actalike:original"):
        relabel_file(tmp_path / "log.parquet", {"a": "x"}, tmp_path / "new.parquet")


def test_a_name_that_is_no_text_of_unicode_is_refused():
    frame = pl.DataFrame({"case": ["1"], "activity": ["a"]})
    for source in (frame, frame.to_pandas(), frame.to_arrow(), EventLog.from_traces([["a"]])):
        with pytest.raises(ActalikeError, match="surrogate"):
            relabel(source, {"a": "\ud800"})


MAPPING = {"Queued": "Accepted"}


@pytest.fixture(scope="module")
def logs(log_file, tmp_path_factory):
    """A log of pm4py as it is, relabelled, and read from the relabelled file; and that file."""
    path, new = log_file("BPIC13_open_problems"), tmp_path_factory.mktemp("pm4py") / "new.xes.gz"
    relabel_file(path, MAPPING, new, collapse=True)
    log = read_pm4py(path)
    return log, relabel(log, MAPPING, collapse=True), read_pm4py(new), new


def read_pm4py(path):
    return importer.apply(str(path), parameters={"show_progress_bar": False})


def test_an_event_log_of_pm4py_becomes_what_its_file_becomes(logs):
    log, relabelled, of_file, _ = logs
    assert [[dict(event) for event in trace] for trace in relabelled] == [[dict(event) for event in trace] for trace in of_file]
    assert [trace.attributes for trace in relabelled] == [trace.attributes for trace in of_file]
    assert not any(ORIGINAL in event for trace in log for event in trace)  # it is not changed
    again = relabel(relabelled, {"Accepted": "Taken"})
    assert {event[ORIGINAL] for trace in again for event in trace if ORIGINAL in event} == {"Queued", "Accepted"}


def test_pm4py_discovers_the_same_model_from_frame_object_and_file(logs):
    log, relabelled, of_file, new = logs
    frame = pm4py.convert_to_dataframe(log)
    new_frame = relabel(frame, MAPPING, collapse=True, order="file")
    assert list(new_frame.columns) == [*frame.columns, ORIGINAL]
    assert read_log(new_frame, order="file").traces() == read_log(new).traces()
    trees = [str(pm4py.discover_process_tree_inductive(each)) for each in (new_frame, relabelled, of_file)]
    assert len(set(trees)) == 1
