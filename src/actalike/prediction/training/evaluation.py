"""Predict the next id after each event of the test cases, from the case so far. The state is reset before each case."""

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from .models import Models, look_up
from .scores import scores
from .task import Part, Task

_CELLS = 1 << 25  # logits at a time


def evaluate(models: Models, task: Task) -> list[dict[str, float]]:
    """Return the scores of each model on the test cases.

    If labels have changed, ``told`` is the accuracy on the same cases with their old ids.
    """
    targets = task.targets()
    predicted, brier = predict(models, task.test, targets)
    figures = [scores(targets, predicted[m], float(brier[m]), task.vocabulary_size) for m in range(len(models.names))]
    if task.meaning is not None:
        predicted, _ = predict(models, Part(task.meaning[task.test.ids], task.test.offsets), targets)
        for m, of_model in enumerate(figures):
            of_model["told"] = float((predicted[m] == targets).mean())
    return figures


@torch.no_grad()
def predict(
    models: Models, part: Part, targets: NDArray[np.int64], tables: Tensor | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return, for each model, the likeliest id after each event and the mean Brier score. Cases of like lengths are batched.

    ``tables`` says what each id contributes to the gates, if ids are to be read in another way than in training.
    """
    n, size = len(models.names), models.vocabulary_size
    tables = models.tables() if tables is None else tables
    predicted = np.zeros((n, len(part.ids)), dtype=np.int64)
    brier = torch.zeros(n, dtype=torch.float64, device=models.device)
    at_a_time = max(1, _CELLS // (n * size))
    order = np.argsort(-part.lengths, kind="stable")
    for start in range(0, len(order), at_a_time):
        cases = order[start : start + at_a_time]
        lengths = part.lengths[cases]
        h, c = models.state(len(cases))
        for t in range(int(lengths.max(initial=0))):
            n_running = int((lengths > t).sum())  # the longest come first
            places = part.offsets[cases[:n_running]] + t
            ids = torch.from_numpy(part.ids[places]).to(models.device).expand(n, 1, -1)
            logits, h, c = models.run(look_up(tables, ids), h[:, :n_running].contiguous(), c[:, :n_running].contiguous())
            predicted[:, places] = logits.argmax(dim=2).cpu().numpy()
            brier += brier_sums(logits, torch.from_numpy(targets[places]).to(models.device))
    return predicted, (brier / max(len(part.ids), 1)).cpu().numpy()


def brier_sums(logits: Tensor, targets: Tensor) -> Tensor:
    """Return the sums over events of Σ_k (p_k - [k is the target])² = Σ_k p_k² - 2 p_target + 1."""
    shares = logits.softmax(dim=2)
    hit = shares.gather(2, targets.expand(len(shares), -1)[:, :, None])[:, :, 0]
    return ((shares**2).sum(dim=2) - 2 * hit + 1).sum(dim=1).double()
