"""Object-centric logs, sound and mutated: what is read is what naive readers read, or the file is refused.

JSON is compared with the standard library's parser, XML with ElementTree. SQLite has no checksums: a changed letter of a value is
"unseen", but no event may be lost.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from xml.etree import ElementTree

from actalike import ActalikeError, read_log
from actalike.io import files
from tests.attacks import Outcome
from tests.helpers.ocel import KINDS, as_cases, expected_cases, is_well_formed, naive_json, naive_xml, purchases, written

TITLE = "object-centric logs, sound and mutated"
SNIPPETS = [
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\\ud800", b"null", b"NaN", b"1e999", b'"events": [', b'{"objectId": "req/1"},', b"\xff", b"\x00",
    b"<event>", b"</event>", b"<objects>", b"</objects>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<", b">", b"&", b"&#65;", b"<relationship object-id='req/1'/>",
]  # fmt: skip


def missing() -> str | None:
    """Return None: nothing but the package is needed."""
    return None


def attempts(random: Random, folder: Path) -> Iterator[Outcome]:
    """Read one file after the other."""
    log, usual = purchases(), files.PIECE
    sound = {kind: written(log, kind) for kind in KINDS}
    try:
        while True:
            for kind, document in sound.items():
                mutations = random.choice([0, 1, 1, 1, 2, 3])
                mutant = document
                for _ in range(mutations):
                    mutant = _mutated(random, mutant, kind)
                files.PIECE = random.choice([usual, usual, 7, 64, 500])
                path = folder / f"log{KINDS[kind]}"
                path.write_bytes(mutant)
                yield _judged(path, kind, mutant, document, random.choice(["invoice", "request", "purchase order"]))
    finally:
        files.PIECE = usual


def _mutated(random: Random, document: bytes, kind: str) -> bytes:
    text = bytearray(document)
    at, way = random.randrange(len(text)), random.randrange(2 if kind == "ocel-sqlite" else 6)
    if way == 0:
        text[at] = random.randrange(256)
    elif way == 1:
        text[at] ^= 1 << random.randrange(8)
    elif way == 2:
        del text[at : at + random.randrange(1, 80)]
    elif way == 3:
        text[at:at] = random.choice(SNIPPETS)
    elif way == 4:
        text[at:at] = text[at : at + random.randrange(1, 200)]
    else:
        del text[at + 1 :]
    return bytes(text)


def _judged(path: Path, kind: str, mutant: bytes, sound: bytes, object_type: str) -> Outcome:
    """Compare what the package reads with what a naive reader reads."""
    again = f"read the file with object_type={object_type!r} and files.PIECE = {files.PIECE}"
    try:
        log = read_log(path, object_type=object_type, attributes="people")
    except ActalikeError as error:
        return Outcome("wrong", f"{again}: refused although it is sound: {error}") if mutant == sound else Outcome("refused")
    except Exception as error:
        return Outcome("wrong", f"{again}: {error!r}")
    if kind == "ocel-sqlite":
        expected = expected_cases(purchases(), object_type)
        if as_cases(log) == expected:
            return Outcome("same")
        if log.n_events == sum(map(len, expected.values())) and log.n_cases == len(expected):
            return Outcome("unseen")
        return Outcome("wrong", f"{again}: {log.n_cases} cases and {log.n_events} events")
    try:
        expected = expected_cases((naive_json if kind == "ocel-json" else naive_xml)(mutant), object_type)
    except ElementTree.ParseError:  # ElementTree also checks namespaces
        return Outcome("same") if is_well_formed(mutant) else Outcome("wrong", f"{again}: it is not well-formed")
    return (
        Outcome("same") if as_cases(log) == expected else Outcome("wrong", f"{again}: a naive reader reads {str(expected)[:200]}")
    )
