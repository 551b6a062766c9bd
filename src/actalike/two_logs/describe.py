"""Say what a matching of two logs is: sentences, rows of its table, the facts for JSON, the card of a notebook.

Each sentence has a sign, and figures that can be checked in the logs. They are counted in one vocabulary: labels that are matched
count as one step. The exact terms of a score are in ``Matching.explain``. Labels come from logs and are not trusted: in the card
they are escaped and shown as text.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from html import escape
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np
import polars as pl
from scipy.sparse import csr_array

from actalike.counting import PAD, WindowCounts
from actalike.errors import ActalikeError
from actalike.labels import KNOWN, MATCHED, ORIGINAL, table_bytes, text_difference, text_difference_words
from actalike.log import Variants
from actalike.support.files import write_atomically
from actalike.support.text import and_more, card, counted, label_html, one_line, percent, without_middle
from actalike.two_logs.cross_kin import REACH, MatchReason
from actalike.two_logs.evidence import Floats, cases_with_events
from actalike.two_logs.partners import NO_PARTNER, MatchedPair, SideName, SplitStep, Unmatched
from actalike.two_logs.texts import label_likeness

SURE = 0.8  # the probability from which on a pair is not called doubtful
OFFSETS = (-1, 1, -2, 2)  # of neighbours that are named, the nearest first
_ROUNDING = 12  # decimals of shares when they are ordered, so that equal ones keep the order of their labels
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
_FEW_CASES = 10  # of a log
_HARDLY = 0.1  # a share of the labels of the smaller log
_DECIMALS = 4  # of probabilities in a file
_SHOWN_PAIRS = 12  # in a card
_SHOWN_NAMES = 3
_LONGEST_NAME = 80  # characters of a label in a sentence


class Matched(Protocol):
    """Describe what is said here of a matching; :class:`actalike.Matching` has it."""

    variants_a: Variants
    variants_b: Variants
    windows_a: WindowCounts
    windows_b: WindowCounts
    names_a: Mapping[str, str]
    names_b: Mapping[str, str]
    activities_a: list[str]
    activities_b: list[str]
    known: dict[str, str]
    apart: frozenset[tuple[str, str]]
    use_labels: bool
    pairs: list[MatchedPair]
    unmatched_a: list[Unmatched]
    unmatched_b: list[Unmatched]
    splits: list[SplitStep]

    def probabilities(self) -> Floats:
        """Return how likely each pair is the same step."""

    def candidates(self, a: str, topn: int = 5) -> list[MatchedPair]:
        """Return the most likely partners of an activity of a."""

    def explain(self, a: str, b: str, topn: int = 10) -> list[MatchReason]:
        """Return the largest terms of the score of a pair."""


class SharedStep(NamedTuple):
    """Hold a step beside two activities, by its labels in both logs, and the share of their events that have it there.

    A log may have several labels of the step, or none. If both logs have none, it is the outside of the case.
    """

    offset: int
    labels_a: tuple[str, ...]
    labels_b: tuple[str, ...]
    share_a: float
    share_b: float


class Frequency(NamedTuple):
    """Hold in how many cases of its log an activity is, as a number and as a share, its events in such a case, and its place.

    ``place`` is the mean of the relative positions of its events: 0 for the first event of a case, 1 for the last.
    """

    cases: int
    share: float
    repeats: float
    place: float


class MatchSentence(NamedTuple):
    """Hold a reason in words; ``sign`` says whether it speaks for ("+") or against ("-") one step."""

    sign: str
    words: str


def matching_sentences(matching: Matched, a: str, b: str) -> list[MatchSentence]:
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

    def __init__(self, matching: Matched) -> None:
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
        rare = f"in {counted(cases, 'case')} only, too rare to judge; " if cases < _RARE else ""
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
    def _probabilities(self) -> Floats:
        return self._matching.probabilities()

    @cached_property
    def _likeness(self) -> Floats:
        matching = self._matching
        return label_likeness(matching.activities_a, matching.activities_b, matching.names_a, matching.names_b)

    def _reasons(self, a: str, b: str) -> Iterator[MatchSentence]:
        """Yield what the uses and, if they were looked at, the texts of two labels say; at least one sentence."""
        shared = self._shown_steps(a, b)
        for step in shared:
            yield MatchSentence("+", shared_words(step))
        if not shared:
            yield MatchSentence("-", f"no step is next to both in {percent(_NOTABLE)} of their events")
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
                yield MatchSentence("-", f"{name} is in {counted(cases, 'case')} only, too rare to judge")

    def _text(self, a: str, b: str) -> Iterator[MatchSentence]:
        names_a, names_b = self._matching.names_a, self._matching.names_b
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
                    yield MatchSentence("-", f"{labels[rival]!r} is also a candidate for {label!r} ({percent(row[rival])})")


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


def top_terms(matching: Matched, a: str, b: str, topn: int) -> list[MatchReason]:
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


class MatchingRow(NamedTuple):
    """Hold a row of the table of a matching. A label without a partner has None in place of it.

    ``probability`` is that of the pair; of a label without a partner, that it has none. ``candidate`` is its most likely
    partner. ``name_a`` and ``name_b`` are second names.
    """

    label_a: str | None
    label_b: str | None
    probability: float
    known: bool
    events_a: int | None
    events_b: int | None
    name_a: str | None
    name_b: str | None
    candidate: str | None
    reason: str

    @property
    def pair(self) -> tuple[str, str] | None:
        """Return the labels of a pair; None if the row is that of a label without a partner."""
        return None if self.label_a is None or self.label_b is None else (self.label_a, self.label_b)


def matching_rows(matching: Matched, at_least: float = 0.0) -> list[MatchingRow]:
    """Return the rows of a matching: pairs, the most likely first, with further labels of a split step; then the other labels.

    Pairs that are less likely than ``at_least`` are no pairs: each of their labels has its own row, with the other one as its
    candidate.
    """
    return list(_Rows(matching).all(at_least))


def matching_frame(matching: Matched) -> pl.DataFrame:
    """Return the table of a matching as a frame; without the columns of second names if there are none."""
    frame = pl.DataFrame(matching_rows(matching), schema=_SCHEMA, orient="row")
    return frame if matching.names_a or matching.names_b else frame.drop("name_a", "name_b")


def write_matching(matching: Matched, path: str | Path, rows: Sequence[MatchingRow] | None = None) -> None:
    """Write a matching as a CSV file, which relabels log b and can be given as known pairs (docs/file_formats.md).

    ``rows`` are those of :func:`matching_rows`, if they are there already.
    """
    for log, labels in (("first", matching.activities_a), ("second", matching.activities_b)):
        if "" in labels:
            raise ActalikeError(
                f"The {log} log has an activity with an empty label, which stands for no partner in {path}: relabel it first. "
                "Nothing was written."
            )
    has_names = bool(matching.names_a or matching.names_b)
    columns = [name for name in MatchingRow._fields if has_names or name not in ("name_a", "name_b")]
    written = matching_rows(matching) if rows is None else rows
    cells = ([*(_cell(getattr(row, name)) for name in columns), row.label_a or ""] for row in written)
    mark = columns.index(KNOWN)
    rejected = {b for a, b in matching.apart if a == b}
    table = [[*columns, ORIGINAL]]
    for row, of_row in zip(written, cells, strict=True):
        if row.label_a is None and row.label_b in rejected:
            of_row[mark] = "no"  # so that relabelling by the file keeps it apart too
        table.append(of_row)
    content = table_bytes(table)
    write_atomically(path, lambda part: part.write_bytes(content))


_SCHEMA: dict[str, pl.DataType | type[pl.DataType]] = {
    MATCHED[0]: pl.String,
    MATCHED[1]: pl.String,
    "probability": pl.Float64,
    KNOWN: pl.Boolean,
    "events_a": pl.Int64,
    "events_b": pl.Int64,
    "name_a": pl.String,
    "name_b": pl.String,
    "candidate": pl.String,
    "reason": pl.String,
}


def _cell(value: object) -> str:
    """Return a value as the text of a cell."""
    if isinstance(value, bool):
        return "yes" if value else ""
    return "" if value is None else f"{value:.{_DECIMALS}f}" if isinstance(value, float) else str(value)


class _Rows:
    """Make the rows of a matching."""

    def __init__(self, matching: Matched) -> None:
        self._matching = matching
        self._words = MatchingWords(matching)
        logs: dict[SideName, Variants] = {"a": matching.variants_a, "b": matching.variants_b}
        self._events = {side: dict(zip(log.activities, log.activity_counts.tolist(), strict=True)) for side, log in logs.items()}
        self._names = {"a": matching.names_a, "b": matching.names_b}
        # how likely a label has no partner: that of a pair has another one, or none
        self._none: dict[SideName, dict[str, float]] = {
            "a": {pair.a: 1 - pair.probability for pair in matching.pairs} | dict(matching.unmatched_a),
            "b": {pair.b: 1 - pair.probability for pair in matching.pairs} | dict(matching.unmatched_b),
        }

    def all(self, at_least: float) -> Iterator[MatchingRow]:
        matching = self._matching
        pairs = [pair for pair in matching.pairs if pair.probability >= at_least or pair.a in matching.known]
        done: dict[SideName, set[str]] = {"a": {pair.a for pair in pairs}, "b": {pair.b for pair in pairs}}
        for pair in pairs:
            yield self._row(pair.a, pair.b, pair.probability, reason=self._words.reason(pair.a, pair.b))
            for split in matching.splits:
                if split.activity == (pair.a if split.side == "a" else pair.b):
                    yield from self._further_parts(split, done)
        sides: tuple[tuple[SideName, list[str]], ...] = (("a", matching.activities_a), ("b", matching.activities_b))
        for side, labels in sides:
            events = self._events[side]
            alone = [label for label in labels if label not in done[side]]
            for label in sorted(alone, key=lambda label: (-events[label], label)):
                yield self._alone(side, label, at_least)

    def _further_parts(self, split: SplitStep, done: dict[SideName, set[str]]) -> Iterator[MatchingRow]:
        """Yield a row for each label of a split step that has none yet. A label of b has one name only, that of its partner."""
        other: SideName = "b" if split.side == "a" else "a"
        parts = f"{' and '.join(map(repr, split.parts))} are {split.activity!r}"
        for part in split.parts:
            if part not in done[other]:
                done[other].add(part)
                reason = f"{other.upper()} splits the step: {parts} ({percent(split.probability)})"
                if other == "b":
                    yield self._row(split.activity, part, split.probability, reason=reason)
                else:
                    yield self._row(part, None, split.probability, candidate=split.activity, reason=reason)

    def _alone(self, side: SideName, label: str, at_least: float) -> MatchingRow:
        a, b = (label, None) if side == "a" else (None, label)
        none, reason = self._none[side][label], self._words.of_unmatched(side, label, at_least)
        if none <= NO_PARTNER:
            reason = f"unknown whether it has a partner; {reason}"
        return self._row(a, b, none, candidate=self._words.candidate(side, label), reason=reason)

    def _row(self, a: str | None, b: str | None, probability: float, *, reason: str, candidate: str | None = None) -> MatchingRow:
        sides = ((a, self._events["a"], self._names["a"]), (b, self._events["b"], self._names["b"]))
        (events_a, name_a), (events_b, name_b) = (
            (None, None) if label is None else (events[label], names.get(label)) for label, events, names in sides
        )
        known = a is not None and b is not None and self._matching.known.get(a) == b
        return MatchingRow(a, b, probability, known, events_a, events_b, name_a, name_b, candidate, reason)


def matching_facts(matching: Matched, rows: Sequence[MatchingRow]) -> dict[str, Any]:
    """Return a matching as plain data: what ``actalike match --json`` prints. ``rows`` are those of :func:`matching_rows`."""
    alone = [row for row in rows if row.pair is None]
    return {
        "schema": "actalike/match/1",
        "activities_a": len(matching.activities_a),
        "activities_b": len(matching.activities_b),
        "use_labels": matching.use_labels,
        "pairs": [row._asdict() for row in rows if row.pair],
        "splits": [{**split._asdict(), "parts": list(split.parts)} for split in matching.splits],
        "without_partner_a": [row._asdict() for row in alone if row.label_b is None],
        "without_partner_b": [row._asdict() for row in alone if row.label_a is None],
    }


def explanation_facts(matching: Matched, a: str, b: str, topn: int = 10) -> dict[str, Any]:
    """Return why two labels are one step or not: sentences, the terms of the score, and the other candidates."""
    terms = top_terms(matching, a, b, topn)
    place = matching.activities_a.index(a), matching.activities_b.index(b)
    candidates = matching.candidates(a, topn)
    shown_b = {b, *(one.b for one in candidates)}
    return {
        "schema": "actalike/match-explanation/1",
        "a": a,
        "b": b,
        "probability": float(matching.probabilities()[place]),
        "known": matching.known.get(a) == b,
        "sentences": [sentence._asdict() for sentence in matching_sentences(matching, a, b)],
        "terms": [{**term._asdict(), "words": term_words(term)} for term in terms],
        "share_of_the_rest": 1 - sum(term.share for term in terms),
        "candidates": [{"b": candidate.b, "probability": candidate.probability} for candidate in candidates],
        "names_a": {label: name for label, name in matching.names_a.items() if label == a},
        "names_b": {label: name for label, name in matching.names_b.items() if label in shown_b},
    }


def matching_notes(matching: Matched) -> list[str]:
    """Return what to keep in mind about a matching: few cases, and logs that hardly match."""
    notes = []
    sides = (("A", matching.variants_a), ("B", matching.variants_b))
    few = [f"{counted(variants.n_cases, 'case')} of {side}" for side, variants in sides if variants.n_cases < _FEW_CASES]
    if few:
        notes.append(f"there are few cases ({' and '.join(few)}): the probabilities rest on little.")
    fewer = min(len(matching.activities_a), len(matching.activities_b))
    likely = sum(pair.probability >= SURE for pair in matching.pairs)
    if likely < _HARDLY * fewer:
        notes.append(
            f"hardly any pair is likely ({counted(likely, 'pair')} of {percent(SURE)} or more, {counted(fewer, 'label')} in the "
            "smaller log): do both logs record the same process? Matching assumes that they do."
        )
    return notes


def namesakes_words(labels: Sequence[str]) -> str:
    """Return how many labels of b keep a name that a has too, and what to do."""
    shown = [repr(without_middle(label, _LONGEST_NAME)) for label in labels[:_SHOWN_NAMES]]
    more = ["..."] if len(labels) > _SHOWN_NAMES else []
    keep, it = ("keeps a name", "it") if len(labels) == 1 else ("keep names", "each")
    return (
        f"{counted(len(labels), 'label')} of B without a partner {keep} that A has too ({', '.join(shown + more)}): together, "
        f"the two logs would have {it} as one step. Where that is wrong, write no into the column known of its row: then it gets "
        "'(b)'."
    )


def matching_summary(matching: Matched) -> str:
    """Return how many labels of two logs are matched, on one line."""
    known = f", {len(matching.known):,} of them known" if matching.known else ""
    labels = f"{len(matching.activities_a):,} and {len(matching.activities_b):,} activities"
    pairs = counted(len(matching.pairs), "pair")
    return f"Matching({pairs} among {labels}{known})"


def matching_card(matching: Matched) -> str:
    """Return the HTML of a matching."""
    words = MatchingWords(matching)
    doubtful = sum(pair.probability < SURE for pair in matching.pairs)
    facts = [
        ("activities", f"{len(matching.activities_a):,} of a, {len(matching.activities_b):,} of b"),
        (
            "pairs",
            f"{len(matching.pairs):,}, {len(matching.known):,} of them known, {doubtful:,} doubtful (below {percent(SURE)})",
        ),
        ("without a partner", f"{len(matching.unmatched_a):,} of a, {len(matching.unmatched_b):,} of b"),
    ]
    rows = []
    for pair in matching.pairs[:_SHOWN_PAIRS]:
        reason = escape(one_line(words.reason(pair.a, pair.b), 160))
        labels = " = ".join(
            label_html(label) + (f" <small>{label_html(names[label])}</small>" if label in names else "")
            for label, names in ((pair.a, matching.names_a), (pair.b, matching.names_b))
        )
        subject = f"{labels}<br><small><bdi>{reason}</bdi></small>"
        rows.append((subject, percent(pair.probability), pair.probability))
    more = and_more(len(matching.pairs) - _SHOWN_PAIRS, "pair", "pairs") if len(matching.pairs) > _SHOWN_PAIRS else ""
    return card("Matching", facts, ("pair", "probability"), rows, more)


class MatchedUses:
    """Hold the neighbours and frequencies of the activities of two matched logs."""

    def __init__(self, matching: Matched) -> None:
        self._places = (
            {label: i for i, label in enumerate(matching.activities_a)},
            {label: i for i, label in enumerate(matching.activities_b)},
        )
        numbers = _step_numbers(matching)
        steps = 1 + max(*numbers[0].values(), *numbers[1].values())
        self._labels = [_labels_of_steps(of_side, steps + 1) for of_side in numbers]  # the last one is the outside of the case
        windows = (matching.windows_a, matching.windows_b)
        self._shares = [_shares(table, of_side, steps) for table, of_side in zip(windows, numbers, strict=True)]
        self._frequencies = [_frequencies(log) for log in (matching.variants_a, matching.variants_b)]

    def shared(self, a: str, b: str, topn: int = 3) -> list[SharedStep]:
        """Return the steps that two activities have beside them, those in the largest share of the events of both first.

        >>> from actalike import EventLog, match
        >>> logs = [EventLog.from_traces([[x, y, z]] * 9) for x, y, z in ("abc", "123")]
        >>> uses = MatchedUses(match(*logs, known={"a": "1"}))
        >>> uses.shared("b", "2", 1)
        [SharedStep(offset=-1, labels_a=('a',), labels_b=('1',), share_a=1.0, share_b=1.0)]
        """
        return self._ordered(a, b, np.minimum, OFFSETS)[:topn]

    def differing(self, a: str, b: str, topn: int = 3) -> list[SharedStep]:
        """Return the steps directly beside two activities whose shares differ most."""
        return self._ordered(a, b, lambda x, y: np.abs(x - y), OFFSETS[:2])[:topn]

    def frequency(self, side: int, label: str) -> Frequency:
        """Return how frequent an activity is, and where; side 0 is log a, side 1 log b."""
        return self._frequencies[side][label]

    def _ordered(self, a: str, b: str, weigh: Callable[[Floats, Floats], Floats], offsets: tuple[int, ...]) -> list[SharedStep]:
        codes = self._places[0][a], self._places[1][b]
        steps = []
        for offset in offsets:
            x, y = (_row(shares[offset], code) for shares, code in zip(self._shares, codes, strict=True))
            weights = np.round(weigh(x, y), _ROUNDING)
            for step in np.flatnonzero(weights).tolist():
                labels_a, labels_b = self._labels[0][step], self._labels[1][step]
                steps.append((float(weights[step]), SharedStep(offset, labels_a, labels_b, float(x[step]), float(y[step]))))
        return [step for _, step in sorted(steps, key=lambda weighted: -weighted[0])]


def _step_numbers(matching: Matched) -> tuple[dict[str, int], dict[str, int]]:
    """Return the number of each label's step, for both logs: matched labels are one step, and so are the parts of a split."""
    of_a = {pair.a: number for number, pair in enumerate(matching.pairs)}
    of_b = {pair.b: number for number, pair in enumerate(matching.pairs)}
    for split in matching.splits:
        own, other = (of_a, of_b) if split.side == "a" else (of_b, of_a)
        for part in split.parts if split.activity in own else ():
            other.setdefault(part, own[split.activity])
    numbers = count(len(matching.pairs))
    for activities, of_side in ((matching.activities_a, of_a), (matching.activities_b, of_b)):
        for label in activities:
            if label not in of_side:
                of_side[label] = next(numbers)
    return of_a, of_b


def _labels_of_steps(numbers: dict[str, int], steps: int) -> list[tuple[str, ...]]:
    labels: list[tuple[str, ...]] = [()] * steps
    for label, number in numbers.items():
        labels[number] += (label,)
    return labels


def _shares(table: WindowCounts, step_of: dict[str, int], steps: int) -> dict[int, csr_array]:
    """Return, for each offset, the share of each activity's events that have each step there; the outside is the last column."""
    columns = np.append([step_of[label] for label in table.activities], steps)
    shares = {}
    for offset in OFFSETS:
        beside = table.windows[:, table.left + offset]
        cells = table.focal, columns[np.where(beside == PAD, len(table.activities), beside)]
        counts = csr_array((table.counts.astype(np.float64), cells), shape=(len(table.activities), steps + 1))
        counts.sum_duplicates()
        shares[offset] = csr_array(counts.multiply(1 / table.activity_counts[:, np.newaxis]))
    return shares


def _row(matrix: csr_array, row: int) -> Floats:
    """Return a row of a sparse matrix; scipy takes ten times as long."""
    dense = np.zeros(matrix.shape[1])
    cells = slice(matrix.indptr[row], matrix.indptr[row + 1])
    dense[matrix.indices[cells]] = matrix.data[cells]
    return dense


def _frequencies(log: Variants) -> dict[str, Frequency]:
    """Return how frequent each activity of a log is, and where."""
    cases, events = log.activity_cases, log.activity_counts
    index = np.arange(len(log.codes)) - np.repeat(log.offsets[:-1], log.lengths)
    relative = index / np.maximum(np.repeat(log.lengths, log.lengths) - 1, 1)
    places = np.bincount(log.codes, relative * log.weights[log.variant_of_event], len(log.activities)) / events
    figures = zip(
        cases.tolist(), (cases / cases_with_events(log)).tolist(), (events / cases).tolist(), places.tolist(), strict=True
    )
    return {label: Frequency(*of_label) for label, of_label in zip(log.activities, figures, strict=True)}
