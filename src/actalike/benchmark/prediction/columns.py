"""The columns of the next-activity benchmark on the benchmark page."""

from actalike.benchmark.prediction.results import PredictionResults
from actalike.benchmark.record import Column

_ABOUT = "accuracy of the next activity, by a network with these vectors ({}), mean over seeds"


def columns(results: PredictionResults) -> list[Column]:
    """Return a column for each model."""
    table = results.by_log().drop_nulls("accuracy")
    return [
        Column(str(model), _ABOUT.format(model), "share", part, "accuracy")
        for (model,), part in table.group_by("model", maintain_order=True)
    ]
