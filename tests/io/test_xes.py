import gzip
import random
from itertools import islice
from xml.etree import ElementTree
from xml.etree.ElementTree import ParseError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError, read_log
from actalike.io import ReadOptions, files, read_xes, xes, xml
from tests.attacks import xes_files
from tests.helpers.examples import examples, real_logs
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import EVENT, GOOD, document, documents, reference_read, write_freely


def as_pairs(log):
    return list(zip(log.case_ids, log.traces(), strict=True))


@pytest.mark.parametrize("piece", [files.PIECE, 1, 7, 64])
@given(traces=documents, seed=st.integers(0, 2**32))
def test_every_legal_layout_is_read_exactly(piece, traces, seed):
    document = write_freely(traces, seed)
    expected = [(name, list(events)) for name, events in traces]
    assert reference_read(document) == expected
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PIECE", piece)
        assert as_pairs(read_bytes(document, "log.xes")) == expected


SNIPPETS = [b"<event>", b"</event>", b"<trace>", b"</trace>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"'", b'"', b"<", b">", b"/", b"&", b"&#65;",
            b"<string key='concept:name' value='x'/>", b"<event/>", b"concept:name", b"\x00", b"\xff", b"</log>", b"<?", b"?>", b" value=", b"="]  # fmt: skip


@examples(150)
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
        patch.setattr(files, "PIECE", piece)
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


def test_an_attack_of_mutated_files_finds_nothing_wrong(tmp_path):
    outcomes = list(islice(xes_files.attempts(random.Random(15), tmp_path), 150))
    assert [outcome.detail for outcome in outcomes if outcome.verdict == "wrong"] == []
    assert {outcome.verdict for outcome in outcomes} == {"same", "refused"}


def test_other_attributes_can_be_named():
    text = b'<log><trace><int key="nr" value="7"/><event><string key="step" value="x"/><string key="state" value="START"/></event></trace></log>'
    log = read_bytes(text, "log.xes", case="nr", activity="step", transition="state", lifecycle="append")
    assert as_pairs(log) == [("7", ["x+START"])]


def test_cases_with_the_same_id_stay_apart_and_empty_ones_stay():
    text = document(("1", [("a", "2024-01-01")]), ("1", [("b", "2024-01-01")]), ("2", []))
    assert as_pairs(read_bytes(text, "log.xes")) == [("1", ["a"]), ("1", ["b"]), ("2", [])]


@given(
    st.lists(
        st.tuples(
            st.none() | st.sampled_from(["1", "2", "3", "trace 1", "trace 2", "trace 2 (2)", "trace 2 (3)", ""]),
            st.lists(st.sampled_from("ab"), max_size=2),
        ),
        min_size=1,
        max_size=6,
    ).filter(lambda traces: any(events for _, events in traces)),
    st.integers(0, 2**32),
)
def test_traces_without_a_name_have_their_number_as_id_and_no_other_trace_has_it(traces, seed):
    document = write_freely(traces, seed)
    log = read_bytes(document, "log.xes")
    assert as_pairs(log) == reference_read(document)
    for number, ((name, _), case_id) in enumerate(zip(traces, log.case_ids, strict=True), start=1):
        if name is not None:
            assert case_id == name
        else:
            assert str(number) in case_id
            assert log.case_ids.count(case_id) == 1
            assert case_id == str(number) or any(str(number) == other for other, _ in traces)


def test_how_many_traces_have_no_name_is_known(tmp_path):
    path = tmp_path / "log.xes"
    path.write_bytes(b"<log><trace/>" + GOOD.removeprefix(b"<log>").replace(b'<string key="concept:name" value="1"/>', b""))
    events = read_xes(path, ReadOptions())
    assert (events.unnamed_cases, events.case_ids) == (2, ["1", "trace 2", "2"])
    path.write_bytes(GOOD)
    assert read_xes(path, ReadOptions()).unnamed_cases == 0


def test_an_attribute_that_the_user_chose_must_be_in_every_trace():
    with pytest.raises(LogError, match="trace"):
        read_bytes(GOOD, "log.xes", case="nr")


def test_text_after_a_tag_may_look_like_an_attribute():
    text = b"""<log><trace><event><string key="concept:name" value="a" />x="y" ></event><event><string key="concept:name" value="b"/></event></trace></log>"""
    assert as_pairs(read_bytes(text, "log.xes")) == reference_read(text) == [("1", ["a", "b"])]


NO_NAME = b'<log><trace><string key="concept:name" value="1"/><event><string key="x" value="y"/></event></trace></log>'


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"<log></log>", "traces"),
        (document(("1", [])), "traces"),
        (GOOD[:300], "middle"),
        (GOOD[: GOOD.rindex(b"<event")], "middle"),
        (GOOD[: -len("</log>")], "trace"),
        (GOOD.replace(b"</event></trace>", b"</trace></event>", 1), "ill-formed"),
        (GOOD + b"<log></log>", "ill-formed"),
        (GOOD.replace(b'value="b"', b'value="b'), "ill-formed"),
        (GOOD.replace(b'value="b"', b'value="&nope;"'), "undefined entity"),
        (GOOD.replace(b'value="b"', b'value="\xff"'), "ill-formed"),
        (NO_NAME, "concept:name"),
        (GOOD.replace(b'<string key="concept:name" value="2"/>', b'<string key="concept:name" value="2"/>' * 2), "concept:name"),
        (GOOD.replace(b'<string key="concept:name" value="b"/>', b'<string key="concept:name" value="b"/>' * 2), "concept:name"),
        (GOOD.replace(b"2024-01-02T00", b"2024-13-02T00"), "2024-13-02T00:00:00Z"),
        (GOOD.replace(b"2024-01-02T00:00:00Z", b"yesterday"), "yesterday"),
        (b"<!DOCTYPE log>" + GOOD, "DOCTYPE"),
        (b"<html></html>", "element"),
        (b"case,activity\n1,a\n", "ill-formed"),
        (GOOD.replace(b"<trace>", b"<group><trace>").replace(b"</trace>", b"</trace></group>"), "element"),
        (GOOD.replace(b"event>", b"x:event>").replace(b"<log>", b"<log xmlns:x='urn:x'>"), "element"),
        (GOOD.replace(b"event>", b"Event>"), "element <Event>"),
        (GOOD.replace(b"trace>", b"Trace>"), "element <Trace>|not directly in a trace"),
        (b"<log><event/></log>", "belongs"),
        (GOOD.replace(b"</trace></log>", b"</trace>" + EVENT.encode() + b"</log>"), "directly"),
        (b'<?xml version="1.0" encoding="rot13"?>' + GOOD, "called 'rot13'"),
        (b'<?xml version="1.0" encoding="UTF-16"?>' + GOOD, "utf-16|ill-formed"),
        (('<?xml version="1.0" encoding="UTF-16"?>' + GOOD.decode()).encode("utf-16-le"), "UTF-16"),
        (GOOD.decode().encode("utf-16-le"), "UTF-16"),
        (GOOD.decode().encode("utf-32"), "NUL"),
        (b" " + b'<?xml version="1.0" encoding="iso-8859-1"?>' + GOOD, "declaration"),
        (b"<" + b"x" * 10**6 + b"/>", "element"),
        (GOOD.replace(b"event>", b"x" * 10**6 + b":event>"), "element"),
        (GOOD.replace(b"2024-01-02T00:00:00Z", b"1" * 10**6), "unreadable date '111"),
        (GOOD.replace(b'value="1"', b'value="' + b"1" * 10**6 + b'"').replace(b"<event>", b"<event/><event>"), r"trace 1 \('111"),
        (b'<?xml version="1.0" encoding="us-ascii"?>' + GOOD.replace(b'"b"', b'"\xc3\xa9"'), "us-ascii"),
    ],
)  # fmt: skip
def test_a_bad_file_is_one_clear_error(content, message):
    for name, body in (("log.xes", content), ("log.xes.gz", gzip.compress(content))):
        with pytest.raises(LogError, match=message) as caught:
            read_bytes(body, name)
        assert "\n" not in str(caught.value)
        assert name in str(caught.value)
        assert len(str(caught.value)) < 500


def test_a_real_log_cut_off_is_an_error_that_names_the_trace(log_file, tmp_path):
    whole = log_file("Helpdesk").read_bytes()
    (tmp_path / "cut.xes.gz").write_bytes(whole[:60_000])
    with pytest.raises(
        LogError,
        match="middle",
    ):
        read_log(tmp_path / "cut.xes.gz")


def test_what_is_printed_is_nothing(capfd):
    odd = GOOD.replace(b"</event>", b'<boolean key="x" value="perhaps"/><int key="n" value="many"/></event>')
    read_bytes(odd, "log.xes")
    assert capfd.readouterr() == ("", "")


def test_options_for_csv_are_refused():
    for option in ({"separator": ";"}, {"encoding": "latin-1"}, {"timestamp_format": "%Y"}):
        with pytest.raises(LogError, match=next(iter(option))):
            read_bytes(GOOD, "log.xes", **option)


def test_white_space_in_keys_is_read_as_xml_says(tmp_path):
    path = tmp_path / "log.xes"
    event = '<event><string key="concept:name" value="a"/><string key="my\nkey" value="1"/></event>'
    path.write_text(f"<log><trace>{event}</trace></log>")
    assert read_log(path, attributes=["my key"]).attributes["my key"].texts() == ["1"]
    assert read_log(path, activity="my key").activities == ["1"]
    twice = event.replace("</event>", '<string key="my\tkey" value="2"/></event>')
    path.write_text(f"<log><trace>{twice}</trace></log>")
    with pytest.raises(LogError, match="my key"):
        read_log(path, attributes=["my key"])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_declared_encodings_are_respected(encoding):
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>' + document(("1", [("Prüfung", "2024-01-01")])).decode()
    assert read_bytes(text.encode(encoding), "log.xes").activities == ["Prüfung"]


@pytest.mark.parametrize("encoding", ["windows-12\x0052", "nosuch", "base64"])
def test_an_encoding_that_is_none_is_an_error(encoding):
    with pytest.raises(LogError, match="encoding"):
        read_bytes(f'<?xml version="1.0" encoding="{encoding}"?><log/>'.encode(), "log.xes")


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("declared", ['encoding="UTF-16"', "", None])
def test_a_byte_order_mark_shows_the_encoding(encoding, declared):
    declaration = "" if declared is None else f'<?xml version="1.0" {declared}?>'
    text = "\ufeff" + declaration + document(("1", [("Prüfung", "2024-01-01")])).decode()
    assert read_bytes(text.encode(encoding), "log.xes").activities == ["Prüfung"]


@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0"?>', "<?xml version='1.0' encoding='UTF-8'?>"])
@pytest.mark.parametrize("target", ["xml-stylesheet", "xmlx", "x"])
def test_only_the_declaration_tells_the_encoding(declaration, target):
    text = f'{declaration}<?{target} encoding="iso-8859-1"?>' + document(("1", [("Prüfung", "2024-01-01")])).decode()
    assert read_bytes(text.encode(), "log.xes").activities == ["Prüfung"]


@pytest.mark.parametrize("piece", [1, 7, 64, 1000])
def test_tags_longer_than_many_pieces_are_read(piece, monkeypatch):
    monkeypatch.setattr(files, "PIECE", piece)
    text = "<log><!--" + "-x" * 2000 + "--><![CDATA[" + "<" * 2000 + "]]>"
    text += document(("1", [("ü" * 3000, "2024-01-01")])).decode().removeprefix("<log>")
    assert read_bytes(text.encode(), "log.xes").traces() == [["ü" * 3000]]


@pytest.mark.parametrize("skip", [True, False])
def test_a_tag_that_never_ends_does_not_fill_the_memory(monkeypatch, skip):
    monkeypatch.setattr(xml, "LONGEST_TAG", 1000)
    monkeypatch.setattr(files, "PIECE", 100)
    if not skip:
        monkeypatch.setattr(xes, "plain_traces", lambda *_: None)
    for endless in (b'value="' + b"b" * 5000 + b'"', b'value="b" ' + b" " * 5000):
        with pytest.raises(LogError, match="bytes"):
            read_bytes(GOOD.replace(b'value="b"', endless), "log.xes")


def test_a_value_is_what_a_parser_reads():
    event = b'<event><string key="concept:name" value="%s"/></event>'
    for plain in (b"", b"<!-- -->"):
        for raw in (
            b"a&amp;lt;b",
            b"&quot;&apos;&gt;",
            b"a\tb\r\nc\nd",
            b"&#65;&#x42;",
            b"&#" + b"0" * 9000 + b"65;",
            b"&#10;",
            b"\xc3\xa4'>",
        ):
            text = b"<log><trace>" + plain + event % raw + b"</trace></log>"
            assert read_bytes(text, "log.xes").activities == [ElementTree.fromstring(text)[0][-1][0].get("value")]


@pytest.mark.parametrize("comment", [b"", b"<!-- -->"])
def test_events_without_an_activity_are_named_in_the_error_or_left_out(comment):
    text = GOOD.replace(b'<string key="concept:name" value="b"/>', comment)
    with pytest.raises(LogError, match=r"trace 1 \('1'\), event 2"):
        read_bytes(text, "log.xes")
    assert as_pairs(read_bytes(text, "log.xes", missing="skip")) == [("1", ["a"]), ("2", ["a"])]
    assert read_bytes(text, "log.xes", missing="label").n_events == 3
