"""Read complete traces of plain XES without an XML parser, in a fifth of its time, and certainly well-formed.

Plain are traces without nested attributes and comments, in which every attribute is written as ``<int key="..." value="..."/>``.
Nearly all of most logs is plain. Such a piece is split at its quotes. Then every fourth part is a *gap* between two attributes,
such as ``/></event><event><string key=`` with white space. A log has few different gaps, and each is examined once.
"""

import re
from typing import Any, NamedTuple
from xml.sax.saxutils import unescape

import numpy as np
import polars as pl
from numpy.typing import NDArray

_OUTSIDE, _IN_TRACE, _IN_EVENT = range(3)
_GAP = re.compile(
    r"(\s*+/>)?+\s*+(</event>)?+\s*+(</trace>)?+\s*+(<trace>)?+\s*+(<event>)?+\s*+"
    r"(<(?:string|date|int|float|boolean|id|list|container) key=)?+",
    re.ASCII,
)
_STEPS = ((_IN_EVENT, _IN_TRACE), (_IN_TRACE, _OUTSIDE), (_OUTSIDE, _IN_TRACE), (_IN_TRACE, _IN_EVENT))  # of the groups 2 to 5
_EXCLUDED = ("\ufffe".encode(), "\uffff".encode())  # by XML, beside control characters
_FIRST_OF_EXCLUDED = _EXCLUDED[0][:1]  # of both: a single byte is searched for in a fiftieth of the time
_MOST_GAPS = 1000  # of a log; most have 10 to 50
_UNUSUAL = re.compile(rb"&(?!(?:amp|lt|gt|quot|apos);)")  # other references, and stray ampersands


class PlainTraces(NamedTuple):
    """Hold plain traces: the keys of all attributes, where each is, and the trace of each event.

    >>> traces = plain_traces(b'<trace><event><int key="a" value="12"/></event> </trace>', Gaps())
    >>> owners, values = traces.of_events("a")
    >>> owners.tolist(), values.to_list(), traces.trace_of_event.tolist()
    ([0], ['12'], [0])
    """

    keys: pl.Series
    parts: pl.Series  # of the text between its quotes: a key, ' value=', a value, and what follows
    has_references: bool  # whether values are to be read with `unescaped`
    step: NDArray[np.int64]  # for each attribute, the last gap before it in which a trace or an event begins or ends
    inside: NDArray[np.int64]  # for each such gap, what is open after it
    trace: NDArray[np.int64]  # the number of the last trace that begins in it or before
    event: NDArray[np.int64]
    trace_of_event: NDArray[np.int64]
    n_traces: int

    def event_keys(self) -> list[str]:
        """Return the distinct keys of events."""
        return self.keys.filter(pl.Series(self.inside[self.step] == _IN_EVENT)).unique(maintain_order=True).to_list()

    def of_events(self, key: str) -> tuple[NDArray[np.int64], pl.Series]:
        """Return the events with a key, and their values."""
        return self._values(key, _IN_EVENT, self.event)

    def of_traces(self, key: str) -> tuple[NDArray[np.int64], pl.Series]:
        """Return the traces with a key, and their values."""
        return self._values(key, _IN_TRACE, self.trace)

    def _values(self, key: str, inside: int, owners: NDArray[np.int64]) -> tuple[NDArray[np.int64], pl.Series]:
        places = np.flatnonzero((self.keys == key).to_numpy())
        steps = self.step[places]
        wanted = self.inside[steps] == inside
        return owners[steps[wanted]], self.parts.gather(places[wanted] * 4 + 3)


def plain_traces(text: bytes, gaps: "Gaps") -> PlainTraces | None:
    """Return the traces of a piece from ``<trace>`` to ``</trace>``; None unless all of it is plain.

    >>> plain_traces(b'<trace><event><int key="a" value="12/></event></trace>', Gaps()) is None
    True
    """
    try:
        parts = pl.Series([text.decode()]).str.split('"').explode()
    except UnicodeDecodeError:
        return None
    if len(parts) % 4 != 1 or not (parts.gather_every(4, 2) == " value=").all():
        return None
    gap = gaps.numbers(parts.gather_every(4))
    if gap is None:
        return None
    facts = gaps.facts
    counts = np.bincount(gap, minlength=len(facts.tags))
    if facts.ends[gap[0]] or facts.begins[gap[-1]] or counts @ (1 - facts.ends) != 1 or counts @ (1 - facts.begins) != 1:
        return None
    is_step = facts.after[gap] >= 0
    steps = gap[is_step]
    before, inside = facts.before[steps], facts.after[steps]
    if before[0] != _OUTSIDE or inside[-1] != _OUTSIDE or (before[1:] != inside[:-1]).any():
        return None
    octets = np.frombuffer(text, dtype=np.uint8)
    if np.count_nonzero(octets == ord("<")) != counts @ facts.tags or np.count_nonzero(octets < ord(" ")) != counts @ facts.white:
        return None  # XML excludes some of them from keys and values, and reads the others as spaces
    keys, has_references = parts.gather_every(4, 1), b"&" in text
    if has_references and (_UNUSUAL.search(text) or keys.unique().str.contains("&", literal=True).any()):
        return None
    if _FIRST_OF_EXCLUDED in text and any(character in text for character in _EXCLUDED):
        return None
    trace, events = np.cumsum(facts.traces[steps]) - 1, facts.events[steps]
    step = np.cumsum(is_step[:-1]) - 1
    return PlainTraces(
        keys, parts, has_references, step, inside, trace, np.cumsum(events) - 1, trace[events > 0], int(trace[-1]) + 1
    )


class _Facts(NamedTuple):
    """Hold what is in gaps between attributes, an array each, or numbers for one gap."""

    ends: Any  # 1 if it ends an attribute, else 0
    begins: Any
    before: Any  # what has to be open before it, and is open after it; -1 if nothing in it begins or ends
    after: Any
    traces: Any  # that begin
    events: Any
    tags: Any
    white: Any  # tabs and ends of lines


class Gaps:
    """Number the gaps between attributes, and examine each once."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._examined: list[_Facts] = []
        self.facts = _Facts(*np.empty((8, 0), dtype=np.int64))

    def numbers(self, gaps: pl.Series) -> NDArray[np.int64] | None:
        """Return the number of each gap; None unless all consist of tags of traces and events, and are few."""
        found = gaps.cast(pl.Enum(self._texts), strict=False)
        if found.null_count():
            texts = gaps.filter(found.is_null()).unique().to_list()
            examined = [facts for facts in map(_examined, texts) if facts is not None]
            if len(examined) < len(texts) or len(self._texts) + len(texts) > _MOST_GAPS:
                return None
            self._texts += texts
            self._examined += examined
            self.facts = _Facts(*np.array(self._examined, dtype=np.int64).T)
            found = gaps.cast(pl.Enum(self._texts))
        return found.to_physical().to_numpy()


def unescaped(text: str) -> str:
    """Return a value of plain traces with the characters that its references stand for.

    >>> unescaped("&quot;R&amp;amp;D&quot;")
    '"R&amp;D"'
    """
    return unescape(text, {"&quot;": '"', "&apos;": "'"})


def _examined(gap: str) -> _Facts | None:
    """Return what is between two attributes; None unless it consists of tags of traces and events in their order."""
    match = _GAP.fullmatch(gap)
    if match is None:
        return None
    end, *containers, begin = match.groups()
    before = after = -1
    for container, (needed, left) in zip(containers, _STEPS, strict=True):
        if container is None:
            continue
        if before < 0:
            before = needed
        elif after != needed:
            return None
        after = left
    _, _, trace, event = containers
    white = sum(gap.count(character) for character in "\t\n\r")
    return _Facts(end is not None, begin is not None, before, after, trace is not None, event is not None, gap.count("<"), white)
