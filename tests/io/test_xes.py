import gzip
import random
from pathlib import Path
from xml.etree.ElementTree import ParseError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError, read_log
from actalike.io import source, xml_pieces
from tests.helpers.examples import examples, real_logs
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import reference_read, write_freely, xml_text

documents = st.lists(st.tuples(xml_text, st.lists(xml_text, max_size=5)), min_size=1, max_size=5).filter(
    lambda traces: any(events for _, events in traces)
)


def as_pairs(log):
    return list(zip(log.case_ids, log.traces(), strict=True))


@pytest.mark.parametrize("piece", [source.PIECE, 1, 7, 64])
@given(traces=documents, seed=st.integers(0, 2**32))
def test_every_legal_layout_is_read_exactly(piece, traces, seed):
    document = write_freely(traces, seed)
    expected = [(name, list(events)) for name, events in traces]
    assert reference_read(document) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "PIECE", piece)
        assert as_pairs(read_bytes(document, "log.xes")) == expected


SNIPPETS = [b"<event>", b"</event>", b"<trace>", b"</trace>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"'", b'"', b"<", b">", b"/", b"&", b"&#65;",
            b"<string key='concept:name' value='x'/>", b"<event/>", b"concept:name", b"\x00", b"\xff", b"</log>", b"<?", b"?>", b" value=", b"="]  # fmt: skip


@examples(400)
@given(traces=documents, seed=st.integers(0, 2**32), edits=st.integers(1, 3), piece=st.sampled_from([1 << 22, 5, 64]))
def test_a_mutated_file_never_loses_events_silently(traces, seed, edits, piece):
    document = bytearray(write_freely(traces, seed))
    rng = random.Random(seed)
    for _ in range(edits):
        at, kind = rng.randrange(len(document)), rng.randrange(6)
        if kind == 0:
            document[at] = rng.randrange(256)
        elif kind == 1:
            del document[at : at + rng.randrange(1, 30)]
        elif kind == 2:
            document[at:at] = rng.choice(SNIPPETS)
        elif kind == 3:
            end = at + rng.randrange(1, 80)
            document[at:at] = document[at:end]
        elif kind == 4:
            del document[at:]
        else:
            other = rng.randrange(len(document))
            document[at : at + 10], document[other : other + 10] = document[other : other + 10], document[at : at + 10]
        if not document:
            break
    document = bytes(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "PIECE", piece)
        try:
            found = as_pairs(read_bytes(document, "log.xes"))
        except LogError:
            return
    try:
        expected = reference_read(document)
    except ParseError as error:
        if "unbound prefix" in str(error):  # a question of namespaces, which say nothing about events
            return
        raise
    assert found == expected


@pytest.mark.parametrize(
    "name",
    real_logs(
        "BPIC13_closed_problems", "CCC19", "BPIC20_PrepaidTravelCost", "Env_Permit", long=("NASA", "Helpdesk", "BPIC12_W", "RTFM")
    ),
)
def test_real_logs_are_read_as_the_reference_reads_them(log_file, name):
    path = log_file(name)
    assert as_pairs(read_log(path)) == reference_read(gzip.decompress(path.read_bytes()))


@pytest.mark.parametrize(
    ("name", "append"), [("BPIC12", 36), ("BPIC12_W", 19), ("BPIC13_open_problems", 5), ("CCC19", 58), ("Helpdesk", 14)]
)
def test_lifecycle_options_on_real_logs(log_file, name, append):
    assert len(read_log(log_file(name), lifecycle="append").activities) == append


def test_keeping_complete_events_gives_the_complete_log(log_file):
    kept = read_log(log_file("BPIC12_W"), lifecycle="complete")
    published = read_log(log_file("BPIC12_W_Complete"))
    assert kept.n_events == published.n_events == 72413
    assert sorted(kept.traces()) == sorted(published.traces())


EVENT = '<event><string key="concept:name" value="{}"/><string key="lifecycle:transition" value="{}"/><date key="time:timestamp" value="{}"/></event>'


def document(*traces, lifecycle="complete"):
    parts = []
    for name, events in traces:
        body = "".join(EVENT.format(label, lifecycle, time) for label, time in events)
        parts.append(f'<trace><string key="concept:name" value="{name}"/>{body}</trace>')
    return f"<log>{''.join(parts)}</log>".encode()


def test_events_keep_the_files_order_unless_told_otherwise():
    text = document(("1", [("b", "2024-01-02T00:00:00Z"), ("a", "2024-01-01T00:00:00Z"), ("c", "2024-01-01T00:00:00+00:00")]))
    assert read_bytes(text, "log.xes").traces() == [["b", "a", "c"]]
    by_time = read_bytes(text, "log.xes", order="time")
    assert by_time.traces() == [["a", "c", "b"]]  # the tie in file order
    assert by_time.timestamps.tolist() == sorted(by_time.timestamps.tolist())


def test_other_attributes_can_be_named():
    text = b'<log><trace><int key="nr" value="7"/><event><string key="step" value="x"/><string key="state" value="START"/></event></trace></log>'
    log = read_bytes(text, "log.xes", case="nr", activity="step", transition="state", lifecycle="append")
    assert as_pairs(log) == [("7", ["x+START"])]


def test_cases_with_the_same_id_stay_apart_and_empty_ones_stay():
    text = document(("1", [("a", "2024-01-01")]), ("1", [("b", "2024-01-01")]), ("2", []))
    assert as_pairs(read_bytes(text, "log.xes")) == [("1", ["a"]), ("1", ["b"]), ("2", [])]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_declared_encodings_are_respected(encoding):
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>' + document(("1", [("Prüfung", "2024-01-01")])).decode()
    assert read_bytes(text.encode(encoding), "log.xes").activities == ["Prüfung"]


GOOD = document(("1", [("a", "2024-01-01T00:00:00Z"), ("b", "2024-01-02T00:00:00Z")]), ("2", [("a", "2024-01-01T00:00:00Z")]))
NO_NAME = b'<log><trace><string key="concept:name" value="1"/><event><string key="x" value="y"/></event></trace></log>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"<log></log>", "is empty: it has 0 traces"),
        (document(("1", [])), "is empty: it has 1 traces and no events"),
        (GOOD[:300], r"ends in the middle of trace 1 \(line 1\): the file is cut off"),
        (GOOD[: GOOD.rindex(b"<event")], "ends in the middle of trace 2"),
        (GOOD[: -len("</log>")], "ends after trace 2"),
        (GOOD.replace(b"</event></trace>", b"</trace></event>", 1), r"line 1 \(in the middle of trace 1\): the XML is ill-formed \(mismatched tag\)"),
        (GOOD + b"<log></log>", "ill-formed"),
        (GOOD.replace(b'value="b"', b'value="b'), "ill-formed"),
        (GOOD.replace(b'value="b"', b'value="&nope;"'), "undefined entity"),
        (GOOD.replace(b'value="b"', b'value="\xff"'), "ill-formed"),
        (NO_NAME, r"trace 1 \('1'\), event 1 has no 'concept:name'"),
        (GOOD.replace(b'<string key="concept:name" value="2"/>', b""), "trace 2 has no 'concept:name'"),
        (GOOD.replace(b'<string key="concept:name" value="2"/>', b'<string key="concept:name" value="2"/>' * 2), "trace 2 has 'concept:name' twice"),
        (GOOD.replace(b'<string key="concept:name" value="b"/>', b'<string key="concept:name" value="b"/>' * 2), "event 2 has 'concept:name' twice"),
        (GOOD.replace(b"2024-01-02T00", b"2024-13-02T00"), "unreadable date '2024-13-02T00:00:00Z' in the middle of trace 1"),
        (GOOD.replace(b"2024-01-02T00:00:00Z", b"yesterday"), "unreadable date 'yesterday'"),
        (b"<!DOCTYPE log>" + GOOD, "DOCTYPE"),
        (b'<!DOCTYPE log [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>' + GOOD.replace(b'value="b"', b'value="&b;"'), "DOCTYPE"),
        (b'<!DOCTYPE log SYSTEM "file:///etc/passwd">' + GOOD, "DOCTYPE"),
        (b"<html></html>", "first element is <html>, not <log>"),
        (b"case,activity\n1,a\n", "ill-formed"),
        (GOOD.replace(b"<trace>", b"<group><trace>").replace(b"</trace>", b"</trace></group>"), "trace inside another element"),
        (GOOD.replace(b"event>", b"x:event>").replace(b"<log>", b"<log xmlns:x='urn:x'>"), "element <x:event> in the middle of trace 1"),
        (GOOD.replace(b"event>", b"Event>"), "element <Event>"),
        (GOOD.replace(b"trace>", b"Trace>"), "element <Trace>|not directly in a trace"),
        (b"<log><event/></log>", "event that is not directly in a trace"),
        (GOOD.replace(b"</trace></log>", b"</trace>" + EVENT.encode() + b"</log>"), "event that is not directly in a trace"),
        (b'<?xml version="1.0" encoding="rot13"?>' + GOOD, "encoding 'rot13'"),
        (b'<?xml version="1.0" encoding="us-ascii"?>' + GOOD.replace(b'"b"', b'"\xc3\xa9"'), "is not us-ascii: byte"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_clear_error(content, message):
    for name, body in (("log.xes", content), ("log.xes.gz", gzip.compress(content))):
        with pytest.raises(LogError, match=message) as caught:
            read_bytes(body, name)
        assert "\n" not in str(caught.value)
        assert name in str(caught.value)


def test_a_gzip_cut_off_anywhere_is_an_error():
    packed = gzip.compress(write_freely([(str(i), ["a", "b"]) for i in range(50)], seed=1))
    for end in range(0, len(packed), 7):
        with pytest.raises(LogError, match=r"cut off|empty"):
            read_bytes(packed[:end], "log.xes.gz")
    with pytest.raises(LogError, match=r"in the middle of trace \d+ \(byte [\d,]+\)"):
        read_bytes(packed[: len(packed) * 2 // 3], "log.xes.gz")


def test_a_real_log_cut_off_is_an_error_that_names_the_trace(log_file, tmp_path):
    whole = log_file("Helpdesk").read_bytes()
    (tmp_path / "cut.xes.gz").write_bytes(whole[:60_000])
    with pytest.raises(
        LogError,
        match=r"cut\.xes\.gz ends in the middle of trace [\d,]+ \(byte 60,000\): the file is cut off\. Get a complete copy; nothing was read\.",
    ):
        read_log(tmp_path / "cut.xes.gz")


def test_a_damaged_gzip_is_an_error():
    packed = bytearray(gzip.compress(GOOD * 1))
    packed[len(packed) // 2] ^= 0xFF
    with pytest.raises(LogError):
        read_bytes(bytes(packed), "log.xes.gz")
    checksum = bytearray(gzip.compress(GOOD))
    checksum[-6] ^= 0xFF
    with pytest.raises(LogError, match="damaged"):
        read_bytes(bytes(checksum), "log.xes.gz")


def test_several_gzip_members_are_one_file():
    middle = len(GOOD) // 2
    packed = gzip.compress(GOOD[:middle]) + gzip.compress(GOOD[middle:]) + b"\0" * 10
    assert read_bytes(packed, "log.xes.gz") == read_bytes(GOOD, "log.xes")
    with pytest.raises(LogError, match="damaged"):
        read_bytes(gzip.compress(GOOD) + b"garbage", "log.xes.gz")


def test_a_gzip_that_expands_beyond_the_bound_is_an_error():
    bomb = gzip.compress(b"<log>" + b" " * 10_000_000)
    assert len(bomb) < 20_000
    with pytest.raises(LogError, match=r"more than 1,000,000 bytes once unpacked.*max_bytes"):
        read_bytes(bomb, "log.xes.gz", max_bytes=1_000_000)


def test_a_tag_that_never_ends_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(xml_pieces, "LONGEST_TAG", 1000)
    monkeypatch.setattr(source, "PIECE", 500)
    endless = GOOD.replace(b'value="b"', b'value="' + b"b" * 5000 + b'"')
    with pytest.raises(LogError, match="tag of more than 1,000 bytes"):
        read_bytes(endless, "log.xes")


def test_what_is_printed_is_nothing(capfd):
    odd = GOOD.replace(b"</event>", b'<boolean key="x" value="perhaps"/><int key="n" value="many"/></event>')
    read_bytes(odd, "log.xes")
    assert capfd.readouterr() == ("", "")


def test_missing_timestamps_are_an_error_only_where_they_are_needed():
    text = GOOD.replace(b'<date key="time:timestamp" value="2024-01-02T00:00:00Z"/>', b"")
    log = read_bytes(text, "log.xes")
    assert np.isnat(log.timestamps).tolist() == [False, True, False]
    with pytest.raises(LogError, match=r"trace 1 \('1'\), event 2, has no timestamp, and 1 events in all.*--order file"):
        read_bytes(text, "log.xes", order="time")
    with pytest.raises(LogError, match="has no timestamps"):
        read_bytes(GOOD.replace(b"time:timestamp", b"other"), "log.xes", order="time")


def test_missing_transitions_are_an_error_only_where_they_are_needed():
    none = GOOD.replace(b"lifecycle:transition", b"other")
    some = GOOD.replace(b"lifecycle:transition", b"other", 1)
    assert read_bytes(none, "log.xes").n_events == 3
    with pytest.raises(LogError, match="no lifecycle transitions"):
        read_bytes(none, "log.xes", lifecycle="complete")
    with pytest.raises(LogError, match="event 1, has no lifecycle transition"):
        read_bytes(some, "log.xes", lifecycle="append")
    started = GOOD.replace(b'"complete"', b'"start"')
    with pytest.raises(LogError, match="no event whose transition is 'complete'"):
        read_bytes(started, "log.xes", lifecycle="complete")


def test_progress_reaches_the_end(log_file):
    seen = []
    read_log(log_file("Helpdesk"), progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] == Path(log_file("Helpdesk")).stat().st_size


def test_a_gzip_of_many_small_members_is_one_file():
    document = write_freely([(str(i), ["a", "b"]) for i in range(100)], seed=1)
    packed = b"".join(gzip.compress(document[at : at + 50]) for at in range(0, len(document), 50))
    assert read_bytes(packed, "log.xes.gz") == read_bytes(document, "log.xes")


def test_options_for_csv_are_refused():
    for option in ({"separator": ";"}, {"encoding": "latin-1"}, {"timestamp_format": "%Y"}):
        with pytest.raises(LogError, match=next(iter(option))):
            read_bytes(GOOD, "log.xes", **option)
