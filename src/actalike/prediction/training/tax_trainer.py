"""What both ways of training Tax's models share: dropout, losses, validation, and the figures on the test cases."""

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
    """Trains a model for each seed. A way of training says what the time head learns, and how cases are read.

    ``known`` are the cases whose mean times are the units; ``time`` is what the time head should say after each event of some
    cases, in seconds, and whether it should say anything.
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
        """After each event, from its case so far, without dropout."""

    def masks(self, places: int) -> Masks:
        """Dropout for so many places."""
        shapes = (places, self.events["training"].values.shape[1]), (BRANCHES, places, SIZE)
        masks = [torch.empty(len(self.generators), *shape, dtype=torch.uint8, device=self.device) for shape in shapes]
        for seed, randomness in enumerate(self.generators.values()):
            for mask in masks:
                mask[seed].bernoulli_(KEPT, generator=randomness)
        return Masks(*masks)

    @torch.no_grad()
    def validation_losses(self) -> Tensor | None:
        """The mean over all events of the validation cases."""
        events = self.events["validation"]
        total = torch.zeros(len(self.models.seeds), device=self.device)
        for places, logits, times in self.predictions(events):
            total += losses_of(events, places[None], logits, times).sum(dim=1)
        return total / len(events.rows) if len(events.rows) else None

    def outcomes(self) -> list[dict[str, Any]]:
        """Of each model after training: its figures on the test cases, and the epoch that its weights are of."""
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
        """``time_mae`` is how far the time head is from the time until the next event, in days: the mean over all events of the
        test cases that have a next one.
        """
        return {"time_mae": mean_error(seconds, *waits(self.task.test))}

    @torch.no_grad()
    def evaluate(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        """For each model, after each event of the test cases: the likeliest id and the seconds; and the mean of Brier's score."""
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
        """How many sequences of so many steps are predicted at once."""
        widest = max(BRANCHES * 4 * SIZE, self.models.vocabulary_size)
        return max(1, _CELLS // (len(self.models.seeds) * steps * widest))


def losses_of(events: Events, places: Tensor, logits: Tensor, times: Tensor) -> Tensor:
    """After each event (S or 1, n), -ln p(target) + |time - target|, the latter where there is a time: (S, n).

    The number of an event is negative where there is none; its loss is 0.
    """
    found = places.clamp(min=0).expand(len(logits), -1)
    wanted = events.targets[found].flatten()
    of_activity = torch.nn.functional.cross_entropy(logits.flatten(0, 1), wanted, reduction="none").view_as(times)
    return (of_activity + (times - events.times[found]).abs() * events.timed[found]) * (places >= 0)


def mean_error(said: Floats, true: Floats, counts: NDArray[np.bool_]) -> float | None:
    """The mean absolute error in days, of seconds; None where nothing counts."""
    return float(np.abs(said - true)[counts].mean() / DAY) if counts.any() else None
