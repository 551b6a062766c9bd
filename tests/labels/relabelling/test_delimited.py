"""Relabelling CSV: only the cells of labels change."""

import re

import pytest

from actalike import ActalikeError, relabel_file
from tests.helpers import naive_csv
from tests.helpers.csv_rules import REFUSED, SOUND


@pytest.mark.parametrize(
    ("document", "expected"),
    [
        (b"case,activity,note\n1,a,x\n", b"case,activity,note,actalike:original\n1,b,x,a\n"),
        (b'case,activity,note\r\n1,"a","x, ""y"""\r\n1,c,\r\n', b'case,activity,note,actalike:original\r\n1,"b","x, ""y""","a"\r\n1,c,,\r\n'),
        (b"note;activity;case\n 1.50 ;a;7", b"note;activity;case;actalike:original\n 1.50 ;b;7;a"),
        (b"\xef\xbb\xbfactivity\tcase\na\t1\nA\t1\n", b"\xef\xbb\xbfactivity\tcase\tactalike:original\nb\t1\ta\nA\t1\t\n"),
        (b'case,activity\n1,"a\nb"\n1,a\n', b'case,activity,actalike:original\n1,"a\nb",\n1,b,a\n'),
        ("case,activity,n\n1,a,é\n".encode("utf-16"), "case,activity,n,actalike:original\n1,b,é,a\n".encode("utf-16")),
        (b"\xef\xbb\xbfsep=;\r\ncase;activity\r\n1;a\r\n\r\n", b"\xef\xbb\xbfsep=;\r\ncase;activity;actalike:original\r\n1;b;a\r\n\r\n"),
        (b"case,activity,n\n1,a,x\r", b"case,activity,n,actalike:original\n1,b,x\r,a"),
        (b"\xfe\xff" + "case,activity\n1,a\n".encode("utf-16-be"), b"\xfe\xff" + "case,activity,actalike:original\n1,b,a\n".encode("utf-16-be")),
    ],
)  # fmt: skip
def test_cells_of_a_csv_stay_as_they_are_written(tmp_path, document, expected):
    log = tmp_path / "log.csv"
    log.write_bytes(document)
    relabel_file(log, {"a": "b"}, tmp_path / "new.csv")
    assert (tmp_path / "new.csv").read_bytes() == expected


# relabelling sorts nothing and knows no lifecycle, and the plain reader takes long for a large file
COPIED = [rule for rule in SOUND if "lifecycle" not in rule.options and len(rule.content) < 10**5]
NOT_COPIED = [rule for rule in REFUSED if "lifecycle" not in rule.options and "no timestamp" not in rule.means]


@pytest.mark.parametrize("rule", COPIED, ids=lambda rule: rule.name)
def test_a_rule_of_csv_holds_for_relabelling(tmp_path, rule):
    (tmp_path / "log.csv").write_bytes(rule.content)
    csv = naive_csv.parse(rule.content, rule.options.get("separator"), rule.options.get("encoding"))
    label = next(iter(rule.means.values()))[0]
    for mapping in ({}, {label: "new"}):
        relabel_file(tmp_path / "log.csv", mapping, tmp_path / "new.csv", **rule.options)
        assert (tmp_path / "new.csv").read_bytes() == naive_csv.relabelled(csv, mapping)


@pytest.mark.parametrize("rule", NOT_COPIED, ids=lambda rule: rule.name)
def test_what_is_not_certain_is_not_relabelled(tmp_path, rule):
    (tmp_path / "log.csv").write_bytes(rule.content)
    with pytest.raises(ActalikeError, match=re.escape(rule.means)):
        relabel_file(tmp_path / "log.csv", {}, tmp_path / "new.csv", case="case", activity="activity", **rule.options)
    assert not (tmp_path / "new.csv").exists()


def test_a_carriage_return_of_an_old_label_stays_its_own(tmp_path):
    (tmp_path / "log.csv").write_bytes(b"case,activity,n\n1,a\r,x\n")
    relabel_file(tmp_path / "log.csv", {"a\r": "b"}, tmp_path / "new.csv")
    assert (tmp_path / "new.csv").read_bytes() == b'case,activity,n,actalike:original\n1,b,x,"a\r"\n'
