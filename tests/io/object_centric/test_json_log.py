"""What an object-centric log in JSON must have, and what is refused."""

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError
from tests.helpers.examples import examples
from tests.helpers.ocel import as_cases, expected_cases, naive_json, purchases, to_json
from tests.helpers.reading import read_bytes

SOUND = to_json(purchases())


def changed(change):
    content = json.loads(SOUND)
    change(content)
    return json.dumps(content).encode()


def refused(change, words, **options):
    with pytest.raises(LogError, match=words):
        read_bytes(change if isinstance(change, bytes) else changed(change), "log.jsonocel", object_type="invoice", **options)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c["events"][3].pop("id"), "in item 4 of 'events': it has no 'id'. Correct the file; nothing was read"),
        (lambda c: c["events"][3].pop("time"), "in item 4 of 'events': it has no 'time'"),
        (lambda c: c["events"][3].update(time="soon"), r"event 4 \('ev-04'\) has an unreadable time 'soon': write it as 2024"),
        (lambda c: c["events"][3].update(time=1700000000), "in item 4 of 'events': its 'time' is no text"),
        (lambda c: c["events"][3].update(id="ev-01"), "two events with the id 'ev-01'"),
        (lambda c: c["objects"][3].update(id="req/1"), "two objects with the id 'req/1'"),
        (lambda c: c["objects"][3].pop("type"), "in item 4 of 'objects': it has no 'type'"),
        (lambda c: c["objects"].pop(1), r"event 2 \('ev-02'\) involves the object 'req/2', which the file does not have \(all other"),
        (lambda c: c["objects"].clear(), r"'req/1', which the file does not have \(9 objects in all are missing\)"),
        (lambda c: c["eventTypes"].pop(0), r"event 7 \('ev-07'\) is of the type 'Accept delivery', which the file does not declare"),
        (lambda c: c["objectTypes"].pop(0), "the object 'req/1' is of the type 'request', which the file does not declare"),
        (lambda c: c["eventTypes"].append(c["eventTypes"][0]), "declares the event type 'Accept delivery' twice"),
        (lambda c: c["events"].append(7), "in item 14 of 'events': it is no object"),
        (lambda c: c["events"][0].update(relationships={}), "'relationships' is no list of objects"),
        (lambda c: c["events"][0].update(relationships=["req/1"]), "'relationships' is no list of objects"),
        (lambda c: c["events"][0].update(relationships=[{"qualifier": "x"}]), "it has no 'objectId'"),
        (lambda c: c["events"][0].update(Relationship=[]), "a key 'Relationship' in item 1 of 'events': in OCEL it is called 'relation"),
        (lambda c: c["events"][0].update(objects="req/1"), "a key 'objects' in item 1 of 'events': in OCEL it is called 'relationships'"),
        (lambda c: c["events"][0].update(relations=[]), "a key 'relations' in item 1 of 'events': in OCEL it is called 'relationships'"),
        (lambda c: c["events"][0].update({"ocel:omap": ["req/1"]}), "its key 'ocel:omap' holds a list or an object, and OCEL has only 'id', 'type'"),
        (lambda c: c["events"][0].update(omap=["req/1"]), "a key 'omap' in item 1 of 'events': in OCEL it is called 'relationships'"),
        (lambda c: c["events"][0].update(involves={"req/1": ""}), "item 1 of 'events': its key 'involves' holds a list or an object"),
        (lambda c: c["objects"][0].update(events=["ev-01"]), "item 1 of 'objects': its key 'events' holds a list or an object"),
        (lambda c: c.update(relations=[]), "a key 'relations' at its top, where OCEL has only 'eventTypes'"),
        (lambda c: c.update(Event=[]), "a key 'Event' at its top: in OCEL it is called 'events'"),
        (lambda c: c.update(events={}), "'events' is no list"),
        (lambda c: c.pop("objects"), "is no object-centric log .* it has no 'objects'"),
        (lambda c: c["events"].clear(), "is empty: it has 10 objects but no events"),
        (lambda c: c.update({str(i): 1 for i in range(200)}), "more than 100 keys"),
        (b'{"ocel:global-log": {}}', "OCEL 1.0, by its key 'ocel:global-log': convert it to OCEL 2.0"),
        (b"[]", "is no object-centric log"),
        (b"{}", "it has no 'eventTypes' and no 'objectTypes' and no 'events' and no 'objects'"),
        (b"", "is empty: it has no bytes"),
        (SOUND.replace(b'"objects":', b'"events":'), "has the key 'events' twice"),
    ],
)  # fmt: skip
def test_a_fault_is_refused_with_its_place(change, words):
    refused(change, words)


def test_values_of_attributes_that_are_no_texts_matter_only_if_wanted():
    def nested(content):
        content["events"][0]["attributes"][0]["value"] = ["Ines", "Omar"]

    assert read_bytes(changed(nested), "log.jsonocel", object_type="invoice").n_cases == 2
    refused(nested, "in item 1 of 'events': the value of 'user' is of the type list", attributes=["user"])
    refused(lambda c: c["events"][0]["attributes"][0].pop("value"), "the attribute 'user' has no 'value'", attributes=["user"])
    refused(lambda c: c["events"][0]["attributes"].append({"name": "user", "value": 1}), "'user' twice", attributes=["user"])


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
