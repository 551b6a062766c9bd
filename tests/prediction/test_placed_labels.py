"""Placed labels as a file describes them."""

import msgspec

from actalike.prediction.placed_labels import PlacedLabel, StoredPlacedLabel, described


def test_a_described_label_is_the_label_again():
    label = PlacedLabel("new", 3, None, 0.25, (("a", 0.75), ("b", 0.5)))
    assert described(label)["nearest"] == [{"label": "a", "weight": 0.75}, {"label": "b", "weight": 0.5}]
    assert msgspec.convert(described(label), StoredPlacedLabel).placed_label() == label
