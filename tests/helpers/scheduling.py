"""Which tests one worker runs together, when several run the tests side by side.

A worker makes the fixtures of a file once if it runs all of the file's tests; the same goes for what tests of several files share:
Java, PostgreSQL, the browser, the packages of learned methods, and real logs, each of which is read once. (The groups of pytest-xdist need a mark in each test's id, which
pytest 9.2 does not let it set. So the group is told from the id itself.)
"""

import re
from typing import Any

from xdist.scheduler import LoadScopeScheduling

_SHARED = {
    "postgres": re.compile(r"^tests/counting/.*postgres"),
    "spark": re.compile(r"^tests/counting/.*spark"),
    "browser": re.compile(
        r"^tests/report/test_(page|session|stories|pictures|accessibility|understood|\w+_page|matching_report|leaderboard\w*)\.py"
    ),
    "real logs": re.compile(r"[\[-](BPIC\d\d|CCC19|NASA|RTFM|Helpdesk|Hospital_Billing|Env_Permit|Sepsis)"),
    "learned methods": re.compile(r"^tests/methods/test_(contract|label_text|act2vec|autoencoder\w*)\.py"),
    "doctests": re.compile(r"^src/"),
}
LONGEST = (
    "spark",
    "real logs",
    "browser",
    "tests/report",
    "learned methods",
    "doctests",
    "tests/support/test_figures.py",
    "tests/test_imports.py",
    "tests/benchmark",
    "tests/test_readme.py",
    "tests/cli",
)


def group_of(test: str) -> str:
    """Return the group of a test: what it shares with tests of other files, or else its file.

    >>> group_of("tests/counting/engines/test_every_engine.py::test_an_empty_frame_is_an_error[spark]")
    'spark'
    >>> group_of("tests/io/test_write.py::test_what_is_written_comes_back[.xes]")
    'tests/io/test_write.py'
    """
    return next((group for group, pattern in _SHARED.items() if pattern.search(test)), test.partition("::")[0])


def start_order(test: str) -> int:
    """Return the place of a test's group: what takes long starts first, so that no worker is left alone with it at the end."""
    group = group_of(test)
    return next((place for place, beginning in enumerate(LONGEST) if group.startswith(beginning)), len(LONGEST))


class GroupScheduling(LoadScopeScheduling):
    """Give each worker whole groups, in the order of the tests."""

    def __init__(self, config: Any, log: Any) -> None:
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return group_of(nodeid)
