"""Share what both ways of training Tax's models need: dropout, losses, validation, and the scores on the test cases."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .evaluation import brier_sums
from .models import generator
from .names import TAX
from .scores import scores
from .task import Part, Task
from .tax_features import DAY, Events, Floats, Units, events_of, units_of, waits
from .tax_models import BRANCHES, KEPT, SIZE, Masks, TaxModels
from .trainer import JointTrainer

_CELLS = 1 << 24  # numbers of the largest tensor when predicting

Predictions = Iterator[tuple[Tensor, Tensor, Tensor]]  # some events, the logits (S, n, V) and the times (S, n) after them


class TaxTrainer(JointTrainer):
    """Train a model for each seed. A subclass defines what the time head learns and how cases are read.

    ``known`` are the cases whose mean times are the units. ``time`` returns what the time head should predict after each event of
    some cases, in seconds, and whether it should predict anything.
    """

    def __init__(
        self,
        task: Task,
        seeds: Sequence[int],
        device: str,
        epochs: int,
        known: Sequence[Part],
        time: Callable[[Part], tuple[Floats, NDArray[np.bool_]]],
    ) -> None:
        self.units: Units = units_of(known)
        self.models = TaxModels(task.vocabulary_size, seeds, device)
        super().__init__(task, self.models.weights | self.models.moving, len(self.models.seeds), device, epochs)
        self.events: dict[str, Events] = {}
        for name in ("training", "validation", "test"):
            part = getattr(task, name)
            self.events[name] = events_of(task, part, self.units, *time(part), device)
        for moment in ("first", "second"):
            self.tensors |= {f"{moment}.{name}": torch.zeros_like(weight) for name, weight in self.models.weights.items()}
        self.generators |= {f"dropout.{seed}": generator(device, "dropout", TAX, seed) for seed in seeds}

    @abstractmethod
    def predictions(self, events: Events) -> Predictions:
        """Yield predictions after each event, from its case so far, without dropout."""

    def masks(self, places: int) -> Masks:
        """Return dropout masks for a number of places."""
        shapes = (places, self.events["training"].values.shape[1]), (BRANCHES, places, SIZE)
        masks = [torch.empty(len(self.generators), *shape, dtype=torch.uint8, device=self.device) for shape in shapes]
        for seed, randomness in enumerate(self.generators.values()):
            for mask in masks:
                mask[seed].bernoulli_(KEPT, generator=randomness)
        return Masks(*masks)

    @torch.no_grad()
    def validation_losses(self) -> Tensor | None:
        """Return the mean loss over all events of the validation cases."""
        events = self.events["validation"]
        total = torch.zeros(len(self.models.seeds), device=self.device)
        for places, logits, times in self.predictions(events):
            total += losses_of(events, places[None], logits, times).sum(dim=1)
        return total / len(events.rows) if len(events.rows) else None

    def outcomes(self) -> list[dict[str, Any]]:
        """Return, for each trained model, its scores on the test cases and the epoch of its weights."""
        predicted, brier, seconds = self.evaluate()
        targets = self.task.targets()
        return [
            {
                "method": TAX,
                "seed": seed,
                **scores(targets, predicted[m], float(brier[m]), self.task.vocabulary_size),
                **self.time_figures(seconds[m]),
                "epoch": epoch,
            }
            for m, (seed, epoch) in enumerate(zip(self.models.seeds, self.epochs_of_weights(), strict=True))
        ]

    def time_figures(self, seconds: Floats) -> dict[str, float | None]:
        """Return ``time_mae``, the mean absolute error of the time until the next event in days.

        The mean is over all events of the test cases that have a next event.
        """
        return {"time_mae": mean_error(seconds, *waits(self.task.test))}

    @torch.no_grad()
    def evaluate(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Return, for each model, the likeliest id after each event of the test cases, the mean Brier score, and the seconds."""
        events = self.events["test"]
        shape = len(self.models.seeds), len(events.rows)
        predicted, seconds = np.zeros(shape, dtype=np.int64), np.zeros(shape)
        brier = torch.zeros(shape[0], dtype=torch.float64, device=self.device)
        for places, logits, times in self.predictions(events):
            at = places.cpu().numpy()
            predicted[:, at] = logits.argmax(dim=2).cpu().numpy()
            seconds[:, at] = times.cpu().numpy() * self.units.gap
            brier += brier_sums(logits, events.targets[places])
        return predicted, (brier / max(shape[1], 1)).cpu().numpy(), seconds

    def at_a_time(self, steps: int) -> int:
        """Return how many sequences of this length are predicted at once."""
        widest = max(BRANCHES * 4 * SIZE, self.models.vocabulary_size)
        return max(1, _CELLS // (len(self.models.seeds) * steps * widest))


def losses_of(events: Events, places: Tensor, logits: Tensor, times: Tensor) -> Tensor:
    """Return the losses (S, n) after each event (S or 1, n): -ln p(target) + |time - target|, the latter if there is a time.

    A negative number stands for no event; its loss is 0.
    """
    numbers = places.clamp(min=0).expand(len(logits), -1)
    wanted = events.targets[numbers].flatten()
    of_activity = torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted, reduction="none").view_as(times)
    return (of_activity + (times - events.times[numbers]).abs() * events.timed[numbers]) * (places >= 0)


def mean_error(predicted: Floats, true: Floats, counts: NDArray[np.bool_]) -> float | None:
    """Return the mean absolute error in days, given seconds, over the events that count; None if none counts."""
    return float(np.abs(predicted - true)[counts].mean() / DAY) if counts.any() else None
