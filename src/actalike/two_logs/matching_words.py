"""Put a matching into English: why two labels are taken for one step, and why a label has no partner.

Each sentence has a sign, and figures that can be checked in the logs. The exact terms of a score are in ``Matching.explain``.
"""

from collections.abc import Iterator
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.labels import text_difference, text_difference_words
from actalike.support.text import percent
from actalike.two_logs.company import REACH
from actalike.two_logs.label_likeness import label_likeness
from actalike.two_logs.matched_uses import Frequency, MatchedUses, SharedStep
from actalike.two_logs.matching_data import MatchingData, MatchReason, SideName

_SHOWN_STEPS = 3
_LOOKED_AT = 12  # shared steps, of which some are shown
_NOTABLE = 0.1  # a share of events from which on a neighbour is a reason
_DIFFERENT = 0.25  # a difference of shares from which on a neighbour speaks against a pair
_SAME_RATE = 1.5  # up to this ratio, two shares of cases, or two numbers of events per case, are about the same
_OTHER_PLACE = 0.3  # the difference of mean places in the case from which on they speak against a pair
_ONCE = 1.05  # events in a case, on average, that are rounded to one
_RARE = 5  # an activity in fewer cases is too rare to judge
_RIVAL = 0.1  # the probability from which on another candidate is named
_AS_LIKELY = 0.6  # of the probability of the best candidate
_ALIKE_TEXT = 0.5  # from which likeness of texts on they speak for a pair


class MatchSentence(NamedTuple):
    """Hold a reason in words; ``sign`` says whether it speaks for ("+") or against ("-") one step."""

    sign: str
    words: str


def matching_sentences(matching: MatchingData, a: str, b: str) -> list[MatchSentence]:
    """Return why an activity of a and one of b are the same step, or why not, in sentences.

    >>> from actalike import EventLog, match
    >>> logs = [EventLog.from_traces([[x, y, z]] * 9) for x, y, z in ("abc", "123")]
    >>> for sign, words in matching_sentences(match(*logs, known={"a": "1", "c": "3"}), "b", "2"):
    ...     print(sign, words)
    + both come directly after 'a' = '1' (in 100 % and 100 % of their events)
    + both come directly before 'c' = '3' (in 100 % and 100 % of their events)
    + both are in 100 % and 100 % of the cases, once each
    """
    return MatchingWords(matching).of_pair(a, b)


class MatchingWords:
    """Put the pairs of a matching, and its labels without a partner, into words."""

    def __init__(self, matching: MatchingData) -> None:
        self._matching = matching
        self._uses = MatchedUses(matching)
        self._place_a = {label: i for i, label in enumerate(matching.activities_a)}
        self._place_b = {label: i for i, label in enumerate(matching.activities_b)}
        self._partner_of_a = {pair.a: pair for pair in matching.pairs}
        self._partner_of_b = {pair.b: pair for pair in matching.pairs}

    def of_pair(self, a: str, b: str) -> list[MatchSentence]:
        """Return the reasons for and against a pair: neighbours, frequency, place, text, rivals."""
        if self._matching.known.get(a) == b:
            return [MatchSentence("+", "the pair was given as known"), *self._reasons(a, b)]
        return [*self._reasons(a, b), *self._rivals(a, b)]

    def reason(self, a: str, b: str) -> str:
        """Return the strongest reason for a pair in a few words; what speaks against it if nothing speaks for it."""
        if self._matching.known.get(a) == b:
            return "given as known"
        reasons = list(self._reasons(a, b))
        return next((reason.words for reason in reasons if reason.sign == "+"), reasons[0].words)

    def of_unmatched(self, side: SideName, label: str, at_least: float = 0.0) -> str:
        """Return why a label has no partner that is ``at_least`` so likely: its best candidate, and what is wrong with it."""
        number = 0 if side == "a" else 1
        cases = self._uses.frequency(number, label).cases
        rare = f"in {_cases(cases)} only, too rare to judge; " if cases < _RARE else ""
        candidates = self._candidates(side, label)
        if not candidates:
            return f"{rare}no candidate"
        other, probability = candidates[0]
        taken = (self._partner_of_b if side == "a" else self._partner_of_a).get(other)
        named = f"{rare}best candidate {other!r} ({percent(probability)})"
        if taken is not None and (taken.a, taken.b)[number] == label:
            return f"{named}, less likely than {percent(at_least)}"
        if taken is not None:
            partner = taken.a if side == "a" else taken.b
            return f"{named}, which is the partner of {partner!r} ({percent(taken.probability)})"
        if len(candidates) > 1 and candidates[1][1] >= _AS_LIKELY * probability:
            rival, likely = candidates[1]
            return f"{rare}{other!r} ({percent(probability)}) and {rival!r} ({percent(likely)}) are about as likely"
        a, b = (label, other) if side == "a" else (other, label)
        differing = [step for step in self._uses.differing(a, b, 1) if _gap(step) >= _DIFFERENT]
        return f"{named}, but {difference_words(a, b, differing[0])}" if differing and not rare else named

    def candidate(self, side: SideName, label: str) -> str | None:
        """Return the most likely partner of a label; None if there is none at all."""
        return next((other for other, _ in self._candidates(side, label)), None)

    def _candidates(self, side: SideName, label: str) -> list[tuple[str, float]]:
        """Return the two most likely partners of a label, and how likely they are."""
        if side == "a":
            row, labels = self._probabilities[self._place_a[label]], self._matching.activities_b
        else:
            row, labels = self._probabilities[:, self._place_b[label]], self._matching.activities_a
        return [(labels[place], float(row[place])) for place in np.argsort(-row, kind="stable")[:2].tolist() if row[place] > 0]

    @cached_property
    def _probabilities(self) -> NDArray[np.float64]:
        return self._matching.probabilities()

    @cached_property
    def _likeness(self) -> NDArray[np.float64]:
        matching = self._matching
        return label_likeness(matching.activities_a, matching.activities_b, matching.log_a.names, matching.log_b.names)

    def _reasons(self, a: str, b: str) -> Iterator[MatchSentence]:
        """Yield what the uses and, if they were looked at, the texts of two labels say; at least one sentence."""
        shared = self._shown_steps(a, b)
        for step in shared:
            yield MatchSentence("+", shared_words(step))
        if not shared:
            yield MatchSentence("-", f"no step is beside both in {percent(_NOTABLE)} of their events")
        for step in self._uses.differing(a, b, 1):
            if _gap(step) >= _DIFFERENT:
                yield MatchSentence("-", difference_words(a, b, step))
        yield from self._frequency(a, b)
        if self._matching.use_labels:
            yield from self._text(a, b)

    def _shown_steps(self, a: str, b: str) -> list[SharedStep]:
        """Return the steps that both have beside them in a notable share of their events, each once on each side."""
        notable = [step for step in self._uses.shared(a, b, _LOOKED_AT) if min(step.share_a, step.share_b) >= _NOTABLE]
        notable.sort(key=_is_near_the_edge)  # what it says is often clear from the steps beside it
        shown: list[SharedStep] = []
        for step in notable:
            beside = [other for other in shown if (other.offset < 0) == (step.offset < 0)]
            is_same = any((other.labels_a, other.labels_b) == (step.labels_a, step.labels_b) for other in beside)
            if not is_same and not (beside and _is_near_the_edge(step)):
                shown.append(step)
        return shown[:_SHOWN_STEPS]

    def _frequency(self, a: str, b: str) -> Iterator[MatchSentence]:
        x, y = self._uses.frequency(0, a), self._uses.frequency(1, b)
        name_a, name_b = side_names(a, b)
        times = "once each" if max(x.repeats, y.repeats) < _ONCE else f"{_times(x.repeats)} and {_times(y.repeats)} in each"
        if _differ_by_more_than_chance(x, y):
            yield MatchSentence("-", f"{name_a} is in {percent(x.share)} of the cases, {name_b} in {percent(y.share)}")
        elif not _about_the_same(x.repeats, y.repeats):
            yield MatchSentence("-", f"{name_a} is {_times(x.repeats)} in a case that has it, {name_b} {_times(y.repeats)}")
        else:
            yield MatchSentence("+", f"both are in {percent(x.share)} and {percent(y.share)} of the cases, {times}")
        if abs(x.place - y.place) >= _OTHER_PLACE:
            yield MatchSentence("-", f"{name_a} is on average at {percent(x.place)} of the case, {name_b} at {percent(y.place)}")
        for name, cases in ((name_a, x.cases), (name_b, y.cases)):
            if cases < _RARE:
                yield MatchSentence("-", f"{name} is in {_cases(cases)} only, too rare to judge")

    def _text(self, a: str, b: str) -> Iterator[MatchSentence]:
        names_a, names_b = self._matching.log_a.names, self._matching.log_b.names
        if a == b:
            yield MatchSentence("+", "the labels are the same")
            return
        shown = names_a.get(a, a), names_b.get(b, b)
        difference = text_difference(*shown)
        words = text_difference_words(*shown)
        if words is not None:
            yield MatchSentence("+" if difference.kind in ("same", "slip", "words order") else "-", words)
            return
        likeness = float(self._likeness[self._place_a[a], self._place_b[b]])
        yield MatchSentence("+" if likeness >= _ALIKE_TEXT else "-", f"the label texts are {percent(likeness)} alike")

    def _rivals(self, a: str, b: str) -> Iterator[MatchSentence]:
        """Yield the other candidates of both labels that are not much less likely."""
        i, j = self._place_a[a], self._place_b[b]
        for label, row, labels, own in (
            (a, self._probabilities[i], self._matching.activities_b, j),
            (b, self._probabilities[:, j], self._matching.activities_a, i),
        ):
            rivals = [place for place in np.argsort(-row, kind="stable")[:2].tolist() if place != own][:1]
            for rival in rivals:
                if row[rival] >= _RIVAL:
                    yield MatchSentence("-", f"{labels[rival]!r} is a candidate for {label!r} too ({percent(row[rival])})")


def shared_words(step: SharedStep) -> str:
    """Return which step two activities have beside them.

    >>> shared_words(SharedStep(-1, ("Register",), ("Registrieren",), 0.82, 0.794))
    "both come directly after 'Register' = 'Registrieren' (in 82 % and 79 % of their events)"
    >>> shared_words(SharedStep(2, (), (), 0.5, 1.0))
    'both are among the last two events of the case (in 50 % and 100 % of their events)'
    """
    shares = f"(in {percent(step.share_a)} and {percent(step.share_b)} of their events)"
    return f"both {_place_words(step, plural=True)} {shares}"


def difference_words(a: str, b: str, step: SharedStep) -> str:
    """Return in which share of its events each of two activities has a step beside it.

    >>> difference_words("Check", "Prüfen", SharedStep(1, ("Pay",), ("Zahlen",), 0.9, 0.0))
    "'Check' comes directly before 'Pay' = 'Zahlen' in 90 % of its events, 'Prüfen' never"
    >>> difference_words("Check", "Prüfen", SharedStep(-1, (), ("Zahlen",), 0.0, 0.4))
    "'Prüfen' comes directly after 'Zahlen', which has no partner, in 40 % of its events"
    """
    name_a, name_b = side_names(a, b)
    (more, high), (less, low) = sorted([(name_a, step.share_a), (name_b, step.share_b)], key=lambda side: -side[1])
    if bool(step.labels_a) != bool(step.labels_b):
        return f"{more} {_place_words(step, plural=False)}, which has no partner, in {percent(high)} of its events"
    seldom = f"in {percent(low)}" if low else "never"
    return f"{more} {_place_words(step, plural=False)} in {percent(high)} of its events, {less} {seldom}"


def side_names(a: str, b: str) -> tuple[str, str]:
    """Return how two labels are called; labels that are the same are told apart by their logs.

    >>> side_names("Check", "Prüfen"), side_names("Check", "Check")
    (("'Check'", "'Prüfen'"), ("'Check' of A", "'Check' of B"))
    """
    return (repr(a), repr(b)) if a != b else (f"{a!r} of A", f"{b!r} of B")


def told_terms(matching: MatchingData, a: str, b: str, topn: int) -> list[MatchReason]:
    """Return the largest terms of a score that are worth words: each activity is in all cases with itself, whatever it is."""
    terms = matching.explain(a, b, topn + 1)
    return [term for term in terms if (term.offset, term.neighbour_a, term.neighbour_b) != (0, a, b)][:topn]


def term_words(reason: MatchReason) -> str:
    """Return a term of a score: which neighbours two activities (●) have, and where; ≈ stands between the labels of a and b.

    >>> term_words(MatchReason(0.4, -1, "Register", "Registrieren")), term_words(MatchReason(0.1, 2, None, None))
    ('Register ≈ Registrieren → ●', '● → · → (end)')
    >>> term_words(MatchReason(0.2, 0, "Pay", "Zahlen")), term_words(MatchReason(0.2, 4, "Pay", "Zahlen"))
    ('● in cases with Pay ≈ Zahlen', '● … Pay ≈ Zahlen')
    >>> term_words(MatchReason(0.2, 0, "Pay", "Zahlen", seldom=True))
    '● seldom in cases with Pay ≈ Zahlen'
    """
    outside = "(start)" if reason.offset < 0 else "(end)"
    labels = [outside if label is None else label for label in (reason.neighbour_a, reason.neighbour_b)]
    neighbour = labels[0] if labels[0] == labels[1] else " ≈ ".join(labels)
    if not reason.offset:
        return f"● {'seldom ' if reason.seldom else ''}in cases with {neighbour}"
    if abs(reason.offset) == REACH:  # that far, or nearer
        return f"{neighbour} … ●" if reason.offset < 0 else f"● … {neighbour}"
    between = ["·"] * (abs(reason.offset) - 1)
    return " → ".join([neighbour, *between, "●"] if reason.offset < 0 else ["●", *between, neighbour])


def _place_words(step: SharedStep, plural: bool) -> str:
    """Return where an activity is in relation to a step."""
    verb = "" if plural else "s"
    if not (step.labels_a or step.labels_b):
        are = "are" if plural else "is"
        match step.offset:
            case -1:
                return f"begin{verb} the case"
            case 1:
                return f"end{verb} the case"
        return f"{are} among the {'first' if step.offset < 0 else 'last'} two events of the case"
    distance = "directly" if abs(step.offset) == 1 else "two steps"
    return f"come{verb} {distance} {'after' if step.offset < 0 else 'before'} {_step_name(step)}"


def _step_name(step: SharedStep) -> str:
    sides = [" or ".join(map(repr, labels)) for labels in (step.labels_a, step.labels_b) if labels]
    return sides[0] if len(set(sides)) == 1 else " = ".join(sides)


def _is_near_the_edge(step: SharedStep) -> bool:
    """Tell whether it is not a step, but the outside of the case two places away."""
    return abs(step.offset) > 1 and not (step.labels_a or step.labels_b)


def _gap(step: SharedStep) -> float:
    return abs(step.share_a - step.share_b)


def _differ_by_more_than_chance(x: Frequency, y: Frequency) -> bool:
    """Tell whether two shares of cases differ notably, and by more than two standard errors."""
    variance = sum(side.share**2 * (1 - side.share) / side.cases for side in (x, y))  # share / cases is 1 / all cases
    return not _about_the_same(x.share, y.share) and abs(x.share - y.share) > 2 * variance**0.5


def _about_the_same(x: float, y: float) -> bool:
    return max(x, y) <= _SAME_RATE * min(x, y)


def _times(repeats: float) -> str:
    return "once" if repeats < _ONCE else f"{repeats:.1f} times"


def _cases(number: int) -> str:
    return "1 case" if number == 1 else f"{number:,} cases"
