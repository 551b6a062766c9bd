"""Run many LSTMs at once: M models, each with its own weights and sequences, advance together step by step.

A step of all models is one batched product and one pass over the gates. Gates are in the order input, forget, candidate, output.
"""

from typing import Any

import torch
from torch import Tensor


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
