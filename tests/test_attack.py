"""The campaign's runner: every attack gets its turn, and nothing that one does ends the others."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.attacks import __main__ as attack

ROOT = Path(__file__).parents[1]
BEGINNING = """
import os, signal, time
from tests.attacks import Outcome

TITLE = "toy: {}"

def missing():
    return None

def attempts(random, folder):
    while True:
        (folder / "input.txt").write_text(str(random.random()))
        time.sleep(0.01)
"""
BODIES = {
    "sound": "yield Outcome(random.choice(['same', 'refused']))",
    "wrong": "yield Outcome('wrong', 'an \x1b[31m escape')",
    "abort": "yield Outcome('same'); os.kill(os.getpid(), signal.SIGABRT)",
    "exception": "yield Outcome('same'); raise RuntimeError('no luck')",
    "hang": "yield Outcome('same'); time.sleep(60)",
    "noisy": "print('{}'); print('{}', flush=True); yield Outcome('same')",
    "absent": "yield Outcome('same')",
    "end": "yield Outcome('same'); return",
}


@pytest.fixture
def start(tmp_path):
    """Start a campaign of toy attacks."""

    def start_(*names, seconds=0.1, **environment):
        for name in names:
            text = BEGINNING.replace("{}", name) + "        " + BODIES[name] + "\n"
            if name == "absent":
                text = text.replace("return None", "return 'no such thing here'")
            (tmp_path / f"{name}.py").write_text(text)
        known = {key: value for key, value in os.environ.items() if key != "CI"}
        settings = {"ATTACK_SECONDS": str(seconds), "ATTACK_PATIENCE": "2", "TMPDIR": str(tmp_path), **environment}
        return subprocess.Popen(
            [sys.executable, "-m", "tests.attacks", *(tmp_path / f"{name}.py" for name in names)], cwd=ROOT,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**known, **settings},
        )  # fmt: skip

    return start_


def rows(output):
    """The counts of each attack: tried, same, refused, unseen, aborted, wrong."""
    found = re.findall(
        r"^toy: (\w+)\s+([\d,]+)\s+([\d,]+)\s+([\d,]+)\s+([\d,]+)\s+([\d,]+)\s+([\d,]+)\s+\d+$", output, re.MULTILINE
    )
    return {name: [int(count.replace(",", "")) for count in counts] for name, *counts in found}


def test_sound_attacks_end_with_status_0_and_their_counts(start):
    done = start("sound", "noisy", "end")
    output, errors = done.communicate()
    assert done.returncode == 0, errors
    found = rows(output)
    assert list(found) == ["sound", "noisy", "end"]
    for tried, same, refused, unseen, aborted, wrong in found.values():
        assert tried == same + refused + unseen > 0
        assert aborted == wrong == 0
    assert "ATTACK_SEED=0" in errors


def test_a_wrong_attempt_ends_with_status_1_and_its_files_are_kept(start):
    done = start("wrong", "sound")
    output, _ = done.communicate()
    assert done.returncode == 1
    assert rows(output)["wrong"][5] > 0
    assert rows(output)["sound"][5] == 0
    assert "wrong: toy: wrong: an \\x1b[31m escape (files in wrong-1)" in output
    kept = Path(re.search(r"files of wrong attempts are in (.+)", output)[1])
    assert (kept / "wrong-1" / "input.txt").exists()
    assert "escape" in (kept / "wrong-1" / "what_was_wrong.txt").read_text()


@pytest.mark.campaign
def test_an_abort_or_a_hang_is_one_wrong_and_the_attack_goes_on(start):
    words = {
        "abort": "ended by SIGABRT",
        "exception": "ended with status 1: .*RuntimeError: no luck",
        "hang": "no answer within 2 seconds",
    }
    done = start(*words, "sound", seconds=3, ATTACK_WORKERS="4")
    output, _ = done.communicate()
    assert done.returncode == 1
    for name, reason in words.items():
        tried, same, _, _, _, wrong = rows(output)[name]
        assert same > 1
        assert tried == same + wrong
        assert re.search(f"toy: {name}: .*{reason}", output)
        assert f"files in {name}-1" in output
    assert rows(output)["sound"][5] == 0


def test_an_interrupted_campaign_prints_what_was_done(start):
    done = start("sound", seconds=60)
    while "attacks" not in done.stderr.readline():
        pass
    time.sleep(0.7)
    done.send_signal(signal.SIGINT)
    output, errors = done.communicate(timeout=20)
    assert done.returncode == 130
    assert rows(output)["sound"][0] > 0
    assert "interrupted" in errors


def test_a_seed_repeats_the_inputs_of_a_run(start):
    inputs = []
    for seed in ("1", "1", "2"):
        output, _ = start("wrong", seconds=0.1, ATTACK_SEED=seed).communicate()
        kept = Path(re.search(r"files of wrong attempts are in (.+)", output)[1])
        inputs.append((kept / "wrong-1" / "input.txt").read_text())
    assert inputs[0] == inputs[1] != inputs[2]


def test_an_attack_that_cannot_run_says_why_and_in_ci_that_is_an_error(start):
    for environment, status in (({}, 0), ({"CI": "true"}, 1)):
        done = start("absent", **environment)
        output, _ = done.communicate()
        assert done.returncode == status
        assert "toy: absent    not run: no such thing here" in output


def test_all_attacks_are_found_and_have_a_title():
    modules = sorted((ROOT / "tests" / "attacks").glob("[!_]*.py"))
    assert {"xes_files", "relabelling", "hostile_labels", "terminal"} <= {module.stem for module in modules}
    assert all(attack.title_of(module) != module.stem for module in modules)


def test_attacks_share_the_time_by_their_weights():
    rows = [attack.Row(Path(f"{name}.py"), name) for name in ("xes_files", "a", "b", "csv_files")]
    assert attack.share(rows, 60, 120) == 40
    assert attack.share(rows[1:], 60, 80) == 20
    assert attack.share(rows[3:], 60, 80) == 60
    assert attack.share(rows[3:], -1, -2) == 0
