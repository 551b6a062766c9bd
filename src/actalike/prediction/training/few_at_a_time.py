"""Train Evermann's models on a CPU, a few at a time, in memory that is used again.

A few models share the steps of the LSTM, so that each operation has enough to do; everything else is done model by model, so that
what is computed last is still in the cache. All gradients are written out:

    x = (E[ids] ⊙ mask) / kept,  z = x K + b,  h = LSTM(z, U),  p = softmax(h W + w),  loss = -Σ ln p[target] / places

    ∂(h W + w) = (p - [target]) / places,  ∂W = hᵀ ∂(h W + w),  ∂h = ∂(h W + w) Wᵀ,  ∂K = xᵀ ∂z,  ∂x = ∂z Kᵀ.

Places without a target have no part in it. Columns of E that are zero are left out: their weights in K have no gradient.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .models import KEPT, SIZE, Models
from .optimisers import adam_of_each
from .recurrence import Recurrence

AT_ONCE = 8  # models that share the steps of the LSTM: measured
NOTHING = -100  # no target


@dataclass(frozen=True)
class _Model:
    """Hold the parts of one model: its vectors (None if they are learned), weights and moments, and where its mask is."""

    group: int
    seed: int  # position among the seeds
    table: Tensor | None
    weights: dict[str, Tensor]
    first: dict[str, Tensor]
    second: dict[str, Tensor]

    @property
    def vectors(self) -> Tensor:
        """Return the vectors of all ids (V, D)."""
        return self.weights["table"] if self.table is None else self.table


@dataclass(frozen=True)
class _Piece:
    """Hold a piece of one seed: the ids and the state's keeping, the targets' positions in (V, places), places without one."""

    ids: Tensor
    keep: Tensor
    targets: Tensor
    empty: Tensor

    @classmethod
    def of(cls, ids: Tensor, targets: Tensor, keep: Tensor) -> "_Piece":
        wanted = targets.flatten()
        positions = wanted.clamp(min=0) * len(wanted) + torch.arange(len(wanted))
        return cls(ids.flatten(), keep[..., None], positions, (wanted == NOTHING).nonzero()[:, 0])


class FewAtATime:
    """Compute losses and learn, for any of the models of a log. ``moments`` and ``state`` are changed in place.

    ``moments`` are the first and the second moments by weight, ``done`` (M,) the steps of each model so far, ``state`` the h and
    c (M, B, H) that a piece begins with.
    """

    def __init__(
        self,
        models: Models,
        moments: tuple[Mapping[str, Tensor], Mapping[str, Tensor]],
        done: Tensor,
        state: tuple[Tensor, Tensor],
        steps: int,
    ) -> None:
        self._done, self._state, self._steps, self._batch = done, state, steps, state[0].shape[1]
        self._vocabulary_size = models.vocabulary_size
        self._models = [_model(models, moments, number) for number in range(len(models.names))]
        self._recurrences: dict[int, Recurrence] = {}
        places, largest = steps * self._batch, max(model.vectors.shape[1] for model in self._models)
        at_once = min(AT_ONCE, len(self._models))
        self._dropped = torch.empty(at_once, places * largest)
        self._gradients: dict[str, Tensor] = {}
        self._wide, self._narrow = torch.empty(places, 4 * SIZE), torch.empty(places, SIZE)
        self._shares, self._hits = torch.empty(models.vocabulary_size, places), torch.empty(at_once, places)

    @torch.no_grad()
    def learn(
        self,
        which: Sequence[int],
        ids: Tensor,
        targets: Tensor,
        keep: Tensor,
        masks: Mapping[tuple[int, int], Tensor],
        rate: float,
    ) -> Tensor:
        """Let some models learn from a piece (S, T, B), and return the losses before the update; those of the others are 0.

        ``masks`` are the dropout masks (T B, D) by the number of the group and the position of the seed.
        """
        pieces = [_Piece.of(*parts) for parts in zip(ids, targets, keep, strict=True)]
        losses = torch.zeros(len(self._models))
        learning = [number for number in which if len(pieces[self._models[number].seed].empty) < ids[0].numel()]
        for numbers in chunks(learning):
            models = [self._models[number] for number in numbers]
            own = [pieces[model.seed] for model in models]
            recurrence = self._begin(numbers, own)
            dropped = []
            for j, (model, piece) in enumerate(zip(models, own, strict=True)):
                dropped.append(self._drop(j, model, piece, masks[model.group, model.seed]))
                self._set_gates(recurrence, j, torch.mm(dropped[j], model.weights["kernel"], out=self._wide), model, 1 / KEPT)
            recurrence.forward()
            self._keep_state(numbers, recurrence)
            gradients = [self._gradients_of(j, model) for j, model in enumerate(models)]
            for j, (model, piece) in enumerate(zip(models, own, strict=True)):
                self._learn_output(recurrence, j, model, piece, gradients[j])
            recurrence.backward()
            for j, (model, piece) in enumerate(zip(models, own, strict=True)):
                self._learn_input(recurrence, j, model, piece, dropped[j], masks[model.group, model.seed], gradients[j])
            self._done[numbers] += 1
            adam_of_each(
                [model.weights for model in models],
                gradients,
                [model.first for model in models],
                [model.second for model in models],
                self._done[numbers],
                rate,
            )
            losses[numbers] = self._hits[: len(models)].clamp(min=torch.finfo(torch.float32).tiny).log_().mean(dim=1).neg_()
        return losses

    @torch.no_grad()
    def summed_losses(self, which: Sequence[int], ids: Tensor, targets: Tensor, keep: Tensor) -> Tensor:
        """Return the sums of the losses of some models over pieces (N, T, B) without dropout; the others have an infinite loss.

        The first piece begins with the state 0.
        """
        pieces = [_Piece.of(*parts) for parts in zip(ids, targets, keep, strict=True)]
        sums = torch.full((len(self._models),), float("inf"))
        for numbers in chunks(which):
            models = [self._models[number] for number in numbers]
            tables = [torch.mm(model.vectors, model.weights["kernel"]) for model in models]
            totals = torch.zeros(len(models))
            state = torch.zeros(2, len(models), self._batch, SIZE)
            for piece in pieces:
                recurrence = self._begin(numbers, [piece] * len(models))
                recurrence.first.copy_(state)
                for j, (model, table) in enumerate(zip(models, tables, strict=True)):
                    self._set_gates(recurrence, j, torch.index_select(table, 0, piece.ids, out=self._wide), model, 1.0)
                recurrence.forward()
                state.copy_(recurrence.last)
                for j, model in enumerate(models):
                    totals[j] += self._summed_loss(recurrence, j, model, piece)
            sums[numbers] = totals
        return sums

    def _begin(self, numbers: Sequence[int], pieces: Sequence[_Piece]) -> Recurrence:
        """Return the recurrence of as many models, with their recurrent weights, state and keeping set."""
        if len(numbers) not in self._recurrences:
            self._recurrences[len(numbers)] = Recurrence(self._steps, len(numbers), self._batch, SIZE)
        recurrence = self._recurrences[len(numbers)]
        for part, whole in zip(recurrence.first, self._state, strict=True):
            torch.index_select(whole, 0, torch.tensor(numbers), out=part)
        torch.stack([self._models[number].weights["recurrent"] for number in numbers], out=recurrence.recurrent)
        torch.stack([piece.keep for piece in pieces], dim=1, out=recurrence.keep)
        return recurrence

    def _keep_state(self, numbers: Sequence[int], recurrence: Recurrence) -> None:
        for part, whole in zip(recurrence.last, self._state, strict=True):
            whole.index_copy_(0, torch.tensor(numbers), part)

    def _drop(self, j: int, model: _Model, piece: _Piece, mask: Tensor) -> Tensor:
        """Return the vectors of the ids with dropout, not yet divided by the share that is kept."""
        vectors = model.vectors
        dropped = self._dropped[j][: len(piece.ids) * vectors.shape[1]].view(len(piece.ids), -1)
        return torch.index_select(vectors, 0, piece.ids, out=dropped).mul_(mask[:, : vectors.shape[1]])

    def _set_gates(self, recurrence: Recurrence, j: int, product: Tensor, model: _Model, factor: float) -> None:
        """Set what the inputs contribute to the gates: the product times the factor, plus the bias."""
        scale = recurrence.scale
        contributions = product.view(self._steps, self._batch, -1)
        torch.addcmul(model.weights["bias"] * scale, contributions, scale * factor, out=recurrence.gates[:, j])

    def _logits(self, recurrence: Recurrence, j: int, model: _Model) -> Tensor:
        """Return the logits (V, places) less the largest of each place, and leave the outputs of the LSTM in ``_narrow``.

        Places are the last axis, because a sum over the first axis is faster than one over a short last one.
        """
        outputs = self._narrow.view(self._steps, self._batch, SIZE).copy_(recurrence.outputs[:, j]).view(-1, SIZE)
        bias = model.weights["out_bias"][:, None]
        logits = torch.addmm(bias, model.weights["out"].t(), outputs.t(), out=self._shares)
        return logits.sub_(logits.amax(dim=0))

    def _learn_output(
        self, recurrence: Recurrence, j: int, model: _Model, piece: _Piece, gradients: Mapping[str, Tensor]
    ) -> None:
        """Compute the gradients of the output layer and of the LSTM's outputs, and note the shares of the targets."""
        shares, hits = self._logits(recurrence, j, model).exp_(), self._hits[j]
        shares.mul_(shares.sum(dim=0).reciprocal_())
        torch.take(shares, piece.targets, out=hits)
        shares.view(-1).index_copy_(0, piece.targets, hits - 1)
        if len(piece.empty):
            shares.index_fill_(1, piece.empty, 0.0)
            hits.index_fill_(0, piece.empty, 1.0)
        share = 1 / len(hits)
        torch.addmm(gradients["out"], self._narrow.t(), shares.t(), beta=0, alpha=share, out=gradients["out"])
        torch.sum(shares, dim=1, out=gradients["out_bias"]).mul_(share)
        of_outputs = torch.addmm(self._narrow, shares.t(), model.weights["out"].t(), beta=0, alpha=share, out=self._narrow)
        recurrence.of_outputs[:, j] = of_outputs.view(self._steps, self._batch, SIZE)

    def _learn_input(
        self,
        recurrence: Recurrence,
        j: int,
        model: _Model,
        piece: _Piece,
        dropped: Tensor,
        mask: Tensor,
        gradients: Mapping[str, Tensor],
    ) -> None:
        """Compute the gradients of the recurrent weights, the bias, the kernel, and of the vectors if they are learned."""
        shape = self._steps, self._batch, -1
        of_gates = self._wide.view(shape).copy_(recurrence.of_gates[:, j]).view(self._wide.shape)
        before = self._narrow.view(shape).copy_(recurrence.before[:, j]).view(self._narrow.shape)
        torch.mm(before.t(), of_gates, out=gradients["recurrent"])
        torch.sum(of_gates, dim=0, out=gradients["bias"])
        kernel = gradients["kernel"]
        torch.addmm(kernel, dropped.t(), of_gates, beta=0, alpha=1 / KEPT, out=kernel)
        if model.table is None:
            of_vectors = torch.mm(of_gates, model.weights["kernel"].t()).mul_(mask).div_(KEPT)
            gradients["table"].zero_().index_add_(0, piece.ids, of_vectors)

    def _summed_loss(self, recurrence: Recurrence, j: int, model: _Model, piece: _Piece) -> Tensor:
        """Return the sum of the losses over the places that have a target: Σ ln Σ exp(logits) - logit of the target."""
        logits = self._logits(recurrence, j, model)
        hits = torch.take(logits, piece.targets, out=self._hits[j])
        return logits.exp_().sum(dim=0).log_().sub_(hits).index_fill_(0, piece.empty, 0.0).sum()

    def _gradients_of(self, j: int, model: _Model) -> dict[str, Tensor]:
        """Return memory for the gradients of the j-th of some models."""
        gradients = {}
        for name, weight in model.weights.items():
            key = f"{j}.{name}"
            if key not in self._gradients or self._gradients[key].numel() < weight.numel():
                self._gradients[key] = torch.empty(weight.numel())
            gradients[name] = self._gradients[key][: weight.numel()].view_as(weight)
        return gradients


def chunks(numbers: Sequence[int]) -> list[list[int]]:
    """Divide the numbers of models into chunks of almost equal size, as few as possible.

    >>> [len(chunk) for chunk in chunks(range(17))]
    [6, 6, 5]
    """
    if not numbers:
        return []
    return [chunk.tolist() for chunk in np.array_split(np.asarray(numbers), -(-len(numbers) // AT_ONCE))]


def _model(models: Models, moments: tuple[Mapping[str, Tensor], Mapping[str, Tensor]], number: int) -> _Model:
    """Return the parts of a model, without the dimensions at the end in which all its vectors are 0."""
    place = models.place_of(number)
    table = models.groups[place.group].table
    used, vectors = SIZE, None
    if table is not None:
        filled = table[place.method].any(dim=0).nonzero()
        used = int(filled.max()) + 1 if len(filled) else 1
        vectors = table[place.method][:, :used].contiguous()
    parts = []
    for values in (models.weights, *moments):
        own = {name: tensor.detach() for name, tensor in models.of_model(number, values)}
        kernel = own.pop(f"kernel_{place.group}")
        parts.append({"kernel": kernel[:used], **own})
    return _Model(place.group, place.seed, vectors, *parts)
