"""The footer of a Parquet file, against what pyarrow says of it."""

import os

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from actalike import LogError
from actalike.io.parquet_footer import FOOTER_LIMIT, read_footer
from measurements.attacks.parquet_files import write_originals
from tests.helpers.parquet_bytes import change_footer


@pytest.fixture(scope="module")
def originals(tmp_path_factory):
    return write_originals(tmp_path_factory.mktemp("originals"))


@pytest.fixture
def file(tmp_path):
    table = pa.table({"case": ["1", "1", "2"], "activity": ["a", "b", "a"], "tags": [["x"], [], ["y", "z"]]})
    pq.write_table(table, tmp_path / "log.parquet", row_group_size=2)
    return tmp_path / "log.parquet"


def test_a_footer_says_what_pyarrow_reads_in_it(originals):
    for path in originals:
        footer, expected = read_footer(path), pq.ParquetFile(path)
        assert footer.rows == expected.metadata.num_rows
        assert footer.columns == expected.schema_arrow.names
        groups = [expected.metadata.row_group(number) for number in range(expected.metadata.num_row_groups)]
        columns = [group.column(place) for group in groups for place in range(group.num_columns)]
        assert [(chunk.size, chunk.values, chunk.unpacked) for chunk in footer.chunks] == [
            (column.total_compressed_size, column.num_values, column.total_uncompressed_size) for column in columns
        ]
        assert [b".".join(chunk.leaf.path).decode() for chunk in footer.chunks] == [column.path_in_schema for column in columns]
        leaves = [expected.schema.column(place) for place in range(len(expected.schema))] * len(groups)
        assert [(chunk.leaf.definition, chunk.leaf.repetition) for chunk in footer.chunks] == [
            (leaf.max_definition_level, leaf.max_repetition_level) for leaf in leaves
        ]


def test_a_file_cut_off_anywhere_is_refused(file):
    for end in reversed(range(file.stat().st_size)):
        os.truncate(file, end)
        with pytest.raises(LogError, match="not a whole Parquet file"):
            read_footer(file)


def first(footer):
    return footer["groups"][0]["columns"][0]["meta"]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda footer: footer.update(num_rows=4), "do not add up to those of the file"),
        (lambda footer: footer.pop("num_rows"), "lacks the field num_rows"),
        (lambda footer: footer["groups"][0].update(num_rows=-1), "lacks columns"),
        (lambda footer: footer["groups"][0]["columns"].pop(), "lacks columns"),
        (lambda footer: first(footer).update(num_values=1), "another number of values than there are rows"),
        (lambda footer: first(footer).update(num_values=3), "another number of values than there are rows"),
        (lambda footer: first(footer).update(compressed=1 << 40), "outside the file"),
        (lambda footer: first(footer).update(compressed=-1), "outside the file"),
        (lambda footer: first(footer).update(data_offset=1 << 40), "outside the file"),
        (lambda footer: first(footer).update(dictionary_offset=0), "outside the file"),
        (lambda footer: first(footer).update(codec=99), "packed in an unknown way"),
        (lambda footer: first(footer).update(encodings=[0, 16]), "packed in an unknown way"),
        (lambda footer: first(footer).update(path=[b"activity"]), "belong to other columns"),
        (lambda footer: first(footer).update(type=1), "belong to other columns"),
        (lambda footer: footer["groups"][0]["columns"][0].update(file_path=b"/etc/passwd"), "in another file"),
        (lambda footer: footer["groups"][1]["columns"][0].update(meta=first(footer) | {"num_values": 1}), "overlap"),
        (lambda footer: footer["schema"][0].update(num_children=4), "columns do not add up"),
        (lambda footer: footer["schema"][0].update(num_children=2), "columns do not add up"),
        (lambda footer: footer["schema"][0].update(num_children=-1), "columns do not add up"),
        (lambda footer: footer["schema"][1].update(name=b"\xff"), "not UTF-8"),
        (lambda footer: footer["schema"][1].update(repetition=7), "neither required"),
        (lambda footer: footer["schema"][1].update(type=8), "unknown type"),
        (lambda footer: footer["schema"][1].update(type=7, type_length=0), "impossible length"),
        (lambda footer: footer["schema"][1].update(type=7, type_length=1 << 30), "impossible length"),
        (lambda footer: footer["schema"][1].update(converted_type=16), "a type that its values cannot have"),
        (lambda footer: footer["schema"][1].update(logical={"date": {}}), "a type that its values cannot have"),
        (lambda footer: footer.update(schema=[]), "columns do not add up"),
    ],
)
def test_a_footer_that_contradicts_itself_or_the_file_is_refused(file, change, reason):
    with pytest.raises(LogError, match=f"log.parquet is not a whole Parquet file .*{reason}.*; nothing was read"):
        read_footer(change_footer(file, change))


def test_columns_nested_too_deeply_are_refused(tmp_path):
    values = pa.array([1, 2])
    for _ in range(40):
        values = pa.StructArray.from_arrays([values], ["x"])
    pq.write_table(pa.table({"case": ["1", "1"], "activity": ["a", "b"], "deep": values}), tmp_path / "log.parquet")
    with pytest.raises(LogError, match="nested more than 32 deep"):
        read_footer(tmp_path / "log.parquet")


def test_a_footer_of_a_million_groups_is_refused_at_once(tmp_path):
    path = tmp_path / "log.parquet"
    with path.open("wb") as file:
        file.write(b"PAR1")
        file.truncate(FOOTER_LIMIT + 100)
        file.seek(0, 2)
        file.write((FOOTER_LIMIT + 1).to_bytes(4, "little") + b"PAR1")
    with pytest.raises(LogError, match=r"describes itself in 16,777,217 bytes.*larger groups"):
        read_footer(path)


def test_an_encrypted_file_is_refused(tmp_path, file):
    (tmp_path / "secret.parquet").write_bytes(b"PARE" + b"x" * 100 + b"PARE")
    for path in (tmp_path / "secret.parquet", change_footer(file, lambda footer: footer.update(encryption={}))):
        with pytest.raises(LogError, match="is encrypted"):
            read_footer(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_or_a_device_is_refused_and_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.parquet")
    (tmp_path / "device.parquet").symlink_to("/dev/zero")
    for name in ("pipe.parquet", "device.parquet"):
        with pytest.raises(LogError, match="not a file on disk"):
            read_footer(tmp_path / name)
