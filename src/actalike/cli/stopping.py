"""End a command in order when a signal asks for it, so that temporary files are removed and what is finished is kept."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


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


@contextmanager
def stop_on_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP stop a command as Ctrl-C does. While Python ends, they end it at once, as they do by themselves."""

    def stop(number: int, frame: object) -> NoReturn:
        raise Stopped(number)

    numbers = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    numbers = [number for number in numbers if signal.getsignal(number) == signal.SIG_DFL]  # nohup ignores SIGHUP, and so do we
    for number in numbers:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, signal.SIG_DFL)
