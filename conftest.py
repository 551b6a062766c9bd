"""For all tests and doctests: methods that a test registers are gone after it."""

from collections.abc import Iterator

import pytest

from actalike.methods import registry


@pytest.fixture(autouse=True)
def _registry_as_before() -> Iterator[None]:
    before = dict(registry._REGISTRY)
    yield
    registry._REGISTRY.clear()
    registry._REGISTRY.update(before)
