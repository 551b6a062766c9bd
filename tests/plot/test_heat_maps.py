import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, Embedding, embed, plot
from actalike.demo.loan_desk import loan_desk
from actalike.plot.heat_maps import leaf_order, scaled
from tests.helpers.strategies import logs


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
