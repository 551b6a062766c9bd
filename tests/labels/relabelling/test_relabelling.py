"""Relabelling changes the labels that it is told to, and nothing else."""

import csv
import gzip
import io
import os
import random
import re
import resource
import tempfile
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import (
    ActalikeError,
    EventLog,
    LogError,
    UnknownActivityError,
    group,
    read_log,
    read_mapping,
    relabel,
    relabel_file,
    write_log,
    write_mapping,
)
from actalike.demo.loan_desk import loan_desk
from actalike.io import source
from actalike.labels.mapping import mapping_of
from actalike.labels.relabelling.plan import ORIGINAL
from actalike.labels.relabelling.xes import _Rewriting
from tests.helpers.examples import examples, real_logs
from tests.helpers.strategies import any_text, labels, logs
from tests.helpers.xes_documents import write_freely, xml_text

new_names = st.sampled_from(["a", "new", "<script>alert(1)</script>", 'it\'s "&" more', "x,y;z\t", " ", "", "📄"])


@st.composite
def mappings(draw, of, names=new_names):
    """Some labels get a new name, which none that is renamed has."""
    chosen = draw(st.lists(st.sampled_from(sorted(of)), unique=True, max_size=4))
    return {label: draw(names.filter(lambda name: name not in chosen)) for label in chosen}


@st.composite
def logs_with_mappings(draw, label=labels):
    log = draw(logs(label))
    return log, draw(mappings(log.activities))


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
    assert found.traces() == naive(log.traces(), mapping, collapse)
    assert found.case_ids == log.case_ids


def test_timestamps_go_with_their_events():
    log = loan_desk(30)
    found = relabel(log, {"Verify identity": "Query credit bureau"}, collapse=True)
    assert found.n_events < log.n_events
    kept = relabel(log, {"Verify identity": "Query credit bureau"})
    assert set(found.timestamps.tolist()) < set(kept.timestamps.tolist())
    assert (kept.timestamps == log.timestamps).all()
    assert found.case_ids == log.case_ids


def test_groups_are_a_mapping():
    log = loan_desk()
    found = group(log)
    simpler = relabel(log, found)
    assert len(simpler.activities) == len(log.activities) - sum(len(one.activities) - 1 for one in found)
    assert simpler == relabel(log, mapping_of(found))
    assert relabel(log, {}) == relabel(log, {label: label for label in log.activities}, collapse=True) == log


@pytest.mark.parametrize("name", ["log.xes", "log.xes.gz", "log.csv", "log.csv.gz", "log.tsv", "log.parquet"])
@examples(20)
@given(case=logs_with_mappings(), collapse=st.booleans())
def test_a_file_that_is_relabelled_reads_as_the_log_relabelled(name, case, collapse):
    log, mapping = case
    if not name.startswith("log.xes"):
        log = EventLog.from_traces([trace for trace in log.traces() if trace])  # columns have no cases without events
    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder) / name, Path(folder) / f"new.{name}"
        if name == "log.tsv":
            rows = [(i, label) for i, trace in enumerate(log.traces()) for label in trace]
            before.write_text(delimited([("case", "activity"), *rows], "\t"), encoding="utf-8", newline="")
        else:
            write_log(log, before)
        done = relabel_file(before, mapping, after, collapse=collapse)
        found = read_log(after, order="file")
        expected = relabel(read_log(before, order="file"), mapping, collapse)
        assert found == expected
        assert (done.events, done.activities) == (expected.n_events, len(expected.activities))
        assert done.dropped == log.n_events - found.n_events
        again = Path(folder) / f"again.{name}"
        relabel_file(before, mapping, again, collapse=collapse)
        assert after.read_bytes() == again.read_bytes()
        assert {path.name for path in Path(folder).iterdir()} == {before.name, after.name, again.name}


def delimited(rows, separator):
    text = io.StringIO()
    csv.writer(text, delimiter=separator, quoting=csv.QUOTE_ALL).writerows(rows)
    return text.getvalue()


documents = st.lists(st.tuples(xml_text, st.lists(xml_text, max_size=5)), min_size=1, max_size=5).filter(
    lambda traces: any(events for _, events in traces)
)


@st.composite
def documents_with_mappings(draw):
    traces = draw(documents)
    return traces, draw(mappings({label for _, events in traces for label in events}, xml_text))


@pytest.mark.parametrize("piece", [source.PIECE, 1, 7, 64])
@examples(20)
@given(case=documents_with_mappings(), seed=st.integers(0, 2**32), collapse=st.booleans())
def test_every_legal_layout_of_xes_is_relabelled_exactly(piece, case, seed, collapse):
    traces, mapping = case
    document = write_freely(traces, seed, kinds=("string",))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        before, after = Path(folder) / "before.xes", Path(folder) / "after.xes"
        before.write_bytes(document)
        patch.setattr(source, "PIECE", piece)
        relabel_file(before, mapping, after, collapse=collapse)
        found = after.read_bytes()
    assert elements(found) == expected_elements(document, mapping, collapse)
    if not any(mapping[label] != label for label in mapping):
        assert found == document


def elements(document):
    """All that is in a document, but for white space and how things are written."""
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True, insert_pis=True))
    return as_lists(ElementTree.fromstring(document, parser))


def as_lists(element):
    content = [dense(element.text)]
    for child in element:
        content += [as_lists(child), dense(child.tail)]
    tag = element.tag if isinstance(element.tag, str) else "not an element"
    return [tag, dict(element.attrib), content]


def dense(text):
    return "".join((text or "").split())


def expected_elements(document, mapping, collapse):
    parser = ElementTree.XMLParser(target=ElementTree.TreeBuilder(insert_comments=True, insert_pis=True))
    root = ElementTree.fromstring(document, parser)
    for trace in root.iter("trace"):
        before = None
        for event in list(trace.iter("event")):
            place = next(
                i for i, child in enumerate(event) if child.get("key") == "concept:name" and child.get("value") is not None
            )
            label = event[place].get("value")
            name = mapping.get(label, label)
            if collapse and before is not None and before[1] == name and before[0] != label:
                place = list(trace).index(event)  # the first child is the id
                trace[place - 1].tail = dense(trace[place - 1].tail) + dense(event.tail)
                trace.remove(event)
            elif name != label:
                event[place].set("value", name)
                event.insert(place, ElementTree.Element("string", {"key": ORIGINAL, "value": label}))
            before = label, name
    return as_lists(root)


ALL_KINDS = b"""<?xml version="1.0" encoding="UTF-8"?>
<!-- made by hand -->
<log xes.version="1849-2016" xes.features="nested-attributes" xmlns="http://www.xes-standard.org/">
\t<extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
\t<global scope="trace"><string key="concept:name" value="Verify"/></global>
\t<global scope="event"><string key="concept:name" value="Verify"/><date key="time:timestamp" value="1970-01-01T00:00:00.000+00:00"/></global>
\t<classifier name="Activity" keys="concept:name lifecycle:transition"/>
\t<string key="concept:name" value="Verify"/>
\t<trace>
\t\t<string key="concept:name" value="Verify"/>
\t\t<string key="Verify" value="Verify"><string key="concept:name" value="Verify"/></string>
\t\t<event>
\t\t\t<date key="time:timestamp" value="2024-02-29T12:00:00.000+01:00"/>
\t\t\t<string key="concept:name" value="Verify"/>
\t\t\t<int key="cost" value="3"/><float key="weight" value="1.50"/><boolean key="paid" value="true"/>
\t\t\t<id key="identity:id" value="f81d4fae-7dec-11d0-a765-00a0c91e6bf6"/>
\t\t\t<list key="Verify"><values><string key="concept:name" value="Verify"/></values></list>
\t\t\t<container key="c"><string key="concept:name" value="Verify"/></container>
\t\t</event>
\t\t<!-- <event><string key="concept:name" value="Verify"/></event> -->
\t\t<event>\r\n\t\t\t<string key="concept:name" value="Pay &amp; go"/></event>
\t\t<event><string value='Verify' key='concept:name'><string key="why" value="nested"/></string></event>
\t</trace>
</log>

<!-- the end -->
"""


def test_only_the_bytes_of_renamed_labels_change(tmp_path):
    log = tmp_path / "log.xes"
    log.write_bytes(ALL_KINDS)
    relabel_file(log, {"Verify": "Check <now> & 'then'"}, tmp_path / "new.xes")
    expected = ALL_KINDS.replace(
        b"""\t\t\t<string key="concept:name" value="Verify"/>\n\t\t\t<int""",
        b"""\t\t\t<string key="actalike:original" value="Verify"/>\n\t\t\t<string key="concept:name" """
        b"""value="Check &lt;now&gt; &amp; 'then'"/>\n\t\t\t<int""",
    ).replace(
        b"<event><string value='Verify' key=",
        b"<event><string key=\"actalike:original\" value='Verify'/><string value='Check &lt;now&gt; &amp; &apos;then&apos;' key=",
    )
    assert (tmp_path / "new.xes").read_bytes() == expected
    relabel_file(log, {"Verify": "Pay & go"}, tmp_path / "collapsed.xes", collapse=True)
    assert (tmp_path / "collapsed.xes").read_bytes().count(b"<event>") == 1 + ALL_KINDS.count(b"<event><string key=")
    assert read_log(tmp_path / "collapsed.xes").traces() == [["Pay & go"]]


def test_the_first_original_stays(tmp_path):
    for name in ("log.xes", "log.csv", "log.parquet"):
        log, once, twice = (tmp_path / f"{prefix}{name}" for prefix in ("", "once-", "twice-"))
        write_log(EventLog.from_traces([["a", "b", "c"]]), log)
        relabel_file(log, {"a": "x"}, once)
        relabel_file(once, {"x": "y", "b": "y"}, twice)
        assert read_log(twice).traces() == [["y", "y", "c"]]
        if name == "log.xes":
            assert re.findall(rb'actalike:original" value="(.)"', twice.read_bytes()) == [b"a", b"b"]
        elif name == "log.csv":
            assert [row[-1] for row in csv.reader(twice.read_text().splitlines())] == [ORIGINAL, "a", "b", ""]
        else:
            assert pl.read_parquet(twice)[ORIGINAL].to_list() == ["a", "b", None]
            assert pl.read_parquet(twice).columns.count(ORIGINAL) == 1


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (b"case,activity,note\n1,a,x\n", b"case,activity,note,actalike:original\n1,b,x,a\n"),
        (b'case,activity,note\r\n1,"a","x, ""y"""\r\n1,c,\r\n', b'case,activity,note,actalike:original\r\n1,"b","x, ""y""","a"\r\n1,c,,\r\n'),
        (b"note;activity;case\n 1.50 ;a;7", b"note;activity;case;actalike:original\n 1.50 ;b;7;a"),
        (b"\xef\xbb\xbfactivity\tcase\na\t1\nA\t1\n", b"\xef\xbb\xbfactivity\tcase\tactalike:original\nb\t1\ta\nA\t1\t\n"),
        (b'case,activity\n1,"a\nb"\n1,a\n', b'case,activity,actalike:original\n1,"a\nb",\n1,b,a\n'),
        ("case,activity,n\n1,a,é\n".encode("utf-16"), "case,activity,n,actalike:original\n1,b,é,a\n".encode("utf-16")),
        (b"\xfe\xff" + "case,activity\n1,a\n".encode("utf-16-be"), b"\xfe\xff" + "case,activity,actalike:original\n1,b,a\n".encode("utf-16-be")),
    ],
)  # fmt: skip
def test_cells_of_a_csv_stay_as_they_are_written(tmp_path, document, expected):
    log = tmp_path / "log.csv"
    log.write_bytes(document)
    relabel_file(log, {"a": "b"}, tmp_path / "new.csv")
    assert (tmp_path / "new.csv").read_bytes() == expected


def test_other_encodings_are_kept(tmp_path):
    log = tmp_path / "log.csv"
    log.write_bytes("case,activity\n1,Prüfen\n1,a\n".encode("latin-1"))
    relabel_file(log, {"a": "bezahlt für"}, tmp_path / "new.csv", encoding="latin-1")
    assert (tmp_path / "new.csv").read_bytes().decode(
        "latin-1"
    ) == "case,activity,actalike:original\n1,Prüfen,\n1,bezahlt für,a\n"
    with pytest.raises(LogError, match="is in latin-1, which has no '📄'"):
        relabel_file(log, {"a": "📄"}, tmp_path / "other.csv", encoding="latin-1")
    document = '<?xml version="1.0" encoding="ISO-8859-1"?><log><trace><string key="concept:name" value="é"/><event><string key="concept:name" value="ü"/></event></trace></log>'
    (tmp_path / "log.xes").write_bytes(document.encode("latin-1"))
    relabel_file(tmp_path / "log.xes", {"ü": "📄ä"}, tmp_path / "new.xes")
    assert (tmp_path / "new.xes").read_bytes() == document.replace(
        'event><string key="concept:name" value="ü"',
        'event><string key="actalike:original" value="ü"/><string key="concept:name" value="&#128196;ä"',
    ).encode("latin-1")
    assert read_log(tmp_path / "new.xes").activities == ["📄ä"]
    (tmp_path / "16.xes").write_bytes(document.replace("ISO-8859-1", "UTF-16").encode("utf-16"))
    relabel_file(tmp_path / "16.xes", {}, tmp_path / "new16.xes")
    assert (tmp_path / "new16.xes").read_bytes() == (tmp_path / "16.xes").read_bytes()
    (tmp_path / "8.xes").write_bytes(b"\xef\xbb\xbf" + document.replace("ISO-8859-1", "UTF-8").encode())
    relabel_file(tmp_path / "8.xes", {}, tmp_path / "new8.xes")
    assert (tmp_path / "new8.xes").read_bytes() == (tmp_path / "8.xes").read_bytes()


def test_the_columns_of_a_parquet_file_stay_with_their_types_and_notes(tmp_path):
    table = pa.table(
        {
            "activity": pa.array(["a", "b", "a"]).dictionary_encode(),
            "case": pa.array([1, 1, 2], pa.int32()),
            "time": pa.array([datetime(2024, 2, 29, 12)] * 3, pa.timestamp("ms", tz="Europe/Berlin")),
            "cost": pa.array([Decimal("1.20"), None, Decimal("3.40")]),
            "tags": pa.array([["x"], [], None]),
            "who": pa.array([{"name": "Ann", "team": 1}] * 3),
            "raw": pa.array([b"\x00", b"", None]),
            "day": pa.array([date(2024, 2, 29)] * 3),
            "share": pa.array([0.5, float("nan"), None], pa.float32()),
            "paid": pa.array([True, False, None]),
            "nothing": pa.nulls(3),
        }
    ).replace_schema_metadata({"from": "the ERP", "pandas": "{}"})
    pq.write_table(table, tmp_path / "log.parquet")
    relabel_file(tmp_path / "log.parquet", {"b": "<b>"}, tmp_path / "new.parquet")
    before, after = (pl.read_parquet(tmp_path / name) for name in ("log.parquet", "new.parquet"))
    assert after.drop(ORIGINAL).schema == before.schema
    assert after.drop(ORIGINAL, "activity").equals(before.drop("activity"))
    assert after["activity"].to_list() == ["a", "<b>", "a"]
    assert after[ORIGINAL].to_list() == [None, "b", None]
    assert pl.read_parquet_metadata(tmp_path / "new.parquet").items() >= {"from": "the ERP", "pandas": "{}"}.items()
    relabel_file(tmp_path / "log.parquet", {"b": "a"}, tmp_path / "short.parquet", collapse=True)
    assert pl.read_parquet(tmp_path / "short.parquet")["case"].to_list() == [1, 2]


def test_neighbours_are_those_of_the_order_in_which_the_log_is_read(tmp_path):
    log = tmp_path / "log.csv"
    log.write_text("case,activity,time\n1,a,2024-01-03\n2,b,2024-01-01\n1,b,2024-01-01\n1,c,2024-01-02\n")
    relabel_file(log, {"b": "a"}, tmp_path / "time.csv", collapse=True)
    assert read_log(tmp_path / "time.csv").traces() == [["a", "c", "a"], ["a"]]
    relabel_file(log, {"b": "a"}, tmp_path / "file.csv", collapse=True, order="file")
    assert read_log(tmp_path / "file.csv", order="file").traces() == [["a", "c"], ["a"]]


@pytest.mark.parametrize(
    "name", real_logs("Helpdesk", "Env_Permit", "CCC19", "BPIC13_open_problems", "Hospital_Billing", long=("BPIC15_1", "BPIC12"))
)
def test_real_logs_are_copied_but_for_what_is_renamed(log_file, tmp_path, name):
    path = log_file(name)
    after = tmp_path / path.name.removesuffix(".gz")
    log = read_log(path)
    relabel_file(path, {label: label for label in log.activities}, after)
    original = gzip.decompress(path.read_bytes())
    if after.suffix == ".xes":
        assert after.read_bytes() == original
    else:
        assert [line[:-1] for line in after.read_bytes().splitlines()[1:]] == original.splitlines()[1:]
    label = log.activities[0]
    done = relabel_file(path, {label: "a <new> name"}, after)
    assert read_log(after) == log.relabel(lambda text: "a <new> name" if text == label else text)
    assert done.renamed == log.activity_counts[0]
    if after.suffix == ".xes":
        restored = re.sub(
            rb'(\s*)<string key="actalike:original" value="([^"]*)"/>\1<string key="concept:name" value="a &lt;new&gt; name"',
            rb'\1<string key="concept:name" value="\2"',
            after.read_bytes(),
        )
        assert restored == original


class TestWrong:
    def test_labels_that_the_log_does_not_have(self, tmp_path):
        log = EventLog.from_traces([["Check invoice", "Pay"]])
        with pytest.raises(
            UnknownActivityError, match=r"no activity 'chek invoice'\. Did you mean 'Check invoice'\?.*Nothing was"
        ):
            relabel(log, {"chek invoice": "Check"})
        write_log(log, tmp_path / "log.xes")
        with pytest.raises(
            UnknownActivityError, match=r"no activity 'x'\..*And none 'y'\..*5 labels of the mapping are unknown in all"
        ):
            relabel_file(tmp_path / "log.xes", dict.fromkeys("xyzuv", "Pay"), tmp_path / "new.xes")
        assert not (tmp_path / "new.xes").exists()

    def test_chains(self):
        log = EventLog.from_traces([["a", "b", "c"]])
        with pytest.raises(ActalikeError, match=r"calls 'a' 'b', and 'b' in turn 'c': name 'c' for both, or leave 'b' as it is"):
            relabel(log, {"a": "b", "b": "c"})
        with pytest.raises(ActalikeError, match="in turn"):
            relabel(log, {"a": "b", "b": "a"})
        assert relabel(log, {"a": "b", "b": "b"}).traces() == [["b", "b", "c"]]

    def test_what_is_no_text(self):
        with pytest.raises(ActalikeError, match="1 is no text"):
            relabel(EventLog.from_traces([["a"]]), {"a": 1})

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("", "is no mapping"),
            ("a,b\nx,y\n", "is no mapping"),
            ("activity,group\na,b\na,c\n", r"gives 'a' two names, 'b' and 'c' \(row 2\)"),
            ("activity,group\na,b,c\n", "row 1 has 3 fields and the header 2"),
            ('activity,group\n"a,b\n', "is not sound CSV"),
        ],
    )
    def test_mappings(self, tmp_path, content, said):
        (tmp_path / "mapping.csv").write_text(content)
        with pytest.raises(ActalikeError, match=said):
            read_mapping(tmp_path / "mapping.csv")

    def test_mappings_that_are_no_text(self, tmp_path):
        (tmp_path / "mapping.csv").write_bytes("activity,group\nä,b\n".encode("latin-1"))
        with pytest.raises(ActalikeError, match="is not UTF-8: byte 15 does not fit"):
            read_mapping(tmp_path / "mapping.csv")
        (tmp_path / "mapping.csv").write_bytes(gzip.compress(b"activity,group\n")[:-3])
        with pytest.raises(ActalikeError, match="cut off"):
            read_mapping(tmp_path / "mapping.csv")
        with pytest.raises(ActalikeError, match="cannot be read"):
            read_mapping(tmp_path / "nowhere.csv")

    @pytest.mark.parametrize("output", ["new.csv", "new.xes", "new.tsv.gz", "new", "new.parquet.gz"])
    def test_outputs_of_another_kind(self, tmp_path, output):
        write_log(EventLog.from_traces([["a"]]), tmp_path / "log.parquet")
        with pytest.raises(LogError, match=r"of another kind than .*: name it new\.parquet\."):
            relabel_file(tmp_path / "log.parquet", {}, tmp_path / output)

    def test_the_log_itself_as_output(self, tmp_path):
        write_log(EventLog.from_traces([["a"]]), tmp_path / "log.xes")
        os.link(tmp_path / "log.xes", tmp_path / "other.xes")
        for output in ("log.xes", "other.xes"):
            with pytest.raises(LogError, match="is the log itself"):
                relabel_file(tmp_path / "log.xes", {}, tmp_path / output)

    def test_labels_that_are_no_strings(self, tmp_path):
        (tmp_path / "log.xes").write_text(
            '<log><trace><string key="concept:name" value="1"/><event><int key="concept:name" value="3"/></event></trace></log>'
        )
        with pytest.raises(LogError, match="has the label '3' as <int>, and only a <string>"):
            relabel_file(tmp_path / "log.xes", {"3": "Check"}, tmp_path / "new.xes")
        assert [path.name for path in tmp_path.iterdir()] == ["log.xes"]

    def test_names_that_xml_cannot_hold(self, tmp_path):
        write_log(EventLog.from_traces([["a"]]), tmp_path / "log.xes")
        with pytest.raises(LogError, match="XML cannot hold"):
            relabel_file(tmp_path / "log.xes", {"a": "\x00"}, tmp_path / "new.xes")

    @pytest.mark.parametrize("name", ["log.xes", "log.xes.gz", "log.csv.gz", "log.parquet"])
    def test_files_that_are_cut_off_anywhere(self, tmp_path, name):
        path, output = tmp_path / name, tmp_path / f"new.{name}"
        write_log(EventLog.from_traces([["a", "b"], ["b", "c"]]), path)
        whole = path.read_bytes()
        enough = len(whole.rstrip(b"\n")) if name == "log.xes" else len(whole)
        for end in range(enough):
            path.write_bytes(whole[:end])
            with pytest.raises(LogError):
                relabel_file(path, {"b": "a"}, output)
        assert [found.name for found in tmp_path.iterdir()] == [name]

    def test_a_file_that_changes_meanwhile(self, tmp_path, monkeypatch):
        path = tmp_path / "log.xes"
        write_log(EventLog.from_traces([["a", "b"]]), path)
        take = _Rewriting.rewrite

        def with_more(self, piece):
            self.n_events += 1
            return take(self, piece)

        monkeypatch.setattr(_Rewriting, "rewrite", with_more)
        with pytest.raises(LogError, match="changed while it was being relabelled"):
            relabel_file(path, {"b": "a"}, tmp_path / "new.xes")
        assert [found.name for found in tmp_path.iterdir()] == ["log.xes"]

    @pytest.mark.parametrize("name", ["log.xes", "log.csv", "log.parquet"])
    def test_a_full_disk_leaves_the_old_file(self, tmp_path, name):
        path, old = tmp_path / name, tmp_path / f"old-{name}"
        write_log(loan_desk(200), path)
        old.write_text("old")
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))  # writing more fails, as on a full disk
            with pytest.raises(ActalikeError, match=r"cannot be written: .*Nothing was written\."):
                relabel_file(path, {"Pay out": "Transfer loan"}, old)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        assert old.read_text() == "old"
        assert {found.name for found in tmp_path.iterdir()} == {path.name, old.name}


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
    ],
)
def test_mappings_may_come_from_spreadsheets(tmp_path, text):
    (tmp_path / "mapping.csv").write_text(text, encoding="utf-8", newline="")
    assert read_mapping(tmp_path / "mapping.csv") == {"ä": "b"}


def test_hostile_labels_are_only_labels(tmp_path):
    names = ["<script>alert(1)</script>", '" onload="x', "]]>", "-->", "&amp;", "a'b", "=cmd()", "\t"]
    traces = [[name, "x"] for name in names]
    random.Random(1).shuffle(traces)
    for ending in ("xes", "csv", "parquet"):
        path, output = tmp_path / f"log.{ending}", tmp_path / f"new.{ending}"
        write_log(EventLog.from_traces(traces), path)
        mapping = {name: f"{name} & <b>" for name in names}
        relabel_file(path, mapping, output)
        assert read_log(output).traces() == [[mapping[name], "x"] for name, _ in traces]
