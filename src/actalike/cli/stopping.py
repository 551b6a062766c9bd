"""End a command in order when a signal asks for it, so that temporary files are removed and what is finished is kept."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager


class Stopped(KeyboardInterrupt):
    """Say that a signal other than Ctrl-C ended the command. No benchmark takes it for a failure of the method that runs."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def exit_code(stop: KeyboardInterrupt) -> int:
    """Return the exit code after a signal, by the shell's convention: 128 and the number of the signal.

    >>> exit_code(KeyboardInterrupt()), exit_code(Stopped(15))
    (130, 143)
    """
    return 128 + getattr(stop, "number", signal.SIGINT)


_running = False


def _stop(number: int, frame: object) -> None:
    if _running:
        raise Stopped(number)


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP stop a command as Ctrl-C does. Afterwards they are ignored: the work is done, and Python ends."""
    global _running
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) == signal.SIG_DFL:  # nohup ignores SIGHUP, and that must stay so
            signal.signal(number, _stop)
    _running = True
    try:
        yield
    finally:
        _running = False
