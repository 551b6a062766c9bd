"""Tax's models, as published and sound: each is the naive model, many at once; and what they read of time."""

from datetime import UTC, datetime

import numpy as np
import pytest
import torch

from actalike.prediction.training.task import Part, Task, TaskError
from actalike.prediction.training.tax import (
    BATCH,
    TaxPublishedTrainer,
    TaxSoundTrainer,
    events_in_pieces,
    gaps,
    numbers,
    units_of,
    waits,
)
from tests.helpers import naive_tax
from tests.helpers.naive_tax import padded
from tests.helpers.tax_runs import (
    BOTH,
    END,
    LABELS,
    V,
    assert_same_model,
    cases_of,
    close,
    drawn_masks,
    naive_of,
    some_part,
    some_task,
    spread,
)


def seconds(*when):
    return [datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() for text in when]


def example():
    """Thursday noon, 2 hours later, Friday noon; and a Monday at 6."""
    times = seconds("2020-01-02T12:00", "2020-01-02T14:00", "2020-01-03T12:00", "2020-01-06T06:00")
    return Part(np.array([0, 1, 3, 1]), np.array([0, 3, 3, 4]), np.array(times))


def test_the_numbers_of_an_event_are_place_gap_age_time_of_day_and_weekday():
    part, hour = example(), 3600
    units = units_of([part])
    assert units == (24 * hour / 4, 26 * hour / 4)  # gaps 0, 2, 22, 0 hours; ages 0, 2, 24, 0
    expected = [[1, 0, 0, 12 / 24, 3 / 7], [2, 2 / 6, 2 / 6.5, 14 / 24, 3 / 7], [3, 22 / 6, 24 / 6.5, 12 / 24, 4 / 7]]
    assert np.allclose(numbers(part, units), [*expected, [1, 0, 0, 6 / 24, 0]])


def test_the_time_to_learn_is_that_before_the_event_as_published_and_that_after_it_if_sound():
    task = Task(V, END, example(), example(), example())
    published, sound = (made(task, [0], "cpu").events["training"] for made in (TaxPublishedTrainer, TaxSoundTrainer))
    assert np.allclose(published.times, [0, 2 / 6, 22 / 6, 0])
    assert published.timed.tolist() == [1, 1, 1, 1]
    assert np.allclose(sound.times, [2 / 6, 22 / 6, 0, 0])
    assert sound.timed.tolist() == [1, 1, 0, 0]
    assert published.targets.tolist() == sound.targets.tolist() == [1, 3, END, END]


def test_units_are_means_over_the_whole_log_as_published_and_over_training_if_sound():
    task = some_task()
    everything = np.concatenate([gaps(part) for part in (task.training, task.validation, task.test)])
    assert TaxPublishedTrainer(task, [0], "cpu").units.gap == pytest.approx(everything.mean())
    assert TaxSoundTrainer(task, [0], "cpu").units.gap == pytest.approx(gaps(task.training).mean())


def test_where_no_time_passes_the_unit_is_a_second():
    part = Part(np.array([0, 1]), np.array([0, 2]), np.array([5.0, 5.0]))
    assert units_of([part]) == (1, 1)
    assert np.isfinite(numbers(part, units_of([part]))).all()


def test_features_are_those_of_the_definition(double):
    made = TaxPublishedTrainer(some_task(), [0], "cpu")
    for name, events in made.events.items():
        expected = torch.cat([case for case in cases_of(getattr(made.task, name), made.units) if len(case)])
        assert torch.equal(torch.nn.functional.one_hot(events.rows, V - 1), expected[:, :-5].long())
        assert torch.allclose(events.values, torch.cat([torch.ones(len(expected), 1), expected[:, -5:]], dim=1))


@BOTH
def test_a_log_without_times_is_refused(made_by):
    part = Part(np.array([0, 1]), np.array([0, 2]))
    with pytest.raises(TaskError, match="no times"):
        made_by(Task(V, END, part, part, part), [0], "cpu")


@BOTH
def test_weights_begin_as_in_keras(made_by):
    weights = made_by(some_task(), [0, 1], "cpu").models.weights
    assert weights["kernel"].shape == (2, len(LABELS) + 5, 400)  # the end is never read
    assert 0.95 < weights["kernel"].abs().max() / (6 / 410) ** 0.5 <= 1
    for name in ("recurrent", "branch.kernel", "branch.recurrent"):
        assert 0.99 < weights[name].abs().max() / (6 / 500) ** 0.5 <= 1, name
    for name in ("bias", "branch.bias"):
        assert (weights[name][..., 100:200] == 1).all()
        assert weights[name].sum() == weights[name][..., 100:200].numel()
    assert not torch.equal(weights["recurrent"][0], weights["recurrent"][1])


# What goes in


# As published


@BOTH
def test_training_ends_when_patience_has_run_out_and_the_best_weights_are_used(made_by, monkeypatch):
    patience = {TaxPublishedTrainer: 42, TaxSoundTrainer: 10}[made_by]
    made = made_by(some_task(), [0, 1], "cpu")
    falling = iter(range(1000, 0, -1))
    losses = {0: [5.0, 4.0, 3.0], 1: [5.0, 4.0, 4.0, 2.0]}  # then nothing is better, until it is too late

    def validation():
        late = next(falling) * 1.0 if made.epoch > patience + 4 else 9.0
        return torch.tensor([losses[m][made.epoch] if made.epoch < len(losses[m]) else late for m in (0, 1)])

    def epoch():
        for tensor in made.kept.values():
            tensor.data.fill_(made.epoch)

    monkeypatch.setattr(made, "validation_losses", validation)
    monkeypatch.setattr(made, "train_epoch", epoch)
    assert list(made.run())[-1] == 3 + patience + 1
    assert made.epochs_of_weights() == [3, 4]
    for tensor in made.kept.values():  # the moving averages too
        assert (tensor[0] == 2).all()
        assert (tensor[1] == 3).all()


# Soundly


# Both


@BOTH
def test_a_seed_does_not_change_with_those_beside_it(made_by):
    together, alone = (made_by(some_task(long=25), seeds, "cpu", epochs=2) for seeds in ([4, 1, 2], [1]))
    list(together.run())
    list(alone.run())
    for name, tensor in alone.kept.items():
        assert torch.allclose(tensor[0], together.kept[name][1], atol=2e-4), name


@BOTH
def test_the_same_seed_gives_the_same_result_and_another_one_another(made_by):
    results = []
    for seed in (3, 3, 4):
        made = made_by(some_task(), [seed], "cpu", epochs=2)
        list(made.run())
        results.append([{**found, "seed": None} for found in made.outcomes()])
    assert results[0] == results[1]
    assert results[0] != results[2]


@BOTH
def test_a_saved_state_goes_on_as_if_nothing_had_happened(made_by):
    whole, first, second = (made_by(some_task(long=20), [0, 1], "cpu", epochs=3) for _ in range(3))
    list(whole.run())
    running = first.run()
    next(running)
    saved = first.save()
    next(running)  # what is done after the saving must not matter
    second.load(saved)
    assert list(second.run()) == [2, 3]
    for name, tensor in whole.kept.items():
        assert torch.equal(tensor, second.kept[name]), name
    assert whole.outcomes() == second.outcomes()


def trained(made_by):
    made = made_by(some_task(), [0, 1], "cpu", epochs=2)
    list(made.run())
    return made


def alone(made, model, part):
    """Each prefix predicted by itself, naively: logits and times."""
    naive, found = naive_of(made, model), []
    for case in cases_of(part, made.units):
        for length in range(1, len(case) + 1):
            x = case[:length]
            if isinstance(made, TaxPublishedTrainer):
                x = padded(x, made.steps)
            found.append(naive.prefixes(x[:, None]))
    logits, times = zip(*found, strict=True)
    return torch.cat(logits).detach(), torch.cat(times).detach()


@BOTH
@pytest.mark.parametrize("at_a_time", [1000, 2])
def test_predictions_are_those_of_each_prefix_alone(double, made_by, at_a_time):
    made = trained(made_by)
    made.at_a_time = lambda steps: at_a_time
    found = list(made.predictions(made.events["test"]))
    places = torch.cat([part[0] for part in found])
    assert sorted(places.tolist()) == list(range(16))
    for model in (0, 1):
        logits, times = alone(made, model, made.task.test)
        assert torch.allclose(torch.cat([part[1][model] for part in found]), logits[places], atol=1e-9)
        assert torch.allclose(torch.cat([part[2][model] for part in found]), times[places], atol=1e-9)


@BOTH
def test_figures_are_those_of_the_definition(double, made_by):
    made = trained(made_by)
    task, days = made.task, 86400
    targets = torch.from_numpy(task.targets())
    wait, goes_on = waits(task.test)
    for model, found in enumerate(made.outcomes()):
        logits, times = alone(made, model, task.test)
        shares = torch.softmax(logits, dim=1)
        said = times.numpy() * made.units.gap / days
        assert found["accuracy"] == pytest.approx((shares.argmax(dim=1) == targets).double().mean().item())
        squares = (shares - torch.nn.functional.one_hot(targets, V)) ** 2
        assert found["brier"] == pytest.approx(squares.sum(dim=1).mean().item())
        assert found["time_mae"] == pytest.approx(np.abs(said - wait / days)[goes_on].mean())
        assert ("copied_time_mae" in found) == (made_by is TaxPublishedTrainer)
        if made_by is TaxPublishedTrainer:
            assert found["copied_time_mae"] == pytest.approx(np.abs(said - gaps(task.test) / days).mean())
        assert found["method"] == "tax"


@BOTH
def test_the_validation_loss_is_the_mean_over_the_events(double, made_by):
    made = trained(made_by)
    part = made.task.validation
    if made_by is TaxPublishedTrainer:
        time, timed = gaps(part), np.ones(len(part.ids), dtype=bool)
    else:
        time, timed = waits(part)
    for model, found in enumerate(made.validation_losses().tolist()):
        expected = naive_tax.loss(*alone(made, model, part), made.task.targets_of(part), time / made.units.gap, timed)
        assert found == pytest.approx(expected.item() / len(part.ids))


@BOTH
def test_validation_without_events_leaves_the_last_weights(made_by):
    task = some_task()
    made = made_by(Task(V, END, task.training, some_part([0], 1), task.test), [0], "cpu", epochs=1)
    list(made.run())
    assert made.epochs_of_weights() == [1]
    assert made.outcomes()[0]["epoch"] == 1


def published_batch(made, ends):
    """Padded prefixes (T, B, F) that end with these events, their targets, and the times to copy."""
    part, samples = made.task.training, []
    for start, case in zip(part.offsets, cases_of(part, made.units), strict=False):
        ids = [*part.ids[start : start + len(case)].tolist(), END]
        for length in range(1, len(case) + 1):
            x = case[:length]
            samples.append((padded(x, made.steps), ids[length], x[-1, -4].item()))
    inputs, targets, times = zip(*(samples[end] for end in ends.tolist()), strict=True)
    return torch.stack(inputs, dim=1), targets, times


def published_loss(made, model, naive, ends):
    x, targets, times = published_batch(made, ends)
    shape = x.shape[:2]
    values, branches = drawn_masks(made, model, x[..., 0].numel())
    masks = [spread(values.view(*shape, 6), x), *branches.view(2, *shape, 100)]
    return naive_tax.loss(*naive.prefixes(x, masks), targets, times, [True] * len(targets)) / len(targets)


def test_published_losses_and_gradients_are_those_of_the_definition(double):
    made = TaxPublishedTrainer(some_task(), [0, 1], "cpu")
    assert made.steps == 9  # the longest case is a test case
    ends = torch.arange(3, 3 + BATCH)
    naive = [naive_of(made, model) for model in (0, 1)]
    expected = [published_loss(made, model, one, ends) for model, one in enumerate(naive)]
    losses = made.losses(ends)
    gradients = made.gradients(losses)
    for model, one in enumerate(naive):
        assert losses[model].item() == pytest.approx(expected[model].item(), rel=1e-9)
        expected[model].backward()
        for name, gradient in gradients.items():
            assert close(gradient[model], one.weights[name].grad), name
        assert_same_model(made, model, one)  # the moving averages above all: they count empty places


def test_published_training_is_that_of_the_definition(double):
    """Nadam with gradients cut number by number, a smaller last batch, and batches in the order of the cases."""
    made = TaxPublishedTrainer(some_task(), [0, 5], "cpu")
    with torch.no_grad():
        made.models.weights["time"] *= 40  # so that gradients are cut
    naive = [naive_of(made, model) for model in (0, 1)]
    optimisers = [torch.optim.NAdam(one.weights.values(), lr=0.002, eps=1e-8, momentum_decay=0.004) for one in naive]
    seen, step, largest = [], made.step, 0.0

    def watched(ends):
        nonlocal largest
        seen.append(ends)
        for model, one in enumerate(naive):
            optimisers[model].zero_grad()
            published_loss(made, model, one, ends).backward()
            for weight in one.weights.values():
                largest = max(largest, weight.grad.abs().max().item())
                weight.grad.clamp_(-3, 3)
            optimisers[model].step()
        losses = step(ends)
        for model, one in enumerate(naive):
            assert_same_model(made, model, one, len(seen))
        return losses

    made.step = watched
    made.train_epoch()
    assert torch.equal(torch.cat(seen), torch.arange(40))
    assert [len(ends) for ends in seen] == [32, 8]
    assert largest > 3


def test_the_rate_is_halved_when_the_loss_has_not_fallen_for_ten_epochs():
    made = TaxPublishedTrainer(some_task(), [0, 1], "cpu")
    rates = []
    for epoch in range(25):
        made.adapt(torch.tensor([1.0 - 0.000001 * epoch, 1.0 - 0.0002 * epoch]))  # the first one falls too slowly
        rates.append(made.tensors["rate"].tolist())
    slow = [rate for rate, _ in rates]
    assert slow == pytest.approx([0.002] * 10 + [0.001] * 10 + [0.0005] * 5)
    assert {rate for _, rate in rates} == {slow[0]}


def test_empty_places_are_not_masked():
    """The same case in a log with a longer one is read after more empty places, and so differently."""
    short, long = (TaxPublishedTrainer(some_task(long=n), [0], "cpu") for n in (0, 20))
    assert (short.steps, long.steps) == (9, 21)
    for made in (short, long):
        made.models.weights["bias"].data.fill_(0.5)  # with the first weights, the state would stay 0
    events = short.events["test"]
    logits = [next(made.predictions(events))[1] for made in (short, long)]
    assert not torch.allclose(*logits, atol=1e-4)


def sound_rows(made, places, features, events):
    """A model's piece (32, 16) as rows of (place, is first, input)."""
    rows = []
    for row in range(places.shape[1]):
        found = [(t, int(places[t, row])) for t in range(len(places)) if places[t, row] >= 0]
        rows.append([(t * places.shape[1] + row, event == int(events.starts[event]), features[event]) for t, event in found])
    return rows


def test_sound_training_is_that_of_the_definition(double):
    """Losses, gradients, moving averages and steps of Adam, over the pieces of an epoch, one of which a long case crosses."""
    made = TaxSoundTrainer(some_task(long=40), [0, 7], "cpu")
    events, part = made.events["training"], made.task.training
    features = torch.cat([case for case in cases_of(part, made.units) if len(case)])
    wait, goes_on = waits(part)
    naive = [naive_of(made, model) for model in (0, 1)]
    optimisers = [torch.optim.Adam(one.weights.values(), lr=0.002) for one in naive]
    states = [({}, {}, {}) for _ in naive]
    pieces, shares = 0, [[], []]

    def naive_step(model, places):
        real = (places >= 0).double().mean().item()
        shares[model] = [counted * 0.9**real for counted in shares[model]] + [real]
        naive[model].share = shares[model][-1] / sum(shares[model])
        rows = sound_rows(made, places, features, events)
        at = {place: int(places.flatten()[place]) for row in rows for place, _, _ in row}
        values, branches = drawn_masks(made, model, places.numel())
        masks = {place: spread(values[place], features[event]) for place, event in at.items()}, *branches
        order, logits, times = naive[model].piece(rows, states[model], masks)
        chosen = [at[place] for place in order]
        targets = made.task.targets_of(part)[chosen]
        loss = naive_tax.loss(logits, times, targets, wait[chosen] / made.units.gap, goes_on[chosen]) / 512
        optimisers[model].zero_grad()
        loss.backward()
        optimisers[model].step()
        return loss.item()

    step = made.step

    def watched(places):
        nonlocal pieces
        expected = [naive_step(model, places[model]) for model in (0, 1)]
        losses = step(places)
        assert losses.tolist() == pytest.approx(expected, rel=1e-9)
        for model, one in enumerate(naive):
            assert_same_model(made, model, one, pieces)
        pieces += 1
        return losses

    made.step = watched
    made.train_epoch()
    assert pieces == 2


def test_every_transition_is_learned_once_in_each_epoch():
    made = TaxSoundTrainer(some_task(long=40), [0, 1], "cpu")
    seen = []
    made.step = seen.append
    made.train_epoch()
    first = torch.stack(seen)
    made.epoch = 1
    made.train_epoch()
    for model in (0, 1):
        for pieces in (first, torch.stack(seen[len(first) :])):
            events = pieces[:, model].flatten()
            assert sorted(events[events >= 0].tolist()) == list(range(len(made.task.training.ids)))
    assert not torch.equal(first[:, 0], first[:, 1])


def test_cases_do_not_know_of_each_other():
    """What is said of a case is the same whatever stands before it in its row, or beside it."""
    made = TaxSoundTrainer(some_task([3] * 20), [0], "cpu")
    events, part = made.events["training"], made.task.training
    said = []
    for seed in (0, 1):
        order = torch.randperm(20, generator=torch.Generator().manual_seed(seed)).numpy()
        places = events_in_pieces(part, order)[0]
        assert (places >= 0).sum() == 60
        rows, values = events.inputs(places[None])
        keep = (places != events.starts[places.clamp(min=0)]).float()[:, None, :, None]
        state = tuple(torch.randn_like(tensor) for tensor in made.models.state(16))  # what was before an epoch is forgotten
        found, _ = made.models.read(rows, values, state, keep)
        logits, times = made.models.heads(found)
        by_event = torch.argsort(torch.where(places.flatten() >= 0, places.flatten(), 10**6))[:60]
        said.append(torch.cat([logits[0, by_event], times[0, by_event, None]], dim=1))
    assert torch.allclose(*said, atol=1e-5)


def test_a_model_stays_as_it_is_where_only_others_have_events_left():
    made = TaxSoundTrainer(some_task(), [0, 1], "cpu")
    made.train_epoch()
    before = made.save()
    places = torch.full((2, 32, 16), -1)
    places[1, 0, 0] = 0
    made.step(places)
    for name, tensor in [*made.kept.items(), *((n, t) for n, t in made.tensors.items() if n.startswith(("first", "second")))]:
        old = before.get(f"weight.{name}", before.get(f"kept.{name}"))
        assert torch.equal(tensor[0], old[0]), name
        assert not torch.equal(tensor[1], old[1]), name
    assert made.tensors["done"].tolist() == [1, 2]
