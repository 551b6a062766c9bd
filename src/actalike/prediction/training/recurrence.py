"""Run LSTMs on a CPU in memory that is used again: allocating it anew would take longer than computing.

The same as ``lstm``, with few passes. The candidate is a logistic function, too, g = tanh(x) = 2 σ(2x) - 1, so all gates are one
pass over contiguous numbers. All factors of the gradients that do not depend on later steps are computed for all steps at once.
"""

import torch


class Recurrence:
    """Run T steps of M LSTMs of size H on B rows, forwards and backwards.

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
