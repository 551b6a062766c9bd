"""Models that are trained a few at a time do not depend on which others they share a chunk with (test_sound.py has the definition)."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from actalike.prediction.training.few_at_a_time import AT_ONCE, NOTHING, chunks
from actalike.prediction.training.sound import RATE, Pieces, SoundTrainer
from tests.helpers.evermann_runs import some_task, some_vectors


@given(st.lists(st.integers(0, 1000), unique=True, max_size=100))
def test_chunks_are_few_of_almost_equal_size_and_have_every_model_once(numbers):
    found = chunks(numbers)
    assert [number for chunk in found for number in chunk] == numbers
    sizes = [len(chunk) for chunk in found]
    assert not sizes or AT_ONCE >= max(sizes) >= min(sizes) >= max(sizes) - 1
    assert (len(found) - 1) * AT_ONCE < max(len(numbers), 1)


@pytest.fixture
def made():
    """A trainer of more models than share a chunk."""
    trainer = SoundTrainer(some_task(60, 20), some_vectors(), True, (0, 1, 2), "cpu", 2)
    assert len(trainer.models.names) > AT_ONCE
    return trainer


def pieces_of(made):
    parts = Pieces(made.task.training, torch.randperm(60, generator=torch.Generator().manual_seed(1)).numpy(), made.task.end)
    return parts.tensors()


def learn(made, which, piece):
    ids, targets, keep = (part.expand(len(made.models.seeds), -1, -1).contiguous() for part in piece)
    masks = {
        (group, seed): torch.ones(ids[0].numel(), made.models.groups[group].dimensions)
        for group in range(len(made.models.groups))
        for seed in range(len(made.models.seeds))
    }
    return made._on_cpu.learn(which, ids, targets, keep, masks, RATE)


def weights_of(made):
    return [
        torch.cat([weight.detach().flatten() for _, weight in made.models.of_model(model)])
        for model in range(len(made.models.names))
    ]


def test_some_models_learn_what_they_learn_among_all_and_the_others_do_not_change(made):
    some = [1, 4, 5, 11]
    piece = [part[0] for part in pieces_of(made)]
    before = weights_of(made)
    losses = learn(made, some, piece)
    after = weights_of(made)
    for model in range(len(before)):
        assert torch.equal(after[model], before[model]) == (model not in some)
        assert (losses[model] > 0) == (model in some)
    others = [model for model in range(len(before)) if model not in some]
    of_others = learn(made, others, piece)
    alone = SoundTrainer(made.task, some_vectors(), True, (0, 1, 2), "cpu", 2)
    together = learn(alone, list(range(len(before))), piece)
    assert torch.allclose(together, losses + of_others, rtol=1e-4)
    for mine, expected in zip(weights_of(made), weights_of(alone), strict=True):
        assert torch.allclose(mine, expected, atol=1e-4)


def test_a_piece_without_targets_teaches_nothing(made):
    ids, targets, keep = (part[0] for part in pieces_of(made))
    before = weights_of(made)
    assert not learn(made, range(len(before)), (ids, torch.full_like(targets, NOTHING), keep)).any()
    assert all(torch.equal(mine, old) for mine, old in zip(weights_of(made), before, strict=True))
    assert not made.tensors["done"].any()


def test_losses_of_some_models_are_those_among_all_and_the_others_have_none(made):
    pieces = pieces_of(made)
    whole = made._on_cpu.summed_losses(range(len(made.models.names)), *pieces)
    assert torch.isfinite(whole).all()
    found = made._on_cpu.summed_losses([2, 9], *pieces)
    assert torch.isfinite(found).nonzero().flatten().tolist() == [2, 9]
    assert torch.allclose(found[[2, 9]], whole[[2, 9]], rtol=1e-5)
