"""The directly-follows graph: which part of it is drawn, its layers, and the picture."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog, count_windows, plot
from actalike.counting import directly_follows
from actalike.demo.loan_desk import loan_desk
from actalike.plot.process_graph import crossings, expected_progress, frequent_part, layered, spread
from tests.helpers.examples import examples
from tests.helpers.strategies import logs


@examples(10)
@given(logs())
def test_the_picture_has_a_box_for_each_activity_and_an_arrow_for_each_pair(log):
    axes = plot.directly_follows(log, top=4).axes[0]
    kinds = [type(patch).__name__ for patch in axes.patches]
    shown = min(4, len(log.activities))
    assert kinds.count("FancyBboxPatch") == shown
    part = frequent_part(directly_follows(log), log.activity_counts.tolist(), 4, 8)
    assert kinds.count("FancyArrowPatch") == len(part.arrows)
    assert f"{shown} of {len(log.activities)} activities" in axes.texts[-1].get_text()


def test_boxes_do_not_overlap_and_texts_fit_into_them():
    figure = plot.directly_follows(loan_desk(), top=28, arrows=60)
    figure.draw_without_rendering()
    axes = figure.axes[0]
    boxes = [patch.get_window_extent() for patch in axes.patches if type(patch).__name__ == "FancyBboxPatch"]
    for a, b in combinations(boxes, 2):
        assert not a.overlaps(b)
    labels = [text for text in axes.texts if any(letter.isalpha() for letter in text.get_text())][:-1]
    inside = 0
    for text in labels:
        extent = text.get_window_extent()
        inside += any(
            box.x0 <= extent.x0 and extent.x1 <= box.x1 and box.y0 <= extent.y0 and extent.y1 <= box.y1 for box in boxes
        )
    assert inside == 28


def test_a_table_of_windows_gives_the_same_picture_and_nonsense_is_refused(tmp_path):
    log = loan_desk(50)
    plot.directly_follows(log, path=tmp_path / "log.svg")
    plot.directly_follows(count_windows(log, 5), path=tmp_path / "counts.svg")
    assert (tmp_path / "log.svg").read_bytes() == (tmp_path / "counts.svg").read_bytes()
    for wrong in ({"top": 0}, {"arrows": -1}):
        with pytest.raises(ActalikeError, match="one activity or more"):
            plot.directly_follows(log, **wrong)
    assert not [
        patch for patch in plot.directly_follows(log, arrows=0).axes[0].patches if type(patch).__name__ == "FancyArrowPatch"
    ]


def test_a_hundred_activities_can_be_asked_for():
    labels = [f"step {i}" for i in range(120)]
    rng = np.random.default_rng(0)
    log = EventLog.from_traces([rng.choice(labels, 20).tolist() for _ in range(200)])
    axes = plot.directly_follows(log, top=100).axes[0]
    assert sum(type(patch).__name__ == "FancyBboxPatch" for patch in axes.patches) == 100


@given(logs())
def test_expected_progress_is_that_of_walks_along_the_arrows(log):
    graph = directly_follows(log)
    found = expected_progress(graph)
    n = len(graph.activities)
    until, since = np.zeros(n), np.zeros(n)
    follows = np.zeros((n, n))
    follows[graph.first, graph.second] = graph.counts
    events = follows.sum(axis=1) + graph.ends
    for _ in range(3000):  # the equations, again and again
        until = 1 + (follows / events[:, np.newaxis]) @ until
        since = 1 + (follows / events).T @ since
    np.testing.assert_allclose(found, since / (since + until), atol=1e-3)


@given(logs(), st.integers(1, 6), st.integers(0, 20))
def test_the_frequent_part_has_the_most_frequent_activities_and_true_counts(log, top, most):
    graph = directly_follows(log)
    counts = log.activity_counts.tolist()
    part = frequent_part(graph, counts, top, most)
    kept = part.names[:-2]
    assert len(kept) == min(top, len(counts))
    assert min(part.counts[:-2]) >= max(
        [n for n, label in zip(counts, log.activities, strict=True) if label not in kept], default=0
    )
    true = {(a, b): n for a, b, n in graph.pairs()}
    for a, b, times in part.arrows:
        if a == len(kept):
            assert times == graph.starts[log.activities.index(kept[b])]
        elif b == len(kept) + 1:
            assert times == graph.ends[log.activities.index(kept[a])]
        else:
            assert times == true[kept[a], kept[b]]
    assert len(part.arrows) <= max(most, 2 * len(kept))
    assert sorted(part.order) == list(range(len(part.names)))


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
