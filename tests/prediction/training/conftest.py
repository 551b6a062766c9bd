import pytest
import torch


@pytest.fixture
def double():
    """Compute with 64 bits, so that sums in another order are equal to many digits."""
    torch.set_default_dtype(torch.float64)
    yield
    torch.set_default_dtype(torch.float32)
