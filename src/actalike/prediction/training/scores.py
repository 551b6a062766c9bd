"""Score predictions: accuracy, Matthews correlation coefficient, Brier score, and weighted recall, precision and F1."""

import numpy as np
from numpy.typing import NDArray

METRICS = ("accuracy", "mcc", "brier", "recall_weighted", "precision_weighted", "f1_weighted")


def scores(targets: NDArray[np.int64], predicted: NDArray[np.int64], brier: float, classes: int) -> dict[str, float]:
    """Return all scores of one model. ``brier`` is the mean over predictions of Σ_k (p_k - [k is the target])².

    The Matthews correlation coefficient for many classes: with the confusion matrix C (rows: true), its sum s, its trace c, and
    the sums of its rows t_k and columns p_k, (c s - Σ_k t_k p_k) / sqrt((s² - Σ_k p_k²) (s² - Σ_k t_k²)); 0 if that is 0 / 0.

    >>> result = scores(np.array([0, 0, 1, 1]), np.array([0, 0, 1, 0]), brier=0.3, classes=3)
    >>> result["accuracy"], round(result["mcc"], 4)
    (0.75, 0.5774)
    """
    confusion = np.bincount(targets * classes + predicted, minlength=classes * classes).reshape(classes, classes)
    true, guessed = confusion.sum(axis=1).astype(float), confusion.sum(axis=0).astype(float)
    hits = np.diag(confusion).astype(float)
    total = len(targets)
    spread = np.sqrt((total**2 - (guessed**2).sum()) * (total**2 - (true**2).sum()))
    mcc = (hits.sum() * total - (true * guessed).sum()) / spread if spread > 0 else 0.0
    precision = np.divide(hits, guessed, out=np.zeros_like(hits), where=guessed > 0)
    recall = np.divide(hits, true, out=np.zeros_like(hits), where=true > 0)
    both = precision + recall
    f1 = np.divide(2 * precision * recall, both, out=np.zeros_like(both), where=both > 0)
    weighted = [float((part * true).sum() / total) for part in (recall, precision, f1)]
    return dict(zip(METRICS, [float(hits.sum() / total), float(mcc), brier, *weighted], strict=True))
