"""What a CSV is, written down as plainly as possible: one character after the other, everything in memory.

The rules are those of ``docs/reading.md``. ``Refused`` is raised for whatever is not certain.
"""

import re
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}


class Refused(Exception):
    """The file is not certain to mean one thing."""


@dataclass
class Row:
    """The cells of a row as they are written, what they mean (None: missing), and how the line ends."""

    raw: list[str] = field(default_factory=list)
    cells: list[str | None] = field(default_factory=list)
    end: str = ""

    @property
    def is_blank(self) -> bool:
        return self.raw == [""]


@dataclass
class Csv:
    mark: bytes
    encoding: str
    separator: str
    separator_line: str
    header: Row
    rows: list[Row]
    blank_end: str


def parse(content: bytes, separator: str | None = None, encoding: str | None = None) -> Csv:
    """Read a whole file."""
    mark = next((mark for mark in MARKS if content.startswith(mark)), b"")
    if mark:
        if encoding not in (None, MARKS[mark]):
            raise Refused("the mark says something else")
        encoding = MARKS[mark]
    encoding = encoding or "utf-8"
    try:
        text = content[len(mark) :].decode(encoding)
        text.encode("utf-8")
    except UnicodeError:
        raise Refused("encoding") from None
    separator_line = ""
    if match := re.match(r'(?:sep=([\x00-\x7f])|"sep=([\x00-\x7f])")(\r?\n|\Z)', text, re.IGNORECASE | re.DOTALL):
        named = match[1] or match[2]
        if separator not in (None, named):
            raise Refused("two separators")
        separator_line, text, separator = match[0], text[match.end() :], named
    if separator is None:
        separator = likely_separator(first_line(text))
    if separator in '"\r\n':
        raise Refused("separator")
    rows = list(cut(text, separator))
    if not rows or rows[0].is_blank:
        raise Refused("no header")
    header, rows = rows[0], rows[1:]
    if any("\0" in raw or ("\r" in raw and not raw.startswith('"')) for raw in header.raw):
        raise Refused("NUL or carriage return in the header")
    if len(set(header.raw)) < len(header.raw) or len({cell or "" for cell in header.cells}) < len(header.cells):
        raise Refused("two columns of one name")
    blank_end = ""
    while rows and rows[-1].is_blank:
        blank_end = rows.pop().end + blank_end
    if any(len(row.raw) != len(header.raw) for row in rows):
        raise Refused("width")
    return Csv(mark, encoding, separator, separator_line, header, rows, blank_end)


def first_line(text: str) -> str:
    is_quoted = False
    for i, character in enumerate(text):
        if character == '"':
            is_quoted = not is_quoted
        elif character == "\n" and not is_quoted:
            return text[:i]
    return text


def likely_separator(line: str) -> str:
    """Return the separator that is most often outside quotes in the header."""
    counts = dict.fromkeys(",;\t|", 0)
    is_quoted = False
    for character in line:
        if character == '"':
            is_quoted = not is_quoted
        elif character in counts and not is_quoted:
            counts[character] += 1
    return max(counts, key=lambda mark: counts[mark])


def cut(text: str, separator: str):
    """Yield the rows of a text."""
    i = 0
    while i < len(text):
        row = Row()
        while True:
            raw, cell, i = next_cell(text, i, separator)
            row.raw.append(raw)
            row.cells.append(cell)
            if i < len(text) and text[i] == separator:
                i += 1
                continue
            if text[i : i + 2] == "\r\n":
                row.end = "\r\n"
            elif text[i : i + 1] == "\n":
                row.end = "\n"
            i += len(row.end)
            break
        yield row


def next_cell(text: str, i: int, separator: str) -> tuple[str, str | None, int]:
    """Return a cell as it is written, what it means, and where it ends."""
    start = i
    if text[i : i + 1] != '"':
        while i < len(text) and text[i] not in (separator, "\n") and text[i : i + 2] != "\r\n":
            if text[i] == '"':
                raise Refused("a quote inside a cell")
            i += 1
        return text[start:i], text[start:i] or None, i
    value = ""
    i += 1
    while True:
        if i >= len(text):
            raise Refused("a quote is not closed")
        if text[i : i + 2] == '""':
            value += '"'
            i += 2
        elif text[i] == '"':
            i += 1
            break
        else:
            value += text[i]
            i += 1
    if i < len(text) and text[i] not in (separator, "\n") and text[i : i + 2] != "\r\n":
        raise Refused("something after the closing quote")
    return text[start:i], value, i


def moment(text: str) -> datetime:
    """Read a timestamp in ISO 8601."""
    match = re.fullmatch(
        r"(\d{4})([-/])(\d\d)\2(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9})\d*)?)? ?([Zz]|[+-]\d\d(?::?\d\d)?)?)?",
        text,
        re.ASCII,
    )
    if match is None:
        raise Refused("timestamp")
    year, month, day, hour, minute, second = (int(match[group] or 0) for group in (1, 3, 4, 5, 6, 7))
    zone = match[9] or "Z"
    digits = zone[1:].replace(":", "").ljust(4, "0")
    shift = timedelta() if zone in "Zz" else timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    try:
        moment = datetime(year, month, day, hour, minute, second, int((match[8] or "0").ljust(6, "0")[:6]), timezone(timedelta()))
        return moment + (shift if zone[0] == "-" else -shift)
    except (ValueError, OverflowError):
        raise Refused("timestamp") from None


def traces(csv: Csv) -> dict[str, list[str]]:
    """Return the activities of each case, from the columns ``case``, ``activity`` and, if there is one, ``timestamp``."""
    names = [cell or "" for cell in csv.header.cells]
    if "case" not in names or "activity" not in names or not csv.rows:
        raise Refused("columns")
    events: dict[str, list[tuple[datetime | None, str]]] = {}
    for row in csv.rows:
        cell = dict(zip(names, row.cells, strict=True))
        time = None
        if "timestamp" in names:
            if cell["timestamp"] is None:
                raise Refused("no timestamp")
            time = moment(cell["timestamp"])
        if cell["case"] is None or cell["activity"] is None:
            raise Refused("no case or activity")
        events.setdefault(cell["case"], []).append((time, cell["activity"]))
    if "timestamp" in names:
        for of_case in events.values():
            of_case.sort(key=lambda event: event[0])  # stable: ties stay in the order of the rows
    return {case: [activity for _, activity in of_case] for case, of_case in events.items()}


def relabelled(csv: Csv, mapping: dict[str, str]) -> bytes:
    """Return the file with other labels: only those cells change, and a column at the end has the old ones."""
    place = [cell or "" for cell in csv.header.cells].index("activity")
    lines = [
        csv.separator_line,
        csv.separator.join([*csv.header.raw, written("actalike:original", "", csv.separator)]),
        csv.header.end,
    ]
    for row in csv.rows:
        old = row.raw[place]
        new = mapping.get(row.cells[place] or "")
        raw = list(row.raw)
        if new is not None:
            raw[place] = written(new, old, csv.separator)
        kept = f'"{old}"' if old.endswith("\r") else old  # without quotes, the line end would take the carriage return
        lines += [csv.separator.join([*raw, "" if new is None else kept]), row.end]
    return csv.mark + "".join([*lines, csv.blank_end]).encode(csv.encoding)


def written(text: str, like: str, separator: str) -> str:
    if text and not like.startswith('"') and not set(text) & {separator, '"', "\r", "\n"}:
        return text
    return '"' + text.replace('"', '""') + '"'
