"""relabel_file: a log's file under simpler names, with everything else that is in it."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from actalike.errors import LogError
from actalike.io import DEFAULT_MAX_BYTES, ENDINGS, Order, Progress, check_options, kind_of
from actalike.labels.groups import Group
from actalike.labels.relabelling.delimited import relabel_csv
from actalike.labels.relabelling.logs import as_mapping
from actalike.labels.relabelling.parquet import relabel_parquet
from actalike.labels.relabelling.plan import Relabelled
from actalike.labels.relabelling.xes import relabel_xes


def relabel_file(
    source: str | Path,
    mapping: Mapping[str, str] | Iterable[Group],
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
    """Write a log's file anew with the activities called as the mapping says, and everything else as it is.

    ``source`` is read twice, as by :func:`actalike.read_log` with the same options: first to see that it is whole and has every
    label of the mapping, then to copy it. ``output`` is of the same kind (.gz or not), and written whole or not at all.

    The label of an event that is renamed is kept in the attribute, or column, ``actalike:original``; if there is one from an
    earlier relabelling, it stays. Other events do not get it: in columns, theirs is missing. ``collapse`` leaves out events
    that have come to repeat the one before, as :func:`actalike.relabel` does.

    >>> import tempfile
    >>> from actalike import EventLog, read_log, write_log
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_log(EventLog.from_traces([["Check", "Pay"], ["Verify", "Pay"]]), f"{folder}/log.xes")
    ...     done = relabel_file(f"{folder}/log.xes", {"Verify": "Check"}, f"{folder}/simpler.xes.gz")
    ...     read_log(f"{folder}/simpler.xes.gz").traces(), done.renamed
    ([['Check', 'Pay'], ['Check', 'Pay']], 1)
    """
    source, output = Path(source), Path(output)
    check_options("ignore", order)
    kind = kind_of(source, separator, encoding, timestamp_format)
    _check_output(source, output, kind)
    names = {"case": case, "activity": activity, "timestamp": timestamp, "transition": None}
    found = as_mapping(mapping)
    if kind == "xes":
        return relabel_xes(source, output, found, collapse, names, order or "file", max_bytes, progress)
    if kind == "csv":
        return relabel_csv(
            source, output, found, collapse, names, order, separator, encoding, timestamp_format, max_bytes, progress
        )
    return relabel_parquet(source, output, found, collapse, names, order, timestamp_format, max_bytes)


def _check_output(source: Path, output: Path, kind: str) -> None:
    wanted = source.name.lower().removesuffix(".gz").rpartition(".")[2]
    if not output.name.lower().endswith(tuple(ending for ending in ENDINGS[kind] if ending.startswith(f".{wanted}"))):
        raise LogError(
            f"{output} would be of another kind than {source}, and relabelling keeps the kind: name it "
            f"{output.name.partition('.')[0]}.{wanted}. (actalike.write_log writes any kind, but only cases, labels and times.)"
        )
    if output.exists() and source.exists() and output.samefile(source):
        raise LogError(f"{output} is the log itself, which stays as it is: choose another name for the output.")
