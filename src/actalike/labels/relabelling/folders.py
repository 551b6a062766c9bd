"""Relabel the files of a log that is in several: each is copied under its own name, all of them or none."""

import os
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from actalike.errors import ActalikeError, LogError
from actalike.io import SOURCE, Cases, Progress, is_log, log_files, read_log
from actalike.labels.mapping import CheckedNames, unnamed
from actalike.labels.relabelling.files import refuse_other_kinds, relabel_file
from actalike.labels.relabelling.logs import Names, as_mapping
from actalike.labels.relabelling.plan import Relabelled, changes_of
from actalike.log import EventLog
from actalike.support.files import new_folder_name, remove_leftovers, written_together


def relabel_files(
    source: Any,
    mapping: Names,
    output: str | Path,
    *,
    cases: Cases | None = None,
    progress: Progress | None = None,
    **options: Any,
) -> Relabelled:
    """Copy the files of a folder, or of a list, with the activities renamed, each under its own name into a new folder.

    The mapping is checked against the labels of all files together: a label may be missing in some of them. ``cases`` says what a
    case id in several files means, for the digest and the words about the reading; the files are copied in the same way.
    ``options`` are those of :func:`relabel_file`. The folder ``output`` is there when all of its files are complete, or not at
    all.
    """
    files = log_files(source)
    if files is None:
        raise ActalikeError(f"{source} is one file: relabel_file copies it.")
    output = Path(output)
    if is_log(output):
        raise ActalikeError(
            f"{output} would be a folder, because {files.source} is more than one file, and its name is that of a file: choose a "
            "name without such an ending. Nothing was written."
        )
    if os.path.lexists(output):
        raise ActalikeError(f"{output} exists already, and a folder is never replaced: choose another one. Nothing was written.")
    if any(Path(name).name != name for name in files.names):
        raise LogError(f"{files.source}: two files have the same name, so they cannot be in one folder. Nothing was written.")
    refuse_other_kinds(files.paths)
    log = read_log(source, cases=cases or "separate", progress=progress, **options)
    reading = log.reading
    if reading is not None and cases is None:
        reading = replace(reading, joined_cases=None)
    given = as_mapping(mapping)
    new_names = changes_of(given, log.activities, options.get("missing", "error"))
    labels = _labels_of_files(log)
    folder = output.parent / new_folder_name()
    try:
        remove_leftovers(output.parent)
        folder.mkdir()
        done = []
        with written_together():
            for path, name in zip(files.paths, files.names, strict=True):
                here = CheckedNames({label: new_names[label] for label in labels[name] if label in new_names})
                done.append(relabel_file(path, here, folder / name, **options))
        os.rename(folder, output)
    except ActalikeError as error:  # about a file of the temporary folder, of which the user knows nothing
        raise type(error)(str(error).replace(str(folder), str(output))) from None
    except OSError as error:
        raise ActalikeError(f"{output} cannot be written: {error.strerror or error}. Nothing was written.") from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Relabelled(
        events=sum(each.events for each in done),
        renamed=sum(each.renamed for each in done),
        dropped=0,
        activities=len({new_names.get(label, label) for label in log.activities}),
        activities_before=len(log.activities),
        reading=reading,
        digest=log.digest,
        unnamed=unnamed(given),
    )


def _labels_of_files(log: EventLog) -> dict[str, list[str]]:
    """Return which labels each file has."""
    source = log.attributes[SOURCE]
    labels: dict[str, list[str]] = {name: [] for name in source.values}
    for pair in np.unique(source.codes.astype(np.int64) * len(log.activities) + log.codes).tolist():
        file, label = divmod(pair, len(log.activities))
        labels[source.values[file]].append(log.activities[label])
    return labels
