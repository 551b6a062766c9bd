import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from actalike import ActalikeError, Embedding, EventLog, embed, group
from actalike.demo.loan_desk import loan_desk
from actalike.plot.maps import activity_map, positions, scaled
from tests.helpers.strategies import logs


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


def test_activities_that_are_like_no_other_do_not_lie_together():
    places = positions(1.0 - np.eye(30))
    assert pdist(places).min() > 0.1


def stress(places, distances):
    """The sum over pairs of squared differences between the places' distances and the given ones."""
    return sum((np.hypot(*(places[i] - places[j])) - distances[i, j]) ** 2 for i in range(len(places)) for j in range(i))


@given(st.integers(3, 12), st.integers(0, 1000))
def test_no_small_step_lowers_the_stress_of_the_places(n, seed):
    rng = np.random.default_rng(seed)
    distances = squareform(rng.uniform(0.2, 1, n * (n - 1) // 2))
    places = positions(distances, rounds=3000)
    least = stress(places, distances)
    classical = positions(distances, rounds=0)
    assert least <= stress(classical, distances) + 1e-9
    for _ in range(20):
        assert least <= stress(places + rng.normal(size=places.shape) * 1e-3, distances) + 1e-4


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


def test_dots_lie_at_the_places_and_groups_share_a_colour():
    log = loan_desk(200)
    embedding = embed(log)
    axes = activity_map(embedding, log).axes[0]
    dots = axes.collections[0]
    distances = scaled(embedding.distances())
    np.testing.assert_allclose(dots.get_offsets(), positions(distances))
    sizes = dots.get_sizes()
    assert (np.diff(sizes[np.argsort(log.activity_counts)]) >= 0).all()
    colour = dict(zip(log.activities, (tuple(colour) for colour in dots.get_facecolors()), strict=True))
    groups = [proposal for proposal in group(log) if proposal.relation in ("synonyms", "alternatives")]
    assert groups
    for proposal in groups:
        assert len({colour[label] for label in proposal.activities}) == 1
    assert len({colour[proposal.activities[0]] for proposal in groups}) == min(len(groups), 10)
    in_none = {colour[label] for label in set(log.activities).difference(*(proposal.activities for proposal in groups))}
    assert len(in_none) == 1  # grey
    assert not in_none & {colour[proposal.activities[0]] for proposal in groups}
    assert {text.get_text() for text in axes.texts} <= set(log.activities)


def test_arrows_are_the_most_frequent_pairs_of_different_activities():
    log = EventLog.from_traces([list("abc")] * 5 + [list("aab")] * 3 + [["c", "a"]])
    embedding = Embedding(["a", "b", "c"], np.array([[1.0, 0], [0, 1], [1, 1]]))
    axes = activity_map(embedding, log, arrows=2).axes[0]
    places = positions(scaled(embedding.distances()))
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
