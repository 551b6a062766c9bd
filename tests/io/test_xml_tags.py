"""Finding tags: all of them, and what is in them."""

from xml.etree import ElementTree
from xml.sax.saxutils import escape

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.io import xml_pieces, xml_tags
from actalike.io.xml_tags import (
    Tags,
    attributes,
    begins,
    blank_comments,
    decode,
    element_name,
    find_tags,
    is_element,
    value_of,
    value_span,
    word,
)
from tests.helpers.xes_documents import documents, write_freely, xml_text


@given(documents, st.integers(0, 2**32))
def test_tags_have_the_names_and_levels_that_a_parser_gives_them(traces, seed):
    text = blank_comments(write_freely(traces, seed))
    expected = []
    parser = ElementTree.XMLPullParser(["start", "end"])
    parser.feed(text)
    parser.close()
    depth = 0
    for event, element in parser.read_events():
        if event == "start":
            expected.append((element.tag, depth, dict(element.attrib)))
            depth += 1
        else:
            depth -= 1
    tags = find_tags(text, 0)
    opening = [i for i in range(len(tags.start)) if not tags.closing[i]]
    assert [int(tags.level[i]) for i in opening] == [level for _, level, _ in expected]
    assert [attributes(tags, i) for i in opening] == [found for *_, found in expected]
    assert tags.depth == 0
    first_bytes = tags.words[tags.start]
    for name in (b"<trace", b"<event"):
        assert is_element(first_bytes, name)[opening].tolist() == [tag == name[1:].decode() for tag, *_ in expected]


@pytest.mark.parametrize(
    ("text", "blanked"),
    [
        (b"<a><?x <b> ?><b/></a>", b"<a>" + b" " * 10 + b"<b/></a>"),
        (b"<a><![CDATA[ <b> ]]>c</a>", b"<a>" + b" " * 17 + b"c</a>"),
        (b"<a><!-- -- > --></a>", b"<a>" + b" " * 13 + b"</a>"),
        (b"<a></a><?x", b"<a></a>"),
        (b"<a></a>", b"<a></a>"),
        (b"<a><", b"<a><"),
    ],
)
def test_what_is_no_tag_is_blanked_out_and_keeps_its_length(text, blanked):
    assert blank_comments(text) == blanked


@given(xml_text)
def test_a_value_is_what_a_parser_reads(value):
    document = f"<a value={'{}'}/>"
    for quote, entities in (('"', {'"': "&quot;"}), ("'", {"'": "&apos;"})):
        raw = escape(value, {**entities, "\t": "&#9;", "\n": "&#xA;", "\r": "&#13;"})
        text = document.format(f"{quote}{raw}{quote}").encode()
        assert ElementTree.fromstring(text).get("value") == value
        tags = find_tags(text, 0)
        assert value_of(tags, 0, -1) == decode(raw.encode()) == value
        start, end = value_span(tags, 0, -1)
        assert text[start:end] == raw.encode()
        if quote == '"':
            assert value_of(tags, 0, len('<a value="')) == value
            assert value_span(tags, 0, len('<a value="')) == (start, end)


def test_a_reference_may_have_any_number_of_zeros():
    assert decode(b"&#" + b"0" * 100_000 + b"65;&#x" + b"0" * 100_000 + b"42;") == "AB"


# A pattern that tries every way to divide a text would take hours for these.
@pytest.mark.parametrize(
    "repeated", ["x", " ", "=", '"', "'", "/", ">", "&", "0", "<", "x ", "x=' ", "&#0", "x='' ", "<!--", "<?"]
)
def test_every_pattern_takes_linear_time(repeated):
    n = 300_000 // len(repeated)
    for name in (repeated * n, f"x {repeated * n}", f"x a='{repeated * n}"):
        text = f"<{name}/>".encode()
        nothing = np.empty(0)
        tags = Tags(text, nothing, nothing, np.array([0]), np.array([len(text) - 1]), nothing, nothing, 0)
        element_name(tags, 0)
        attributes(tags, 0)
        xml_tags._TAG.match(text)
        blank_comments(text)
        xml_pieces._DECLARATION.match(f"<?xml version='1.0' {name}")


def test_white_space_in_a_value_is_spaces():
    assert decode(b"a\tb\r\nc\nd") == "a b c d"


@pytest.mark.parametrize("text", [b"<event", b"<string key=", b"12345678", b"1234567812345678x"])
def test_places_that_begin_with_a_text_are_found(text):
    content = b".." + text + b"." + text[:-1] + b"!" + bytes(40)
    words = np.ndarray((len(content) - 7,), dtype="<u8", buffer=content, strides=(1,))
    places = np.array([2, 1, 3 + len(text)])
    assert begins(words, places, text).tolist() == [True, False, False]
    assert word(text) == words[2] or len(text) < 8
