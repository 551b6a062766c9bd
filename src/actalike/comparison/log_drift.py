"""Find what changed between two logs, or two parts of a log: which activities changed their company, came, or went."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from actalike.comparison.drift_card import drift_card
from actalike.comparison.drift_company import OFFSETS, Company, all_activities, companies
from actalike.comparison.drift_data import ChangedActivity, DriftData, NeighbourChange, PresenceChange, Replacement
from actalike.comparison.drift_null import FIRST_SHUFFLES, Null, discoveries, shuffle_further
from actalike.comparison.drift_presence import presence_p
from actalike.comparison.drift_sides import Sides, divide_at, divide_by
from actalike.comparison.matching import match
from actalike.errors import ActalikeError, LogError
from actalike.io import as_log
from actalike.log import EventLog
from actalike.support.progress import tracked
from actalike.support.threads import one_thread

ENOUGH_CASES = 5  # of an activity, in each log; fewer prove nothing
_NEIGHBOURS = 20  # that are listed of each activity, of those that came and of those that went
_CONFIDENT = 0.7  # how likely a new label must be the same step as the old one
_TIMES_RARER = 20  # from which on an activity counts as new, or gone: a few old cases may still be running


class Drift(DriftData):
    """Hold what changed between two logs, or two parts of a log, as :func:`drift` finds it.

    The attributes are those of :class:`actalike.comparison.drift_data.DriftData`.
    """

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return drift_card(self)


def drift(before: Any, after: Any = None, *, at: Any = None, by: str | None = None, seed: int = 0) -> Drift:
    """Find which activities changed their company between two logs, and which appeared, vanished or were replaced.

    Give two logs; or one log and ``at``, a date: its cases are divided by their first timestamp; or one log and ``by``, an
    attribute of the events with two values, one in each case. A log is an EventLog, a frame of events (pandas, Polars, pyarrow,
    ...) or an event log of pm4py. What is returned is tested against chance: of all findings, at most 5 % are false on average.
    ``seed`` is that of the shuffles; the same seed gives the same result.

    >>> before = EventLog.from_traces([["order", "check", "pay"], ["order", "pay"]] * 50)
    >>> after = EventLog.from_traces([["order", "pay", "check"], ["order", "pay"]] * 50)
    >>> result = drift(before, after)
    >>> result
    Drift(100 and 100 cases; 3 of 3 common activities changed, 0 appeared, 0 vanished, 0 replaced)
    >>> result.changed[0].activity, result.changed[0].came[0].neighbour, result.changed[0].went[0].neighbour
    ('check', 'pay', 'order')
    """
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ActalikeError(f"seed is a whole number from 0 on, not {seed!r}.")
    sides = _sides(before, after, at, by)
    common = sorted(set(sides.before.activities) & set(sides.after.activities))
    if not common:
        raise LogError(
            "The two logs have no label in common, so no activity can be followed from one to the other: actalike.match finds "
            "activities that are the same step under other labels (actalike match)."
        )
    presence = _presence(sides)
    tested = [one for one in presence if one.cases_before + one.cases_after >= ENOUGH_CASES]
    with tracked("comparing two logs", len(common)) as advance, one_thread():
        nulls = {
            label: Null(company, np.random.default_rng([seed, number]))
            for number, (label, company) in enumerate(companies(sides.before, sides.after))
        }
        judged = [label for label, null in nulls.items() if not _is_rare(null.company)]
        for null in nulls.values():
            null.shuffle(FIRST_SHUFFLES)
            advance("shuffled")
        shuffle_further([nulls[label] for label in judged], len(judged) + len(tested))
    labels = all_activities(sides.before, sides.after)
    every = {label: _changed(label, null, labels) for label, null in nulls.items()}
    # one family of tests: of all that is said, at most 5 % is false on average, and a stable log shows anything in 5 % of runs
    is_found = discoveries(np.array([*(every[label].p for label in judged), *(one.p for one in tested)]))
    changed = [every[label] for label, found in zip(judged, is_found[: len(judged)], strict=True) if found]
    found_presence = [one for one, found in zip(tested, is_found[len(judged) :], strict=True) if found]
    return _drift(sides, changed, list(every.values()), found_presence)


def _sides(before: Any, after: Any, at: Any, by: str | None) -> Sides:
    """Return the two logs: as they are given, or the parts of one."""
    given = [name for name, value in (("a second log", after), ("at", at), ("by", by)) if value is not None]
    if len(given) != 1:
        what = f"{' and '.join(given)} were given" if given else "one log was given, and nothing that divides it"
        raise ActalikeError(f"drift takes two logs, or one log and a date (at), or one log and an attribute (by): {what}.")
    if at is not None:
        return divide_at(as_log(before, "drift"), at)
    if by is not None:
        return divide_by(as_log(before, "drift", attributes=[by]), by)
    return Sides(as_log(before, "drift"), as_log(after, "drift"), ("before", "after"), None, 0)


def _presence(sides: Sides) -> list[PresenceChange]:
    """Return in how many cases each activity of either log is, with its p."""
    labels = all_activities(sides.before, sides.after)
    counts = [dict(zip(log.activities, log.activity_cases.tolist(), strict=True)) for log in (sides.before, sides.after)]
    before, after = (np.array([one.get(label, 0) for label in labels]) for one in counts)
    p = presence_p(before, after, sides.before.n_cases, sides.after.n_cases)
    return [PresenceChange(*one) for one in zip(labels, before.tolist(), after.tolist(), p.tolist(), strict=True)]


def _is_rare(company: Company) -> bool:
    return bool(min(company.before.sum(), company.after.sum()) < ENOUGH_CASES)


def _changed(label: str, null: Null, labels: Sequence[str]) -> ChangedActivity:
    company = null.company
    shares_before, shares_after, parts = company.parts()
    order = np.argsort(-parts, kind="stable")
    came = [i for i in order.tolist() if shares_after[i] > shares_before[i]][:_NEIGHBOURS]
    went = [i for i in order.tolist() if shares_after[i] < shares_before[i]][:_NEIGHBOURS]
    symbols: list[str | None] = [*labels, None]

    def neighbour(i: int) -> NeighbourChange:
        figures = float(shares_before[i]), float(shares_after[i]), float(parts[i])
        return NeighbourChange(OFFSETS[company.offset[i]], symbols[company.neighbour[i]], *figures)

    return ChangedActivity(
        activity=label,
        change=null.change,
        p=null.p,
        came=tuple(map(neighbour, came)),
        went=tuple(map(neighbour, went)),
        by_chance=null.by_chance,
        cases_before=int(company.before.sum()),
        cases_after=int(company.after.sum()),
        events_before=int(company.events @ company.before),
        events_after=int(company.events @ company.after),
        is_rare=_is_rare(company),
    )


def _drift(sides: Sides, changed: list[ChangedActivity], every: list[ChangedActivity], presence: list[PresenceChange]) -> Drift:
    """Sort what was found: the largest changes beyond chance first (rare labels change much by chance), presence by kind."""
    names = {one.activity for one in changed}
    rest = [one for one in every if one.activity not in names]
    changed = sorted(changed, key=lambda one: (one.by_chance - one.change, one.activity))
    share = {one.activity: (one.cases_before / sides.before.n_cases, one.cases_after / sides.after.n_cases) for one in presence}
    ordered = sorted(presence, key=lambda one: (-abs(share[one.activity][1] - share[one.activity][0]), one.activity))
    rising = [one for one in ordered if share[one.activity][1] > share[one.activity][0]]
    falling = [one for one in ordered if share[one.activity][1] < share[one.activity][0]]
    appeared = [one for one in rising if _TIMES_RARER * share[one.activity][0] <= share[one.activity][1]]
    vanished = [one for one in falling if _TIMES_RARER * share[one.activity][1] <= share[one.activity][0]]
    return Drift(
        before=sides.before,
        after=sides.after,
        names=sides.names,
        by=sides.by,
        left_out=sides.left_out,
        changed=changed,
        all=[*changed, *sorted(rest, key=lambda one: (one.is_rare, one.p, -one.change, one.activity))],
        appeared=appeared,
        vanished=vanished,
        more_often=[one for one in rising if one not in appeared],
        less_often=[one for one in falling if one not in vanished],
        replaced=_replaced(sides, [one.activity for one in vanished], [one.activity for one in appeared]),
    )


def _replaced(sides: Sides, vanished: list[str], appeared: list[str]) -> list[Replacement]:
    """Match the labels that vanished with those that appeared; all other labels of both logs are known to be the same.

    The few events of labels that are nearly gone, or nearly new, are left out: they are on the wrong side of the change.
    """
    if not vanished or not appeared:
        return []
    before, after = _without(sides.before, appeared), _without(sides.after, vanished)
    known = {label: label for label in sorted(set(before.activities) & set(after.activities))}
    pairs = match(before, after, known).pairs
    confident = [pair for pair in pairs if pair.probability >= _CONFIDENT]
    return [Replacement(*pair) for pair in confident if pair.a in vanished and pair.b in appeared]


def _without(log: EventLog, labels: list[str]) -> EventLog:
    """Return a log without the events of some labels."""
    left_out = np.isin(log.codes, [i for i, label in enumerate(log.activities) if label in labels])
    case = np.repeat(np.arange(log.n_cases), log.lengths)[~left_out]
    offsets = np.append(0, np.cumsum(np.bincount(case, minlength=log.n_cases)))
    return EventLog(log.activities, log.codes[~left_out], offsets, log.case_ids)
