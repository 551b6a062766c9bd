"""The demonstration: the main job on the loan desk's log, start to end."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actalike.cli.console import print_table
from actalike.counting import count_windows
from actalike.demo.loan_desk import loan_desk
from actalike.embedding import Embedding, Share
from actalike.errors import ActalikeError
from actalike.io import read_log, write_log
from actalike.labels import CommonContext, common_contexts
from actalike.log import EventLog
from actalike.methods import embed
from actalike.plot.maps import activity_map
from actalike.report.html_report import write_report
from actalike.support.figures import MATPLOTLIB

ASKED = ("Pay out", "Transfer loan")  # no comparison of the texts would find these two


@dataclass(frozen=True)
class Demo:
    """What the demonstration found, and where it put its files."""

    log: EventLog
    log_file: Path
    picture: Path | None
    hint: str
    report: Path
    embedding: Embedding
    pairs: list[tuple[str, str, float]]
    shares: list[Share]
    common: list[CommonContext]

    def as_dict(self) -> dict[str, Any]:
        """The findings as plain data."""
        return {
            "log": str(self.log_file),
            "picture": None if self.picture is None else str(self.picture),
            "report": str(self.report),
            "method": self.embedding.method,
            "statistics": self.log.statistics(),
            "pairs": [{"a": a, "b": b, "similarity": value} for a, b, value in self.pairs],
            "explanation": [share._asdict() for share in self.shares],
            "common_contexts": [context.as_dict() for context in self.common],
        }

    def show(self) -> None:
        """Print the findings."""
        print(f"{self.log_file}: a loan desk, made up: {str(self.log).removeprefix('EventLog(').rstrip(')')}.\n")
        print(f"Which activities act alike? ({self.embedding.method})\n")
        print_table(["alike", "activity", "activity"], [[f"{value:.3f}", a, b] for a, b, value in self.pairs], right=(0,))
        a, b = ASKED
        print(f"\nWhy are {a!r} and {b!r} alike by {self.embedding.similarity(a, b):.3f}? They keep the same company:\n")
        rows = [[f"{c.count_a:,}", f"{c.count_b:,}", c.context] for c in self.common]
        print_table([a, b, "times in the context (● is the activity)"], rows, right=(0, 1))
        print("\nAnd exactly: the similarity is a sum over neighbours that are the same or alike (≈), each with its share.\n")
        shown, rest = self.shares[:6], self.shares[6:]
        rows = [[f"{s.share:+.3f}", s.context] for s in shown]
        rows.append([f"{sum(s.share for s in rest):+.3f}", f"({len(rest):,} more)"])
        print_table(["share", "neighbour"], rows, right=(0,))
        print(f"\nThe report, a page for the browser: {self.report}")
        print(f"Map of the activities: {self.picture}" if self.picture else f"No map: {self.hint}")
        print(f"Next: actalike similar {self.log_file} 'Pay out'")


def run(folder: Path, topn: int = 10) -> Demo:
    """Make the log, write it, read it back, embed it, explain one pair, write the report, draw the map."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ActalikeError(f"{folder} cannot be made: {error.strerror}.") from None
    log_file, picture, report = (folder / name for name in ("loan_desk.xes.gz", "activity_map.png", "report.html"))
    write_log(loan_desk(), log_file)
    log = read_log(log_file)
    embedding = embed(log)
    pairs = embedding.most_similar_pairs(topn)
    write_report(log, report, title=log_file.name)
    hint = "" if MATPLOTLIB.is_installed else f"a picture {MATPLOTLIB.remedy}."
    if not hint:
        title = "Loan desk: activities that act alike lie together (size: how often; colour: groups)"
        activity_map(embedding, log, title=title, path=picture)
    return Demo(
        log,
        log_file,
        None if hint else picture,
        hint,
        report,
        embedding,
        pairs,
        embedding.explain(*ASKED, topn=None),
        common_contexts(count_windows(log, 3), *ASKED, topn=5),
    )
