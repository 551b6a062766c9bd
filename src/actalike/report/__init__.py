"""The pages: the report of a log, the page of two logs, and the leaderboard of a benchmark, each a single file."""

from actalike.report.html_report import WrittenReport, write_report
from actalike.report.leaderboard import WrittenLeaderboard, write_leaderboard
from actalike.report.matching_report import WrittenMatchingReport, write_matching_report

__all__ = [
    "WrittenLeaderboard",
    "WrittenMatchingReport",
    "WrittenReport",
    "write_leaderboard",
    "write_matching_report",
    "write_report",
]
