"""How many examples a property is checked with: few in ``make test``, the same in each run; many new ones in the nightly ``make test-long``."""

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

LONG = "ACTALIKE_LONG" in os.environ

settings.register_profile("quick", deadline=None, derandomize=True, max_examples=20)
settings.register_profile("long", deadline=None, print_blob=True, max_examples=300)


def real_logs(*names: str, campaign: Iterable[str] = (), long: tuple[str, ...] = ()) -> list[Any]:
    """Return the names of the real logs to test with; some only in the campaigns, and those that take long in the long run."""
    of_campaigns = [pytest.param(name, marks=pytest.mark.campaign) for name in campaign if name not in names]
    return [*names, *of_campaigns, *(long if LONG else ())]


def load_profile() -> None:
    settings.load_profile("long" if LONG else "quick")


def examples(quick: int, **options: Any) -> settings:
    """Check a property with so many examples, and with ten times as many in the long run."""
    load_profile()  # the profile that the settings are made from
    return settings(max_examples=10 * quick if LONG else quick, **options)
