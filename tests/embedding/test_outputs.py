"""Which file an embedding is written to."""

import polars as pl
import pytest

from actalike import ActalikeError, EventLog, embed, load
from actalike.embedding.outputs import writer

EMBEDDING = embed(EventLog.from_traces([["a", "b"], ["b", "a", "c"]]), "ac-sequence-pmi-w3")


@pytest.mark.parametrize(("ending", "read"), [(".csv", pl.read_csv), (".parquet", pl.read_parquet)], ids=[".csv", ".parquet"])
def test_frames_are_written_as_to_frame_makes_them(tmp_path, ending, read):
    path = tmp_path / f"out{ending}"
    writer(str(path))(EMBEDDING)
    frame = read(path)
    assert frame.columns == EMBEDDING.to_frame().columns
    assert frame.rows() == EMBEDDING.to_frame().rows()
    assert list(tmp_path.iterdir()) == [path]


def test_the_other_endings_have_their_formats(tmp_path):
    writer(f"{tmp_path}/out.actalike")(EMBEDDING)
    assert (load(tmp_path / "out.actalike").vectors != EMBEDDING.vectors).nnz == 0
    writer(f"{tmp_path}/out.vec")(EMBEDDING)
    assert (tmp_path / "out.vec").read_text().startswith("3 ")
    writer(f"{tmp_path}/folder/")(EMBEDDING)
    assert (tmp_path / "folder").is_dir()


@pytest.mark.parametrize("name", ["out", "out.txt", "csv", "out.CSV"])
def test_other_names_are_refused_before_any_work(name):
    with pytest.raises(ActalikeError, match=r"must end in \.actalike, \.csv, \.parquet, \.vec"):
        writer(name)
