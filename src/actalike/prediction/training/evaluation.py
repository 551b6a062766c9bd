"""Predicting the test cases: after each event, from the whole case so far and a state that was reset before it."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .models import Models, look_up
from .scores import scores
from .task import Part, Task

_CELLS = 1 << 25  # logits at a time


def evaluate(models: Models, task: Task) -> list[dict[str, float]]:
    """The figures of each model."""
    targets = task.targets()
    predicted, brier = predict(models, task.test, targets)
    return [scores(targets, predicted[m], float(brier[m]), task.vocabulary_size) for m in range(len(models.names))]


@torch.no_grad()
def predict(models: Models, part: Part, targets: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """For each model, the likeliest id after each event, and the mean of Brier's score. Cases of like lengths go together."""
    n, size = len(models.names), models.vocabulary_size
    tables = models.tables()
    predicted = np.zeros((n, len(part.ids)), dtype=np.int64)
    brier = torch.zeros(n, dtype=torch.float64, device=models.device)
    at_a_time = max(1, _CELLS // (n * size))
    order = np.argsort(-part.lengths, kind="stable")
    for start in range(0, len(order), at_a_time):
        cases = order[start : start + at_a_time]
        lengths = part.lengths[cases]
        h, c = models.state(len(cases))
        for t in range(int(lengths.max(initial=0))):
            going_on = int((lengths > t).sum())  # the longest come first
            places = part.offsets[cases[:going_on]] + t
            ids = torch.from_numpy(part.ids[places]).to(models.device).expand(n, 1, -1)
            logits, h, c = models.run(look_up(tables, ids), h[:, :going_on].contiguous(), c[:, :going_on].contiguous())
            predicted[:, places] = logits.argmax(dim=2).cpu().numpy()
            brier += brier_sums(logits, torch.from_numpy(targets[places]).to(models.device))
    return predicted, (brier / max(len(part.ids), 1)).cpu().numpy()


def brier_sums(logits: Tensor, targets: Tensor) -> Tensor:
    """The sums over events of Σ_k (p_k - [k is the target])² = Σ_k p_k² - 2 p_target + 1."""
    shares = logits.softmax(dim=2)
    hit = shares.gather(2, targets.expand(len(shares), -1)[:, :, None])[:, :, 0]
    return ((shares**2).sum(dim=2) - 2 * hit + 1).sum(dim=1).double()
