"""Draw figures for papers and notebooks, one function for each kind.

The functions need matplotlib (``pip install 'actalike[plot]'``). Each returns a matplotlib figure, which a notebook shows and
which you can change, and saves it as PNG, SVG or PDF if you give a ``path``. docs/figures.md shows them all.
"""

from actalike.benchmark.tasks.intrinsic import metric_by_method, metric_over_r_and_w, spread_over_logs
from actalike.benchmark.tasks.prediction import accuracy_by_log, accuracy_by_method, accuracy_spread
from actalike.plot.embeddings import activity_map, heat_map
from actalike.plot.embeddings import embedding_scatter as embedding
from actalike.plot.logs import activities_per_log, positions, zipf
from actalike.plot.process_graph import directly_follows_graph as directly_follows

__all__ = [
    "accuracy_by_log",
    "accuracy_by_method",
    "accuracy_spread",
    "activities_per_log",
    "activity_map",
    "directly_follows",
    "embedding",
    "heat_map",
    "metric_by_method",
    "metric_over_r_and_w",
    "positions",
    "spread_over_logs",
    "zipf",
]
