import pytest

from tests.benchmark.efficiency.made_up_cells import read, write_folder


@pytest.fixture
def few_results(tmp_path):
    """Results of several methods on two logs, without measuring; two methods failed."""
    return read(write_folder(tmp_path / "out"))
