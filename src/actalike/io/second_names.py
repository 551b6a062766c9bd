"""Choose a second name for each label: the one that most of its events have."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from actalike.log import Attribute


def choose_names(labels: Sequence[str], codes: NDArray[np.int32], names: Attribute) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the most frequent second name of each label, of equally frequent ones the first, and facts for ``Reading``.

    An event without a second name, or with a blank one, does not count. A label of which no event has one gets none.

    >>> names = Attribute(["Pay", "Check", "Verify"], np.array([1, 2, 1, -1], dtype=np.int32))
    >>> choose_names(["01", "02"], np.array([0, 0, 0, 1], dtype=np.int32), names)[0]
    {'01': 'Check'}
    """
    is_blank = np.array([not value.strip() for value in names.values] + [True], dtype=bool)  # the last is for the code -1
    named = np.flatnonzero(~is_blank[names.codes])
    width = max(len(names.values), 1)
    pairs, first, counts = np.unique(
        codes[named].astype(np.int64) * width + names.codes[named], return_index=True, return_counts=True
    )
    by_label: dict[int, list[int]] = {}  # the second names of each label, the chosen one first
    for i in np.lexsort((first, -counts)).tolist():
        label, name = divmod(int(pairs[i]), width)
        by_label.setdefault(label, []).append(name)
    chosen = {labels[code]: names.values[by_label[code][0]] for code in sorted(by_label)}
    several = [code for code in sorted(by_label) if len(by_label[code]) > 1]
    facts: dict[str, Any] = {"named_labels": len(chosen), "ambiguous_names": len(several)}
    facts["unnamed_labels"] = len(np.unique(codes)) - len(chosen)
    if several:
        facts["ambiguous_example"] = (labels[several[0]], *(names.values[name] for name in by_label[several[0]][:2]))
    return chosen, facts
