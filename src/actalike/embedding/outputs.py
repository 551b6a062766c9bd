"""Choose the output format of an embedding by the ending of the file's name."""

from collections.abc import Callable

from actalike.embedding.embedding import Embedding
from actalike.errors import ActalikeError
from actalike.support.atomic_files import write_atomically


def writer(name: str) -> Callable[[Embedding], None]:
    """Return a function that writes an embedding to a file of this name, or raise an error if the ending is not known."""
    if name.endswith(".actalike"):
        return lambda embedding: embedding.save(name)
    if name.endswith(".csv"):
        return lambda embedding: write_atomically(name, lambda part: embedding.to_frame().write_csv(part))
    if name.endswith(".parquet"):
        return lambda embedding: write_atomically(name, lambda part: embedding.to_frame().write_parquet(part))
    if name.endswith(".vec"):
        return lambda embedding: embedding.to_word2vec(name)
    if name.endswith("/"):
        return lambda embedding: embedding.to_projector(name)
    raise ActalikeError(
        f"{name}: the kind of output is told by the name, which must end in .actalike, .csv, .parquet, .vec (word2vec) or / "
        "(a folder for the Embedding Projector)."
    )
