"""A signal stops a command as Ctrl-C does while it runs, and does nothing after it."""

import os
import signal

import pytest

from actalike.cli.console import Stopped, exit_code, stop_on_signals

NUMBERS = [signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def _handlers_as_before():
    before = {number: signal.getsignal(number) for number in NUMBERS}
    for number in NUMBERS:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.name)
def test_a_signal_is_an_interruption_with_its_own_exit_code(number):
    with stop_on_signals(), pytest.raises(KeyboardInterrupt) as stop:
        os.kill(os.getpid(), number)
    assert isinstance(stop.value, Stopped)
    assert exit_code(stop.value) == 128 + number


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: number.name)
def test_a_signal_after_the_command_is_ignored_and_the_next_command_can_be_stopped_again(number):
    with stop_on_signals():
        pass
    os.kill(os.getpid(), number)
    with stop_on_signals(), pytest.raises(Stopped):
        os.kill(os.getpid(), number)


def test_what_nohup_ignores_stays_ignored():
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    with stop_on_signals():
        os.kill(os.getpid(), signal.SIGHUP)
    assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
