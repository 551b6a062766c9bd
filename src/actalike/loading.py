"""Open a saved file of any kind."""

from collections.abc import Callable
from pathlib import Path

from actalike import methods  # noqa: F401  (methods register the readers of their explanations)
from actalike.counting import StreamCounter, WindowCounts
from actalike.embedding import Embedding
from actalike.errors import FileFormatError
from actalike.log import Variants
from actalike.oddities import OddModel
from actalike.prediction import Predictor
from actalike.support.saved import StoredFile, read_file

Saved = Embedding | OddModel | Variants | WindowCounts | StreamCounter | Predictor

_KINDS: dict[str, Callable[[StoredFile], Saved]] = {
    "embedding": Embedding.from_file,
    "variants": Variants.from_file,
    "window-counts": WindowCounts.from_file,
    "stream-counter": StreamCounter.from_file,
    "predictor": Predictor.from_file,
    "odd-model": OddModel.from_file,
}


def load(path: str | Path) -> Saved:
    """Open a file that ``save`` of an embedding, variants, window counts, a stream, a predictor or an OddModel wrote.

    This never runs code.

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
            f"{path} holds a {file.kind!r}, which this version does not know: pip install --upgrade actalike. Nothing was read."
        )
    return _KINDS[file.kind](file)
