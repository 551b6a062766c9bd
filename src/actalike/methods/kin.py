"""Embed activities by kin: two activities are alike if the activities around them are alike (docs/kin.md).

**Kin.** Let n(a) be the number of events of a, n_o(a, x) the number of those whose neighbour at offset o is x (an activity or
PAD), q_o(x) the share of x at offset o over the whole log, and s the shrinkage.

1. P_o(a, x) = (n_o(a, x) + s q_o(x)) / (n(a) + s). These are shares, shrunk towards the log's average, so that a rare activity
   does not look special by accident.
2. H_o = sqrt(P_o). The weight v_o of an offset is proportional to 1 / |o|; the weights sum to 1. K starts as the identity matrix:
   every activity is similar to itself only.
3. In each round, G_o = H_o K H_oᵀ, scaled to a diagonal of 1, and S = Σ_o v_o G_o. Then K = S, with PAD similar to itself only.

S has a diagonal of 1 and no negative eigenvalues, so it is the matrix of cosines of some vectors.

**Centred kin.** Kin's similarities crowd near 1, because all activities of a log have much in common. Here each round removes
that, and only what is more or less than usual counts. n is the number of activities.

1. unit(G) is G scaled to a diagonal of 1. around(S) is S with the means of its rows and columns removed: the products of what
   each activity has more, or less, than the mean of all activities. soft(C) = unit(C + c), where the constant is
   c = (1 + 20 / n) * mean(diag C) + 1e-6: it brings back a common part that is no larger than the differences call for.
2. In each round, S = Σ_o v_o unit(H_o K H_oᵀ) and P = soft(around(S)). Then K = P, with PAD similar to itself only.
3. Before the last round, K = (P + soft(R R)) / 2 with R = around(P): activities that are alike, or unlike, the same others are
   more alike themselves.

P of the last round is the similarity. It has a diagonal of 1 and no negative eigenvalues: removing means, adding a constant,
squaring and scaling all keep that.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import Annotated, Any

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array, vstack

from actalike.counting import WindowCounts
from actalike.embedding import CodedShare, Embedding, Explanation, register_explanation, stored_csr
from actalike.errors import ActalikeError
from actalike.matrices import ShareKind
from actalike.methods.registry import CountingEstimator, Lap, fewer_activities
from actalike.support.arrays import count_rows, one_thread
from actalike.support.memory import require_memory
from actalike.support.saved import MOST_SYMBOLS, StoredFile, are_within

Floats = NDArray[np.float64]

FEW_ACTIVITIES = 100  # up to this number, four rounds improve the result; beyond it, they make activities too similar
_FEW_SHARE_MORE = 20  # of n activities, the constant is 1 + 20 / n times their mean difference: few tell less of the usual
_NO_DIFFERENCE = 1e-6  # where activities differ by less than this, they are alike: rounding errors are not magnified
_CELLS_AT_A_TIME = 1 << 22  # cells of D_o K: all offsets at once if there are few activities
_MOST_CACHED = 1 << 26  # bytes of rows that are kept while many pairs are explained

TOLERANCE = 1e-6  # of stored shares and similarities: far more than rounding errors, and too little to show
_LEAST_SQUARE = 1e-9  # of centred kin, stored: its K has a constant part, so that none comes near 0
_LARGEST_LENGTH = 6.0  # stored: differences are at most 1 on the diagonal, and the constant is at most 21 times as large


# The formula


@dataclass(frozen=True)
class Surroundings:
    """Hold H_o of one offset as a sparse matrix plus one of rank one: H_o(a, x) = ``seen[a, x] + given[a] * usual[x]``.

    There is a row for each activity and a column for each neighbour, the last for PAD. ``given[a] * usual[x]`` is what the
    pseudo-events with the log's average neighbours contribute. ``seen`` is what the observed neighbours add to that. ``weight``
    is v_o.
    """

    offset: int
    weight: float
    seen: csr_array
    given: Floats
    usual: Floats

    def row(self, activity: int) -> Floats:
        """Return the row of an activity as a dense array."""
        row = self.given[activity] * self.usual
        part = slice(self.seen.indptr[activity], self.seen.indptr[activity + 1])
        row[self.seen.indices[part]] += self.seen.data[part]
        return row


def surroundings_of(table: WindowCounts, shrinkage: float) -> tuple[Surroundings, ...]:
    """Compute H_o and v_o of each offset."""
    offsets = [place - table.left for place in range(table.window) if place != table.left]
    total = sum(1 / abs(offset) for offset in offsets)
    return tuple(_surroundings(table, offset, 1 / abs(offset) / total, shrinkage) for offset in offsets)


def _surroundings(table: WindowCounts, offset: int, weight: float, shrinkage: float) -> Surroundings:
    """Compute H_o of one offset, with the weight v_o."""
    n_symbols = len(table.activities) + 1
    neighbour = table.windows[:, table.left + offset].astype(np.int64)
    neighbour[neighbour < 0] = n_symbols - 1
    share = np.bincount(neighbour, weights=table.counts, minlength=n_symbols) / table.n_events
    pairs, counts = count_rows([table.focal, neighbour], n_symbols + 1, table.counts)
    row, column = table.focal[pairs], neighbour[pairs]
    n_with_pseudo_events = table.activity_counts + shrinkage
    given, usual = np.sqrt(shrinkage / n_with_pseudo_events), np.sqrt(share)
    roots = np.sqrt((counts + shrinkage * share[column]) / n_with_pseudo_events[row])
    bounds = np.searchsorted(row, np.arange(n_symbols))
    seen = csr_array((roots - given[row] * usual[column], column, bounds), shape=(n_symbols - 1, n_symbols))
    return Surroundings(offset, weight, seen, given, usual)


def kin(table: WindowCounts, rounds: int, shrinkage: float) -> tuple[Floats, "KinShares"]:
    """Return kin's similarities S after ``rounds`` rounds, and their explanation.

    >>> from actalike import EventLog, count_windows
    >>> table = count_windows(EventLog.from_traces([list("abd"), list("acd"), list("abd"), list("ace"), list("fce")]), 3)
    >>> [round(float(kin(table, rounds, shrinkage=1)[0][1, 2]), 3) for rounds in (1, 2)]  # of b and c, as in docs/kin.md
    [0.87, 0.993]
    """
    surroundings = surroundings_of(table, shrinkage)
    stacks = _stacks(surroundings)
    alike = np.eye(len(table.activities) + 1)
    similarities = _symmetric(stack.product() for stack in stacks)
    for _ in range(rounds - 1):
        alike[:-1, :-1] = similarities
        similarities = _symmetric(stack.product_with(alike)[0] for stack in stacks)
    return similarities, KinShares(surroundings, alike)


def centred_kin(table: WindowCounts, rounds: int, shrinkage: float) -> tuple[Floats, "CentredKinShares"]:
    """Return the similarities P of centred kin after ``rounds`` rounds, and their explanation.

    >>> from actalike import EventLog, count_windows
    >>> table = count_windows(EventLog.from_traces([list("abd"), list("acd"), list("abd"), list("ace"), list("fce")]), 3)
    >>> [round(float(centred_kin(table, rounds, shrinkage=1)[0][1, 2]), 3) for rounds in (1, 2)]  # of b and c
    [0.903, 0.993]
    """
    surroundings = surroundings_of(table, shrinkage)
    n = len(table.activities)
    stacks = _stacks(surroundings)
    alike = np.eye(n + 1)
    squares = np.ones((len(surroundings), n))
    similarities, lengths, constant = _soft(_around(_symmetric(stack.product() for stack in stacks)))
    for number in range(2, rounds + 1):
        alike[:-1, :-1] = _sharpened(similarities) if number == rounds else similarities
        products = [stack.product_with(alike) for stack in stacks]
        squares = np.concatenate([diagonal for _, diagonal in products])
        similarities, lengths, constant = _soft(_around(_symmetric(product for product, _ in products)))
    return similarities, CentredKinShares(surroundings, alike, tuple(squares), lengths, constant)


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


def _symmetric(products: Iterable[Floats]) -> Floats:
    """Return the sum of the products, made exactly symmetric and with a diagonal of exactly 1."""
    total = reduce(np.add, products)
    similarities: Floats = (total + total.T) / 2
    np.fill_diagonal(similarities, 1.0)
    return similarities


def _stacks(surroundings: Sequence[Surroundings]) -> list["_Stack"]:
    """Return the surroundings of all offsets as stacks: one if there are few activities, one for each offset if many."""
    at_a_time = max(1, _CELLS_AT_A_TIME // surroundings[0].seen.shape[0] ** 2)
    return [_Stack(surroundings[i : i + at_a_time]) for i in range(0, len(surroundings), at_a_time)]


class _Stack:
    """Multiply the surroundings of several offsets as one sparse matrix, so that a round is two products for any window.

    With H = D + g uᵀ (D is ``seen``, g is ``given``, u is ``usual``), H K Hᵀ = D K Dᵀ + b gᵀ + g bᵀ, where
    b = D K u + (uᵀ K u) g / 2. The sparse parts D are multiplied as sparse matrices, and the parts of rank one are added for all
    offsets at once. ``below`` holds the D_o below each other; ``order``, ``columns`` and ``bounds`` arrange the same cells as if
    the D_o were beside each other.
    """

    def __init__(self, parts: Sequence[Surroundings]) -> None:
        n, n_symbols = parts[0].seen.shape
        self.shape = len(parts), n, n_symbols
        self.weight = np.array([part.weight for part in parts])[:, np.newaxis]
        self.given = np.array([part.given for part in parts])
        self.usual = np.array([part.usual for part in parts])
        self.below = csr_array(vstack([part.seen for part in parts]))
        cells = np.diff(self.below.indptr)
        self.row = np.repeat(np.arange(len(cells)), cells)
        self.order = np.argsort(self.row % n, kind="stable")
        self.columns = (self.below.indices + self.row // n * n_symbols)[self.order]
        self.bounds = np.concatenate([[0], np.cumsum(cells.reshape(-1, n).sum(axis=0))])

    def product(self) -> Floats:
        """Return Σ_o v_o H_o H_oᵀ, the first round. Shares sum to 1, so the diagonal of H_o H_oᵀ is already 1."""
        beside = self._beside(np.sqrt(self.weight))
        product: Floats = (beside @ beside.T).toarray()
        return self._with_rank_one(product, self.usual, np.sqrt(self.weight))

    def product_with(self, alike: Floats) -> tuple[Floats, Floats]:
        """Return Σ_o v_o G_o, where G_o is H_o K H_oᵀ scaled to a diagonal of 1, and these diagonals; ``alike`` is K."""
        offsets, n, n_symbols = self.shape
        dk = self.below @ alike
        uk = self.usual @ alike
        b = self._b(uk)
        diagonal = self._row_sums(dk[self.row, self.below.indices]) + 2 * b * self.given
        scale = np.sqrt(self.weight / diagonal)
        dk *= scale.reshape(-1, 1)
        transposed = dk.reshape(self.shape).transpose(0, 2, 1).reshape(offsets * n_symbols, n)
        return self._with_rank_one(self._beside(scale) @ transposed, uk, scale), diagonal

    def _row_sums(self, factors: Floats) -> Floats:
        """Return the sums of D's rows after multiplying each cell by a factor."""
        offsets, n, _ = self.shape
        sums = np.bincount(self.row, weights=self.below.data * factors, minlength=offsets * n)
        return sums.astype(np.float64, copy=False).reshape(offsets, n)

    def _b(self, uk: Floats) -> Floats:
        """Return b = D K u + (uᵀ K u) g / 2 for each offset, with uᵀ K given."""
        dku = self._row_sums(uk[self.row // self.shape[1], self.below.indices])
        return dku + (uk * self.usual).sum(axis=1, keepdims=True) / 2 * self.given

    def _beside(self, scale: Floats) -> csr_array:
        """Return the D_o beside each other, with scaled rows."""
        offsets, n, n_symbols = self.shape
        data = self.below.data * np.broadcast_to(scale, (offsets, n)).ravel()[self.row]
        return csr_array((data[self.order], self.columns, self.bounds), shape=(n, offsets * n_symbols))

    def _with_rank_one(self, product: Floats, uk: Floats, scale: Floats) -> Floats:
        """Add b gᵀ + g bᵀ of all offsets, scaled, to a product in place, and return it."""
        rank_one = (self._b(uk) * scale).T @ (self.given * scale)
        product += rank_one
        product += rank_one.T
        return product


# The explanation


@dataclass(frozen=True)
class KinShares:
    """Compute the shares of the last round's similarities from the surroundings and ``alike``, the K of the round before.

    S(i, j) is the sum of v_o H_o(i, x) K(x, y) H_o(j, y), scaled as G_o is, over all offsets o and pairs of neighbours x, y. A
    share with the codes (x, y) sums both cases: x beside i and y beside j, and y beside i and x beside j. The last row and column
    of K are for PAD.
    """

    surroundings: tuple[Surroundings, ...]
    alike: Floats

    kind = "kin"

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities, the largest first (up or down, where there are negative ones)."""
        if not self.surroundings:
            return []
        sides = [self._sides(index, i, j) for index in range(len(self.surroundings))]
        threshold = -np.inf if topn is None else self._threshold(sides, topn)
        cells = [self._cells(around, *side, threshold) for around, side in zip(self.surroundings, sides, strict=True)]
        share, offset, x, y, is_seldom = (np.concatenate(column) for column in zip(*cells, strict=True))
        order = np.lexsort((y, x, offset, np.abs(offset), -np.abs(share).round(15)))[:topn].tolist()
        kinds: tuple[ShareKind, ShareKind] = ("beside", "seldom")
        return [
            CodedShare(kinds[is_seldom[k]], float(share[k]), self._codes(int(x[k]), int(y[k])), int(offset[k])) for k in order
        ]

    def _codes(self, x: int, y: int) -> tuple[int, ...]:
        """Return the codes of two neighbours with -1 for PAD; a single code if both are the same."""
        pad = len(self.alike) - 1
        codes = [-1 if code == pad else code for code in (x, y)]
        return (codes[0],) if x == y else (codes[0], codes[1])

    def _sides(self, index: int, i: int, j: int) -> tuple[Floats, Floats, float]:
        """Return the rows of two activities at the offset of an index, and the divisor that scales their products to shares."""
        (a, a_square), (b, b_square) = self._look_up(index, i), self._look_up(index, j)
        return a, b, np.sqrt(a_square * b_square)

    def _threshold(self, sides: Sequence[tuple[Floats, Floats, float]], topn: int) -> float:
        """Return a lower bound of the ``topn`` largest shares: the ``topn``-th largest share of a neighbour with itself."""
        diagonal = self.alike.diagonal()
        by_offset = [
            a * b * diagonal * around.weight / scale for around, (a, b, scale) in zip(self.surroundings, sides, strict=True)
        ]
        shares = np.abs(np.concatenate(by_offset))
        if not 0 < topn <= len(shares):
            return -np.inf
        return float(np.partition(shares, len(shares) - topn)[len(shares) - topn]) - 1e-14  # 1e-14: more than rounding errors

    def _cells(
        self, around: Surroundings, a: Floats, b: Floats, scale: float, threshold: float
    ) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any], NDArray[Any]]:
        """Return the share, the offset, both neighbours, and 1 for the kind *seldom*, of all shares of at least ``threshold``.

        The absolute value counts, and 0 is no share. Where a and b are differences from the usual, both may be negative: then the
        kind is seldom.

        K is at most 1, so the share of x and any y is at most |a(x)| max|b| + max|a| |b(x)|, scaled. If that is below the
        threshold, x is skipped.
        """
        at_a, at_b = np.abs(a), np.abs(b)
        candidates = np.flatnonzero((at_a * at_b.max() + at_a.max() * at_b) * around.weight / scale >= threshold)
        a, b = a[candidates], b[candidates]
        parts = np.outer(a, b) * self.alike[np.ix_(candidates, candidates)] * around.weight / scale
        both = np.triu(parts + parts.T, 1)  # (x, y) and (y, x) together
        np.fill_diagonal(both, parts.diagonal())
        x, y = np.nonzero((both != 0) & (np.abs(both) >= threshold))
        is_larger = np.abs(parts[x, y]) >= np.abs(parts[y, x])  # the larger of the two says which kind it is
        is_seldom = np.where(is_larger, (a[x] < 0) & (b[y] < 0), (a[y] < 0) & (b[x] < 0))
        return both[x, y], np.full(len(x), around.offset), candidates[x], candidates[y], is_seldom.astype(np.int64)

    def _look_up(self, index: int, activity: int) -> tuple[Floats, float]:
        """Return the row h of an activity at the offset of an index, and h K hᵀ."""
        found = self._cache.get((index, activity))
        if found is None:
            found = self.surroundings[index].row(activity), self._square(index, activity)
            if len(self._cache) >= max(64, _MOST_CACHED // self.alike[0].nbytes):
                self._cache.clear()
            self._cache[index, activity] = found
        return found

    @cached_property
    def _cache(self) -> dict[tuple[int, int], tuple[Floats, float]]:
        """Return what :meth:`_look_up` keeps: a report explains thousands of pairs."""
        return {}

    def _square(self, index: int, activity: int) -> float:
        """Return h K hᵀ of the row h = d + g u, in its parts: d has few cells, and u K is the same for all activities."""
        around = self.surroundings[index]
        uk, uku = self._usual_alike[index]
        part = slice(around.seen.indptr[activity], around.seen.indptr[activity + 1])
        neighbours, seen, given = around.seen.indices[part], around.seen.data[part], around.given[activity]
        both_seen = seen @ self.alike[np.ix_(neighbours, neighbours)] @ seen
        return float(both_seen + 2 * given * (seen @ uk[neighbours]) + given**2 * uku)

    @cached_property
    def _usual_alike(self) -> list[tuple[Floats, float]]:
        """Return u K and u K uᵀ of each offset."""
        products = [around.usual @ self.alike for around in self.surroundings]
        return [(uk, float(uk @ around.usual)) for uk, around in zip(products, self.surroundings, strict=True)]

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what is written to a file: data for the header, and arrays. docs/file_formats.md describes them in prose."""
        header, arrays = _stored_surroundings(self.kind, self.surroundings)
        return header, arrays | {"kin_alike": self.alike}


@dataclass(frozen=True)
class CentredKinShares(KinShares):
    """Compute the shares of the last round's similarities from the surroundings and ``alike``, the K of the round before.

    Removing the means of S is removing the mean surroundings of all activities: with E_o = H_o scaled by the diagonal of
    H_o K H_oᵀ (``squares``), and M_o the mean of its rows, around(S)(i, j) is the sum of
    v_o (E_o(i, x) - M_o(x)) K(x, y) (E_o(j, y) - M_o(y)). So a share is positive if both have x (and what is like it) more than
    usual, or both less, and negative if one has it more and the other less. Shares are divided by the ``lengths`` of both
    activities, and so is the ``constant``, which is the first share of every pair.
    """

    squares: tuple[Floats, ...]
    lengths: Floats
    constant: float

    kind = "kin2"

    def shares(self, i: int, j: int, topn: int | None = None) -> list[CodedShare]:
        """Return the shares of two activities: first the constant, then the largest, up or down."""
        constant = CodedShare("constant", self.constant / float(self.lengths[i] * self.lengths[j]), ())
        return [constant, *super().shares(i, j, None if topn is None else max(topn - 1, 0))][:topn]

    def _sides(self, index: int, i: int, j: int) -> tuple[Floats, Floats, float]:
        """Return what two activities have more or less than usual at an offset, and the divisor of their products."""
        (a, a_square), (b, b_square) = self._look_up(index, i), self._look_up(index, j)
        usual = self._mean_rows[index]
        return a / np.sqrt(a_square) - usual, b / np.sqrt(b_square) - usual, float(self.lengths[i] * self.lengths[j])

    def _square(self, index: int, activity: int) -> float:
        """Return h K hᵀ, which is known."""
        return float(self.squares[index][activity])

    @cached_property
    def _mean_rows(self) -> list[Floats]:
        """Return M_o of each offset."""
        scales = [1 / np.sqrt(square) / len(square) for square in self.squares]
        return [
            scale @ part.seen + (scale @ part.given) * part.usual for part, scale in zip(self.surroundings, scales, strict=True)
        ]

    def stored(self) -> tuple[Mapping[str, Any], Mapping[str, NDArray[Any]]]:
        """Return what is written to a file: data for the header, and arrays. docs/file_formats.md describes them in prose."""
        header, arrays = _stored_surroundings(self.kind, self.surroundings)
        arrays |= {"kin2_alike": self.alike, "kin2_lengths": self.lengths}
        arrays |= {f"kin2_squares_{i}": squares for i, squares in enumerate(self.squares)}
        return {**header, "constant": self.constant}, arrays


# Saved explanations


class KinHeader(msgspec.Struct, forbid_unknown_fields=True):
    """Describe the explanation of kin in the header of an embedding.

    ``offsets`` are the positions of the neighbours relative to the activity, from left to right, without 0; ``weights``, one for
    each, sum to 1.
    """

    offsets: Annotated[
        list[Annotated[int, msgspec.Meta(ge=-MOST_SYMBOLS, le=MOST_SYMBOLS)]], msgspec.Meta(max_length=MOST_SYMBOLS)
    ]
    weights: Annotated[list[Annotated[float, msgspec.Meta(ge=0, le=1)]], msgspec.Meta(max_length=MOST_SYMBOLS)]


class CentredKinHeader(KinHeader, forbid_unknown_fields=True):
    """Describe the explanation in the header of an embedding; ``constant`` is that before it is divided by lengths."""

    constant: Annotated[float, msgspec.Meta(ge=1e-7, le=25)]


def _stored_surroundings(kind: str, surroundings: Sequence[Surroundings]) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
    """Return what is written of surroundings: data for the header, and arrays whose names begin with the explanation's kind."""
    arrays: dict[str, NDArray[Any]] = {}
    for i, part in enumerate(surroundings):
        arrays |= {f"{kind}_given_{i}": part.given, f"{kind}_usual_{i}": part.usual, f"{kind}_data_{i}": part.seen.data}
        arrays |= {f"{kind}_{name}_{i}": getattr(part.seen, name).astype(np.int64) for name in ("indices", "indptr")}
    return {"offsets": [part.offset for part in surroundings], "weights": [part.weight for part in surroundings]}, arrays


def read_kin_shares(file: StoredFile, activities: Sequence[str]) -> KinShares:
    """Return the stored shares, or raise an error if their parts contradict each other."""
    kind, n = KinShares.kind, len(activities)
    surroundings = _read_surroundings(file, kind, n, file.part(kind, KinHeader))
    return KinShares(surroundings, _read_alike(file, kind, n, least=0))


def read_centred_kin_shares(file: StoredFile, activities: Sequence[str]) -> CentredKinShares:
    """Return the stored shares, or raise an error if their parts contradict each other."""
    kind, n = CentredKinShares.kind, len(activities)
    header = file.part(kind, CentredKinHeader)
    surroundings = _read_surroundings(file, kind, n, header, further=("squares_{}", "lengths"))
    alike = _read_alike(file, kind, n, least=-1)
    constant = header.constant
    squares = [file.numbers(f"{kind}_squares_{i}", 1, _LEAST_SQUARE, n + 1 + TOLERANCE) for i in range(len(surroundings))]
    lengths = file.numbers(f"{kind}_lengths", 1, np.sqrt(constant) - TOLERANCE, _LARGEST_LENGTH)
    if any(len(array) != n for array in (*squares, lengths)):
        raise file.unsound(f"the numbers of its explanation do not fit {n:,} activities")
    return CentredKinShares(surroundings, alike, tuple(squares), lengths, constant)


def _read_surroundings(
    file: StoredFile, kind: str, n: int, header: KinHeader, further: Collection[str] = ()
) -> tuple[Surroundings, ...]:
    """Return stored surroundings of n activities, or raise an error if they do not fit each other and the header.

    ``further`` are the names of arrays that the explanation has beside those of kin, with ``{}`` for the number of an offset.
    """
    offsets, weights = header.offsets, header.weights
    left = len(offsets) // 2
    if offsets != [offset for offset in range(-left, len(offsets) - left + 1) if offset] or len(weights) != len(offsets):
        raise file.unsound("the offsets of its explanation are not those of a window")
    if offsets and abs(sum(weights) - 1) > TOLERANCE:
        raise file.unsound("the weights of its explanation do not sum to 1")
    names = ("given_{}", "usual_{}", "data_{}", "indices_{}", "indptr_{}", "alike", *further)
    known = {f"{kind}_{name.format(i)}" for name in names for i in range(max(1, len(offsets)))}
    for name in file.arrays:
        if name.startswith(f"{kind}_") and name not in known:
            raise file.unsound(f"its explanation has a part {name[:40]!r}, which is not known")
    surroundings = []
    for i, (offset, weight) in enumerate(zip(offsets, weights, strict=True)):
        given, usual = (file.numbers(f"{kind}_{name}_{i}", 1, 0, 1 + TOLERANCE) for name in ("given", "usual"))
        if (len(given), len(usual)) != (n, n + 1):
            raise file.unsound(f"the surroundings at offset {offset} do not fit {n:,} activities")
        around = Surroundings(offset, weight, stored_csr(file, kind + "_{}_" + str(i), n, n + 1), given, usual)
        if not _are_shares(around):
            raise file.unsound(f"the surroundings at offset {offset} are not roots of shares")
        surroundings.append(around)
    return tuple(surroundings)


def _read_alike(file: StoredFile, kind: str, n: int, least: float) -> Floats:
    """Return the stored K of n activities and PAD, from ``least`` to 1, or raise an error if it is not sound."""
    alike = file.numbers(f"{kind}_alike", 2, least - TOLERANCE, 1 + TOLERANCE)
    if alike.shape != (n + 1, n + 1) or not np.allclose(np.diag(alike), 1) or not np.allclose(alike, alike.T):
        raise file.unsound(f"'{kind}_alike' is not a symmetric array with 1 for itself")
    return alike


def _are_shares(around: Surroundings) -> bool:
    """Return whether H is 0 or more and the squares of each row sum to 1: then h K hᵀ is 1 or more, and divides the shares."""
    seen, given, usual = around.seen, around.given, around.usual
    row = np.repeat(np.arange(len(given)), np.diff(seen.indptr))
    pseudo = given[row] * usual[seen.indices]
    if not are_within(seen.data + pseudo, -TOLERANCE, 1 + TOLERANCE):
        return False
    squares = given**2 * (usual**2).sum()
    squares += np.bincount(row, weights=seen.data * (seen.data + 2 * pseudo), minlength=len(given))
    return are_within(squares, 1 - TOLERANCE, 1 + TOLERANCE)


register_explanation(KinShares.kind, read_kin_shares)
register_explanation(CentredKinShares.kind, read_centred_kin_shares)


# The estimators


class _KinEstimator(CountingEstimator):
    """Hold what kin and centred kin share: their parameters, and the embedding of what a subclass computes in rounds."""

    explains = True
    parts = ("count", "rounds")
    passes_over = "variants, once; pairs of activities, 2 to 6 times"
    stem: str  # of the name in the registry
    rounds_of_few: int  # of few activities
    arrays: int  # of all pairs of activities, in memory while a round is computed

    def __init__(self, window: int = 5, rounds: int | None = None, shrinkage: float = 2.0) -> None:
        self.window = window
        self.rounds = rounds
        self.shrinkage = shrinkage

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return f"{self.stem}-w{self.window}"

    def check_parameters(self) -> None:
        """Raise an error for parameter values that are not allowed."""
        if self.rounds is not None and self.rounds < 1:
            raise ActalikeError(f"rounds={self.rounds} must be >= 1 or None.")
        if not self.shrinkage > 0:
            raise ActalikeError(f"shrinkage={self.shrinkage} must be > 0.")
        if self.window < 2:
            raise ActalikeError(f"{self.name} compares neighbours: use a window >= 2.")

    def check_size(self, n: int) -> None:
        """Raise an error if there is not enough memory to compare n activities in pairs."""
        require_memory(self.arrays * 8 * n * n, f"{self.name} on {n:,} activities", fewer_activities(int(self.window)))

    def embed_counts(self, table: WindowCounts, lap: Lap) -> Embedding:
        """Return an embedding with the similarities of the last round and their explanation."""
        with one_thread():
            similarities, shares = self.similarities(table, self.rounds_for(len(table.activities)))
        embedding = Embedding(table.activities, method=self.name, explanation=shares, cosines=similarities)
        lap("rounds")
        return embedding

    def rounds_for(self, n: int) -> int:
        """Return the number of rounds for n activities."""
        return self.rounds or (self.rounds_of_few if n <= FEW_ACTIVITIES else 2)

    @abstractmethod
    def similarities(self, table: WindowCounts, rounds: int) -> tuple[Floats, Explanation]:
        """Return the similarities after some rounds, and their explanation."""


class KinEmbedder(_KinEstimator):
    """Compute the similarities of activities from the similarities of their neighbours, in a few rounds.

    ``rounds=None`` means 4 rounds, or 2 for more than 100 activities. ``shrinkage`` is a number of pseudo-events with the log's
    average neighbours that is added to every activity, so that few observations prove little.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x1", "a", "y"], ["x2", "b", "y"], ["x1", "c"], ["x2", "c"]] * 5)
    >>> embedding = KinEmbedder(window=3).fit(log).embedding_
    >>> embedding.most_similar("x1", topn=1)[0][0]
    'x2'
    """

    family = "kin"
    stem = "kin"
    rounds_of_few = 4
    arrays = 7

    def similarities(self, table: WindowCounts, rounds: int) -> tuple[Floats, Explanation]:
        """Return the similarities after some rounds, and their explanation."""
        return kin(table, rounds, self.shrinkage)

    def pair_similarities(self, table: WindowCounts, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the similarities of some pairs. After two rounds, few pairs of many activities do not need all the others."""
        n = len(table.activities)
        offsets, labels = int(self.window) - 1, {label for pair in pairs for label in pair}
        if self.rounds_for(n) != 2 or offsets * len(labels) > n:
            return super().pair_similarities(table, pairs)
        position = {label: i for i, label in enumerate(table.activities)}
        codes = np.array([[position[label] for label in pair] for pair in pairs], dtype=np.int64).reshape(-1, 2)
        with one_thread():
            return _similarities_of_pairs(surroundings_of(table.marginal(self.window), self.shrinkage), codes).tolist()


def _similarities_of_pairs(surroundings: Sequence[Surroundings], pairs: NDArray[np.int64]) -> Floats:
    """Return the similarity of each pair of activities (two columns of positions) after two rounds.

    The first round gives K = Σ_p v_p H_p H_pᵀ, so H_o K H_oᵀ = Σ_p v_p (H_o H_p)(H_o H_p)ᵀ, and only the rows of these activities
    are multiplied.
    """
    activities, place = np.unique(pairs, return_inverse=True)
    left, right = place.reshape(pairs.shape).T
    total = np.zeros(len(pairs))
    for around in surroundings:
        rows = np.array([around.row(activity) for activity in activities.tolist()])
        inside, pad = rows[:, :-1], rows[:, -1]
        product = np.outer(pad, pad)  # PAD is similar to itself only
        for other in surroundings:
            through = (other.seen.T @ inside.T).T + np.outer(inside @ other.given, other.usual)
            product += other.weight * (through @ through.T)
        squares = product.diagonal()
        total += around.weight * product[left, right] / np.sqrt(squares[left] * squares[right])
    return np.minimum(total, 1.0)


class CentredKinEmbedder(_KinEstimator):
    """Compute the similarities of activities from those of their neighbours, without what all activities have in common.

    ``rounds=None`` means 6 rounds, or 2 for more than 100 activities. ``shrinkage`` is that of :class:`actalike.KinEmbedder`.

    >>> from actalike import EventLog
    >>> log = EventLog.from_traces([["x1", "a", "y"], ["x2", "b", "y"], ["x1", "c"], ["x2", "c"]] * 5)
    >>> embedding = CentredKinEmbedder(window=3).fit(log).embedding_
    >>> embedding.most_similar("x1", topn=1)[0][0]
    'x2'
    """

    family = "centred kin"
    stem = "kin2"
    rounds_of_few = 6
    arrays = 9

    def similarities(self, table: WindowCounts, rounds: int) -> tuple[Floats, Explanation]:
        """Return the similarities after some rounds, and their explanation."""
        return centred_kin(table, rounds, self.shrinkage)
