"""Keep the second names of labels when a log is written or relabelled."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from actalike.log.attributes import Attribute, canonical

SECOND_NAME = "second name"  # the column, or attribute, in which second names are written


def name_attribute(names: Mapping[str, str], activities: Sequence[str], codes: NDArray[np.int32]) -> dict[str, Attribute]:
    """Return the second names as an attribute of the events; nothing if there are none.

    >>> name_attribute({"b": "Pay"}, ["a", "b"], np.array([1, 0], dtype=np.int32))["second name"].texts()
    ['Pay', None]
    """
    if not names:
        return {}
    code_of_label = np.full(len(activities), -1, dtype=np.int32)
    named = [i for i, label in enumerate(activities) if label in names]
    code_of_label[named] = np.arange(len(named))
    return {SECOND_NAME: canonical([names[activities[i]] for i in named], code_of_label[codes])}


def renamed_names(
    names: Mapping[str, str], activities: Sequence[str], labels: Sequence[str], counts: NDArray[np.int64]
) -> dict[str, str]:
    """Return the second names of new labels: that of the activity that was called so before, else of the most frequent one.

    ``labels`` are the new labels of ``activities``, which have so many events.

    >>> renamed_names({"a": "Check", "b": "Verify"}, ["a", "b"], ["x", "x"], np.array([1, 2]))
    {'x': 'Verify'}
    """
    renamed: dict[str, str] = {}
    frequent_last = np.argsort(-counts, kind="stable")[::-1].tolist() if names else []
    for i in sorted(frequent_last, key=lambda i: labels[i] == activities[i]):  # the last one counts
        if activities[i] in names:
            renamed[labels[i]] = names[activities[i]]
    return renamed
