"""Train Evermann's model soundly: it learns from every transition, and no case influences the prediction of another.

In each epoch, the cases are shuffled and put into 16 rows, each case into the row that is shortest so far. All rows are read 32
events (a piece) at a time. The inputs are the events; the target is the next event, or the end symbol after the last one. The
state is reset at the first event of a case; within a case it is carried from piece to piece, but gradients are not. The optimiser
is Adam. Training of a model ends when its validation loss has not improved for 10 epochs, and its best weights are used.

Vectors are first centred (their mean is subtracted, and the network's bias makes up for it) and scaled to one length: vectors
near each other are sooner told apart, and no method gains by large numbers. Ids without a vector keep zeros, the mean of all.
Then they are rotated so that they have as many dimensions as there are ids: E Eᵀ = E' E'ᵀ, so all lengths and angles are kept.
The model can compute the same functions from E' as from E, and 30,000 dimensions cost no more than 400.
"""

from collections.abc import Sequence
from heapq import heapreplace
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .few_at_a_time import NOTHING, FewAtATime
from .models import KEPT, SIZE, Models, generator, look_up, make_groups
from .task import Part, Task, Vectors
from .trainer import EvermannTrainer

ROWS = 16
STEPS = 32
EPOCHS = 100
PATIENCE = 10
RATE = 0.01


def length_of(vocabulary_size: int) -> float:
    """Return the length to which vectors are scaled, so that with Glorot's weights the gates start with a variance of 1."""
    return float(((vocabulary_size + 4 * SIZE) / 2) ** 0.5)


def turned(vectors: Vectors, length: float | None = None, centred: bool = False) -> Vectors:
    """Rotate vectors to as many dimensions as there are ids, keeping all angles and lengths; or set all lengths to ``length``.

    If ``centred``, the mean of all vectors is subtracted before. Zero vectors stay zero.

    >>> table = np.array([[3, 0, 4, 0, 0], [0, 0, 0, 0, 0], [3, 0, 4, 0, 1]], dtype=np.float32)
    >>> rotated = turned(Vectors.of("some", table)).dense()
    >>> rotated.shape, (rotated @ rotated.T).round(4).tolist()
    ((3, 3), [[25.0, 0.0, 25.0], [0.0, 0.0, 0.0], [25.0, 0.0, 26.0]])
    """
    table = vectors.dense().astype(np.float64)
    if centred:
        is_there = table.any(axis=1)
        largest = np.abs(table).max(initial=0.0)
        table[is_there] -= table[is_there].sum(axis=0) / max(int(is_there.sum()), 1)
        table[np.abs(table).max(axis=1, initial=0.0) < 1e-6 * largest] = 0  # of what equals the mean, only rounding is left
    if length is not None:
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
    """Train all models of a log soundly. Vectors are ``centred`` around their mean, and ``scaled`` to the same length."""

    patience = PATIENCE

    def __init__(
        self,
        task: Task,
        vectors: Sequence[Vectors],
        original: bool,
        seeds: Sequence[int],
        device: str,
        epochs: int = EPOCHS,
        centred: bool = True,
        scaled: bool = True,
    ) -> None:
        length = length_of(task.vocabulary_size)
        groups = make_groups([turned(method, length if scaled else None, centred) for method in vectors], original, device)
        table_limit = length * (3 / SIZE) ** 0.5  # learned vectors begin with about this length, too
        super().__init__(task, Models(groups, task.vocabulary_size, seeds, device, table_limit), epochs)
        for moment in ("first", "second"):
            self.tensors |= {f"{moment}.{name}": torch.zeros_like(weight) for name, weight in self.models.weights.items()}
        self.tensors["h"], self.tensors["c"] = self.models.state(ROWS)
        self.tensors["done"] = torch.zeros(len(self.models.names), device=device)  # steps of each model so far
        everything = np.arange(len(task.validation.lengths))
        self._validation = [part.to(device) for part in Pieces(task.validation, everything, task.end).tensors()]
        self._on_cpu = None if torch.device(device).type != "cpu" else self._few_at_a_time()

    def _few_at_a_time(self) -> FewAtATime:
        first, second = (
            {name: self.tensors[f"{moment}.{name}"] for name in self.models.weights} for moment in ("first", "second")
        )
        state = self.tensors["h"], self.tensors["c"]
        return FewAtATime(self.models, (first, second), self.tensors["done"], state, STEPS)

    def train_epoch(self) -> None:
        """Learn from all pieces, the cases in a new order for each seed."""
        laid = [self._laid_out(seed) for seed in self.models.seeds]
        joined = [torch.stack(parts, dim=1).to(self.device) for parts in zip(*laid, strict=True)]
        for ids, targets, keep in zip(*joined, strict=True):
            self.recorded("training", self.step, ids, targets, keep)(ids, targets, keep)

    def _laid_out(self, seed: int) -> list[Tensor]:
        randomness = generator("cpu", "order", seed, self.epoch)
        order = torch.randperm(len(self.task.training.lengths), generator=randomness).numpy()
        return Pieces(self.task.training, order, self.task.end).tensors()

    def step(self, ids: Tensor, targets: Tensor, keep: Tensor) -> Tensor:
        """Learn from a piece (S, 32, 16), and return the losses before the update.

        A model whose piece is empty does not change; on a CPU, a model whose training has ended does not, either.
        """
        if self._on_cpu is not None:
            running = self._running()
            return self._on_cpu.learn(running, ids, targets, keep, self._masks_of(running, ids[0].numel()), RATE)
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

    def _running(self) -> list[int]:
        return [int(number) for number in self.are_running().nonzero()]

    def _masks_of(self, running: Sequence[int], places: int) -> dict[tuple[int, int], Tensor]:
        """Return the dropout masks that these models need, by group and seed: the same as of all."""
        masks = {}
        for group, _, seed in sorted({self.models.place_of(number) for number in running}):
            if (group, seed) not in masks:
                mask = torch.empty(places, self.models.groups[group].dimensions, dtype=torch.uint8)
                masks[group, seed] = mask.bernoulli_(KEPT, generator=self.dropout[group][seed]).float()
        return masks

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
        if self._on_cpu is not None:
            return self._on_cpu.summed_losses(self._running(), *self._validation) / count
        self.tables()
        kept = self.tensors["h"].clone(), self.tensors["c"].clone()
        total = torch.zeros(len(self.models.names), device=self.device)
        seeds = len(self.models.seeds)
        for ids, targets, keep in zip(*self._validation, strict=True):
            arguments = [part.expand(seeds, -1, -1).contiguous() for part in (ids, targets, keep)]
            total += self.recorded("validation", self.check, *arguments)(*arguments)
        self.tensors["h"].copy_(kept[0])
        self.tensors["c"].copy_(kept[1])
        return total / count

    @torch.no_grad()
    def check(self, ids: Tensor, targets: Tensor, keep: Tensor) -> Tensor:
        """Return the sums of the losses on a validation piece, without dropout."""
        z = look_up(cast(Tensor, self._tables), self.models.by_model(ids))
        kept = self.models.by_model(keep).transpose(0, 1)[..., None]
        logits, h, c = self.models.run(z, self.tensors["h"], self.tensors["c"], kept)
        self.tensors["h"].copy_(h)
        self.tensors["c"].copy_(c)
        return self._summed(logits, targets)
