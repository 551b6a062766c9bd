"""The matchers that take part in the benchmark of matching by their own names."""

from actalike.benchmark.matching.matchers.frequency import Frequency
from actalike.benchmark.matching.matchers.joined_kin import JoinedKin
from actalike.benchmark.matching.matchers.label_text import LabelText, Trigrams
from actalike.benchmark.matching.matchers.match import Match, MatchLabels
from actalike.benchmark.matching.matchers.procrustes import ProcrustesAct2Vec, ProcrustesCounts
from actalike.benchmark.matching.matchers.profile import Profile
from actalike.benchmark.matching.matchers.zhu import Zhu

MATCHERS = (Match, MatchLabels, Zhu, Profile, Frequency, JoinedKin, ProcrustesCounts, ProcrustesAct2Vec, Trigrams, LabelText)

__all__ = ["MATCHERS"]
