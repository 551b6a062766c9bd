import numpy as np
import pytest
import torch

from actalike import ActalikeError, AutoencoderEmbedder, EventLog, embed
from actalike.demo.loan_desk import loan_desk
from actalike.methods.autoencoder import samples_of


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
    with pytest.raises(ActalikeError, match="none of auto, cpu, cuda"):
        AutoencoderEmbedder(device="tpu").fit(log)
    with pytest.raises(ActalikeError, match="no neighbours"):
        embed(log, "autoencoder-masked-w1")
    if not torch.cuda.is_available():
        with pytest.raises(ActalikeError, match="torch finds no GPU"):
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
