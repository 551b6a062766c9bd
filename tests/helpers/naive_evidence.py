"""The evidence that two labels are one step, by its definitions: loops over traces, pairs of events, and sums by hand.

Distances of methods are taken as they are: tests/methods compare them with definitions of their own.
"""

import math
from collections import Counter
from itertools import combinations, pairwise
from statistics import fmean

BY_CHANCE = 5
OUTSIDE = object()


def neighbours(traces, side):
    """How often each label has which neighbour directly before (-1) or after it (1)."""
    counts = {}
    for trace in traces:
        around = [OUTSIDE, *trace, OUTSIDE]
        for place, label in enumerate(trace, start=1):
            counts.setdefault(label, Counter())[around[place + side]] += 1
    return counts


def in_common(first, second):
    """The sum of the smaller shares of two counters."""
    n, m = sum(first.values()), sum(second.values())
    return sum(min(first[x] / n, second[x] / m) for x in first if x in second)


def overlap(traces, a, b):
    return min(in_common(counts[a], counts[b]) for counts in (neighbours(traces, -1), neighbours(traces, 1)))


def rare_overlap(traces, labels, a, b):
    return min(weighed_in_common(neighbours(traces, side), labels, a, b) for side in (-1, 1))


def weighed_in_common(counts, labels, a, b):
    """The smaller shares of each neighbour by the larger ones, both weighed by how surprising it is that a label has it."""
    shares = {label: {x: n / sum(counts[label].values()) for x, n in counts[label].items()} for label in labels}
    weight = {x: -math.log(fmean(of.get(x, 0) for of in shares.values())) for x in {*shares[a], *shares[b]}}
    smaller, larger = (sum(weight[x] * pick(shares[a].get(x, 0), shares[b].get(x, 0)) for x in weight) for pick in (min, max))
    return smaller / larger if larger > 1e-9 else 0.0


def position(traces, a, b):
    tenths = {a: Counter(), b: Counter()}
    for trace in traces:
        for place, label in enumerate(trace):
            if label in tenths:
                tenths[label][10 * (2 * place + 1) // (2 * len(trace))] += 1
    return in_common(tenths[a], tenths[b])


def cases_of(traces, *labels):
    return sum(all(label in trace for label in labels) for trace in traces)


def attraction(traces, a, b):
    pairs = [pair for trace in traces for pair in combinations([x for x in trace if x in (a, b)], 2)]
    n, m = (sum(trace.count(label) for trace in traces) for label in (a, b))
    by_chance = 2 * n * m / (n + m) ** 2
    return (sum(x != y for x, y in pairs) + BY_CHANCE * by_chance) / (len(pairs) + BY_CHANCE) / by_chance


def unexplained(traces, a, b):
    """How many shared cases repetition does not explain."""
    return cases_of(traces, a, b) * max(0, 1 - 1 / attraction(traces, a, b))


def rarer(traces, a, b):
    return min(cases_of(traces, a), cases_of(traces, b))


def competitors(traces, labels):
    """For each label those that could be other names of it."""
    compete = {label: set() for label in labels}
    for a, b in combinations(labels, 2):
        if unexplained(traces, a, b) < 0.1 * (rarer(traces, a, b) + 1):
            compete[a].add(b)
            compete[b].add(a)
    return compete


def rank(distance, a, b, others):
    """The rank of b among the others, by their distance from a; equal ones share their ranks."""
    nearer = sum(distance(a, x) < distance(a, b) for x in others if x != b)
    equal = sum(distance(a, x) == distance(a, b) for x in others if x != b)
    return 1 + nearer + equal / 2


def larger_rank(distance, a, b, compete):
    return math.log(1 + max(rank(distance, a, b, compete[a]), rank(distance, b, a, compete[b])))


def nearness(distance, a, b, labels):
    def quartile(label):
        return sorted(distance(label, x) for x in labels if x != label)[(len(labels) - 2) // 4]

    return math.log((distance(a, b) + 0.0001) / (min(quartile(a), quartile(b)) + 0.0001))


def figures(traces, labels, a, b, compete, distances):
    """All figures of two labels by name. ``distances``: a function of two labels for each of kin and contexts."""
    kin, contexts = distances
    m, s = rarer(traces, a, b), cases_of(traces, a, b)
    return {
        "overlap": overlap(traces, a, b),
        "rare_overlap": rare_overlap(traces, labels, a, b),
        "overlap_rank": larger_rank(lambda x, y: round(1 - overlap(traces, x, y), 12), a, b, compete),
        "context_rank": larger_rank(contexts, a, b, compete),
        "nearness": nearness(kin, a, b, labels),
        "position": position(traces, a, b),
        "shared_cases": math.log((s + 0.5) / (m + 1)),
        "attraction": math.log(attraction(traces, a, b)),
        "excess": math.log((unexplained(traces, a, b) + 0.5) / (m + 1)),
        "cases": math.log(m),
    }


def points(at, worth, figure):
    """What a figure is worth: linear between the listed ones, constant beyond."""
    if figure <= at[0]:
        return worth[0]
    for (left, low), (right, high) in pairwise(zip(at, worth, strict=True)):
        if figure <= right:
            return low + (high - low) * (figure - left) / (right - left)
    return worth[-1]


def coincidences(traces, members, family_of):
    """Share of pairs of events with the same neighbour: of one member, of different ones, of a member and another label.

    ``family_of`` gives what a neighbour stands for. Neighbours that are members are left out. None where there are fewer than
    20 ordered pairs of one member. The two sides are averaged.
    """
    sides = []
    for side in (-1, 1):
        events = []
        for trace in traces:
            around = [OUTSIDE, *trace, OUTSIDE]
            for place, label in enumerate(trace, start=1):
                if around[place + side] not in members:
                    events.append((label, family_of(around[place + side])))
        same, different, other = [], [], []
        for (a, x), (b, y) in combinations(events, 2):
            if a in members and b in members:
                (same if a == b else different).append(x == y)
            elif a in members or b in members:
                other.append(x == y)
        sides.append([fmean(same) if len(same) >= 10 else None, *(fmean(pairs or [0]) for pairs in (different, other))])
    (same, *rest), (same_after, *rest_after) = sides
    means = [fmean(pair) for pair in zip(rest, rest_after, strict=True)]
    return None if same is None or same_after is None else fmean([same, same_after]), *means


def outliers(traces, members, family_of):
    """The members that coincide with the others less than half as often as different members do, with four pseudo-events each."""
    leave = set()
    for side in (-1, 1):
        events = [
            (label, family_of(x))
            for label, counts in neighbours(traces, side).items()
            for x in counts.elements()
            if x not in members
        ]
        different = [(a, b, x == y) for (a, x), (b, y) in combinations(events, 2) if a != b and {a, b} <= members]
        for member in members:
            n = sum(label == member for label, _ in events)
            own = [is_same for a, b, is_same in different if member in (a, b)]
            if own:
                mean = fmean(is_same for *_, is_same in different)
                if (n * fmean(own) + 4 * mean) / (n + 4) < mean / 2 - 1e-9:
                    leave.add(member)
    return leave


def come_together(traces, members):
    """Whether labels come together in cases as steps do, each once, and not as ids do, which one step gets by chance."""
    pairs = [pair for trace in traces for pair in combinations([x for x in trace if x in members], 2)]
    same = sum(x == y for x, y in pairs)
    events = Counter(x for trace in traces for x in trace if x in members)
    expected = sum(len(pairs) * (n / events.total()) ** 2 for n in events.values())
    by_chance = sum(math.exp(-expected) * expected**k / math.factorial(k) for k in range(same + 1)) if expected < 700 else 0.0
    return same < expected / 2 and by_chance < 0.01


def are_used_in_turn(first, second, anything):
    """Whether one of two labels is used before the other, by the moments of their cases and of those of all labels."""
    n, m = len(first), len(second)

    def ahead(moment):
        return sum(x <= moment for x in first) / n - sum(y <= moment for y in second) / m

    moment = max(sorted({*first, *second}), key=lambda moment: abs(ahead(moment)))
    distance = abs(ahead(moment))
    if distance < 0.9 or 2 * math.exp(-2 * distance**2 * n * m / (n + m)) > 0.0001:
        return False
    before = sum(x <= moment for x in anything) / len(anything)

    def use(label):
        """The use before and after the moment, as if all labels were used as much before as after."""
        return sum(x <= moment for x in label) / len(label) / before, sum(x > moment for x in label) / len(label) / (1 - before)

    earlier, later = (use(label) for label in ((first, second) if ahead(moment) > 0 else (second, first)))
    return earlier[0] >= 9 * earlier[1] - 1e-9 and later[1] >= 9 * later[0] - 1e-9


def other_work(people, a, b):
    """How much the other steps have in common of those who do a and of those who do b. ``people``: (label, person) of events."""

    def work(label):
        own = Counter(person for step, person in people if step == label)
        shares = Counter()
        for person, n in own.items():
            others = [step for step, who in people if who == person and step not in (a, b)]
            for step in others:
                shares[step] += n / sum(own.values()) / len(others)
        return shares

    first, second = work(a), work(b)
    return sum(min(first[step], second[step]) for step in first)


def average_linkage(probability, labels, at_least):
    """Merge the two groups with the highest mean probability of their pairs, while that is at least a limit."""
    groups = [frozenset([label]) for label in labels]
    while len(groups) > 1:
        mean, one, other = max(
            ((fmean(probability(x, y) for x in g for y in h), g, h) for g, h in combinations(groups, 2)),
            key=lambda found: found[0],
        )
        if mean < at_least:
            break
        groups = [g for g in groups if g not in (one, other)] + [one | other]
    return {g for g in groups if len(g) > 1}
