"""Train many small LSTMs at once: K methods with S seeds each are M = K S models, which advance together step by step.

A model (:class:`Models`): the vector of an id, dropout, an LSTM of 32, and a logit for each id of the vocabulary. Methods whose
vectors have the same number of dimensions form a group, so the products of a group are one batched product.

:func:`lstm` takes a step of all models as one batched product. ``torch.nn.LSTM`` cannot forget its state where a case begins in a
row, and runs many models one after the other. Gates are in the order input, forget, candidate, output.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from .task import ORIGINAL, Vectors

SIZE = 32
KEPT = 0.8 * 0.8  # two dropouts of 0.2 in a row, on the vector and on the LSTM's input: one number drops both
NOTHING = -100  # no target
BETAS = 0.9, 0.999
TINY = 1e-8


@dataclass(frozen=True)
class Group:
    """Hold methods of the same number of dimensions: their names and vectors (K, V, D), or None if the vectors are learned."""

    methods: tuple[str, ...]
    table: Tensor | None

    @property
    def dimensions(self) -> int:
        """Return the number of dimensions of the vectors."""
        return SIZE if self.table is None else int(self.table.shape[2])


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
    outputs = []
    for t in range(len(z)):
        if keep is not None:
            h, c = h * keep[t], c * keep[t]
        i, f, g, o = torch.baddbmm(z[t], h, recurrent).chunk(4, dim=-1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append(h)
    return torch.stack(outputs), h.detach(), c.detach()


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
