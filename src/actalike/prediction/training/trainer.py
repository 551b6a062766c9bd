"""What all ways of training share: the best weights, patience, recording for a GPU, checkpoints; and what Evermann's share."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from .evaluation import evaluate
from .models import KEPT, Models, generator
from .optimisers import adam
from .task import Task


class JointTrainer(ABC):
    """Trains many models at once. A way of training says what an epoch does, what is kept besides, and when to end.

    ``kept`` is what makes up the models, by name, each tensor with a part for each model: of these, the best are used.
    """

    patience: int | None = None  # epochs without a better loss after which a model's training ends

    def __init__(self, task: Task, kept: Mapping[str, Tensor], n_models: int, device: str, epochs: int) -> None:
        self.task, self.kept, self.device, self.epochs, self.epoch = task, kept, device, epochs, 0
        self.tensors: dict[str, Tensor] = {  # all that changes besides
            "best_loss": torch.full((n_models,), float("inf"), device=device),
            "best_epoch": torch.full((n_models,), -1, dtype=torch.int64, device=device),
        }
        self.tensors |= {f"best.{name}": tensor.detach().clone() for name, tensor in kept.items()}
        self.generators: dict[str, torch.Generator] = {}
        self._replay: dict[str, Callable[..., Tensor]] = {}

    @abstractmethod
    def train_epoch(self) -> None:
        """Learn from all training cases."""

    @abstractmethod
    def validation_losses(self) -> Tensor | None:
        """The loss of each model on the validation cases; None where there are too few of them."""

    @abstractmethod
    def outcomes(self) -> list[dict[str, Any]]:
        """Of each model after training: its figures on the test cases, and the epoch that its weights are of."""

    def adapt(self, losses: Tensor) -> None:  # noqa: B027 (most change nothing)
        """What the validation losses change in further training."""

    def has_ended(self) -> bool:
        """Whether the patience of all models has run out."""
        return self.patience is not None and bool((self.epoch - self.tensors["best_epoch"] > self.patience).all())

    def for_each(self, values: Tensor, name: str) -> Tensor:
        """A value of each model, in the shape of what is called so."""
        return values.view(-1, *[1] * (self.kept[name].dim() - 1))

    def run(self) -> Iterator[int]:
        """Train; yields the number of epochs done, after each. In the end, each model has its best weights."""
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
        better = losses < self.tensors["best_loss"]
        if self.patience is not None:  # a model whose patience has run out keeps what it has, as if its training had ended
            better &= self.epoch - self.tensors["best_epoch"] <= self.patience
        self.tensors["best_loss"].copy_(torch.where(better, losses, self.tensors["best_loss"]))
        self.tensors["best_epoch"].copy_(torch.where(better, self.epoch, self.tensors["best_epoch"]))
        for name, tensor in self.kept.items():
            best = self.tensors[f"best.{name}"]
            best.copy_(torch.where(self.for_each(better, name), tensor, best))

    def gradients(self, losses: Tensor) -> dict[str, Tensor]:
        """Of the sum of the losses, so that each model has its own; what is kept beside the weights has none."""
        weights = {name: tensor for name, tensor in self.kept.items() if tensor.requires_grad}
        return dict(zip(weights, torch.autograd.grad(losses.sum(), list(weights.values())), strict=True))

    def learn_by_adam(self, gradients: Mapping[str, Tensor], learns: Tensor, rate: float) -> None:
        """One step of Adam for each model that learns; the others stay as they are."""
        self.tensors["done"] += learns
        for name, gradient in gradients.items():
            moments = self.tensors[f"first.{name}"], self.tensors[f"second.{name}"]
            done, learning = (self.for_each(values, name) for values in (self.tensors["done"], learns))
            adam(self.kept[name], gradient, *moments, done, learning, rate)

    def epochs_of_weights(self) -> list[int]:
        """Of each model after training: the epoch that its weights are of, counted from 1."""
        best = self.tensors["best_epoch"]
        return torch.where(best >= 0, best + 1, self.epoch).tolist()

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
        for randomness in self.generators.values():
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
        state |= {f"weight.{name}": tensor.detach().clone() for name, tensor in self.kept.items()}
        state |= {f"kept.{name}": tensor.clone() for name, tensor in self.tensors.items()}
        return state | {name: randomness.get_state() for name, randomness in self.generators.items()}

    @torch.no_grad()
    def load(self, state: dict[str, Any]) -> None:
        """Go on from a state that was saved."""
        self.epoch = int(state["epoch"])
        for name, tensor in self.kept.items():
            tensor.copy_(state[f"weight.{name}"])
        for name, tensor in self.tensors.items():
            tensor.copy_(state[f"kept.{name}"])
        for name, randomness in self.generators.items():
            randomness.set_state(state[name])


class EvermannTrainer(JointTrainer):
    """Trains all of Evermann's models of a log at once."""

    def __init__(self, task: Task, models: Models, epochs: int) -> None:
        super().__init__(task, models.weights, len(models.names), models.device, epochs)
        self.models = models
        self.dropout = [[generator(self.device, "dropout", seed, g.dimensions) for seed in models.seeds] for g in models.groups]
        for i, generators in enumerate(self.dropout):
            self.generators |= {f"dropout.{i}.{j}": randomness for j, randomness in enumerate(generators)}
        self._tables: Tensor | None = None

    def for_each(self, values: Tensor, name: str) -> Tensor:
        """A value of each model, in the shape of a weight."""
        return self.models.part(values, name).view(*self.models.leading(name), *[1] * self.models.trailing(name))

    def outcomes(self) -> list[dict[str, Any]]:
        """Of each model after training: its figures on the test cases, and the epoch that its weights are of."""
        figures = evaluate(self.models, self.task)
        return [
            {"method": method, "seed": seed, **found, "epoch": epoch}
            for (method, seed), found, epoch in zip(self.models.names, figures, self.epochs_of_weights(), strict=True)
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
