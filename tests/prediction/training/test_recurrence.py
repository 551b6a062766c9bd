"""The LSTMs in memory that is used again compute what the definition says."""

import torch

from actalike.prediction.training.recurrence import Recurrence, lstm

T, M, B, H = 5, 2, 3, 4


def test_outputs_states_and_gradients_are_those_of_the_definition_each_time(double):
    randomness = torch.Generator().manual_seed(1)
    recurrence = Recurrence(T, M, B, H)
    for _ in range(2):  # what the first pieces left in memory does not matter
        z, recurrent, h, c, weights = (
            torch.randn(shape, generator=randomness)
            for shape in ((T, M, B, 4 * H), (M, H, 4 * H), (M, B, H), (M, B, H), (T, M, B, H))
        )
        keep = (torch.rand(T, M, B, 1, generator=randomness) > 0.4).double()
        inputs = [tensor.clone().requires_grad_() for tensor in (z, recurrent)]
        outputs, last_h, last_c = lstm(*inputs, h, c, keep)
        (outputs * weights).sum().backward()
        recurrence.gates.copy_(z * recurrence.scale)
        recurrence.recurrent.copy_(recurrent)
        recurrence.keep.copy_(keep)
        recurrence.first.copy_(torch.stack([h, c]))
        recurrence.forward()
        assert torch.allclose(recurrence.outputs, outputs)
        assert torch.allclose(recurrence.last, torch.stack([last_h, last_c]))
        recurrence.of_outputs.copy_(weights)
        recurrence.backward()
        assert torch.allclose(recurrence.of_gates, inputs[0].grad)
        of_recurrent = torch.einsum("tmbh,tmbg->mhg", recurrence.before, recurrence.of_gates)
        assert torch.allclose(of_recurrent, inputs[1].grad)
