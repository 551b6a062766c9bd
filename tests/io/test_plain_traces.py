"""What the XML parser is not given is certainly well-formed, and reading finds and refuses what it would without skipping."""

from pathlib import Path
from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError, read_log
from actalike.io import source, xes, xml_pieces
from actalike.io.plain_traces import plain_part
from actalike.io.xml_pieces import XmlText

EVENT = b'<event><string key="concept:name" value="a"/>\n<date key="time:timestamp" value="2024-02-29T12:00:00Z"/></event>'
TRACE = b'<trace><string key="concept:name" value="c%d"/>' + EVENT * 2 + b"</trace>\n"
TRACES = b"".join(TRACE % i for i in range(4))
NAME, DATE = b'<string key="concept:name" value="b"/>', b'<date key="time:timestamp" value="2024-03-01T12:00:00Z"/>'
TAGS = [b"<trace>", b"</trace>", b"<event>", b"</event>", b'<int key="a" value="1"/>', b'<string key="b" value=""/>']
DAMAGE = [
    *TAGS, NAME, DATE, NAME.replace(b":name", b":&amp;name"), NAME.replace(b":name", b":\tname"), DATE.replace(b"2024", b" 2024"),
    DATE.replace(b"2024", b"never"), b'<string key="lifecycle:transition" value="start"/>', b"<", b">", b'"', b"'", b"&", b"&amp;", b"&#10;", b"&nothing;", b"/", b" ", b"=", b"]]>", b"--", b"<!--", b"-->", b"<?x ?>",
    b"<![CDATA[", b"</log>", b"<log>", b"\0", b"\x1f", b"\r", b"\xff", b"\xc3\xa4", b"\xef\xbf\xbe", b"\xed\xa0\x80", b' key="c"',
    b"<trace >", b"<event/>", b'<string key="x" value="y">', b"</string>", b"<x:event>", b'<string key="a" key="b" value="1"/>',
]  # fmt: skip


@st.composite
def damaged(draw, text):
    """A text with a few bytes replaced, removed or added."""
    for _ in range(draw(st.integers(0, 2))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.sampled_from([0, 0, 1, 2, 7]))
        text = text[:start] + draw(st.sampled_from([*DAMAGE, b""])) + text[end:]
    return text


def parses(content):
    try:
        expat.ParserCreate("UTF-8").Parse(b"<log>" + content + b"</log>", True)
    except expat.ExpatError:
        return False
    return True


@given(damaged(TRACES) | st.lists(st.sampled_from([*TAGS, b" "])).map(b"".join))
def test_a_plain_part_is_accepted_by_a_parser(text):
    part = plain_part(text)
    if part is not None:
        assert parses(text[part.start : part.end])


@pytest.mark.parametrize("value", ["a", "ä", "a &amp; b", "&lt;&gt;&quot;&apos;", "a\tb", "\U0001f600"])
def test_usual_traces_are_plain(value):
    text = TRACES.replace(b'"a"', f'"{value}"'.encode())
    assert parses(text)
    part = plain_part(b"  " + text + b"<trace>")
    assert (part.start, part.end) == (2, len(text) + 1)


@pytest.mark.parametrize("damage", DAMAGE)
def test_only_what_a_parser_accepts_is_plain_wherever_it_is_damaged(damage):
    text = TRACE % 1
    for at in range(len(text)):
        for part_of in (text[:at] + damage + text[at:], text[:at] + damage + text[at + len(damage) :]):
            part = plain_part(part_of)
            assert part is None or parses(part_of[part.start : part.end])


@pytest.fixture(scope="module")
def same_with_skipping(tmp_path_factory):
    """Return whether a document is read, or refused in the same words, as without skipping; pieces have so many bytes."""
    path = tmp_path_factory.mktemp("logs") / "log.xes"

    def outcome(options):
        try:
            log = read_log(path, **options)
        except LogError as error:
            return str(error)
        return log.traces(), log.case_ids, None if log.timestamps is None else log.timestamps.tolist(), str(log.reading)

    def compare(document, piece=1 << 19, **options):
        path.write_bytes(document)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(source, "PIECE", piece)
            fast = outcome(options)
            patch.setattr(xes, "plain_part", lambda text: None)
            return fast == outcome(options)

    return compare


@given(document=damaged(b'<?xml version="1.0"?>\n<log>\n' + TRACES + b"</log>\n"), piece=st.sampled_from([200, 500, 1 << 19]))
def test_skipping_changes_neither_a_log_nor_an_error(same_with_skipping, document, piece):
    assert same_with_skipping(document, piece)


@pytest.mark.parametrize("key", ["my step", "my&step", "my\tstep", "schritt ä", "s", "long name of a step"])
def test_any_key_is_found_as_without_skipping(same_with_skipping, key):
    for written in (key, key.replace(" ", "\t"), key.replace("&", "&amp;"), key.replace("&", "&#38;")):
        document = b"<log>" + TRACES.replace(b"concept:name", written.encode()) + b"</log>"
        assert same_with_skipping(document, activity=key, case=key)
        assert same_with_skipping(document, 200, activity=key)


@pytest.mark.parametrize("before", ["", "<log></log>", "<log><!-- ", "<log><![CDATA[", "<log><x>", "<log><?x ", "<log><trace>"])
def test_traces_in_a_wrong_place_are_noticed(same_with_skipping, before):
    for after in ("", "</log>", "--></log>", "]]></log>", "?></log>", "</x></log>", "</log></log>"):
        assert same_with_skipping(before.encode() + TRACES + after.encode())


def test_most_of_a_usual_log_is_skipped(log_file):
    text = XmlText(Path(log_file("Helpdesk")), 1 << 30, None, plain_part)
    pieces = list(text.pieces(lambda unread: ""))
    assert text.skipped > 0.99 * sum(len(piece.raw) for piece in pieces)
    for piece in pieces:
        if piece.skipped is not None:  # it is where the piece says
            size = piece.skipped.end - piece.skipped.start
            assert piece.text[piece.skipped_at : piece.skipped_at + size] == piece.skipped.text[:size]


def test_what_is_seen_of_transitions_does_not_depend_on_pieces(same_with_skipping, monkeypatch):
    monkeypatch.setattr(xes, "SAMPLE_ROWS", 20)
    late = EVENT.replace(b"</event>", b'<string key="lifecycle:transition" value="start"/></event>')
    for first in (19, 20, 21):
        document = b"<log><trace>" + EVENT * first + b"</trace><trace>" + late * 40 + b"</trace></log>"
        for piece in (500, 3000, 1 << 19):
            assert same_with_skipping(document, piece)
            assert same_with_skipping(document, piece, lifecycle="append")


def test_a_section_that_never_ends_is_refused_as_without_skipping(same_with_skipping, monkeypatch):
    monkeypatch.setattr(xml_pieces, "LONGEST_TAG", 20_000)
    traces = (b"<trace>" + EVENT * 3 + b"</trace>") * 200
    for before in (500, 900, 1000, 1100):
        for size in range(17_000, 45_000, 1700):
            document = b"<log>".ljust(before) + b"<![CDATA[" + traces[:size] + b"]]>" + TRACES + b"</log>"
            assert same_with_skipping(document, 1000)
