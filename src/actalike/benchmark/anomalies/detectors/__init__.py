"""The detectors that take part in the benchmark of anomalies by their own names."""

from actalike.benchmark.anomalies.detectors.bags import BagForest
from actalike.benchmark.anomalies.detectors.likelihood import Likelihood
from actalike.benchmark.anomalies.detectors.links import Links, LinksAll, LinksCaseOut
from actalike.benchmark.anomalies.detectors.naive import Naive
from actalike.benchmark.anomalies.detectors.odd_events import Odd, OddActivities
from actalike.benchmark.anomalies.detectors.word_vectors import WordVectors

DETECTORS = (Odd, OddActivities, Naive, Likelihood, Links, LinksAll, LinksCaseOut, BagForest, WordVectors)

__all__ = ["DETECTORS"]
