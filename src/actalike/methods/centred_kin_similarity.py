"""Compute centred kin similarities: kin, where only what is more or less than usual counts in each round.

Kin's similarities crowd near 1, because all activities of a log have much in common. Here each round removes that. H_o, v_o and
PAD are those of :mod:`actalike.methods.kin_similarity`; n is the number of activities.

1. unit(G) is G scaled to a diagonal of 1. around(S) is S with the means of its rows and columns removed: the products of what
   each activity has more, or less, than the mean of all activities. soft(C) = unit(C + c), where the constant is
   c = (1 + 20 / n) * mean(diag C) + 1e-6: it brings back a common part that is no larger than the differences call for.
2. In each round, S = Σ_o v_o unit(H_o K H_oᵀ) and P = soft(around(S)). Then K = P, with PAD similar to itself only.
3. Before the last round, K = (P + soft(R R)) / 2 with R = around(P): activities that are alike, or unlike, the same others are
   more alike themselves.

P of the last round is the similarity. It has a diagonal of 1 and no negative eigenvalues: removing means, adding a constant,
squaring and scaling all keep that.
"""

from collections.abc import Sequence

import numpy as np

from actalike.counting import WindowCounts
from actalike.methods.centred_kin_shares import CentredKinShares
from actalike.methods.kin_shares import Floats
from actalike.methods.kin_similarity import Stack, stacks_of, surroundings_of, symmetric

_ARRAYS = 9  # of all pairs of activities, while a round is computed
_FEW_SHARE_MORE = 20  # of n activities, the constant is 1 + 20 / n times their mean difference: few tell less of the usual
_NO_DIFFERENCE = 1e-6  # where activities differ by less than this, they are alike: rounding errors are not magnified


def bytes_of_centred_kin(n: int) -> int:
    """Return about how many bytes :func:`centred_kin` needs for n activities.

    >>> bytes_of_centred_kin(400)
    11520000
    """
    return _ARRAYS * 8 * n * n


def centred_kin(table: WindowCounts, rounds: int, shrinkage: float) -> tuple[Floats, CentredKinShares]:
    """Return the similarities P after ``rounds`` rounds, and their explanation."""
    surroundings = surroundings_of(table, shrinkage)
    n = len(table.activities)
    stacks = stacks_of(surroundings)
    alike = np.eye(n + 1)
    squares = np.ones((len(surroundings), n))
    similarities, lengths, constant = _soft(_around(symmetric(stack.product() for stack in stacks)))
    for number in range(2, rounds + 1):
        alike[:-1, :-1] = _sharpened(similarities) if number == rounds else similarities
        total, squares = _round(stacks, alike)
        similarities, lengths, constant = _soft(_around(total))
    return similarities, CentredKinShares(surroundings, alike, tuple(squares), lengths, constant)


def _round(stacks: Sequence[Stack], alike: Floats) -> tuple[Floats, Floats]:
    """Return S, and the diagonal of H_o K H_oᵀ of each offset."""
    products = [stack.product_with(alike) for stack in stacks]
    return symmetric(product for product, _ in products), np.concatenate([squares for _, squares in products])


def _sharpened(similarities: Floats) -> Floats:
    """Return (P + soft(R R)) / 2 with R = around(P)."""
    around = _around(similarities)
    products, _, _ = _soft(around @ around.T)  # R is symmetric, and a product with the own transpose takes half the time
    products += similarities
    products /= 2
    return products


def _around(similarities: Floats) -> Floats:
    """Return an array without the means of its rows and columns."""
    means = similarities.mean(axis=0)
    means -= means.mean() / 2
    return similarities - np.add.outer(means, means)


def _soft(centred: Floats) -> tuple[Floats, Floats, float]:
    """Return soft(C), computed in place, the lengths sqrt(C(a, a) + c) that scale it, and the constant c."""
    diagonal = np.maximum(centred.diagonal(), 0.0)
    constant = float((1 + _FEW_SHARE_MORE / len(centred)) * diagonal.mean() + _NO_DIFFERENCE)
    lengths: Floats = np.sqrt(diagonal + constant)
    centred += constant
    centred /= np.multiply.outer(lengths, lengths)
    np.clip(centred, -1.0, 1.0, out=centred)
    np.fill_diagonal(centred, 1.0)
    return centred, lengths, constant
