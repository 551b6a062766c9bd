"""List the public logs of the paper, and check and read their files in a folder."""

from actalike.datasets.catalogue import Check, PaperLog, check_folder, find, load, paper_log, paper_logs, read_as_published

__all__ = [
    "Check",
    "PaperLog",
    "check_folder",
    "find",
    "load",
    "paper_log",
    "paper_logs",
    "read_as_published",
]
