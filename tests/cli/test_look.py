"""What the command look prints."""

import json
import shlex

import pytest

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
    assert "--lifecycle" in fails("look", "log.csv", "--lifecycle", "complete")
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
    assert "n.txt" in shown
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


TIMES = {
    "seconds": ([f"170418240{i}.5" for i in range(6)], ["--timestamp-format=%s"]),
    "milliseconds": ([f"170418240{i}123" for i in range(6)], ["--timestamp-format=%Q"]),
    "late 13th": (["01/02/2024"] * 500 + ["01/13/2024"], ["--timestamp-format=%m/%d/%Y"]),
    "either": (["01/02/2024"] * 2, ["--timestamp-format=%d/%m/%Y", "--timestamp-format=%m/%d/%Y"]),
    "ISO": (["2024-01-02"] * 2, []),
}


@pytest.mark.parametrize("kind", TIMES)
def test_the_next_command_reads_the_times(tmp_path, monkeypatch, kind):
    monkeypatch.chdir(tmp_path)
    values, options = TIMES[kind]
    (tmp_path / "log.tsv").write_text(
        "case\tactivity\ttime\n" + "".join(f"1\ta{i % 2}\t{time}\n" for i, time in enumerate(values))
    )
    shown = ok("look", "log.tsv")
    assert shown.startswith("log.tsv: TSV, ")
    commands = [line.removeprefix("Next:").strip() for line in shown.splitlines() if "actalike report" in line]
    assert commands == [f"actalike report log.tsv -o report.html {option}".rstrip() for option in options or [""]]
    done = run("count", *shlex.split(commands[0])[2:3], "-o", "counts.actalike", *shlex.split(commands[0])[5:])
    assert (done.returncode, "time = none" in done.stderr) == (0, False), done.stderr


def test_no_command_is_proposed_that_leaves_the_times_out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text("case,activity,time\n1,a,soon\n1,b,later\n")
    shown = ok("look", "log.csv")
    assert "actalike report" not in shown
    assert "No layout reads the times in 'time', such as 'soon'" in shown


def test_what_is_optional_is_in_the_next_command_too(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = "".join(f"{i // 2},a,{kind},{i}/01/2024,0{i}:00\n" for i in range(1, 9) for kind in ("start", "complete"))
    (tmp_path / "log.csv").write_text(f"case,activity,lifecycle:transition,day,time\n{rows}")
    shown = ok("look", "log.csv", "--timestamp-format", "%d/%m/%Y")
    assert (
        "--lifecycle complete: it keeps one event of each start/complete pair (100 % of these events belong to one) (optional)"
        in shown
    )
    next_command = "actalike report log.csv -o report.html --timestamp-format=%d/%m/%Y --timestamp=day --lifecycle=complete"
    assert shown.splitlines()[-1] == f"Next: {next_command}"
    assert "The column 'time' holds times of day, which cannot be joined with 'day'" in ok("look", "log.csv")


def looked_at(folder, **contents):
    folder.mkdir(exist_ok=True)
    for name, content in contents.items():
        (folder / f"{name}.csv").write_text(content)
    return ok("look", folder.name)


def test_a_case_in_two_files_comes_with_both_ways_to_read_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shown = looked_at(tmp_path / "logs", a="Fall;activity\n7;a\n7;b\n8;a\n8;b\n", b="Fall;activity\n8;a\n8;c\n9;a\n9;c\n")
    assert "a.csv  CSV, 30 bytes, utf-8, separated by ';'        2      2       4" in shown
    assert "The first rows of a.csv:\n\nFall  activity\n7     a\n" in shown
    assert "The columns of all files that could be looked at (2) are the same." in shown
    assert "--cases joined: the case '8' is in a.csv and in b.csv, if it is one case" in shown
    *_, title, joined, separate = shown.splitlines()
    assert title == "Next, one of:"
    assert joined == "  actalike report logs -o report.html --case=Fall --cases=joined"
    done = run(*shlex.split(separate)[1:], "-m", "one-hot")
    assert "4 cases, 8 events" in done.stderr


def test_files_that_need_different_options_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    dates = {"a": "01/02/2024", "b": "2024-01-02"}
    shown = looked_at(tmp_path / "logs", **{name: f"case,activity,time\n{name},x,{date}\n" for name, date in dates.items()})
    assert "The files need different options: --timestamp-format of a.csv does not fit b.csv. Read them one by one." in shown
    assert "Next" not in shown
    shown = looked_at(tmp_path / "logs", b="case,activity,time\nb,x,01/13/2024\n")
    assert shown.splitlines()[-1] == "Next: actalike report logs -o report.html --timestamp-format=%m/%d/%Y"
