"""Many of Tax's models, trained at once, are each what one alone would be."""

import numpy as np
import pytest
import torch

from actalike.prediction.training.task import Task
from actalike.prediction.training.tax import TaxPublishedTrainer, TaxSoundTrainer, gaps, waits
from tests.helpers import naive_tax
from tests.helpers.naive_tax import padded
from tests.helpers.tax_runs import (
    BOTH,
    END,
    V,
    cases_of,
    naive_of,
    some_part,
    some_task,
)

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
        assert torch.allclose(tensor[0], together.kept[name][1], atol=2e-5), name


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
