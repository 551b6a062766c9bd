"""The definition of odd events, as loops: a case is judged by the other cases, which are counted anew for each.

Cases are lists of numbers: a label is 0 to ``labels - 1``.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import pairwise
from math import exp, log, prod, sqrt
from statistics import median
from typing import NamedTuple

START, END = "start", "end"


def variant_of_case(log):
    """The variant of each case, numbered in the order of their first cases."""
    numbers = {}
    return [numbers.setdefault(tuple(trace), len(numbers)) for trace in cases_of(log)]


def cases_of(log):
    """The cases of a log as lists of numbers."""
    bounds = log.offsets.tolist()
    return [log.codes[start:end].tolist() for start, end in pairwise(bounds)]


class Continuations:
    """What comes after each context of one to three symbols, in some cases."""

    def __init__(self, cases):
        self.all = [symbol for case in cases for symbol in (*case, END)]
        self.after = defaultdict(list)
        for case in cases:
            line = [START, *case, END]
            for i in range(1, len(line)):
                for size in range(1, min(3, i) + 1):
                    self.after[tuple(line[i - size : i])].append(line[i])


def probability(symbol, before, others, labels):
    """p(symbol | before): ``before`` are all symbols from the start of the case on."""
    p = (others.all.count(symbol) + 1 / 2) / (len(others.all) + (labels + 1) / 2)
    for size in range(1, min(3, len(before)) + 1):
        after = others.after.get(tuple(before[-size:]), [])
        if after:
            different = len(set(after))
            p = (after.count(symbol) + 16 * different * p) / (len(after) + 16 * different)
    return p


def log_probability(case, others, labels):
    line = [START, *case, END]
    return sum(log(probability(line[i], line[:i], others, labels)) for i in range(1, len(line)))


class Slip(NamedTuple):
    kind: str
    start: int
    end: int
    size: int
    missing: tuple
    undone: list

    @property
    def block(self):
        """The events that were inserted, repeated or moved."""
        if self.kind == "skipped":
            return []
        if self.kind == "swapped":
            return [self.start, self.end - 1]
        first = self.end - self.size if self.kind == "late" else self.start
        return list(range(first, first + self.size))

    def marked(self, length):
        """The events that the slip makes odd: the block, and the event after a gap."""
        if self.kind == "skipped":
            return [min(self.start, length - 1)] if length else []
        if self.kind == "early":
            return self.block + ([self.end] if self.end < length else [])
        return self.block + ([self.start] if self.kind == "late" else [])


def possible_slips(case, pairs):
    """Every slip that the case may have had."""
    n = len(case)
    for i in range(n):
        yield Slip("inserted", i, i + 1, 1, (), case[:i] + case[i + 1 :])
        for size in (1, 2, 3):
            for gap in range(6):
                first = i - gap - size
                if first >= 0 and i + size <= n and case[first : first + size] == case[i : i + size]:
                    yield Slip("repeated", i, i + size, size, (), case[:i] + case[i + size :])
        for distance in (1, 2, 3):
            j = i + distance
            if j < n and case[i] != case[j]:
                yield Slip("swapped", i, j + 1, distance + 1, (), swapped(case, i, j))
        if max(pairs.as_is(case, *link) for link in links_of(case, i)) < -1:
            for (label,) in pairs.single_steps(*links_of(case, i)[0][:1], links_of(case, i)[1][1])[:3]:
                if label != case[i]:
                    yield Slip("replaced", i, i + 1, 1, (label,), [*case[:i], label, *case[i + 1 :]])
        for size in (1, 2):
            for distance in range(2 if size == 1 else 1, 6):
                end = i + size + distance
                if end <= n:
                    window = case[i:end]
                    for kind, cut in (("early", size), ("late", distance)):
                        undone = case[:i] + window[cut:] + window[:cut] + case[end:]
                        if undone != case:
                            yield Slip(kind, i, end, size, (), undone)
    yield from far_slips(case, pairs)
    line = [START, *case, END]
    for i in range(n + 1):
        if pairs.as_is(case, line[i], line[i + 1]) < -1:
            for steps in pairs.likely_missing(line[i], line[i + 1]):
                yield Slip("skipped", i, i, len(steps), steps, case[:i] + list(steps) + case[i:])


def links_of(case, i):
    """The links of an event to its neighbours."""
    line = [START, *case, END]
    return (line[i], line[i + 1]), (line[i + 1], line[i + 2])


def swapped(case, i, j):
    other = list(case)
    other[i], other[j] = case[j], case[i]
    return other


def far_slips(case, pairs):
    """Moves and swaps across the case: of its six oddest events, to its six oddest gaps."""
    n, line = len(case), [START, *case, END]
    of_events = [sum(pairs.as_is(case, *link) for link in links_of(case, i)) for i in range(n)]
    of_gaps = [pairs.as_is(case, line[i], line[i + 1]) for i in range(n + 1)]
    events, gaps = (sorted(range(len(odd)), key=lambda i, odd=odd: (round(odd[i], 9), i))[:6] for odd in (of_events, of_gaps))
    for i in events:
        for j in events:
            if j - i > 3 and case[i] != case[j]:
                yield Slip("swapped", i, j + 1, j - i + 1, (), swapped(case, i, j))
        for gap in gaps:
            rest = case[:i] + case[i + 1 :]
            if gap - i - 1 > 5:
                yield Slip("early", i, gap, 1, (), [*rest[: gap - 1], case[i], *rest[gap - 1 :]])
            if i - gap > 5:
                yield Slip("late", gap, i + 1, 1, (), [*rest[:gap], case[i], *rest[gap:]])


class Pairs:
    """The quick screen: how probable pairs of neighbours are, in the whole log."""

    def __init__(self, cases, labels):
        self.labels = labels
        self.lines = lines = [[START, *case, END] for case in cases]
        self.counts = Counter(pair for line in lines for pair in pairwise(line))
        self.before = Counter(symbol for line in lines for symbol in line[:-1])
        self.after = Counter(symbol for line in lines for symbol in line[1:])

    def log_probability(self, x, y, case=None):
        line = [START, *case, END] if case is not None else []
        together = self.counts[x, y] - list(pairwise(line)).count((x, y))
        times = self.before[x] - line[:-1].count(x)
        different = sum(first == x for first, _ in self.counts) - (case is not None and together == 0)
        share = (self.after[y] + 1 / 2) / (sum(self.after.values()) + (self.labels + 2) / 2)
        weight = 16 * max(different, 1)
        return log((together + weight * share) / (times + weight))

    def as_is(self, case, x, y):
        return self.log_probability(x, y, case)

    def passes(self, case, slip):
        """Whether the pairs of neighbours that change are more probable when the slip is undone."""
        old, new = [START, *case, END], [START, *slip.undone, END]
        changed = len(slip.undone) - len(case)
        if slip.kind == "swapped":
            old_links = new_links = sorted({slip.start, slip.start + 1, slip.end - 1, slip.end})
        elif (
            slip.kind in ("early", "late") and slip.end - slip.start > 7
        ):  # far: the links where it is gone, and where it is there
            old_links = {"early": [slip.start, slip.start + 1, slip.end], "late": [slip.start, slip.end - 1, slip.end]}[slip.kind]
            new_links = {"early": [slip.start, slip.end - 1, slip.end], "late": [slip.start, slip.start + 1, slip.end]}[slip.kind]
        elif slip.kind in ("early", "late"):
            links = {
                "early": [slip.start, slip.end, slip.start + slip.size],
                "late": [slip.start, slip.end, slip.end - slip.size],
            }
            meet = {"early": slip.end - slip.size, "late": slip.start + slip.size}[slip.kind]
            old_links, new_links = links[slip.kind], [slip.start, slip.end, meet]
        else:
            old_links, new_links = range(slip.start, slip.end + 1), range(slip.start, slip.end + changed + 1)
        before = sum(self.as_is(case, old[i], old[i + 1]) for i in old_links)
        return sum(self.log_probability(new[i], new[i + 1]) for i in new_links) > before

    def following(self, x, y):
        return self.counts[x, y] / self.before[x]

    def preceding(self, x, y):
        return self.counts[x, y] / self.after[y]

    def likely_missing(self, x, y):
        """One to five labels that are likely to be missing between two symbols."""
        return [steps for scores, most in self.tried(x, y) for steps in best(scores, most)]

    def single_steps(self, x, y):
        """One label that is likely to be missing between two symbols, the likeliest first."""
        return best({(u,): self.following(x, u) * self.preceding(u, y) for u in range(self.labels)}, 6)

    def tried(self, x, y):
        """The scores of what may be missing between two symbols, and how many of them are tried."""
        labels = range(self.labels)
        first, last = self.neighbours(x, y)
        double = {
            (u, v): self.following(x, u) * sqrt(self.following(u, v) * self.preceding(u, v)) * self.preceding(v, y)
            for u in best(first, 6)
            for v in best(last, 6)
        }
        yield {(u,): self.following(x, u) * self.preceding(u, y) for u in labels}, 6
        yield double, 3
        for size in (3, 4, 5):
            yield self.runs(x, y, size), 1

    def neighbours(self, x, y):
        """The shares of labels after the one symbol and before the other."""
        return ({u: self.following(x, u) for u in range(self.labels)}, {v: self.preceding(v, y) for v in range(self.labels)})

    def has_ties(self, x, y):
        """Whether the last that is tried between two symbols is as likely as the first that is not."""
        single = {(u,): self.following(x, u) * self.preceding(u, y) for u in range(self.labels)}
        tries = [*((scores, 6) for scores in self.neighbours(x, y)), (single, 3), *self.tried(x, y)]
        return any(tied(scores, most) for scores, most in tries)

    def runs(self, x, y, size):
        """How often each run of labels stands between two symbols."""
        return Counter(
            tuple(line[i + 1 : i + 1 + size])
            for line in self.lines
            for i in range(len(line) - size - 1)
            if (line[i], line[i + size + 1]) == (x, y)
        )


def best(scores, most):
    return sorted((item for item in scores if scores[item] > 0), key=lambda item: (-scores[item], item))[:most]


def tied(scores, most):
    """Whether it depends on the order of items which of them are the best."""
    ranked = sorted((score for score in scores.values() if score > 0), reverse=True)
    return len(ranked) > most and ranked[most - 1] - ranked[most] < 1e-12


def occurrences_gain(case, undone, others):
    """How much more usual the numbers of occurrences are when the slip is undone."""
    gain = 0.0
    for label in {*case, *undone}:
        then, now = (sum(min(other.count(label), 9) == min(one.count(label), 9) for other in others) for one in (undone, case))
        gain += log((then + 1 / 2) / (now + 1 / 2))
    return gain


def prior(slip, length, labels):
    length = max(length, 1)
    choices = {
        "skipped": 2 ** len(slip.missing),
        "inserted": labels,
        "replaced": 3 * labels,
        "repeated": 18,
        "early": 10,
        "late": 10,
    }
    choices["swapped"] = 5 if slip.size == 2 else length
    far = slip.kind in ("early", "late") and slip.end - slip.start > 5 + slip.size
    return -log(length * (length if far else choices[slip.kind]))


def weighed_slips(number, cases, labels, pairs):
    """The slips of a case that pass the screen, each with its prior and what undoing it gains."""
    case, rest = cases[number], cases[:number] + cases[number + 1 :]
    others = Continuations(rest)
    as_is = log_probability(case, others, labels)
    slips = []
    for slip in possible_slips(case, pairs):
        if pairs.passes(case, slip):
            gain = log_probability(slip.undone, others, labels) - as_is
            if slip.kind in ("skipped", "inserted", "repeated", "replaced"):
                gain += occurrences_gain(case, slip.undone, rest) / 2
            slips.append((slip, prior(slip, len(case), labels), gain))
    return slips


def weighed_breaks(number, cases, labels):
    """The length of a case, and what each of its events, and its end, gains if it may come after anything and before anything."""
    case, rest = cases[number], cases[:number] + cases[number + 1 :]
    pairs = Counter(pair for other in rest for pair in pairwise([START, *other, END]))
    gains = []
    for x, y in pairwise([START, *case, END]):
        forward = (pairs[x, y] + 1 / 2) / (sum(n for pair, n in pairs.items() if pair[0] == x) + (labels + 1) / 2)
        backward = (pairs[x, y] + 1 / 2) / (sum(n for pair, n in pairs.items() if pair[1] == y) + (labels + 1) / 2)
        gains.append(-log((labels + 1) ** 2 * forward * backward))
    return [(max(len(case), 1), gain) for gain in gains]


@dataclass
class NaiveOdds:
    """The odds of each case: of its slips without and with values, of its breaks, of its values, of its events and their cells."""

    caution: float
    alone: list
    slips: list
    breaks: list
    values: list
    cases: list
    events: list
    cells: list


def naive_odds(cases, labels, surprise):
    """``surprise``: for each case and event, -ln (V p) of each attribute's value."""
    pairs = Pairs(cases, labels)
    weighed = [weighed_slips(number, cases, labels, pairs) for number in range(len(cases))]
    broken = [weighed_breaks(number, cases, labels) for number in range(len(cases))]

    def slips_at(caution):
        return [[(slip, exp(min(prior + caution * gain, 60))) for slip, prior, gain in slips] for slips in weighed]

    def breaks_at(caution):
        return [[6 / length * max(exp(min(caution * gain, 2)) - 1, 0) for length, gain in breaks] for breaks in broken]

    def of_median(caution):
        return median(sum(p for _, p in slips) for slips in slips_at(caution))

    caution = 1.0
    if of_median(caution) > 1:
        low = 0.0
        for _ in range(10):
            middle = (low + caution) / 2
            low, caution = (low, middle) if of_median(middle) > 1 else (middle, caution)
    alone = slips_at(caution)
    slips = [
        [(slip, p * (1 + exp(min(sum(values[slip.start]), 60))) / 2 if slip.kind == "inserted" else p) for slip, p in of_case]
        for of_case, values in zip(alone, surprise, strict=True)
    ]
    breaks = breaks_at(caution)
    values = [[[exp(min(one, 60)) / len(case) for one in event] for event in case] for case in surprise]
    result = NaiveOdds(caution, alone, slips, breaks, values, [], [], [])
    for case, of_slips, of_breaks, of_values in zip(cases, slips, breaks, values, strict=True):
        any_value = any_of([one for event in of_values for one in event])
        result.cases.append(sum(p for _, p in of_slips) + any_of(of_breaks) + any_value)
        for i in range(len(case)):
            slipped = sum(p for slip, p in of_slips if slip.kind != "inserted" and i in slip.marked(len(case)))
            slipped += of_breaks[i] + (of_breaks[i + 1] if i == len(case) - 1 else 0)
            inserted = sum(p for slip, p in of_slips if slip.kind == "inserted" and slip.start == i)
            result.events.append(slipped + inserted + any_of(of_values[i]))
            result.cells.append([slipped + inserted, *(one + inserted for one in of_values[i])])
    return result


def any_of(odds):
    """The odds that any of some things is wrong."""
    return prod(1 + one for one in odds) - 1
