"""Whether what is learned from ten decided pairs of a log ranks the rest of its judged pairs better.

    python measurements/learning.py              # a few minutes

Ten pairs are decided as the truth says: the 5 most probable ones, and 5 of the others at random, DRAWS times. The average precision
of the probability over all other judged pairs is taken before and after. Natural: the four logs of BPIC15, judged by a person
(judged_pairs.csv), second names hidden; the shipped weights were fitted on these pairs, which favours *before*. Planted: labels that
are split into several names by period or by resource, and the MOST most interchangeable pairs of the log as those that are judged.
Intervals: logs are drawn again, of each log its draws (95 %).
"""

import numpy as np
from fit_same_step import LOGS, family, planted_logs
from judged_pairs import read as read_judged

from actalike import datasets, read_log, same_step
from actalike.labels import DecidedGroup, Decisions, learn

DRAWS = 20
MOST = 60
PLANTED = (
    "BPIC13_closed_problems",
    "BPIC20_DomesticDeclarations",
    "BPIC20_PermitLog",
    "BPIC20_PrepaidTravelCost",
    "BPIC20_RequestForPayment",
    "CCC19",
    "Env_Permit",
    "Helpdesk",
    "NASA",
    "RTFM",
)
KINDS = ("period", "resource")


def average_precision(log_odds, right):
    """The mean over the right ones of the share of right ones so far; of equal log-odds, the right ones come last."""
    order = np.lexsort((right, -log_odds.round(9)))
    hits = right[order]
    return float((np.cumsum(hits) / np.arange(1, len(hits) + 1))[hits].mean())


def judged_logs():
    """Yield name, labels compared, pairs, and which of them are one step."""
    for name, path in sorted(datasets.find(LOGS).items()):
        if family(name) == "BPIC15":
            log = read_log(path, attributes=["org:resource"])
            pairs = [pair for pair in read_judged() if pair.log == name and pair.verdict != "unclear"]
            yield name, "natural", same_step(log), [(p.a, p.b) for p in pairs], [p.verdict == "synonyms" for p in pairs]
    for name, path in sorted(datasets.find(LOGS).items()):
        if name not in PLANTED:
            continue
        log = read_log(path, attributes="people")
        for kind, planted, partners in planted_logs(name, log):
            if kind.rpartition("-")[0] not in KINDS or not kind.endswith("-0"):
                continue
            same = same_step(planted)
            rows, columns = np.triu_indices(len(planted.activities), 1)
            likely = np.argsort(-same.log_odds_interchangeable[rows, columns].round(9), kind="stable")[:MOST]
            pairs = [(planted.activities[i], planted.activities[j]) for i, j in zip(rows[likely], columns[likely], strict=True)]
            yield f"{name} {kind}", "planted", same, pairs, partners[rows[likely], columns[likely]].tolist()


def united(pairs):
    """The sets of labels that pairs link."""
    sets = []
    for pair in pairs:
        linked = [one for one in sets if not one.isdisjoint(pair)]
        sets = [one for one in sets if one not in linked] + [set(pair).union(*linked)]
    return sets


def compared(same, pairs, right, seed):
    """The average precision of the pairs that are not decided, before and after; None if they are all right or all wrong."""
    log_odds = np.array([same.log_odds[*(same.activities.index(label) for label in pair)] for pair in pairs])
    right = np.array(right)
    order = np.argsort(-log_odds.round(9), kind="stable")
    chosen = [*order[:5], *np.random.default_rng(seed).choice(order[5:], 5, replace=False)]
    groups = [DecidedGroup(pairs[k][0], pairs[k], "rejected") for k in chosen if not right[k]]
    groups += [DecidedGroup(min(members), tuple(sorted(members))) for members in united([pairs[k] for k in chosen if right[k]])]
    accepted = [set(group.activities) for group in groups if group.decision == "accepted"]
    told = [k for k, pair in enumerate(pairs) if any(members.issuperset(pair) for members in accepted)]
    rest = np.setdiff1d(np.arange(len(pairs)), [*chosen, *told])
    if right[rest].all() or not right[rest].any():
        return None
    adjusted, _ = learn(same, Decisions(tuple(groups)))
    after = np.array([adjusted.log_odds[*(same.activities.index(label) for label in pair)] for pair in pairs])
    return average_precision(log_odds[rest], right[rest]), average_precision(after[rest], right[rest])


def interval(by_log):
    """The mean over logs of the gain, and its interval."""
    chance = np.random.default_rng(0)
    means = []
    for _ in range(2000):
        some = chance.integers(len(by_log), size=len(by_log))
        means.append(np.mean([np.mean(chance.choice(by_log[k], len(by_log[k]))) for k in some]))
    return np.mean([np.mean(one) for one in by_log]), *np.quantile(means, (0.025, 0.975))


def main():
    gains = {"natural": [], "planted": []}
    for name, kind, same, pairs, right in judged_logs():
        if len(pairs) < 20:
            continue
        found = [one for seed in range(DRAWS) if (one := compared(same, pairs, right, seed)) is not None]
        if not found:
            continue
        before, after = np.transpose(found)
        gains[kind].append(after - before)
        print(f"{name:36} {len(pairs):3} pairs, {sum(right):3} right: {before.mean():.3f} -> {after.mean():.3f}", flush=True)
    for kind, by_log in gains.items():
        mean, low, high = interval(by_log)
        print(f"{kind}: {len(by_log)} logs, gain {mean:+.3f} [{low:+.3f}, {high:+.3f}]")


if __name__ == "__main__":
    main()
