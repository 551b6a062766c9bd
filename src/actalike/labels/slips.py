"""Tell slips of the keyboard from words of their own: *Aproved* is a slip of *Approved*, *sine* is none of *sin*.

Two labels that differ by slips (:func:`actalike.labels.text.slip_pairs`) are names of one step unless

- the rarer one is too frequent for a slip: it has more than a tenth of the events of the other, a fifth if it is too rare to
  judge by behaviour, a fiftieth if its word is in other labels too; or
- it is used differently. A slip happens to any event of the label, by chance, so what comes directly before and after it is a
  sample of what comes before and after the label itself. It is no such sample if it deviates more than each of 999 random ones,
  by G = Σ k ln(k / expected), and less than nine tenths of the neighbours are in common.

Then the text alone says nothing of the two.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import xlogy

from actalike.embedding import ENOUGH_CASES
from actalike.labels.text import SHORTEST, slip_pairs
from actalike.labels.words import Marks, decoded, marks_of, read_label
from actalike.log import AnyLog, Variants, respelled

MOST_MISSPELT = 0.1  # the events of a misspelt label, at most, for one of the label itself
MOST_IF_TOO_RARE = 0.2  # the same, if behaviour cannot judge it
MOST_IF_A_WORD = 0.02  # the same, if the misspelt word is in other labels too
_SAMPLES = 999
_IN_COMMON = 0.9
_WORDS = re.compile(r"[^\W\d_]+")
_REPEATED = re.compile(r"(.)\1+")
_LONGEST_SIZE = 3  # letters of a code in which a doubled letter is no slip: XL, XXL

Floats = NDArray[np.float64]


def own_words(log: AnyLog) -> Iterator[tuple[int, int]]:
    """Yield the pairs of labels that differ by slips of the keyboard, and are words of their own, in both orders.

    Labels that differ in case, spaces and punctuation only are judged together.
    """
    slips, read = slip_pairs(log.activities), [read_label(label) for label in log.activities]
    pairs = list(zip(slips.first.tolist(), slips.second.tolist(), strict=True))
    if not pairs:
        return
    words = [set(label.words) for label in read]
    labels_with = Counter(word for found in words for word in found)
    _, spelling = np.unique([label.key for label in read], return_inverse=True)
    events = np.bincount(spelling, weights=log.activity_counts)[spelling]
    cases = np.bincount(spelling, weights=log.activity_cases)[spelling]
    rarer_first = [(i, j) if (events[i], -i) < (events[j], -j) else (j, i) for i, j in pairs]
    neighbours = _neighbours(log, spelling, [(spelling[i], spelling[j]) for i, j in rarer_first])
    for rarer, other in rarer_first:
        misspelt = words[rarer] - words[other]
        if misspelt and all(labels_with[word] > 1 for word in misspelt):
            most = MOST_IF_A_WORD
        else:
            most = MOST_IF_TOO_RARE if cases[rarer] < ENOUGH_CASES else MOST_MISSPELT
        i, j = spelling[[rarer, other]]
        if events[rarer] > most * events[other] or any(_is_no_sample(side[i], side[j], side) for side in neighbours):
            yield rarer, other
            yield other, rarer


def spellings(log: AnyLog) -> dict[str, str]:
    """Return the labels that are certainly another spelling of a more frequent one, each with that one.

    - Spaces make no other label. Neither do case, accents and punctuation, if the two are used alike, or if one is too rare to
      judge and has at most a tenth of the events of the other; but labels of fewer than five letters may be codes (*A+*, *A-*).
    - Marks that change what is said make another label: a minus before a number, ``*``, ``!`` and ``?`` at the edge of a word,
      ``/`` between digits.
    - A slip is one of the label from which it is the fewest slips away; if there are two of these, it is of neither. A doubled
      letter in a code of up to three capitals (*XL*, *XXL*) is none, and no umlaut is if the label with it is not rare.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["Check invoice", "Pay"]] * 30 + [["Chekc invoice", "Pay "], ["check  invoice", "pay"]])
    >>> spellings(log)
    {'Pay ': 'Pay', 'check  invoice': 'Check invoice', 'Chekc invoice': 'Check invoice'}
    """
    labels, events = log.activities, log.activity_counts.tolist()
    order = sorted(range(len(labels)), key=lambda i: (-events[i], labels[i] != labels[i].strip(), i))
    spelled = _respaced(labels, order)
    rank = {i: place for place, i in enumerate(order)}
    marks = [marks_of(label) for label in labels]
    keys = [(read_label(label).key, of) for label, of in zip(labels, marks, strict=True)]
    by_key: dict[tuple[str, Marks], int] = {}
    alike: list[tuple[int, int]] = []
    for i in order:
        first = by_key.setdefault(keys[i], i)
        if first != i and i not in spelled and sum(map(str.isalnum, keys[i][0])) >= SHORTEST[0]:
            alike.append((i, first))
    slips = slip_pairs(labels)
    if alike:
        may_be = {max(pair, key=rank.__getitem__): min(pair, key=rank.__getitem__) for pair in slips.pairs} | dict(alike)
        itself = [(i, _last(may_be, i)) for i in may_be]
        sides = _neighbours(log, np.array([spelled.get(i, i) for i in range(len(labels))]), [*alike, *itself])
        for i, first in alike:
            too_rare = log.activity_cases[i] < ENOUGH_CASES and events[i] <= MOST_MISSPELT * events[first]
            if too_rare or not any(_is_no_sample(side[i], side[first], side) for side in sides):
                spelled[i] = first
    own = set(own_words(log)) if slips.first.size else set()
    near: dict[int, list[tuple[int, int]]] = {}
    for (i, j), n in zip(slips.pairs, slips.slips.tolist(), strict=True):
        is_rare = min(events[i], events[j]) <= MOST_MISSPELT * max(events[i], events[j])
        marked_alike = [mark for mark, _ in marks[i]] == [mark for mark, _ in marks[j]]
        may_be_slip = (
            marked_alike
            and not _differ_in_a_size(labels[i], labels[j])
            and (is_rare or not _differ_in_accents(labels[i], labels[j]))
        )
        if may_be_slip and (i, j) not in own:
            near.setdefault(i, []).append((n, j))
            near.setdefault(j, []).append((n, i))
    for i in order:
        found = [(n, j) for n, j in near.get(i, []) if j not in spelled and rank[j] < rank[i]]
        nearest = {keys[j]: j for n, j in sorted(found, key=lambda one: -rank[one[1]]) if n == min(found)[0]}
        if i not in spelled and len(nearest) == 1:
            (spelled[i],) = nearest.values()  # of labels with one key the most frequent
    names = {i: read_label(log.names[label]).key for i, label in enumerate(labels) if label in log.names}
    parents = {i: _last(spelled, i) for i in spelled}
    return {labels[i]: labels[j] for i, j in parents.items() if i not in names or names.get(j, names[i]) == names[i]}


def _differ_in_a_size(first: str, second: str) -> bool:
    """Return whether two labels differ by a doubled letter of a short code: *Size XL*, *Size XXL*."""
    words = _WORDS.findall(first), _WORDS.findall(second)
    return len(words[0]) == len(words[1]) and any(
        a != b
        and max(len(a), len(b)) <= _LONGEST_SIZE
        and a + b == (a + b).upper()
        and _REPEATED.sub(r"\1", a) == _REPEATED.sub(r"\1", b)
        for a, b in zip(*words, strict=True)
    )


def _differ_in_accents(first: str, second: str) -> bool:
    """Return whether two labels differ in umlauts and accents only: *drucken*, *drücken*."""
    return _without_accents(first) == _without_accents(second)


def _without_accents(label: str) -> str:
    parts = unicodedata.normalize("NFKD", decoded(label)).casefold()
    return "".join(part for part in parts if not unicodedata.combining(part))


def _respaced(labels: Sequence[str], order: Sequence[int]) -> dict[int, int]:
    """Return the labels that differ from one before them, in an order, by spaces at either end or more than one."""
    first: dict[str, int] = {}
    found = {i: first.setdefault(" ".join(labels[i].split()), i) for i in order if labels[i].strip()}
    return {i: j for i, j in found.items() if i != j}


def _last(spelled: dict[int, int], label: int) -> int:
    while label in spelled:
        label = spelled[label]
    return label


def with_spellings_merged(log: AnyLog, spelled: Mapping[str, str]) -> AnyLog:
    """Return a log in which each label has the name of the one that it spells; a case that has both counts twice by day."""

    def rename(label: str) -> str:
        return spelled.get(label, label)

    return respelled(log, rename) if isinstance(log, Variants) else log.relabel(rename)


def _neighbours(log: AnyLog, spelling: NDArray[np.int64], pairs: list[tuple[int, int]]) -> tuple[Floats, Floats]:
    """Return how often each spelling comes directly before and after each spelling of a pair, of which the rarer one is first.

    What comes before and after is counted as the label of which it may be a slip.
    """
    variants = log.variants
    n = int(spelling.max()) + 1
    itself = np.arange(n + 1)
    for rarer, other in pairs:
        itself[rarer] = other
    of_pairs = np.zeros(n + 1, dtype=bool)
    of_pairs[np.unique(pairs)] = True
    codes = np.append(spelling[variants.codes], n)
    weights = np.repeat(variants.weights, variants.lengths).astype(np.float64)
    before, after = np.append(n, codes[:-2]), codes[1:].copy()
    some = np.flatnonzero(variants.lengths)
    before[variants.offsets[:-1][some]] = n  # outside of the case
    after[variants.offsets[1:][some] - 1] = n
    tables = []
    for beside in (before, after):
        table = np.zeros((n, n + 1))
        chosen = of_pairs[codes[:-1]]
        np.add.at(table, (codes[:-1][chosen], itself[beside[chosen]]), weights[chosen])
        tables.append(table)
    return tables[0], tables[1]


def _is_no_sample(rarer: Floats, other: Floats, table: Floats) -> bool:
    """Return whether the neighbours of a label are no sample of those of another one, up to a few neighbours of any label."""
    n, anywhere = int(rarer.sum()), table.sum(axis=0)
    shares = (other + anywhere / anywhere.sum()) / (other.sum() + 1)
    usual = shares > 0
    seen, shares = rarer[usual], shares[usual] / shares.sum()
    if np.minimum(seen / n, shares).sum() >= _IN_COMMON:
        return False
    samples = np.random.default_rng(0).multinomial(n, shares, _SAMPLES)
    deviations = xlogy(np.vstack([seen, samples]), np.vstack([seen, samples]) / (n * shares)).sum(axis=1)
    return bool(deviations[0] > deviations[1:].max())
