"""XML in pieces of whole tags."""

import pytest

from actalike import LogError
from actalike.io import source, xes, xml_pieces
from tests.helpers.reading import read_bytes
from tests.helpers.xes_documents import GOOD, document


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "iso-8859-1", "windows-1252"])
def test_declared_encodings_are_respected(encoding):
    declared = encoding.removesuffix("-sig")
    text = f'<?xml version="1.0" encoding="{declared}"?>' + document(("1", [("Prüfung", "2024-01-01")])).decode()
    assert read_bytes(text.encode(encoding), "log.xes").activities == ["Prüfung"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("declared", ['encoding="UTF-16"', "", None])
def test_a_byte_order_mark_shows_the_encoding(encoding, declared):
    declaration = "" if declared is None else f'<?xml version="1.0" {declared}?>'
    text = "\ufeff" + declaration + document(("1", [("Prüfung", "2024-01-01")])).decode()
    assert read_bytes(text.encode(encoding), "log.xes").activities == ["Prüfung"]


@pytest.mark.parametrize("declaration", ["", '<?xml version="1.0"?>', "<?xml version='1.0' encoding='UTF-8'?>"])
@pytest.mark.parametrize("target", ["xml-stylesheet", "xmlx", "x"])
def test_only_the_declaration_tells_the_encoding(declaration, target):
    text = f'{declaration}<?{target} encoding="iso-8859-1"?>' + document(("1", [("Prüfung", "2024-01-01")])).decode()
    assert read_bytes(text.encode(), "log.xes").activities == ["Prüfung"]


@pytest.mark.parametrize("piece", [1, 7, 64, 1000])
def test_tags_longer_than_many_pieces_are_read(piece, monkeypatch):
    monkeypatch.setattr(source, "PIECE", piece)
    text = "<log><!--" + "-x" * 2000 + "--><![CDATA[" + "<" * 2000 + "]]>"
    text += document(("1", [("ü" * 3000, "2024-01-01")])).decode().removeprefix("<log>")
    assert read_bytes(text.encode(), "log.xes").traces() == [["ü" * 3000]]


def test_the_parser_gets_a_long_tag_a_few_times_only(monkeypatch):
    given = []

    class Parser:
        def __init__(self, encoding):
            self.parser = create(encoding)

        def Parse(self, text, final):
            given.append(len(text))
            return self.parser.Parse(text, final)

        def __getattr__(self, name):
            return getattr(self.parser, name)

    create = xml_pieces.expat.ParserCreate
    monkeypatch.setattr(xml_pieces.expat, "ParserCreate", Parser)
    monkeypatch.setattr(xes, "plain_part", lambda text: None)  # nothing is skipped: the parser gets all of the text
    monkeypatch.setattr(source, "PIECE", 100)
    for text in ("<!--" + "x" * 100_000 + "-->", "<![CDATA[" + "x" * 100_000 + "]]>", f"<a b='{'x' * 100_000}'/>"):
        given.clear()
        read_bytes(GOOD.replace(b"<log>", b"<log>" + text.encode()), "log.xes")
        assert len(given) < 30
        assert sum(given) == len(GOOD) + len(text)


def test_a_tag_that_never_ends_does_not_fill_the_memory(monkeypatch):
    monkeypatch.setattr(xml_pieces, "LONGEST_TAG", 1000)
    monkeypatch.setattr(source, "PIECE", 500)
    endless = GOOD.replace(b'value="b"', b'value="' + b"b" * 5000 + b'"')
    with pytest.raises(LogError, match="tag of more than 1,000 bytes"):
        read_bytes(endless, "log.xes")
