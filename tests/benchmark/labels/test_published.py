import pytest

from actalike.benchmark.labels.published import PUBLISHED_F, SETTINGS, published_f
from actalike.benchmark.tasks.planted_labels import recipe


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_published_setting_is_a_recipe(setting):
    assert recipe(f"swiftmend-{setting}").share_of_labels
    assert set(published_f(setting)) == set(PUBLISHED_F)
    assert all(len(values) == len(SETTINGS) for values in PUBLISHED_F.values())
