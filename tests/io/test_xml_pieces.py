"""XML in pieces of whole tags."""

import pytest

from actalike import LogError
from actalike.io import source, xml_pieces
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import GOOD, document


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_declared_encodings_are_respected(encoding):
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>' + document(("1", [("Prüfung", "2024-01-01")])).decode()
    assert read_bytes(text.encode(encoding), "log.xes").activities == ["Prüfung"]


def test_a_tag_that_never_ends_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(xml_pieces, "LONGEST_TAG", 1000)
    monkeypatch.setattr(source, "PIECE", 500)
    endless = GOOD.replace(b'value="b"', b'value="' + b"b" * 5000 + b'"')
    with pytest.raises(LogError, match="tag of more than 1,000 bytes"):
        read_bytes(endless, "log.xes")
