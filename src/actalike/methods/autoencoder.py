"""Embed activities by an autoencoder of event windows (Gamallo-Fernandez et al., 2023, "AErac").

The autoencoder compresses a window to a few numbers and reconstructs the window from them.

The model of a window of n symbols over K activities: each position has its own 128 numbers for each activity (``inputs``). The
n vectors of a window, side by side, are mapped to 128 numbers (``encode``), back to 128 n (``decode``), and from there to a logit
for each position and activity (``outputs``). There is no bias and no activation function. A one-hot row times a matrix is a row
of the matrix: inputs are looked up, and no one-hot rows are built.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Self

import numpy as np
from numpy.typing import NDArray

from actalike.counting import check_window, window_columns
from actalike.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.log import EventLog
from actalike.methods.registry import Estimator, Lap, no_lap
from actalike.support.arrays import group_rows
from actalike.support.extras import Extra

if TYPE_CHECKING:
    from torch import Tensor  # torch is loaded where it is used: methods are listed without it

TORCH = Extra("neural", "torch")
SIZE = 128
BATCH = 32
LEARNING_RATE = 0.002
MAX_EPOCHS = 100
PATIENCE = 15
SEED = 123
_ROWS_AT_A_TIME = 4096  # distinct windows of the validation data


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
    passes_over = f"windows of all events, up to {MAX_EPOCHS} times"

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
            raise ActalikeError("autoencoder-masked-w1 has no neighbours to predict an activity from: use a window >= 2.")
        torch = TORCH.load(user=self.name)
        if self.device not in ("auto", "cpu", "cuda"):
            raise ActalikeError(f"device={self.device!r} must be one of auto, cpu, cuda.")
        if self.device == "cuda" and not torch.cuda.is_available():
            raise ActalikeError("device='cuda', but torch finds no GPU here: use device='cpu'.")
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
    columns = window_columns(log.codes, log.lengths, window)
    examples, window_of_event = group_rows(columns, len(log.activities) + 1)
    windows = np.stack([column[examples] for column in columns], axis=1).astype(np.int64)
    cut = int(log.offsets[max(round(0.8 * log.n_cases), 1)])
    validation = np.bincount(window_of_event[cut:], minlength=len(windows))
    return Samples(windows, window_of_event[:cut], validation, len(log.activities))


@dataclass(frozen=True)
class Samples:
    """Hold the distinct windows (codes of activities, -1 outside the case), and which events have them."""

    windows: NDArray[np.int64]
    training: NDArray[np.int64]  # for each training event, the row of its window
    validation: NDArray[np.int64]  # for each window, how many validation events have it
    activities: int


@dataclass(frozen=True)
class Trained:
    """Hold the weights of the epoch with the smallest validation loss, and the validation losses of all epochs."""

    inputs: NDArray[np.float64]  # (n, K, 128)
    outputs: NDArray[np.float64]  # (n, K, 128 n)
    losses: list[float]


def train(samples: Samples, hidden: int | None = None, device: str = "cpu", epochs: int = MAX_EPOCHS) -> Trained:
    """Train until the validation loss has not improved for 15 epochs, and for at most ``epochs``.

    ``hidden`` is a position whose activity has to be predicted but is not one of the inputs.
    """
    import torch

    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # the products are small: more threads wait for each other, and sum in a different order
    try:
        return _train(Model(samples, hidden, device), samples, epochs)
    finally:
        torch.set_num_threads(threads)


def _train(model: "Model", samples: Samples, epochs: int) -> Trained:
    import torch

    generator = torch.Generator().manual_seed(SEED)
    best_loss, best_weights, losses = float("inf"), [weight.detach().clone() for weight in model.weights], list[float]()
    epochs_without_gain = 0
    for _ in range(epochs):
        order = torch.randperm(len(samples.training), generator=generator).numpy()
        model.run_epoch(samples.training[order])
        losses.append(model.validation_loss())
        epochs_without_gain += 1
        if losses[-1] < best_loss:
            best_loss, epochs_without_gain = losses[-1], 0
            best_weights = [weight.detach().clone() for weight in model.weights]
        if epochs_without_gain >= PATIENCE:
            break
    inputs, _, _, outputs = (weight.cpu().numpy() for weight in best_weights)
    n, k = model.n, samples.activities
    return Trained(inputs[:-1].reshape(n, k, SIZE), outputs.reshape(n, k, n * SIZE), losses)


class Model:
    """Hold the weights of the four layers, and learn by Adam."""

    def __init__(self, samples: Samples, hidden: int | None = None, device: str = "cpu") -> None:
        import torch

        windows, k = samples.windows, samples.activities
        n = self.n = windows.shape[1]
        generator = torch.Generator().manual_seed(SEED)

        def start(rows: int, columns: int, fan: int) -> "Tensor":
            """Return the weights of a layer as torch initialises it."""
            uniform = torch.rand((rows, columns), dtype=torch.float64, generator=generator)
            return (2 * uniform - 1) / fan**0.5

        self.inputs = start(n * k + 1, SIZE, k)
        self.inputs[-1] = 0.0  # the last row stands for no event, and stays zero
        self.encode, self.decode = start(SIZE, n * SIZE, n * SIZE), start(n * SIZE, SIZE, SIZE)
        self.outputs = start(n * k, n * SIZE, n * SIZE)
        self.inputs, self.encode, self.decode, self.outputs = self.weights = [
            weight.to(device).requires_grad_() for weight in (self.inputs, self.encode, self.decode, self.outputs)
        ]
        self.adam = torch.optim.Adam(self.weights, lr=LEARNING_RATE, fused=True)
        is_event = windows >= 0
        columns = windows + np.arange(n) * k  # the number of each position and activity, in the logits and in the inputs
        input_rows = np.where(is_event, columns, n * k)
        if hidden is not None:
            input_rows[:, hidden] = n * k
        self.rows = torch.from_numpy(input_rows).to(device)
        self.targets = torch.from_numpy(np.where(is_event, columns, 0)).to(device)
        self.is_target = torch.from_numpy(is_event.astype(np.float64)).to(device)
        validated = np.flatnonzero(samples.validation)
        if not len(validated):  # a single case: validate on the training data
            validated, counts = np.unique(samples.training, return_counts=True)
        else:
            counts = samples.validation[validated]
        self.validated = torch.from_numpy(validated).to(device)
        self.validated_shares = torch.from_numpy(counts / counts.sum()).to(device)

    def losses(self, windows: "Tensor") -> "Tensor":
        """Return for each window the mean cross-entropy of its logits."""
        import torch

        x = torch.nn.functional.embedding(self.rows[windows], self.inputs, padding_idx=-1).flatten(1)
        logits = x @ self.encode.T @ self.decode.T @ self.outputs.T
        of_targets = (logits.gather(1, self.targets[windows]) * self.is_target[windows]).sum(dim=1)
        return (torch.nn.functional.softplus(logits).sum(dim=1) - of_targets) / logits.shape[1]

    def run_epoch(self, events: NDArray[np.int64]) -> None:
        """Learn from all events, in mini-batches, in the given order."""
        import torch

        for windows in torch.from_numpy(events).to(self.rows.device).split(BATCH):  # type: ignore[no-untyped-call]
            self.adam.zero_grad()
            self.losses(windows).mean().backward()  # type: ignore[no-untyped-call]
            self.adam.step()

    def validation_loss(self) -> float:
        """Return the mean cross-entropy of the logits over the validation events."""
        import torch

        parts = zip(self.validated.split(_ROWS_AT_A_TIME), self.validated_shares.split(_ROWS_AT_A_TIME), strict=True)  # type: ignore[no-untyped-call]
        with torch.no_grad():
            return sum(float(self.losses(windows) @ shares) for windows, shares in parts)
