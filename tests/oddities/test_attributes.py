"""How surprising values of attributes are: their symbols, and each event literally left out."""

from collections import Counter
from itertools import pairwise
from math import log as ln

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import Attribute, EventLog, odd, read_log
from actalike.oddities.attributes import attribute_model, attribute_symbols
from tests.helpers.examples import examples, real_logs
from tests.helpers.naive_odd_values import surprises
from tests.helpers.naive_oddities import cases_of
from tests.helpers.strategies import any_text, logs_with_equal_cases

texts = st.lists(st.none() | any_text | st.sampled_from(["1", "2.5", "NA", "007"]), max_size=30)
cents = st.integers(-300, 3000) | st.integers(2000, 2200) | st.sampled_from([-900_000, 100_000, 1_000_000, 99_999_900])
amounts = st.lists(st.none() | cents.map(lambda cents: f"{cents / 100:.2f}"), min_size=25, max_size=150)


def named(symbols):
    """The symbol of each event."""
    return [symbols.names[code] for code in symbols.codes.tolist()]


def naive_bins(values):
    """The bin of each amount, as (smallest, largest), by loops over the events."""
    known = sorted(float(value) for value in values if value is not None)
    times, bins = Counter(known), {}
    first, third = (next(one for i, one in enumerate(known, 1) if 4 * i >= quarters * len(known)) for quarters in (1, 3))
    for amount in times:
        smaller = sum(other < amount for other in known)
        frequent = 10 * times[amount] >= len(known)
        apart = sum(10 * times[other] >= len(known) for other in times if other < amount)  # frequent amounts below it
        distance = max(amount - third, first - amount) / (third - first) if third > first else 0
        magnitude = (amount > third, len(str(int(distance)))) if distance > 3 else None
        bins[amount] = (10 * smaller // len(known), apart, frequent, magnitude)
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
        ([f"{number}.5" for number in range(21)], "org:resource", True),  # no code has decimals
        ([f"{number}.5" for number in range(20)], "amount", False),
    ],
)
def test_numbers_are_amounts_unless_they_may_be_codes(values, name, binned):
    values = [str(value) for value in values] * 3
    symbols = attribute_symbols(Attribute.from_texts(values), name)
    assert (named(symbols) != values) == binned
    assert symbols.informative


@pytest.mark.parametrize("text", ["n/a", "nan", "inf", "1e999", "", "5\n", "٣", "007"])
def test_a_few_values_that_are_no_numbers_are_symbols_beside_the_bins(text):
    values = [f"{number}.5" for number in range(1000)] + [text] * 3 + [None]
    symbols = attribute_symbols(Attribute.from_texts(values))
    assert symbols.names[0] == "0.5 to 99.5"
    assert symbols.names[-2:] == [text, None]
    assert named(symbols)[-4:] == [text, text, text, None]
    assert symbols.informative
    often = attribute_symbols(Attribute.from_texts([f"{number % 500}.5" for number in range(1000)] + [text] * 100))
    assert len(often.names) == 501, "a tenth of the values are no numbers"


def test_extreme_amounts_have_bins_of_their_own_and_ordinary_ones_honest_names():
    values = [f"{90 + i / 50:.2f}" for i in range(1000)]
    symbols = attribute_symbols(Attribute.from_texts([*values, "1000000", "2000", "-5.5"]))
    assert symbols.names[0] == "-5.5"
    assert symbols.names[-3:] == ["108.04 to 109.98", "2000", "1000000"]
    assert len(symbols.names) == 13
    widest = attribute_symbols(Attribute.from_texts([*values, "-1.7e308", "1.7e308"]))
    assert (widest.names[0], widest.names[-1]) == ("-1.7e308", "1.7e308")


def test_the_one_extreme_amount_of_a_log_is_odd_and_heavy_tails_hardly_are():
    random = np.random.default_rng(0)
    evenly = [f"{amount:.2f}" for amount in random.uniform(90, 110, 1000)]
    evenly[500] = "1000000"
    (only,) = odd(with_payments(evenly)).most(None)
    assert (only.kind, only.case_number, only.position, only.value) == ("attribute", 500, 2, "1000000")
    for heavy in (random.lognormal(7, 1, 1000), random.lognormal(7, 2, 1000), 100 * random.pareto(1.2, 1000)):
        assert len(odd(with_payments([f"{amount:.2f}" for amount in heavy])).most(None)) <= 1


def with_payments(amounts):
    log = EventLog.from_traces([["Order", "Check", "Pay"]] * len(amounts))
    attribute = Attribute.from_texts([text for amount in amounts for text in (None, None, amount)])
    return EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes={"amount": attribute})


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
    "RTFM": {
        "amount": 14,
        "article": 67,
        "org:resource": 149,
    },  # ten bins, three of extreme amounts, and events without an amount
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


@examples(20)
@given(logs_with_equal_cases())
def test_values_are_as_surprising_as_all_other_events_make_them(log):
    columns = [np.unique(attribute.codes, return_inverse=True)[1] for attribute in log.attributes.values()]
    for number, values in enumerate(columns):
        earlier = columns[:number] + [values] * (number > 0)
        model = attribute_model(log, values, earlier)
        assert model.surprise() == pytest.approx(surprises(cases_of(log), values.tolist(), [one.tolist() for one in earlier]))
        assert sum(model.weights.values()) == pytest.approx(1)
        assert len(model.weights) == 8 + 2 * len(earlier)


def test_a_value_is_as_probable_as_is_counted_by_hand():
    model = attribute_model(EventLog.from_traces([["a"]] * 3), np.array([0, 0, 1]), [])
    share = (0 + 1 / 2) / (2 + 2 / 2)  # of the other two events, none has the value 1
    by_activity = (0 + share) / (2 + 1)  # one value has been seen with the activity, twice
    views = {
        "any value": 1 / 2,
        "share": share,
        "activity": by_activity,
        "activity and previous": (0 + by_activity) / (2 + 1),  # all three events have no previous one
        "activity and next": (0 + by_activity) / (2 + 1),
        "previous": (0 + share) / (2 + 1),
        "next": (0 + share) / (2 + 1),
        "case": (0 + share / 2) / (0 + 1 / 2),
    }
    probability = sum(weight * views[view] for view, weight in model.weights.items())
    assert model.probabilities[2] == pytest.approx(probability)
    assert model.surprise()[2] == pytest.approx(-ln(2 * probability))


def test_the_view_that_decides_an_attribute_counts_most():
    log = EventLog.from_traces([list("abc")] * 200)
    random = np.random.default_rng(0)
    by_activity = log.codes.astype(np.int64)
    by_case = np.repeat(random.integers(0, 5, 200), 3)
    by_other = (by_case * 2 + 1) % 5
    assert leading_view(log, by_activity, []).startswith("activity")
    assert leading_view(log, by_case, []) in {"case", "previous", "next", "activity and previous", "activity and next"}
    assert leading_view(log, by_other, [by_activity, by_case]) in {"attribute 1", "activity and attribute 1"}
    unknown = random.integers(0, 5, 600)
    model = attribute_model(log, unknown, [])
    assert np.abs(model.surprise()).max() < 0.7, "any value is as likely as another, so none is a surprise"


def leading_view(log, values, earlier):
    weights = attribute_model(log, values, earlier).weights
    return max(weights, key=weights.__getitem__)


def test_the_ten_attributes_right_before_an_attribute_count():
    log = EventLog.from_traces([list("abc")] * 20)
    columns = list(np.random.default_rng(0).integers(0, 3, (14, 60)))
    all_before, last_ten = (attribute_model(log, columns[13], columns[start:13]) for start in (0, 3))
    assert all_before.weights == last_ten.weights
    naive = surprises(cases_of(log), columns[13].tolist(), [one.tolist() for one in columns[3:13]])
    assert all_before.surprise() == pytest.approx(naive)
