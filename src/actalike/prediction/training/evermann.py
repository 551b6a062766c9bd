"""Train Evermann's model, as published and soundly, many models at once.

**As published**: all cases of a part, each followed by the end symbol, form one stream. It is cut into blocks of 21 ids, of which
the first 20 are inputs and the last 20 targets. Blocks are shuffled in each epoch and form batches of 20; the remainder is
dropped. The state of the LSTM is carried from batch to batch, through validation and from epoch to epoch. The gradient of each
tensor is clipped to a norm of 5. After t batches, the rate is 1 / (1 + 0.75 t), and the update (Nesterov, as in Keras) is

    v = 0.9 v - rate g,    weight = weight + 0.9 v - rate g.

After 100 epochs, the weights with the smallest validation loss are used; the last weights if there was no validation.

**Soundly**: it learns from every transition, and no case influences the prediction of another. In each epoch, the cases are
shuffled and put into 16 rows, each case into the row that is shortest so far. All rows are read 32 events (a piece) at a time.
The inputs are the events; the target is the next event, or the end symbol after the last one. The state is reset at the first
event of a case; within a case it is carried from piece to piece, but gradients are not. The optimiser is Adam. Training of a
model ends when its validation loss has not improved for 10 epochs, and its best weights are used.

Vectors are first centred (their mean is subtracted, and the network's bias makes up for it) and scaled to one length: vectors
near each other are easier to tell apart, and no method gains by large numbers. Ids without a vector keep zeros, the mean of all.
Then they are rotated so that they have as many dimensions as there are ids: E Eᵀ = E' E'ᵀ, so all lengths and angles are kept.
The model can compute the same functions from E' as from E, and 30,000 dimensions cost no more than 400.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from heapq import heapreplace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .recurrence import KEPT, NOTHING, SIZE, Models, adam, generator, look_up, make_groups
from .task import Part, Task, TaskError, Vectors, scores

EPOCHS = 100
BLOCK, BATCH = 21, 20  # as published
FIRST_RATE, DECAY, MOMENTUM, CLIP = 1.0, 0.75, 0.9, 5.0
ROWS, STEPS = 16, 32  # soundly
PATIENCE, RATE = 10, 0.01
_CELLS = 1 << 25  # logits at a time


class JointTrainer(ABC):
    """Train many models at once. A subclass defines what an epoch does, what other state there is, and when to end.

    ``kept`` holds the tensors that make up the models, by name, each with a part for each model. The best ones are used.
    """

    patience: int | None = None  # epochs without a better loss after which a model's training ends

    def __init__(self, task: Task, kept: Mapping[str, Tensor], n_models: int, device: str, epochs: int) -> None:
        self.task, self.kept, self.device, self.epochs, self.epoch = task, kept, device, epochs, 0
        self.tensors: dict[str, Tensor] = {  # all other tensors that change
            "best_loss": torch.full((n_models,), float("inf"), device=device),
            "best_epoch": torch.full((n_models,), -1, dtype=torch.int64, device=device),
        }
        self.tensors |= {f"best.{name}": tensor.detach().clone() for name, tensor in kept.items()}
        self.generators: dict[str, torch.Generator] = {}

    @abstractmethod
    def train_epoch(self) -> None:
        """Learn from all training cases."""

    @abstractmethod
    def validation_losses(self) -> Tensor | None:
        """Return the loss of each model on the validation cases; None if there are too few of them."""

    @abstractmethod
    def outcomes(self) -> list[dict[str, Any]]:
        """Return, for each trained model, its scores on the test cases and the epoch of its weights."""

    def adapt(self, losses: Tensor) -> None:  # noqa: B027 (most change nothing)
        """Adapt further training to the validation losses."""

    def are_running(self) -> Tensor:
        """Return, for each model, whether its training continues: whether its patience has not run out."""
        without_better = self.epoch - self.tensors["best_epoch"]
        return without_better <= (self.epochs if self.patience is None else self.patience)

    def has_ended(self) -> bool:
        """Return whether the patience of all models has run out."""
        return not bool(self.are_running().any())

    def for_each(self, values: Tensor, name: str) -> Tensor:
        """Return a value for each model in a shape that fits the tensor of this name."""
        return values.view(-1, *[1] * (self.kept[name].dim() - 1))

    def run(self) -> Iterator[int]:
        """Train, and yield the number of epochs done after each. In the end, each model has its best weights."""
        while self.epoch < self.epochs and not self.has_ended():
            self.train_epoch()
            losses = self.validation_losses()
            if losses is not None:
                self._keep_best(losses)
                self.adapt(losses)
            self.epoch += 1
            yield self.epoch
        with torch.no_grad():
            has_best = self.tensors["best_epoch"] >= 0
            for name, tensor in self.kept.items():
                tensor.copy_(torch.where(self.for_each(has_best, name), self.tensors[f"best.{name}"], tensor))

    @torch.no_grad()
    def _keep_best(self, losses: Tensor) -> None:
        # a model whose patience has run out keeps what it has, as if its training had ended
        better = (losses < self.tensors["best_loss"]) & self.are_running()
        self.tensors["best_loss"].copy_(torch.where(better, losses, self.tensors["best_loss"]))
        self.tensors["best_epoch"].copy_(torch.where(better, self.epoch, self.tensors["best_epoch"]))
        for name, tensor in self.kept.items():
            best = self.tensors[f"best.{name}"]
            best.copy_(torch.where(self.for_each(better, name), tensor, best))

    def gradients(self, losses: Tensor) -> dict[str, Tensor]:
        """Return the gradients of the weights. The sum of the losses gives each model the gradient of its own loss."""
        weights = {name: tensor for name, tensor in self.kept.items() if tensor.requires_grad}
        return dict(zip(weights, torch.autograd.grad(losses.sum(), list(weights.values())), strict=True))

    def learn_by_adam(self, gradients: Mapping[str, Tensor], learns: Tensor, rate: float) -> None:
        """Take one step of Adam for each model that learns; the others do not change."""
        self.tensors["done"] += learns
        for name, gradient in gradients.items():
            moments = self.tensors[f"first.{name}"], self.tensors[f"second.{name}"]
            done, learning = (self.for_each(values, name) for values in (self.tensors["done"], learns))
            adam(self.kept[name], gradient, *moments, done, learning, rate)

    def epochs_of_weights(self) -> list[int]:
        """Return, for each trained model, the epoch of its weights, counted from 1."""
        best = self.tensors["best_epoch"]
        return torch.where(best >= 0, best + 1, self.epoch).tolist()

    def save(self) -> dict[str, Any]:
        """Return the state of the training as tensors and numbers."""
        state: dict[str, Any] = {"epoch": self.epoch}
        state |= {f"weight.{name}": tensor.detach().clone() for name, tensor in self.kept.items()}
        state |= {f"kept.{name}": tensor.clone() for name, tensor in self.tensors.items()}
        return state | {name: randomness.get_state() for name, randomness in self.generators.items()}

    @torch.no_grad()
    def load(self, state: dict[str, Any]) -> None:
        """Continue from a saved state."""
        self.epoch = int(state["epoch"])
        for name, tensor in self.kept.items():
            tensor.copy_(state[f"weight.{name}"])
        for name, tensor in self.tensors.items():
            tensor.copy_(state[f"kept.{name}"])
        for name, randomness in self.generators.items():
            randomness.set_state(state[name])


class EvermannTrainer(JointTrainer):
    """Train all of Evermann's models of a log at once."""

    def __init__(self, task: Task, models: Models, epochs: int) -> None:
        super().__init__(task, models.weights, len(models.names), models.device, epochs)
        self.models = models
        self.dropout = [[generator(self.device, "dropout", seed, g.dimensions) for seed in models.seeds] for g in models.groups]
        for i, generators in enumerate(self.dropout):
            self.generators |= {f"dropout.{i}.{j}": randomness for j, randomness in enumerate(generators)}

    def for_each(self, values: Tensor, name: str) -> Tensor:
        """Return a value for each model in a shape that fits a weight."""
        return self.models.part(values, name).view(*self.models.leading(name), *[1] * self.models.trailing(name))

    def outcomes(self) -> list[dict[str, Any]]:
        """Return, for each trained model, its scores on the test cases and the epoch of its weights."""
        figures = evaluate(self.models, self.task)
        return [
            {"method": method, "seed": seed, **model_scores, "epoch": epoch}
            for (method, seed), model_scores, epoch in zip(self.models.names, figures, self.epochs_of_weights(), strict=True)
        ]

    def masks(self, places: int) -> list[Tensor]:
        """Return the dropout masks of a batch: zeros and ones (S, places, D) for each group."""
        masks = []
        for group, generators in zip(self.models.groups, self.dropout, strict=True):
            shape = len(generators), places, group.dimensions
            mask = torch.empty(shape, dtype=torch.uint8, device=self.device)
            for part, randomness in zip(mask, generators, strict=True):
                part.bernoulli_(KEPT, generator=randomness)
            masks.append(mask)
        return masks

    @torch.no_grad()
    def tables(self) -> Tensor:
        """Return the current contributions of all ids, without dropout."""
        return self.models.tables()


def evaluate(models: Models, task: Task) -> list[dict[str, float]]:
    """Return the scores of each model on the test cases."""
    targets = task.targets()
    predicted, brier = predict(models, task.test, targets)
    return [scores(targets, predicted[m], float(brier[m]), task.vocabulary_size) for m in range(len(models.names))]


@torch.no_grad()
def predict(models: Models, part: Part, targets: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return, for each model, the likeliest id after each event and the mean Brier score. Cases of like lengths are batched."""
    n, size, tables = len(models.names), models.vocabulary_size, models.tables()
    predicted = np.zeros((n, len(part.ids)), dtype=np.int64)
    brier = torch.zeros(n, dtype=torch.float64, device=models.device)
    at_a_time = max(1, _CELLS // (n * size))
    order = np.argsort(-part.lengths, kind="stable")
    for start in range(0, len(order), at_a_time):
        cases = order[start : start + at_a_time]
        lengths = part.lengths[cases]
        h, c = models.state(len(cases))
        for t in range(int(lengths.max(initial=0))):
            n_running = int((lengths > t).sum())  # the longest come first
            places = part.offsets[cases[:n_running]] + t
            ids = torch.from_numpy(part.ids[places]).to(models.device).expand(n, 1, -1)
            logits, h, c = models.run(look_up(tables, ids), h[:, :n_running].contiguous(), c[:, :n_running].contiguous())
            predicted[:, places] = logits.argmax(dim=2).cpu().numpy()
            brier += brier_sums(logits, torch.from_numpy(targets[places]).to(models.device))
    return predicted, (brier / max(len(part.ids), 1)).cpu().numpy()


def brier_sums(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the sums over events of Σ_k (p_k - [k is the target])² = Σ_k p_k² - 2 p_target + 1."""
    shares = logits.softmax(dim=2)
    hit = shares.gather(2, targets.expand(len(shares), -1)[:, :, None])[:, :, 0]
    return ((shares**2).sum(dim=2) - 2 * hit + 1).sum(dim=1).double()


def blocks_of(stream: NDArray[np.int64]) -> NDArray[np.int64]:
    """Cut the stream into blocks of 21, and drop the remainder.

    >>> blocks_of(np.arange(50)).shape
    (2, 21)
    """
    return stream[: len(stream) // BLOCK * BLOCK].reshape(-1, BLOCK)


def batches_of(blocks: NDArray[np.int64], seeds: Sequence[int], *what: object) -> Tensor:
    """Return the blocks of an epoch, shuffled for each seed: (batches, S, 21, 20). The remainder is dropped."""
    n_batches = len(blocks) // BATCH
    orders = [torch.randperm(len(blocks), generator=generator("cpu", "order", seed, *what)) for seed in seeds]
    chosen = torch.stack([order[: n_batches * BATCH] for order in orders], dim=1)
    return torch.from_numpy(blocks)[chosen].view(n_batches, BATCH, len(seeds), BLOCK).permute(0, 2, 3, 1).contiguous()


class PublishedTrainer(EvermannTrainer):
    """Train all models of a log as published."""

    def __init__(
        self, task: Task, vectors: Sequence[Vectors], original: bool, seeds: Sequence[int], device: str, epochs: int = EPOCHS
    ) -> None:
        super().__init__(task, Models(make_groups(vectors, original, device), task.vocabulary_size, seeds, device), epochs)
        self.tensors |= {f"velocity.{name}": torch.zeros_like(weight) for name, weight in self.models.weights.items()}
        self.tensors["h"], self.tensors["c"] = self.models.state(BATCH)
        self.tensors["done"] = torch.zeros((), device=device)  # batches so far, of all epochs
        self._blocks = {name: blocks_of(getattr(task, name).stream(task.end)) for name in ("training", "validation")}
        if len(self._blocks["training"]) < BATCH:
            raise TaskError(
                f"The training cases have fewer than {BLOCK * BATCH} events and ends: that is not one batch, so nothing would be "
                "learned. Use the model evermann."
            )

    def train_epoch(self) -> None:
        """Learn from all batches."""
        for batch in self._batches("training"):
            self.step(batch)

    def validation_losses(self) -> Tensor | None:
        """Return the mean loss over the validation batches; None if there is no batch."""
        batches = self._batches("validation")
        if not len(batches):
            return None
        tables = self.tables()
        return torch.stack([self.check(batch, tables) for batch in batches]).mean(dim=0)

    def _batches(self, part: str) -> Tensor:
        return batches_of(self._blocks[part], self.models.seeds, part, self.epoch).to(self.device)

    def step(self, batch: Tensor) -> Tensor:
        """Learn from a batch (S, 21, 20), and return the losses before the update."""
        ids, targets = batch[:, :-1], batch[:, 1:]
        z = self.models.inputs(ids, self.masks(ids[0].numel()))
        logits, h, c = self.models.run(z, self.tensors["h"], self.tensors["c"])
        losses = self.models.losses(logits, targets)
        gradients = self.gradients(losses)
        with torch.no_grad():
            self.tensors["h"].copy_(h)
            self.tensors["c"].copy_(c)
            rate = FIRST_RATE / (1 + DECAY * self.tensors["done"])
            for name, gradient in gradients.items():
                self.learn(name, gradient, rate)
            self.tensors["done"] += 1
        return losses.detach()

    @torch.no_grad()
    def learn(self, name: str, gradient: Tensor, rate: Tensor) -> None:
        """Update a weight by Nesterov's momentum, with the gradient of each model clipped to a norm of 5."""
        norm = torch.linalg.vector_norm(gradient.flatten(len(self.models.leading(name))), dim=-1)
        factor = -rate * CLIP / norm.clamp(min=CLIP)
        gradient.mul_(factor.view(*factor.shape, *[1] * self.models.trailing(name)))
        velocity, weight = self.tensors[f"velocity.{name}"], self.models.weights[name]
        torch.add(gradient, velocity, alpha=MOMENTUM, out=velocity)
        weight.add_(gradient).add_(velocity, alpha=MOMENTUM)

    @torch.no_grad()
    def check(self, batch: Tensor, tables: Tensor) -> Tensor:
        """Return the losses on a validation batch, without dropout; the state is carried on."""
        ids, targets = batch[:, :-1], batch[:, 1:]
        z = look_up(tables, self.models.by_model(ids))
        logits, h, c = self.models.run(z, self.tensors["h"], self.tensors["c"])
        self.tensors["h"].copy_(h)
        self.tensors["c"].copy_(c)
        return self.models.losses(logits, targets)


def length_of(vocabulary_size: int) -> float:
    """Return the length to which vectors are scaled, so that with Glorot's weights the gates start with a variance of 1."""
    return float(((vocabulary_size + 4 * SIZE) / 2) ** 0.5)


def normalised(vectors: Vectors, length: float) -> Vectors:
    """Centre vectors, set their lengths to ``length``, and rotate them to as many dimensions as there are ids.

    Zero vectors stay zero.

    >>> table = np.array([[3, 0, 4, 0, 0], [0, 0, 0, 0, 0], [-3, 0, -4, 0, 0]], dtype=np.float32)
    >>> rotated = normalised(Vectors.of("some", table), 2.0).dense()
    >>> rotated.shape, (rotated @ rotated.T).round(4).tolist()
    ((3, 3), [[4.0, 0.0, -4.0], [0.0, 0.0, 0.0], [-4.0, 0.0, 4.0]])
    """
    table = vectors.dense().astype(np.float64)
    is_there = table.any(axis=1)
    largest = np.abs(table).max(initial=0.0)
    table[is_there] -= table[is_there].sum(axis=0) / max(int(is_there.sum()), 1)
    table[np.abs(table).max(axis=1, initial=0.0) < 1e-6 * largest] = 0  # of what equals the mean, only rounding is left
    lengths = np.linalg.norm(table, axis=1, keepdims=True)
    table = np.divide(length * table, lengths, out=np.zeros_like(table), where=lengths > 0)
    values, directions = np.linalg.eigh(table @ table.T)
    order = np.argsort(-values)
    values, directions = values[order], directions[:, order]
    directions *= np.where(directions[np.abs(directions).argmax(axis=0), np.arange(len(values))] < 0, -1, 1)
    rotated = directions * np.sqrt(values.clip(min=0))
    rotated[:, values <= values[0] * len(values) * np.finfo(np.float64).eps] = 0
    rotated[~table.any(axis=1)] = 0
    # zero columns are kept, so that all methods have the same number of dimensions and train in one group
    return Vectors.of(vectors.method, rotated.astype(np.float32))


def max_pieces(part: Part) -> int:
    """Return how many pieces the cases need at most, in any order: a row is at most one case longer than the mean row."""
    return -(-int(len(part.ids) // ROWS + part.lengths.max(initial=0)) // STEPS)


class Pieces:
    """Put cases into rows, and cut the rows into pieces of 32 events: ids, targets (pieces, 32, 16), and where the state is kept.

    The number of pieces is always the same (the last ones may be empty), so that the random numbers of a seed do not depend on
    other seeds.
    """

    def __init__(self, part: Part, order: NDArray[np.int64], end: int) -> None:
        lengths = part.lengths[order]
        row_of, places = np.empty(len(order), dtype=np.int64), np.empty(len(order), dtype=np.int64)
        filled = [(0, row) for row in range(ROWS)]  # a heap: the shortest row comes first, of equal ones the first
        for i, length in enumerate(lengths.tolist()):
            places[i], row_of[i] = filled[0]
            heapreplace(filled, (filled[0][0] + length, filled[0][1]))
        pieces = max_pieces(part)
        self.ids = np.full((ROWS, pieces * STEPS), end)
        self.targets = np.full((ROWS, pieces * STEPS), NOTHING)
        self.keep = np.ones((ROWS, pieces * STEPS), dtype=np.float32)
        starts = part.offsets[:-1][order]
        inside = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        row, column = np.repeat(row_of, lengths), np.repeat(places, lengths) + inside
        source = np.repeat(starts, lengths) + inside
        self.ids[row, column] = part.ids[source]
        is_last = inside == np.repeat(lengths, lengths) - 1
        following = np.append(part.ids[1:], end)
        self.targets[row, column] = np.where(is_last, end, following[source])
        self.keep[row[inside == 0], column[inside == 0]] = 0.0

    def tensors(self) -> list[Tensor]:
        """Return the ids, the targets and whether the state is kept, each (pieces, 32, 16)."""
        return [
            torch.from_numpy(array).view(ROWS, -1, STEPS).permute(1, 2, 0).contiguous()
            for array in (self.ids, self.targets, self.keep)
        ]


class SoundTrainer(EvermannTrainer):
    """Train all models of a log soundly. Vectors are centred around their mean, and scaled to the same length."""

    patience = PATIENCE

    def __init__(
        self, task: Task, vectors: Sequence[Vectors], original: bool, seeds: Sequence[int], device: str, epochs: int = EPOCHS
    ) -> None:
        length = length_of(task.vocabulary_size)
        groups = make_groups([normalised(method, length) for method in vectors], original, device)
        table_limit = length * (3 / SIZE) ** 0.5  # learned vectors begin with about this length, too
        super().__init__(task, Models(groups, task.vocabulary_size, seeds, device, table_limit), epochs)
        for moment in ("first", "second"):
            self.tensors |= {f"{moment}.{name}": torch.zeros_like(weight) for name, weight in self.models.weights.items()}
        self.tensors["h"], self.tensors["c"] = self.models.state(ROWS)
        self.tensors["done"] = torch.zeros(len(self.models.names), device=device)  # steps of each model so far
        everything = np.arange(len(task.validation.lengths))
        self._validation = [part.to(device) for part in Pieces(task.validation, everything, task.end).tensors()]

    def train_epoch(self) -> None:
        """Learn from all pieces, the cases in a new order for each seed."""
        laid = [self._shuffled_pieces(seed) for seed in self.models.seeds]
        joined = [torch.stack(parts, dim=1).to(self.device) for parts in zip(*laid, strict=True)]
        for ids, targets, keep in zip(*joined, strict=True):
            self.step(ids, targets, keep)

    def _shuffled_pieces(self, seed: int) -> list[Tensor]:
        randomness = generator("cpu", "order", seed, self.epoch)
        order = torch.randperm(len(self.task.training.lengths), generator=randomness).numpy()
        return Pieces(self.task.training, order, self.task.end).tensors()

    def step(self, ids: Tensor, targets: Tensor, keep: Tensor) -> Tensor:
        """Learn from a piece (S, 32, 16), and return the losses before the update.

        A model whose piece is empty does not change.
        """
        z = self.models.inputs(ids, self.masks(ids[0].numel()))
        kept = self.models.by_model(keep).transpose(0, 1)[..., None]
        logits, h, c = self.models.run(z, self.tensors["h"], self.tensors["c"], kept)
        losses = self._mean_losses(logits, targets)
        gradients = self.gradients(losses)
        with torch.no_grad():
            self.tensors["h"].copy_(h)
            self.tensors["c"].copy_(c)
            learns = self.models.by_model((targets != NOTHING).flatten(1).any(dim=1))
            self.learn_by_adam(gradients, learns, RATE)
        return losses.detach()

    def _mean_losses(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the mean loss over all places of a piece. Places without a target count 0, so a short last piece weighs less."""
        return self._summed(logits, targets) / targets[0].numel()

    def _summed(self, logits: Tensor, targets: Tensor) -> Tensor:
        wanted = self.models.by_model(targets.reshape(len(targets), -1)).reshape(-1)
        each = torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted, ignore_index=NOTHING, reduction="none")
        return each.view(len(logits), -1).sum(dim=1)

    def validation_losses(self) -> Tensor | None:
        """Return the mean loss over all transitions of the validation cases."""
        count = int((self._validation[1] != NOTHING).sum())
        tables = self.tables()
        kept = self.tensors["h"].clone(), self.tensors["c"].clone()
        total = torch.zeros(len(self.models.names), device=self.device)
        seeds = len(self.models.seeds)
        for piece in zip(*self._validation, strict=True):
            ids, targets, keep = (part.expand(seeds, -1, -1).contiguous() for part in piece)
            total += self.check(ids, targets, keep, tables)
        self.tensors["h"].copy_(kept[0])
        self.tensors["c"].copy_(kept[1])
        return total / count

    @torch.no_grad()
    def check(self, ids: Tensor, targets: Tensor, keep: Tensor, tables: Tensor) -> Tensor:
        """Return the sums of the losses on a validation piece, without dropout."""
        z = look_up(tables, self.models.by_model(ids))
        kept = self.models.by_model(keep).transpose(0, 1)[..., None]
        logits, h, c = self.models.run(z, self.tensors["h"], self.tensors["c"], kept)
        self.tensors["h"].copy_(h)
        self.tensors["c"].copy_(c)
        return self._summed(logits, targets)
