"""Put what changed between two logs into English, for the command line and for notebooks."""

import math

from actalike.support.text import percent
from actalike.two_logs.drift_data import ChangedActivity, DriftData, NeighbourChange, PresenceChange, Replacement

_SHOWN = 2  # neighbours that came, and that went
_NOTABLE = 0.01  # a difference of shares below it is not worth a line, unless there is no larger one
_FEWEST_DIGITS, _MOST_DIGITS = 2, 12  # of a change


def drift_headline(drift: DriftData) -> str:
    """Return the result in one sentence.

    >>> from actalike import EventLog
    >>> from actalike.two_logs.log_drift import drift
    >>> log = EventLog.from_traces([["a", "b"]] * 9)
    >>> drift_headline(drift(log, log))
    'Nothing changed beyond chance: 2 activities in 9 and 9 cases were compared.'
    """
    cases = f"{drift.before.n_cases:,} and {_cases(drift.after.n_cases)}"
    if drift.is_stable and not drift.judged:
        return f"No change could be told from chance in {cases}."
    if drift.is_stable:
        compared = f"{_activities(drift.judged)} in {cases} {'was' if drift.judged == 1 else 'were'} compared"
        return f"Nothing changed beyond chance: {compared}."
    replaced = "1 label" if len(drift.replaced) == 1 else f"{len(drift.replaced):,} labels"
    pieces = [f"{replaced} replaced by new ones"] if drift.replaced else []
    caused = sum(one.because_of is not None for one in drift.changed)
    only = f" ({caused:,} of them only because another label is in more or fewer cases)" if caused else ""
    pieces.append(f"{len(drift.changed) or 'none'} of {_activities(drift.judged)} changed their company beyond chance{only}")
    pieces += [f"{len(group):,} {title[0].lower()}{title[1:]}" for title, group in presence_groups(drift)]
    sentence = ", ".join(pieces)
    return f"{sentence[0].upper()}{sentence[1:]}."


def drift_limits(drift: DriftData) -> list[str]:
    """Return what the comparison could not see: cases that were left out, labels that are too rare, sides that are too small."""
    sentences = []
    if drift.left_out:
        number = "1 case has" if drift.left_out == 1 else f"{drift.left_out:,} cases have"
        sentences.append(
            f"{number} no timestamp or value that says on which side, and {'is' if drift.left_out == 1 else 'are'} in neither."
        )
    rare = len(drift.all) - drift.judged
    if not drift.judged:
        sentences.append(
            "No activity is in 5 or more cases of both sides, so no change of company could be told from chance: give more cases."
        )
    elif rare:
        are = "activity is" if rare == 1 else "activities are"
        sentences.append(f"{rare:,} {are} in fewer than 5 cases of one side: too rare to judge.")
    judged = [one.by_chance for one in drift.all if not one.is_rare]
    if judged and min(drift.before.n_cases, drift.after.n_cases) < 100:  # then even large changes may be missed
        middle = sorted(judged)[len(judged) // 2]
        fewest = min(drift.before.n_cases, drift.after.n_cases)
        sentences.append(
            f"One side has {fewest:,} cases only: for half of the activities a change below {middle:.2f} (of 1) cannot be told "
            "from chance."
        )
    return sentences


def sides_words(drift: DriftData) -> str:
    """Return what is compared with what."""
    (before, its_log), (after, other_log) = side_facts(drift)
    return f"{after} ({other_log}), compared with {before} ({its_log})"


def side_facts(drift: DriftData) -> list[tuple[str, str]]:
    """Return what each side is called, and its file and number of cases."""
    names = [name if drift.by is None else repr(name) for name in drift.names]
    files = ["", ""] if drift.sources is None else [f"{source}, " for source in drift.sources]
    cases = [_cases(log.n_cases) for log in (drift.before, drift.after)]
    return [(name, f"{file}{number}") for name, file, number in zip(names, files, cases, strict=True)]


def presence_groups(drift: DriftData) -> list[tuple[str, list[PresenceChange]]]:
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
    cause = [] if one.because_of is None else [f"only because of the number of cases with {one.because_of!r}"]
    notable = [
        [part for part in parts if abs(part.share_after - part.share_before) >= _NOTABLE][:_SHOWN]
        for parts in (one.came, one.went)
    ]
    shown = sorted([*notable[0], *notable[1]], key=lambda part: -part.part)
    if shown:
        return cause + [neighbour_words(part, first) for part in shown]
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


def neighbour_words(part: NeighbourChange, first: str = "before") -> str:
    """Return how often an activity has a neighbour, after and before.

    >>> neighbour_words(NeighbourChange(2, None, 0.5, 0, 0.1))
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
        2: "is followed after two steps by",
    }
    return outside[part.offset] if part.neighbour is None else f"{where[part.offset]} {part.neighbour!r}"


def presence_words(one: PresenceChange, drift: DriftData) -> str:
    """Return in how many cases an activity is, after and before."""
    after, before = one.cases_after / drift.after.n_cases, one.cases_before / drift.before.n_cases
    return (
        f"in {percent(after)} of the cases ({one.cases_after:,}), {first_side(drift)}: {percent(before)} ({one.cases_before:,})"
    )


def replacement_words(one: Replacement, drift: DriftData) -> str:
    """Return which label took the place of which, in how many cases they are, and how likely they are one step."""
    old, new = (
        {change.activity: change for change in group}[label]
        for label, group in ((one.old, drift.vanished), (one.new, drift.appeared))
    )
    before, after = old.cases_before / drift.before.n_cases, new.cases_after / drift.after.n_cases
    return (
        f"{one.new!r}, in {percent(after)} of the cases, took the place of {one.old!r}, {first_side(drift)} in {percent(before)} "
        f"({percent(one.probability)} likely the same step)"
    )


def first_side(drift: DriftData) -> str:
    """Return what the first side is called in a sentence."""
    return "before" if drift.by is None else repr(drift.names[0])


def _cases(number: int) -> str:
    return "1 case" if number == 1 else f"{number:,} cases"


def _activities(number: int) -> str:
    return "1 activity" if number == 1 else f"{number:,} activities"
