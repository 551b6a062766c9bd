"""XES files, sound and mutated: what is read is what ElementTree reads, or the file is refused.

A file is a small document in a free layout or a cut of a real log, in any encoding, with up to three mutations. A sound file must
be read. A mutated file may be refused although ElementTree reads it only where XES or this package demands more than XML does.
"""

import gzip
import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from functools import cache
from itertools import repeat
from pathlib import Path
from random import Random
from xml.etree import ElementTree
from xml.parsers import expat

import numpy as np

from actalike import ActalikeError, read_log
from actalike.io import files
from tests.attacks import Outcome
from tests.helpers.xes_documents import reference_read, write_freely

TITLE = "XES files, sound and mutated"
LOGS = Path(os.environ.get("ACTALIKE_LOGS", Path(__file__).parents[3] / "shared" / "event_logs"))
SNIPPETS = [
    b"<event>", b"</event>", b"<trace>", b"</trace>", b"<trace/>", b"<event/>", b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<?", b"?>", b"'", b'"', b"<",
    b">", b"/", b"&", b"&#65;", b"&#0000065;", b"=", b" ", b"\n", b"\r", b"\t", b" value=", b" key=", b"concept:name", b"\x00", b"\xff", b"\xef\xbb\xbf",
    b"</log>", b"<log>", b"<string key='concept:name' value='x'/>", b"<date key='time:timestamp' value='2024-02-29T12:00:00Z'/>", b"x='y' >", b" />x='y'>",
    b"<?xml-stylesheet encoding='utf-16'?>", b" xmlns='urn:x'", b" xmlns:x='urn:x'", b"x:", b"<values>", b"</string>", b"<list key='concept:name'>", b"\xc2\x85",
]  # fmt: skip
DECLARATIONS = [
    b"",
    b"<?xml version='1.0'?>",
    b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    b"<?xml-model encoding='cp1252'?>",
]
# what is refused in a well-formed file that ElementTree reads: each is a rule that the documentation states
STRICTER = ("DOCTYPE", "in XES it is called", "unreadable date", "'time:timestamp' twice", "byte order mark", "is in the encoding", "XML declaration of",
            "max_bytes")  # fmt: skip


def missing() -> str | None:
    """Return None: nothing but the package is needed; real logs are used where there are some."""
    return None


def attempts(random: Random, folder: Path) -> Iterator[Outcome]:
    """Read one file after the other."""
    usual = files.PIECE
    path = folder / "log.xes"
    try:
        while True:
            sound = _sound(random)
            for n_mutations in (0, 1, 1, 1, 1, 2, 2, 3):
                document = sound
                for _ in range(n_mutations):
                    document = mutated(random, document)
                small = [1, 7, 64, 300] if len(document) < 3000 else [1000]
                files.PIECE = random.choice([usual] * 3 * len(small) + small)
                path.write_bytes(gzip.compress(document, 1) if random.random() < 0.1 else document)
                yield _judged(document, path, n_mutations == 0)
    finally:
        files.PIECE = usual


def _judged(document: bytes, path: Path, sound: bool) -> Outcome:
    """Compare what the package reads with what ElementTree reads."""
    again = f"read the file with files.PIECE = {files.PIECE}"
    if re.match(rb"<\?xml[^>]*encoding=['\"]utf8", document, re.IGNORECASE):
        document = _as_utf8(document)  # ElementTree takes each byte of "UTF8", without the hyphen, for a character
    expected: object
    try:
        expected = reference_read(document)
    except (ElementTree.ParseError, ValueError, LookupError):
        # ElementTree also checks namespaces, which say nothing about events, and knows fewer encodings
        expected = "unknown" if _well_formed(document) else None
    try:
        log = read_log(path)
    except ActalikeError as error:
        rightly = any(reason in str(error) for reason in STRICTER) or not _well_formed(_as_utf8(document))
        if sound or (isinstance(expected, list) and not rightly):
            return Outcome("wrong", f"{again}: refused although it is sound: {error}")
        return Outcome("refused")
    except Exception as error:
        return Outcome("wrong", f"{again}: {error!r}")
    if expected == "unknown":
        return Outcome("same")
    if expected is None or list(zip(log.case_ids, log.traces(), strict=True)) != expected:
        return Outcome("wrong", f"{again}: ElementTree reads {str(expected)[:200]}")
    return _with_times(document, log.timestamps, again)


def _well_formed(document: bytes) -> bool:
    """Return whether a document may be well-formed: expat accepts it, or does not know its encoding."""
    try:
        expat.ParserCreate().Parse(document, True)
    except expat.ExpatError as error:
        return error.code == expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING]
    except (ValueError, LookupError):
        return True
    return True


def _as_utf8(document: bytes) -> bytes:
    """Return a document in UTF-8: in other encodings expat takes some characters for letters that XML does not."""
    declared = re.match(rb"<\?xml[^>]*encoding=['\"]([\w-]+)", document)
    try:
        if document[:2] in (b"\xff\xfe", b"\xfe\xff"):
            text = document.decode("utf-16")
        else:
            text = document.decode(declared[1].decode() if declared else "utf-8-sig")
    except UnicodeError:
        return b""  # not in its encoding, which expat does not always notice
    except (ValueError, LookupError):
        return document
    return re.sub(r"^<\?xml\s[^>]*\?>", "", text).encode("utf-8", "surrogatepass")


def _with_times(document: bytes, times: np.ndarray | None, again: str) -> Outcome:
    """Compare the timestamps with those that the standard library parses, where it can."""
    found = repeat(None) if times is None else iter(times.tolist())
    for event in (element for element in ElementTree.fromstring(document).iter() if element.tag.rpartition("}")[2] == "event"):
        expected = [
            child.get("value") for child in event if child.get("key") == "time:timestamp" and child.get("value") is not None
        ]
        time = next(found)
        if not expected or time is None:
            if (time is None) != (not expected):
                return Outcome("wrong", f"{again}: timestamp {time} for {expected}")
            continue
        try:
            moment = datetime.fromisoformat(expected[0].strip())
        except ValueError:
            continue
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        if time.replace(tzinfo=UTC) != moment:
            return Outcome("wrong", f"{again}: timestamp {time} for {expected}")
    return Outcome("same")


def _sound(random: Random) -> bytes:
    """Return a sound document: in a free layout, in one of several encodings, or the first traces of a real log."""
    cuts = _cuts()
    if cuts and random.random() < 0.02:
        return random.choice(cuts)
    document = write_freely(_traces(random), random.randrange(2**32), b"") if random.random() < 0.6 else _plain(random)
    if random.random() < 0.5:
        time = random.choice(
            [b"2024-02-29T12:00:00.000+01:00", b"2024-02-29T12:00:00Z", b"1999-12-31 23:59:59.123456", b" 2024-01-01 "]
        )
        document = document.replace(b"</event>", b'<date key="time:timestamp" value="' + time + b'"/></event>')
    kind = random.randrange(8)
    if kind == 0:
        text = "\ufeff" + random.choice(["", "<?xml version='1.0' encoding='UTF-16'?>"]) + document.decode()
        return text.encode(random.choice(["utf-16-le", "utf-16-be"]))
    if kind == 1:
        name = random.choice(["iso-8859-1", "windows-1252", "us-ascii", "ISO-8859-15"])
        return f"<?xml version='1.0' encoding='{name}'?>".encode() + document.decode().encode(name, "xmlcharrefreplace")
    return random.choice([b"", b"", b"\xef\xbb\xbf"]) + random.choice(DECLARATIONS) + document


def _traces(random: Random) -> list[tuple[str | None, list[str]]]:
    """Return a few traces, some without a name, with at least one event."""
    traces: list[tuple[str | None, list[str]]] = [(random_text(random), [random_text(random)])]
    for _ in range(random.randrange(4)):
        name = random.choice([None, None, "1", "2", "trace 2", random_text(random)])
        traces.append((name, [random_text(random) for _ in range(random.randrange(5))]))
    random.shuffle(traces)
    return traces


def _plain(random: Random) -> bytes:
    """Return a document in the usual layout, in which nothing needs an XML parser."""
    values = ["a", "b", "", "R&amp;D", "&lt;a&gt;", "it's", "\u00e9", "a > b", "\U0001f4c4"]
    tag = '<{}{}key="{}" value="{}"{}/>'
    keys = ["org:resource", "concept:name2", "a&amp;b", "cost"]

    def attributes(n: int) -> list[str]:
        kind, end = random.choice(["string", "int", "date"]), random.choice(["", "", " "])
        return [tag.format(kind, " ", random.choice(keys), random.choice(values), end) for _ in range(n)]

    gap = random.choice(["", "\n\t", "\r\n"])
    parts = ["<log>"]
    for _ in range(random.randrange(1, 6)):
        parts += ["<trace>", *attributes(random.randrange(2))]
        parts += [tag.format("string", " ", "concept:name", random.choice(values), "")] if random.random() < 0.8 else []
        for _ in range(random.randrange(4)):
            label = tag.format("string", " ", "concept:name", random.choice(values), "")
            parts += ["<event>", *attributes(random.randrange(3)), label, "</event>"]
        parts += [*attributes(random.randrange(2)), "</trace>"]
    parts += ["<trace><event>", tag.format("string", " ", "concept:name", "z", ""), "</event></trace>", "</log>"]
    return gap.join(parts).encode()


def random_text(random: Random) -> str:
    """Return a short text of characters that XML can hold, hard ones more often than others."""
    hard = "\t\n\r&<>'\"ab01 ;,=/\u00e9\u2028\ufeff\u202e\U0001f4c4"
    return "".join(random.choice(hard) for _ in range(random.choice([0, 1, 2, 3, 8])))


@cache
def _cuts() -> list[bytes]:
    """Return documents made of the first traces of real logs; none where there are no real logs."""
    found = []
    for path in sorted(LOGS.glob("*.xes.gz")) if LOGS.is_dir() else []:
        with gzip.open(path) as file:
            text = file.read(200_000)
        end = max(text.rfind(b"</trace>", 0, 20_000), text.find(b"</trace>"))
        if 0 < end < 100_000:
            found.append(text[:end] + b"</trace></log>")
    return found


def mutated(random: Random, document: bytes) -> bytes:
    """Return a document with one mutation."""
    if not document:
        return random.choice(SNIPPETS)
    at, kind = random.randrange(len(document)), random.randrange(9)
    if kind == 0:
        return document[:at] + bytes([random.randrange(256)]) + document[at + 1 :]
    if kind == 1:
        return document[:at] + document[at + random.randrange(1, 30) :]
    if kind == 2:
        return document[:at] + random.choice(SNIPPETS) + document[at:]
    if kind == 3:
        return document[:at] + document[at : at + random.randrange(1, 80)] + document[at:]
    if kind == 4 and random.random() < 0.2:
        return document[:at]
    if kind == 5:
        first, second = sorted((at, random.randrange(len(document))))
        return (
            document[:first]
            + document[second : second + 10]
            + document[first + 10 : second]
            + document[first : first + 10]
            + document[second + 10 :]
        )
    if kind == 6:  # at the start, where encodings are told
        at = random.randrange(min(80, len(document)))
        return document[:at] + random.choice([*SNIPPETS, *DECLARATIONS, b"encoding='utf-8'"]) + document[at:]
    if kind == 7:  # a whole tag less, or twice
        start = document.rfind(b"<", 0, at)
        end = document.find(b">", at)
        if start >= 0 and end > 0:
            return document[:start] + document[start : end + 1] * random.choice([0, 2]) + document[end + 1 :]
    return document[:at] + bytes([document[at] ^ (1 << random.randrange(8))]) + document[at + 1 :]
