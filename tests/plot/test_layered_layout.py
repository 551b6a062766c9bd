"""Graphs in layers."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from actalike.plot.layered_layout import crossings, layered, spread


@st.composite
def graphs(draw):
    n = draw(st.integers(2, 12))
    arrows = draw(st.lists(st.tuples(st.integers(0, n - 1), st.integers(0, n - 1)), max_size=25, unique=True))
    return [draw(st.floats(0.5, 2)) for _ in range(n)], arrows, draw(st.permutations(range(n)))


@given(graphs())
def test_layers_have_the_first_on_top_and_the_last_at_the_bottom_and_no_boxes_overlap(graph):
    widths, arrows, order = graph
    places, _ = layered(widths, arrows, order, gap=0.3)
    rows = {}
    for node, (x, layer) in enumerate(places):
        rows.setdefault(layer, []).append((x, widths[node]))
    assert places[order[0]][1] == 0
    assert len(rows[0]) == 1
    assert places[order[-1]][1] == max(rows)
    assert len(rows[max(rows)]) == 1
    assert sorted(rows) == list(range(len(rows)))
    for row in rows.values():
        for (x, width), (other, wide) in pairwise(sorted(row)):
            assert other - x >= (width + wide) / 2 + 0.3 - 1e-5


@given(graphs())
def test_routes_lead_from_node_to_node_layer_by_layer_and_never_through_a_box(graph):
    widths, arrows, order = graph
    places, routes = layered(widths, arrows, order)
    for (a, b), route in zip(arrows, routes, strict=True):
        if a == b:
            assert not route
            continue
        assert route[0] == places[a]
        assert route[-1] == places[b]
        assert {abs(one - other) for (_, one), (_, other) in pairwise(route)} == {1}
        for x, layer in route[1:-1]:
            for node, (middle, own) in enumerate(places):
                assert own != layer or abs(x - middle) > widths[node] / 2


@given(graphs())
def test_arrows_that_come_first_run_downwards(graph):
    widths, arrows, order = graph
    places, _ = layered(widths, arrows, order)
    if arrows and arrows[0][0] != arrows[0][1] and order[0] != arrows[0][1] and order[-1] != arrows[0][0]:
        (a, b), *_ = arrows
        assert places[a][1] < places[b][1]


@given(graphs())
def test_arrows_without_a_circle_all_run_downwards(graph):
    widths, arrows, order = graph
    rank = {node: i for i, node in enumerate(order)}
    down = [(a, b) for a, b in arrows if rank[a] < rank[b]]
    places, _ = layered(widths, down, order)
    assert all(places[a][1] < places[b][1] for a, b in down)


def test_layers_are_ordered_so_that_arrows_do_not_cross_where_they_need_not():
    """Two chains side by side, named so that the order of the names would cross them."""
    arrows = [(0, 1), (0, 2), (1, 4), (2, 3), (4, 6), (3, 5), (5, 7), (6, 7)]
    places, _ = layered([1] * 8, arrows, list(range(8)))
    rows = [
        [node for node, (_, own) in sorted(enumerate(places), key=lambda item: item[1]) if own == layer] for layer in range(5)
    ]
    assert crossings(rows, arrows) == 0
    assert crossings([[0], [1, 2], [3, 4], [5, 6], [7]], arrows) == 1


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=8), st.data())
def test_spreading_keeps_the_distances_and_is_the_nearest_to_the_wishes(wishes, data):
    needs = data.draw(st.lists(st.floats(0.1, 3), min_size=len(wishes) - 1, max_size=len(wishes) - 1))
    weights = data.draw(st.lists(st.floats(0.5, 3), min_size=len(wishes), max_size=len(wishes)))
    found = spread(wishes, needs, weights)

    def cost(places):
        return sum(weight * (place - wish) ** 2 for place, wish, weight in zip(places, wishes, weights, strict=True))

    assert all(b - a >= need - 1e-9 for (a, b), need in zip(pairwise(found), needs, strict=True))
    rng = np.random.default_rng(0)
    for _ in range(20):  # no other allowed places are nearer
        step = np.sort(rng.normal(size=len(found))) * rng.uniform(0, 2)
        assert cost(found) <= cost([place + more for place, more in zip(found, step, strict=True)]) + 1e-6
