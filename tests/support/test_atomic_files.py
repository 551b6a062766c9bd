"""Files that are written whole or not at all."""

import pytest

from actalike import ActalikeError
from actalike.support.atomic_files import write_atomically


def test_a_file_is_put_in_place_when_it_is_whole(tmp_path):
    path = tmp_path / "out.txt"
    path.write_text("old")

    def write(part):
        assert part.parent == tmp_path
        part.write_text("new")
        assert path.read_text() == "old"

    write_atomically(path, write)
    assert path.read_text() == "new"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), ValueError("no"), KeyboardInterrupt()])
def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, error):
    path = tmp_path / "out.txt"
    path.write_text("old")

    def write(part):
        part.write_text("half of the n")
        raise error

    with pytest.raises((ActalikeError, ValueError, KeyboardInterrupt)) as caught:
        write_atomically(path, write)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    if isinstance(error, OSError):
        assert str(caught.value) == f"{path} cannot be written: No space left on device. Nothing was written."
    else:
        assert caught.value is error
