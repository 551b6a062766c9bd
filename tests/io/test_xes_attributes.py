"""Attributes of XES events, compared with what ElementTree finds."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError, read_log
from actalike.io import files
from tests.helpers.examples import LONG, examples
from tests.helpers.naive_attributes import values_of_events, values_of_traces
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import GOOD, documents, write_freely


@pytest.mark.parametrize("piece", [files.PIECE, 7])
@examples(20)
@given(traces=documents, seed=st.integers(0, 2**32), key=st.sampled_from(["org:resource", "concept:namey", "concept", "nosuch"]))
def test_attributes_are_read_from_every_legal_layout(piece, traces, seed, key):
    document = write_freely(traces, seed)
    events = values_of_events(document)
    found = [values.get(key, []) for values in events]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PIECE", piece)
        if max(map(len, found)) != 1:
            with pytest.raises(LogError, match="twice" if any(found) else f"has no event attribute '{key}'"):
                read_bytes(document, "log.xes", attributes=[key])
        else:
            texts = read_bytes(document, "log.xes", attributes=[key]).attributes[key].texts()
            assert texts == [values[0] if values else None for values in found]
        people = read_bytes(document, "log.xes", attributes="people").attributes
    named = [values.get("org:resource", []) for values in events]
    assert list(people) == (["org:resource"] if max(map(len, named)) == 1 else [])


@pytest.mark.parametrize("piece", [files.PIECE, 7])
@examples(20)
@given(traces=documents, seed=st.integers(0, 2**32), key=st.sampled_from(["org:resource", "concept:namey", "concept"]))
def test_attributes_of_traces_are_those_of_all_their_events(piece, traces, seed, key):
    document = write_freely(traces, seed)
    found = [(events, values.get(key, [])) for events, values in values_of_traces(document)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "PIECE", piece)
        if max(len(values) for _, values in found) > 1 or not any(values for events, values in found if events):
            with pytest.raises(LogError, match=r"twice|attribute"):
                read_bytes(document, "log.xes", attributes=[f"case:{key}"])
        else:
            texts = read_bytes(document, "log.xes", attributes=[f"case:{key}"]).attributes[f"case:{key}"].texts()
            assert texts == [values[0] if values else None for events, values in found for _ in range(events)]


def test_an_attribute_of_traces_is_named_in_the_error_and_one_of_events_comes_first():
    document = GOOD.replace(b"<trace>", b'<trace><string key="region" value="north"/>')
    with pytest.raises(LogError, match="case:region"):
        read_bytes(document, "log.xes", attributes=["region"])
    with pytest.raises(LogError, match="case:region"):
        read_bytes(document, "log.xes", attributes=["nosuch"])
    with pytest.raises(LogError, match="case:concept:name"):
        read_bytes(document, "log.xes", attributes=["case:concept:name"])
    own = document.replace(b"</event>", b'<string key="case:region" value="own"/></event>')
    assert read_bytes(own, "log.xes", attributes=["case:region"]).attributes["case:region"].values == ["own"]
    assert read_bytes(document, "log.xes", attributes="people").attributes == {}


def test_a_wrong_attribute_is_answered_with_those_that_events_have():
    with pytest.raises(LogError, match="mean 'lifecycle:transition'"):
        read_bytes(GOOD, "log.xes", attributes=["lifecycle"])
    for name, role in (("concept:name", "activity"), ("time:timestamp", "timestamp")):
        with pytest.raises(LogError, match=f"is the {role} of the log"):
            read_bytes(GOOD, "log.xes", attributes=[name])
    with_list = GOOD.replace(b"</event>", b'<list key="team"><string key="x" value="y"/></list></event>')
    with pytest.raises(LogError, match="team"):
        read_bytes(with_list, "log.xes", attributes=["team"])
    assert read_bytes(with_list, "log.xes", attributes="people").attributes == {}


def test_however_many_and_long_the_keys_are_people_are_found_in_proportional_time():
    long_key = "x" * 3_000_000
    tags = "".join(f'<string key="{key}" value="y"/>' for key in [long_key, *map(str, range(20_000)), "User"])
    found = read_bytes(f'<log><trace><event><string key="concept:name" value="a"/>{tags}</event></trace></log>'.encode(),
                       "log.xes", attributes="people")  # fmt: skip
    assert list(found.attributes) == ["User"]


def test_hundreds_of_spellings_of_people_are_left_out():
    tags = "".join(f'<string key="user{"_" * i}" value="y"/>' for i in range(150))
    document = f'<log><trace><event><string key="concept:name" value="a"/>{tags}</event></trace></log>'.encode()
    log = read_bytes(document, "log.xes", attributes="people")
    assert (log.n_events, log.attributes) == (1, {})
    assert list(read_bytes(document, "log.xes", attributes=["user_"]).attributes) == ["user_"]


PEOPLE = {  # of real logs: the attribute, how many values it has, and how many events have none
    "BPIC12": ("org:resource", 68, 18_010),
    "BPIC13_closed_problems": ("Resource", 585, 0),
    "BPIC13_open_problems": ("org:resource", 240, 0),
    "BPIC15_1": ("org:resource", 23, 0),
    "BPIC15_2": ("org:resource", 11, 0),
    "BPIC15_4": ("org:resource", 10, 0),
    "BPIC15_5": ("org:resource", 22, 0),
    "CCC19": ("org:resource", 10, 0),
    "Env_Permit": ("org:resource", 48, 0),
    "Helpdesk": ("Resource", 22, 0),
}


@pytest.mark.parametrize("name", PEOPLE if LONG else ["BPIC13_closed_problems", "CCC19"])
def test_people_of_real_logs(log_file, name):
    key, values, missing = PEOPLE[name]
    log = read_log(log_file(name), attributes="people")
    assert (len(log.attributes[key].values), int((log.attributes[key].codes < 0).sum())) == (values, missing)
    content = gzip.decompress(log_file(name).read_bytes())
    expected = [event.get(key, [None])[0] for event in values_of_events(content)]
    assert log.attributes[key].texts() == expected
