"""When a process changed, by the definitions: properties as sets, shares and z² as loops over cases."""

from collections import Counter
from math import asin, sqrt

TIMES = (1, 2, 4, 8, 16)


def properties(trace):
    """Return what is true of a case, as (kind, a, b, times); nothing of an empty one."""
    if not trace:
        return set()
    followed = Counter(zip([None, *trace], [*trace, None], strict=True))
    counts = {
        **{("contains", label, None): times for label, times in Counter(trace).items()},
        **{("followed", a, b): times for (a, b), times in followed.items()},
    }
    found = {(*one, least) for one, times in counts.items() for least in TIMES if times >= least}
    later = {("later", trace[i], trace[i + step], 1) for step in (2, 3, 4) for i in range(len(trace) - step)}
    return found | later


def squared_z(before, after, what):
    """Return z² of a property for cases before and after a split, given as the sets of what they have."""
    shares = [sum(what in case for case in side) / len(side) for side in (before, after)]
    size = len(before) * len(after) / (len(before) + len(after))
    return 4 * size * (asin(sqrt(shares[0])) - asin(sqrt(shares[1]))) ** 2


def statistics(cases, split, columns):
    """Return the three statistics of a split: the largest z², the sum of the ten largest, the sum of all."""
    z = sorted((squared_z(cases[:split], cases[split:], what) for what in columns), reverse=True)
    return z[0], sum(z[:10]), sum(z)
