"""Ctrl-C while an engine is busy: a real signal, at the moment when it is."""

import os
import signal
import threading
import time
from contextlib import contextmanager

import numpy as np
import polars as pl

from tests.helpers.engine_frames import running_session


def write_many_events(path, cases=400_000):
    """Write so many events, in no order, that to count them takes an engine a while."""
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"case": np.repeat(np.arange(cases), 5), "activity": rng.integers(0, 40, 5 * cases), "at": np.arange(5 * cases)}
    )
    frame.sample(fraction=1, shuffle=True, seed=0).write_parquet(path)


def spark_is_busy():
    return bool(running_session().sparkContext.statusTracker().getActiveStageIds())


def wait_until(is_true, seconds=30):
    deadline = time.monotonic() + seconds
    while not is_true():
        assert time.monotonic() < deadline, "it was never so"
        time.sleep(0.01)


@contextmanager
def interrupt_when(is_busy):
    """Send Ctrl-C to this process as soon as something is busy. Only what certainly takes longer than that may be interrupted."""
    done = threading.Event()

    def watch():
        while not done.wait(0.01):
            if is_busy():
                os.kill(os.getpid(), signal.SIGINT)
                return

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


@contextmanager
def pressing_ctrl_c(seconds=0.5):
    """Send Ctrl-C to this process again and again until it has come through: a library may swallow the first one."""
    done = threading.Event()

    def press():
        while not done.wait(seconds):
            os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    try:
        yield
    finally:
        done.set()
        presser.join()
