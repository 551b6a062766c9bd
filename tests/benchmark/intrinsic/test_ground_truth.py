from collections import Counter
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from actalike import ActalikeError, EventLog
from actalike.benchmark.tasks.intrinsic import make_log, make_recipes
from actalike.demo.loan_desk import loan_desk
from tests.helpers import naive_benchmark as naive
from tests.helpers.strategies import traces

plain_labels = st.sampled_from("abcde")


@st.composite
def cells(draw):
    log = EventLog.from_traces(draw(traces(plain_labels)))
    return log, draw(st.integers(1, len(log.activities))), draw(st.integers(2, 5)), draw(st.integers(0, 5))


def undo(log):
    return [[label.partition(":")[0] for label in trace] for trace in log.traces()]


@given(cells())
def test_round_robin_is_the_authors(cell):
    log, r, w, seed = cell
    for recipe in make_recipes(log, r, w, 5, seed, "authors"):
        assert make_log(log, recipe).log.traces() == naive.round_robin(log.traces(), recipe.chosen, w)


@given(cells())
def test_random_draws_are_balanced_and_one_a_case(cell):
    log, r, w, seed = cell
    for recipe in make_recipes(log, r, w, 5, seed, "paper"):
        made, classes = make_log(log, recipe)
        assert undo(made) == log.traces()
        for activity in recipe.chosen:
            drawn = [{label for label in trace if label.startswith(f"{activity}:")} for trace in made.traces()]
            assert all(len(labels) <= 1 for labels in drawn)
            used = Counter(label for labels in drawn for label in labels)
            assert max(used.values()) - min((used[f"{activity}:{k}"] for k in range(w)), default=0) <= 1
        of = dict(zip(made.activities, classes.tolist(), strict=True))
        assert {a: c for a, c in of.items() if c >= 0} == {
            a: recipe.chosen.index(a.partition(":")[0]) for a in made.activities if ":" in a
        }


def test_random_draws_are_random_and_use_the_pool_up_before_it_is_refilled():
    log = EventLog.from_traces([["a"]] * 3 * 600)
    (recipe,) = make_recipes(log, 1, 3, 1, 0, "paper")
    drawn = [trace[0] for trace in make_log(log, recipe).log.traces()]
    rounds = Counter(tuple(drawn[i : i + 3]) for i in range(0, len(drawn), 3))
    assert all(len(set(pool)) == 3 for pool in rounds)
    assert len(rounds) == 6
    assert max(abs(n - 100) for n in rounds.values()) < 40  # four deviations


@given(cells())
def test_subsets_are_distinct_and_as_many_as_there_are(cell):
    log, r, w, seed = cell
    recipes = make_recipes(log, r, w, 5, seed, "paper")
    assert len({recipe.chosen for recipe in recipes}) == len(recipes) == min(5, comb(len(log.activities), r))
    assert all(len(set(recipe.chosen)) == r and set(recipe.chosen) <= set(log.activities) for recipe in recipes)


def test_the_same_recipe_gives_the_same_log_and_another_seed_another():
    log = loan_desk(100)
    first, again, other = (make_log(log, make_recipes(log, 3, 3, 1, seed, "paper")[0]).log for seed in (1, 1, 2))
    assert first == again
    assert first != other


def test_recipes_stay_as_they_are_from_version_to_version():
    """Published results name their seeds; this must never change."""
    log = EventLog.from_traces([list("abcde"), list("aabbc"), list("edcba")])
    assert [recipe.chosen for recipe in make_recipes(log, 2, 2, 3, 0, "paper")] == [("c", "e"), ("b", "d"), ("b", "c")]


def test_labels_that_look_like_replacements_are_kept_apart():
    log = EventLog.from_traces([["a", "a:0", "a::0", "b"], ["a"]])
    recipe = next(r for r in make_recipes(log, 1, 2, 9, 0, "authors") if r.chosen == ("a",))
    made, classes = make_log(log, recipe)
    assert len(made.activities) == 5
    assert (classes >= 0).sum() == 2
    assert made.traces()[0][1:] == ["a:0", "a::0", "b"]


def test_impossible_cells_are_errors():
    log = EventLog.from_traces([["a", "b"]])
    with pytest.raises(ActalikeError, match="chosen"):
        make_recipes(log, 3, 2, 1, 0, "paper")
    with pytest.raises(ActalikeError, match="2 or more"):
        make_recipes(log, 1, 1, 1, 0, "paper")
