"""Placed labels as a file describes them."""

from actalike.prediction.placed_labels import PlacedLabel, placed_label


def test_a_described_label_is_the_label_again():
    label = PlacedLabel("new", 3, None, 0.25, (("a", 0.75), ("b", 0.5)))
    described = {**label._asdict(), "nearest": [["a", 0.75], ["b", 0.5]]}
    assert placed_label(described) == label
