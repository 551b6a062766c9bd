"""Put verdicts, reasons, witnesses and cautions into English, for the command line.

A decision shown to a person has the verdict first, then the few reasons that carry it, the strongest first, each with its sign
and a number that can be checked in the log.
"""

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any, Literal, NamedTuple

import numpy as np

from actalike.embedding import ENOUGH_CASES
from actalike.labels.evidence import OUTSIDE, THIN_CASES, Caution, SharedNeighbours
from actalike.labels.groups import Group, Relation
from actalike.labels.opposites import opposite_words
from actalike.labels.step_probabilities import Reason
from actalike.labels.text_differences import distinguishing_tokens, text_difference
from actalike.labels.witnesses import Witness
from actalike.support.text import Foreign, Label, Parts, percent, plain_text

_FEW_NEIGHBOURS = 0.1  # a share of neighbours in common, below which ranks are what counts
_SHOWN_LABELS = 3  # of a caution; the others are only counted
_SHOWN_REASONS = 3
_SHOWN_WITNESSES = 3
_CARRIES = 0.5  # log-odds: a reason with less changes little
_ROUNDING = 1e-9  # a share that is nearer to 0 or 1 than this is one of them


class Argument(NamedTuple):
    """Hold one line of why a group has its verdict: what kind of line it is, whether it speaks for one step, the sentence."""

    kind: Literal["reason", "witness", "caution"]
    sign: str
    parts: Parts


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
            return "take the same place: two names of one step, or two outcomes of one decision; you decide"
        case "belong together":
            return "belong together: in the same cases, parallel or one after the other"
        case "too rare to judge":
            return "too rare to judge"
        case None:
            return f"different steps: {percent(probability)} likely one step"


def group_words(group: Group) -> Iterator[tuple[str, str]]:
    """Yield the reasons for a verdict about a group as texts, each with its sign."""
    for argument in group_arguments(group):
        yield argument.sign, plain_text(argument.parts)


def group_arguments(group: Group) -> Iterator[Argument]:
    """Yield why a group has its verdict: the reasons that carry it, witnesses, cautions."""
    told = {witness.kind for witness in group.witnesses}
    untold = {"any pair", "rarity", "opposites"} | (told & {"text", "pattern"})  # cautions and witnesses say more than these
    if group.relation == "belong together":
        untold.add("cases")
        yield Argument("reason", "-", [f"{percent(group.together)} of the cases with one of them have two or more"])
    if any(reason.kind == "company" and reason.log_odds > 0 for reason in group.reasons):
        untold.add("company")  # it has no figure to check; explain has it
    reasons = [reason for reason in group.reasons if abs(reason.log_odds) >= _CARRIES and reason.kind not in untold]
    for reason in reasons[:_SHOWN_REASONS]:
        parts: Parts = [reason_words(reason, len(group.activities))]
        if reason.kind == "neighbours" and group.evidence:
            parts += [" (", *shared_neighbours_parts(group.evidence[0]), ")"]
        yield Argument("reason", sign(reason.log_odds), parts)
    found = (tuple(witness_parts(witness)) for witness in with_people_together(group.witnesses))
    witnesses = list(dict.fromkeys(found))  # a pattern is the same for all
    for words in witnesses[:_SHOWN_WITNESSES]:
        yield Argument("witness", "+", list(words))
    if len(witnesses) > _SHOWN_WITNESSES:
        yield Argument("witness", "+", [f"and {len(witnesses) - _SHOWN_WITNESSES:,} more of this kind"])
    if group.relation == "alternatives" and not group.witnesses:
        yield Argument("caution", "-", [no_witness_words()])
    for caution in group.cautions:
        yield Argument("caution", "-", caution_parts(caution))


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
            return "any two labels: few are one step"
        case "neighbours":
            ranks = (
                "; but their contexts rank high among each other's" if reason.log_odds > 0 and figure < _FEW_NEIGHBOURS else ""
            )
            return f"{percent(figure)} of their neighbours are the same{mean}{ranks}"
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
            excess = ", no more than chance and repetition explain" if helps else ""
            return f"{percent(figure)} of the cases of the rarer one have both{mean}{excess}"
        case "rarity":
            cases = round(figure)
            return f"the rarer one is in {cases:,} case{'s' * (cases != 1)}{mean}"
        case "text":
            return f"they are spelled {percent(figure)} alike{mean}"
        case "opposites":
            return "their words say the opposite"
        case "pattern":
            return "they differ only in a number, an id, a date or a name"


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
            return [a, " and ", b, " are spelled alike"]
        case "pattern":
            return ["they differ only in what varies in ", Foreign(str(witness.pattern), quoted=True)]
        case "people":
            by = Foreign(str(witness.attribute))
            return ["different people use ", a, " and ", b, " (", by, "), and otherwise do the same work"]
        case "periods":
            later, earlier = (b, a) if witness.earlier == witness.a else (a, b)
            since, until = day_words(witness.since), day_words(witness.until)
            return [later, f" is used from {since} on, ", earlier, f" until {until} (95 % of their cases)"]


def no_witness_words() -> str:
    """Return what speaks against one step where labels only behave alike."""
    return "only their behaviour says that they are one step"


def witness_facts(witness: Witness) -> dict[str, Any]:
    """Return a witness for JSON, also in words."""
    days = {name: None if day is None else str(day) for name, day in (("until", witness.until), ("since", witness.since))}
    return {**witness._asdict(), **days, "words": witness_words(witness)}


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
