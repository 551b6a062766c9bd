"""Find what changed between two logs, or two parts of a log: which activities have other neighbours, came, or went.

How changes are found is in :mod:`actalike.two_logs.changes`, which needs variants alone. Here is what is compared with what, the
result, and how it is said: in sentences, for JSON, as a frame, and as the card of a notebook. Labels come from logs and are not
trusted: in the card they are escaped and shown as text.
"""

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

from actalike.counting import log_or_variants
from actalike.errors import ActalikeError, LogError, did_you_mean, shortened
from actalike.io import LogLike, as_log, how_to_fetch
from actalike.labels import Usage, day_words
from actalike.log import AnyLog, EventLog, Variants, case_beginnings, cases_of
from actalike.support.arrays import one_thread
from actalike.support.frames import FrameKind, as_kind
from actalike.support.progress import tracked
from actalike.support.text import and_more, card, counted, label_html, one_line, percent
from actalike.two_logs.changes import (
    CONFIDENT,
    ChangedActivity,
    NeighbourChange,
    PresenceChange,
    Replacement,
    all_activities,
    find_changes,
)
from actalike.two_logs.log_changes import (
    ChangePoint,
    ChangePoints,
    change_points,
    change_points_limits,
    has_order,
    period_begins,
)

_SHOWN_VALUES = 5  # of an attribute with too many, in an error
_SHOWN_NEIGHBOURS = 2  # that came, and that went
_SHOWN = 10  # in a card: activities that changed, and labels of each kind
_NOTABLE = 0.01  # a difference of shares below it is not worth a line, unless there is no larger one
_FEWEST_DIGITS, _MOST_DIGITS = 2, 12  # of a change
_COLUMNS = {  # of the frame
    "activity": pl.String,
    "is_changed": pl.Boolean,
    "change": pl.Float64,
    "by_chance": pl.Float64,
    "p": pl.Float64,
    "because_of": pl.String,
    "presence": pl.String,
    "presence_p": pl.Float64,
    "replaced_by": pl.String,
    "cases_before": pl.Int64,
    "cases_after": pl.Int64,
    "words": pl.String,
}


def drift(
    before: LogLike | Variants, after: LogLike | Variants | None = None, *, at: Any = None, by: str | None = None, seed: int = 0
) -> "Drift":
    """Find which activities have different neighbours in two logs, and which appeared, vanished or were replaced.

    Give two logs; or one log and ``at``, a date: its cases are divided by their first timestamp; or one log and ``by``, an
    attribute with two values, one in each case. One log alone is divided at the clearest of its changes
    (:func:`actalike.change_points`), from the change before it to the one after it. A log is an EventLog, Variants, a frame of
    events (pandas, Polars, pyarrow, ...), a table of an engine (DuckDB, Spark, Ibis), whose variants are read, or an event log of
    pm4py. Variants are divided by their strata: two values of a column need nothing more, periods are divided by ``at``, or at a
    change. What is returned is tested against chance: of all findings, at most 5 % are false on average. A label that took the
    place of another is compared with it as one step, under the old label, so that a new name alone changes nothing around it.
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
        raise ActalikeError(f"seed must be an integer of 0 or more, not {seed!r}.")
    sides = _sides(before, after, at, by, int(seed))
    return _compared(sides, int(seed))


def drift_at(changes: ChangePoints, point: ChangePoint, seed: int = 0) -> "Drift":
    """Find what changed at a change of a log, between the changes before it and after it."""
    return _compared(divide_at_change(changes, point), seed)


def _compared(sides: "Sides", seed: int) -> "Drift":
    first, second = sides.before.variants.in_order, sides.after.variants.in_order  # so that each order of cases is shuffled alike
    if not set(first.activities) & set(second.activities):
        raise LogError(
            "The two logs have no label in common, so no activity can be followed from one to the other: actalike.match finds "
            "activities that are the same step under other labels (actalike match)."
        )
    with tracked("comparing two logs", len(all_activities(first, second))) as advance, one_thread():
        found = find_changes(first, second, seed, advance)
    return Drift(sides.before, sides.after, sides.names, sides.by, sides.sources, sides.left_out, *found)


@dataclass(frozen=True, repr=False)
class Drift:
    """Hold what changed between two logs, or two parts of a log. :func:`drift` makes it.

    - ``changed``: the activities whose neighbours changed beyond chance, the largest change beyond ``by_chance`` first; those
      that another label explains (``because_of``) come after the others.
    - ``all``: every activity of both logs: first those that changed, then the least likely by chance.
    - ``appeared``, ``vanished``: the activities that are new, or gone, or nearly so (20 times rarer), beyond chance.
    - ``more_often``, ``less_often``: the other activities that are in more, or fewer, of the cases, beyond chance.
    - ``replaced``: labels that vanished and whose place a new label took; the two are one step in ``changed`` and ``all``.
    - ``before``, ``after``: the two logs; ``names``: what they are called; ``by``: the attribute whose values these are, or None;
      ``sources``: the files that the two logs were read from, or None.
    - ``left_out``: how many cases of the log are in neither, because they have no timestamp, or no value.
    """

    before: AnyLog
    after: AnyLog
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
        """Return how many activities are frequent enough in both logs to tell whether their neighbours changed."""
        return sum(not one.is_rare for one in self.all)

    @property
    def replaced_labels(self) -> set[str]:
        """Return the labels of ``replaced``, old and new: they are not counted as vanished and appeared once more."""
        return {label for one in self.replaced for label in (one.old, one.new)}

    def to_dict(self) -> dict[str, Any]:
        """Return the facts that ``actalike drift --json`` prints (docs/reference/json.md)."""
        kinds = ("appeared", "vanished", "more_often", "less_often", "replaced")
        first = first_side(self)
        return {
            "schema": "actalike/drift/1",
            "verdict": drift_headline(self),
            "limits": drift_limits(self),
            "sides": list(self.names),
            "by": self.by,
            "sources": None if self.sources is None else list(self.sources),
            "cases": [self.before.n_cases, self.after.n_cases],
            "left_out": self.left_out,
            "judged": self.judged,
            "changed": [{**_plain(one), "words": change_words(one, first)} for one in self.changed],
            "all": [_plain(one) for one in self.all],
            **{kind: [one._asdict() for one in getattr(self, kind)] for kind in kinds},
            "names": {**self.before.names, **self.after.names},
        }

    def as_dict(self) -> dict[str, Any]:
        """Return what :meth:`to_dict` returns: the name of version 0.2."""
        warnings.warn("Drift.as_dict() is called to_dict() now.", DeprecationWarning, stacklevel=2)
        return self.to_dict()

    def to_frame(self, kind: FrameKind | None = None) -> Any:
        """Return a frame with a row for each activity: those that both logs have as in ``all``, then those that came or went.

        ``presence`` says whether it appeared, vanished, or is in more or fewer of the cases, beyond chance. ``words`` say how
        it changed. What an activity does not have is null. ``kind`` is that of the frame that the first log was read from,
        Polars for other logs.

        >>> log = EventLog.from_traces([["a", "b"]] * 9)
        >>> drift(log, log).to_frame().select("activity", "is_changed", "cases_after").rows()
        [('a', False, 9), ('b', False, 9)]
        """
        return as_kind(pl.DataFrame(list(self._rows()), schema=_COLUMNS), kind or self.before.frame_kind)

    def _rows(self) -> Iterator[dict[str, Any]]:
        changed, new_label = {one.activity for one in self.changed}, {one.old: one.new for one in self.replaced}
        kinds = {
            "appeared": self.appeared,
            "vanished": self.vanished,
            "more cases": self.more_often,
            "fewer cases": self.less_often,
        }
        presence = {
            one.activity: {**one._asdict(), "presence": kind, "presence_p": one.p, "p": None}
            for kind, group in kinds.items()
            for one in group
        }
        for one in self.all:
            is_changed = one.activity in changed
            words = "; ".join(change_words(one, first_side(self))) if is_changed else None
            of_both = {"is_changed": is_changed, "words": words, "replaced_by": new_label.get(one.activity)}
            yield {**presence.pop(one.activity, {}), **one._asdict(), **of_both}
        yield from presence.values()

    def __repr__(self) -> str:
        came, went = (sum(one.activity not in self.replaced_labels for one in kind) for kind in (self.appeared, self.vanished))
        numbers = f"{came:,} appeared, {went:,} vanished, {len(self.replaced):,} replaced"
        cases = f"{self.before.n_cases:,} and {self.after.n_cases:,} cases"
        return f"Drift({cases}; {len(self.changed):,} of {self.judged:,} activities changed, {numbers})"

    def _repr_html_(self) -> str:
        """Return the HTML that a notebook shows."""
        return drift_card(self)


def _plain(one: ChangedActivity) -> dict[str, Any]:
    return {**one._asdict(), "came": [part._asdict() for part in one.came], "went": [part._asdict() for part in one.went]}


def drift_headline(drift: Drift) -> str:
    """Return the result in one sentence.

    >>> log = EventLog.from_traces([["a", "b"]] * 9)
    >>> drift_headline(drift(log, log))
    'Nothing changed beyond chance: 2 activities in 9 and 9 cases were compared.'
    """
    cases = f"{drift.before.n_cases:,} and {counted(drift.after.n_cases, 'case')}"
    judged = counted(drift.judged, "activity", "activities")
    if drift.is_stable and not drift.judged:
        return f"No change could be told from chance in {cases}."
    if drift.is_stable:
        return f"Nothing changed beyond chance: {judged} in {cases} {'was' if drift.judged == 1 else 'were'} compared."
    pieces = [f"{counted(len(drift.replaced), 'label')} replaced by new ones"] if drift.replaced else []
    caused = sum(one.because_of is not None for one in drift.changed)
    follows = f" ({caused:,} explained by the number of cases with another label)" if caused else ""
    have = ("now " if drift.by is None else "") + ("has" if len(drift.changed) < 2 else "have")
    pieces.append(f"{len(drift.changed) or 'none'} of {judged} {have} different neighbours{follows}")
    pieces += [f"{len(group):,} {title[0].lower()}{title[1:]}" for title, group in presence_groups(drift)]
    sentence = ", ".join(pieces)
    return f"{sentence[0].upper()}{sentence[1:]}."


def drift_limits(drift: Drift) -> list[str]:
    """Return what the comparison could not see: cases that were left out, labels that are too rare, sides that are too small."""
    sentences = []
    if drift.left_out:
        is_or_are = "is" if drift.left_out == 1 else "are"
        sentences.append(f"{counted(drift.left_out, 'case')} without a timestamp or value {is_or_are} on neither side.")
    rare = len(drift.all) - drift.judged
    if not drift.judged:
        sentences.append(
            "No activity is in 5 or more cases of both sides: too few to tell a change of neighbours from chance. Give more "
            "cases."
        )
    elif rare:
        are = "is" if rare == 1 else "are"
        sentences.append(f"{counted(rare, 'activity', 'activities')} {are} in fewer than 5 cases of one side: too rare to judge.")
    judged = [one.by_chance for one in drift.all if not one.is_rare]
    if judged and min(drift.before.n_cases, drift.after.n_cases) < 100:  # then even large changes may be missed
        middle = sorted(judged)[len(judged) // 2]
        fewest = min(drift.before.n_cases, drift.after.n_cases)
        sentences.append(
            f"One side has only {fewest:,} cases: for half of the activities, a change below {middle:.2f} (of 1) cannot be told "
            "from chance."
        )
    return sentences


def sides_words(drift: Drift) -> str:
    """Return what is compared with what."""
    (before, its_log), (after, other_log) = side_facts(drift)
    return f"{after} ({other_log}), compared with {before} ({its_log})"


def side_facts(drift: Drift) -> list[tuple[str, str]]:
    """Return what each side is called, and its file and number of cases."""
    names = [name if drift.by is None else repr(name) for name in drift.names]
    files = ["", ""] if drift.sources is None else [f"{source}, " for source in drift.sources]
    cases = [counted(log.n_cases, "case") for log in (drift.before, drift.after)]
    return [(name, f"{file}{number}") for name, file, number in zip(names, files, cases, strict=True)]


def presence_groups(drift: Drift) -> list[tuple[str, list[PresenceChange]]]:
    """Return the labels that are in more or fewer cases by kind, with a title, but for those that were replaced."""
    gone = ("Appeared", "Vanished") if drift.by is None else (f"Only {drift.names[1]!r}", f"Only {drift.names[0]!r}")
    kinds = (
        (gone[0], drift.appeared),
        (gone[1], drift.vanished),
        ("In more cases", drift.more_often),
        ("In fewer cases", drift.less_often),
    )
    others = [(title, [one for one in group if one.activity not in drift.replaced_labels]) for title, group in kinds]
    return [(title, group) for title, group in others if group]


def change_words(one: ChangedActivity, first: str = "before") -> list[str]:
    """Return what came and what went, the largest part of the change first; ``first`` is what the first side is called.

    If another label explains the change, it is named first.

    >>> came = NeighbourChange(-1, "Pay", 0.08, 0.62, 0.1)
    >>> change_words(ChangedActivity("Check", 0.2, 0.001, (came,), (), 0.01, 50, 50, 50, 50, False))
    ["comes directly after 'Pay' in 62 % of its events, before: 8 %"]
    """
    cause = [] if one.because_of is None else [f"explained by the number of cases with {one.because_of!r}"]
    notable = [
        [part for part in parts if abs(part.share_after - part.share_before) >= _NOTABLE][:_SHOWN_NEIGHBOURS]
        for parts in (one.came, one.went)
    ]
    shown = sorted([*notable[0], *notable[1]], key=lambda part: -part.part)
    if shown:
        return cause + [_neighbour_words(part, first) for part in shown]
    return cause + [_few_events(part, one, first) for part in (*one.came[:1], *one.went[:1])]


def change_sizes(one: ChangedActivity) -> tuple[str, str]:
    """Return the size of a change and what chance reaches (rounded up), with as many digits as tell the two apart.

    >>> change_sizes(ChangedActivity("Check", 0.0612, 0.001, (), (), 0.0531, 50, 50, 50, 50, False))
    ('0.061', '0.054')
    """
    for digits in range(_FEWEST_DIGITS, _MOST_DIGITS):
        change, by_chance = f"{one.change:.{digits}f}", f"{math.ceil(one.by_chance * 10**digits) / 10**digits:.{digits}f}"
        if float(change) > float(by_chance):
            break
    return change, by_chance


def _neighbour_words(part: NeighbourChange, first: str = "before") -> str:
    """Return how often an activity has a neighbour, after and before.

    >>> _neighbour_words(NeighbourChange(2, None, 0.5, 0, 0.1))
    'is among the last two steps of its case in 0 % of its events, before: 50 %'
    """
    return f"{_place(part)} in {percent(part.share_after)} of its events, {first}: {percent(part.share_before)}"


def _few_events(part: NeighbourChange, one: ChangedActivity, first: str) -> str:
    """Return in how many events an activity has a neighbour, where percentages would look the same."""
    after, before = round(part.share_after * one.events_after), round(part.share_before * one.events_before)
    return f"{_place(part)} in {after:,} of {one.events_after:,} events, {first}: {before:,} of {one.events_before:,}"


def _place(part: NeighbourChange) -> str:
    """Return where the neighbour stands."""
    outside = {
        -1: "begins its case",
        1: "ends its case",
        -2: "is among the first two steps of its case",
        2: "is among the last two steps of its case",
    }
    where = {
        -1: "comes directly after",
        1: "is directly followed by",
        -2: "comes two steps after",
        2: "is followed two steps later by",
    }
    return outside[part.offset] if part.neighbour is None else f"{where[part.offset]} {part.neighbour!r}"


def presence_words(one: PresenceChange, drift: Drift) -> str:
    """Return in how many cases an activity is, after and before."""
    after, before = one.cases_after / drift.after.n_cases, one.cases_before / drift.before.n_cases
    return (
        f"in {percent(after)} of the cases ({one.cases_after:,}), {first_side(drift)}: {percent(before)} ({one.cases_before:,})"
    )


def replacement_words(one: Replacement, drift: Drift) -> str:
    """Return which label took the place of which, in how many cases they are, and how likely they are one step."""
    old, new = (
        {change.activity: change for change in group}[label]
        for label, group in ((one.old, drift.vanished), (one.new, drift.appeared))
    )
    before, after = old.cases_before / drift.before.n_cases, new.cases_after / drift.after.n_cases
    likely = f"{percent(one.probability)} likely the same step"
    alike = f"{percent(one.shared)} of their neighbours are the same, so a new name or another step in its place"
    return (
        f"{one.old!r} ({percent(before)} of the cases) was replaced by {one.new!r} ({percent(after)}): "
        f"{likely if one.probability >= CONFIDENT else alike}{_dates_of_replacement(one, drift)}"
    )


def _dates_of_replacement(one: Replacement, drift: Drift) -> str:
    """Return when the old label was last used, and the new one first; an empty text if that is not known, or not over time."""
    uses = [(Usage(side), side.activities) for side in (drift.before, drift.after)]
    days = {label: [usage.first_and_last(labels.index(label)) for usage, labels in uses if label in labels] for label in one[:2]}
    until = max((found[1] for found in days[one.old] if found is not None), default=None)
    since = min((found[0] for found in days[one.new] if found is not None), default=None)
    known = drift.by is None and until is not None and since is not None
    return f"; the old one is used until {day_words(until)}, the new one from {day_words(since)} on" if known else ""


def first_side(drift: Drift) -> str:
    """Return what the first side is called in a sentence."""
    return "before" if drift.by is None else repr(drift.names[0])


def drift_card(drift: Drift) -> str:
    """Return the HTML of a drift."""
    facts = [(one_line(name, 80), one_line(its_log, 120)) for name, its_log in side_facts(drift)]
    facts.append(("result", drift_headline(drift)))
    rows = []
    for one in drift.changed[:_SHOWN]:
        words = "<br>".join(
            f"<small><bdi>{escape(one_line(line, 300))}</bdi></small>" for line in change_words(one, first_side(drift))
        )
        rows.append((f"{label_html(one.activity)}<br>{words}", change_sizes(one)[0], one.change))
    more = and_more(len(drift.changed) - len(rows), "activity that changed", "activities that changed")
    shown = card("Drift", facts, ["has different neighbours", "change"], rows, more)
    replaced = [replacement_words(one, drift) for one in drift.replaced]
    lists = [("Replaced", replaced)]
    lists += [(title, [_presence(one, drift) for one in group]) for title, group in presence_groups(drift)]
    notes = "".join(f"<div><small>{escape(one_line(sentence, 400))}</small></div>" for sentence in drift_limits(drift))
    return f"<div>{shown}{''.join(_list(title, lines) for title, lines in lists if lines)}{notes}</div>"


def _presence(one: PresenceChange, drift: Drift) -> str:
    return f"{one.activity}: {presence_words(one, drift)}"


def _list(title: str, lines: list[str]) -> str:
    items = "".join(f"<li><bdi>{escape(one_line(line, 300))}</bdi></li>" for line in lines[:_SHOWN])
    more = and_more(len(lines) - _SHOWN, "label", "labels") if len(lines) > _SHOWN else ""
    return f"<strong>{escape(one_line(title, 80))}</strong><ul>{items}</ul>{escape(more)}"


class Sides(NamedTuple):
    """Hold the two logs that are compared.

    - ``names``: what they are called: before and after, or the two values of an attribute.
    - ``by``: that attribute, or None.
    - ``left_out``: how many cases are in neither, because they have no timestamp, or no value.
    - ``sources``: the files that two logs were read from; None if that does not tell them apart.
    """

    before: AnyLog
    after: AnyLog
    names: tuple[str, str]
    by: str | None = None
    left_out: int = 0
    sources: tuple[str, str] | None = None


def _sides(before: LogLike | Variants, after: LogLike | Variants | None, at: Any, by: str | None, seed: int) -> Sides:
    """Return the two logs: as they are given, or the parts of one."""
    if isinstance(before, Variants) and before.strata and after is None and (at is not None or not has_order(before)):
        return divide_strata(before, at, by)
    given = [name for name, value in (("a second log", after), ("at", at), ("by", by)) if value is not None]
    if len(given) > 1:
        what = f"{' and '.join(given)} were given"
        raise ActalikeError(f"drift takes two logs, or one log and a date (at), or one log and an attribute (by): {what}.")
    if not given and not (isinstance(before, Variants) and not before.strata):
        changes = change_points(before, seed=seed)
        if not changes.points:
            why = " ".join([f"No change was found in {counted(changes.n_cases, 'case')}.", *change_points_limits(changes)])
            raise LogError(
                f"{why} So there is nothing to compare: give a date (at), an attribute (by) or a second log that divides them."
            )
        return divide_at_change(changes, changes.points[0])
    if after is not None:
        return two_sides(log_or_variants(before, "drift"), log_or_variants(after, "drift"))
    if isinstance(before, Variants):
        raise ActalikeError(
            "These variants have no strata, so nothing divides them: read them with by='day' (or a longer period) to compare "
            "before and after a date, or with by='COLUMN' to compare its two values."
        )
    if how_to_fetch(before) is not None:
        from actalike.counting import read_variants  # here: to compare two logs, no engine is needed

        return divide_strata(read_variants(before, by=by or "day", attributes=()), at, by)
    if by is not None:
        return divide_by(as_log(before, "drift", attributes=[by]), by)
    return divide_at(as_log(before, "drift"), at)


def divide_strata(variants: Variants, at: Any = None, by: str | None = None) -> Sides:
    """Divide variants by their strata: two values of a column, or periods at the day that one of them begins with.

    Cases in the stratum without a name, those without a timestamp or a value, are left out.

    >>> from actalike.log import Variants
    >>> days = ["2024-01-01", "2024-01-02", "2024-01-03"]
    >>> variants = Variants(["a"], np.zeros(3, np.int32), np.arange(4), np.array([4, 5, 6]), None, days, np.arange(3))
    >>> sides = divide_strata(variants, "2024-01-02")
    >>> sides.before.n_cases, sides.after.n_cases, sides.names
    (4, 11, ('before 2024-01-02 UTC', 'from 2024-01-02 UTC on'))
    """
    strata = [name for name in variants.strata if name]
    left_out = int(variants.weights[variants.stratum == variants.strata.index("")].sum()) if "" in variants.strata else 0
    if at is None:
        if len(strata) != 2:
            listed = ", ".join(repr(shortened(value)) for value in strata[:_SHOWN_VALUES])
            more = ", ..." if len(strata) > _SHOWN_VALUES else ""
            raise LogError(
                f"The variants have {counted(len(strata), 'stratum', 'strata')} ({listed}{more}), and drift compares two: read "
                "them with by='COLUMN' of a column with two values, or give the date (at) that divides periods."
            )
        return Sides(variants.part(strata[0]), variants.part(strata[1]), (strata[0], strata[1]), by, left_out)
    moment, starts = moment_of(at), period_begins(variants)
    if not len(starts):
        raise LogError(f"The strata of the variants are not periods ({shortened(strata[0])!r}), so no date divides them.")
    unit = next(unit for unit in _PERIODS if _are_begins(starts, unit).all())
    if not starts[0] < moment <= starts[-1] or not _are_begins(np.array([moment]), unit).all():
        first, last = (_written(start) for start in (starts[0], starts[-1]))
        raise LogError(
            f"No {unit} of the variants begins at {_written(moment)} (they begin from {first} to {last}, in UTC): give the first "
            f"day of one{'' if unit == 'day' else ', or read the variants in shorter periods, by=' + repr('day')}."
        )
    chosen = starts < moment
    sides = [
        variants.parts([name for name, is_in in zip(strata, chosen == is_before, strict=True) if is_in])
        for is_before in (True, False)
    ]
    names = f"before {_written(moment)} UTC", f"from {_written(moment)} UTC on"
    return Sides(sides[0], sides[1], names, None, left_out)


_PERIODS = ("year", "quarter", "month", "week", "day")


def _are_begins(moments: NDArray[np.datetime64], unit: str) -> NDArray[np.bool_]:
    """Return which moments are the beginning of a period: all of variants in months are those of months, but rarely of years."""
    days, months = moments.astype("datetime64[D]"), moments.astype("datetime64[M]")
    if unit == "day":
        return moments == days
    if unit == "week":  # on Monday, and 1970 began on a Thursday
        return (moments == days) & ((days.astype(np.int64) + 3) % 7 == 0)
    return (moments == months) & (months.astype(np.int64) % {"month": 1, "quarter": 3, "year": 12}[unit] == 0)


def two_sides(before: AnyLog, after: AnyLog) -> Sides:
    """Take two logs as the sides. A file is called by its name, or by its path if both files have the same name.

    >>> from actalike.log import Reading
    >>> files = "2023/log.csv", "2024/log.csv"
    >>> logs = [EventLog(["a"], [0], [0, 1], ["1"], reading=Reading(file, "case", "activity")) for file in files]
    >>> two_sides(*logs).names, two_sides(*logs).sources
    (('before', 'after'), ('2023/log.csv', '2024/log.csv'))
    """
    names = "before", "after"
    if before.reading is None or after.reading is None or before.reading.source == after.reading.source:
        return Sides(before, after, names)
    paths = before.reading.source, after.reading.source
    files = Path(paths[0]).name, Path(paths[1]).name
    return Sides(before, after, names, sources=paths if files[0] == files[1] else files)


def divide_at(log: EventLog, at: Any) -> Sides:
    """Divide a log at a moment: cases that begin before it, and those that begin at it or later.

    A case begins with its earliest timestamp. Cases without any are left out. Both are in UTC, as all timestamps of a log are.

    >>> days = np.array(["2024-01-01", "2024-01-02", "2024-01-01"], dtype="datetime64[D]")
    >>> sides = divide_at(EventLog(["a", "b"], [0, 1, 1], [0, 1, 3], ["1", "2"], timestamps=days), "2024-01-01T12:00")
    Traceback (most recent call last):
    actalike.errors.LogError: All cases begin before 2024-01-01 12:00 (they begin from 2024-01-01 to 2024-01-01, in UTC), so
    there is nothing to compare: give a date that divides them.
    """
    moment = moment_of(at)
    if log.timestamps is None or np.isnat(log.timestamps).all():
        raise LogError(
            "The log has no timestamps, so no date can divide it: read it with its timestamp column (--timestamp), or give two "
            "logs, or an attribute that divides the cases (by, --by)."
        )
    starts = case_beginnings(log)
    is_dated = ~np.isnat(starts)
    first, last = starts[is_dated].min(), starts[is_dated].max()
    if moment <= first or moment > last:
        where = "at or after" if moment <= first else "before"
        raise LogError(
            f"All cases begin {where} {_written(moment)} (they begin from {_written(first)} to {_written(last)}, in UTC), so "
            "there is nothing to compare: give a date that divides them."
        )
    before, after = (is_dated & (starts < moment)), (is_dated & (starts >= moment))
    names = f"before {_written(moment)} UTC", f"from {_written(moment)} UTC on"
    return Sides(cases_of(log, before), cases_of(log, after), names, None, int((~is_dated).sum()))


def divide_at_change(changes: ChangePoints, point: ChangePoint) -> Sides:
    """Divide a log at a change, from the change before it to the one after it.

    >>> log = EventLog.from_traces([["a"]] * 50 + [["a", "b"]] * 50 + [["a"]] * 50)
    >>> found = change_points(log)
    >>> [divide_at_change(found, one).names for one in found.in_time()]
    [('cases 1 to 50', 'cases 51 to 100'), ('cases 51 to 100', 'cases 101 to 150')]
    """
    earlier, later = changes.neighbours(point)
    if point.time is None:
        bounds = [earlier.case + 1 if earlier else 0, point.case + 1, later.case + 1 if later else changes.n_cases]
        names = f"cases {bounds[0] + 1:,} to {bounds[1]:,}", f"cases {bounds[1] + 1:,} to {bounds[2]:,}"
    else:
        moment, first, last = (None if one is None else _day(one.time) for one in (point, earlier, later))
        names = (
            f"before {moment} UTC" if first is None else f"{first} to {moment} UTC",
            f"from {moment} UTC on" if last is None else f"{moment} to {last} UTC",
        )
    log = changes.log
    if isinstance(log, Variants):
        moments = [None if one is None else _day(one.time) for one in (earlier, point, later)]
        return Sides(_periods(log, moments[0], moments[1]), _periods(log, moments[1], moments[2]), names, None, changes.left_out)
    before, after = changes.sides(point)
    return Sides(cases_of(log, before), cases_of(log, after), names, None, changes.left_out)


def _periods(variants: Variants, first: str | None, end: str | None) -> Variants:
    """Return the variants of the periods from one day until another."""
    return variants.parts([name for name in variants.strata if name and (first or "") <= name and (end is None or name < end)])


def _day(moment: np.datetime64 | None) -> str:
    return "?" if moment is None else str(moment.astype("datetime64[D]"))


def divide_by(log: EventLog, by: str) -> Sides:
    """Divide a log by the two values of an attribute, in the order of the alphabet.

    The value of a case is that of its events. Events without a value do not count, cases without any value are left out, and a
    case with both values is an error.

    >>> from actalike import Attribute
    >>> offices = Attribute.from_texts(["north", None, "south"])
    >>> sides = divide_by(EventLog(["a", "b"], [0, 1, 1], [0, 2, 3], ["1", "2"], attributes={"office": offices}), "office")
    >>> sides.before.traces(), sides.after.traces(), sides.names
    ([['a', 'b']], [['b']], ('north', 'south'))
    """
    if by not in log.attributes:
        raise LogError(
            f"The log has no attribute {shortened(str(by))!r}: read it with read_log(..., attributes=[{shortened(str(by))!r}])."
            f"{did_you_mean(str(by), log.attributes)}"
        )
    values, codes = log.attributes[by]
    if len(values) != 2:
        listed = ", ".join(repr(shortened(value)) for value in values[:_SHOWN_VALUES])
        more = ", ..." if len(values) > _SHOWN_VALUES else ""
        raise LogError(
            f"The attribute {shortened(by)!r} has {len(values):,} value{'s' * (len(values) != 1)} ({listed}{more}), and drift "
            "compares two: give an attribute with two values, or two logs."
        )
    case = np.repeat(np.arange(log.n_cases), log.lengths)
    has = [np.bincount(case[codes == value], minlength=log.n_cases) > 0 for value in (0, 1)]
    if (has[0] & has[1]).any():
        mixed = shortened(log.case_ids[int(np.flatnonzero(has[0] & has[1])[0])])
        raise LogError(
            f"{int((has[0] & has[1]).sum()):,} of {log.n_cases:,} cases have both values of {shortened(by)!r} (the first is case "
            f"{mixed!r}, with {shortened(values[0])!r} and {shortened(values[1])!r}), and drift compares "
            "whole cases: give an attribute that has one value in each case."
        )
    return Sides(cases_of(log, has[0]), cases_of(log, has[1]), (values[0], values[1]), by, int((~has[0] & ~has[1]).sum()))


def moment_of(at: Any) -> np.datetime64:
    """Return a moment, in UTC as the timestamps of logs are."""
    if isinstance(at, np.datetime64) and not np.isnat(at):
        return at.astype("datetime64[us]")
    given = at
    if isinstance(at, str):
        try:
            given = datetime.fromisoformat(at.strip())
        except ValueError:
            raise ActalikeError(
                f"{shortened(at)!r} is not a date: write it as 2018-01-31, or with a time as 2018-01-31T08:30."
            ) from None
    if isinstance(given, date) and not isinstance(given, datetime):
        given = datetime(given.year, given.month, given.day)
    if not isinstance(given, datetime):
        raise ActalikeError(f"at takes a date or a text such as '2018-01-31', not {type(at).__name__}.")
    try:
        return np.datetime64(given.astimezone(UTC).replace(tzinfo=None) if given.tzinfo else given, "us")
    except OverflowError:
        raise ActalikeError(f"{given.isoformat()!r} is outside the years 1 to 9999 in UTC: give a date within them.") from None


def _written(moment: np.datetime64) -> str:
    """Return a moment as people write it: without the time if it is midnight.

    >>> _written(np.datetime64("2018-01-01", "us")), _written(np.datetime64("2018-01-01T08:30:00", "us"))
    ('2018-01-01', '2018-01-01 08:30')
    """
    if moment == moment.astype("datetime64[D]"):
        return str(moment.astype("datetime64[D]"))
    unit = "m" if moment == moment.astype("datetime64[m]") else "s"
    return str(moment.astype(f"datetime64[{unit}]")).replace("T", " ")
