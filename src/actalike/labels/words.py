"""Read a label as words, with case, accents, punctuation and camelCase folded, and find labels that say the opposite.

What two labels have in common in their text is judged on these words by the other modules of this room. Reading takes time
linear in the length of a label.

Labels say the opposite of each other (*Accept offer* and *Reject offer*, *OK* and *not OK*, *valid* and *invalid*) if their words
are the same, in any order and inflection, except for one word each, and these two are on different sides of a line of
``opposites.txt``; or if one label has a word of negation, or a prefix of negation, that the other has not. Only prefixes that
rarely begin another word negate any word (*un-*, *non-*, *dis-*): *Inform* is not the opposite of *Form*, so words with *in-*,
*de-*, *on-* have lines in ``opposites.txt``, and so have the exceptions (*discount*). Each label is filed under each of its words
left out, so all opposites among many labels are found without comparing every two of them.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

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
_BYTE_OF = {bytes([byte]).decode("cp1252", "ignore"): byte for byte in range(0x80, 0xA0)}  # as Windows shows them
_FOLLOWING = "[\x80-\xbf" + "".join(map(re.escape, filter(None, _BYTE_OF))) + "]"
_MISREAD = re.compile(f"[\xc2-\xdf]{_FOLLOWING}|[\xe0-\xef]{_FOLLOWING}{{2}}|[\xf0-\xf4]{_FOLLOWING}{{3}}")
_APOSTROPHES = "'’‘`´"
_MARKS = re.compile(r"(?<![^\s(\[])[-\u2010-\u2013](?=\d)|(?<!\w)[*!?]|[*!?](?!\w)|(?<=\d)/(?=\d)")  # that change what is said
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
NEGATIONS = ("not", "no", "non", "un", "nicht", "kein", "keine", "keinen", "keiner", "keines", "keinem", "niet", "geen")
PREFIXES = ("nicht", "niet", "non", "dis", "un")
MOST_WORDS = 60  # labels with more words are not looked at
_SHORTEST_REST = 4  # letters after a prefix of negation
_SHORTEST_PART = 5  # letters of an opposite inside a compound: Zahlungs-eingang, Zahlungs-ausgang
_NEGATED = -1  # the number of the line that stands for negation; its sides are 0: plain, 1: negated

_EXCEPTIONS = "!"  # begins a line of words that only look as if they had a prefix of negation

_Key = tuple[int, tuple[str, ...]]  # a line of the table, and the stems of the other words


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
    text = unicodedata.normalize("NFKC", decoded(label)).translate(_FOLDED)
    tokens = tuple(_TOKEN.findall(text.casefold()))
    if not tokens:  # nothing but punctuation: then the punctuation is the label
        tokens = tuple(label.casefold().split())
    words = tuple(_TOKEN.findall(_HUMP.sub(" ", text).casefold())) or tokens
    key = "".join(
        f" {token}" if place and token[0].isdigit() and tokens[place - 1][-1].isdigit() else token
        for place, token in enumerate(tokens)
    )
    return LabelWords(words, tokens, key, tuple(token for token in tokens if is_number(token)))


Marks = tuple[tuple[str, str], ...]


def marks_of(label: str) -> Marks:
    """Return the marks of a label that change what it says, each with the letters before it.

    >>> marks_of("Cancel order?"), marks_of("Cool to -5"), marks_of("Step 1/2"), marks_of("Follow-up 5 (phone)")
    ((('?', 'cancelorder'),), (('-', 'coolto'),), (('/', 'step1'),), ())
    """
    text = unicodedata.normalize("NFKC", decoded(label))
    return tuple(
        (found[0] if found[0] in "*!?/" else "-", read_label(text[: found.start()]).key) for found in _MARKS.finditer(text)
    )


def decoded(label: str) -> str:
    """Return a label as it was meant if its UTF-8 was read in a Western encoding, once or twice.

    >>> decoded("Rechnung prÃ¼fen"), decoded("FÃƒÂ¤llig â€“ mahnen"), decoded("São Paulo")
    ('Rechnung prüfen', 'Fällig – mahnen', 'São Paulo')
    """
    for _ in range(2):
        if label.isascii():
            break
        label = _MISREAD.sub(_meant, label)
    return label


def _meant(misread: re.Match[str]) -> str:
    try:
        return bytes(_BYTE_OF.get(character, ord(character)) for character in misread[0]).decode("utf-8")
    except ValueError:
        return misread[0]


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


def opposite(first: str, second: str) -> tuple[str, str] | None:
    """Return the words by which two labels are opposites, or None if they are not; "" for a word that one label lacks.

    >>> opposite("Accept offer", "Offer REJECTED")
    ('accept', 'rejected')
    >>> opposite("Antrag vollständig", "Antrag unvollständig")
    ('vollstaendig', 'unvollstaendig')
    >>> opposite("CODE OK", "CODE not OK")
    ('', 'not')
    >>> opposite("Accept offer", "Approve offer")
    """
    words = read_label(first).words, read_label(second).words
    if not _differ(*map(_sides, words)):
        return None
    return next(iter(_only(words[0], words[1])), ""), next(iter(_only(words[1], words[0])), "")


def opposite_words(first: str, second: str) -> tuple[str, str] | None:
    """Return the first word that only the first label has, with its opposite that only the second has; None if there is none.

    Other words may differ too, unlike :func:`opposite`. A word of negation alone (*not*) is no such word: what it negates may be
    something that only one label has.

    >>> opposite_words("Request APPROVED by PRE_APPROVER", "Request REJECTED by ADMINISTRATION")
    ('approved', 'rejected')
    >>> opposite_words("Approve request", "Request not approved by owner")
    """
    words = read_label(first).words, read_label(second).words
    if max(map(len, words)) > MOST_WORDS:
        return None
    only = _only(words[0], words[1]), _only(words[1], words[0])
    sides = [[(word, _sides([word])) for word in side] for side in only]
    return next(((a, b) for a, of_a in sides[0] for b, of_b in sides[1] if _differ(of_a, of_b)), None)


def opposite_pairs(labels: Sequence[str]) -> NDArray[np.int64]:
    """Return all pairs of labels that are opposites, as rows of two positions, the smaller one first, in ascending order.

    >>> opposite_pairs(["A_ACCEPTED", "A_DECLINED", "O_ACCEPTED", "A_CANCELLED"]).tolist()
    [[0, 1], [0, 3], [1, 3]]
    """
    filed: dict[_Key, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for position, label in enumerate(labels):
        for key, side in _filed_under(read_label(label).words):
            filed[key][side].append(position)
    pairs = set()
    for sides in filed.values():
        if len(sides) > 1:
            members = [(position, side) for side, positions in sides.items() for position in positions]
            pairs |= {(a, b) for a, side in members for b, other in members if side != other and a < b}
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def _only(words: Sequence[str], others: Sequence[str]) -> list[str]:
    """Return the words that the others have not, in any inflection, or not as often."""
    counts = Counter(map(stem, others))
    only = []
    for word in words:
        counts[stem(word)] -= 1
        if counts[stem(word)] < 0:
            only.append(word)
    return only


def _sides(words: Sequence[str]) -> dict[_Key, set[int]]:
    """Return what a label is filed under, with the sides."""
    sides: dict[_Key, set[int]] = defaultdict(set)
    for key, side in _filed_under(words):
        sides[key].add(side)
    return dict(sides)


def _differ(first: dict[_Key, set[int]], second: dict[_Key, set[int]]) -> bool:
    """Say whether two labels are filed under the same on different sides."""
    return any(len(first[key] | second[key]) > 1 for key in first.keys() & second.keys())


def _filed_under(words: Sequence[str]) -> Iterator[tuple[_Key, int]]:
    """Yield what a label is filed under, and on which side: once plainly, and for each word with an opposite."""
    if len(words) > MOST_WORDS:
        return
    table, compounds, exceptions = _opposites()
    stems = [stem(word) for word in words]
    yield (_NEGATED, tuple(sorted(stems))), 0
    for place, word in enumerate(words):
        others = [*stems[:place], *stems[place + 1 :]]
        rest = tuple(sorted(others))
        for line, side in table.get(stems[place], ()):
            yield (line, rest), side
        if word in NEGATIONS and not (word == "no" and place == len(words) - 1 > 0):  # "invoice no" is its number
            yield (_NEGATED, rest), 1
        for prefix in PREFIXES if stems[place] not in exceptions else ():
            if word.startswith(prefix) and len(word) >= len(prefix) + _SHORTEST_REST:
                yield (_NEGATED, tuple(sorted([*others, stem(word[len(prefix) :])]))), 1
        for part in compounds.finditer(word) if _SHORTEST_PART < len(word) <= 10 * _SHORTEST_PART else ():
            if part[0] != word:
                around = f"{word[: part.start()]}*{word[part.end() :]}"
                for line, side in table[stem(part[0])]:
                    yield (line, tuple(sorted([*others, around]))), side


@cache
def _opposites() -> tuple[dict[str, list[tuple[int, int]]], re.Pattern[str], set[str]]:
    """Return the lines and sides of each stem of the table, the pattern of the words that make compounds, and the exceptions."""
    table: dict[str, list[tuple[int, int]]] = defaultdict(list)
    parts, exceptions = set(), set()
    lines = Path(__file__).with_name("opposites.txt").read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.startswith("#"):
            continue
        if line.startswith(_EXCEPTIONS):
            exceptions |= {stem(word) for word in line.removeprefix(_EXCEPTIONS).split()}
            continue
        for side, words in enumerate(line.split("|")):
            for word in words.split():
                if (number, side) not in table[stem(word)]:
                    table[stem(word)].append((number, side))
                if len(word) >= _SHORTEST_PART:
                    parts.add(word)
    longest_first = sorted(parts, key=lambda part: (-len(part), part))
    return dict(table), re.compile("|".join(map(re.escape, longest_first))), exceptions
