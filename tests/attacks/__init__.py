"""Attacks on every path into and out of the package, one module for each kind of input or output.

A module has ``TITLE`` (the line of the table), ``missing()`` (why it cannot run here, None if it can) and
``attempts(random, folder)``, an endless iterator that makes one attempt for each :class:`Outcome` it yields. It takes all its
randomness from ``random`` and writes only into ``folder``, so that a seed repeats an attack.
"""

from typing import Literal, NamedTuple


class Outcome(NamedTuple):
    """What became of one attempt.

    ``same``: the result is the right one. ``refused``: one sentence, in an error of the package's own family. ``unseen``: the
    data were damaged where nothing in the file can tell (no checksum), and other values came back, as many as there should be.
    ``aborted``: a library ended the process, in a way that the documentation names. ``wrong``: anything else; ``detail`` then says
    what to do to see it again.
    """

    verdict: Literal["same", "refused", "unseen", "aborted", "wrong"]
    detail: str = ""
