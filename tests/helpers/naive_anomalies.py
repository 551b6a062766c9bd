"""The benchmark of anomalies by its definitions, with loops: anomalies as list operations, metrics, and counting detectors."""

import itertools
import math
import statistics
from collections import Counter, defaultdict

OUTSIDE = "(outside)"


def naive_edit(kind, case, draws, new_event=None):
    """Return a case, a list of events, after an anomaly, and the positions whose activity is marked.

    The draws are made in the order of the table of types; ``new_event()`` makes an event to insert.
    """
    length = len(case)
    case = list(case)
    if kind == "skipped":
        size = draws.between(1, min(length - 1, 2))
        start = draws.between(0, length - size - 1)
        for _ in range(size):
            case.pop(start)
        return case, {start}
    if kind == "repeated":
        size = draws.between(2, min(length, 3))
        start = draws.between(0, length - size)
        gap = draws.between(0, min(length - start - size, 5))
        place = start + size + gap
        for i, event in enumerate(case[start : start + size]):
            case.insert(place + i, event)
        return case, set(range(place, place + size))
    if kind in ("early", "late"):
        size = draws.between(1, min(length - 2, 2))
        distance = draws.between(1, min(length - size - 1, 5))
        low, high = (distance, length - size - 1) if kind == "early" else (0, length - size - distance - 1)
        start = draws.between(low, high)
        block = [case.pop(start) for _ in range(size)]
        place = start - distance if kind == "early" else start + distance
        for i, event in enumerate(block):
            case.insert(place + i, event)
        return case, {*range(place, place + size), start + size if kind == "early" else start}
    k = draws.between(1, min(length // 2, 2))
    places = draws.sample(length - 1, k)
    marked = set()
    for n, place in enumerate(sorted(places)):
        case.insert(place + n, new_event())
        marked.add(place + n)
    return case, marked


def naive_waits_after(kind, waits, usual, draws):
    """Return the waits of a case after one of them became too long or too short, and which; None where none can."""
    can = []
    for i, (wait, median) in enumerate(zip(waits, usual, strict=True)):
        if not math.isnan(wait) and wait >= 0 and (max(wait, median) > 0 if kind == "slow" else min(wait, median) >= 60):
            can.append(i)
    if not can:
        return None
    at = can[draws.below(len(can))]
    factor = 10 ** (1 + draws.below(1000) / 1000)
    changed = list(waits)
    if kind == "slow":
        changed[at] = min(max(waits[at], usual[at]) * factor, 3652.5 * 24 * 60 * 60)
    else:
        changed[at] = min(waits[at], usual[at]) / factor
    return changed, at


def naive_other_edit(kind, case, draws, real_event=None):
    """Return a case after an anomaly outside the six kinds, and the positions of the marked events."""
    case = list(case)
    if kind == "swapped":
        distance = draws.between(2, len(case) - 1)
        first = draws.between(0, len(case) - distance - 1)
        case[first], case[first + distance] = case[first + distance], case[first]
        return case, {first, first + distance}
    if kind == "cut":
        case = case[: draws.between(1, len(case) // 2)]
        return case, {len(case) - 1}
    if kind == "doubled":
        at = draws.between(0, len(case) - 1)
        return case[: at + 1] + case[at:], {at + 1}
    if kind in ("copied", "moved"):
        distance = draws.between(max(math.ceil(len(case) / 2), 2), len(case) - 1)
        first = draws.between(0, len(case) - distance - 1)
        later = draws.below(2)  # the first of the two goes to the place of the last one, or the last to that of the first
        event = case[first] if later else case[first + distance]
        if kind == "copied":
            case.insert(first + distance + 1 if later else first, event)
            return case, {case.index(event, first + distance) if later else first}
        case.remove(event)  # each event of the test's cases is another one
        case.insert(first + distance if later else first, event)
        return case, {first, first + distance} if later else {first, first + distance + 1} & set(range(len(case)))
    if kind == "reversed":
        size = draws.between(3, min(len(case), 6))
        start = draws.between(0, len(case) - size)
        turned = case[:start] + case[start : start + size][::-1] + case[start + size :]
        return turned, {place for place in range(len(case)) if turned[place] != case[place]}
    if kind == "gap":
        size = draws.between(3, max(len(case) // 2, 3))
        start = draws.between(1, len(case) - size - 1)
        del case[start : start + size]
        return case, {start}
    if kind == "plausible":
        return naive_edit("inserted", case, draws, lambda: real_event(draws))
    place = draws.between(0, len(case) - 2)
    block = [real_event(draws) for _ in range(3)]
    return case[:place] + block + case[place:], {place, place + 1, place + 2}


def naive_ranking(scores, planted):
    """Return the best F over all thresholds, and the average precision; equal scores are one threshold."""
    n, best, ap, recall = sum(planted), 0.0, 0.0, 0.0
    for threshold in sorted(set(scores), reverse=True):
        alarms = [truth for score, truth in zip(scores, planted, strict=True) if score >= threshold]
        precision, now = sum(alarms) / len(alarms), sum(alarms) / n
        ap += (now - recall) * precision
        recall = now
        if precision + recall:
            best = max(best, 2 * precision * recall / (precision + recall))
    return best, ap


def naive_area(scores, positive):
    """Return the share of pairs of a positive and another one in which the positive one is higher; equal ones count half."""
    pairs = [
        (one, other)
        for one, p in zip(scores, positive, strict=True)
        if p
        for other, q in zip(scores, positive, strict=True)
        if not q
    ]
    return sum((one > other) + (one == other) / 2 for one, other in pairs) / len(pairs)


def naive_variant_scores(traces, reference=None):
    counted = traces if reference is None else reference
    counts = Counter(map(tuple, counted))
    return [-math.log((counts[tuple(trace)] or 0.5) / len(counted)) for trace in traces]


def naive_links(traces, case_out, reference=None):
    """Return the surprise of the links of each case, the one to the end last; what is counted is the reference, if there is one."""
    counted = traces if reference is None else reference
    labels = {label for trace in [*traces, *counted] for label in trace}
    surprises = []
    for number, trace in enumerate(traces):
        pairs = Counter()
        for other, one in enumerate(counted):
            if not (case_out and reference is None and other == number):
                padded = [OUTSIDE, *one, OUTSIDE]
                pairs.update(itertools.pairwise(padded))
        padded = [OUTSIDE, *trace, OUTSIDE]
        of_case = []
        for x, y in itertools.pairwise(padded):
            after = sum(n for (first, _), n in pairs.items() if first == x)
            before = sum(n for (_, second), n in pairs.items() if second == y)
            smoothed = pairs[x, y] + 0.5
            of_case.append(
                -math.log(smoothed / (after + 0.5 * (len(labels) + 1))) - math.log(smoothed / (before + 0.5 * (len(labels) + 1)))
            )
        surprises.append(of_case)
    return surprises


def naive_trigrams(traces, reference=None):
    """Return -ln p of each step given the two before, the end last."""
    counted = traces if reference is None else reference
    labels = {label for trace in [*traces, *counted] for label in trace}
    follow = defaultdict(Counter)
    for trace in counted:
        padded = [OUTSIDE, OUTSIDE, *trace, OUTSIDE]
        for i in range(2, len(padded)):
            for context in ((), (padded[i - 1],), (padded[i - 2], padded[i - 1])):
                follow[context][padded[i]] += 1

    def probability(step, context):
        rows = follow[context]
        n = sum(rows.values())
        if not context:
            return (rows[step] + 0.5) / (n + 0.5 * (len(labels) + 1))
        shorter = probability(step, context[1:])
        known = sum(times > 0 for times in rows.values())
        return (rows[step] + known * shorter) / (n + known) if n else shorter

    found = []
    for trace in traces:
        padded = [OUTSIDE, OUTSIDE, *trace, OUTSIDE]
        found.append([-math.log(probability(padded[i], (padded[i - 2], padded[i - 1]))) for i in range(2, len(padded))])
    return found


def naive_bags(traces, reference=None):
    """Return for each case 1 - the cosine to the tenth nearest of the counted cases, of ln (1 + n) for each activity."""

    def cosine(one, other):
        first, second = Counter(one), Counter(other)
        dot = sum(math.log1p(n) * math.log1p(second[label]) for label, n in first.items())
        lengths = [math.sqrt(sum(math.log1p(n) ** 2 for n in bag.values())) for bag in (first, second)]
        return dot / math.prod(lengths)

    counted = traces if reference is None else reference
    return [1 - sorted((cosine(trace, one) for one in counted), reverse=True)[: min(10, len(counted))][-1] for trace in traces]


def naive_waits(cases):
    """Return how far each wait is from the usual one; cases are lists of (activity, seconds since some day)."""
    waits = {
        (number, i): (before[0], event[0], math.log1p(event[1] - before[1]))
        for number, case in enumerate(cases)
        for i, (before, event) in enumerate(itertools.pairwise(case), 1)
        if event[1] >= before[1]
    }
    of_pair = defaultdict(list)
    for x, y, wait in waits.values():
        of_pair[x, y].append(wait)
    distance = {at: abs(wait - statistics.median(of_pair[x, y])) for at, (x, y, wait) in waits.items()}
    distances = defaultdict(list)
    for at, (x, y, _) in waits.items():
        distances[x, y].append(distance[at])
    scores = []
    for number, case in enumerate(cases):
        for i in range(len(case)):
            if (number, i) not in waits:
                scores.append(0.0)
                continue
            pair = waits[number, i][:2]
            n = len(of_pair[pair])
            spread = (n * statistics.median(distances[pair]) + 5 * statistics.median(distance.values())) / (n + 5)
            scores.append(distance[number, i] / (1.4826 * spread + 0.001))
    return scores


def naive_value_surprises(cases):
    """Return the surprise of each value of an attribute; cases are lists of (activity, value)."""
    n_values = len({value for case in cases for _, value in case})
    triples = [(a, OUTSIDE if i == 0 else case[i - 1][1], z) for case in cases for i, (a, z) in enumerate(case)]
    starts = [i == 0 for case in cases for i in range(len(case))]
    events = [(a, (start, q), z) for (a, q, z), start in zip(triples, starts, strict=True)]
    surprises = []
    for i, (a, q, z) in enumerate(events):
        others = events[:i] + events[i + 1 :]
        of_activity = [other for other in others if other[0] == a]
        p1 = (sum(other[2] == z for other in of_activity) + 0.5) / (len(of_activity) + n_values / 2)
        after = [other for other in of_activity if other[1] == q]
        p2 = (sum(other[2] == z for other in after) + 2 * p1) / (len(after) + 2)
        surprises.append(-2 * math.log(p2))
    return surprises


def naive_likelihood(cases):
    """Return the cells of each case, by the chain of conditional shares, the end event last; cases are lists of tuples."""
    n_columns = len(cases[0][0])
    end = ("(end)",) * n_columns
    chains = []
    for case in cases:
        before = ("(start)",) * n_columns
        for event in [*case, end]:
            contexts = [(before[0], before[-1])]
            contexts += [(event[0], event[k - 1] if k > 1 else None) for k in range(1, n_columns)]
            chains.append([(k, contexts[k], event[k]) for k in range(n_columns)])
            before = event
    context_counts, counts = defaultdict(int), defaultdict(int)
    for chain in chains:
        for k, context, value in chain:
            context_counts[k, context] += 1
            counts[k, context, value] += 1
    return [[1 - counts[cell] / context_counts[cell[:2]] for cell in chain] for chain in chains]
