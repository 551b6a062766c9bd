"""What reading Excel promises: dates are dates, whole numbers are whole numbers, and a bomb is refused before it fills the memory."""

import io
import re
import shlex
import struct
import sys
import zipfile
from datetime import date, datetime

import pytest

from actalike import ActalikeError, LogError, MissingExtraError, read_log, relabel_file
from actalike.io import log_files, look
from tests.helpers.commands import fails, ok
from tests.helpers.xlsx import Fault, xlsx, zipped

pytest.importorskip("fastexcel")
NAMES = ["Case ID", "Activity", "Timestamp", "User"]
EVENTS = [[17, "Check", datetime(2024, 1, 31, 10, 30), "Sue"], [17, "Pay", datetime(2024, 2, 1), None], [18, "Check", date(2024, 2, 1), "Bob"]]  # fmt: skip


@pytest.fixture
def write(tmp_path):
    def writing(*arguments, name="log.xlsx", **options):
        (tmp_path / name).write_bytes(xlsx(*arguments, **options))
        return tmp_path / name

    return writing


def test_cells_are_what_excel_shows(write):
    log = read_log(write({"Events": [NAMES, *EVENTS, [18.0, 7, datetime(2024, 2, 2), True]]}), attributes=["User"])
    assert log.case_ids == ["17", "18"]
    assert log.traces() == [["Check", "Pay"], ["Check", "7"]]
    assert log.timestamps.astype(str).tolist()[0] == "2024-01-31T10:30:00.000000"
    assert log.attributes["User"].texts() == ["Sue", None, "Bob", "true"]
    assert str(log.reading).endswith(
        "case = Case ID, activity = Activity, time = Timestamp: events sorted by it; attributes = User"
    )


def test_a_sheet_is_chosen_by_name_or_is_the_only_one_with_cells(write):
    path = write({"Empty": [], "Data": [NAMES, *EVENTS], "Old": [NAMES, *EVENTS[:1]], "Hidden": [["x"]]}, hidden=["Hidden"])
    with pytest.raises(LogError, match=r"2 sheets: 'Data' \(4 rows, 4 columns\), 'Old' \(2 rows, 4 columns\)"):
        read_log(path)
    assert read_log(path, sheet="Data").n_events == 3
    assert read_log(path, sheet="Old").n_events == 1
    with pytest.raises(LogError, match="mean 'Data'"):
        read_log(path, sheet="data")
    with pytest.raises(LogError, match="empty"):
        read_log(path, sheet="Empty")
    with pytest.raises(LogError, match="for Excel"):
        read_log(write_csv(path), sheet="Data")
    assert "--sheet NAME" in fails("similar", path)
    with pytest.raises(LogError, match="2 sheets"):
        look(path)
    assert "Excel, sheet 'Data'" in ok("look", path, "--sheet", "Data")


def test_the_only_sheet_with_a_table_of_events_is_proposed(write):
    path = write({"Cover": [["Report of 2024"]], "It's (2)": [["Title"], NAMES, *EVENTS], "Pivot": [["Check", 2], ["Pay", 1]]})
    error = fails("similar", path)
    assert "'Cover' (1 row, 1 column)" in error
    options = shlex.split(re.search(r"\((--sheet .*?)\); nothing", error)[1])
    assert options == ["--sheet", "It's (2)"]
    assert look(path).options() == {"--sheet": "It's (2)", "--skip": 1}
    command = ok("look", path).splitlines()[-1].removeprefix("Next: ")
    assert read_log(path, sheet=options[1], skip=1).n_events == 3
    assert "--sheet=It's (2)" in shlex.split(command)


def test_rows_of_remarks_are_those_of_the_sheet(write):
    path = write({"Events": [["Title"], NAMES, *EVENTS, EVENTS[0], [19, "Pay", "soon", None]]})
    dates, copies = look(path).remarks
    assert "row 7" in dates
    assert "row 6" in copies
    assert "row 7: 'soon'" in look(path, skip=1).error


def write_csv(path):
    (path.parent / "log.csv").write_text("case,activity\n1,a\n")
    return path.parent / "log.csv"


def test_rows_of_errors_are_those_of_the_sheet(write):
    path = write({"Events": [["Title"], NAMES, *EVENTS, [19, "Pay", "soon", None]]})
    with pytest.raises(LogError, match="row 6: 'soon'"):
        read_log(path, skip=1)
    path = write({"Events": [["Title"], NAMES, *EVENTS, [19, None, datetime(2024, 2, 2), None]]})
    with pytest.raises(LogError, match="row 6 has no activity"):
        read_log(path, skip=1)


def test_a_table_may_begin_anywhere(write):
    rows = [[None, None], [None, None, "Case ID", "Activity", None], [None, None, 1, "a"], [None, None, 1, "b"], [None, ""]]
    assert read_log(write({"Events": rows}), skip=1).traces() == [["a", "b"]]
    assert look(write({"Events": rows})).options() == {"--skip": 1}


def test_excel_in_a_folder_is_no_log_but_named(write, tmp_path):
    path = write({"Events": [NAMES, *EVENTS]})
    with pytest.raises(LogError, match="Excel files in a folder are not read unless they are named"):
        read_log(tmp_path)
    write_csv(path)
    assert log_files(tmp_path).others == ("log.xlsx",)
    assert read_log([path, tmp_path / "log.csv"], cases="joined", order="file").n_events == 4


def test_a_sheet_is_not_relabelled_in_its_file(write, tmp_path):
    path = write({"Events": [NAMES, *EVENTS]})
    with pytest.raises(LogError, match="CSV"):
        relabel_file(path, {"Check": "Test"}, tmp_path / "new.xlsx")
    assert not (tmp_path / "new.xlsx").exists()


def test_without_the_extra_one_sentence_says_how_to_install_it(write, monkeypatch):
    monkeypatch.setitem(sys.modules, "fastexcel", None)
    with pytest.raises(MissingExtraError, match="excel"):
        read_log(write({"Events": [NAMES, *EVENTS]}))


def test_cells_far_away_are_refused_before_they_fill_the_memory(write):
    path = write({"Events": [NAMES, *EVENTS]}, places={"XFD1048576": 1})
    with pytest.raises(LogError, match="1,048,576 rows"):
        read_log(path)


def rewritten(path, old, new, part="xl/worksheets/sheet1.xml"):
    """Replace a piece of XML in a part of a workbook."""
    with zipfile.ZipFile(path) as book:
        parts = {name: book.read(name).decode().partition("?>")[2] for name in book.namelist()}
    assert old in parts[part]
    path.write_bytes(zipped(parts | {part: parts[part].replace(old, new)}))
    return path


def test_a_zip_bomb_is_refused_before_it_fills_the_memory(tmp_path, monkeypatch):
    bomb = xlsx({"Events": [NAMES, *EVENTS]})
    parts = {name: zipfile.ZipFile(io.BytesIO(bomb)).read(name).decode() for name in zipfile.ZipFile(io.BytesIO(bomb)).namelist()}
    parts = {name: text.removeprefix('<?xml version="1.0" encoding="UTF-8"?>') for name, text in parts.items()}
    parts["xl/sharedStrings.xml"] = f"<sst><si><t>{' ' * 50_000_000}</t></si></sst>"
    packed = bytearray(zipped(parts))
    size = struct.pack("<L", len(parts["xl/sharedStrings.xml"]) + 38)
    lying = packed.replace(size, struct.pack("<L", 100))  # both headers claim a small part
    assert lying != packed
    for content in (packed, lying):
        (tmp_path / "log.xlsx").write_bytes(content)
        with pytest.raises(LogError, match=r"max_bytes|damaged"):
            read_log(tmp_path / "log.xlsx", max_bytes=10_000_000)


def test_a_formula_without_its_value_is_an_error(write):
    path = write({"Events": [NAMES, *EVENTS, [19, "Pay", datetime(2024, 2, 2), 8]]})
    assert read_log(rewritten(path, '<c r="D5"><v>8</v>', '<c r="D5" t="str"><f>A1</f><v></v>')).n_events == 4
    with pytest.raises(LogError, match="formula"):
        read_log(rewritten(path, '<c r="D5" t="str"><f>A1</f><v></v>', '<c r="D5"><f>A1</f>'))


def test_the_error_of_a_formula_is_an_empty_cell(write):
    path = write({"Events": [NAMES, *EVENTS, [19, Fault("#N/A"), datetime(2024, 2, 2), Fault("#N/A")]]})
    with pytest.raises(LogError, match="no activity"):
        read_log(path)
    assert read_log(path, missing="skip", attributes=["User"]).reading.skipped == 1


@pytest.mark.campaign
def test_no_damage_ends_in_anything_but_an_error(tmp_path):
    content = xlsx({"Events": [NAMES, *EVENTS]})
    path = tmp_path / "log.xlsx"
    for place in range(0, len(content), 3):
        damaged = bytearray(content)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        try:
            assert read_log(path).n_events == 3
        except ActalikeError:
            continue


@pytest.mark.parametrize(
    "part",
    [
        "<!DOCTYPE x [<!ENTITY a 'b'>]><workbook/>",
        "<workbook/>",
        "<workbook>",
        "<workbook><sheets><sheet name='a'/></sheets></workbook>",
    ],
)
def test_a_workbook_that_is_none_is_one_error(tmp_path, part):
    (tmp_path / "log.xlsx").write_bytes(zipped({"xl/workbook.xml": part, "xl/_rels/workbook.xml.rels": "<Relationships/>"}))
    with pytest.raises(LogError):
        read_log(tmp_path / "log.xlsx")


def test_rows_to_skip_are_counted_from_the_end_of_the_sheet(write):
    path = write({"Events": [NAMES, *EVENTS, ["", "", "", ""]]})
    assert read_log(path).n_events == read_log(path, skip_last=1).n_events == 3
    path = write({"Events": [NAMES, *EVENTS, [None, None, None, Fault("#DIV/0!")]]})
    assert read_log(path, skip_last=1).n_events == 3
    with pytest.raises(LogError, match="row 5"):
        read_log(path)
    path = write({"Events": [NAMES, *EVENTS, ["Total", None, None, None], ["", ""]]})
    assert look(path).options()["--skip-last"] == 2
    assert read_log(path, skip_last=2).n_events == 3


def test_a_note_beside_the_table_is_no_part_of_it(write):
    path = write({"Events": [NAMES, *EVENTS, [18, "Pay", datetime(2024, 2, 2), None, "check this"]]})
    assert read_log(path).traces() == [["Check", "Pay"], ["Check", "Pay"]]
    assert look(path).reading.events == 4
    ok("group", path)
    path = write({"Events": [["Case ID", "Activity", None], [1, "a", datetime(2024, 2, 2)]]})
    assert "name the column" in read_log(path).reading.remarks()[0]
    assert "--timestamp" not in look(path).options()
    path = write({"Events": [NAMES, *EVENTS, [18, "Pay", datetime(2024, 2, 2), None, "check this", "soon"]]})
    with pytest.raises(LogError, match=r"without a name.*'check this' in row 5"):
        read_log(path)


@pytest.mark.parametrize("column", [0, 1])
def test_numbers_that_excel_does_not_keep_are_refused(write, column):
    def path(value, other):
        rows = [list(EVENTS[0]), list(EVENTS[1])]
        rows[0][column], rows[1][column] = value, other
        return write({"Events": [["Title"], NAMES, *rows]})

    with pytest.raises(LogError, match=r"row 4.*text"):
        read_log(path("A", 1234567890123456789), skip=1)
    assert "store them as text" in look(path("A", 1234567890123456789), skip=1).error
    assert read_log(path("1234567890123456789", 123456789012345), skip=1).n_events == 2
    with pytest.raises(LogError, match="both 1 and"):
        read_log(path("1", 1), skip=1)
