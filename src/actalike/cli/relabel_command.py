"""Put together the command that relabels a log, with the options that it was read with."""

import os
from pathlib import Path

from actalike.cli.reading_options import LifecycleChoice, ReadingOptions
from actalike.cli.shell import command_line
from actalike.io import KINDS, log_kind, stem_of
from actalike.report.decision_data import Relabelling

NO_APPENDED = "relabel renames the labels in the file, so to use these names there, read the log without --lifecycle append."

NO_EXCEL = "relabel renames the labels in the file, and a sheet of Excel cannot be copied so: save it as CSV, and relabel that."

NO_COPY = (
    "relabel renames the labels in the file, and files of {} cannot be copied so: in Python, "
    "actalike.write_log(actalike.relabel(log, mapping), 'relabelled.xes') writes the cases as they were read."
)

NO_ENGINE = "look through the file, and join it to the events where they are, by the label."

# the reading options that relabel has too; it keeps every transition
_RELABEL_OPTIONS = (
    "--case",
    "--activity",
    "--timestamp",
    "--order",
    "--separator",
    "--encoding",
    "--timestamp-format",
    "--skip",
    "--skip-last",
    "--max-bytes",
    "--cases",
    "--missing",
)


def page_relabelling(log: Path, reading: ReadingOptions) -> Relabelling:
    """Return what the page of a log says about relabelling it: the command, or why there is none."""
    command = relabel_command(log, Path("decisions.json"), relabelled_place(log, reading), reading)
    return Relabelling(why_no_relabelling(log, reading)) if command is None else Relabelling("", command)


def why_no_relabelling(log: Path, reading: ReadingOptions) -> str:
    """Return why there is no command that relabels a log in its file; nothing if there is one.

    >>> why_no_relabelling(Path("orders.csv"), ReadingOptions())
    ''
    >>> why_no_relabelling(Path("orders.csv"), ReadingOptions(lifecycle=LifecycleChoice.append)) == NO_APPENDED
    True
    """
    if getattr(reading, "engine", None) is not None or log.suffix == ".actalike":
        return NO_ENGINE
    if reading.lifecycle == LifecycleChoice.append:
        return NO_APPENDED
    logs = (log, *(reading.also or ()))
    kinds = [KINDS[kind] for kind in map(log_kind, logs) if kind is not None]
    other = next((kind for kind in kinds if not kind.is_relabelled), None)
    if other is None:
        return "" if reading.object_type is None else NO_COPY.format(KINDS["ocel-json"].words)
    return NO_EXCEL if "sheet" in other.options else NO_COPY.format(other.words)


def relabel_command(log: Path, names: Path, output: Path, reading: ReadingOptions) -> str | None:
    """Return the command that relabels a log by a mapping or decisions; None if the file cannot be relabelled so.

    >>> reading = ReadingOptions(case="Order Id", quiet=True)
    >>> relabel_command(Path("my orders.csv"), Path("decisions.json"), Path("simpler.csv"), reading)
    "actalike relabel 'my orders.csv' decisions.json -o simpler.csv '--case=Order Id'"
    """
    if why_no_relabelling(log, reading):
        return None
    given = [option for option in reading.changed() if option in _RELABEL_OPTIONS]
    options = {option: getattr(reading, option.removeprefix("--").replace("-", "_")) for option in given}
    further = [word for path in reading.also or () for word in ("--also", path)]
    return command_line("relabel", log, names, *further, "-o", output, options=options)


def relabelled_place(log: Path, reading: ReadingOptions) -> Path:
    """Return where the relabelled log goes: into the current folder, or beside the folder that is read if that is around it.

    >>> str(relabelled_place(Path("logs", "my orders.csv.gz"), ReadingOptions()))
    'my orders-relabelled.csv.gz'
    """
    here = Path(os.path.realpath("."))
    folders = [Path(os.path.realpath(source)) for source in (log, *(reading.also or ())) if source.is_dir()]
    around = [folder for folder in folders if folder in (here, *here.parents)]
    place = Path(os.path.relpath(min(around, key=lambda folder: len(folder.parts)).parent)) if around else Path()
    named = Path(os.path.realpath(log)) if log.name in ("", "..") else log  # "." has no name
    name = named.name if log.is_dir() else stem_of(named)
    return place / f"{name}-relabelled{relabelled_ending(log, reading)}"


def relabelled_ending(log: Path, reading: ReadingOptions) -> str:
    """Return how the name of the relabelled log ends: as that of the log, and with nothing if it is a folder."""
    return "" if reading.takes_several(log) else log.name[len(stem_of(log)) :]
