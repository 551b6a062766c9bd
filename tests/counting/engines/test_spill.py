"""The temporary folder of an engine, and its memory."""

import pytest

from actalike import ActalikeError
from actalike.counting.engines.open import EngineLimits, spill_folder
from actalike.support.files import new_folder_name


def test_a_folder_is_made_and_removed(tmp_path):
    with spill_folder(tmp_path) as folder:
        (folder / "file").write_text("x")
        assert [path.name for path in tmp_path.iterdir()] == [folder.name]
    assert list(tmp_path.iterdir()) == []


def test_the_folder_of_a_killed_process_is_removed_by_the_next(tmp_path):
    machine, pid, number = new_folder_name().split("-")[1:]
    dead, of_another_container = (f"actalike-{m}-{2**22 + 1}-{number}" for m in (machine, "00000000"))
    running = f"actalike-{machine}-{pid}-{number}"
    for name in (dead, of_another_container, running, "actalike-elsewhere-7-abc"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "events.parquet").write_text("x")
    with spill_folder(tmp_path):
        pass
    assert {path.name for path in tmp_path.iterdir()} == {of_another_container, running, "actalike-elsewhere-7-abc"}


def test_a_folder_that_is_none_is_an_error(tmp_path):
    with pytest.raises(ActalikeError, match="spill"), spill_folder(tmp_path / "absent"):
        pass


@pytest.mark.parametrize(("text", "size"), [("4GB", 4 * 10**9), ("500 MB", 5 * 10**8), ("1GiB", 2**30), (None, None)])
def test_memory_is_an_amount(text, size):
    assert EngineLimits(text).bytes() == size
