"""What real logs tell of their own labels: natural synonyms and expert classes.

Two codes of BPIC15 are natural synonyms if the most frequent English names (``activityNameEN``) of their events are equal,
each is in 20 cases or more, and at most 2 % of the cases of the rarer one have both.

Expert classes are what experts wrote into the labels. BPIC15's codes (``01_HOOFD_010``) name a *subprocess* and, by their
first digit, a *phase*. The labels of BPIC20's permit log (``Permit APPROVED by BUDGET OWNER``) name a *document* and a
*verb*. A method that never reads a label should find relatives near each other.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.scoring import Floats, first_hits, reciprocal_ranks
from actalike.log import CoOccurrence, EventLog

NAME_ATTRIBUTE = "activityNameEN"
CASES_OF_A_SYNONYM = 20
APART = 0.02  # the largest share of the cases of the rarer one that have both


class Synonyms(NamedTuple):
    """Hold the natural synonyms of a log, its activities as numbers.

    - ``pairs``: a row for each pair.
    - ``candidates``: the activities that are frequent enough.
    - ``apart``: which two activities share few cases.
    """

    pairs: NDArray[np.int64]
    candidates: NDArray[np.int64]
    apart: NDArray[np.bool_]


class SynonymScores(NamedTuple):
    """Hold how near natural synonyms are: the mean over both directions of all pairs, exact on ties.

    - ``nn``, ``mrr``: how often the synonym is the nearest candidate; the mean of 1 / its rank.
    - ``nn_apart``, ``mrr_apart``: the same among candidates that share few cases with the query. That natural synonyms share few
      cases is how they were chosen: who counts shared cases uses it, and so everybody is given it here.
    - ``zero``: how often the score of the pair is 0 (nothing in common).
    """

    nn: float
    mrr: float
    nn_apart: float
    mrr_apart: float
    zero: float


def natural_synonyms(log: EventLog) -> Synonyms | None:
    """Return the natural synonyms of a log; None if it has no English names, or no two that are equal."""
    if NAME_ATTRIBUTE not in log.attributes:
        return None
    names = most_frequent_names(log)
    cases = log.activity_cases
    rarer = np.minimum(cases, cases[:, np.newaxis])
    apart = CoOccurrence(log).shared_cases() <= APART * rarer + 1e-9
    candidates = np.flatnonzero(cases >= CASES_OF_A_SYNONYM)
    pairs = [
        (a, b)
        for i, a in enumerate(candidates.tolist())
        for b in candidates[i + 1 :].tolist()
        if names[a] is not None and names[a] == names[b] and apart[a, b]
    ]
    return Synonyms(np.array(pairs, dtype=np.int64), candidates, apart) if pairs else None


def synonym_scores(scores: Floats, synonyms: Synonyms) -> SynonymScores:
    """Score a square array of scores (higher: more likely one step); each pair is asked for in both directions."""
    queries, partners = np.concatenate([synonyms.pairs, synonyms.pairs[:, ::-1]]).T
    is_candidate = np.zeros(scores.shape, dtype=bool)[queries]
    is_candidate[:, synonyms.candidates] = True
    rows, each = scores[queries], np.arange(len(queries))
    is_candidate[each, queries] = False
    is_partner = np.zeros_like(is_candidate)
    is_partner[each, partners] = True
    is_apart = is_candidate & synonyms.apart[queries]
    return SynonymScores(
        float(first_hits(rows, is_partner, is_candidate).mean()),
        float(reciprocal_ranks(rows, is_partner, is_candidate).mean()),
        float(first_hits(rows, is_partner, is_apart).mean()),
        float(reciprocal_ranks(rows, is_partner, is_apart).mean()),
        float((rows[each, partners].round(12) == 0).mean()),
    )


def most_frequent_names(log: EventLog) -> list[str | None]:
    """Return the most frequent English name of each activity, the first in the alphabet of equally frequent ones."""
    attribute = log.attributes[NAME_ATTRIBUTE]
    known = attribute.codes >= 0
    counts = np.zeros((len(log.activities), len(attribute.values) + 1), dtype=np.int64)
    np.add.at(counts, (log.codes[known], attribute.codes[known]), 1)
    best = counts.argmax(axis=1)
    return [attribute.values[name] if counts[i, name] else None for i, name in enumerate(best.tolist())]


# --- expert classes -----------------------------------------------------------------------------------------------------------


CASES_OF_A_MEMBER = 10
_CODE = re.compile(r"(\d\d)_([A-Z]+\d*)_(.*)")
_THREE_DIGITS = re.compile(r"(?<!\d)(\d)\d\d(?!\d)")
_DOCUMENTS = ("Declaration", "Permit", "Request For Payment")
_DOCUMENT_AND_VERB = re.compile(rf"({'|'.join(_DOCUMENTS)}) ([A-Z_]+)\b.*")
_MOST = 0.9  # the share of a log's labels that must be codes
Numbers = NDArray[np.int64]


class ClassScores(NamedTuple):
    """Hold how well classes are found, and what chance would give.

    - ``nn``: how often the nearest other label is of the same class, exact on ties; ``chance``: of labels in random order.
    - ``ari_*``, ``nmi_*``: agreement of clusters, as many as classes, by average and complete linkage.
    """

    nn: float
    chance: float
    ari_average: float
    nmi_average: float
    ari_complete: float
    nmi_complete: float


def subprocess_of(label: str) -> str | None:
    """Return the subprocess of a code of BPIC15.

    >>> subprocess_of("08_AWB45_020_1"), subprocess_of("Pay out")
    ('08_AWB45', None)
    """
    code = _CODE.fullmatch(label)
    return f"{code[1]}_{code[2]}" if code else None


def phase_of(label: str) -> str | None:
    """Return the phase of a code of BPIC15: its subprocess and the first digit of its first group of three digits.

    >>> phase_of("01_HOOFD_490_1"), phase_of("11_AH_II_055"), phase_of("99_NOCODE_01")
    ('01_HOOFD_4', '11_AH_0', None)
    """
    code = _CODE.fullmatch(label)
    digits = _THREE_DIGITS.search(code[3].replace("_", " ")) if code else None
    return f"{subprocess_of(label)}_{digits[1]}" if digits else None


def document_of(label: str) -> str | None:
    """Return the document of a label of BPIC20.

    >>> document_of("Request For Payment SUBMITTED by EMPLOYEE"), document_of("Start trip")
    ('Request For Payment', None)
    """
    found = _DOCUMENT_AND_VERB.fullmatch(label)
    return found[1] if found else None


def verb_of(label: str) -> str | None:
    """Return the verb of a label of BPIC20.

    >>> verb_of("Permit FINAL_APPROVED by SUPERVISOR")
    'FINAL_APPROVED'
    """
    found = _DOCUMENT_AND_VERB.fullmatch(label)
    return found[2] if found else None


CLASSES: dict[str, Callable[[str], str | None]] = {
    "subprocess": subprocess_of,
    "phase": phase_of,
    "document": document_of,
    "verb": verb_of,
}


def class_names(labels: Sequence[str]) -> list[str]:
    """Return which kinds of classes the labels of a log have.

    >>> class_names(["01_HOOFD_010", "01_HOOFD_020", "02_DRZ_010"])
    ['subprocess', 'phase']
    """
    if np.mean([_CODE.fullmatch(label) is not None for label in labels]) >= _MOST:
        return ["subprocess", "phase"]
    return ["document", "verb"] if {document_of(label) for label in labels} >= set(_DOCUMENTS) else []


def expert_classes(log: EventLog, kind: str, origin: Mapping[str, str] | None = None) -> tuple[Numbers, Numbers]:
    """Return the activities that are scored, and the class of each: in 10 cases or more, in a class with another such one.

    ``origin`` gives the old label of each activity, if the log has been given neutral codes.
    """
    named = [CLASSES[kind](label if origin is None else origin[label]) for label in log.activities]
    frequent = [i for i, n in enumerate(log.activity_cases.tolist()) if n >= CASES_OF_A_MEMBER and named[i] is not None]
    classes = np.unique([str(named[i]) for i in frequent], return_inverse=True)[1]
    keep = np.bincount(classes)[classes] > 1 if len(frequent) else np.empty(0, dtype=bool)
    scored = np.array(frequent, dtype=np.int64)[keep]
    return scored, np.unique(classes[keep], return_inverse=True)[1]


def class_scores(scores: Floats, classes: Numbers) -> ClassScores:
    """Score a square array of scores (higher: more alike) of labels with known classes."""
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    n, sizes = len(classes), np.bincount(classes)
    others = ~np.eye(n, dtype=bool)
    same = (classes == classes[:, np.newaxis]) & others
    distances = scores.max() - scores.round(12)
    np.fill_diagonal(distances, 0.0)
    agreements = []
    for kind in ("average", "complete"):
        found = _clusters(linkage(squareform(distances, checks=False), kind), len(sizes))
        agreements += [adjusted_rand_index(found, classes), normalised_mutual_information(found, classes)]
    chance = float((sizes * (sizes - 1)).sum() / (n * (n - 1)))
    return ClassScores(float(first_hits(scores, same, others).mean()), chance, *agreements)


def _clusters(merges: Floats, n_clusters: int) -> Numbers:
    """Return the cluster of each label, exactly so many: the last merges are left out, also where heights are equal."""
    n = len(merges) + 1
    cluster = np.arange(n)
    members = [np.array([label]) for label in range(n)]
    for left, right in merges[: n - n_clusters, :2].astype(np.int64):
        members.append(np.concatenate([members[left], members[right]]))
        cluster[members[-1]] = len(members) - 1
    return cluster


def adjusted_rand_index(first: Numbers, second: Numbers) -> float:
    """Return the agreement of two partitions, 0 by chance and 1 if they are equal.

    >>> adjusted_rand_index(np.array([0, 0, 1, 1]), np.array([5, 5, 7, 7]))
    1.0
    """
    table, n = _contingency(first, second), len(first)
    together, rows, columns = (_pairs(counts) for counts in (table, table.sum(axis=1), table.sum(axis=0)))
    expected = rows * columns / (n * (n - 1) / 2) if n > 1 else 0.0
    most = (rows + columns) / 2
    return float((together - expected) / (most - expected)) if most != expected else 1.0


def normalised_mutual_information(first: Numbers, second: Numbers) -> float:
    """Return the mutual information of two partitions over the mean of their entropies; 1 if both have one part.

    >>> normalised_mutual_information(np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]))
    0.0
    """
    table = _contingency(first, second) / len(first)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    entropies = [float(-(shares * np.log(shares)).sum()) for shares in (rows, columns)]
    i, j = np.nonzero(table)
    shared = float((table[i, j] * np.log(table[i, j] / (rows[i] * columns[j]))).sum())
    return max(shared, 0.0) / (sum(entropies) / 2) if sum(entropies) else 1.0


def _contingency(first: Numbers, second: Numbers) -> Numbers:
    rows, columns = (np.unique(parts, return_inverse=True)[1] for parts in (first, second))
    table = np.zeros((rows.max() + 1, columns.max() + 1), dtype=np.int64)
    np.add.at(table, (rows, columns), 1)
    return table


def _pairs(counts: Numbers) -> float:
    return float((counts * (counts - 1)).sum() / 2)
