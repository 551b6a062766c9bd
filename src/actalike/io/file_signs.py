"""Recognise files that are no logs by their first bytes, to say what to do with them."""

from pathlib import Path

from actalike.errors import LogError
from actalike.io.file_kinds import LOG_ENDINGS, log_kind, refuse_spreadsheet
from actalike.io.source import refuse_irregular
from actalike.support.places import cannot_read

_SQLITE = b"SQLite format 3"
_SIGNS = {  # the first bytes, what they are, and what to do
    b"%PDF": ("a PDF", "export the events as CSV from where it was made"),
    b"PK\x03\x04": ("a zip file, which a spreadsheet (.xlsx) is too", "unpack it, or save the sheet with the events as CSV"),
    b"\xd0\xcf\x11\xe0": ("an old spreadsheet or document of Office", "save the sheet with the events as CSV"),
    b"7z\xbc\xaf": ("a 7z archive", "unpack it"),
    _SQLITE: (
        "a SQLite database",
        "if it is an object-centric log, rename it to end in .sqlite, otherwise export the table with the events as CSV",
    ),
    b"\x28\xb5\x2f\xfd": ("packed by zstd", "unpack it, or pack it with gzip"),
    b"BZh": ("packed by bzip2", "unpack it, or pack it with gzip"),
    b"\xfd7zXZ": ("packed by xz", "unpack it, or pack it with gzip"),
}
_NAMED_SO = {
    b"PAR1": ".parquet",
    b"<?xml": ".xes",
    b"<log": ".xes",
    b"\x1f\x8b": ".xes.gz or .csv.gz",
}


def refuse_foreign(path: Path) -> None:
    """Raise an error for a file that is no log by its first bytes or its name, with what to do about it."""
    refuse_spreadsheet(path)
    refuse_irregular(path)
    try:
        with path.open("rb") as file:
            first = file.read(16)
    except OSError as error:
        raise LogError(cannot_read(path, error)) from None
    for sign, (what, remedy) in _SIGNS.items():
        if first.startswith(sign) and not (sign == _SQLITE and log_kind(path) == "ocel-sqlite"):
            raise LogError(f"{path} is {what}, by its first bytes: {remedy}, and look at that file. Nothing was read.")
    if log_kind(path) is None:
        ending = next((ending for sign, ending in _NAMED_SO.items() if first.startswith(sign)), ".csv, if it is a table of texts")
        raise LogError(
            f"{path}: the kind of log is told by the name, which must end in {', '.join(LOG_ENDINGS)}. By its first bytes, "
            f"rename it to end in {ending}. Nothing was read."
        )
