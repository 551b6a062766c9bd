"""Compare the label texts of two logs: further evidence for matching, if somebody asks for it.

A label with a second name (a code such as *01_HOOFD_010*, called *register request*) is compared by that name, because codes
that look alike say nothing. Codes count only if they are written alike, up to case, punctuation and slips of the keyboard.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from actalike.labels import LabelTexts

WRITTEN_ALIKE = 0.9  # a likeness from here on is that of one text in two spellings (labels/label_text.py)
OF_NAMES = 0.95  # a second name may be that of several codes, so that equal names prove less than equal labels
_ROWS_AT_ONCE = 256


def label_likeness(
    activities_a: Sequence[str],
    activities_b: Sequence[str],
    names_a: Mapping[str, str] | None = None,
    names_b: Mapping[str, str] | None = None,
) -> NDArray[np.float64]:
    """Return how alike the label texts of two logs are: a row for each label of a, a column for each label of b, 0 to 1.

    Equal labels have 1, opposites (*accept*, *reject*) at most 0.2, and labels with different numbers at most 0.5: see
    ``docs/label_text.md``. ``names_a`` and ``names_b`` are second names of labels.

    >>> label_likeness(["Accept offer", "Pay"], ["Pay", "Offer accepted", "Reject offer"]).round(2)
    array([[0.  , 0.85, 0.13],
           [1.  , 0.  , 0.  ]])
    >>> label_likeness(["A_01", "A_02"], ["A_01", "Register"], {"A_02": "register"})
    array([[1.  , 0.  ],
           [0.  , 0.95]])
    """
    labels = _across(activities_a, activities_b)
    if not (names_a or names_b):
        return labels
    shown_a, named_a = _shown(activities_a, names_a or {})
    shown_b, named_b = _shown(activities_b, names_b or {})
    likeness = _across(shown_a, shown_b)
    np.multiply(likeness, OF_NAMES, out=likeness, where=named_a[:, np.newaxis] | named_b)
    return np.maximum(likeness, labels, out=likeness, where=labels >= WRITTEN_ALIKE)


def _shown(activities: Sequence[str], names: Mapping[str, str]) -> tuple[list[str], NDArray[np.bool_]]:
    """Return the text by which each label is compared, and whether that is a second name."""
    shown = [names.get(label, label) for label in activities]
    return shown, np.array([text != label for text, label in zip(shown, activities, strict=True)], dtype=bool)


def _across(texts_a: Sequence[str], texts_b: Sequence[str]) -> NDArray[np.float64]:
    """Return how alike each text of a is to each of b; only these rows and columns of the joint matrix are kept."""
    texts = LabelTexts([*texts_a, *texts_b])
    likeness = np.empty((len(texts_a), len(texts_b)))
    for start in range(0, len(texts_a), _ROWS_AT_ONCE):
        stop = min(start + _ROWS_AT_ONCE, len(texts_a))
        likeness[start:stop] = texts.rows(start, stop)[:, len(texts_a) :]
    return likeness
