"""Share what all ways of training need: the best weights, patience, recording for a GPU, and checkpoints."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch import Tensor

from .evaluation import evaluate
from .models import KEPT, Models, generator
from .optimisers import adam
from .recording import Capture, capture
from .task import Task


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
        self.capture: Capture | None = capture if torch.device(device).type == "cuda" else None
        self._replay: dict[str, Callable[..., Tensor]] = {}

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
        """Return, for each model, whether its training goes on: whether its patience has not run out."""
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

    def recorded(self, name: str, function: Callable[..., Tensor], *example: Tensor) -> Callable[..., Tensor]:
        """Return the function; on a GPU as one recorded graph, which starts hundreds of small operations at once."""
        if self.capture is None:
            return function
        if name not in self._replay:
            self._replay[name] = self._record(self.capture, function, example)
        return self._replay[name]

    def _record(self, capture: Capture, function: Callable[..., Tensor], example: Sequence[Tensor]) -> Callable[..., Tensor]:
        """Record a function, and undo what the recording has changed."""
        buffers = [tensor.clone() for tensor in example]
        before = self.save()
        repeat = capture(lambda: function(*buffers), self.generators.values())
        self.load(before)

        def replay(*arguments: Tensor) -> Tensor:
            for buffer, argument in zip(buffers, arguments, strict=True):
                buffer.copy_(argument)
            return repeat()

        return replay

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
        self._tables: Tensor | None = None

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

    def tables(self) -> Tensor:
        """Return the current contributions of all ids, always in the same tensor, so that a recorded function can use it."""
        with torch.no_grad():
            tables = self.models.tables()
            if self._tables is None:
                self._tables = tables
            return self._tables.copy_(tables)
