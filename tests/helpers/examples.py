"""How many examples a property is checked with: few in ``make test``, many in the nightly ``make test-long``."""

import os
from typing import Any

from hypothesis import settings

LONG = "ACTALIKE_LONG" in os.environ

settings.register_profile("quick", deadline=None, print_blob=True, max_examples=20)
settings.register_profile("long", deadline=None, print_blob=True, max_examples=300)


def real_logs(*names: str, long: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Return the names of the real logs to test with; those that take long only in the long run."""
    return (*names, *long) if LONG else names


def load_profile() -> None:
    settings.load_profile("long" if LONG else "quick")


def examples(usual: int, **options: Any) -> settings:
    """Check a property with two thirds of so many examples, so that ``make test`` stays short; with ten times as many at night."""
    load_profile()  # the profile that the settings are made from
    return settings(max_examples=10 * usual if LONG else -(-2 * usual // 3), **options)
