"""Read what relabels a log from a file: decisions about its labels or about two logs, or a mapping."""

from pathlib import Path

from actalike.labels.decision_files import begins_as_json, format_of
from actalike.labels.decisions import Decisions, read_decisions
from actalike.labels.mapping import read_mapping
from actalike.labels.matching_decisions import MATCHING_FORMAT, MatchingDecisions, read_matching_decisions


def read_names(path: str | Path) -> dict[str, str] | Decisions | MatchingDecisions:
    """Read decisions if the file's name ends in ``.json`` or its content is JSON, else a mapping as CSV."""
    path = Path(path)
    if not begins_as_json(path):
        return read_mapping(path)
    return read_matching_decisions(path) if format_of(path) == MATCHING_FORMAT.name else read_decisions(path)
