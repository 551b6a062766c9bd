import pytest

from actalike.errors import LogError
from actalike.io.file_signs import refuse_foreign


@pytest.mark.parametrize(("first", "remedy"), [(b"7z\xbc\xaf", "unpack it"), (b"SQLite format 3\0", "export the table")])
def test_a_file_of_another_kind_is_named_with_what_to_do(tmp_path, first, remedy):
    path = tmp_path / "log.csv"
    path.write_bytes(first)
    with pytest.raises(LogError, match=remedy):
        refuse_foreign(path)


def test_a_log_and_a_missing_file_are_told_apart(tmp_path):
    (tmp_path / "log.csv").write_text("case,activity\n")
    refuse_foreign(tmp_path / "log.csv")
    with pytest.raises(LogError, match="cannot be read: No such file"):
        refuse_foreign(tmp_path / "missing.csv")
