"""Say by what the texts of two labels differ: the kind of difference, and the words."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from actalike.labels.label_patterns import label_families
from actalike.labels.label_words import NUMBER_WORDS, is_number, read_label, stem
from actalike.labels.opposites import opposite
from actalike.labels.slips import is_slip

DifferenceKind = Literal["same", "slip", "words order", "opposite", "number", "word"]
_LONGEST_COUNT = 2  # digits of a number that counts steps, rounds or levels
_LONGEST_CODE = 3  # letters of a word that is a code
_SET_OFF = re.compile(r"[-–—:;,|/(\[{<]")
_PREPOSITIONS = {
    *("at", "by", "for", "from", "in", "of", "on", "per", "to", "via", "with"),
    *("an", "auf", "aus", "bei", "durch", "fuer", "mit", "nach", "von", "zu"),
    *("aan", "bij", "door", "met", "naar", "uit", "van", "voor"),
}
_UNBROKEN = re.compile(r"[^\W_]+")  # ids are whole: 3fa9


@dataclass(frozen=True)
class TextDifference:
    """Hold by what two labels differ, and the words that only the first and only the second has, folded and in their order.

    ``kind``: *same*: case, accents, spaces, punctuation. *slip*: slips of the keyboard. *words order*: the same words in
    another order or inflection. *opposite*: words that say the opposite. *number*: only numbers, ids, dates. *word*: other
    words, such as other roles, places or documents.
    """

    kind: DifferenceKind
    first: tuple[str, ...]
    second: tuple[str, ...]


def text_difference(first: str, second: str) -> TextDifference:
    """Return by what the texts of two labels differ.

    >>> text_difference("Approved by ADMINISTRATION", "Approved by BUDGET OWNER")
    TextDifference(kind='word', first=('administration',), second=('budget', 'owner'))
    >>> text_difference("Reminder 1", "Reminder 2").kind, text_difference("Check invoice", "Invoice check").kind
    ('number', 'words order')
    """
    a, b = read_label(first), read_label(second)
    if a.key == b.key:
        return TextDifference("same", (), ())
    only = _only(a.words, b.words), _only(b.words, a.words)
    if opposites := opposite(first, second):
        return TextDifference("opposite", *(tuple(word for word in [side] if word) for side in opposites))
    if sorted(map(stem, a.words)) == sorted(map(stem, b.words)) and a.numbers == b.numbers:
        return TextDifference("words order", *only)
    if all(is_number(word) or word in NUMBER_WORDS for side in only for word in side):
        return TextDifference("number", *(only if any(only) else (a.numbers, b.numbers)))  # or the same numbers, exchanged
    if any(family.kind != "name" for family in label_families([first, second])):
        whole = [_UNBROKEN.findall(label.casefold()) for label in (first, second)]
        return TextDifference("number", _only(whole[0], whole[1]), _only(whole[1], whole[0]))
    return TextDifference("slip" if is_slip(first, second) else "word", *only)


def distinguishing_tokens(first: str, second: str) -> tuple[str, str] | None:
    """Return the one token in which each of two labels differs from the other, if it may well tell two steps apart; else None.

    Both have words in common, and the tokens are both short (three letters or two digits; longer numbers are codes or ids), or
    both qualify what is before them: *- Vendor*, *(web)*, *by post*.

    >>> distinguishing_tokens("Register at ER", "Register at FD"), distinguishing_tokens("1. reminder", "2. reminder")
    (('er', 'fd'), ('1', '2'))
    >>> distinguishing_tokens("Wait - Vendor", "Wait - Customer")
    ('vendor', 'customer')
    >>> distinguishing_tokens("Close file", "Archive file"), distinguishing_tokens("01_HOOFD_810", "01_HOOFD_790")
    (None, None)
    """
    difference = text_difference(first, second)
    if difference.kind not in ("word", "number") or len(difference.first) != 1 or len(difference.second) != 1:
        return None
    tokens = difference.first[0], difference.second[0]
    labels = [read_label(label).words for label in (first, second)]
    if min(map(len, labels)) < 2:
        return None
    are_short = all(len(token) <= (_LONGEST_COUNT if token.isdecimal() else _LONGEST_CODE) for token in tokens)
    are_number_words = NUMBER_WORDS.issuperset(tokens)
    qualify = all(
        token.isalpha() and words[-1] == token and (words[-2] in _PREPOSITIONS or _is_set_off(label, token))
        for token, words, label in zip(tokens, labels, (first, second), strict=True)
    )
    return tokens if are_short or are_number_words or qualify else None


def _is_set_off(label: str, token: str) -> bool:
    """Return whether the last word of a label is set off by a dash, a bracket, a colon or a slash."""
    return read_label(_SET_OFF.split(label)[-1]).words == (token,)


def _only(words: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Return the words that the others have not, or not as often."""
    counts = Counter(others)
    only = []
    for word in words:
        counts[word] -= 1
        if counts[word] < 0:
            only.append(word)
    return tuple(only)
