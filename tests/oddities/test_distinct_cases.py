"""Test the layout of variants."""

from hypothesis import given

from actalike.oddities.distinct_cases import MARGIN, DistinctCases
from tests.helpers.naive_oddities import cases_of
from tests.helpers.strategies import logs_with_equal_cases


@given(logs_with_equal_cases(max_attributes=0))
def test_each_variant_stands_once_between_starts_and_ends(log):
    cases, traces = DistinctCases(log), cases_of(log)
    variants = [traces[cases.variant_of_case.tolist().index(variant)] for variant in range(len(cases.weights))]
    assert sorted(variants) == sorted(map(list, {tuple(trace) for trace in traces}))
    assert [variants[variant] for variant in cases.variant_of_case] == traces
    assert cases.weights.tolist() == [traces.count(variant) for variant in variants]
    assert cases.n_cases == log.n_cases
    laid_out = [symbol for one in variants for symbol in [cases.start] * MARGIN + one + [cases.end] * MARGIN]
    assert cases.symbols.tolist() == laid_out
    assert cases.symbols[cases.places].tolist() == [symbol for one in variants for symbol in one]
    assert (cases.symbols[cases.ends] == cases.end).all()
    assert (cases.symbols[cases.first - 1] == cases.start).all()
    assert cases.offsets.tolist() == [sum(map(len, variants[:i])) for i in range(len(variants) + 1)]
    assert cases.position.tolist() == [i for one in variants for i in range(len(one))]
