"""Tables mark the best, and tell what does not compare."""

import polars as pl

from actalike.benchmark import tables
from actalike.benchmark.tasks.intrinsic import METRICS


def means(**columns):
    ends = {f"{m}{end}": columns[m] for m in ("I_comp", "I_nn", "I_prec", "I_tri") for end in ("_low", "_high")}
    return pl.DataFrame({**columns, **ends})


def test_the_best_three_are_marked_and_equal_values_share_a_place():
    figures = [0.1, 0.9, 0.5, 0.9, 0.3]
    table = means(method=list("abcde"), logs=[4] * 5, I_comp=figures, I_nn=figures, I_prec=figures, I_tri=figures)
    lines = tables.method_table(table, "md", METRICS).splitlines()[2:]
    assert [line.count("¹") for line in lines] == [0, 4, 0, 4, 0]
    assert [line.count("³") for line in lines] == [0, 0, 4, 0, 0]


def test_a_method_with_fewer_logs_has_no_place_among_the_best():
    figures = [0.99, 0.5]
    table = means(method=["lucky", "sound"], logs=[1, 2], I_comp=figures, I_nn=figures, I_prec=figures, I_tri=figures)
    text = tables.method_table(table, "md", METRICS)
    assert "0.990†" in text
    assert "**0.500**¹" in text
    assert "† On fewer logs than the 2 of the others: lucky 1." in text


def test_latex_has_no_bare_bars():
    figures = [0.99, 0.5]
    table = means(method=["m-w3", "m-w5"], logs=[2, 2], I_comp=figures, I_nn=figures, I_prec=figures, I_tri=figures)
    text = tables.method_table(table, "latex", METRICS)
    assert text.count("|") == text.count("$|$") == 5


def test_windows_stand_side_by_side_but_not_spans_and_refinements():
    names = ["kin-w9", "kin-w11", "kin-w3", "act2vec-cbow-span3", "kin-w3+svd8", "one-hot", "mine w/o luck"]
    found = [(title, part["method"].to_list()) for title, part in tables.by_stem(pl.DataFrame({"method": names}))]
    assert found == [
        ("act2vec-cbow-span3", ["act2vec-cbow-span3"]),
        ("kin w 3 | 9 | 11", ["kin-w3", "kin-w9", "kin-w11"]),
        ("kin-w3+svd8", ["kin-w3+svd8"]),
        ("mine w/o luck", ["mine w/o luck"]),
        ("one-hot", ["one-hot"]),
    ]
