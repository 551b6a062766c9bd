"""Which files are logs, told by the endings of their names: the one list of them."""

from pathlib import Path

from actalike.errors import LogError

ENDINGS = {  # kind to endings; CSV may be separated by tabs, and compressed files are read as they are
    "xes": (".xes", ".xes.gz"),
    "csv": (".csv", ".csv.gz", ".tsv", ".tsv.gz"),
    "parquet": (".parquet",),
    "ocel-json": (".jsonocel", ".jsonocel.gz"),
    "ocel-xml": (".xmlocel", ".xmlocel.gz"),
    "ocel-sqlite": (".sqlite",),
}
_IF_NAMED = {  # a file that is named is taken for a log; in a folder, a file with such an ending may be anything
    "ocel-json": (".json", ".json.gz"),
    "ocel-xml": (".xml", ".xml.gz"),
}
OBJECT_CENTRIC = ("ocel-json", "ocel-xml", "ocel-sqlite")
LOG_ENDINGS = tuple(ending for endings in ENDINGS.values() for ending in endings)


SPREADSHEETS = (".xlsx", ".xlsm", ".xlsb", ".xls", ".ods", ".numbers")


def log_kind(path: str | Path) -> str | None:
    """Return the kind of a log, ``xes``, ``csv``, ``parquet`` or one of ``OBJECT_CENTRIC``, by its name; None for other files.

    >>> log_kind("orders.XES.gz"), log_kind("orders.tsv"), log_kind("orders.json"), log_kind("orders.txt")
    ('xes', 'csv', 'ocel-json', None)
    """
    name = Path(path).name.lower()
    kinds = (*ENDINGS.items(), *_IF_NAMED.items())
    return next((kind for kind, endings in kinds if name.endswith(endings)), None)


def refuse_spreadsheet(path: str | Path) -> None:
    """Raise an error if a file is a spreadsheet, by its name."""
    if Path(path).name.lower().endswith(SPREADSHEETS):
        raise LogError(f"{path} is a spreadsheet: save the sheet with the events as CSV, and give that file. Nothing was read.")


def is_log(path: str | Path) -> bool:
    """Return whether a file is a log, by its name alone: one that lies in a folder, and that nobody has named.

    >>> is_log("orders.jsonocel"), is_log("settings.json")
    (True, False)
    """
    return Path(path).name.lower().endswith(LOG_ENDINGS)


def is_object_centric(path: str | Path) -> bool:
    """Return whether a file is an object-centric log (OCEL 2.0), by its name."""
    return log_kind(path) in OBJECT_CENTRIC


def stem_of(path: str | Path) -> str:
    """Return a file's name without the ending that makes it a log; the whole name of any other file.

    >>> stem_of("logs/orders.2024.xes.gz"), stem_of("notes.txt")
    ('orders.2024', 'notes.txt')
    """
    name = Path(path).name
    endings = (*LOG_ENDINGS, *(ending for endings in _IF_NAMED.values() for ending in endings))
    lengths = [len(ending) for ending in endings if name.lower().endswith(ending)]
    return name[: -max(lengths)] if lengths else name
