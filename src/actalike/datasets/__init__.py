"""The public logs of the paper: what they must contain, and whether a folder has them."""

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
