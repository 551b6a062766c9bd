"""Tax's models trained soundly."""

import pytest
import torch

from actalike.prediction.training.tax import TaxSoundTrainer, events_in_pieces, waits
from tests.helpers import naive_tax
from tests.helpers.tax_runs import (
    assert_same_model,
    cases_of,
    drawn_masks,
    naive_of,
    some_task,
    spread,
)


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
