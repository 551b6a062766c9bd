"""Train Tax's model as published: every prefix is a sample, padded to one length, and the time head learns to copy an input.

Each prefix of each case is a sample; before it come empty places (all inputs 0, not masked: LSTMs and normalisation see them) up
to the length of the log's longest case, and one more. Samples are in the order of the cases (here by time; as it was run, by
file), never shuffled, in batches of 32, of which the last may be smaller. The loss is the mean over samples of cross-entropy plus
absolute error of the time; the time is, as it was run, that between the last event of the prefix and the one before it, which is
an input. Units are means over the whole log, including the test cases. Each number of a gradient is clipped to [-3, 3]. The
optimiser is Nadam with a rate of 0.002, which is halved for a model after 10 epochs in which its validation loss did not fall by
0.0001. Training ends after 200 epochs, or 42 without a lower validation loss, and the weights with the lowest loss are used.

Without dropout, empty places are the same for all samples, so they are read only once, and a sample goes on from the state after
as many of them as it has.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .optimisers import momentum, nadam
from .task import Part, Task
from .tax_features import Events, Floats, gaps
from .tax_models import State, for_branches
from .tax_trainer import Predictions, TaxTrainer, losses_of, mean_error

BATCH = 32
EPOCHS = 200
PATIENCE = 42
RATE, CLIP = 0.002, 3.0
PLATEAU, IMPROVEMENT = 10, 1e-4


def copied_time(part: Part) -> tuple[Floats, NDArray[np.bool_]]:
    """Return what the time head learns: the gap before each event, for all events."""
    return gaps(part), np.ones(len(part.ids), dtype=bool)


class TaxPublishedTrainer(TaxTrainer):
    """Train a model for each seed as published."""

    patience = PATIENCE

    def __init__(self, task: Task, seeds: Sequence[int], device: str, epochs: int = EPOCHS) -> None:
        parts = task.training, task.validation, task.test
        super().__init__(task, seeds, device, epochs, parts, copied_time)
        self.steps = max(int(part.lengths.max(initial=0)) for part in parts) + 1
        n = len(self.models.seeds)
        self.tensors |= {
            "done": torch.zeros((), device=device),  # batches so far, of all epochs
            "product": torch.ones((), device=device),  # of Nadam's momenta so far
            "rate": torch.full((n,), RATE, device=device),
            "plateau": torch.full((n,), float("inf"), device=device),
            "waited": torch.zeros(n, dtype=torch.int64, device=device),
        }

    def train_epoch(self) -> None:
        """Learn from all prefixes."""
        prefixes = torch.arange(len(self.events["training"].rows), device=self.device)  # each has the number of its last event
        for start in range(0, len(prefixes), BATCH):
            ends = prefixes[start : start + BATCH]
            self.recorded(f"training {len(ends)}", self.step, ends)(ends)

    def step(self, ends: Tensor) -> Tensor:
        """Learn from the prefixes that end with these events, and return the losses before the update."""
        losses = self.losses(ends)
        gradients = self.gradients(losses)
        with torch.no_grad():
            self.tensors["done"] += 1
            self.tensors["product"] *= momentum(self.tensors["done"])
            for name, gradient in gradients.items():
                moments = self.tensors[f"first.{name}"], self.tensors[f"second.{name}"]
                schedule = self.tensors["done"], self.tensors["product"], self.for_each(self.tensors["rate"], name)
                nadam(self.models.weights[name], gradient.clamp_(-CLIP, CLIP), *moments, *schedule)
        return losses.detach()

    def losses(self, ends: Tensor) -> Tensor:
        """Return the training loss of each model on the prefixes that end with these events."""
        events, models = self.events["training"], self.models
        rows, values = events.inputs(places_of(events, ends, self.steps)[None])
        everywhere = values.new_ones(self.steps, len(models.seeds), len(ends), 1)
        outputs, _ = models.read(rows, values, models.state(len(ends)), real=everywhere, masks=self.masks(rows.numel()))
        logits, times = models.heads(outputs[-1:], for_branches(everywhere[-1:]))
        return losses_of(events, ends[None], logits, times).mean(dim=1)

    @torch.no_grad()
    def adapt(self, losses: Tensor) -> None:
        """Halve the rate of a model whose loss has not fallen for long."""
        plateau, waited, rate = (self.tensors[name] for name in ("plateau", "waited", "rate"))
        falls = losses < plateau - IMPROVEMENT
        plateau.copy_(torch.where(falls, losses, plateau))
        waited.copy_(torch.where(falls, 0, waited + 1))
        rate.copy_(torch.where(waited >= PLATEAU, rate / 2, rate))
        waited.copy_(torch.where(waited >= PLATEAU, 0, waited))

    @torch.no_grad()
    def predictions(self, events: Events) -> Predictions:
        """Yield predictions after each event, from its case so far, without dropout; the longest prefixes first."""
        lengths = torch.arange(len(events.starts), device=self.device) - events.starts + 1
        order = torch.argsort(lengths, descending=True, stable=True)
        empty = self._states_after_empty_places()
        start = 0
        while start < len(order):
            steps = int(lengths[order[start]])
            ends = order[start : start + self.at_a_time(steps)]
            state = [part.expand(-1, len(ends), -1).contiguous() for part in empty[self.steps - steps]]
            rows, values = events.inputs(places_of(events, ends, steps)[None])
            outputs, _ = self.models.read(rows, values, tuple(state))  # type: ignore[arg-type]
            yield ends, *self.models.heads(outputs[-1:])
            start += len(ends)

    def _states_after_empty_places(self) -> list[State]:
        """Return the states after 0, 1, ... empty places."""
        states = [self.models.state(1)]
        rows, values = self.events["training"].inputs(torch.full((1, 1, 1), -1, device=self.device))
        for _ in range(self.steps - 1):
            states.append(self.models.read(rows, values, states[-1])[1])
        return states

    def time_figures(self, seconds: Floats) -> dict[str, float | None]:
        """Return the errors of the time head. ``copied_time_mae`` is its error for what it learned, the time before an event."""
        return {**super().time_figures(seconds), "copied_time_mae": mean_error(seconds, *copied_time(self.task.test))}


def places_of(events: Events, ends: Tensor, steps: int) -> Tensor:
    """Return the events (steps, B) of the prefixes that end with these events; -1 for an empty place."""
    places = ends - torch.arange(steps - 1, -1, -1, device=ends.device)[:, None]
    return torch.where(places >= events.starts[ends], places, -1)
