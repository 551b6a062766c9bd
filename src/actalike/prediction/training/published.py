"""Train Evermann's model as published: blocks of 21 ids, a state that is never reset, a rate that falls with every batch.

All cases of a part, each followed by the end symbol, form one stream. It is cut into blocks of 21 ids, of which the first 20 are
inputs and the last 20 targets. Blocks are shuffled in each epoch and form batches of 20; the remainder is dropped. The state of
the LSTM is carried from batch to batch, through validation and from epoch to epoch. The gradient of each tensor is clipped to a
norm of 5. After t batches, the rate is 1 / (1 + 0.75 t), and the update (Nesterov, as in Keras) is

    v = 0.9 v - rate g,    weight = weight + 0.9 v - rate g.

After 100 epochs, the weights with the smallest validation loss are used; the last weights if there was no validation.
"""

from collections.abc import Sequence
from typing import cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .models import Models, generator, look_up, make_groups
from .task import Task, TaskError, Vectors
from .trainer import EvermannTrainer

BLOCK = 21
BATCH = 20
EPOCHS = 100
RATE, DECAY, MOMENTUM, CLIP = 1.0, 0.75, 0.9, 5.0


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
                "learned. Take the model evermann."
            )

    def train_epoch(self) -> None:
        """Learn from all batches."""
        for batch in self._batches("training"):
            self.recorded("training", self.step, batch)(batch)

    def validation_losses(self) -> Tensor | None:
        """Return the mean loss over the validation batches; None if there is no batch."""
        batches = self._batches("validation")
        if not len(batches):
            return None
        self.tables()
        losses = [self.recorded("validation", self.check, batch)(batch).clone() for batch in batches]
        return torch.stack(losses).mean(dim=0)

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
            rate = RATE / (1 + DECAY * self.tensors["done"])
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
    def check(self, batch: Tensor) -> Tensor:
        """Return the losses on a validation batch, without dropout; the state is carried on."""
        ids, targets = batch[:, :-1], batch[:, 1:]
        z = look_up(cast(Tensor, self._tables), self.models.by_model(ids))
        logits, h, c = self.models.run(z, self.tensors["h"], self.tensors["c"])
        self.tensors["h"].copy_(h)
        self.tensors["c"].copy_(c)
        return self.models.losses(logits, targets)
