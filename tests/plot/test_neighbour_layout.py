import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import pdist, squareform

from actalike import embed, same_step
from actalike.demo.loan_desk import loan_desk
from actalike.plot.embeddings import principal_components
from actalike.plot.neighbour_layout import drawn_neighbours, nearest_shares, neighbour_layout
from tests.helpers.examples import examples
from tests.helpers.naive_map import naive_drawn_neighbours
from tests.helpers.strategies import logs


@examples(25)
@given(st.integers(2, 9), st.integers(0, 1000), st.integers(1, 5))
def test_a_map_is_judged_as_the_definition_says(n, seed, nearest):
    rng = np.random.default_rng(seed)
    distances = squareform(rng.integers(0, 4, n * (n - 1) // 2)).astype(float)  # with many ties
    places = rng.integers(0, 3, (n, 2)).astype(float)
    assert drawn_neighbours(distances, places, nearest) == pytest.approx(naive_drawn_neighbours(distances, places, nearest))


@examples(25)
@given(logs())
def test_every_log_has_a_map_inside_its_frame(log):
    distances = embed(log).distances()
    places = neighbour_layout(distances)
    assert places.shape == (len(log.activities), 2)
    assert np.isfinite(places).all()
    assert np.abs(places).max(initial=0) <= 1
    assert np.array_equal(places, neighbour_layout(distances))


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7, 40])
def test_activities_that_are_equally_alike_do_not_lie_upon_each_other(n):
    places = neighbour_layout(1.0 - np.eye(n))
    assert n == 1 or pdist(places).min() > 0.002


def test_only_ranks_count():
    points = np.random.default_rng(5).normal(size=(40, 4))
    distances = squareform(pdist(points))
    places = neighbour_layout(distances)
    assert np.array_equal(places, neighbour_layout(distances**3))
    assert np.abs(neighbour_layout(distances + 1e-13) - places).max() == 0


def test_clusters_lie_apart():
    steps = np.repeat(np.arange(4), 10)
    distances = (steps[:, np.newaxis] != steps) + squareform(np.random.default_rng(0).uniform(0, 0.1, 780))
    places = neighbour_layout(distances)
    gaps = squareform(pdist(places))
    same = steps[:, np.newaxis] == steps
    assert gaps[same].max() < gaps[~same].min()


def test_more_neighbours_are_drawn_than_by_principal_components_on_the_loan_desk():
    log = loan_desk(300)
    embedding = embed(log)
    distances = embedding.distances()
    drawn = drawn_neighbours(distances, neighbour_layout(distances))
    assert drawn > 0.6
    assert drawn > drawn_neighbours(distances, principal_components(embedding, 2).places)


@pytest.mark.parametrize(("name", "least"), [("Helpdesk", 0.6), ("BPIC20_PermitLog", 0.5), ("BPIC15_4", 0.35)])
def test_real_logs_keep_their_nearest_five_on_the_map(name, least, real_log):
    distances = -same_step(real_log(name)).log_odds
    assert drawn_neighbours(distances, neighbour_layout(distances)) >= least


def test_chances_to_be_near_sum_to_the_number_of_neighbours():
    distances = squareform(np.random.default_rng(1).integers(0, 3, 45)).astype(float)
    shares = nearest_shares(distances, 4)
    assert shares.sum(axis=1) == pytest.approx(np.full(10, 4.0))
    assert (np.diag(shares) == 0).all()
