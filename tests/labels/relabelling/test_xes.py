"""Relabelling XES: only the bytes of labels change."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import (
    EventLog,
    LogError,
    read_log,
    relabel_file,
    write_log,
)
from actalike.io import files
from actalike.labels.relabelled_files import _XesRewriting
from tests.helpers.examples import examples
from tests.helpers.relabelled_documents import elements, expected_elements
from tests.helpers.renamings import mappings, meant
from tests.helpers.xes_documents import documents, write_freely, xml_text


@st.composite
def documents_with_mappings(draw):
    traces = draw(documents)
    return traces, draw(mappings({label for _, events in traces for label in events}, xml_text))


@pytest.mark.parametrize("piece", [files.PIECE, 1, 7, 64])
@examples(20)
@given(case=documents_with_mappings(), seed=st.integers(0, 2**32), collapse=st.booleans())
def test_every_legal_layout_of_xes_is_relabelled_exactly(piece, case, seed, collapse):
    traces, mapping = case
    document = write_freely(traces, seed, kinds=("string",))
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        before, after = Path(folder) / "before.xes", Path(folder) / "after.xes"
        before.write_bytes(document)
        patch.setattr(files, "PIECE", piece)
        relabel_file(before, mapping, after, collapse=collapse)
        found = after.read_bytes()
    assert elements(found) == expected_elements(document, meant(mapping), collapse)
    if not any(name != label for label, name in meant(mapping).items()):
        assert found == document


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


def test_traces_without_a_name_stay_without_one(tmp_path):
    unnamed = ALL_KINDS.replace(
        b"""\t\t<string key="concept:name" value="Verify"/>\n\t\t<string key="Verify\"""", b"""\t\t<string key="Verify\""""
    )
    assert unnamed != ALL_KINDS
    for document in (unnamed, ALL_KINDS):
        (tmp_path / "log.xes").write_bytes(document)
        relabel_file(tmp_path / "log.xes", {"Verify": "Check"}, tmp_path / f"{len(document)}.xes")
    named = (tmp_path / f"{len(ALL_KINDS)}.xes").read_bytes()
    removed = b"""\n\t\t<string key="concept:name" value="Verify"/>"""
    assert (tmp_path / f"{len(unnamed)}.xes").read_bytes() == named.replace(removed, b"", 1)
    relabel_file(tmp_path / "log.xes", {}, tmp_path / "same.xes")
    assert (tmp_path / "same.xes").read_bytes() == ALL_KINDS


def test_labels_that_are_no_strings_are_not_renamed(tmp_path):
    (tmp_path / "log.xes").write_text(
        '<log><trace><string key="concept:name" value="1"/><event><int key="concept:name" value="3"/></event></trace></log>'
    )
    with pytest.raises(LogError, match="string"):
        relabel_file(tmp_path / "log.xes", {"3": "Check"}, tmp_path / "new.xes")
    assert [path.name for path in tmp_path.iterdir()] == ["log.xes"]


def test_names_that_xml_cannot_hold_are_refused(tmp_path):
    write_log(EventLog.from_traces([["a"]]), tmp_path / "log.xes")
    with pytest.raises(LogError, match="hold"):
        relabel_file(tmp_path / "log.xes", {"a": "\x00"}, tmp_path / "new.xes")


def test_a_file_that_changes_meanwhile_is_noticed(tmp_path, monkeypatch):
    path = tmp_path / "log.xes"
    write_log(EventLog.from_traces([["a", "b"]]), path)
    take = _XesRewriting.rewrite

    def with_more(self, piece):
        self.n_events += 1
        return take(self, piece)

    monkeypatch.setattr(_XesRewriting, "rewrite", with_more)
    with pytest.raises(LogError, match="relabelled"):
        relabel_file(path, {"b": "a"}, tmp_path / "new.xes")
    assert [found.name for found in tmp_path.iterdir()] == ["log.xes"]


def test_labels_under_a_key_with_a_line_end_are_relabelled(tmp_path):
    before, after = tmp_path / "before.xes", tmp_path / "after.xes"
    before.write_bytes(
        b'<log><trace><string key="concept:name" value="1"/><event><string key="my\nkey" value="a"/></event></trace></log>'
    )
    relabel_file(before, {"a": "b"}, after, activity="my key")
    log = read_log(after, activity="my key", attributes=["actalike:original"])
    assert (log.traces(), log.attributes["actalike:original"].texts()) == ([["b"]], ["a"])
