"""The pages: the report of a log and the leaderboard of a benchmark, each a single file."""

from actalike.report.html_report import WrittenReport, write_report
from actalike.report.leaderboard import WrittenLeaderboard, write_leaderboard

__all__ = ["WrittenLeaderboard", "WrittenReport", "write_leaderboard", "write_report"]
