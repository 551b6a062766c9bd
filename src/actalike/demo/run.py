"""The demonstration: the main job on the loan desk's log, start to end."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from actalike.counting import count_windows
from actalike.demo.loan_desk import loan_desk
from actalike.embedding import Embedding, Share
from actalike.io import write_log
from actalike.labels import CommonContext, common_contexts
from actalike.log import EventLog
from actalike.methods import DEFAULT_METHOD, embed, make_method
from actalike.plot.maps import activity_map
from actalike.report.html_report import write_report
from actalike.support.atomic_files import written_together
from actalike.support.figures import MATPLOTLIB
from actalike.support.places import make_folder

ASKED = ("Pay out", "Transfer loan")  # no comparison of the texts would find these two
FILES = ("loan_desk.xes.gz", "activity_map.png", "report.html")
_CONTEXT_WINDOW = 3  # the activity and its two neighbours


@dataclass(frozen=True)
class Demo:
    """What the demonstration computed, and where it put its files; ``hint`` says why there is no picture."""

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
        """Return the findings as plain data."""
        return {
            "log": str(self.log_file),
            "picture": None if self.picture is None else str(self.picture),
            "report": str(self.report),
            "method": self.embedding.method,
            "statistics": self.log.statistics(),
            "pairs": [{"a": a, "b": b, "similarity": value} for a, b, value in self.pairs],
            "explanation": [{"context": s.context, "share": s.share, "symbols": s.symbols} for s in self.shares],
            "common_contexts": [context.as_dict() for context in self.common],
        }


def run(folder: Path, topn: int = 10) -> Demo:
    """Make the log, embed it, explain one pair, and write the log, the report and the map, all or none."""
    make_folder(folder)
    log_file, picture, report = (folder / name for name in FILES)
    log = loan_desk()
    counts = count_windows(log, make_method(DEFAULT_METHOD).window or _CONTEXT_WINDOW)
    embedding = embed(log, counts=counts)
    hint = "" if MATPLOTLIB.is_installed else f"a picture {MATPLOTLIB.remedy}."
    with written_together():
        write_log(log, log_file)
        write_report(log, report, title=log_file.name)
        if not hint:
            title = "Loan desk: activities that act alike lie together (size: how often; colour: groups)"
            activity_map(embedding, log, title=title, path=picture)
    return Demo(
        log=log,
        log_file=log_file,
        picture=None if hint else picture,
        hint=hint,
        report=report,
        embedding=embedding,
        pairs=embedding.most_similar_pairs(topn),
        shares=embedding.explain(*ASKED, topn=None),
        common=common_contexts(counts.marginal(_CONTEXT_WINDOW), *ASKED, topn=5),
    )
