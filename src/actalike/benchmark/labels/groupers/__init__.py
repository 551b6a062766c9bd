"""The groupers that take part in the benchmark of labels by their own names."""

from actalike.benchmark.labels.groupers.contrast import Contrast
from actalike.benchmark.labels.groupers.praeclarus import Praeclarus, PraeclarusContextual
from actalike.benchmark.labels.groupers.same_step import SameStep
from actalike.benchmark.labels.groupers.strings import JaroWinkler, Levenshtein, TfIdf, Trigrams
from actalike.benchmark.labels.groupers.swiftmend import SwiftMend
from actalike.benchmark.labels.groupers.zhu import Zhu

GROUPERS = (SameStep, Contrast, Praeclarus, PraeclarusContextual, SwiftMend, Zhu, Levenshtein, JaroWinkler, Trigrams, TfIdf)

__all__ = ["GROUPERS"]
