"""The count matrices, their weightings and distances, against the specification's values and the oracle."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given

from actalike import ActalikeError, EventLog, count_windows, embed, matrices
from actalike.matrices import activity_activity, activity_context, activity_position, pmi, ppmi
from tests.helpers.strategies import logs, windows

L1 = EventLog.from_traces([list("abcde")] * 5 + [list("addbe")])
L2 = EventLog.from_traces([list("abcde"), list("abdde"), list("adcde"), list("acde")])
L3 = EventLog.from_traces([list("abcde")] * 10 + [list("abdde"), list("abfde"), list("fbdef")])
P = None  # PAD


def cells(matrix, weights=None):
    """Non-zero cells by (activity, symbols of the context as a sorted tuple)."""
    table = (matrix.counts if weights is None else weights).tocoo()
    labels = matrix.contexts.activities
    key = (lambda s: s) if matrix.contexts.kind == "sequence" else (lambda s: tuple(sorted(s, key=str)))
    return {
        (labels[a], key(None if code < 0 else labels[code] for code in matrix.contexts.column(c)[0])): v
        for a, c, v in zip(table.row.tolist(), table.col.tolist(), table.data.tolist(), strict=True)
    }


def multiset(*symbols):
    return tuple(sorted(symbols, key=str))


class TestT1:
    def test_activity_context_multiset(self):
        assert cells(activity_context(count_windows(L1, 3), "multiset")) == {
            ("a", multiset(P, "b")): 5, ("a", multiset("d", P)): 1, ("b", multiset("a", "c")): 5,
            ("b", multiset("d", "e")): 1, ("c", multiset("b", "d")): 5, ("d", multiset("b", "d")): 1,
            ("d", multiset("c", "e")): 5, ("d", multiset("a", "d")): 1, ("e", multiset(P, "b")): 1,
            ("e", multiset("d", P)): 5,
        }  # fmt: skip

    def test_pmi(self):
        matrix = activity_context(count_windows(L1, 3), "multiset")
        values = cells(matrix, pmi(*matrix[:4]))
        expected = {
            ("d", multiset("b", "d")): math.log(30 / 42), ("c", multiset("b", "d")): math.log(5),  # the seed's 1.43 is a slip
            ("a", multiset(P, "b")): math.log(25 / 6), ("e", multiset("d", P)): math.log(25 / 6),
            ("a", multiset("d", P)): math.log(5 / 6), ("e", multiset(P, "b")): math.log(5 / 6),
            ("b", multiset("a", "c")): math.log(5), ("b", multiset("d", "e")): math.log(5),
            ("d", multiset("c", "e")): math.log(30 / 7), ("d", multiset("a", "d")): math.log(30 / 7),
        }  # fmt: skip
        assert values == pytest.approx(expected, abs=1e-12)
        assert values["d", multiset("b", "d")] == pytest.approx(-0.3365, abs=5e-5)

    def test_there_are_ten_sequence_contexts(self):
        assert activity_context(count_windows(L1, 3), "sequence").counts.shape == (5, 10)

    def test_activity_activity(self):
        many = activity_activity(count_windows(L1, 3), "multiset").counts.toarray()
        expected = np.diag([12, 12, 10, 14, 12])
        expected[0, 4] = expected[4, 0] = 12
        expected[2, 3] = expected[3, 2] = 6
        assert (many == expected).all()
        assert (activity_activity(count_windows(L1, 3), "sequence").counts.toarray() == np.diag([12, 12, 10, 14, 12])).all()


class TestT2:
    AA = np.array([[8, 0, 0, 0, 0], [0, 4, 2, 2, 0], [0, 2, 6, 2, 0], [0, 2, 2, 12, 0], [0, 0, 0, 0, 8]])

    def test_numbers_of_contexts(self):
        counts = count_windows(L2, 3)
        assert activity_context(counts, "multiset").counts.shape == (5, 9)
        assert activity_context(counts, "sequence").counts.shape == (5, 10)

    def test_activity_activity(self):
        counts = count_windows(L2, 3)
        assert (activity_activity(counts, "sequence").counts.toarray() == self.AA).all()
        many = self.AA.copy()
        many[0, 4] = many[4, 0] = 5
        assert (activity_activity(counts, "multiset").counts.toarray() == many).all()

    def test_activity_activity_pmi(self):
        values = embed(L2, "aa-sequence-pmi-w3").vectors
        assert np.diag(values) == pytest.approx([2.251292, 2.944439, 2.538974, 1.845827, 2.251292], abs=5e-7)
        assert [values[1, 2], values[1, 3], values[2, 3]] == pytest.approx([1.845827, 1.152680, 0.747214], abs=5e-7)

    @pytest.mark.parametrize(
        ("method", "bc", "bd", "cd", "ae"),
        [
            ("aa-sequence-raw-w3", 0.261451, 0.403960, 0.510884, 1),
            ("aa-sequence-pmi-w3", 0.070378, 0.180842, 0.272119, 1),
            ("aa-sequence-ppmi-w3", 0.070378, 0.180842, 0.272119, 1),
            ("aa-multiset-raw-w3", 0.261451, 0.403960, 0.510884, 0.101124),
            ("aa-multiset-pmi-w3", 0.070378, 0.180842, 0.272119, 0.026804),
            ("ac-multiset-raw-w3", 0.591752, 0.795876, 0.833333, 0.591752),
            ("ac-multiset-pmi-w3", 0.669022, 0.814840, 0.877432, 1.023271),
            ("ac-multiset-ppmi-w3", 0.669022, 0.814840, 0.877432, 1),
        ],
    )
    def test_distances(self, method, bc, bd, cd, ae):
        d = embed(L2, method).distances()
        assert [d[1, 2], d[1, 3], d[2, 3], d[0, 4]] == pytest.approx([bc, bd, cd, ae], abs=5e-7)


class TestT3:
    def test_counts(self):
        assert L3.n_events == 65
        assert dict(zip(L3.activities, L3.activity_counts.tolist(), strict=True)) == {
            "a": 12,
            "b": 13,
            "c": 10,
            "d": 14,
            "e": 13,
            "f": 3,
        }
        expected = np.diag([24, 26, 20, 28, 26, 6])
        for (i, j), n in {(0, 5): 13, (1, 4): 2, (2, 3): 11, (2, 5): 11, (3, 5): 2}.items():
            expected[i, j] = expected[j, i] = n
        assert (activity_activity(count_windows(L3, 3), "multiset").counts.toarray() == expected).all()

    def test_pmi(self):
        values = embed(L3, "aa-multiset-pmi-w3").vectors
        assert np.diag(values) == pytest.approx([2.3826, 2.3026, 2.5649, 2.2285, 2.3026, 3.7689], abs=5e-5)
        found = [values[0, 5], values[1, 4], values[2, 3], values[2, 5], values[3, 5]]
        assert found == pytest.approx([3.1558, -0.2624, 1.6306, 3.1711, 1.1299], abs=5e-5)

    @pytest.mark.parametrize(
        ("weighting", "af", "be", "cd"),
        [("raw", 0.213444, 0.847059, 0.280032), ("pmi", 0.175975, 1.224966, 0.130175), ("ppmi", 0.175975, 1, 0.130175)],
    )
    def test_distances(self, weighting, af, be, cd):
        d = embed(L3, f"aa-multiset-{weighting}-w3").distances()
        assert [d[0, 5], d[1, 4], d[2, 3]] == pytest.approx([af, be, cd], abs=5e-7)

    def test_sequence_contexts_tell_b_and_e_apart(self):
        assert activity_activity(count_windows(L3, 3), "sequence").counts.toarray()[1, 4] == 0


def test_multisets_are_merged_before_they_are_added():
    log = EventLog.from_traces([list("xay"), list("yax"), list("xby"), list("ybx")])
    counts = activity_activity(count_windows(log, 3), "multiset").counts.toarray()
    assert counts[0, 0] == counts[0, 1] == 4  # and not 8


@pytest.mark.parametrize(
    ("name", "sequences", "multisets"),
    [
        ("BPIC15_1", (5899, 19906, 32380), (4722, 15540, 26323)),
        ("BPIC15_2", (6042, 20218, 31155), (4806, 15996, 25505)),
        ("BPIC15_4", (4571, 16607, 28216), (3620, 12070, 21252)),
        ("BPIC15_5", (6005, 22183, 34798), (4723, 16584, 27774)),
        ("BPIC20_PermitLog", (710, 3917, 11142), (494, 2641, 7602)),
    ],
)
def test_numbers_of_contexts_of_real_logs(real_log, name, sequences, multisets):
    counts = count_windows(real_log(name), 9)
    for n, sequence, many in zip((3, 5, 9), sequences, multisets, strict=True):
        assert activity_context(counts.marginal(n), "sequence").counts.shape[1] == sequence
        assert activity_context(counts.marginal(n), "multiset").counts.shape[1] == many


@given(logs(), windows)
def test_sums_and_symmetry(log, n):
    counts = count_windows(log, n)
    for context in ("sequence", "multiset"):
        ac = activity_context(counts, context)
        x = ac.counts.toarray()
        b = (x > 0).astype(int)
        aa = activity_activity(counts, context)
        assert x.sum() == log.n_events == ac.total
        assert (x.sum(axis=1) == log.activity_counts).all()
        assert (x.sum(axis=0) == ac.columns).all()
        assert (x.sum(axis=0) > 0).all()
        assert (aa.counts.toarray() == x @ b.T + b @ x.T).all()
        assert (aa.counts.toarray() == aa.counts.toarray().T).all()
        assert (aa.counts.diagonal() == 2 * log.activity_counts).all()
        for matrix in (ac, aa):
            assert (ppmi(*matrix[:4]).toarray() == np.maximum(0, pmi(*matrix[:4]).toarray())).all()


@given(logs(), windows)
def test_neighbours_are_counted_at_each_offset(log, n):
    table = count_windows(log, n)
    matrix = activity_position(table)
    expected = Counter()
    for window, count in zip(table.windows.tolist(), table.counts.tolist(), strict=True):
        for place, symbol in enumerate(window):
            if place != table.left:
                expected[window[table.left], symbol, place - table.left] += count
    found = matrix.counts.tocoo()
    columns = [matrix.contexts.column(column) for column in range(len(matrix.contexts))]
    cells = zip(found.row.tolist(), found.col.tolist(), found.data.tolist(), strict=True)
    assert {(row, columns[column][0][0], columns[column][1]): count for row, column, count in cells} == expected
    assert matrix.columns.tolist() == matrix.counts.toarray().sum(axis=0).tolist()
    assert matrix.total == log.n_events


@given(logs(), windows)
def test_the_cells_of_an_activity_activity_matrix_are_estimated_and_never_too_low(log, window):
    table = count_windows(log, window)
    seen = activity_context(table, "sequence").counts
    assert activity_activity(table, "sequence").counts.nnz <= matrices._most_cells(seen) <= len(log.activities) ** 2


def test_an_activity_activity_matrix_that_does_not_fit_is_refused_before_it_is_computed(monkeypatch):
    monkeypatch.setattr(matrices, "_BYTES_OF_CELL", 10**9)
    monkeypatch.setenv("ACTALIKE_MEMORY", "1GB")
    with pytest.raises(ActalikeError, match="allowed"):
        embed(L1, "aa-sequence-pmi-w3")
