"""Test turning values of attributes into symbols, against a definition as loops."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, read_log
from actalike.oddities.attribute_symbols import attribute_symbols
from tests.helpers.examples import examples, real_logs
from tests.helpers.strategies import any_text

texts = st.lists(st.none() | any_text | st.sampled_from(["1", "2.5", "NA", "007"]), max_size=30)
amounts = st.lists(st.none() | st.integers(-300, 3000).map(lambda cents: f"{cents / 100:.2f}"), min_size=25, max_size=150)


def named(symbols):
    """The symbol of each event."""
    return [symbols.names[code] for code in symbols.codes.tolist()]


def naive_bins(values):
    """The bin of each amount, as (smallest, largest), by loops over the events."""
    known = sorted(float(value) for value in values if value is not None)
    times, bins = Counter(known), {}
    for amount in times:
        smaller = sum(other < amount for other in known)
        frequent = 10 * times[amount] >= len(known)
        apart = sum(10 * times[other] >= len(known) for other in times if other < amount)  # frequent amounts below it
        bins[amount] = (10 * smaller // len(known), apart, frequent)
    groups = {}
    for amount in sorted(times):
        groups.setdefault(bins[amount], []).append(amount)
    return [None if value is None else (groups[bins[float(value)]][0], groups[bins[float(value)]][-1]) for value in values]


def bounds(name):
    if name is None:
        return None
    low, _, high = name.partition(" to ")
    return float(low), float(high or low)


@given(texts)
def test_texts_stay_as_they_are_and_a_missing_value_is_a_symbol(values):
    symbols = attribute_symbols(Attribute.from_texts(values))
    assert named(symbols) == values
    assert len(set(symbols.names)) == len(symbols.names) == len(set(values))


@given(amounts)
@examples(40)
def test_amounts_are_in_the_bins_of_the_definition(values):
    symbols = attribute_symbols(Attribute.from_texts(values))
    different = {float(value) for value in values if value is not None}
    if len(different) <= 20:
        assert named(symbols) == values
    else:
        assert [bounds(name) for name in named(symbols)] == naive_bins(values)
        bins = [bounds(name) for name in symbols.names if name is not None]
        assert all(low <= high < next_low for (low, high), (next_low, _) in pairwise(bins))
        assert {bound for one in bins for bound in one} <= different, "a bound that does not occur"
        assert symbols.informative


def test_evenly_spread_amounts_have_ten_bins_and_uneven_ones_fewer():
    even = [f"{cents}.25" for cents in range(1000)]
    symbols = attribute_symbols(Attribute.from_texts(even))
    assert symbols.names[:2] == ["0.25 to 99.25", "100.25 to 199.25"]
    assert np.bincount(symbols.codes).tolist() == [100] * 10
    mostly_nothing = attribute_symbols(Attribute.from_texts(["0.0"] * 9000 + even))
    assert mostly_nothing.names == ["0.0", "0.25 to 999.25"]


def test_texts_of_the_same_amount_are_one():
    values = [f"{euros}.5" for euros in range(30)] + ["7.50", "7.5", "75e-1"]
    symbols = attribute_symbols(Attribute.from_texts(values))
    assert len({symbols.codes[7], *symbols.codes[-3:].tolist()}) == 1


@pytest.mark.parametrize(
    ("values", "name", "binned"),
    [
        (range(150), "amount paid", True),
        (range(90), "amount", False),  # may be codes
        (range(150), "org:resource", False),
        (range(150), "Customer ID", False),
        (range(150), "invoiceNumber", False),
        (range(1000, 1150), "amount", False),  # as many digits
        ([f"{number:03}" for number in range(150)], "amount", False),  # leading zeros
        ([*range(150), "none"], "amount", False),
        ([*range(150), "nan"], "amount", False),
        ([*range(150), "1e999"], "amount", False),
        ([*range(150), ""], "amount", False),
        ([*range(150), "5\n"], "amount", False),
        ([*range(150), "٣"], "amount", False),
        ([f"{number}.5" for number in range(21)], "org:resource", True),  # no code has decimals
        ([f"{number}.5" for number in range(20)], "amount", False),
    ],
)
def test_numbers_are_amounts_unless_they_may_be_codes(values, name, binned):
    values = [str(value) for value in values] * 3
    symbols = attribute_symbols(Attribute.from_texts(values), name)
    assert (named(symbols) != values) == binned
    assert symbols.informative


@pytest.mark.parametrize(
    ("values", "informative"),
    [
        ([f"event {i}" for i in range(500)], False),
        ([str(i) for i in range(500)], False),
        ([f"event {i // 2}" for i in range(500)], True),
        ([f"event {i}" for i in range(5)] + [None] * 500, False),
        (["same"] * 500, False),
        (["same"] * 500 + [None], True),
        ([None] * 5, False),
        ([], False),
    ],
)
def test_ids_of_events_and_constants_are_not_informative(values, informative):
    assert attribute_symbols(Attribute.from_texts(values)).informative is informative


SYMBOLS_OF_REAL_LOGS = {  # how many there are
    "BPIC20_PrepaidTravelCost": {"org:role": 8, "id": 16_205},  # a few events have the same id
    "BPIC15_5": {"org:resource": 22, "monitoringResource": 16},  # all of them whole numbers
    "RTFM": {"amount": 11, "article": 67, "org:resource": 149},  # ten bins, and events without an amount
}


@pytest.mark.parametrize("name", real_logs("BPIC20_PrepaidTravelCost", long=("BPIC15_5", "RTFM")))
def test_attributes_of_real_logs_are_amounts_codes_or_ids(log_file, name):
    sizes = SYMBOLS_OF_REAL_LOGS[name]
    log = read_log(log_file(name), attributes=list(sizes))
    for attribute, size in sizes.items():
        symbols = attribute_symbols(log.attributes[attribute], attribute)
        assert len(symbols.names) == size
        assert symbols.informative == (attribute != "id")
        assert ("75.11 to 80.0" in symbols.names) == (attribute == "amount")
