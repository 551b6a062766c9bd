"""The autoencoder and its training."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from actalike import ActalikeError, AutoencoderEmbedder, EventLog, embed
from actalike.demo.loan_desk import loan_desk
from actalike.methods import autoencoder as training
from actalike.methods.autoencoder import Model, samples_of, train
from tests.helpers import naive_autoencoder as naive
from tests.helpers.requirements import need_gpu


def test_the_focal_activity_is_told_from_its_neighbours_only_if_masked():
    """In `x a y`, `x b y` the two share all company: only the masked form may find them alike."""
    traces = [["x", middle, "y", end] for middle in "ab" for end in "pq" for _ in range(30)]
    log = EventLog.from_traces(np.random.default_rng(0).permutation(np.array(traces, dtype=object)).tolist())
    masked = embed(log, "autoencoder-masked-w3")
    assert masked.most_similar("a", topn=1)[0][0] == "b"
    assert masked.similarity("a", "b") > 0.7
    assert embed(log, "autoencoder-w3").similarity("a", "b") < 0.5


def test_sizes_and_parameters():
    log = loan_desk(10)
    assert embed(log, "autoencoder-w3").vectors.shape[1] == 128
    assert embed(log, "autoencoder-masked-w3").vectors.shape[1] == 384
    with pytest.raises(ActalikeError, match="auto"):
        AutoencoderEmbedder(device="tpu").fit(log)
    with pytest.raises(ActalikeError, match="no neighbours"):
        embed(log, "autoencoder-masked-w1")
    if not torch.cuda.is_available():
        with pytest.raises(ActalikeError, match="torch"):
            AutoencoderEmbedder(device="cuda").fit(log)


def test_the_first_four_fifths_of_the_cases_are_learned_from():
    log = EventLog.from_traces([["a", "b"]] * 8 + [["b", "a"]] * 2)
    samples = samples_of(log, 3)
    assert len(samples.training) == 16
    learned = {tuple(samples.windows[i].tolist()) for i in samples.training}
    checked = {tuple(window) for window in samples.windows[samples.validation > 0].tolist()}
    assert learned == {(-1, 0, 1), (0, 1, -1)}
    assert checked == {(-1, 1, 0), (1, 0, -1)}
    assert samples.validation.sum() == 4


def all_of(log, window=3):
    """All events to learn from and to check on."""
    samples = samples_of(EventLog.from_traces(log.traces() * 5), window)
    return replace(samples, training=samples.training[: log.n_events])


def weights_of(model):
    """The weights of a naive model as the fast one lays them out."""
    inputs = torch.cat([layer.weight.T for layer in model.inputs])
    outputs = torch.cat([layer.weight for layer in model.outputs])
    return inputs, model.encode.weight, model.decode.weight, outputs


@pytest.mark.parametrize("hidden", [None, 1])
@pytest.mark.parametrize("window", [3, 4])
def test_a_step_is_that_of_linear_layers_on_one_hot_rows(hidden, window):
    log = loan_desk(20)
    samples = all_of(log, window)
    fast = Model(samples, hidden)
    slow = naive.NaiveAutoencoder(window, samples.activities, hidden)
    with torch.no_grad():
        k = samples.activities
        for p in range(window):
            slow.inputs[p].weight.copy_(fast.inputs[p * k : (p + 1) * k].T)
            slow.outputs[p].weight.copy_(fast.outputs[p * k : (p + 1) * k])
        slow.encode.weight.copy_(fast.encode)
        slow.decode.weight.copy_(fast.decode)
    optimiser = torch.optim.Adam(slow.parameters(), lr=0.002)
    order = np.random.default_rng(1).permutation(len(samples.training))
    for _ in range(2):
        fast.run_epoch(samples.training[order])
        naive.train_epoch(slow, optimiser, naive.loader_of(samples.windows[samples.training], k, order))
    for ours, theirs in zip((fast.inputs[:-1], fast.encode, fast.decode, fast.outputs), weights_of(slow), strict=True):
        if hidden is not None and ours.shape == fast.inputs[:-1].shape:
            keep = [i for i in range(len(ours)) if i // k != hidden]  # what is never looked up
            ours, theirs = ours[keep], theirs[keep]
        assert torch.allclose(ours, theirs, atol=1e-8)
    assert not fast.inputs[-1].any()
    rows = torch.stack([naive.OneHotWindows(samples.windows[samples.training], k)[i] for i in range(len(samples.training))])
    expected = torch.nn.functional.binary_cross_entropy_with_logits(slow(rows), rows)
    assert fast.validation_loss() == pytest.approx(expected.item(), abs=1e-9)


def test_training_learns():
    losses = train(all_of(loan_desk(30)), epochs=25).losses
    assert min(losses) < losses[0] / 5


def test_training_stops_15_epochs_after_the_best_and_keeps_its_weights(monkeypatch):
    samples = all_of(loan_desk(8))
    scripted = iter([5.0, 4.0, 3.0, 3.0, 3.5, *[9.0] * 100])
    monkeypatch.setattr(Model, "validation_loss", lambda self: next(scripted))
    stopped = train(samples)
    assert len(stopped.losses) == 3 + 15  # an equal loss is no improvement
    monkeypatch.setattr(Model, "validation_loss", lambda self: 1.0 / self.adam.state[self.inputs]["step"].item())
    best = train(samples, epochs=3)  # always improves: the last epoch is the best
    assert np.array_equal(stopped.inputs, best.inputs)
    assert np.array_equal(stopped.outputs, best.outputs)
    assert len(train(samples).losses) == 100


def test_the_constants_are_those_of_the_specification(monkeypatch):
    assert (training.BATCH, training.LEARNING_RATE, training.PATIENCE, training.MAX_EPOCHS, training.SEED) == (
        32,
        0.002,
        15,
        100,
        123,
    )
    samples = all_of(loan_desk(8))
    seen = []
    monkeypatch.setattr(Model, "run_epoch", lambda self, events: seen.append(events.copy()))
    train(samples, epochs=3)
    assert all(sorted(events) == sorted(samples.training) for events in seen)
    assert not np.array_equal(seen[0], samples.training)  # shuffled
    assert not np.array_equal(seen[0], seen[1])  # anew


def test_the_number_of_threads_changes_nothing():
    samples = all_of(loan_desk(20))
    before = torch.get_num_threads()
    try:
        found = []
        for threads in (1, 2):
            torch.set_num_threads(threads)
            found.append(train(samples, epochs=3))
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert np.array_equal(found[0].outputs, found[1].outputs)


def test_a_gpu_learns_the_same():
    need_gpu()
    samples = all_of(loan_desk(40))
    on_cpu, on_gpu = (train(samples, device=device, epochs=10) for device in ("cpu", "cuda"))
    assert on_gpu.losses == pytest.approx(on_cpu.losses, rel=1e-6)
    assert np.allclose(on_cpu.inputs, on_gpu.inputs, atol=1e-6)
