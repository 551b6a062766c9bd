"""Embed activities by an autoencoder of event windows (Gamallo-Fernandez et al., 2023, "AErac").

The autoencoder compresses a window to a few numbers and reconstructs the window from them.
"""

from typing import TYPE_CHECKING, Literal, Self

import numpy as np

from actalike.counting import check_window, window_columns
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods.contract import Lap, no_lap
from actalike.methods.estimator import Estimator
from actalike.support.extras import Extra
from actalike.support.row_deduplication import group_rows

if TYPE_CHECKING:
    from actalike.methods.autoencoder_training import Samples

TORCH = Extra("neural", "torch")


class AutoencoderEmbedder(Estimator):
    """Train a linear autoencoder of windows with torch (extra ``neural``), on a GPU if there is one.

    As published, the focal activity is one of the inputs and has to be reconstructed, so the model learns to keep activities
    apart. ``masked`` leaves it out of the inputs: the model has to predict it from its neighbours. The vectors are the focal
    activity's output weights if ``masked`` (128 n numbers for a window of n), and its input weights otherwise (128 numbers).

    The first 80 % of the cases are the training data; the loss on the others decides when to stop.

    >>> AutoencoderEmbedder(masked=True, window=5).name
    'autoencoder-masked-w5'
    """

    family = "autoencoder"
    window: int
    needs = (TORCH,)
    parts = ("training",)

    def __init__(self, masked: bool = False, window: int = 3, device: Literal["auto", "cpu", "cuda"] = "auto") -> None:
        self.masked = masked
        self.window = window
        self.device = device

    @property
    def name(self) -> str:  # type: ignore[override]
        """Return the method's name in the registry."""
        return f"autoencoder-{'masked-' if self.masked else ''}w{self.window}"

    def fit(self, log: EventLog, lap: Lap = no_lap) -> Self:
        """Train the autoencoder and take the weights of the focal activity as vectors."""
        self.check_source(log)
        window = check_window(self.window)
        if self.masked and window == 1:
            raise ActalikeError("autoencoder-masked-w1 has no neighbours to predict an activity from: use a window of 2 or more.")
        torch = TORCH.load(user=self.name)
        if self.device not in ("auto", "cpu", "cuda"):
            raise ActalikeError(f"device={self.device!r} is none of auto, cpu, cuda.")
        if self.device == "cuda" and not torch.cuda.is_available():
            raise ActalikeError("device='cuda', but torch finds no GPU here: use device='cpu'.")
        from actalike.methods.autoencoder_training import train

        left = (window - 1) // 2
        device = "cuda" if self.device != "cpu" and torch.cuda.is_available() else "cpu"
        try:
            trained = train(samples_of(log, window), hidden=left if self.masked else None, device=device)
        except RuntimeError as error:
            if "allocate" in str(error) or "out of memory" in str(error):
                raise MemoryError from None
            raise
        vectors = (trained.outputs if self.masked else trained.inputs)[left]
        self.embedding_ = Embedding(log.activities, vectors, method=self.name)
        lap("training")
        return self


def samples_of(log: EventLog, window: int) -> "Samples":
    """Return the windows of all events: those of the first 80 % of the cases for training, the others for validation."""
    from actalike.methods.autoencoder_training import Samples

    columns = window_columns(log.codes, log.lengths, window)
    examples, window_of_event = group_rows(columns, len(log.activities) + 1)
    windows = np.stack([column[examples] for column in columns], axis=1).astype(np.int64)
    cut = int(log.offsets[max(round(0.8 * log.n_cases), 1)])
    validation = np.bincount(window_of_event[cut:], minlength=len(windows))
    return Samples(windows, window_of_event[:cut], validation, len(log.activities))
