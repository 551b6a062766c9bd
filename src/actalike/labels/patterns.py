"""Find families of labels that differ only in a number, an id, a date or a name, and test which of them behave as one step.

Each label is filed under its text with one part left out, for each part that may vary. The text alone cannot say whether the
members are one step (*Pay by user 17*) or several (*Reminder 2*), so families are candidates for a test of behaviour. They may
overlap: *01_HOOFD_040* varies in two places.

Text alone cannot tell *Pay by user 17*, *Pay by user 18* (one step) from *Reminder 1*, *Reminder 2* (two steps). The test
compares the direct neighbours. Each neighbour stands for its family, because neighbours vary too: for the one that is tested, or
else for the largest that could be one step. A coincidence is the probability that two events have the same neighbour on one side.
A family is one step if

- at most half of its neighbours before, and after, are of the same family, unlike the steps of a routine, and of the others
- two events of different members coincide at least 0.7 times as often as two events of the same member, on both sides, and
- they coincide at least 1.5 times as often as an event of a member and one of any other label, in the mean of both sides, and
- at most a fifth of the cases with a member have two or more: *Reminder 1* and *Reminder 2* follow each other, and
- these are not steps that come together, each once in a case (:func:`come_together`), and
- members do not follow each other in the order of their numbers: of the events of members in five or more cases that come next to
  each other in a case (other labels left out), if there are ten such pairs, fewer than 90 % ascend.

The first test is left out where members are too rare to have pairs of events. A family of all labels of a log has no other label
to differ from, so it is not one step: then the varying part is the name of the step. Few numbers are often names too (*Stage 1*,
*Stage 2*), so a family of numbers or names needs ten members, one of ids or dates five, or two if one is the plain label. If a
family with its plain label is not one step, the others are tested without it.

Before these tests, a member leaves the family if it does not behave as the others do: if, on one side, its events coincide with
those of the other members less than half as often as two events of different members do. Each member gets four pseudo-events that
coincide as often as those of different members, so few events prove little: a member of five events leaves only if it has next to
nothing in common with the others, one of fewer never. This is repeated until none leaves.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import pdtr

from actalike.counting import WindowCounts
from actalike.embedding import ENOUGH_CASES
from actalike.log import AnyLog, CoOccurrence

FamilyKind = Literal["number", "id", "date", "name"]

FEWEST_NAMES = 10  # distinct words in one place that are taken for names
_MOST_PLACES = 4  # parts that may vary, from each end of a label; those between are looked at only together
_LONGEST_RUN = 4  # parts at the end of a label that may vary together: an id and a date
_SHORTEST_ID = 4  # characters; shorter ones are numbers with a letter
_FEWEST_FIXED_WORDS = 2  # around a name, so that not every verb with ten objects is a family
_SHORTEST_LONG_NUMBER = 6  # digits; nobody counts so far, so it is an id
_VARYING = "\x00"
_MONTH = r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-zäé]{0,6}\.?"  # in English, German and Dutch
_CLOCK = r"\d{1,2}[:.]\d\d(?:[:.]\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?"
_PART = re.compile(
    r"(?P<id>(?<![^\W_])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![^\W_]))"
    r"|(?P<name>[^\W_][\w.+-]{0,63}@[^\W_][\w.-]{0,63})"
    r"|(?P<date>(?<![^\W_])(?:"
    rf"\d{{4}}([-/.])[01]?\d\4[0-3]?\d(?:[T _]{_CLOCK})?|[0-3]?\d([-/.])[01]?\d\5(?:\d{{4}}|\d\d)(?:[T _]{_CLOCK})?|"
    rf"[0-3]?\d(?:\. |[-/. ]){_MONTH}[-/. ](?:\d{{4}}|\d\d)(?:[T _]{_CLOCK})?|"
    r"\d{1,2}:\d\d(?::\d\d)?)(?![^\W_]))"
    r"|(?P<word>[^\W_]+)",
    re.IGNORECASE,
)
_DIGITS = re.compile(r"\d+")
_PUNCTUATION = re.compile(r"^[\W_]+")  # the punctuation at the beginning of a text
_HEX_LETTERS = re.compile(rf"[a-f]{{{_SHORTEST_ID},}}", re.IGNORECASE)
_ALIKE = 0.7
_UNLIKE_OTHERS = 1.5
_ENOUGH_PAIRS = 20  # of events of the same member, for the first test
_MOST_TOGETHER = 0.2
_BY_CHANCE = 0.01
_ASCENDING = 0.9
_FEWEST_ORDERED = 10  # pairs of events
_MOST_WITHIN = 0.5
_FEWEST_NUMBERS = 10
_FEWEST_IDS = 5
_MEMBER_ALIKE = 0.5
_PSEUDO_EVENTS = 4  # of a member that is compared with the others


@dataclass(frozen=True)
class LabelFamily:
    """Hold labels that differ only in one part (or all their numbers): the pattern, the members' positions, what varies.

    ``plain`` is the member that has nothing in the place of what varies, if there is one: the label before it was polluted.
    """

    pattern: str
    members: tuple[int, ...]
    kind: FamilyKind
    plain: int | None = None


@dataclass(frozen=True)
class _Split:
    """Hold a label split into the pieces that stay and, between them, the parts that may vary."""

    pieces: tuple[str, ...]
    parts: tuple[str, ...]
    is_word: bool  # the part is a plain word, which varies only if it is a name

    @property
    def key(self) -> str:
        """Return what a label is filed under."""
        return _VARYING.join(self.pieces).casefold()

    @property
    def value(self) -> str:
        """Return what varies."""
        return " ".join(self.parts)


@dataclass(frozen=True)
class _Family:
    """Hold a family before its pattern is written for a person."""

    key: str
    members: tuple[int, ...]
    kind: FamilyKind
    plain: int | None = None
    is_word: bool = False
    only_digits: bool = False  # letters inside the varying parts stay the same: user17, user18

    @property
    def preference(self) -> tuple[int, bool, str]:
        """Order families with the same members: longer patterns first, names last."""
        return -len(self.key), self.is_word, self.key


def label_families(labels: Sequence[str]) -> list[LabelFamily]:
    """Return the families of labels, the largest first. ``…`` and, for numbers, ``#`` stand for what varies.

    Numbers, ids and dates need two members, names ten. The plain label is a member too, if it is one of the labels: *Check
    invoice* of *Check invoice_…*. Of families with the same members the one with the longest pattern is returned.

    >>> for family in label_families(["Pay by user17", "Pay by user18", "Check", "Check_3fa9", "Check_beef", "Send"]):
    ...     print(family)
    LabelFamily(pattern='Check_…', members=(2, 3, 4), kind='id', plain=2)
    LabelFamily(pattern='Pay by user#', members=(0, 1), kind='number', plain=None)
    """
    plain: dict[str, list[int]] = defaultdict(list)  # the positions of a bare text
    filed: dict[tuple[str, bool], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for position, label in sorted(enumerate(labels), key=lambda item: item[1]):  # families do not depend on the order of labels
        plain[_bare(label)].append(position)
        for split in _splits(label):
            filed[split.key, split.is_word][split.value].append(position)
    families: dict[tuple[int, ...], _Family] = {}
    for (key, is_word), values in filed.items():
        candidates = (
            [_name_family(key, values)] if is_word else [_family(key, those, plain) for those in _numbers_and_ids(values)]
        )
        for family in filter(None, candidates):
            known = families.get(family.members, family)
            families[family.members] = min(family, known, key=lambda family: family.preference)
    written = [
        LabelFamily(_pattern(family, labels), family.members, family.kind, family.plain)
        for family in _without_parts_of_ids(list(families.values()))
    ]
    return sorted(written, key=lambda family: (-len(family.members), family.pattern, family.members))


def _without_parts_of_ids(families: list[_Family]) -> list[_Family]:
    """Leave out families of numbers inside a family of ids: that some ids have the same letters is chance."""
    ids: dict[int, list[frozenset[int]]] = defaultdict(list)
    for family in families:
        if family.kind == "id" and family.key.count(_VARYING) == 1:
            members = frozenset(family.members)
            for position in family.members:
                ids[position].append(members)
    return [
        family
        for family in families
        if family.kind != "number" or not any(members.issuperset(family.members) for members in ids.get(family.members[0], ()))
    ]


def _splits(label: str) -> Iterator[_Split]:
    """Yield the ways in which a label may be fixed text and a part that varies."""
    matches = list(_PART.finditer(label))
    is_word = [_is_word(match) for match in matches]
    varying = [match for match, word in zip(matches, is_word, strict=True) if not word]
    words = [match for match, word in zip(matches, is_word, strict=True) if word]
    for match in _at_ends(varying):
        yield _split(label, [match.span()], is_word=False)
        runs = [] if match[0].isdecimal() or match.lastgroup != "word" else [run.span() for run in _DIGITS.finditer(match[0])]
        if len(runs) == 1:  # a number that is written together with a word: Reminder2
            start, end = runs[0]
            yield _split(label, [(match.start() + start, match.start() + end)], is_word=False)
    if len(words) > _FEWEST_FIXED_WORDS:
        for match in _at_ends(words):
            yield _split(label, [match.span()], is_word=True)
    for length in range(2, min(_LONGEST_RUN, len(matches)) + 1):
        if any(is_word[-length:]):
            break
        yield _split(label, [(matches[-length].start(), matches[-1].end())], is_word=False)
    if len(varying) > 1:
        yield _split(label, [match.span() for match in varying], is_word=False)


def _is_word(match: re.Match[str]) -> bool:
    """Say whether a part is a plain word: no address, no digit, no word that could be hexadecimal."""
    text = match[0]
    return match.lastgroup == "word" and text.isalpha() and not _HEX_LETTERS.fullmatch(text)


def _at_ends(parts: list[re.Match[str]]) -> list[re.Match[str]]:
    return parts if len(parts) <= 2 * _MOST_PLACES else parts[:_MOST_PLACES] + parts[-_MOST_PLACES:]


def _split(label: str, places: list[tuple[int, int]], *, is_word: bool) -> _Split:
    ends = [0, *(end for _, end in places)]
    starts = [*(start for start, _ in places), len(label)]
    pieces = tuple(label[end:start] for end, start in zip(ends, starts, strict=True))
    return _Split(pieces, tuple(label[start:end] for start, end in places), is_word)


def _numbers_and_ids(values: dict[str, list[int]]) -> list[dict[str, list[int]]]:
    """Return short numbers apart from ids, if one place has both: *Step 2* and *Step_3fa9c2*."""
    short = {value: members for value, members in values.items() if len(value) < _SHORTEST_ID}
    long = {value: members for value, members in values.items() if len(value) >= _SHORTEST_ID}
    return [short, long] if short and any(value.isalnum() and not value.isdecimal() for value in long) else [values]


def _family(key: str, values: dict[str, list[int]], plain: dict[str, list[int]]) -> _Family | None:
    """Return the family of labels that differ in numbers, ids, dates or addresses, if there are two of them."""
    if not any(map(str.isalpha, key)):
        return None  # labels that are nothing but numbers have no pattern to show
    telling = {value for value in values if not value.isalpha()}
    lengths = {len(value) for value in telling}
    values = {value: members for value, members in values.items() if value in telling or len(value) in lengths}
    several = len(values) > 1  # one value alone does not show which of its letters stay
    only_digits = all(map(str.isdecimal, values)) or (
        several
        and len({_DIGITS.sub("#", value).casefold() for value in values}) == 1
        and all(map(_DIGITS.search, values))  # what has no letters only need not have digits: accents, other signs
    )
    text = _plain_text(key)
    letters = sum(map(str.isalpha, next(iter(values), "")))
    is_part_of_word = only_digits and letters >= _SHORTEST_ID  # stage1, stage2: without the whole word it is another label
    without = plain.get(text, []) if values and text and not is_part_of_word else []
    if len(values) + bool(without) < 2:
        return None
    members = {position for positions in values.values() for position in positions}.union(without)
    return _Family(
        key, tuple(sorted(members)), _kind(values, only_digits), without[0] if without else None, only_digits=only_digits
    )


def _name_family(key: str, values: dict[str, list[int]]) -> _Family | None:
    """Return the family of labels that differ in one word, if it has so many values that they may be names."""
    members = tuple(sorted(position for positions in values.values() for position in positions))
    return _Family(key, members, "name", is_word=True) if len(values) >= FEWEST_NAMES else None


def _kind(values: Collection[str], only_digits: bool) -> FamilyKind:
    """Return what varies: numbers if only digits do and they are few, else ids, if there are any."""
    parts = [match for value in values for match in _PART.finditer(value)]
    kinds = {match.lastgroup for match in parts}
    if kinds == {"name"}:
        return "name"
    if kinds == {"date"}:
        return "date"
    lengths = (
        [len(run) for value in values for run in _DIGITS.findall(value)] if only_digits else [len(match[0]) for match in parts]
    )
    if not kinds & {"date", "id"} and min(lengths, default=0) < (_SHORTEST_LONG_NUMBER if only_digits else _SHORTEST_ID):
        return "number"
    return "id"


def _plain_text(key: str) -> str:
    """Return the bare text of a label without the part that varies, if that is at an end; else an empty text."""
    before, _, after = key.partition(_VARYING)
    if _VARYING in after:
        return ""
    if not _PART.search(after):
        return _bare(before)
    return "" if _PART.search(before) else _bare(after)


def _bare(text: str) -> str:
    """Return a text in small letters, without the punctuation around it, which may set off what varies."""
    return _PUNCTUATION.sub("", _PUNCTUATION.sub("", text.casefold())[::-1])[::-1]


def _pattern(family: _Family, labels: Sequence[str]) -> str:
    """Return the pattern as a person reads it: in the spelling of the first member by text, with signs for what varies."""
    sign = "#" if family.kind == "number" else "…"
    for label in sorted(labels[position] for position in family.members):
        for split in _splits(label):
            if split.key == family.key and split.is_word == family.is_word:
                signs = [_DIGITS.sub("#", part) if family.only_digits and sign == "#" else sign for part in split.parts]
                return "".join(piece + shown for piece, shown in zip(split.pieces, [*signs, ""], strict=True))
    raise AssertionError("a family has a member that was filed under its key")


def alike_families(log: AnyLog, counts: WindowCounts) -> list[LabelFamily]:
    """Return the families of labels that behave as one step, the largest first. No label is in two of them.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([["file", f"pay by user {i % 10}", "close"] for i in range(60)])
    >>> [(family.pattern, len(family.members)) for family in alike_families(log, count_windows(log, 3))]
    [('pay by user #', 10)]
    """
    labels = counts.activities
    families_of_text = label_families(labels)
    families_of_text += [_without_plain(family) for family in families_of_text if family.plain is not None]
    candidates = [family for family in families_of_text if _is_large_enough(family) and len(family.members) < len(labels)]
    candidates.sort(key=lambda family: (-len(family.members), family.members, family.pattern))
    if not candidates:
        return []
    families: list[LabelFamily] = []
    taken: set[int] = set()
    neighbours, co_occurrence = _Neighbours(counts, candidates), CoOccurrence(log)
    for candidate in candidates:
        if not taken.isdisjoint(candidate.members):
            continue
        family = _without_outliers(candidate, neighbours)
        if not _is_large_enough(family):
            continue
        any_, several, _ = co_occurrence.cases(family.members)
        if several > _MOST_TOGETHER * any_ or not _is_one_step(neighbours.of(family.members)):
            continue
        if not are_steps(log, co_occurrence, family):
            families.append(family)
            taken.update(family.members)
    return families


def are_steps(log: AnyLog, co_occurrence: CoOccurrence, family: LabelFamily) -> bool:
    """Return whether what varies in a family tells steps apart: they come together in cases, or in the order of their numbers."""
    return come_together(log, co_occurrence, family) or _ascends(log, family)


def come_together(log: AnyLog, co_occurrence: CoOccurrence, family: LabelFamily) -> bool:
    """Return whether members come together in cases as steps do, each once, and not as ids do, which one step gets by chance.

    Of the T pairs of events of members that share a case, S have the same label. If the labels were ids, given by chance, T Σ p²
    would, where p is a label's share of the events. They are steps if S is less than half of that, and so few pairs of the same
    label have a probability below 0.01.
    """
    members = list(family.members)
    events = log.activity_counts[members]
    same, pairs = co_occurrence.pairs_of_events(members)
    expected = pairs * float(((events / events.sum()) ** 2).sum())
    return same < expected / 2 and float(pdtr(same, expected)) < _BY_CHANCE


def _ascends(log: AnyLog, family: LabelFamily) -> bool:
    """Return whether members follow each other in the order of their numbers, as steps do; dates ascend by nature."""
    if family.kind in ("date", "name"):
        return False
    frequent = [member for member in family.members if log.activity_cases[member] >= ENOUGH_CASES]
    labels = log.activities
    frequent.sort(key=lambda member: ([int(number) for number in re.findall(r"\d+", labels[member])], labels[member]))
    rank = np.full(len(log.activities), -1)
    rank[frequent] = np.arange(len(frequent))
    codes, offsets, weights = log.variants.codes, log.variants.offsets, log.variants.weights
    places = np.flatnonzero(rank[codes] >= 0)
    variant, ranks = np.searchsorted(offsets, places, side="right") - 1, rank[codes[places]]
    steps, is_pair = np.diff(ranks), np.diff(variant) == 0
    times = weights[variant[1:]] * is_pair
    ascending, descending = int(times[steps > 0].sum()), int(times[steps < 0].sum())
    n_pairs = ascending + descending
    return n_pairs >= _FEWEST_ORDERED and ascending >= _ASCENDING * n_pairs


def _without_plain(family: LabelFamily) -> LabelFamily:
    """Return a family without the plain label, which may be a step of its own."""
    return _with_members(family, [member for member in family.members if member != family.plain])


def _with_members(family: LabelFamily, members: Sequence[int]) -> LabelFamily:
    return replace(family, members=tuple(members), plain=family.plain if family.plain in members else None)


def _is_large_enough(family: LabelFamily) -> bool:
    if family.kind in ("id", "date"):
        return family.plain is not None or len(family.members) >= _FEWEST_IDS
    return len(family.members) >= _FEWEST_NUMBERS


def _without_outliers(family: LabelFamily, neighbours: "_Neighbours") -> LabelFamily:
    """Return a family without the members that do not behave as the others do."""
    while _is_large_enough(family):
        stays = _behave_as_the_others(neighbours.of(family.members))
        if stays.all():
            break
        family = _with_members(
            family, [member for member, is_alike in zip(family.members, stays.tolist(), strict=True) if is_alike]
        )
    return family


class _Side(NamedTuple):
    """Hold the direct neighbours of a family on one side: columns are families, labels without one, and the end of the case."""

    of_members: csr_array  # how often each member has them
    of_others: NDArray[np.float64]  # how often all other labels have them
    within: float  # the share of the members' neighbours that are of the same family; the columns do not contain these


class _Neighbours:
    """Count the direct neighbours of families of labels."""

    def __init__(self, counts: WindowCounts, families: Sequence[LabelFamily]) -> None:
        table = counts.marginal(3)
        n = len(table.activities)
        self._family_of = np.arange(n + 1)  # the last one is PAD, whose code is -1
        for number, family in reversed(list(enumerate(families, start=n + 1))):  # the largest family of a label comes last
            self._family_of[list(family.members)] = number
        self._tested = n + 1 + len(families)
        cells = [(table.counts.astype(np.float64), (table.focal, table.windows[:, side] % (n + 1))) for side in (0, 2)]
        self._sides = [csr_array(side, shape=(n, n + 1)) for side in cells]
        self._totals = [side.sum(axis=0) for side in self._sides]

    def of(self, members: Sequence[int]) -> list[_Side]:
        """Return the neighbours before and after."""
        family_of = self._family_of.copy()
        family_of[list(members)] = self._tested
        sides = []
        for side, totals in zip(self._sides, self._totals, strict=True):
            rows = csr_array(side[list(members)])
            counts = csr_array((rows.data, family_of[rows.indices], rows.indptr), shape=(len(members), self._tested + 1))
            counts.sum_duplicates()
            others = np.bincount(family_of, weights=totals, minlength=self._tested + 1) - counts.sum(axis=0)
            within = float(counts[:, [self._tested]].sum() / counts.sum())
            sides.append(_Side(csr_array(counts[:, : self._tested]), others[: self._tested], within))
        return sides


def _behave_as_the_others(sides: Sequence[_Side]) -> NDArray[np.bool_]:
    """Return which members coincide with the other members often enough."""
    stays = np.ones(sides[0].of_members.shape[0], dtype=bool)
    for side in sides:
        counts = side.of_members
        events: NDArray[np.float64] = counts.sum(axis=1)
        others = events.sum() - events
        coincide = counts @ counts.sum(axis=0) - csr_array(counts**2).sum(axis=1)
        _, different, _ = _coincidences(side)
        shrunk = coincide + _PSEUDO_EVENTS * different * others
        stays &= shrunk >= (_MEMBER_ALIKE * different - 1e-9) * (events + _PSEUDO_EVENTS) * others  # ties stay
    return stays


def _is_one_step(sides: Sequence[_Side]) -> bool:
    if max(side.within for side in sides) > _MOST_WITHIN:
        return False
    same, different, others = np.transpose([_coincidences(side) for side in sides])
    is_alike = np.isnan(same) | (different >= _ALIKE * same)
    return bool(is_alike.all() and different.sum() > 0 and different.mean() >= _UNLIKE_OTHERS * others.mean())


def _coincidences(side: _Side) -> tuple[float, float, float]:
    """Return how often two events coincide: of the same member, of different members, of a member and another label."""
    counts, rest = side.of_members, side.of_others
    events: NDArray[np.float64] = counts.sum(axis=1)
    total: NDArray[np.float64] = counts.sum(axis=0)
    squares = float((counts.data**2).sum())
    n, pairs_of_same = float(events.sum()), float((events * (events - 1)).sum())
    pairs_of_different = n**2 - float(events @ events)
    same = (squares - n) / pairs_of_same if pairs_of_same >= _ENOUGH_PAIRS else np.nan
    different = (float(total @ total) - squares) / pairs_of_different if pairs_of_different else 0.0
    return same, different, float(total @ rest) / max(n * float(rest.sum()), 1.0)
