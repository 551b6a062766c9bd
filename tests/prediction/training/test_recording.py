"""Training by recorded steps is the same as by plain ones: recording leaves no trace, and a repeated step misses nothing."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from actalike.prediction.training.evermann import PublishedTrainer, SoundTrainer
from actalike.prediction.training.task import Vectors
from actalike.prediction.training.tax import Masks, TaxPublishedTrainer, TaxSoundTrainer
from tests.helpers import cpu_graph
from tests.helpers.tax_runs import BOTH, V, some_part, some_task

SEEDS, EPOCHS = [0, 3], 4


def evermann(kind):
    def make(task, device):
        table = np.random.default_rng(4).normal(size=(V, 3)).astype(np.float32)
        return kind(task, [Vectors.of("some", table)], True, SEEDS, device, EPOCHS)

    return make


def tax(kind):
    return lambda task, device: kind(task, SEEDS, device, EPOCHS)


TRAINERS = {kind.__name__: evermann(kind) for kind in (PublishedTrainer, SoundTrainer)}
TRAINERS |= {kind.__name__: tax(kind) for kind in (TaxPublishedTrainer, TaxSoundTrainer)}
ALL = pytest.mark.parametrize("kind", TRAINERS)
ON_A_GPU = pytest.mark.skipif(not torch.cuda.is_available(), reason="graphs are recorded on a GPU, and there is none")


def small_task(kind):
    """Several pieces, of which the last is short, and a case that crosses from one to the next; padded, a few short cases do."""
    if kind == "TaxPublishedTrainer":
        return some_task()
    lengths = np.random.default_rng(7).integers(0, 12, 100).tolist()
    task = some_task(training=lengths, long=40)
    return replace(task, validation=some_part(lengths[:20], 2))


def compare(plain, recorded, tolerance):
    """Train both; all that a training knows must be the same after each epoch."""
    plain.capture = None
    for _ in zip(plain.run(), recorded.run(), strict=True):
        expected, found = plain.save(), recorded.save()
        assert expected.keys() == found.keys()
        for name, value in expected.items():
            pair = (np.asarray(torch.as_tensor(part).cpu(), dtype=float) for part in (value, found[name]))
            assert np.allclose(*pair, rtol=0, atol=tolerance), (plain.epoch, name)
    assert recorded._replay  # it was recorded at all
    assert plain.epoch == EPOCHS


@pytest.mark.campaign
@ALL
def test_recorded_steps_train_like_plain_ones(kind):
    plain, recorded = (TRAINERS[kind](small_task(kind), "cpu") for _ in range(2))
    recorded.capture = cpu_graph.capture
    compare(plain, recorded, tolerance=0)


@ALL
@ON_A_GPU
def test_steps_recorded_on_a_gpu_train_like_plain_ones(kind):
    compare(*(TRAINERS[kind](small_task(kind), "cuda") for _ in range(2)), tolerance=1e-4)


@BOTH
@ON_A_GPU
def test_a_step_of_tax_on_a_gpu_is_that_on_a_cpu(made_by, double):
    """Several steps with the same dropout: losses, weights, Adam's moments, moving averages and states."""
    made = {device: made_by(small_task(made_by.__name__), SEEDS, device, epochs=1) for device in ("cpu", "cuda")}
    drawn, steps = [], {"cpu": [], "cuda": []}
    draw = made["cpu"].masks

    def noted(places):
        drawn.append(draw(places))
        return drawn[-1]

    made["cpu"].masks = noted
    made["cuda"].masks = lambda places: Masks(*(mask.cuda() for mask in drawn.pop(0)))
    made["cuda"].capture = None
    for device, one in made.items():
        step = one.step
        one.step = lambda *piece, step=step, device=device: steps[device].append(step(*piece).cpu())
        one.train_epoch()
    assert torch.allclose(*(torch.stack(steps[device]) for device in made), rtol=0, atol=1e-8)
    for store in ("kept", "tensors"):
        for name, tensor in getattr(made["cpu"], store).items():
            assert torch.allclose(tensor, getattr(made["cuda"], store)[name].cpu(), rtol=0, atol=1e-6), name
