"""What an object-centric log in XML must have, and what is refused."""

from xml.etree.ElementTree import ParseError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError
from actalike.io import source
from tests.helpers.examples import examples
from tests.helpers.ocel import as_cases, expected_cases, is_well_formed, naive_xml, purchases, to_xml
from tests.helpers.reading import read_bytes
from tests.io.object_centric.test_json_log import mutated

SOUND = to_xml(purchases())


def read(document, **options):
    return read_bytes(document, "log.xmlocel", object_type="invoice", **options)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b' id="ev-04"', b"", "near event 3: a <event> has no 'id'. Correct the file"),
        (b' id="ev-04"', b' id="ev-01"', "two events with the id 'ev-01'"),
        (b'<object id="req/2"', b'<object id="req/1"', "two objects with the id 'req/1'"),
        (b'<object id="req/2"', b'<object id="req/3"', "involves the object 'req/2', which the file does not have"),
        (b'time="2024-03-04T08:00:00+00:00"', b'time="yesterday"', r"event 1 \('ev-01'\) has an unreadable time 'yesterday'"),
        (b'time="2024-03-04T08:00:00+00:00"', b"", "a <event> has no 'time'"),
        (b'<event-type name="Send order">', b'<event-type name="Send">', "is of the type 'Send order', which the file does not declare"),
        (b'object-id="req/1" qualifier="ask', b'id="req/1" qualifier="ask', "a <relationship> has no 'object-id'"),
        (b"<event id", b"<Event id", "ill-formed"),
        (b"<events>", b"<events><happening/>", "an element <happening> in <events>, where OCEL has <event>"),
        (b'<objects><relationship object-id="req/1" qualifier="ask', b'<objects><relation/><relationship object-id="req/1" qualifier="ask', "an element <relation> in <objects>, where OCEL has <relationship>"),
        (b"<attributes><attribute", b"<attributes><x/><attribute", "an element <x> in <attributes>, where OCEL has <attribute>"),
        (b"<attributes><attribute", b"<object/><attributes><attribute", "an element <object> in <event>, where OCEL has <attributes>, <objects>"),
        (b"<objects><relationship object-id=\"req/1\" qualifier=\"ask", b"<relationships/><objects><relationship object-id=\"req/1\" qualifier=\"ask", "an element <relationships> in <event>, where OCEL has <attributes>, <objects>"),
        (b"</attributes><objects>", b"</attributes><relationship object-id='req/1'/><objects>", "an element <relationship> in <event>"),
        (b"</attributes><objects><relationship", b"</attributes><objects>req/1<relationship", "near event 1: there is the text 'req/1' in <objects>, where OCEL has elements"),
        (b"</attributes><objects><relationship", b"</attributes><objects><![CDATA[ <relationship object-id='req/1'/> ]]><relationship", "there is the text .* in <objects>"),
        (b"</objects></event>", b"<relationship object-id='req/1'><relationship object-id='req/2'/></relationship></objects></event>", "an element <relationship> in <relationship>, where OCEL has nothing"),
        (b"<log>", b"<log><relationships/>", "an element <relationships> in <log>, where OCEL has <event-types>"),
        (b"<log>", b"<log><x:events/>", "an element <x:events> in <log>, where OCEL has <events>"),
        (b"<log>", b"<log><trace/>", "it has a <trace>, so it seems to be XES: name it .xes"),
        (b"<log>", b"<log><events/>", "has <events> twice"),
        (b"<log>", b'<!DOCTYPE log [<!ENTITY a "b">]><log>', "has a DOCTYPE, which event logs do not use"),
        (b"<log>", b"<log>" + b"<a>" * 200 + b"</a>" * 200, "more than 100 elements inside each other"),
        (b"</log>", b"", r"ends .*the file is cut off"),
        (b">Omar<", b">&x;<", "ill-formed .undefined entity"),
    ],
)  # fmt: skip
def test_a_fault_is_refused_with_its_place(old, new, words):
    document = SOUND.replace(old, new, 1)
    assert document != SOUND
    with pytest.raises(LogError, match=words):
        read(document)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (b"<html/>", "its first element is <html>, not <log>"),
        (b"<log/>", "it has no <event-types> and no <object-types> and no <events> and no <objects>"),
        (b"", "is empty: it has no bytes"),
        (SOUND.replace(b"Omar", b"\xff\xfe"), "ill-formed"),
        (SOUND[:-300], "near event .*cut off"),
    ],
)
def test_what_is_no_log_is_refused(document, words):
    with pytest.raises(LogError, match=words):
        read(document)


@pytest.mark.parametrize("place", [b"<log>", b"</log>"])
def test_a_section_that_ocel_does_not_have_is_skipped_wholly(place):
    section = (
        b"<more><event id='x'> a <objects><relationship object-id='req/1'/></objects><attributes><b/></attributes></event></more>"
    )
    added = section + place if place == b"</log>" else place + section
    assert as_cases(read(SOUND.replace(place, added))) == expected_cases(purchases(), "invoice")


def test_relations_may_be_called_object_as_in_the_first_schema():
    older = SOUND.replace(b"<relationship object-id", b"<object object-id")
    assert as_cases(read(older)) == expected_cases(purchases(), "invoice")


def test_texts_of_attributes_are_read_as_written():
    odd = SOUND.replace(b">Omar<", "> <![CDATA[O&]]>m&#228;r<!-- no -->é <".encode())
    texts = read_bytes(odd, "log.xmlocel", object_type="request", attributes=["user"]).attributes["user"].values
    assert texts == [" O&märé ", "Ines", "Petra"]
    nested = SOUND.replace(b">Omar<", b"><b>Omar</b><")
    assert as_cases(read(nested)) == expected_cases(purchases(), "invoice")
    with pytest.raises(LogError, match=r"event 2 \('ev-02'\): the attribute 'user' holds the element <b>"):
        read(nested, attributes=["user"])
    with pytest.raises(LogError, match=r"event 2 \('ev-02'\) has 'user' twice"):
        read(SOUND.replace(b">Omar<", b'>Omar</attribute><attribute name="user">Omar<'), attributes=["user"])


def test_other_encodings_are_read():
    text = SOUND.decode().replace("Omar", "Ömar")
    for encoding in ("ISO-8859-1", "utf-16"):
        document = text.replace("UTF-8", encoding).encode(encoding)
        log = read_bytes(document, "log.xmlocel", object_type="request", attributes=["user"])
        assert "Ömar" in log.attributes["user"].values


SNIPPETS = [b"<event>", b"</event>", b"<events>", b"</objects>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"'", b'"', b"<", b">", b"/", b"&", b"&#65;", b"\x00",
            b"<relationship object-id='req/1'/>", b"<event id='x' type='Send order' time='2024-01-01T00:00:00'/>", b"\xff", b"</log>", b" id=", b"="]  # fmt: skip


@examples(150)
@given(seed=st.integers(0, 2**32), piece=st.sampled_from([source.PIECE, 64, 900]))
def test_a_mutated_file_is_refused_or_read_as_the_naive_reader_reads_it(seed, piece):
    document = mutated(SOUND, seed, SNIPPETS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "PIECE", piece)
        try:
            log = read(document)
        except LogError:
            return
    try:
        expected = expected_cases(naive_xml(document), "invoice")
    except ParseError:
        assert is_well_formed(document)
        return
    assert as_cases(log) == expected
