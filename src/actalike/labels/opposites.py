"""Find labels that say the opposite of each other: *Accept offer* and *Reject offer*, *OK* and *not OK*, *valid* and *invalid*.

Two labels are opposites if their words are the same, in any order and inflection, except for one word each, and these two are on
different sides of a line of ``opposites.txt``; or if one label has a word of negation, or a prefix of negation, that the other
has not. Only prefixes that rarely begin another word negate any word (*un-*, *non-*, *dis-*): *Inform* is not the opposite of
*Form*, so words with *in-*, *de-*, *on-* have lines in ``opposites.txt``, and so have the exceptions (*discount*). Each label is
filed under each of its words left out, so all opposites among many labels are found without comparing every two of them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from actalike.labels.label_words import read_label, stem

NEGATIONS = ("not", "no", "non", "un", "nicht", "kein", "keine", "keinen", "keiner", "keines", "keinem", "niet", "geen")
PREFIXES = ("nicht", "niet", "non", "dis", "un")
MOST_WORDS = 60  # labels with more words are not looked at
_SHORTEST_REST = 4  # letters after a prefix of negation
_SHORTEST_PART = 5  # letters of an opposite inside a compound: Zahlungs-eingang, Zahlungs-ausgang
_NEGATED = -1  # the number of the line that stands for negation; its sides are 0: plain, 1: negated

_EXCEPTIONS = "!"  # begins a line of words that only look as if they had a prefix of negation

_Key = tuple[int, tuple[str, ...]]  # a line of the table, and the stems of the other words


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
