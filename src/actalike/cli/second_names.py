"""Show the second names of labels beside them, where a command prints or draws labels."""

import copy
from collections.abc import Iterable, Mapping
from typing import Any

from actalike.cli.console import plain
from actalike.embedding import Embedding
from actalike.errors import shortened
from actalike.log import EventLog

_LONGEST_DRAWN = 40  # characters of a second name in a figure


def with_name(label: str, names: Mapping[str, str]) -> str:
    """Return a label with its second name, if it has one that differs from it.

    >>> with_name("01_HOOFD_010", {"01_HOOFD_010": "register request"}), with_name("Pay", {})
    ('01_HOOFD_010 [register request]', 'Pay')
    """
    name = names.get(label, label)
    return label if name == label else f"{label} [{name}]"


def names_of(source: Any) -> Mapping[str, str]:
    """Return the second names of a log; none of what is no log."""
    return source.names if isinstance(source, EventLog) else {}


def print_names(labels: Iterable[str], names: Mapping[str, str]) -> None:
    """Print a line for each label that has a second name, and a blank line after them."""
    lines = [plain(f"{label}: {names[label]}") for label in labels if names.get(label, label) != label]
    if lines:
        print("\n".join(lines), end="\n\n")


def drawn_log(log: EventLog) -> EventLog:
    """Return the log with labels as they are drawn: with their second names."""
    return log.relabel(_drawn(log.activities, log.names).__getitem__) if log.names else log


def drawn_embedding(embedding: Embedding, names: Mapping[str, str]) -> Embedding:
    """Return an embedding with labels as they are drawn; the vectors are those of the log as it is."""
    if not names:
        return embedding
    drawn = copy.copy(embedding)
    drawn.__dict__.pop("_position", None)  # computed from the labels when it is first used
    labels = _drawn(embedding.activities, names)
    drawn.activities = [labels[label] for label in embedding.activities]
    return drawn


def _drawn(labels: Iterable[str], names: Mapping[str, str]) -> dict[str, str]:
    """Return what is drawn for each label; the label itself if two of them would look the same."""
    drawn = {label: with_name(label, {label: shortened(names.get(label, label), _LONGEST_DRAWN)}) for label in labels}
    return drawn if len(set(drawn.values())) == len(drawn) else {label: label for label in drawn}
