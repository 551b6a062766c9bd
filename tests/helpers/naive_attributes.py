"""Attributes of events, naively: rows of dictionaries, written in every format and read by the definition."""

import io
from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

from hypothesis import strategies as st

from actalike import EventLog
from tests.helpers.xes_documents import xml_text

NAMES = ("case", "activity", "timestamp", "lifecycle:transition", "org:resource", "amount")

rows = st.lists(
    st.fixed_dictionaries(
        {
            "case": st.sampled_from("12"),
            "activity": st.sampled_from("ab"),
            "timestamp": st.integers(0, 5).map(lambda day: f"2024-01-0{day + 1}T00:00:00+00:00"),
            "lifecycle:transition": st.sampled_from(["start", "complete"]),
            "org:resource": st.none() | xml_text,
            "amount": st.none() | st.integers(-(2**60), 2**60),
        }
    ),
    min_size=1,
    max_size=12,
)


def read_naively(events: Sequence[dict[str, Any]], lifecycle: str, order: str) -> list[tuple[Any, ...]]:
    """The case, label, resource and amount (as text) of each event that is kept, case by case, in order."""
    kept = [event for event in events if lifecycle != "complete" or event["lifecycle:transition"] == "complete"]
    if order == "time":
        kept = sorted(kept, key=lambda event: event["timestamp"])
    return [
        (
            case,
            event["activity"] + (f"+{event['lifecycle:transition']}" if lifecycle == "append" else ""),
            event["org:resource"],
            None if event["amount"] is None else str(event["amount"]),
        )
        for case in dict.fromkeys(event["case"] for event in events)
        for event in kept
        if event["case"] == case
    ]


def as_rows(log: EventLog) -> list[tuple[Any, ...]]:
    """The same of a log that was read with both attributes."""
    cases = [case for case, length in zip(log.case_ids, log.lengths, strict=True) for _ in range(length)]
    labels = [label for trace in log.traces() for label in trace]
    return list(zip(cases, labels, log.attributes["org:resource"].texts(), log.attributes["amount"].texts(), strict=True))


def to_columns(events: Sequence[dict[str, Any]]) -> dict[str, list[Any]]:
    return {name: [event[name] for event in events] for name in NAMES}


def to_csv(events: Sequence[dict[str, Any]]) -> bytes:
    """Every cell in quotes, except those without a value."""

    def cell(value: Any) -> str:
        return "" if value is None else '"' + str(value).replace('"', '""') + '"'

    lines = [NAMES, *([event[name] for name in NAMES] for event in events)]
    return "".join(",".join(map(cell, line)) + "\n" for line in lines).encode()


def to_xes(events: Sequence[dict[str, Any]]) -> bytes:
    kinds = {"timestamp": "date", "amount": "int"}
    keys = {"activity": "concept:name", "timestamp": "time:timestamp"}

    def tag(name: str, value: Any) -> str:
        escaped = quoteattr(str(value), {"\t": "&#9;", "\n": "&#10;", "\r": "&#13;"})
        return f'<{kinds.get(name, "string")} key="{keys.get(name, name)}" value={escaped}/>'

    parts = []
    for case in dict.fromkeys(event["case"] for event in events):
        own = [event for event in events if event["case"] == case]
        body = "".join(
            f"<event>{''.join(tag(name, event[name]) for name in NAMES[1:] if event[name] is not None)}</event>" for event in own
        )
        parts.append(f'<trace><string key="concept:name" value="{case}"/>{body}</trace>')
    return f"<log>{''.join(parts)}</log>".encode()


def values_of_events(document: bytes) -> list[dict[str, list[str]]]:
    """For each event of an XES document, its attributes by ElementTree: all values of each key that has one."""
    root = ElementTree.parse(io.BytesIO(document)).getroot()
    found = []
    for event in (event for trace in root if _is(trace, "trace") for event in trace if _is(event, "event")):
        values: dict[str, list[str]] = {}
        for child in event:
            if child.get("value") is not None:
                values.setdefault(child.get("key", ""), []).append(child.get("value", ""))
        found.append(values)
    return found


def values_of_traces(document: bytes) -> list[tuple[int, dict[str, list[str]]]]:
    """For each trace of an XES document, its number of events and its attributes by ElementTree: all values of each key."""
    found = []
    for trace in (trace for trace in ElementTree.parse(io.BytesIO(document)).getroot() if _is(trace, "trace")):
        values: dict[str, list[str]] = {}
        for child in trace:
            if child.get("value") is not None:
                values.setdefault(child.get("key", ""), []).append(child.get("value", ""))
        found.append((sum(_is(child, "event") for child in trace), values))
    return found


def _is(element: ElementTree.Element, name: str) -> bool:
    return element.tag.rpartition("}")[2] == name
