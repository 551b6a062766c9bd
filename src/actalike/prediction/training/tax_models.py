"""Define Tax's models, many at once: a model for each seed, trained as one.

Each model: an LSTM of 100 over the events, batch normalisation, and two branches, one for the activity and one for the time, each
an LSTM of 100 and batch normalisation; then a logit for each id, or the time. Dropout of 0.2 is on the input of each LSTM.

What the description leaves open is as in Keras: Glorot's uniform weights (the recurrent ones too), a bias of 1 for the forget
gates; dropout drops every number of every step for itself, and the same for all gates, as Keras' fused LSTM does; normalisation
in training has the mean and the (biased) variance of the batch, and afterwards their moving averages.
"""

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from .lstm import lstm
from .models import generator
from .tax_features import NUMBERS

SIZE = 100
KEPT = 0.8
BRANCHES = 2  # first the activity's, then the time's
SHARE, TINY = 0.01, 1e-3  # of normalisation: how much a batch counts in the moving averages, and what is added to variances

State = tuple[Tensor, Tensor, Tensor, Tensor]  # h and c of the first LSTM (S, B, H), then those of the branches (2 S, B, H)


class Masks(NamedTuple):
    """Hold the dropout masks, zeros and ones: for an event's values (S, T B, 6), and for the branches' inputs (S, 2, T B, H)."""

    values: Tensor
    branches: Tensor


class TaxModels:
    """Hold the weights of all models and their moving averages, by name. The first axis of each tensor is the models.

    ``share`` (S,) is how much a batch counts in the moving averages: a trainer may change it in place.
    """

    def __init__(self, vocabulary_size: int, seeds: Sequence[int], device: str) -> None:
        self.vocabulary_size, self.seeds, self.device = vocabulary_size, list(seeds), device
        shapes: dict[str, tuple[int, ...]] = {
            "kernel": (vocabulary_size - 1 + NUMBERS, 4 * SIZE),
            "recurrent": (SIZE, 4 * SIZE),
            "bias": (4 * SIZE,),
            "scale": (SIZE,),
            "shift": (SIZE,),
            "branch.kernel": (BRANCHES, SIZE, 4 * SIZE),
            "branch.recurrent": (BRANCHES, SIZE, 4 * SIZE),
            "branch.bias": (BRANCHES, 4 * SIZE),
            "branch.scale": (BRANCHES, SIZE),
            "branch.shift": (BRANCHES, SIZE),
            "activity": (SIZE, vocabulary_size),
            "activity_bias": (vocabulary_size,),
            "time": (SIZE, 1),
            "time_bias": (1,),
        }
        starts = [generator("cpu", "start", "tax", seed) for seed in seeds]
        self.weights = {
            name: torch.stack([_start(name, shape, randomness) for randomness in starts]).to(device).requires_grad_()
            for name, shape in shapes.items()
        }
        self.share = torch.full((len(self.seeds),), SHARE, device=device)
        self.moving = {
            f"{layer}{what}": torch.full_like(self.weights[f"{layer}scale"], value, requires_grad=False)
            for layer in ("", "branch.")
            for what, value in (("mean", 0.0), ("variance", 1.0))
        }

    def state(self, batch: int) -> State:
        """Return the initial state, which is 0."""
        return tuple(torch.zeros(n * len(self.seeds), batch, SIZE, device=self.device) for n in (1, 1, BRANCHES, BRANCHES))  # type: ignore[return-value]

    def read(
        self,
        rows: Tensor,
        values: Tensor,
        state: State,
        keep: Tensor | None = None,
        real: Tensor | None = None,
        masks: Masks | None = None,
    ) -> tuple[Tensor, State]:
        """Read T steps. Return the outputs of the branches (T, 2 S, B, H) and the state afterwards.

        ``rows`` (S or 1, T, B) and ``values`` (S or 1, T, B, 6) are of the events; where ``keep`` (T, S, B, 1) is 0, all states
        are forgotten before the step; ``real`` and ``masks`` are given in training: the places that normalisation counts, with a
        1, and dropout.
        """
        h, c, branch_h, branch_c = state
        outputs, h, c = lstm(self._gates(rows, values, masks), self.weights["recurrent"], h, c, keep)
        z = self._branch_gates(self.normalised(outputs, "", real), masks)
        kept = None if keep is None else for_branches(keep)
        outputs, branch_h, branch_c = lstm(z, self.weights["branch.recurrent"].flatten(0, 1), branch_h, branch_c, kept)
        return outputs, (h, c, branch_h, branch_c)

    def _gates(self, rows: Tensor, values: Tensor, masks: Masks | None) -> Tensor:
        """Return what events contribute to the gates of the first LSTM: (T, S, B, 4H). One-hot vectors are not written out."""
        kernel, (_, steps, batch) = self.weights["kernel"], rows.shape
        models, size, width = kernel.shape
        values = values.flatten(1, 2) if masks is None else values.flatten(1, 2) * masks.values / KEPT
        offsets = torch.arange(models, device=rows.device)[:, None] * size
        of_activity = functional.embedding(rows.flatten(1) + offsets, kernel.flatten(0, 1))
        z = of_activity * values[..., :1] + values[..., 1:] @ kernel[:, -NUMBERS:] + self.weights["bias"][:, None]
        return z.view(models, steps, batch, width).transpose(0, 1).contiguous()

    def _branch_gates(self, read: Tensor, masks: Masks | None) -> Tensor:
        """Return what the first layer's outputs (T, S, B, H) contribute to the gates of the branches: (T, 2 S, B, 4H)."""
        steps, models, batch, size = read.shape
        joined = read.transpose(0, 1).reshape(models, 1, steps * batch, size)
        joined = joined if masks is None else joined * masks.branches / KEPT
        z = joined @ self.weights["branch.kernel"] + self.weights["branch.bias"][:, :, None]
        return z.view(models * BRANCHES, steps, batch, -1).transpose(0, 1).contiguous()

    def normalised(self, outputs: Tensor, layer: str, real: Tensor | None) -> Tensor:
        """Return scale (x - mean) / sqrt(variance + 0.001) + shift of outputs (T, S or 2 S, B, H), for each model and number.

        If ``real`` is given, mean and variance are computed over the real places, and update the moving averages. Otherwise the
        moving averages are used.
        """
        scale, shift = (self.weights[f"{layer}{what}"].view(-1, 1, SIZE) for what in ("scale", "shift"))
        if real is None:
            mean, variance = (self.moving[f"{layer}{what}"].view(-1, 1, SIZE) for what in ("mean", "variance"))
        else:
            count = real.sum((0, 2), keepdim=True).clamp(min=1)
            mean = (outputs * real).sum((0, 2), keepdim=True) / count
            variance = ((outputs - mean) ** 2 * real).sum((0, 2), keepdim=True) / count
            self._move(layer, mean, variance)
        return (outputs - mean) * (scale * (variance + TINY).rsqrt()) + shift

    @torch.no_grad()
    def _move(self, layer: str, mean: Tensor, variance: Tensor) -> None:
        for what, value in (("mean", mean), ("variance", variance)):
            moving = self.moving[f"{layer}{what}"]
            moving.lerp_(value.view_as(moving), self.share.view(-1, *[1] * (moving.dim() - 1)))

    def heads(self, outputs: Tensor, real: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Return the logits (S, T B, V) and the times (S, T B), given the outputs of the branches (T, 2 S, B, H)."""
        steps, models, batch, size = outputs.shape
        normal = self.normalised(outputs, "branch.", real).view(steps, -1, BRANCHES, batch, size)
        activity, time = normal.permute(2, 1, 0, 3, 4).reshape(BRANCHES, models // BRANCHES, steps * batch, size)
        logits = torch.baddbmm(self.weights["activity_bias"][:, None], activity, self.weights["activity"])
        return logits, torch.baddbmm(self.weights["time_bias"][:, None], time, self.weights["time"])[..., 0]


def for_branches(of_models: Tensor) -> Tensor:
    """Repeat values for models (T, S, B, ...), so that there is one for each of their branches."""
    return of_models[:, :, None].expand(-1, -1, BRANCHES, *of_models.shape[2:]).flatten(1, 2)


def _start(name: str, shape: tuple[int, ...], randomness: torch.Generator) -> Tensor:
    """Return the initial value of a weight."""
    if name.endswith("scale"):
        return torch.ones(shape)
    if name.endswith(("bias", "shift")):
        zeros = torch.zeros(shape)
        if name in ("bias", "branch.bias"):
            zeros[..., SIZE : 2 * SIZE] = 1.0
        return zeros
    limit = (6 / sum(shape[-2:])) ** 0.5
    return (2 * torch.rand(shape, generator=randomness) - 1) * limit
