"""Take steps of Adam and Nadam. All tensors are changed in place, so that a step recorded on a GPU can be replayed."""

from collections.abc import Mapping, Sequence

import torch
from torch import Tensor
from torch.optim.adam import adam as torch_adam

BETAS = 0.9, 0.999
TINY = 1e-8


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
