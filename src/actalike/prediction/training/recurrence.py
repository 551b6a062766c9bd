"""Train many small LSTMs at once: K methods with S seeds each are M = K S models, which advance together step by step.

A model (:class:`Models`): the vector of an id, dropout, an LSTM of 32, and a logit for each id of the vocabulary. Methods whose
vectors have the same number of dimensions form a group, so the products of a group are one batched product.

On a GPU, :func:`lstm` takes a step of all models as one batched product and one pass over the gates, and :func:`capture` records
whole batches. On a CPU, :class:`CpuTraining` trains a few models at a time in memory that is used again, which takes about half
the time (0.28 s instead of 0.55 s for one model, 3.6 instead of 7.1 for forty); ``lstm`` works there too, and is what it is
compared with. ``torch.nn.LSTM`` is as fast for one model, but cannot forget its state where a case begins in a row, and for many
models it runs one after the other. Gates are in the order input, forget, candidate, output.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.optim.adam import adam as torch_adam

from .task import ORIGINAL, Vectors

SIZE = 32
KEPT = 0.8 * 0.8  # two dropouts of 0.2 in a row, on the vector and on the LSTM's input: one number drops both
AT_ONCE = 8  # models that share the steps of the LSTM: measured
NOTHING = -100  # no target
BETAS = 0.9, 0.999
TINY = 1e-8
WARM_UPS = 2  # torch requires some calls on another stream before a recording
Capture = Callable[[Callable[[], Tensor], Iterable[torch.Generator]], Callable[[], Tensor]]


@dataclass(frozen=True)
class Group:
    """Hold methods of the same number of dimensions: their names and vectors (K, V, D), or None if the vectors are learned."""

    methods: tuple[str, ...]
    table: Tensor | None

    @property
    def dimensions(self) -> int:
        """Return the number of dimensions of the vectors."""
        return SIZE if self.table is None else int(self.table.shape[2])


class Position(NamedTuple):
    """Say where a model is: the numbers of its group, of its method in the group, and of its seed."""

    group: int
    method: int
    seed: int


def make_groups(vectors: Sequence[Vectors], original: bool, device: str) -> list[Group]:
    """Group methods by their number of dimensions, the smallest number first."""
    sizes = sorted({method.dimensions for method in vectors})
    groups = []
    for size in sizes:
        members = [method for method in vectors if method.dimensions == size]
        table = torch.from_numpy(np.stack([method.dense() for method in members])).to(device)
        groups.append(Group(tuple(method.method for method in members), table))
    if original:
        groups.append(Group((ORIGINAL,), None))
    return groups


def generator(device: str, *what: object) -> torch.Generator:
    """Return a random generator seeded by ``what`` alone, so that a model does not depend on the models trained beside it."""
    digest = hashlib.sha256(repr(what).encode()).digest()
    return torch.Generator(device).manual_seed(int.from_bytes(digest[:7], "little"))


class Models:
    """Hold the weights of all models, by name. The first axes of each tensor are the models (M) or methods and seeds (K, S).

    ``kernel_i`` (K, S, D, 4H) are the i-th group's input weights, ``recurrent`` (M, H, 4H), ``bias`` (M, 4H), ``out`` (M, H, V),
    ``out_bias`` (M, V); ``table`` (S, V, H) the learned vectors. Models are in the order of the groups, methods, seeds.
    """

    def __init__(
        self, groups: Sequence[Group], vocabulary_size: int, seeds: Sequence[int], device: str, table_limit: float = 0.05
    ) -> None:
        self.groups, self.seeds, self.device = list(groups), list(seeds), device
        self._table_limit = table_limit
        self.vocabulary_size = vocabulary_size
        self.names = [(method, seed) for group in groups for method in group.methods for seed in seeds]
        self.weights: dict[str, Tensor] = {}
        self._spans: dict[str, slice] = {}  # the models of those weights that not all models have
        start = 0
        for i, group in enumerate(groups):
            span = slice(start, start + len(group.methods) * len(seeds))
            shapes = {f"kernel_{i}": (group.dimensions, 4 * SIZE)}
            if group.table is None:
                shapes["table"] = (vocabulary_size, SIZE)
            for name, shape in shapes.items():
                self.weights[name] = torch.empty(len(group.methods), len(seeds), *shape, device=device)
                self._spans[name] = span
            start = span.stop
        of_all = {
            "recurrent": (SIZE, 4 * SIZE),
            "bias": (4 * SIZE,),
            "out": (SIZE, vocabulary_size),
            "out_bias": (vocabulary_size,),
        }
        for name, size in of_all.items():
            self.weights[name] = torch.empty(len(self.names), *size, device=device)
        for model, (method, seed) in enumerate(self.names):
            self._start(model, generator("cpu", "start", method, seed))
        for weight in self.weights.values():
            weight.requires_grad_()

    @torch.no_grad()
    def _start(self, model: int, randomness: torch.Generator) -> None:
        """Initialise a model: Glorot's uniform weights, biases of 0 (1 for the forget gate), uniform learned vectors."""
        for name, tensor in self.of_model(model):
            if name in ("bias", "out_bias"):
                tensor.zero_()
                if name == "bias":
                    tensor[SIZE : 2 * SIZE] = 1.0
                continue
            limit = self._table_limit if name == "table" else (6 / sum(tensor.shape)) ** 0.5
            tensor.copy_((2 * torch.rand(tensor.shape, generator=randomness) - 1) * limit)

    def position_of(self, model: int) -> Position:
        """Return where a model is: the numbers of its group, of its method in the group, and of its seed."""
        method, seed = divmod(model, len(self.seeds))
        for number, group in enumerate(self.groups):
            if method < len(group.methods):
                return Position(number, method, seed)
            method -= len(group.methods)
        raise IndexError(model)

    def of_model(self, model: int, values: Mapping[str, Tensor] | None = None) -> Iterator[tuple[str, Tensor]]:
        """Yield the weights of one model, by name; or its part of other values of the same names and shapes."""
        for name, weight in (self.weights if values is None else values).items():
            span = self._spans.get(name)
            if span is None:
                yield name, weight[model]
            elif span.start <= model < span.stop:
                yield name, weight.flatten(0, 1)[model - span.start]

    def part(self, values: Tensor, name: str) -> Tensor:
        """Return, of values for all models, those for the models that have a weight of this name."""
        if name not in self._spans:
            return values
        return values[self._spans[name]]

    def leading(self, name: str) -> tuple[int, ...]:
        """Return the sizes of the axes of a weight that stand for models."""
        return tuple(self.weights[name].shape[: 2 if name in self._spans else 1])

    def trailing(self, name: str) -> int:
        """Return how many axes of a weight belong to one model."""
        return self.weights[name].dim() - len(self.leading(name))

    def inputs(self, ids: Tensor, masks: Sequence[Tensor]) -> Tensor:
        """Return what the ids (S, T, B) contribute to the gates, with dropout: (T, M, B, 4H).

        ``masks`` holds zeros and ones (S, T B, D) for each group.
        """
        seeds, steps, batch = ids.shape
        flat = ids.reshape(seeds, -1)
        parts = []
        for i, (group, mask) in enumerate(zip(self.groups, masks, strict=True)):
            if group.table is None:
                looked_up = torch.stack([table[rows] for table, rows in zip(self.weights["table"][0], flat, strict=True)])
                dropped = (looked_up * mask)[None]
            else:
                dropped = group.table[:, flat]
                dropped = dropped.mul_(mask)
            parts.append((dropped @ self.weights[f"kernel_{i}"]).flatten(0, 1))
        z = torch.cat(parts).div_(KEPT).add_(self.weights["bias"][:, None])
        return z.view(len(self.names), steps, batch, -1).transpose(0, 1).contiguous()

    def tables(self) -> Tensor:
        """Return what each id contributes to the gates without dropout: (M, V, 4H)."""
        parts = []
        for i, group in enumerate(self.groups):
            table = self.weights["table"] if group.table is None else group.table[:, None]
            parts.append((table @ self.weights[f"kernel_{i}"]).flatten(0, 1))
        return torch.cat(parts) + self.weights["bias"][:, None]

    def run(self, z: Tensor, h: Tensor, c: Tensor, keep: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
        """Return the logits (M, T B, V) and the state after the last step."""
        outputs, h, c = lstm(z, self.weights["recurrent"], h, c, keep)
        steps, models, batch, size = outputs.shape
        joined = outputs.transpose(0, 1).reshape(models, steps * batch, size)
        return torch.baddbmm(self.weights["out_bias"][:, None], joined, self.weights["out"]), h, c

    def losses(self, logits: Tensor, targets: Tensor) -> Tensor:
        """Return the mean cross-entropy of each model. ``targets`` is (S, T, B), and the logits have the same order."""
        models, places, size = logits.shape
        wanted = self.by_model(targets.reshape(len(self.seeds), -1))
        each = torch.nn.functional.cross_entropy(logits.reshape(-1, size), wanted.reshape(-1), reduction="none")
        return each.view(models, places).mean(dim=1)

    def by_model(self, by_seed: Tensor) -> Tensor:
        """Repeat values for seeds, so that there is one for each model."""
        return by_seed.repeat(len(self.names) // len(self.seeds), *[1] * (by_seed.dim() - 1))

    def state(self, batch: int) -> tuple[Tensor, Tensor]:
        """Return the initial state, which is 0."""
        zeros = torch.zeros(len(self.names), batch, SIZE, device=self.device)
        return zeros, zeros.clone()


def look_up(tables: Tensor, ids: Tensor) -> Tensor:
    """Return the rows of ids (M, T, B) in tables (M, V, 4H), steps first: (T, M, B, 4H)."""
    models, steps, batch = ids.shape
    rows = ids.reshape(models, -1, 1).expand(-1, -1, tables.shape[2])
    return tables.gather(1, rows).view(models, steps, batch, -1).transpose(0, 1).contiguous()


def lstm(z: Tensor, recurrent: Tensor, h: Tensor, c: Tensor, keep: Tensor | None = None) -> tuple[Tensor, Tensor, Tensor]:
    """Run T steps: i, f, o = σ(·), g = tanh(·) of z_t + h U; c = f c + i g; h = o tanh(c).

    ``z`` (T, M, B, 4H) is what the inputs contribute, bias included; ``recurrent`` (M, H, 4H) is U; ``h`` and ``c`` (M, B, H)
    are the state before the first step, through which no gradient flows; where ``keep`` (T, M or 1, B, 1) is 0, the state is
    forgotten before the step. Returns the outputs (T, M, B, H) and the state after the last step.
    """
    outputs, last_h, last_c = _Lstm.apply(z, recurrent, h, c, keep)  # type: ignore[no-untyped-call]
    return outputs, last_h, last_c


class _Lstm(torch.autograd.Function):
    """Compute the recurrence and its gradient explicitly: a step is a few operations, and U's gradient is one product."""

    @staticmethod
    def forward(ctx: Any, z: Tensor, recurrent: Tensor, h: Tensor, c: Tensor, keep: Tensor | None) -> Any:
        before, gates, after, outputs = [], [], [], []
        for t in range(len(z)):
            if keep is not None:
                h, c = h * keep[t], c * keep[t]
            before.append((h, c))
            h, c, activated = _cell(z[t], torch.bmm(h, recurrent), c)
            gates.append(activated)
            after.append(c)
            outputs.append(h)
        ctx.steps = before, gates, after
        ctx.save_for_backward(recurrent, keep)
        last_h, last_c = h.clone(), c.clone()
        ctx.mark_non_differentiable(last_h, last_c)
        return torch.stack(outputs), last_h, last_c

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        recurrent, keep = ctx.saved_tensors
        before, gates, after = ctx.steps
        of_outputs = gradients[0]  # of_x is the gradient of x
        transposed = recurrent.transpose(1, 2)
        of_z: list[Tensor] = []
        of_h = of_outputs[-1]
        of_c: Tensor | None = None
        for t in reversed(range(len(gates))):
            of_gates, of_c = _cell_backward(of_h, of_c, before[t][1], after[t], gates[t])
            of_z.append(of_gates)
            if t:
                of_h = torch.bmm(of_gates, transposed)
                if keep is not None:
                    of_h, of_c = of_h * keep[t], of_c * keep[t]
                of_h = of_h + of_outputs[t - 1]
        of_z.reverse()
        joined_h = torch.cat([h for h, _ in before], dim=1)
        return torch.stack(of_z), torch.bmm(joined_h.transpose(1, 2), torch.cat(of_z, dim=1)), None, None, None


def _cell(z: Tensor, hidden: Tensor, c: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Compute one step. Return h, c, and the gates after their activation functions."""
    if z.is_cuda:  # the same as below, in one operation
        width = z.shape[-1]
        h, c2, gates = torch.ops.aten._thnn_fused_lstm_cell(
            z.reshape(-1, width), hidden.view(-1, width), c.reshape(-1, width // 4)
        )
        return h.view_as(c), c2.view_as(c), gates.view_as(z)
    gates = z + hidden
    i, f, g, o = gates.chunk(4, dim=-1)
    gates[..., : 2 * i.shape[-1]].sigmoid_()
    g.tanh_()
    o.sigmoid_()
    c = torch.addcmul(f * c, i, g)
    return o * c.tanh(), c, gates


def _cell_backward(of_h: Tensor, of_c: Tensor | None, before: Tensor, after: Tensor, gates: Tensor) -> tuple[Tensor, Tensor]:
    """Return the gradients of a step: of its gates before their activation functions, and of the cell state before it."""
    if gates.is_cuda:
        size = before.shape[-1]
        of_gates, of_before, _ = torch.ops.aten._thnn_fused_lstm_cell_backward_impl(
            of_h.reshape(-1, size),
            None if of_c is None else of_c.reshape(-1, size),
            before.reshape(-1, size),
            after.reshape(-1, size),
            gates.reshape(-1, 4 * size),
            False,
        )
        return of_gates.view_as(gates), of_before.view_as(before)
    i, f, g, o = gates.chunk(4, dim=-1)
    tanh_c = after.tanh()
    through = of_h * o * (1 - tanh_c * tanh_c)
    of_c = through if of_c is None else of_c + through
    of_gates = torch.cat([of_c * g, of_c * before, of_c * i, of_h * tanh_c], dim=-1)
    slopes = gates * (1 - gates)
    slopes[..., 2 * g.shape[-1] : 3 * g.shape[-1]] = 1 - g * g
    return of_gates * slopes, of_c * f


class Recurrence:
    """Run T steps of M LSTMs of size H on B rows, forwards and backwards, on a CPU in memory that is used again.

    The same as :func:`lstm` with few passes; to allocate memory anew would take longer than to compute. The candidate is a
    logistic function, too, g = tanh(x) = 2 σ(2x) - 1, so all gates are one pass over contiguous numbers. All factors of the
    gradients that do not depend on later steps are computed for all steps at once.

    Before ``forward``, set ``gates`` (T, M, B, 4H) to what the inputs contribute times ``scale``, ``recurrent`` (M, H, 4H),
    ``keep`` (T, M, B, 1), and ``first`` (2, M, B, H), the state h and c before the first step. Then ``outputs`` (T, M, B, H) and
    ``last`` (2, M, B, H) can be read. Before ``backward``, set ``of_outputs`` (T, M, B, H), the gradient of the outputs. Then
    ``of_gates`` (T, M, B, 4H) is the gradient of what the inputs contribute, and ``before`` (T, M, B, H) the state h that was
    multiplied by ``recurrent`` in each step.
    """

    def __init__(self, steps: int, models: int, batch: int, size: int) -> None:
        of_states, of_gates = (steps, models, batch, size), (steps, models, batch, 4 * size)
        states = torch.zeros(steps + 1, 2, models, batch, size)
        kept = torch.zeros(steps, 2, models, batch, size)
        self.first, self.last = states[0], states[-1]
        self.outputs, self.before = states[1:, 0], kept[:, 0]
        self.gates, self.of_gates, self.of_outputs = torch.zeros(of_gates), torch.zeros(of_gates), torch.zeros(of_states)
        self.keep = torch.zeros(steps, models, batch, 1)
        self.recurrent = torch.zeros(models, size, 4 * size)
        self.scale = torch.ones(4 * size)
        self.scale[2 * size : 3 * size] = 2.0
        self._scaled = torch.zeros_like(self.recurrent)
        self._transposed = self.recurrent.transpose(1, 2)
        self._c_before, self._tanh_c = kept[:, 1], torch.zeros(of_states)
        self._through, self._forget = torch.zeros(of_states), torch.zeros(of_states)
        self._of_c, self._back = torch.zeros(models, batch, size), torch.zeros(models, batch, size)
        self._quarters = self.gates.chunk(4, dim=-1)
        self._of_quarters = self.of_gates.chunk(4, dim=-1)
        # to make a view takes as long as to compute with it, so the views of all steps are made once
        in_order = states, self.keep, kept, kept[:, 0], kept[:, 1], self.gates, *self._quarters, self._tanh_c
        self._forward_steps = [(*(of_all[t] for of_all in in_order), *states[t + 1]) for t in range(steps)]
        in_reverse = self.of_outputs, self._through, self.of_gates, *self._of_quarters, self._forget, self.keep
        self._backward_steps = [(*(of_all[t] for of_all in in_reverse), self.of_outputs[t - 1]) for t in reversed(range(steps))]

    def forward(self) -> None:
        """Run all steps: i, f, o = σ(·), g = 2 σ(2 ·) - 1 of z + h U; c = f c + i g; h = o tanh(c)."""
        torch.mul(self.recurrent, self.scale, out=self._scaled)
        for state, keep, kept, h, c, gates, i, f, s, o, tanh_c, new_h, new_c in self._forward_steps:
            torch.mul(state, keep, out=kept)
            gates.baddbmm_(h, self._scaled).sigmoid_()
            torch.mul(f, c, out=new_c).addcmul_(i, s, value=2).sub_(i)
            torch.mul(o, torch.tanh(new_c, out=tanh_c), out=new_h)

    def backward(self) -> None:
        """Compute the gradients of all steps, the last one first. Changes ``of_outputs``."""
        self._prepare_factors()
        of_c = self._of_c.zero_()
        for number, views in enumerate(self._backward_steps, start=1):
            of_h, through, of_gates, of_i, of_f, of_g, of_o, forget, keep, earlier = views
            of_c.addcmul_(of_h, through)
            of_i.mul_(of_c)
            of_f.mul_(of_c)
            of_g.mul_(of_c)
            of_o.mul_(of_h)
            if number < len(self._backward_steps):
                earlier.addcmul_(torch.bmm(of_gates, self._transposed, out=self._back), keep)
                of_c.mul_(forget)

    def _prepare_factors(self) -> None:
        """Compute what the gradients of c and h are multiplied by in each step.

        c to h: o (1 - tanh²(c)) = o - h tanh(c). c to the gates: g i (1 - i), c f (1 - f), and with g = 2 s - 1, i (1 - g²) =
        4 i s (1 - s). h to the output gate: tanh(c) o (1 - o). c to the c before: f, or 0 where the state was forgotten.
        """
        i, f, s, o = self._quarters
        of_i, of_f, of_g, of_o = self._of_quarters
        torch.addcmul(o, self.outputs, self._tanh_c, value=-1, out=self._through)
        torch.addcmul(self.gates, self.gates, self.gates, value=-1, out=self.of_gates)
        of_i.addcmul_(of_i, s, value=-2).neg_()
        of_f.mul_(self._c_before)
        of_g.mul_(i).mul_(4)
        of_o.mul_(self._tanh_c)
        torch.mul(f, self.keep, out=self._forget)


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


class CpuTraining:
    """Compute losses and learn on a CPU, for any of the models of a log, by Adam.

    A few models share the steps of the LSTM, so that each operation has enough to do; everything else is done model by model, so
    that what is computed last is still in the cache. All gradients are written out:

        x = (E[ids] ⊙ mask) / kept,  z = x K + b,  h = LSTM(z, U),  p = softmax(h W + w),  loss = -Σ ln p[target] / places

        ∂(h W + w) = (p - [target]) / places,  ∂W = hᵀ ∂(h W + w),  ∂h = ∂(h W + w) Wᵀ,  ∂K = xᵀ ∂z,  ∂x = ∂z Kᵀ.

    Places without a target have no part in it. Columns of E that are zero are left out: their weights in K have no gradient.
    ``moments`` and ``state`` are changed in place.

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
    position = models.position_of(number)
    table = models.groups[position.group].table
    used, vectors = SIZE, None
    if table is not None:
        filled = table[position.method].any(dim=0).nonzero()
        used = int(filled.max()) + 1 if len(filled) else 1
        vectors = table[position.method][:, :used].contiguous()
    parts = []
    for values in (models.weights, *moments):
        own = {name: tensor.detach() for name, tensor in models.of_model(number, values)}
        kernel = own.pop(f"kernel_{position.group}")
        parts.append({"kernel": kernel[:used], **own})
    return _Model(position.group, position.seed, vectors, *parts)


@torch.no_grad()
def adam(weight: Tensor, gradient: Tensor, first: Tensor, second: Tensor, done: Tensor, learns: Tensor, rate: float) -> None:
    """Take one step of Adam, the ``done``-th: with the moments m = 0.9 m + 0.1 g and v = 0.999 v + 0.001 g²,

    weight = weight - rate m / (1 - 0.9^done) / (sqrt(v / (1 - 0.999^done)) + 1e-8).

    All models take the step together, but some may have nothing to learn from: where ``learns`` is False, nothing changes.
    """
    first.copy_(torch.where(learns, first.lerp(gradient, 1 - BETAS[0]), first))
    second.copy_(torch.where(learns, second.lerp(gradient * gradient, 1 - BETAS[1]), second))
    unbiased = [1 - beta ** done.clamp(min=1) for beta in BETAS]
    step = first / ((second / unbiased[1]).sqrt_().add_(TINY)) * (-rate / unbiased[0])
    weight.add_(torch.where(learns, step, 0.0))


@torch.no_grad()
def adam_of_each(
    weights: Sequence[Mapping[str, Tensor]],
    gradients: Sequence[Mapping[str, Tensor]],
    first: Sequence[Mapping[str, Tensor]],
    second: Sequence[Mapping[str, Tensor]],
    done: Tensor,
    rate: float,
) -> None:
    """Take one step of Adam for each model on a CPU, all weights in one pass each. ``done`` (M,) counts the step, too."""
    names = [(model, name) for model, own in enumerate(weights) for name in own]
    torch_adam(
        params=[weights[model][name] for model, name in names],
        grads=[gradients[model][name] for model, name in names],
        exp_avgs=[first[model][name] for model, name in names],
        exp_avg_sqs=[second[model][name] for model, name in names],
        max_exp_avg_sqs=[],
        state_steps=list((done - 1)[[model for model, _ in names]].unbind()),  # torch counts the step itself
        fused=True,
        amsgrad=False,
        beta1=BETAS[0],
        beta2=BETAS[1],
        lr=rate,
        weight_decay=0.0,
        eps=TINY,
        maximize=False,
    )


def momentum(done: Tensor) -> Tensor:
    """Return Nadam's momentum at a step: μ_t = 0.9 (1 - 0.96^(0.004 t) / 2)."""
    return BETAS[0] * (1 - 0.5 * 0.96 ** (0.004 * done))


@torch.no_grad()
def nadam(weight: Tensor, gradient: Tensor, first: Tensor, second: Tensor, done: Tensor, product: Tensor, rate: Tensor) -> None:
    """Take one step of Nadam, the t-th (``done``), as Keras had it until 2.10 and torch has it: with the moments m and v of Adam,

    weight = weight - rate ((1 - μ_t) g / (1 - P_t) + μ_(t+1) m / (1 - P_t μ_(t+1))) / (sqrt(v / (1 - 0.999^t)) + 1e-8)

    where P_t = μ_1 ... μ_t (``product``), and the momentum μ_t rises from 0.45 to 0.9.
    """
    first.lerp_(gradient, 1 - BETAS[0])
    second.mul_(BETAS[1]).addcmul_(gradient, gradient, value=1 - BETAS[1])
    now, following = momentum(done), momentum(done + 1)
    ahead = gradient * ((1 - now) / (1 - product)) + first * (following / (1 - product * following))
    weight.sub_(rate * ahead / ((second / (1 - BETAS[1] ** done)).sqrt_().add_(TINY)))


def capture(function: Callable[[], Tensor], generators: Iterable[torch.Generator]) -> Callable[[], Tensor]:
    """Call a function some times and record a call; return a function that repeats it, with the same tensors in the same places.

    What the function changes is changed by these calls, too, and so are the generators: the caller restores both.
    """
    side_stream = torch.cuda.Stream()  # type: ignore[no-untyped-call]
    side_stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side_stream):
        for _ in range(WARM_UPS):
            function()
    torch.cuda.current_stream().wait_stream(side_stream)
    graph = torch.cuda.CUDAGraph()
    for randomness in generators:
        graph.register_generator_state(randomness)
    with torch.cuda.graph(graph):
        result = function()

    def replay() -> Tensor:
        graph.replay()
        return result

    return replay
