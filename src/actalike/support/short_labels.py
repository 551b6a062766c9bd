"""Shorten labels for a picture: without their middle, and so that different labels read differently.

``page/shared/short_labels.js`` does the same on the pages, where the width is in pixels.
"""

from collections import defaultdict
from collections.abc import Sequence

_PASSES = 8
_CONTEXTS = (12, 8, 5, 3, 2, 1, 0)  # characters at either end, beside the part that differs


def short_labels(labels: Sequence[str], max_length: int) -> list[str]:
    """Return each label in at most ``max_length`` characters, its beginning and its end.

    If two different labels would read the same, the part in which they differ is kept.

    >>> short_labels(["Declaration FINAL_APPROVED by SUPERVISOR", "Declaration FINAL_APPROVED by DIRECTOR", "Pay"], 18)
    ['Declarati…PERVISOR', 'Declarati…DIRECTOR', 'Pay']
    >>> short_labels(["Check the form of kind A for the customer", "Check the form of kind B for the customer"], 20)
    ['Check th…A…customer', 'Check th…B…customer']
    """
    short = {label: without_middle(label, max_length) for label in labels}
    for _ in range(_PASSES):  # labels that are still alike differ farther on
        if not _tell_apart(short, max_length):
            break
    return [short[label] for label in labels]


def without_middle(label: str, max_length: int) -> str:
    """Return the beginning and the end of a label that is longer than ``max_length`` characters.

    >>> without_middle("Ask for the missing papers of the customer", 20)
    'Ask for th…customer'
    """
    if len(label) <= max_length:
        return label
    tail = (max_length - 1) // 2
    return f"{label[: max_length - 1 - tail].rstrip()}…{label[len(label) - tail :].lstrip()}"


def _tell_apart(short: dict[str, str], max_length: int) -> bool:
    """Replace short texts that several labels have by texts with the part that differs; return whether there were any."""
    same = defaultdict(list)
    for label, text in short.items():
        same[text].append(label)
    groups = [labels for labels in same.values() if len(labels) > 1]
    for labels in groups:
        start = _common(labels)
        end = min(_common([label[::-1] for label in labels]), min(map(len, labels)) - start)
        for label in labels:
            short[label] = _with_part(label, start, len(label) - end, max_length)
    return bool(groups)


def _common(labels: Sequence[str]) -> int:
    """Return how many characters all labels begin with."""
    return next((k for k, letters in enumerate(zip(*labels, strict=False)) if len(set(letters)) > 1), min(map(len, labels)))


def _with_part(label: str, start: int, end: int, max_length: int) -> str:
    """Return the part of a label from ``start`` to ``end``, with as much of the label's ends as there is room for."""
    texts = [_ends(label, start, end, context) for context in _CONTEXTS]
    return next((text for text in texts if len(text) <= max_length), texts[-1][:max_length])


def _ends(label: str, start: int, end: int, context: int) -> str:
    head = label[:start] if start <= context + 1 else f"{label[:context]}…"
    tail = label[end:] if len(label) - end <= context + 1 else f"…{label[len(label) - context :]}"
    return f"{head}{label[start:end]}{tail}"
