"""Files of decisions name their format; others are told apart, and damaged ones are refused in a sentence."""

import gzip

import msgspec
import pytest

from actalike.errors import FileFormatError
from actalike.labels.decisions import (
    DecisionFormat,
    StoredLog,
    begins_as_json,
    format_of,
    plain_number,
)


class Content(msgspec.Struct):
    format: str
    version: int
    log: StoredLog
    note: str
    at_least: float
    groups: list[str]


KIND = DecisionFormat("actalike decisions", 1, "the page of a report", Content)


def test_a_content_is_read_as_it_was_written_and_its_format_is_told(tmp_path):
    log = {"digest": "", "name": "", "activities": 0}
    content = {"format": "actalike decisions", "version": 1, "log": log, "note": "ä", "at_least": plain_number(1.0), "groups": []}
    KIND.write(content, tmp_path / "decisions.json")
    assert msgspec.to_builtins(KIND.read(tmp_path / "decisions.json")) == content
    assert format_of(tmp_path / "decisions.json") == "actalike decisions"
    assert begins_as_json(tmp_path / "decisions.json")
    assert '"at_least": 1,' in (tmp_path / "decisions.json").read_text(encoding="utf-8")


def test_what_is_no_json_or_cut_off_has_no_format_and_is_refused(tmp_path):
    path = tmp_path / "decisions.json"
    for content, words in [(b"{", "truncated"), (b"\xff", "not UTF-8"), (b"[]", "holds no decisions")]:
        path.write_bytes(content)
        with pytest.raises(FileFormatError, match=words):
            KIND.read(path)
    path.write_bytes(b"{")
    assert format_of(path) == ""
    path.write_bytes(b"[]")
    assert format_of(path) == ""
    cut = tmp_path / "decisions.json.gz"
    cut.write_bytes(gzip.compress(b"{}" * 999)[:-9])
    (tmp_path / "shorter.gz").write_bytes(gzip.compress(b"{}")[:5])
    assert not begins_as_json(tmp_path / "shorter.gz")
    with pytest.raises(FileFormatError, match="unfinished gzip"):
        KIND.read(cut)
