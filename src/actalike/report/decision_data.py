"""Gather what the page needs for its decisions: which log it is, what was decided before, and how to relabel."""

from typing import Any, NamedTuple

from actalike.labels import Decisions, decisions_content
from actalike.log import AnyLog


class Relabelling(NamedTuple):
    """Hold how the log of a page is relabelled: by a command, unless a sentence says why there is none."""

    words: str = ""
    command: str = ""


IN_PYTHON = Relabelling("In Python:", 'actalike.relabel(log, actalike.read_decisions("decisions.json"))')


def decision_data(log: AnyLog, decisions: Decisions | None, relabelling: Relabelling) -> dict[str, Any]:
    """Return the digest of the log, the decisions as their file holds them (or None), and how to relabel.

    >>> from actalike import EventLog
    >>> data = decision_data(EventLog.from_traces([["a", "b"]]), None, IN_PYTHON)
    >>> data["digest"][:8], data["decisions"], data["relabelling"]["words"]
    ('76a17cbf', None, 'In Python:')
    """
    return {
        "digest": log.digest,
        "decisions": None if decisions is None else decisions_content(decisions),
        "relabelling": relabelling._asdict(),
    }
