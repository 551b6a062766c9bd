"""Many models at once compute what each would alone: by steps of all, a few at a time on a CPU, and by their optimisers."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from actalike.prediction.training import recurrence
from actalike.prediction.training.recurrence import (
    AT_ONCE,
    NOTHING,
    SIZE,
    CpuTraining,
    Models,
    Recurrence,
    adam,
    adam_of_each,
    chunks,
    generator,
    look_up,
    lstm,
    make_groups,
    momentum,
    nadam,
)
from actalike.prediction.training.task import ORIGINAL, Vectors

V = 5
T, M, B, H = 5, 2, 3, 4
IDS, STEPS, ROWS = 6, 4, 3


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


def alone(z, recurrent, h, c, keep=None):
    """One model by the definition, step by step."""
    outputs = []
    for t in range(len(z)):
        if keep is not None:
            h, c = h * keep[t], c * keep[t]
        i, f, g, o = (z[t] + h @ recurrent).chunk(4, dim=-1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append(h)
    return torch.stack(outputs), h, c


@pytest.mark.parametrize("forgets", [False, True])
def test_outputs_states_and_gradients_are_those_of_each_model_alone(double, forgets):
    randomness = torch.Generator().manual_seed(1)
    z, recurrent, h, c = (
        torch.randn(shape, generator=randomness) for shape in ((T, M, B, 4 * H), (M, H, 4 * H), (M, B, H), (M, B, H))
    )
    keep = (torch.rand(T, 1, B, 1, generator=randomness) > 0.4).double() if forgets else None
    weights = torch.randn(T, M, B, H, generator=randomness)
    together = [tensor.clone().requires_grad_() for tensor in (z, recurrent)]
    outputs, last_h, last_c = lstm(*together, h, c, keep)
    (outputs * weights).sum().backward()
    for model in range(M):
        single = [z[:, model].clone().requires_grad_(), recurrent[model].clone().requires_grad_()]
        expected, expected_h, expected_c = alone(*single, h[model], c[model], None if keep is None else keep[:, 0])
        (expected * weights[:, model]).sum().backward()
        assert torch.allclose(outputs[:, model], expected)
        assert torch.allclose(last_h[model], expected_h)
        assert torch.allclose(last_c[model], expected_c)
        assert torch.allclose(together[0].grad[:, model], single[0].grad)
        assert torch.allclose(together[1].grad[model], single[1].grad)


def test_outputs_states_and_gradients_are_those_of_the_definition_each_time(double):
    randomness = torch.Generator().manual_seed(1)
    recurrence = Recurrence(T, M, B, H)
    for _ in range(2):  # what the first pieces left in memory does not matter
        z, recurrent, h, c, weights = (
            torch.randn(shape, generator=randomness)
            for shape in ((T, M, B, 4 * H), (M, H, 4 * H), (M, B, H), (M, B, H), (T, M, B, H))
        )
        keep = (torch.rand(T, M, B, 1, generator=randomness) > 0.4).double()
        inputs = [tensor.clone().requires_grad_() for tensor in (z, recurrent)]
        outputs, last_h, last_c = lstm(*inputs, h, c, keep)
        (outputs * weights).sum().backward()
        recurrence.gates.copy_(z * recurrence.scale)
        recurrence.recurrent.copy_(recurrent)
        recurrence.keep.copy_(keep)
        recurrence.first.copy_(torch.stack([h, c]))
        recurrence.forward()
        assert torch.allclose(recurrence.outputs, outputs)
        assert torch.allclose(recurrence.last, torch.stack([last_h, last_c]))
        recurrence.of_outputs.copy_(weights)
        recurrence.backward()
        assert torch.allclose(recurrence.of_gates, inputs[0].grad)
        of_recurrent = torch.einsum("tmbh,tmbg->mhg", recurrence.before, recurrence.of_gates)
        assert torch.allclose(of_recurrent, inputs[1].grad)


PLACES = STEPS * ROWS


def some_models(methods=3, seeds=(0, 1), original=True, dimensions=IDS):
    """Models of methods whose vectors have no more than two dimensions that are not 0."""
    rng = np.random.default_rng(4)
    tables = rng.normal(size=(methods, IDS, IDS)).astype(np.float32)[:, :, :dimensions]
    tables[:, :, 2:] = 0
    vectors = [Vectors(f"m{i}", dimensions, *sparse(table)) for i, table in enumerate(tables)]
    return Models(make_groups(vectors, original, "cpu"), IDS, seeds, "cpu")


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
    ids, targets = torch.randint(0, IDS, (2, seeds, STEPS, ROWS), generator=randomness)
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
    models = Models(make_groups([Vectors.of("none", np.zeros((IDS, IDS), dtype=np.float32))], False, "cpu"), IDS, (0,), "cpu")
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
    assert before.shape == (IDS, SIZE)
    assert changed.nonzero()[:, 0].tolist() == sorted(set(ids.flatten().tolist()))


@given(st.lists(st.integers(0, 1000), unique=True, max_size=100))
def test_chunks_are_few_of_almost_equal_size_and_have_every_model_once(numbers):
    found = chunks(numbers)
    assert [number for chunk in found for number in chunk] == numbers
    sizes = [len(chunk) for chunk in found]
    assert not sizes or AT_ONCE >= max(sizes) >= min(sizes) >= max(sizes) - 1
    assert (len(found) - 1) * AT_ONCE < max(len(numbers), 1)


def test_the_momentum_of_nadam_rises_slowly():
    steps = torch.tensor([1.0, 1e3, 1e6])
    assert momentum(steps).tolist() == pytest.approx([0.9 * (1 - 0.5 * 0.96**0.004), 0.9 * (1 - 0.5 * 0.96**4), 0.9], rel=1e-5)


def test_adam_is_torchs_and_leaves_models_alone_that_do_not_learn(double):
    weights = torch.randn(2, 3, generator=torch.Generator().manual_seed(0))
    alone = weights[0].clone().requires_grad_()
    optimiser = torch.optim.Adam([alone], lr=0.01)
    first, second = torch.zeros_like(weights), torch.zeros_like(weights)
    learns, still = torch.tensor([[True], [False]]), weights[1].clone()
    for step in range(1, 5):
        gradient = torch.sin(torch.arange(6.0) * step).view(2, 3)
        adam(weights, gradient, first, second, torch.tensor([[step], [0]]), learns, 0.01)
        alone.grad = gradient[0].clone()
        optimiser.step()
        assert torch.allclose(weights[0], alone)
    assert torch.equal(weights[1], still)
    assert not first[1].any()
    assert not second[1].any()


def test_adam_of_each_model_is_adam():
    randomness = torch.Generator().manual_seed(0)
    together, first, second = torch.randn(2, 3, generator=randomness), torch.zeros(2, 3), torch.zeros(2, 3)
    each, first_of_each, second_of_each = ([{"some": row.clone()} for row in rows] for rows in (together, first, second))
    for step in range(1, 5):
        gradients = torch.randn(2, 3, generator=randomness)
        done = torch.tensor([step, step + 7.0])
        adam(together, gradients, first, second, done[:, None], torch.tensor([[True], [True]]), 0.01)
        adam_of_each(each, [{"some": row} for row in gradients], first_of_each, second_of_each, done, 0.01)
        assert done.tolist() == [step, step + 7.0]
        for model in range(2):
            assert torch.allclose(each[model]["some"], together[model])


def test_nadam_is_torchs(double):
    weight = torch.randn(3, generator=torch.Generator().manual_seed(0))
    alone = weight.clone().requires_grad_()
    optimiser = torch.optim.NAdam([alone], lr=0.002, eps=1e-8, momentum_decay=0.004)
    first, second, product = torch.zeros(3), torch.zeros(3), torch.ones(())
    for step in range(1, 6):
        gradient = torch.cos(torch.arange(3.0) * step)
        done = torch.tensor(float(step))
        product = product * momentum(done)
        nadam(weight, gradient, first, second, done, product, torch.tensor(0.002))
        alone.grad = gradient.clone()
        optimiser.step()
        assert torch.allclose(weight, alone)
