import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from matplotlib.image import imread
from scipy.spatial.distance import pdist, squareform
from strategies import logs

from actalike import Embedding, EventLog, embed
from actalike.loan_desk import loan_desk
from actalike.report.activity_map import groups, positions, save_map


@given(st.integers(1, 12), st.integers(0, 1000))
def test_distances_in_the_plane_are_kept(n, seed):
    points = np.random.default_rng(seed).normal(size=(n, 2))
    distances = squareform(pdist(points)) if n > 1 else np.zeros((1, 1))
    places = positions(distances)
    assert places.shape == (n, 2)
    np.testing.assert_allclose(squareform(pdist(places)) if n > 1 else np.zeros((1, 1)), distances, atol=1e-6)


@given(logs())
def test_every_embedding_has_a_map(log):
    distances = embed(log).distances()
    assert np.isfinite(positions(distances)).all()
    group = groups(distances)
    for i in range(len(group)):
        for j in range(len(group)):
            assert group[i] != group[j] or distances[i, j] <= 0.1 * distances.max() + 1e-12


def test_activities_that_are_like_no_other_do_not_lie_together():
    places = positions(1.0 - np.eye(30))
    assert pdist(places).min() > 0.1


def test_the_picture_is_the_same_every_time_and_shows_something(tmp_path):
    log = loan_desk(100)
    for i in (1, 2):
        save_map(embed(log), log.activity_counts, tmp_path / f"{i}.png", "A title")
    assert (tmp_path / "1.png").read_bytes() == (tmp_path / "2.png").read_bytes()
    picture = imread(tmp_path / "1.png")
    assert picture.shape[0] > 500
    assert len(np.unique(picture.reshape(-1, picture.shape[2]), axis=0)) > 50


@pytest.mark.parametrize("labels", [["a"], ["$x$ and $", "", "a\nb"], [f"label number {i}" for i in range(60)]])
def test_odd_labels_and_numbers_of_activities_are_drawn(tmp_path, labels):
    log = EventLog.from_traces([[label] for label in labels])
    save_map(embed(log), log.activity_counts, tmp_path / "map.svg")
    assert (tmp_path / "map.svg").stat().st_size > 1000


def test_equal_distances_are_drawn(tmp_path):
    save_map(Embedding(["a", "b", "c"], np.eye(3)), np.array([1, 2, 3]), tmp_path / "map.png")
    assert (tmp_path / "map.png").exists()
