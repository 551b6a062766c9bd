"""The command look."""

import json
import shlex

from tests.helpers.commands import fails, ok, run
from tests.helpers.ocel import purchases, write


def test_copied_options_of_look_read_the_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i // 3};{'xaybz'[i % 5]};{1 + i % 28:02d}.02.2024 8:15\r\n" for i in range(60))
    (tmp_path / "my file.csv").write_bytes(f"sep=;\r\nVorgang Nr;Tätigkeit;Beginn\r\n{rows}".encode("cp1252"))
    command = ok("look", "my file.csv").splitlines()[-1].removeprefix("Next: ")
    assert command == (
        "actalike report 'my file.csv' -o report.html --encoding=cp1252 '--case=Vorgang Nr' '--activity=Tätigkeit' --timestamp=Beginn "
        "'--timestamp-format=%d.%m.%Y %H:%M'"
    )
    done = run(*shlex.split(command)[1:], "-m", "one-hot")
    assert done.returncode == 0
    assert "20 cases, 60 events; case = Vorgang Nr, activity = Tätigkeit, time = Beginn: events sorted by it" in done.stderr


def test_hostile_cells_are_shown_as_they_are_and_nothing_is_taken_silently(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text("case,activity,odd\x1bname\n1,\x1b[31mred,x\n1,b,y\n2,c,\n")
    shown = ok("look", "log.csv")
    assert "\x1b" not in shown
    assert "\\x1b[31mred" in shown
    assert "All of its 3 rows were looked at." in shown
    assert "Would be read: log.csv: 2 cases, 3 events; case = case, activity = activity, time = none" in shown
    facts = json.loads(ok("look", "log.csv", "--json"))
    assert [column["role"] for column in facts["columns"]] == ["case", "activity", None]
    assert facts["reading"]["cases"] == 2
    assert "--lifecycle means nothing here" in fails("look", "log.csv", "--lifecycle", "complete")
    (tmp_path / "log.zip").write_bytes(b"PK\x03\x04")
    assert "is a zip file" in fails("look", "log.zip")


def test_the_files_of_a_folder_are_compared(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, content in (
        ("a.csv", "case,activity\n1,a\n"),
        ("b.csv", "case,activity,User\n1,a,x\n"),
        ("c.csv", ""),
        ("n.txt", ""),
    ):
        (tmp_path / name).write_text(content)
    shown = ok("look", ".")
    assert "\\x0a" not in shown
    assert "a folder, 3 files that would be read as one log" in shown
    assert "case = case, activity = activity" in shown
    assert "  ?  c.csv is empty: it has no header." in shown
    assert shown.endswith("Nothing that is proposed here would make it readable.\n")
    assert "n.txt is no log by its name, and would not be read" in shown
    assert "The columns differ: 'User' is not in a.csv." in shown
    facts = json.loads(ok("look", ".", "--json"))
    assert [(each["option"], each["value"]) for each in facts["proposals"]] == [("--cases", "joined"), ("--cases", "separate")]
    assert facts["other_files"] == ["n.txt"]
    assert facts["files"][2] == {"error": "c.csv is empty: it has no header."}


def test_the_types_of_an_object_centric_log_are_listed_with_commands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(purchases(), tmp_path / "buy.jsonocel")
    shown = ok("look", "buy.jsonocel")
    assert "buy.jsonocel: object-centric (OCEL 2.0, JSON)" in shown
    assert "purchase order        3            2       6          6            3.0" in shown
    command = shown.splitlines()[-4].strip()
    assert command == "actalike report buy.jsonocel -o report.html '--object-type=purchase order'"
    done = run(*shlex.split(command)[1:], "-m", "one-hot")
    assert done.returncode == 0
    assert "2 cases, 6 events; case = purchase order (object type)" in done.stderr
    assert "7 events involve none of these objects and are left out" in done.stderr
    assert "actalike relabel" not in (tmp_path / "report.html").read_text()
    assert json.loads(ok("look", "buy.jsonocel", "--json"))["object_types"][3]["relations"] == 5
    chosen = ok("look", "buy.jsonocel", "--object-type", "invoice")
    assert "Would be read: buy.jsonocel: 2 cases, 5 events" in chosen
    assert "Next: actalike report buy.jsonocel -o report.html --object-type=invoice" in chosen
