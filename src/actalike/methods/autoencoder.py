"""Embed activities by an autoencoder of event windows (Gamallo-Fernandez et al., 2023, "AErac").

The autoencoder compresses a window to a few numbers and reconstructs the window from them.

The model of a window of n symbols over K activities: each position has its own 128 numbers for each activity (``inputs``). The
n vectors of a window, side by side, are mapped to 128 numbers (``encode``), back to 128 n (``decode``), and from there to a logit
for each position and activity (``outputs``). There is no bias and no activation function, so the gradients are a few matrix
products, written out below. Three facts make training fast and change nothing but rounding:

- a one-hot row times a matrix is a row of the matrix: inputs are looked up, and no one-hot rows are built;
- equal windows in a mini-batch have equal gradients: each distinct window is computed once, and weighted;
- all weights are one vector, so Adam is one operation; on a GPU the whole step is recorded once and replayed.
"""

from collections.abc import Callable
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

    run_epoch = epoch_runner(model)
    generator = torch.Generator().manual_seed(SEED)
    best_loss, best_weights, losses = float("inf"), model.weights.clone(), []
    epochs_without_gain = 0
    for _ in range(epochs):
        order = torch.randperm(len(samples.training), generator=generator).numpy()
        run_epoch(samples.training[order])
        losses.append(model.validation_loss())
        epochs_without_gain += 1
        if losses[-1] < best_loss:
            best_loss, epochs_without_gain = losses[-1], 0
            best_weights.copy_(model.weights)
        if epochs_without_gain >= PATIENCE:
            break
    model.weights.copy_(best_weights)
    n, k = model.n, samples.activities
    inputs = model.inputs[:-1].cpu().numpy().reshape(n, k, SIZE)
    return Trained(inputs, model.outputs.cpu().numpy().reshape(n, k, n * SIZE), losses)


class Model:
    """Hold all weights as one vector, their gradients as another, and views of the parts of both."""

    def __init__(self, samples: Samples, hidden: int | None = None, device: str = "cpu") -> None:
        import torch

        windows, k = samples.windows, samples.activities
        n = self.n = windows.shape[1]
        shapes = {
            "inputs": (n * k + 1, SIZE),  # the last row stands for no event, and stays zero
            "encode": (SIZE, n * SIZE),
            "decode": (n * SIZE, SIZE),
            "outputs": (n * k, n * SIZE),
        }
        sizes = [rows * columns for rows, columns in shapes.values()]
        self.weights = torch.empty(sum(sizes), dtype=torch.float64, device=device)
        self.gradient = torch.zeros_like(self.weights)
        self.inputs, self.encode, self.decode, self.outputs = _parts(self.weights, sizes, list(shapes.values()))
        self._inputs_gradient, self._encode_gradient, self._decode_gradient, self._outputs_gradient = _parts(
            self.gradient, sizes, list(shapes.values())
        )
        generator = torch.Generator().manual_seed(SEED)
        fans = (k, n * SIZE, SIZE, n * SIZE)
        for part, fan in zip((self.inputs, self.encode, self.decode, self.outputs), fans, strict=True):
            start = torch.rand(part.shape, dtype=torch.float64, generator=generator)
            part.copy_((2 * start - 1) / fan**0.5)  # as torch initialises a linear layer
        self.inputs[-1] = 0.0
        self.weights.grad = self.gradient
        self.adam = torch.optim.Adam([self.weights], lr=LEARNING_RATE, fused=True, capturable=self.weights.is_cuda)
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

    def step(self, windows: "Tensor", weights: "Tensor") -> None:
        """Learn from a mini-batch: its distinct windows, weighted by their shares of it."""
        import torch

        rows = self.rows[windows]
        x = self.inputs[rows].view(len(windows), -1)
        code = x @ self.encode.T
        decoded = code @ self.decode.T
        # the mean cross-entropy of n K logits has the gradient (sigmoid - target) / (n K)
        weights = weights[:, None] / self.outputs.shape[0]
        logits_gradient = (decoded @ self.outputs.T).sigmoid_().mul_(weights)
        logits_gradient.scatter_add_(1, self.targets[windows], self.is_target[windows].mul_(-weights))
        torch.mm(logits_gradient.T, decoded, out=self._outputs_gradient)
        decoded_gradient = logits_gradient @ self.outputs
        torch.mm(decoded_gradient.T, code, out=self._decode_gradient)
        code_gradient = decoded_gradient @ self.decode
        torch.mm(code_gradient.T, x, out=self._encode_gradient)
        x_gradient = (code_gradient @ self.encode).view(-1, SIZE)
        self._inputs_gradient.zero_().index_add_(0, rows.view(-1), x_gradient)
        self._inputs_gradient[-1].zero_()
        self.adam.step()

    def run_epoch(self, events: NDArray[np.int64]) -> None:
        """Learn from all events, in mini-batches, in the given order."""
        import torch

        windows, weights, counts = mini_batches(events)
        ends = np.cumsum(counts)
        flat_windows = torch.from_numpy(windows[weights > 0])
        flat_weights = torch.from_numpy(weights[weights > 0])
        for start, end in zip((ends - counts).tolist(), ends.tolist(), strict=True):
            self.step(flat_windows[start:end], flat_weights[start:end])

    def validation_loss(self) -> float:
        """Return the mean cross-entropy of the logits over the validation events."""
        import torch

        total = 0.0
        for start in range(0, len(self.validated), _ROWS_AT_A_TIME):
            windows = self.validated[start : start + _ROWS_AT_A_TIME]
            logits = self.inputs[self.rows[windows]].view(len(windows), -1) @ self.encode.T @ self.decode.T @ self.outputs.T
            target_logits = (logits.gather(1, self.targets[windows]) * self.is_target[windows]).sum(dim=1)
            losses = torch.nn.functional.softplus(logits).sum(dim=1) - target_logits
            total += float(losses @ self.validated_shares[start : start + _ROWS_AT_A_TIME])
        return total / self.outputs.shape[0]


def _parts(vector: "Tensor", sizes: list[int], shapes: list[tuple[int, int]]) -> list["Tensor"]:
    """Return consecutive parts of a vector as matrices of the given shapes, without copying."""
    return [part.view(shape) for part, shape in zip(vector.split_with_sizes(sizes), shapes, strict=True)]


def mini_batches(
    events: NDArray[np.int64], batch: int = BATCH
) -> tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]:
    """Return a row for each mini-batch: its distinct windows, their shares of the batch (0 for padding), and their number.

    >>> windows, shares, counts = mini_batches(np.array([7, 5, 7, 7, 5]), batch=4)
    >>> shares.tolist(), counts.tolist()
    ([[0.25, 0.75, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]], [2, 1])
    >>> windows.tolist()
    [[5, 7, 7, 7], [5, 5, 5, 5]]
    """
    n_batches = -(-len(events) // batch)
    filled = np.full(n_batches * batch, np.iinfo(np.int64).max)
    filled[: len(events)] = events
    windows = np.sort(filled.reshape(n_batches, batch), axis=1)
    sizes = np.full(n_batches, batch)
    sizes[-1] = len(events) - (n_batches - 1) * batch
    inside = np.arange(batch) < sizes[:, None]
    is_new = inside.copy()
    is_new[:, 1:] &= windows[:, 1:] != windows[:, :-1]
    place = np.cumsum(is_new, axis=1) - 1
    counts = is_new.sum(axis=1)
    shares = np.zeros((n_batches, batch))
    row = np.broadcast_to(np.arange(n_batches)[:, None], windows.shape)
    np.add.at(shares, (row[inside], place[inside]), (1 / sizes)[row[inside]])
    distinct = np.repeat(windows[np.arange(n_batches), sizes - 1][:, None], batch, axis=1)
    distinct[row[is_new], place[is_new]] = windows[is_new]
    return distinct, shares, counts


def epoch_runner(model: Model) -> Callable[[NDArray[np.int64]], None]:
    """Return a function that does what :meth:`Model.run_epoch` does. On a GPU it replays one recorded step per mini-batch."""
    if not model.weights.is_cuda:
        return model.run_epoch
    import torch

    state: dict[str, Tensor] = {}
    graph = torch.cuda.CUDAGraph()

    def step() -> None:
        at = state["at"]
        model.step(state["windows"].index_select(0, at)[0], state["weights"].index_select(0, at)[0])
        at.add_(1)

    def record() -> None:
        weights_before = model.weights.clone()
        side_stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side_stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side_stream):  # torch requires some warm-up steps on another stream
            for _ in range(3):
                step()
        torch.cuda.current_stream().wait_stream(side_stream)
        with torch.cuda.graph(graph):
            step()
        model.weights.copy_(weights_before)
        for value in model.adam.state[model.weights].values():
            value.zero_()

    def run_epoch(events: NDArray[np.int64]) -> None:
        windows, weights, _ = mini_batches(events)
        device = model.weights.device
        if not state:
            state["windows"], state["weights"] = torch.from_numpy(windows).to(device), torch.from_numpy(weights).to(device)
            state["at"] = torch.zeros(1, dtype=torch.int64, device=device)
            # rows for the warm-up and recording, because a small log has fewer mini-batches
            state["windows"] = torch.cat([state["windows"], state["windows"][:1].expand(4, -1)])
            state["weights"] = torch.cat([state["weights"], state["weights"][:1].expand(4, -1)])
            record()
        state["windows"][: len(windows)].copy_(torch.from_numpy(windows))
        state["weights"][: len(windows)].copy_(torch.from_numpy(weights))
        state["at"].zero_()
        for _ in range(len(windows)):
            graph.replay()

    return run_epoch
