"""Open a saved file of any kind."""

from collections.abc import Callable
from pathlib import Path

from actalike import methods  # noqa: F401  (methods register the readers of their explanations)
from actalike.counting import StreamCounter, WindowCounts
from actalike.embedding import Embedding
from actalike.errors import FileFormatError
from actalike.prediction import Predictor
from actalike.support.saved import StoredFile, read_file

_KINDS: dict[str, Callable[[StoredFile], Embedding | WindowCounts | StreamCounter | Predictor]] = {
    "embedding": Embedding.from_file,
    "window-counts": WindowCounts.from_file,
    "stream-counter": StreamCounter.from_file,
    "predictor": Predictor.from_file,
}


def load(path: str | Path) -> Embedding | WindowCounts | StreamCounter | Predictor:
    """Open a file written by ``save`` of an embedding, window counts, a stream or a predictor. Opening a file never runs code.

    >>> import actalike, tempfile
    >>> log = actalike.EventLog.from_traces([["a", "b"]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     actalike.embed(log).save(f"{folder}/log.actalike")
    ...     actalike.load(f"{folder}/log.actalike")
    Embedding(kin-w5, 2 activities x 2 dimensions)
    """
    file = read_file(path)
    if file.kind not in _KINDS:
        raise FileFormatError(
            f"{path} holds a {file.kind!r}, which this version does not know: upgrade actalike. Nothing was read."
        )
    return _KINDS[file.kind](file)
