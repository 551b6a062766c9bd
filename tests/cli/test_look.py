"""The command look."""

import json
import shlex

from tests.helpers.commands import fails, ok, run


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
