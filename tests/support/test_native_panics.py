"""Panics of native code, without their reports."""

import os
import subprocess
import sys
import threading

import polars as pl
import pytest

from actalike.support.native_panics import NativePanic, catch_panics


def panic():
    pl.Series([2**31 - 1], dtype=pl.Int32).cast(pl.Date).cast(pl.String)


def test_a_panic_is_an_exception_and_its_report_is_not_seen(capfd):
    with pytest.raises(NativePanic, match="out-of-range"), catch_panics():
        panic()
    assert capfd.readouterr().err == ""


def test_other_words_on_standard_error_are_shown_afterwards(capfd):
    with catch_panics():
        os.write(2, b"a warning\n")
        assert capfd.readouterr().err == ""
    assert capfd.readouterr().err == "a warning\n"


def test_a_panic_inside_another_reading_leaves_the_rest(capfd):
    with catch_panics():
        with pytest.raises(NativePanic), catch_panics():
            panic()
        os.write(2, b"later\n")
    assert capfd.readouterr().err == "later\n"


def test_many_threads_leave_standard_error_as_it_was(capfd):
    def read():
        for _ in range(20):
            with pytest.raises(NativePanic), catch_panics():
                panic()

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    os.write(2, b"still here\n")
    assert capfd.readouterr().err == "still here\n"


def test_a_process_without_standard_error_can_read_too():
    code = (
        "import os, sys; os.close(2)\n"
        "from actalike.support.native_panics import catch_panics\n"
        "with catch_panics():\n    print('read')"
    )
    done = subprocess.run([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, check=False)
    assert done.stdout == "read\n"


def test_other_exceptions_pass():
    with pytest.raises(ValueError, match="no panic"), catch_panics():
        raise ValueError("no panic")
