"""Tax's models trained as published."""

import pytest
import torch

from actalike.prediction.training.tax import BATCH, TaxPublishedTrainer
from tests.helpers import naive_tax
from tests.helpers.naive_tax import padded
from tests.helpers.tax_runs import (
    END,
    assert_same_model,
    cases_of,
    close,
    drawn_masks,
    naive_of,
    some_task,
    spread,
)


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
