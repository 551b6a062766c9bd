from itertools import combinations

import numpy as np
import pytest
from matplotlib.text import Text

from actalike.plot.label_placement import place_labels, settle
from actalike.support.figures import new_figure


def scatter(n, seed, spread=1.0):
    figure = new_figure(7, 5)
    axes = figure.subplots()
    rng = np.random.default_rng(seed)
    places, areas = rng.normal(size=(n, 2)) * spread, rng.uniform(20, 300, n)
    axes.scatter(*places.T, s=areas)
    axes.set_xlim(-3, 3)
    axes.set_ylim(-3, 3)
    settle(figure)
    return figure, axes, places, areas


@pytest.mark.parametrize(("n", "seed"), [(1, 0), (10, 1), (60, 2), (400, 3)])
def test_no_label_covers_another_label_or_a_dot_or_leaves_the_frame(n, seed):
    figure, axes, places, areas = scatter(n, seed)
    left_out = place_labels(axes, [f"label {i}" for i in range(n)], places, areas, ["#777777"] * n)
    figure.draw_without_rendering()
    assert len(axes.texts) + left_out == n
    boxes = [Text.get_window_extent(text) for text in axes.texts]  # without the line to the dot
    for a, b in combinations(boxes, 2):
        assert not (a.x0 + 1 < b.x1 and b.x0 + 1 < a.x1 and a.y0 + 1 < b.y1 and b.y0 + 1 < a.y1)
    pixels, radii = axes.transData.transform(places), np.sqrt(areas) / 2 * figure.dpi / 72
    for box in boxes:
        assert axes.bbox.x0 <= box.x0
        assert box.x1 <= axes.bbox.x1
        nearest = np.clip(pixels, (box.x0, box.y0), (box.x1, box.y1))
        assert (np.sqrt(((nearest - pixels) ** 2).sum(axis=1)) > radii - 2).all()


def test_few_labels_all_find_a_place_and_large_dots_choose_first():
    _, axes, places, areas = scatter(8, 5)
    assert place_labels(axes, [f"label {i}" for i in range(8)], places, areas, ["#777777"] * 8) == 0
    assert [text.get_text() for text in axes.texts] == [f"label {i}" for i in np.argsort(-areas)]


def test_a_label_avoids_a_line_if_there_is_another_place():
    _, axes, _, _ = scatter(1, 0)
    dot = np.zeros((1, 2))
    middle = axes.transData.transform(dot)[0] * 72 / axes.figure.dpi
    right_of_it = np.stack([middle[0] + np.linspace(5, 40, 20), np.full(20, middle[1])], axis=1)
    place_labels(axes, ["label"], dot, np.array([20.0]), ["#777777"], lines=right_of_it)
    assert axes.texts[0].get_ha() == "right"
