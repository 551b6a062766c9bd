"""Which files are logs, told by the endings of their names: the one list of them."""

from pathlib import Path

from actalike.errors import LogError

ENDINGS = {  # kind to endings; CSV may be separated by tabs, and compressed files are read as they are
    "xes": (".xes", ".xes.gz"),
    "csv": (".csv", ".csv.gz", ".tsv", ".tsv.gz"),
    "parquet": (".parquet",),
}
LOG_ENDINGS = tuple(ending for endings in ENDINGS.values() for ending in endings)


SPREADSHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers")


def log_kind(path: str | Path) -> str | None:
    """Return the kind of a log, ``xes``, ``csv`` or ``parquet``, by its name; None for any other file.

    >>> log_kind("orders.XES.gz"), log_kind("orders.tsv"), log_kind("orders.txt")
    ('xes', 'csv', None)
    """
    name = Path(path).name.lower()
    return next((kind for kind, endings in ENDINGS.items() if name.endswith(endings)), None)


def refuse_spreadsheet(path: str | Path) -> None:
    """Raise an error if a file is a spreadsheet, by its name."""
    if Path(path).name.lower().endswith(SPREADSHEETS):
        raise LogError(f"{path} is a spreadsheet: save the sheet with the events as CSV, and give that file. Nothing was read.")


def is_log(path: str | Path) -> bool:
    """Return whether a file is a log, by its name."""
    return log_kind(path) is not None


def stem_of(path: str | Path) -> str:
    """Return a file's name without the ending that makes it a log; the whole name of any other file.

    >>> stem_of("logs/orders.2024.xes.gz"), stem_of("notes.txt")
    ('orders.2024', 'notes.txt')
    """
    name = Path(path).name
    lengths = [len(ending) for ending in LOG_ENDINGS if name.lower().endswith(ending)]
    return name[: -max(lengths)] if lengths else name
