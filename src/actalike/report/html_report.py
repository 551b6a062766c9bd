"""The report: one page that shows which activities of a log act alike, in a single file that needs nothing else.

A log is untrusted: its labels stand in the page as JSON only, and the page puts them into the document as text. Its policy
allows the page's own script and style, by their hashes, and no request whatsoever.
"""

import base64
import hashlib
import html
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

from actalike.errors import ActalikeError
from actalike.groups import DEFAULT_BOLDNESS
from actalike.log import EventLog
from actalike.report.report_data import Progress, report_data
from actalike.storage import write_atomically

SCRIPTS = (  # in this order, as one script
    "data.js",
    "dom.js",
    "state.js",
    "words.js",
    "chart.js",
    "answer.js",
    "proposals.js",
    "layers.js",
    "flow.js",
    "view.js",
    "map.js",
    "matrix.js",
    "positions.js",
    "frequencies.js",
    "panel.js",
    "search.js",
    "main.js",
)


class WrittenReport(NamedTuple):
    """What was written: where, how much, and about what."""

    path: Path
    bytes: int
    activities: int
    proposals: int


def write_report(
    log: EventLog, path: str | Path, method: str | None = None, title: str = "Event log", done: Progress = lambda step: None
) -> WrittenReport:
    """Write the report of a log as one HTML file; the same log, method and title give the same bytes.

    ``title`` is what the page calls the log; ``done`` is told each step that is done, of which there are 6.

    >>> import tempfile
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"]] * 20)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = write_report(log, f"{folder}/report.html")
    >>> report.activities, report.bytes < 5_000_000
    (4, True)
    """
    if not isinstance(log, EventLog):
        raise ActalikeError(f"A report is about an EventLog, not {type(log).__name__}: use actalike.read_log(...) first.")
    data = report_data(log, method, done)
    content = page({"title": title, **data}, title).encode()
    write_atomically(path, lambda part: part.write_bytes(content))
    return WrittenReport(Path(path), len(content), len(log.activities), _proposed(data))


def _proposed(data: dict[str, Any]) -> int:
    """How many groups the page proposes at first."""
    return sum(group["boldness"] <= DEFAULT_BOLDNESS for group in data["groups"])


def page(data: dict[str, Any], title: str) -> str:
    """The page that shows some data."""
    style, script = _asset("page.css"), _script()
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; base-uri 'none'; form-action 'none'"
    )
    parts = {
        "title": html.escape(title),
        "policy": html.escape(policy, quote=True),
        "style": style,
        "data": as_json(data),
        "script": script,
    }
    # in one go: what is put in is not looked at again, whatever it contains
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], _asset("page.html"))


def as_json(data: Any) -> str:
    """JSON that can stand in a script element: nothing in it can end the element, or begin anything.

    >>> as_json({"label": "</script>&"})
    '{"label":"\\\\u003c/script\\\\u003e\\\\u0026"}'
    """
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _hash(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


@cache
def _script() -> str:
    """All scripts as one, in a scope of its own."""
    return '"use strict";\n(() => {\n' + "\n".join(_asset(name) for name in SCRIPTS) + "})();\n"


@cache
def _asset(name: str) -> str:
    return (files("actalike") / "report" / "page" / name).read_text(encoding="utf-8")
