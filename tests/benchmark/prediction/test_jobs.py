"""The next-activity benchmark in several processes: the same results, and no process that is left behind."""

import os
import signal
import subprocess
import time
from pathlib import Path

import pytest

from actalike import ActalikeError
from actalike.benchmark.tasks.prediction_training import STEPS, Part, choose_jobs, train_parts
from tests.helpers.benchmark_runs import command, run, tree
from tests.helpers.commands import without_what_was_read
from tests.helpers.prediction_runs import FEW, SMALL

IN_TWO = ("--jobs", "2")
LONG = ("--methods", "kin-w5", "kin-w3", "--models", "evermann-published", "evermann", "--epochs", "1000000", "--device", "cpu", *IN_TWO)  # fmt: skip


def test_on_a_cpu_there_is_a_process_for_each_core_and_on_a_gpu_there_is_one():
    assert choose_jobs(3, "cpu") == 3
    assert 1 <= choose_jobs(None, "cpu") <= os.cpu_count()
    assert choose_jobs(None, "cuda") == choose_jobs(1, "cuda") == 1
    with pytest.raises(ActalikeError, match="jobs"):
        choose_jobs(2, "cuda")


@pytest.mark.campaign
def test_two_processes_give_the_same_bytes_as_one(small_logs, finished, tmp_path):
    run("prediction", "--logs", small_logs, "--out", tmp_path / "out", *SMALL, *IN_TWO)
    assert tree(tmp_path / "out") == tree(finished)


@pytest.mark.campaign
@pytest.mark.parametrize("jobs", [1, 2])
def test_each_part_makes_all_its_steps_of_progress(tmp_path, jobs):
    """Parts that cannot be trained, since there is no task: a failure of one does not keep the others from being trained."""
    parts = []
    for name in ("some", "other", "third"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "log.json").write_text('{"log_digest": "abc"}')
        parts.append(Part(name, tmp_path / name, "evermann", ("original",)))
    told = dict.fromkeys(("some", "other", "third"), 0)

    def advance(name, steps):
        told[name] += steps

    train_parts(parts, 1, None, "cpu", jobs, advance)
    assert set(told.values()) == {STEPS}
    for name in told:
        assert "task.npz is damaged" in (tmp_path / name / "results" / "evermann" / "original.json").read_text()


def processes_of(group):
    """The processes of a group, those aside that have ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, its_group = stat.read_text().rpartition(")")[2].split()[:3]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(its_group) == group and state != "Z":
            found.append(int(stat.parent.name))
    return found


def started(small_logs, out):
    """A run in two processes, both of which train."""
    words = command("prediction", "--logs", small_logs / "plain.csv", "--out", out, *LONG)
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while running.poll() is None and not all((out / "plain/results" / model).exists() for model in ("evermann", LONG[4])):
        time.sleep(0.05)
    time.sleep(0.3)
    return running


def wait_until_none_is_left(group):
    ended = time.monotonic() + 20
    while processes_of(group) and time.monotonic() < ended:
        time.sleep(0.1)
    assert processes_of(group) == []


needs_proc = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are counted in /proc")


@pytest.mark.campaign
@needs_proc
@pytest.mark.parametrize("to_all", [False, True])
def test_ctrl_c_ends_all_processes_and_says_how_to_go_on(small_logs, tmp_path, to_all):
    out = tmp_path / "out"
    running = started(small_logs, out)
    (os.killpg if to_all else os.kill)(running.pid, signal.SIGINT)  # a terminal signals all processes
    _, said = running.communicate(timeout=60)
    assert running.returncode == 130, said
    stopped = f"actalike: stopped. What is finished is in {out}; the same command continues from there."
    assert without_what_was_read(said) == [stopped]
    wait_until_none_is_left(running.pid)


@pytest.mark.campaign
@needs_proc
def test_processes_whose_parent_is_killed_end(small_logs, tmp_path):
    running = started(small_logs, tmp_path / "out")
    assert len(processes_of(running.pid)) > 2
    running.kill()
    running.communicate(timeout=60)
    wait_until_none_is_left(running.pid)


@pytest.mark.campaign
@needs_proc
def test_a_run_of_which_a_process_is_killed_says_so_and_ends(small_logs, tmp_path):
    out = tmp_path / "out"
    running = started(small_logs, out)
    busiest = max((pid for pid in processes_of(running.pid) if pid != running.pid), key=seconds_of)
    os.kill(busiest, signal.SIGKILL)
    _, said = running.communicate(timeout=60)
    assert running.returncode == 1
    assert "A process of the benchmark was ended from outside" in said
    wait_until_none_is_left(running.pid)


def seconds_of(pid):
    times = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(times[11]) + int(times[12])


@pytest.mark.campaign
def test_a_failed_training_makes_the_exit_code_1_when_all_else_is_computed(small_logs, tmp_path):
    call = ("prediction", "--logs", small_logs, "--out", tmp_path / "out", *FEW, "--models", "tax", "evermann", *IN_TWO)
    done = run(*call, code=1)
    assert "tax with tax failed on plain" in done.stdout
    files = [name for name in tree(tmp_path / "out") if "/results/" in name]
    assert len(files) == 2 * (1 + 2)
