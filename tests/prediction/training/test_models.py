"""Many Evermann models at once: their groups, their randomness, their first weights."""

import numpy as np
import pytest
import torch

from actalike.prediction.training.recurrence import SIZE, Models, generator, look_up, make_groups
from actalike.prediction.training.task import ORIGINAL, Vectors

V = 5


def models(*methods, original=True, seeds=(0, 1)):
    sizes = {"a": 3, "b": 7, "c": 3}
    vectors = [Vectors.of(name, np.ones((V, sizes[name]), dtype=np.float32)) for name in methods]
    return Models(make_groups(vectors, original, "cpu"), V, seeds, "cpu")


def test_methods_of_as_many_dimensions_form_a_group_and_learned_vectors_come_last():
    groups = models("b", "a", "c").groups
    assert [group.methods for group in groups] == [("a", "c"), ("b",), (ORIGINAL,)]
    assert [group.dimensions for group in groups] == [3, 7, SIZE]
    assert models("b", "a", "c").names == [(method, seed) for method in ("a", "c", "b", ORIGINAL) for seed in (0, 1)]


def test_randomness_depends_on_its_words_alone():
    numbers = [torch.rand(3, generator=generator("cpu", *words)).tolist() for words in (("x", 1), ("x", 1), ("x", 2), ("y", 1))]
    assert numbers[0] == numbers[1]
    assert len({tuple(drawn) for drawn in numbers}) == 3


def test_a_model_begins_the_same_whatever_it_is_trained_beside():
    together, alone = models("a", "b", "c", seeds=(4, 7)), models("b", original=False, seeds=(7,))
    place = together.names.index(("b", 7))
    expected = {name: weight for name, weight in together.of_model(place) if "kernel" not in name}
    for name, weight in alone.of_model(0):
        assert torch.equal(
            weight, next(w for n, w in together.of_model(place) if "kernel" in n) if "kernel" in name else expected[name]
        )


def test_first_weights_are_glorots_and_only_the_forget_gate_has_a_bias():
    for name, weight in models("a").of_model(0):
        if name == "bias":
            assert weight.tolist() == [0.0] * SIZE + [1.0] * SIZE + [0.0] * 2 * SIZE
        elif name == "out_bias":
            assert not weight.any()
        else:
            limit = (6 / sum(weight.shape)) ** 0.5
            assert 0.8 * limit < weight.abs().max() <= limit
    table = dict(models("a").of_model(2))["table"]
    assert 0.04 < table.abs().max() <= 0.05


def test_rows_of_tables_are_looked_up_in_the_order_of_steps():
    tables = torch.arange(2 * V * 4.0).view(2, V, 4)
    ids = torch.tensor([[[0, 1, 2], [3, 4, 0]], [[4, 4, 4], [1, 0, 2]]])
    rows = look_up(tables, ids)
    for step in range(2):
        for model in range(2):
            assert torch.equal(rows[step, model], tables[model][ids[model, step]])


def test_losses_are_mean_cross_entropies_of_each_model():
    made = models("a", original=False)
    logits = torch.randn(2, 6, V, generator=torch.Generator().manual_seed(0))
    targets = torch.arange(12).view(2, 2, 3) % V
    expected = [-torch.log_softmax(logits[m], dim=1)[torch.arange(6), targets[m].flatten()].mean().item() for m in (0, 1)]
    assert made.losses(logits, targets).tolist() == pytest.approx(expected, rel=1e-5)
