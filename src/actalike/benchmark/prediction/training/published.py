"""Evermann's model, trained as published: blocks of 21 ids, a state that is never reset, a rate that falls with every batch.

All cases of a part, each followed by the end symbol, are one stream; it is cut into blocks of 21 ids, of which the first 20 are
inputs and the last 20 targets. Blocks are shuffled anew in each epoch, and make batches of 20; what remains is dropped. The
state of the LSTM goes on from batch to batch, through validation and from epoch to epoch. Gradients are cut to a norm of 5,
each tensor for itself. With t batches done, the rate is 1 / (1 + 0.75 t), and (Nesterov, as Keras has it)

    v = 0.9 v - rate g,    weight = weight + 0.9 v - rate g.

After 100 epochs, the weights with the least validation loss are used; the last ones where there was none.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .evaluation import evaluate
from .models import KEPT, Models, generator, look_up, make_groups
from .task import Task, Vectors

BLOCK = 21
BATCH = 20
EPOCHS = 100
RATE, DECAY, MOMENTUM, CLIP = 1.0, 0.75, 0.9, 5.0


def blocks_of(stream: NDArray[np.int64]) -> NDArray[np.int64]:
    """The stream in blocks of 21, without what remains.

    >>> blocks_of(np.arange(50)).shape
    (2, 21)
    """
    return stream[: len(stream) // BLOCK * BLOCK].reshape(-1, BLOCK)


def batches_of(blocks: NDArray[np.int64], seeds: Sequence[int], *what: object) -> Tensor:
    """The blocks of an epoch, shuffled for each seed: (batches, S, 21, 20), without what remains."""
    n_batches = len(blocks) // BATCH
    orders = [torch.randperm(len(blocks), generator=generator("cpu", "order", seed, *what)) for seed in seeds]
    chosen = torch.stack([order[: n_batches * BATCH] for order in orders], dim=1)
    return torch.from_numpy(blocks)[chosen].view(n_batches, BATCH, len(seeds), BLOCK).permute(0, 2, 3, 1).contiguous()


class PublishedTrainer:
    """Trains all models of a log; everything that a checkpoint needs is in :meth:`save` and :meth:`load`."""

    def __init__(
        self, task: Task, vectors: Sequence[Vectors], original: bool, seeds: Sequence[int], device: str, epochs: int = EPOCHS
    ) -> None:
        self.task, self.epochs, self.device = task, epochs, device
        self.models = Models(make_groups(vectors, original, device), task.vocabulary_size, seeds, device)
        weights = self.models.weights
        self.velocity = {name: torch.zeros_like(weight) for name, weight in weights.items()}
        self.best = {name: weight.detach().clone() for name, weight in weights.items()}
        n = len(self.models.names)
        self.best_loss = torch.full((n,), float("inf"), device=device)
        self.best_epoch = torch.full((n,), -1, dtype=torch.int64, device=device)
        self.h, self.c = self.models.state(BATCH)
        self.done = torch.zeros((), device=device)  # batches so far, of all epochs
        self.epoch = 0
        self.dropout = [
            [generator(device, "dropout", seed, group.dimensions) for seed in seeds] for group in self.models.groups
        ]
        self._blocks = {name: blocks_of(getattr(task, name).stream(task.end)) for name in ("training", "validation")}
        self._replay: dict[str, Callable[[Tensor], Tensor]] = {}

    def run(self) -> Iterator[int]:
        """Train; yields the number of epochs done, after each."""
        while self.epoch < self.epochs:
            self._train_epoch()
            self._validate()
            self.epoch += 1
            yield self.epoch
        for name, weight in self.models.weights.items():
            weight.data.copy_(self._chosen(name))

    def outcomes(self) -> list[dict[str, Any]]:
        """Of each model after training: its figures on the test cases, and the epoch that its weights are of."""
        figures = evaluate(self.models, self.task)
        last = [self.epochs - 1] * len(figures)
        epochs = [best if best >= 0 else end for best, end in zip(self.best_epoch.tolist(), last, strict=True)]
        return [
            {"method": method, "seed": seed, **found, "epoch": epoch + 1}
            for (method, seed), found, epoch in zip(self.models.names, figures, epochs, strict=True)
        ]

    def _train_epoch(self) -> None:
        batches = batches_of(self._blocks["training"], self.models.seeds, "training", self.epoch).to(self.device)
        step = self._recorded("training", self.step, batches)
        for batch in batches:
            step(batch)

    def _validate(self) -> None:
        batches = batches_of(self._blocks["validation"], self.models.seeds, "validation", self.epoch).to(self.device)
        if not len(batches):
            return
        with torch.no_grad():
            self._tables = self.models.tables() if not hasattr(self, "_tables") else self._tables.copy_(self.models.tables())
            check = self._recorded("validation", self.check, batches)
            losses = torch.stack([check(batch).clone() for batch in batches]).mean(dim=0)
            better = losses < self.best_loss
            self.best_loss = torch.where(better, losses, self.best_loss)
            self.best_epoch = torch.where(better, self.epoch, self.best_epoch)
            for name, best in self.best.items():
                best.copy_(torch.where(self._for_each(better, name), self.models.weights[name], best))

    def step(self, batch: Tensor) -> Tensor:
        """Learn from a batch (S, 21, 20): the losses before it."""
        models, seeds = self.models, len(self.models.seeds)
        ids, targets = batch[:, :-1], batch[:, 1:]
        places = ids[0].numel()
        masks = []
        for group, generators in zip(models.groups, self.dropout, strict=True):
            mask = torch.empty(seeds, places, group.dimensions, dtype=torch.uint8, device=self.device)
            for part, randomness in zip(mask, generators, strict=True):
                part.bernoulli_(KEPT, generator=randomness)
            masks.append(mask)
        logits, h, c = models.run(models.inputs(ids, masks), self.h, self.c)
        losses = models.losses(logits, targets)
        names = list(models.weights)
        gradients = torch.autograd.grad(losses.sum(), [models.weights[name] for name in names])
        with torch.no_grad():
            self.h.copy_(h)
            self.c.copy_(c)
            rate = RATE / (1 + DECAY * self.done)
            for name, gradient in zip(names, gradients, strict=True):
                self._learn(name, gradient, rate)
            self.done += 1
        return losses.detach()

    def _learn(self, name: str, gradient: Tensor, rate: Tensor) -> None:
        """One step of Nesterov's momentum, the gradient of each model cut to a norm of 5."""
        per_model = gradient.flatten(2) if self._has_pairs(name) else gradient.flatten(1)
        norm = torch.linalg.vector_norm(per_model, dim=-1)
        factor = -rate * CLIP / norm.clamp(min=CLIP)
        gradient.mul_(factor.view(*factor.shape, *[1] * (gradient.dim() - factor.dim())))
        velocity, weight = self.velocity[name], self.models.weights[name].data
        torch.add(gradient, velocity, alpha=MOMENTUM, out=velocity)
        weight.add_(gradient).add_(velocity, alpha=MOMENTUM)

    def check(self, batch: Tensor) -> Tensor:
        """The losses on a batch of validation, without dropout; the state goes on."""
        models = self.models
        ids, targets = batch[:, :-1], batch[:, 1:]
        logits, h, c = models.run(look_up(self._tables, models.by_model(ids)), self.h, self.c)
        self.h.copy_(h)
        self.c.copy_(c)
        return models.losses(logits, targets)

    def _recorded(self, name: str, function: Callable[[Tensor], Tensor], batches: Tensor) -> Callable[[Tensor], Tensor]:
        """On a GPU, the function as one recorded graph: hundreds of small operations, started at once."""
        if not batches.is_cuda or not len(batches):
            return function
        if name not in self._replay:
            self._replay[name] = self._record(function, batches[0])
        return self._replay[name]

    def _record(self, function: Callable[[Tensor], Tensor], batch: Tensor) -> Callable[[Tensor], Tensor]:
        buffer = batch.clone()
        before = self.save()
        aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):  # as torch asks: some steps beforehand, on another stream
            for _ in range(2):
                function(buffer)
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        for generators in self.dropout:
            for randomness in generators:
                graph.register_generator_state(randomness)
        with torch.cuda.graph(graph):
            result = function(buffer)
        self.load(before)

        def replay(batch: Tensor) -> Tensor:
            buffer.copy_(batch)
            graph.replay()
            return result

        return replay

    def _has_pairs(self, name: str) -> bool:
        return name.startswith(("kernel_", "table"))

    def _for_each(self, values: Tensor, name: str) -> Tensor:
        """A value of each model, in the shape of a weight."""
        weight = self.models.weights[name]
        if not self._has_pairs(name):
            return values.view(-1, *[1] * (weight.dim() - 1))
        group = len(self.models.groups) - 1 if name == "table" else int(name.removeprefix("kernel_"))
        start = sum(len(g.methods) for g in self.models.groups[:group]) * len(self.models.seeds)
        part = values[start : start + weight.shape[0] * weight.shape[1]]
        return part.view(*weight.shape[:2], *[1] * (weight.dim() - 2))

    def _chosen(self, name: str) -> Tensor:
        return torch.where(self._for_each(self.best_epoch >= 0, name), self.best[name], self.models.weights[name].detach())

    def save(self) -> dict[str, Any]:
        """All that changes, as tensors and numbers."""
        state: dict[str, Any] = {"epoch": self.epoch}
        for kind, tensors in (("weight", self.models.weights), ("velocity", self.velocity), ("best", self.best)):
            state |= {f"{kind}.{name}": tensor.detach().clone() for name, tensor in tensors.items()}
        for name in ("best_loss", "best_epoch", "h", "c", "done"):
            state[name] = getattr(self, name).clone()
        for i, generators in enumerate(self.dropout):
            state |= {f"dropout.{i}.{j}": randomness.get_state() for j, randomness in enumerate(generators)}
        return state

    @torch.no_grad()
    def load(self, state: dict[str, Any]) -> None:
        """Go on from a state that was saved."""
        self.epoch = int(state["epoch"])
        for kind, tensors in (("weight", self.models.weights), ("velocity", self.velocity), ("best", self.best)):
            for name, tensor in tensors.items():
                tensor.copy_(state[f"{kind}.{name}"])
        for name in ("best_loss", "best_epoch", "h", "c", "done"):
            getattr(self, name).copy_(state[name])
        for i, generators in enumerate(self.dropout):
            for j, randomness in enumerate(generators):
                randomness.set_state(state[f"dropout.{i}.{j}"])
