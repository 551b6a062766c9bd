"""Write an event log as XES, CSV or Parquet: ``write_log``."""

import gzip
import io
import re
from pathlib import Path

import numpy as np
import polars as pl

from actalike.errors import LogError
from actalike.log import EventLog, check_characters
from actalike.support.atomic_files import write_atomically

# characters that XML 1.0 cannot contain, not even as references
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})
_HEADER = """<?xml version="1.0" encoding="UTF-8"?>
<log xes.version="1.0" xmlns="http://www.xes-standard.org/">
  <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
  <extension name="Time" prefix="time" uri="http://www.xes-standard.org/time.xesext"/>
"""


def write_log(log: EventLog, path: str | Path) -> None:
    """Write the case, activity and timestamp of every event to a file.

    Its name must end in ``.xes``, ``.xes.gz``, ``.csv``, ``.csv.gz`` or ``.parquet``, which tells the format.

    The same log gives the same bytes. Reading the file with ``order="file"`` gives the same log again; by default
    :func:`read_log` sorts columns by timestamp.

    >>> import tempfile
    >>> from actalike import read_log
    >>> log = EventLog.from_traces([["Check", "Pay"], ["Pay"]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_log(log, f"{folder}/log.xes.gz")
    ...     read_log(f"{folder}/log.xes.gz") == log
    True
    """
    name = Path(path).name.lower()
    if name.endswith((".xes", ".xes.gz")):
        content = _to_xes(log)
    elif name.endswith((".csv", ".csv.gz")):
        content = _to_frame(log).write_csv(datetime_format="%Y-%m-%dT%H:%M:%S%.6f+00:00").encode()
    elif name.endswith(".parquet"):
        buffer = io.BytesIO()
        _to_frame(log).write_parquet(buffer)
        content = buffer.getvalue()
    else:
        raise LogError(f"{path}: the kind of file is told by the name, which must end in .xes, .xes.gz, .csv, .csv.gz, .parquet.")
    if name.endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    write_atomically(path, lambda part: part.write_bytes(content))


def _to_frame(log: EventLog) -> pl.DataFrame:
    repeated = len(set(log.case_ids)) < len(log.case_ids)
    if repeated or (log.lengths == 0).any():
        fault = "two cases with the same id" if repeated else "a case without events"
        raise LogError(f"The log has {fault}, which CSV and Parquet cannot represent: write it as .xes.")
    check_characters([*log.case_ids, *log.activities])
    columns = {
        "case:concept:name": pl.Series(log.case_ids, dtype=pl.String).gather(np.repeat(np.arange(log.n_cases), log.lengths)),
        "concept:name": pl.Series(log.activities, dtype=pl.String).gather(log.codes),
    }
    if log.timestamps is not None:
        columns["time:timestamp"] = pl.Series(log.timestamps).dt.replace_time_zone("UTC")
    return pl.DataFrame(columns)


def _to_xes(log: EventLog) -> bytes:
    names = [f'    <event>\n      <string key="concept:name" value="{escape(label)}"/>\n' for label in log.activities]
    if log.timestamps is None:
        times = [""] * log.n_events
    else:
        texts = np.datetime_as_string(log.timestamps, unit="us").tolist()
        times = ["" if t == "NaT" else f'      <date key="time:timestamp" value="{t}+00:00"/>\n' for t in texts]
    parts = [_HEADER]
    codes, bounds = log.codes.tolist(), log.offsets.tolist()
    for case_id, start, end in zip(log.case_ids, bounds, bounds[1:], strict=False):
        parts.append(f'  <trace>\n    <string key="concept:name" value="{escape(case_id)}"/>\n')
        parts.extend(f"{names[codes[i]]}{times[i]}    </event>\n" for i in range(start, end))
        parts.append("  </trace>\n")
    parts.append("</log>\n")
    return "".join(parts).encode()


def escape(text: str) -> str:
    """Escape a text for an XML attribute in double quotes."""
    if _NOT_IN_XML.search(text):
        raise LogError(f"{text!r} contains a character that XML cannot hold: write the log as .csv or .parquet.")
    return text.translate(_ESCAPES)
