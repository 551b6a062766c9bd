"""Say what was found about labels: verdicts, reasons, comparisons in sentences, and the cards that a notebook shows.

A decision shown to a person has the verdict first, then the few reasons that carry it, the strongest first, each with its sign
and a number that can be checked in the log. Labels, names of people and case ids come from logs and are not trusted: in cards
they are escaped and shown as text.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from html import escape
from typing import Any, Literal, NamedTuple, Protocol

import numpy as np

from actalike.embedding import ENOUGH_CASES
from actalike.labels.relations import Caution, Group, PairJudgement, Relation
from actalike.labels.step_probabilities import PERIOD, Reason
from actalike.labels.text import distinguishing_tokens, text_difference
from actalike.labels.uses import (
    OUTSIDE,
    CommonContext,
    ExampleCase,
    Gaps,
    PeopleCompared,
    SeparatePeriods,
    SharedNeighbours,
    Side,
    Together,
    UseOverTime,
)
from actalike.labels.witnesses import THIN_CASES, Witness, WitnessKind
from actalike.labels.words import opposite_words
from actalike.log import AnyLog
from actalike.support.text import Foreign, Label, Parts, and_more, card, counted, label_html, one_line, percent, plain_text

_FEW_NEIGHBOURS = 0.1  # a share of neighbours in common, below which ranks are what counts
_SHOWN_LABELS = 3  # of a caution; the others are only counted
_SHOWN_REASONS = 3
_SHOWN_GROUPS = 12  # in a card
_SHOWN_MEMBERS = 4
_SHOWN_WITNESSES = 3
_STRONGEST, _STRONGEST_WITNESSES = 3, 2  # reasons for a group, before a person asks for all
_STRENGTH: tuple[WitnessKind, ...] = ("vocabularies", "periods", "people", "name", "pattern")  # of witnesses, the strongest first
_ALIKE_NEIGHBOURS = 0.5  # a share of neighbours in common that convinces
_CARRIES = 0.5  # log-odds: a reason with less changes little
_ROUNDING = 1e-9  # a share that is nearer to 0 or 1 than this is one of them
_DIFFERENCES = 4  # neighbours that are named
_NOTABLE = 0.05  # a difference of shares below it is not worth a sentence
_EXAMPLES = 1  # of each side, and of both together
_SAME_UNIT = 1.5  # a number of a unit from which that unit is used
_UNITS = (("days", 86_400), ("h", 3_600), ("min", 60))
_NEIGHBOURS = 6  # shown before, and after
_COLOURS = ("#3b6fb6", "#c2571a")  # of side a and side b, on white and on black
_STRIP = 480  # pixels of the picture of time, about
_CELL = "text-align:left;padding:.1em .6em;vertical-align:middle"


class Argument(NamedTuple):
    """Hold one line of why a group has its verdict: what kind of line it is, whether it speaks for one step, the sentence."""

    kind: Literal["reason", "witness", "caution"]
    sign: str
    parts: Parts


class Compared(Protocol):
    """Describe what is said here of a comparison; :class:`actalike.Comparison` has it."""

    a: Side
    b: Side
    verdict: PairJudgement | None
    before: tuple[CommonContext, ...]
    after: tuple[CommonContext, ...]

    @property
    def differing(self) -> list[CommonContext]:
        """Return the contexts that one side has more often than the other."""

    over_time: UseOverTime | None
    periods: SeparatePeriods | None
    people: tuple[PeopleCompared, ...]
    together: Together
    examples_together: tuple[ExampleCase, ...]

    def shares(self, context: CommonContext) -> tuple[float, float]:
        """Return in which share of its events each side has a context."""


def in_words(evidence: SharedNeighbours | Caution | Witness) -> str:
    """Return a piece of evidence, for or against a group, as a sentence.

    >>> in_words(SharedNeighbours("x", "y", (2000, 17)))
    "both follow 'x' and precede 'y' (2,000 and 17 times)"
    """
    if isinstance(evidence, Caution):
        return caution_words(evidence)
    if isinstance(evidence, Witness):
        return witness_words(evidence)
    return f"{shared_neighbours_words(evidence)} ({_listed([f'{count:,}' for count in evidence.counts])} times)"


def verdict_words(relation: Relation | None, probability: float) -> str:
    """Return the verdict of :func:`actalike.labels.groups.judge` or of a group about labels.

    Whether alternatives are one step, behaviour cannot tell, so there is no percentage.

    >>> verdict_words("synonyms", 0.93), verdict_words(None, 0.0004)
    ('93 % likely one step', 'different steps: under 1 % likely one step')
    """
    match relation:
        case "synonyms":
            return f"{percent(probability)} likely one step"
        case "alternatives":
            return "interchangeable in the flow: same step or different outcomes? Your call."
        case "belong together":
            return "belong together: in the same cases, parallel or one after the other"
        case "same name":
            return "same name, different code: their behaviour does not say that they are one step"
        case "too rare to judge":
            return "too rare to judge"
        case None:
            return f"different steps: {percent(probability)} likely one step"


def group_words(group: Group) -> Iterator[tuple[str, str]]:
    """Yield the reasons for a verdict about a group as texts, each with its sign."""
    for argument in group_arguments(group):
        yield argument.sign, plain_text(argument.parts)


def strongest_reasons(group: Group) -> list[tuple[str, str]]:
    """Return as texts, each with its sign, what a person needs first of the reasons for a verdict about a group."""
    return [(argument.sign, plain_text(argument.parts)) for argument in strongest_arguments(list(group_arguments(group)))]


def strongest_arguments(arguments: Sequence[Argument]) -> list[Argument]:
    """Return what a person needs first: the three strongest reasons, one of them a witness if there is any, and all cautions."""
    witnesses = [argument for argument in arguments if argument.kind == "witness"][:_STRONGEST_WITNESSES]
    reasons = [argument for argument in arguments if argument.kind == "reason"][: _STRONGEST - len(witnesses)]
    return [*witnesses, *reasons, *(argument for argument in arguments if argument.kind == "caution")]


def group_arguments(group: Group) -> Iterator[Argument]:
    """Yield why a group has its verdict: the reasons that carry it, witnesses, cautions."""
    told = {witness.kind for witness in group.witnesses}
    untold = {
        "any pair",
        "base rate",
        "rarity",
        "opposites",
        "tokens",
        "names",
    }  # verdict, cautions, witnesses say more than these
    untold |= told & {"text", "pattern", "vocabularies", "name", "periods", "people"}
    used_apart = [reason for reason in unproven_use(group.reasons) if reason.kind not in told]
    untold |= {reason.kind for reason in used_apart}
    if "vocabularies" in told:  # words are other ones, and neighbours have other names as well
        untold |= {"words", "neighbours"} if group.overlap < _ALIKE_NEIGHBOURS else {"words"}
    if group.relation == "belong together":
        untold.add("cases")
        yield Argument("reason", "-", [f"{percent(group.together)} of the cases with one of them have two or more"])
    if any(reason.kind == "company" and reason.log_odds > 0 for reason in group.reasons):
        untold.add("company")  # it has no figure to check; explain has it
    yield from _witness_arguments(group)
    reasons = [reason for reason in group.reasons if abs(reason.log_odds) >= _CARRIES and reason.kind not in untold]
    for reason in reasons[:_SHOWN_REASONS]:
        parts: Parts = [reason_words(reason, len(group.activities))]
        if reason.kind == "neighbours" and group.evidence and (reason.figure or 0) >= _FEW_NEIGHBOURS:
            parts += [" (", *shared_neighbours_parts(group.evidence[0]), ")"]
        yield Argument("reason", sign(reason.log_odds), parts)
    for reason in used_apart:
        yield Argument("witness", "+", [reason_words(reason, len(group.activities))])
    if group.relation == "alternatives" and not (group.witnesses or used_apart):
        yield Argument("caution", "-", [no_witness_words()])
    for caution in group.cautions:
        yield Argument("caution", "-", caution_parts(caution))


def _witness_arguments(group: Group) -> Iterator[Argument]:
    """Yield what speaks for one step beside behaviour, one of each kind first: parts of the log, times, people, texts."""
    first_of = {one.kind: i for i, one in reversed(list(enumerate(group.witnesses)))}
    order = sorted(range(len(group.witnesses)), key=lambda i: (first_of[group.witnesses[i].kind] != i, _rank(group.witnesses[i])))
    strongest = [group.witnesses[i] for i in order]
    found = (tuple(witness_parts(witness)) for witness in with_people_together(strongest))
    witnesses = list(dict.fromkeys(found))  # a pattern is the same for all
    for words in witnesses[:_SHOWN_WITNESSES]:
        yield Argument("witness", "+", list(words))
    if len(witnesses) > _SHOWN_WITNESSES:
        yield Argument("witness", "+", [f"and {len(witnesses) - _SHOWN_WITNESSES:,} more of this kind"])


def _rank(witness: Witness) -> int:
    return _STRENGTH.index(witness.kind) if witness.kind in _STRENGTH else len(_STRENGTH)


def unproven_use(reasons: Iterable[Reason]) -> list[Reason]:
    """Return that two labels are used apart, which is no proof in a log in which many are."""
    return [reason for reason in reasons if reason.kind in ("periods", "people") and reason.log_odds > 0]


def group_facts(group: Group) -> dict[str, Any]:
    """Return a group for JSON, with its verdict, reasons, witnesses, evidence and cautions also in words."""
    members = len(group.activities)
    return {
        **group._asdict(),
        "activities": list(group.activities),
        "verdict": verdict_words(group.relation, group.probability),
        "witnesses": [witness_facts(witness) for witness in group.witnesses],
        "reasons": [reason_facts(reason, members) for reason in group.reasons],
        "evidence": [{"words": shared_neighbours_words(shared), "counts": list(shared.counts)} for shared in group.evidence],
        "cautions": [in_words(caution) for caution in group.cautions],
    }


class GroupRow(NamedTuple):
    """Hold what a table says of a label of a group: a column is a field here, and what :func:`group_rows` puts there.

    - ``activity``, ``events``, ``cases``: the label, and where it occurs.
    - ``group``: the name of its group, which no other group has.
    - ``relation``, ``probability``, ``interchangeable``, ``overlap``, ``pattern``: those of the group.
    - ``reason``: what carries the verdict, each with its sign.
    """

    activity: str
    group: str
    relation: str
    probability: float
    interchangeable: float
    overlap: float
    events: int
    cases: int
    pattern: str | None
    reason: str


def group_rows(groups: Iterable[Group], log: AnyLog) -> Iterator[GroupRow]:
    """Yield a row for each label of each group, in their order.

    >>> from actalike import EventLog, group
    >>> log = EventLog.from_traces([["x", "a", "y"], ["x", "b", "y"], ["y", "c"]] * 20)
    >>> [(row.activity, row.group, row.relation, row.events) for row in group_rows(group(log), log)]
    [('a', 'a', 'alternatives', 20), ('b', 'a', 'alternatives', 20)]
    """
    place = {label: i for i, label in enumerate(log.activities)}
    for group in groups:
        reason = "; ".join(f"{sign} {words}" for sign, words in group_words(group))
        for label in group.activities:
            yield GroupRow(
                activity=label,
                group=group.name,
                relation=group.relation,
                probability=group.probability,
                interchangeable=group.interchangeable,
                overlap=group.overlap,
                events=int(log.activity_counts[place[label]]),
                cases=int(log.activity_cases[place[label]]),
                pattern=group.pattern,
                reason=reason,
            )


def groups_card(groups: Sequence[Group], log: AnyLog) -> str:
    """Return the HTML that a notebook shows: the first groups with their verdicts, and how many there are."""
    shown = groups[:_SHOWN_GROUPS]
    rows = []
    for group in shown:
        members = group.activities[:_SHOWN_MEMBERS]
        labels = " = ".join(map(label_html, members)) + "," * (len(members) < len(group.activities))
        more = and_more(len(group.activities) - len(members), "label", "labels")
        rows.append((f"{labels} {escape(more)}".rstrip(), verdict_words(group.relation, group.probability), group.probability))
    facts = [("activities", f"{len(log.activities):,}"), ("groups", f"{len(groups):,}")]
    return card("Groups", facts, ("labels", "verdict"), rows, and_more(len(groups) - len(shown), "group", "groups"))


def reason_facts(reason: Reason, members: int = 2) -> dict[str, Any]:
    """Return a reason for JSON, also in words."""
    return {**reason._asdict(), "words": reason_words(reason, members)}


def text_difference_facts(first: str, second: str) -> dict[str, Any]:
    """Return by what the texts of two labels differ for JSON, also in words."""
    difference = text_difference(first, second)
    texts = {"first": list(difference.first), "second": list(difference.second)}
    return {"kind": difference.kind, **texts, "words": text_difference_words(first, second)}


def reason_words(reason: Reason, members: int = 2) -> str:
    """Return a reason for or against one step, with a figure that can be checked in the log. Figures of groups are means.

    >>> reason_words(Reason("neighbours", 3.1, 0.8241)), reason_words(Reason("cases", 1.4, 0.0))
    ('82 % of their neighbours are the same', 'never in the same case')
    """
    figure = 0.0 if reason.figure is None else reason.figure
    mean = "" if members == 2 else " on average"
    helps = reason.log_odds >= 0
    match reason.kind:
        case "any pair":
            return "prior: most label pairs are different steps"
        case "neighbours" if helps and figure < _FEW_NEIGHBOURS:
            return f"each is among the other's closest matches ({percent(figure)} of their direct neighbours are the same{mean})"
        case "neighbours":
            return f"{percent(figure)} of their neighbours are the same{mean}"
        case "company":
            alike = (
                "are alike, near and far, compared with other labels" if helps else "are less alike than those of other labels"
            )
            return f"the steps around them {alike}"
        case "position":
            return f"{percent(figure)} of their positions in the case are the same{mean}"
        case "cases" if figure < _ROUNDING:
            return "never in the same case"
        case "cases":
            of_rarer = f"{percent(figure)} of the cases of the rarer one"
            by_chance = f"in the same case no more often than by chance ({of_rarer}{mean})"
            return by_chance if helps else f"{of_rarer} have both{mean}"
        case "rarity":
            cases = round(figure)
            return f"the rarer one is in {counted(cases, 'case')}{mean}"
        case "base rate":
            return f"interchangeable: {percent(figure)}{mean}; most such labels are outcomes of one decision or companions"
        case "text":
            return f"they are spelled {percent(figure)} alike{mean}"
        case "opposites":
            return "their words say the opposite"
        case "pattern":
            return "they differ only in a number, an id, a date or a name"
        case "vocabularies":
            return "the parts of the log that use them follow the same flow"
        case "name":
            return "same second name"
        case "names":
            return "other second names"
        case "words":
            return "they have different words"
        case "scheme":
            return f"{round(figure)} labels have the same words but in one place{mean}"
        case "tokens":
            return "one token tells them apart"
        case "periods":
            return f"one is used before the other, as {percent(figure)} of the unrelated pairs of this log are"
        case "people":
            return f"other people use them, as {percent(figure)} of the unrelated pairs of this log"


def witness_words(witness: Witness) -> str:
    """Return what speaks for one step beside behaviour.

    >>> witness_words(Witness("people", "a", "b", attribute="org:group"))
    "different people use 'a' and 'b' (org:group), and otherwise do the same work"
    """
    return plain_text(witness_parts(witness))


def witness_parts(witness: Witness) -> Parts:
    """Return what speaks for one step beside behaviour, as the parts of a sentence."""
    a, b = Label(witness.a), Label(witness.b)
    match witness.kind:
        case "text":
            return [a, " and ", b, f" {_spelling_words(witness.a, witness.b)}"]
        case "pattern":
            return ["they differ only in what varies in ", Foreign(str(witness.pattern), quoted=True)]
        case "people":
            by = Foreign(str(witness.attribute))
            return ["different people use ", a, " and ", b, " (", by, "), and otherwise do the same work"]
        case "vocabularies":
            return _vocabularies_parts(witness)
        case "name":
            return [a, " and ", b, " have the same second name: ", Foreign(str(witness.name), quoted=True)]
        case "periods":
            later, earlier = (b, a) if witness.earlier == witness.a else (a, b)
            since, until = day_words(witness.since), day_words(witness.until)
            return [later, f" is used from {since} on, ", earlier, f" until {until}"]


def _spelling_words(first: str, second: str) -> str:
    """Return how two labels that are spelled alike differ.

    >>> _spelling_words("Pay", "Pay "), _spelling_words("Pay bill", "pay bill"), _spelling_words("Pay bill", "Pay bil")
    ('differ only by a space at the end', 'differ only in case, accents, spaces or punctuation', 'are spelled alike')
    """
    longer, shorter = sorted((first, second), key=len, reverse=True)
    if longer[:-1] == shorter and longer[-1].isspace():
        return "differ only by a space at the end"
    if " ".join(first.split()) == " ".join(second.split()):
        return "differ only in spaces"
    alike = text_difference(first, second).kind == "same"
    return "differ only in case, accents, spaces or punctuation" if alike else "are spelled alike"


def _vocabularies_parts(witness: Witness) -> Parts:
    """Return by what a log is split into two vocabularies, and how many steps of them are matched.

    >>> print(plain_text(_vocabularies_parts(Witness("vocabularies", "a", "b", "site", parts=("North", "South"), steps=7))))
    used in different parts of the log, by site ('North' and 'South'), at the same place of the process: 7 steps matched
    >>> print(plain_text(_vocabularies_parts(Witness("vocabularies", "a", "b", "site", parts=("North", "South"), steps=0))))
    'a' and 'b' are used in different parts of the log, by site ('North' and 'South')
    """
    first, second = (Foreign(part, quoted=witness.attribute != PERIOD) for part in witness.parts or ("", ""))
    parts: Parts = [Foreign(str(witness.attribute)), " (", first, " and ", second, ")"]
    if not witness.steps:  # the two may be partners, but too few other labels are
        return [Label(witness.a), " and ", Label(witness.b), " are used in different parts of the log, by ", *parts]
    place = f", at the same place of the process: {counted(witness.steps, 'step')} matched"
    return ["used in different parts of the log, by ", *parts, place]


def no_witness_words() -> str:
    """Return what speaks against one step where labels only behave alike."""
    return "no evidence beyond control flow"


def witness_facts(witness: Witness) -> dict[str, Any]:
    """Return a witness for JSON, also in words."""
    days = {name: None if day is None else str(day) for name, day in (("until", witness.until), ("since", witness.since))}
    parts = None if witness.parts is None else list(witness.parts)
    return {**witness._asdict(), **days, "parts": parts, "words": witness_words(witness)}


def with_people_together(witnesses: Sequence[Witness]) -> list[Witness]:
    """Return the witnesses with one of people for each pair, which names all attributes that say so.

    >>> with_people_together([Witness("people", "a", "b", "group"), Witness("people", "a", "b", "user")])[0].attribute
    'group, user'
    """
    together: dict[tuple[object, ...], Witness] = {}
    for witness in witnesses:
        key = (witness.a, witness.b) if witness.kind == "people" else (len(together), witness.kind)
        before = together.get(key)
        together[key] = witness if before is None else before._replace(attribute=f"{before.attribute}, {witness.attribute}")
    return list(together.values())


def shared_neighbours_words(shared: SharedNeighbours) -> str:
    """Return which neighbours the members of a group share, without the counts.

    >>> shared_neighbours_words(SharedNeighbours("x", "y", (20, 17)))
    "both follow 'x' and precede 'y'"
    >>> shared_neighbours_words(SharedNeighbours(OUTSIDE, None, (5, 1, 0)))
    '2 of them begin the case'
    """
    return plain_text(shared_neighbours_parts(shared))


def shared_neighbours_parts(shared: SharedNeighbours) -> Parts:
    """Return which neighbours the members of a group share, as the parts of a sentence."""
    members, having = len(shared.counts), sum(count > 0 for count in shared.counts)
    who = f"{having} of them" if having < members else "both" if members == 2 else "all"
    sides: list[Parts] = []
    if shared.before is not None:
        sides.append(["begin the case"] if shared.before is OUTSIDE else ["follow ", Label(str(shared.before))])
    if shared.after is not None:
        sides.append(["end the case"] if shared.after is OUTSIDE else ["precede ", Label(str(shared.after))])
    parts: Parts = [f"{who} "]
    for side in sides:
        parts += side if len(parts) == 1 else [" and ", *side]
    return parts


def caution_words(caution: Caution) -> str:
    """Return a caution as a sentence.

    >>> caution_words(Caution("too rare", ("a", "b", "c", "d")))
    "in fewer than 5 cases, too rare to judge by behaviour: 'a', 'b', 'c' and 1 more"
    """
    return plain_text(caution_parts(caution))


def caution_parts(caution: Caution) -> Parts:
    """Return a caution as the parts of a sentence."""
    labels: Parts = []
    for label in caution.labels[:_SHOWN_LABELS]:
        labels += [", ", Label(label)] if labels else [Label(label)]
    if len(caution.labels) > _SHOWN_LABELS:
        labels.append(f" and {len(caution.labels) - _SHOWN_LABELS} more")
    match caution.kind:
        case "too rare":
            return [f"in fewer than {ENOUGH_CASES} cases, too rare to judge by behaviour: ", *labels]
        case "few cases":
            return [f"in fewer than {THIN_CASES} cases, so the evidence is thin: ", *labels]
        case "opposites":
            return ["their words say the opposite: ", *labels]
        case "tokens":
            a, b = (Foreign(token, quoted=True) for token in distinguishing_tokens(*caution.labels) or caution.labels)
            return [a, " and ", b, " may be two steps: different people or periods do not show that ", *labels, " are one"]
        case "role":
            return [f"replaced from {caution.since} on: the same step by another role? ", *labels]
        case "names":
            return ["other second names, so different people or periods do not show that they are one: ", *labels]
        case "same place":
            return ["interchangeable in the flow: ", *labels, ". Same step or different outcomes?"]
        case "one pair":
            return ["only one pair holds the group together: ", *labels]


def text_difference_words(first: str, second: str) -> str | None:
    """Return by what the texts of two labels differ; None if they only have different words, which anybody sees.

    >>> text_difference_words("Reminder 1", "Reminder 2"), text_difference_words("Approve loan", "Loan approved")
    ("their texts differ only in numbers, ids or dates: '1' and '2'", 'their texts have the same words in another order or form')
    >>> text_difference_words("Check form", "Pay bill")
    """
    difference = text_difference(first, second)
    sides = [repr(" ".join(words)) for words in (difference.first, difference.second) if words]
    words = " and ".join(sides) if len(sides) == 2 else f"only one has {''.join(sides)}"
    match difference.kind:
        case "same":
            return "their texts differ only in case, accents, spaces or punctuation"
        case "slip":
            return f"their texts differ by a slip of the keyboard: {words}"
        case "words order":
            return "their texts have the same words in another order or form"
        case "number":
            return f"their texts differ only in numbers, ids or dates: {words}"
        case "opposite":
            return f"their texts differ in opposite words: {words}"
        case "word":
            pair = opposite_words(first, second)
            return None if pair is None else f"their texts have opposite words: {pair[0]!r} and {pair[1]!r}"


def sign(log_odds: float) -> str:
    """Return the sign of a reason."""
    return "+" if log_odds >= 0 else "-"


def day_words(day: np.datetime64 | None) -> str:
    """Return a day such as 3 March 2024."""
    written = str(day)
    try:
        whole = date.fromisoformat(written)
    except ValueError:  # before the year 1 or after 9999
        return written
    return f"{whole.day} {_MONTHS[whole.month - 1]} {whole.year}"


_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def _listed(words: Sequence[str]) -> str:
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


class ComparisonWords(NamedTuple):
    """Hold the sentences of a comparison by subject: ``neighbours``, ``time``, ``people``, ``cases`` and ``examples``."""

    neighbours: list[str]
    time: list[str]
    people: list[str]
    cases: list[str]
    examples: list[str]


def comparison_sentences(comparison: Compared) -> ComparisonWords:
    """Return a comparison in sentences: the largest differences, when and how fast, who, together, and examples.

    >>> from actalike import EventLog, compare
    >>> words = comparison_sentences(compare(EventLog.from_traces([["x", "a", "y"], ["x", "b", "z"]] * 20), "a", "b"))
    >>> words.neighbours[0], words.cases
    ("'a' is followed by 'y' in 100 % of its events, 'b' never.", ['They are never in the same case.'])
    >>> words.examples[0]
    "Case 1 with 'a': x → [a] → y"
    """
    a, b = comparison.a, comparison.b
    return ComparisonWords(
        neighbours=list(_neighbours(comparison)),
        time=[
            *_periods(comparison),
            *_gaps("from the step before", a, b, a.to_previous, b.to_previous),
            *_gaps("to the next step", a, b, a.to_next, b.to_next),
        ],
        people=[_people(a, b, one) for one in _with_equal_ones_together(comparison.people)],
        cases=[_together(comparison)],
        examples=[
            *(
                f"Case {one.case} with {side.name!r}: {sequence_words(one)}"
                for side in (a, b)
                for one in side.examples[:_EXAMPLES]
            ),
            *(f"Case {one.case} with both: {sequence_words(one)}" for one in comparison.examples_together[:_EXAMPLES]),
        ],
    )


def _neighbours(comparison: Compared) -> Iterator[str]:
    differing = [context for context in comparison.differing if context.kind == "beside"]
    notable = [context for context in differing if abs(np.subtract(*comparison.shares(context))) >= _NOTABLE]
    for context in notable[:_DIFFERENCES]:
        yield difference_words(comparison, context)
    if not differing:
        yield "They have the same neighbours in the same shares of their events."
    elif not notable:
        yield COMPARED["alike"]


# What is said of two labels, and on the page of any two sides: a name in braces is a place that is filled
COMPARED = {
    "before": "{more} follows {neighbour} in {high} of its events, {less} {low}.",
    "after": "{more} is followed by {neighbour} in {high} of its events, {less} {low}.",
    "outside before": "{more} begins the case in {high} of its events, {less} {low}.",
    "outside after": "{more} ends the case in {high} of its events, {less} {low}.",
    "alike": "No neighbour before or after them differs by 5 % of their events or more.",
    "in": "in {share}",
    "never": "never",
    "once": "once",
    "times": "{count} times",
    "replaces": "{later} replaces {earlier} from {since} on; {earlier} is used until {until}.",
    "periods": "{earlier} is used until {until}, {later} from {since} on.",
    "apart": "They are never in the same case.",
    "together": "They share {cases} ({share_a} of those of {a}, {share_b} of those of {b}); {beside}{instants}.",
    "rarer": "{share} of the cases of the rarer one have both; {beside}.",
    "beside": "{a} is directly before {b} {before}, directly after it {after}",
    "never beside": "they never directly follow each other",
    "beside only": "In the same cases, {beside}.",
    "instants": "; at the same instant {times}",
}


def difference_words(comparison: Compared, context: CommonContext) -> str:
    """Return in which share of its events each side has a neighbour, the side that has it more often first."""
    shares = comparison.shares(context)
    sides = [(comparison.a, shares[0]), (comparison.b, shares[1])]
    (more, high), (less, low) = sides if shares[0] >= shares[1] else sides[::-1]
    (symbol,) = context.symbols
    where = "before" if context.place < 0 else "after"
    return COMPARED[f"outside {where}" if symbol is None else where].format(
        more=repr(more.name),
        neighbour=repr(symbol),
        high=percent(high),
        less=repr(less.name),
        low=COMPARED["in"].format(share=percent(low)) if low else COMPARED["never"],
    )


def _periods(comparison: Compared) -> Iterator[str]:
    periods, over_time, sides = comparison.periods, comparison.over_time, (comparison.a.name, comparison.b.name)
    if periods is not None:
        earlier, later = sides if periods.earlier == "a" else sides[::-1]
        since, until = day_words(periods.since), day_words(periods.until)
        template = COMPARED["replaces" if periods.replaces else "periods"]
        yield template.format(later=repr(later), earlier=repr(earlier), since=since, until=until)
    elif over_time is not None:
        spans = [_span(over_time, counts) for counts in (over_time.counts_a, over_time.counts_b)]
        if spans[0] == spans[1] and spans[0]:
            yield f"Both are used {spans[0]}."
        elif all(spans):
            yield f"{sides[0]!r} is used {spans[0]}, {sides[1]!r} {spans[1]}."


def _span(over_time: UseOverTime, counts: np.ndarray) -> str:
    """Return from when to when a side is used; an empty text if it has no timestamps."""
    used = np.flatnonzero(counts)
    if not len(used):
        return ""
    first, last = (period_words(over_time.starts[place], over_time.unit) for place in used[[0, -1]])
    preposition = "on" if over_time.unit in ("hour", "day") else "in"
    return f"{preposition} {first}" if first == last else f"from {first} to {last}"


def period_words(start: np.datetime64, unit: str) -> str:
    """Return a period such as March 2024, by its first day.

    >>> [period_words(np.datetime64("2024-04-01"), unit) for unit in ("day", "week", "month", "quarter", "year")]
    ['1 April 2024', 'the week of 1 April 2024', 'April 2024', 'April to June 2024', '2024']
    >>> period_words(np.datetime64("2024-04-01T09", "h"), "hour")
    '1 April 2024, 09:00'
    """
    day = day_words(start.astype("datetime64[D]"))
    match unit:
        case "hour":
            return f"{day}, {str(start)[-2:]}:00"
        case "day":
            return day
        case "week":
            return f"the week of {day}"
        case "year":
            return str(start.astype("datetime64[Y]"))
    month = day.split(" ", 1)[-1]
    if unit == "month":
        return month
    last = day_words((start.astype("datetime64[M]") + np.timedelta64(2, "M")).astype("datetime64[D]")).split(" ", 1)[-1]
    return f"{month.split(' ')[0]} to {last}"


def _gaps(what: str, a: Side, b: Side, gaps_a: Gaps | None, gaps_b: Gaps | None) -> Iterator[str]:
    words = [
        f"{side.name!r} {duration(gaps.median)} ({duration(gaps.lower)} to {duration(gaps.upper)})"
        for side, gaps in ((a, gaps_a), (b, gaps_b))
        if gaps is not None
    ]
    if words:
        yield f"Time {what}, median and quartiles: {', '.join(words)}."


def duration(seconds: float) -> str:
    """Return a time in the largest unit of which it has 1.5 or more.

    >>> [duration(seconds) for seconds in (0, 12.4, 100, 5400, 130_000, 2_000_000, -7200)]
    ['0 s', '12 s', '1.7 min', '1.5 h', '1.5 days', '23 days', '-2.0 h']
    """
    for unit, length in _UNITS:
        if abs(seconds) >= _SAME_UNIT * length:
            amount = seconds / length
            return f"{amount:.0f} {unit}" if abs(amount) >= 9.95 else f"{amount:.1f} {unit}"
    return f"{seconds:.0f} s"


def _with_equal_ones_together(people: Sequence[PeopleCompared]) -> list[PeopleCompared]:
    """Return one entry for attributes that say the same of all events, such as the resource under two names."""
    together: dict[tuple[object, ...], PeopleCompared] = {}
    for one in people:
        key = (one.values, one.not_recorded)
        before = together.get(key)
        together[key] = one if before is None else before._replace(attribute=f"{before.attribute}, {one.attribute}")
    return list(together.values())


def _people(a: Side, b: Side, people: PeopleCompared) -> str:
    recorded = (a.events - people.not_recorded[0], b.events - people.not_recorded[1])
    if people.in_common is None:
        missing = " and ".join(repr(side.name) for side, events in zip((a, b), recorded, strict=True) if not events)
        return f"{people.attribute}: it is not recorded for {missing}."
    first = max(people.values, key=lambda value: value[1])
    second = max(people.values, key=lambda value: value[2])
    words = f"{people.attribute}: {percent(people.in_common)} in common"
    if first[0] == second[0]:
        shares = percent(first[1] / recorded[0]), percent(first[2] / recorded[1])
        return f"{words}; both most often by {first[0]!r} ({shares[0]} and {shares[1]} of their events)."
    return (
        f"{words}; {a.name!r} most often by {first[0]!r} ({percent(first[1] / recorded[0])}), "
        f"{b.name!r} by {second[0]!r} ({percent(second[2] / recorded[1])})."
    )


def _together(comparison: Compared) -> str:
    together, a, b = comparison.together, comparison.a, comparison.b
    if not together.cases:
        return COMPARED["apart"]
    names = {"a": repr(a.name), "b": repr(b.name)}
    beside = COMPARED["never beside"]
    if together.a_before_b or together.b_before_a:
        before, after = _times(together.a_before_b), _times(together.b_before_a)
        beside = COMPARED["beside"].format(**names, before=before, after=after)
    return COMPARED["together"].format(
        **names,
        cases=counted(together.cases, "case"),
        share_a=percent(together.cases / a.cases),
        share_b=percent(together.cases / b.cases),
        beside=beside,
        instants="" if together.instants is None else COMPARED["instants"].format(times=_times(together.instants)),
    )


def _times(count: int) -> str:
    return COMPARED["never"] if not count else COMPARED["once"] if count == 1 else COMPARED["times"].format(count=f"{count:,}")


def sequence_words(example: ExampleCase) -> str:
    """Return an example as text: the marked labels in brackets, dots where the case goes on.

    >>> sequence_words(ExampleCase("7", ("x", "a", None, "b"), (1, 3), before=2, after=0, moment=None))
    '… → x → [a] → … → [b]'
    """
    labels = [
        "…" if label is None else f"[{label}]" if place in example.marked else label for place, label in enumerate(example.labels)
    ]
    return " → ".join([*["…"] * (example.before > 0), *labels, *["…"] * (example.after > 0)])


def comparison_card(comparison: Compared) -> str:
    """Return the HTML of a comparison."""
    a, b = comparison.a, comparison.b
    verdict = (
        ""
        if comparison.verdict is None
        else f"<div>{escape(verdict_words(comparison.verdict.relation, comparison.verdict.probability))}</div>"
    )
    heads = "".join(
        f"<th style='{_CELL};border-bottom:3px solid {colour}'>{label_html(side.name)}<br><small>{side.size}</small></th>"
        for side, colour in zip((a, b), _COLOURS, strict=True)
    )
    flows = "".join(
        _flow(comparison, title, contexts)
        for title, contexts in (("directly before", comparison.before), ("directly after", comparison.after))
    )
    table = f"<table><thead><tr><th></th>{heads}</tr></thead><tbody>{flows}</tbody></table>"
    words = comparison_sentences(comparison)
    sentences = "".join(f"<li><bdi>{escape(one_line(sentence, 400))}</bdi></li>" for subject in words for sentence in subject)
    strip = "" if comparison.over_time is None else _strip(comparison.over_time)
    return f"<div><strong>Comparison</strong>{verdict}{table}{strip}<ul>{sentences}</ul></div>"


def _flow(comparison: Compared, title: str, contexts: Sequence[CommonContext]) -> str:
    """Return the rows of the most frequent neighbours on one side, and one that says how many there are beside."""
    rows = [f"<tr><th colspan='3' style='{_CELL}'>{title}</th></tr>"]
    for context in contexts[:_NEIGHBOURS]:
        (symbol,) = context.symbols
        name = "<em>outside the case</em>" if symbol is None else label_html(symbol)
        bars = "".join(
            f"<td style='{_CELL}'>{_bar(share, colour)} {percent(share)} <small>({count:,})</small></td>"
            for share, count, colour in zip(comparison.shares(context), (context.count_a, context.count_b), _COLOURS, strict=True)
        )
        rows.append(f"<tr><td style='{_CELL}'>{name}</td>{bars}</tr>")
    if len(contexts) > _NEIGHBOURS:
        rows.append(f"<tr><td colspan='3' style='{_CELL}'>and {len(contexts) - _NEIGHBOURS:,} more</td></tr>")
    return "".join(rows)


def _bar(share: float, colour: str) -> str:
    return f"<span style='display:inline-block;width:{6 * share:.2f}em;height:.7em;background:{colour}'></span>"


def _strip(over_time: UseOverTime) -> str:
    """Return a picture of both sides over time: a column for each period, one half above and one below the axis."""
    largest = max(int(over_time.counts_a.max()), int(over_time.counts_b.max()), 1)
    width = max(4, _STRIP // len(over_time.starts))
    bars = []
    for i, (count_a, count_b) in enumerate(zip(over_time.counts_a.tolist(), over_time.counts_b.tolist(), strict=True)):
        high, low = 30 * count_a / largest, 30 * count_b / largest
        bars.append(
            f"<rect x='{i * width}' y='{31 - high:.1f}' width='{width - 1}' height='{high:.1f}' fill='{_COLOURS[0]}'/>"
            * (count_a > 0)
        )
        bars.append(f"<rect x='{i * width}' y='33' width='{width - 1}' height='{low:.1f}' fill='{_COLOURS[1]}'/>" * (count_b > 0))
    first, last = (period_words(over_time.starts[place], over_time.unit) for place in (0, -1))
    size = f"width='{len(over_time.starts) * width}' height='64'"
    return f"<div><svg {size} role='img' aria-label='events by {over_time.unit}'>{''.join(bars)}</svg><br>" + (
        f"<small>events by {over_time.unit}, {escape(first)} to {escape(last)}, up to {largest:,}</small></div>"
    )
