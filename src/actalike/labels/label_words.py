"""Read a label as words: case, accents, punctuation and camelCase folded, numbers apart from letters.

What two labels have in common in their text is judged on these words by the other modules of this room. Reading takes time
linear in the length of a label.
"""

import re
import unicodedata
from dataclasses import dataclass

_NUMBERS = {
    "English": "one two three four five six seven eight nine ten "
    "first second third fourth fifth sixth seventh eighth ninth tenth",
    "German": "eins zwei drei vier fuenf sechs sieben acht neun zehn erste erster erstes ersten zweite zweiter zweites zweiten "
    "dritte dritter drittes dritten vierte vierter viertes vierten fuenfte fuenfter fuenftes fuenften",
    "Dutch": "een twee drie vijf zes zeven negen tien eerste tweede derde vierde vijfde zesde",
    "Roman": "ii iii iv vi vii viii ix xi xii",  # not those of one letter, which may be letters
}
NUMBER_WORDS = frozenset(word for words in _NUMBERS.values() for word in words.split())
ROMAN_NUMERALS = frozenset(_NUMBERS["Roman"].split())
_UMLAUTS = dict(zip("äöüÄÖÜßæÆœø", ("ae", "oe", "ue", "Ae", "Oe", "Ue", "ss", "ae", "Ae", "oe", "oe"), strict=True))
_APOSTROPHES = "'’‘`´"
_TOKEN = re.compile(r"\d+|[^\d\s]+")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_ENDINGS = (
    "ations",
    "ation",
    "ances",
    "ance",
    "ungen",
    "ings",
    "ions",
    "ung",
    "ing",
    "ion",
    "als",
    "al",
    "ed",
    "es",
    "en",
    "s",
    "e",
)
_SHORTEST_STEM = 3


@dataclass(frozen=True)
class LabelWords:
    """Hold what is compared of a label.

    ``words``: words, numbers and symbols in their order, camelCase split. ``tokens``: the same with camelCase kept whole, so
    that a wrong capital changes nothing. ``key``: the tokens without spaces; labels with equal keys are spelled alike.
    ``numbers``: the digits and Roman numerals, in their order.
    """

    words: tuple[str, ...]
    tokens: tuple[str, ...]
    key: str
    numbers: tuple[str, ...]


def read_label(label: str) -> LabelWords:
    """Return the words of a label.

    >>> read_label("T07-1 Prüfung_derRechnung")
    LabelWords(words=('t', '07', '1', 'pruefung', 'der', 'rechnung'),
               tokens=('t', '07', '1', 'pruefung', 'derrechnung'), key='t07 1pruefungderrechnung', numbers=('07', '1'))
    """
    text = unicodedata.normalize("NFKC", label).translate(_FOLDED)
    tokens = tuple(_TOKEN.findall(text.casefold()))
    if not tokens:  # nothing but punctuation: then the punctuation is the label
        tokens = tuple(label.casefold().split())
    words = tuple(_TOKEN.findall(_HUMP.sub(" ", text).casefold())) or tokens
    key = "".join(
        f" {token}" if place and token[0].isdigit() and tokens[place - 1][-1].isdigit() else token
        for place, token in enumerate(tokens)
    )
    return LabelWords(words, tokens, key, tuple(token for token in tokens if is_number(token)))


def is_number(token: str) -> bool:
    """Say whether a token is written as a number: in digits, or as a Roman numeral of two letters or more.

    >>> [is_number(token) for token in ("040", "iii", "first")]
    [True, True, False]
    """
    return token[0].isdecimal() or token in ROMAN_NUMERALS


def stem(word: str) -> str:
    """Return a word without its inflection, by a few endings of English, German and Dutch.

    Irregular forms keep their own stem. Stems are for comparison only, they need not be words.

    >>> [stem(word) for word in ("approve", "approved", "approval", "denies", "denial", "stopping", "ablehnung", "ablehnen")]
    ['approv', 'approv', 'approv', 'deny', 'deny', 'stop', 'ablehn', 'ablehn']
    """
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2]:
        word = word[:-1]
    return f"{word[:-1]}y" if word.endswith("i") and len(word) > _SHORTEST_STEM else word


class _Folding(dict[int, str]):
    """Map each character to what is compared of it; filled as characters are met."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold(chr(code))
        return folded


def _fold(character: str) -> str:
    """Return a character without its accents, a space for punctuation, and symbols as words of their own."""
    if character in _UMLAUTS:
        return _UMLAUTS[character]
    category = unicodedata.category(character)
    if character in _APOSTROPHES or category == "Cf":
        return ""
    if character in "|~" or category[0] in "ZC" or category == "Sk" or (category[0] == "P" and character != "%"):
        return " "
    if category[0] == "S" or character == "%":
        return f" {character} "
    # only the accents of Latin, Greek and Cyrillic: in other scripts marks are vowels, and part of the word
    return "".join(part for part in unicodedata.normalize("NFD", character) if not "\u0300" <= part <= "\u036f")


_FOLDED = _Folding()
