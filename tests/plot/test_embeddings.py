"""Pictures of embeddings: maps, dots, heat maps, and labels that cover nothing."""

import itertools
import sys
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.text import Text
from scipy.sparse import csr_array

from actalike import ActalikeError, Embedding, EventLog, MissingExtraError, UnknownActivityError, embed, group, plot
from actalike.demo.loan_desk import loan_desk
from actalike.plot.embeddings import activity_map, leaf_order, place_labels, principal_components, scaled, settle, t_sne
from actalike.plot.neighbour_layout import neighbour_layout
from actalike.support.figures import new_figure
from tests.helpers.strategies import logs


def test_dots_lie_at_the_places_and_groups_share_a_colour():
    log = loan_desk(200)
    embedding = embed(log)
    axes = activity_map(embedding, log).axes[0]
    dots = axes.collections[0]
    np.testing.assert_allclose(dots.get_offsets(), neighbour_layout(embedding.distances()))
    sizes = dots.get_sizes()
    assert (np.diff(sizes[np.argsort(log.activity_counts)]) >= 0).all()
    colour = dict(zip(log.activities, (tuple(colour[:3]) for colour in dots.get_facecolors()), strict=True))
    groups = [proposal for proposal in group(log) if proposal.relation in ("synonyms", "alternatives")]
    assert groups
    for proposal in groups:
        assert len({colour[label] for label in proposal.activities}) == 1
    assert len({colour[proposal.activities[0]] for proposal in groups}) == min(len(groups), 10)
    in_none = {colour[label] for label in set(log.activities).difference(*(proposal.activities for proposal in groups))}
    assert len(in_none) == 1  # grey
    assert not in_none & {colour[proposal.activities[0]] for proposal in groups}
    assert {text.get_text() for text in axes.texts} <= set(log.activities)


def test_activities_in_few_cases_are_faint():
    log = EventLog.from_traces([list("abc")] * 30 + [["r"]])
    opacities = activity_map(embed(log), log).axes[0].collections[0].get_facecolors()[:, 3]
    assert (opacities < 0.5).tolist() == [label == "r" for label in log.activities]


def test_arrows_are_the_most_frequent_pairs_of_different_activities():
    log = EventLog.from_traces([list("abc")] * 5 + [list("aab")] * 3 + [["c", "a"]])
    embedding = Embedding(["a", "b", "c"], np.array([[1.0, 0], [0, 1], [1, 1]]))
    axes = activity_map(embedding, log, arrows=2).axes[0]
    places = neighbour_layout(embedding.distances())
    arrows = [text for text in axes.texts if not text.get_text()]
    drawn = [(tuple(arrow.xyann), tuple(arrow.xy)) for arrow in arrows]
    assert drawn == [(tuple(places[0]), tuple(places[1])), (tuple(places[1]), tuple(places[2]))]


def test_arrows_without_the_log_and_logs_of_others_are_refused():
    log = loan_desk(10)
    with pytest.raises(ActalikeError, match="need the log"):
        activity_map(embed(log), arrows=3)
    with pytest.raises(ActalikeError, match="other activities"):
        activity_map(embed(log), EventLog.from_traces([["a"]]))


def test_labels_that_find_no_place_are_counted():
    figure = activity_map(Embedding([f"activity {i}" for i in range(400)], np.eye(400)))
    shown = len(figure.axes[0].texts)
    assert f"{400 - shown} more activities" in figure.axes[0].get_xlabel()


def naive_pca(vectors, dimensions):
    """By the singular value decomposition of the centred vectors."""
    centred = vectors - vectors.mean(axis=0)
    u, sigma, _ = np.linalg.svd(centred, full_matrices=False)
    return u[:, :dimensions] * sigma[:dimensions], sigma**2 / (sigma**2).sum()


@given(st.integers(4, 12), st.integers(3, 8), st.integers(0, 1000), st.booleans())
def test_components_are_those_of_the_centred_vectors_up_to_sign(n, d, seed, sparse):
    vectors = np.random.default_rng(seed).normal(size=(n, d)) * np.arange(1, d + 1)
    found = principal_components(Embedding([str(i) for i in range(n)], csr_array(vectors) if sparse else vectors), 3)
    places, shares = naive_pca(vectors, 3)
    for k in range(3):
        sign = np.sign(places[np.abs(places[:, k]).argmax(), k])
        np.testing.assert_allclose(found.places[:, k], sign * places[:, k], atol=1e-8)
        assert found.places[np.abs(found.places[:, k]).argmax(), k] > 0
    np.testing.assert_allclose(found.shares, shares[:3], atol=1e-9)


def test_few_vectors_and_equal_ones_have_components_of_zero():
    for vectors in (np.ones((1, 4)), np.ones((5, 2)), np.zeros((2, 3))):
        found = principal_components(Embedding([str(i) for i in range(len(vectors))], vectors), 3)
        np.testing.assert_allclose(found.places, 0, atol=1e-9)
        assert found.shares == (0, 0, 0)


def dots(axes):
    return axes.collections[0]


def test_each_embedding_has_a_panel_with_a_dot_for_each_activity():
    log = loan_desk(60)
    embeddings = {
        "kin": embed(log),
        "aa": embed(log, "aa-sequence-pmi-w3"),
        "none": embed(log, "one-hot"),
        "kin again": embed(log),
    }
    figure = plot.embedding(embeddings)
    assert [axes.get_title() for axes in figure.axes] == list(embeddings)
    for axes, embedding in zip(figure.axes, embeddings.values(), strict=True):
        offsets = np.asarray(dots(axes).get_offsets())
        expected = principal_components(embedding, 2).places
        np.testing.assert_allclose(offsets, expected / np.abs(expected).max())
        assert axes.get_xlim() == figure.axes[0].get_xlim()
        assert axes.get_ylim() == figure.axes[0].get_ylim()
        assert "% of the variance" in axes.get_xlabel()
        assert {text.get_text() for text in axes.texts} <= set(log.activities)


def test_groups_have_colours_and_a_legend_and_the_others_are_grey():
    log = loan_desk(60)
    groups = {"Pay out": "money", "Transfer loan": "money", "Write note": "notes"}
    figure = plot.embedding(embed(log), groups=groups)
    colours = dict(zip(log.activities, map(tuple, dots(figure.axes[0]).get_facecolors()), strict=True))
    assert colours["Pay out"] == colours["Transfer loan"] != colours["Write note"]
    grey = {colours[label] for label in log.activities if label not in groups}
    assert len(grey) == 1
    assert not grey & {colours[label] for label in groups}
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["money", "notes"]
    with pytest.raises(UnknownActivityError, match="mean 'Pay out'"):
        plot.embedding(embed(log), groups={"Pay ot": "money"})


@pytest.mark.parametrize("length", [1, 20, 38])
def test_a_legend_is_not_wider_than_the_figure(length):
    log = loan_desk(60)
    figure = plot.embedding(embed(log), groups={label: chr(65 + i) * length for i, label in enumerate(log.activities[:6])})
    box = figure.legends[0].get_window_extent()
    assert box.x0 >= 0
    assert box.x1 <= figure.bbox.x1


def test_in_three_dimensions_every_dot_has_a_line_to_the_floor_and_the_view_is_fixed():
    log = loan_desk(60)
    (axes,) = plot.embedding(embed(log), 3).axes
    assert (axes.elev, axes.azim) == (15, 45)
    n = len(log.activities)
    lines = [line.get_data_3d() for line in axes.lines]
    assert len(lines) == n
    floors = {z[0] for _, _, z in lines}
    assert len(floors) == 1
    x, y, z = dots(axes)._offsets3d
    for (line_x, line_y, line_z), *dot in zip(lines, x, y, z, strict=True):
        assert (line_x[0], line_x[1], line_y[0], line_y[1], line_z[1]) == pytest.approx((dot[0], dot[0], dot[1], dot[1], dot[2]))


def test_t_sne_puts_clusters_apart_and_is_the_same_every_time():
    vectors = np.repeat(np.eye(3), 10, axis=0) * 10 + np.random.default_rng(0).normal(size=(30, 3)) * 0.01
    embedding = Embedding([f"{i:02}" for i in range(30)], vectors)
    places = t_sne(embedding, 2).places
    np.testing.assert_array_equal(places, t_sne(embedding, 2).places)
    cluster = np.arange(30) // 10
    gaps = np.sqrt(((places[:, np.newaxis] - places) ** 2).sum(axis=2))
    np.fill_diagonal(gaps, np.inf)
    assert (cluster[gaps.argmin(axis=1)] == cluster).mean() >= 0.9  # which one strays depends on the kernels of BLAS
    figure = plot.embedding(embedding, projection="tsne")
    assert figure.axes[0].get_xlabel() == "t-SNE 1"


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_t_sne_takes_few_activities(n):
    assert np.isfinite(t_sne(Embedding([str(i) for i in range(n)], np.eye(n)), 2).places).all()


def test_without_scikit_learn_t_sne_names_the_extra(monkeypatch):
    for name in [name for name in sys.modules if name.partition(".")[0] == "sklearn"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(MissingExtraError, match="t-SNE"):
        plot.embedding(embed(loan_desk(20)), projection="tsne")
    plot.embedding(embed(loan_desk(20)))


def test_what_cannot_be_drawn_is_refused():
    with pytest.raises(ActalikeError, match="2 or 3"):
        plot.embedding(embed(loan_desk(5)), dimensions=4)
    with pytest.raises(ActalikeError, match="tsne"):
        plot.embedding(embed(loan_desk(5)), projection="umap")


@given(logs())
def test_the_order_of_the_leaves_has_every_activity_once(log):
    order = leaf_order(embed(log).distances())
    assert sorted(order.tolist()) == list(range(len(log.activities)))


def test_alike_activities_are_neighbours():
    rng = np.random.default_rng(0)
    cluster = rng.permutation(np.arange(12) % 3)
    vectors = np.eye(3)[cluster] + rng.normal(size=(12, 3)) * 0.01
    order = leaf_order(Embedding([str(i) for i in range(12)], vectors).distances())
    assert (np.diff(cluster[order]) != 0).sum() == 2


def test_similarities_are_shown_in_the_order_of_the_labels_beside_them():
    embedding = embed(loan_desk(60))
    axes = plot.heat_map(embedding).axes[0]
    labels = [label.get_text() for label in axes.get_yticklabels()]
    assert sorted(labels) == embedding.activities
    values = np.asarray(axes.images[0].get_array())
    for i, a in enumerate(labels):
        for j, b in enumerate(labels):
            assert values[i, j] == pytest.approx(embedding.similarity(a, b))


def test_vectors_are_rows_and_colours_are_symmetric_around_zero():
    embedding = embed(loan_desk(60), "aa-sequence-pmi-w3")
    axes = plot.heat_map(embedding, of="vectors").axes[0]
    rows = [embedding.activities.index(label.get_text()) for label in axes.get_yticklabels()]
    vectors = embedding.vectors
    picture = axes.images[0]
    np.testing.assert_allclose(picture.get_array(), vectors[rows])
    low, high = picture.get_clim()
    assert -low == high == np.abs(vectors).max()
    assert picture.get_cmap().name == "RdBu_r"
    assert not axes.get_xticks().size


def test_of_many_dimensions_those_with_the_largest_values_are_shown():
    vectors = np.zeros((3, 1000))
    vectors[:, 1::2] = np.arange(1, 501)
    axes = plot.heat_map(Embedding(["a", "b", "c"], vectors), of="vectors").axes[0]
    assert axes.images[0].get_array().shape == (3, 400)
    assert axes.images[0].get_array()[0].tolist() == list(range(101, 501))
    assert "400 of 1,000 dimensions" in axes.get_xlabel()


def test_labels_of_400_activities_do_not_run_into_each_other():
    embedding = Embedding([f"activity {i}" for i in range(400)], np.random.default_rng(0).normal(size=(400, 5)))
    for of in ("similarities", "vectors"):
        figure = plot.heat_map(embedding, of=of)
        figure.draw_without_rendering()
        boxes = sorted((label.get_window_extent() for label in figure.axes[0].get_yticklabels()), key=lambda box: box.y0)
        assert 60 < len(boxes) < 400
        assert all(below.y1 <= above.y0 + 1 for below, above in itertools.pairwise(boxes))


def test_what_cannot_be_shown_is_refused():
    with pytest.raises(ActalikeError, match="none of"):
        plot.heat_map(embed(loan_desk(5)), of="distances")


@given(logs(), st.sampled_from(["kin-w3", "substitution-w3", "one-hot"]))
def test_scaled_distances_run_from_0_to_1_in_the_same_order(log, method):
    distances = embed(log, method).distances()
    found = scaled(distances)
    assert (np.diag(found) == 0).all()
    assert found.min() >= 0
    assert found.max() <= 1
    off = ~np.eye(len(found), dtype=bool)
    order = np.argsort(distances[off], kind="stable")
    assert (np.diff(found[off][order]) >= -1e-12).all()


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
