"""Put what changed between two logs into English, for the command line and for notebooks."""

from actalike.comparison.drift_data import ChangedActivity, DriftData, NeighbourChange, PresenceChange, Replacement
from actalike.labels import percent

_SHOWN = 2  # neighbours that came, and that went
_NOTABLE = 0.01  # a difference of shares below it is not worth a line


def headline(drift: DriftData) -> str:
    """Return the result in one sentence.

    >>> from actalike import EventLog
    >>> from actalike.comparison.log_drift import drift
    >>> log = EventLog.from_traces([["a", "b"]] * 9)
    >>> headline(drift(log, log))
    'Nothing changed beyond chance: 2 activities in 9 and 9 cases were compared.'
    """
    cases = f"{drift.before.n_cases:,} and {drift.after.n_cases:,} cases"
    if drift.is_stable:
        compared = f"{_activities(drift.judged)} in {cases} {'was' if drift.judged == 1 else 'were'} compared"
        return f"Nothing changed beyond chance: {compared}."
    numbers = [f"{len(group):,} {title[0].lower()}{title[1:]}" for title, group in presence_groups(drift)]
    first = f"{len(drift.changed):,} of {_activities(drift.judged)} changed their company beyond chance"
    return f"{', '.join([first, *numbers])}."


def limits(drift: DriftData) -> list[str]:
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
    before, after = (name if drift.by is None else repr(name) for name in drift.names)
    return f"{after} ({drift.after.n_cases:,} cases), compared with {before} ({drift.before.n_cases:,} cases)"


def presence_groups(drift: DriftData) -> list[tuple[str, list[PresenceChange]]]:
    """Return the labels that are in more or fewer cases, with a title for each kind; kinds without any are left out."""
    gone = ("Appeared", "Vanished") if drift.by is None else (f"Only {drift.names[1]!r}", f"Only {drift.names[0]!r}")
    kinds = (
        (gone[0], drift.appeared),
        (gone[1], drift.vanished),
        ("In more cases", drift.more_often),
        ("In fewer cases", drift.less_often),
    )
    return [(title, group) for title, group in kinds if group]


def change_words(one: ChangedActivity, first: str = "before") -> list[str]:
    """Return what came and what went, the largest part of the change first; ``first`` is what the first side is called.

    >>> came = NeighbourChange(-1, "Pay", 0.08, 0.62, 0.1)
    >>> change_words(ChangedActivity("Check", 0.2, 0.001, (came,), (), 0.01, 50, 50, 50, 50, False))
    ["comes directly after 'Pay' in 62 % of its events, before: 8 %"]
    """
    notable = [
        [part for part in parts if abs(part.share_after - part.share_before) >= _NOTABLE][:_SHOWN]
        for parts in (one.came, one.went)
    ]
    shown = sorted([*notable[0], *notable[1]], key=lambda part: -part.part) or [*one.came[:1], *one.went[:1]]
    return [neighbour_words(part, first) for part in shown]


def neighbour_words(part: NeighbourChange, first: str = "before") -> str:
    """Return how often an activity has a neighbour, after and before.

    >>> neighbour_words(NeighbourChange(2, None, 0.5, 0, 0.1))
    'is among the last two steps of its case in 0 % of its events, before: 50 %'
    """
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
    place = outside[part.offset] if part.neighbour is None else f"{where[part.offset]} {part.neighbour!r}"
    return f"{place} in {percent(part.share_after)} of its events, {first}: {percent(part.share_before)}"


def presence_words(one: PresenceChange, drift: DriftData) -> str:
    """Return in how many cases an activity is, after and before."""
    after, before = one.cases_after / drift.after.n_cases, one.cases_before / drift.before.n_cases
    return (
        f"in {percent(after)} of the cases ({one.cases_after:,}), {first_side(drift)}: {percent(before)} ({one.cases_before:,})"
    )


def replacement_words(one: Replacement) -> str:
    """Return which label took the place of which, and how likely.

    >>> replacement_words(Replacement("Pay", "Transfer", 0.93))
    "'Transfer' took the place of 'Pay' (93 % likely the same step)"
    """
    return f"{one.new!r} took the place of {one.old!r} ({percent(one.probability)} likely the same step)"


def first_side(drift: DriftData) -> str:
    """Return what the first side is called in a sentence."""
    return "before" if drift.by is None else repr(drift.names[0])


def _activities(number: int) -> str:
    return "1 activity" if number == 1 else f"{number:,} activities"
