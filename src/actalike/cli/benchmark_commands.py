"""The commands of the benchmarks, together."""

from actalike.cli.benchmark import app, with_lists
from actalike.cli.efficiency import efficiency
from actalike.cli.leaderboard import report
from actalike.cli.prediction import prediction

__all__ = ["app", "with_lists"]

for command in (prediction, efficiency, report):
    app.command()(command)
