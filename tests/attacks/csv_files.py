"""Attack the reader of CSV: files in which quotes, marks, line ends and encodings are where programs differ.

A plain reader, one character after the other, says what a file means, or that it is refused. The reader in memory, DuckDB and
relabelling must say the same, whatever the size of the blocks in which they read.
"""

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from random import Random
from unittest.mock import patch

from actalike import EventLog, count_windows, read_log, relabel_file
from actalike.counting import CsvOptions, read_csv_events
from actalike.errors import ActalikeError
from actalike.io import delimited, files
from tests.attacks import Outcome
from tests.helpers import naive_csv

TITLE = "CSV files: plain reader, in memory, DuckDB, relabelled"

_NASTY = [
    '"', '""', '"""', ",", ";", "\t", "|", "\n", "\r\n", "\r", "\r\r\n", "\n\n", "\ufeff", "\ufeff\ufeff", "#", "# note", "'", "'a'", "a", "a ", " a",
    "\0", "é", "ß", "📄", "NA", "null", "", " ", "=1+1", "sep=;", "\x1a", "\u2028", "\x85", "b\r", "\\", '\\"', '"a"', "01", "1", "1.0", "1e5", "x" * 40,
]  # fmt: skip
_LABELS = [
    "a",
    "b",
    "'a'",
    "#a",
    "\ufeffa",
    "a\r",
    'say "hi" now',
    "a,b;c\td",
    "é",
    "",
    "NA",
    "-1",
    "a\nb",
    "a\r\nb",
    " a",
    "01",
    "\0",
    "📄",
]
_CASES = ["1", "2", "01", "#1", "\ufeff1", "1\r", "x,y", 'c"', "é"]
_TIMES = [
    "2024-01-02",
    "2024-01-02T03:04:05+01:00",
    "2024-01-02 03:04",
    "2024-01-01T23:59:59.5Z",
    "1969-12-31 23:00:00.123456789-05",
]
_BAD_TIMES = [
    "01/02/2024",
    "31.12.2024 13:45",
    "",
    "2024-02-30",
    "soon",
    "2024-01-02T",
    "20240102",
    "2024-01-02 24:00",
    "0000-01-01",
]
_ENCODINGS = [("utf-8", b"", None)] * 6 + [
    ("utf-8", b"\xef\xbb\xbf", None),
    ("utf-16-le", b"\xff\xfe", None),
    ("utf-16-be", b"\xfe\xff", None),
    ("cp1252", b"", "cp1252"),
    ("utf-16-le", b"", "utf-16-le"),
    ("latin-1", b"", None),
    ("utf-8", b"", "utf-8"),
]


def missing() -> str | None:
    """Return why the attack cannot run here, None if it can."""
    return None if find_spec("duckdb") else "DuckDB is not installed: pip install 'actalike[duckdb]'"


def attempts(random: Random, folder: Path) -> Iterator[Outcome]:
    """Make nasty files for ever, and compare what the readers say of them."""
    path, output = folder / "log.csv", folder / "relabelled.csv"
    while True:
        content, options = nasty_csv(random)
        path.write_bytes(content)
        size = random.choice([1, 2, 3, 7, 16, 50, 1 << 21])
        with patch.object(files, "PIECE", size), patch.object(delimited, "_BLOCK", size):
            yield attempt(random, path, output, content, options, size)


def attempt(random: Random, path: Path, output: Path, content: bytes, options: dict[str, str | None], size: int) -> Outcome:
    """Read one file in all ways."""
    again = f"{content!r} with {options}, in blocks of {size} bytes"
    csv, expected = meaning(content, options)
    options |= columns_of(csv)
    try:
        log = read_log(path, **options)
        traces = dict(zip(log.case_ids, log.traces(), strict=True))
    except ActalikeError as error:
        log = traces = None
        if "\n" in str(error):
            return Outcome("wrong", f"an error of several lines: {again}")
    except Exception as error:
        return Outcome("wrong", f"read_log raises {error!r}: {again}")
    if traces != expected:
        return Outcome("wrong", f"read_log gives {traces} and not {expected}: {again}")
    window = random.choice([1, 2, 3, 5])
    try:
        counts = count_windows(read_csv_events(str(path), [path], CsvOptions(**options), spill=path.parent), window)
    except ActalikeError:
        counts = None
    except Exception as error:
        return Outcome("wrong", f"DuckDB raises {error!r}: {again}")
    if csv is None or expected is None:
        return Outcome("refused") if counts is None else Outcome("wrong", f"DuckDB counts what is refused: {again}")
    if counts != count_windows(EventLog.from_traces(list(expected.values())), window):
        return Outcome("wrong", f"DuckDB counts something else: {again}")
    return _relabel(random, path, output, csv, log, options, again)


def meaning(content: bytes, options: dict[str, str | None]) -> tuple[naive_csv.Csv | None, dict[str, list[str]] | None]:
    """Return what the plain reader reads: the file, and the traces; None for what it refuses."""
    csv = None
    try:
        csv = naive_csv.parse(content, **options)
        return csv, naive_csv.traces(csv)
    except naive_csv.Refused:
        return csv, None


def columns_of(csv: naive_csv.Csv | None) -> dict[str, str | None]:
    """Return the columns to name, because the plain reader recognises none."""
    has_times = csv is None or "timestamp" in csv.header.cells
    return {"case": "case", "activity": "activity", "timestamp": "timestamp" if has_times else ""}


def _relabel(
    random: Random, path: Path, output: Path, csv: naive_csv.Csv, log: EventLog, options: dict[str, str | None], again: str
) -> Outcome:
    """Relabel the file with some mapping, which may be empty, and compare it byte by byte."""
    chosen = random.sample(log.activities, random.randint(0, len(log.activities)))
    mapping = {label: random.choice(["b", "new", 'x "y"', "p,q;r", "l\nm"]) for label in chosen}
    mapping = {old: new for old, new in mapping.items() if new not in chosen}  # a chain of names is refused
    expected = naive_csv.relabelled(csv, mapping)
    try:
        relabel_file(path, mapping, output, **options)
    except ActalikeError as error:
        return Outcome("wrong", f"relabelling by {mapping} is refused ({error}): {again}")
    except Exception as error:
        return Outcome("wrong", f"relabelling by {mapping} raises {error!r}: {again}")
    if output.read_bytes() != expected:
        return Outcome("wrong", f"relabelled by {mapping} it is {output.read_bytes()!r}: {again}")
    return Outcome("same")


def nasty_csv(random: Random) -> tuple[bytes, dict[str, str | None]]:
    """Return the content of a file, and the options to read it with."""
    separator = random.choice(",,,;\t|")
    line_end = random.choice(["\n", "\n", "\r\n"])
    names = ["case", "activity", *random.sample(["timestamp", "note", "cost, total"], random.randint(0, 3))]
    random.shuffle(names)
    if random.random() < 0.05:
        names.append(random.choice([*names, "\ufeffcase", "", "n\r", "#"]))
    rows = [names, *([_cell(random, name) for name in names] for _ in range(random.choice([0, 1, 2, 3, 5, 8])))]
    lines = [separator.join(_written(random, cell, separator) for cell in row) for row in rows]
    text = line_end.join(lines) + random.choice(["", line_end, line_end, line_end * 3, "\r"])
    if random.random() < 0.15:
        named = random.choice([separator, separator, ";", '"'])
        text = f"sep={named}{line_end}{text}"
    for _ in range(random.choice([0, 0, 0, 1, 1, 2])):
        place = random.randint(0, len(text))
        text = text[:place] + random.choice(_NASTY) + text[place + random.choice([0, 0, 1]) :]
    encoding, mark, named = random.choice(_ENCODINGS)
    content = mark + text.encode(encoding, errors="ignore")
    if random.random() < 0.03:
        content = content[: random.randint(0, len(content))]
    return content, {"separator": random.choice([None, None, None, separator]), "encoding": named}


def _cell(random: Random, name: str) -> str:
    if name == "case":
        return random.choice(_CASES if random.random() < 0.9 else _NASTY)
    if name == "activity":
        return random.choice(_LABELS if random.random() < 0.9 else _NASTY)
    if name == "timestamp":
        return random.choice(_TIMES if random.random() < 0.97 else _BAD_TIMES)
    return random.choice(_NASTY)


def _written(random: Random, cell: str, separator: str) -> str:
    """Return a cell in quotes if it needs them, mostly, and sometimes if it does not."""
    needs = bool(set(cell) & {separator, '"', "\n"}) or cell.endswith("\r") or (not cell and random.random() < 0.9)
    if random.random() < (0.99 if needs else 0.15):
        return '"' + cell.replace('"', '""') + '"'
    return cell
