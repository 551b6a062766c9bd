"""Stand in on a CPU for a GPU's recorded graph: the same operations again, with the same numbers, on the same memory.

What Python does between the operations happens once, while recording, as on a GPU: a number that Python reads is frozen, and a
name that is bound to a new tensor is not seen. A tensor's value must not be asked for.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from actalike.prediction.training.recurrence import WARM_UPS


class Recording(TorchDispatchMode):
    """Note all operations, those of the gradients too, and hold their tensors, so that no memory is used twice."""

    def __init__(self):
        super().__init__()
        self.operations = []

    def __torch_dispatch__(self, operation, types, args=(), kwargs=None):
        assert operation is not torch.ops.aten._local_scalar_dense.default, "a GPU cannot record that Python reads a value"
        result = operation(*args, **(kwargs or {}))
        if not operation.is_view:  # a view shows what its memory holds
            self.operations.append((operation, args, kwargs or {}, result))
        return result


def capture(function, generators):
    """Call a function some times and record a call; return a function that repeats it."""
    for _ in range(WARM_UPS):
        function()
    with Recording() as recording:
        result = function()

    @torch.no_grad()
    def replay():
        for operation, args, kwargs, outputs in recording.operations:
            again = operation(*args, **kwargs)
            for output, value in zip(tree_leaves(outputs), tree_leaves(again), strict=True):
                if torch.is_tensor(output) and output is not value:  # else it was changed in place
                    output.copy_(value)
        return result

    return replay
