"""What an object-centric log in JSON must have, and what is refused."""

import gzip
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, LogError
from tests.helpers.examples import examples
from tests.helpers.ocel import as_cases, expected_cases, naive_json, purchases, to_json
from tests.helpers.reading import read_bytes

SOUND = to_json(purchases())


def changed(change):
    content = json.loads(SOUND)
    change(content)
    return json.dumps(content).encode()


def refused(change, words, **options):
    document = change if isinstance(change, bytes) else changed(change)
    with pytest.raises(LogError, match=words):
        read_bytes(document, "log.jsonocel", object_type="invoice", **options)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        (lambda c: c["events"][3].pop("id"), r"events\[3\]"),
        (lambda c: c["events"][3].pop("time"), "`time`"),
        (lambda c: c["events"][3].update(time="soon"), "event 4"),
        (lambda c: c["events"][3].update(time="9999-12-31T23:00:00-11:00"), "years"),
        (lambda c: c["events"][3].update(time=1700000000), r"events\[3\].time"),
        (lambda c: c["events"][3].update(id="ev-01"), "two events with the id 'ev-01'"),
        (lambda c: c["objects"][3].update(id="req/1"), "two objects with the id 'req/1'"),
        (lambda c: c["objects"][3].pop("type"), r"objects\[3\]"),
        (lambda c: c["objects"].pop(1), "event 2 .* 'req/2'"),
        (lambda c: c["objects"].clear(), "'req/1'.*9 objects"),
        (lambda c: c["eventTypes"].pop(0), "ev-07.*'Accept delivery'"),
        (lambda c: c["objectTypes"].pop(0), "'req/1' is of the type 'request'"),
        (lambda c: c["events"].append(7), r"events\[13\]"),
        (lambda c: c["events"][0].update(relationships={}), r"events\[0\].relationships"),
        (lambda c: c["events"][0].update(relationships=["req/1"]), r"events\[0\].relationships"),
        (lambda c: c["events"][0].update(relationships=[{"qualifier": "x"}]), "`objectId`"),
        (lambda c: c.pop("objects"), "not an object-centric log"),
        (lambda c: c["events"].clear(), "is empty: it has 10 objects but no events"),
        (b'{"ocel:global-log": {}}', "OCEL 1.0"),
        (b"[]", "not an object-centric log"),
        (b"{}", "eventTypes"),
        (b"", "is empty: it has no bytes"),
        (SOUND.replace(b'"ev-04"', b'NaN'), "ill-formed"),
        (SOUND.replace(b'"ev-04"', b'"\\ud800"'), "ill-formed"),
        (SOUND.replace(b'"ev-04"', b'"\x01"'), "ill-formed"),
        (SOUND.replace(b'"ev-04"', b'"\xff"'), "UTF-8"),
        (SOUND.replace(b'"ev-04"', b"[" * 100_000 + b"]" * 100_000), "deep|Expected"),
        (SOUND + b" x", "ill-formed"),
        (SOUND[:-300], "cut off"),
        (gzip.compress(SOUND)[:-300], "cut off"),
        (SOUND.decode().encode("utf-16"), "UTF-8"),
        (SOUND.decode().encode("utf-16-le"), "ill-formed"),
    ],
)  # fmt: skip
def test_a_fault_is_refused_with_its_place(change, word):
    refused(change, word)


def test_values_of_attributes_that_are_no_texts_matter_only_if_wanted():
    def nested(content):
        content["events"][0]["attributes"][0]["value"] = ["Ines", "Omar"]

    assert read_bytes(changed(nested), "log.jsonocel", object_type="invoice", attributes=None).n_cases == 2
    assert read_bytes(changed(nested), "log.jsonocel", object_type="invoice").attributes == {}
    no_list = changed(lambda content: content["events"][0].update(attributes=None))
    assert read_bytes(no_list, "log.jsonocel", object_type="invoice").attributes == {}
    refused(nested, "'user' in event 1", attributes=["user"])
    refused(lambda c: c["events"][0]["attributes"].append({"name": "user", "value": 1}), "'user' twice", attributes=["user"])


def test_an_attribute_that_an_event_has_twice_is_left_out_of_people():
    def twice(content):
        content["events"][9]["attributes"].append({"name": "user", "value": "Sue"})
        content["events"][9]["attributes"].append({"name": "team", "value": "Sales"})

    assert list(read_bytes(changed(twice), "log.jsonocel", object_type="invoice", attributes="people").attributes) == ["team"]


def test_an_attribute_with_missing_values_only_is_there():
    def missing(content):
        content["events"][0]["attributes"].append({"name": "note", "value": None})

    log = read_bytes(changed(missing), "log.jsonocel", object_type="invoice", attributes=["note"])
    assert set(log.attributes["note"].texts()) == {None}


def test_a_bomb_is_refused(monkeypatch):
    bomb = gzip.compress(b" " * (1 << 26))
    refused(bomb, "max-bytes", max_bytes=1 << 20)
    monkeypatch.setenv("ACTALIKE_MEMORY", "100MB")
    with pytest.raises(ActalikeError, match="memory"):
        read_bytes(bomb, "log.jsonocel")


def test_a_byte_order_mark_is_no_part_of_the_content():
    assert read_bytes(b"\xef\xbb\xbf" + SOUND, "log.jsonocel", object_type="invoice").n_cases == 2


def test_unknown_keys_and_missing_lists_do_no_harm():
    def change(content):
        content["note"] = {"by": ["me"]}
        content["events"][0]["x:colour"] = 3
        content["events"][12].pop("relationships")
        content["objects"][0].pop("relationships")

    assert as_cases(read_bytes(changed(change), "log.jsonocel", object_type="invoice")) == expected_cases(purchases(), "invoice")


SNIPPETS = [b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\u", b"\\ud800", b"null", b"NaN", b"1e5", b'"events":', b'"objectId": "req/1"', b"\xff",
            b"\x00", b" ", b"{}", b"[]", b'{"objectId": "req/2", "qualifier": ""},', b'"id": "ev-01",', b'"relationships": [],']  # fmt: skip


def mutated(document: bytes, seed: int, snippets=SNIPPETS) -> bytes:
    """A document with one to three changes, such as damage or a careless hand makes them."""
    rng = random.Random(seed)
    text = bytearray(document)
    for _ in range(rng.randrange(1, 4)):
        at, kind = rng.randrange(len(text)), rng.randrange(6)
        if kind == 0:
            text[at] = rng.randrange(256)
        elif kind == 1:
            del text[at : at + rng.randrange(1, 60)]
        elif kind == 2:
            text[at:at] = rng.choice(snippets)
        elif kind == 3:
            text[at:at] = text[at : at + rng.randrange(1, 120)]
        elif kind == 4:
            del text[at + 1 :]
        else:
            other = rng.randrange(len(text))
            text[at : at + 10], text[other : other + 10] = text[other : other + 10], text[at : at + 10]
    return bytes(text)


@examples(150)
@given(seed=st.integers(0, 2**32))
def test_a_mutated_file_is_refused_or_read_as_the_naive_reader_reads_it(seed):
    document = mutated(SOUND, seed)
    try:
        log = read_bytes(document, "log.jsonocel", object_type="invoice")
    except LogError:
        return
    assert as_cases(log) == expected_cases(naive_json(document), "invoice")
