"""JSON from files that nobody vouches for."""

import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike.support import bounded_json
from actalike.support.bounded_json import MOST_LEVELS, parse_json
from tests.helpers.examples import examples
from tests.helpers.strategies import any_text

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(any_text, children, max_size=4),
    max_leaves=8,
)


@examples(20)
@given(values, st.booleans())
def test_what_json_writes_is_parsed_as_json_parses_it(value, ascii_only):
    text = json.dumps(value, ensure_ascii=ascii_only)
    assert parse_json(text) == json.loads(text) == value


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no JSON at character 1"),
        ('{"a": 1', "no JSON at character 8"),
        ("[Infinity]", "Infinity is no number"),
        ("-Infinity", "-Infinity is no number"),
        ("NaN", "NaN is no number"),
        ("1e999", "too large"),
        ("0." + "1" * 200, "too long"),
        (str(2**63), "more than 64 bits"),
        (str(-(2**63) - 1), "more than 64 bits"),
        ("9" * 5000, "more than 64 bits"),  # which Python itself refuses to convert, with other words
        ('{"a": 1, "b": 2, "a": 3}', "a key twice"),
        (r'["\ud800"]', "half a character"),
        (r'{"x": {"\udc00y": 1}}', "half a character"),
    ],
)
def test_what_is_refused_is_refused_with_its_reason(text, words):
    with pytest.raises(ValueError, match=words):
        parse_json(text)


def test_the_least_and_the_largest_whole_number_are_parsed():
    assert parse_json(f"[{-(2**63)}, {2**63 - 1}]") == [-(2**63), 2**63 - 1]
    assert parse_json(r'"\ud83d\udcc4"') == "📄"


@pytest.mark.parametrize(("opened", "closed"), [("[", "]"), ('{"a":', "}")])
def test_lists_and_objects_are_nested_to_the_bound_and_no_deeper(opened, closed):
    parse_json(opened * MOST_LEVELS + "1" + closed * MOST_LEVELS)
    for levels in (MOST_LEVELS + 1, 100_000):
        for end in (closed * levels, ""):
            with pytest.raises(ValueError, match=f"nested more than {MOST_LEVELS} deep"):
                parse_json(opened * levels + "1" + end)


@given(st.text('[]{}"\\ax', max_size=60))
def test_brackets_in_texts_do_not_count(text):
    many = [text * 20] * 3
    assert parse_json(json.dumps(many)) == many


def test_there_are_no_more_lists_than_the_bound(monkeypatch):
    with pytest.raises(ValueError, match="more than 250,000 lists and objects"):
        parse_json("[" + "[]," * 250_000 + "[]]")
    monkeypatch.setattr(bounded_json, "MOST_CONTAINERS", 100)
    assert len(parse_json("[" + "[]," * 98 + "[]]")) == 99
    with pytest.raises(ValueError, match="more than 100 lists and objects"):
        parse_json("[" + "[]," * 99 + "[]]")


@pytest.mark.parametrize("piece", ['\\"', '"', "\\\\", '["\\', "[],", "x"])
def test_no_text_takes_more_than_linear_time(piece):
    """A million characters; anything quadratic would take minutes."""
    started = time.process_time()
    with pytest.raises(ValueError, match="it"):
        parse_json('["' + piece * (1_000_000 // len(piece)))
    assert time.process_time() - started < 2
