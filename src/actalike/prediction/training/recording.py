"""Record what a function does on a GPU as one graph, which starts hundreds of small operations at once."""

from collections.abc import Callable, Iterable

import torch
from torch import Tensor

WARM_UPS = 2  # torch requires some calls on another stream before a recording

Capture = Callable[[Callable[[], Tensor], Iterable[torch.Generator]], Callable[[], Tensor]]


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
