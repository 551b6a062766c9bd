"""Events without a value, and events whose order is unknown, are refused in one sentence."""

import pytest

from actalike import LogError
from actalike.counting.engines.columns import EventColumns, check_nothing_missing, refuse_ties

COLUMNS = EventColumns("orders", "order", "step", ("at", "index"))


def test_every_column_with_missing_values_is_named():
    check_nothing_missing(COLUMNS, [0, 0, 0, 0])
    with pytest.raises(LogError, match="order"):
        check_nothing_missing(COLUMNS, [2, 0, 0, 1000])


def test_a_column_with_two_roles_is_named_once():
    assert EventColumns("orders", "order", "step", ("order", "at")).names == ["order", "step", "at"]


def test_ties_are_refused_with_the_remedy_that_there_is():
    with pytest.raises(LogError, match=" and "):
        refuse_ties(COLUMNS, 7, 3, has_rows=False)
    with pytest.raises(LogError, match="ties='row'"):
        refuse_ties(COLUMNS, 7, 3, has_rows=True)
