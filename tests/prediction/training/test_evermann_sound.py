"""Many Evermann models, trained soundly at once, are each what one alone would be; and no case knows of another."""

from collections import Counter

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from actalike.prediction.training.evermann import (
    NOTHING,
    RATE,
    ROWS,
    STEPS,
    Pieces,
    SoundTrainer,
    evaluate,
    length_of,
    max_pieces,
    normalised,
)
from actalike.prediction.training.task import ORIGINAL, Part, Task, Vectors
from tests.helpers.naive_evermann import NaiveEvermann

V = 6
END = V - 1
KEPT = 0.64  # of the specification: what two dropouts of 0.2 leave
PATIENCE = 10


def part_of(cases):
    lengths = [len(case) for case in cases]
    return Part(np.array([i for case in cases for i in case], dtype=np.int64), np.cumsum([0, *lengths]))


def some_part(cases, seed):
    rng = np.random.default_rng(seed)
    return part_of([rng.integers(0, END, rng.integers(0, 60 if i % 9 == 0 else 9)).tolist() for i in range(cases)])


def some_task(training=60, validation=20):
    return Task(V, END, some_part(training, 1), some_part(validation, 2), some_part(20, 3))


def some_vectors():
    rng = np.random.default_rng(4)
    tables = {name: rng.normal(size=(V, d)).astype(np.float32) for name, d in {"a": 3, "b": 8, "c": 40}.items()}
    tables["a"][END] = 0
    return [Vectors.of(name, table) for name, table in tables.items()]


def trainer(methods=("a", "b", "c"), original=True, seeds=(0, 1), epochs=2, task=None, kind=SoundTrainer):
    vectors = [v for v in some_vectors() if v.method in methods]
    return kind(task or some_task(), vectors, original, seeds, "cpu", epochs)


def naive_of(made, model):
    method, _ = made.models.names[model]
    weights = {name: weight.detach() for name, weight in made.models.of_model(model)}
    tables = {v.method: normalised(v, length_of(V)).dense() for v in some_vectors()}
    return NaiveEvermann(weights, tables.get(method))


tables = arrays(np.float32, st.tuples(st.integers(1, 7), st.integers(1, 12)), elements=st.floats(-50, 50, width=16))


@given(tables, st.sampled_from([1.0, length_of(400)]))
def test_vectors_are_centred_scaled_and_rotated_and_rows_without_a_vector_stay_zero(table, length):
    found = normalised(Vectors.of("some", table), length).dense().astype(float)
    assert found.shape == (len(table), len(table))
    exact = table.astype(float)
    rows = [row for row in exact if row.any()]
    mean = sum(rows, np.zeros(table.shape[1])) / max(len(rows), 1)
    centred = np.array([row - mean if row.any() else row for row in exact])
    lengths = np.linalg.norm(centred, axis=1)
    is_there = lengths > 1e-6 * np.abs(exact).max(initial=0.0)
    units = np.divide(centred, lengths[:, None], out=np.zeros_like(centred), where=is_there[:, None])
    clear = is_there == (lengths > 1e-4 * np.abs(exact).max(initial=0.0))  # elsewhere rounding decides
    expected = length**2 * units @ units.T
    assert np.allclose((found @ found.T)[clear][:, clear], expected[clear][:, clear], atol=1e-3 * length**2)
    assert not found[~exact.any(axis=1)].any()


def test_vectors_begin_with_the_length_at_which_gates_have_a_variance_of_one():
    made = trainer()
    (group, learned) = made.models.groups
    lengths = group.table.norm(dim=2)
    assert torch.allclose(lengths[lengths > 0], torch.tensor(length_of(V)))
    assert (lengths == 0).sum() == 1  # the end, of method a
    assert learned.table is None
    own = made.models.weights["table"].detach()
    assert float(own.pow(2).sum(dim=3).mean()) == pytest.approx(length_of(V) ** 2, rel=0.1)
    drawn = torch.randn(4000, V) * length_of(V) / V**0.5
    gates = drawn @ made.models.weights["kernel_0"].detach()[0, 0]
    assert float(gates.var()) == pytest.approx(1.0, rel=0.15)


cases_of_ids = st.lists(st.lists(st.integers(0, END - 1), max_size=90), max_size=40).filter(any)


@given(cases_of_ids, st.randoms(use_true_random=False))
def test_every_transition_is_learned_from_once_and_nothing_else(cases, random):
    order = list(range(len(cases)))
    random.shuffle(order)
    ids, targets, keep = Pieces(part_of(cases), np.array(order), END).tensors()
    assert ids.shape == targets.shape == keep.shape == (len(ids), STEPS, ROWS)
    found, filled = [], []
    for row in range(ROWS):
        places = zip(*(part[:, :, row].flatten().tolist() for part in (ids, targets, keep)), strict=True)
        following, is_over, n = END, False, 0
        for event, target, kept in places:
            is_over = is_over or target == NOTHING
            if is_over:  # after the last case of a row there is nothing
                assert (target, kept) == (NOTHING, 1)
                continue
            n += 1
            assert (kept == 0) == (following == END)  # forgotten at the first event of a case, and only there
            if kept == 0:
                found.append([])
            else:
                assert event == following
            found[-1].append(event)
            following = target
        assert following == END
        filled.append(n)
    assert Counter(map(tuple, found)) == Counter(tuple(case) for case in cases if case)
    assert max(filled) - min(filled) <= max(map(len, cases))
    assert -(-max(filled) // STEPS) <= len(ids) == max_pieces(part_of(cases))


def drawn_masks(made, places):
    """The masks that the next step will draw, without drawing them."""
    masks = {}
    for group, generators in zip(made.models.groups, made.dropout, strict=True):
        for seed, generator in zip(made.models.seeds, generators, strict=True):
            copy = torch.Generator().set_state(generator.get_state())
            mask = torch.empty(places, group.dimensions, dtype=torch.uint8).bernoulli_(KEPT, generator=copy)
            masks |= {(method, seed): mask for method in group.methods}
    return masks


def test_training_is_that_of_the_definition():
    """Several pieces: resets, a state that goes on, dropout, places without target, Adam."""
    made = trainer()
    part = made.task.training
    rng = np.random.default_rng(5)
    laid = [Pieces(part, rng.permutation(len(part.lengths)), END).tensors() for _ in made.models.seeds]
    naive = [naive_of(made, model) for model in range(len(made.models.names))]
    optimisers = [torch.optim.Adam(list(model.weights.values()), lr=RATE) for model in naive]
    states = [(torch.zeros(ROWS, 32).double(),) * 2 for _ in naive]
    pieces = min(int((parts[1] != NOTHING).flatten(1).any(dim=1).sum()) for parts in laid)
    assert pieces >= 2
    assert any((parts[1][pieces - 1] == NOTHING).any() for parts in laid)
    for piece in range(pieces):
        ids, targets, keep = (torch.stack([parts[i][piece] for parts in laid]) for i in range(3))
        masks = drawn_masks(made, ids[0].numel())
        losses = made.step(ids, targets, keep)
        for model, (method, seed) in enumerate(made.models.names):
            at = made.models.seeds.index(seed)
            mask = masks[method, seed].view(*ids[at].shape, -1)
            optimisers[model].zero_grad()
            loss, h, c = naive[model].loss(ids[at], targets[at], *states[model], mask, KEPT, keep[at])
            loss.backward()
            optimisers[model].step()
            states[model] = h.detach(), c.detach()
            assert float(losses[model]) == pytest.approx(loss.item(), rel=1e-4)
            assert torch.allclose(made.tensors["h"][model].double(), h, atol=1e-5)
            for name, weight in made.models.of_model(model):
                expected = naive[model].weights[name]
                # where a gradient is almost 0, the first steps of Adam have its sign, and that is rounding
                clear = (expected.grad == 0) | (expected.grad.abs() > 1e-6)
                assert clear.float().mean() > 0.9
                difference = (weight.double() - expected)[clear].abs().max().item()
                assert difference < (5e-4 if piece else 1e-5), (method, name)  # a step is of about 1e-2


def two_pieces_in_turn(made, steps):
    laid = Pieces(made.task.training, np.arange(len(made.task.training.lengths)), END).tensors()
    for number in range(steps):
        yield [part[number % 2].expand(len(made.models.seeds), -1, -1).contiguous() for part in laid]


def test_every_weight_learns_by_adam(monkeypatch):
    """Step by step with torch's Adam, given the same gradients: so close that its constants can be told."""
    made = trainer()
    weights = {name: weight.detach().clone() for name, weight in made.models.weights.items()}
    adam = torch.optim.Adam(list(weights.values()), lr=RATE)
    gradients = made.gradients

    def noted(losses):
        found = gradients(losses)
        for name, weight in weights.items():
            weight.grad = found[name].clone()
        return found

    monkeypatch.setattr(made, "gradients", noted)
    for number, piece in enumerate(two_pieces_in_turn(made, 8)):
        made.step(*piece)
        adam.step()
        for name, weight in made.models.weights.items():
            assert torch.allclose(weight, weights[name], atol=2e-6), (number, name)


def test_the_validation_loss_is_the_mean_over_all_transitions_of_whole_cases_from_a_fresh_state():
    made = trainer()
    made.train_epoch()
    before = made.save()
    losses = made.validation_losses()
    after = made.save()
    assert before.keys() == after.keys()
    assert all(torch.equal(torch.as_tensor(before[name]), torch.as_tensor(after[name])) for name in before)
    part = made.task.validation
    for model in range(len(made.models.names)):
        naive, total, n = naive_of(made, model), 0.0, 0
        for start, end in zip(part.offsets, part.offsets[1:], strict=False):
            case = torch.from_numpy(part.ids[start:end])
            zero = torch.zeros(1, 32).double()
            if len(case):
                logits, _, _ = naive.logits(case[:, None], zero, zero)
                following = torch.cat([case[1:], torch.tensor([END])])
                total -= torch.log_softmax(logits[:, 0], dim=1)[range(len(case)), following].sum().item()
                n += len(case)
        assert n == len(part.ids)
        assert float(losses[model]) == pytest.approx(total / n, rel=1e-4)


def test_validation_does_not_depend_on_the_state_that_training_left():
    made = trainer(epochs=1)
    fresh = made.validation_losses()
    made.tensors["h"].uniform_(-1, 1)
    made.tensors["c"].uniform_(-1, 1)
    assert torch.equal(made.validation_losses(), fresh)


class Scripted(SoundTrainer):
    """Losses as they are given; the weights are the number of the epoch."""

    losses = ()

    def train_epoch(self):
        with torch.no_grad():
            for weight in self.models.weights.values():
                weight.fill_(float(self.epoch))

    def validation_losses(self):
        return torch.tensor([losses[self.epoch] for losses in self.losses])


def test_a_model_whose_patience_ran_out_keeps_its_weights_and_training_ends_with_the_last():
    made = trainer(methods=("a", "b"), original=True, seeds=(0,), epochs=100, kind=Scripted)
    worse = [9.0] * 100
    ends_early, comes_back, in_time = worse.copy(), worse.copy(), worse.copy()
    ends_early[2] = 5.0
    comes_back[2] = 5.0
    comes_back[2 + PATIENCE + 1] = 1.0  # one epoch too late
    in_time[3] = 5.0
    in_time[3 + PATIENCE] = 4.0  # the last moment
    made.losses = [ends_early, comes_back, in_time]
    last = 3 + PATIENCE + PATIENCE
    assert list(made.run()) == list(range(1, last + 2))  # the epoch numbered `last` is the last one
    assert made.tensors["best_epoch"].tolist() == [2, 2, 3 + PATIENCE]
    for model, best in enumerate((2, 2, 3 + PATIENCE)):
        for name, weight in made.models.of_model(model):
            assert (weight == best).all(), name
    assert [outcome["epoch"] for outcome in made.outcomes()] == [3, 3, 3 + PATIENCE + 1]


def test_training_has_no_more_epochs_than_it_is_given():
    made = trainer(methods=("a",), original=False, seeds=(0,), epochs=5, kind=Scripted)
    made.losses = [[5.0, 4.0, 3.0, 2.0, 1.0]]
    assert list(made.run()) == [1, 2, 3, 4, 5]
    assert made.tensors["best_epoch"].tolist() == [4]


def test_a_saved_state_goes_on_as_if_nothing_had_happened():
    whole = trainer(epochs=3)
    list(whole.run())
    first = trainer(epochs=3)
    running = first.run()
    next(running)
    saved = first.save()
    next(running)  # what is done after the saving must not matter
    second = trainer(epochs=3)
    second.load(saved)
    assert list(second.run()) == [2, 3]
    for name, weight in whole.models.weights.items():
        assert torch.equal(weight, second.models.weights[name])
    assert whole.outcomes() == second.outcomes()


def test_the_same_seed_gives_the_same_result():
    results = []
    for _ in range(2):
        made = trainer(seeds=(3,))
        list(made.run())
        results.append(evaluate(made.models, made.task))
    assert results[0] == results[1]
    other = trainer(seeds=(4,))
    list(other.run())
    assert evaluate(other.models, other.task) != results[0]


@pytest.mark.parametrize("method", ["b", ORIGINAL])
def test_a_model_does_not_change_with_those_beside_it(method):
    together = trainer()
    list(together.run())
    alone = trainer(methods=(method,), original=method == ORIGINAL, seeds=(1,))
    list(alone.run())
    at = together.models.names.index((method, 1))
    found = {name.partition("_")[0] if name.startswith("kernel") else name: weight for name, weight in alone.models.of_model(0)}
    for name, expected in together.models.of_model(at):
        weight = found[name.partition("_")[0] if name.startswith("kernel") else name]
        assert torch.allclose(weight, expected, atol=1e-3), name


def test_a_seed_that_needs_fewer_pieces_than_another_does_not_learn_from_empty_ones():
    task = some_task(training=70)
    laid = {seed: trainer(seeds=(seed,), task=task)._shuffled_pieces(seed)[1] for seed in range(12)}
    pieces = {seed: int((targets != NOTHING).flatten(1).any(dim=1).sum()) for seed, targets in laid.items()}
    few, many = min(pieces, key=pieces.get), max(pieces, key=pieces.get)
    assert pieces[few] < pieces[many] <= len(laid[many])
    together = trainer(methods=("b",), original=False, seeds=(few, many), epochs=1, task=task)
    alone = trainer(methods=("b",), original=False, seeds=(few,), epochs=1, task=task)
    for made in (together, alone):
        made.train_epoch()
        made.train_epoch()
    assert together.tensors["done"].tolist() == [2 * pieces[few], 2 * pieces[many]]
    for (name, weight), (_, expected) in zip(alone.models.of_model(0), together.models.of_model(0), strict=True):
        assert torch.allclose(weight, expected, atol=1e-5), name
