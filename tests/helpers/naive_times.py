"""Unusual times, by their definition (oddities/times.py): loops over events, and a sorted list for each pair of activities."""

import math
from collections import defaultdict


def naive_times(log):
    """Return for each event its scores as slow, fast and doubled."""
    scores = [[0.0, 0.0, 0.0] for _ in range(log.n_events)]
    waits = defaultdict(list)
    wait_of = {}
    copies = defaultdict(list)
    for start, end in zip(log.offsets, log.offsets[1:], strict=False):
        for event in range(start, end):
            if event > start:
                microseconds = (log.timestamps[event] - log.timestamps[event - 1]).astype("timedelta64[us]").astype(object)
                if microseconds is not None and microseconds.total_seconds() >= 0:
                    pair = log.codes[event - 1], log.codes[event]
                    wait_of[event] = pair, math.log(1 + microseconds.total_seconds())
                    waits[pair].append(wait_of[event][1])
            earlier = event - 1
            while earlier >= start and log.timestamps[earlier] == log.timestamps[event]:
                if _facts(log, earlier) == _facts(log, event):
                    copies[log.codes[event]].append(event)
                    break
                earlier -= 1
    judged = sum(len(own) for own in waits.values() if len(own) >= 20)
    for event, (pair, wait) in wait_of.items():
        for column, sign in enumerate((1, -1)):
            scores[event][column] = _score(sign * wait, sorted(sign * other for other in waits[pair]), judged)
    for code, events in copies.items():
        for event in events:
            scores[event][2] = math.log(1 + sum(log.codes == code) / (len(events) - 1 / 2))
    return scores


def _score(wait, own, judged):
    n = len(own)
    inner, tail = own[n - 1 - n // 4], own[n - 1 - n // 16]
    if n < 20 or wait <= tail:
        return 0.0
    scale = max(0.1, (tail - inner) / math.log(4))
    p = 1 / 16 * (1 + (wait - tail) / (scale * n / 8)) ** (-n / 8)
    return math.log(1 + 1 / (2 * judged * p))


def _facts(log, event):
    return [log.codes[event], *(attribute.codes[event] for attribute in log.attributes.values())]
