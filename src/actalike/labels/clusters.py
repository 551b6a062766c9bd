"""Merge labels into groups whose members are likely one step.

First, a rare label that is spelled like a frequent one, and likely one step with it, is merged with it: slips of the keyboard are
like the label they come from, and not like each other. Then labels are merged by average linkage: each step merges the two groups
whose pairs have the highest mean probability. Then the log is looked at again with the merged labels, and what is likely one step
now is merged too: of a step with four names, each name has three rivals and few cases, and the last one is recognised when the
other three are together. After three such rounds little changes. After the first of them texts do not count (but opposites do),
because one label then stands for several.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from actalike.counting import WindowCounts
from actalike.labels.step_probabilities import MOST_MISSPELT, SameStep, same_behaviour, same_step
from actalike.labels.witnesses import SIMILAR_TEXT
from actalike.log import AnyLog

ROUNDS = 4  # the first one is for misspelt labels


def likely_clusters(same: SameStep, counts: WindowCounts, at_least: float) -> list[list[int]]:
    """Return the groups of two or more labels whose mean probability is ``at_least`` so much in some round.

    Labels are positions in the log's activities, the most frequent first. ``counts`` are the log's windows, of 5 symbols or more.

    >>> from actalike import count_windows
    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["x", "c", "y"], ["y", "d"]] * 20)
    >>> [[log.activities[i] for i in cluster] for cluster in likely_clusters(same_step(log), count_windows(log, 5), 0.5)]
    [['a', 'b', 'c']]
    """
    log, original = same.log, same.log  # the one is merged round by round
    merged = {label: [i] for i, label in enumerate(original.activities)}  # by the label that stands for the group
    for number in range(ROUNDS):
        name_of: dict[str, str] = {}
        groups = _misspelt(same, at_least) if number == 0 else average_linkage(same.probabilities(), by_frequency(log), at_least)
        for members in groups:
            labels = [log.activities[i] for i in members]
            name_of |= dict.fromkeys(labels, labels[0])
            merged[labels[0]] = [i for label in labels for i in merged.pop(label)]
        if not name_of:
            if number:
                break
            continue
        rename = partial(_new_name, name_of)
        log, counts = log.variants.relabel(rename), counts.relabel(rename)
        again = same_behaviour(log, counts) if number else same_step(log, counts=counts)
        same = replace(again, weights=same.weights)
    rank = np.argsort(by_frequency(original))
    return [sorted(cluster, key=lambda i: rank[i]) for cluster in merged.values() if len(cluster) > 1]


def _misspelt(same: SameStep, at_least: float) -> Iterator[list[int]]:
    """Yield each label with the rarer ones that are spelled like it, not like a likelier one, and likely one step with it."""
    events, probabilities = same.log.activity_counts, same.probabilities()
    of_label: dict[int, list[int]] = {}
    is_near = (same.texts >= SIMILAR_TEXT) & (events[:, np.newaxis] <= MOST_MISSPELT * events) & (probabilities >= at_least)
    taken = set(np.flatnonzero(is_near.any(axis=1)).tolist())
    for rare in sorted(taken, key=lambda i: (-events[i], i)):
        label = max(
            (i for i in np.flatnonzero(is_near[rare]).tolist() if i not in taken),
            key=lambda i: (probabilities[rare, i], events[i], -i),
            default=None,
        )
        if label is not None:
            of_label.setdefault(label, [label]).append(rare)
    yield from of_label.values()


def _new_name(name_of: Mapping[str, str], label: str) -> str:
    return name_of.get(label, label)


def by_frequency(log: AnyLog) -> NDArray[np.int64]:
    """Return the positions of all activities, the most frequent first; of equally frequent ones, that with more cases."""
    return np.lexsort((np.arange(len(log.activities)), -log.activity_cases, -log.activity_counts))


def mean_of_pairs(values: NDArray[np.float64], members: list[int]) -> float:
    """Return the mean over all pairs of members."""
    rows, columns = np.triu_indices(len(members), 1)
    places = np.array(members, dtype=np.int64)
    return float(values[places[rows], places[columns]].mean())


def average_linkage(probabilities: NDArray[np.float64], order: NDArray[np.int64], at_least: float) -> Iterator[list[int]]:
    """Yield the groups of two or more labels whose mean probability is at least so much, each in the given order.

    Of equal probabilities (to 12 digits), those of the labels that come first are merged first.
    """
    if len(order) < 2:
        return
    from scipy.cluster.hierarchy import fcluster  # here: it takes long to load, and only groups need it

    yield from _of_two_or_more(fcluster(_tree(probabilities, order), 1 - at_least + 1e-12, "distance"), order)


def cut_to(probabilities: NDArray[np.float64], order: NDArray[np.int64], steps: int) -> Iterator[list[int]]:
    """Yield the groups of two or more labels that are there when so many groups are left, each in the given order."""
    if len(order) < 2:
        return
    tree, n = _tree(probabilities, order), len(order)
    group_of = np.arange(n)
    for merge in range(n - steps):
        group_of[np.isin(group_of, tree[merge, :2].astype(np.int64))] = n + merge
    yield from _of_two_or_more(group_of, order)


def _tree(probabilities: NDArray[np.float64], order: NDArray[np.int64]) -> NDArray[np.float64]:
    from scipy.cluster.hierarchy import linkage

    rows, columns = np.triu_indices(len(order), 1)
    tree: NDArray[np.float64] = linkage((1 - probabilities[order[rows], order[columns]]).round(12), "average")
    return tree


def _of_two_or_more(group_of: NDArray[np.int64], order: NDArray[np.int64]) -> Iterator[list[int]]:
    members: dict[int, list[int]] = {}
    for place, number in enumerate(group_of.tolist()):
        members.setdefault(number, []).append(int(order[place]))
    yield from (group for group in members.values() if len(group) > 1)
