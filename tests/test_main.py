"""The command as a process: what happens when it is stopped."""

import os
import signal
import subprocess
import sys

import pytest

from actalike import write_log
from actalike.__main__ import run
from actalike.demo.loan_desk import loan_desk

# the command, whose writing waits after the first bytes: a moment in which it can be stopped
SLOW = """
import sys, time
from pathlib import Path
write = Path.write_bytes
def slowly(part, content):
    write(part, content[:9])
    print("writing", flush=True)
    time.sleep(60)
Path.write_bytes = slowly
from actalike.__main__ import run
run()
"""


@pytest.mark.campaign
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)], ids=["SIGINT", "SIGTERM"])
def test_a_command_that_is_stopped_leaves_nothing_and_says_so_in_a_line(tmp_path, number, code):
    write_log(loan_desk(5), tmp_path / "log.csv")
    command = [sys.executable, "-c", SLOW, "count", "log.csv", "-o", "out.actalike"]
    process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "writing\n"
    process.send_signal(number)
    output, errors = process.communicate()
    lines = errors.splitlines()[-1:]  # before it may stand what was read
    assert (process.returncode, output, lines) == (code, "", ["actalike: stopped."])
    assert "Traceback" not in errors
    assert os.listdir(tmp_path) == ["log.csv"]


def test_a_command_can_be_stopped_before_it_has_begun(monkeypatch, capsys):
    def stopped():
        raise KeyboardInterrupt

    monkeypatch.setattr("actalike.cli.main.main", stopped)
    with pytest.raises(SystemExit) as end:
        run()
    assert (end.value.code, capsys.readouterr().err) == (130, "actalike: stopped.\n")
