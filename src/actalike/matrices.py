"""The paper's count-based embeddings, definition by definition and in the paper's order.

1. Windows: :func:`actalike.count_windows`, one for each event, padded with PAD outside the case.
2. Contexts, C_seq and C_mset: the window without its activity, as a sequence or as a multiset (:class:`Contexts`).
3. AC, the activity-context frequency matrix (:func:`activity_context`), and AA, the activity-activity co-occurrence matrix
   (:func:`activity_activity`). Not in the paper: the activity-position matrix (:func:`activity_position`).
4. Weightings: :func:`raw`, :func:`pmi`, :func:`ppmi`. Not in the paper: :func:`hellinger`, :func:`shift_and_smooth`.
5. Cosine distance: :meth:`actalike.Embedding.distances`. Not in the paper: fewer dimensions by SVD (:func:`reduce_rows`).

A row of a matrix is the vector of an activity. All matrices are sparse. n(a) is the number of events of a, n(a, c) the number of
windows with focal activity a and context c. The examples of AC, AA, PMI and distances are the paper's; where it prints another
number, the comment says so. Those of :func:`ppmi`, of :func:`hellinger` and of all else that is not in the paper are ours.

>>> from actalike import EventLog, embed
>>> log = EventLog.from_traces([list("abcde"), list("abdde"), list("adcde"), list("acde")])
>>> embed(log, "aa-sequence-pmi-w3").distances()[1].round(6).tolist()  # of b to a, b, c, d, e
[1.0, 0.0, 0.070378, 0.180842, 1.0]
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import wraps
from typing import Concatenate, Literal, NamedTuple, ParamSpec, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csc_array, csr_array

from actalike.counting import WindowCounts
from actalike.support.arrays import group_rows, one_thread, sum_groups
from actalike.support.memory import require_memory

__all__ = [
    "ANY",
    "SHARE_KINDS",
    "WEIGHTINGS",
    "ContextName",
    "Contexts",
    "CountMatrix",
    "ShareKind",
    "activity_activity",
    "activity_context",
    "activity_position",
    "are_cosines",
    "context_text",
    "factor",
    "hellinger",
    "pmi",
    "ppmi",
    "raw",
    "reduce_rows",
    "shift_and_smooth",
]

Counts: TypeAlias = NDArray[np.int64]
Marginals: TypeAlias = Counts | NDArray[np.float64]
ContextName = Literal["sequence", "multiset"]
ContextKind = Literal["sequence", "multiset", "position", "activity"]
ShareKind = Literal["between", "among", "beside", "seldom", "like", "constant"]
SHARE_KINDS: dict[ContextKind, ShareKind] = {
    "sequence": "between",
    "multiset": "among",
    "position": "beside",
    "activity": "like",
}

ANY = -2  # a place of a window that may hold any symbol
FOCAL = "●"  # the sign for the activity itself
_BYTES_OF_CELL = 64  # of an activity x activity matrix: its two halves, their sum and the weights, each with numbers of columns
_NEGLIGIBLE = 1e-6  # singular values below this share of the largest one count as 0: rounding errors are that large
_EQUAL = 1e-6  # singular values count as equal if their squares differ by at most this share
_ROUNDED = 1e-9  # smaller entries of a unit vector are rounding errors and become 0: a cosine could enlarge them

_P = ParamSpec("_P")


# Contexts


@dataclass(frozen=True)
class Contexts:
    """Hold the meaning of each column: a context (sequence or multiset), one neighbour at an offset, or a single activity.

    ``codes[j]`` holds the symbols of column ``j`` as positions in ``activities``, -1 for PAD. In a sequence, the first ``left``
    symbols come before the activity. One neighbour at an offset (``position``) is a sequence in which all other symbols are ANY.

    >>> columns = Contexts("sequence", np.array([[-1, 0], [0, 1]]), ["Check", "Pay"], left=1)
    >>> columns.text(0), columns.text(1), columns.column(0)
    ('(start) → ● → Check', 'Check → ● → Pay', ((-1, 0), 1))
    """

    kind: ContextKind
    codes: NDArray[np.int32]
    activities: Sequence[str]
    left: int = 0

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def places(self) -> NDArray[np.int64]:
        """Return for each column the index of its neighbour among the symbols; 0 if a column is not a single neighbour."""
        return np.nonzero(self.codes != ANY)[1] if self.kind == "position" else np.zeros(len(self), dtype=np.int64)

    @property
    def share_kind(self) -> ShareKind:
        """Return the kind of share that a column gives to a similarity."""
        return SHARE_KINDS[self.kind]

    def column(self, column: int) -> tuple[tuple[int, ...], int]:
        """Return the codes of a column (of a ``position``, only its neighbour) and its ``place`` as in :func:`context_text`."""
        codes = self.codes[column].tolist()
        if self.kind != "position":
            return tuple(codes), self.left if self.kind == "sequence" else 0
        (place,) = [place for place, code in enumerate(codes) if code != ANY]
        return (codes[place],), place - self.left + (place >= self.left)

    def text(self, column: int) -> str:
        """Return a column as text."""
        codes, place = self.column(column)
        return context_text(self.share_kind, [None if code < 0 else self.activities[code] for code in codes], place)

    def column_names(self) -> list[str]:
        """Return a distinct name for each column: its text, numbered if labels with arrows or dots make two texts equal."""
        names: dict[str, None] = {}
        numbers: Counter[str] = Counter()  # how far each text has been numbered, so that many equal ones take no quadratic time
        for column in range(len(self)):
            name = text = self.text(column)
            while name in names:
                numbers[text] += 1
                name = f"{text} ({numbers[text] + 1})"
            names[name] = None
        return list(names)


# Matrices


class CountMatrix(NamedTuple):
    """Hold counts with the marginals of their rows and columns *in the log*, which PMI compares with."""

    counts: csr_array
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    total: int
    contexts: Contexts


def _cached(build: Callable[Concatenate[WindowCounts, _P], CountMatrix]) -> Callable[Concatenate[WindowCounts, _P], CountMatrix]:
    """Keep a matrix with the table from which it is built."""

    @wraps(build)
    def look_up(table: WindowCounts, /, *arguments: _P.args, **named: _P.kwargs) -> CountMatrix:
        key = (build.__name__, arguments, tuple(named.items()))
        if key not in table.derived:
            table.derived[key] = build(table, *arguments, **named)
        return table.derived[key]

    return look_up


@_cached
def activity_context(table: WindowCounts, context: ContextName) -> CountMatrix:
    """Count AC(a, c) = n(a, c), the number of windows with focal activity ``a`` and context ``c``.

    A sequence context is the neighbours to the left and right in their order. A multiset context is the same symbols without
    order and side. PAD counts as a symbol in both.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([list("abcde")] * 5 + [list("addbe")])
    >>> matrix = activity_context(count_windows(log, 3), "multiset")
    >>> [matrix.contexts.text(column) for column in range(7)]
    ['{(outside), b}', '{(outside), d}', '{a, c}', '{a, d}', '{b, d}', '{c, e}', '{d, e}']
    >>> matrix.counts.toarray()
    array([[5, 1, 0, 0, 0, 0, 0],
           [0, 0, 5, 0, 0, 0, 1],
           [0, 0, 0, 0, 5, 0, 0],
           [0, 0, 0, 1, 1, 5, 0],
           [1, 5, 0, 0, 0, 0, 0]])
    """
    neighbours = [table.windows[:, i] for i in range(table.window) if i != table.left]
    n_activities, n_windows = len(table.activities), len(table.counts)
    if context == "sequence":  # windows are sorted by context, so the table already is a matrix stored by columns
        sample = _context_starts(neighbours, n_windows)
        bounds = np.append(sample, n_windows)
        counts = csr_array(csc_array((table.counts, table.focal, bounds), shape=(n_activities, len(sample))))
        context_counts = np.add.reduceat(table.counts, sample)
    else:
        neighbours = list(np.sort(np.array(neighbours).reshape(-1, n_windows), axis=0))
        sample, column = group_rows(neighbours or [table.focal * 0], n_activities + 1)
        counts = csr_array((table.counts, (table.focal, column)), shape=(n_activities, len(sample)))
        context_counts = sum_groups(table.counts, column, len(sample))
    codes = np.array([symbols.take(sample) for symbols in neighbours], dtype=np.int32).reshape(-1, len(sample)).T
    contexts = Contexts(context, codes, table.activities, table.left)
    return CountMatrix(counts, table.activity_counts, context_counts, table.n_events, contexts)


def _context_starts(neighbours: list[NDArray[np.int32]], n_windows: int) -> NDArray[np.int64]:
    """Return the index of the first window of each sequence context."""
    is_new = np.zeros(n_windows, dtype=bool)
    is_new[0] = True
    for symbols in neighbours:
        is_new[1:] |= symbols[1:] != symbols[:-1]
    return np.flatnonzero(is_new)


@_cached
def activity_activity(table: WindowCounts, context: ContextName) -> CountMatrix:
    """Compute AA(a, b), the sum of n(a, c) + n(b, c) over the contexts ``c`` that both activities have.

    As matrices, AA = X Bᵀ + B Xᵀ with X = AC and B = (X > 0). AA is symmetric, and AA(a, a) = 2 n(a). With multisets, contexts
    are merged first and then added.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([list("abcde"), list("abdde"), list("adcde"), list("acde")])
    >>> activity_activity(count_windows(log, 3), "multiset").counts.toarray()
    array([[ 8,  0,  0,  0,  5],
           [ 0,  4,  2,  2,  0],
           [ 0,  2,  6,  2,  0],
           [ 0,  2,  2, 12,  0],
           [ 5,  0,  0,  0,  8]])
    """
    ac = activity_context(table, context)
    x = ac.counts
    b = csr_array((np.ones_like(x.data), x.indices, x.indptr), shape=x.shape)
    require_memory(
        _BYTES_OF_CELL * _most_cells(b),
        f"An activity x activity matrix of {len(table.activities):,} activities",
        "merge rare activities first (actalike relabel), or choose a method with activities x contexts, such as "
        f"ac-{context}-pmi-w{table.window}",
    )
    half = csr_array(x @ b.T)
    counts = csr_array(half + half.T)
    counts.sort_indices()
    codes = np.arange(len(table.activities), dtype=np.int32)[:, np.newaxis]
    contexts = Contexts("activity", codes, table.activities)
    return CountMatrix(counts, ac.rows, ac.rows, ac.total, contexts)


def _most_cells(seen: csr_array) -> int:
    """Return how many cells B Bᵀ has at most: in a row, one for each activity that shares a context, counted with repeats."""
    in_column = np.bincount(seen.indices, minlength=seen.shape[1])
    in_row = np.add.reduceat(np.append(in_column[seen.indices], 0), seen.indptr[:-1]) if seen.shape[0] else np.zeros(0)
    return int(np.minimum(np.where(np.diff(seen.indptr) > 0, in_row, 0), seen.shape[0]).sum())


@_cached
def activity_position(table: WindowCounts) -> CountMatrix:
    """Count AP(a, (o, x)), the number of windows with focal activity ``a`` and neighbour ``x`` (or PAD) at offset ``o``.

    >>> from actalike import EventLog, count_windows
    >>> matrix = activity_position(count_windows(EventLog.from_traces([["a", "b"], ["a", "a"]]), 3))
    >>> [matrix.contexts.text(column) for column in range(5)]
    ['(start) → ●', 'a → ●', '● → (end)', '● → a', '● → b']
    >>> matrix.counts.toarray().tolist()
    [[2, 1, 1, 1, 1], [0, 1, 1, 0, 0]]
    """
    n_symbols = len(table.activities) + 1
    places = [column for column in range(table.window) if column != table.left]
    columns = [table.windows[:, place].astype(np.int64) + 1 + i * n_symbols for i, place in enumerate(places)]
    row = np.tile(table.focal, len(places))
    column = np.concatenate(columns) if places else np.zeros(0, dtype=np.int64)
    distinct, column = np.unique(column, return_inverse=True)
    counts = csr_array((np.tile(table.counts, len(places)), (row, column)), shape=(n_symbols - 1, len(distinct)))
    codes = np.full((len(distinct), len(places)), ANY, dtype=np.int32)
    codes[np.arange(len(distinct)), distinct // n_symbols] = distinct % n_symbols - 1
    contexts = Contexts("position", codes, table.activities, table.left)
    column_counts = sum_groups(counts.data, counts.indices, len(distinct))
    return CountMatrix(counts, table.activity_counts, column_counts, table.n_events, contexts)


# Weightings: cell by cell, zeros stay zero


def raw(counts: csr_array, rows: Counts, columns: Marginals, total: int) -> csr_array:
    """Return the counts as they are."""
    return counts.astype(np.float64)


def pmi(counts: csr_array, rows: Counts, columns: Marginals, total: int) -> csr_array:
    """Return the pointwise mutual information: ``ln(n(a, c) * N / (n(a) * n(c)))`` if ``n(a, c) > 0``, else 0.

    That is ``ln(p(a, c) / (p(a) p(c)))`` with shares of the N events (``total``). ``n(a, c)`` is a cell of AC or AA. ``rows`` and
    ``columns`` are n(a) and n(c), the counts *in the log*, not the sums of ``counts``: for AA, whose columns are activities, the
    two differ.

    >>> from actalike import EventLog, count_windows
    >>> log = EventLog.from_traces([list("abcde")] * 5 + [list("addbe")])
    >>> counts, rows, columns, total, contexts = activity_context(count_windows(log, 3), "multiset")
    >>> contexts.text(4), pmi(counts, rows, columns, total).toarray()[:, 4].round(4).tolist()  # for c the paper has 1.43, a slip
    ('{b, d}', [0.0, 0.0, 1.6094, -0.3365, 0.0])
    """
    in_row = np.diff(counts.indptr)
    # Products of whole numbers: if the two are equal, the weight is exactly 0, and not a rounding error that a cosine could
    # enlarge to 1.
    exact = np.int64 if total < 2**30 else np.longdouble
    joint = counts.data.astype(exact, copy=False) * total
    expected = np.repeat(rows.astype(exact, copy=False), in_row) * columns.take(counts.indices)
    ratio = (joint / expected).astype(np.float64, copy=False)
    if columns.dtype.kind == "f":  # shifted or smoothed, so not whole numbers: a ratio of 1 up to rounding is exactly 1
        ratio[np.abs(ratio - 1) < 1e-12] = 1
    weights = csr_array((np.log(ratio), counts.indices.copy(), counts.indptr.copy()), shape=counts.shape)
    weights.eliminate_zeros()
    return weights


def ppmi(counts: csr_array, rows: Counts, columns: Marginals, total: int) -> csr_array:
    """Return the positive PMI, ``max(0, PMI)``: contexts that are rarer than expected by chance get 0.

    >>> counts = csr_array([[5, 0], [1, 6]])
    >>> pmi(counts, rows=np.array([5, 7]), columns=np.array([6, 6]), total=12).toarray().round(2)
    array([[ 0.69,  0.  ],
           [-1.25,  0.54]])
    >>> ppmi(counts, rows=np.array([5, 7]), columns=np.array([6, 6]), total=12).toarray().round(2)
    array([[0.69, 0.  ],
           [0.  , 0.54]])
    """
    weights = pmi(counts, rows, columns, total)
    np.maximum(weights.data, 0, out=weights.data)
    weights.eliminate_zeros()
    return weights


def hellinger(counts: csr_array, rows: Counts, columns: Marginals, total: int) -> csr_array:
    """Return ``sqrt(n(a, c) / n(a))``: the cosine distance of two rows is then their squared Hellinger distance.

    >>> hellinger(csr_array([[1, 3], [4, 0]]), rows=np.array([4, 4]), columns=np.array([5, 3]), total=8).toarray().round(2)
    array([[0.5 , 0.87],
           [1.  , 0.  ]])
    """
    row = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    return csr_array((np.sqrt(counts.data / rows[row]), counts.indices.copy(), counts.indptr.copy()), shape=counts.shape)


def shift_and_smooth(columns: Counts, places: NDArray[np.int64], shift: float, smoothing: float) -> Marginals:
    """Return column marginals ``k N n(c)^α / Σ n(c')^α``, with which PMI is shifted by ``-ln k`` and smoothed.

    k is ``shift`` and α is ``smoothing``. α < 1 makes rare columns less rare (context-distribution smoothing). k > 1 demands more
    than chance (shifted PMI). The sum is over the columns with the same entry in ``places``, and N is their total. In an
    activity-context or activity-activity matrix, all columns have the same place. The neighbours at each offset are a
    distribution of their own. With k = α = 1, the counts are returned unchanged.

    >>> shift_and_smooth(np.array([1, 16, 8, 9]), np.array([0, 0, 1, 1]), shift=1, smoothing=0.5).round(2)
    array([ 3.4 , 13.6 ,  8.25,  8.75])
    >>> shift_and_smooth(np.array([1, 16]), np.array([0, 0]), shift=5, smoothing=1)
    array([ 5., 80.])
    """
    if shift == smoothing == 1:
        return columns
    smoothed = columns**smoothing
    totals, smoothed_totals = np.bincount(places, weights=columns), np.bincount(places, weights=smoothed)
    return shift * (totals / smoothed_totals)[places] * smoothed


WEIGHTINGS = {"raw": raw, "pmi": pmi, "ppmi": ppmi}


# Fewer dimensions


def reduce_rows(weights: csr_array, dimension: int | None, exponent: float) -> NDArray[np.float64]:
    """Return the rows of ``U_d Σ_d^p`` for a matrix ``U Σ Vᵀ``, with the d largest singular values; None keeps all.

    d is ``dimension`` and p is ``exponent``. There are at most as many columns as the rank. Equal singular values are kept
    together, so there can be more than d columns: which of their directions came first would depend on the machine. With p = 1
    and all columns, the angles between the rows stay the same; p = 0 gives all directions the same weight.

    >>> weights = csr_array([[3.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 4.0, 0.0]])
    >>> reduce_rows(weights, dimension=1, exponent=1).round(2).tolist()
    [[0.0], [2.0], [4.0]]
    >>> reduce_rows(weights, dimension=50, exponent=0).round(2).tolist()
    [[0.0, 1.0], [0.45, 0.0], [0.89, 0.0]]
    """
    n = weights.shape[0]
    require_memory(5 * 8 * n * n, f"A singular value decomposition of {n:,} activities", "leave out +svd and +power")
    with one_thread():
        # W Wᵀ = U Σ² Uᵀ is only activity x activity, so no dense activity x context array is needed
        squares, u = np.linalg.eigh((weights @ weights.T).toarray())
    squares, u = squares[::-1], u[:, ::-1]
    threshold = _NEGLIGIBLE**2 * squares[0]
    if dimension is not None and dimension <= len(squares):
        threshold = max(threshold, (1 - _EQUAL) * squares[dimension - 1])
    squares, u = squares[squares > threshold], u[:, squares > threshold]
    largest = np.abs(u).round(9).argmax(axis=0)  # rounded, so that the first of equal entries is taken
    u = u * np.sign(u[largest, np.arange(u.shape[1])])
    return np.where(np.abs(u) < _ROUNDED, 0.0, u) * squares ** (exponent / 2)


# Contexts in words


def context_text(kind: ShareKind, symbols: Sequence[str | None], place: int = 0) -> str:
    """Return a context as text, with the signs of the commands and pages: ``●`` is the activity, ``→`` means "followed by".

    ``symbols`` are labels, or None outside the case. For ``between``, ``place`` is the number of symbols before the activity. For
    ``beside``, ``place`` is the offset of the neighbour; two symbols are two neighbours that are alike. For ``seldom`` it is the
    same, with ``↛`` next to the neighbour.

    >>> context_text("between", ["Check", "Pay", None], place=1)
    'Check → ● → Pay → (end)'
    >>> context_text("beside", ["Check", "Re-check"], place=-2), context_text("beside", [None], place=1)
    ('Check ≈ Re-check → · → ●', '● → (end)')
    >>> context_text("among", ["Pay", None, "Pay"]), context_text("like", ["Pay"])
    ('{(outside), Pay ×2}', 'Pay')
    >>> context_text("seldom", ["Check"], place=-2), context_text("constant", [])
    ('Check ↛ · → ●', '(constant: what all activities share)')
    """
    if kind == "constant":
        return "(constant: what all activities share)"
    if kind == "like":
        return str(symbols[0])
    if kind == "among":
        counted = Counter("(outside)" if symbol is None else symbol for symbol in symbols)
        return "{" + ", ".join(label if n == 1 else f"{label} ×{n}" for label, n in sorted(counted.items())) + "}"
    if kind in ("beside", "seldom"):
        outside = "(start)" if place < 0 else "(end)"
        neighbours = " ≈ ".join(outside if symbol is None else symbol for symbol in symbols)
        between = ["·"] * (abs(place) - 1)
        arrow = " → " if kind == "beside" else " ↛ "
        if place < 0:
            return neighbours + arrow + " → ".join([*between, FOCAL])
        return " → ".join([FOCAL, *between]) + arrow + neighbours
    before, after = symbols[:place], symbols[place:]
    start = ["(start)"] if None in before else []
    end = ["(end)"] if None in after else []
    inside = [symbol for symbol in before if symbol is not None], [symbol for symbol in after if symbol is not None]
    return " → ".join([*start, *inside[0], FOCAL, *inside[1], *end])


# Cosines without vectors


def are_cosines(array: NDArray[np.float64], n: int) -> bool:
    """Return whether an array can hold the cosines of n vectors: symmetric, from -1 to 1, and 1 on the diagonal.

    >>> are_cosines(np.array([[1.0, 0.6], [0.6, 1.0]]), 2), are_cosines(np.array([[1.0, 0.6], [0.5, 1.0]]), 2)
    (True, False)
    """
    return (
        array.shape == (n, n)
        and bool((np.abs(array) <= 1 + 1e-9).all())  # False for NaN
        and np.array_equal(array, array.T)
        and np.allclose(np.diag(array), 1)
    )


def factor(similarities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return vectors with the given cosines: the pivoted Cholesky factor, with as many columns as the rank.

    >>> factor(np.array([[1.0, 1.0, 0.6], [1.0, 1.0, 0.6], [0.6, 0.6, 1.0]])).round(2).tolist()
    [[1.0, 0.0], [1.0, 0.0], [0.6, 0.8]]
    """
    from scipy.linalg.lapack import dpstrf  # imported here: it loads slowly, and few embeddings need it

    n = len(similarities)
    with one_thread():  # after the import, which loads the library to limit: the last digits depend on the number of threads
        triangle, pivots, rank, _ = dpstrf(similarities, lower=1, tol=n * np.finfo(np.float64).eps)
    vectors: NDArray[np.float64] = np.empty((n, rank))
    vectors[pivots - 1] = np.tril(triangle)[:, :rank]
    return vectors
