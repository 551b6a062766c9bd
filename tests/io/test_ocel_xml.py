"""What an object-centric log in XML must have, and what is refused."""

from xml.etree.ElementTree import ParseError

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError
from actalike.io import files
from tests.helpers.examples import examples
from tests.helpers.ocel import as_cases, expected_cases, is_well_formed, naive_xml, purchases, to_xml
from tests.helpers.reading import read_bytes
from tests.io.test_ocel_json import mutated

SOUND = to_xml(purchases())


def read(document, **options):
    return read_bytes(document, "log.xmlocel", object_type="invoice", **options)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b' id="ev-04"', b"", "lacks"),
        (b' id="ev-04"', b' id="ev-01"', "ev-01"),
        (b'<object id="req/2"', b'<object id="req/1"', "objects"),
        (b'<object id="req/2"', b'<object id="req/3"', "involves"),
        (b'time="2024-03-04T08:00:00+00:00"', b'time="yesterday"', "ev-01"),
        (b'time="2024-03-04T08:00:00+00:00"', b"", "time"),
        (b'<event-type name="Send order">', b'<event-type name="Send">', "Send order"),
        (b'object-id="req/1" qualifier="ask', b'id="req/1" qualifier="ask', "object-id"),
        (b"<event id", b"<Event id", "ill-formed"),
        (b"<events>", b"<events><happening/>", "happening"),
        (b'<relationship object-id="req/1" qualifier="ask', b'<relation object-id="req/1" qualifier="ask', "<relation>"),
        (b"<log>", b"<log><x:events/>", "ill-formed"),
        (b"<log>", b'<!DOCTYPE log [<!ENTITY a "b">]><log>', "DOCTYPE"),
        (b"</log>", b"", "cut off"),
        (b">Omar<", b">&x;<", "ill-formed"),
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
        (b"<html/>", "event-types"),
        (b"<log/>", "object-types"),
        (b"", "empty"),
        (SOUND.replace(b"Omar", b"\xff\xfe"), "ill-formed"),
        (SOUND[:-300], "cut off"),
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


def test_a_namespace_changes_nothing():
    assert as_cases(read(SOUND.replace(b"<log>", b'<log xmlns="http://www.ocel-standard.org/">'))) == expected_cases(
        purchases(), "invoice"
    )


def test_relations_may_be_called_object_as_in_the_first_schema():
    older = SOUND.replace(b"<relationship object-id", b"<object object-id")
    assert as_cases(read(older)) == expected_cases(purchases(), "invoice")


def test_texts_of_attributes_are_read_as_written():
    odd = SOUND.replace(b">Omar<", "> <![CDATA[O&]]>m&#228;r<!-- no -->é <".encode())
    texts = read_bytes(odd, "log.xmlocel", object_type="request", attributes=["user"]).attributes["user"].values
    assert texts == [" O&märé ", "Ines", "Petra"]
    nested = SOUND.replace(b">Omar<", b"><b>Omar</b><")
    assert as_cases(read(nested, attributes=None)) == expected_cases(purchases(), "invoice")
    assert read(nested, attributes="people").attributes == {}
    with pytest.raises(LogError, match=r"event 2|ev-02"):
        read(nested, attributes=["user"])
    with pytest.raises(LogError, match=r"event 2|ev-02"):
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
@given(seed=st.integers(0, 2**32), piece=st.sampled_from([files.PIECE, 64, 900]))
def test_a_mutated_file_is_refused_or_read_as_the_naive_reader_reads_it(seed, piece):
    document = mutated(SOUND, seed, SNIPPETS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PIECE", piece)
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
