import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array

from actalike import ActalikeError, Embedding, MissingExtraError, UnknownActivityError, embed, plot
from actalike.demo.loan_desk import loan_desk
from actalike.plot.scatter import principal_components, t_sne


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
