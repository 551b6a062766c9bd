"""Gather what changed between two logs over their matched vocabulary: both get common names, then drift compares them."""

from typing import Any

from actalike.log import EventLog
from actalike.two_logs import NeighbourChange, drift

CHANGED = 60  # activities that the page lists
_NEIGHBOURS = 4  # of those that came, and of those that went
_NOTABLE = 0.01  # a difference of shares below it is not worth a line

Numbers = dict[str, int]


def drift_data(
    log_a: EventLog, log_b: EventLog, pairs: list[tuple[str, str]], number_a: Numbers, number_b: Numbers
) -> dict[str, Any] | None:
    """Return the activities that changed their company, with what came and what went; None without a pair to compare.

    ``pairs`` are labels of a and b that are the same step. Labels that share a partner become one. A label of b without a partner
    is never taken for a label of a, whatever it is called.
    """
    if not pairs:
        return None
    names_a, names_b = _common_names(log_a.activities, log_b.activities, pairs)
    first = {name: label for label, name in reversed(names_a.items())}  # the label that a name shows as
    other = {name: label for label, name in names_b.items()}
    result = drift(log_a.relabel(names_a.__getitem__), log_b.relabel(names_b.__getitem__))

    def place(name: str | None) -> list[int]:
        """Return the side and the number of a label; -1 is outside the case, -2 not on the page."""
        if name is None:
            return [0, -1]
        if name in first:
            return [0, number_a.get(first[name], -2)]
        return [1, number_b.get(other[name], -2)]

    def neighbours(changes: tuple[NeighbourChange, ...]) -> list[list[Any]]:
        notable = [one for one in changes if abs(one.share_after - one.share_before) >= _NOTABLE]
        return [
            [one.offset, *place(one.neighbour), round(one.share_before, 4), round(one.share_after, 4)]
            for one in notable[:_NEIGHBOURS]
        ]

    changed = [
        [
            place(one.activity)[1],
            round(one.change, 4),
            one.cases_before,
            one.cases_after,
            neighbours(one.came),
            neighbours(one.went),
        ]
        for one in result.changed[:CHANGED]
    ]
    return {
        "judged": result.judged,
        "number": len(result.changed),
        "pairs": len(pairs),
        "changed": changed,
        "told_apart": _told_apart(names_a, names_b, number_a, number_b),
    }


def _told_apart(names_a: dict[str, str], names_b: dict[str, str], number_a: Numbers, number_b: Numbers) -> list[list[list[int]]]:
    """Return the labels of either log that are another step in the other log, each with the number of its partner, or -1.

    The page names the partner, or says of which log they are.
    """
    alike = [label for label in names_a if label in names_b and names_a[label] != names_b[label]]
    partner = {name: label for label, name in reversed(names_b.items())}
    partners = [number_b.get(partner.get(names_a[label], ""), -1) for label in alike]
    of_a = [[number_a[label], j] for label, j in zip(alike, partners, strict=True) if label in number_a]
    return [of_a, [[number_b[label], -1] for label in alike if label in number_b]]


def _common_names(
    labels_a: list[str], labels_b: list[str], pairs: list[tuple[str, str]]
) -> tuple[dict[str, str], dict[str, str]]:
    """Return a name for each label of either log; labels that are the same step, and no others, have the same name.

    >>> _common_names(["x", "y"], ["x", "z"], [("y", "x")])
    ({'x': 'x', 'y': 'y'}, {'x': 'y', 'z': 'z'})
    >>> _common_names(["x", "y"], ["x", "z"], [("y", "z")])[1]
    {'z': 'y', 'x': 'x (b)'}
    """
    names_a = {label: label for label in labels_a}
    names_b: dict[str, str] = {}
    for a, b in pairs:
        if b in names_b:
            names_a[a] = names_b[b]  # the other log splits the step of b
        else:
            names_b[b] = names_a[a]
    taken = set(labels_a) | set(labels_b)
    for label in labels_b:
        if label in names_b:
            continue
        name = label
        while name in names_a or (name != label and name in taken):
            name += " (b)"
        taken.add(name)
        names_b[label] = name
    return names_a, names_b
