"""Training a few models at a time: each is what it would be in any company, and what has no part in it does not change."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from actalike.prediction.training import recurrence
from actalike.prediction.training.recurrence import AT_ONCE, NOTHING, SIZE, CpuTraining, Models, chunks, make_groups
from actalike.prediction.training.task import Vectors

V, STEPS, ROWS = 6, 4, 3
PLACES = STEPS * ROWS


def some_models(methods=3, seeds=(0, 1), original=True, dimensions=V):
    """Models of methods whose vectors have no more than two dimensions that are not 0."""
    rng = np.random.default_rng(4)
    tables = rng.normal(size=(methods, V, V)).astype(np.float32)[:, :, :dimensions]
    tables[:, :, 2:] = 0
    vectors = [Vectors(f"m{i}", dimensions, *sparse(table)) for i, table in enumerate(tables)]
    return Models(make_groups(vectors, original, "cpu"), V, seeds, "cpu")


def sparse(table):
    vectors = Vectors.of("some", table)
    return vectors.data, vectors.indices, vectors.indptr


def few(models):
    moments = tuple({name: torch.zeros_like(weight) for name, weight in models.weights.items()} for _ in range(2))
    state = models.state(ROWS)
    return CpuTraining(models, moments, torch.zeros(len(models.names)), state, STEPS), state


def a_piece(seeds=2, empty=0):
    """Ids, targets and keeping; the last places of the rows are empty."""
    randomness = torch.Generator().manual_seed(3)
    ids, targets = torch.randint(0, V, (2, seeds, STEPS, ROWS), generator=randomness)
    targets[:, STEPS - empty :] = NOTHING
    keep = (torch.rand(seeds, STEPS, ROWS, generator=randomness) > 0.3).float()
    return ids, targets, keep


def masks_of(models):
    randomness = torch.Generator().manual_seed(5)
    return {
        (group, seed): (torch.rand(PLACES, models.groups[group].dimensions, generator=randomness) < 0.64).float()
        for group in range(len(models.groups))
        for seed in range(len(models.seeds))
    }


def weights_of(models, number):
    return {name: weight.detach().clone() for name, weight in models.of_model(number)}


@pytest.mark.parametrize("at_once", [1, 3, 8])
def test_a_model_learns_the_same_bits_whatever_is_trained_beside_it(monkeypatch, at_once):
    monkeypatch.setattr(recurrence, "AT_ONCE", at_once)
    together = some_models()
    trained, _ = few(together)
    losses = [trained.learn(range(len(together.names)), *a_piece(), masks_of(together), 0.01) for _ in range(2)]
    validated = trained.summed_losses(range(len(together.names)), *a_piece())
    for number in range(len(together.names)):
        alone = some_models()
        trained, _ = few(alone)
        assert torch.equal(trained.learn([number], *a_piece(), masks_of(alone), 0.01)[number], losses[0][number])
        trained.learn([number], *a_piece(), masks_of(alone), 0.01)
        for name, weight in weights_of(alone, number).items():
            assert torch.equal(weight, weights_of(together, number)[name]), (number, name)
        assert torch.equal(trained.summed_losses([number], *a_piece())[number], validated[number])


def test_only_models_that_learn_change():
    models = some_models()
    before = [weights_of(models, number) for number in range(len(models.names))]
    trained, state = few(models)
    losses = trained.learn([1, 4], *a_piece(), masks_of(models), 0.01)
    assert [number for number, loss in enumerate(losses) if loss] == [1, 4]
    for number, old in enumerate(before):
        has_changed = [not torch.equal(weight, old[name]) for name, weight in weights_of(models, number).items()]
        assert has_changed == [number in (1, 4)] * len(old)
        assert bool(state[0][number].any()) == (number in (1, 4))
    sums = trained.summed_losses([0, 4], *a_piece())
    assert torch.isfinite(sums).tolist() == [True, False, False, False, True, False, False, False]


def test_dimensions_in_which_all_vectors_are_zero_cost_nothing_and_change_nothing():
    wide, narrow = some_models(original=False), some_models(original=False, dimensions=2)
    with torch.no_grad():
        for name, weight in narrow.weights.items():
            weight.copy_(wide.weights[name][:, :, :2] if name == "kernel_0" else wide.weights[name])
    begun = wide.weights["kernel_0"].detach().clone()
    masks = masks_of(wide)
    found = few(wide)[0].learn(range(6), *a_piece(), masks, 0.01)
    expected = few(narrow)[0].learn(range(6), *a_piece(), {place: mask[:, :2] for place, mask in masks.items()}, 0.01)
    assert torch.equal(found, expected)
    assert torch.equal(wide.weights["kernel_0"][:, :, 2:], begun[:, :, 2:])
    assert torch.equal(wide.weights["kernel_0"][:, :, :2], narrow.weights["kernel_0"])


def test_a_method_whose_vectors_are_all_zero_learns_too():
    models = Models(make_groups([Vectors.of("none", np.zeros((V, V), dtype=np.float32))], False, "cpu"), V, (0,), "cpu")
    before = weights_of(models, 0)
    trained, _ = few(models)
    for _ in range(2):  # in the first step, the state is 0 throughout
        trained.learn([0], *a_piece(seeds=1), masks_of(models), 0.01)
    after = weights_of(models, 0)
    assert {name for name in after if not torch.equal(after[name], before[name])} == {"recurrent", "bias", "out", "out_bias"}


def test_places_without_a_target_have_no_loss_and_a_piece_without_any_is_not_learned_from():
    models = some_models()
    trained, _ = few(models)
    ids, targets, keep = a_piece(empty=1)
    kept = trained.summed_losses(range(8), ids[:1], targets[:1], keep[:1])
    ids[:, -1] = 0
    assert torch.equal(trained.summed_losses(range(8), ids[:1], targets[:1], keep[:1]), kept)
    before = weights_of(models, 0)
    assert not trained.learn(range(8), ids, torch.full_like(targets, NOTHING), keep, masks_of(models), 0.01).any()
    assert all(torch.equal(weight, before[name]) for name, weight in weights_of(models, 0).items())
    targets[1] = NOTHING
    losses = trained.learn(range(8), ids, targets, keep, masks_of(models), 0.01)
    assert [bool(loss) for loss in losses] == [seed == 0 for _, seed in models.names]


def test_of_the_learned_vectors_those_of_the_ids_of_a_piece_change():
    models = some_models(methods=1, seeds=(0,))
    ids, targets, keep = a_piece(seeds=1)
    ids[ids == 2] = 3
    before = weights_of(models, 1)["table"]
    few(models)[0].learn([1], ids, targets, keep, masks_of(models), 0.01)
    changed = (weights_of(models, 1)["table"] != before).any(dim=1)
    assert before.shape == (V, SIZE)
    assert changed.nonzero()[:, 0].tolist() == sorted(set(ids.flatten().tolist()))


@given(st.lists(st.integers(0, 1000), unique=True, max_size=100))
def test_chunks_are_few_of_almost_equal_size_and_have_every_model_once(numbers):
    found = chunks(numbers)
    assert [number for chunk in found for number in chunk] == numbers
    sizes = [len(chunk) for chunk in found]
    assert not sizes or AT_ONCE >= max(sizes) >= min(sizes) >= max(sizes) - 1
    assert (len(found) - 1) * AT_ONCE < max(len(numbers), 1)
