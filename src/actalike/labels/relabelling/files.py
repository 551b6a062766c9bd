"""Relabel the file of a log: rename its activities and copy everything else that is in it."""

from collections.abc import Iterable
from pathlib import Path

from actalike.errors import LogError
from actalike.io import DEFAULT_MAX_BYTES, ENDINGS, Order, Progress, check_options, is_object_centric, kind_of
from actalike.labels.relabelling.delimited import relabel_csv
from actalike.labels.relabelling.logs import Names, as_mapping
from actalike.labels.relabelling.parquet import relabel_parquet
from actalike.labels.relabelling.plan import Relabelled
from actalike.labels.relabelling.xes import relabel_xes
from actalike.support.places import same_file
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
    timestamp_format: str | None = None,
    max_bytes: int = DEFAULT_MAX_BYTES,
    progress: Progress | None = None,
) -> Relabelled:
    """Copy the file of a log with the activities renamed as the mapping says, and everything else unchanged.

    ``source`` is read twice, as :func:`actalike.read_log` does with the same options: first to check that it is complete and has
    every label of the mapping, then to copy it. ``output`` has the same file kind (compressed or not). It is written completely
    or not at all.

    A renamed event keeps its old label in the attribute or column ``actalike:original``. If it has one from an earlier
    relabelling, that one stays. For other events the attribute or value is missing. ``collapse`` leaves out events that repeat
    the one before them only because of the renaming, as :func:`actalike.relabel` does.

    A Parquet file keeps its notes and types, so pandas reads it with the same index and attrs, and pyarrow with the same
    metadata. Exceptions: labels that were not texts become texts, types that Polars does not have become the nearest one
    (``time32`` and ``duration[s]`` get finer units, bytes of a fixed length become bytes, ``not null`` is lost), categories are
    those that occur, in the order in which they do and without a rank, except a Polars Enum; and if ``collapse`` leaves out
    rows, an index of pandas that only numbers the rows numbers them anew.

    >>> import tempfile
    >>> from actalike import EventLog, read_log, write_log
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_log(EventLog.from_traces([["Check", "Pay"], ["Verify", "Pay"]]), f"{folder}/log.xes")
    ...     result = relabel_file(f"{folder}/log.xes", {"Verify": "Check"}, f"{folder}/simpler.xes.gz")
    ...     read_log(f"{folder}/simpler.xes.gz").traces(), result.renamed
    ([['Check', 'Pay'], ['Check', 'Pay']], 1)
    """
    source, output = Path(source), Path(output)
    check_options("ignore", order)
    kind = kind_of(source, separator, encoding, timestamp_format)
    refuse_object_centric([source])
    _check_output(source, output, kind)
    names = {"case": case, "activity": activity, "timestamp": timestamp, "transition": None}
    new_names = as_mapping(mapping)
    if kind == "xes":
        return relabel_xes(source, output, new_names, collapse, names, order or "file", max_bytes, progress)
    if kind == "csv":
        return relabel_csv(
            source, output, new_names, collapse, names, order, separator, encoding, timestamp_format, max_bytes, progress
        )
    return relabel_parquet(source, output, new_names, collapse, names, order, timestamp_format, max_bytes)


def refuse_object_centric(paths: Iterable[Path]) -> None:
    """Raise an error for an object-centric log, which cannot be copied with other labels."""
    for path in paths:
        if is_object_centric(path):
            raise LogError(
                f"{path} is an object-centric log, which cannot be copied with other labels: read its cases with "
                "object_type=..., relabel that log with actalike.relabel, and write it with actalike.write_log as "
                ".xes. Nothing was written."
            )


def _check_output(source: Path, output: Path, kind: str) -> None:
    """Raise an error if the output has another file kind than the source, or is the source itself."""
    ending = source.name.lower().removesuffix(".gz").rpartition(".")[2]
    if not output.name.lower().endswith(tuple(known for known in ENDINGS[kind] if known.startswith(f".{ending}"))):
        raise LogError(
            f"{output} would be of another kind than {source}, and relabelling keeps the kind: name it "
            f"{output.name.partition('.')[0]}.{ending}. (actalike.write_log writes any kind, but only what an EventLog holds.)"
        )
    if same_file(output, [source]):
        raise LogError(f"{output} is the log itself, which must stay as it is: choose another name for the output.")
