"""Arrays as text: what a page needs of large arrays, packed into base64, least byte first."""

import base64

import numpy as np
from numpy.typing import NDArray

SCALE = 65_535  # steps between the least and the largest value of a packed triangle


def packed(array: NDArray[np.unsignedinteger]) -> str:
    """An array of whole numbers as base64.

    >>> packed(np.array([1, 258], dtype=np.uint16))
    'AQACAQ=='
    """
    return base64.b64encode(array.astype(array.dtype.newbyteorder("<")).tobytes()).decode("ascii")


def packed_triangle(matrix: NDArray[np.float64]) -> dict[str, str | float]:
    """The cells above the diagonal of a symmetric matrix, row by row, in 65,536 steps from the least to the largest.

    >>> packed_triangle(np.array([[1.0, 0.0, 0.5], [0.0, 1.0, 1.0], [0.5, 1.0, 1.0]]))
    {'least': 0.0, 'most': 1.0, 'cells': 'AAAAgP//'}
    """
    cells = matrix[np.triu_indices(len(matrix), 1)]
    least, most = (float(cells.min()), float(cells.max())) if len(cells) else (0.0, 1.0)
    steps = np.round((cells - least) / ((most - least) or 1.0) * SCALE).astype(np.uint16)
    return {"least": least, "most": most, "cells": packed(steps)}
