"""The words of look, and the next command."""

import shlex

import pytest

from tests.helpers.commands import ok, run

TIMES = {
    "seconds": ([f"170418240{i}.5" for i in range(6)], ["--timestamp-format=%s"]),
    "milliseconds": ([f"170418240{i}123" for i in range(6)], ["--timestamp-format=%Q"]),
    "late 13th": (["01/02/2024"] * 500 + ["01/13/2024"], ["--timestamp-format=%m/%d/%Y"]),
    "either": (["01/02/2024"] * 2, ["--timestamp-format=%d/%m/%Y", "--timestamp-format=%m/%d/%Y"]),
    "none": (["soon"] * 2, ["--timestamp="]),
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
    assert (done.returncode, "time = none" in done.stderr) == (0, kind == "none"), done.stderr


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
