"""Find what changed between two logs, or two parts of a log: which activities changed their company, came, or went."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from actalike.errors import ActalikeError, LogError
from actalike.io import LogLike, as_log
from actalike.log import EventLog
from actalike.support.arrays import one_thread
from actalike.support.progress import tracked
from actalike.two_logs.drift_card import drift_card
from actalike.two_logs.drift_causes import find_causes
from actalike.two_logs.drift_company import OFFSETS, ActivityCompany, all_activities, companies
from actalike.two_logs.drift_data import ChangedActivity, DriftData, NeighbourChange, PresenceChange, Replacement
from actalike.two_logs.drift_null import FIRST_SHUFFLES, LEVEL, Null, discoveries, shuffle_further
from actalike.two_logs.drift_presence import label_presence, presence_kinds
from actalike.two_logs.drift_replaced import find_replaced
from actalike.two_logs.drift_sides import Sides, divide_at, divide_by, two_sides

ENOUGH_CASES = 5  # of an activity, in each log; fewer prove nothing
_CAUSES = 5  # labels whose number of cases may explain changes: those with the largest difference
_NEIGHBOURS = 20  # that are listed of each activity, of those that came and of those that went


class Drift(DriftData):
    """Hold what changed between two logs, or two parts of a log, as :func:`drift` finds it.

    The attributes are those of :class:`actalike.two_logs.drift_data.DriftData`.
    """

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return drift_card(self)


def drift(before: LogLike, after: LogLike | None = None, *, at: Any = None, by: str | None = None, seed: int = 0) -> Drift:
    """Find which activities changed their company between two logs, and which appeared, vanished or were replaced.

    Give two logs; or one log and ``at``, a date: its cases are divided by their first timestamp; or one log and ``by``, an
    attribute with two values, one in each case. A log is an EventLog, a frame of events (pandas, Polars, pyarrow,
    ...) or an event log of pm4py. What is returned is tested against chance: of all findings, at most 5 % are false on average.
    A label that took the place of another is compared with it as one step, under the old label, so that a new name alone changes
    nothing around it.
    ``seed`` is that of the shuffles; the same seed gives the same result.

    >>> before = EventLog.from_traces([["order", "check", "pay"], ["order", "pay"]] * 50)
    >>> after = EventLog.from_traces([["order", "pay", "check"], ["order", "pay"]] * 50)
    >>> result = drift(before, after)
    >>> result
    Drift(100 and 100 cases; 3 of 3 activities changed, 0 appeared, 0 vanished, 0 replaced)
    >>> result.changed[0].activity, result.changed[0].came[0].neighbour, result.changed[0].went[0].neighbour
    ('check', 'pay', 'order')
    """
    if not isinstance(seed, int | np.integer) or seed < 0:
        raise ActalikeError(f"seed is a whole number from 0 on, not {seed!r}.")
    sides = _sides(before, after, at, by)
    if not set(sides.before.activities) & set(sides.after.activities):
        raise LogError(
            "The two logs have no label in common, so no activity can be followed from one to the other: actalike.match finds "
            "activities that are the same step under other labels (actalike match)."
        )
    labels = all_activities(sides.before, sides.after)
    presence = label_presence(sides)
    with tracked("comparing two logs", len(labels)) as advance, one_thread():
        replaced = find_replaced(sides, [one for one in presence if one.p <= LEVEL / (2 * len(labels))])
        old_name = {one.new: one.old for one in replaced}
        before, after = (log.relabel(lambda label: old_name.get(label, label)) for log in (sides.before, sides.after))
        nulls = {
            label: Null(company, np.random.default_rng([seed, number]))
            for number, (label, company) in enumerate(companies(before, after))
        }
        judged = [label for label, null in nulls.items() if not _is_rare(null.company)]
        tested = [one for one in presence if one.cases_before + one.cases_after >= ENOUGH_CASES]
        for null in nulls.values():
            null.shuffle(FIRST_SHUFFLES)
            advance("shuffled")
        shuffle_further([nulls[label] for label in judged], len(judged) + len(tested))
    every = {label: _changed(label, null, all_activities(before, after)) for label, null in nulls.items()}
    # one family of tests: of all that is said, at most 5 % is false on average, and a stable log shows anything in 5 % of runs
    is_found = discoveries(np.array([*(every[label].p for label in judged), *(one.p for one in tested)]))
    changed = [every[label] for label, found in zip(judged, is_found[: len(judged)], strict=True) if found]
    found_presence = [one for one, found in zip(tested, is_found[len(judged) :], strict=True) if found]
    result = _drift(sides, changed, list(every.values()), found_presence, replaced)
    return _with_causes(result, before, after, seed)


def _sides(before: LogLike, after: LogLike | None, at: Any, by: str | None) -> Sides:
    """Return the two logs: as they are given, or the parts of one."""
    given = [name for name, value in (("a second log", after), ("at", at), ("by", by)) if value is not None]
    if len(given) != 1:
        what = f"{' and '.join(given)} were given" if given else "one log was given, and nothing that divides it"
        raise ActalikeError(f"drift takes two logs, or one log and a date (at), or one log and an attribute (by): {what}.")
    if after is not None:
        return two_sides(as_log(before, "drift"), as_log(after, "drift"))
    if by is not None:
        return divide_by(as_log(before, "drift", attributes=[by]), by)
    return divide_at(as_log(before, "drift"), at)


def _with_causes(result: Drift, before: EventLog, after: EventLog, seed: int) -> Drift:
    """Add to each change the label whose number of cases explains it, if one does."""
    shares = [
        (abs(one.cases_after / result.after.n_cases - one.cases_before / result.before.n_cases), one.activity)
        for one in (*result.more_often, *result.less_often)
    ]
    causes = [label for _, label in sorted(shares, key=lambda one: (-one[0], one[1]))[:_CAUSES]]
    with one_thread():
        because_of = find_causes(before, after, [one.activity for one in result.changed], causes, seed)
    changed = [one._replace(because_of=because_of.get(one.activity)) for one in result.changed]
    changed.sort(key=lambda one: one.because_of is not None)
    return replace(result, changed=changed, all=[*changed, *result.all[len(changed) :]])


def _is_rare(company: ActivityCompany) -> bool:
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


def _drift(
    sides: Sides,
    changed: list[ChangedActivity],
    every: list[ChangedActivity],
    presence: list[PresenceChange],
    replaced: list[Replacement],
) -> Drift:
    """Sort what was found: the largest changes beyond chance first (rare labels change much by chance), presence by kind."""
    names = {one.activity for one in changed}
    rest = [one for one in every if one.activity not in names]
    changed = sorted(changed, key=lambda one: (one.by_chance - one.change, one.activity))
    kinds = presence_kinds(sides, presence)
    return Drift(
        before=sides.before,
        after=sides.after,
        names=sides.names,
        by=sides.by,
        sources=sides.sources,
        left_out=sides.left_out,
        changed=changed,
        all=[*changed, *sorted(rest, key=lambda one: (one.is_rare, one.p, -one.change, one.activity))],
        appeared=kinds.appeared,
        vanished=kinds.vanished,
        more_often=kinds.more_often,
        less_often=kinds.less_often,
        replaced=replaced,
    )
