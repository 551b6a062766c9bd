"""Define what drift returns: which activities changed, with what came and what went."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from actalike.log import EventLog


class NeighbourChange(NamedTuple):
    """Hold how often an activity has a neighbour, as shares of its events.

    - ``offset``: where: -1 is directly before the activity, 2 is two places after it.
    - ``neighbour``: None for outside the case.
    - ``share_before``, ``share_after``: shares of the activity's events, which can be checked in the logs.
    - ``part``: its exact part of the activity's change.
    """

    offset: int
    neighbour: str | None
    share_before: float
    share_after: float
    part: float


class ChangedActivity(NamedTuple):
    """Hold how much the company of an activity changed.

    - ``activity``: its label; the old one if a new label took its place.
    - ``change``: from 0, the same neighbours, to 1, none in common.
    - ``p``: how likely such a change, or a larger one, is by chance: if its cases are shuffled between the two logs.
    - ``came``, ``went``: the neighbours it has more, or less, often than before: up to 20, the largest part of the change first.
    - ``by_chance``: 95 % of the changes by chance are smaller.
    - ``cases_before``, ``cases_after``, ``events_before``, ``events_after``: how often it is used.
    - ``because_of``: the label whose number of cases explains the change, if one does: cases with and without it are as they
      were, and there are more, or fewer, of them.
    - ``is_rare``: in fewer than 5 cases of a log, too rare to judge. Then it is never among those that changed.
    """

    activity: str
    change: float
    p: float
    came: tuple[NeighbourChange, ...]
    went: tuple[NeighbourChange, ...]
    by_chance: float
    cases_before: int
    cases_after: int
    events_before: int
    events_after: int
    is_rare: bool
    because_of: str | None = None


class PresenceChange(NamedTuple):
    """Hold in how many cases an activity is, before and after, and how likely such a difference is by chance."""

    activity: str
    cases_before: int
    cases_after: int
    p: float


class Replacement(NamedTuple):
    """Hold a label that vanished, the new label that took its place, and how likely they are the same step."""

    old: str
    new: str
    probability: float


@dataclass(frozen=True, repr=False)
class DriftData:
    """Hold what changed between two logs, or two parts of a log.

    - ``changed``: the activities that changed their company beyond chance, the largest change beyond ``by_chance`` first; those
      that another label explains (``because_of``) come after the others.
    - ``all``: every activity of both logs: first those that changed, then the least likely by chance.
    - ``appeared``, ``vanished``: the activities that are new, or gone, or nearly so (20 times rarer), beyond chance.
    - ``more_often``, ``less_often``: the other activities that are in more, or fewer, of the cases, beyond chance.
    - ``replaced``: labels that vanished and whose place a new label took; the two are one step in ``changed`` and ``all``.
    - ``before``, ``after``: the two logs; ``names``: what they are called; ``by``: the attribute whose values these are, or None;
      ``sources``: the files that the two logs were read from, or None.
    - ``left_out``: how many cases of the log are in neither, because they have no timestamp, or no value.
    """

    before: EventLog
    after: EventLog
    names: tuple[str, str]
    by: str | None
    sources: tuple[str, str] | None
    left_out: int
    changed: list[ChangedActivity]
    all: list[ChangedActivity]
    appeared: list[PresenceChange]
    vanished: list[PresenceChange]
    more_often: list[PresenceChange]
    less_often: list[PresenceChange]
    replaced: list[Replacement]

    @property
    def is_stable(self) -> bool:
        """Return whether nothing changed beyond chance."""
        return not (self.changed or self.appeared or self.vanished or self.more_often or self.less_often)

    @property
    def judged(self) -> int:
        """Return how many activities are frequent enough in both logs to tell whether their company changed."""
        return sum(not one.is_rare for one in self.all)

    @property
    def replaced_labels(self) -> set[str]:
        """Return the labels of ``replaced``, old and new: they are not counted as vanished and appeared once more."""
        return {label for one in self.replaced for label in (one.old, one.new)}

    def as_dict(self) -> dict[str, Any]:
        """Return the same facts as plain data."""
        return {
            "sides": list(self.names),
            "by": self.by,
            "sources": None if self.sources is None else list(self.sources),
            "cases": [self.before.n_cases, self.after.n_cases],
            "left_out": self.left_out,
            "judged": self.judged,
            "changed": [_plain(one) for one in self.changed],
            "all": [_plain(one) for one in self.all],
            **{
                name: [one._asdict() for one in getattr(self, name)]
                for name in ("appeared", "vanished", "more_often", "less_often", "replaced")
            },
        }

    def __repr__(self) -> str:
        came, went = (sum(one.activity not in self.replaced_labels for one in kind) for kind in (self.appeared, self.vanished))
        numbers = f"{came:,} appeared, {went:,} vanished, {len(self.replaced):,} replaced"
        cases = f"{self.before.n_cases:,} and {self.after.n_cases:,} cases"
        return f"Drift({cases}; {len(self.changed):,} of {self.judged:,} activities changed, {numbers})"


def _plain(one: ChangedActivity) -> dict[str, Any]:
    return {**one._asdict(), "came": [part._asdict() for part in one.came], "went": [part._asdict() for part in one.went]}
