"""Choose the output format of an embedding by the ending of the file's name."""

import os
from collections.abc import Callable
from pathlib import Path

from actalike.embedding.embedding import Embedding
from actalike.embedding.exports import PROJECTOR_FILES
from actalike.errors import ActalikeError
from actalike.support.frame_files import for_spreadsheets, write_frame


def writer(name: str) -> Callable[[Embedding], None]:
    """Return a function that writes an embedding to a file of this name, or raise an error if the ending is not known."""
    if name.endswith(".actalike"):
        return lambda embedding: embedding.save(name)
    if name.endswith(".csv"):
        return lambda embedding: write_frame(name, for_spreadsheets(embedding.to_frame()).write_csv)
    if name.endswith(".parquet"):
        return lambda embedding: write_frame(name, embedding.to_frame().write_parquet)
    if name.endswith(".vec"):
        return lambda embedding: embedding.to_word2vec(name)
    if name.endswith("/"):
        return lambda embedding: embedding.to_projector(name)
    raise ActalikeError(
        f"{name}: the kind of output is told by the name, which must end in .actalike, .csv, .parquet, .vec (word2vec), or in / "
        f"for a folder for the Embedding Projector, such as {os.path.splitext(name)[0]}/. Nothing was written."
    )


def files_of(name: str) -> list[Path]:
    """Return the files that :func:`writer` writes for this name.

    >>> [path.name for path in files_of("projector/")]
    ['metadata.tsv', 'tensors.tsv']
    """
    return [Path(name) / file for file in PROJECTOR_FILES] if name.endswith("/") else [Path(name)]
