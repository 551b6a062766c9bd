"""True partners: which label of one log is which of another, by what experts wrote into the labels.

BPIC15's municipalities share one scheme of codes (``01_HOOFD_010``), so the same code is the same step. The labels of BPIC20 are
a document, a verb and a role (``Declaration APPROVED by BUDGET OWNER``). If two of its logs treat a document in common, the same
label is the same step. Otherwise the same *residue* is: the label without its document.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from actalike.benchmark.labels.expert_classes import document_of, subprocess_of
from actalike.log import EventLog

Pairs = tuple[tuple[str, str], ...]  # a label of the first log, and one of the second that is the same step
Scheme = Literal["codes", "vocabulary"]

_MOST = 0.9  # the share of a log's labels that must be codes
_SHARED_EVENTS = 0.5  # of the smaller log: from here on, two logs are two views of one


def scheme_of(labels: Sequence[str]) -> Scheme | None:
    """Return in which scheme the labels of a log are written: BPIC15's codes, BPIC20's vocabulary, or neither.

    >>> scheme_of(["01_HOOFD_010", "02_DRZ_010"]), scheme_of(["Permit REJECTED by MISSING", "Start trip"]), scheme_of(["Pay"])
    ('codes', 'vocabulary', None)
    """
    if np.mean([subprocess_of(label) is not None for label in labels]) >= _MOST:
        return "codes"
    return "vocabulary" if any(document_of(label) for label in labels) else None


def residue_of(label: str) -> str:
    """Return a label of BPIC20 without the document that it is about.

    >>> residue_of("Request For Payment SUBMITTED by EMPLOYEE"), residue_of("Request Payment")
    ('SUBMITTED by EMPLOYEE', 'Request Payment')
    """
    document = document_of(label)
    return label if document is None else label.removeprefix(f"{document} ")


def true_pairs(labels_a: Sequence[str], labels_b: Sequence[str]) -> Pairs:
    """Return all pairs of labels of two logs in the same scheme that are the same step, in order; a label may have several.

    >>> true_pairs(["Declaration REJECTED by MISSING"], ["Permit REJECTED by MISSING", "Start trip"])
    (('Declaration REJECTED by MISSING', 'Permit REJECTED by MISSING'),)
    """
    documents_a, documents_b = ({document_of(label) for label in labels} - {None} for labels in (labels_a, labels_b))
    if scheme_of(labels_a) == "vocabulary" and not documents_a & documents_b:
        return _equal_pairs(labels_a, labels_b, [residue_of(a) for a in labels_a], [residue_of(b) for b in labels_b])
    return _equal_pairs(labels_a, labels_b, labels_a, labels_b)


def same_labels(labels_a: Sequence[str], labels_b: Sequence[str]) -> Pairs:
    """Return the labels that two logs have in common, each as a pair: the truth of two halves of one log.

    >>> same_labels(["a", "b"], ["b", "c"])
    (('b', 'b'),)
    """
    return _equal_pairs(labels_a, labels_b, labels_a, labels_b)


def _equal_pairs(labels_a: Sequence[str], labels_b: Sequence[str], keys_a: Sequence[str], keys_b: Sequence[str]) -> Pairs:
    partners: dict[str, list[str]] = {}
    for b, key in zip(labels_b, keys_b, strict=True):
        partners.setdefault(key, []).append(b)
    return tuple(sorted((a, b) for a, key in zip(labels_a, keys_a, strict=True) for b in partners.get(key, ())))


def one_to_one(pairs: Iterable[tuple[str, str]]) -> Pairs:
    """Return the pairs whose two labels have no other partner.

    >>> one_to_one([("a", "x"), ("a", "y"), ("b", "z")])
    (('b', 'z'),)
    """
    pairs = tuple(pairs)
    of_a, of_b = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    return tuple((a, b) for a, b in pairs if of_a[a] == of_b[b] == 1)


def partner_mask(labels_a: Sequence[str], labels_b: Sequence[str], pairs: Iterable[tuple[str, str]]) -> NDArray[np.bool_]:
    """Return which label of the first log (row) is which of the second (column).

    >>> partner_mask(["a", "b"], ["x", "y"], [("b", "x")]).astype(int).tolist()
    [[0, 0], [1, 0]]
    """
    place_a, place_b = ({label: i for i, label in enumerate(labels)} for labels in (labels_a, labels_b))
    mask = np.zeros((len(labels_a), len(labels_b)), dtype=bool)
    for a, b in pairs:
        mask[place_a[a], place_b[b]] = True
    return mask


def are_independent(log_a: EventLog, log_b: EventLog) -> bool:
    """Return whether two logs record different events; two views of the same events would be matched by their numbers alone.

    Events are taken for the same if label and timestamp are equal. Logs without timestamps are taken for independent.

    >>> log = EventLog(["a"], [0], [0, 1], ["1"], np.array(["2020-01-01"], dtype="datetime64[us]"))
    >>> are_independent(log, log)
    False
    """
    if log_a.timestamps is None or log_b.timestamps is None:
        return True
    events_a, events_b = (Counter(_events(log)) for log in (log_a, log_b))
    return sum((events_a & events_b).values()) < _SHARED_EVENTS * min(log_a.n_events, log_b.n_events)


def _events(log: EventLog) -> Iterable[tuple[str, int]]:
    assert log.timestamps is not None
    return zip((log.activities[code] for code in log.codes.tolist()), log.timestamps.astype(np.int64).tolist(), strict=True)
