"""Relabelling CSV: only the cells of labels change."""

import pytest

from actalike import (
    relabel_file,
)


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (b"case,activity,note\n1,a,x\n", b"case,activity,note,actalike:original\n1,b,x,a\n"),
        (b'case,activity,note\r\n1,"a","x, ""y"""\r\n1,c,\r\n', b'case,activity,note,actalike:original\r\n1,"b","x, ""y""","a"\r\n1,c,,\r\n'),
        (b"note;activity;case\n 1.50 ;a;7", b"note;activity;case;actalike:original\n 1.50 ;b;7;a"),
        (b"\xef\xbb\xbfactivity\tcase\na\t1\nA\t1\n", b"\xef\xbb\xbfactivity\tcase\tactalike:original\nb\t1\ta\nA\t1\t\n"),
        (b'case,activity\n1,"a\nb"\n1,a\n', b'case,activity,actalike:original\n1,"a\nb",\n1,b,a\n'),
        ("case,activity,n\n1,a,é\n".encode("utf-16"), "case,activity,n,actalike:original\n1,b,é,a\n".encode("utf-16")),
        (b"\xfe\xff" + "case,activity\n1,a\n".encode("utf-16-be"), b"\xfe\xff" + "case,activity,actalike:original\n1,b,a\n".encode("utf-16-be")),
    ],
)  # fmt: skip
def test_cells_of_a_csv_stay_as_they_are_written(tmp_path, document, expected):
    log = tmp_path / "log.csv"
    log.write_bytes(document)
    relabel_file(log, {"a": "b"}, tmp_path / "new.csv")
    assert (tmp_path / "new.csv").read_bytes() == expected
