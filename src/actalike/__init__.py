"""actalike: which activities of an event log act alike, and exactly why."""

from actalike.embedding import Embedding, Share
from actalike.errors import (
    ActalikeError,
    FileFormatError,
    LogError,
    UnknownActivityError,
    UnknownMethodError,
)
from actalike.files import load
from actalike.io import read_log, write_log
from actalike.log import EventLog
from actalike.methods import DEFAULT_METHOD, CountEmbedder, embed, make_method, methods, register
from actalike.windows import PAD, WindowCounts, count_windows

__version__ = "0.1.0"

__all__ = [
    "DEFAULT_METHOD",
    "PAD",
    "ActalikeError",
    "CountEmbedder",
    "Embedding",
    "EventLog",
    "FileFormatError",
    "LogError",
    "Share",
    "UnknownActivityError",
    "UnknownMethodError",
    "WindowCounts",
    "count_windows",
    "embed",
    "load",
    "make_method",
    "methods",
    "read_log",
    "register",
    "write_log",
]
