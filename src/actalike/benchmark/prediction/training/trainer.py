"""What all ways of training Evermann's models share: dropout, the best weights so far, recording for a GPU, checkpoints."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from .evaluation import evaluate
from .models import KEPT, Models, generator
from .task import Task


class EvermannTrainer:
    """Trains all models of a log at once. A way of training says what an epoch does, what is kept besides, and when to end."""

    def __init__(self, task: Task, models: Models, epochs: int) -> None:
        self.task, self.models, self.epochs, self.epoch = task, models, epochs, 0
        self.device, weights, n = models.device, models.weights, len(models.names)
        self.tensors: dict[str, Tensor] = {  # all that changes besides the weights
            "best_loss": torch.full((n,), float("inf"), device=self.device),
            "best_epoch": torch.full((n,), -1, dtype=torch.int64, device=self.device),
        }
        self.tensors |= {f"best.{name}": weight.detach().clone() for name, weight in weights.items()}
        self.dropout = [[generator(self.device, "dropout", seed, g.dimensions) for seed in models.seeds] for g in models.groups]
        self._tables: Tensor | None = None
        self._replay: dict[str, Callable[..., Tensor]] = {}

    def train_epoch(self) -> None:
        """Learn from all training cases."""
        raise NotImplementedError

    def validation_losses(self) -> Tensor | None:
        """The loss of each model on the validation cases; None where there are too few of them."""
        raise NotImplementedError

    def has_ended(self) -> bool:
        """Whether no model can get better any more."""
        return False

    def may_improve(self, better: Tensor) -> Tensor:
        """Which of the models that have become better may take their new weights."""
        return better

    def run(self) -> Iterator[int]:
        """Train; yields the number of epochs done, after each. In the end, each model has its best weights."""
        while self.epoch < self.epochs and not self.has_ended():
            self.train_epoch()
            losses = self.validation_losses()
            if losses is not None:
                self._keep_best(losses)
            self.epoch += 1
            yield self.epoch
        with torch.no_grad():
            has_best = self.tensors["best_epoch"] >= 0
            for name, weight in self.models.weights.items():
                weight.copy_(torch.where(self._for_each(has_best, name), self.tensors[f"best.{name}"], weight))

    @torch.no_grad()
    def _keep_best(self, losses: Tensor) -> None:
        better = self.may_improve(losses < self.tensors["best_loss"])
        self.tensors["best_loss"].copy_(torch.where(better, losses, self.tensors["best_loss"]))
        self.tensors["best_epoch"].copy_(torch.where(better, self.epoch, self.tensors["best_epoch"]))
        for name, weight in self.models.weights.items():
            best = self.tensors[f"best.{name}"]
            best.copy_(torch.where(self._for_each(better, name), weight, best))

    def _for_each(self, values: Tensor, name: str) -> Tensor:
        """A value of each model, in the shape of a weight."""
        return self.models.part(values, name).view(*self.models.leading(name), *[1] * self.models.trailing(name))

    def outcomes(self) -> list[dict[str, Any]]:
        """Of each model after training: its figures on the test cases, and the epoch that its weights are of."""
        epochs = torch.where(self.tensors["best_epoch"] >= 0, self.tensors["best_epoch"] + 1, self.epoch).tolist()
        figures = evaluate(self.models, self.task)
        return [
            {"method": method, "seed": seed, **found, "epoch": epoch}
            for (method, seed), found, epoch in zip(self.models.names, figures, epochs, strict=True)
        ]

    def masks(self, places: int) -> list[Tensor]:
        """What dropout leaves of a batch: for each group (S, places, D) zeros and ones."""
        masks = []
        for group, generators in zip(self.models.groups, self.dropout, strict=True):
            shape = len(generators), places, group.dimensions
            mask = torch.empty(shape, dtype=torch.uint8, device=self.device)
            for part, randomness in zip(mask, generators, strict=True):
                part.bernoulli_(KEPT, generator=randomness)
            masks.append(mask)
        return masks

    def tables(self) -> Tensor:
        """The present contributions of all ids, always in the same place, where a recorded function finds them."""
        with torch.no_grad():
            found = self.models.tables()
            if self._tables is None:
                self._tables = found
            return self._tables.copy_(found)

    def gradients(self, losses: Tensor) -> dict[str, Tensor]:
        """Of the sum of the losses, so that each model has its own."""
        weights = self.models.weights
        return dict(zip(weights, torch.autograd.grad(losses.sum(), list(weights.values())), strict=True))

    def recorded(self, name: str, function: Callable[..., Tensor], *example: Tensor) -> Callable[..., Tensor]:
        """On a GPU, the function as one recorded graph: hundreds of small operations, started at once."""
        if not example[0].is_cuda:
            return function
        if name not in self._replay:
            self._replay[name] = self._record(function, example)
        return self._replay[name]

    def _record(self, function: Callable[..., Tensor], example: Sequence[Tensor]) -> Callable[..., Tensor]:
        buffers = [tensor.clone() for tensor in example]
        before = self.save()
        aside = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        aside.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(aside):  # as torch asks: some steps beforehand, on another stream
            for _ in range(2):
                function(*buffers)
        torch.cuda.current_stream().wait_stream(aside)
        graph = torch.cuda.CUDAGraph()
        for generators in self.dropout:
            for randomness in generators:
                graph.register_generator_state(randomness)
        with torch.cuda.graph(graph):
            result = function(*buffers)
        self.load(before)

        def replay(*arguments: Tensor) -> Tensor:
            for buffer, argument in zip(buffers, arguments, strict=True):
                buffer.copy_(argument)
            graph.replay()
            return result

        return replay

    def save(self) -> dict[str, Any]:
        """All that changes, as tensors and numbers."""
        state: dict[str, Any] = {"epoch": self.epoch}
        state |= {f"weight.{name}": weight.detach().clone() for name, weight in self.models.weights.items()}
        state |= {f"kept.{name}": tensor.clone() for name, tensor in self.tensors.items()}
        for i, generators in enumerate(self.dropout):
            state |= {f"dropout.{i}.{j}": randomness.get_state() for j, randomness in enumerate(generators)}
        return state

    @torch.no_grad()
    def load(self, state: dict[str, Any]) -> None:
        """Go on from a state that was saved."""
        self.epoch = int(state["epoch"])
        for name, weight in self.models.weights.items():
            weight.copy_(state[f"weight.{name}"])
        for name, tensor in self.tensors.items():
            tensor.copy_(state[f"kept.{name}"])
        for i, generators in enumerate(self.dropout):
            for j, randomness in enumerate(generators):
                randomness.set_state(state[f"dropout.{i}.{j}"])
