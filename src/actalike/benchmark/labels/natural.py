"""Natural synonyms: codes of BPIC15 that the log itself gives the same English name, and that rarely share a case.

Two codes are natural synonyms if the most frequent English names (``activityNameEN``) of their events are equal, each is in 20
cases or more, and at most 2 % of the cases of the rarer one have both.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.labels.metrics import Floats, first_hits, reciprocal_ranks
from actalike.log import CoOccurrence, EventLog

NAME_ATTRIBUTE = "activityNameEN"
ENOUGH_CASES = 20
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
    - ``nn_apart``: the first, among candidates that share few cases with the query.
    - ``zero``: how often the score of the pair is 0 (nothing in common).
    """

    nn: float
    mrr: float
    nn_apart: float
    zero: float


def natural_synonyms(log: EventLog) -> Synonyms | None:
    """Return the natural synonyms of a log; None if it has no English names, or no two that are equal."""
    if NAME_ATTRIBUTE not in log.attributes:
        return None
    names = most_frequent_names(log)
    cases = log.activity_cases
    rarer = np.minimum(cases, cases[:, np.newaxis])
    apart = CoOccurrence(log).shared_cases() <= APART * rarer + 1e-9
    candidates = np.flatnonzero(cases >= ENOUGH_CASES)
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
    return SynonymScores(
        float(first_hits(rows, is_partner, is_candidate).mean()),
        float(reciprocal_ranks(rows, is_partner, is_candidate).mean()),
        float(first_hits(rows, is_partner, is_candidate & synonyms.apart[queries]).mean()),
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
