"""Plain traces, which are read without an XML parser: certainly well-formed, and the same is read and refused as with it."""

from xml.parsers import expat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError, read_log
from actalike.io import ReadOptions, files, xes, xml
from actalike.io.plain_traces import Gaps, plain_traces, unescaped
from tests.helpers.naive_attributes import values_of_events, values_of_traces

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


def is_plain(text):
    """Whether the whole traces of a text are plain, and what they are."""
    start, end = text.find(b"<trace>"), text.rfind(b"</trace>") + len(b"</trace>")
    part = text[start:end] if 0 <= start < end else b""
    return part != b"" and plain_traces(part, Gaps()) is not None, part


@given(damaged(TRACES) | st.lists(st.sampled_from([*TAGS, b" "])).map(b"".join))
def test_plain_traces_are_accepted_by_a_parser(text):
    plain, part = is_plain(text)
    if plain:
        assert parses(part)


@given(damaged(TRACES) | st.lists(st.sampled_from(TAGS), max_size=20).map(lambda tags: b"<trace>" + b"".join(tags) + b"</trace>"))
def test_plain_traces_hold_the_attributes_that_a_parser_finds(text):
    plain, part = is_plain(text)
    if not plain:
        return
    traces = plain_traces(part, Gaps())
    document = b"<log>" + part + b"</log>"
    expected = values_of_events(document), [values for _, values in values_of_traces(document)]
    assert (len(traces.trace_of_event), traces.n_traces) == tuple(map(len, expected))
    for key in ("concept:name", "time:timestamp", "a", "b", "x"):
        for (owners, values), of_all in zip((traces.of_events(key), traces.of_traces(key)), expected, strict=True):
            found = list(zip(owners.tolist(), map(unescaped, values), strict=True))
            assert found == [(owner, value) for owner, each in enumerate(of_all) for value in each.get(key, [])]


@pytest.mark.parametrize("value", ["a", "ä", "a &amp; b", "&lt;&gt;&quot;&apos;", "a\tb", "\U0001f600"])
def test_usual_traces_are_plain(value):
    text = TRACES.replace(b'"a"', f'"{value}"'.encode())
    assert parses(text)
    assert is_plain(text)[0] == ("\t" not in value)  # XML reads a tab as a space


@pytest.mark.parametrize("damage", DAMAGE)
def test_only_what_a_parser_accepts_is_plain_wherever_it_is_damaged(damage):
    text = TRACE % 1
    for at in range(len(text)):
        for part_of in (text[:at] + damage + text[at:], text[:at] + damage + text[at + len(damage) :]):
            plain, part = is_plain(part_of)
            assert not plain or parses(part)


@pytest.fixture(scope="module")
def same_with_skipping(tmp_path_factory):
    """Return whether a document is read, or refused in the same words, as without skipping; pieces have so many bytes."""
    path = tmp_path_factory.mktemp("logs") / "log.xes"

    def outcome(options):
        try:
            log = read_log(path, **options)
        except LogError as error:
            return str(error)
        times = None if log.timestamps is None else log.timestamps.tolist()
        attributes = {name: attribute.texts() for name, attribute in log.attributes.items()}
        return log.traces(), log.case_ids, times, str(log.reading), attributes

    def compare(document, piece=1 << 19, **options):
        path.write_bytes(document)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "PIECE", piece)
            fast = outcome(options)
            patch.setattr(xes, "plain_traces", lambda *_: None)
            return fast == outcome(options)

    return compare


@given(document=damaged(b'<?xml version="1.0"?>\n<log>\n' + TRACES + b"</log>\n"), piece=st.sampled_from([200, 500, 1 << 19]))
def test_skipping_changes_neither_a_log_nor_an_error(same_with_skipping, document, piece):
    assert same_with_skipping(document, piece)


@given(
    document=damaged(b"<log>\n" + TRACES + b"</log>\n"),
    piece=st.sampled_from([50, 1 << 19]),
    attributes=st.sampled_from(["people", ["b"], ["a", "case:concept:name"], ["x", "lifecycle:transition"]]),
    old=st.sampled_from([b"concept:name", b'"a"', b"time:timestamp", b"trace>"]),
    new=st.sampled_from([b"b", b'"org:group"', b"org:resource", b"R&amp;amp;D", b'"a" ']),
)
def test_skipping_changes_no_attribute(same_with_skipping, document, piece, attributes, old, new):
    assert same_with_skipping(document, piece, attributes=attributes)
    assert same_with_skipping(document.replace(old, new, 3), piece, attributes=attributes)


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


def test_most_of_a_usual_log_is_skipped(log_file, monkeypatch):
    given = []
    parse = xml.XmlText.parse
    monkeypatch.setattr(
        xml.XmlText, "parse", lambda self, text, **is_last: (given.append(len(text)), parse(self, text, **is_last))
    )
    events = xes.read_xes(log_file("Helpdesk"), ReadOptions(attributes="people"))
    assert sum(given) < 0.01 * events.n_bytes


def test_what_is_seen_of_transitions_does_not_depend_on_pieces(same_with_skipping, monkeypatch):
    monkeypatch.setattr(xes, "SAMPLE_ROWS", 20)
    late = EVENT.replace(b"</event>", b'<string key="lifecycle:transition" value="start"/></event>')
    for first in (19, 20, 21):
        document = b"<log><trace>" + EVENT * first + b"</trace><trace>" + late * 40 + b"</trace></log>"
        for piece in (500, 3000, 1 << 19):
            assert same_with_skipping(document, piece)
            assert same_with_skipping(document, piece, lifecycle="append")


def test_a_section_that_never_ends_is_refused_as_without_skipping(same_with_skipping, monkeypatch):
    monkeypatch.setattr(xml, "LONGEST_TAG", 20_000)
    traces = (b"<trace>" + EVENT * 3 + b"</trace>") * 200
    for before in (500, 900, 1000, 1100):
        for size in range(17_000, 45_000, 1700):
            document = b"<log>".ljust(before) + b"<![CDATA[" + traces[:size] + b"]]>" + TRACES + b"</log>"
            assert same_with_skipping(document, 1000)
