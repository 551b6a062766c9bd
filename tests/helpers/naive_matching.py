"""Matching two logs by its definitions: profiles, company, rounds, figures and probabilities, as loops over traces and labels."""

from collections import Counter
from itertools import pairwise, permutations
from math import exp, floor, inf, log, log1p, log2, sqrt, tanh

OFFSETS = {-4: 0.2, -2: 0.1, -1: 0.2, 1: 0.2, 2: 0.1, 4: 0.2}
VIEWS = {"trusting": (0.3, 0.1, 0.6, 0.0), "wary": (0.0, 0.02, 0.0, 1.0)}  # t, g, and the weights of cases and ends in P


def labels_of(traces):
    return sorted({label for trace in traces for label in trace})


def places(traces, label):
    """The place and the length of the case of each event of a label."""
    return [(i, len(trace)) for trace in traces for i, one in enumerate(trace) if one == label]


def shares_of_bins(bins, n):
    return [bins.count(k) / len(bins) for k in range(n)]


def profile(traces, label):
    events = places(traces, label)
    cases = sum(label in trace for trace in traces)
    loops = sum(x == y == label for trace in traces for x, y in pairwise(trace))
    return {
        "cases": cases / sum(len(trace) > 0 for trace in traces),
        "repeats": len(events) / cases,
        "loops": loops / len(events),
        "fifths": shares_of_bins([floor(5 * i / n) for i, n in events], 5),
        "from_start": shares_of_bins([min(floor(log2(i + 1)), 7) for i, _ in events], 8),
        "from_end": shares_of_bins([min(floor(log2(n - i)), 7) for i, n in events], 8),
    }


def overlap(p, q):
    return log(max(sum(sqrt(x * y) for x, y in zip(p, q, strict=True)), 1e-4))


def profile_likeness(traces_a, traces_b, cases, ends):
    """The likeness of all pairs, by labels; 0 for the most alike one."""
    profiles_a, profiles_b = ({x: profile(traces, x) for x in labels_of(traces)} for traces in (traces_a, traces_b))
    likeness = {}
    for a, p in profiles_a.items():
        for b, q in profiles_b.items():
            ends_alike = overlap(p["from_start"], q["from_start"]) + overlap(p["from_end"], q["from_end"])
            likeness[a, b] = (
                overlap(p["fifths"], q["fifths"])
                + ends * ends_alike
                - cases * abs(log((p["cases"] + 0.002) / (q["cases"] + 0.002)))
                - 0.5 * abs(log(p["repeats"] / q["repeats"]))
                - 0.5 * abs(p["loops"] - q["loops"])
            )
    return less_largest(likeness)


def less_largest(cells):
    largest = max(cells.values())
    return {pair: value - largest for pair, value in cells.items()}


def neighbour_counts(traces, offset):
    """How often x (None outside the case) is at an offset of a; at -4 and 4, up to four events away, by 1/d."""
    reach = range(1, 5) if abs(offset) == 4 else [abs(offset)]
    whole = sum(1 / d for d in reach) if abs(offset) == 4 else 1.0
    counts = Counter()
    for trace in traces:
        for i, a in enumerate(trace):
            for d in reach:
                place = i + d if offset > 0 else i - d
                x = trace[place] if 0 <= place < len(trace) else None
                counts[a, x] += (1 / d if abs(offset) == 4 else 1.0) / whole
    return counts


def company(traces, offset):
    """H_o: the roots of the shares of neighbours, with half a pseudo-event of the usual ones."""
    labels, counts = labels_of(traces), neighbour_counts(traces, offset)
    events = Counter(label for trace in traces for label in trace)
    usual = {x: sum(counts[a, x] for a in labels) / events.total() for x in [*labels, None]}
    return {(a, x): sqrt((counts[a, x] + 0.5 * usual[x]) / (events[a] + 0.5)) for a in labels for x in usual}


def togetherness(traces):
    """T: roots of the shares of a's cases with x, less the root of the usual share, by the row's length to the power 3/4."""
    labels = labels_of(traces)
    cases = {x: [i for i, trace in enumerate(traces) if x in trace] for x in labels}
    n = sum(len(trace) > 0 for trace in traces)
    share = {
        (a, x): (len(set(cases[a]) & set(cases[x])) + len(cases[x]) / n) / (len(cases[a]) + 1) for a in labels for x in labels
    }
    of_all = sum(len(cases[a]) for a in labels)
    usual = {x: sum(len(cases[a]) * share[a, x] for a in labels) / of_all for x in labels}
    rows = {(a, x): sqrt(share[a, x]) - sqrt(usual[x]) for a in labels for x in labels}
    length = {a: max(sqrt(sum(rows[a, x] ** 2 for x in labels)), 1e-12) for a in labels}
    return {(a, x): value / length[a] ** 0.75 for (a, x), value in rows.items()}


def balanced(logs, power):
    """exp(power L), 20 times both rows and columns divided by the roots of their sums, then by the largest cell."""
    cells = {pair: exp(power * value) for pair, value in logs.items()}
    for _ in range(20):
        rows, columns = Counter(), Counter()
        for (a, b), value in cells.items():
            rows[a] += value
            columns[b] += value
        cells = {(a, b): value and value / sqrt(rows[a] * columns[b]) for (a, b), value in cells.items()}
        largest = max(cells.values()) or 1  # a common factor changes nothing but keeps numbers in range
        cells = {pair: value / largest for pair, value in cells.items()}
    return cells


def with_certain(logs, known, apart):
    """L with 0 for known pairs and nothing for other pairs of their labels, and for pairs that are apart."""
    fixed = {}
    for (a, b), value in logs.items():
        is_excluded = a in known or b in known.values() or (a, b) in apart
        fixed[a, b] = 0.0 if known.get(a) == b else -inf if is_excluded else value
    return fixed


def products(h_a, h_b, alike, weight):
    """The terms weight H_A(a, x) M(x, y) H_B(b, y), by a, b, x and y."""
    terms = {}
    for (a, x), of_a in h_a.items():
        for (b, y), of_b in h_b.items():
            terms[a, b, x, y] = weight * of_a * alike.get((x, y), 0.0) * of_b
    return terms


def with_pad(cells):
    return cells | {(None, None): 1.0}


class Logs:
    """Two logs, and what is computed of each once."""

    def __init__(self, traces_a, traces_b, apart=()):
        self.a, self.b, self.apart = traces_a, traces_b, apart
        self.labels_a, self.labels_b = labels_of(traces_a), labels_of(traces_b)
        self.h_a, self.h_b = ({o: company(traces, o) for o in OFFSETS} for traces in (traces_a, traces_b))
        self.t_a, self.t_b = togetherness(traces_a), togetherness(traces_b)

    def terms(self, alike, together):
        """All terms of S, by offset."""
        terms = {o: products(self.h_a[o], self.h_b[o], with_pad(alike), weight) for o, weight in OFFSETS.items()}
        if together:
            terms[0] = products(self.t_a, self.t_b, alike, together)
        return terms

    def sums(self, alike, together):
        """S of all pairs."""
        total = Counter()
        for of_offset in self.terms(alike, together).values():
            for (a, b, _, _), term in of_offset.items():
                total[a, b] += term
        return total

    def rounds(self, start, constant, powers, together, known, trust):
        """Some rounds: the scores, L, and the M of the last round."""
        logs = with_certain(less_largest(start), known, self.apart)
        for power in powers:
            alike = balanced(logs, power)
            s = self.sums(alike, together)
            new = less_largest({pair: trust * log(max(s[pair], 1e-9)) + constant[pair] for pair in logs})
            logs = with_certain(new, known, self.apart)
        scores = {pair: value ** (1 / 16) for pair, value in balanced(logs, 16).items()}
        return scores, logs, alike

    def view(self, name, known, points, trust):
        """The twelve rounds with one view."""
        together, g, cases, ends = VIEWS[name]
        p = profile_likeness(self.a, self.b, cases, ends)
        start = {pair: trust * p[pair] + points[pair] for pair in p}
        constant = {pair: trust * g * p[pair] + points[pair] for pair in p}
        return self.rounds(start, constant, [2 + 14 * i / 11 for i in range(12)], together, known, trust)

    def agreements(self, assigned):
        """How far the neighbours of all pairs agree, if each label counts as its partner."""
        return {pair: min(max(s, 0), 1) for pair, s in self.sums(dict.fromkeys(assigned, 1.0), 0).items()}

    def agreement(self, assigned):
        """The mean over the events of both logs; events without a partner agree in nothing."""
        of_pairs = self.agreements(assigned)
        partner_a, partner_b = dict(assigned), {b: a for a, b in assigned}
        events_a, events_b = ([x for trace in traces for x in trace] for traces in (self.a, self.b))
        mean_a = sum(of_pairs[x, partner_a[x]] for x in events_a if x in partner_a) / len(events_a)
        mean_b = sum(of_pairs[partner_b[x], x] for x in events_b if x in partner_b) / len(events_b)
        return (mean_a + mean_b) / 2

    def frequency_agreement(self, certain, cautious=False):
        """How far frequencies of all pairs agree: of cases, and of events per case."""
        total = Counter()
        for quantity in (share_of_cases, events_per_case):
            by_choice = cautious and quantity is share_of_cases
            q_a = {x: quantity(self.a, x) for x in self.labels_a}
            q_b = {x: quantity(self.b, x) for x in self.labels_b}
            with_choice = [1 - min(in_cases(self.a, a), in_cases(self.b, b)) if by_choice else 1.0 for a, b in certain]
            differences = [(q_a[a][0] - q_b[b][0], q_a[a][1] + q_b[b][1]) for a, b in certain]
            spread = spread_of(differences, with_choice, 2.0 if by_choice else 0.0)
            for a, (value_a, s_a) in q_a.items():
                for b, (value_b, s_b) in q_b.items():
                    total[a, b] -= log1p((value_a - value_b) ** 2 / (spread + s_a + s_b))
        return total


def in_cases(traces, label):
    return sum(label in trace for trace in traces) / sum(len(trace) > 0 for trace in traces)


def share_of_cases(traces, label):
    """ln of the share of cases (half a case added), and its variance by chance."""
    n, with_label = sum(len(trace) > 0 for trace in traces), sum(label in trace for trace in traces)
    return log((with_label + 0.5) / n), (1 - with_label / n) / with_label + 0.5 / with_label**2


def events_per_case(traces, label):
    with_label = sum(label in trace for trace in traces)
    repeats = len(places(traces, label)) / with_label
    return log(repeats), (repeats - 1 + 0.1) / repeats**2 / with_label


def spread_of(certain, counts, usual):
    """τ², in 20 steps; 25 at most, and if there are no certain pairs. ``usual`` pairs with τ² = 1 are added."""
    if not certain:
        return 25.0
    spread = 0.0
    for _ in range(20):
        excess = [n * (2 / (1 + d**2 / (spread + s)) * d**2 - s) for (d, s), n in zip(certain, counts, strict=True)]
        spread = min(max((sum(excess) + usual) / max(sum(counts) + usual, 1e-9), 0.0), 25.0)
    return max(spread, 1e-4)


def best_assignment(scores, logs):
    """The one-to-one pairs with the largest sum, without those that are apart, and whether no others come near."""
    pairs, is_clear = all_assigned(scores, logs.labels_a, logs.labels_b)
    return [pair for pair in pairs if pair not in logs.apart], is_clear


def all_assigned(scores, labels_a, labels_b):
    """The one-to-one pairs with the largest sum, by trying all, and whether no other comes near."""
    if len(labels_a) > len(labels_b):
        pairs, is_clear = all_assigned({(b, a): s for (a, b), s in scores.items()}, labels_b, labels_a)
        return [(a, b) for b, a in pairs], is_clear
    trials = []
    for chosen in permutations(labels_b, len(labels_a)):
        pairs = list(zip(labels_a, chosen, strict=True))
        trials.append((sum(scores[pair] for pair in pairs), pairs))
    trials.sort(key=lambda trial: -trial[0])
    return trials[0][1], len(trials) == 1 or trials[0][0] - trials[1][0] > 1e-9


def certain_pairs(logs, scores, assigned):
    """Assigned pairs that are the best of both their labels, in at least three cases of both logs."""
    certain = []
    for a, b in assigned:
        is_best = scores[a, b] >= max(value for (x, y), value in scores.items() if a == x or b == y) - 1e-12
        cases = min(sum(a in trace for trace in logs.a), sum(b in trace for trace in logs.b))
        if is_best and cases >= 3:
            certain.append((a, b))
    return certain


def closeness(agreement):
    return -log(1.01 - agreement) - 2


def logarithm(cases):
    return log(min(cases, 150)) - 2.5


def logit(share):
    share = min(max(share, 0.01), 0.99)
    return log(share / (1 - share))


def lead(scores, a, b):
    """How far ahead a pair is of the next in its row, and in its column; not at all, if there is none."""
    row = [value for (x, y), value in scores.items() if x == a and y != b]
    column = [value for (x, y), value in scores.items() if y == b and x != a]
    return sum(tanh(6 * log(max(scores[a, b], 1e-12) / max(*others, 1e-12))) for others in (row, column) if others)


def clear_pairs(scores, assigned):
    """The assigned pairs that no exchange with another pair, or with a label without a partner, leaves as good."""
    with_partner_a, with_partner_b = {a for a, _ in assigned}, {b for _, b in assigned}
    clear = []
    for a, b in assigned:
        costs = [scores[a, b] + scores[x, y] - scores[a, y] - scores[x, b] for x, y in assigned if (x, y) != (a, b)]
        costs += [scores[a, b] - value for (x, y), value in scores.items() if x == a and y not in with_partner_b]
        costs += [scores[a, b] - value for (x, y), value in scores.items() if y == b and x not in with_partner_a]
        if min([*costs, scores[a, b]]) > 1e-9:
            clear.append((a, b))
    return clear


def score_share(scores, a, b):
    """The part of a pair's score, to the power 16, in its row times that in its column."""
    weights = {pair: max(value, 1e-12) ** 16 for pair, value in scores.items()}
    row = sum(value for (x, _), value in weights.items() if x == a)
    column = sum(value for (_, y), value in weights.items() if y == b)
    return weights[a, b] / row * weights[a, b] / column


def cross_kin(logs, known=(), points=None, trust=1.0):
    """Scores, L, M, assigned pairs and frequencies of the last rounds, and whether no tie plays a part."""
    known = dict(known)
    points = points or dict.fromkeys(((a, b) for a in logs.labels_a for b in logs.labels_b), 0.0)
    views = {}
    for name in VIEWS:
        scores, log_scores, _ = logs.view(name, known, points, trust)
        assigned, is_clear = best_assignment(scores, logs)
        views[name] = (scores, log_scores, assigned, is_clear, logs.agreement(assigned))
    kept = max(VIEWS, key=lambda name: views[name][-1])
    scores, log_scores, assigned, *_ = views[kept]
    frequencies = logs.frequency_agreement(certain_pairs(logs, scores, assigned))
    constant = {pair: trust * 0.5 / 16 * frequencies[pair] + points[pair] for pair in scores}
    start = {pair: log_scores[pair] + constant[pair] for pair in scores}
    scores, log_scores, alike = logs.rounds(start, constant, [6 + 2 * i for i in range(6)], VIEWS[kept][0], known, trust)
    last, is_clear = best_assignment(scores, logs)
    (_, _, first, first_clear, first_agreement), (_, _, second, second_clear, second_agreement) = views.values()
    is_clear = is_clear and first_clear and second_clear
    is_clear = is_clear and (sorted(first) == sorted(second) or abs(first_agreement - second_agreement) > 1e-9)
    seconded = set(first) & set(second)
    return {
        "scores": scores,
        "log_scores": log_scores,
        "alike": alike,
        "assigned": last,
        "frequencies": frequencies,
        "together": VIEWS[kept][0],
        "seconded": seconded,
        "is_clear": is_clear,
    }


def exchange_shares(logs, assigned, frequencies, agreement):
    """What each pair gets if the partners of two assigned pairs may be exchanged, or a free label taken; by labels."""
    partner_a, partner_b = dict(assigned), {b: a for a, b in assigned}

    def evidence(a, b, mapping):
        """E of a pair in a mapping: 6 closeness of the neighbours + half the agreement of the frequencies."""
        s = sum(
            weight * logs.h_a[o][a, x] * logs.h_b[o][b, y]
            for o, weight in OFFSETS.items()
            for x, y in [*mapping.items(), (None, None)]
        )
        return 6 * closeness(min(max(s, 0), 1)) + 0.5 * frequencies[a, b]

    odds = {}
    for a, b in assigned:
        own = evidence(a, b, partner_a)
        for k, m in assigned:
            changed = partner_a | {a: m, k: b}
            odds[a, m] = exp(min(evidence(a, m, changed) + evidence(k, b, changed) - own - evidence(k, m, partner_a), 0))
        for m in set(logs.labels_b) - set(partner_b):
            odds[a, m] = exp(min(evidence(a, m, partner_a | {a: m}) - own, 0))
        for k in set(logs.labels_a) - set(partner_a):
            without = {x: y for x, y in partner_a.items() if x != a}
            odds[k, b] = exp(min(evidence(k, b, without | {k: b}) - own, 0))
    rows, columns = Counter(), Counter()
    for (a, b), value in odds.items():
        rows[a] += value
        columns[b] += value
    return {(a, b): value / max(rows[a], columns[b]) for (a, b), value in odds.items()}
