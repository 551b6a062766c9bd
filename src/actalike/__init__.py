"""actalike: which activities of an event log act alike, and exactly why.

The public names. Each is loaded with its room when it is first used, so that ``import actalike`` and ``actalike --help`` cost
next to nothing.
"""

import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any

from actalike.version import __version__ as __version__

if TYPE_CHECKING:  # what type checkers see; tests/test_public_names.py holds it to the table below
    from actalike import benchmark as benchmark
    from actalike import datasets as datasets
    from actalike import plot as plot
    from actalike.counting import PAD as PAD
    from actalike.counting import StreamCounter as StreamCounter
    from actalike.counting import WindowCounts as WindowCounts
    from actalike.counting import count_windows as count_windows
    from actalike.counting import read_cases as read_cases
    from actalike.counting import read_variants as read_variants
    from actalike.embedding import Confidence as Confidence
    from actalike.embedding import Embedding as Embedding
    from actalike.embedding import Share as Share
    from actalike.errors import ActalikeError as ActalikeError
    from actalike.errors import EngineError as EngineError
    from actalike.errors import FileFormatError as FileFormatError
    from actalike.errors import LogError as LogError
    from actalike.errors import MissingExtraError as MissingExtraError
    from actalike.errors import UnknownActivityError as UnknownActivityError
    from actalike.errors import UnknownMethodError as UnknownMethodError
    from actalike.grouping import compare as compare
    from actalike.grouping import group as group
    from actalike.grouping import same_step as same_step
    from actalike.io import read_log as read_log
    from actalike.io import write_log as write_log
    from actalike.labels import Comparison as Comparison
    from actalike.labels import DecidedGroup as DecidedGroup
    from actalike.labels import Decisions as Decisions
    from actalike.labels import EvidenceLevel as EvidenceLevel
    from actalike.labels import EvidenceModel as EvidenceModel
    from actalike.labels import Group as Group
    from actalike.labels import Groups as Groups
    from actalike.labels import LikelyPair as LikelyPair
    from actalike.labels import Reason as Reason
    from actalike.labels import SameStep as SameStep
    from actalike.labels import SimilarSteps as SimilarSteps
    from actalike.labels import evidence_model as evidence_model
    from actalike.labels import read_decisions as read_decisions
    from actalike.labels import read_mapping as read_mapping
    from actalike.labels import relabel as relabel
    from actalike.labels import relabel_file as relabel_file
    from actalike.labels import write_decisions as write_decisions
    from actalike.labels import write_mapping as write_mapping
    from actalike.loading import load as load
    from actalike.log import Attribute as Attribute
    from actalike.log import EventLog as EventLog
    from actalike.log import Variants as Variants
    from actalike.methods import DEFAULT_METHOD as DEFAULT_METHOD
    from actalike.methods import Act2VecEmbedder as Act2VecEmbedder
    from actalike.methods import AutoencoderEmbedder as AutoencoderEmbedder
    from actalike.methods import CentredKinEmbedder as CentredKinEmbedder
    from actalike.methods import CountEmbedder as CountEmbedder
    from actalike.methods import KinEmbedder as KinEmbedder
    from actalike.methods import LabelTextEmbedder as LabelTextEmbedder
    from actalike.methods import OneHotEmbedder as OneHotEmbedder
    from actalike.methods import PositionalEmbedder as PositionalEmbedder
    from actalike.methods import ProcessStructureEmbedder as ProcessStructureEmbedder
    from actalike.methods import SubstitutionEmbedder as SubstitutionEmbedder
    from actalike.methods import embed as embed
    from actalike.methods import insertion_scores as insertion_scores
    from actalike.methods import make_method as make_method
    from actalike.methods import method_names as method_names
    from actalike.methods import register as register
    from actalike.methods import substitution_scores as substitution_scores
    from actalike.oddities import Expected as Expected
    from actalike.oddities import OddEvent as OddEvent
    from actalike.oddities import Oddities as Oddities
    from actalike.oddities import OddModel as OddModel
    from actalike.oddities import OddStream as OddStream
    from actalike.oddities import OddTime as OddTime
    from actalike.oddities import StreamScore as StreamScore
    from actalike.oddities import Surprise as Surprise
    from actalike.oddities import odd as odd
    from actalike.oddities import odd_model as odd_model
    from actalike.prediction import CasePrediction as CasePrediction
    from actalike.prediction import CasePredictions as CasePredictions
    from actalike.prediction import PlacedLabel as PlacedLabel
    from actalike.prediction import Prediction as Prediction
    from actalike.prediction import Predictor as Predictor
    from actalike.prediction import RefusedLabel as RefusedLabel
    from actalike.prediction import predictor as predictor
    from actalike.report import WrittenMatchingReport as WrittenMatchingReport
    from actalike.report import WrittenReport as WrittenReport
    from actalike.report import write_matching_report as write_matching_report
    from actalike.report import write_report as write_report
    from actalike.two_logs import ChangedActivity as ChangedActivity
    from actalike.two_logs import ChangePoint as ChangePoint
    from actalike.two_logs import ChangePoints as ChangePoints
    from actalike.two_logs import DecidedLog as DecidedLog
    from actalike.two_logs import DecidedPair as DecidedPair
    from actalike.two_logs import Drift as Drift
    from actalike.two_logs import MatchedPair as MatchedPair
    from actalike.two_logs import Matching as Matching
    from actalike.two_logs import MatchingDecisions as MatchingDecisions
    from actalike.two_logs import MatchReason as MatchReason
    from actalike.two_logs import NeighbourChange as NeighbourChange
    from actalike.two_logs import PresenceChange as PresenceChange
    from actalike.two_logs import Replacement as Replacement
    from actalike.two_logs import ShareChange as ShareChange
    from actalike.two_logs import SplitStep as SplitStep
    from actalike.two_logs import Unmatched as Unmatched
    from actalike.two_logs import Vocabularies as Vocabularies
    from actalike.two_logs import change_points as change_points
    from actalike.two_logs import drift as drift
    from actalike.two_logs import match as match
    from actalike.two_logs import read_known_pairs as read_known_pairs
    from actalike.two_logs import read_matching_decisions as read_matching_decisions
    from actalike.two_logs import vocabularies as vocabularies
    from actalike.two_logs import write_matching_decisions as write_matching_decisions

_ROOMS = {  # each room's public names; a room without any is public itself
    "benchmark": (),
    "counting": ("PAD", "StreamCounter", "WindowCounts", "count_windows", "read_cases", "read_variants"),
    "datasets": (),
    "embedding": ("Confidence", "Embedding", "Share"),
    "errors": (
        "ActalikeError",
        "EngineError",
        "FileFormatError",
        "LogError",
        "MissingExtraError",
        "UnknownActivityError",
        "UnknownMethodError",
    ),
    "grouping": ("compare", "group", "same_step"),
    "io": ("read_log", "write_log"),
    "labels": (
        "DecidedGroup",
        "Decisions",
        "Comparison",
        "EvidenceLevel",
        "EvidenceModel",
        "Group",
        "Groups",
        "LikelyPair",
        "Reason",
        "SameStep",
        "SimilarSteps",
        "evidence_model",
        "read_decisions",
        "read_mapping",
        "relabel",
        "relabel_file",
        "write_decisions",
        "write_mapping",
    ),
    "loading": ("load",),
    "log": ("Attribute", "EventLog", "Variants"),
    "methods": (
        "Act2VecEmbedder",
        "AutoencoderEmbedder",
        "CentredKinEmbedder",
        "CountEmbedder",
        "DEFAULT_METHOD",
        "KinEmbedder",
        "LabelTextEmbedder",
        "OneHotEmbedder",
        "PositionalEmbedder",
        "ProcessStructureEmbedder",
        "SubstitutionEmbedder",
        "embed",
        "insertion_scores",
        "make_method",
        "method_names",
        "register",
        "substitution_scores",
    ),
    "oddities": (
        "Expected",
        "OddEvent",
        "OddModel",
        "OddStream",
        "OddTime",
        "Oddities",
        "StreamScore",
        "Surprise",
        "odd",
        "odd_model",
    ),
    "plot": (),
    "prediction": ("CasePrediction", "CasePredictions", "PlacedLabel", "Prediction", "Predictor", "RefusedLabel", "predictor"),
    "report": ("WrittenMatchingReport", "WrittenReport", "write_matching_report", "write_report"),
    "two_logs": (
        "ChangePoint",
        "ChangePoints",
        "ChangedActivity",
        "DecidedLog",
        "DecidedPair",
        "Drift",
        "MatchReason",
        "MatchedPair",
        "Matching",
        "MatchingDecisions",
        "NeighbourChange",
        "PresenceChange",
        "Replacement",
        "ShareChange",
        "SplitStep",
        "Unmatched",
        "Vocabularies",
        "change_points",
        "drift",
        "match",
        "read_known_pairs",
        "read_matching_decisions",
        "vocabularies",
        "write_matching_decisions",
    ),
}
_ROOM_OF = {name: room for room, names in _ROOMS.items() for name in names or (room,)}

__all__ = sorted(_ROOM_OF)


_PACKAGES = {  # not public, but there, as submodules are once they are imported
    "cli",
    "counting",
    "demo",
    "embedding",
    "errors",
    "io",
    "labels",
    "loading",
    "log",
    "matrices",
    "methods",
    "oddities",
    "prediction",
    "report",
    "support",
    "two_logs",
    "version",
}

_RENAMED = {"Split": "SplitStep"}  # names of the last version, with those that they have now

if not TYPE_CHECKING:  # a type checker would take every name for there

    def __getattr__(name: str) -> Any:
        if name in _PACKAGES:
            return import_module(f"actalike.{name}")
        if name in _RENAMED:
            warnings.warn(f"actalike.{name} is called actalike.{_RENAMED[name]} now.", DeprecationWarning, stacklevel=2)
            name = _RENAMED[name]
        if name not in _ROOM_OF:
            raise AttributeError(f"module 'actalike' has no attribute {name!r}")
        room = import_module(f"actalike.{_ROOM_OF[name]}")
        value = getattr(room, name) if _ROOMS[_ROOM_OF[name]] else room
        globals()[name] = value
        return value


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
