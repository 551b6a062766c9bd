"""Relabelled files of every kind: only the labels change, and a mapping that changes nothing gives the same XES, byte for byte.

What must come out is computed without the package: by ElementTree, the csv module, and Polars.
"""

import csv
import gzip
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random

import polars as pl

from actalike import ActalikeError, relabel_file
from actalike.io import files
from tests.attacks import Outcome
from tests.attacks.xes_files import random_text
from tests.helpers.relabelled_documents import elements, expected_elements
from tests.helpers.xes_documents import write_freely

TITLE = "relabelled files"
ORIGINAL = "actalike:original"
Traces = list[tuple[str | None, list[str]]]


def missing() -> str | None:
    """Return None: nothing but the package is needed."""
    return None


def attempts(random: Random, folder: Path) -> Iterator[Outcome]:
    """Relabel one file after the other."""
    usual = files.PIECE
    makers = [_xes, _xes, _xes, _delimited, _delimited, _parquet]
    try:
        while True:
            files.PIECE = random.choice([usual] * 9 + [1, 7, 64])
            yield random.choice(makers)(random, folder)
    finally:
        files.PIECE = usual


def _xes(random: Random, folder: Path) -> Outcome:
    traces = _traces(random, names=True)
    document = write_freely(traces, random.randrange(2**32), b"", kinds=("string",))
    if random.random() < 0.2:
        document = ("\ufeff" + document.decode()).encode(random.choice(["utf-16-le", "utf-16-be"]))
    elif random.random() < 0.2:
        document = b"<?xml version='1.0' encoding='iso-8859-1'?>" + document.decode().encode("latin-1", "xmlcharrefreplace")
    mapping, collapse = _mapping(random, traces), random.random() < 0.3
    found = _relabelled(document, folder, random.choice(["log.xes", "log.xes.gz"]), mapping, collapse)
    if isinstance(found, Outcome):
        return found
    if not _changes(mapping):
        return _same(found == document, "the mapping changes nothing, and the bytes differ")
    expected = expected_elements(document, mapping, collapse, exact=not collapse)
    return _same(elements(found, exact=not collapse) == expected, f"{mapping}, collapse={collapse}: more than labels differ")


def _delimited(random: Random, folder: Path) -> Outcome:
    kind = random.choice(["csv", "tsv"])
    separator = "\t" if kind == "tsv" else random.choice(",;|")
    traces = _traces(random, names=False)
    mapping, collapse = _mapping(random, traces), random.random() < 0.3
    rows = [[name or "", label, random_text(random)] for name, labels in traces for label in labels]
    end = random.choice(["\n", "\r\n"])
    text = io.StringIO()
    writer = csv.writer(
        text, delimiter=separator, quoting=random.choice([csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC]), lineterminator=end
    )
    writer.writerows([["case", "activity", "note"], *rows])
    document = text.getvalue().encode()
    found = _relabelled(document, folder, f"log.{kind}{random.choice(['', '.gz'])}", mapping, collapse)
    if isinstance(found, Outcome):
        return found
    expected = [["case", "activity", "note", ORIGINAL]]
    for (case, old, note), dropped in zip(rows, _dropped(rows, mapping, collapse), strict=True):
        if not dropped:
            new = mapping.get(old, old)
            expected.append([case, new, note, "" if new == old else old])
    cells = list(csv.reader(io.StringIO(found.decode(), newline=""), delimiter=separator))
    return _same(cells == expected, f"{mapping}, collapse={collapse}: more than labels differ")


def _parquet(random: Random, folder: Path) -> Outcome:
    traces = _traces(random, names=False)
    mapping, collapse = _mapping(random, traces), random.random() < 0.3
    rows = [
        [name or "", label, random.choice([None, random.random(), float("inf")])] for name, labels in traces for label in labels
    ]
    frame = pl.DataFrame(rows, schema={"case": pl.String, "activity": pl.String, "cost": pl.Float64}, orient="row")
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    found = _relabelled(buffer.getvalue(), folder, "log.parquet", mapping, collapse)
    if isinstance(found, Outcome):
        return found
    after = pl.read_parquet(folder / "new.parquet")
    kept = frame.filter([not dropped for dropped in _dropped(rows, mapping, collapse)])
    names = [mapping.get(label, label) for label in kept["activity"]]
    originals = [None if new == old else old for new, old in zip(names, kept["activity"], strict=True)]
    others = after.drop(["activity", ORIGINAL], strict=False).equals(kept.drop("activity"))
    labels = after["activity"].to_list() == names
    noted = (after[ORIGINAL].to_list() if ORIGINAL in after.columns else [None] * len(after)) == originals
    return _same(others and labels and noted, f"{mapping}, collapse={collapse}: more than labels differ")


def _relabelled(document: bytes, folder: Path, name: str, mapping: Mapping[str, str], collapse: bool) -> bytes | Outcome:
    """Relabel a document through files, and return the new one, or what went wrong."""
    before, after = folder / name, folder / f"new.{name.partition('.')[2]}"
    for path in folder.iterdir():
        path.unlink()
    packed = name.endswith(".gz")
    before.write_bytes(gzip.compress(document, 1) if packed else document)
    try:
        relabel_file(before, mapping, after, collapse=collapse)
    except ActalikeError as error:
        return Outcome(
            "wrong", f"relabel {name} by {mapping}, files.PIECE = {files.PIECE}: refused although it is sound: {error}"
        )
    except Exception as error:
        return Outcome("wrong", f"relabel {name} by {mapping}, files.PIECE = {files.PIECE}: {error!r}")
    content = after.read_bytes()
    return gzip.decompress(content) if packed else content


def _same(equal: bool, detail: str) -> Outcome:
    return Outcome("same") if equal else Outcome("wrong", f"{detail} (files.PIECE = {files.PIECE})")


def _traces(random: Random, names: bool) -> Traces:
    """Return a few traces with few labels; without ``names`` all have a name of their own and at least one event."""
    labels = ["a", "b", "c", *(random_text(random) for _ in range(3))]
    if not names:  # a CSV has no line breaks of its own and no missing labels here: those are attacked as files, not relabelled
        labels = [label for label in labels if label.strip()]
    traces: Traces = []
    for i in range(random.randrange(1, 5)):
        name = random.choice([None, f"{i + 1}", random_text(random)]) if names else f"case {i}"
        traces.append((name, [random.choice(labels) for _ in range(random.randrange(0 if names and i else 1, 6))]))
    return traces


def _mapping(random: Random, traces: Traces) -> dict[str, str]:
    """Return new names for some labels, which none that is renamed has; now and then for none."""
    labels = sorted({label for _, labels in traces for label in labels})
    chosen = random.sample(labels, random.randrange(len(labels) + 1))
    if random.random() < 0.1:
        return {label: label for label in chosen}
    new = [name for name in ("new", "a", "b", "<b>&'\"", "x,y;z", random_text(random)) if name.strip() and name not in chosen]
    return {label: random.choice(new) for label in chosen} if new else {}


def _changes(mapping: Mapping[str, str]) -> bool:
    return any(old != new for old, new in mapping.items())


def _dropped(rows: list[list[object]], mapping: Mapping[str, str], collapse: bool) -> list[bool]:
    """Return for each row whether it repeats the row before it in its case only because of the renaming."""
    dropped = []
    before: dict[object, object] = {}
    for case, label, _ in rows:
        last = before.get(case, label)
        new = mapping.get(str(label), str(label))
        dropped.append(collapse and last != label and mapping.get(str(last), str(last)) == new)
        before[case] = label
    return dropped
