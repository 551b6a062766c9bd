"""Write the samples of the present file format, once, when its version goes up."""

from pathlib import Path

import numpy as np

from actalike import Attribute, Embedding, EventLog, Predictor, StreamCounter, count_windows, embed, odd_model, read_variants
from actalike.support.saved import FORMAT_VERSION

if __name__ == "__main__":  # and not when tests are collected
    folder = Path(__file__).parent
    log = EventLog.from_traces([["a", "Check invoice", ""], ["a", "📄", "."]])
    read_variants(log).save(folder / f"variants-v{FORMAT_VERSION}.actalike")
    count_windows(log, 5).save(folder / f"window-counts-v{FORMAT_VERSION}.actalike")
    users = {"user": Attribute.from_texts(["Sue", None, "📄", "Sue", "Bob", "Sue"])}
    with_users = EventLog(log.activities, log.codes, log.offsets, log.case_ids, attributes=users)
    odd_model(with_users).save(folder / f"odd-model-v{FORMAT_VERSION}.actalike")
    stream = StreamCounter(4)
    stream.add(["1", "📄", "1", "1", "📄"], ["a", "a", "Check invoice", "", "📄"])
    stream.close("1")
    stream.save(folder / f"stream-counter-v{FORMAT_VERSION}.actalike")
    for method in (
        "ac-sequence-pmi-w3",
        "ac-multiset-raw-w3",
        "aa-sequence-ppmi-w3",
        "substitution-w3",
        "positional-pmi-w3",
        "kin-w5",
        "kin2-w5",
    ):
        embed(log, method).save(folder / f"{method}-v{FORMAT_VERSION}.actalike")
    Embedding(["a", "b"], np.array([[1.0, 2.0], [3.0, 4.0]]), method="dense").save(folder / f"dense-v{FORMAT_VERSION}.actalike")
    weights = [
        np.sin(np.arange(rows * columns, dtype=float)).reshape(rows, columns) for rows, columns in ((3, 8), (2, 8), (2, 4))
    ]
    predictor = Predictor(["a", "Check invoice", "📄"], "kin-w5", *weights, np.array([0.0, 0.5, 1.0, -1.0]))  # not trained
    predictor.save(folder / f"predictor-v{FORMAT_VERSION}.actalike")
