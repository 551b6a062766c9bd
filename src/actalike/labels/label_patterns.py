"""Find labels that differ only in a number, an id, a date or a name: *Pay by user 17*, *Pay by user 18*.

Each label is filed under its text with one part left out, for each part that may vary. The text alone cannot say whether the
members are one step (*Pay by user 17*) or several (*Reminder 2*), so families are candidates for a test of behaviour. They may
overlap: *01_HOOFD_040* varies in two places.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

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
