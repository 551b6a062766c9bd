"""The benchmark page, in a single file: which method is best at what, how sure that is, and what it costs."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from actalike.report.leaderboard_data import leaderboard_data
from actalike.report.single_file import single_file
from actalike.support.files import write_atomically


class WrittenLeaderboard(NamedTuple):
    """What was written: where, how much, and about how many methods and logs; ``gaps`` says what is missing."""

    path: Path
    bytes: int
    methods: int
    logs: int
    gaps: list[str]


def write_leaderboard(folders: Sequence[str | Path], path: str | Path, title: str = "Benchmark") -> WrittenLeaderboard:
    """Write the page of some folders of results (one of each benchmark at most) as one HTML file.

    The same results and title give the same bytes.
    """
    data = leaderboard_data(folders)
    styles = ["shared/page.css", "benchmark/page.css"]
    content = single_file("benchmark/page.html", styles, "benchmark/main.js", data, title).encode()
    write_atomically(path, lambda part: part.write_bytes(content))
    return WrittenLeaderboard(Path(path), len(content), len(data["methods"]), len(data["logs"]), data["gaps"])
