"""JSON is read value by value, strictly, whatever pieces the file comes in."""

import gzip
import json
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import LogError
from actalike.io import source
from actalike.io.object_centric import json_text
from actalike.io.object_centric.json_text import JsonText
from tests.helpers.examples import examples
from tests.helpers.strategies import any_text

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False) | any_text,
    lambda children: st.lists(children, max_size=4) | st.dictionaries(any_text, children, max_size=4),
    max_leaves=8,
)


def read(path, document, piece=source.PIECE):
    """All keys and values of an object, read one by one."""
    path.write_bytes(document)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(source, "PIECE", piece)
        text = JsonText(path, 1 << 30, None)
        content = {key: list(text.items(key)) if text.next_sign() == "[" else text.value() for key in text.keys_and_values()}
        text.refuse_more()
        assert text.n_bytes == len(document)
        return content


@examples(40)
@given(
    content=st.dictionaries(any_text, values, max_size=4), piece=st.sampled_from([1, 2, 7, 100, source.PIECE]),
    indent=st.sampled_from([None, 3]), plain=st.booleans(), mark=st.sampled_from([b"", b"\xef\xbb\xbf"]),
)  # fmt: skip
def test_values_are_those_of_the_standard_library(tmp_path_factory, content, piece, indent, plain, mark):
    document = mark + json.dumps(content, indent=indent, ensure_ascii=plain).encode()
    assert read(tmp_path_factory.mktemp("json") / "a.json", document, piece) == content


@examples(40)
@given(
    content=st.dictionaries(any_text, values, min_size=1, max_size=3),
    cut=st.integers(1, 10**6),
    piece=st.sampled_from([1, 9, source.PIECE]),
)
def test_a_file_that_is_cut_off_is_refused(tmp_path_factory, content, cut, piece):
    document = json.dumps(content).encode()
    with pytest.raises(LogError, match=r"cut off|is empty: it has no bytes"):
        read(tmp_path_factory.mktemp("json") / "a.json", document[: cut % len(document)], piece)


@pytest.mark.parametrize("piece", [3, source.PIECE])
@pytest.mark.parametrize(
    ("document", "words"),
    [
        (b'{"a": 1, }', "ill-formed at character 10 .a key is no text"),
        (b'{"a" 1}', "ill-formed"),
        (b'{"a": 1} x', "after its end: the JSON is ill-formed at character 10"),
        (b'{"a": [1 2]}', "in item 1 of 'a': the JSON is ill-formed"),
        (b'{"a": [1, nul]}' + b" " * 50, "ill-formed"),
        (b'{"a": NaN}', "NaN is no number of JSON"),
        (b'{"a": 123456789012345678901}', "more than 64 bits"),
        (b'{"a": 1e999}', "too long or too large"),
        (b'{"a": {"b": 1, "b": 2}}', "an object has a key twice"),
        (rb'{"a": "\ud800"}', "half a character"),
        (b'{"a": "\x01"}', "ill-formed"),
        (b'{"a": "\xff"}', "is not utf-8: byte 7 does not fit. Convert it to UTF-8, which JSON demands"),
        ('{"a": "é"}'.encode("utf-16"), "is not utf-8: byte 0"),
        ('{"a": "e"}'.encode("utf-16-le"), "as UTF-16 without a byte order mark does: convert it to UTF-8"),
        ('{"a": "e"}'.encode("utf-16-be"), "as UTF-16 without a byte order mark does"),
        (b'{"a": ' + b"[" * 100_000, "nested too deep|in item 1 of 'a'"),
    ],
)
def test_ill_formed_json_is_refused_with_the_place(tmp_path, document, words, piece):
    if piece == 3 and len(document) > 1000:
        pytest.skip("it takes long byte by byte")
    with pytest.raises(LogError, match=words):
        read(tmp_path / "a.json", document, piece)


def test_no_value_needs_more_memory_than_a_bound(tmp_path, monkeypatch):
    monkeypatch.setattr(json_text, "LONGEST_VALUE", 1 << 16)
    with pytest.raises(LogError, match="in item 1 of 'a': it has more than 65,536 characters"):
        read(tmp_path / "a.json", b'{"a": ["' + b"x" * (1 << 19) * 2 + b'"]}', 1000)
    monkeypatch.undo()
    with pytest.raises(LogError, match="more than 250,000 lists and objects, as no event of a log has"):
        read(tmp_path / "a.json", b'{"a": [[' + b"[]," * 400_000 + b"[]]]}")


def test_a_bomb_of_gzip_and_of_spaces_ends_early(tmp_path):
    (tmp_path / "a.json").write_bytes(gzip.compress(b" " * (1 << 26)))
    text = JsonText(tmp_path / "a.json", 1 << 20, None)
    with pytest.raises(LogError, match="more than 1,048,576 bytes once unpacked"):
        text.next_sign()


def test_a_large_value_takes_time_in_proportion_to_its_size(tmp_path):
    document = b'{"a": "' + b"x" * 2_000_000 + b'"}'
    started = time.perf_counter()
    assert len(read(tmp_path / "a.json", document, 1000)["a"]) == 2_000_000
    assert time.perf_counter() - started < 2


def test_what_follows_a_large_value_takes_time_in_proportion_too(tmp_path):
    items = [["x" * 2_200_000], *({"id": f"e{number}", "of": [{"a": "é"}]} for number in range(40_000)), "end"]
    started = time.perf_counter()
    assert read(tmp_path / "a.json", json.dumps({"a": items, "b": 1}).encode()) == {"a": items, "b": 1}
    assert time.perf_counter() - started < 10  # item by item over all the text that was read: minutes


def test_lists_and_objects_of_other_values_are_not_counted_in(tmp_path):
    items = [[{"a": number} for number in range(200_000)], *([{}] for _ in range(100_000))]
    assert read(tmp_path / "a.json", json.dumps({"a": items}).encode()) == {"a": items}


@examples(20)
@given(
    content=st.dictionaries(any_text, st.lists(values, max_size=8), max_size=4), piece=st.sampled_from([1, 7, 100, source.PIECE])
)
def test_values_are_the_same_if_text_is_held_back(tmp_path_factory, content, piece):
    document = json.dumps(content).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "_CHECKED", 10)
        assert read(tmp_path_factory.mktemp("json") / "a.json", document, piece) == content
        with pytest.raises(LogError, match=r"ill-formed at character"):
            read(tmp_path_factory.mktemp("json") / "a.json", document + b" x", piece)


def test_a_cut_gzip_is_named(tmp_path):
    packed = gzip.compress(json.dumps({"a": [str(i) for i in range(5000)]}).encode())
    (tmp_path / "a.json").write_bytes(packed[: len(packed) // 2])
    text = JsonText(tmp_path / "a.json", 1 << 30, None)
    assert next(text.keys_and_values()) == "a"
    with pytest.raises(LogError, match=r"ends .* \(byte [\d,]+\): the file is cut off"):
        list(text.items("a"))
