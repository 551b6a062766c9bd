import pytest

from actalike import ActalikeError, EventLog, LogError, read_log, write_log
from actalike.demo.loan_desk import loan_desk
from tests.helpers.reading import read_bytes


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    for name in ("log.xes", "log.xes.gz", "log.csv", "log.parquet"):
        with pytest.raises(LogError, match=f"{name} cannot be read: No such file or directory"):
            read_log(tmp_path / name)


def test_a_folder_or_an_unknown_kind_is_an_error(tmp_path):
    with pytest.raises(LogError, match="is a folder"):
        read_log(tmp_path)
    with pytest.raises(LogError, match=r"must end in \.xes, \.xes\.gz, \.csv"):
        read_bytes(b"", "log.txt")


def test_unknown_options_are_errors():
    with pytest.raises(ActalikeError, match="lifecycle='all'"):
        read_log("log.xes", lifecycle="all")
    with pytest.raises(ActalikeError, match="order='random'"):
        read_log("log.xes", order="random")


def test_a_parquet_file_cut_off_is_an_error(tmp_path):
    write_log(loan_desk(50), tmp_path / "log.parquet")
    whole = (tmp_path / "log.parquet").read_bytes()
    for end in range(0, len(whole), len(whole) // 20):
        with pytest.raises(LogError, match="not a whole Parquet file"):
            read_bytes(whole[:end], "log.parquet")


def test_a_parquet_file_with_too_many_rows_is_refused(tmp_path):
    write_log(EventLog.from_traces([["a"]] * 1000), tmp_path / "log.parquet")
    with pytest.raises(LogError, match=r"holds 1,000 rows, too many for 10,000 bytes"):
        read_log(tmp_path / "log.parquet", max_bytes=10_000)


def test_a_wrong_parquet_column_is_an_error(tmp_path):
    write_log(loan_desk(5), tmp_path / "log.parquet")
    with pytest.raises(LogError, match=r"no column 'activty' \(given as activity\)"):
        read_log(tmp_path / "log.parquet", activity="activty")
