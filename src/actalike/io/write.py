"""Write an event log as XES, CSV or Parquet: ``write_log``."""

import gzip
import io
import re
from pathlib import Path
from typing import Any

import numpy as np

from actalike.errors import LogError
from actalike.log import Attribute, EventLog, reject_clashes
from actalike.support.files import write_atomically
from actalike.support.progress import tracked

# characters that XML 1.0 cannot contain, not even as references
_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_PLAIN = re.compile(r"[\w:. -]+")  # names of columns that need no quotes
_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})
_HEADER = """<?xml version="1.0" encoding="UTF-8"?>
<log xes.version="1.0" xmlns="http://www.xes-standard.org/">
  <extension name="Concept" prefix="concept" uri="http://www.xes-standard.org/concept.xesext"/>
  <extension name="Time" prefix="time" uri="http://www.xes-standard.org/time.xesext"/>
"""


@tracked("writing the log")
def write_log(log: EventLog, path: str | Path) -> None:
    """Write the case, activity, timestamp and attributes of every event to a file.

    Its name must end in ``.xes``, ``.xes.gz``, ``.csv``, ``.csv.gz`` or ``.parquet``, which decides the format.

    The same log gives the same bytes. Reading the file with ``order="file"`` and the same ``attributes`` gives the same log
    again; by default :func:`read_log` sorts columns by timestamp. XES cannot hold an attribute that no event has. Second
    names of labels are written as an attribute ``second name``, which ``name="second name"`` reads again.

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
        content = _to_csv(log)
    elif name.endswith(".parquet"):
        buffer = io.BytesIO()
        _to_frame(log).write_parquet(buffer)
        content = buffer.getvalue()
    else:
        raise LogError(f"{path}: the file extension must be .xes, .xes.gz, .csv, .csv.gz or .parquet.")
    if name.endswith(".gz"):
        content = gzip.compress(content, mtime=0)
    write_atomically(path, lambda part: part.write_bytes(content))


def _to_frame(log: EventLog) -> Any:
    return log.to_frame(case="case:concept:name", activity="concept:name", timestamp="time:timestamp")


def _to_csv(log: EventLog) -> bytes:
    frame = _to_frame(log)
    # a name with odd characters is in quotes, so that the separator is seen from the others
    names = [name if _PLAIN.fullmatch(name) else '"' + name.replace('"', '""') + '"' for name in frame.columns]
    rows = frame.write_csv(include_header=False, datetime_format="%Y-%m-%dT%H:%M:%S%.6f+00:00")
    return f"{','.join(names)}\n{rows}".encode()


def _to_xes(log: EventLog) -> bytes:
    names = [f'    <event>\n      <string key="concept:name" value="{escape(label)}"/>\n' for label in log.activities]
    if log.timestamps is None:
        times = [""] * log.n_events
    else:
        texts = np.datetime_as_string(log.timestamps, unit="us").tolist()
        times = ["" if t == "NaT" else f'      <date key="time:timestamp" value="{t}+00:00"/>\n' for t in texts]
    attributes = log.attributes_with_names()
    reject_clashes(attributes, ["concept:name", "time:timestamp"])
    further = [_attribute_tags(name, attribute) for name, attribute in attributes.items()]
    tails = list(map("".join, zip(*further, strict=True))) if further else [""] * log.n_events
    parts = [_HEADER]
    codes, bounds = log.codes.tolist(), log.offsets.tolist()
    for case_id, start, end in zip(log.case_ids, bounds, bounds[1:], strict=False):
        parts.append(f'  <trace>\n    <string key="concept:name" value="{escape(case_id)}"/>\n')
        parts.extend(f"{names[codes[i]]}{times[i]}{tails[i]}    </event>\n" for i in range(start, end))
        parts.append("  </trace>\n")
    parts.append("</log>\n")
    return "".join(parts).encode()


def _attribute_tags(name: str, attribute: Attribute) -> list[str]:
    """Return the tag of an attribute for each event; an empty string if it has none."""
    tags = [f'      <string key="{escape(name)}" value="{escape(value)}"/>\n' for value in attribute.values]
    tags.append("")  # for the code -1
    return [tags[code] for code in attribute.codes.tolist()]


def escape(text: str) -> str:
    """Escape a string for an XML attribute in double quotes."""
    if _NOT_IN_XML.search(text):
        raise LogError(f"{text!r} contains a character that XML cannot hold: write the log as .csv or .parquet.")
    return text.translate(_ESCAPES)
