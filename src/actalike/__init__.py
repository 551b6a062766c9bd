"""actalike: which activities of an event log act alike, and exactly why."""

from actalike import plot
from actalike.benchmark.prediction.predictor import predictor
from actalike.confidence import Confidence
from actalike.embedding import Embedding, Share
from actalike.errors import (
    ActalikeError,
    FileFormatError,
    LogError,
    MissingExtraError,
    UnknownActivityError,
    UnknownMethodError,
)
from actalike.files import load
from actalike.groups import Group, group
from actalike.io import read_log, write_log
from actalike.log import EventLog
from actalike.mapping import read_mapping, write_mapping
from actalike.methods import (
    DEFAULT_METHOD,
    Act2VecEmbedder,
    AutoencoderEmbedder,
    CountEmbedder,
    KinEmbedder,
    LabelTextEmbedder,
    OneHotEmbedder,
    PositionalEmbedder,
    ProcessStructureEmbedder,
    SubstitutionEmbedder,
    embed,
    insertion_scores,
    make_method,
    methods,
    register,
    substitution_scores,
)
from actalike.next_activity import Prediction, Predictor
from actalike.relabelling import relabel, relabel_file
from actalike.report.html_report import WrittenReport, write_report
from actalike.streams import StreamCounter
from actalike.windows import PAD, WindowCounts, count_windows

__version__ = "0.1.0"

__all__ = [
    "DEFAULT_METHOD",
    "PAD",
    "Act2VecEmbedder",
    "ActalikeError",
    "AutoencoderEmbedder",
    "Confidence",
    "CountEmbedder",
    "Embedding",
    "EventLog",
    "FileFormatError",
    "Group",
    "KinEmbedder",
    "LabelTextEmbedder",
    "LogError",
    "MissingExtraError",
    "OneHotEmbedder",
    "PositionalEmbedder",
    "Prediction",
    "Predictor",
    "ProcessStructureEmbedder",
    "Share",
    "StreamCounter",
    "SubstitutionEmbedder",
    "UnknownActivityError",
    "UnknownMethodError",
    "WindowCounts",
    "WrittenReport",
    "count_windows",
    "embed",
    "group",
    "insertion_scores",
    "load",
    "make_method",
    "methods",
    "plot",
    "predictor",
    "read_log",
    "read_mapping",
    "register",
    "relabel",
    "relabel_file",
    "substitution_scores",
    "write_log",
    "write_mapping",
    "write_report",
]
