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


def _only(words: Sequence[str], others: Sequence[str]) -> tuple[str, ...]:
    """Return the words that the others have not, or not as often."""
    counts = Counter(others)
    only = []
    for word in words:
        counts[word] -= 1
        if counts[word] < 0:
            only.append(word)
    return tuple(only)
