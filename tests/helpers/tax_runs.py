"""Small runs of Tax's models, and the naive model that each is compared with."""

import numpy as np
import pytest
import torch

from actalike.prediction.training.task import Part, Task
from actalike.prediction.training.tax import TaxPublishedTrainer, TaxSoundTrainer
from tests.helpers import naive_tax
from tests.helpers.naive_tax import NaiveTax

V, END = 6, 2


LABELS = [0, 1, 3, 4, 5]


BOTH = pytest.mark.parametrize("made_by", [TaxPublishedTrainer, TaxSoundTrainer])


def some_part(lengths, seed):
    rng = np.random.default_rng(seed)
    lengths = np.asarray(lengths)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    begin = 1.6e9 + rng.integers(0, 10**7, len(lengths))
    seconds = np.concatenate([b + np.cumsum(rng.exponential(2e5, n).round(3)) for b, n in zip(begin, lengths, strict=True)])
    return Part(np.array(LABELS)[rng.integers(0, len(LABELS), lengths.sum())], offsets, seconds)


def some_task(training=(3, 0, 7, 1, 4, 5, 2, 6, 7, 1, 4), long=0):
    lengths = [*training, *[long] * (long > 0)]
    return Task(V, END, some_part(lengths, 1), some_part([2, 5, 1, 0, 6], 2), some_part([4, 0, 8, 1, 3], 3))


def naive_of(made, model):
    models = made.models
    return NaiveTax(*({name: tensor[model] for name, tensor in store.items()} for store in (models.weights, models.moving)))


def cases_of(part, units):
    """Naive features of each case."""
    for start, end in zip(part.offsets, part.offsets[1:], strict=False):
        yield naive_tax.features(part.ids[start:end], part.seconds[start:end], LABELS, *units) if end > start else []


def drawn_masks(made, model, places):
    """The masks that the next step will draw for a model, without drawing them: of the values, and of each branch."""
    copy = torch.Generator().set_state(list(made.generators.values())[model].get_state())
    shapes = (places, 6), (2, places, 100)
    values, branches = (torch.empty(shape, dtype=torch.uint8).bernoulli_(0.8, generator=copy) for shape in shapes)
    return values, branches


def spread(mask, one_hot):
    """The mask of an event's six values, over all inputs: the first one is that of the 1."""
    return torch.cat([torch.where(one_hot[..., :-5] > 0, mask[..., :1], 1), mask[..., 1:]], dim=-1)


def close(found, expected):
    scale = max(1.0, expected.detach().abs().max().item())
    return torch.allclose(found.detach().double(), expected.detach(), atol=1e-8 * scale, rtol=0)


def assert_same_model(made, model, naive, what=""):
    for store, expected in ((made.models.weights, naive.weights), (made.models.moving, naive.moving)):
        for name, tensor in store.items():
            assert close(tensor[model], expected[name]), (what, name)
