"""Many LSTMs at once are each what torch's LSTM is alone."""

import pytest
import torch

from actalike.prediction.training.recurrence import lstm

T, M, B, H = 5, 2, 3, 4


def alone(z, recurrent, h, c, keep=None):
    """One model by the definition, step by step."""
    outputs = []
    for t in range(len(z)):
        if keep is not None:
            h, c = h * keep[t], c * keep[t]
        i, f, g, o = (z[t] + h @ recurrent).chunk(4, dim=-1)
        c = torch.sigmoid(f) * c + torch.sigmoid(i) * torch.tanh(g)
        h = torch.sigmoid(o) * torch.tanh(c)
        outputs.append(h)
    return torch.stack(outputs), h, c


@pytest.mark.parametrize("forgets", [False, True])
def test_outputs_states_and_gradients_are_those_of_each_model_alone(double, forgets):
    randomness = torch.Generator().manual_seed(1)
    z, recurrent, h, c = (
        torch.randn(shape, generator=randomness) for shape in ((T, M, B, 4 * H), (M, H, 4 * H), (M, B, H), (M, B, H))
    )
    keep = (torch.rand(T, 1, B, 1, generator=randomness) > 0.4).double() if forgets else None
    weights = torch.randn(T, M, B, H, generator=randomness)
    together = [tensor.clone().requires_grad_() for tensor in (z, recurrent)]
    outputs, last_h, last_c = lstm(*together, h, c, keep)
    (outputs * weights).sum().backward()
    for model in range(M):
        single = [z[:, model].clone().requires_grad_(), recurrent[model].clone().requires_grad_()]
        expected, expected_h, expected_c = alone(*single, h[model], c[model], None if keep is None else keep[:, 0])
        (expected * weights[:, model]).sum().backward()
        assert torch.allclose(outputs[:, model], expected)
        assert torch.allclose(last_h[model], expected_h)
        assert torch.allclose(last_c[model], expected_c)
        assert torch.allclose(together[0].grad[:, model], single[0].grad)
        assert torch.allclose(together[1].grad[model], single[1].grad)
