"""Relabel the file of a log: rename its activities and copy everything else that is in it."""

from collections.abc import Iterable
from pathlib import Path

from actalike.errors import LogError
from actalike.io import (
    DEFAULT_MAX_BYTES,
    KINDS,
    Missing,
    Order,
    Progress,
    ReadOptions,
    TimestampFormat,
    kind_of,
    log_kind,
)
from actalike.labels.relabelling.delimited import relabel_csv
from actalike.labels.relabelling.logs import Names, as_mapping
from actalike.labels.relabelling.parquet import relabel_parquet
from actalike.labels.relabelling.plan import Relabelled
from actalike.labels.relabelling.xes import relabel_xes
from actalike.support.files import same_file
from actalike.support.progress import reading_tracked


@reading_tracked("relabelling", passes=2)
def relabel_file(
    source: str | Path,
    mapping: Names,
    output: str | Path,
    *,
    collapse: bool = False,
    case: str | None = None,
    activity: str | None = None,
    timestamp: str | None = None,
    order: Order | None = None,
    separator: str | None = None,
    encoding: str | None = None,
    timestamp_format: TimestampFormat = None,
    skip: int = 0,
    skip_last: int = 0,
    max_bytes: int = DEFAULT_MAX_BYTES,
    progress: Progress | None = None,
    missing: Missing = "error",
) -> Relabelled:
    """Copy the file of a log with the activities renamed as the mapping says, and everything else unchanged.

    ``source`` is read twice, as :func:`actalike.read_log` does with the same options: first to check that it is complete and has
    every label of the mapping, then to copy it. ``output`` has the same file kind (compressed or not). It is written completely
    or not at all.

    A renamed event keeps its old label in the attribute or column ``actalike:original``. If it has one from an earlier
    relabelling, that one stays. For other events the attribute or value is missing. ``collapse`` leaves out events that repeat
    the one before them only because of the renaming, as :func:`actalike.relabel` does.

    With ``missing="skip"`` or ``"label"``, events that lack a case or an activity are no error: they are copied as they are. With
    ``"label"``, a new name for "(no activity)" in the mapping changes nothing, as these events have no label.

    A Parquet file keeps its notes, types and groups of rows, so pandas reads it with the same index and attrs, and pyarrow with
    the same metadata; this needs pyarrow. Labels that were not strings become strings, categories of labels lose their rank, and
    if ``collapse`` leaves out rows, an index of pandas that only numbers the rows numbers them anew.

    >>> import tempfile
    >>> from actalike import EventLog, read_log, write_log
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_log(EventLog.from_traces([["Check", "Pay"], ["Verify", "Pay"]]), f"{folder}/log.xes")
    ...     result = relabel_file(f"{folder}/log.xes", {"Verify": "Check"}, f"{folder}/simpler.xes.gz")
    ...     read_log(f"{folder}/simpler.xes.gz").traces(), result.renamed
    ([['Check', 'Pay'], ['Check', 'Pay']], 1)
    """
    source, output = Path(source), Path(output)
    options = ReadOptions(
        case=case,
        activity=activity,
        timestamp=timestamp,
        order=order,
        separator=separator,
        encoding=encoding,
        timestamp_format=timestamp_format,
        skip=skip,
        skip_last=skip_last,
        max_bytes=max_bytes,
        progress=progress,
        missing=missing,
    )
    kind = kind_of(source, options)
    refuse_other_kinds([source])
    _check_output(source, output, kind)
    relabel = {"xes": relabel_xes, "csv": relabel_csv, "parquet": relabel_parquet}[kind]
    return relabel(source, output, as_mapping(mapping), collapse, options)


def refuse_other_kinds(paths: Iterable[Path]) -> None:
    """Raise an error for a file of a kind that cannot be copied with other labels."""
    for path in paths:
        kind = KINDS.get(log_kind(path) or "")
        if kind is not None and not kind.is_relabelled:
            sheet = "save the sheet as CSV and relabel that, or " if "sheet" in kind.options else ""
            objects = " with object_type=..." if "object_type" in kind.options else ""
            raise LogError(
                f"{path}: files of {kind.words} cannot be copied with other labels: {sheet}read it{objects}, and write "
                "actalike.relabel(log, mapping) with actalike.write_log as .xes. Nothing was written."
            )


def _check_output(source: Path, output: Path, kind: str) -> None:
    """Raise an error if the output has another file kind than the source, or is the source itself."""
    ending = source.name.lower().removesuffix(".gz").rpartition(".")[2]
    if not output.name.lower().endswith(tuple(known for known in KINDS[kind].endings if known.startswith(f".{ending}"))):
        raise LogError(
            f"{output} would be of another kind than {source}, and relabelling keeps the kind: name it "
            f"{output.name.partition('.')[0]}.{ending}. (actalike.write_log writes any kind, but only what an EventLog holds.)"
        )
    if same_file(output, [source]):
        raise LogError(f"{output} is the log itself, which must stay as it is: choose another name for the output.")
