"""Variants and uses of labels as loops over the events, by their definitions."""

from collections import Counter, defaultdict
from itertools import combinations, groupby


def traces_of(events):
    """The labels of each case, in the order of ``place``: events are (case, label, place, day and instant or None, value)."""
    cases = defaultdict(list)
    for event in sorted(events, key=lambda event: event[2]):
        cases[event[0]].append(event)
    return cases


def variants(events):
    return Counter(tuple(label for _, label, *_ in case) for case in traces_of(events).values())


def days(events):
    """How many cases use a label first on a day; a time is in microseconds."""
    first = {}
    for case, label, _, moment, _ in events:
        if moment is not None:
            first[case, label] = min(moment, first.get((case, label), moment))
    return Counter((label, moment // 86_400_000_000) for (_, label), moment in first.items())


def instants(events):
    """Pairs of events of one case at one instant by their labels, and instants that have both labels."""
    dated = sorted((event for event in events if event[3] is not None), key=lambda event: (event[0], event[3]))
    pairs, both = Counter(), Counter()
    for _, group in groupby(dated, key=lambda event: (event[0], event[3])):
        labels = sorted(event[1] for event in group)
        pairs.update(combinations(labels, 2))
        distinct = sorted(set(labels))
        both.update((a, b) for i, a in enumerate(distinct) for b in distinct[i:])
    return {pair: (pairs[pair], both[pair]) for pair in both}


def values(events):
    return Counter((label, value) for _, label, _, _, value in events if value is not None)
