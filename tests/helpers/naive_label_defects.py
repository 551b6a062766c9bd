"""Planted label defects by their definitions: event by event, with plain loops."""

from actalike.benchmark.seeded_generator import random_words, seed_of


def number_of_name(shares, word):
    """The first name whose cumulated share exceeds u."""
    u, cumulated = int(word) / 2**64, 0.0
    for number, share in enumerate(shares):
        cumulated += share
        if u < cumulated:
            return number
    return len(shares) - 1


def events_of(log, label):
    """Case and position in the log of every event with a label."""
    places = []
    for case in range(log.n_cases):
        for event in range(log.offsets[case], log.offsets[case + 1]):
            if log.activities[log.codes[event]] == label:
                places.append((case, event))
    return places


def by_case(log, shares, label, seed):
    words = random_words(seed_of(*seed), log.n_cases)
    return [number_of_name(shares, words[case]) for case, _ in events_of(log, label)]


def by_event(log, shares, label, seed):
    places = events_of(log, label)
    return [number_of_name(shares, word) for word in random_words(seed_of(*seed), len(places))]


def by_period(log, shares, label, seed):
    places = events_of(log, label)
    starts = {case: min(log.timestamps[log.offsets[case] : log.offsets[case + 1]]) for case, _ in places}
    ordered = sorted(starts, key=lambda case: (starts[case], case))
    period, cumulated, number = {}, 0.0, 0
    for place, case in enumerate(ordered):
        while number < len(shares) - 1 and place >= int((cumulated + shares[number]) * len(ordered) + 0.5):
            cumulated += shares[number]
            number += 1
        period[case] = number
    return [period[case] for case, _ in places]


def by_resource(log, shares, label, seed, resources):
    places = events_of(log, label)
    known = sorted({resources[event] for _, event in places})
    words = random_words(seed_of(*seed), len(known)).tolist()
    given = [0] * len(shares)
    name = {}
    for _, resource in sorted(zip(words, known, strict=True)):
        lacking = [round(share * len(places) - n, 9) for share, n in zip(shares, given, strict=True)]
        name[resource] = lacking.index(max(lacking))
        given[name[resource]] += sum(resources[event] == resource for _, event in places)
    return [name[resources[event]] for _, event in places]


def events_of_part(log, by, seed, resources):
    """Whether each event has the words of the second vocabulary."""
    words = random_words(seed_of(*seed), log.n_cases).tolist()
    starts = [min(log.timestamps[log.offsets[case] : log.offsets[case + 1]]) for case in range(log.n_cases)]
    later = sorted(range(log.n_cases), key=lambda case: (starts[case], case))[(log.n_cases + 1) // 2 :]
    whole = [(case, event) for case in range(log.n_cases) for event in range(log.offsets[case], log.offsets[case + 1])]
    if by == "resource":
        one_label = log.relabel(lambda label: "any")
        return [number == 1 for number in by_resource(one_label, (0.5, 0.5), "any", seed, resources)]
    return [case in later if by == "period" else words[case] % 8 >= 4 for case, _ in whole]
