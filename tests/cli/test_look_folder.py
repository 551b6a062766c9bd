"""What look says of the files of a folder together."""

import shlex

from tests.helpers.commands import ok, run


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
    assert "--cases joined: the case '8' is in a.csv and in b.csv, if it is one case that goes on" in shown
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
