"""Train Tax's model soundly: it learns from every transition once in an epoch, and the time head learns the time to come.

Each epoch, the cases are shuffled and laid into rows, which are read 32 events at a time, as for Evermann's model; at the first
event of a case all states are reset. All LSTMs read forwards, so reading a case once gives what each of its prefixes would; there
is no padding, and normalisation counts real places only. The time is that until the next event; after the last one there is none
to learn. Units are means over the training cases. Adam learns; training of a model ends when its loss on the validation cases has
not improved for 10 epochs, and its best weights are used.

A small log has few pieces, so the moving averages of normalisation must not lag: with w the share of real places in a piece,

    counted = 0.9^w counted + w,    average = average + (w / counted) (mean of the piece - average),

a mean over all pieces so far in which the last ten or so count most, and which begins with the first.
"""

from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .models import generator
from .sound import EPOCHS, PATIENCE, ROWS, Pieces
from .task import Part, Task
from .tax_features import Events, waits
from .tax_models import for_branches
from .tax_trainer import Predictions, TaxTrainer, losses_of

RATE = 0.002
FADING = 0.9
_STATE = ("h", "c", "branch.h", "branch.c")


class TaxSoundTrainer(TaxTrainer):
    """Train a model for each seed soundly."""

    patience = PATIENCE

    def __init__(self, task: Task, seeds: Sequence[int], device: str, epochs: int = EPOCHS) -> None:
        super().__init__(task, seeds, device, epochs, [task.training], waits)
        self.tensors |= dict(zip(_STATE, self.models.state(ROWS), strict=True))
        for name in ("done", "counted"):  # steps of each model so far; what counts in its moving averages
            self.tensors[name] = torch.zeros(len(self.models.seeds), device=device)

    def train_epoch(self) -> None:
        """Learn from all pieces, the cases in a new order for each seed."""
        cases = len(self.task.training.lengths)
        orders = [torch.randperm(cases, generator=generator("cpu", "order", seed, self.epoch)) for seed in self.models.seeds]
        laid = [events_in_pieces(self.task.training, order.numpy()) for order in orders]
        for places in torch.stack(laid, dim=1).to(self.device):
            self.recorded("training", self.step, places)(places)

    def step(self, places: Tensor) -> Tensor:
        """Learn from a piece (S, 32, 16) of events (-1: no event), and return the losses before the update.

        A model whose piece is empty does not change.
        """
        losses = self.losses(places)
        gradients = self.gradients(losses)
        with torch.no_grad():
            learns = (places >= 0).flatten(1).any(dim=1)
            self.learn_by_adam(gradients, learns, RATE)
        return losses.detach()

    def losses(self, places: Tensor) -> Tensor:
        """Return the training loss of each model: the mean over all places. Empty ones count 0: a short last piece weighs less.

        The state and the moving averages are updated.
        """
        events, models = self.events["training"], self.models
        rows, values = events.inputs(places)
        is_first = places == events.starts[places.clamp(min=0)]
        keep, real = ((part.transpose(0, 1)[..., None]).to(values.dtype) for part in (~is_first, places >= 0))
        self._count((places >= 0).flatten(1).to(values.dtype).mean(dim=1))
        state = tuple(self.tensors[name] for name in _STATE)
        outputs, after = models.read(rows, values, state, keep, real, self.masks(places[0].numel()))  # type: ignore[arg-type]
        for name, tensor in zip(_STATE, after, strict=True):
            self.tensors[name].copy_(tensor)
        logits, times = models.heads(outputs, for_branches(real))
        return losses_of(events, places.flatten(1), logits, times).mean(dim=1)

    @torch.no_grad()
    def _count(self, real: Tensor) -> None:
        """Set how much a piece with this share of real places counts in the moving averages."""
        counted = self.tensors["counted"]
        counted.mul_(FADING**real).add_(real)
        self.models.share.copy_(real / counted.clamp(min=1e-6))

    @torch.no_grad()
    def predictions(self, events: Events) -> Predictions:
        """Yield predictions after each event, from its case so far, without dropout; whole cases, the longest first."""
        starts = np.cumsum(events.lengths) - events.lengths
        order = np.argsort(-events.lengths, kind="stable")
        order = order[events.lengths[order] > 0]
        while len(order):
            steps = int(events.lengths[order[0]])
            chosen, order = np.split(order, [self.at_a_time(steps)])
            inside = np.arange(steps)[:, None]
            places = torch.from_numpy(np.where(inside < events.lengths[chosen], starts[chosen] + inside, -1)).to(self.device)
            rows, values = events.inputs(places[None])
            outputs, _ = self.models.read(rows, values, self.models.state(len(chosen)))
            logits, times = self.models.heads(outputs)
            real = places.flatten() >= 0
            yield places.flatten()[real], logits[:, real], times[:, real]


def events_in_pieces(part: Part, order: NDArray[np.int64]) -> Tensor:
    """Put the cases into rows in this order, and return the number of the event at each place (pieces, 32, 16), or -1."""
    numbered = Part(np.arange(len(part.ids)), part.offsets)
    return Pieces(numbered, order, end=-1).tensors()[0]
